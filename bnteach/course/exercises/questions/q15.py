"""Exercise 15: EM. Lesson 15_incomplete_data.

The network of all questions is X->Y, both 0 or 1; X is missing in some rows. p is P(X = 1), q[x] is P(Y = 1 | X = x).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, log2
from typing import Any

import bnteach as bn
from bnteach.course.comparing import same, show
from bnteach.course.exercises.grading.plain import Odd
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, names
from bnteach.graphs.dag import DAG
from bnteach.models.em import m_step
from bnteach.models.expected import ExpectedCounts

NETWORKS = ("models",)
SCORES = ("information", "scores", "scores.categorical", "scores.bayesian", "independence.chi_square", "scipy.stats._entropy",
          "scipy.stats._stats_py", "scipy.stats.contingency")
Rows = list[tuple[int | None, int]]
Chances = dict[int, float]
Counts = dict[tuple[int, int], float]
CELLS = [(0, 0), (0, 1), (1, 0), (1, 1)]


# -- inputs ------------------------------------------------------------------------------------------------------
def draw_chances(random: Random) -> tuple[float, Chances]:
    """p and q, to two decimals, the two numbers of q apart from each other."""
    p, low, high = random.uniform(0.15, 0.85), random.uniform(0.1, 0.4), random.uniform(0.6, 0.9)
    low, high = (low, high) if random.random() < 0.5 else (high, low)
    return round(float(p), 2), {0: round(float(low), 2), 1: round(float(high), 2)}


def draw_row(random: Random) -> tuple[float, Chances, int]:
    return *draw_chances(random), int(random.integers(2))


def draw_rows(random: Random) -> tuple[Rows, float, Chances]:
    """Six to eleven rows in which each (x, y) occurs, and each y with a missing x."""
    more = [(int(random.integers(2)), int(random.integers(2))) for _ in range(int(random.integers(0, 4)))]
    rows: Rows = [*CELLS, (None, 0), (None, 1), (None, int(random.integers(2))), *more]
    return [rows[i] for i in random.permutation(len(rows))], *draw_chances(random)


def draw_counts(random: Random) -> tuple[Counts]:
    counts = {cell: round(float(random.uniform(0.2, 9)), 2) for cell in CELLS}
    strong = CELLS[int(random.integers(4))]
    return ({**counts, strong: counts[strong] + 8},)


def extreme_counts(random: Random) -> Iterator[tuple[Counts]]:
    """Nearly independent counts, for which the arc loses; a count of 0; and two, for which X determines Y."""
    counts = {cell: round(float(random.uniform(4, 5)), 2) for cell in CELLS}
    strong, weak = (CELLS[i] for i in random.choice(4, size=2, replace=False))
    yield (counts,)
    yield ({**counts, strong: counts[strong] + 12, weak: 0.0},)
    yield ({**counts, (0, 1): 0.0, (1, 0): 0.0},)


def nearly_converged(random: Random) -> Iterator[tuple[Rows, float, Chances, int]]:
    """A start after which EM changes little, and still has to go on."""
    rows, p, q = draw_rows(random)
    p, q = em_run(rows, p, q, 30)[-1]
    yield rows, round(p, 3), {x: round(v, 3) for x, v in q.items()}, 6


# -- what the library says ---------------------------------------------------------------------------------------
def expected(rows: Rows, p: float, q: Chances) -> ExpectedCounts:
    """The rows, with a network that gives the distribution of the missing values."""
    import pandas as pd

    codes = {"X": [-1 if x is None else x for x, _ in rows], "Y": [y for _, y in rows]}
    table = bn.Table(pd.DataFrame({v: pd.Categorical.from_codes(c, [0, 1]) for v, c in codes.items()}), missing="keep")
    tables = {"X": [1 - p, p], "Y": [[1 - q[0], q[0]], [1 - q[1], q[1]]]}
    return ExpectedCounts(table, bn.CategoricalNetwork(DAG("X->Y"), {"X": (0, 1), "Y": (0, 1)}, tables))


def split(p: float, q: Chances, y: int) -> float:
    return float(expected([(None, y)], p, q).counts("X")[1])


def expected_counts(rows: Rows, p: float, q: Chances) -> Counts:
    counts = expected(rows, p, q).counts("X", "Y")
    return {cell: float(counts[cell]) for cell in CELLS}


def fractions(counts: Counts) -> tuple[float, Chances]:
    """The M step by hand: relative frequencies."""
    n = {x: counts[x, 0] + counts[x, 1] for x in (0, 1)}
    return n[1] / (n[0] + n[1]), {x: counts[x, 1] / n[x] for x in (0, 1)}


def one_iteration(rows: Rows, p: float, q: Chances) -> tuple[float, Chances]:
    """An E step and an M step of the library."""
    tables = m_step(expected(rows, p, q)).cpts
    return float(tables["X"][1]), {x: float(tables["Y"][x, 1]) for x in (0, 1)}


def log_likelihood(rows: Rows, p: float, q: Chances) -> float:
    return expected(rows, p, q).log_likelihood / log(2)


def arc_gain(counts: Counts) -> float:
    """N times the mutual information, minus MDL's penalty for one parameter."""
    return fit_gain(counts) - log2(sum(counts.values())) / 2


# -- common mistakes ---------------------------------------------------------------------------------------------
def likely(q: Chances, x: int, y: int) -> float:
    """P(y | x)."""
    return q[x] if y else 1 - q[x]


def filled(rows: Rows, part: Any) -> Counts:
    """Counts; `part(y)` says how much a row with a missing x adds to x = 0 and to x = 1."""
    counts = dict.fromkeys(CELLS, 0.0)
    for x, y in rows:
        one = part(y) if x is None else (1 - x, x)
        counts[0, y] += one[0]
        counts[1, y] += one[1]
    return counts


def most_probable(rows: Rows, p: float, q: Chances) -> Counts:
    """Counts with every missing value replaced by its most probable state."""
    return filled(rows, lambda y: (0, 1) if split(p, q, y) > 0.5 else (1, 0))


def sum_of_logs(rows: Rows, p: float, q: Chances) -> float:
    """The result if the logarithm is taken inside the sum over the states of a missing value."""
    terms = {(x, y): log2((p if x else 1 - p) * likely(q, x, y)) for x, y in CELLS}
    return sum(terms[x, y] if x is not None else terms[0, y] + terms[1, y] for x, y in rows)


def fit_gain(counts: Counts) -> float:
    """What the arc adds to the log-likelihood, in bits: N times the mutual information."""
    total = sum(counts.values())
    n_x = {x: counts[x, 0] + counts[x, 1] for x in (0, 1)}
    n_y = {y: counts[0, y] + counts[1, y] for y in (0, 1)}
    return sum(n * log2(n * total / (n_x[x] * n_y[y])) for (x, y), n in counts.items() if n)


# -- 15.5: EM, iteration by iteration----------------------------------------------------------------------------
def em_options(rows: Rows, p: float, q: Chances, iterations: int, taken: list) -> Options:
    if len(taken) == iterations:
        return Options([], f"{iterations} iterations were asked for")
    p, q = taken[-1] if taken else (p, q)
    right = one_iteration(rows, p, q)

    def why(step: Any) -> str:
        if same(step, (p, q)):
            return "these are the values before the iteration; give those after it"
        if same(step, (right[0], one_iteration(rows, right[0], q)[1])):
            return "p and q must come from the same expected counts, and your q was computed with the new p"
        if same(step, fractions(filled(rows, lambda y: (0, 0)))):
            return "these are the relative frequencies of the complete rows; rows with a missing x count too, in parts"
        if same(step, fractions(most_probable(rows, p, q))):
            return "a row with a missing x counts partly as x = 0 and partly as x = 1, not as the more probable of the two"
        counts = ", ".join(f"{x}{y}: {n:.4f}" for (x, y), n in expected_counts(rows, p, q).items())
        return f"the expected counts before it are {counts}, and p and q are their relative frequencies"
    return Options([right], why)


def em_run(rows: Rows, p: float, q: Chances, iterations: int) -> list[tuple[float, Chances]]:
    """All iterations of a right run."""
    run = [(p, q)]
    for _ in range(iterations):
        run.append(one_iteration(rows, *run[-1]))
    return run[1:]


# -- 15.7: to build ----------------------------------------------------------------------------------------------
def examine_misled(answer: Any, x: str, y: str, n: int) -> str:
    """Complete rows and EM, each run on the construction."""
    columns, problem = read_incomplete(answer, x, y, n)
    if problem:
        return problem
    table = bn.Table(columns, missing="keep")
    rows = float(bn.fit(f"{x}->{y}", table.complete_rows()).posterior(x)["1"])
    found = float(bn.em(f"{x}->{y}", table, seed=1).network.posterior(x)["1"])
    if abs(rows - found) < 0.2:
        return (f"the complete rows give {x} = 1 probability {rows:.3f}, and EM {found:.3f}; the two should be 0.2 apart: "
                f"make {x} and {y} dependent, and let {x} be missing mostly with one state of {y}")
    return ""


def read_incomplete(answer: Any, x: str, y: str, n: int) -> tuple[Any, str]:
    """Two columns of 0 and 1, missing values in the first; each pair of states is observed."""
    if not (isinstance(answer, dict) and set(answer) == {x, y}
            and all(isinstance(column, list | tuple) for column in answer.values())):
        return None, f"two columns are asked for, {{{x!r}: [...], {y!r}: [...]}}; you give {show(answer)}"
    if sizes := [len(column) for column in answer.values() if len(column) != n]:
        return None, f"each column should have {n} rows, and one has {sizes[0]}"
    columns = {name: [None if _missing(v) else v for v in answer[name]] for name in (x, y)}
    for name, allowed in ((x, (0, 1, None)), (y, (0, 1))):
        if strange := [v for v in columns[name] if v not in allowed]:
            return None, f"{show(strange[0])} is in the column {name}, which may have {show(list(allowed))}"
    observed = set(zip(columns[x], columns[y]))
    if absent := [cell for cell in CELLS if cell not in observed]:
        return None, f"no row has {x} = {absent[0][0]} and {y} = {absent[0][1]}; each pair must be observed at least once"
    return {name: [None if v is None else str(int(v)) for v in columns[name]] for name in (x, y)}, ""


def _missing(value: Any) -> bool:
    """A missing value, as Python, numpy or pandas represents it."""
    return value is None or value != value or value in (Odd("a NAType"), Odd("a NaTType"))


def misled(x: str, y: str, n: int) -> dict[str, list]:
    """y is nearly a copy of x; where y is 1, x is missing except in five rows."""
    zeros = 3 * n // 8
    return {x: [1] + [0] * (zeros - 1) + [0, 1, 1, 1, 1] + [None] * (n - zeros - 5), y: [0] * zeros + [1] * (n - zeros)}


LESSON = [(0, 1), (1, 1), (1, 0), (None, 1), (0, 0), (None, 0)]
START = (0.5, {0: 0.25, 1: 0.75})

QUESTIONS = (
    Question("15.1", "One missing value", "split", "one line", draw_row, split, first=((*START, 1), (0.4, START[1], 0)),
             withheld=NETWORKS, mistakes={
                 "this is P(x = 1) without conditioning on y": lambda p, q, y: p,
                 "this is the fraction for x = 0": lambda p, q, y: 1 - split(p, q, y),
                 "this is P(y | x = 1); multiply by P(x = 1), and divide by the sum over both states of x":
                     lambda p, q, y: likely(q, 1, y),
                 "this is the joint probability of x = 1 and y; divide by the sum over both states of x":
                     lambda p, q, y: p * likely(q, 1, y),
                 "the weights p and 1 - p are missing":
                     lambda p, q, y: likely(q, 1, y) / (likely(q, 0, y) + likely(q, 1, y)),
                 "this assumes y = 1; if y is 0, its probability is 1 - q":
                     lambda p, q, y: split(p, q, 1),
             }),
    Question("15.2", "The E step: expected counts", "expected_counts", "three lines", draw_rows, expected_counts,
             points=2, first=((LESSON, *START),), withheld=NETWORKS, mistakes={
                 "rows with a missing x are left out; they count too, in parts":
                     lambda rows, p, q: filled(rows, lambda y: (0, 0)),
                 "a row with a missing x counts partly as x = 0 and partly as x = 1, not as the more probable of the two":
                     most_probable,
                 "a row with a missing x is counted twice, as a whole row with 0 and as one with 1":
                     lambda rows, p, q: filled(rows, lambda y: (1, 1)),
                 "the parts must depend on y: use P(x = 1 | y), not p":
                     lambda rows, p, q: filled(rows, lambda y: (1 - p, p)),
                 "the two parts are swapped": lambda rows, p, q:
                     filled(rows, lambda y: (split(p, q, y), 1 - split(p, q, y))),
             }),
    Question("15.3", "The M step: relative frequencies", "m_step", "function", draw_counts, fractions, points=1,
             first=(({(0, 0): 1, (0, 1): 0.5, (1, 0): 1, (1, 1): 2.5},),), withheld=NETWORKS, mistakes={
                 "q[x] is the fraction of y = 1 among the rows with this x, not among all rows":
                     lambda c: (fractions(c)[0], {x: c[x, 1] / sum(c.values()) for x in (0, 1)}),
                 "q[x] is the fraction of y = 1 given x, and you give that of x = 1 given y":
                     lambda c: (fractions(c)[0], {y: c[1, y] / (c[0, y] + c[1, y]) for y in (0, 1)}),
                 "expected counts must not be rounded":
                     lambda c: fractions({cell: round(n) for cell, n in c.items()}),
             }),
    Question("15.4", "Log-likelihood with missing values, line by line", "log_likelihood", "lines in order", draw_rows,
             log_likelihood, points=2, first=((LESSON, *START),), withheld=NETWORKS, mistakes={
                 "rows with a missing x are left out; such a row has the probability of its y":
                     lambda rows, p, q: log_likelihood([row for row in rows if row[0] is not None], p, q),
                 "in a row with a missing x, first add the two probabilities and then take the logarithm": sum_of_logs,
                 "the factor P(x) is missing in each row": lambda rows, p, q: sum(
                     log2(likely(q, x, y)) if x is not None else log2(likely(q, 0, y) + likely(q, 1, y))
                     for x, y in rows),
             }),
    Question("15.5", "EM, iteration by iteration", "em", "steps",
             lambda random: (*draw_rows(random), int(random.integers(2, 6))), em_run, points=3,
             first=((LESSON, *START, 3),), adversarial=nearly_converged, options=em_options, withheld=NETWORKS),
    Question("15.6", "A score on expected counts", "arc_gain", "function", draw_counts, arc_gain, points=2,
             adversarial=extreme_counts, withheld=(*NETWORKS, *SCORES), mistakes={
                 "this is the gain in fit; subtract the penalty of one parameter, log2(N) / 2 bits": fit_gain,
                 "this is the mutual information; the gain in fit is N times as large":
                     lambda c: fit_gain(c) / sum(c.values()),
                 "the mutual information must be multiplied by N before the penalty is subtracted":
                     lambda c: fit_gain(c) / sum(c.values()) - log2(sum(c.values())) / 2,
                 "the arc adds only one parameter: Y has one without it and two with it":
                     lambda c: fit_gain(c) - log2(sum(c.values())),
                 "the gain may be negative: the arc then costs more than it gains": lambda c: max(0.0, arc_gain(c)),
                 "expected counts must not be rounded": lambda c: arc_gain({cell: round(n) for cell, n in c.items()}),
             }),
    Question("15.7", "Misled by complete rows", "misled", "build",
             lambda random: (*names(random, 2), 4 * int(random.integers(8, 16))), misled, points=3,
             examine=examine_misled),
)
