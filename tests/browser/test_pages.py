"""The web site in a browser: every page in light and dark, on a desk and on a phone; links, search, players, axe.

It is built once for this file. A page is loaded once: it is looked at in the light as wide as a desk, its players are
stepped through, and then it becomes dark and as narrow as a phone.
"""

import json
import re
import threading
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

import bnteach as bn
from bnteach.course.exercises.copies import student_copy
from bnteach.course.practice.topics import TOPICS
from tests.browser.contrast import unreadable
from tests.browsers import serious
from tests.lessons import LESSONS, lesson_files

pytest.importorskip("sphinx", reason='the site needs pip install "bnteach[docs]"')
from bnteach.course.pages.site import write_site
from bnteach.course.pages.site.api import PARTS
from bnteach.course.pages.site.book import book, write_book

PICTURED = ("index", "07_chow_liu", "practice", "ledger", "speed", "exercises/07_chow_liu")
EXERCISES = [f"exercises/{path.stem}" for path in sorted((LESSONS / "exercises").glob("[0-9][0-9]_*.ipynb"))]
NAMES = ["index", *(path.stem for path in lesson_files()), "practice", "exercises", *EXERCISES, "glossary", "api",
         *(f"api/{part}" for part in PARTS), "ledger", "speed", "instructors"]
CODE = ["_modules/bnteach/learn/pc", "_modules/bnteach/course/supplements/anneal_grid"]  # pages that show the source
pytestmark = pytest.mark.filterwarnings("ignore")  # of Sphinx and its parts


class Silent(SimpleHTTPRequestHandler):
    """A server that says nothing about what it serves, and keeps connections."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(chromium, tmp_path_factory):
    """The whole site. Its links are checked while it is built, and a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    made = write_site(lesson_files(), folder)
    assert {path.relative_to(folder).with_suffix("").as_posix() for path in made} == set(NAMES)
    return folder


@pytest.fixture(scope="module")
def address(folder):
    """The site on a server of its own, on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def one_context(chromium):
    """A window for all pages, so that what they share is loaded once."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def page(chromium, watch, address):
    tab = chromium.new_page(viewport={"width": 1200, "height": 900})
    watch(tab, address, "file:")
    yield tab
    tab.close()


BY_LIGHT_AND_WIDTH = ("link-in-text-block", "scrollable-region-focusable", "target-size")
"""The rules of axe-core whose verdict can change with the colours and the width of a page; the others see its HTML. Its
rule of contrast needs ten seconds a page and looks at no SVG: `unreadable` measures every text of every page, and the rule
itself those of PICTURED."""
CONTRAST = ("color-contrast",)


@pytest.mark.parametrize("name", [*NAMES, *CODE])
def test_a_page_in_light_and_dark(name, one_context, watch, address, artefacts):
    page = one_context.new_page()
    watch(page, address)
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}{name}.html", wait_until="domcontentloaded")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert serious(page, without=() if name in PICTURED else CONTRAST) == []
    step_to_the_end(page)
    assert unreadable(page, "body")[1] == []
    if name in PICTURED:
        page.screenshot(path=artefacts / f"site-{Path(name).name}.png")
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, "wider than a phone"
    assert serious(page, rules=BY_LIGHT_AND_WIDTH + CONTRAST * (name in PICTURED)) == []
    assert unreadable(page, "body")[1] == []
    if name in PICTURED:
        page.screenshot(path=artefacts / f"site-{Path(name).name}-phone.png")
    page.close()


STAGES = ".bnteach-stage:not(.bnteach-practice *)"
# Each player and knob at each of its positions, as its input moves it; in the end [how many, where it is, what it says].
TURN = """selector => [...document.querySelectorAll(selector)].map(stage => {
  const input = stage.querySelector('input');
  for (let n = 0; n < stage.bnteach.count; n++) {
    input.value = n;
    input.dispatchEvent(new Event('input', {bubbles: true}));
    if (stage.bnteach.at() !== n) return ['stuck at', n];
  }
  return [stage.bnteach.count, stage.bnteach.at(), input.getAttribute('aria-valuetext')];
})"""


def step_to_the_end(page):
    """Every player and knob of a page through all positions, and the first and last of them by keyboard."""
    for count, at, says in page.evaluate(TURN, STAGES):
        assert at == count - 1 and says
    for stage in page.locator(STAGES).all():
        stage.locator("input").focus()
        for key, place in (("Home", 0), ("ArrowRight", 1), ("End", stage.evaluate("stage => stage.bnteach.count") - 1)):
            page.keyboard.press(key)
            assert stage.evaluate("stage => stage.bnteach.at()") == place


def test_next_leads_through_all_pages(folder):
    for name, following in pairwise(NAMES):
        text = (folder / f"{name}.html").read_text(encoding="utf-8")
        (to,) = re.findall(r'<a class="right-next"\s+href="([^"]+)"', text)
        assert (folder / f"{name}.html").parent.joinpath(to).resolve() == (folder / f"{following}.html").resolve()


def test_next_and_previous_are_clicked(page, address):
    page.goto(f"{address}07_chow_liu.html")
    page.locator("a.right-next").click()
    page.wait_for_url("**/08_*.html", wait_until="domcontentloaded")
    page.locator("a.left-prev").click()
    page.wait_for_url("**/07_*.html", wait_until="domcontentloaded")


def test_the_whole_course_is_one_pdf(folder):
    names = ["07_chow_liu", "exercises/07_chow_liu", "glossary"]
    html = book(folder, names)
    places = set(re.findall(r'\sid="([^"]+)"', html))
    links = re.findall(r'<a\b[^>]*\shref="([^"]*)"', html.partition("<body>")[2])
    inside = [to[1:] for to in links if to.startswith("#")]
    assert len(inside) > 100 and set(inside) <= places
    assert all(to.startswith(("#", "http", "mailto:")) for to in links)
    pdf = write_book(folder, names)
    assert pdf.name == "bnteach.pdf" and not (folder / "book.html").exists()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())) > 20


@pytest.mark.parametrize("name", ["index", "07_chow_liu", "ledger"])
def test_a_page_without_a_network_asks_for_nothing(name, chromium, watch, folder):
    context = chromium.new_context(offline=True)
    tab = context.new_page()
    watch(tab, folder.as_uri())
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto((folder / f"{name}.html").as_uri(), wait_until="networkidle")
    assert tab.locator("article h1").first.is_visible()
    assert len(asked) < 25 and not any("woff" in url for url in asked), "icons need no font"
    context.close()


def test_no_notes_and_no_solutions_anywhere(folder):
    secrets = [text for path in lesson_files() for cell in nbformat.read(path, 4).cells
               if cell.metadata.get("slideshow", {}).get("slide_type") == "notes"
               for text in re.findall(r"^[A-Z][\w ',]{50,}", cell.source, re.MULTILINE)]
    for exercise in (nbformat.read(LESSONS / f"{name}.ipynb", 4) for name in EXERCISES):
        given = json.dumps(student_copy(exercise))  # some lines of a solution are printed there, to be put in order
        secrets += [line for cell in exercise.cells
                    for text in re.findall(r"(?s)### BEGIN SOLUTION\n(.*?)### END", cell.source)
                    for line in map(str.strip, text.splitlines()) if len(line) > 60 and line not in given]
    assert len(secrets) > 100
    for path in folder.rglob("*"):
        if path.suffix in (".html", ".ipynb", ".js"):
            text = unescape(path.read_text(encoding="utf-8")).replace('\\"', '"')
            assert [secret for secret in secrets if secret in text] == [], path


@pytest.mark.parametrize("name", ["01_how_many_graphs", "04_pc", "14_hybrid"])
def test_a_listing_is_as_wide_as_its_lines(name, page, address):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}{name}.html")
    listings = page.locator(".bnteach-source pre").all()
    assert listings and not any(one.evaluate("it => it.scrollWidth > it.clientWidth") for one in listings)


def test_a_window_made_narrow_and_wide_again_is_as_before(page, address):
    page.goto(f"{address}10_parents_in_order.html")
    formulas = "document.querySelectorAll('.scrolls').length"
    assert page.evaluate(formulas) == 0
    page.set_viewport_size({"width": 260, "height": 900})
    page.wait_for_function(f"{formulas} > 0")
    page.set_viewport_size({"width": 1200, "height": 900})
    page.wait_for_function(f"{formulas} === 0")


def test_search_works_from_a_file_and_by_keyboard(page, folder):
    page.goto((folder / "exercises" / "07_chow_liu.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("kruskal")
    page.locator("#results a").first.wait_for()
    assert "found" in page.locator("#results p").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*.html#*")
    assert page.evaluate("document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null")
    page.keyboard.press("Control+k")
    page.locator("#search").fill("kruskal xyzzy")
    page.get_by_text("found, each with some of these words").wait_for()
    page.locator("#search").fill("xyzzy")
    page.get_by_text("Nothing found").wait_for()
    page.keyboard.press("Escape")
    assert not page.locator("#results").is_visible()


@pytest.mark.parametrize("asked, leads", [
    ("d-separation", "02_independence_in_graphs.html#"), ("0.3219", "07_chow_liu.html#"),
    ("root identifiable", "07_chow_liu.html#the-root-is-not-identifiable")])
def test_search_on_a_phone_finds_sections_and_figures_and_lessons_first(asked, leads, page, address):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address)
    page.locator(".bd-header-article .search-button").click()
    page.keyboard.type(asked)
    page.locator("#results a").first.wait_for()
    found = [link.get_attribute("href") for link in page.locator("#results a").all()]
    assert any(leads in link for link in found[:3])
    ledger = [i for i, link in enumerate(found) if "ledger.html" in link]
    assert not ledger or ledger == list(range(ledger[0], len(found)))
    box = page.locator("#pst-search-dialog").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_search_does_not_give_answers_away(page, address):
    page.goto(f"{address}07_chow_liu.html")
    reply = page.locator(".bnteach-quiz [role=status]").first.text_content().partition(": ")[2].strip()
    page.keyboard.press("/")
    page.locator("#search").fill(reply)
    page.locator("#results p").wait_for()
    assert reply not in page.locator("#results").inner_text() and "some of these" in page.locator("#results p").inner_text()


def test_the_player_of_the_first_page_moves(page, address):
    page.goto(address)
    page.wait_for_function("document.querySelector('.hero .bnteach-stage').bnteach.at() >= 2")
    page.get_by_role("button", name="Pause").click()


def test_a_term_leads_to_the_glossary(page, address):
    page.goto(f"{address}04_pc.html")
    page.locator("a:has(.glossary-term)").first.click()
    page.wait_for_url("**/glossary.html#term-*")


def test_the_dark_is_remembered(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address)
    button = page.get_by_role("button", name="Color mode")
    button.press("Enter")
    page.get_by_role("button", name="Dark", exact=True).click()
    page.goto(f"{address}ledger.html")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_code_is_copied(page, address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}07_chow_liu.html")
    cell = page.locator(".cell_input").first
    cell.hover()
    cell.get_by_role("button").click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("import bnteach as bn")


def test_the_ledger_s_filter(page, address):
    page.goto(f"{address}ledger.html")
    rows = page.locator("tr[data-verdict='reproduced']:visible")
    assert rows.count() > 20
    page.get_by_label("reproduced").uncheck()
    assert rows.count() == 0 and page.locator("tr[data-verdict='corrected']:visible").count() > 5


def test_practice_leads_to_the_section_that_explains_it(page, address):
    page.goto(f"{address}practice.html")
    page.get_by_label("Algorithm").select_option("kruskal")
    while page.get_by_role("button", name="Show me").count():
        page.get_by_role("button", name="Show me").press("Enter")
    page.locator(".bn-panel a").press("Enter")
    page.wait_for_url("**/07_chow_liu.html#*")
    heading = page.locator(f"[id='{page.url.partition('#')[2]}'] > :is(h2, h3)").first
    assert heading.text_content().removesuffix("#") == TOPICS["kruskal"].section


def test_a_lesson_has_its_practice_without_a_kernel(page, address):
    session = bn.practice("branch_and_bound")
    page.goto(f"{address}10_parents_in_order.html")
    box = page.locator(".bnteach-practice")
    while not session.done:
        assert box.locator(".bn-prompt").inner_text() == session.question.prompt
        box.get_by_role("button", name=session.question.choice).press("Enter")
        session.answer(session.question.choice)
    assert box.locator(".bn-prompt").inner_text().startswith(f"{len(session.asked)} of {len(session.asked)} right")


def test_a_quiz_is_answered_without_a_kernel(page, address):
    page.goto(f"{address}07_chow_liu.html")
    quiz = page.locator(".bnteach-quiz").first
    assert not quiz.get_by_text("Not quite").first.is_visible()
    for summary in quiz.locator("summary").all():
        summary.press("Enter")
    assert quiz.get_by_text("Not quite").first.is_visible() and quiz.get_by_text("Yes:").first.is_visible()
