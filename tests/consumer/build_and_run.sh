# build_and_run.sh CMAKE BUILD_FOLDER COMPILER [FLAGS]: installs into a fresh prefix, then builds and runs
# projects that know nothing but that prefix.
set -euo pipefail
cmake=$1 build=$2 compiler=$3 flags=${4:-}
source=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$cmake" --install "$build" --prefix "$folder/prefix" >"$folder/install.log"

# build_project SOURCE NAME
build_project() {
  "$cmake" -S "$1" -B "$folder/$2" -G Ninja -DCMAKE_PREFIX_PATH="$folder/prefix" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$flags"
  "$cmake" --build "$folder/$2"
}
build_project "$source" build
cd "$folder"
out=$(build/consumer)
echo "$out"
[[ $out == "4 x 3 x 2"*"no such file: 'missing.nii.gz'"*"(1, 2, 3)"* ]]

# Public headers include only what is installed with them; private ones are not there. Those of
# modules that need Torch are left out.
for module in prefix/include/aladdin/*/; do
  grep -rqE '<(ATen|torch|c10)/|"aladdin/ops/' "$module" ||
    find "$module" -name '*.h' -printf "#include \"aladdin/$(basename "$module")/%P\"\n"
done >headers.cpp
[[ $(wc -l <headers.cpp) -gt 30 ]]
eigen=$(grep -om1 -- '-isystem [^ ]*eigen3' build/build.ninja)  # the one other library, which the target brings along
# shellcheck disable=SC2086
"$compiler" -std=c++20 -fsyntax-only -Iprefix/include $eigen headers.cpp
private=$(find prefix/include -name 'itk_*' -o -name 'test_*' -o -path '*/fast/*'
          grep -rl 'Inside this folder only' prefix/include || true)
[[ -z $private ]] || { echo "private headers are installed: $private"; exit 1; }

if [[ -n $(find prefix -name aladdinLearningTargets.cmake) ]]; then
  build_project "$source/learning" build-learning
  build-learning/learning_consumer
fi

# The installed program finds its library from wherever the prefix was put.
mv prefix elsewhere
elsewhere/bin/aladdin info consumer.nii.gz
