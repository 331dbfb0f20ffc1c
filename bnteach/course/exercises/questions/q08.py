"""Exercise 8: parameters, penalties, and where the criteria disagree. Lesson 08_overfitting_and_mdl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import inf, log, log2, prod
from typing import Any

import bnteach as bn
from bnteach.course.comparing import items_of, show
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.inputs import Random, dag, shuffled, table, table_of
from bnteach.course.exercises.questions.read import Read, read_columns
from bnteach.datasets import five_rows
from bnteach.graphs.dag import DAG
from bnteach.learn.search.ties import TOLERANCE

TREE = DAG("B->C, B->D, C->A")
CRITERIA = ("scores.penalised.AIC", "scores.penalised.MDL", "scores.bayesian")  # BIC is built on MDL
PARAMETERS = ("scores.categorical.CategoricalFamilies.parameters", "scores.penalised.PenalisedLikelihood.parameters", "scores.penalised.dimension",
              "models")
Counts = Sequence[Sequence[int]]


# -- 8.1 and 8.2: the penalty of a graph -----------------------------------------------------------------------
def draw_family(random: Random) -> tuple:
    """Variables of two to four states, one of them with one to three parents."""
    t = table(random, 5, rows=20, states=random.integers(2, 5, size=5).tolist())
    x, *parents = random.permutation(t.variables)[: int(random.integers(2, 5))].tolist()
    return t, x, parents


def family_traps(random: Random) -> list[tuple]:
    """Three parents, so that most combinations of their states do not occur; and none."""
    t = table(random, 5, rows=16, states=(3, 4, 2, 4, 3))
    x, *parents = t.variables
    return [(t, x, parents[:3]), (t, x, [])]


def parameters(t: bn.Table, x: str, parents: list[str]) -> int:
    return (len(t.states(x)) - 1) * prod(len(t.states(p)) for p in parents)


def draw_scored(random: Random) -> tuple:
    t = table(random, 4, rows=int(random.integers(9, 30)), states=random.integers(2, 4, size=4).tolist())
    return t, dag(random, t.variables, arcs=int(random.integers(2, 6)))


def scored_traps(random: Random) -> list[tuple]:
    """No, one, two and three parents, so that most combinations of their states do not occur."""
    t = table(random, 4, rows=14, states=3)
    return [(t, DAG(list(combinations(shuffled(random, t.variables), 2)), t.variables))]


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


def arc_traps(random: Random) -> list[tuple]:
    """From a variable of three states without parents, to one of four states with two parents."""
    t = table(random, 4, rows=18, states=(3, 2, 4, 3))
    a, one, b, two = t.variables
    return [(t, DAG([(one, b), (two, b)], t.variables), a, b)]


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


def split_traps(random: Random) -> Iterator[tuple]:
    """States of the parents that never occur in the training rows; a state that does not occur with them; three parents."""
    t = table_of(random, *zip(*product((0, 1), repeat=3)))
    graph = DAG([(parent, t.variables[2]) for parent in t.variables[:2]], t.variables)
    a, b, c = (t.codes(name) == 1 for name in t.variables)
    for test in (a & b, ~a & ~b & c):
        yield t.take(~test), t.take(test), graph
    rows = [(a, b, c, a ^ b ^ c ^ (k == 2)) for a, b, c, k in product((0, 1), (0, 1), (0, 1), range(3))]
    t = table_of(random, *zip(*rows))
    yield t, t.take(range(5)), DAG([(parent, t.variables[3]) for parent in t.variables[:3]], t.variables)


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
def draw_column(random: Random, n: int | None = None, states: int | None = None) -> tuple[list[int]]:
    """A column of two or three states; at least two rows differ from the most common one, so that there is an answer."""
    n, states = n or int(random.integers(10, 31)), states or int(random.integers(2, 4))
    while True:
        x = random.integers(states, size=n).tolist()
        if len(set(x)) == states and n - max(map(x.count, x)) >= 2:
            return (x,)


def column_traps(random: Random) -> list[tuple]:
    """So few rows that MDL's penalty is the smaller one, and many; two and three states."""
    return [draw_column(random, n, states) for n, states in ((5, 2), (6, 3), (30, 2), (29, 3))]


def splits(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to divide n rows among so many states."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *others) for others in splits(n - first, parts - 1))


def gain(counts: Counts) -> float:
    """N times the mutual information, in bits: the gain in fit by the arc."""
    rows, columns = list(map(sum, counts)), list(map(sum, zip(*counts)))
    return sum(n * log2(n * sum(rows) / (rows[i] * columns[j])) for i, line in enumerate(counts)
               for j, n in enumerate(line) if n)


def between(x: list[int], one: float, other: float) -> list[int]:
    """A column for which the gain in fit by the arc lies between two penalties per parameter, in bits."""
    low, high = sorted((one, other))
    for states in (2, 3):
        free = (len(set(x)) - 1) * (states - 1)
        for counts in product(*(splits(x.count(state), states) for state in sorted(set(x)))):
            if all(map(sum, zip(*counts))) and low * free + 1e-6 < gain(counts) < high * free - 1e-6:
                left = [[state for state, n in enumerate(line) for _ in range(n)] for line in counts]
                return [left[sorted(set(x)).index(state)].pop() for state in x]
    raise LookupError(f"there is no such column for {x}")


def apart(x: list[int]) -> list[int]:
    return between(x, 1 / log(2), log2(len(x)) / 2)


def units_apart(x: list[int]) -> list[int]:
    return between(x, 1 / log(2), 1)


def examine_apart(answer: Any, x: list[int]) -> str:
    t, problem = both_columns(answer, x)
    return problem or _disagree(t, {"AIC": bn.AIC(t), "MDL": bn.MDL(t)}, (1 / log(2), log2(len(x)) / 2))


def examine_units(answer: Any, x: list[int]) -> str:
    t, problem = both_columns(answer, x)
    return problem or _disagree(t, {"AIC in nats": bn.AIC(t), "AIC in bits": bn.AIC(t, base=2)}, (1 / log(2), 1))


def both_columns(answer: Any, x: list[int]) -> Read:
    """The table of the two columns x and y."""
    y = items_of(answer)
    if y is None:
        return None, f"a column is asked for, as a list of {len(x)} values, and you give {show(answer)}"
    if len(y) != len(x):
        return None, f"your column has {len(y)} values, and x has {len(x)}"
    columns, problem = read_columns({"x": x, "y": y}, ["x", "y"])
    return (None, problem) if problem else (bn.Table(columns), "")


def _disagree(t: bn.Table, scores: dict[str, bn.Score], penalties: tuple[float, float]) -> str:
    """One criterion prefers the arc, and the other does not; `penalties` are theirs, in bits per parameter."""
    gains = {name: score.family("y", ["x"]) - score.family("y") for name, score in scores.items()}
    if any(abs(gain) < TOLERANCE for gain in gains.values()):
        name = next(name for name, gain in gains.items() if abs(gain) < TOLERANCE)
        return f"for {name} the two graphs tie on your rows; find rows on which one of them is better"
    if len({gain > 0 for gain in gains.values()}) == 2:
        return ""
    wanted = "prefer the arc x->y" if min(gains.values()) > 0 else "prefer no arc"
    free = (len(t.states("x")) - 1) * (len(t.states("y")) - 1)
    low, high = sorted(free * penalty for penalty in penalties)
    return (f"on your rows both {wanted}. The arc adds {free} parameter{'s' * (free > 1)} and raises the fit by "
            f"{len(t) * bn.mutual_information(t, 'x', 'y'):.3f} bits; for one criterion to prefer it and the other not, "
            f"that must be more than {low:.3f} and less than {high:.3f} bits")


QUESTIONS = (
    Question("8.1", "The parameters of a family", "parameters", "one line", draw_family, parameters, points=1,
             first=((five_rows(), "A", ["C", "D"]), (five_rows(), "B", [])), adversarial=family_traps, withheld=PARAMETERS,
             mistakes={
                 "combinations of the parents' states that do not occur in the table need their parameters too":
                     lambda t, x, parents: (len(t.states(x)) - 1) * len(set(zip(*(t.codes(p).tolist() for p in parents)))),
                 "the last probability of each row of the CPT follows from the others: one parameter fewer per row":
                     lambda t, x, parents: len(t.states(x)) * prod(len(t.states(p)) for p in parents),
                 "the parents' numbers of states are added; each combination of states needs its own row of the CPT":
                     lambda t, x, parents: (len(t.states(x)) - 1) * sum(len(t.states(p)) for p in parents),
                 "each row of the CPT has one parameter fewer than x has states; this takes away one in all":
                     lambda t, x, parents: len(t.states(x)) * prod(len(t.states(p)) for p in parents) - 1,
                 "use all states of the parents: only the states of x are reduced by one":
                     lambda t, x, parents: (len(t.states(x)) - 1) * prod(len(t.states(p)) - 1 for p in parents),
             }),
    Question("8.2", "MDL", "mdl", "three lines", draw_scored, mdl, points=2, withheld=CRITERIA,
             adversarial=scored_traps,
             first=((five_rows(), TREE), (five_rows(), TREE.with_arc("D", "A"))), mistakes={
                 "the penalty is added; it must be subtracted": lambda t, g: penalised(t, g, -log2(len(t)) / 2),
                 "the penalty per parameter is half of log N, and this is log N":
                     lambda t, g: penalised(t, g, log2(len(t))),
                 "the fit is in bits and the penalty in nats": lambda t, g: penalised(t, g, log(len(t)) / 2),
                 "this is the fit alone": lambda t, g: penalised(t, g, 0),
                 "this is AIC in bits, with a penalty of 1 per parameter (or N is the number of variables, not of rows)":
                     lambda t, g: penalised(t, g, 1),
                 "the penalty is per parameter; this counts arcs":
                     lambda t, g: bn.LogLikelihood(t)(g) - len(g.arcs) * log2(len(t)) / 2,
                 "this is -2 times the score, as some programs print it": lambda t, g: -2 * mdl(t, g),
             }),
    Question("8.3", "The penalty of an arc", "arc_penalty", "function", draw_arc, arc_penalty, points=2, withheld=CRITERIA,
             first=((five_rows(), TREE, "D", "A"),), adversarial=arc_traps, mistakes={
                 "the other parents of b count too: the arc multiplies the combinations of their states":
                     lambda t, g, a, b: (len(t.states(b)) - 1) * (len(t.states(a)) - 1) * log2(len(t)) / 2,
                 "this is the penalty of one parameter; the arc may add more of them": lambda t, g, a, b: log2(len(t)) / 2,
                 "this is the number of parameters that the arc adds; each has a penalty of half of log N":
                     lambda t, g, a, b: 2 * arc_penalty(t, g, a, b) / log2(len(t)),
                 "this is the penalty of the whole family; only the increase is asked for":
                     lambda t, g, a, b: parameters(t, b, [*g.parents(b), a]) * log2(len(t)) / 2,
             }),
    Question("8.4", "Held-out rows, line by line", "held_out", "lines in order", draw_split, held_out,
             points=2, draws=5, adversarial=split_traps,
             withheld=("models", "scores.categorical", "scores", "scores.bayesian", "information"), mistakes={
                 "the CPTs are estimated from the test rows; they must be estimated from the training rows":
                     lambda train, test, g: bn.LogLikelihood(test)(g),
                 "this is the log-likelihood of the training rows": lambda train, test, g: bn.LogLikelihood(train)(g),
                 "this is the average over the rows": lambda train, test, g: held_out(train, test, g) / len(test),
             }),
    Question("8.5", "Where AIC and MDL disagree", "apart", "build", draw_column, apart, points=3, draws=2,
             first=(([0, 0, 0, 1, 1],),), adversarial=column_traps, examine=examine_apart),
    Question("8.6", "The unit that decides", "units_apart", "build", draw_column, units_apart, points=3, draws=2,
             first=(([0, 0, 0, 1, 1],),), adversarial=column_traps, examine=examine_units),
)
