"""`python -m aladdin COMMAND …` is the program `aladdin`."""

import signal
import sys

from . import _core


def main() -> None:
    """Run the words of the command line and exit with the program's code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_core.program(sys.argv[1:]))


if __name__ == "__main__":
    main()
