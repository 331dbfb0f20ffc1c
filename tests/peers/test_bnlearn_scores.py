"""Scores of the same graphs as in R's bnlearn (bnlearn-port), in nats.

One difference: bnlearn estimates a Gaussian family's variance by its residual sum of squares over n - k, where k counts
the coefficients; bnteach by that over n - 1. So the log-likelihoods differ by a known amount.
"""

import numpy as np
import pytest

import bnteach as bn
from tests.peers.samples import DATA, both

bnlearn = pytest.importorskip("pybnlearn", reason="bnlearn-port is not installed: pip install --group peers")
SCORES = {"loglik": bn.LogLikelihood, "aic": bn.AIC, "bic": bn.BIC, "bde": bn.BDeu, "k2": bn.K2}
GAUSSIAN = {"loglik-g": bn.LogLikelihood, "aic-g": bn.AIC, "bic-g": bn.BIC}


def random_dag(variables, seed, chance):
    """Arcs from earlier to later variables in a random order, each with the given chance, at most three parents."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(variables).tolist()
    return bn.DAG([(parent, child) for i, child in enumerate(order)
                   for parent in [p for p in order[:i] if rng.random() < chance][:3]], variables)


def there(dag, frame):
    network = bnlearn.empty_graph(list(frame.columns))
    for parent, child in dag.arcs:
        network = bnlearn.set_arc(network, parent, child)
    return network


def below_maximum(n, k):
    """How far the log-likelihood of n rows is below its maximum when the variance is the residual sum over n - k."""
    return n / 2 * (-k / n - np.log1p(-k / n))


@pytest.mark.parametrize("found", DATA, ids=str)
def test_categorical_scores_are_the_same(found, tmp_path):
    frame, table = both(found, tmp_path)
    dag = random_dag(table.variables, DATA.index(found), 2 / len(table.variables))
    network = there(dag, frame)
    for name, score in SCORES.items():
        ours, theirs = score(table, base=np.e)(dag), bnlearn.score(network, frame, type=name)
        assert ours == pytest.approx(theirs, rel=1e-9), name


@pytest.mark.parametrize("seed", range(10))
def test_gaussian_scores_differ_by_the_estimate_of_the_variance(seed):
    wine = bn.datasets.wine()
    frame, n = wine.to_frame(), len(wine.values)
    dag = random_dag(wine.variables, seed, .3)
    network = there(dag, frame)
    more = sum(below_maximum(n, len(dag.parents(x)) + 1) - below_maximum(n, 1) for x in dag.nodes)
    for name, score in GAUSSIAN.items():
        ours, theirs = score(wine, base=np.e)(dag), bnlearn.score(network, frame, type=name)
        assert ours == pytest.approx(theirs + more, rel=1e-9), name
