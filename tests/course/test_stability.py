"""The shares that lesson 18 shows are those that the bootstrap gives."""

import numpy as np
import pytest

from bnteach import datasets
from bnteach.course.supplements.stability import COLUMNS, DATA, LEARNERS, RESAMPLES, shares


def test_the_stored_shares_are_whole():
    kept = datasets.stability()
    assert kept.columns.tolist() == COLUMNS
    assert set(zip(kept.data, kept.learner)) == {(data, learner) for data in DATA for learner in LEARNERS}
    assert ((kept.edge > 0) & (kept.edge <= 1) & (kept["a -> b"] + kept["b -> a"] <= kept.edge + 1e-9)).all()
    times = kept.edge * RESAMPLES
    assert np.allclose(times, times.round())


@pytest.mark.parametrize("data, learner", [("wines", "PC"), ("Sachs, 853 cells, logarithms", "hill climbing")])
def test_a_run_comes_out_again(data, learner):
    kept = datasets.stability()
    stored = kept[(kept.data == data) & (kept.learner == learner)].set_index(["a", "b"]).edge
    again = shares(data, learner, jobs=2).set_index(["a", "b"]).edge
    assert stored.sub(again, fill_value=0).abs().max() <= 2 / RESAMPLES, "on another processor a tie may differ"
