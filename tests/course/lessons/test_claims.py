"""bn.claim: the values it accepts, its errors, and what it shows."""

import math
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach.course.lessons.claims import ClaimError, claim, ledger_table
from bnteach.course.lessons.figures import compare, write
from bnteach.course.lessons.ledger import ledger

from .by_hand import MI, TREE, likelihood


# -- values that do not agree ----------------------------------------------------------------------------
@pytest.mark.parametrize("id", ["abcd.Gstar.LL", "mdl.tree", "kl", "empirical"])
def test_half_a_unit_in_the_last_decimal(id):
    exact, unit = Fraction(ledger()[id].exact), Fraction(1, 10**4)
    claim(id, exact + unit / 2)
    claim(id, exact - unit / 2)
    for wrong in (exact + unit * Fraction(51, 100), exact - unit * Fraction(51, 100)):
        with pytest.raises(ClaimError, match=id):
            claim(id, wrong)


def test_a_last_decimal_of_zero_counts():
    claim("empirical", 0.40004)
    with pytest.raises(ClaimError, match=r"you give 0\.4001, and it should be 0\.4000"):
        claim("empirical", 0.4001)


def test_whole_numbers_agree_exactly():
    right = 1118902054495975181
    claim("equiv.10", right)
    with pytest.raises(ClaimError, match="should be 1118902054495975181"):
        claim("equiv.10", right + 1)
    with pytest.raises(ClaimError, match="a float cannot hold"):
        claim("equiv.10", float(right))
    claim("dimension.7", 7.0)
    with pytest.raises(ClaimError):
        claim("dimension.7", 7.001)
    dags = [float(n) for n in ledger()["dags"].exact[:8]]
    assert compare(dags, ledger()["dags"].exact[:8]) == []
    assert compare([*dags[:7], dags[7] + 1], ledger()["dags"].exact[:8])


@pytest.mark.parametrize(("id", "value", "message"), [
    ("abcd.MI.AB", .074, r"you give 0\.0740, and it should be 0\.0729\. This is what the document prints.* Round last"),
    ("equiv.10", 1118902054495975141, "This is what the document prints.*ends in 181"),
    ("mi.tree", bn.PDAG("A-C, B-C, B-D"), "it lacks A-B and it should not have B-C"),
    ("k3.range", [3, 3, 3, 3], "number 1 of 4: you give 3, and it should be 0; .*what the algorithm as printed gives"),
    ("kl", 1.2, "should be 0.4980. This is what the sentence as printed gives, and it is wrong. It is minimising it"),
    ("abcd.MI.AB.column", [-.09, .32, .32, -math.inf], "This is what the document prints.*0 log 0 counts as 0"),
    ("mdl.tree", -20.2, "already rounded"),
    ("mdl.tree", -20.21, r"you give -20\.2100, .* -20\.2266\. The ledger has -20\.2266\. In the slides .*: -20\.2\."),
    ("abcd.tree.LL", 12.0999, "only the sign differs"),
    ("abcd.tree.LL", likelihood(TREE) * math.log(2), "this is the same in nats; in bits"),
    ("aic.nats", [-15.3870 / math.log(2), -16.0007], "at 'tree': you give .* this is the same in bits; in nats"),
    ("mdl.tree", None, "no answer .None., and it should be -20.2266"),
    ("mdl.tree", math.nan, "NaN"),
    ("mdl.tree", -math.inf, "you give -inf"),
    ("mdl.tree", "-20.2266", "a number is asked for, such as -20.2266, and you give '-20.2266'"),
    ("mdl.tree", True, "a number is asked for"),
    ("mdl.tree", [-20.2266], "a number is asked for"),
    ("mdl.tree", -20.2266 + 0j, "a number is asked for"),
    ("mdl.penalties", [8.1267], "you give 1 .*, and there should be 2"),
    ("mdl.penalties", 8.1267, "a list is asked for"),
    ("mdl.penalties", "8.1267, 10.4487", "a list is asked for"),
    ("mdl.penalties", [8.1267, None], "number 2 of 2: there is no answer"),
    ("mdl.penalties", [math.nan, 10.4487], "number 1 of 2: you give NaN"),
    ("mi.table", {"AB": .07}, "the dictionary has no 'AC', 'AD', 'BC' and 2 more"),
    ("mdl.others", {"empty": -21.5726, "full": -27.0241}, "no 'complete'; .*; .* has 'full', which should not be"),
    ("mdl.others", -21.5726, "a dictionary is asked for, such as {'empty': -21.5726, 'complete'"),
    ("mdl.others", {"empty": -21.5726, "complete": -27}, "at 'complete': you give -27, and it should be -27.0241"),
    ("abcd.tree", bn.DAG("A->B, B->C, C->D"), "it lacks A-C, B-D and it should not have A-B, C-D"),
    ("abcd.tree", bn.DAG("A->C, C->B, B->D, E"), "should not have the node E"),
    ("abcd.tree", 3, "a graph is asked for"),
    ("abcd.tree", "nonsense", "it lacks A-C, B-C, B-D"),
    ("pc.four", bn.PDAG("A-B, A-C, B-D, C-D"), "B-D should be directed: B->D"),
    ("pc.four", bn.DAG("A->B, A->C, B->D, C->D"), "this is a DAG, and its class is asked for"),
    ("pc.four.separators", {"BC": ["D"], "AD": ["B", "C"]}, "at 'BC': you give 'D', and it should be 'A'"),
    ("alpha", .2, "measured 0.2, which is not between 0.04 and 0.06"),
    ("alpha", math.nan, "which is not between"),
    ("alpha", None, "a number is asked for, between 0.04 and 0.06, and you give None"),
    ("runtime.10000", 0.9, "not between 2.0 and 4.5"),
    ("wine.sa", {"BIC": -5922.3, "AIC": -5745}, "BIC: measured -5922.3, which is not between"),
    ("wine.sa", {"BIC": -5900, "AIC": -5745}, "BIC: measured -5900, which is not between"),
    ("wine.sa", -5910, "a dictionary with BIC, AIC is asked for"),
    ("exercise1", False, "a measured value, or a short text .*, is asked for, not False"),
    ("exercise1", " ", "a measured value, or a short text"),
    ("wine.agreement", 66, "measured 66, which is not between"),
    ("wine.transforms", {"rank by mean": 1, "grids won": 1}, "rank by mean: measured 1, which is not between"),
])
def test_a_value_that_does_not_agree_is_an_error(id, value, message):
    with pytest.raises(ClaimError, match=f"(?s)^{id}: .*{message}"):
        claim(id, value)


def test_a_long_error_is_shortened():
    with pytest.raises(ClaimError, match="and 9 more"):
        claim("wine.accuracy.sizes", [0] * 12)


@pytest.mark.parametrize("id", [entry.id for entry in ledger().values() if isinstance(entry.exact, Decimal | int)])
def test_every_single_number_is_guarded(id):
    exact = ledger()[id].exact
    wrong = exact + 1 if isinstance(exact, int) else exact + Decimal(1).scaleb(exact.as_tuple().exponent)
    with pytest.raises(ClaimError):
        claim(id, wrong)


@pytest.mark.parametrize(("wrong", "similar"), [
    ("mdl.tre", "mdl.tree"), ("MI.table", "mi.table"), ("wine.optimal", "wine.optimum")])
def test_an_unknown_id_suggests_similar_ones(wrong, similar):
    with pytest.raises(ClaimError, match=f"no claim '{wrong}'. Did you mean .*'{similar}'"):
        claim(wrong, 1)


def test_an_id_like_no_other():
    with pytest.raises(ClaimError, match="lists all"):
        claim("zzzzzz", 1)
    with pytest.raises(ClaimError, match="no claim 7"):
        claim(7, 1)


# -- the forms that values come in -----------------------------------------------------------------------
@pytest.mark.parametrize(("id", "value"), [
    ("mdl.tree", np.float64(-20.2266138)), ("mdl.tree", np.array(-20.2266138)), ("mdl.tree", Decimal("-20.22661")),
    ("dimension.7", np.int64(7)), ("dimension.7", Fraction(14, 2)),
    ("mdl.penalties", np.array([8.12675, 10.44868])), ("mdl.penalties", (8.12675, 10.44868)),
    ("mdl.penalties", pd.Series([8.12675, 10.44868])), ("mdl.penalties", (x for x in (8.12675, 10.44868))),
    ("mdl.penalties", {"tree": 8.12675, "dag": 10.44868}.values()),
    ("mdl.others", [-21.57264, -27.02410]), ("mdl.others", pd.Series({"complete": -27.02410, "empty": -21.57264})),
    ("mdl.others", {"complete": np.float64(-27.02410), "empty": -21.57264}),
    ("mi.table", {tuple(pair): w for pair, w in MI.items()}), ("mi.table", {(b, a): w for (a, b), w in MI.items()}),
    ("mi.table", {frozenset(pair): w for pair, w in MI.items()}),
    ("mi.table", {f"{a}-{b}": w for (a, b), w in MI.items()}),
    ("abcd.tree.entropies", {("A", ("C",)): .4, ("B", ()): .72193, ("C", ("B",)): .64902, ("D", ("B",)): .64902}),
    ("abcd.tree", bn.DAG("B->D, B->C, C->A")), ("abcd.tree", bn.PDAG("A-C, B-C, B-D")), ("abcd.tree", "D-B, C-B, C-A"),
    ("abcd.tree", nx.Graph([("A", "C"), ("B", "C"), ("B", "D")])),
    ("abcd.tree", nx.DiGraph([("A", "C"), ("C", "B"), ("B", "D")])),
    ("abcd.tree", [("A", "C"), ("B", "C"), ("B", "D")]), ("abcd.tree", bn.Result(bn.DAG("A->C, C->B, B->D"))),
    ("pc.four", bn.PDAG("C->D, B->D, C-A, B-A")), ("figure1", bn.DAG("A->C, B->C, C->D")),
    ("pc.four.separators", {("B", "C"): {"A"}, ("A", "D"): frozenset("CB")}),
    ("wine.local", {"AIC": (-5672.73638, 75), "BIC": (-5699.42486, 65)}),
    ("alpha", np.float64(.05)), ("wine.transforms", {"rank by mean": np.int64(17), "grids won": 1}),
    ("wine.sa", (-5911.4, -5745.2)),
    ("runtime.1000", 2.01), ("exercise2", True), ("exercise2", "PC with one answer inverted"),
])
def test_values_may_come_in_many_forms(id, value):
    assert claim(id, value).entry.id == id


def test_what_the_library_computes():
    rows = bn.datasets.five_rows()
    found = bn.chow_liu(rows)
    claim("abcd.tree", found)
    claim("abcd.tree.LL", found.score)
    claim("abcd.MI.all", bn.mutual_informations(rows))
    claim("mdl.tree", bn.MDL(rows)(found.graph))


# -- showing ---------------------------------------------------------------------------------------------
def test_text_of_a_correction():
    assert repr(claim("abcd.MI.AB", MI["AB"])) == (
        "✗ corrected  abcd.MI.AB\n"
        "  the slides (Batista, COMP9418), mutual information of A and B, the sum\n"
        "  printed there  0.074\n"
        "  computed here  0.0729\n"
        "  The slide adds rounded terms: 0.6 (-0.09) + 0.2 (0.32) + 0.2 (0.32) = 0.074. Round last.")


def test_the_text_does_not_depend_on_rounding_noise():
    texts = {repr(claim("abcd.tree.LL", -12.0999 + noise)) for noise in (0, 4.9e-5, -4.9e-5)}
    assert len(texts) == 1


def test_what_is_measured_is_shown_with_its_bounds():
    assert "0.0512 (between 0.04 and 0.06)" in repr(claim("alpha", .0512))


def measured_within(entry):
    """A value within an entry's bounds, if it has any."""
    if isinstance(entry.between, dict):
        return {name: (low + high) / 2 for name, (low, high) in entry.between.items()}
    if entry.between is not None:
        return sum(entry.between) / 2
    return next((bound for bound in (entry.at_least, entry.at_most) if bound is not None), 8)


@pytest.mark.parametrize("entry", ledger().values(), ids=lambda entry: entry.id)
def test_the_html_has_everything_that_the_text_has(entry):
    from html.parser import HTMLParser

    class Words(HTMLParser):
        def __init__(self):
            super().__init__()
            self.words, self.open = [], []

        def handle_data(self, data):
            self.words.append(data)

        def handle_starttag(self, tag, attrs):
            self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open.pop() == tag

    shown = claim(entry.id, measured_within(entry) if entry.verdict == "measured" else entry.exact)
    page = Words()
    page.feed(shown._repr_html_())
    assert page.open == []
    text = " ".join(page.words)
    assert shown.heading in text and shown.source in text and entry.id in text and entry.why in text
    for figure in (entry.printed, entry.exact):
        for part in write(figure).split(", ") if figure is not None and not isinstance(figure, dict) else ():
            assert part in text
    assert all(label in text for label in shown.labels)


def test_the_html_marks_the_figures_that_differ_without_colour():
    html = claim("mi.table", MI)._repr_html_()
    cells = [cell.split("</td>")[0].split(">")[-1] for cell in html.split("<td")[1:]]
    assert cells == ["", "0.32 ✗", "0.32", "0.07 ✗", "0.17 ✗", "0.32", "0.02",
                     "0.0729", "0.3219", "0.1710", "0.3219", "0.3219", "0.0200"]


def test_the_ledger_as_a_table():
    table = ledger_table()
    assert list(table.columns) == ["document", "where", "says", "printed", "exact", "verdict", "mark",
                                   "verdict_text", "why", "lesson"]
    assert list(table.index) == list(ledger())
    assert table.loc["mdl.tree", ["printed", "exact", "lesson"]].tolist() == ["-20.2", "-20.2266", "08"]
    assert table.loc["alpha", "exact"] == "between 0.04 and 0.06"
    assert table.loc["exercise1", "exact"] == ""
