"""Exercise 6: relative frequencies, the probability of a row, and the likelihood by rows and by families. Lesson 06_likelihood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, combinations, product
from math import inf, log, log2, prod
from typing import Any

import bnteach as bn
from bnteach.course.comparing import close, show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table, table_of, under_names
from bnteach.datasets import five_rows

FITTED = ("models", "scores.categorical", "scores", "scores.bayesian", "information", "scipy.stats._entropy")
G = bn.DAG("A->B, A->C, B->D")
Row = dict[str, Any]


# -- 6.1: relative frequencies --------------------------------------------------------------------------------
def draw_fraction(random: Random) -> tuple:
    """A table, a variable with one of its states, and another with a state that occurs."""
    t = table(random, 3, rows=int(random.integers(7, 12)), states=(2, 3, 2))
    x, z = random.choice(t.variables, size=2, replace=False).tolist()
    return t, x, int(random.choice(t.states(x))), z, int(random.choice(t.states(z)))


def fraction_traps(random: Random) -> list[tuple]:
    """Two thirds, a state that never occurs with the condition, and one that always does."""
    t = table_of(random, [0, 0, 1, 1, 2, 2, 0], [0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 0, 1])
    x, z, _ = t.variables
    return [(t, x, 0, z, 0), (t, x, 2, z, 0), (t, z, 1, x, 2)]


def counted(t: bn.Table, **states: Any) -> int:
    """How many rows have these states."""
    rows = zip(*([t.states(name)[code] for code in t.codes(name)] for name in states))
    return sum(row == tuple(states.values()) for row in rows)


def fraction(t: bn.Table, x: str, state: Any, z: str, given: Any) -> float:
    """Of the rows with z = given, the fraction with x = state."""
    return counted(t, **{x: state, z: given}) / counted(t, **{z: given})


# -- 6.2: one row --------------------------------------------------------------------------------------------
def draw_network(random: Random) -> tuple[dict, dict, Row]:
    """Parents, CPTs {variable: {(states of its parents): {state: probability}}}, and a row."""
    return network_of(random, dag(random, 4, arcs=int(random.integers(3, 6))))


def network_traps(random: Random) -> Iterator[tuple[dict, dict, Row]]:
    """Three parents that are not in alphabetical order, and then a factor of 0."""
    a, b, c, d = names(random, 4)
    parents, tables, row = network_of(random, bn.DAG([(a, d), (b, d), (c, d)]))
    parents, row = {**parents, d: [b, c, a]}, {**row, a: 0, b: 1, c: 0}
    tables[d][1, 0, 0], tables[d][0, 1, 0], tables[d][0, 0, 1] = {0: 0.5, 1: 0.5}, {0: 0.4, 1: 0.6}, {0: 0.7, 1: 0.3}
    yield parents, tables, row
    yield parents, {**tables, a: {(): {0: 0.0, 1: 1.0}}}, row


def network_of(random: Random, graph: bn.DAG) -> tuple[dict, dict, Row]:
    """The graph with drawn CPTs and a drawn row; parents are listed in any order."""
    tables = {x: {states: _coin(random) for states in product((0, 1), repeat=len(graph.parents(x)))}
              for x in graph.nodes}
    row = {x: int(random.integers(2)) for x in graph.nodes}
    return {x: shuffled(random, graph.parents(x)) for x in graph.nodes}, tables, row


def _coin(random: Random) -> dict[int, float]:
    p = int(random.integers(1, 20)) / 20
    return {0: round(1 - p, 2), 1: p}


def factors(parents: dict, tables: dict, row: Row, order: Any = list) -> list[float]:
    """One factor per variable; `order` may put the parents in a wrong order."""
    return [tables[x][tuple(row[p] for p in order(parents[x]))][row[x]] for x in parents]


def five_row_network() -> tuple[dict, dict, Row]:
    """G, with the CPTs estimated from the five rows, and the first of them."""
    fitted, tables = bn.fit(G, five_rows()), {}
    for x in G.nodes:
        lines = fitted.cpts[x].reshape(-1, len(fitted.states[x])).tolist()
        above = product(*(fitted.states[p] for p in G.parents(x)))
        tables[x] = {states: dict(zip(fitted.states[x], line)) for states, line in zip(above, lines)}
    return {x: list(G.parents(x)) for x in G.nodes}, tables, {"A": "a", "B": "b", "C": "~c", "D": "d"}


# -- 6.3: estimating a CPT -----------------------------------------------------------------------------------
def draw_rows(random: Random) -> tuple[list[Row], str, list[str]]:
    """Rows as dictionaries, a variable, and one or two parents."""
    t = table(random, 3, rows=int(random.integers(7, 12)), states=(2, 3, 2))
    x, *parents = random.permutation(t.variables)[: int(random.integers(2, 4))].tolist()
    return dictionaries(t), x, parents


def row_traps(random: Random) -> list[tuple]:
    """Three parents, not in alphabetical order."""
    t = table(random, 4, rows=16, states=(2, 3, 2, 3))
    x, a, b, c = t.variables
    return [(dictionaries(t), x, [c, a, b]), (dictionaries(t), b, [c, x])]


def dictionaries(t: bn.Table) -> list[Row]:
    return [dict(zip(t.variables, row)) for row in t.to_frame().itertuples(index=False)]


def fractions(rows: list[Row], x: str, parents: list[str]) -> dict[tuple, dict[Any, float]]:
    """The relative frequencies of the states of x for each combination of the parents' states that occurs."""
    pairs = [(tuple(row[parent] for parent in parents), row[x]) for row in rows]
    above, both = Counter(states for states, _ in pairs), Counter(pairs)
    table: dict[tuple, dict[Any, float]] = {states: {} for states in above}
    for (states, state), n in both.items():
        table[states][state] = n / above[states]
    return table


# -- 6.4: row by row -----------------------------------------------------------------------------------------
def draw_probabilities(random: Random) -> tuple[list[float]]:
    """The probabilities of some rows; now and then one of them is 0."""
    values = [round(float(p), 4) for p in random.uniform(0.02, 0.6, size=int(random.integers(4, 8)))]
    if random.random() < 0.4:
        values[int(random.integers(1, len(values)))] = 0.0
    return (values,)


def probability_traps(random: Random) -> list[tuple[list[float]]]:
    """A row of probability 0 first and in the middle; and so many rows that their product is too small for a float."""
    one, two, *others = (round(float(p), 4) for p in random.uniform(0.001, 0.02, size=202))
    return [([0.0, one, two],), ([one, 0.0, two, one],), (others,)]


def totals(probabilities: list[float]) -> list[float]:
    """The log-likelihood after each row."""
    return list(accumulate(log2(p) if p else -inf for p in probabilities))


def total_options(probabilities: list[float], taken: list) -> Options:
    right = totals(probabilities)
    if len(taken) == len(right):
        return Options([], "there are no more rows")
    row, p = len(taken) + 1, probabilities[len(taken)]

    def why(step: Any) -> str:
        alone = log2(p) if p else -inf
        if isinstance(step, int | float) and close(step, alone):
            return "yours is the logarithm of this row alone, and the total of all rows so far is asked for"
        if p == 0:
            return f"row {row} has probability 0, and the logarithm of 0 is minus infinity"
        if step == -inf and all(probabilities[:row]):
            return "the product of so many probabilities is too small for a float; add their logarithms"
        if isinstance(step, int | float) and close(step, prod(probabilities[:row])):
            return "yours is the product of the probabilities; its logarithm is asked for"
        if isinstance(step, int | float) and close(step, right[row - 1] * log(2)):
            return "yours is in nats; for bits the logarithm is to base 2"
        return f"row {row} has probability {p:g}, whose logarithm is {alone:.4f}"
    return Options([right[len(taken)]], why)


# -- 6.5 and 6.6: by families ----------------------------------------------------------------------------------
def draw_scored(random: Random) -> tuple:
    t = table(random, 4, rows=int(random.integers(8, 13)))
    return t, dag(random, t.variables, arcs=int(random.integers(3, 6)))


def scored_traps(random: Random) -> Iterator[tuple]:
    """No, one, two and three parents; and a child of three states, 0 for one parity of its parents and 1 or 2 otherwise."""
    t = table(random, 4, rows=20, states=(2, 3, 2, 3))
    yield t, bn.DAG(list(combinations(shuffled(random, t.variables), 2)), t.variables)
    t = table_of(random, *zip(*((a, b, c, (a ^ b ^ c) * k) for a, b, c, k in product((0, 1), (0, 1), (0, 1), (1, 2)))))
    yield t, bn.DAG([(parent, t.variables[3]) for parent in t.variables[:3]], t.variables)


def log_likelihood(t: bn.Table, graph: bn.DAG) -> float:
    return bn.LogLikelihood(t)(graph)


def draw_change(random: Random) -> tuple:
    """A graph, and another with one or two arcs reversed, removed or added."""
    while True:
        one = dag(random, 5, arcs=5)
        other = dag(random, one.nodes, arcs=1)
        a, b = one.arcs[int(random.integers(5))]
        try:
            changed = one.with_reversed(a, b) if random.random() < 0.6 else one.without_arc(a, b)
            changed = bn.DAG([*changed.arcs, *other.arcs], shuffled(random, one.nodes))
        except bn.CycleError:
            continue
        if 1 <= len(families(one, changed)) <= 3:
            return one, changed


def change_traps(random: Random) -> Iterator[tuple[bn.DAG, bn.DAG]]:
    """The same parents in another order; a change with descendants; more parents; as many parents, but others."""
    for one, other in (("a->c, b->c, c->d", "d, c, b->c, a->c, c->d"), ("a->b, b->c, c->d", "a, b->c, c->d"),
                       ("a->b, c, d", "a->b, a->c, b->c, a->d"), ("a->b, a->c, d", "d->b, d->c, a")):
        one, other = under_names(random, one, other)
        yield bn.DAG(one), bn.DAG(other)


def families(one: bn.DAG, other: bn.DAG) -> set[str]:
    """The variables whose parents differ."""
    return {x for x in one.nodes if set(one.parents(x)) != set(other.parents(x))}


def touched(one: bn.DAG, other: bn.DAG) -> set[str]:
    """Both ends of every arc that differs."""
    return {end for arc in {*one.arcs} ^ {*other.arcs} for end in arc}


# -- 6.7: a row of probability 0 -------------------------------------------------------------------------------
def draw_fatal(random: Random) -> tuple:
    """A table and a graph such that some rows of observed states have probability 0, but too few to guess one."""
    while True:
        t, graph = draw_scored(random)
        if 1 <= len(fatal_rows(t, graph)) <= 5:
            return t, graph


def fatal_traps(random: Random) -> list[tuple]:
    """a -> c <- b and c -> d, where a = b = 1 never occurs and c = 1 never occurs with a = b = 0."""
    t = table_of(random, [0, 0, 0, 1, 1, 0], [0, 1, 1, 0, 0, 0], [0, 0, 1, 0, 1, 0], [0, 0, 1, 1, 0, 1])
    a, b, c, d = t.variables
    return [(t, bn.DAG([(a, c), (b, c), (c, d)], t.variables))]


def fatal_rows(t: bn.Table, graph: bn.DAG) -> list[Row]:
    network = bn.fit(graph, t)
    rows = (dict(zip(t.variables, states)) for states in product(*(t.states(v) for v in t.variables)))
    return [row for row in rows if network.probability(row) == 0]


def examine_fatal(answer: Any, t: bn.Table, graph: bn.DAG) -> str:
    if not isinstance(answer, dict) or set(answer) != set(t.variables):
        return f"a row is asked for, with a state for each of {', '.join(t.variables)}; you give {show(answer)}"
    for name, state in answer.items():
        if isinstance(state, bool) or state not in t.states(name):
            return f"{name} is {show(state)} in your row; its states are {', '.join(map(str, t.states(name)))}"
    p = bn.fit(graph, t).probability(answer)
    return "" if p == 0 else f"your row {show(answer)} has probability {p:.4f}, which is not 0"


QUESTIONS = (
    Question("6.1", "A relative frequency", "fraction", "one line", draw_fraction, fraction, points=1, withheld=FITTED,
             adversarial=fraction_traps, first=((five_rows(), "D", "d", "B", "~b"), (five_rows(), "C", "c", "A", "a")), mistakes={
                 "this divides by all rows, which gives the joint probability; divide by the rows with the condition":
                     lambda t, x, state, z, given: counted(t, **{x: state, z: given}) / len(t),
                 "the condition and the variable are swapped": lambda t, x, state, z, given: fraction(t, z, given, x, state),
                 "this is the fraction without the condition":
                     lambda t, x, state, z, given: counted(t, **{x: state}) / len(t),
             }),
    Question("6.2", "The probability of a row", "probability", "three lines", draw_network,
             lambda parents, tables, row: prod(factors(parents, tables, row)), points=2, withheld=FITTED,
             first=(five_row_network(),), adversarial=network_traps, mistakes={
                 "a combination has the parents' states in the order of parents[x], which is not always alphabetical":
                     lambda *a: prod(factors(*a, order=sorted)),
                 "a factor of 0 is left out; it makes the probability 0": lambda *a: prod(f for f in factors(*a) if f),
                 "a variable without parents has a factor too": lambda parents, tables, row: prod(
                     f for x, f in zip(parents, factors(parents, tables, row)) if parents[x]),
                 "the factors are added; they must be multiplied": lambda *a: sum(factors(*a)),
                 "this is the logarithm of the probability": lambda *a: log2(prod(factors(*a))),
             }),
    Question("6.3", "A CPT, line by line", "fractions", "lines in order", draw_rows, fractions, points=2,
             first=((dictionaries(five_rows()), "D", ["B"]), (dictionaries(five_rows()), "A", [])), withheld=FITTED,
             adversarial=row_traps, mistakes={
                 "a combination has the parents' states in the order in which the parents are given":
                     lambda rows, x, parents: fractions(rows, x, sorted(parents)),
                 "a combination has a state for every parent": lambda rows, x, parents: fractions(rows, x, parents[:-1]),
                 "this divides by all rows, which gives joint probabilities; divide by the rows with these states of the "
                 "parents": lambda rows, x, parents: {
                     states: {state: p * sum(states == tuple(row[q] for q in parents) for row in rows) / len(rows)
                              for state, p in line.items()} for states, line in fractions(rows, x, parents).items()},
             }),
    Question("6.4", "Row by row", "running_total", "steps", draw_probabilities, totals, points=2, withheld=FITTED,
             first=(([0.1125, 0.3375, 0.05, 0.15, 0.3375],),), options=total_options,
             adversarial=probability_traps),
    Question("6.5", "The log-likelihood of a graph", "log_likelihood", "function", draw_scored, log_likelihood,
             points=3, first=((five_rows(), G),), adversarial=scored_traps, withheld=FITTED, mistakes={
                 "this is the average over the rows": lambda t, g: log_likelihood(t, g) / len(t),
                 "this is in nats; for bits the logarithm is to base 2": lambda t, g: log_likelihood(t, g) * log(2),
                 "the sign: this is N times the sum of the conditional entropies, and the log-likelihood is minus that":
                     lambda t, g: -log_likelihood(t, g),
                 "this leaves out the parents": lambda t, g: log_likelihood(t, bn.DAG((), g.nodes)),
                 "this takes children for parents":
                     lambda t, g: log_likelihood(t, bn.DAG([(b, a) for a, b in g.arcs], g.nodes)),
             }),
    Question("6.6", "What must be computed again", "changed", "function", draw_change, families, points=2,
             first=((G, bn.DAG("A->B, A->C, A->D")),), adversarial=change_traps, mistakes={
                 "the order in which parents are listed does not matter; compare sets":
                     lambda one, other: {x for x in one.nodes if one.parents(x) != other.parents(x)},
                 "a family is a variable with its parents: adding or removing an arc changes only its child's family": touched,
                 "these are the parents; the family that changes is the child's":
                     lambda one, other: {a for a, _ in {*one.arcs} ^ {*other.arcs}},
             }),
    Question("6.7", "One row that ruins it", "fatal_row", "build", draw_fatal, lambda t, graph: fatal_rows(t, graph)[0],
             points=3, draws=6, examine=examine_fatal, first=((five_rows(), G),), adversarial=fatal_traps),
)
