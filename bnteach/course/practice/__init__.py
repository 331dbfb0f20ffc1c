"""Practice: the reader makes the next step of an algorithm (`bn.practice`).

    session.py    the questions of one run, the answers, the marks
    topics.py     what can be practised by name;   instances.py  draws what a learner is given
    widget.py     with a kernel;   page.py, practice.js, practice.css  without
"""

from functools import cache
from pathlib import Path


@cache
def own_asset(name: str) -> str:
    """The text of a file in this folder."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
