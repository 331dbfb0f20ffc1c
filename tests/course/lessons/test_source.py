"""bn.source: the code that it shows, and the file that it names."""

import html
import inspect
import re
import sys

import pytest

import bnteach as bn
import bnteach.graphs.notation
from bnteach.trace import Stepwise

LEARNERS = [name for name in bn.__all__ if isinstance(getattr(bn, name), Stepwise)]


def test_source_of_a_learner_is_its_code_decorator_and_docstring_included():
    shown = bn.source(bn.chow_liu)
    lines = str(shown).splitlines()
    assert lines[0] == "@stepwise" and lines[1].startswith("def chow_liu(")
    assert '"""' in str(shown)
    assert shown.file == "bnteach/learn/chow_liu.py"
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == str(shown)
    assert "bnteach/learn/chow_liu.py" in bundle["text/html"]
    assert html.unescape(re.sub(r"<[^>]+>", "", re.search(r"<pre.*</pre>", bundle["text/html"], re.S)[0])) == str(shown)


def test_sections_of_docstrings_are_left_out_and_nothing_else():
    code, shown = inspect.getsource(inspect.unwrap(bn.dor_tarsi)), str(bn.source(bn.dor_tarsi))
    start, end = code.index("\n\n    Parameters\n"), code.index('"""\n    rest = ')
    assert shown == (code[:start] + code[end:]).strip("\n")
    assert "No branch is a dead end" in str(bn.source(bn.graphs.equivalence.members)), "prose stays"


@pytest.mark.parametrize("name", LEARNERS)
def test_source_of_a_learner_is_the_function_of_the_algorithm(name):
    code = str(bn.source(getattr(bn, name)))
    assert re.search(rf"^def {name}\(", code, re.MULTILINE) and "yield" in code


def test_source_of_a_decorated_function_is_the_function():
    import functools

    @functools.lru_cache
    def decorated(x):
        return x

    assert str(bn.source(decorated)) == inspect.cleandoc("""
        @functools.lru_cache
        def decorated(x):
            return x""")


def test_source_of_classes_methods_and_modules():
    assert str(bn.source(bn.DAG)).startswith("class DAG(Graph):")
    assert str(bn.source(bn.DAG.with_arc)).startswith("def with_arc("), "dedented"
    assert str(bn.source(bn.DAG.arcs)).startswith("@property")
    assert "def read_graph" in str(bn.source(bnteach.graphs.notation))
    for thing in (len, 3):
        with pytest.raises(TypeError, match=r"bn\.source shows the code of a learner"):
            bn.source(thing)


def test_source_without_pygments(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygments", None)
    assert "def with_arc(self, a: str, b: str) -&gt; DAG:" in bn.source(bn.DAG.with_arc)._repr_html_()
