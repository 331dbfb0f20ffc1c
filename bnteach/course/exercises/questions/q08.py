"""Exercise 8: parameters, penalties, and where the criteria disagree. Lesson 08_overfitting_and_mdl."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, log, log2, prod
from typing import Any

import bnteach as bn
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, table
from bnteach.course.exercises.questions.read import read_columns
from bnteach.datasets import five_rows
from bnteach.graphs.dag import DAG
from bnteach.learn.search.ties import TOLERANCE

TREE = DAG("B->C, B->D, C->A")
CRITERIA = ("scores.penalised.AIC", "scores.penalised.MDL", "scores.bayesian")  # BIC is built on MDL
PARAMETERS = ("scores.categorical.CategoricalFamilies.parameters", "scores.penalised.PenalisedLikelihood.parameters", "scores.penalised.dimension",
              "models")
Counts = list[list[int]]


# -- 8.1 and 8.2: the penalty of a graph -----------------------------------------------------------------------
def draw_family(random: Random) -> tuple:
    """Variables of two to four states, one of them with one to three parents."""
    t = table(random, 5, rows=20, states=random.integers(2, 5, size=5).tolist())
    x, *parents = random.permutation(t.variables)[: int(random.integers(2, 5))].tolist()
    return t, x, parents


def parameters(t: bn.Table, x: str, parents: list[str]) -> int:
    return (len(t.states(x)) - 1) * prod(len(t.states(p)) for p in parents)


def draw_scored(random: Random) -> tuple:
    t = table(random, 4, rows=int(random.integers(9, 30)), states=random.integers(2, 4, size=4).tolist())
    return t, dag(random, t.variables, arcs=int(random.integers(2, 6)))


def mdl(t: bn.Table, graph: DAG) -> float:
    return bn.MDL(t)(graph)


def penalised(t: bn.Table, graph: DAG, penalty: float) -> float:
    """The log-likelihood in bits minus a penalty per parameter."""
    return bn.LogLikelihood(t)(graph) - penalty * bn.dimension(graph, t)


# -- 8.3: the penalty of an arc --------------------------------------------------------------------------------
def draw_arc(random: Random) -> tuple:
    """A table, a graph, and an arc that can be added to it."""
    while True:
        t, graph = draw_scored(random)
        arcs = [(a, b) for a in t.variables for b in t.variables if a != b and not graph.adjacent(a, b)
                and a not in graph.descendants(b)]
        if arcs:
            return t, graph, *arcs[int(random.integers(len(arcs)))]


def arc_penalty(t: bn.Table, graph: DAG, a: str, b: str) -> float:
    """By how much the penalty rises."""
    before, after = parameters(t, b, list(graph.parents(b))), parameters(t, b, [*graph.parents(b), a])
    return (after - before) * log2(len(t)) / 2


# -- 8.4: held-out rows ----------------------------------------------------------------------------------------
def draw_split(random: Random) -> tuple:
    """Training rows, test rows, and a graph."""
    t = table(random, 4, rows=int(random.integers(16, 26)))
    graph = dag(random, t.variables, arcs=int(random.integers(2, 5)))
    return t.take(slice(0, len(t) - 5)), t.take(slice(len(t) - 5, len(t))), graph


def held_out(train: bn.Table, test: bn.Table, graph: DAG) -> float:
    """The log-likelihood of the test rows; minus infinity if one of them has probability 0."""
    total = 0.0
    for x in train.variables:
        counts = train.counts(x, given=graph.parents(x))
        for row in range(len(test)):
            above = tuple(test.codes(p)[row] for p in graph.parents(x))
            n, of = counts[(test.codes(x)[row], *above)], counts[(slice(None), *above)].sum()
            total += -inf if n == 0 else log2(n / of)
    return total


# -- 8.5 and 8.6: data on which the criteria disagree ------------------------------------------------------------
def tables_of(n: int, shape: tuple[int, int]) -> Iterator[Counts]:
    """All contingency tables of n rows without an empty row or column."""
    def split(rest: int, cells: int) -> Iterator[tuple[int, ...]]:
        if cells == 1:
            yield (rest,)
            return
        for first in range(rest + 1):
            yield from ((first, *others) for others in split(rest - first, cells - 1))

    high, wide = shape
    for cells in split(n, high * wide):
        counts = [list(cells[i * wide:(i + 1) * wide]) for i in range(high)]
        if all(map(sum, counts)) and all(map(sum, zip(*counts))):
            yield counts


def gain(counts: Counts) -> float:
    """N times the mutual information, in bits: the gain in fit by the arc."""
    rows, columns = list(map(sum, counts)), list(map(sum, zip(*counts)))
    return sum(n * log2(n * sum(rows) / (rows[i] * columns[j])) for i, line in enumerate(counts)
               for j, n in enumerate(line) if n)


def columns_of(counts: Counts, variables: list[str]) -> dict[str, list[int]]:
    cells = [(i, j) for i, line in enumerate(counts) for j, n in enumerate(line) for _ in range(n)]
    return {name: [cell[k] for cell in cells] for k, name in enumerate(variables)}


def between(variables: list[str], n: int, one: float, other: float) -> dict[str, list[int]]:
    """Columns for which the gain in fit lies between two penalties per parameter, in bits."""
    low, high = sorted((one, other))
    for shape in ((2, 2), (2, 3), (3, 3)):
        free = (shape[0] - 1) * (shape[1] - 1)
        for counts in tables_of(n, shape):
            if low * free + 1e-6 < gain(counts) < high * free - 1e-6:
                return columns_of(counts, variables)
    raise LookupError(f"there are no such {n} rows")


def apart(variables: list[str], n: int) -> dict[str, list[int]]:
    return between(variables, n, 1 / log(2), log2(n) / 2)


def units_apart(variables: list[str], n: int) -> dict[str, list[int]]:
    return between(variables, n, 1 / log(2), 1)


def examine_apart(answer: Any, variables: list[str], n: int) -> str:
    columns, problem = read_columns(answer, variables, n)
    if problem:
        return problem
    t = bn.Table(columns)
    return _disagree(variables, {"AIC": bn.AIC(t), "MDL": bn.MDL(t)})


def examine_units(answer: Any, variables: list[str], n: int) -> str:
    columns, problem = read_columns(answer, variables, n)
    if problem:
        return problem
    t = bn.Table(columns)
    return _disagree(variables, {"AIC in nats": bn.AIC(t), "AIC in bits": bn.AIC(t, base=2)})


def _disagree(variables: list[str], scores: dict[str, bn.Score]) -> str:
    """One criterion prefers the arc, and the other does not."""
    a, b = variables
    gains = {name: score.family(b, [a]) - score.family(b) for name, score in scores.items()}
    if any(abs(gain) < TOLERANCE for gain in gains.values()):
        name = next(name for name, gain in gains.items() if abs(gain) < TOLERANCE)
        return f"for {name} the two graphs tie on your rows; find rows on which one of them is better"
    if len({gain > 0 for gain in gains.values()}) == 2:
        return ""
    margins = ", ".join(f"{name} by {abs(gain):.3f}" for name, gain in gains.items())
    wanted = f"prefer the arc {a}->{b}" if min(gains.values()) > 0 else "prefer no arc"
    return f"on your rows both {wanted} ({margins}): the gain in fit must lie between the two penalties"


def draw_size(random: Random) -> tuple[list[str], int]:
    return names(random, 2), int(random.choice([6, 10, 11, 12]))


QUESTIONS = (
    Question("8.1", "The parameters of a family", "parameters", "one line", draw_family, parameters, points=1,
             first=((five_rows(), "A", ["C", "D"]), (five_rows(), "B", [])), withheld=PARAMETERS, mistakes={
                 "the last probability of each row of the CPT follows from the others: one parameter fewer per row":
                     lambda t, x, parents: len(t.states(x)) * prod(len(t.states(p)) for p in parents),
                 "the parents' numbers of states are added; each combination of states needs its own row of the CPT":
                     lambda t, x, parents: (len(t.states(x)) - 1) * sum(len(t.states(p)) for p in parents),
                 "use all states of the parents: only the states of x are reduced by one":
                     lambda t, x, parents: (len(t.states(x)) - 1) * prod(len(t.states(p)) - 1 for p in parents),
             }),
    Question("8.2", "MDL", "mdl", "three lines", draw_scored, mdl, points=2, withheld=CRITERIA,
             first=((five_rows(), TREE), (five_rows(), TREE.with_arc("D", "A"))), mistakes={
                 "the penalty is added; it must be subtracted": lambda t, g: penalised(t, g, -log2(len(t)) / 2),
                 "the penalty per parameter is half of log N, and this is log N":
                     lambda t, g: penalised(t, g, log2(len(t))),
                 "the fit is in bits and the penalty in nats": lambda t, g: penalised(t, g, log(len(t)) / 2),
                 "this is the fit alone": lambda t, g: penalised(t, g, 0),
                 "this is AIC in bits, with a penalty of 1 per parameter": lambda t, g: penalised(t, g, 1),
             }),
    Question("8.3", "The penalty of an arc", "arc_penalty", "function", draw_arc, arc_penalty, points=2, withheld=CRITERIA,
             first=((five_rows(), TREE, "D", "A"),), mistakes={
                 "this is the penalty of one parameter; the arc may add more of them": lambda t, g, a, b: log2(len(t)) / 2,
                 "this is the penalty of the whole family; only the increase is asked for":
                     lambda t, g, a, b: parameters(t, b, [*g.parents(b), a]) * log2(len(t)) / 2,
             }),
    Question("8.4", "Held-out rows, line by line", "held_out", "lines in order", draw_split, held_out,
             points=2, draws=7,
             withheld=("models", "scores.categorical", "scores", "scores.bayesian", "information"), mistakes={
                 "the CPTs are estimated from the test rows; they must be estimated from the training rows":
                     lambda train, test, g: bn.LogLikelihood(test)(g),
                 "this is the log-likelihood of the training rows": lambda train, test, g: bn.LogLikelihood(train)(g),
                 "this is the average over the rows": lambda train, test, g: held_out(train, test, g) / len(test),
             }),
    Question("8.5", "Where AIC and MDL disagree", "apart", "build", draw_size, apart, points=3, examine=examine_apart,
             first=((["X", "Y"], 5),), draws=3),
    Question("8.6", "The unit that decides", "units_apart", "build", draw_size, units_apart, points=3, draws=3,
             examine=examine_units, first=((["X", "Y"], 5),)),
)
