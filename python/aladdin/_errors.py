"""What goes wrong, in the sentences of the program."""


class Error(Exception):
    """A failure: one sentence that says what, which file, what was expected, and what to do."""


class UsageError(Error, ValueError):
    """Wrong use: a setting that does not exist, a value that is not allowed."""


class AladdinWarning(UserWarning):
    """Something that a user should know of, and that did not stop the work."""
