"""The web site in a browser: every page by day and by night, on a desk and on a phone; links, search, players, axe."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest

import bnteach as bn
from bnteach.course.pages.links import broken_links
from bnteach.course.pages.site import write_site
from bnteach.course.practice.topics import TOPICS
from tests.browsers import serious
from tests.lessons import lesson_files

PICTURED = ("index", "07_chow_liu", "practice", "ledger", "speed")
NAMES = ["index", *(path.stem for path in lesson_files()), "practice", "ledger", "speed"]


class Silent(SimpleHTTPRequestHandler):
    """A server that says nothing about what it serves."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(chromium, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_site(lesson_files(), folder)
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


@pytest.fixture
def page(chromium, watch, address):
    tab = chromium.new_page(viewport={"width": 1200, "height": 900})
    watch(tab, address, "file:")
    yield tab
    tab.close()


BY_LIGHT_AND_WIDTH = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
"""The rules of axe-core whose verdict can change with the colours and the width of a page; the others see its HTML."""


@pytest.mark.parametrize("name", NAMES)
def test_a_page_by_day_and_by_night(name, page, address, artefacts):
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}{name}.html")
    assert serious(page) == []
    step_to_the_end(page)
    if name in PICTURED:
        page.screenshot(path=artefacts / f"site-{name}.png")
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, "wider than a phone"
    assert serious(page, rules=BY_LIGHT_AND_WIDTH, but=("svg", "math")) == []  # pictures keep their white card
    if name in PICTURED:
        page.screenshot(path=artefacts / f"site-{name}-phone.png")


def step_to_the_end(page):
    """Every player and knob of a page, by keyboard, and it says where it is."""
    for stage in page.locator(".bnteach-stage:not(.bnteach-practice *)").all():
        count = stage.evaluate("stage => stage.bnteach.count")
        stage.locator("input").focus()
        page.keyboard.press("Home")
        for _ in range(min(count - 1, 60)):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("End")
        assert stage.evaluate("stage => stage.bnteach.at()") == count - 1
        assert stage.locator("input").get_attribute("aria-valuetext")


def test_next_leads_through_all_pages(page, address):
    page.goto(address)
    for name, following in pairwise(NAMES):
        page.locator("a[rel=next]").click()
        page.wait_for_url(f"**/{following}.html", wait_until="domcontentloaded")
        assert page.locator("a[rel=prev]").get_attribute("href") == f"{name}.html"
    page.locator("a[rel=prev]").click()
    page.wait_for_url(f"**/{NAMES[-2]}.html")


@pytest.mark.parametrize("name", ["index", "07_chow_liu", "ledger"])
def test_a_page_without_a_network_asks_for_nothing(name, chromium, watch, folder):
    context = chromium.new_context(offline=True)
    tab = context.new_page()
    watch(tab, folder.as_uri())
    tab.goto((folder / f"{name}.html").as_uri())
    assert tab.locator("main h1").first.is_visible()
    context.close()


def test_notes_for_the_speaker_are_folded_and_not_searched(page, address):
    page.goto(f"{address}07_chow_liu.html")
    notes = page.locator(".notes details")
    assert notes.count() >= 2 and not notes.locator("p").first.is_visible()
    notes.locator("summary").first.press("Enter")
    assert notes.locator("p").first.is_visible()
    page.locator("#search").fill("seventy")
    assert page.locator("#results p").inner_text().startswith("Nothing found")


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


def test_links_lead_somewhere(folder):
    assert broken_links(folder) == []


def test_search_works_from_a_file_and_by_keyboard(page, folder):
    page.goto((folder / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("kruskal")
    page.locator("#results a").first.wait_for()
    assert "found" in page.locator("#results p").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*.html#*")
    assert page.evaluate("document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null")
    page.locator("#search").fill("kruskal xyzzy")
    assert page.locator("#results p").inner_text().endswith("found, each with some of these words")
    page.locator("#search").fill("xyzzy")
    assert page.locator("#results p").inner_text().startswith("Nothing found")
    page.keyboard.press("Escape")
    assert not page.locator("#results").is_visible()


def test_the_dark_is_remembered(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address)
    button = page.get_by_role("button", name="Dark")
    assert button.get_attribute("aria-pressed") == "false"
    button.press("Enter")
    page.goto(f"{address}ledger.html")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert button.get_attribute("aria-pressed") == "true"


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
    assert page.locator(f"[id='{page.url.partition('#')[2]}']").inner_text() == TOPICS["kruskal"].section


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
