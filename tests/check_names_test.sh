# The checker must find each kind of comparison, one at a time.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/src/{config,method,train} "$tree/apps"
cp "$here/../src/config/methods.h" "$tree/src/config"
check() { bash "$here/check_names.sh" "$tree"; }
echo 'if (config.train.engine == Engine::learn) {}' >"$tree/src/method/learner.cpp"
echo 'if (request->method == "HEAD" || word == "none") {}' >"$tree/src/train/allowed.cpp"
check
while IFS= read -r line; do
  echo "$line" >"$tree/src/train/plan.cpp"
  if check >/dev/null; then echo "not found: $line"; exit 1; fi
done <<'LINES'
if (config.train.engine == Engine::joshi) {}
const bool learns = Engine::learn != engine;
case EnergyKind::he:
if (name == "dalca") {}
if ("optimise" == word) {}
if (config.preset == "none") {}
LINES
