"""Exercise 8: parameters, penalties, and where the criteria part ways. Lesson 08_overfitting_and_mdl."""

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

TREE = DAG("B->C, B->D, C->A")
CRITERIA = ("scores.penalised.AIC", "scores.penalised.MDL", "scores.bayesian")  # BIC is built on MDL
PARAMETERS = ("scores.categorical.CategoricalFamilies.parameters", "scores.penalised.PenalisedLikelihood.parameters", "scores.penalised.dimension",
              "models")
SAME = 1e-9
Counts = list[list[int]]


# -- 8.1 and 8.2: what a graph costs ---------------------------------------------------------------------------
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


def with_price(t: bn.Table, graph: DAG, price: float) -> float:
    """The log-likelihood in bits less a price for each parameter."""
    return bn.LogLikelihood(t)(graph) - price * bn.dimension(graph, t)


# -- 8.3: what an arc must bring -------------------------------------------------------------------------------
def draw_arc(random: Random) -> tuple:
    """A table, a graph, and an arc that it does not have and could have."""
    while True:
        t, graph = draw_scored(random)
        arcs = [(a, b) for a in t.variables for b in t.variables if a != b and not graph.adjacent(a, b)
                and a not in graph.descendants(b)]
        if arcs:
            return t, graph, *arcs[int(random.integers(len(arcs)))]


def price(t: bn.Table, graph: DAG, a: str, b: str) -> float:
    """By how much the penalty rises."""
    before, after = parameters(t, b, list(graph.parents(b))), parameters(t, b, [*graph.parents(b), a])
    return (after - before) * log2(len(t)) / 2


# -- 8.4: held-out rows ----------------------------------------------------------------------------------------
def draw_split(random: Random) -> tuple:
    """Rows to learn from, rows to be surprised by, and a graph."""
    t = table(random, 4, rows=int(random.integers(16, 26)))
    graph = dag(random, t.variables, arcs=int(random.integers(2, 5)))
    return t.take(slice(0, len(t) - 5)), t.take(slice(len(t) - 5, len(t))), graph


def held_out(train: bn.Table, test: bn.Table, graph: DAG) -> float:
    """The log-likelihood of the test rows; minus infinity if one of them was held to be impossible."""
    total = 0.0
    for x in train.variables:
        seen = train.counts(x, given=graph.parents(x))
        for row in range(len(test)):
            above = tuple(test.codes(p)[row] for p in graph.parents(x))
            n, of = seen[(test.codes(x)[row], *above)], seen[(slice(None), *above)].sum()
            total += -inf if n == 0 else log2(n / of)
    return total


# -- 8.5 and 8.6: data on which the criteria part ways -----------------------------------------------------------
def tables_of(n: int, shape: tuple[int, int]) -> Iterator[Counts]:
    """All tables of counts with n rows in which every row and column has something."""
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
    """N times the mutual information, in bits: what the arc adds to the fit."""
    rows, columns = list(map(sum, counts)), list(map(sum, zip(*counts)))
    return sum(n * log2(n * sum(rows) / (rows[i] * columns[j])) for i, line in enumerate(counts)
               for j, n in enumerate(line) if n)


def columns_of(counts: Counts, variables: list[str]) -> dict[str, list[int]]:
    cells = [(i, j) for i, line in enumerate(counts) for j, n in enumerate(line) for _ in range(n)]
    return {name: [cell[k] for cell in cells] for k, name in enumerate(variables)}


def between(variables: list[str], n: int, one: float, other: float) -> dict[str, list[int]]:
    """Columns for which what the arc brings lies between two prices of a parameter, in bits."""
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
    return _disagree(variables, {"AIC in nats": bn.AIC(t), "AIC on bits": bn.AIC(t, base=2)})


def _disagree(variables: list[str], scores: dict[str, bn.Score]) -> str:
    """One criterion wants the arc, and the other does not."""
    a, b = variables
    gains = {name: score.family(b, [a]) - score.family(b) for name, score in scores.items()}
    if any(abs(gain) < SAME for gain in gains.values()):
        name = next(name for name, gain in gains.items() if abs(gain) < SAME)
        return f"for {name} your rows are a tie; make it decide"
    if len({gain > 0 for gain in gains.values()}) == 2:
        return ""
    told = ", ".join(f"{name} by {abs(gain):.3f}" for name, gain in gains.items())
    wanted = f"prefer the arc {a}->{b}" if min(gains.values()) > 0 else "prefer no arc"
    return f"on your rows both {wanted} ({told}): what the arc brings must lie between the two prices"


def draw_size(random: Random) -> tuple[list[str], int]:
    return names(random, 2), int(random.choice([6, 10, 11, 12]))


QUESTIONS = (
    Question("8.1", "The parameters of a family", "parameters", "one line", draw_family, parameters, points=1,
             first=((five_rows(), "A", ["C", "D"]), (five_rows(), "B", [])), withheld=PARAMETERS, mistakes={
                 "the last probability of each row follows from the others: one parameter less for each":
                     lambda t, x, parents: len(t.states(x)) * prod(len(t.states(p)) for p in parents),
                 "the parents' numbers of states are added; each combination needs its own row of the table":
                     lambda t, x, parents: (len(t.states(x)) - 1) * sum(len(t.states(p)) for p in parents),
                 "the parents' states are not given by parameters of this family; none of them is left out":
                     lambda t, x, parents: (len(t.states(x)) - 1) * prod(len(t.states(p)) - 1 for p in parents),
             }),
    Question("8.2", "MDL", "mdl", "three lines", draw_scored, mdl, points=2, withheld=CRITERIA,
             first=((five_rows(), TREE), (five_rows(), TREE.with_arc("D", "A"))), mistakes={
                 "the penalty is added; it is to be taken off": lambda t, g: with_price(t, g, -log2(len(t)) / 2),
                 "a parameter costs half of log N, and this charges the whole":
                     lambda t, g: with_price(t, g, log2(len(t))),
                 "the fit is in bits and the penalty in nats": lambda t, g: with_price(t, g, log(len(t)) / 2),
                 "this is the fit alone": lambda t, g: with_price(t, g, 0),
                 "this is AIC on bits, with a price of 1 a parameter": lambda t, g: with_price(t, g, 1),
             }),
    Question("8.3", "What an arc must bring", "price", "function", draw_arc, price, points=2, withheld=CRITERIA,
             first=((five_rows(), TREE, "D", "A"),), mistakes={
                 "this is the price of one parameter; an arc brings more of them": lambda t, g, a, b: log2(len(t)) / 2,
                 "this is the price of the whole family; only what it has more than before is asked for":
                     lambda t, g, a, b: parameters(t, b, [*g.parents(b), a]) * log2(len(t)) / 2,
             }),
    Question("8.4", "Rows that were held out, line by line", "held_out", "lines in order", draw_split, held_out,
             points=2, draws=7,
             withheld=("models", "scores.categorical", "scores", "scores.bayesian", "information"), mistakes={
                 "the fractions are those of the test rows; they must come from the rows learned from":
                     lambda train, test, g: bn.LogLikelihood(test)(g),
                 "these are the rows learned from": lambda train, test, g: bn.LogLikelihood(train)(g),
                 "this is the average over the rows": lambda train, test, g: held_out(train, test, g) / len(test),
             }),
    Question("8.5", "Where AIC and MDL part ways", "apart", "build", draw_size, apart, points=3, examine=examine_apart,
             first=((["X", "Y"], 5),), draws=3),
    Question("8.6", "The unit that decides", "units_apart", "build", draw_size, units_apart, points=3, draws=3,
             examine=examine_units, first=((["X", "Y"], 5),)),
)
