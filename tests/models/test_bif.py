"""Networks written and read again are the same; for invalid files the error gives the line and what was expected."""

import gzip
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import DAG, CategoricalNetwork, DataError, GaussianNetwork, datasets
from bnteach.models.bif import read_bif, write_bif

GOOD = """\
network dog { property author "somebody" ; }
variable out { type discrete [ 2 ] { yes, no }; }
variable light {
  type discrete [ 2 ] { on, off };   // two states
}
probability ( out ) { table 0.15, 0.85; }
probability ( light | out ) {
  (yes) 0.6, 0.4;
  (no) 0.05, 0.95;
}
"""


def read(text: str) -> CategoricalNetwork:
    return read_bif(io.StringIO(text))


def round_trip(network: CategoricalNetwork) -> CategoricalNetwork:
    text = io.StringIO()
    write_bif(network, text)
    return read(text.getvalue())


def test_a_small_file():
    network = read(GOOD)
    assert network.dag == DAG("out->light")
    assert network.states == {"out": ("yes", "no"), "light": ("on", "off")}
    assert network.cpts["light"].tolist() == [[0.6, 0.4], [0.05, 0.95]]


@pytest.mark.parametrize("rows", [
    "table 0.6, 0.05, 0.4, 0.95;",  # the child's states slowest
    "(no) 0.05, 0.95; default 0.6, 0.4;",
    "default 0.6 0.4; (no) 0.05 0.95;",  # commas are optional
    '("yes") 6e-1, .4; /* a comment\n over lines */ (no) 0.05, 0.95; property reviewed = yes;',
])
def test_other_notations_for_the_same_cpt(rows):
    text = GOOD.replace("  (yes) 0.6, 0.4;\n  (no) 0.05, 0.95;\n", rows)
    assert read(text) == read(GOOD)


def test_parents_may_be_in_any_order_in_the_file():
    text = """
        variable a { type discrete [ 2 ] { 0, 1 }; }  variable b { type discrete [ 3 ] { x, y, z }; }
        variable c { type discrete [ 2 ] { 0, 1 }; }
        probability ( a ) { table 0.5, 0.5; }  probability ( b ) { table 0.2, 0.3, 0.5; }
        probability ( c | b, a ) { (x, 0) .1, .9; (y, 0) .2, .8; (z, 0) .3, .7;
                                   (x, 1) .4, .6; (y, 1) .5, .5; (z, 1) .6, .4; }"""
    network = read(text)
    assert network.dag.parents("c") == ("a", "b")
    assert network.probability({"a": "1", "b": "y", "c": "0"}) == pytest.approx(0.5 * 0.3 * 0.5)
    assert network.cpts["c"][0, 2].tolist() == [0.3, 0.7]


@pytest.mark.parametrize("name, nodes, arcs, free", [
    ("alarm", 37, 46, 509), ("asia", 8, 8, 18), ("child", 20, 25, 230)])
def test_the_networks_of_the_course(name, nodes, arcs, free):
    network = datasets.network(name)
    assert repr(network) == f"CategoricalNetwork on {nodes} variables, {arcs} arcs, {free} parameters"
    assert round_trip(network) == network


def test_plain_and_compressed_files(tmp_path):
    network = datasets.network("asia")
    for name in ("asia.bif", "asia.bif.gz"):
        write_bif(network, tmp_path / name)
        assert read_bif(tmp_path / name) == network
        assert read_bif(str(tmp_path / name)) == network
    assert gzip.decompress((tmp_path / "asia.bif.gz").read_bytes()).decode() == (tmp_path / "asia.bif").read_text()


letters = st.characters(codec="utf-8", exclude_characters='"\n', exclude_categories=["C", "Zl", "Zp"])
names = st.text(letters, min_size=1)


@settings(max_examples=50, deadline=None)
@given(st.lists(names, min_size=3, max_size=3, unique=True), st.lists(names, min_size=2, max_size=4, unique=True),
       st.integers(0, 2**32))
def test_any_names_and_numbers_survive_a_round_trip(nodes, states, seed):
    random, dag = np.random.default_rng(seed), DAG([(nodes[2], nodes[0]), (nodes[1], nodes[0])], nodes)
    k = len(states)
    tables = {nodes[0]: random.dirichlet([0.3] * k, (k, k)), nodes[1]: random.dirichlet([1] * k),
              nodes[2]: random.dirichlet([1] * k)}
    network = CategoricalNetwork(dag, dict.fromkeys(nodes, tuple(states)), tables)
    assert round_trip(network) == network


def test_states_must_differ_as_text():
    mixed = CategoricalNetwork(DAG("A"), {"A": (1, "1")}, {"A": [0.5, 0.5]})
    with pytest.raises(DataError, match="are the same as text"):
        round_trip(mixed)
    quoted = CategoricalNetwork(DAG("A"), {"A": ('say "hi"', "no")}, {"A": [0.5, 0.5]})
    with pytest.raises(DataError, match="quotation mark"):
        round_trip(quoted)


def test_rows_with_few_digits_are_normalized():
    network = read(GOOD.replace("0.15, 0.85", "0.3333, 0.6666"))
    assert network.cpts["out"].sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("old, new, line, expected, found", [
    ("network dog", "netwrk dog", 1, "'network', 'variable' or 'probability'", "'netwrk'"),
    ("property author", "proprty author", 1, "'property' or '}'", "'proprty'"),
    ("variable out {", "variable {", 2, "the name of a variable", "'{'"),
    ("discrete [ 2 ] { yes", "real [ 2 ] { yes", 2, "'discrete'", "'real'"),
    ("[ 2 ] { yes, no }", "[ 3 ] { yes, no }", 2, "3 states, as declared", "2: yes, no"),
    ("{ yes, no }", "{ yes, yes }", 2, "states with different names", "yes, yes"),
    ("variable light", "variable out", 3, "the name of a new variable", "'out' a second time"),
    ("{ on, off };", "{ on, off }", 5, "';'", "'}'"),
    ("probability ( out )", "probability ( outt )", 6, "a declared variable", "'outt'"),
    ("probability ( light |", "probability ( light", 7, "')'", "'out'"),
    ("0.15, 0.85", "0.15, 0.85, 0", 6, "2 probabilities for the whole CPT of out", "3"),
    ("0.15, 0.85", "0.15, many", 6, "a probability from 0 to 1", "'many'"),
    ("0.15, 0.85", "0.15, 1.85", 6, "a probability from 0 to 1", "'1.85'"),
    ("0.15, 0.85", "0.15, 0.8", 6, "rows of probabilities that sum to 1 for out", "one that sums to 0.95"),
    ("probability ( light | out )", "probability ( light | out, out )", 7, "each variable once", "light | out, out"),
    ("(yes) 0.6", "(maybe) 0.6", 8, "a state of out (yes, no)", "'maybe'"),
    ("(yes) 0.6", "(yes, no) 0.6", 8, "one state per parent (out)", "2: yes, no"),
    ("(no) 0.05", "(yes) 0.05", 9, "each row once", "(yes) a second time"),
    ("  (no) 0.05, 0.95;\n", "", 7, "the row (no) among the probabilities of light", "none"),
    ("0.95;\n}", "0.95;\n", 11, "'table', 'default', 'property', '(' or '}'", "the end of the file"),
    ("table 0.15, 0.85;", "", 6, "'table' among the probabilities of out", "none"),
    ("( light | out )", "( out )", 7, "one probability block per variable", "a second for out"),
    ("probability ( out ) { table 0.15, 0.85; }", "", 11, "a block 'probability ( out … )'", "the end of the file"),
    ('"somebody"', '"somebody', 1, "a closing '\"' on the same line", "'\"'"),
    ('"somebody" ; }', "", 11, "';' after a property", "the end of the file"),
    ("type discrete [ 2 ] { yes, no };", "", 2, "'type discrete [ … ] { … };' for out", "'}'"),
])
def test_errors_give_the_line_and_what_was_expected(old, new, line, expected, found):
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    if "after a property" in expected:  # nothing that closes the property may follow
        text = GOOD[: GOOD.index(old)] + "\n" * 10
    with pytest.raises(DataError) as error:
        read(text)
    assert str(error.value) == f"the text, line {line}: expected {expected}, found {found}."


@pytest.mark.parametrize("cut", range(10, len(GOOD) - 1, 7))
def test_every_truncated_file_raises_a_data_error(cut):
    with pytest.raises(DataError, match="the text, line"):
        read(GOOD[:cut])


def test_cycles_and_files_that_are_not_text(tmp_path):
    cyclic = GOOD.replace("probability ( out ) { table 0.15, 0.85; }",
                          "probability ( out | light ) { default 0.5, 0.5; }")
    with pytest.raises(DataError, match="form a directed cycle"):
        read(cyclic)
    with pytest.raises(DataError, match="at least one 'variable' block"):
        read("")
    with pytest.raises(DataError, match="there is no file"):
        read_bif(tmp_path / "none.bif")
    (tmp_path / "noise.bif").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="neither text nor gzip-compressed text"):
        read_bif(tmp_path / "noise.bif")
    whole = gzip.compress(GOOD.encode())
    (tmp_path / "cut.bif.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="neither text nor gzip-compressed text"):
        read_bif(tmp_path / "cut.bif.gz")


def test_a_file_opened_in_binary_mode():
    for data in (GOOD.encode(), gzip.compress(GOOD.encode())):
        assert read_bif(io.BytesIO(data)) == read(GOOD)


@pytest.mark.parametrize("other", ["a.bif", DAG("A->B"), GaussianNetwork(DAG("x"), {"x": 0}, {}, {"x": 1})])
def test_only_categorical_networks_can_be_written(other, tmp_path):
    with pytest.raises(TypeError, match=r"write_bif needs a CategoricalNetwork, .* not a"):
        write_bif(other, tmp_path / "a.bif")


@pytest.mark.parametrize("states", [(0, 1), (False, True), (0.5, 1.5), ("0", "1")])
def test_states_keep_their_type(states, tmp_path):
    network = CategoricalNetwork(DAG("A->B"), {"A": states, "B": ("x", "y")}, {"A": [.5, .5], "B": [[.1, .9]] * 2})
    write_bif(network, tmp_path / "net.bif")
    again = read_bif(tmp_path / "net.bif")
    assert again == network and [type(s) for s in again.states["A"]] == [type(s) for s in states]
    assert CategoricalNetwork.load(network.save(tmp_path / "net.json")) == network
