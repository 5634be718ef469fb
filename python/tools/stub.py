"""Writes aladdin/_core.pyi from the signatures that pybind11 gives the extension. `./run docs` runs it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, List

from generate import _core

HEAD = '''"""The extension. Made by python/tools/stub.py from its signatures: do not edit."""

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy
import numpy.typing

'''
# What pybind11 says less precisely than it is.
PRECISE = {
    "Grid.size": "Tuple[int, ...]",
    "Grid.spacing": "Tuple[float, ...]",
    "Grid.origin": "Tuple[float, ...]",
    "Chain.steps": "List[Tuple[str, numpy.typing.NDArray[Any], Optional[Grid]]]",
    "Segmentation.probabilities": "Any",
    "commands": "List[Dict[str, Any]]",
    "settings": "List[Dict[str, Any]]",
    "figures": "Dict[str, Any]",
    "read_either": "Union[Image, Labels]",
    "AtlasRegistrar.labels": "Optional[Labels]",
}


def cleaned(text: str) -> str:
    """A signature as a stub has it."""
    text = re.sub(r"numpy\.ndarray\[[^\]]*\]", "numpy.typing.NDArray[Any]", text)
    text = re.sub(r"numpy\.ndarray(?!\[)", "numpy.typing.NDArray[Any]", text)
    text = text.replace("aladdin._core.", "").replace("os.PathLike", "Union[str, 'os.PathLike[str]']")
    text = re.sub(r"\bobject\b", "Any", text)
    text = re.sub(r"\b(list|tuple|dict)\b(?!\[)", lambda m: {"list": "List[Any]", "tuple": "Tuple[Any, ...]", "dict": "Dict[str, Any]"}[m[1]], text)
    text = re.sub(r" = \{\}", " = ...", text)
    text = re.sub(r"(float|int)\[\d+\]", r"\1", text)
    text = re.sub(r"Annotated\[(.*?), FixedSize\(\d+\)\]", r"\1", text)
    return text


def array_arguments(text: str) -> str:
    """What is converted to an array may be anything that NumPy takes."""
    head, arrow, tail = text.rpartition(" -> ")
    head = head.replace("numpy.typing.NDArray[Any]", "numpy.typing.ArrayLike").replace("List[", "Sequence[")
    return head.replace("Dict[int, str]", "Mapping[int, str]") + arrow + tail


def signature(doc: str, name: str, full: str, is_method: bool) -> str:
    """'name(self, …) -> …' of the docstring of pybind11."""
    line = cleaned(doc.strip().splitlines()[0])
    line = array_arguments(re.sub(r"^\w+", name, line))
    if is_method:
        line = re.sub(r"^(\w+)\((?:self|arg0): \w+(, )?", r"\1(self\2", line)
    line = line.replace("arg2: Labels", "arg2: Optional[Labels]") if name == "picture" else line
    if full in PRECISE:
        line = line.rpartition(" -> ")[0] + " -> " + PRECISE[full]
    return line


def class_lines(name: str, thing: Any) -> List[str]:
    """A class with its members."""
    lines = [f"class {name}:"]
    if "of pybind11" not in (thing.__init__.__doc__ or "") and "__init__(" in (thing.__init__.__doc__ or ""):
        lines.append("    def " + signature(thing.__init__.__doc__, "__init__", "", True) + ": ...")
    for key, member in sorted(vars(thing).items()):
        if key.startswith("_"):
            continue
        full = f"{name}.{key}"
        if isinstance(member, property):
            kind = cleaned((member.fget.__doc__ or "").rpartition(" -> ")[2].strip() or "Any") or "Any"
            kind = PRECISE.get(full, PRECISE.get(key, kind))
            if member.fset:
                lines.append(f"    {key}: {kind}")
            else:
                lines += ["    @property", f"    def {key}(self) -> {kind}: ..."]
        elif isinstance(member, staticmethod):
            lines += ["    @staticmethod", "    def " + signature(getattr(thing, key).__doc__, key, full, False) + ": ..."]
        else:
            lines.append("    def " + signature(member.__doc__, key, full, True) + ": ...")
    return lines if len(lines) > 1 else [f"class {name}: ..."]


def stub_text() -> str:
    """The whole file."""
    lines: List[str] = []
    for name in sorted(dir(_core)):
        if name.startswith("__"):
            continue
        thing = getattr(_core, name)
        if isinstance(thing, type):
            lines += [*class_lines(name, thing), ""]
        elif callable(thing):
            lines.append("def " + signature(thing.__doc__, name, name, False) + ": ...")
        else:
            lines.append(f"{name}: {type(thing).__name__}")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    target = Path(__file__).parent.parent / "aladdin" / "_core.pyi"
    if "--check" in sys.argv:
        if target.read_text(encoding="utf-8") != stub_text():
            sys.exit(f"error: {target} is stale; './run docs' makes it anew")
    else:
        target.write_text(stub_text(), encoding="utf-8")
