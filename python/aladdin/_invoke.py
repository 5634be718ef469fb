"""Runs a command of the library by its declaration: values of Python become its words, its output becomes a result."""

from __future__ import annotations

import functools
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from . import _core
from ._call import Progress, calling, path_text
from ._errors import UsageError
from ._images import Image, Labels, is_path
from ._settings import text_of

#: Flags that only a command line has: how it prints, and its help.
OF_THE_COMMAND_LINE = ("json", "quiet", "verbose", "help")
#: Commands of the shell itself.
WITHOUT_FUNCTION = ("completion", "docs")


def parameter_name(flag: Mapping[str, Any]) -> str:
    """What Python calls a flag: --to-atlas is to_atlas, --lambda is lambda_, --set is settings, RUN... is runs."""
    name = str(flag["names"][-1]).lstrip("-").replace("-", "_").lower()
    if flag["argument"] and flag["repeated"]:
        name += "s"
    return {"lambda": "lambda_", "set": "settings"}.get(name, name)


@functools.lru_cache(maxsize=None)
def declarations() -> Dict[str, Dict[str, Any]]:
    """Every command that has a function, with the flags that this takes."""
    out = {}
    for command in _core.commands():
        if command["hidden"] or command["name"] in WITHOUT_FUNCTION:
            continue
        flags = [flag for flag in command["flags"] if parameter_name(flag) not in OF_THE_COMMAND_LINE]
        out[command["name"]] = {**command, "flags": {parameter_name(flag): flag for flag in flags}}
    return out


class _Words:
    """The words of one call. Tables and images in memory become files of a folder that goes with it."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.folder: Optional[str] = None

    def file(self, name: str) -> str:
        if self.folder is None:
            self.folder = tempfile.mkdtemp(prefix="aladdin-")
        return os.path.join(self.folder, name)

    def remove(self) -> None:
        if self.folder is not None:
            for name in os.listdir(self.folder):
                os.unlink(os.path.join(self.folder, name))
            os.rmdir(self.folder)

    def of(self, flag: Mapping[str, Any], value: Any) -> List[str]:
        """The value of one flag as the words that follow it, one for each time that it is given."""
        kind, name = flag["value"], parameter_name(flag)
        if isinstance(value, Mapping):
            if name == "names":
                return [self.names_file(value)]
            if name == "name":
                return [f"{label}={word}" for label, word in value.items()]
            if name == "grid":
                return [f"{key}={_axis(values)}" for key, values in value.items()]
            if "=" in kind:
                return [f"{key}={text_of(one)}" for key, one in value.items()]
        if hasattr(value, "to_csv"):
            return [self.cohort_file(value)]
        if isinstance(value, (Image, Labels)):
            path = self.file(f"image{len(os.listdir(self.folder)) if self.folder else 0}.nii.gz")
            value.write(path)
            return [path]
        if is_path(value):
            return [path_text(value)]
        if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
            many = list(value)
            if flag["repeated"]:
                return [word for one in many for word in self.of({**flag, "repeated": False}, one)]
            return [text_of(many)]
        return [text_of(value)]

    def names_file(self, names: Mapping[int, str]) -> str:
        import csv

        path = self.file("names.csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["label", "name"])
            writer.writerows(names.items())
        return path

    def cohort_file(self, table: Any) -> str:
        """A pandas table as a CSV with absolute paths; an index that is named id is its ids."""
        table = table.reset_index() if "id" not in table.columns and table.index.name == "id" else table.copy()
        for column in ("image", "label", "mask"):
            if column not in table.columns:
                continue
            for row, value in table[column].items():
                missing = value is None or value != value or value == ""
                if not missing and not is_path(value):
                    raise UsageError(
                        f"the column '{column}' has a {type(value).__name__} in row {row}, expected a path; "
                        "write images that are only in memory with Image.write"
                    )
            table[column] = [
                "" if value is None or value != value or value == "" else os.path.abspath(path_text(value))
                for value in table[column]
            ]
        path = self.file("cohort.csv")
        table.to_csv(path, index=False)
        return path


def _axis(values: Any) -> str:
    """'0.1,0.3' of [0.1, 0.3], '9,9;20,20' of [[9, 9], [20, 20]]."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        return text_of(values)
    lists = any(isinstance(one, (list, tuple)) for one in values)
    joined = (";" if lists else ",").join(text_of(one) for one in values)
    return joined + ";" if lists and len(values) == 1 else joined


def words_of(command: str, given: Mapping[str, Any], keeper: _Words) -> List[str]:
    """The words of a command line for the parameters that were given."""
    declared = declarations()[command]["flags"]
    arguments: List[str] = []
    flags: List[str] = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        flag = declared[name]
        if flag["argument"]:
            arguments += keeper.of(flag, value)
        elif not flag["value"]:
            if value is not True:
                raise UsageError(f"{name} is a switch, expected True or False, got {value!r}")
            flags.append(flag["names"][-1])
        else:
            for word in keeper.of(flag, value):
                # As one word, or a value that begins with '-' would be taken for a flag.
                flags.append(f"{flag['names'][-1]}={word}")
    for word in arguments:
        if word.startswith("-"):
            raise UsageError(f"'{word}' begins with '-'; write './{word}'")
    return arguments + flags


def _as_written(command: str, given: Mapping[str, Any], **more: Any) -> str:
    """The call as a line of Python, for run.json and for what to do next."""
    declared = declarations()[command]["flags"]
    words = []
    for name, value in {**given, **more}.items():
        if value is None or value is False:
            continue
        shown = "table" if hasattr(value, "to_csv") else repr(os.fspath(value)) if is_path(value) else repr(value)
        words.append(shown if name in declared and declared[name]["argument"] else f"{name}={shown}")
    return f"aladdin.{command}({', '.join(words)})"


def invoke(
    command: str,
    given: Mapping[str, Any],
    *,
    threads: Optional[int] = None,
    progress: Progress = None,
    heard: Optional[List[str]] = None,
) -> str:
    """Run a command as the program would, in this process; returns what it prints, as JSON where it can.

    `heard` gets the lines that the program would say on stderr.
    """
    given = {name: value for name, value in given.items() if name in declarations()[command]["flags"]}
    keeper = _Words(command)
    try:
        words = words_of(command, given, keeper)
        has_json = any(
            "--json" in flag["names"]
            for one in _core.commands()
            if one["name"] == command
            for flag in one["flags"]
        )
        if has_json and not (command == "transform" and given.get("output")):
            words.append("--json")
        serves = command == "report" and given.get("serve")
        live = (lambda text: print(text, end="", flush=True)) if serves else None
        with calling(threads, progress, live=live, heard=heard) as call:
            call.command = _as_written(command, given)
            call.resume_command = _as_written(command, {k: v for k, v in given.items() if k != "force"}, resume=True)
            _core.run_command(call, command, words)
            return call.printed
    finally:
        keeper.remove()


