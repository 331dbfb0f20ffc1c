"""Random networks for tests, and the slow sure way to everything: the whole joint table."""

from itertools import product

import numpy as np
from hypothesis import strategies as st

import bnteach as bn


@st.composite
def networks(draw, most=6, zeros=True):
    """Small networks with any graph, one to three states a variable, and perhaps some probabilities of 0."""
    names = list("ABCDEFGH"[: draw(st.integers(1, most))])
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    order, density = random.permutation(names).tolist(), draw(st.floats(0, 1))
    arcs = [(a, b) for i, a in enumerate(order) for b in order[i + 1:] if random.random() < density]
    dag = bn.DAG(arcs, names)
    states = {name: tuple(range(random.integers(1, 4))) for name in names}
    return bn.CategoricalNetwork(dag, states, {name: _table(random, dag, states, name, zeros) for name in names})


def _table(random, dag, states, name, zeros):
    sizes = [len(states[p]) for p in dag.parents(name)]
    table = random.dirichlet(np.ones(len(states[name])), size=sizes or None)
    if zeros and len(states[name]) > 1 and random.random() < .3:
        table[..., 0] = 0
        table /= table.sum(axis=-1, keepdims=True)
    return table


def joint(network):
    """{row: probability} over all combinations of states, multiplied out by a plain loop."""
    nodes, table = network.dag.nodes, {}
    for row in product(*(range(len(network.states[n])) for n in nodes)):
        at = dict(zip(nodes, row))
        p = 1.0
        for n in nodes:
            p *= network.tables[n][tuple(at[q] for q in (*network.dag.parents(n), n))]
        table[row] = p
    return table
