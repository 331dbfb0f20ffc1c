"""The bootstrap: shares that can be counted by hand, the threshold by brute force, and the exact posterior."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnteach as bn
from bnteach import DAG, PDAG, BDeu, Bootstrap, bootstrap, datasets


def shares(*graphs: str) -> Bootstrap:
    return Bootstrap(("A", "B", "C", "D"), tuple(PDAG(graph, nodes="ABCD") for graph in graphs))


def test_edges_and_directions_are_counted_on_cpdags():
    found = bootstrap(lambda table: DAG("A->B, C->B, B->D"), datasets.five_rows(), n=3)
    assert found.arc("A", "B") == found.edge("A", "B") == 1 and found.arc("B", "A") == 0
    chain = bootstrap(lambda table: DAG("A->B, B->C, D"), datasets.five_rows(), n=3)
    assert chain.edge("A", "B") == 1 and chain.arc("A", "B") == 0, "the direction is open in the class"


def test_the_averaged_graph():
    found = shares("A->B, C->B", "A->B, C->B", "A-B", "C-D")
    assert found.table()["edge"].tolist() == [0.75, 0.5, 0.25]
    assert found.graph(0.4) == PDAG("A->B, C->B, D") and found.graph(0.6) == PDAG("A->B, C, D")
    assert found.graph(0.1) == PDAG("A->B, C->B, C-D") and found.graph(1) == PDAG("A, B, C, D")


def test_no_directed_cycle_closes():
    found = shares("A->B", "A->B", "B->C", "B->C", "C->A")
    assert found.graph(0) == PDAG("A->B, B->C, A-C, D")


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=12))
def test_the_threshold_is_closest_to_the_ideal_distribution(present):
    pairs = [(a, b) for i, a in enumerate("ABCD") for b in "ABCD"[i + 1:]]
    found = Bootstrap(tuple("ABCD"), tuple(PDAG((), [p for p, there in zip(pairs, row) if there], "ABCD")
                                           for row in present))
    values = np.sort([found.edge(*pair) for pair in pairs])
    grid = (np.arange(20_000) + 0.5) / 20_000
    distribution = np.searchsorted(values, grid, side="right") / 6
    levels = np.arange(7) / 6
    distance = [np.abs(distribution - level).mean() for level in levels]
    here = (values <= found.threshold).mean()
    assert min(abs(here - level) for level, d in zip(levels, distance) if d <= min(distance) + 1e-3) < 1e-9


def test_edges_that_are_always_there_or_never():
    found = shares("A-B, C-D", "A-B, C-D")
    assert found.threshold == 0 and found.graph() == PDAG("A-B, C-D")


def test_the_same_seed_gives_the_same_graphs_with_one_process_or_two():
    table = datasets.asia(200)
    learner = lambda sample: bn.hill_climb(bn.BIC(sample))  # noqa: E731
    one = bootstrap(learner, table, n=6, seed=4)
    assert one == bootstrap(learner, table, n=6, seed=4, jobs=2) and one != bootstrap(learner, table, n=6, seed=5)
    assert one == bootstrap(learner, table, n=6, seed=4, jobs=None), "a process per core"


def test_it_agrees_with_the_exact_posterior():
    """The shares are not posterior probabilities, but they rank the edges of ASIA much alike."""
    table = datasets.asia(500)
    exact = bn.arc_posterior(BDeu(table))
    found = bootstrap(lambda sample: bn.exact(BDeu(sample)), table, n=60, jobs=2)
    pairs = [(a, b) for i, a in enumerate(table.variables) for b in table.variables[i + 1:]]
    both = np.array([(found.edge(a, b), exact.loc[a, b] + exact.loc[b, a]) for a, b in pairs])
    assert np.corrcoef(both.T)[0, 1] > 0.8


def test_measurements_pictures_and_errors():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=list("ABC")).assign(D=lambda f: f.A * 2)
    found = bootstrap(lambda data: bn.pc(bn.FisherZ(data)), bn.Measurements(frame), n=5)
    assert found.edge("A", "D") == 1 and 'stroke-width="' in found._repr_html_()
    assert "100%" in bn.draw(found).svg and 'stroke-width="4.8"' in bn.draw(found).svg
    with pytest.raises(TypeError, match="function of the data"):
        bootstrap("ges", frame)
    with pytest.raises(TypeError, match="bootstrap needs a graph or a Result"):
        bootstrap(lambda table: 3, datasets.five_rows(), n=1)
    with pytest.raises(ValueError, match="n"):
        bootstrap(bn.chow_liu, datasets.five_rows(), n=0)


def test_wrong_names_thresholds_and_seeds_are_errors():
    found = shares("A-B", "A-B", "C-D")
    for wrong in (found.edge, found.arc):
        with pytest.raises(bn.UnknownVariable, match="there is no variable 'E' in the data"):
            wrong("A", "E")
    for threshold in (1.5, -0.1, "0.5"):
        with pytest.raises(ValueError, match="threshold="):
            found.graph(threshold)
    with pytest.raises(ValueError, match="seed='x' must be a whole number"):
        bootstrap(bn.chow_liu, datasets.five_rows(), seed="x")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_learner_that_fails_says_in_which_resample(jobs):
    frame = pd.DataFrame({"A": np.arange(12.0), "B": [0.0] * 11 + [1]})  # often without the 1
    with pytest.raises(bn.DataError) as failed:
        bootstrap(lambda data: bn.pc(bn.FisherZ(data)), bn.Measurements(frame), n=20, jobs=jobs)
    assert "of 20. A value that is rare" in failed.value.__notes__[0]
