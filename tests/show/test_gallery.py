"""Many small graphs at once: all there, all described, nodes in the same places."""

import re

import pytest

import bnteach as bn


def test_all_graphs_are_drawn_and_told():
    picture = bn.gallery(bn.all_classes("ABC"))
    html = picture._repr_html_()
    assert html.count("<svg") == 25 and html.count("<figure") == 11
    assert len(re.findall(r'aria-label="[^"]+"', html)) == 25
    assert len(picture.text.splitlines()) == 11
    assert "A-B, B-C: A->B, B->C | B->A, B->C | B->A, C->B" in picture.text


def test_nodes_are_in_the_same_places():
    html = bn.gallery({"two": [bn.DAG("A->B, C"), bn.DAG("B->A, A->C")]})._repr_html_()
    first, second = html.split("</svg>")[:2]
    places = [re.findall(r'<text x="([\d.]+)" y="([\d.]+)">(\w)</text>', svg) for svg in (first, second)]
    assert len(places[0]) == 3 and sorted(places[0]) == sorted(places[1])


def test_size_scales():
    small, large = (bn.gallery({"one": [bn.DAG("A->B")]}, size=s)._repr_html_() for s in (0.4, 0.8))
    widths = [float(re.search(r' width="(\d+)"', html)[1]) for html in (small, large)]
    assert widths[1] == pytest.approx(2 * widths[0], abs=1)


def test_too_many_are_refused():
    with pytest.raises(ValueError, match="29,281 graphs are too many to look at"):
        bn.gallery({"all": bn.all_dags("ABCDE")})
