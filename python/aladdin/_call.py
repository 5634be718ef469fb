"""One call into the library: threads, progress, log, and how the words of a command come from values of Python."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from typing import Any, Callable, Iterator, Optional, Union

from . import _core

Progress = Union[bool, Callable[[str, int, int], None], None]

_log = logging.getLogger("aladdin")
_log.addHandler(logging.NullHandler())
_levels = {"debug": logging.DEBUG, "info": logging.INFO, "error": logging.ERROR}


def _say(level: str, line: str) -> None:
    _log.log(_levels[level], "%s", line)


class _Bars:
    """Progress as bars of tqdm, one for each label."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        self._make = tqdm
        self._bars: dict[str, Any] = {}

    def __call__(self, label: str, done: int, total: int) -> None:
        bar = self._bars.get(label)
        if bar is None or done < bar.n:
            if bar is not None:
                bar.close()
            bar = self._bars[label] = self._make(total=total, desc=label)
        bar.update(done - bar.n)

    def close(self) -> None:
        for bar in self._bars.values():
            bar.close()


def _listener(progress: Progress) -> Optional[Callable[[str, int, int], None]]:
    if progress is None or progress is False:
        return None
    if progress is True:
        try:
            return _Bars()
        except ImportError:
            return lambda label, done, total: _log.info("%s: %d of %d", label, done, total)
    return progress


@contextlib.contextmanager
def calling(
    threads: Optional[int] = None,
    progress: Progress = None,
    *,
    live: Optional[Callable[[str], None]] = None,
    heard: Optional[list[str]] = None,
) -> Iterator[_core.Call]:
    """A call of the library; `live` gets what a command prints as it is printed, `heard` every line of its talk."""
    listener = _listener(progress)
    say: Optional[Callable[[str, str], None]] = _say if _log.isEnabledFor(logging.INFO) else None
    if heard is not None:
        lines = heard
        say = lambda level, line: lines.append(line) if level == "info" else None  # noqa: E731
    call = _core.Call(say, listener, live)
    if threads:
        if threads < 0:
            from ._errors import UsageError

            raise UsageError(f"threads {threads} is not 0 (all cores) or more")
        call.threads = threads
    call.program = _program()
    try:
        yield call
    finally:
        if isinstance(listener, _Bars):
            listener.close()


def _program() -> list[str]:
    """The start of a command line that runs the program in a process of its own, for `compare` and `tune`."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    code = f"import sys; sys.path.insert(0, {folder!r}); from aladdin.__main__ import main; main()"
    return [sys.executable, "-c", code]


def path_text(path: Union[str, "os.PathLike[str]"]) -> str:
    """The path as text, with ~ expanded."""
    return os.path.expanduser(os.fspath(path))
