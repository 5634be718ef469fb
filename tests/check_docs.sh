# check_docs.sh ALADDIN DOCS: the references of commands, settings and methods are what is declared today.
set -euo pipefail
for page in commands configuration; do
  diff -u "$2/$page.md" <("$1" docs "$page") || { echo "docs/$page.md is stale: ./run docs"; exit 1; }
done
diff -u <(sed -n '/^| rows/,/^$/p' "$2/methods.md" | sed '$d') <("$1" docs methods) ||
  { echo "the list in docs/methods.md is stale: ./run docs"; exit 1; }
