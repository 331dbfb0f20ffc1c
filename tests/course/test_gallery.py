"""Many small graphs at once: all drawn, all described, nodes in the same positions."""

import math
import re
from itertools import combinations

import pytest

import bnteach as bn
from bnteach.show.style import TEXT_SIZE
from bnteach.show.svg import HEAD


def test_all_graphs_are_drawn_and_described():
    picture = bn.gallery(bn.all_classes("ABC"))
    html = picture._repr_html_()
    assert html.count("<svg") == 25 and html.count("<figure") == 11
    assert len(re.findall(r'aria-label="[^"]+"', html)) == 25
    assert len(picture.text.splitlines()) == 11
    assert "A-B, B-C: A->B, B->C | B->A, B->C | B->A, C->B" in picture.text


def test_nodes_are_in_the_same_positions():
    html = bn.gallery({"two": [bn.DAG("A->B, C"), bn.DAG("B->A, A->C")]})._repr_html_()
    first, second = html.split("</svg>")[:2]
    positions = [re.findall(r'<text x="([\d.]+)" y="([\d.]+)">(\w)</text>', svg) for svg in (first, second)]
    assert len(positions[0]) == 3 and sorted(positions[0]) == sorted(positions[1])


def test_size_scales():
    small, large = (bn.gallery({"one": [bn.DAG("A->B")]}, size=s)._repr_html_() for s in (0.4, 0.8))
    widths = [float(re.search(r' width="(\d+)"', html)[1]) for html in (small, large)]
    assert widths[1] == pytest.approx(2 * widths[0], abs=1)


def test_too_many_are_refused():
    with pytest.raises(ValueError, match="29,281 graphs are too many to look at"):
        bn.gallery({"all": bn.all_dags("ABCDE")})


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_letters_are_legible_and_arcs_long_enough(n):
    svg = bn.gallery({"one": [bn.DAG(nodes="ABCDEF"[:n])]})._repr_html_()
    shown, drawn = (float(re.search(pattern, svg)[1]) for pattern in (r' width="(\d+)"', r'viewBox="0 0 ([\d.]+)'))
    assert TEXT_SIZE * shown / drawn > 11
    boxes = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', svg)
    for (x, y, size), (u, v, _) in combinations([tuple(map(float, box)) for box in boxes], 2):
        assert math.dist((x, y), (u, v)) > size + 2 * HEAD
