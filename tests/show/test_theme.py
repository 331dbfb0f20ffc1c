"""Colours that follow the page: every colour that is shown has a dark one, and both can be read."""

import re

import pytest

import bnteach as bn
from bnteach.show.style import SERIES, SERIES_TEXT, STYLES
from bnteach.show.theme import CODE, VARIABLES, themed
from tests.show.colours import contrast

LIGHT, DARK = "#ffffff", "#111111"  # the notebook of JupyterLab Light and Dark
TEXT = ["#1a1a1a", "#5a5a5a", "#005a8c", "#0072b2", "#b04a00", "#007a5a", *SERIES_TEXT, *CODE]
PAGES = {"a picture": lambda: bn.draw(bn.DAG("A->B")), "a row": lambda: bn.side_by_side(bn.DAG("A->B"), captions=["a"]),
         "a gallery": lambda: bn.gallery({"g": [bn.DAG("A->B")]}),
         "a player": lambda: bn.play(bn.kruskal({("A", "B"): 1})),
         "a knob": lambda: bn.knob(lambda n: bn.DAG(nodes="ABC"[:n]), n=[1, 2]), "code": lambda: bn.source(bn.prim),
         "bars": lambda: bn.plots.bars({"a": 1, "b": 2}, highlight=["a"]),
         "curves": lambda: bn.plots.growth([1, 2], {str(i): [i, 2 * i] for i in range(8)}),
         "points": lambda: bn.plots.scatter([1, 2], [2, 1], names=["a", ""], line=True),
         "a histogram": lambda: bn.plots.histogram([1, 2, 2], mark={"two": 2}),
         "a quiz": lambda: bn.quiz("?", {"*a": "b", "c": "d"}), "a claim": lambda: bn.claim("abcd.MI.AB", .0729),
         "a strip": lambda: bn.claims({"mdl.tree": -20.2266, "bic.weight": .8047}),
         "the ledger": lambda: bn.every_number("notes")}


@pytest.mark.parametrize("colour", dict.fromkeys(TEXT))
def test_text_can_be_read_on_light_and_on_dark(colour):
    assert contrast(colour, LIGHT) >= 4.5 and contrast((VARIABLES | CODE)[colour][1], DARK) >= 4.5


@pytest.mark.parametrize("colour", dict.fromkeys([*SERIES, *(s.colour for s in STYLES.values())]))
def test_marks_can_be_seen_on_light_and_on_dark(colour):
    assert contrast(colour, LIGHT) >= 3 and contrast(VARIABLES[colour][1], DARK) >= 3


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_names_can_be_read_on_every_fill(style):
    dark = {light: dark for light, (_, dark) in VARIABLES.items()}
    assert contrast(style.text, style.fill) >= 4.5 and contrast(dark[style.text], dark[style.fill]) >= 4.5


@pytest.mark.parametrize("what", PAGES)
def test_what_is_shown_has_no_colour_of_paper_only(what):
    html = PAGES[what]()._repr_html_()
    left = re.sub(r"light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)", "", html, flags=re.IGNORECASE)
    assert re.findall(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|\bwhite\b(?!-space)|\bblack\b", left, flags=re.IGNORECASE) == []
    assert "light-dark(" in html


def test_a_picture_is_saved_in_plain_colours(tmp_path):
    assert "light-dark" not in bn.draw(bn.DAG("A->B")).save(tmp_path / "a.svg").read_text(encoding="utf-8")


def test_dark_colours_are_no_light_ones_so_that_twice_is_once():
    table = VARIABLES | CODE
    assert not {dark for _, dark in table.values()} & set(table)
    assert len({name for name, _ in table.values()}) == len(table)
    html = PAGES["a knob"]()._repr_html_()
    assert themed(html) == html
