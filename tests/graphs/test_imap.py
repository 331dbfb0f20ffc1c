"""I-maps, minimal I-maps and P-maps, against the definitions."""

from itertools import product

import numpy as np
import pytest

import bnteach as bn
from bnteach import DAG
from bnteach.graphs.imap import queries
from tests.graphs.brute import every_dag, fingerprint


def separations(dag):
    return set(bn.independences(dag))


def test_queries_are_all_pairs_with_all_sets():
    asked = list(queries(tuple("ABCDE")))
    assert len(asked) == len(set(asked)) == 10 * 2**3


def test_independences_in_words():
    assert [str(i) for i in bn.independences(DAG("A->B, B->C"))] == ["A _||_ C | B"]
    assert [str(i) for i in bn.independences(DAG("A->C, B->C, D"))] == [
        "A _||_ B", "A _||_ B | D", "A _||_ D", "A _||_ D | C", "A _||_ D | B", "A _||_ D | C, B",
        "C _||_ D", "C _||_ D | A", "C _||_ D | B", "C _||_ D | A, B",
        "B _||_ D", "B _||_ D | A", "B _||_ D | C", "B _||_ D | A, C"]


def test_imap_and_pmap_are_inclusion_and_equality_of_separations():
    dags = list(every_dag("ABC"))
    holds = {dag: separations(dag) for dag in dags}
    for dag, truth in product(dags, dags):
        assert bn.is_imap(dag, truth) == (holds[dag] <= holds[truth])
        assert bn.is_imap(dag, bn.DSeparation(truth)) == (holds[dag] <= holds[truth])
        assert bn.is_pmap(dag, truth) == bn.is_pmap(dag, bn.DSeparation(truth)) == (holds[dag] == holds[truth])
        assert set(bn.markov_violations(dag, truth)) == holds[dag] - holds[truth]
        assert set(bn.faithfulness_violations(dag, truth)) == holds[truth] - holds[dag]


def test_imap_on_four_nodes(dags_4):
    rng = np.random.default_rng(0)
    holds = {dag: separations(dag) for dag in dags_4}
    for i, j in rng.integers(len(dags_4), size=(3000, 2)):
        dag, truth = dags_4[i], dags_4[j]
        assert bn.is_imap(dag, truth) == (holds[dag] <= holds[truth])
        assert bn.is_pmap(dag, truth) == (fingerprint(dag) == fingerprint(truth))


def test_minimal_means_that_no_arc_can_be_removed():
    for dag, truth in product(every_dag("ABC"), every_dag("ABC")):
        mine, true = separations(dag), separations(truth)
        smaller = [separations(dag.without_arc(*arc)) for arc in dag.arcs]
        assert bn.is_minimal_imap(dag, truth) == (mine <= true and not any(s <= true for s in smaller))


def test_the_complete_graph_is_an_imap_of_everything_and_the_empty_one_of_independence_only():
    complete = DAG("A->B, A->C, B->C")
    everything = bn.Statements(variables="ABC", otherwise="independent")
    assert bn.is_imap(complete, everything) and not bn.is_minimal_imap(complete, everything)
    assert bn.is_pmap(DAG("A, B, C"), everything)
    nothing = bn.Statements(variables="ABC")
    assert bn.is_pmap(complete, nothing) and not bn.is_imap(DAG("A, B, C"), nothing)


def test_the_four_variable_example():
    oracle = bn.Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD")
    assert bn.is_pmap(DAG("A->B, A->C, B->D, C->D"), oracle)
    assert bn.is_imap(DAG("A->B, A->C, B->D, C->D, A->D"), oracle)
    assert not bn.is_minimal_imap(DAG("A->B, A->C, B->D, C->D, A->D"), oracle)


def test_xor_has_no_pmap():
    """Any two of three bits are independent, all three are not: no DAG represents that."""
    oracle = bn.Statements("A _||_ B", "A _||_ C", "B _||_ C", variables="ABC")
    assert not any(bn.is_pmap(dag, oracle) for dag in every_dag("ABC"))
    minimal = [dag for dag in every_dag("ABC") if bn.is_minimal_imap(dag, oracle)]
    assert {str(dag) for dag in minimal} == {"A->C, B->C", "A->B, C->B", "B->A, C->A"}


def test_errors():
    with pytest.raises(TypeError, match="a DAG is needed here, not a PDAG"):
        bn.is_imap(bn.PDAG("A-B"), DAG("A->B"))
    for truth in (DAG("A->B"), bn.DSeparation(DAG("A->B"))):
        with pytest.raises(bn.UnknownVariable, match="no variable 'C' in the truth; it has A, B"):
            bn.is_imap(DAG("A, B, C"), truth)
    with pytest.raises(TypeError, match=r"a DAG or an oracle, not a str.*bn\.ChiSquare"):
        bn.is_imap(DAG("A->B"), "A->B")
