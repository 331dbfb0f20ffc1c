"""Honest answers in twenty styles for each kind of question: none is refused, by the grader or by bn.check."""

from __future__ import annotations

import pytest

from bnteach.course.exercises.grade import Settings, grade
from bnteach.course.exercises.grading.cells import Nothing, Shell, run_cell
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.questions import find
from bnteach.course.exercises.questions.base import KINDS
from bnteach.course.exercises.release import cell_id, grade_id, source_of
from tests.course.exercises.submissions.notebooks import source, with_answers, write

needs_sandbox = pytest.mark.usefixtures("namespaces")
IDS = ("7.1", "7.2", "7.3", "7.4", "7.5", "7.6")
SOLUTIONS = {id: source_of(next(cell for cell in source()["cells"] if grade_id(cell) == cell_id("answer", id)))
             for id in IDS}
NUMBER, WALK, MAP = ("7.1", "7.2", "7.3"), ("7.4", "7.5"), ("7.6",)

CODE = {  # what a cell may hold besides the function; {solution} is the function, {name} its name
    "pip": "%pip install seaborn\n{solution}",
    "debugger and help": "%debug\n{name}?\n?len\n{solution}\n{name}??",
    "shell": "!ls -l\nfiles = !ls\nprint(len(files), files[:3])\n{solution}",
    "timed": "%%time\n{solution}\n%time x = 1\nassert x == 1",
    "await": "import asyncio\nawait asyncio.sleep(0)\nasync with asyncio.timeout(9): pass\n{solution}",
    "subplots": "import matplotlib.pyplot as plt\nfig, (left, right) = plt.subplots(1, 2)\n"
                "n, bins, patches = plt.hist([1])\nfig, ((a, b), (c, d)) = plt.subplots(2, 2)\n"
                "left.plot([1, 2]); plt.show()\n{solution}",
    "plotting libraries": "import seaborn as sns\nimport plotly.express as px\nfrom IPython.display import Markdown\n"
                          "sns.set_theme()\ndisplay(Markdown('**here**'))\n{solution}",
    "a line that fails": "import no_such_library\nprint(no_such_library.version)\n{solution}\n"
                         "print({name}(1, 2, 3, 4, 5, 6))",
    "recursion": "{solution}\ndef deep(n):\n    return n and deep(n - 1)\n_own_{name} = {name}\n"
                 "def {name}(*given):\n    deep(1500)\n    return _own_{name}(*given)",
    "annotated": "from __future__ import annotations\nfrom functools import cache, wraps\n{solution}\n"
                 "@wraps({name})\ndef _new(*given: NoSuchType, _own=cache(len) and {name}) -> Other:\n"
                 "    return _own(*given)\n{name} = _new",
    "an object": "{solution}\nclass Answer:\n    def __init__(self, own): self.own = own\n"
                 "    def __call__(self, *given): return self.own(*given)\n{name} = Answer({name})",
    "threads": "from concurrent.futures import ThreadPoolExecutor\n{solution}\n_own_{name} = {name}\n"
               "def {name}(*given):\n    with ThreadPoolExecutor(4) as pool:\n"
               "        return [pool.submit(lambda: _own_{name}(*given)) for _ in range(4)][-1].result()",
    "captured": "%%capture out\n{solution}\nprint('a lot' * 1000)",
}
VALUES = {  # what a function may return; an expression with `x` in it, by what is asked for
    "numpy scalar": ("np.float64(x)", "[tuple(np.array(edge)) for edge in x]",
                     "dict(zip(x, np.array(list(x.values()))))"),
    "one-element array": ("np.array([x])", "np.array(list(x))", "{edge: np.array([w]) for edge, w in x.items()}"),
    "array without dimensions": ("np.array(x)", "tuple(x)", "{edge: np.array(w) for edge, w in x.items()}"),
    "matrix": ("np.array([[x]])", "deque(x)", "defaultdict(float, x)"),
    "fraction": ("Fraction(x)", "dict.fromkeys(x).keys()", "{edge: Fraction(w) for edge, w in x.items()}"),
    "decimal": ("Decimal(float(x))", "(edge for edge in x)", "{edge: Decimal(str(w)) for edge, w in x.items()}"),
    "pandas": ("pd.Series([x])[0]", "pd.Series(list(x), index=range(5, 5 + len(list(x))))", "pd.Series(x)"),
    "a class of one's own": ("type('Mine', (float,), {})(x)", "Once(x)", "MappingProxyType(x)"),
}
IMPORTS = """import numpy as np, pandas as pd
from collections import defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
class Once:
    def __init__(self, items): self.items = items
    def __iter__(self): yield from self.items
"""


def in_style(style: str, id: str) -> str:
    """The solution of a question in one of the styles."""
    name = find(id).function
    if style in CODE:
        return CODE[style].replace("{solution}", SOLUTIONS[id]).replace("{name}", name)
    value = next(value for value, ids in zip(VALUES[style], (NUMBER, WALK, MAP)) if id in ids)
    listed = "x = list(x)\n    " if id in WALK else ""
    return (f"{IMPORTS}{SOLUTIONS[id]}\n_own_{name} = {name}\n"
            f"def {name}(*given):\n    x = _own_{name}(*given)\n    {listed}return {value}")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    folder = tmp_path_factory.mktemp("styles")
    for style in (*CODE, *VALUES):
        write(with_answers([], {id: in_style(style, id) for id in IDS}), folder / "in" / style / "07_chow_liu.ipynb")
    made = grade(Settings(folder / "in", folder / "out", jobs=2, limits=Limits(seconds=20)))
    return {record["student"]: record for record in made}


def test_there_are_twenty_styles_for_each_kind() -> None:
    assert {find(id).kind for id in IDS} == {*KINDS} - {"practice"} and len({*CODE, *VALUES}) >= 20


@needs_sandbox
@pytest.mark.parametrize("style", [*CODE, *VALUES])
def test_no_style_is_refused(style: str, records: dict[str, dict]) -> None:
    marks = [q for q in records[style]["questions"] if q["id"] in IDS]
    assert [(q["id"], q["how"], q["sentence"]) for q in marks if q["how"] != "right"] == []
    assert bool(records[style]["notes"]) == (style == "a line that fails"), records[style]["notes"]


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("style", VALUES)
def test_check_says_the_same(style: str, id: str) -> None:
    import bnteach as bn

    space: dict = {}
    exec("from math import log2", space)
    for earlier in IDS[:IDS.index(id)]:
        exec(SOLUTIONS[earlier], space)
    exec(in_style(style, id), space)
    assert bn.check(id, space[find(id).function])


# -- cells -----------------------------------------------------------------------------------------------------------
def after(cell: str) -> dict:
    space: dict = {}
    space["get_ipython"] = lambda: Shell(space)
    run_cell(cell, "<cell>", space)
    return space


def test_a_cell_runs_as_in_a_notebook() -> None:
    space = after("%%capture shown\n%time y = 1\nt = %timeit -o f()\nx = !ls\nz = '''\n%pip\n'''")
    assert space["y"] == 1 and space["x"] == [] and space["z"] == "\n%pip\n"
    assert isinstance(space["shown"], Nothing) and isinstance(space["t"], Nothing)
    assert "y" not in after("%%bash\ny=1") and "y" not in after("%%timeit\ny = 1")


def test_what_fails_is_reported_and_the_rest_is_defined() -> None:
    space: dict = {}
    with pytest.raises(ZeroDivisionError):
        run_cell("a = 1\n1 / 0\ndef f(): return a\nraise SystemExit", "<cell>", space)
    assert space["f"]() == 1
    with pytest.raises(SyntaxError):
        run_cell("def f(:", "<cell>", space)


def test_as_many_nothings_as_are_unpacked() -> None:
    a, (b, c, d) = Nothing()
    first, *rest = Nothing()
    assert all(isinstance(one, Nothing) for one in (a, b, c, d, first, *rest)) and len(list(Nothing())) == 2
