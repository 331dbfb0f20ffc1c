"""bn.glossary: every term is where it says, under all its names, and CONTRIBUTING's vocabulary is covered."""

import re

import pytest

import bnteach as bn
from bnteach.course.lessons.glossary import terms
from tests import lessons

NO_TERMS = ("`TOLERANCE`", "limit, maximum", "reports, describes", "per (one term per family)")  # house rules


def has(text, name):
    """Is this word in the text, as it is or with an ending?"""
    return re.search(rf"(?<![\w-]){re.escape(name.casefold())}(?:s|es|d|ed)?(?![\w-])", text) is not None


@pytest.mark.parametrize("term", terms().values(), ids=terms())
def test_a_term_is_in_its_first_lesson(term):
    (path,) = lessons.LESSONS.glob(f"{term.lesson}_*.ipynb")
    notebook = lessons.read(path)
    words = [lessons.text_of(notebook), *(cell.source for cell in lessons.code_cells(notebook))]
    text = re.sub(r"\s+", " ", " ".join(words)).casefold()
    assert any(has(text, name) for name in (term.name, *term.also)), f"lesson {term.lesson} has no {term.name}"


def vocabulary():
    """The rows of CONTRIBUTING's table: (terms, what not to say)."""
    text = (lessons.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = re.search(r"\| concept \| term \| not \|\n\|[-|]+\n(.*?)\n\n", text, re.DOTALL)[1]
    return [[cell.strip() for cell in row.strip("|").split("|")][1] for row in table.splitlines()]


@pytest.mark.parametrize("row", [row for row in vocabulary() if row not in NO_TERMS])
def test_the_vocabulary_is_covered(row):
    known = {name.casefold() for term in terms().values() for name in (term.name, *term.also)}
    wanted = [re.sub(r"\(.*?\)|, in an order| estimate| over subsets", "", part).strip()
              for part in re.split(r"[;,]", row) if "`" not in part]
    assert any(part in known for part in (part.casefold() for part in wanted)), wanted


def test_house_rules_are_still_in_the_vocabulary():
    assert set(NO_TERMS) <= set(vocabulary())


def test_definitions_read_well():
    assert list(terms()) == sorted(terms(), key=str.casefold) and len(terms()) > 80
    for term in terms().values():
        assert 10 <= len(term.meaning) <= 140 and not term.meaning.endswith("."), term.name
        assert term.name not in term.also, term.name


def test_every_name_leads_to_one_term():
    names = [name.casefold() for term in terms().values() for name in (term.name, *term.also)]
    assert [name for name in set(names) if names.count(name) > 1] == []
    assert bn.glossary("Witness Set") is bn.glossary("separating sets") is bn.glossary("sepset")


def test_the_whole_glossary():
    everything = bn.glossary()
    assert len(everything) == len(terms()) and everything._repr_html_().count("<tr") == len(terms()) + 1
    assert "v-structure: A → C ← B with A and B not adjacent." in repr(everything)
    assert "immorality" in bn.glossary("v-structure")._repr_html_()


@pytest.mark.parametrize(("word", "message"), [("v-structur", "mean 'v-structure'"), ("qqqq", "shows all terms")])
def test_unknown_terms(word, message):
    with pytest.raises(LookupError, match=message):
        bn.glossary(word)
