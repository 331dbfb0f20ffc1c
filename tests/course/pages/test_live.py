"""The live course: JupyterLite with the lessons, and Pyodide from where it was asked for. No kernel is started here."""

import json
import zipfile

import pytest

from bnteach.course.commands.main import main
from bnteach.course.pages.live import FIRST, KERNEL, LiveError, kernel_settings, write_live
from tests.course.pages.test_site import code, write

NAME = "bnteach-0.1.0-py3-none-any.whl"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A live course of one lesson and one exercise, with a stand-in for Pyodide and for the wheel."""
    pytest.importorskip("jupyterlite_pyodide_kernel", reason='the live course needs pip install "bnteach[live]"')
    here = tmp_path_factory.mktemp("live")
    write(here / "lessons" / "04_pc.ipynb", code("import bnteach"), code("notes", slideshow={"slide_type": "notes"}))
    write(here / "lessons" / "exercises" / "04_pc.ipynb", code("### BEGIN SOLUTION\nsecret\n### END SOLUTION"))
    (here / "pyodide").mkdir()
    (here / "pyodide" / "pyodide.mjs").write_text("// Pyodide")
    with zipfile.ZipFile(here / NAME, "w") as wheel:
        wheel.writestr("bnteach/__init__.py", "")
        for name, text in {"METADATA": "Metadata-Version: 2.1\nName: bnteach\nVersion: 0.1.0\n", "RECORD": "",
                           "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}.items():
            wheel.writestr(f"bnteach-0.1.0.dist-info/{name}", text)
    first = write_live(here / "lessons", here / "site" / "live", str(here / "pyodide"), here / NAME)
    return first, here / "site" / "live"


def test_lessons_and_exercises_are_there_without_solutions_and_notes(made):
    first, folder = made
    assert first.is_file()
    lesson = json.loads((folder / "files" / "04_pc.ipynb").read_text(encoding="utf-8"))
    assert ["".join(cell["source"]) for cell in lesson["cells"]] == [FIRST, "import bnteach"]
    assert "secret" not in (folder / "files" / "exercises" / "04_pc.ipynb").read_text(encoding="utf-8")


def test_python_and_the_wheel_come_from_beside_the_pages(made):
    _, folder = made
    settings = json.loads((folder / "jupyter-lite.json").read_text(encoding="utf-8"))
    kernel = settings["jupyter-config-data"]["litePluginSettings"][f"{KERNEL}:kernel"]
    assert kernel["pyodideUrl"].startswith("./static/pyodide/pyodide.mjs")
    assert kernel["disablePyPIFallback"] is True
    assert (folder / "static" / "pyodide" / "pyodide.mjs").read_text() == "// Pyodide"
    listed = json.loads(next((folder / "pypi").glob("all.json")).read_text(encoding="utf-8"))
    assert list(listed["bnteach"]["releases"]) == ["0.1.0"]


def test_an_address_is_used_as_it_is(tmp_path):
    settings = kernel_settings("https://example.edu/pyodide/", tmp_path)["jupyter-config-data"]["litePluginSettings"]
    assert settings[f"{KERNEL}:kernel"]["pyodideUrl"] == "https://example.edu/pyodide/pyodide.mjs"
    assert "pyodideUrl" not in str(kernel_settings("", tmp_path)), "then the kernel's own"


def test_a_folder_without_pyodide_is_an_error(tmp_path):
    with pytest.raises(LiveError, match=r"has no pyodide\.mjs: unpack a release"):
        kernel_settings(str(tmp_path), tmp_path)


def test_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("bnteach.course.commands.common.is_installed", lambda module: "lite" not in module)
    assert main(["site", "--live"]) == 1
    assert 'pip install "bnteach[live]"' in capsys.readouterr().err
