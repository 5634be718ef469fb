# check_names.sh ROOT: outside src/config and src/method no code compares with the name of a method, an engine or an
# energy, as an enumerator or as a string: what depends on a method is said by the method.
set -euo pipefail
root=$1
table=$root/src/config/methods.h
names=$(grep -oE '\{(Engine|EnergyKind)::[a-z]+, "[a-z]+"' "$table" | sed 's/.*"\(.*\)"/\1/' | sort -u | paste -sd'|')
[[ $names == *'|'* ]] || { echo "no names were found in $table"; exit 1; }
enumerator='(Engine|EnergyKind)::[a-z]+'
text="\"($names)\""
found=$(grep -rnE --include='*.h' --include='*.cpp' \
  -e "([!=]= *$enumerator|$enumerator *[!=]=|case $enumerator)" -e "([!=]= *$text|$text *[!=]=)" "$root/src" "$root/apps" |
  grep -vE "^$root/src/(config|method)/|_test\.cpp:" |
  # Words that are names of other things as well: only where a line is about methods.
  grep -vE '"(none|auto|learn|aladdin)"' || true)
found+=$(grep -rnE --include='*.h' --include='*.cpp' "(engine|energy|method|preset)[a-z_.>-]* *[!=]= *$text" "$root/src" "$root/apps" |
  grep -vE "^$root/src/(config|method)/|_test\.cpp:" || true)
[[ -z $found ]] || { printf 'a comparison with the name of a method, engine or energy:\n%s\n' "$found"; exit 1; }
echo "no comparison with any of ${names//|/, }"
