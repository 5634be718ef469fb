"""pages.py TREE OUT: the pages of the site, from docs/ and from the pages at the top of the tree.

A link that leaves docs/ leads to the page that the file has become; one to a file that has no page becomes its name.
"""
import re
import shutil
import sys
from pathlib import Path

TREE, OUT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
TOP = {"README.md": "index.md", "CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def page_of(path):
    """Where a file of the tree is on the site; None: it is not there."""
    if path.parent == TREE and path.name in TOP:
        return TOP[path.name]
    return path.relative_to(TREE / "docs").as_posix() if path.is_relative_to(TREE / "docs") else None


def rewritten(text, source):
    def link(found):
        bang, words, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found[0]
        name, _, anchor = target.partition("#")
        path = (source.parent / name).resolve()
        if not path.exists():
            sys.exit(f"error: '{source.relative_to(TREE)}' links to '{target}', which is not there")
        page = page_of(path)
        if page is None:
            return words
        return f"{bang}[{words}]({page}{'#' + anchor if anchor else ''})"

    return LINK.sub(link, text)


shutil.rmtree(OUT, ignore_errors=True)
shutil.copytree(TREE / "docs", OUT)
for source in [*(TREE / "docs").glob("*.md"), *(TREE / name for name in TOP)]:
    (OUT / page_of(source)).write_text(rewritten(source.read_text(), source))
(OUT / "api.md").write_text(
    "# C++ API\n\nThe headers of the library, one page per class and file, made by Doxygen: "
    "[open the reference](api/index.html). [Architecture](architecture.md) describes the library on one page, and "
    "`tests/consumer` is a program that uses it.\n"
)
