# check_layers.sh ROOT LAYERS: holds every #include to the module graph that CMake declares.
#
# LAYERS has one line a module, lowest first: name:used,used:linked,linked. A module may include itself
# and what it USES, which must stand above it in the file. ITK is for modules that link aladdin_itk, in
# .cpp files and in itk_*.h, which are not installed and which no other header includes. Torch is for
# modules that link aladdin_torch. The commands include neither.
set -euo pipefail
root=$1 layers=$2
broken=0

complain() { echo "$*"; broken=1; }

# includes FOLDER PATTERN: "file:line:#include …" of every include that matches.
includes() {
  grep -rnE --include='*.h' --include='*.cpp' "^[[:space:]]*#[[:space:]]*include[[:space:]]*$2" "$1" || true
}

itk='[<"](itk|vnl|gdcm)'
torch='[<"](torch|ATen|c10)/'

known=,
while IFS=: read -r module uses links; do
  folder=$root/src/$module
  [[ -d $folder ]] || complain "CMake declares the module '$module', but there is no src/$module"
  for used in ${uses//,/ }; do
    [[ $known == *",$used,"* ]] ||
      complain "src/$module uses '$used', which does not stand above it in src/CMakeLists.txt"
  done
  while IFS= read -r line; do
    [[ -z $line ]] && continue
    included=$(sed -E 's|.*["<]aladdin/([^/]+)/.*|\1|' <<<"$line")
    [[ ",$module,$uses," == *",$included,"* ]] ||
      complain "${line%%:*} includes '$included', which src/$module/CMakeLists.txt does not list in USES"
  done < <(includes "$folder" '["<]aladdin/')
  while IFS= read -r line; do
    [[ -z $line ]] && continue
    [[ ",$links," == *,aladdin_itk,* && ${line%%:*} =~ (\.cpp|/itk_[a-z_]*\.h)$ ]] ||
      complain "${line%%:*} includes ITK, which only .cpp files and itk_*.h of modules that link" \
        "aladdin_itk may"
  done < <(includes "$folder" "$itk")
  while IFS= read -r line; do
    [[ -z $line || ${line%%:*} =~ (\.cpp|/itk_[a-z_]*\.h)$ ]] ||
      complain "${line%%:*} is a public header and includes a private one"
  done < <(includes "$folder" '"aladdin/[a-z]+/itk_')
  while IFS= read -r line; do
    [[ -z $line || ",$links," == *,aladdin_torch,* ]] ||
      complain "${line%%:*} includes Torch, which only modules that link aladdin_torch may"
  done < <(includes "$folder" "$torch")
  known+=$module,
done <"$layers"

while IFS= read -r line; do
  [[ -z $line ]] || complain "${line%%:*}: a command includes neither ITK nor Torch"
done < <(includes "$root/apps" "$itk"; includes "$root/apps" "$torch")

(( broken == 0 )) && echo "$(wc -l <"$layers") modules, all includes allowed"
exit "$broken"
