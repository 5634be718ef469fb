"""Writes aladdin/_commands.py: one function for each command, from the declarations of the commands.

`./run docs` runs it; a test fails when the file is stale. `register`, `segment`, `warp` and `transform` also work in
memory, so they are written by hand (aladdin/_verbs.py) over what is here.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any, Dict, List

# Without aladdin/__init__.py, which needs the file that is made here.
_found = importlib.util.find_spec("aladdin")
if _found is None or not _found.submodule_search_locations:
    sys.exit("error: there is no package aladdin; build it and set PYTHONPATH=build/release/python")
sys.modules["aladdin"] = types.ModuleType("aladdin")
sys.modules["aladdin"].__path__ = list(_found.submodule_search_locations)
from aladdin import _core, _invoke  # noqa: E402

RESULTS = {
    "build": "Run",
    "register": '"pd.DataFrame"',
    "segment": '"pd.DataFrame"',
    "evaluate": "_results.Evaluation",
    "measure": "_results.Measures",
    "stats": "_results.Findings",
    "compare": "_results.Comparison",
    "tune": "_results.Search",
    "cohort": "_results.Cohort",
    "report": "Optional[Path]",
    "snapshot": "Path",
    "synth": "Path",
    "info": "List[Dict[str, Any]]",
    "warp": '"pd.DataFrame"',
    "transform": "Dict[str, Any]",
}
RETURNS = {
    "build": "The run.",
    "register": "How well each image was registered; the files are in `output`.",
    "segment": "The volumes of each image; the files are in `output`.",
    "evaluate": "Tables of the measures.",
    "measure": "Tables and maps.",
    "stats": "Clusters, structures and maps.",
    "compare": "The table of methods.",
    "tune": "The ranking.",
    "cohort": "The subjects and the working grid.",
    "report": "The page, if `output` names one.",
    "snapshot": "The picture.",
    "synth": "cohort.csv.",
    "info": "One dictionary for each file.",
    "warp": "The points, where points are moved and `output` names no file; else an empty table.",
    "transform": "What the transform is, where `output` names no file; else nothing.",
}
HANDMADE = ("register", "segment", "warp", "transform")
PATHS = ("FILE", "DIR", "HTML", "PNG", "CSV")


def type_of(command: str, name: str, flag: Dict[str, Any]) -> str:
    """The type of a parameter."""
    value = flag["value"]
    if not value:
        return "bool"
    if flag["choices"]:
        return "Literal[" + ", ".join(f'"{one}"' for one in flag["choices"]) + "]"
    if name == "settings":
        return "Mapping[str, object]" if command in ("compare", "tune") else "Settings"
    if name == "grid":
        return "Mapping[str, Sequence[object]]"
    if name == "group":
        return "Mapping[str, Sequence[int]]"
    if name == "name":
        return "Mapping[int, str]"
    if name == "names":
        return "Union[PathLike, Mapping[int, str]]"
    if name in ("source", "cohort") or value == "SOURCE":
        return '"CohortLike"'
    if command == "snapshot" and name in ("images", "labels"):
        kind = '"ImageLike"' if name == "images" else '"LabelsLike"'
        return f"Union[{kind}, Sequence[{kind}]]"
    if value == "MINUTES" or value in ("W", "R", "X", "MM", "T", "F", "P", "MB"):
        return "float"
    if value == "N":
        return "int"
    if value == "1|2":
        return "int"
    if value in ("N,N,...", "N,N,...|off", "I,J,K"):
        return "Union[Sequence[int], str]"
    if value in ("L,P,S", "X,Y,Z"):
        return "Union[Sequence[float], float]"
    if value == "LABELS":
        return "Union[Sequence[int], int]"
    plain = "PathLike" if any(part in PATHS for part in value.split("|")) else "str"
    return f"Union[{plain}, Sequence[{plain}]]" if flag["repeated"] else plain


def plain_words(text: str, flags: Dict[str, Any]) -> str:
    """A description with the names of Python for its flags, and without backslashes that a docstring would read."""
    every = {f: k for one in _invoke.declarations().values() for k, d in one["flags"].items() for f in d["names"]}
    known = {**every, **{flag["names"][-1]: key for key, flag in flags.items()}}
    text = re.sub(r"--[a-z][a-z0-9-]*", lambda found: known.get(found[0], found[0]), text)
    return text.replace("\\", "\\\\")


def wrapped(text: str, indent: int) -> List[str]:
    """Lines of at most 100 characters."""
    out: List[str] = []
    for paragraph in text.split("\n\n"):
        out += textwrap.wrap(paragraph, 100 - indent, initial_indent=" " * indent, subsequent_indent=" " * indent)
        out.append("")
    return out[:-1]


def function_of(command: Dict[str, Any]) -> List[str]:
    """The source of one function."""
    name, flags = command["name"], command["flags"]
    handmade = name in HANDMADE
    arguments = [(key, flag) for key, flag in flags.items() if flag["argument"]]
    # What a dry run says is the result of another function, plan().
    keywords = [(key, flag) for key, flag in flags.items() if not flag["argument"] and key != "dry_run"]
    keywords.sort(key=lambda one: not one[1]["required"])
    lines = [f"def {name}{'_files' if handmade else ''}("]
    documented: List[str] = []

    def add(key: str, flag: Dict[str, Any]) -> None:
        kind = type_of(name, key, flag)
        if flag["required"]:
            lines.append(f"    {key}: {kind},")
        elif kind == "bool":
            lines.append(f"    {key}: bool = False,")
        else:
            lines.append(f"    {key}: Optional[{kind}] = None,")
        shown = flag["value"].replace("|", " | ") if flag["value"] else "bool"
        default = f" [{flag['default']}]" if flag["default"] else ""
        documented.append(f"    {key} : {shown}{', required' if flag['required'] else ''}")
        documented.extend(wrapped(plain_words(flag["description"], flags) + default, 8))

    for key, flag in arguments:
        add(key, flag)
    lines.append("    *,")
    for key, flag in keywords:
        add(key, flag)
    lines.append("    progress: Progress = None,")
    documented.append("    progress : callable(label, done, total), or True for bars of tqdm")
    lines.append(f") -> {RESULTS.get(name, 'str')}:")
    lines.append(f'    """{command["summary"]}.')
    lines.append("")
    lines += wrapped(plain_words(command["description"], flags), 4)
    lines += ["", "    Parameters", "    ----------", *documented, "", "    Returns", "    -------"]
    lines += wrapped(RETURNS.get(name, "What it prints."), 4)
    lines.append('    """')
    lines.append("    given = dict(locals())")
    threads = "threads" if "threads" in flags else "None"
    lines.append(f'    printed = _invoke.invoke("{name}", given, threads={threads}, progress=progress)')
    lines.append(f"    return _results.{name}(given, printed)" if name in RESULTS else "    return printed")
    return lines


def settings_type() -> List[str]:
    """A dictionary type with the name and the type of every setting."""
    lines = ["Settings = TypedDict(", '    "Settings",', "    {"]
    for one in _core.settings():
        kind = one["type"]
        if one["choices"]:
            kind = "Literal[" + ", ".join(f'"{choice}"' for choice in one["choices"]) + "]"
        lines.append(f'        "{one["key"]}": {kind},  # {one["meaning"]}')
    return [*lines, "    },", "    total=False,", ")", '"""Settings of a build by their names (docs/configuration.md)."""']


def module_text() -> str:
    """The whole file."""
    lines = [
        '"""Every command as a function. Made by python/tools/generate.py from the declarations of the commands: do not edit."""',
        "",
        "# ruff: noqa",
        "# fmt: off",
        "",
        "from __future__ import annotations",
        "",
        "from pathlib import Path",
        "from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union",
        "",
        "from . import _invoke, _results",
        "from ._call import Progress",
        "from ._images import PathLike",
        "from ._run import Run",
        "",
        "if TYPE_CHECKING:",
        "    import pandas as pd",
        "",
        "    from ._images import ImageLike, LabelsLike",
        "",
        "    #: A path or a pattern, as 'aladdin build' takes it, or a table with the columns id, image, …",
        "    CohortLike = Union[PathLike, pd.DataFrame]",
        "",
        *settings_type(),
        "",
        "__all__ = [",
        *(f'    "{name}",' for name in sorted(["Settings", *(n for n in _invoke.declarations() if n not in HANDMADE)])),
        "]",
    ]
    for command in _invoke.declarations().values():
        lines += ["", "", *function_of(command)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


if __name__ == "__main__":
    target = Path(__file__).parent.parent / "aladdin" / "_commands.py"
    text = module_text()
    if "--check" in sys.argv:
        if target.read_text(encoding="utf-8") != text:
            sys.exit(f"error: {target} is stale; './run docs' makes it anew")
    else:
        target.write_text(text, encoding="utf-8")
