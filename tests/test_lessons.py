"""Every lesson is what a lesson is, and is committed executed, in order and complete.

nbval runs the lessons and compares their outputs, but it is silent about a notebook that was never run, and it does not
look at pictures' alt texts or at widgets. What it leaves out is checked here, and each check is checked: a small
good lesson passes it, and a copy spoilt in one way does not.
"""

from __future__ import annotations

import ast
import copy
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from bnteach.course.lessons.ledger import ledger
from tests import lessons

Notebook = nbformat.NotebookNode
SLIDE_TYPES = {"slide", "subslide", "fragment", "skip", "notes", "-"}
SECTIONS = ("After this lesson you can", "Check yourself", "Where this comes from")
SECOND_EDITION = tuple(f"{number:02}" for number in range(21))
MOST_COLUMNS, MOST_LINES, FEWEST_CELLS, MOST_CELLS, MOST_BYTES = 88, 8, 30, 75, 1_500_000
SOMEONES_PATH = re.compile(r"(?<![\w.])/(?:home|root|Users|tmp|work|usr|opt)/\w|\b[A-Z]:\\")
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
FETCHED = re.compile(r"<(?:script|img|link|iframe|video|audio|source|object|embed)\b"
                     r"[^>]*(?:src|href|data)=[\"']?(?:https?:)?//", re.IGNORECASE)
UNWANTED = {"a path": SOMEONES_PATH, "an address": ADDRESS, "a link to fetch": FETCHED}
PICTURE = re.compile(r"<svg\b[^>]*>", re.IGNORECASE)
IMAGE = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
NAMED = re.compile(r"(?:aria-label|alt)=([\"'])\s*\S.*?\1|aria-hidden=[\"']true", re.DOTALL)


# --- the checks: each takes a lesson and its name, and lists what is wrong ---------------------------------

def executed(notebook: Notebook, name: str) -> list[str]:
    """Every code cell has run, from the first to the last, without errors or warnings."""
    cells = lessons.code_cells(notebook)
    counts = [cell.execution_count for cell in cells]
    problems = [] if counts == list(range(1, len(cells) + 1)) else [f"cells ran as {counts}, not 1 to {len(cells)}"]
    for cell in cells:
        kinds = {output.output_type for output in cell.outputs} | {output.get("name") for output in cell.outputs}
        problems += [f"{bad} in the output of: {cell.source}" for bad in ("error", "stderr") if bad in kinds]
    return problems


def complete(notebook: Notebook, name: str) -> list[str]:
    """A cell that prints, or ends in an expression, has an output."""
    return [f"no output: {cell.source}" for cell in lessons.code_cells(notebook)
            if lessons.must_show(cell.source) and not cell.outputs]


def compared(notebook: Notebook, name: str) -> list[str]:
    """No cell is kept from being compared."""
    return [f"kept from nbval: {cell.source}" for cell in lessons.code_cells(notebook)
            if re.search(r"#\s*(NBVAL|PYTEST_VALIDATE)_", cell.source)
            or any(tag.startswith("nbval") or tag == "raises-exception" for tag in cell.metadata.get("tags", []))]


def short_cells(notebook: Notebook, name: str) -> list[str]:
    """Code cells that are shown have at most eight lines; in the second edition also at most 88 columns."""
    shown = [cell.source.splitlines() for cell in lessons.code_cells(notebook)
             if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    long = [f"{len(line)} columns: {line}" for lines in shown for line in lines if len(line) > MOST_COLUMNS]
    return [*(f"{len(lines)} lines: {' / '.join(lines)}" for lines in shown if len(lines) > MOST_LINES),
            *(long if name[:2] in SECOND_EDITION else [])]


def right_length(notebook: Notebook, name: str) -> list[str]:
    """A lesson is some fifty to seventy-five cells, notes and an appendix not counted; the first may be shorter. It is
    a small file."""
    fewest, cells = 15 if name.startswith("00") else FEWEST_CELLS, len(notebook.cells) - len(speaker_notes(notebook))
    cells -= len(appendix(notebook))
    size = len(nbformat.writes(notebook).encode())
    return [*([] if fewest <= cells <= MOST_CELLS else [f"{cells} cells"]),
            *([] if size <= MOST_BYTES else [f"{size:,} bytes"])]


def slides(notebook: Notebook, name: str) -> list[str]:
    """Every cell has a slide type, and the first starts a slide."""
    kinds = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]
    return [*(f"cell {i} has the slide type {kind!r}" for i, kind in enumerate(kinds) if kind not in SLIDE_TYPES),
            *(["the first cell starts no slide"] if kinds[:1] != ["slide"] else [])]


def appendix(notebook: Notebook) -> list[Notebook]:
    """The cells from a heading "Appendix" to the next heading of its level, speaker's notes left out."""
    found, inside = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = cell.source.startswith("## Appendix")
        if inside and cell.metadata.get("slideshow", {}).get("slide_type") != "notes":
            found.append(cell)
    return found


def speaker_notes(notebook: Notebook) -> list[Notebook]:
    return [cell for cell in notebook.cells if cell.metadata.get("slideshow", {}).get("slide_type") == "notes"]


def notes(notebook: Notebook, name: str) -> list[str]:
    """Two to five notes for the speaker, in words and folded, the first with the title."""
    cells = speaker_notes(notebook)
    folded = re.compile(r"<details><summary>Notes for the speaker</summary>\n\n.{80,}\n\n</details>", re.DOTALL)
    return [*([] if 2 <= len(cells) <= 5 else [f"{len(cells)} notes"]),
            *([] if cells[:1] == notebook.cells[1:2] else ["none after the title"]),
            *(f"not folded, or short: {cell.source}" for cell in cells if not folded.fullmatch(cell.source))]


def title(notebook: Notebook, name: str) -> list[str]:
    """The first cell is a title with a question."""
    first = notebook.cells[0]
    good = first.cell_type == "markdown" and first.source.startswith("# ") and "?" in first.source
    return [] if good else [f"no title with a question: {first.source}"]


def sections(notebook: Notebook, name: str) -> list[str]:
    """The sections that every lesson has, in their order, and at least one question to the reader."""
    text = lessons.text_of(notebook)
    places = [text.find(section) for section in SECTIONS]
    quizzes = [call for cell in lessons.code_cells(notebook) for call in lessons.calls(cell.source, "quiz")]
    return [*(f"no section {section!r}" for section, place in zip(SECTIONS, places) if place < 0),
            *(["the sections are out of order"] if places != sorted(places) else []),
            *([] if quizzes else ["no bn.quiz"])]


def claims(notebook: Notebook, name: str) -> list[str]:
    """The ledger's claims for this lesson are made in it, and it makes none that the ledger has not."""
    made, beside = lessons.claim_ids(notebook), lessons.words_beside_claims(notebook)
    due = [entry.id for entry in ledger().values() if name[:2] in entry.lesson]
    return [*(f"the ledger has no claim {id!r}" for id in made if id not in ledger()),
            *(f"the ledger gives this lesson {id!r}, and it is not claimed" for id in due if id not in beside)]


def no_widgets(notebook: Notebook, name: str) -> list[str]:
    """Nothing is stored that needs a kernel which is gone; nothing differs from run to run."""
    timed = any("execution" in cell.metadata for cell in notebook.cells)
    return [*(["widget state in the metadata"] if "widgets" in notebook.metadata else []),
            *(["the metadata has more about the language than its name"]
              if set(notebook.metadata.get("language_info", {})) - {"name"} else []),
            *(["execution times in the metadata"] if timed else []),
            *(f"cell [{count}] stores a view of a widget: run `make lessons`"
              for count, kind, _, _ in lessons.outputs_data(notebook) if kind == lessons.WIDGET)]


def no_places(notebook: Notebook, name: str) -> list[str]:
    """Outputs hold no path of somebody's computer and no address in memory, and fetch nothing."""
    problems = []
    for count, kind, content, _ in lessons.outputs_data(notebook):
        text = re.sub(r"base64,[A-Za-z0-9+/=\s]+", "", content) if isinstance(content, str) else ""
        if not kind.startswith("image/") or kind == "image/svg+xml":
            problems += [f"cell [{count}] has {what}: {found[0]}" for what, pattern in UNWANTED.items()
                         if (found := pattern.search(text))]
    return problems


def few_digits(notebook: Notebook, name: str) -> list[str]:
    """No figure is shown with so many digits that the last depends on the processor."""
    return [f"cell [{count}] shows {found[0]}: round it" for count, kind, content, _ in lessons.outputs_data(notebook)
            if isinstance(content, str) and (found := re.search(r"-?\d+\.\d{12,}", re.sub(r"<[^<>]*>", "", content)))]


def alt_text(notebook: Notebook, name: str) -> list[str]:
    """Every picture says in words what it shows."""
    problems = [f"a picture in the text has no alt text: {found[0]}"
                for found in re.finditer(r"!\[\s*\]\([^)]*\)", lessons.text_of(notebook))]
    for count, kind, content, metadata in lessons.outputs_data(notebook):
        if kind in ("image/png", "image/jpeg") and not metadata.get(kind, {}).get("alt"):
            problems.append(f"cell [{count}] has a {kind} without alt text")
        if kind in ("text/html", "image/svg+xml"):
            tags = PICTURE.findall(content) + IMAGE.findall(content)
            problems += [f"cell [{count}] has a picture without alt text: {tag}"
                         for tag in tags if not NAMED.search(tag)]
    return problems


def own_ids(notebook: Notebook, name: str) -> list[str]:
    """What a picture refers to is in it, and no two pictures that differ share an id."""
    problems, owner = [], {}
    for count, kind, content, _ in lessons.outputs_data(notebook):
        for svg in re.findall(r"<svg\b.*?</svg>", content, re.DOTALL) if kind == "text/html" else ():
            ids = set(re.findall(r'\sid="([^"]+)"', svg))
            missing = set(re.findall(r'(?:url\(#|href="#)([^")]+)', svg)) - ids
            problems += [f"cell [{count}] has a picture without {id}, to which it refers" for id in missing]
            problems += [f"cell [{count}] has {id}, which another picture has" for id in ids
                         if owner.setdefault(id, svg) != svg]
    return problems


def links(notebook: Notebook, name: str) -> list[str]:
    """Links go to lessons of the course, planned or written, or to files that are there."""
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", lessons.text_of(notebook))
    course = {f"{lesson}.ipynb" for lesson in lessons.course()}
    return [f"a link to {target}, which is not there" for target in targets
            if target not in course and not (lessons.LESSONS / target).exists()]


CHECKS: list[Callable[[Notebook, str], list[str]]] = [
    executed, complete, compared, short_cells, right_length, slides, notes, title, sections, claims, no_widgets,
    no_places, few_digits, alt_text, own_ids, links]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("path", lessons.lesson_files(), ids=lambda path: path.stem)
def test_lesson(path: Path, check: Callable[[Notebook, str], list[str]]) -> None:
    problems = check(lessons.read(path), path.stem)
    assert not problems, f"{path.name}: {check.__doc__}\n" + "\n".join(problems)


# --- the quizzes of several lessons together ------------------------------------------------------------------

def quizzes(path: Path) -> list[tuple[str, list[str]]]:
    """The questions of a lesson, without their numbers, each with its options."""
    found = [call for cell in lessons.code_cells(lessons.read(path)) for call in lessons.calls(cell.source, "quiz")]
    return [(ast.literal_eval(call.args[0]).lstrip("0123456789. "), list(ast.literal_eval(call.args[1])))
            for call in found]


EDITED = [path for path in lessons.lesson_files() if path.stem[:2] in SECOND_EDITION]


def test_the_right_answer_of_a_quiz_may_stand_anywhere() -> None:
    """Of three options each is right in a fifth to a half of the quizzes, and in no lesson one in more than 6 of 10."""
    places = {path.stem: [options.index(right) for _, options in quizzes(path) if len(options) >= 3
                          for right in options if right.startswith("*")] for path in EDITED}
    together = [place for found in places.values() for place in found]
    shares = {place: together.count(place) / len(together) for place in range(3)}
    assert all(0.2 <= share <= 0.5 for share in shares.values()), shares
    often = {name: max(found.count(place) / len(found) for place in range(3)) for name, found in places.items()}
    assert {name: share for name, share in often.items() if share > 0.6} == {}


def test_no_question_is_asked_twice() -> None:
    asked = [question for path in EDITED for question, _ in quizzes(path)]
    assert [question for question in set(asked) if asked.count(question) > 1] == []


def test_lessons_are_named_as_the_course_names_them() -> None:
    assert {path.stem for path in lessons.lesson_files()} <= set(lessons.course())
    strangers = [path.name for path in lessons.LESSONS.glob("*.ipynb") if path not in lessons.lesson_files()]
    assert not strangers, "a lesson's file name is NN_topic.ipynb"


# --- the checks, checked: a good lesson passes, a tampered one does not --------------------------------------

def good_lesson() -> Notebook:
    """A lesson of lesson 15's name, which has no claims in the ledger, or all of those it has."""
    due = [entry.id for entry in ledger().values() if "15" in entry.lesson]
    code = ["import bnteach as bn", "print(1)", "bn.quiz('?')", *(f"bn.claim({id!r}, 0)" for id in due), "2 + 2"]
    cells = [new_markdown_cell("# Gaps\n\nWhat if some values are missing?"),
             *(new_markdown_cell(f"## {section}") for section in SECTIONS),
             *(new_markdown_cell(f"Paragraph {i}.") for i in range(30))]
    for count, source in enumerate(code, start=1):
        cell = new_code_cell(source, execution_count=count)
        if lessons.must_show(source):
            data = {"text/plain": "4", "text/html": '<svg role="img" aria-label="four"></svg>'}
            cell.outputs = [new_output("execute_result", data, execution_count=count)]
        cells.append(cell)
    for cell in cells:
        cell.metadata["slideshow"] = {"slide_type": "slide"}
    for place in (1, 5):
        note = f"<details><summary>Notes for the speaker</summary>\n\n{'Ask the room. ' * 9}\n\n</details>"
        cells.insert(place, new_markdown_cell(note, metadata={"slideshow": {"slide_type": "notes"}}))
    return lessons.tidy(new_notebook(cells=cells))


def test_an_appendix_does_not_count() -> None:
    long = good_lesson()
    long.cells += [new_markdown_cell("."), new_markdown_cell("## Appendix: details")]
    long.cells += [new_markdown_cell(".") for _ in range(50)]
    assert right_length(long, "15_incomplete_data") == []
    long.cells.insert(-50, new_markdown_cell("## Where this comes from"))
    assert right_length(long, "15_incomplete_data") == [f"{len(long.cells) - 3} cells"]


def last(notebook: Notebook) -> Notebook:
    return lessons.code_cells(notebook)[-1]


def html(notebook: Notebook, text: str) -> None:
    last(notebook).outputs[0].data["text/html"] = text


def strip(notebook: Notebook, with_counts: bool) -> None:
    for cell in lessons.code_cells(notebook):
        cell.outputs = []
        cell.execution_count = None if with_counts else cell.execution_count


def set_source(cell: Notebook, source: str) -> None:
    cell.source = source


TAMPERED: list[tuple[str, Callable[[Notebook, str], list[str]], Callable[[Notebook], object]]] = [
    ("never run", executed, lambda nb: strip(nb, with_counts=True)),
    ("out of order", executed, lambda nb: last(nb).update(execution_count=1)),
    ("run twice", executed, lambda nb: last(nb).update(execution_count=99)),
    ("an error", executed, lambda nb: last(nb).outputs.append(new_output("error", ename="E", evalue="", traceback=[]))),
    ("a warning", executed, lambda nb: last(nb).outputs.append(new_output("stream", name="stderr", text="!"))),
    ("outputs stripped", complete, lambda nb: strip(nb, with_counts=False)),
    ("a print without output", complete, lambda nb: lessons.code_cells(nb)[1].update(outputs=[])),
    ("a tag against nbval", compared, lambda nb: last(nb).metadata.update(tags=["nbval-ignore-output"])),
    ("a comment against nbval", compared, lambda nb: set_source(last(nb), "# NBVAL_SKIP\n2 + 2")),
    ("a long cell", short_cells, lambda nb: set_source(last(nb), "\n".join("123456789"))),
    ("a wide cell", short_cells, lambda nb: set_source(last(nb), f"'{'x' * 90}'")),
    ("too short", right_length, lambda nb: nb.update(cells=nb.cells[-25:])),
    ("too long", right_length, lambda nb: nb.cells.extend(new_markdown_cell(".") for _ in range(50))),
    ("too large", right_length, lambda nb: html(nb, "x" * MOST_BYTES)),
    ("no slide type", slides, lambda nb: nb.cells[5].metadata.pop("slideshow")),
    ("first cell goes on a slide", slides, lambda nb: nb.cells[0].metadata.update(slideshow={"slide_type": "-"})),
    ("no notes", notes, lambda nb: nb.cells.pop(1)),
    ("notes that are not folded", notes, lambda nb: set_source(nb.cells[1], "Ask the room. " * 9)),
    ("six notes", notes, lambda nb: nb.cells.extend([nb.cells[1]] * 4)),
    ("a title without notes", notes, lambda nb: nb.cells.insert(3, nb.cells.pop(1))),
    ("no question", title, lambda nb: set_source(nb.cells[0], "# Gaps")),
    ("no section", sections, lambda nb: nb.cells.pop(2)),
    ("sections out of order", sections, lambda nb: nb.cells.insert(2, nb.cells.pop(4))),
    ("no quiz", sections, lambda nb: set_source(lessons.code_cells(nb)[2], "bn.draw('?')")),
    ("an unknown claim in a strip", claims, lambda nb: set_source(last(nb), 'bn.claims({"mdl.treee": 1})')),
    ("an unknown claim", claims, lambda nb: set_source(last(nb), 'bn.claim("mdl.treee", 1)')),
    ("widget state", no_widgets, lambda nb: nb.metadata.update(widgets={})),
    ("a widget's view", no_widgets, lambda nb: last(nb).outputs[0].data.update({lessons.WIDGET: {"model_id": "1"}})),
    ("times", no_widgets, lambda nb: last(nb).metadata.update(execution={})),
    ("a version", no_widgets, lambda nb: nb.metadata.language_info.update(version="3.11.7")),
    ("a path", no_places, lambda nb: html(nb, "in /home/ann/lessons")),
    ("a path of Windows", no_places, lambda nb: html(nb, r"in C:\Users\ann")),
    ("an address", no_places, lambda nb: html(nb, "&lt;DAG object at 0x7f3a5c0d2e10&gt;")),
    ("a script from afar", no_places, lambda nb: html(nb, "<script src='https://example.org/a.js'></script>")),
    ("an image from afar", no_places, lambda nb: html(nb, '<img alt="a" src="//example.org/a.png">')),
    ("all digits of a figure", few_digits, lambda nb: html(nb, "<b>-12.099865470109872</b>")),
    ("a picture without words", alt_text, lambda nb: html(nb, '<svg role="img"></svg>')),
    ("an image without words", alt_text, lambda nb: html(nb, '<img src="data:image/png;base64,AAAA" alt="">')),
    ("a bitmap without words", alt_text, lambda nb: last(nb).outputs[0].data.update({"image/png": "AAAA"})),
    ("text with a picture without words", alt_text, lambda nb: set_source(nb.cells[4], "![](pictures/a.svg)")),
    ("a lost marker", own_ids, lambda nb: html(nb, '<svg aria-label="a"><use xlink:href="#m1"/></svg>')),
    ("an id of two pictures", own_ids, lambda nb: html(nb, '<svg aria-label="a"><path id="m1"/></svg><svg aria-label='
                                                           '"b"><path id="m1"/></svg>')),
    ("a dead link", links, lambda nb: set_source(nb.cells[4], "[next](77_nowhere.ipynb)")),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_good_lesson_passes(check: Callable[[Notebook, str], list[str]]) -> None:
    assert check(good_lesson(), "15_incomplete_data") == []


@pytest.mark.parametrize("how, check, tamper", TAMPERED, ids=[how for how, _, _ in TAMPERED])
def test_a_tampered_lesson_does_not(how: str, check: Callable[..., list[str]], tamper: Callable[..., object]) -> None:
    notebook = copy.deepcopy(good_lesson())
    tamper(notebook)
    name = "08_as_of_the_second_edition" if how == "a wide cell" else "15_incomplete_data"
    assert check(notebook, name), f"{check.__name__} did not see: {how}"


def test_every_check_is_checked() -> None:
    assert {check for _, check, _ in TAMPERED} == set(CHECKS)


def test_a_claim_that_is_due_and_not_made_is_seen() -> None:
    missing = claims(good_lesson(), "08_overfitting_and_mdl")
    assert any("mdl.tree" in problem for problem in missing)


# --- nbval, checked: with the settings of `make test`, it sees a changed figure ------------------------------

PRINT = 'print("MDL", -20.2266)'
DRAW = 'bn.draw(bn.DAG("A->B"), labels={("A", "B"): "0.322"})'
CLAIM = 'bn.claim("dimension.7", 7)'
STRIP = 'bn.claims({"mdl.tree": -20.2266, "bic.weight": 0.8047})'
PLAY = "bn.play(bn.chow_liu(bn.datasets.five_rows()))"
QUIZ = 'bn.quiz("Which is better?", {"*higher": "Yes, higher is better.", "lower": "No."})'


def change(kind: str, old: str, new: str) -> Callable[[Notebook], None]:
    """Change a word in one kind of a cell's output; it must be there."""
    def tamper(cell: Notebook) -> None:
        holder = cell.outputs[0] if kind == "text" else cell.outputs[0].data
        assert old in holder[kind], f"{old!r} is not in the {kind} of {cell.source}"
        holder[kind] = holder[kind].replace(old, new)
    return tamper


def move_a_picture(cell: Notebook) -> None:
    page = cell.outputs[0].data
    before = page["text/html"]
    page["text/html"] = re.sub(r' (x|y|rx|d|points|width|height|viewBox|style)="[^"]*"', r' \1="12.3"', before)
    assert page["text/html"] != before


NBVAL_SEES: dict[str, tuple[str, Callable[[Notebook], object]]] = {
    "a printed figure": (PRINT, change("text", "-20.2266", "-20.2267")),
    "a figure in a picture": (DRAW, change("text/html", ">0.322<", ">0.323<")),
    "a picture's alt text": (DRAW, change("text/html", "Directed graph on A, B", "Directed graph on A, C")),
    "a picture's plain text": (DRAW, change("text/plain", "0.322", "0.323")),
    "a claim": (CLAIM, change("text/plain", "7", "8")),
    "a claim as shown": (CLAIM, change("text/html", ">7<", ">8<")),
    "a strip": (STRIP, change("text/plain", "computed -20.2266", "computed -20.2267")),
    "a strip as shown": (STRIP, change("text/html", "1 reproduced", "2 reproduced")),
    "a player's sentence": (PLAY, change("text/html", "total weight 0.9658", "total weight 0.9659")),
    "a quiz's answer": (QUIZ, change("text/html", "higher is better", "lower is better")),
    "an output taken away": (PRINT, lambda cell: cell.update(outputs=[])),
}
NBVAL_LETS_PASS: dict[str, tuple[str, Callable[[Notebook], object]]] = {
    **{f"{source.split('(')[0]} as it is": (source, lambda cell: None)
       for source in (PRINT, DRAW, CLAIM, STRIP, PLAY, QUIZ)},
    "a picture moved": (DRAW, move_a_picture),
}


@pytest.fixture(scope="module")
def passed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """Whether nbval, set as in `make test`, lets each tampered cell pass. One notebook, a cell a case."""
    folder = tmp_path_factory.mktemp("tampered")
    path, report, cases = folder / "tampered.ipynb", folder / "report.xml", NBVAL_SEES | NBVAL_LETS_PASS
    sources = ["import bnteach as bn", *(source for source, _ in cases.values())]
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    notebook = lessons.execute(path)
    for cell, (_, tamper) in zip(notebook.cells[1:], cases.values(), strict=True):
        tamper(cell)
    nbformat.write(notebook, path)
    (folder / "pytest.ini").write_text("[pytest]\n")
    settings = re.search(r"^NBVAL\s*:=\s*(.*)$", (lessons.ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    nbval_alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p nbval.plugin"}
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "conftest", *settings[1].split(),
                    f"--junitxml={report}", str(path)], cwd=lessons.ROOT, capture_output=True, env=nbval_alone)
    results = [not list(case.iter("failure")) for case in ElementTree.parse(report).iter("testcase")]
    assert len(results) == len(sources) and results[0]
    return dict(zip(cases, results[1:], strict=True))


@pytest.mark.parametrize("how", NBVAL_SEES)
def test_nbval_sees_a_tampered(how: str, passed: dict[str, bool]) -> None:
    assert not passed[how]


@pytest.mark.parametrize("how", NBVAL_LETS_PASS)
def test_nbval_lets_pass(how: str, passed: dict[str, bool]) -> None:
    assert passed[how]


def test_running_a_lesson_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "99_small.ipynb"
    cells = [new_code_cell(line, id=f"cell-{i}")
             for i, line in enumerate(["import bnteach as bn", PRINT, DRAW, CLAIM, PLAY, QUIZ])]
    nbformat.write(new_notebook(cells=cells), path)
    assert nbformat.writes(lessons.execute(path)) == nbformat.writes(lessons.execute(path))


def test_what_a_program_runs_has_no_progress_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BNTEACH_PROGRESS", raising=False)
    path = tmp_path / "99_slow.ipynb"
    late = "from bnteach.progress import Progress\nwith Progress('slow') as slow:\n    slow.late = 0\n    slow.step()"
    nbformat.write(new_notebook(cells=[new_code_cell(late)]), path)
    assert lessons.execute(path).cells[0].outputs == []
