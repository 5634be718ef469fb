"""What goes wrong, in the sentences of the program."""

import sys
import warnings


class Error(Exception):
    """A failure: one sentence that says what, which file, what was expected, and what to do."""


class UsageError(Error, ValueError):
    """Wrong use: a setting that does not exist, a value that is not allowed."""


class AladdinWarning(UserWarning):
    """Something that a user should know of, and that did not stop the work."""


def warn(line: str) -> None:
    """Warn, on behalf of whoever called this package."""
    frame = sys._getframe(1)
    level = 2
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "aladdin":
        frame = frame.f_back
        level += 1
    warnings.warn(line, AladdinWarning, stacklevel=level)
