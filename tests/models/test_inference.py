"""Posterior probabilities and predictions, against enumeration of all combinations of states."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.models import elimination
from bnteach.models.elimination import TooHard, query
from bnteach.models.inference import Impossible
from tests.models.random_networks import joint, networks


def enumerated(network, asked, evidence):
    """P(asked, evidence) for each combination of states of `asked`, by summing over all rows that fit."""
    nodes, answer = network.dag.nodes, np.zeros([len(network.states[a]) for a in asked])
    for row, p in joint(network).items():
        at = dict(zip(nodes, row))
        if all(at[name] == state for name, state in evidence.items()):
            answer[tuple(at[a] for a in asked)] += p
    return answer


@given(networks(), st.data())
@settings(max_examples=150)
def test_posterior_is_what_enumeration_says(network, data):
    nodes = network.dag.nodes
    asked = data.draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=2, unique=True))
    others = [n for n in nodes if n not in asked]
    evidence = {n: data.draw(st.sampled_from(network.states[n])) for n in others if data.draw(st.booleans())}
    expected = enumerated(network, asked, evidence)
    if expected.sum() == 0:
        with pytest.raises(Impossible, match="has probability 0"):
            network.posterior(asked, evidence)
    else:
        found = network.posterior(asked, evidence).to_numpy()
        assert found == pytest.approx(expected.ravel() / expected.sum(), abs=1e-12)


@given(networks(zeros=False), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_many_rows_at_once_are_the_rows_one_by_one(network, seed):
    random, nodes = np.random.default_rng(seed), network.dag.nodes
    codes = {n: random.integers(-1, len(network.states[n]), 7) for n in nodes}
    asked = tuple(random.permutation(nodes)[:2].tolist())
    together, known = query(network, asked, codes)
    for i in range(7):
        evidence = {n: int(codes[n][i]) for n in nodes if codes[n][i] >= 0}
        alone = enumerated(network, asked, evidence)
        assert together[i] == pytest.approx(alone / alone.sum(), abs=1e-12)
        assert known[i] == pytest.approx(np.log(alone.sum()), abs=1e-9)


def test_rows_are_cut_into_parts_that_fit(monkeypatch):
    network = bn.datasets.network("asia")
    codes = {n: np.random.default_rng(1).integers(-1, 2, 50) for n in ("xray", "dysp", "smoke")}
    whole = query(network, ("lung", "tub"), codes)
    monkeypatch.setattr(elimination, "MOST_CELLS", 100)
    parts = query(network, ("lung", "tub"), codes)
    assert all(np.allclose(a, b) for a, b in zip(whole, parts))


def test_a_doctor_reasons_with_asia():
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
    flips = {f"x{i}": i % 2 for i in range(n)}  # every row of it has probability about 10^-1197
    del flips["x200"]
    assert chain.posterior("x200", flips)[1] == pytest.approx(.999**2 / (.999**2 + .001**2), abs=1e-12)
    assert query(chain, (), {name: np.array([s]) for name, s in flips.items()})[1][0] < -2000


def test_long_hidden_chains_do_not_underflow():
    n = 150  # hidden states that never change, each with a sign that is wrong 999 times of 1000
    dag = bn.DAG([(f"h{i}", f"h{i + 1}") for i in range(n - 1)] + [(f"h{i}", f"s{i}") for i in range(n)])
    tables = {v: [.5, .5] if v == "h0" else [[1, 0], [0, 1]] if v[0] == "h" else [[.999, .001], [.998, .002]]
              for v in dag.nodes}
    network = bn.CategoricalNetwork(dag, dict.fromkeys(dag.nodes, (0, 1)), tables)
    signs = {f"s{i}": 1 for i in range(n)}  # 10^-450 if the state is 0, 2^150 times that if it is 1
    assert network.posterior("h0", signs)[0] == pytest.approx(1 / (1 + 2**150), rel=1e-9)
    logs = query(network, (), {name: np.array([s]) for name, s in signs.items()})[1]
    assert logs[0] == pytest.approx(np.log(.5) + n * np.log(.002))


def test_alarm_is_answered_exactly_though_its_joint_table_has_more_cells_than_any_memory():
    alarm = bn.datasets.network("alarm")
    p = alarm.posterior("HYPOVOLEMIA", {"HR": "HIGH", "BP": "LOW"})
    rows = alarm.sample(200_000, seed=1)
    seen = rows[(rows.HR == "HIGH") & (rows.BP == "LOW")].HYPOVOLEMIA.value_counts(normalize=True)
    assert p["TRUE"] == pytest.approx(seen["TRUE"], abs=.01)


def test_hopeless_questions_are_refused_and_the_treewidth_said():
    roots = [f"r{i}" for i in range(28)]
    arcs = [(root, f"{a}_{b}") for a, b in combinations(roots, 2) for root in (a, b)]
    dag = bn.DAG(arcs, roots)
    tables = {v: np.full([2] * (len(dag.parents(v)) + 1), .5) for v in dag.nodes}
    network = bn.CategoricalNetwork(dag, dict.fromkeys(dag.nodes, (0, 1)), tables)
    children = [node for node in dag.nodes if dag.parents(node)]
    with pytest.raises(TooHard, match=r"over 27 variables at once, 134,217,728 cells.*treewidth here is about 26"):
        network.posterior("r0", dict.fromkeys(children[1:], 1))
    assert network.posterior("r0")[0] == .5, "without evidence on the children they do not matter"
    assert network.posterior("r0", dict.fromkeys(children + roots[3:], 1))[0] == .5, "what is known need not be summed"


@given(networks(most=5, zeros=False), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_predictions_of_rows_are_the_most_probable_states(network, seed):
    random, node = np.random.default_rng(seed), network.dag.nodes[0]
    rows = pd.DataFrame({n: random.choice([*network.states[n], None], 6) for n in network.dag.nodes}, dtype=object)
    told = network.predict(node, rows)
    for i, row in rows.iterrows():
        known = {n: s for n, s in row.items() if s is not None and n != node}
        chances = network.posterior(node, known)
        assert told.probability[i] == pytest.approx(chances.max())
        assert chances[told[node][i]] == pytest.approx(chances.max())
        single = network.predict(node, known)
        assert (single.state, single.probability) == (told[node][i], pytest.approx(told.probability[i]))


def test_prediction_takes_tables_frames_and_missing_columns():
    t = bn.datasets.five_rows()
    network = bn.fit("A->B, A->C, B->D", t)
    frame = t.to_frame().drop(columns="C").set_index(pd.Index(list("vwxyz")))
    told = network.predict("D", frame)
    assert list(told.index) == list("vwxyz") and told.D.tolist() == ["~d", "~d", "d", "~d", "~d"]
    assert told.probability.tolist() == pytest.approx([.75, .75, 1, .75, .75])
    assert network.predict("D", t).D.tolist() == told.D.tolist()
    assert network.predict("D", {"B": "b", "D": "d"}) == ("~d", .75), "the variable's own column is not looked at"
    assert network.predict("A", {}) == ("a", pytest.approx(.8))
    assert network.predict("A", pd.DataFrame({"B": [None, None]})).probability.tolist() == pytest.approx([.8, .8])
    with pytest.raises(bn.UnknownVariable, match=r"no variable \['A'\] in the network"):
        network.predict(["A"], {})


def test_of_equal_states_the_first_is_predicted():
    network = bn.CategoricalNetwork(bn.DAG("A"), {"A": ("z", "y", "x")}, {"A": [.2, .4, .4]})
    assert network.predict("A", {}).state == "y"


@pytest.mark.parametrize(("ask", "message"), [
    (lambda n: n.posterior("Z"), "no variable 'Z' in the network"),
    (lambda n: n.posterior("A", {"Z": 1}), "no variable 'Z' in the network"),
    (lambda n: n.posterior("A", {"B": "bb"}), "B has no state 'bb'; it has 'b', '~b'"),
    (lambda n: n.posterior("A", {"A": "a"}), "A is asked for and also given"),
    (lambda n: n.posterior(["A", "A"]), "A is asked for twice"),
    (lambda n: n.posterior("A", ["B"]), "evidence is a dictionary"),
    (lambda n: n.posterior("A", {"B": "~b", "D": "~d"}), "B = ~b, D = ~d has probability 0"),
    (lambda n: n.predict("A", pd.DataFrame({"B": ["b", "~b"], "D": ["d", "~d"]})), "row 2 has probability 0"),
    (lambda n: n.predict("A", pd.DataFrame({"Q": ["b"]})), "no variable 'Q'"),
    (lambda n: n.log_likelihood({"A": ["a", None], "B": ["b", "b"]}), "has 1 missing value"),
])
def test_bad_questions_say_what_to_do(ask, message):
    network = bn.fit("A->B, A->C, B->D", bn.datasets.five_rows())
    with pytest.raises((ValueError, KeyError, TypeError), match=message):
        ask(network)
