#!/usr/bin/env bash
# build.sh: the site in build/site/html. `./run site` installs what it takes first; nothing comes from the net after that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf build/site
mkdir -p build/site
python3 site/pages.py . build/site/pages
assets=build/site/pages/assets
mkdir -p "$assets/katex"
cp site/math.js site/site.css "$assets/"
katex=/usr/share/javascript/katex
cp -L "$katex/katex.min.js" "$katex/katex.min.css" "$katex/contrib/auto-render.js" "$assets/katex/"
cp -rL "$katex/fonts" "$assets/katex/"
mkdir -p build/site/pages/api && echo >build/site/pages/api/index.html  # Doxygen's, below: the link is known to MkDocs
mkdocs build --quiet --config-file site/mkdocs.yml
doxygen site/Doxyfile >build/site/doxygen.log 2>&1
# Doxygen links to nested classes that are private, and are not there.
grep -rL 'name="nested-classes"' --include='class*.html' build/site/html/api | xargs sed -i 's|<a href="#nested-classes">Classes</a>||'
python3 site/check_links.py build/site/html
echo "build/site/html/index.html"
