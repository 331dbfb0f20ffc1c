"""What is worth a look: copies are seen whatever their names are, and independent solutions are no copies."""

from __future__ import annotations

import ast
import base64
import csv
import html
import re
import zlib
from pathlib import Path

import pytest

import bnteach as bn
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.dashboard import write_dashboard
from bnteach.course.exercises.grading.similarity import (
    ALIKE,
    Form,
    alike,
    form_of,
    functions_in,
    library,
    looks,
    parse,
    runs_of,
    similarity,
    write_looks,
)
from bnteach.course.exercises.grading.submissions import Submission
from bnteach.course.exercises.grading.workers import LocalWorkers
from bnteach.course.exercises.release import cell_id, exercises, grade_id, source_of
from tests.course.exercises.here import Here
from tests.course.exercises.submissions.notebooks import with_answers

ALL = exercises()
CHOW_LIU = "07_chow_liu"
IDS = [question.id for question in ALL[CHOW_LIU].questions]


def submission(student: str, answers: dict[str, str] | None = None, name: str = CHOW_LIU,
               solved: list[str] | None = None, more: str = "") -> Submission:
    notebook = with_answers(IDS if solved is None else solved, answers, name)
    cells = tuple((grade_id(cell), source_of(cell)) for cell in notebook["cells"] if cell["cell_type"] == "code")
    cells += ((None, more),) if more else ()
    return Submission(student, Path(student), student, name, cells=cells)


def seen(*class_: Submission) -> list[tuple[str, str, str]]:
    return sorted((student, other, what) for _, student, other, what in looks(list(class_), ALL, Here()))


def other_solutions() -> dict[str, ast.AST]:
    """The second solutions in the tests, by question."""
    found: dict[str, ast.AST] = {}
    for path in sorted(Path(__file__).parent.glob("test_other_solutions_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.FunctionDef(decorator_list=[ast.Call(ast.Name("answers"), [ast.Constant(id)])]):
                    node.decorator_list = []
                    found[id] = node
                case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=id))], value=ast.Lambda()):
                    found[id] = node.value
    return found


def solution(id: str) -> str:
    exercise = next(one for one in ALL.values() if one.lesson == int(id.partition(".")[0]))
    return next(source_of(cell) for cell in exercise.notebook["cells"] if grade_id(cell) == cell_id("answer", id))


def renamed(code: str) -> str:
    """Other names, numbers, docstring and layout."""
    tree = ast.parse(code)
    tree.body[0].body[0] = ast.parse("'Mine.'").body[0]
    own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.arg = f"my_{node.arg}"
        elif isinstance(node, ast.Name) and node.id in own:
            node.id = f"my_{node.id}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            node.value += 1
    return "# all my own work\n" + ast.unparse(tree)


# -- between students ------------------------------------------------------------------------------------------------
def test_a_copy_with_other_names_is_seen() -> None:
    answers = {id: renamed(solution(id)) for id in IDS}
    ((one, other, what),) = seen(submission("ann"), submission("bob", answers))
    assert (one, other) == ("ann", "bob") and what == "the same code, up to names in 7.2, 7.3, 7.5, 7.7"
    assert "7.4" not in what, "lines in order are the same for all"


def test_a_copy_with_a_line_more_is_seen() -> None:
    longer = renamed(solution("7.5")).replace("my_inside = ", "steps = 0\n    my_inside = ")
    ((_, _, what),) = seen(submission("ann"), submission("bob", {"7.5": longer}))
    assert "nearly the same code in 7.5" in what and "the same code, up to names in 7.2, 7.3" in what


def test_magics_do_not_hide_a_copy() -> None:
    assert seen(submission("ann"), submission("bob", {"7.5": "%pip install x\n" + solution("7.5")}))


def test_untouched_and_short_answers_tell_nothing() -> None:
    assert seen(submission("ann", solved=[]), submission("bob", solved=[])) == []
    assert seen(submission("ann", solved=["7.1", "7.2", "7.4"]), submission("bob", solved=["7.1", "7.2", "7.4"])) == []
    runs = frozenset((str(i),) for i in range(30))
    assert alike(Form({"7.3": runs}), Form({"7.3": runs})) == "", "one answer of thirty runs"
    assert alike(Form({"7.3": runs, "7.5": runs}), Form({"7.3": runs, "7.5": runs})).endswith("in 7.3, 7.5")


def test_two_notebooks_of_one_student_are_not_compared() -> None:
    assert seen(submission("ann"), submission("ann")) == []


def test_independent_solutions_are_not_alike() -> None:
    """The course's own second solutions beside those of the exercises: none comes near."""
    others = other_solutions()
    shares = {}
    for exercise in ALL.values():
        given = {run for code in (*exercise.given, *exercise.stubs.values()) for run in runs_of(parse(code))}
        for question in exercise.questions:
            if question.id in others and question.kind != "lines in order":
                one, other = (runs_of(tree) - given for tree in (parse(solution(question.id)), others[question.id]))
                shares[question.id] = similarity(one, other)
    assert len(shares) > 80 and max(shares.values()) < ALIKE / 1.5, max(shares.items(), key=lambda pair: pair[1])


# -- from elsewhere --------------------------------------------------------------------------------------------------
PACKED = base64.b64encode(zlib.compress(b"".join(
    path.read_bytes() for path in sorted(Path(bn.__file__).parent.joinpath("learn").glob("*.py"))))).decode()
LOADER = f"""import base64, sys, types, zlib
source = zlib.decompress(base64.b64decode("{PACKED}"))
class Finder:
    def find_spec(self, name, *_): return None
sys.meta_path.append(Finder())
module = types.ModuleType("mine")
exec(source, module.__dict__)
"""


def test_a_packed_library_is_seen() -> None:
    what = [what for _, _, what in seen(submission("ann", solved=[], more=LOADER))]
    assert [one.partition(" of a")[0] for one in what] == [
        f"a cell has {len(LOADER):,} letters of code", "an import hook or a loader: ModuleType",
        "an import hook or a loader: meta_path", "exec"]


def test_a_function_of_the_library_is_seen_under_another_name() -> None:
    tree = ast.parse(Path(bn.__file__).parent.joinpath("learn", "k3.py").read_text(encoding="utf-8"))
    name, code = next((node.name, ast.unparse(node)) for node in ast.walk(tree) if functions_in(node)
                      and isinstance(node, ast.FunctionDef))
    what = [what for _, _, what in seen(submission("ann", solved=[], more=code.replace(f"def {name}", "def mine")))]
    assert what == [f"mine has the form of {name} in bnteach/learn/k3.py"]


def test_few_right_solutions_have_the_form_of_a_library_function() -> None:
    trees = [parse(solution(question.id)) for exercise in ALL.values() for question in exercise.questions]
    trees += other_solutions().values()
    same = [name for tree in trees for name, runs in functions_in(tree).items() if runs in library()]
    assert len(trees) > 200 and len(same) <= 2, same


@pytest.mark.parametrize("code", [
    "import re\nx = re.compile('a' * 999)", "x = eval('1 + 1')", "import importlib\nimportlib.reload(bn)",
    "def exec_it(x): return x", "!ls\n%%time", "def f(:", "x = [1] * 10**9"])
def test_honest_code_has_no_remark(code: str) -> None:
    assert seen(submission("ann", more=code)) == []


@pytest.mark.parametrize("code", ["(" * 50_000, "-" * 150_000 + "1", "a" + ".b" * 60_000, "x = " + "[" * 90 + "]" * 90,
                                  "if 1:\n" * 90 + " pass", "1" + "+1" * 90_000, "\0", "\ud800", "f(" * 80 + ")" * 80])
def test_odd_code_stops_nobody(code: str) -> None:
    assert len(seen(submission("ann"), submission("bob"), submission("cy", solved=[], more=code))) in (1, 2)


# -- the table and the page ------------------------------------------------------------------------------------------
def test_the_table_and_the_page(tmp_path: Path) -> None:
    record = {"student": "ann", "exercise": CHOW_LIU, "result": "graded", "points": 0, "of": 1, "late": "",
              "problem": "", "notes": [], "file": "ann", "sha256": "", "key": "", "questions": []}
    report.write_record(tmp_path, "ann", record)
    report.write_csv(tmp_path / "grades.csv", [record])
    assert "Worth a look" not in write_dashboard(tmp_path).read_text(encoding="utf-8")
    class_ = [submission("=<b>ann"), submission("bob"), submission("cy", solved=[])]
    path = write_looks(tmp_path, class_, ALL, Here())
    with open(path, newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["student"], row["other student"], row["exercise"]) == ("'=<b>ann", "bob", CHOW_LIU)
    page = write_dashboard(tmp_path).read_text(encoding="utf-8")
    said = html.unescape(re.sub(r"<[^>]+>", " ", page))
    assert "This is no verdict" in said and "'=<b>ann and bob" in said and "<b>ann" not in page
    before = path.read_bytes()
    with LocalWorkers(2) as workers:
        assert write_looks(tmp_path, class_[::-1], ALL, workers).read_bytes() == before, "the same in any order"


def test_the_form_of_a_submission_leaves_out_what_is_given() -> None:
    form = form_of(submission("ann", solved=["7.5"]), ALL[CHOW_LIU])
    assert list(form.answers) == ["7.5"] and form.remarks == ()
