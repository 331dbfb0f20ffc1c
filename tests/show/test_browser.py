"""The stand-alone player and knob in a real browser: what their script shows, by keyboard, with no network."""

import pytest

import bnteach as bn
from bnteach.show.standalone import full_page
from bnteach.show.theme import themed
from tests.browsers import chromium

SEEN = """root => [...root.querySelector('svg').querySelectorAll('.bn-arc, .bn-edge, .bn-node, .bn-label')]
  .filter(e => e.getAttribute('display') !== 'none' && e.textContent + e.children.length !== '0')
  .map(e => [e.getAttribute('class'), e.getAttribute('fill'), e.textContent,
             ...[...e.children].map(c => c.outerHTML)].join(' ')).sort()"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture
def page(browser, tmp_path):
    """html -> an open page; afterwards: no error, and nothing was asked of the network."""
    wrong = []
    tab = browser.new_page()
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("request", lambda request: request.url.startswith("file:") or wrong.append(request.url))

    def opened(html):
        (tmp_path / "page.html").write_text(full_page(html, "A test"), encoding="utf-8")
        tab.goto((tmp_path / "page.html").as_uri())
        return tab

    yield opened
    tab.close()
    assert wrong == []


def test_every_frame_shows_what_the_live_player_shows(page, run):
    player = bn.play(run)
    live = "".join(f'<div class="live">{themed(player.svg(step))}</div>' for step in range(1, 10))
    tab = page(player.html() + live)
    slider = tab.locator("input[type=range]")
    slider.focus()
    walk = [*((i, "ArrowRight") for i in range(1, 9)), (9, "ArrowLeft"), (8, "ArrowLeft"), (7, "Home"), (1, "End")]
    for step, key in [*walk, (9, "Home")]:
        assert tab.locator(".bn-where").inner_text() == f"{step} of 9"
        assert tab.locator(".bn-sentence").inner_text() == player.sentence(step)
        assert slider.get_attribute("aria-valuetext") == f"{step} of 9: {player.sentence(step)}"
        assert tab.locator(".bnteach-stage").evaluate(SEEN) == tab.locator(".live").nth(step - 1).evaluate(SEEN), step
        tab.keyboard.press(key)


def test_buttons_and_several_players_on_a_page(page, run):
    tab = page(bn.play(run).html() + bn.play(run).html())
    first, second = tab.locator(".bn-where").all()
    for button, step in [("Last", 9), ("Back", 8), ("Next", 9), ("Next", 9), ("First", 1)]:
        tab.get_by_role("button", name=button).first.press("Enter")
        assert first.inner_text() == f"{step} of 9"
    assert second.inner_text() == "1 of 9"
    tab.get_by_role("button", name="Play").nth(1).press("Enter")
    tab.wait_for_function("() => document.querySelectorAll('.bn-where')[1].innerText === '3 of 9'")
    tab.get_by_role("button", name="Pause").press("Enter")
    assert first.inner_text() == "1 of 9"


def test_the_knob_turns_by_keyboard(page):
    knob = bn.knob(lambda word: word.upper(), word=["one", "two", "three"], start="two")
    tab = page(knob.html())
    tab.get_by_role("slider", name="word").focus()
    for key, word in [("ArrowRight", "three"), ("ArrowRight", "three"), ("Home", "one"), ("ArrowRight", "two")]:
        tab.keyboard.press(key)
        assert tab.locator(".bn-where").inner_text() == word
        assert tab.locator(".bn-frame:visible").all_inner_texts() == [word.upper()]


def test_without_a_script_the_last_step_is_there_and_no_dead_controls(browser, tmp_path, run):
    tab = browser.new_context(java_script_enabled=False).new_page()
    path = bn.play(run).save(tmp_path / "player.html")
    tab.goto(path.as_uri())
    assert not tab.locator(".bn-bar").is_visible()
    assert tab.locator(".bn-sentence").inner_text() == "C -> D"
    assert tab.locator("svg").first.is_visible()
    tab.context.close()


def test_text_stays_inside_its_node_as_the_browser_draws_it(page, alarm):
    tab = page(bn.draw(alarm)._repr_html_())
    outside = tab.evaluate("""() => [...document.querySelectorAll('.bn-node')].filter(node => {
        const box = node.querySelector('rect').getBBox();
        return [...node.querySelectorAll('text')].some(text => {
            const t = text.getBBox();
            return t.x < box.x + 4 || t.x + t.width > box.x + box.width - 4
                || t.y < box.y || t.y + t.height > box.y + box.height;
        });
    }).map(node => node.textContent)""")
    assert outside == []
