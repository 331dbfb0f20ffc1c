"""Which code of a lesson is on its slides.

A lecture shows ideas, results and pictures. Of the code it shows the algorithm itself (`bn.source`, a listing) and the
one call that matters, with its result; key C shows the rest. What a cell calls, and what its output is, decide:

- A cell without output (imports, definitions, assignments) is not on a slide; neither are `bn.claims` and the ledger,
  which are for readers who have the documents, and `bn.practice` and the sentence before it, for those at a keyboard.
- Of a cell with a picture, the calls of an algorithm are shown (`result = bn.pc(facts)`), if they fit two lines.
- Of a cell with text or a table, the code is shown if it is at most three lines long and formats nothing (f-strings,
  fill, pandas); otherwise the calls of an algorithm, or else the expression whose value is shown, in two lines or less.
- Imports, assertions, alt texts and the calls that draw are never shown; of a listing's docstring, its first line is.

A cell's tag `slide-code` shows all of its code, `slide-no-code` none, `slide-no-output` hides its output.
"""

from __future__ import annotations

import ast
import re
from itertools import accumulate
from typing import Any

from bnteach.course.pages.cells import code_shown

SHORT, CALLS = 3, 2  # lines
DRAWING = {"draw", "side_by_side", "gallery", "figure", "knob", "play", "practice", "quiz", "source", "claim", "claims"}
FORMATTING = {"pd", "fill", "pivot", "groupby", "set_index", "rename_axis", "round", "assign", "astype", "dropna",
              "to_frame"}
OFF = ("bnteach-claims", "bnteach-claim", "bnteach-ledger", "bnteach-practice")
DOCSTRING = re.compile(r'(<span [^>]*>r?"""(?:(?!""")[^\n])*)</span>\n.*?"""</span>', re.DOTALL)  # of several lines
PICTURES = ("<svg", "<img", "bnteach-stage")


def tags(cell: Any) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", []))


def on_a_slide(html: str) -> bool:
    """Does an output belong on a slide?

    >>> on_a_slide('<details class="bnteach-claims">'), on_a_slide("<table>")
    (False, True)
    """
    return not any(f'class="{name}"' in html[:2000] for name in OFF)


def short_listing(html: str) -> str:
    """An output in which the docstrings of listings (`bn.source`) are cut to their first line.

    >>> short_listing('<p class="bnteach-source"><span class="d">\"\"\"Add.</span>\\n\\nMore.<b>\"\"\"</span>\\n')
    '<p class="bnteach-source"><span class="d">\"\"\"Add.\"\"\"</span>\\n'
    """
    return DOCSTRING.sub(r'\1"""</span>', html) if 'class="bnteach-source"' in html[:200] else html


def introduces_practice(cell: Any, following: Any) -> bool:
    """Is a cell the sentence before `bn.practice`, with which it is left out?"""
    if cell.cell_type != "markdown" or following is None or following.cell_type != "code":
        return False
    return "bn.practice(" in following.source and len(cell.source) < 200 and not re.search(r"\n\n|^#", cell.source)


def slide_code(cell: Any, outputs: list[str]) -> str:
    """The code of a cell that stands on its slide, beside these outputs; often none."""
    if "slide-code" in tags(cell):
        return without_alt(cell.source)
    if "slide-no-code" in tags(cell) or not outputs or not code_shown(cell):
        return ""
    source = without_alt(cell.source)
    try:
        statements = ast.parse(_readable(source)).body
    except SyntaxError:  # such as bn.pc?
        return source if len(source.splitlines()) <= SHORT else ""
    kept = [node for node in statements if not _left_out(node)]
    calls = _within(source, [node for node in kept if runs_an_algorithm(node) and not _formats(node)], CALLS)
    if any(mark in html for html in outputs for mark in PICTURES):
        return calls
    whole = "" if any(map(_formats, kept)) else _within(source, kept, SHORT)
    is_value = outputs[-1].startswith('<pre class="text">')  # and without its expression it says nothing
    value = [node for node in kept[-1:] if isinstance(node, ast.Expr) and not _prints(node)
             and (is_value or (not _formats(node) and isinstance(node.value, ast.Call)))]
    return whole or calls or _within(source, value, CALLS)


def is_value(cell: Any, code: str) -> bool:
    """Is this code the expression whose value is the last output of the cell?"""
    last = cell.outputs[-1].output_type if cell.outputs else ""
    return last == "execute_result" and "print(" not in code and cell.source.rstrip().endswith(code)


def _left_out(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return _function(node.value) in DRAWING or "plots" in ast.unparse(node).split("(")[0]
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Assert)


def _function(node: ast.AST) -> str:
    """The name of the function of bnteach that an expression calls, if it does."""
    called = node.func if isinstance(node, ast.Call) else None
    is_ours = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "bn"
    return called.attr if is_ours else ""


def runs_an_algorithm(node: ast.AST) -> bool:
    """Does a statement call one of the library's algorithms, those that are made of steps?

    >>> [runs_an_algorithm(ast.parse(code)) for code in ("found = bn.pc(facts)", "dag = bn.DAG('A->B')")]
    [True, False]
    """
    import bnteach as bn

    return any(hasattr(getattr(bn, _function(one), None), "steps") for one in ast.walk(node) if _function(one))


def _prints(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") in ("print", "display")


def _formats(node: ast.AST) -> bool:
    """Does a statement format text, arrange a table, or define what another does?"""
    names = {getattr(one, "id", "") or getattr(one, "attr", "") for one in ast.walk(node)}
    return bool(names & FORMATTING) or any(isinstance(one, ast.JoinedStr | ast.FunctionDef) for one in ast.walk(node))


def _within(source: str, statements: list[Any], most: int) -> str:
    """The lines of these statements, or nothing if there are more than `most`."""
    lines = source.splitlines()
    kept = [line for node in statements for line in lines[node.lineno - 1:node.end_lineno]]
    return "\n".join(kept) if len(kept) <= most else ""


def _readable(source: str) -> str:
    """Code without its magics, which are not Python."""
    return "\n".join(re.sub(r"^[%!]", "#", line) for line in source.split("\n"))


def without_alt(source: str) -> str:
    """Code without alt texts, which a slide does not need beside the picture.

    >>> without_alt('bn.plots.bars(sizes,\\n    alt="One is long, "\\n        "two are short.", title="Sizes")')
    'bn.plots.bars(sizes,\\n    alt=..., title="Sizes")'
    """
    readable, text = _readable(source), source.encode()
    starts = [0, *accumulate(len(line.encode()) + 1 for line in readable.split("\n"))]
    try:
        calls = [node for node in ast.walk(ast.parse(readable)) if isinstance(node, ast.Call)]
    except SyntaxError:
        return source
    alts = [keyword.value for call in calls for keyword in call.keywords if keyword.arg == "alt"]
    alts += [call.args[1] for call in calls if getattr(call.func, "attr", "") == "figure" and len(call.args) > 1]
    for alt in sorted(alts, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        text = (text[:starts[alt.lineno - 1] + alt.col_offset] + b"..."
                + text[starts[alt.end_lineno - 1] + alt.end_col_offset:])  # type: ignore[operator]
    return text.decode()
