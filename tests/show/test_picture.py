"""Pictures: well-formed, the same in every run, without ids that clash; plots."""

import math
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import bnteach as bn
from bnteach.course.supplements.plots import canvas
from bnteach.show.svg import _n
from bnteach.show.theme import themed

DRAWN = """
import bnteach as bn
g = bn.DAG("A->C, B->C, B->D, C->E")
table = bn.datasets.five_rows()
result = bn.chow_liu(table)
print(bn.draw(g, labels={("A", "C"): 0.5}, highlight=[("B", "C")])._repr_html_())
print(bn.play(result).html())
print(bn.knob(lambda node: bn.draw(g, highlight=[node]), node=["A", "B"]).html())
print(bn.plots.growth([1, 2, 3], {"a": [1, 3, 25], "b": [1, 2, 11]}, log=True, alt="Growth.")._repr_html_())
"""


def ran(code, **environment):
    import os

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, **environment})
    return done.stdout


def test_the_same_from_run_to_run_and_under_any_hash_seed():
    assert ran(DRAWN, PYTHONHASHSEED="0") == ran(DRAWN, PYTHONHASHSEED="1")


def test_importing_bnteach_loads_nothing_that_draws():
    loaded = ran("import sys, bnteach; print([m for m in ('matplotlib', 'ipywidgets', 'pygraphviz', 'pygments', "
                 "'IPython', 'networkx', 'pandas') if m in sys.modules])")
    assert loaded.strip() == "[]"


def test_drawing_does_not_import_the_course():
    loaded = ran("import sys, bnteach.show, bnteach as bn; bn.draw(bn.DAG('A->B')), "
                 "bn.play(bn.kruskal({('A', 'B'): 1.0})); "
                 "print([name for name in sys.modules if name.startswith('bnteach.course')])")
    assert loaded.strip() == "[]"


def growth():
    return bn.plots.growth([1, 2, 3], {"DAGs": [1, 3, 25], "classes": [1, 2, 11]}, log=True, xlabel="nodes",
                           ylabel="graphs", alt="Both grow quickly: 25 DAGs & 11 classes.")


PICTURES = {
    "draw": lambda: bn.draw(bn.DAG("A->B"), title="Two & <nodes>"), "growth": growth,
    "bars": lambda: bn.plots.bars({"AIC": -15.4, "<BIC>": 3.0}, highlight=["AIC"], alt="Bars."),
    "histogram": lambda: bn.plots.histogram([1, 2, 2, 3], mark={"here": 2.5}, bins=3, alt="Mostly 2."),
    "scatter": lambda: bn.plots.scatter([1, 2], [2, 1], names=["a", "b"], line=True, alt="Two points."),
}


@pytest.mark.parametrize("name", PICTURES)
def test_well_formed_self_contained_and_described(name):
    picture = PICTURES[name]()
    svg = ElementTree.fromstring(picture.svg)
    assert svg.get("role") == "img" and svg.get("aria-label") == picture.alt
    assert svg.find("{http://www.w3.org/2000/svg}title").text
    assert "max-width:100%" in svg.get("style")
    assert "<?xml" not in picture.svg and "<metadata" not in picture.svg
    links = re.findall(r'(?:href|src)="([^"]*)"|url\(([^)]*)\)', picture.svg)
    assert all((a or b).startswith("#") for a, b in links), "nothing is fetched"
    ElementTree.fromstring(picture._repr_html_())


def test_drawings_have_no_ids_and_plots_only_their_own():
    assert ' id="' not in bn.draw(bn.DAG("A->B, B->C")).svg
    one, other = growth().svg, bn.plots.bars({"a": 1}, alt="One bar.").svg
    ids = [re.findall(r' id="([^"]+)"', svg) for svg in (one, other)]
    assert ids[0] and all(len(set(found)) == len(found) for found in ids)
    assert not set(ids[0]) & set(ids[1])
    for svg, found in zip((one, other), ids):
        assert set(re.findall(r'(?:url\(#|href="#)([^")]+)', svg)) <= set(found), "what is referred to is there"


def plots_of(a=0.0):
    """Every kind of plot, of figures that are moved by a."""
    plots = bn.plots
    return {
        "growth": plots.growth([1, 2, 3], {"x": [0.1 + a, 0.3, 2.5 + a], "y": [1, 2.2 + a, 1.1]}, alt="Two."),
        "bars": plots.bars({"AIC": -15.4 + a, "BIC": 3.1 + a}, highlight=["AIC"], alt="Bars.", form="{:.1f}"),
        "histogram": plots.histogram([0.1 + a, 0.2, 0.7], mark={"here": 0.25 + a}, bins=3, alt="Three."),
        "scatter": plots.scatter([0.1 + a, 0.2], [0.3, 0.7 + a], names=["a", ""], line=True, alt="Points."),
    }


@pytest.mark.parametrize("name", plots_of())
def test_the_same_on_every_processor(name):
    """Processors differ in the last bit of a sum. Nothing of that is seen in a plot, and least of all in its ids."""
    plain = plots_of()[name].svg
    assert not re.search(r"[ (]-0[ )]", plain)
    for a in (1e-13, -1e-13, 3e-14, 1e-12):
        assert plots_of(a)[name].svg == plain, a


@pytest.mark.parametrize("middle", [51.95, 0.25, -0.25, 1234.45])
def test_a_coordinate_half_way_is_rounded_up_on_every_processor(middle):
    assert _n(middle) == _n(middle - 1e-12) == _n(middle + 1e-12) == f"{math.ceil(10 * middle) / 10:g}"


def test_two_pictures_on_a_page_with_the_same_words_have_different_ids():
    def place(where):
        return bn.plots.histogram([1, 1, 2, 9], mark={"": where}, bins=4, alt="A knob's position.")

    positions = [place(where) for where in (2.0, 2.1, 2.01)]
    ids = [set(re.findall(r' id="([^"]+)"', position.svg)) for position in positions]
    assert all(ids) and len(set.union(*ids)) == sum(map(len, ids))
    assert all(re.fullmatch(r"bn[0-9a-f]{8}-\d+", id) for id in set.union(*ids))
    one, other = (bn.plots.bars({"a": 1}, alt=alt).svg for alt in ("Here.", "There."))
    assert not set(re.findall(r' id="([^"]+)"', one)) & set(re.findall(r' id="([^"]+)"', other))


def test_mime_bundle_and_saving(tmp_path):
    picture = bn.draw(bn.DAG("A->B"))
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/html"].count("<svg") == 1 and themed(picture.svg) in bundle["text/html"]
    assert bundle["text/plain"] == repr(picture) == "Directed graph on A, B: arc A to B."
    assert picture.save(tmp_path / "g.svg").read_text(encoding="utf-8") == picture.svg + "\n"
    with pytest.raises(ValueError, match=r"saved as SVG; 'g.png'"):
        picture.save(tmp_path / "g.png")
    with pytest.raises(ValueError, match="needs alt text"):
        bn.Picture("<svg/>", " ")


def test_side_by_side(tmp_path):
    row = bn.side_by_side(bn.DAG("A->B"), bn.draw(bn.DAG("B->A")), captions=["learned", "true <one>"])
    html = row._repr_html_()
    assert html.count("<svg") == 2 and "flex-wrap:wrap" in html and "true &lt;one&gt;" in html
    assert repr(row) == "learned: Directed graph on A, B: arc A to B.\ntrue <one>: Directed graph on B, A: arc B to A."
    with pytest.raises(ValueError, match="at least one picture"):
        bn.side_by_side()
    with pytest.raises(ValueError, match="3 captions for 1 pictures"):
        bn.side_by_side(bn.DAG("A->B"), captions=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"row.pictures\[i\].save"):
        row.save(tmp_path / "row.svg")


def test_a_matplotlib_figure_becomes_a_picture_and_is_closed():
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    fig, ax = plt.subplots()
    ax.plot([1, 2], [3, 4], label="hello & bye")
    ax.legend()
    picture = bn.figure(fig, alt="A rising line.")
    assert "hello &amp; bye" in picture.svg, "text stays text"
    assert not plt.get_fignums()
    with pytest.raises(TypeError, match="takes a matplotlib Figure; Axes is none"):
        bn.figure(ax, alt="Axes.")


def test_curves_differ_without_colour_and_are_labelled_at_their_ends():
    svg = growth().svg
    assert "stroke-dasharray" in svg and ">DAGs<" in svg and ">classes<" in svg
    fig, ax = canvas()
    assert not ax.spines["top"].get_visible() and fig.get_size_inches()[0] == pytest.approx(6.4)


def test_unequal_lengths_are_an_error():
    with pytest.raises(ValueError, match="DAGs has 2 values for 3 x"):
        bn.plots.growth([1, 2, 3], {"DAGs": [1, 3]}, alt="Growth.")


def test_growth_takes_series_arrays_and_whole_numbers_of_any_size():
    import numpy as np
    import pandas as pd

    lists = {"DAGs": [1, 3, 25], "classes": [1, 2, 11]}
    plain = bn.plots.growth([1, 2, 3], lists, log=True, alt="Growth.").svg
    for kind in (np.array, tuple, pd.Series, lambda values: pd.Series(values, index=[7, 8, 9])):
        series = {name: kind(values) for name, values in lists.items()}
        assert bn.plots.growth(kind([1, 2, 3]), series, log=True, alt="Growth.").svg == plain
    nodes = [10, 20, 30]
    counts = {"DAGs": [bn.count_dags(n) for n in nodes], "orders": [2**n for n in nodes]}
    assert max(counts["DAGs"]) > 2**64 and ">orders<" in bn.plots.growth(nodes, counts, log=True, alt="Growth.").svg
    with pytest.raises(ValueError, match="DAGs has a value of more than 308 digits"):
        bn.plots.growth([1, 60], {"DAGs": [1, 10**400]}, alt="Growth.")


def test_the_label_of_a_point_does_not_cover_the_next_point():
    def position(beside):
        points = bn.plots.scatter([5, beside, 0, 10], [5, 5.2, 0, 10], names=["here", "there", "", ""], alt="Points.")
        return float(re.search(r'<text[^>]* x="([\d.]+)"[^>]*>here</text>', points.svg)[1])

    assert position(beside=6) < position(beside=9)


@pytest.mark.parametrize("n", [5, 13, 20, 60])
def test_whole_numbers_have_no_ticks_between_them(n):
    picture = bn.plots.growth(range(1, n + 1), {"a": [0] * n}, xlabel="x", ylabel="y")._repr_html_()
    assert not re.search(r">\d+\.[1-9]\d*<", picture)
