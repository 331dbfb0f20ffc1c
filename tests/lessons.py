"""The lessons as files: to find them, to look into them, and to run them anew (`make lessons`).

    python tests/lessons.py                 run every lesson and save its outputs
    python tests/lessons.py 07_chow_liu     run one

Running a lesson twice gives the same bytes: no timings, no widget state, no names of models that live in a kernel
that is gone, and of the language only its name. The README's table of the course is marked: written or planned.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).parent.parent
LESSONS = ROOT / "lessons"
WIDGET = "application/vnd.jupyter.widget-view+json"


def lesson_files(folder: Path = LESSONS) -> list[Path]:
    """Every lesson, in the course's order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def readme_table(first_column: str) -> list[list[str]]:
    """The rows of the README's table whose head starts with this word."""
    lines = iter((ROOT / "README.md").read_text(encoding="utf-8").splitlines())
    rows = []
    for line in lines:
        if line.startswith(f"| {first_column} |"):
            next(lines)  # the rule below the head
            for row in lines:
                if not row.startswith("|"):
                    return rows
                rows.append([cell.strip() for cell in row.strip("|").split("|")])
    return rows


def course() -> list[str]:
    """The names of all lessons of the course, written or planned, as the README lists them."""
    return [re.search(r"\d\d_\w+", row[0])[0] for row in readme_table("lesson")]


def marked_readme(text: str, written: set[str]) -> str:
    """The README with every lesson in its table linked if it is written, and called planned if not."""
    def mark(row: re.Match[str]) -> str:
        name = row[1]
        return f"| [{name}](lessons/{name}.ipynb) |" if name in written else f"| {name} (planned) |"

    return re.sub(r"^\| \[?(\d\d_\w+)[^|]*\|", mark, text, flags=re.MULTILINE)


def read(path: Path) -> nbformat.NotebookNode:
    """A lesson, checked to be a well-formed notebook."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The code cells that hold any code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def text_of(notebook: nbformat.NotebookNode) -> str:
    """The prose of a lesson."""
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def calls(source: str, name: str) -> Iterator[ast.Call]:
    """The calls of `name(...)` or `something.name(...)` in code."""
    for node in ast.walk(ast.parse(plain_python(source))):
        if isinstance(node, ast.Call) and name == getattr(node.func, "attr", getattr(node.func, "id", "")):
            yield node


def plain_python(source: str) -> str:
    """Code without IPython's magics, which are no Python."""
    return "\n".join("pass" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())


def claim_ids(notebook: nbformat.NotebookNode) -> list[str]:
    """The ids of the claims that a lesson makes: bn.claims({"id": ...}) and bn.claim("id", ...)."""
    found = [call.args[0] for cell in code_cells(notebook) for name in ("claims", "claim")
             for call in calls(cell.source, name) if call.args]
    ids = [key for argument in found for key in getattr(argument, "keys", [argument])]
    return [id.value for id in ids if isinstance(id, ast.Constant)]


def words_beside_claims(notebook: nbformat.NotebookNode) -> set[str]:
    """Every text in a cell that makes claims, since ids may also come from a list: for id, value in {...}."""
    cells = [cell.source for cell in code_cells(notebook)
             if any(any(calls(cell.source, name)) for name in ("claims", "claim"))]
    return {node.value for source in cells for node in ast.walk(ast.parse(plain_python(source)))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def must_show(source: str) -> bool:
    """Whether a cell's code leaves an output: it prints or displays, or ends in an expression without `;`."""
    tree = ast.parse(plain_python(source))
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        return True
    outside_functions = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("print", "display")
               for statement in outside_functions for node in ast.walk(statement))


def outputs_data(notebook: nbformat.NotebookNode) -> Iterator[tuple[int, str, str, Any]]:
    """(execution count, kind, content, metadata) of every output: "stdout", "text/html", "image/png" and so on."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "stream":
                yield cell.execution_count, output.name, output.text, {}
            for kind, content in output.get("data", {}).items():
                yield cell.execution_count, kind, content, output.get("metadata", {})


def tidy(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take away what differs from run to run or means nothing without a running kernel."""
    notebook.metadata = nbformat.from_dict({
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
            output.get("metadata", {}).pop(WIDGET, None)
    return notebook


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a lesson from top to bottom in a new kernel of this Python."""
    from nbclient import NotebookClient

    notebook = read(path)
    NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False, store_widget_state=False,
                   coalesce_streams=True, extra_arguments=["--log-level=ERROR"],
                   resources={"metadata": {"path": str(path.parent)}}).execute()
    return tidy(notebook)


def main(names: list[str]) -> int:
    """Run the lessons named, or all of them, and save those whose outputs have changed."""
    chosen = [path for path in lesson_files() if not names or {path.stem, path.stem[:2], path.name} & set(names)]
    if not chosen:
        print(f"There is no lesson {' or '.join(names)} in {LESSONS}.", file=sys.stderr)
        return 1
    for path in chosen:
        before = path.read_text(encoding="utf-8")
        after = nbformat.writes(execute(path)) + "\n"
        path.write_text(after, encoding="utf-8", newline="\n")
        print(f"{path.stem}: {'the same as before' if after == before else 'changed'}", flush=True)
    readme = ROOT / "README.md"
    marked = marked_readme(readme.read_text(encoding="utf-8"), {path.stem for path in lesson_files()})
    readme.write_text(marked, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
