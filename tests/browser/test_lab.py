"""Every lesson in JupyterLab, in a real browser: run to the end, knobs moved, players stepped, a quiz answered.

One server on loopback, one browser and one JupyterLab for all, in which notebooks are opened one after the other; the
lessons are copied, without their outputs, to where they may be run.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

import bnteach as bn
from bnteach.course.exercises.questions import find
from bnteach.course.exercises.release import BEGIN
from tests.browser.contrast import unreadable
from tests.browsers import Watch, serious
from tests.lessons import LESSONS, lesson_files, outputs_data, read

PANEL = "[...window.jupyterapp.shell.widgets('main')].find(widget => widget.sessionContext)"
# The notebook in the page: every code cell with code, as [number, outputs].
CELLS = f"""() => [...({PANEL}).content.model.cells].filter(c => c.type === 'code' && c.sharedModel.getSource().trim())
  .map(c => [c.executionCount, c.outputs.toJSON()])"""
DONE = f"() => ({CELLS})().every(([number]) => number !== null)"
LATE = "new Promise((_, late) => setTimeout(() => late(new Error('JupyterLab does not answer')), 120000))"
OPEN = f"""path => Promise.race([{LATE}, window.jupyterapp.started
  .then(() => window.jupyterapp.commands.execute('docmanager:open', {{path}}))
  .then(panel => panel.context.ready).then(() => true)])"""
READY = f"() => ({PANEL})?.sessionContext?.session?.kernel?.status === 'idle'"
CLOSE = f"""async () => {{
  const panel = {PANEL};
  if (!panel) return;
  panel.context.model.dirty = false;
  await Promise.race([{LATE}, panel.sessionContext.shutdown()]);
  panel.dispose();
}}"""
THEME = """theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"""
# All cells at once in the page, or those out of sight would not be there to be looked at.
SETTINGS = {"notebook-extension/tracker": {"windowingMode": "none"},
            "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False}}
NOT_OURS = ("favicon", "/lsp/", "/api/contents/RTC", "Could not restore the debugger state",  # the last: closed at once
            "Failed to execute 'removeChild'")  # of JupyterLab's toolbar, if a notebook is closed just after the theme was changed
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}


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
    environment = {**os.environ, **folders, "JUPYTERLAB_SETTINGS_DIR": str(own / "lab")}
    for name in ("BNTEACH_WIDGETS", "BNTEACH_PROGRESS"):
        environment.pop(name, None)
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
    for _ in range(1200):
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def app(chromium, lab):
    """JupyterLab in the browser, with nothing open, and what goes wrong in it."""
    context = chromium.new_context(viewport={"width": 1300, "height": 1000})
    context.set_default_timeout(60_000)
    page = context.new_page()
    watch = Watch(page, lab)
    page.goto(f"{lab}/doc/workspaces/tests?reset")
    page.wait_for_function("() => window.jupyterapp")
    yield page, watch
    context.close()


@pytest.fixture
def run(app):
    """Open a notebook in JupyterLab and run all its cells; afterwards it is closed, and nothing has gone wrong."""
    page, watch = app

    def run_all(name: str):
        page.evaluate(OPEN, name)
        page.wait_for_function(READY)
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(DONE, timeout=300_000, polling=100)
        return page

    yield run_all
    page.evaluate(CLOSE)
    assert watch.taken(*NOT_OURS) == []


def wrong_outputs(page) -> list[str]:
    """Errors and warnings in the outputs, and widgets that did not come up."""
    outputs = [output for _, shown in page.evaluate(CELLS) for output in shown]
    wrong = [str(output)[:300] for output in outputs
             if output["output_type"] == "error" or output.get("name") == "stderr"]
    missing = page.locator(".jp-OutputArea-output").get_by_text("Error displaying widget").count()
    return wrong + [f"{missing} widgets are not shown"] * bool(missing)


@pytest.mark.parametrize("lesson", [path.stem for path in lesson_files()])
def test_a_lesson_in_jupyterlab(lesson, run, artefacts, timed):
    page = run(f"{lesson}.ipynb")
    assert wrong_outputs(page) == []
    page.locator(".jp-Notebook .jp-Cell").first.evaluate("cell => cell.scrollIntoView()")
    page.screenshot(path=artefacts / f"{lesson}-top.png")
    stepped = step_players(page, lesson, timed, artefacts / f"{lesson}-player.png")
    assert (stepped, turn_knobs(page, lesson, timed)) == saved_stages(lesson)
    answer_a_quiz(page)
    assert wrong_outputs(page) == []
    assert everybody_can_read(page, lesson, artefacts) == []


OUTPUTS = ".jp-Notebook .jp-OutputArea-output"


def everybody_can_read(page, lesson: str = "", artefacts: Path | None = None) -> list[str]:
    """What axe-core finds in the outputs that is serious; and every text that is too faint, in both themes."""
    page.evaluate("document.querySelectorAll('.jp-OutputArea-output details').forEach(one => { one.open = true; })")
    problems = serious(page, OUTPUTS)
    for theme in ("Dark", "Light"):
        page.evaluate(THEME, f"JupyterLab {theme}")
        page.wait_for_function(f"document.body.dataset.jpThemeLight === '{str(theme == 'Light').lower()}'")
        texts, faint = unreadable(page, OUTPUTS)
        assert texts, "nothing was measured"
        problems += [f"{theme}: {text}" for text in faint]
        if artefacts:
            page.screenshot(path=artefacts / f"{lesson}-{theme.lower()}.png")
    return problems


def saved_stages(lesson: str) -> tuple[int, int]:
    """How many players and knobs the lesson has, by its saved outputs: none may be passed over."""
    shown = [content for _, kind, content, _ in outputs_data(read(LESSONS / f"{lesson}.ipynb")) if kind == "text/html"]
    players = sum(html.count('<button type="button" data-do="play"') for html in shown)
    return players, sum(html.count('<div class="bnteach-stage"') for html in shown) - players


def turn(page, slider) -> int:
    """Move a slider by keyboard from its first value to its last, one by one; how many steps that took."""
    slider.focus()
    page.keyboard.press("Home")
    least, most = (float(slider.get_attribute(name)) for name in ("aria-valuemin", "aria-valuemax"))
    for _ in range(round(most - least)):
        page.keyboard.press("ArrowRight")
    assert float(slider.get_attribute("aria-valuenow")) == most
    return round(most - least)


def step_players(page, lesson: str, timed, picture: Path) -> int:
    """Every player to its last step, whose sentence is then shown, and how long one step takes to be seen; how many there are.
    """
    players = page.locator(".widget-vbox:has(> .widget-box .widget-play)").all()
    for number, player in enumerate(players, start=1):
        steps = turn(page, player.locator(".noUi-handle"))
        page.wait_for_function("([player, last]) => player.querySelector('[role=status] b').innerText === last",
                               arg=[player.element_handle(), f"{steps + 1:,} of {steps + 1:,}."])
        if steps:
            timed(f"{lesson}: player {number} of {steps + 1} steps with a kernel, one step back", one_step_back(player))
        if number == 1:
            player.scroll_into_view_if_needed()
            page.screenshot(path=picture)
    return len(players)


# How many milliseconds pass between an act and what is then seen to be changed in an element.
SEEN_AFTER = """element => new Promise((done, failed) => {
  const begun = performance.now(), before = element.innerHTML;
  setTimeout(() => failed(new Error('nothing has changed')), 60000);
  new MutationObserver((_, watch) => {
    if (element.innerHTML === before) return;
    watch.disconnect();
    requestAnimationFrame(() => done(performance.now() - begun));
  }).observe(element, {childList: true, subtree: true, characterData: true});
  ACT;
})"""


def one_step_back(player) -> float:
    """Milliseconds from the click on Back until another sentence is shown."""
    back = "[...element.closest('.widget-vbox').querySelectorAll('button')].find(b => b.innerText.trim() === 'Back').click()"
    return player.locator(".widget-html-content").first.evaluate(SEEN_AFTER.replace("ACT", back))


def turn_knobs(page, lesson: str, timed) -> int:
    """Every knob through all its values, until it shows the last; then to its first, and how long that takes."""
    knobs = page.locator(".widget-vbox:has(> .widget-hslider):not(:has(.widget-play))").all()
    for number, knob in enumerate(knobs, start=1):
        slider = knob.locator(".noUi-handle")
        turn(page, slider)
        page.wait_for_function("""knob => knob.querySelector('[data-value]').dataset.value ===
                                  knob.querySelector('.widget-readout').innerText""", arg=knob.element_handle())
        home = "element.closest('.widget-vbox').querySelector('.noUi-handle').dispatchEvent(new KeyboardEvent('keydown', " \
               "{key: 'Home', bubbles: true, cancelable: true}))"
        took = knob.locator(".widget-html-content").first.evaluate(SEEN_AFTER.replace("ACT", home))
        timed(f"{lesson}: knob {number} with a kernel, from its last value to its first", took)
    return len(knobs)


def answer_a_quiz(page) -> None:
    """The first quiz: every option chosen by keyboard; wrong and right look different."""
    quiz = page.locator(".bnteach-quiz.widget-box").first
    for option in quiz.locator(".bnteach-option").all():
        option.focus()
        page.keyboard.press("Enter")
        right = option.locator("xpath=self::*[contains(@class, 'bnteach-right') or contains(@class, 'bnteach-wrong')]")
        right.wait_for()
    assert quiz.locator(".bnteach-right").count() >= 1 and quiz.locator(".bnteach-wrong").count() >= 1
    assert quiz.locator("[role=status]").inner_text().startswith(("✓ Yes", "✗ Not quite"))


def notebook_of(folder: Path, name: str, *sources: str) -> str:
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources], metadata=KERNEL), folder / name)
    return name


EVERYTHING = ["import bnteach as bn, pandas as pd", "bn.source(bn.prim)", "bn.draw(bn.DAG('A->B'), labels={('A', 'B'): .5})",
              "bn.draw(bn.DAG('A->B, B->C'), styles={('A', 'B'): 'removed', 'C': 'kept', 'A': 'considered', 'B': 'pruned'})",
              "pd.DataFrame({'score': [-20.2, -20.5]}, index=['tree', 'DAG'])", "bn.play(bn.chow_liu(bn.datasets.five_rows()))",
              "bn.claim('abcd.MI.AB', .0729)", "bn.claims({'mdl.tree': -20.2266, 'bic.weight': .8047, 'alpha': .05})",
              "bn.quiz('Is $x$?', {'*yes': 'It is.', 'no': 'It is not.'})", "bn.practice('kruskal')",
              "bn.knob(lambda n: bn.plots.bars({'a': n, 'b': 2}, highlight=['a'], xlabel='x'), n=[1, 2])",
              "bn.plots.growth([1, 2], {f'curve {i}': [i, 2 * i] for i in range(8)}, xlabel='x', ylabel='y')",
              "bn.plots.scatter([1, 2], [2, 1], names=['here', ''])", "bn.plots.histogram([1, 2, 2], mark={'two': 2})",
              "bn.gallery({'chains': [bn.DAG('A->B')]})", "bn.check('7.1', lambda *given: 0)", "bn.every_number('notes')",
              "bn.compare(bn.DAG('A->B'), bn.DAG('B->A'))", "bn.hill_climb(bn.MDL(bn.datasets.five_rows()))"]


def test_all_that_a_lesson_shows_can_be_read_in_light_and_dark(run, folder, artefacts):
    page = run(notebook_of(folder, "everything.ipynb", *EVERYTHING))
    assert wrong_outputs(page) == []
    answer_a_quiz(page)
    assert everybody_can_read(page, "everything", artefacts) == []


def test_what_cannot_be_read_is_seen(run, folder):
    """White on white in the light, and navy on black in the dark; and in a picture."""
    page = run(notebook_of(folder, "faint.ipynb", "from IPython.display import HTML", "HTML('<p style=\"color:#fff\">snow</p>')",
                           "HTML('<p style=\"color:#000080\">navy</p>')",
                           "HTML('<svg width=\"90\" height=\"30\"><text y=\"20\" fill=\"#eee\">fog</text></svg>')"))
    found = everybody_can_read(page)
    assert [word in " ".join(found) for word in ("Light: 1.00: snow", "Dark: 1.", "navy", "Light: 1.16: fog")] == [True] * 4


def test_what_goes_wrong_is_seen(run, folder):
    warning, error = wrong_outputs(run(notebook_of(
        folder, "wrong.ipynb", "print(1)", "import sys; print('a warning', file=sys.stderr)", "1 / 0")))
    assert "a warning" in warning and "ZeroDivisionError" in error


def test_a_progress_bar_is_seen_and_leaves_nothing(run, folder, app):
    app[0].evaluate("""() => { window.seen = []; window.watching = setInterval(() => window.seen.push(
                       ...[...document.querySelectorAll('.jp-OutputArea-output')].map(o => o.innerText)), 100); }""")
    page = run(notebook_of(folder, "slow.ipynb", "import time\nfrom bnteach.progress import Progress\n"
                           "with Progress('slow', total=30) as progress:\n    for _ in range(30):\n"
                           "        time.sleep(0.1)\n        progress.step()\nprint('done')"))
    seen = page.evaluate("clearInterval(window.watching), window.seen")
    assert any(text.startswith("slow:") and "/30" in text for text in seen)
    (_, (left, done)), = page.evaluate(CELLS)
    assert left["data"] == {} and done["text"] == "done\n"
    assert page.locator(".jp-OutputArea-output").all_inner_texts() == ["done\n"]


def test_a_check_passed_and_failed(run, folder, artefacts):
    """Exercise 7.1 as it is in the source, and spoilt."""
    source = nbformat.read(LESSONS / "exercises" / "07_chow_liu.ipynb", as_version=4)
    answer = next(cell.source for cell in source.cells if cell.cell_type == "code" and BEGIN in cell.source)
    given = next(cell.source for cell in source.cells if cell.cell_type == "code")
    name = answer.split("(")[0].removeprefix("def ")
    spoilt = f"def {name}(*arguments):\n    return 42.0"
    check = f'bn.check("7.1", {name})'
    page = run(notebook_of(folder, "check.ipynb", given, answer, check, spoilt, check))
    assert wrong_outputs(page) == []
    said = page.locator(".jp-OutputArea-output").all_inner_texts()
    assert "✓" in said[0] and "✓" not in said[1], said
    page.screenshot(path=artefacts / "check.png")
    assert serious(page, ".jp-OutputArea-output") == []


def test_practice_by_keyboard_alone(run, folder, artefacts):
    """A session with one mistake, and a question of an exercise, whose choices come out as a line of code."""
    page = run(notebook_of(folder, "practice.ipynb", "import bnteach as bn", "bn.practice('kruskal')",
                           "bn.check('7.8', lambda: bn.practice('7.8', 'Ann Lee'))"))
    assert wrong_outputs(page) == []
    first, graded = page.locator(".bnteach-practice.widget-box").all()
    session = bn.practice("kruskal")
    wrong = next(option for option in session.question.options if option not in session.question.right)
    first.get_by_role("button", name=wrong, exact=True).focus()
    page.keyboard.press("Enter")
    first.locator(".bn-no", has_text=session.answer(wrong).text).wait_for()
    first.locator("button").first.focus()
    press_all(page, first, session)
    first.locator(".bn-prompt", has_text=f"{len(session.asked) - 1} of {len(session.asked)} right").wait_for()
    graded.locator("button").first.focus()
    press_all(page, graded, bn.practice("7.8", "Ann Lee"))
    right = find("7.8").right("Ann Lee", 0)
    graded.locator("pre", has_text=f'return bn.practice("7.8", "Ann Lee", "{right}")').wait_for()
    assert everybody_can_read(page, "practice-in-lab", artefacts) == []


def press_all(page, box, session) -> None:
    """The right choice at every question, by Tab and Enter; then the first answer of the next has the focus."""
    while not session.done:
        box.locator(".bn-prompt", has_text=session.question.prompt).wait_for()
        options = list(session.question.options)
        box.locator("button:focus", has_text=options[0]).wait_for()
        for _ in range(options.index(session.question.choice)):
            page.keyboard.press("Tab")
        before = box.locator(".bn-where").inner_text()
        session.answer(session.question.choice)
        page.keyboard.press("Enter")
        page.wait_for_function("([box, text]) => box.querySelector('.bn-where')?.innerText !== text",
                               arg=[box.element_handle(), before])


def test_a_long_trace_answers(run, folder, timed):
    """PC on ALARM, some thousands of steps: the player is there, and goes to any step at once."""
    page = run(notebook_of(folder, "long.ipynb", "import bnteach as bn", "found = bn.pc("
                           "bn.ChiSquare(bn.datasets.alarm(), alpha=0.01), max_conditioning=1)", "bn.play(found)"))
    assert wrong_outputs(page) == []
    player = page.locator(".widget-vbox:has(> .widget-box .widget-play)")
    slider = player.locator(".noUi-handle")
    slider.focus()
    page.keyboard.press("End")
    steps = int(float(slider.get_attribute("aria-valuemax")))
    assert steps > 3000
    page.wait_for_function("([player, last]) => player.querySelector('[role=status] b').innerText === last",
                           arg=[player.element_handle(), f"{steps:,} of {steps:,}."])
    took = sorted(one_step_back(player) for _ in range(10))
    timed(f"PC on ALARM: player of {steps} steps with a kernel, one step back, median of ten", took[5])
    timed(f"PC on ALARM: player of {steps} steps with a kernel, one step back, slowest of ten", took[-1])
    assert took[5] < 2000
