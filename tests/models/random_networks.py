"""Random networks for tests, and their joint distribution by brute force."""

from itertools import product

import numpy as np
from hypothesis import strategies as st

import bnteach as bn


@st.composite
def networks(draw, max_nodes=6, zeros=True):
    """Small networks with any graph, one to three states per variable, and possibly some probabilities of 0."""
    names = list("ABCDEFGH"[: draw(st.integers(1, max_nodes))])
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    order, density = random.permutation(names).tolist(), draw(st.floats(0, 1))
    arcs = [(a, b) for i, a in enumerate(order) for b in order[i + 1:] if random.random() < density]
    dag = bn.DAG(arcs, names)
    states = {name: tuple(range(random.integers(1, 4))) for name in names}
    return bn.CategoricalNetwork(dag, states, {name: _cpt(random, dag, states, name, zeros) for name in names})


def _cpt(random, dag, states, name, zeros):
    sizes = [len(states[p]) for p in dag.parents(name)]
    cpt = random.dirichlet(np.ones(len(states[name])), size=sizes or None)
    if zeros and len(states[name]) > 1 and random.random() < .3:
        cpt[..., 0] = 0
        cpt /= cpt.sum(axis=-1, keepdims=True)
    return cpt


def joint(network):
    """{row: probability} for all combinations of states."""
    nodes, probabilities = network.dag.nodes, {}
    for row in product(*(range(len(network.states[n])) for n in nodes)):
        at = dict(zip(nodes, row))
        p = 1.0
        for n in nodes:
            p *= network.cpts[n][tuple(at[q] for q in (*network.dag.parents(n), n))]
        probabilities[row] = p
    return probabilities
