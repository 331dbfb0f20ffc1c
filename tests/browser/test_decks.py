"""Every deck of slides, walked through with the right arrow, without a network; nothing on a slide is cut off or too small."""

import re

import pytest

import bnteach as bn
from bnteach.course.pages.slides import write_deck, write_pdf
from tests.lessons import LESSONS, lesson_files

# Where the deck is, and what of the slide in sight is cut off: below the sheet, in a box that would have to scroll,
# or a formula that is wider than its paragraph.
STATE = """() => {
  const slide = Reveal.getCurrentSlide(), sheet = slide.querySelector('.sheet'), box = sheet.getBoundingClientRect();
  const shown = [...sheet.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('svg, math'));
  const cut = shown.filter(e => {
    const within = e.getBoundingClientRect(), clips = getComputedStyle(e);
    return within.bottom > box.bottom + 1 || within.right > box.right + 1
      || (clips.overflowX !== 'visible' && e.clientWidth && e.scrollWidth > e.clientWidth + 2)
      || (clips.overflowY !== 'visible' && e.clientHeight && e.scrollHeight > e.clientHeight + 2);
  });
  const right = e => e.getBoundingClientRect().right, block = 'p, li, td, th, summary, blockquote, div';
  const long = [...sheet.querySelectorAll('math')].filter(formula => formula.checkVisibility()
    && right(formula.firstElementChild) > right(formula.closest(block)) + 2);
  const letters = [...sheet.querySelectorAll('svg text')].filter(text => text.checkVisibility() && text.textContent.trim())
    .map(text => [parseFloat(getComputedStyle(text).fontSize) / Reveal.getScale(), text.getScreenCTM()])
    .map(([size, turned]) => size * Math.hypot(turned.a, turned.b));
  return {
    letters: Math.min(99, ...letters), number: Reveal.getSlidePastCount(), last: Reveal.isLastSlide() && !Reveal.availableFragments().next,
    cut: sheet.dataset.scrolls || sheet.scrollHeight > sheet.clientHeight + 2
      || [...cut, ...long].map(e => e.outerHTML.slice(0, 120))[0] || '',
    players: [...slide.querySelectorAll('.bnteach-stage')].filter(s => s.bnteach && s.querySelector('[data-do="play"]'))
      .map(s => [s.bnteach.at(), s.bnteach.count])};
}"""
PLACE = """() => [Reveal.getSlidePastCount(), [...Reveal.getCurrentSlide().querySelectorAll('.bnteach-stage')]
  .filter(s => s.bnteach && s.querySelector('[data-do="play"]')).map(s => s.bnteach.at())[0] ?? null]"""
# Each player and knob through all its steps; the longest time for one of them, until it is laid out anew.
SLOWEST = """() => [...document.querySelectorAll('.bnteach-stage')].filter(s => s.bnteach).map(stage => {
  let slowest = 0;
  for (let n = 0; n < stage.bnteach.count; n++) {
    const begun = performance.now();
    stage.bnteach.go(n);
    stage.getBoundingClientRect();
    slowest = Math.max(slowest, performance.now() - begun);
  }
  return [stage.getAttribute('aria-label'), stage.bnteach.count, slowest];
})"""


@pytest.fixture(scope="module")
def context(chromium):
    """A browser's window without a network."""
    made = chromium.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    yield made
    made.close()


@pytest.fixture
def opened(context, watch, tmp_path):
    """lesson -> its deck, open in a browser without a network."""
    pages = []

    def open_deck(lesson, address=""):
        pages.append(context.new_page())
        watch(pages[-1], tmp_path.as_uri())
        pages[-1].goto(write_deck(lesson, tmp_path).as_uri() + address)
        pages[-1].wait_for_function("document.documentElement.dataset.deck === 'ready'")
        return pages[-1]

    yield open_deck
    for page in pages:
        page.close()


@pytest.mark.parametrize("lesson", lesson_files(), ids=lambda path: path.stem)
def test_the_right_arrow_leads_to_the_end(lesson, opened, artefacts, timed):
    page = opened(lesson)
    seen, ends, shot = set(), {}, False
    for _ in range(2000):
        state = page.evaluate(STATE)
        seen.add(state["number"])
        assert not state["cut"], f"slide {state['number'] + 1} does not fit: {state['cut']}"
        assert state["letters"] > 11, f"slide {state['number'] + 1} has a picture with letters of {state['letters']:.1f} px"
        ends[state["number"]] = state["players"]
        if state["number"] == 4 or (not shot and state["players"] and state["players"][0][0] > 1):
            page.screenshot(path=artefacts / f"{lesson.stem}-slide.png")
            shot = shot or bool(state["players"])
        if state["last"]:
            break
        page.keyboard.press("ArrowRight")
    assert state["last"] and seen == set(range(page.evaluate("Reveal.getTotalSlides()")))
    players = [player for slide in ends.values() for player in slide]
    assert players == [[count - 1, count] for _, count in players], "a player was left before its last step"
    assert len(players) == page.evaluate("document.querySelectorAll('.bnteach-stage [data-do=\"play\"]').length")
    for name, count, slowest in page.evaluate(SLOWEST):
        timed(f"{lesson.stem}: {name} ({count} steps) on a slide", slowest)


def test_a_long_trace_answers(chromium, watch, tmp_path, timed):
    found = bn.pc(bn.ChiSquare(bn.datasets.alarm(), alpha=0.01), max_conditioning=1)
    assert len(found.trace) > 3000
    page = chromium.new_page()
    watch(page, "file:")
    page.goto(bn.play(found).save(tmp_path / "long.html").as_uri())
    (name, count, slowest), = page.evaluate(SLOWEST)
    timed(f"PC on ALARM: {name} ({len(found.trace)} steps in {count} frames) on a page of its own", slowest)
    assert slowest < 2000
    page.close()


def test_an_arrow_in_code_is_not_broken(opened):
    page = opened(LESSONS / "02_independence_in_graphs.ipynb", "?print-pdf")
    lines = page.locator("pre.code .whole:has-text('->')").evaluate_all(
        "all => all.map(arrow => new Set([...arrow.getClientRects()].map(box => Math.round(box.top))).size)")
    assert len(lines) > 40 and set(lines) == {1}


def go_to(page, selector):
    """Go to the slide that holds the first such thing, with all its fragments shown."""
    page.evaluate("""selector => { const at = Reveal.getIndices(document.querySelector(selector).closest('section'));
                     Reveal.slide(at.h, at.v, 99); }""", selector)


def test_the_keys_of_a_player(opened):
    page = opened(LESSONS / "07_chow_liu.ipynb")
    go_to(page, ".bnteach-stage:has([data-do='play'])")
    slide = page.evaluate(STATE)["number"]
    (_, count), *_ = page.evaluate(STATE)["players"]

    def at():
        state = page.evaluate(STATE)
        return state["number"] - slide, state["players"][0][0] if state["number"] == slide else None

    for key, place in [("ArrowRight", (0, 1)), ("PageDown", (0, 2)), ("ArrowLeft", (0, 1)), ("PageUp", (0, 0)),
                       ("End", (0, count - 1)), ("Home", (0, 0)), (" ", (0, 1)), ("End", (0, count - 1))]:
        page.keyboard.press(key)
        assert at() == place, key
    page.locator("section.present .bnteach-stage input").first.focus()  # also when the slider has the focus
    page.keyboard.press("ArrowLeft")
    assert at() == (0, count - 2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at()[0] == 1
    page.keyboard.press("ArrowLeft")
    assert at() == (0, count - 1)


def test_the_keys_of_a_knob(opened):
    page = opened(LESSONS / "04_pc.ipynb")
    knob = ".bnteach-stage:not(:has([data-do='play']))"
    go_to(page, knob)
    number = f'() => document.querySelector("{knob}").bnteach.at()'
    slide, start = page.evaluate(STATE)["number"], page.evaluate(number)
    page.keyboard.press("+")
    assert page.evaluate(number) == start + 1
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.evaluate(number) == start - 1
    page.locator(knob).locator("input").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(number) == start and page.evaluate(STATE)["number"] == slide
    page.keyboard.press("PageDown")
    assert page.evaluate(STATE)["number"] == slide + 1


def test_the_speaker_s_view_opens_from_a_file_and_has_the_notes(opened, artefacts):
    page = opened(LESSONS / "00_start_here.ipynb")
    with page.context.expect_page() as opening:
        page.keyboard.press("s")
    view = opening.value
    view.locator("#current-slide iframe").wait_for()
    assert "Speaker View" in view.title()
    view.locator(".speaker-controls-notes .value p").first.wait_for()
    notes = view.locator(".speaker-controls-notes .value")
    assert "vote by hand" in notes.inner_text() and "<details>" not in notes.inner_html()
    view.screenshot(path=artefacts / "speaker-view.png")
    view.close()


def test_printed_there_is_a_page_for_every_sheet(opened, tmp_path):
    page = opened(LESSONS / "07_chow_liu.ipynb", "?print-pdf")
    sheets = page.evaluate("[...document.querySelectorAll('.sheet')].map(sheet => sheet.offsetHeight)")
    assert len(sheets) > 20 and set(sheets) == {720}
    assert page.locator(".cell").evaluate_all("cells => cells.every(cell => cell.checkVisibility())")
    pdf = write_pdf(tmp_path / "07_chow_liu.html").read_bytes()
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) == len(sheets)
