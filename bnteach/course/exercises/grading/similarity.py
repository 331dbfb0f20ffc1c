"""What is worth a look in a class's notebooks, besides the marks. None of it is a verdict.

    answers of two students that are alike      people who work together, or read the same book, write alike too
    functions that are the library's own        found by their form, whatever their names are
    very large cells, import hooks, text that   ways to bring in code that was written elsewhere
    is run as code

Code is compared by its syntax tree, in which names, constants, docstrings and annotations do not count: a copy with
other names is the same. Of the tree, in the order of the code, all runs of LENGTH nodes are taken; two answers are
alike if they share most of their runs. What the exercise gives does not count, nor do answers that put given lines in
order. An answer with fewer than FEWEST runs is too short to tell anything, and so are two students' alike answers with
fewer than ENOUGH runs together.
"""

from __future__ import annotations

import ast
import builtins
import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

from bnteach.course.exercises.grading.report import harmless, write_whole
from bnteach.course.exercises.grading.submissions import Submission
from bnteach.course.exercises.grading.workers import WorkerEnded, Workers, as_done
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.release import Exercise, cell_id

NAME = "worth_a_look.csv"
COLUMNS = ("exercise", "student", "other student", "what")
LENGTH, FEWEST, ENOUGH, ALIKE = 4, 25, 60, 0.7
LIBRARY_FEWEST = 40  # runs of a function that is compared with the library's
LARGE_CELL, LONG_TEXT, LONG_CODE = 10_000, 200, 20_000  # letters
HOOKS = {"meta_path", "path_hooks", "path_importer_cache", "spec_from_loader", "spec_from_file_location",
         "module_from_spec", "ModuleType", "SourceFileLoader", "MetaPathFinder", "exec_module", "zipimporter"}
Runs = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Form:
    """The form of a submission's code: of each answer, of each function; and remarks on it."""

    answers: dict[str, Runs] = field(default_factory=dict)
    functions: dict[str, Runs] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


TOO_DEEP = Form(remarks=("its code is nested so deeply that it cannot be read",))


def write_looks(folder: Path, submissions: Iterable[Submission], known: Mapping[str, Exercise],
                workers: Workers) -> Path:
    """Write the table of what is worth a look."""
    readable = [one for one in submissions if one.result == "graded"]
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([harmless(cell) for cell in row] for row in sorted(looks(readable, known, workers)))
    write_whole(folder / NAME, page.getvalue())
    return folder / NAME


def looks(submissions: list[Submission], known: Mapping[str, Exercise],
          workers: Workers) -> Iterator[tuple[str, ...]]:
    """(exercise, student, other student or empty, what) of everything that is worth a look."""
    forms: dict[str, list[tuple[Submission, Form]]] = {}

    futures = {workers.submit(form_of, one, known[one.exercise]): one for one in submissions}
    for one, future in as_done(futures, workers):
        form = TOO_DEEP if isinstance(future.exception(), WorkerEnded) else future.result()
        forms.setdefault(one.exercise, []).append((one, form))
        for remark in (*form.remarks, *pasted(form)):
            yield one.exercise, one.student, "", remark
    for exercise, together in forms.items():
        together.sort(key=lambda pair: (pair[0].student, pair[0].file))
        for (one, form), (other, other_form) in combinations(together, 2):
            if one.student != other.student and (what := alike(form, other_form)):
                yield exercise, one.student, other.student, what


def alike(one: Form, other: Form) -> str:
    """Which answers of two students are alike, in words."""
    shares = {id: similarity(runs, other.answers[id]) for id, runs in one.answers.items() if id in other.answers}
    kinds = {"the same code, up to names": [id for id, share in shares.items() if share == 1],
             "nearly the same code": [id for id, share in shares.items() if ALIKE <= share < 1]}
    if sum(len(one.answers[id]) for ids in kinds.values() for id in ids) < ENOUGH:
        return ""
    return "; ".join(f"{kind} in {', '.join(ids)}" for kind, ids in kinds.items() if ids)


def similarity(one: Runs, other: Runs) -> float:
    """The share of runs that two pieces of code have in common."""
    return len(one & other) / len(one | other)


def pasted(form: Form) -> Iterator[str]:
    """The functions that are the library's own."""
    for name, runs in form.functions.items():
        if runs in library():
            yield f"{name} has the form of {library()[runs]}"


@cache
def library() -> dict[Runs, str]:
    """The functions of bnteach, and where they are."""
    package = Path(__file__).parents[3]
    found: dict[Runs, str] = {}
    for path in sorted(package.rglob("*.py")):
        for name, runs in functions_in(ast.parse(path.read_text(encoding="utf-8"))).items():
            found.setdefault(runs, f"{name} in {path.relative_to(package.parent).as_posix()}")
    return found


# -- the form of code ------------------------------------------------------------------------------------------------
def form_of(one: Submission, exercise: Exercise) -> Form:
    """The form of a submission, without what the exercise gives."""
    given = {run for code in (*exercise.given, *exercise.stubs.values()) for run in runs_of(parse(code))}
    trees = [(id, parse(source)) for id, source in one.cells if not (id or "").startswith(("check_", "given"))]
    large = [len(source) for _, source in one.cells if len(source) > LARGE_CELL]
    answers = {question.id: runs for question in exercise.questions if question.kind != "lines in order"
               and len(runs := runs_of(*answer_in(trees, question)) - given) >= FEWEST}
    functions = {name: runs for _, tree in trees for name, runs in functions_in(tree).items()}
    remarks = [f"a cell has {letters:,} letters of code" for letters in large]
    return Form(answers, functions, tuple(remarks + sorted({what for _, tree in trees for what in loads_code(tree)})))


def parse(source: str) -> ast.Module:
    """The syntax tree of a cell; an empty one if it is not Python."""
    with suppress(Exception):  # perhaps it has magics
        return ast.parse(source)
    with suppress(Exception):
        from IPython.core.inputtransformer2 import TransformerManager

        return ast.parse(TransformerManager().transform_cell(source) if len(source) < LONG_CODE else "")
    return ast.Module([], [])


def answer_in(trees: list[tuple[str | None, ast.Module]], question: Question) -> list[ast.AST]:
    """The cells of an answer: those with its id, or else those that define its function."""
    own = [tree for id, tree in trees if id == cell_id("answer", question.id)]
    return own or [tree for _, tree in trees if question.function in
                   {getattr(statement, "name", "") for statement in tree.body}]


def functions_in(tree: ast.AST) -> dict[str, Runs]:
    """The functions of a tree that are long enough to tell something."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {node.name: runs for node in functions if len(runs := runs_of(node)) >= LIBRARY_FEWEST}


def runs_of(*trees: ast.AST) -> Runs:
    """All runs of LENGTH nodes."""
    words = [[*words_of(tree)] for tree in trees]
    return frozenset(tuple(these[i:i + LENGTH]) for these in words for i in range(len(these) - LENGTH + 1))


def words_of(tree: ast.AST) -> Iterator[str]:
    """The nodes in order: their kinds, and the names that cannot be chosen freely, of attributes and of builtins."""
    queue = [tree]
    while queue:
        node = queue.pop()
        kind = type(node).__name__
        if isinstance(node, ast.Constant):
            kind = type(node.value).__name__
        elif isinstance(node, ast.Attribute):
            kind = f".{node.attr}"
        elif isinstance(node, ast.Name) and hasattr(builtins, node.id):
            kind = node.id
        yield kind
        queue += reversed([*parts_of(node)])


def parts_of(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node, without docstrings, annotations and what says only whether a name is read or set."""
    for name, part in ast.iter_fields(node):
        parts = part if isinstance(part, list) else [part]
        if name == "body" and parts and isinstance(parts[0], ast.Expr) and isinstance(parts[0].value, ast.Constant):
            parts = parts[1:]
        if name not in ("annotation", "returns", "ctx", "type_comment"):
            yield from (one for one in parts if isinstance(one, ast.AST))


def loads_code(tree: ast.AST) -> Iterator[str]:
    """In what ways code is brought in that is not written in the cells."""
    for node in ast.walk(tree):
        name = getattr(node, "attr", getattr(node, "id", getattr(node, "name", "")))
        if name in HOOKS:
            yield f"an import hook or a loader: {name}"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("exec", "eval", "compile") and node.args:
            text = node.args[0]
            if not isinstance(text, ast.Constant) or len(str(text.value)) > LONG_TEXT:
                yield f"{node.func.id} of a text that is long, or made by the code itself"
