"""check_links.py FOLDER: every link of every page in a built site leads to a file, and to an anchor in it."""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(sys.argv[1]).resolve()


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if value is None:
                continue
            if name in ("href", "src"):
                self.links.append((tag, value))
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)

    handle_startendtag = handle_starttag


pages = {}
for file in ROOT.rglob("*.html"):
    page = Page()
    page.feed(file.read_text(errors="replace"))
    pages[file] = page
broken, count, outside, loaded = [], 0, 0, []
for file, page in pages.items():
    for tag, link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            outside += 1
            if tag in ("script", "img", "link") and parts.scheme in ("http", "https", ""):
                loaded.append((file, link))
            continue
        if not parts.path and not parts.fragment:
            continue
        count += 1
        if file.name == "404.html" and parts.path.startswith("/"):
            target = ROOT / parts.path.lstrip("/")
        else:
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if target.is_dir():
            target /= "index.html"
        anchor = unquote(parts.fragment)
        if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
            broken.append((file, link))
for file, link in broken:
    print(f"{file.relative_to(ROOT)}: {link} is broken")
for file, link in loaded:
    print(f"{file.relative_to(ROOT)}: {link} is loaded from the net")
print(f"{len(pages)} pages, {count} links, {len(broken)} broken; {outside} lead to the net, {len(loaded)} are loaded from there")
sys.exit(1 if broken or loaded else 0)
