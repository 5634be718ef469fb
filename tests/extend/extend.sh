# extend.sh ROOT: adds a toy method and a toy similarity to a scratch copy of the sources as
# CONTRIBUTING.md says, counts the files that were touched (at most 3 and 2), and compiles the new ones and what knows
# them without Torch.
set -euo pipefail
root=$(realpath "$1")
here=$root/tests/extend
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for part in CMakeLists.txt CMakePresets.json LICENSE cmake apps configs src web; do cp -r "$root/$part" "$scratch/"; done
cp -r "$scratch" "$scratch.before"
trap 'rm -rf "$scratch" "$scratch.before"' EXIT

# add LINE BEFORE FILE: where the pattern is not there, the test is at fault.
add() {
  grep -qE -- "$2" "$3" || { echo "'$2' is not in $3"; exit 1; }
  sed -i -E "0,/$2/s|$2|$1|" "$3"
}
# touched LIMIT WHAT: counts what differs from before, and starts anew.
touched() {
  local files
  files=$(diff -rq "$scratch.before" "$scratch" || true)
  echo "$2: $(wc -l <<<"$files") files"
  sed 's/^/  /' <<<"$files"
  (( $(wc -l <<<"$files") <= $1 )) || { echo "expected at most $1"; exit 1; }
  rm -rf "$scratch.before" && cp -r "$scratch" "$scratch.before"
}

choices=$scratch/src/config/choices.h
add 'enum class SimilarityKind { toy, ' 'enum class SimilarityKind \{ ' "$choices"
add 'SimilarityRow kSimilarityKinds[] = {{SimilarityKind::toy, "toy", true, 8}, ' \
  'SimilarityRow kSimilarityKinds\[\] = \{' "$choices"
cp "$here/toy_similarity.cpp" "$scratch/src/loss/similarities/toy.cpp"
touched 2 'a similarity'

methods=$scratch/src/config/methods.h
add 'enum class EnergyKind { toy, ' 'enum class EnergyKind \{ ' "$methods"
add 'kEnergies[] = {{EnergyKind::toy, "toy"}, ' 'kEnergies\[\] = \{' "$methods"
add 'inline constexpr TableLine kToyLines[] = {{"Y", "Toy", "toy"}};\
inline constexpr MethodDescription kMethods[] = {{.name = "toy", .citation = "", .summary = "a toy", .presets = "toy", .energy = EnergyKind::toy, .lines = kToyLines},' \
  'inline constexpr MethodDescription kMethods\[\] = \{' "$methods"
cp "$here/toy.toml" "$scratch/configs/toy.toml"
cp "$here/toy_method.cpp" "$scratch/src/method/methods/toy.cpp"
touched 3 'a method'

# CMake finds the new files by their folders. With the flags of every build, ccache has the others.
build=$scratch/build/release
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }; }
cd "$scratch"
quietly cmake --preset release -DALADDIN_TESTS=OFF -DALADDIN_BENCH=OFF -DALADDIN_PYTHON=OFF
quietly cmake --build "$build" --target aladdin_config aladdin_core \
  src/loss/CMakeFiles/aladdin_loss.dir/similarities/toy.cpp.o \
  src/method/CMakeFiles/aladdin_method.dir/methods/toy.cpp.o
c++ -std=c++20 -I"$build/include" "$here/main.cpp" "$build"/src/{config,core}/CMakeFiles/*.dir/*.o \
  -o main -ltomlplusplus -lfmt -lspdlog -fopenmp -ldl
./main | grep -F 'toy.cpp'
