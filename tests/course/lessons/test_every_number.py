"""The ledger as a page: nothing left out, nothing made up, and every lesson that it names does its part."""

import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest

import bnteach as bn
from bnteach.course.lessons.every_number import LESSONS
from bnteach.course.lessons.ledger import VERDICTS, ledger
from tests import lessons


def test_every_entry_is_on_the_page_once_with_its_figures():
    page = bn.every_number()
    html, text = page._repr_html_(), repr(page)
    assert page.ids == tuple(ledger()) and html.count("<tr") == len(ledger()) + 1
    for id, entry in ledger().items():
        assert html.count(f">{id}</code>") == 1
        assert len(re.findall(rf"^[✓✗·] {re.escape(id)} ", text, re.MULTILINE)) == 1
        for number in entry.lesson:
            assert f'href="{LESSONS[int(number)]}.ipynb"' in html


def test_a_corrected_figure_shows_what_is_printed_and_what_is_right():
    html = bn.every_number("slides", verdict="corrected")._repr_html_()
    assert "-14.09<" in html and "-14.0999<" in html and "✗ corrected" in html and "✓" not in html


def test_the_parts_make_the_whole():
    documents = {entry.document.key for entry in ledger().values()}
    assert sum(len(bn.every_number(document)) for document in documents) == len(ledger())
    assert sum(len(bn.every_number(verdict=verdict)) for verdict in VERDICTS) == len(ledger())
    assert sum(bn.every_number().verdicts.values()) == len(ledger())
    assert bn.every_number("slides", "corrected").verdicts["reproduced"] == 0


def test_the_lessons_are_those_of_the_course():
    assert list(LESSONS) == lessons.course()


def test_every_entry_is_claimed_in_each_lesson_that_it_names_and_no_lesson_claims_another():
    written = {path.stem[:2]: lessons.read(path) for path in lessons.lesson_files()}
    made = {number: lessons.words_beside_claims(notebook) for number, notebook in written.items()}
    missing = [(entry.id, number) for entry in ledger().values() for number in entry.lesson
               if number in made and entry.id not in made[number]]
    assert not missing, "the ledger says that these lessons compute these figures"
    strangers = [(id, number) for number, notebook in written.items() for id in lessons.claim_ids(notebook)
                 if id not in ledger()]
    assert not strangers, "these claims are in no ledger"
    if len(written) == len(LESSONS):
        assert all(any(id in words for words in made.values()) for id in ledger())


def test_the_last_lesson_shows_the_whole_ledger_as_it_is_now():
    paths = [path for path in lessons.lesson_files() if path.stem == "19_every_number"]
    assert paths
    shown = "\n".join(str(content) for _, kind, content, _ in lessons.outputs_data(lessons.read(paths[0]))
                      if kind == "text/plain")
    assert repr(bn.every_number()) in shown, "the ledger has changed: make lessons ARGS=19"


def test_single_figures_are_counted_by_half_a_unit():
    """Counted here with fractions, not by the functions that judge."""
    def leaves(printed, exact):
        if isinstance(printed, dict | list):
            names = printed if isinstance(printed, dict) else range(len(printed))
            return [pair for name in names if printed[name] != "…" for pair in leaves(printed[name], exact[name])]
        return [(printed, exact)]

    def right(printed, exact):
        if isinstance(printed, str):
            return printed == exact or ("-" in printed and bn.PDAG(printed) == bn.PDAG(exact))
        if Decimal(printed).is_infinite():
            return printed == exact
        unit = Fraction(10) ** printed.as_tuple().exponent if isinstance(printed, Decimal) else 0
        return abs(Fraction(printed) - Fraction(exact)) <= unit / 2

    checked = [e for e in ledger().values() if e.verdict in ("reproduced", "corrected")]
    counts = Counter(right(*pair) for entry in checked for pair in leaves(entry.printed, entry.exact))
    assert bn.every_number().figures == {"right": counts[True], "wrong": counts[False]} and counts[False] > 9


def test_errors_are_counted_once_by_form_and_once_by_kind():
    whole, wrong = bn.every_number(), {id for id, entry in ledger().items() if entry.mark == "✗"}
    for parts in (whole.errors, whole.slips):
        ids = [id for part in parts.values() for id in part.ids]
        assert len(ids) == len(set(ids)) and set(ids) == wrong
    assert "kl" in whole.errors["sentence"].ids and "bic.weight" in whole.errors["formula"].ids
    assert set(whole.errors["figure"].ids) == set(bn.every_number(verdict="corrected").ids)
    assert "kl" in whole.slips["the wrong way round"].ids


def test_few_entries_need_no_search():
    assert "<script>" in bn.every_number()._repr_html_() and 'type="search"' in bn.every_number()._repr_html_()
    assert "<script>" not in bn.every_number("notes")._repr_html_()


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: bn.every_number("slide"), "no document 'slide' in the ledger; there are slides, project"),
    (lambda: bn.every_number(verdict="wrong"), "'wrong' is no verdict; there are reproduced"),
])
def test_bad_input_says_what_to_do(ask, message):
    with pytest.raises(ValueError, match=message):
        ask()
