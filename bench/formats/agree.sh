#!/usr/bin/env bash
# agree.sh [ALADDIN [FOLDER]]: transforms and images against the programs whose files they are (agree.py). They come from
# PyPI into an environment of their own, in $ALADDIN_PEERS (default: build/peers); MRtrix3 is Debian's, if it is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-build/release/bin/aladdin}")
folder=$(realpath -m "${2:-build/formats}")
peers=${ALADDIN_PEERS:-build/peers}
if [[ ! -x $peers/bin/python ]]; then
  python3 -m venv "$peers"
  "$peers/bin/pip" -q install nibabel scipy SimpleITK antspyx pandas fslpy nitransforms surfa picsl-greedy h5py
fi
"$peers/bin/python" bench/formats/agree.py "$program" "$folder"
