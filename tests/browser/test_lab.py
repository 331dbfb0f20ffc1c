"""Every lesson in JupyterLab, in a real browser: run to the end, knobs moved, players stepped, a quiz answered.

One server on loopback and one browser for all; the lessons are copied, without their outputs, to where they may be run.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from bnteach.course.release import BEGIN
from tests.lessons import LESSONS, lesson_files, outputs_data, read

# The notebook in the page: every code cell with code, as [number, outputs].
CELLS = """() => {
  const panel = [...window.jupyterapp.shell.widgets('main')][0];
  return [...panel.content.model.cells].filter(c => c.type === 'code' && c.sharedModel.getSource().trim())
    .map(c => [c.executionCount, c.outputs.toJSON()]);
}"""
DONE = f"() => ({CELLS})().every(([number]) => number !== null)"
READY = """() => {
  const panel = window.jupyterapp && [...window.jupyterapp.shell.widgets('main')][0];
  return panel?.content?.model && panel.sessionContext?.session?.kernel?.status === 'idle';
}"""
# All cells at once in the page, or those out of sight would not be there to be looked at.
SETTINGS = {"notebook-extension/tracker": {"windowingMode": "none"},
            "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False}}
NOT_OURS = ("favicon", "/lsp/", "/api/contents/RTC")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The lessons and what they need, without outputs, where the server is at home."""
    home = tmp_path_factory.mktemp("lab")
    shutil.copytree(LESSONS / "pictures", home / "pictures")
    for path in lesson_files():
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        nbformat.write(notebook, home / path.name)
    return home


@pytest.fixture(scope="module")
def lab(chromium, folder, tmp_path_factory):
    """The address of a JupyterLab server that starts with these settings and nobody's own."""
    own = tmp_path_factory.mktemp("settings")
    for name, settings in SETTINGS.items():
        file = own / "lab" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings))
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    folders = {name: str(own / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR",
                                                          "JUPYTERLAB_WORKSPACES_DIR")}
    environment = {**os.environ, **folders, "JUPYTERLAB_SETTINGS_DIR": str(own / "lab"), "BNTEACH_PROGRESS": "off"}
    environment.pop("BNTEACH_WIDGETS", None)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
               "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}", "--LabApp.news_url=",
               "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--expose-app-in-browser"]
    with (own / "log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/api/status", own / "log")
            yield address
        finally:
            server.terminate()
            server.wait(30)


def wait_for(address: str, log: Path) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def context(chromium):
    opened = chromium.new_context(viewport={"width": 1300, "height": 1000})
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


@pytest.fixture
def run(lab, context, watch):
    """Open a notebook in JupyterLab and run all its cells; afterwards its kernel is stopped."""
    page = context.new_page()
    seen = watch(page, lab)

    def run_all(name: str):
        page.goto(f"{lab}/doc/tree/{name}?reset")
        page.wait_for_function(READY)
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(DONE, timeout=300_000)
        return page

    yield run_all
    page.close()
    seen.problems = [problem for problem in seen.problems if not any(word in problem for word in NOT_OURS)]
    for session in json.load(urllib.request.urlopen(f"{lab}/api/sessions")):
        delete(f"{lab}/api/sessions/{session['id']}")


def delete(address: str) -> None:
    try:
        urllib.request.urlopen(urllib.request.Request(address, method="DELETE")).close()
    except urllib.error.HTTPError as error:  # it is gone already
        error.close()


def wrong_outputs(page) -> list[str]:
    """Errors and warnings in the outputs, and widgets that did not come up."""
    outputs = [output for _, shown in page.evaluate(CELLS) for output in shown]
    wrong = [str(output)[:300] for output in outputs
             if output["output_type"] == "error" or output.get("name") == "stderr"]
    missing = page.locator(".jp-OutputArea-output").get_by_text("Error displaying widget").count()
    return wrong + [f"{missing} widgets are not shown"] * bool(missing)


def value_of(slider) -> float:
    return float(slider.get_attribute("aria-valuenow"))


def turn(page, slider) -> int:
    """Move a slider by keyboard from its first value to its last, one by one; how many steps that took."""
    slider.scroll_into_view_if_needed()
    slider.focus()
    page.keyboard.press("Home")
    steps = round(float(slider.get_attribute("aria-valuemax")) - float(slider.get_attribute("aria-valuemin")))
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
    assert value_of(slider) == float(slider.get_attribute("aria-valuemax"))
    return steps


@pytest.mark.parametrize("lesson", [path.stem for path in lesson_files()])
def test_a_lesson_in_jupyterlab(lesson, run, artefacts, timed):
    page = run(f"{lesson}.ipynb")
    assert wrong_outputs(page) == []
    page.locator(".jp-Notebook").evaluate("notebook => notebook.scrollTo(0, 0)")
    page.screenshot(path=artefacts / f"{lesson}-top.png")
    stepped = step_players(page, timed, artefacts / f"{lesson}-player.png")
    assert (stepped, turn_knobs(page)) == saved_stages(lesson)
    answer_quizzes(page)
    assert wrong_outputs(page) == []


def saved_stages(lesson: str) -> tuple[int, int]:
    """How many players and knobs the lesson has, by its saved outputs: none may be passed over."""
    shown = [content for _, kind, content, _ in outputs_data(read(LESSONS / f"{lesson}.ipynb")) if kind == "text/html"]
    players = sum(html.count('<button type="button" data-do="play"') for html in shown)
    return players, sum(html.count('<div class="bnteach-stage"') for html in shown) - players


def step_players(page, timed, picture: Path) -> int:
    """Every player to its last step, which it then tells, and how long one step takes to be seen; how many there are.
    """
    players = page.locator(".widget-vbox:has(> .widget-box .widget-play)").all()
    for player in players:
        steps = turn(page, player.locator(".noUi-handle"))
        page.wait_for_function("([player, last]) => player.querySelector('[role=status] b').innerText === last",
                               arg=[player.element_handle(), f"{steps + 1:,} of {steps + 1:,}."])
        if steps:
            timed(f"player of {steps + 1} steps with a kernel", one_step_back(player))
        player.scroll_into_view_if_needed()
        page.screenshot(path=picture)
    return len(players)


def one_step_back(player) -> float:
    """Milliseconds from the click on Back until the sentence has changed."""
    return player.evaluate("""player => new Promise(done => {
        const told = player.querySelector('.widget-html-content'), begun = performance.now();
        new MutationObserver((_, watch) => { watch.disconnect(); done(performance.now() - begun); })
          .observe(told, {childList: true, subtree: true, characterData: true});
        [...player.querySelectorAll('button')].find(button => button.innerText.trim() === 'Back').click();
    })""")


def turn_knobs(page) -> int:
    """Every knob through all its values, so that it shows something else than at the beginning; how many there are."""
    knobs = page.locator(".widget-vbox:has(> .widget-hslider):not(:has(.widget-play))").all()
    for knob in knobs:
        slider, shown = knob.locator(".noUi-handle"), knob.locator(".widget-html-content").last
        slider.focus()
        page.keyboard.press("Home")
        page.wait_for_timeout(200)
        first = shown.inner_html()
        if turn(page, slider):
            page.wait_for_function("([shown, first]) => shown.innerHTML !== first", arg=[shown.element_handle(), first])
    return len(knobs)


def answer_quizzes(page) -> None:
    """The first quiz: every option chosen by keyboard; the wrong and the right are told apart."""
    quiz = page.locator(".bnteach-quiz.widget-box").first
    for option in quiz.locator(".bnteach-option").all():
        option.scroll_into_view_if_needed()
        option.focus()
        page.keyboard.press("Enter")
        right = option.locator("xpath=self::*[contains(@class, 'bnteach-right') or contains(@class, 'bnteach-wrong')]")
        right.wait_for()
    assert quiz.locator(".bnteach-right").count() >= 1 and quiz.locator(".bnteach-wrong").count() >= 1
    assert quiz.locator("[role=status]").inner_text().startswith(("✓ Yes", "✗ Not quite"))


def test_what_goes_wrong_is_seen(run, folder):
    cells = map(new_code_cell, ["print(1)", "import sys; print('a warning', file=sys.stderr)", "1 / 0"])
    nbformat.write(new_notebook(cells=list(cells), metadata={"kernelspec": {"name": "python3", "display_name": "P"}}),
                   folder / "wrong.ipynb")
    warning, error = wrong_outputs(run("wrong.ipynb"))
    assert "a warning" in warning and "ZeroDivisionError" in error


def test_a_check_passed_and_failed(run, folder, artefacts):
    """Exercise 7.1 as it is in the source, and spoilt."""
    source = nbformat.read(LESSONS / "exercises" / "07_chow_liu.ipynb", as_version=4)
    answer = next(cell.source for cell in source.cells if cell.cell_type == "code" and BEGIN in cell.source)
    given = next(cell.source for cell in source.cells if cell.cell_type == "code")
    name = answer.split("(")[0].removeprefix("def ")
    spoilt = f"def {name}(*arguments):\n    return 42.0"
    check = f'bn.check("7.1", {name})'
    cells = [new_code_cell(code) for code in (given, answer, check, spoilt, check)]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}),
                   folder / "check.ipynb")
    page = run("check.ipynb")
    assert wrong_outputs(page) == []
    said = page.locator(".jp-OutputArea-output").all_inner_texts()
    assert "✓" in said[0] and "✓" not in said[1], said
