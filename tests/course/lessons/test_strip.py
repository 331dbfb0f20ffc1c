"""bn.claims: the strip counts verdicts, shows what is printed and nothing else, and raises as bn.claim does."""

import re

import pytest

import bnteach as bn
from bnteach.course.lessons.claims import ClaimError, claim
from bnteach.course.lessons.ledger import ledger


def inside(entry):
    """A measured value that its bounds allow."""
    if isinstance(entry.between, dict):
        return {name: low for name, (low, _) in entry.between.items()}
    return entry.between[0] if entry.between else entry.at_least or entry.at_most or 8


VALUES = {id: inside(entry) if entry.exact is None else entry.exact for id, entry in ledger().items()}


def test_one_of_each_verdict():
    strip = bn.claims({"mdl.tree": -20.2266, "abcd.MI.AB": .0729, "chowliu.score": -12.0999, "alpha": .0512})
    assert strip.summary == "Checked against the documents: 1 reproduced, 1 corrected, 1 formula evaluated, 1 measured"
    assert repr(strip).splitlines()[1:] == [
        "✓ mdl.tree       printed -20.2      computed -20.2266                        reproduced",
        "✗ abcd.MI.AB     printed 0.074      computed 0.0729                          corrected",
        "✗ chowliu.score  no figure printed  computed -12.0999                        "
        "the formula as printed gives 4.8289",
        "· alpha          printed 0.05       computed 0.0512 (between 0.04 and 0.06)  measured"]
    html = strip._repr_html_()
    assert html.startswith("<details") and "open" not in html.split(">")[0]
    assert re.findall(r"<b [^>]*>([^<]*)</b>", html) == [
        "✓ reproduced", "✗ corrected", "✗ the formula as printed gives 4.8289", "· measured"]


def test_the_whole_ledger_in_one_strip_never_shows_a_printed_figure_that_is_not_printed():
    strip = bn.claims(VALUES)
    rows = re.findall(r"<tr.*?</tr>", strip._repr_html_())[1:]
    assert len(rows) == len(ledger())
    for row, entry in zip(rows, ledger().values()):
        printed = re.findall(r"<td[^>]*>(.*?)</td>", row)[2]
        assert (printed == "no figure printed") == (entry.printed is None), entry.id
        assert ("✓" in row) == (entry.verdict == "reproduced"), entry.id
    assert sum(strip.verdicts.values()) == len(rows)


def test_one_wrong_value_is_an_error():
    with pytest.raises(ClaimError, match=r"mdl\.dag: you give -20\.2266, and it should be -20\.5485"):
        bn.claims({"mdl.tree": -20.2266, "mdl.dag": -20.2266})
    with pytest.raises(ClaimError, match=r"no claim 'mdl\.treee'\. Did you mean"):
        bn.claims({"mdl.treee": 1})


@pytest.mark.parametrize("values", [{}, "mdl.tree", ["mdl.tree"], None])
def test_what_is_no_dictionary(values):
    with pytest.raises(ValueError, match="a dictionary of ids and values"):
        bn.claims(values)


def test_the_strip_says_what_the_card_says():
    card, strip = claim("abcd.MI.AB", .0729), bn.claims({"abcd.MI.AB": .0729})
    assert card.entry.why in strip._repr_html_() and card.heading in strip._repr_html_()
