"""Tests, trees, PC and MMHC against R's bnlearn, whose C code is in bnlearn-port (import pybnlearn).

`pip install --group peers` brings it; without it these tests are skipped. Differences, each of them tested here:
- Its tests with adjusted degrees of freedom ("x2-adf", "mi-adf") return 0 where there are fewer than 5 rows per cell.
- Where v-structures contradict each other, its PC keeps the one with the smaller p-value; here, the first.
- Its MMPC compares p-values alone, and many are 0 to all decimals; here the statistic decides among those.
"""

import gzip
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bnteach as bn

pytestmark = pytest.mark.filterwarnings("ignore")
bnlearn = pytest.importorskip("pybnlearn", reason="bnlearn-port is not installed: pip install --group peers")

TESTS = {"x2": (bn.ChiSquare, False), "mi": (bn.GSquare, False),
         "x2-adf": (bn.ChiSquare, True), "mi-adf": (bn.GSquare, True)}


def random_table(seed):
    """Four to eight columns of two to four states, most of them noisy copies of one before."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(30, 1500)), {}
    for i in range(rng.integers(4, 9)):
        size = int(rng.integers(2, 5))
        column = rng.integers(0, size, rows)
        if i and rng.random() < .8:
            column = np.where(rng.random(rows) < rng.uniform(.2, .7), columns[f"v{rng.integers(i)}"] % size, column)
        columns[f"v{i}"] = column
    return bn.Table(columns)


def of_network(name, rows, tmp_path):
    """Rows of a network in pgmpy's wheel, without columns that are constant in them."""
    if not find_spec("pgmpy"):
        pytest.skip("pgmpy, whose wheel has the networks, is not installed: pip install --group peers")
    packed = Path(find_spec("pgmpy").origin).parent / "utils" / "example_models" / f"{name}.bif.gz"
    (tmp_path / "network.bif").write_bytes(gzip.decompress(packed.read_bytes()))
    rows = bn.Table(bn.read_bif(tmp_path / "network.bif").sample(rows, seed=1))
    return rows.select(*(name for name in rows.variables if len(np.unique(rows.codes(name))) > 1))


def as_factors(table):
    """The frame that bnlearn takes, and a Table of the same."""
    frame = pd.DataFrame({name: pd.Categorical([f"s{code}" for code in table.codes(name)]) for name in table.variables})
    return frame, bn.Table(frame)


def edges(pairs):
    return {frozenset(pair) for pair in pairs}


DATA = [*range(30), *((name, rows) for name in ("asia", "alarm", "insurance") for rows in (500, 2000))]


@pytest.fixture(params=DATA, ids=str)
def data(request, tmp_path):
    found = request.param
    return as_factors(random_table(found) if isinstance(found, int) else of_network(*found, tmp_path))


@pytest.mark.parametrize("seed", range(30))
def test_every_test_has_the_same_statistic_degrees_of_freedom_and_p_value(seed):
    frame, table = as_factors(random_table(seed))
    rng, few = np.random.default_rng(seed), 0
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


def test_mmpc_finds_the_same_candidates_where_no_p_value_vanishes(data):
    frame, table = data
    ours, theirs = bn.mmpc(bn.GSquare(table, adjust=False)), edges(bnlearn.arcs(bnlearn.mmpc(frame, test="mi")))
    differ = edges(ours.graph.skeleton) ^ theirs
    for target in {name for edge in differ for name in edge}:
        added = [step.p_value for step in ours.trace.only("Added") if step.target == target]
        assert sum(p < 1e-15 for p in added) > 1, "the first of several p-values of 0 was not the strongest"
    assert len(differ) <= 1


def test_mmhc_scores_no_worse_with_the_same_candidates(data):
    frame, table = data
    ours, score = bn.mmhc(table, oracle=bn.GSquare(table, adjust=False)), bn.BIC(table)
    if edges(ours.candidates.skeleton) == edges(bnlearn.arcs(bnlearn.mmpc(frame, test="mi"))):
        theirs = bn.DAG(bnlearn.arcs(bnlearn.mmhc(frame, restrict_args={"test": "mi"})), table.variables)
        assert score(theirs) <= ours.score + 1e-6
