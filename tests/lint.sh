# lint.sh BUILD_FOLDER: clang-tidy over our sources, with the compile commands of BUILD_FOLDER.
#
# tests/lint.txt lists what was found clean: a hash of the source, of the header of its name and of .clang-tidy. What is
# listed is not linted again; what is new and clean is added. So a commit that changes ten files lints ten files, on any
# machine. The list merges by union (.gitattributes): a line that fits no file does no harm, and goes at the next run.
#
# Sources that read the headers of Torch, ITK or OpenMP are left to the compiler's warnings: clang-tidy needs half a
# minute for each.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
list=tests/lint.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# clang cannot read GCC's precompiled headers.
sed -E 's| -Winvalid-pch||; s| -include [^ ]*cmake_pch\.hxx||' "$build/compile_commands.json" >"$work/compile_commands.json"

# sources: those with a compile command that clang-tidy can read in seconds.
sources() {
  awk -F'"' '/"command":/ { heavy = /torch/ } /"file":/ && !heavy { print $4 }' "$work/compile_commands.json" |
    sed "s|^$PWD/||" | grep -E '^(src|apps)/' | grep -vE '_test\.cpp$|^src/kernels/fast/' | sort -u |
    xargs grep -LE '#include *[<"](itk|vnl|gdcm|omp\.h|dnnl|.*/itk_)'
}

hash_of() {
  local header=${1%.cpp}.h
  [[ -e $header ]] || header=
  printf '%s %s\n' "$(cat "$1" ${header:+"$header"} .clang-tidy | sha256sum | cut -c1-16)" "$1"
}

sources | while read -r source; do hash_of "$source"; done >"$work/now"
touch "$list"
grep -vxFf "$list" "$work/now" >"$work/open" || true
grep -xFf "$list" "$work/now" >"$work/clean" || true
cp "$work/clean" "$list"
echo "$(wc -l <"$work/now") sources, $(wc -l <"$work/open") to lint"

# Lists each clean source at once, so that a run that is stopped keeps what it has done.
lint_one() {
  if clang-tidy --quiet -p "$1" "$3" >"$1/$$" 2>"$1/$$.error"; then
    echo "$2 $3" >>tests/lint.txt
  else
    cat "$1/$$"
    return 1
  fi
}
export -f lint_one
failed=0
sort -rk2 "$work/open" | xargs -r -P "$(nproc)" -L 1 bash -c 'lint_one "$@"' - "$work" || failed=1
sort -k2 -o "$list" "$list"
(( failed == 0 )) && echo "no finding"
exit "$failed"
