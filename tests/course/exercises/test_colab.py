"""Copies for Colab: their first cell installs the course there and does nothing elsewhere."""

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from bnteach.course.commands.main import main
from bnteach.course.exercises.colab import FIRST
from tests.lessons import LESSONS, lesson_files

WHEEL = "https://example.edu/bnteach-0.1.0-py3-none-any.whl"


def run_first_cell(modules):
    """The commands that the first cell gives IPython, with these modules in sys.modules."""
    import types

    ran = []
    shell = types.SimpleNamespace(run_line_magic=lambda name, line: ran.append(f"{name} {line}"))
    code = TransformerManager().transform_cell(FIRST.format(wheel=WHEEL))
    stand_in = types.SimpleNamespace(modules=modules)
    exec(code.replace("import sys\n", ""), {"get_ipython": lambda: shell, "sys": stand_in})
    return ran


def test_the_first_cell_installs_in_colab_and_nowhere_else():
    assert run_first_cell({}) == []
    assert run_first_cell({"google.colab": None}) == [f'pip install -q "bnteach @ {WHEEL}" pygraphviz']


def test_all_lessons_and_exercises_are_written_without_solutions_and_notes(tmp_path, capsys):
    assert main(["release", "--colab", WHEEL, "--out", str(tmp_path)]) == 0
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.ipynb"))
    exercises = [path.relative_to(LESSONS) for path in sorted((LESSONS / "exercises").glob("*.ipynb"))]
    assert written == sorted([path.relative_to(LESSONS) for path in lesson_files()] + exercises)
    for path in written:
        notebook = nbformat.read(tmp_path / path, as_version=4)
        nbformat.validate(notebook)
        assert WHEEL in notebook.cells[0].source
        assert not any("BEGIN SOLUTION" in cell.source for cell in notebook.cells)
        assert not any(cell.metadata.get("slideshow", {}).get("slide_type") == "notes" for cell in notebook.cells)


@pytest.mark.parametrize("wheel", ["bnteach", "https://example.edu/", 'a".whl'])
def test_what_is_no_wheel_is_refused(wheel, tmp_path, capsys):
    assert main(["release", "--colab", wheel, "--out", str(tmp_path)]) == 1
    assert "ends in .whl" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
