"""The networks' samples: the same rows everywhere, and rows that follow the network."""

import hashlib

import numpy as np
import pytest

from bnteach import DataError, datasets


@pytest.mark.parametrize("sample, start", [
    (datasets.alarm, "a0ce1d7839088cde"), (datasets.asia, "ee4bdbc762b07198"), (datasets.child, "8b4d299b3a8fe450")])
def test_the_same_rows_on_every_machine(sample, start):
    t = sample(1000, seed=1)
    rows = np.stack([t.codes(v) for v in t.variables]).astype(np.uint8)
    assert hashlib.sha256(rows.tobytes()).hexdigest().startswith(start)


@pytest.mark.parametrize("name", datasets.NETWORKS)
def test_rows_follow_the_network(name):
    """Of 20,000 rows, the fractions are near the probabilities wherever the parents' states are not rare."""
    network, t = datasets.network(name), getattr(datasets, name)(20_000, seed=3)
    assert t.variables == network.dag.nodes
    for node in t.variables:
        assert t.states(node) == network.states[node]
        counts = t.counts(*network.dag.parents(node), node).reshape(-1, len(t.states(node)))
        rows = counts.sum(axis=1)
        off = np.abs(counts / np.maximum(rows, 1)[:, None] - network.tables[node].reshape(counts.shape)).max(axis=1)
        assert (off < 3 / np.sqrt(np.maximum(rows, 1))).all(), node


def test_another_seed_gives_other_rows_and_fewer_rows_are_no_prefix_of_lies():
    assert (datasets.asia(50, seed=1).to_frame() != datasets.asia(50, seed=2).to_frame()).to_numpy().any()
    assert datasets.asia(50, seed=1).to_frame().equals(datasets.asia(50, seed=1).to_frame())
    assert len(datasets.asia()) == 10_000


def test_an_unknown_network_is_named():
    with pytest.raises(DataError, match="no network 'alram' here; there are alarm, asia, child"):
        datasets.network("alram")
    assert datasets.network("ALARM") == datasets.network("alarm")
