"""Tests, trees, PC and MMHC against R's bnlearn, whose C code is in bnlearn-port (import pybnlearn).

`pip install --group peers` brings it; without it these tests are skipped. CONTRIBUTING.md lists the differences, each
of which is tested here, and their reasons.
"""

import numpy as np
import pytest

import bnteach as bn
from tests.peers.samples import DATA, both

pytestmark = pytest.mark.filterwarnings("ignore")
bnlearn = pytest.importorskip("pybnlearn", reason="bnlearn-port is not installed: pip install --group peers")

TESTS = {"x2": (bn.ChiSquare, False), "mi": (bn.GSquare, False),
         "x2-adf": (bn.ChiSquare, True), "mi-adf": (bn.GSquare, True)}


def edges(pairs):
    return {frozenset(pair) for pair in pairs}


@pytest.fixture(params=DATA, ids=str)
def data(request, tmp_path):
    return both(request.param, tmp_path)


@pytest.mark.parametrize("found", DATA, ids=str)
def test_every_test_has_the_same_statistic_degrees_of_freedom_and_p_value(found, tmp_path):
    frame, table = both(found, tmp_path)
    rng, few = np.random.default_rng(DATA.index(found)), 0
    for _ in range(10):
        x, y, *others = rng.permutation(table.variables).tolist()
        given = others[: rng.integers(0, 4)]
        cells = np.prod([table.sizes[name] for name in (x, y, *given)])
        for name, (test, adjust) in TESTS.items():
            ours = test(table, adjust=adjust)(x, y, given)
            theirs = bnlearn.ci_test(frame, x, y, sx=given or None, test=name)
            assert ours.dof == theirs["parameter"]["df"]
            if adjust and 5 * cells > len(table):
                few += 1
                assert (theirs["statistic"][name], theirs["p.value"]) == (0, 1)
            else:
                assert ours.statistic == pytest.approx(theirs["statistic"][name], abs=1e-7)
                assert ours.p_value == pytest.approx(theirs["p.value"], abs=1e-9)
    assert few < 20


def test_chow_liu_trees_weigh_the_same(data):
    frame, table = data
    weights = {frozenset(pair): bits for pair, bits in bn.mutual_informations(table).items()}
    theirs = edges(bnlearn.arcs(bnlearn.chow_liu(frame)))
    assert bn.chow_liu(table).weight == pytest.approx(sum(weights[edge] for edge in theirs), abs=1e-9)


@pytest.mark.parametrize("test", ["x2", "mi"])
def test_pc_finds_the_same_skeleton_and_the_same_arcs_where_nothing_conflicts(data, test):
    frame, table = data
    ours, theirs = bn.pc(TESTS[test][0](table, adjust=False)), bnlearn.pc_stable(frame, test=test)
    assert edges(ours.graph.skeleton) == edges(bnlearn.arcs(theirs))
    if not ours.trace.only("Conflict"):
        assert set(ours.graph.arcs) == set(bnlearn.directed_arcs(theirs))


def test_mmpc_finds_the_same_candidates_where_no_p_values_vanish(data):
    frame, table = data
    test = bn.GSquare(table, adjust=False)
    differ = edges(bn.mmpc(test).graph.skeleton) ^ edges(bnlearn.arcs(bnlearn.mmpc(frame, test="mi")))
    for edge in differ:
        vanish = [sum(test(x, y).p_value < 1e-15 for y in table.variables if y != x) for x in edge]
        assert max(vanish) > 1, "the first of several p-values of 0 is not the strongest"
    assert len(differ) <= 3


def test_mmhc_scores_no_worse_with_the_same_candidates(data):
    frame, table = data
    ours, score = bn.mmhc(table, oracle=bn.GSquare(table, adjust=False)), bn.BIC(table)
    if edges(ours.candidates.skeleton) == edges(bnlearn.arcs(bnlearn.mmpc(frame, test="mi"))):
        theirs = bn.DAG(bnlearn.arcs(bnlearn.mmhc(frame, restrict_args={"test": "mi"})), table.variables)
        assert score(theirs) <= ours.score + 1e-6
