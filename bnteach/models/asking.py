"""EM's E step as a question (`bn.practice`): what is the expected count of one combination of states?

The wrong answers are those of common mistakes: to leave incomplete rows out, to complete them evenly, to count each of
them in full or for the other states, to round.
"""

from __future__ import annotations

from itertools import product
from zlib import crc32

import numpy as np

from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.expected import ExpectedCounts
from bnteach.questions import Question

MAX_ROWS = 16  # distinct rows that are listed


def expected_count(expected: ExpectedCounts) -> Question | None:
    """Ask for the expected count that differs most from the count of the complete rows."""
    network = expected.network
    if len(expected.rows) > MAX_ROWS or not (families := _incomplete(expected)):
        return None
    node = families[0]
    names = (*network.dag.parents(node), node)
    counts, complete = expected.counts(*names), expected.rows.where(expected.rows.observed(names)).counts(names)
    cell = np.unravel_index(np.round(counts - complete, 9).argmax(), counts.shape)
    right = f"{counts[cell]:.3f}"
    options = {f"{value:.3f}": reason for reason, value in _mistakes(expected, names, cell, complete).items()}
    what = ", ".join(f"{name} = {expected.states(name)[i]}" for name, i in zip(names, cell))
    ordered = dict(sorted({**options, right: ""}.items(), key=lambda option: crc32(option[0].encode())))  # mixed
    return Question(f"E step: what is the expected count of {what}?", ordered, right,
                    [*_rows(expected), *_cpts(network)], marked=names)


def _incomplete(expected: ExpectedCounts) -> list[str]:
    """The variables whose family has a missing value, the variables with missing values first."""
    dag, rows = expected.network.dag, expected.rows
    own = [node for node in dag.nodes if not rows.observed([node]).all()]
    return own + [node for node in dag.nodes if node not in own and not rows.observed(dag.parents(node)).all()]


def _mistakes(expected: ExpectedCounts, names: tuple[str, ...], cell: tuple[np.intp, ...],
              complete: np.ndarray) -> dict[str, float]:
    """What common mistakes give, by the sentence that explains each."""
    network, rows = expected.network, expected.rows
    even = CategoricalNetwork(network.dag, network.states,
                              {node: np.full_like(cpt, 1 / cpt.shape[-1]) for node, cpt in network.cpts.items()})
    compatible = np.ones(len(rows), dtype=bool)
    for name, state in zip(names, cell):
        compatible &= (rows.codes[name] == state) | (rows.codes[name] < 0)
    incomplete = rows.weights[compatible & ~rows.observed(names)].sum()
    count = expected.counts(*names)[cell]
    return {"This is what the incomplete rows count for other states.": incomplete - count + 2 * complete[cell],
            "Expected counts are not rounded.": float(np.floor(count + 0.5)),
            "This leaves incomplete rows out; each counts here by its probability under the CPTs.": complete[cell],
            "This completes missing values evenly, whatever the CPTs say.":
                expected.with_network(even).counts(*names)[cell],
            "This counts every row that could be one in full; its other completions have a part of it.":
                complete[cell] + incomplete}


def _rows(expected: ExpectedCounts) -> list[str]:
    """The distinct rows, with '?' for a missing value."""
    rows = expected.rows
    said = [", ".join(f"{name} = {expected.states(name)[code[i]] if code[i] >= 0 else '?'}"
                      for name, code in rows.codes.items()) for i in range(len(rows))]
    return [f"{weight} row{'s' * (weight > 1)}: {text}" for weight, text in zip(rows.weights.tolist(), said)]


def _cpts(network: CategoricalNetwork) -> list[str]:
    """The probability of the states of each variable given its parents."""
    lines = []
    for node, cpt in network.cpts.items():
        parents = network.dag.parents(node)
        for row in product(*(range(len(network.states[parent])) for parent in parents)):
            given = ", ".join(f"{parent} = {network.states[parent][i]}" for parent, i in zip(parents, row))
            values = ", ".join(f"{p:.3f} for {state}" for p, state in zip(cpt[row], network.states[node]))
            lines.append(f"P({node}{' | ' * bool(given)}{given}): {values}")
    return lines
