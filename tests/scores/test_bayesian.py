"""BDeu and K2 against the rule of succession, row by row; and which scores treat equivalent graphs alike."""

from math import e, lgamma, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import AIC, BIC, DAG, MDL, DataError, LogLikelihood, Measurements, datasets
from bnteach.scores.bayesian import K2, BDeu
from tests.random_tables import tables


@st.composite
def covered_reversals(draw):
    """A random DAG and the same with a covered arc reversed: an equivalent one."""
    table = draw(tables())
    random, names = np.random.default_rng(draw(st.integers(0, 2**32))), list(table.variables)
    random.shuffle(names)
    arcs = [(a, b) for i, a in enumerate(names) for b in names[i + 1:] if random.random() < 0.6]
    dag = DAG(arcs, table.variables)
    covered = [(a, b) for a, b in dag.arcs if {*dag.parents(a), a} == set(dag.parents(b))]
    return table, dag, dag.with_reversed(*covered[draw(st.integers(0, len(covered) - 1))]) if covered else dag


def one_row_after_another(table, child, parents, pseudo_count):
    """The probability of the child's column, each row predicted from the rows before it and the pseudo-counts."""
    before: dict[tuple, dict] = {}
    logs = 0.0
    states = table.states(child)
    for row in table.to_frame().to_dict("records"):
        counts = before.setdefault(tuple(row[p] for p in parents), dict.fromkeys(states, pseudo_count))
        logs += log(counts[row[child]] / sum(counts.values()))
        counts[row[child]] += 1
    return logs


@settings(max_examples=60, deadline=None)
@given(tables(), st.floats(0.1, 20), st.data())
def test_both_are_the_rule_of_succession(table, ess, data):
    child, *others = data.draw(st.permutations(table.variables))
    parents = others[: data.draw(st.integers(0, len(others)))]
    cells = np.prod([len(table.states(v)) for v in (child, *parents)])
    assert K2(table).family(child, parents) == pytest.approx(one_row_after_another(table, child, parents, 1), abs=1e-9)
    assert BDeu(table, ess).family(child, parents) == pytest.approx(
        one_row_after_another(table, child, parents, ess / cells), abs=1e-8)


@settings(max_examples=100, deadline=None)
@given(covered_reversals())
def test_equivalent_graphs_have_equal_scores(case):
    table, one, other = case
    for score in (LogLikelihood(table), AIC(table), MDL(table), BIC(table), BDeu(table), BDeu(table, ess=7)):
        assert score.score_equivalent
        assert score(one) == pytest.approx(score(other), abs=1e-9)


def test_k2_is_not_score_equivalent():
    k2, t = K2(datasets.five_rows()), datasets.five_rows()
    assert not k2.score_equivalent
    # by hand: A is 4:1 and C is 2:3; given a, C is 1:3, given ~a it is 1:0; given c, A is 1:1, given ~c it is 3:0
    a_then_c = log(1 / 30) + log(1 / 20) + log(1 / 2)  # 4!1!/6!, 1!3!/5!, 1!0!/2!
    c_then_a = log(1 / 60) + log(1 / 6) + log(1 / 4)  # 2!3!/6!, 1!1!/3!, 3!0!/4!
    assert k2.family("A") + k2.family("C", "A") == pytest.approx(a_then_c)
    assert k2.family("C") + k2.family("A", "C") == pytest.approx(c_then_a)
    assert abs(k2(DAG("A->C", t.variables)) - k2(DAG("C->A", t.variables))) > 0.1


def test_units_and_pseudo_counts():
    t = datasets.five_rows()
    assert BDeu(t, base=2)("A->B, C, D") * log(2) == pytest.approx(BDeu(t)("A->B, C, D"))
    assert K2(t, base=2)("A->B, C, D") * log(2) == pytest.approx(K2(t)("A->B, C, D"))
    assert BDeu(t).base == K2(t).base == e
    # one variable, equivalent sample size 1: Gamma(1)/Gamma(1+5) x Gamma(.5+4)/Gamma(.5) x Gamma(.5+1)/Gamma(.5)
    by_hand = lgamma(1) - lgamma(6) + lgamma(4.5) + lgamma(1.5) - 2 * lgamma(0.5)
    assert BDeu(t).family("A") == pytest.approx(by_hand)
    assert repr(BDeu(t, ess=10)) == "BDeu on 5 rows, in nats, equivalent sample size 10"


def test_bad_input_is_explained():
    with pytest.raises(ValueError, match="ess=0 is not an equivalent sample size"):
        BDeu(datasets.five_rows(), ess=0)
    with pytest.raises(ValueError, match="ess='one' is not an equivalent sample size"):
        BDeu(datasets.five_rows(), ess="one")
    for score in (BDeu, K2):
        with pytest.raises(DataError, match="categories are needed here"):
            score(Measurements({"x": [1.5, 2.5], "y": [0.1, 0.7]}))
