"""The page to practise on, in a real browser: by keyboard alone, by mouse, light and dark, on a phone, without network."""

import pytest

import bnteach as bn
from bnteach.course.commands.main import main
from bnteach.course.practice.topics import TOPICS
from tests.browsers import serious


@pytest.fixture(scope="module")
def address(chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("practice") / "practice.html"
    assert main(["practice", "--out", str(path), "--instances", "1"]) == 0
    assert path.stat().st_size < 3e6
    return path.as_uri()


@pytest.fixture
def page(chromium, watch, address):
    tab = chromium.new_page(viewport={"width": 390, "height": 844})
    watch(tab, "file:")
    tab.goto(address)
    yield tab
    tab.close()


def question(page):
    return page.locator(".bn-prompt").inner_text()


def focused(page):
    return page.evaluate("document.activeElement.textContent")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_algorithm_by_keyboard_alone_on_a_phone(page, scheme, artefacts):
    page.emulate_media(color_scheme=scheme)
    page.keyboard.press("Tab")
    for i, name in enumerate(TOPICS):
        session = bn.practice(name)
        if i:
            page.locator("select").first.focus()
            page.keyboard.press("ArrowDown")
        assert page.locator("h2").inner_text() == session.title
        play_by_keyboard(page, session)
        assert question(page) == f"{len(session.asked)} of {len(session.asked)} right at the first try."
        assert serious(page, but=("svg",)) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    page.screenshot(path=artefacts / f"practice-{scheme}.png", full_page=True)


def play_by_keyboard(page, session):
    """Answer by the number of an option, or by Tab and Enter where there are more than nine; it says what is right."""
    page.locator(".bn-options button").first.focus()
    while not session.done:
        assert question(page) == session.question.prompt
        number = list(session.question.options).index(session.question.choice)
        page.keyboard.press("Tab")
        said = session.answer(session.question.choice)
        if number < 9:
            page.keyboard.press(str(number + 1))
        else:
            page.locator(".bn-options button").first.focus()
            for _ in range(number):
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        assert page.locator(".bn-yes").inner_text() == " ".join(f"✓ Yes: {said.text}".split())


def test_wrong_answers_say_why_and_the_summary_counts_them(page):
    session = bn.practice("kruskal")
    page.locator("select").first.select_option("kruskal")
    first = session.question
    wrong = next(option for option in first.options if option not in first.right)
    page.get_by_role("button", name=wrong).press("Enter")
    assert page.locator(".bn-no").inner_text() == f"✗ Not quite: {session.answer(wrong).text}"
    assert question(page) == first.prompt
    while not session.done:
        page.get_by_role("button", name="Show me").press("Enter")
        session.reveal()
    assert question(page) == f"0 of {len(session.asked)} right at the first try."
    assert page.locator(".bn-facts li").inner_text().startswith(f"{len(session.asked)} wrong: Kruskal considers")
    assert 'section "The maximum-weight spanning tree"' in page.locator(".bn-panel").inner_text()
    edge = session.result.graph.edges[0]
    page.get_by_role("group", name="Why is this edge here?").get_by_role("button").first.press("Enter")
    assert page.locator(".bn-why").inner_text().startswith(session.result.why(*edge).sentences()[0])
    page.get_by_role("button", name="Another one").press("Enter")
    assert question(page) == first.prompt


def test_an_edge_and_a_node_can_be_clicked(page):
    page.set_viewport_size({"width": 1100, "height": 900})
    session = bn.practice("kruskal")
    page.locator("select").first.select_option("kruskal")
    page.locator(".bn-clickable").nth(list(session.question.options).index(session.question.choice)).click(force=True)
    assert page.locator(".bn-yes").count() == 1 and question(page).endswith("accepted?")
    session = bn.practice("dor_tarsi")
    page.locator("select").first.select_option("dor_tarsi")
    page.locator(".bn-node", has_text=session.question.choice).click()
    assert session.answer(session.question.choice).text in page.locator(".bn-yes").inner_text()
