"""The instructor's page and a student's page in a real browser: readable by all, on a phone too, asking nobody."""

from __future__ import annotations

import pytest

from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.dashboard import write_dashboard
from tests.course.exercises.test_dashboard import CLASS

SERIOUS = ("serious", "critical")


@pytest.fixture
def grades(tmp_path):
    for i, one in enumerate(CLASS):
        report.write_record(tmp_path, f"name-{i}", one)
    report.write_csv(tmp_path / "grades.csv", CLASS)
    (tmp_path / "worth_a_look.csv").write_text("exercise,student,other student,what\n07_chow_liu,ann,bob,the same\n")
    write_dashboard(tmp_path, ["ann", "zoe"])
    return tmp_path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("page_of", ["dashboard.html", "dashboard/07_chow_liu.html", "feedback/name-2.html",
                                     "feedback/name-6.html"])
def test_everybody_can_read_it(chromium, watch, artefacts, grades, page_of, width, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    watch(page, "file:")
    page.goto((grades / page_of).as_uri())
    if page_of == "dashboard.html":
        page.screenshot(path=artefacts / f"dashboard-{width}-{scheme}.png", full_page=True)
    found = Axe().run(page).response["violations"]
    assert [f"{v['id']}: {v['nodes'][0]['html']}" for v in found if v["impact"] in SERIOUS] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing sticks out"
    white = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert white == (scheme == "light")
    page.close()


def test_a_figure_leads_to_the_students_and_on_to_the_mark(chromium, watch, grades):
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    watch(page, "file:")
    page.goto((grades / "dashboard.html").as_uri())
    page.get_by_role("link", name="7.2: 3 wrong").click()
    page.wait_for_url("**/dashboard/07_chow_liu.html#q-7.2-wrong")
    assert page.evaluate("document.querySelector(':target').getBoundingClientRect().top") < 800
    page.locator("h3:target + .scroll").get_by_role("link", name="bob").click()
    page.wait_for_url("**/feedback/name-1.html#q-7.2")
    assert "So wrong <i>." in page.locator("section:target").inner_text()
    page.close()


def test_a_name_leads_to_the_students_page(chromium, watch, grades):
    page = chromium.new_page()
    watch(page, "file:")
    page.goto((grades / "dashboard.html").as_uri())
    page.get_by_role("link", name="gus").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/name-6.html")
    assert "The file is empty." in page.inner_text("body")
    page.close()
