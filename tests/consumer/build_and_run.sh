# build_and_run.sh CMAKE BUILD_FOLDER COMPILER: installs into a fresh prefix, then builds and runs a
# project that knows nothing but that prefix.
set -euo pipefail
cmake=$1 build=$2 compiler=$3
source=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$cmake" --install "$build" --prefix "$folder/prefix" >"$folder/install.log"
"$cmake" -S "$source" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release
"$cmake" --build "$folder/build"
cd "$folder"
out=$(build/consumer)
echo "$out"
[[ $out == "4 x 3 x 2"*"no such file: 'missing.nii.gz'"* ]]
# The installed program finds its library from wherever the prefix was put.
mv prefix elsewhere
elsewhere/bin/aladdin info consumer.nii.gz
