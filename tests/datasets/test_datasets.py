"""Samples from well-known networks: reproducible, and distributed as the network."""

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
    """Of 20,000 rows, the relative frequencies are close to the probabilities."""
    network, t = datasets.network(name), getattr(datasets, name)(20_000, seed=3)
    assert t.variables == network.dag.nodes
    for node in t.variables:
        assert t.states(node) == network.states[node]
        counts = t.counts(*network.dag.parents(node), node).reshape(-1, len(t.states(node)))
        rows = counts.sum(axis=1)
        error = np.abs(counts / np.maximum(rows, 1)[:, None] - network.cpts[node].reshape(counts.shape)).max(axis=1)
        assert (error < 3 / np.sqrt(np.maximum(rows, 1))).all(), node


def test_the_seed_determines_the_rows():
    assert (datasets.asia(50, seed=1).to_frame() != datasets.asia(50, seed=2).to_frame()).to_numpy().any()
    assert datasets.asia(50, seed=1).to_frame().equals(datasets.asia(50, seed=1).to_frame())
    assert len(datasets.asia()) == 10_000


def test_an_unknown_network():
    with pytest.raises(DataError, match="no network 'alram'; the networks are alarm, asia, child"):
        datasets.network("alram")
    assert datasets.network("ALARM") == datasets.network("alarm")
