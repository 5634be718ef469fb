# check_docs.sh ALADDIN DOCS: the command reference is what the declarations say today.
set -euo pipefail
diff -u "$2" <("$1" docs) || { echo "docs/commands.md is stale: ./run docs"; exit 1; }
