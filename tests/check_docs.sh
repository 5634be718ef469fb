# check_docs.sh ALADDIN DOCS: the references of commands and settings are what is declared today.
set -euo pipefail
for page in commands configuration; do
  diff -u "$2/$page.md" <("$1" docs "$page") || { echo "docs/$page.md is stale: ./run docs"; exit 1; }
done
