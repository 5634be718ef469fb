"""The settings of a build, by the names of docs/configuration.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

from . import _core


class Setting(NamedTuple):
    """One setting of a build."""

    key: str
    type: str
    choices: Tuple[str, ...]
    constraint: str
    meaning: str


def settings() -> List[Setting]:
    """Every setting that `settings` of build, compare and tune takes."""
    return [
        Setting(one["key"], one["type"], tuple(one["choices"]), one["constraint"], one["meaning"])
        for one in _core.settings()
    ]


def presets() -> List[str]:
    """The names of all presets."""
    return list(_core.presets())


def text_of(value: object) -> str:
    """A value as --set takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(one) for one in value)
    if hasattr(value, "tolist"):  # of NumPy
        return text_of(value.tolist())
    return repr(value) if isinstance(value, float) else str(value)


def read_settings(file: Path) -> Dict[str, Any]:
    """config.toml of a run."""
    return dict(_core.read_config(str(file)))
