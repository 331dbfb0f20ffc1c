"""PC's skeleton against other libraries, on the same data with the same rule.

`pip install --group peers` brings them; without them these tests are skipped. Both of them count degrees of
freedom by the states that occur in a stratum (adjust=True here). pgmpy always applies the Yates correction to
2 x 2 strata, so with it only Fisher's z is the same test.
"""

import importlib.util

import numpy as np
import pytest

import bnteach as bn

pytestmark = pytest.mark.filterwarnings("ignore")


def needs(package):
    there = importlib.util.find_spec(package) is not None
    return pytest.mark.skipif(not there, reason=f"{package} is not installed: pip install --group peers")


def coded(table):
    """The rows of a Table as numbers, a column a variable."""
    return np.column_stack([table.codes(name) for name in table.variables]).astype(np.int64)


def songs():
    """Twenty songs in two groups of shared taste, each in a few per cent of the playlists."""
    rng = np.random.default_rng(7)
    taste = rng.random((5000, 2)) < 0.3
    chance = np.where(taste[:, [0] * 10 + [1] * 10], rng.uniform(0.1, 0.4, 20), rng.uniform(0.01, 0.1, 20))
    rows = (rng.random((5000, 20)) < chance).astype(int)
    return bn.Table({f"song {i}": rows[:, i] for i in range(20)})


TABLES = {
    "asia": lambda: bn.datasets.asia(5000),
    "child": lambda: bn.datasets.child(3000),
    "alarm": lambda: bn.datasets.alarm(2000),
    "songs": songs,
}


def skeleton(result):
    return {frozenset(pair) for pair in result.graph.skeleton}


def causal_learn_skeleton(data, names, test):
    from causallearn.search.ConstraintBased.PC import pc

    there = pc(data, alpha=0.05, indep_test=test, stable=True, show_progress=False).G.graph
    return {frozenset((names[i], names[j])) for i, j in np.argwhere(there != 0)}


@needs("causallearn")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("ours", "theirs"), [(bn.ChiSquare, "chisq"), (bn.GSquare, "gsq")])
def test_categories_as_in_causal_learn(name, ours, theirs):
    table = TABLES[name]()
    found = skeleton(bn.pc(ours(table, alpha=0.05, adjust=True)))
    assert found == causal_learn_skeleton(coded(table), table.variables, theirs)
    assert len(found) >= 5


@needs("causallearn")
def test_wine_as_in_causal_learn():
    wine = bn.datasets.wine()
    found = skeleton(bn.pc(bn.FisherZ(wine, alpha=0.05)))
    assert found == causal_learn_skeleton(wine.values, wine.variables, "fisherz")


@needs("pgmpy")
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_measurements_as_in_pgmpy(seed):
    PC = pytest.importorskip("pgmpy.causal_discovery", reason="pgmpy 1.1 or newer is needed").PC

    data = bn.datasets.wine() if seed is None else gaussian(seed)
    there = PC(variant="stable", ci_test="fisher_z", significance_level=0.05, max_cond_vars=12, show_progress=False)
    there.fit(data.to_frame())
    assert skeleton(bn.pc(bn.FisherZ(data, alpha=0.05))) == {frozenset(edge) for edge in there.skeleton_.edges}


def gaussian(seed):
    """Ten variables, each a random combination of some before it."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(500, 10))
    for i in range(1, 10):
        columns[:, i] += columns[:, :i] @ (rng.uniform(-1, 1, i) * (rng.random(i) < 0.4))
    return bn.Measurements({f"m{i}": columns[:, i] for i in range(10)})
