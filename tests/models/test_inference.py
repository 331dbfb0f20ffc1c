"""Posterior distributions and predictions against enumeration of all combinations of states."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.models import elimination
from bnteach.models.elimination import Intractable, query
from bnteach.models.inference import Impossible
from bnteach.tables.contingency import merge_rows
from tests.models.random_networks import joint, networks


def enumerated(network, targets, evidence):
    """P(targets, evidence) for each combination of the targets' states: the sum over all matching rows."""
    nodes, answer = network.dag.nodes, np.zeros([len(network.states[a]) for a in targets])
    for row, p in joint(network).items():
        at = dict(zip(nodes, row))
        if all(at[name] == state for name, state in evidence.items()):
            answer[tuple(at[a] for a in targets)] += p
    return answer


@given(networks(), st.data())
@settings(max_examples=150)
def test_posterior_equals_enumeration(network, data):
    nodes = network.dag.nodes
    targets = data.draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=2, unique=True))
    others = [n for n in nodes if n not in targets]
    evidence = {n: data.draw(st.sampled_from(network.states[n])) for n in others if data.draw(st.booleans())}
    expected = enumerated(network, targets, evidence)
    if expected.sum() == 0:
        with pytest.raises(Impossible, match="has probability 0"):
            network.posterior(targets, evidence)
    else:
        found = network.posterior(targets, evidence).to_numpy()
        assert found == pytest.approx(expected.ravel() / expected.sum(), abs=1e-12)


@given(networks(zeros=False), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_rows_queried_together_equal_rows_queried_one_by_one(network, seed):
    random, nodes = np.random.default_rng(seed), network.dag.nodes
    codes = {n: random.integers(-1, len(network.states[n]), 7) for n in nodes}
    targets = tuple(random.permutation(nodes)[:2].tolist())
    together, logs = query(network, targets, codes)
    for i in range(7):
        evidence = {n: int(codes[n][i]) for n in nodes if codes[n][i] >= 0}
        alone = enumerated(network, targets, evidence)
        assert together[i] == pytest.approx(alone / alone.sum(), abs=1e-12)
        assert logs[i] == pytest.approx(np.log(alone.sum()), abs=1e-9)


def test_many_rows_are_queried_in_batches(monkeypatch):
    network = bn.datasets.network("asia")
    codes = {n: np.random.default_rng(1).integers(-1, 2, 50) for n in ("xray", "dysp", "smoke")}
    whole = query(network, ("lung", "tub"), codes)
    monkeypatch.setattr(elimination, "MAX_CELLS", 100)
    parts = query(network, ("lung", "tub"), codes)
    assert all(np.allclose(a, b) for a, b in zip(whole, parts))


@given(st.integers(0, 2**32 - 1), st.integers(0, 90))
@settings(max_examples=40)
def test_rows_are_merged_as_numpy_merges_them(seed, columns):
    """With 90 columns of four codes, the number of a row would not fit into 64 bits."""
    random = np.random.default_rng(seed)
    rows = random.integers(-1, 3, (5, columns))[random.integers(0, 5, 30)]
    distinct, which = merge_rows({f"x{i}": rows[:, i].astype(np.int8) for i in range(columns)}, 30)
    if columns:
        expected, index = np.unique(rows, axis=0, return_inverse=True)
        assert np.array_equal(np.column_stack(list(distinct.values())), expected)
        assert which.tolist() == index.ravel().tolist()
    else:
        assert distinct == {} and which.tolist() == [0] * 30


def test_posteriors_published_for_asia():
    asia = bn.datasets.network("asia")  # the figures of Lauritzen and Spiegelhalter (1988), section 2
    assert asia.posterior("tub")["yes"] == pytest.approx(.0104)
    assert asia.posterior("either")["yes"] == pytest.approx(.0648, abs=5e-5)
    cough = asia.posterior("lung", {"dysp": "yes"})
    assert cough["yes"] == pytest.approx(.1028, abs=5e-4)
    assert asia.posterior("bronc", {"dysp": "yes"})["yes"] == pytest.approx(.834, abs=5e-4)


def test_a_long_chain_does_not_underflow():
    n = 400
    dag = bn.DAG([(f"x{i}", f"x{i + 1}") for i in range(n - 1)])
    tables = {v: [[.999, .001], [.001, .999]] if dag.parents(v) else [.5, .5] for v in dag.nodes}
    chain = bn.CategoricalNetwork(dag, dict.fromkeys(dag.nodes, (0, 1)), tables)
    flips = {f"x{i}": i % 2 for i in range(n)}  # the evidence has probability about 10^-1197
    del flips["x200"]
    assert chain.posterior("x200", flips)[1] == pytest.approx(.999**2 / (.999**2 + .001**2), abs=1e-12)
    assert query(chain, (), {name: np.array([s]) for name, s in flips.items()})[1][0] < -2000


def test_long_hidden_chains_do_not_underflow():
    n = 150  # hidden states that never change, each with a binary observation
    dag = bn.DAG([(f"h{i}", f"h{i + 1}") for i in range(n - 1)] + [(f"h{i}", f"s{i}") for i in range(n)])
    tables = {v: [.5, .5] if v == "h0" else [[1, 0], [0, 1]] if v[0] == "h" else [[.999, .001], [.998, .002]]
              for v in dag.nodes}
    network = bn.CategoricalNetwork(dag, dict.fromkeys(dag.nodes, (0, 1)), tables)
    signs = {f"s{i}": 1 for i in range(n)}  # 10^-450 if the state is 0, 2^150 times that if it is 1
    assert network.posterior("h0", signs)[0] == pytest.approx(1 / (1 + 2**150), rel=1e-9)
    logs = query(network, (), {name: np.array([s]) for name, s in signs.items()})[1]
    assert logs[0] == pytest.approx(np.log(.5) + n * np.log(.002))


def test_alarm_is_solved_exactly_although_its_joint_distribution_fits_no_memory():
    alarm = bn.datasets.network("alarm")
    p = alarm.posterior("HYPOVOLEMIA", {"HR": "HIGH", "BP": "LOW"})
    rows = alarm.sample(200_000, seed=1)
    frequencies = rows[(rows.HR == "HIGH") & (rows.BP == "LOW")].HYPOVOLEMIA.value_counts(normalize=True)
    assert p["TRUE"] == pytest.approx(frequencies["TRUE"], abs=.01)


def test_intractable_queries_are_refused_with_the_treewidth():
    roots = [f"r{i}" for i in range(28)]
    arcs = [(root, f"{a}_{b}") for a, b in combinations(roots, 2) for root in (a, b)]
    dag = bn.DAG(arcs, roots)
    tables = {v: np.full([2] * (len(dag.parents(v)) + 1), .5) for v in dag.nodes}
    network = bn.CategoricalNetwork(dag, dict.fromkeys(dag.nodes, (0, 1)), tables)
    children = [node for node in dag.nodes if dag.parents(node)]
    with pytest.raises(Intractable, match=r"over 27 variables with 134,217,728 cells.*treewidth is about 26"):
        network.posterior("r0", dict.fromkeys(children[1:], 1))
    assert network.posterior("r0")[0] == .5, "without evidence the children are irrelevant"
    assert network.posterior("r0", dict.fromkeys(children + roots[3:], 1))[0] == .5, "observed variables need no sum"


@given(networks(max_nodes=5, zeros=False), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_predictions_of_rows_are_the_most_probable_states(network, seed):
    random, node = np.random.default_rng(seed), network.dag.nodes[0]
    rows = pd.DataFrame({n: random.choice([*network.states[n], None], 6) for n in network.dag.nodes}, dtype=object)
    predicted = network.predict(node, rows)
    for i, row in rows.iterrows():
        observed = {n: s for n, s in row.items() if s is not None and n != node}
        posterior = network.posterior(node, observed)
        assert predicted.probability[i] == pytest.approx(posterior.max())
        assert posterior[predicted[node][i]] == pytest.approx(posterior.max())
        single = network.predict(node, observed)
        assert (single.state, single.probability) == (predicted[node][i], pytest.approx(predicted.probability[i]))


def test_prediction_accepts_tables_frames_and_absent_columns():
    t = bn.datasets.five_rows()
    network = bn.fit("A->B, A->C, B->D", t)
    frame = t.to_frame().drop(columns="C").set_index(pd.Index(list("vwxyz")))
    predicted = network.predict("D", frame)
    assert list(predicted.index) == list("vwxyz") and predicted.D.tolist() == ["~d", "~d", "d", "~d", "~d"]
    assert predicted.probability.tolist() == pytest.approx([.75, .75, 1, .75, .75])
    assert network.predict("D", t).D.tolist() == predicted.D.tolist()
    assert network.predict("D", {"B": "b", "D": "d"}) == ("~d", .75), "the variable's own column is ignored"
    assert network.predict("A", {}) == ("a", pytest.approx(.8))
    assert network.predict("A", pd.DataFrame({"B": [None, None]})).probability.tolist() == pytest.approx([.8, .8])
    with pytest.raises(bn.UnknownVariable, match=r"no variable \['A'\] in the network"):
        network.predict(["A"], {})


def test_of_equally_probable_states_the_first_is_predicted():
    network = bn.CategoricalNetwork(bn.DAG("A"), {"A": ("z", "y", "x")}, {"A": [.2, .4, .4]})
    assert network.predict("A", {}).state == "y"


@pytest.mark.parametrize(("call", "message"), [
    (lambda n: n.posterior("Z"), "no variable 'Z' in the network"),
    (lambda n: n.posterior("A", {"Z": 1}), "no variable 'Z' in the network"),
    (lambda n: n.posterior("A", {"B": "bb"}), "B has no state 'bb'; its states are 'b', '~b'"),
    (lambda n: n.posterior("A", {"A": "a"}), "A is a query variable and is also in the evidence"),
    (lambda n: n.posterior(["A", "A"]), "the query names A twice"),
    (lambda n: n.posterior("A", ["B"]), "values are given by name"),
    (lambda n: n.posterior("A", {"B": "~b", "D": "~d"}), "B = ~b, D = ~d has probability 0"),
    (lambda n: n.predict("A", pd.DataFrame({"Q": ["b"]})), "no variable 'Q'"),
    (lambda n: n.log_likelihood({"A": ["a", None], "B": ["b", "b"]}), "has 1 missing value"),
])
def test_errors(call, message):
    network = bn.fit("A->B, A->C, B->D", bn.datasets.five_rows())
    with pytest.raises((ValueError, KeyError, TypeError), match=message):
        call(network)


def test_a_row_of_probability_0_is_marked_and_other_columns_are_ignored():
    network = bn.fit("A->B, A->C, B->D", bn.datasets.five_rows())
    found = network.predict("A", pd.DataFrame({"B": ["b", "~b"], "D": ["d", "~d"], "date": ["x", "y"]}))
    assert found.isna().to_numpy().tolist() == [[False, False], [True, True]] and found.A[0] == "a"


@settings(max_examples=20)
@given(networks(max_nodes=4), st.data())
def test_doing_is_seeing_where_the_parents_are_cut(network, data):
    """P(all others | do(x)) is the product of the CPTs without that of x: the truncated factorization."""
    x = data.draw(st.sampled_from(network.dag.nodes))
    value = data.draw(st.sampled_from(network.states[x]))
    after = network.do({x: value})
    for row in product(*(network.states[node] for node in network.dag.nodes)):
        values = dict(zip(network.dag.nodes, row))
        expected = np.prod([network.entry(node, values) for node in network.dag.nodes if node != x])
        assert after.probability(values) == pytest.approx(expected if values[x] == value else 0)
    assert not after.dag.parents(x)


def test_states_declared_but_absent():
    frame = pd.DataFrame({"A": pd.Categorical(["a", "b", "a"], ["a", "b", "c"]), "B": [0, 1, 1]})
    network = bn.fit("A->B", {"A": ["a", "b", "a"], "B": [0, 1, 1]})
    assert network.log_likelihood(frame) == pytest.approx(network.log_likelihood(frame.astype({"A": str})))
