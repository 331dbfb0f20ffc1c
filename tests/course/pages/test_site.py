"""The web site: pages, links, search's list, the ledger. tests/browser visits it."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from bnteach.course.commands import main as cli
from bnteach.course.lessons.ledger import ledger
from bnteach.course.pages import site
from bnteach.course.pages.cells import plain, slug
from bnteach.course.pages.links import broken_links
from bnteach.course.pages.slides import SlidesError
from bnteach.course.practice.topics import LEVELS, TOPICS
from tests.course.pages.test_slides import fetched
from tests.lessons import lesson_files


def write(path, *cells):
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


@pytest.fixture
def lessons(tmp_path):
    """Two small lessons that link to each other, to a file, to a picture and to a lesson that is not written."""
    folder = tmp_path / "lessons"
    (folder / "pictures").mkdir(parents=True)
    (folder / "pictures" / "dot.svg").write_text("<svg/>")
    (folder / "extra.csv").write_text("a,b\n")
    code = new_code_cell("bn.play(it)", execution_count=1, outputs=[
        new_output("display_data", {"text/html": "<b>player</b> <a class='x' href='07_two.ipynb'>2</a>"})])
    quiz = new_code_cell("bn.quiz('secret')", execution_count=2, metadata={"tags": ["hide-input"]}, outputs=[
        new_output("display_data", {"text/html": "<div class='bnteach-quiz'>Zebra or $n^2$?</div>"})])
    first = write(folder / "06_one.ipynb", new_markdown_cell("# 6 · One & only\n\n**What is it?**\n\nA."), code, quiz,
                  new_markdown_cell("## By hand\n\nSee [two](07_two.ipynb#by-hand), [three](08_three.ipynb), "
                                    "[data](extra.csv), ![a dot](pictures/dot.svg), [top](#6-one-only)."))
    second = write(folder / "07_two.ipynb", new_markdown_cell("# 7 · Two\n\nAnd then?"),
                   new_markdown_cell("## By hand"), new_markdown_cell("## By hand\n\nGiraffes."))
    return [first, second]


@pytest.fixture
def made(lessons, tmp_path):
    pages = site.write_site(lessons, tmp_path / "site")
    return {page.name: page.read_text(encoding="utf-8") for page in pages}


def test_pages_and_their_navigation(made):
    assert list(made) == ["index.html", "06_one.html", "07_two.html", "practice.html", "ledger.html", "speed.html"]
    turns = {name: re.findall(r'<a rel="(\w+)" href="([^"]+)">', page) for name, page in made.items()}
    assert turns == {"index.html": [("next", "06_one.html")],
                     "06_one.html": [("prev", "index.html"), ("next", "07_two.html")],
                     "07_two.html": [("prev", "06_one.html"), ("next", "practice.html")],
                     "practice.html": [("prev", "07_two.html"), ("next", "ledger.html")],
                     "ledger.html": [("prev", "practice.html"), ("next", "speed.html")],
                     "speed.html": [("prev", "ledger.html")]}
    for name, page in made.items():
        assert re.findall(r'<a href="([^"]+)" aria-current="page">', page) == [name]
        assert page.count("<h1") == 1
    assert "<title>6 · One &amp; only · bnteach</title>" in made["06_one.html"]
    assert '<a href="06_one.html">6 · One &amp; only</a><p>What is it?</p>' in made["index.html"]
    parts = '<ol><li><a href="#by-hand">By hand</a></li><li><a href="#by-hand-2">By hand</a></li></ol>'
    assert parts in made["07_two.html"]
    assert "#by-hand" not in made["index.html"] + made["ledger.html"]


def test_links_and_pictures_of_a_lesson(made, tmp_path):
    page = made["06_one.html"]
    assert 'href="07_two.html#by-hand"' in page and 'href="#6-one-only"' in page
    assert "<a class='x' href=\"07_two.html\">2</a>" in page
    assert "three, " in page and "08_three" not in page
    assert (tmp_path / "site" / "extra.csv").read_text() == "a,b\n"
    assert (tmp_path / "site" / "pictures" / "dot.svg").is_file()
    assert (tmp_path / "site" / "06_one.ipynb").is_file() and 'href="06_one.ipynb" download' in page


def test_the_page_to_practise_on(made):
    page = made["practice.html"]
    store = r'<script type="application/json" data-name="(\w+)" data-level="(\d)"[^>]*>(.*?)</script>'
    stores = re.findall(store, page)
    assert {(name, int(level)) for name, level, _ in stores} == {(name, level) for name in TOPICS for level in LEVELS}
    links = {json.loads(data)["link"] for _, _, data in stores}
    headings = {f"{path.stem}.html#{slug(line.lstrip('# '), {})}" for path in lesson_files()
                for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"
                for line in cell.source.splitlines() if line.startswith("#")}
    assert len(links) > 10 and links <= headings
    assert len(page) < 2e6


def test_an_exercise_is_handed_out_without_its_solutions(lessons, tmp_path):
    source = "def f():\n    ### BEGIN SOLUTION\n    return 'the solution'\n    ### END SOLUTION"
    (lessons[0].parent / "exercises").mkdir()
    answer = new_code_cell(source, metadata={"nbgrader": {"grade_id": "answer_7_1", "solution": True, "grade": False}})
    write(lessons[0].parent / "exercises" / "07_two.ipynb", answer)
    write(lessons[1], new_markdown_cell("# 7 · Two\n\n## By hand\n\nThe [exercises](exercises/07_two.ipynb)."))
    page = site.write_site(lessons, tmp_path / "site")[2].read_text()
    assert '<a href="exercises/07_two.ipynb" download>' in page
    handed_out = (tmp_path / "site" / "exercises" / "07_two.ipynb").read_text()
    assert "def f()" in handed_out and "NotImplementedError" in handed_out and "the solution" not in handed_out


def test_a_quiz_s_answers_are_not_on_the_page_and_players_are(made):
    assert "secret" not in made["06_one.html"] and "<b>player</b>" in made["06_one.html"]
    assert "bn" in plain(made["06_one.html"]) and "<math" in made["06_one.html"]


def test_nothing_is_fetched_from_the_network(made, tmp_path):
    for page in made.values():
        assert sorted(set(fetched(page))) in (["link site.css", "script site.js"],
                                              ["img pictures/dot.svg", "link site.css", "script site.js"])
    assert not re.search(r"@import|url\(|https?://", (tmp_path / "site" / "site.css").read_text())


def test_search_has_every_section(made, tmp_path):
    script = (tmp_path / "site" / "site.js").read_text(encoding="utf-8")
    sections = json.loads(re.match(r"const SECTIONS = (.*);\n", script)[1])
    found = {(section["page"], section["at"]): section for section in sections}
    assert "Zebra" in found["06_one.html", "6-one-only"]["text"]  # a quiz below the first heading
    assert found["07_two.html", "by-hand-2"] == {"page": "07_two.html", "at": "by-hand-2", "lesson": "7 · Two",
                                                "title": "By hand", "text": "Giraffes."}
    assert len([page for page, _ in found if page == "ledger.html"]) == len(ledger())
    for page, at in found:
        assert f'id="{at}"' in made[page]


def test_the_ledger_has_every_figure(made):
    rows = re.findall(r'<tr id="([^"]+)" data-verdict="(\w+)">', made["ledger.html"])
    assert rows == [(entry.id, entry.verdict) for entry in ledger().values()]
    assert '<a href="07_two.html" aria-label="lesson 07">07</a>' in made["ledger.html"]
    tree = re.search(r'<tr id="mdl.tree".*?</tr>', made["ledger.html"])[0]
    assert '<td>-20.2</td><td>-20.2266</td><td class="verdict">✓ reproduced</td>' in tree
    assert "08" in tree and "08_" not in tree


@pytest.mark.parametrize("target, leads", [
    ("b.html", True), ("b.html#there", True), ("b.html#not-there", False), ("#here", True), ("#nowhere", False),
    ("c.html", False), ("sub/d.txt", True), ("sub", False), ("../outside.html", False), ("https://example.org/x", True),
    ("mailto:a@b", True), ("data:,", True), ("b%2Ehtml", True), ("?q=1", True)])
def test_broken_links_are_found(tmp_path, target, leads):
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "d.txt").write_text("")
    (tmp_path / "outside.html").write_text("")
    (folder / "b.html").write_text('<p id="there">')
    (folder / "a.html").write_text(f'<p id="here"><a href="{target}">x</a>')
    assert broken_links(folder) == ([] if leads else [f"a.html: {target}"])


def test_a_site_with_a_broken_link_is_refused(lessons, tmp_path):
    write(lessons[1], new_markdown_cell("# 7 · Two\n\n## By hand\n\nSee [this](06_one.ipynb#not-there)."))
    with pytest.raises(site.SiteError, match=r"1 links are broken:\n07_two\.html: 06_one\.html#not-there"):
        site.write_site(lessons, tmp_path / "site")


def test_other_pages_in_the_folder_are_not_checked(lessons, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.html").write_text('<a href="nowhere.html">x</a>')
    assert site.write_site(lessons, tmp_path / "site")


def test_lessons_must_be_there_and_run(lessons, tmp_path):
    with pytest.raises(site.SiteError, match="no lessons"):
        site.write_site([], tmp_path / "site")
    write(lessons[0], new_markdown_cell("# 6"), new_code_cell("1"))
    with pytest.raises(SlidesError, match="have not been run"):
        site.write_site(lessons, tmp_path / "site")


def test_ids_of_headings():
    taken = {}
    assert [slug(text, taken) for text in ("A &amp; b", "<code>A</code> b!", "α", "***")] == [
        "a-b", "a-b-2", "α", "section"]


def test_the_command(lessons, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("bnteach.course.commands.site.course_folder", lambda: lessons[0].parent)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["site"]) == 0
    assert Path("site/index.html").is_file() and "6 pages" in capsys.readouterr().out
    write(lessons[1], new_markdown_cell("no title"))
    assert cli.main(["site", "--out", "other"]) == 1
    assert "the lesson has no title" in capsys.readouterr().err
    Path("file").write_text("")
    assert cli.main(["site", "--out", "file"]) == 1
    assert "bnteach site: cannot write to 'file' (File exists" in capsys.readouterr().err
