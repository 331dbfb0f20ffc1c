"""Exercise 3: chi-square, its degrees of freedom, strata, and many tests at once. Lesson 03_independence_in_data."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.exercises.grading.objects import table as make_table
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.inputs import Random, names, shuffled, table
from bnteach.course.exercises.questions.read import read_columns

TESTS = ("independence.chi_square", "scipy.stats.contingency", "scipy.stats._stats_py")
COFFEE = bn.Table({"coffee": ["yes"] * 50 + ["no"] * 50,
                   "sleep": ["bad"] * 30 + ["good"] * 20 + ["bad"] * 20 + ["good"] * 30})

CUPS = table(np.random.default_rng(3), ["cups", "sleep", "age", "week"], rows=36, states=[3, 2, 3, 2])


# -- 3.1 and 3.2: two variables --------------------------------------------------------------------------------
def draw_cell(random: Random) -> tuple[int, int, int, int]:
    """The counts of one cell, its row and its column, and all rows."""
    rows = int(random.integers(20, 200))
    n_x, n_y = (int(random.integers(5, rows - 5)) for _ in range(2))
    return int(random.integers(max(0, n_x + n_y - rows), min(n_x, n_y) + 1)), n_x, n_y, rows


def distance(n: Any, expected: Any) -> Any:
    return (n - expected) ** 2 / expected


def cell(n: int, n_x: int, n_y: int, rows: int) -> float:
    """What one cell adds to chi-square."""
    return distance(n, n_x * n_y / rows)


def draw_pair(random: Random) -> tuple:
    t = table(random, 3, rows=int(random.integers(20, 60)), states=shuffle_states(random))
    x, y = random.choice(t.variables, size=2, replace=False).tolist()
    return t, x, y


def hard_pair(random: Random) -> Iterable[tuple]:
    """More states of one variable than of the other, and an empty cell."""
    counts = random.integers(1, 10, size=(3, 4))
    counts[random.integers(3), random.integers(4)] = 0
    t = from_counts(random, counts)
    return [(t, *t.variables), (t, *t.variables[::-1])]


def from_counts(random: Random, counts: np.ndarray) -> bn.Table:
    """A table with these counts: an axis for each variable."""
    rows = [cell for cell, n in np.ndenumerate(counts) for _ in range(n)]
    return make_table([(name, list(range(size)), list(column)) for name, size, column in zip(
        names(random, counts.ndim), counts.shape, zip(*shuffled(random, rows)))])


def shuffle_states(random: Random) -> list[int]:
    return random.permutation([2, 3, 4]).tolist()


def chi_square(t: bn.Table, x: str, y: str, given: Any = ()) -> float:
    return bn.ChiSquare(t)(x, y, given).statistic


def by_observed(t: bn.Table, x: str, y: str) -> float:
    """As if one divided by the observed counts."""
    observed, expected = observed_and_expected(t, x, y)
    return float(((observed - expected) ** 2 / np.where(observed > 0, observed, np.inf)).sum())


def observed_and_expected(t: bn.Table, x: str, y: str) -> tuple[np.ndarray, np.ndarray]:
    observed = t.counts(x, y)
    return observed, observed.sum(axis=1, keepdims=True) * observed.sum(axis=0, keepdims=True) / len(t)


# -- 3.3 to 3.5: strata, and G-square --------------------------------------------------------------------------
def draw_given(random: Random) -> tuple:
    """With few rows and up to four or six strata: some rows or columns of a stratum are empty."""
    t = table(random, 4, rows=int(random.integers(12, 40)), states=[2, 3, 2, 3])
    x, y, *given = random.permutation(t.variables).tolist()
    return t, x, y, sorted(given)[: int(random.integers(1, 3))]


def hard_given(random: Random) -> Iterable[tuple]:
    """Fewer rows than strata; then two strata, of which the last lacks a state of x."""
    t = table(random, 4, rows=8, states=[3, 3, 3, 3])
    x, y, *given = random.permutation(t.variables).tolist()
    yield t, x, y, given
    t = from_counts(random, np.stack([random.integers(1, 10, size=(3, 2)), [[6, 1], [2, 5], [0, 0]]], axis=-1))
    yield t, *t.variables[:2], list(t.variables[2:])


def sizes(t: bn.Table, variables: Any) -> list[int]:
    return [len(t.states(name)) for name in variables]


def dof(t: bn.Table, x: str, y: str, given: list[str]) -> int:
    """Degrees of freedom."""
    return prod(n - 1 for n in sizes(t, (x, y))) * prod(sizes(t, given))


def by_stratum(t: bn.Table, x: str, y: str, given: list[str]) -> np.ndarray:
    """The numbers of states of x and of y that occur in each stratum."""
    counts = t.counts(x, y, given=given)
    strata = counts.reshape(*counts.shape[:2], -1)
    return np.stack([np.count_nonzero(strata.sum(axis=axis), axis=0) for axis in (1, 0)])


def adjusted_dof(t: bn.Table, x: str, y: str, given: list[str]) -> int:
    """Degrees of freedom, of the states that occur in each stratum."""
    return int(np.maximum(by_stratum(t, x, y, given) - 1, 0).prod(axis=0).sum())


def hard_strata(random: Random) -> Iterable[tuple]:
    """As hard_given; and rows in all strata of two given variables, of which one lacks a state of x."""
    yield from hard_given(random)
    counts = random.integers(1, 4, size=(3, 2, 2, 3))
    counts[0, :, 0, 0] = 0
    t = from_counts(random, counts)
    yield t, *t.variables[:2], list(t.variables[2:])


def g_square(t: bn.Table, x: str, y: str) -> float:
    return bn.GSquare(t)(x, y).statistic


def without_empty_cells(t: bn.Table, x: str, y: str, given: list[str]) -> float:
    counts = t.counts(x, y, given=given)
    strata = counts.reshape(*counts.shape[:2], -1)
    expected = strata.sum(axis=1)[:, None] * strata.sum(axis=0) / np.maximum(strata.sum(axis=(0, 1)), 1)
    return float(distance(strata[strata > 0], expected[strata > 0]).sum())


def of_ratios(t: bn.Table, x: str, y: str, weight: Any) -> float:
    """2 times the weighted sum of ln(O / E) over the cells with rows."""
    observed, expected = observed_and_expected(t, x, y)
    o, e = observed[observed > 0], expected[observed > 0]
    return float(2 * (weight(o, e) * np.log(o / e)).sum())


# -- 3.6: many tests at once -----------------------------------------------------------------------------------
def draw_many(random: Random, variables: int = 0, near: float = 0) -> tuple[bn.Table, float]:
    """Data, and an alpha for which one pair is just rejected, or just not, when alpha is divided by the number of tests."""
    near = near or float(random.choice([0.96, 1.04]))
    while True:
        t = table(random, variables or int(random.integers(4, 7)), rows=80)
        oracle, pairs = bn.ChiSquare(t), list(combinations(t.variables, 2))
        levels = [p * len(pairs) * near for p in sorted(oracle(*pair).p_value for pair in pairs)[1:]]  # not the smallest
        if between := [level for level in levels if 0.001 < level < 0.3]:
            return t, float(f"{between[0]:.4g}")


def hard_many(random: Random) -> list[tuple[bn.Table, float]]:
    return [draw_many(random, variables, near) for variables in (4, 6) for near in (0.96, 1.04)]


def dependent(t: bn.Table, alpha: float) -> set[frozenset[str]]:
    """The pairs that are dependent, with alpha divided by the number of pairs."""
    pairs = list(combinations(t.variables, 2))
    oracle = bn.ChiSquare(t, alpha=alpha / len(pairs))
    return {frozenset(pair) for pair in pairs if not oracle(*pair)}


# -- 3.8: to build -----------------------------------------------------------------------------------------------
def examine_fork(answer: Any, nodes: list[str], rows: int) -> str:
    """x and y are dependent, and given z they are not."""
    columns, problem = read_columns(answer, nodes, rows)
    if problem:
        return problem
    t, (x, y, z) = bn.Table(columns), nodes
    for state, stratum in zip(t.states(z), np.moveaxis(t.counts(x, y, given=z), -1, 0)):
        for name, margin in ((x, stratum.sum(axis=1)), (y, stratum.sum(axis=0))):
            if np.count_nonzero(margin) < 2:
                return f"where {z} is {state}, {name} always has the same state; let it vary there"
    alone, given = bn.ChiSquare(t, alpha=0.01)(x, y), bn.ChiSquare(t)(x, y, given=z)
    if alone:
        return f"{x} and {y} are not dependent enough: p = {alone.p_value:.3g}, and it should be below 0.01"
    return "" if given.p_value > 0.5 else (f"given {z}, {x} and {y} are still too dependent: p = {given.p_value:.3g}, "
                                           f"and it should be above 0.5")


def fork(nodes: list[str], rows: int) -> dict[str, list[int]]:
    """In one half both are mostly 0, in the other mostly 1; within a half they are independent."""
    x, y = [0] * 20 + [1] * 5, ([0] * 4 + [1]) * 5
    times = rows // 50
    flipped = [[1 - value for value in column] for column in (x, y)]
    columns = (x + flipped[0]) * times, (y + flipped[1]) * times, ([0] * 25 + [1] * 25) * times
    return dict(zip(nodes, columns))


QUESTIONS = (
    Question("3.1", "One cell of chi-square", "cell", "one line", draw_cell, cell, points=1,
             first=((30, 50, 50, 100), (0, 5, 4, 10)), withheld=TESTS[:1], mistakes={
                 "the expected count is a number of rows, N(x) N(y) / N, and not a probability":
                     lambda n, n_x, n_y, rows: distance(n, n_x / rows * n_y / rows),
                 "the product of the margins must still be divided by N":
                     lambda n, n_x, n_y, rows: distance(n, n_x * n_y),
                 "divide by N, and not by N - 1": lambda n, n_x, n_y, rows: distance(n, n_x * n_y / (rows - 1)),
                 "a quarter of the rows is expected only if both margins are one half":
                     lambda n, n_x, n_y, rows: distance(n, rows / 4),
                 "divide by the expected count, and not by the observed one": lambda n, n_x, n_y, rows:
                     (n - n_x * n_y / rows) ** 2 / max(n, 1),
                 "the difference must be squared": lambda n, n_x, n_y, rows: abs(n - n_x * n_y / rows) / (n_x * n_y / rows),
             }),
    Question("3.2", "Chi-square", "chi_square", "three lines", draw_pair, chi_square, points=2,
             first=((COFFEE, "coffee", "sleep"),), adversarial=hard_pair, withheld=TESTS, mistakes={
                 "divide by the expected count, not by the observed one": by_observed,
                 "an empty cell counts, too: none is observed, and some are expected": lambda t, x, y: float(
                     (lambda o, e: ((o - e) ** 2 / e)[o > 0].sum())(*observed_and_expected(t, x, y))),
                 "each squared difference must be divided by the expected count":
                     lambda t, x, y: float(((lambda o, e: (o - e) ** 2)(*observed_and_expected(t, x, y))).sum()),
                 "this is G-square, the subject of 3.5": lambda t, x, y: g_square(t, x, y),
                 "the expected count of a cell is N(x) N(y) / N; it is not the same for all cells": lambda t, x, y: float(
                     (lambda o: ((o - o.mean()) ** 2 / o.mean()).sum())(t.counts(x, y))),
                 "this has Yates's correction, which is not used here":
                     lambda t, x, y: float((lambda o, e: (np.maximum(abs(o - e) - 0.5, 0) ** 2 / e).sum())(
                         *observed_and_expected(t, x, y))),
             }),
    Question("3.3", "Degrees of freedom", "dof", "function", draw_given, dof, points=1,
             first=((COFFEE, "coffee", "sleep", []),), adversarial=hard_given, withheld=TESTS[:1], mistakes={
                 "every stratum has its own degrees of freedom: multiply by the number of strata":
                     lambda t, x, y, given: dof(t, x, y, []),
                 "the strata are all combinations of states of the given variables: multiply by |Z|, not by |Z| - 1":
                     lambda t, x, y, given: prod(n - 1 for n in sizes(t, (x, y, *given))),
                 "the margins fix one state each of x and y: |X| - 1 and |Y| - 1":
                     lambda t, x, y, given: prod(sizes(t, (x, y, *given))),
                 "only the first of the given variables is used; there is a stratum for each combination of all their states":
                     lambda t, x, y, given: dof(t, x, y, given[:1]),
                 "these are adjusted degrees of freedom, as in 3.7; here every state counts in every stratum": adjusted_dof,
                 "the formula counts all strata, with rows or without": lambda t, x, y, given:
                     dof(t, x, y, []) * len(set(zip(*(t.codes(z).tolist() for z in given)))),
                 "the numbers of states of the given variables must be multiplied, not added":
                     lambda t, x, y, given: dof(t, x, y, []) * sum(sizes(t, given)),
             }),
    Question("3.4", "Chi-square in strata", "chi_square_given", "function", draw_given, chi_square, points=3,
             first=((COFFEE, "coffee", "sleep", []), (CUPS, "cups", "sleep", ["age", "week"])), adversarial=hard_given,
             withheld=TESTS, mistakes={
                 "this is the statistic of all rows together; split them into strata first":
                     lambda t, x, y, given: chi_square(t, x, y),
                 "sum over the strata; this is their mean":
                     lambda t, x, y, given: chi_square(t, x, y, given) / prod(sizes(t, given)),
                 "several variables are given, and the strata are all combinations of their states; this uses only the first":
                     lambda t, x, y, given: chi_square(t, x, y, given[:1]),
                 "an empty cell counts where some rows are expected": without_empty_cells,
             }),
    Question("3.5", "G-square", "g_square", "function", draw_pair, g_square, points=2,
             first=((COFFEE, "coffee", "sleep"),), adversarial=hard_pair,
             withheld=(*TESTS, "information", "scores", "scipy.stats._entropy"),
             mistakes={
                 "the sum must still be doubled": lambda t, x, y: g_square(t, x, y) / 2,
                 "this is 2 MI in nats; it must still be multiplied by the number of rows":
                     lambda t, x, y: g_square(t, x, y) / len(t),
                 "this is chi-square; G-square is 2 times the sum of O ln(O / E)": chi_square,
                 "each logarithm is weighted by the observed count, not by the expected one":
                     lambda t, x, y: of_ratios(t, x, y, lambda o, e: e),
                 "each logarithm must be weighted by the observed count": lambda t, x, y: of_ratios(t, x, y, lambda o, e: 1),
             }),
    Question("3.6", "Many tests, line by line", "dependent_pairs", "lines in order", draw_many, dependent, points=2,
             draws=2, adversarial=hard_many, mistakes={
                 "alpha must be divided by the number of tests":
                     lambda t, alpha: dependent(t, alpha * len(list(combinations(t.variables, 2)))),
                 "alpha must be divided by the number of tests, not by the number of variables": lambda t, alpha:
                     dependent(t, alpha * len(list(combinations(t.variables, 2))) / len(t.variables)),
                 "these are the pairs for which independence is not rejected": lambda t, alpha:
                     {frozenset(pair) for pair in combinations(t.variables, 2)} - dependent(t, alpha),
             }),
    Question("3.7", "Adjusted degrees of freedom", "adjusted_dof", "function", draw_given, adjusted_dof, points=2,
             first=((COFFEE, "coffee", "sleep", []), (CUPS, "cups", "sleep", ["age", "week"])), adversarial=hard_strata,
             withheld=TESTS[:1], mistakes={
                 "these are the nominal degrees of freedom; count only the states that occur in the stratum": dof,
                 "a stratum without rows has no degrees of freedom, and (0 - 1)(0 - 1) is 1":
                     lambda t, x, y, given: int((by_stratum(t, x, y, given) - 1).prod(axis=0).sum()),
                 "leaving out strata without rows is not enough; a state may also be missing where there are rows":
                     lambda t, x, y, given: dof(t, x, y, []) * int((by_stratum(t, x, y, given)[0] > 0).sum()),
                 "a stratum in which x or y has one state adds nothing, but elsewhere a state may be missing, too":
                     lambda t, x, y, given: dof(t, x, y, []) * int((by_stratum(t, x, y, given) > 1).all(axis=0).sum()),
                 "split the rows into strata first; this counts the states that occur in all rows":
                     lambda t, x, y, given: adjusted_dof(t, x, y, []),
                 "several variables are given, and the strata are all combinations of their states; this uses only the first":
                     lambda t, x, y, given: adjusted_dof(t, x, y, given[:1]),
                 "the states of y must be adjusted as well": lambda t, x, y, given:
                     int(np.maximum(by_stratum(t, x, y, given)[0] - 1, 0).sum()) * (len(t.states(y)) - 1),
                 "the states of x must be adjusted as well": lambda t, x, y, given:
                     int(np.maximum(by_stratum(t, x, y, given)[1] - 1, 0).sum()) * (len(t.states(x)) - 1),
                 "every stratum has |X| - 1 and |Y| - 1 of its own, where only states that occur in it count":
                     lambda t, x, y, given: int(np.maximum(by_stratum(t, x, y, given), 0).prod(axis=0).sum()),
             }),
    Question("3.8", "It was not the coffee", "explained", "build",
             lambda random: (names(random, 3), 50 * int(random.integers(2, 5))), fork, points=3, draws=1,
             adversarial=lambda random: [(names(random, 3), rows) for rows in (100, 150, 200)], examine=examine_fork),
)
