"""Hill climbing and tabu search beside R's bnlearn (bnlearn-port): never a lower score."""

import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from tests.peers.samples import NETWORKS, both

bnlearn = pytest.importorskip("pybnlearn")


def sampled(seed):
    """Rows of a random network of 5 to 11 variables with 2 or 3 states."""
    random = np.random.default_rng(seed)
    rows, columns = int(random.choice([50, 200, 1000, 5000])), {}
    for i in range(int(random.integers(5, 12))):
        states, parents = int(random.integers(2, 4)), [p for p in columns if random.random() < 2 / max(1, i)][:3]
        code = sum((columns[p] * 3**j for j, p in enumerate(parents)), np.zeros(rows, int))
        cpt = random.dirichlet([0.5] * states, size=3 ** len(parents))
        columns[f"v{i}"] = (cpt[code].cumsum(axis=1) < random.random(rows)[:, None]).sum(axis=1).clip(0, states - 1)
    return pd.DataFrame({name: codes for name, codes in columns.items() if len(set(codes.tolist())) > 1})


@pytest.mark.parametrize("seed", range(100))
def test_no_lower_score_than_bnlearn(seed):
    frame = sampled(seed)
    no_lower(bn.BIC(bn.Table(frame)), frame.astype(str).astype("category"))


@pytest.mark.parametrize("found", NETWORKS, ids=str)
def test_no_lower_score_than_bnlearn_on_networks_of_the_field(found, tmp_path):
    frame, table = both(found, tmp_path)
    no_lower(bn.BIC(table), frame)


def no_lower(score, categories):
    for ours, theirs in ((bn.hill_climb(score), bnlearn.hc(categories, score="bic")),
                         (bn.hill_climb(score, tabu=10), bnlearn.tabu(categories, score="bic", tabu=10))):
        arcs = [tuple(arc) for arc in bnlearn.directed_arcs(theirs)]
        assert ours.score >= score(bn.DAG(arcs, score.variables)) - 1e-6
