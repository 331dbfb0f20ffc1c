"""Slides: what goes where, what is left out, and that a deck fetches nothing. tests/browser walks through them."""

import hashlib
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from bnteach.course.commands import main as cli
from bnteach.course.pages import printing, shown, slides
from bnteach.course.pages.cells import markdown, output_html, plain
from bnteach.course.pages.formulas import FormulaError, in_html, mathml
from tests.lessons import lesson_files

REVEAL = Path(slides.__file__).parent / "reveal"


def prose(text, kind="-"):
    return new_markdown_cell(text, metadata={"slideshow": {"slide_type": kind}})


def code(source, kind="-", html=None, **metadata):
    outputs = [] if html is None else [new_output("display_data", {"text/html": html, "text/plain": "plain"})]
    return new_code_cell(source, execution_count=1, outputs=outputs,
                         metadata={"slideshow": {"slide_type": kind}, **metadata})


def a_deck(*cells, folder=Path()):
    return slides.deck(new_notebook(cells=[prose("# A lesson", "slide"), *cells]), folder)


class Reader(HTMLParser):
    """The tags of a page, in order, with the words inside the slides."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.words, self.inside = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, text):
        if "section" in self.inside and not {"script", "style"} & set(self.inside):
            self.words.append(text)


def fetched(html):
    """Addresses that a browser would ask for when it opens the page."""
    places = [(tag, attributes.get(name)) for tag, attributes in Reader(html).tags
              for name in ("src", "data", "poster", "srcset", *(["href"] if tag in ("link", "image", "use") else []))]
    sheets = re.findall(r"<style[^>]*>(.*?)</style>|style=[\"']([^\"'>]*)", html, re.DOTALL)
    styles = re.findall(r"@import[^;]+|url\((?!['\"]?(?:data:|#))[^)]*\)", "\n".join(map("".join, sheets)))
    return styles + [f"{tag} {place}" for tag, place in places if place and not place.startswith(("data:", "#"))]


def test_slide_types_become_stacks_fragments_and_notes():
    cells = [prose("one", "slide"), prose("goes on"), prose("below", "subslide"), prose("waits", "fragment"),
             prose("with it"), prose("aside", "notes"), prose("left out", "skip"), prose("two", "slide")]
    kinds = [[[(kind, cell.source) for kind, cell in slide] for slide in stack] for stack in slides.arrange(cells)]
    assert kinds == [[[("shown", "one"), ("shown", "goes on")],
                     [("shown", "below"), ("fragment", "waits"), ("shown", "with it"), ("notes", "aside")]],
                    [[("shown", "two")]]]


def test_a_deck_in_html():
    html = a_deck(prose("now"), prose("later", "fragment"), prose("with it"), prose("last", "fragment"),
                  prose("said $x$", "notes"), prose("never", "skip"))
    assert re.findall(r'<div class="cell markdown"( data-group="\d")?><p>(.+?)</p>', html) == [
        ("", "now"), (' data-group="1"', "later"), (' data-group="1"', "with it"), (' data-group="2"', "last")]
    assert re.search(r'<aside class="notes"><p>said <math', html)
    assert "never" not in html.split("</script>")[0]
    assert "<title>A lesson</title>" in html


def test_before_any_slide_type_there_is_a_slide():
    assert len(slides.arrange([prose("-"), new_markdown_cell("none")])) == 1


def test_a_quiz_shows_no_code_and_a_player_comes_as_html():
    html = a_deck(code("bn.quiz('secret')", html="<b>the question</b>", tags=["hide-input"]),
                  code("folded = 1", html="<i>folded away</i>", jupyter={"source_hidden": True}),
                  code("bn.play(it)", html="<b>the player</b>"))
    words = "".join(Reader(html).words)
    assert "the question" in words and "folded away" in words and "the player" in words
    assert "secret" not in words and "folded = 1" not in words


TEXT, TABLE, PICTURE = '<pre class="text">3</pre>', "<table></table>", "<svg></svg>"


@pytest.mark.parametrize("source, output, expected", [
    ("import bnteach as bn\nfound = bn.pc(facts)\nbn.draw(found)", PICTURE, "found = bn.pc(facts)"),
    ("bn.play(found)", PICTURE, ""),
    ("bn.plots.bars(sizes, xlabel='rows')", PICTURE, ""),
    ("def rooted(root):\n    return bn.draw(bn.chow_liu(rows, root=root))\n\nbn.knob(rooted, root='AB')", PICTURE, ""),
    ("a = [bn.pc(x)\n     for x in\n     many]\nbn.draw(a[0])", PICTURE, ""),
    ("found = bn.chow_liu(rows)\nprint(found.trace)", TEXT, "found = bn.chow_liu(rows)\nprint(found.trace)"),
    ("for n in sizes:\n    print(f'{n:3} {bn.count_dags(n)}')", TEXT, ""),
    ("a = 1\nb = 2\nc = 3\na + b", TEXT, "a + b"),
    ("rows.to_frame()", TABLE, ""),
    ("a = 1\nb = 2\nc = 3\nnetwork.cpt('wet')", TABLE, "network.cpt('wet')"),
    ("a = 1\nb = 2\nc = 3\npd.DataFrame(c).round(2)", TABLE, ""),
    ("facts = 3", None, ""),
    ("assert 1\nbn.d_separated(dag, 'A', 'B')", TEXT, "bn.d_separated(dag, 'A', 'B')"),
])
def test_the_code_on_a_slide_is_the_call_that_matters(source, output, expected):
    assert shown.slide_code(code(source), [] if output is None else [output]) == expected


def test_tags_decide_otherwise():
    source = "import math\nbn.draw(dag)"
    assert shown.slide_code(code(source, tags=["slide-code"]), [PICTURE]) == source
    assert shown.slide_code(code("1 + 1", tags=["slide-no-code"]), [TEXT]) == ""
    assert "seen" not in "".join(Reader(a_deck(code("x", html="<b>seen</b>", tags=["slide-no-output"]))).words)


def test_bookkeeping_is_off_the_slides_and_all_code_is_behind_them():
    strip = '<details class="bnteach-claims">12 figures</details>'
    html = a_deck(code("import bnteach as bn", html=None), code("bn.claims({})", html=strip),
                  code("bn.practice('pc')", html='<div class="bnteach-practice">practise</div>'))
    assert "12 figures" not in html and ">practise<" not in html
    assert html.count('<template class="behind">') == 3


def test_the_sentence_before_practice_is_left_out_with_it():
    practice = code("bn.practice('pc')", html='<div class="bnteach-practice">practise</div>')
    assert "Now you" not in a_deck(prose("# A"), prose("Now you.", "subslide"), practice).split("</script>")[0]
    assert "Now you" in a_deck(prose("# A"), prose("Now you.\n\nAnd this.", "subslide"), practice)


def test_an_expression_stands_above_its_value():
    cell = code("print(1)\nx = 2\ny = 3\nx + y", html=None)
    value = new_output("execute_result", {"text/plain": "5"}, execution_count=1)
    cell.outputs = [new_output("stream", text="printed"), value]
    words = "".join(Reader(a_deck(cell)).words)
    assert words.index("printed") < words.index("x + y") < words.index("5")


@pytest.mark.parametrize("source, expected", [
    ("%precision 4\nbn.figure(fig, \"Two θ.\")", "%precision 4\nbn.figure(fig, ...)"),
    ("f(alt='é', b=g(alt=f'{x}' +\n 'y'))", "f(alt=..., b=g(alt=...))"),
    ("bn.pc?", "bn.pc?"), ("alt = 'text'", "alt = 'text'"),
])
def test_alt_text_is_not_shown_beside_its_picture(source, expected):
    assert shown.without_alt(source) == expected


@pytest.mark.parametrize("output, shown", [
    (new_output("stream", name="stdout", text="a < b\n"), '<pre class="text">a &lt; b</pre>'),
    (new_output("stream", name="stderr", text="a warning"), ""),
    (new_output("display_data", {"text/plain": "words", "text/html": "<b>x</b>",
                                 "application/vnd.jupyter.widget-view+json": {"model_id": "1"}}), "<b>x</b>"),
    (new_output("display_data", {"text/plain": "words", "image/svg+xml": "<svg/>"}), "<svg/>"),
    (new_output("display_data", {"text/plain": "1 < 2"}), '<pre class="text">1 &lt; 2</pre>'),
    (new_output("display_data", {"image/png": "AA\nAA"}, metadata={"image/png": {"alt": 'a "dot"'}}),
     '<img src="data:image/png;base64,AAAA" alt="a &quot;dot&quot;">'),
    (new_output("display_data", {"application/json": {}}), ""),
], ids=["print", "warning", "player", "svg", "text", "png", "nothing to show"])
def test_the_form_of_an_output(output, shown):
    assert output_html(output) == shown


def test_the_licence_of_reveal_is_included():
    assert "Permission is hereby granted" in a_deck(prose("# A")).partition("<style")[0]


def test_notes_are_folded_in_a_notebook_and_unfolded_for_the_speaker():
    html = a_deck(prose("# A"), prose("<details><summary>Notes for the speaker</summary>\n\nAsk *them*.\n\n</details>",
                                      "notes"))
    aside = html.partition('<aside class="notes">')[2].partition("</aside>")[0]
    assert aside.strip() == "<p>Ask <em>them</em>.</p>"


def test_pictures_are_included_and_links_to_lessons_become_text(tmp_path):
    (tmp_path / "a.svg").write_text("<svg/>")
    text = "![a dot](a.svg) and [the next](05_next.ipynb) and [afar](https://example.org)"
    html = a_deck(prose(text), folder=tmp_path)
    assert '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="a dot">' in html
    assert "and the next and" in html and 'href="https://example.org"' in html and "05_next" not in html
    assert fetched(html) == []
    with pytest.raises(slides.SlidesError, match=r"no picture .*b\.svg"):
        a_deck(prose("![b](b.svg)"), folder=tmp_path)


def test_what_would_be_fetched_is_seen():
    page = ('<img src="http://a/b"><link href="c.css"><script src="//d"></script><a href="https://g">h</a>'
            '<style>@import "e"; a{background:url(f)}</style><img src="data:,">')
    assert len(fetched(page)) == 5


def test_a_lesson_that_has_not_been_run_is_refused(tmp_path):
    path = tmp_path / "04_pc.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# T"), new_code_cell("first()"), new_code_cell("x")]), path)
    with pytest.raises(slides.SlidesError, match=r"04_pc.ipynb has 2 cells that have not been run.*'first\(\)'"):
        slides.write_deck(path, tmp_path)


def test_a_lesson_needs_a_title():
    with pytest.raises(slides.SlidesError, match="no title"):
        slides.title_of(new_notebook(cells=[new_markdown_cell("## Only this")]))
    assert slides.title_of(new_notebook(cells=[new_markdown_cell("# On `x` & $n$")])) == "On x & n"


# --- formulas ---------------------------------------------------------------------------------------------

def test_formulas_become_mathml():
    html = markdown("Is $a_1 < b$ or\n\n$$\\sum_{i=1}^n \\mathbf{p}_i$$", lambda url: url, lambda url: url)
    assert html.count("<math") == 2 and 'display="block"' in html and "$" not in html and "𝐩" in unescape(html)
    assert plain(html).startswith("Is a1<b or")


@pytest.mark.parametrize("kept", [
    "<pre>$x$</pre>", "<code>$x$</code>", "<svg><!-- $x$ --></svg>", "it costs \\$5 or 6$", "<p title='$x$'>a</p>",
    "<script>let a = '$x$'</script>"])
def test_formulas_are_found_in_prose_alone(kept):
    assert in_html(kept) == kept


def test_formulas_in_html_are_unescaped():
    assert in_html("<p>$a &lt; b$</p>") == f"<p>{mathml('a < b')}</p>"
    assert "<mo>&#x0003C;</mo>" in mathml("a < b")


@pytest.mark.parametrize("tex, sign", [(r"\arg\max_G s", "arg"), (r"X \perp Y", "⟂"), (r"X \not\perp Y", "⟂̸"),
                                       (r"\mathcal N", "𝒩"), (r"\mathcal L", "ℒ"), (r"X \perp\!\!\!\perp Y", "⫫"),
                                       (r"V\setminus W", "<mo>∖</mo>")])
def test_what_latex2mathml_does_not_know_is_replaced(tex, sign):
    assert sign in mathml(tex)


@pytest.mark.parametrize("tex, problem", [(r"\foo{x}", r"has \\foo, which is not supported"),
                                          (r"\left( x", "cannot be read")])
def test_a_formula_that_cannot_be_shown_is_named(tex, problem):
    with pytest.raises(FormulaError, match=problem):
        mathml(tex)


# --- the real decks -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("lesson", lesson_files(), ids=lambda path: path.stem)
def test_every_lesson_is_a_deck_of_its_own(lesson, tmp_path):
    path = slides.write_deck(lesson, tmp_path)
    html = path.read_text(encoding="utf-8")
    assert fetched(html) == []
    assert path.stat().st_size < 5e6
    assert html.count("Copyright (C) 2011-2024 Hakim El Hattab") >= 1  # reveal.js, with its notice
    shown = "".join(Reader(html).words)
    assert not re.search(r"(?<!\\)\$[^$\n]{1,80}\$", shown), "a formula is left as TeX"
    assert "bn.quiz(" not in shown


def test_reveal_is_what_its_readme_says():
    listed = dict(re.findall(r"^\| (\S+) \|.*\| (\w{64}) \|$", (REVEAL / "README.md").read_text(), re.MULTILINE))
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in REVEAL.iterdir()}
    files.pop("README.md")
    assert listed == files


def test_a_script_cannot_end_the_page_s_script():
    script = "'</script><!-- <script>'\n//# sourceMappingURL=a.map"
    assert slides._inside_html(script) == r"'<\/script><\!-- <\script>'" + "\n"


# --- the command ------------------------------------------------------------------------------------------

@pytest.fixture
def course(tmp_path, monkeypatch):
    folder = tmp_path / "lessons"
    folder.mkdir()
    for name in ("04_pc", "07_chow_liu"):
        cells = [prose(f"# {name}", "slide"), code("1 + 1", html="2")]
        nbformat.write(new_notebook(cells=cells), folder / f"{name}.ipynb")
    monkeypatch.setattr("bnteach.course.commands.slides.course_folder", lambda: folder)
    monkeypatch.chdir(tmp_path)
    return folder


def test_the_command_writes_one_or_all(course, capsys):
    assert cli.main(["slides", "pc"]) == 0
    assert sorted(Path("slides").iterdir()) == [Path("slides/04_pc.html")]
    assert cli.main(["slides", "04", "all", "--out", "talks"]) == 0
    assert sorted(path.name for path in Path("talks").iterdir()) == ["04_pc.html", "07_chow_liu.html"]
    assert "07_chow_liu.html: 0." in capsys.readouterr().out


def test_the_command_says_what_is_wrong(course, capsys, monkeypatch):
    assert cli.main(["slides", "05"]) == 1
    assert "there is no lesson '05'" in capsys.readouterr().err
    monkeypatch.setattr(printing, "find_browser", lambda: None)
    assert cli.main(["slides", "04", "--pdf"]) == 1
    said = capsys.readouterr().err
    assert "none was found: install Chromium" in said and "?print-pdf" in said
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert cli.main(["slides", "04"]) == 1
    assert 'pip install "bnteach[course]"' in capsys.readouterr().err


@pytest.mark.parametrize("folder, problem", [("a_file", "File exists"), ("a_file/below", "Not a directory"),
                                             ("talks", "Is a directory: 'talks/04_pc.html'")])
def test_a_folder_that_cannot_be_written_to_is_reported(course, capsys, folder, problem):
    Path("a_file").write_text("")
    Path("talks/04_pc.html").mkdir(parents=True)
    assert cli.main(["slides", "04", "--out", folder]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"bnteach slides: cannot write to '{folder}' ({problem}") and "--out FOLDER" in said


def test_a_browser_that_does_not_print_is_reported(tmp_path, monkeypatch):
    slow = str(tmp_path / "slow")
    Path(slow).write_text("#!/bin/sh\nexec sleep 5\n")
    Path(slow).chmod(0o755)
    monkeypatch.setattr(printing, "find_browser", lambda: "false")
    with pytest.raises(slides.SlidesError, match="false did not print"):
        printing.write_pdf(tmp_path / "a.html")
    monkeypatch.setattr(printing, "TIMEOUT", 0.01)
    monkeypatch.setattr(printing, "find_browser", lambda: slow)
    with pytest.raises(slides.SlidesError, match=r"has not printed .* within 0\.01 seconds"):
        printing.write_pdf(tmp_path / "a.html")


@pytest.mark.parametrize("system, variable, place", [
    ("darwin", "HOME", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    ("darwin", "HOME", "Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
    ("win32", "PROGRAMFILES", "Google/Chrome/Application/chrome.exe"),
    ("win32", "PROGRAMFILES(X86)", "Microsoft/Edge/Application/msedge.exe"),
    ("win32", "LOCALAPPDATA", "Chromium/Application/chrome.exe"),
])
def test_browsers_are_found_where_the_system_keeps_them(system, variable, place, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)  # from Python 3.12 on, its Windows part needs Windows
    for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA", "BNTEACH_BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(printing.sys, "platform", system)
    monkeypatch.setattr(printing.Path, "home", lambda: tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv(variable, str(tmp_path))
    assert printing.find_browser() is None
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text("")
    assert printing.find_browser() == str(tmp_path / place)


def test_a_browser_can_be_named(tmp_path, monkeypatch):
    named = tmp_path / "my browser"
    named.write_text("not a program")
    named.chmod(0o755)
    monkeypatch.setenv("BNTEACH_BROWSER", str(named))
    assert printing.find_browser() == str(named)
    with pytest.raises(slides.SlidesError, match="could not be started"):
        printing.write_pdf(tmp_path / "a.html")
    monkeypatch.setenv("BNTEACH_BROWSER", "nowhere")
    with pytest.raises(slides.SlidesError, match="BNTEACH_BROWSER is 'nowhere'"):
        printing.find_browser()
