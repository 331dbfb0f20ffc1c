"""`python -m bnteach` is the command `bnteach`."""

import sys

from bnteach.course.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
