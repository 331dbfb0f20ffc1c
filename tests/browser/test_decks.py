"""Every deck of slides, walked through with the right arrow, without a network; and what a slide must and must not have."""

import re

import pytest

import bnteach as bn
from bnteach.course.pages.printing import write_pdf
from bnteach.course.pages.slides import write_deck
from tests.browser.contrast import unreadable
from tests.lessons import LESSONS, lesson_files

# What is wrong with the slide in sight: something is cut off, or smaller than 18 px, or in a fourth size of type; bookkeeping
# is projected; a picture by itself is small. Formulas have smaller indices, so only their own size counts.
FAULTS = """() => {
  const sheet = Reveal.getCurrentSlide().querySelector('.sheet'), box = sheet.getBoundingClientRect(), faults = [];
  const shown = [...sheet.querySelectorAll('*')].filter(e => e.checkVisibility({visibilityProperty: true}) && !e.matches('.step'));
  const right = e => e.getBoundingClientRect().right, block = 'p, li, td, th, summary, blockquote, div';
  for (const e of shown.filter(e => !e.closest('svg, math'))) {
    const within = e.getBoundingClientRect(), clips = getComputedStyle(e);
    if (within.bottom > box.bottom + 1 || within.right > box.right + 1 || within.left < box.left - 1 || within.top < box.top - 1
        || (clips.overflowX !== 'visible' && e.clientWidth && e.scrollWidth > e.clientWidth + 2)
        || (clips.overflowY !== 'visible' && e.clientHeight && e.scrollHeight > e.clientHeight + 2)) {
      faults.push('cut off: ' + e.outerHTML.slice(0, 120));
    }
    const words = [...e.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    const size = parseFloat(clips.fontSize);
    if (words && ![46, 26, 20].includes(size)) faults.push(`letters of ${size} px: ${e.textContent.slice(0, 60)}`);
  }
  for (const formula of shown.filter(e => e.matches('math'))) {
    if (right(formula.firstElementChild) > right(formula.closest(block)) + 2) faults.push('a formula is cut off');
    if (parseFloat(getComputedStyle(formula).fontSize) < 17.9) faults.push('a formula is small');
  }
  for (const text of shown.filter(e => e.matches('svg text') && e.textContent.trim())) {
    const turned = text.getScreenCTM(), size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(turned.a, turned.b);
    if (size / Reveal.getScale() < 17.9) faults.push(`a label of ${size.toFixed(1)} px: ${text.textContent}`);
  }
  if (sheet.dataset.scrolls) faults.push('it scrolls');
  if (sheet.querySelector('.bnteach-claims, .bnteach-claim, .bnteach-practice')) faults.push('bookkeeping');
  for (const code of sheet.querySelectorAll('.computed > pre.code')) {  // code in prose is the author's choice
    if (/^import |^from .* import |bn[.](draw|plots|claims|quiz|knob|play)[(.]|alt=/m.test(code.textContent)) faults.push(code.textContent);
  }
  const pictures = sheet.matches('.alone') ? sheet.querySelectorAll('svg[role="img"]') : [];
  for (const picture of pictures.length === 1 ? pictures : []) {
    const {width, height} = picture.getBoundingClientRect(), labels = [...picture.querySelectorAll('text')];
    const least = Math.min(...labels.map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a).filter(s => s > 1));
    if (width < 0.5 * box.width && height < 0.5 * box.height && least < 28) faults.push(`a small picture: ${width} x ${height}`);
  }
  return faults;
}"""
# The whole deck by the right arrow: the faults of each slide as it comes and as it is left, and what was seen of its players,
# knobs and quizzes.
WALK = """faults_of => {
  const seen = new Set(), faults = [], faults_here = eval(faults_of), steps = new Map(), answers = new Map();
  const arrow = () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', keyCode: 39, bubbles: true}));
  let presses = 0, last = null, before = '';
  for (; presses < 5000; presses++) {
    const slide = Reveal.getCurrentSlide();
    for (const s of slide.querySelectorAll('.bnteach-stage')) steps.set(s, (steps.get(s) || new Set()).add(s.bnteach.at()));
    for (const q of slide.querySelectorAll('.bnteach-quiz')) {
      answers.set(q, (answers.get(q) || new Set()).add(q.querySelectorAll('details[open]').length));
    }
    if (slide !== last || !Reveal.availableFragments().next) {
      for (const fault of faults_here()) faults.push(`slide ${Reveal.getSlidePastCount() + 1}: ${fault}`);
    }
    seen.add(last = slide);
    const now = JSON.stringify(Reveal.getState());
    if (now === before) break;
    before = now;
    arrow();
  }
  return {presses, faults: [...new Set(faults)], missed: Reveal.getSlides().filter(slide => !seen.has(slide)).length,
    slides: Reveal.getTotalSlides(), stages: document.querySelectorAll('.bnteach-stage').length, quizzes: document.querySelectorAll('.bnteach-quiz').length,
    steps: [...steps].map(([s, at]) => [s.bnteach.count, at.size]),
    answers: [...answers].map(([q, open]) => [q.querySelectorAll('details').length, [...open].sort().join(' ')])};
}"""
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
def test_the_right_arrow_leads_through_everything(lesson, opened, artefacts, timed):
    page = opened(lesson)
    page.screenshot(path=artefacts / f"{lesson.stem}-slide.png")
    walk = page.evaluate(WALK, FAULTS)
    assert walk["faults"] == []
    assert walk["missed"] == 0 and walk["slides"] > 10
    assert len(walk["steps"]) == walk["stages"] and all(count == seen for count, seen in walk["steps"])
    assert len(walk["answers"]) == walk["quizzes"] > 0
    for count, opened_one_by_one in walk["answers"]:
        assert opened_one_by_one == " ".join(map(str, range(count + 1)))
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


# --- what stands on which slide ------------------------------------------------------------------------------

def words_of(page):
    """What is written on each slide."""
    return page.evaluate("Reveal.getSlides().map(slide => slide.querySelector('.sheet').textContent.replace(/\\s+/g, ' '))")


def test_the_title_s_picture_is_not_repeated(opened):
    page = opened(LESSONS / "04_pc.ipynb")
    names = page.evaluate("[...document.querySelectorAll('svg[role=img]')].map(svg => svg.getAttribute('aria-label'))")
    (first,) = [name for name in names if name.startswith("Before the first test")]
    assert page.evaluate("document.querySelector('.title svg').getAttribute('aria-label')") == first


def test_a_listing_is_whole_and_without_its_long_docstring(opened):
    listing, = [text for text in words_of(opened(LESSONS / "02_independence_in_graphs.ipynb")) if "def connected" in text]
    assert "return (from_child | from_parent) - observed" in listing and "The ball arrives at a node" not in listing


def test_replies_are_as_large_as_prose_where_there_is_room(opened):
    page = opened(LESSONS / "06_likelihood.ipynb")
    sizes = page.locator(".sheet:has(.quiz:only-child) .bnteach-quiz details > div").evaluate_all(
        "all => all.map(reply => getComputedStyle(reply).fontSize)")
    assert len(sizes) > 12 and set(sizes) == {"26px"}


def test_no_slide_has_code_alone(opened):
    page = opened(LESSONS / "20_your_own_data.ipynb")  # whose first table is on the title's slide
    alone = page.locator(".sheet .body:not(:has(.block:not(.code)))").all_inner_texts()
    assert alone == []


def test_labels_are_inside_the_boxes_of_their_nodes_and_not_squeezed(opened):
    page = opened(LESSONS / "13_simulated_annealing.ipynb", "?print-pdf")
    outside = page.locator(".bn-node:has(> rect)").evaluate_all("""all => all.flatMap(node => {
      const box = node.querySelector('rect').getBoundingClientRect();
      return [...node.querySelectorAll('text')].filter(text => {
        const {left, right, top, bottom} = text.getBoundingClientRect();
        const given = text.getComputedTextLength();
        text.removeAttribute('textLength');
        return given < 0.7 * text.getComputedTextLength() || left < box.left - 3 || right > box.right + 3 || top < box.top - 6 || bottom > box.bottom + 6;
      }).map(text => text.textContent);
    })""")
    assert page.locator(".bn-node > rect").count() > 40 and outside == []


def test_no_prose_slide_is_nearly_empty(opened):
    page = opened(LESSONS / "07_chow_liu.ipynb")
    bare = page.evaluate("""() => Reveal.getSlides().slice(1).map(slide => [...slide.querySelectorAll('.block')])
      .filter(blocks => blocks.every(block => block.matches('.text, .heading, .items, .sub')))
      .map(blocks => blocks.map(block => block.textContent).join(' ')).filter(text => text.length < 200)""")
    assert bare == []


def test_an_arrow_in_code_is_not_broken(opened):
    page = opened(LESSONS / "02_independence_in_graphs.ipynb", "?print-pdf")
    lines = page.locator("pre .whole:has-text('->')").evaluate_all(
        "all => all.map(arrow => new Set([...arrow.getClientRects()].map(box => Math.round(box.top))).size)")
    assert len(lines) > 3 and set(lines) == {1}


# --- keys ----------------------------------------------------------------------------------------------------

PLAYER, KNOB = ".bnteach-stage:has(.bn-sentence)", ".bnteach-stage:not(:has(.bn-sentence))"
AT = """selector => { const stage = document.querySelector(selector);
  return [Reveal.getSlidePastCount() - Reveal.getSlides().indexOf(stage.closest('section')), stage.bnteach.at()]; }"""


def go_to(page, selector, step=-1):
    """Go to the slide that holds the first such thing."""
    page.evaluate("""([selector, step]) => { const at = Reveal.getIndices(document.querySelector(selector).closest('section'));
                     Reveal.slide(at.h, at.v, step); }""", [selector, step])


def test_the_keys_of_a_player(opened):
    page = opened(LESSONS / "07_chow_liu.ipynb")
    go_to(page, PLAYER)
    last = page.evaluate("selector => document.querySelector(selector).bnteach.count - 1", PLAYER)
    for key, place in [("ArrowRight", [0, 1]), ("PageDown", [0, 2]), ("ArrowLeft", [0, 1]), ("PageUp", [0, 0]),
                       ("End", [0, last]), ("Home", [0, 0]), (" ", [0, 1]), ("ArrowDown", [1, 1]), ("ArrowUp", [0, 0])]:
        page.keyboard.press(key)
        assert page.evaluate(AT, PLAYER) == place, key
    page.locator(PLAYER).first.locator("input").fill("2")  # moved by hand: the keys go on from there
    page.keyboard.press("ArrowRight")
    assert page.evaluate(AT, PLAYER) == [0, 3]
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(AT, PLAYER)[0] == 1
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(AT, PLAYER) == [0, last], "back where it was left"


def test_the_keys_of_a_knob_and_of_a_quiz(opened):
    page = opened(LESSONS / "04_pc.ipynb")
    go_to(page, KNOB)
    for key, place in [("PageDown", [0, 1]), ("ArrowRight", [0, 2]), ("ArrowLeft", [0, 1])]:
        page.keyboard.press(key)
        assert page.evaluate(AT, KNOB) == place
    go_to(page, ".bnteach-quiz")
    quiz = page.locator("section.present .bnteach-quiz").first
    assert quiz.locator("details[open]").count() == 0
    page.keyboard.press("PageDown")
    assert quiz.locator("details[open]").count() == 1
    page.keyboard.press("PageUp")
    assert quiz.locator("details[open]").count() == 0


def test_a_key_turns_the_light_off(opened, artefacts):
    page = opened(LESSONS / "07_chow_liu.ipynb")
    page.keyboard.press("d")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
    for slide in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate("n => { const at = Reveal.getIndices(Reveal.getSlides()[n]); Reveal.slide(at.h, at.v, 99); }", slide)
        assert unreadable(page, ".reveal .slides")[1] == [], slide + 1
    page.screenshot(path=artefacts / "slide-in-the-dark.png")
    page.keyboard.press("d")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(forced_colors="active", color_scheme="dark")  # Windows high contrast on black
    page.keyboard.press("Home")
    edge = page.evaluate("getComputedStyle(document.querySelector('.title .bn-node rect')).stroke")
    assert edge == "rgb(185, 192, 199)", "edges and boxes are light"


def test_a_key_shows_the_code_and_another_lists_the_keys(opened):
    page = opened(LESSONS / "04_pc.ipynb")
    page.keyboard.press("c")
    assert "import bnteach as bn" in page.locator(".behind-the-slide").inner_text()
    page.keyboard.press("c")
    assert page.locator(".behind-the-slide").count() == 0
    page.keyboard.press("?")
    listed = page.locator(".r-overlay-help, .overlay-help").inner_text()
    assert "The code behind this slide" in listed and "Next step of a player or knob" in listed


# --- the speaker's window ------------------------------------------------------------------------------------

def test_the_speaker_s_window_leads_through_a_player_too(opened, artefacts):
    page = opened(LESSONS / "07_chow_liu.ipynb")
    go_to(page, PLAYER)
    with page.context.expect_page() as opening:
        page.keyboard.press("s")
    view = opening.value
    frames = []
    for place in ("#current-slide", "#upcoming-slide"):
        view.locator(f"{place} iframe").wait_for()
        frames.append(view.locator(f"{place} iframe").element_handle().content_frame())
        frames[-1].wait_for_function("document.documentElement.dataset.deck === 'ready'")
    here, preview = frames

    def wait_for(main, upcoming):
        for window, step in ((page, main), (here, main), (preview, upcoming)):
            window.wait_for_function(f"([s, n]) => JSON.stringify(({AT})(s)) === JSON.stringify(n)", arg=[PLAYER, step])

    wait_for([0, 0], [0, 1])
    view.keyboard.press("ArrowRight")  # a clicker's keys go to the window in front
    wait_for([0, 1], [0, 2])
    view.keyboard.press("PageDown")
    wait_for([0, 2], [0, 3])
    view.screenshot(path=artefacts / "speaker-view.png")
    page.keyboard.press("PageUp")
    wait_for([0, 1], [0, 2])
    view.close()


def test_the_speaker_s_window_has_the_notes(opened):
    page = opened(LESSONS / "00_start_here.ipynb")
    with page.context.expect_page() as opening:
        page.keyboard.press("s")
    view = opening.value
    view.locator("#current-slide iframe").wait_for()
    assert "Speaker View" in view.title()
    view.locator(".speaker-controls-notes .value p").first.wait_for()
    notes = view.locator(".speaker-controls-notes .value")
    assert "vote by hand" in notes.inner_text() and "<details>" not in notes.inner_html()
    view.close()


# --- printed -------------------------------------------------------------------------------------------------

def test_printed_there_is_a_page_for_every_sheet_and_for_the_answers(opened, tmp_path):
    page = opened(LESSONS / "07_chow_liu.ipynb", "?print-pdf")
    sheets = page.evaluate("[...document.querySelectorAll('.sheet')].map(sheet => sheet.offsetHeight)")
    assert len(sheets) > 20 and set(sheets) == {720}
    assert page.locator(".block").evaluate_all("blocks => blocks.every(block => block.checkVisibility())")
    hidden = page.locator(".block").evaluate_all("all => all.filter(b => getComputedStyle(b).visibility === 'hidden').length")
    assert hidden >= 1, "what follows a quiz is printed with its answers"
    pairs = page.evaluate("""() => [...document.querySelectorAll('.sheet:has(.bnteach-quiz)')].map(sheet =>
      [sheet.querySelectorAll('details[open]').length, sheet.querySelectorAll('details').length, sheet.scrollHeight])""")
    assert len(pairs) > 10 and max(height for *_, height in pairs) <= 721
    assert [[0, n] for (_, n, _), _ in zip(pairs[::2], pairs[1::2])] == [[shown, n] for shown, n, _ in pairs[::2]]
    assert all(shown == n for shown, n, _ in pairs[1::2])
    pdf = write_pdf(tmp_path / "07_chow_liu.html").read_bytes()
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) == len(sheets)


def test_a_handout_has_three_slides_a_page_lines_for_notes_and_the_answers_last(opened, tmp_path):
    page = opened(LESSONS / "00_start_here.ipynb", "?print-pdf&handout")
    closed = page.evaluate("""() => [...document.querySelectorAll('.pair')].map(pair =>
      [pair.querySelectorAll('details:not([open])').length, pair.querySelectorAll('.for-notes').length])""")
    answered = page.locator(".pair .answered").count()
    assert answered >= 4 and all(lines == 1 for _, lines in closed)
    assert page.locator(f".pair:nth-last-child(-n + {answered}) .answered").count() == answered, "they come last"
    pdf = write_pdf(tmp_path / "00_start_here.html", handout=True)
    assert pdf.name == "00_start_here-handout.pdf"
    assert len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())) == -(-len(closed) // 3)
