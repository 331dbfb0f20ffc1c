"""The web site: pages, links, search's list, the ledger. tests/browser visits it."""

import inspect
import json
import re
from html import unescape
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import bnteach as bn
from bnteach.course.commands import main as cli
from bnteach.course.lessons.glossary import terms
from bnteach.course.lessons.ledger import ledger
from bnteach.course.pages.cells import slug
from bnteach.course.pages.links import broken_links
from bnteach.course.pages.slides import SlidesError
from bnteach.course.practice.topics import LEVELS, TOPICS
from tests.course.pages.test_slides import fetched
from tests.lessons import lesson_files

pytest.importorskip("sphinx", reason='the site needs pip install "bnteach[docs]"')
from bnteach.course.pages import site
from bnteach.course.pages.site import api, pages, settings

pytestmark = pytest.mark.filterwarnings("ignore")  # of Sphinx and its parts

QUIZ = ("<div class='bnteach-quiz'><p>Zebra or $n^2$?</p><details><summary>a) Yes</summary><div>Because secret."
        "</div></details></div>")


def write(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


def code(source, html=None, **metadata):
    outputs = [new_output("display_data", {"text/html": html, "text/plain": "plain"})] if html else []
    return new_code_cell(source, execution_count=1, metadata=metadata, outputs=outputs)


def two_lessons(folder):
    """Two small lessons that link to each other, to a file and to a picture, and an exercise."""
    (folder / "pictures").mkdir(parents=True)
    (folder / "pictures" / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>')
    (folder / "extra.csv").write_text("a,b\n")
    player = "<b>player</b> <a class='x' href='07_two.ipynb#by-hand'>2</a>"
    first = write(folder / "06_one.ipynb",
                  new_markdown_cell("# 6 · One & only\n\n**What is it?**\n\nA."), code("bn.play(it)", player),
                  code("bn.quiz('the hidden code')", QUIZ, tags=["hide-input"]),
                  new_markdown_cell("Say zanzibar.", metadata={"slideshow": {"slide_type": "notes"}}),
                  new_markdown_cell("## By hand\n\nSee [two](07_two.ipynb#by-hand), [three](08_three.ipynb), "
                                    "[data](extra.csv), [exercises](exercises/07_two.ipynb), "
                                    "![a dot](pictures/dot.svg), $n^2 = 0.3219$."))
    second = write(folder / "07_two.ipynb", new_markdown_cell("# 7 · Two\n\nAnd then?"),
                   new_markdown_cell("## By hand\n\nLions."),
                   new_markdown_cell("## A collider\n\nLions, in turn, at a collider; another collider. A bootstrap?"),
                   new_markdown_cell("## By hand\n\nGiraffes."))
    source = "def f():\n    ### BEGIN SOLUTION\n    return 'kangaroo'\n    ### END SOLUTION"
    answer = code(source, nbgrader={"grade_id": "answer_7_1", "solution": True, "grade": False})
    write(folder / "exercises" / "07_two.ipynb",
          new_markdown_cell("# Exercise 7 · Two\n\nOf [lesson 7](../07_two.ipynb)."), answer)
    return [first, second]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small site."""
    lessons = two_lessons(tmp_path_factory.mktemp("course") / "lessons")
    folder = tmp_path_factory.mktemp("site")
    site.write_site(lessons, folder)
    return folder


@pytest.fixture(scope="module")
def made(folder):
    """Its pages."""
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.html")
            if "_static" not in path.parts}


@pytest.fixture(scope="module")
def searched(folder):
    """What is searched, by page and id."""
    script = (folder / "_static" / "sections.js").read_text(encoding="utf-8")
    sections = json.loads(re.match(r"const SECTIONS = (.*);\n", script)[1])
    return {(section["page"], section["at"]): section for section in sections}


def test_every_source_is_a_page_with_one_title(made):
    assert {"index.html", "06_one.html", "07_two.html", "exercises/07_two.html", "practice.html", "ledger.html",
            "speed.html", "exercises.html"} <= set(made)
    assert not {"search.html", "genindex.html"} & set(made)
    for name, page in made.items():
        assert page.partition("<main")[2].partition("onlyprint")[2].count("<h1") == 2, name  # one is only for print
        assert '<link rel="icon" href=' in page
    assert "<title>6 · One &amp; only" in made["06_one.html"]
    assert '<a href="06_one.html">6 · One &amp; only</a><p>What is it?</p>' in made["index.html"]


def test_links_and_pictures_of_a_lesson(made, folder):
    page = made["06_one.html"]
    assert 'href="07_two.html#by-hand"' in page and "<a class='x' href=\"07_two.html#by-hand\">2</a>" in page
    assert 'href="exercises/07_two.html"' in page
    assert "three, " in page and "08_three" not in page  # which is not written
    (data,) = re.findall(r'href="(_downloads/[^"]+extra\.csv)"', page)
    assert (folder / data).read_text() == "a,b\n"
    assert re.search(r'<img alt="a dot"[^>]* src="_images/dot\.svg"', page)


def test_the_notebook_to_download_is_the_student_s(made, folder):
    assert 'href="_sources/06_one.ipynb"' in made["06_one.html"] and "_sources" not in made["ledger.html"]
    handed_out = (folder / "_sources" / "06_one.ipynb").read_text()
    assert "hide-input" in handed_out and "zanzibar" not in handed_out
    exercise = (folder / "_sources" / "exercises" / "07_two.ipynb").read_text()
    assert "NotImplementedError" in exercise


def test_no_notes_no_solutions_and_no_code_of_quizzes(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_bytes()
            assert b"zanzibar" not in text and b"kangaroo" not in text, path
            assert b"the hidden code" not in text or path.suffix == ".ipynb", path


def test_formulas_are_mathml_and_players_are_there(made):
    assert made["06_one.html"].count("<math") == 2 and "<b>player</b>" in made["06_one.html"]


def test_nothing_is_fetched_from_the_network(made, folder):
    for name, page in made.items():
        for target in fetched(page):
            url = target.partition(" ")[2]
            assert "//" not in url and (folder / name).parent.joinpath(url.partition("?")[0]).is_file(), target
    for sheet in folder.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", sheet.read_text(encoding="utf-8")), sheet


def test_search_has_every_section(made, searched):
    assert searched["07_two.html", "by-hand"]["text"] == "Lions."
    one = searched["06_one.html", "by-hand"]
    assert (one["lesson"], one["title"]) == ("6 · One & only", "By hand") and "0.3219" in one["text"]
    assert len([page for page, _ in searched if page == "ledger.html"]) == len(ledger()) + 1
    for page, at in searched:
        assert f'id="{at}"' in made[page]


def test_search_has_the_questions_of_quizzes_and_not_their_answers(searched):
    text = searched["06_one.html", "one-only"]["text"]
    assert "Zebra or n2? a) Yes" in text and "secret" not in text and "player" not in text


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
    assert len(page) < 3e6


def test_the_reference_has_every_public_name_with_its_signature_and_source(made):
    text = "".join(page for name, page in made.items() if name.startswith("api/"))
    missing = [name for name in api.public_names() if f'id="bnteach.{name}"' not in text]
    assert missing in ([], ["plots"])  # a module, whose functions are there
    pc = re.search(r'(?s)<dt class="sig [^"]*" id="bnteach\.pc">.*?</dt>', made["api/learn.html"])[0]
    assert re.search(r'(?s)max_conditioning.*?None.*?PCResult', pc)
    assert 'href="../_modules/bnteach/learn/pc.html#pc"' in pc
    assert "Parameters" in made["api/learn.html"] and "system-message" not in text


def test_the_source_of_the_library_is_highlighted(made):
    assert re.search(r'<span class="kn?">def</span>', made["_modules/bnteach/learn/pc.html"])


def test_signatures_can_be_read(made):
    signatures = {}
    for part in api.PARTS:
        for name, signature in re.findall(r'(?s)<dt class="sig[^"]*" id="bnteach\.([^"]*)">(.*?)<a class="headerlink',
                                          made[f"api/{part}.html"]):
            signatures[name] = unescape(re.sub(r"<[^>]*>|\s+", "", signature))
    assert not [text for text in signatures.values() if re.search(r"[~<]|0x|_Buffer|Generator\[Step,None,PDAG", text)]
    assert "rules:Sequence[Callable[[...],Oriented|None]]=(rule_1,rule_2,rule_3))→Result[PDAG]" in signatures["orient"]
    assert "transforms:Iterable[str]=...,seeds" in signatures["anneal_grid"]
    assert "→PCResult" in signatures["pc"] and "cpts:Mapping[str,ArrayLike]" in signatures["CategoricalNetwork"]
    assert max(map(len, signatures.values())) < 450


def test_the_library_is_left_as_it_was(made):
    for name in ("pc", "order_search", "mmhc", "anneal", "bootstrap"):  # Sphinx can put texts in place of defaults
        for one in inspect.signature(getattr(bn, name)).parameters.values():
            assert "sphinx" not in type(one.default).__module__, f"{name}({one})"


def test_an_algorithm_is_linked_to_its_lesson_and_exercise():
    taught = api.taught_in({path: nbformat.read(path, 4) for path in lesson_files()})
    stems = {name: taught[name][0][3:] for name in ("pc", "chow_liu", "kruskal", "hill_climb", "k3", "anneal", "ilp",
                                                    "mmhc", "structural_em", "exact", "minimal_imap", "ges")}
    assert stems == {"pc": "pc", "chow_liu": "chow_liu", "kruskal": "chow_liu", "hill_climb": "local_search",
                     "k3": "parents_in_order", "anneal": "simulated_annealing", "ilp": "searching_orders",
                     "mmhc": "hybrid", "structural_em": "incomplete_data", "exact": "searching_orders",
                     "minimal_imap": "independence_in_graphs", "ges": "searching_classes"}


def test_terms_are_in_the_glossary_and_lead_there(made):
    ids = set(re.findall(r'id="(term-[^"]+)"', made["glossary.html"]))
    assert len(ids) >= len(terms())
    linked = re.findall(r'href="glossary\.html#(term-[^"]+)"', made["07_two.html"])
    assert linked == ["term-collider"]  # once, although it is said twice; no turn of GES, and nothing of a later lesson


def test_the_first_page_says_what_one_needs_to_know(made):
    page = made["index.html"]
    for words in ("You will be able to", "conditional probability", "hours", "make lab", "MIT for the code",
                  "CC BY 4.0", 'href="instructors.html"', 'href="api.html"', "bnteach-stage",
                  '<meta content="A course on learning'):
        assert words in page, words
    assert 'property="og:title"' in made["06_one.html"] and 'property="og:description"' in made["06_one.html"]


def test_no_address_is_invented(made):
    for page in made.values():
        assert not re.search(r'<a [^>]*href="https?:[^"]*(?:binder|colab)', page)


def test_with_an_address_a_lesson_opens_elsewhere(lessons, tmp_path, monkeypatch):
    known = {"repository": "https://github.com/a/b", "branch": "main", "site": "https://a.example/", "binder":
             "https://binder.example", "colab": "https://colab.example"}
    monkeypatch.setattr(settings, "addresses", lambda: known)
    site.write_site(lessons, tmp_path / "site")
    page = (tmp_path / "site" / "06_one.html").read_text()
    assert "https://binder.example/v2/gh/a/b/main?urlpath=lab/tree/lessons/06_one.ipynb" in page
    assert "https://colab.example/github/a/b/blob/main/lessons/06_one.ipynb" in page
    assert 'content="https://a.example/06_one.html"' in page


def test_the_ledger_has_every_figure(made):
    rows = re.findall(r'<tr id="([^"]+)" data-verdict="(\w+)">', made["ledger.html"])
    assert rows == [(entry.id, entry.verdict) for entry in ledger().values()]
    assert '<a href="07_two.html" aria-label="lesson 07">07</a>' in made["ledger.html"]
    tree = re.search(r'<tr id="mdl.tree".*?</tr>', made["ledger.html"])[0]
    assert '<td>-20.2</td><td>-20.2266</td><td class="verdict">✓ reproduced</td>' in tree
    assert "08" in tree and "08_" not in tree


# --- what is wrong is said ---------------------------------------------------------------------------------

@pytest.fixture
def lessons(tmp_path, monkeypatch):
    """Two lessons, of which a site is made without practice and reference, whose pages take most of the time."""
    monkeypatch.setattr(pages, "practice_page", lambda: "# Practice\n")
    monkeypatch.setattr(pages, "api_pages", lambda lessons, exercises: {"api.md": "# The library\n"})
    return two_lessons(tmp_path / "lessons")


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


@pytest.mark.parametrize("cell, problem", [
    (new_markdown_cell("See [this](06_one.ipynb#not-there)."), "Sphinx found faults:(?s:.*)not-there"),
    (new_markdown_cell("See [this](none.csv)."), "Sphinx found faults:(?s:.*)none"),
    (code("it", "<a href='06_one.ipynb#nowhere'>1</a>"), r"1 links are broken:\n07_two\.html: 06_one\.html#nowhere"),
])
def test_a_site_with_a_broken_link_is_refused(lessons, tmp_path, cell, problem):
    write(lessons[1], new_markdown_cell("# 7 · Two\n\nAnd?\n\n## By hand"), cell)
    with pytest.raises(site.SiteError, match=problem):
        site.write_site(lessons, tmp_path / "site")


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
    Path("site").mkdir()
    Path("site/mine.html").write_text('<a href="nowhere.html">x</a>')  # other pages there are not checked
    assert cli.main(["site"]) == 0
    assert Path("site/index.html").is_file() and re.search(r"\d+ pages", capsys.readouterr().out)
    write(lessons[1], new_markdown_cell("no title"))
    assert cli.main(["site", "--out", "other"]) == 1
    assert "the lesson has no title" in capsys.readouterr().err
    assert not list(Path("site").glob("../jupyter_execute")), "what myst-nb writes beside a site is not left there"
    Path("file").write_text("")
    assert cli.main(["site", "--out", "file"]) == 1
    assert "bnteach site: cannot write to 'file' (File exists" in capsys.readouterr().err


def test_without_sphinx_it_says_what_to_install(lessons, monkeypatch, capsys):
    monkeypatch.setattr("bnteach.course.commands.site.course_folder", lambda: lessons[0].parent)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "myst_nb" else True)
    assert cli.main(["site"]) == 1
    assert 'pip install "bnteach[docs]"' in capsys.readouterr().err


@pytest.mark.parametrize("options, said", [
    (["--pyodide", "x"], "add --live"), (["--wheel", "none.whl", "--live"], "there is no file 'none.whl'"),
    (["--pdf"], "none was found: install Chromium")])
def test_options_that_lead_nowhere_are_refused_at_once(options, said, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("bnteach.course.pages.printing.find_browser", lambda: None)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["site", *options]) == 1
    assert said in capsys.readouterr().err and not list(tmp_path.iterdir())
