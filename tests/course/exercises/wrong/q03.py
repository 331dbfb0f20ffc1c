"""Wrong programs for exercise 3."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import log, prod

import numpy as np

import bnteach as bn
from tests.course.exercises.wrong import wrong


# -- 3.1 -------------------------------------------------------------------------------------------------------------
def cell(expected, distance=lambda n, e: (n - e) ** 2 / e):
    return lambda n, n_x, n_y, N: distance(n, expected(n_x, n_y, N))


def expected_count(n_x, n_y, N):
    return n_x * n_y / N


wrong("3.1", "a probability in place of a count")(cell(lambda n_x, n_y, N: n_x / N * n_y / N))
wrong("3.1", "not divided by N")(cell(lambda n_x, n_y, N: n_x * n_y))
wrong("3.1", "divided by N - 1")(cell(lambda n_x, n_y, N: n_x * n_y / (N - 1)))
wrong("3.1", "a quarter of the rows")(cell(lambda n_x, n_y, N: N / 4))
wrong("3.1", "rounded to a whole number")(cell(lambda n_x, n_y, N: n_x * n_y // N))
wrong("3.1", "the mean of the margins")(cell(lambda n_x, n_y, N: (n_x + n_y) / 4))
wrong("3.1", "divided by the observed count")(cell(expected_count, lambda n, e: (n - e) ** 2 / max(n, 1)))
wrong("3.1", "not squared")(cell(expected_count, lambda n, e: abs(n - e) / e))
wrong("3.1", "an empty cell adds nothing")(cell(expected_count, lambda n, e: (n - e) ** 2 / e if n else 0))


# -- 3.2 and 3.5 -----------------------------------------------------------------------------------------------------
def margins(counts):
    return counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / max(1, counts.sum())


def table_sum(adds, cells=lambda counts: counts, factor=1):
    """A sum over the cells of a table of counts."""
    def statistic(table, x, y):
        counts = table.counts(x, y)
        pairs = zip(cells(counts).flat, cells(margins(counts)).flat)
        return factor * sum(adds(o, e) for o, e in pairs)
    return statistic


def square(o, e):
    return (o - e) ** 2 / e


wrong("3.2", "divided by the observed counts")(table_sum(lambda o, e: (o - e) ** 2 / o if o else 0))
wrong("3.2", "not divided")(table_sum(lambda o, e: (o - e) ** 2))
wrong("3.2", "Yates's correction")(table_sum(lambda o, e: max(abs(o - e) - 0.5, 0) ** 2 / e))
wrong("3.2", "empty cells are left out")(table_sum(lambda o, e: square(o, e) if o else 0))
wrong("3.2", "cells with fewer than five expected rows are left out")(
    table_sum(lambda o, e: square(o, e) if e >= 5 else 0))
wrong("3.2", "the last row is forgotten")(table_sum(square, lambda counts: counts[:-1]))
wrong("3.2", "the last column is forgotten")(table_sum(square, lambda counts: counts[:, :-1]))
wrong("3.2", "the last cell only")(table_sum(square, lambda counts: counts[-1:, -1:]))
wrong("3.2", "two states each")(table_sum(square, lambda counts: counts[:2, :2]))
wrong("3.2", "the smaller of the two numbers of states for both")(
    table_sum(square, lambda counts: counts[:min(counts.shape), :min(counts.shape)]))
wrong("3.2", "G-square")(table_sum(lambda o, e: 2 * o * log(o / e) if o else 0))


@wrong("3.2", "all cells are expected to be equal")
def uniform(table, x, y):
    counts = table.counts(x, y)
    return ((counts - counts.mean()) ** 2 / counts.mean()).sum()


# -- 3.3 -------------------------------------------------------------------------------------------------------------
def size(table, name):
    return len(table.states(name))


def freedom(strata, minus=1):
    return lambda table, x, y, given: (size(table, x) - minus) * (size(table, y) - minus) * strata(table, given)


def observed_strata(table, given):
    return len(set(zip(*(table.codes(z).tolist() for z in given)))) if given else 1


def number_of_strata(table, given):
    return prod(size(table, z) for z in given)


wrong("3.3", "strata are forgotten")(freedom(lambda table, given: 1))
wrong("3.3", "the sum of the states")(freedom(lambda table, given: sum(size(table, z) for z in given) or 1))
wrong("3.3", "one state less for the given, too")(freedom(lambda table, given: prod(size(table, z) - 1 for z in given)))
wrong("3.3", "all states of x and y")(freedom(number_of_strata, minus=0))
wrong("3.3", "the first of the given only")(freedom(lambda table, given: number_of_strata(table, given[:1])))
wrong("3.3", "the last of the given only")(freedom(lambda table, given: number_of_strata(table, given[-1:])))
wrong("3.3", "the number of given variables")(freedom(lambda table, given: len(given) or 1))
wrong("3.3", "all given have two states")(freedom(lambda table, given: 2 ** len(given)))
wrong("3.3", "strata without rows are left out")(freedom(observed_strata))
wrong("3.3", "no variables given: 0")(freedom(lambda table, given: number_of_strata(table, given) if given else 0))
wrong("3.3", "one stratum less")(freedom(lambda table, given: max(1, number_of_strata(table, given) - 1)))
wrong("3.3", "the number of cells less one")(
    lambda table, x, y, given: (size(table, x) * size(table, y) - 1) * number_of_strata(table, given))


@wrong("3.3", "states that are missing in a stratum are left out")
def adjusted(table, x, y, given):
    counts = table.counts(x, y, given=given)
    strata = np.moveaxis(counts.reshape(*counts.shape[:2], -1), -1, 0)
    return sum(max(0, np.count_nonzero(one.sum(axis=1)) - 1) * max(0, np.count_nonzero(one.sum(axis=0)) - 1)
               for one in strata)


# -- 3.4 -------------------------------------------------------------------------------------------------------------
def of_stratum(counts, adds=lambda o, e: square(o, e) if e else 0.0):
    return sum(adds(o, e) for o, e in zip(counts.flat, margins(counts).flat))


def strata_of(table, x, y, given):
    counts = table.counts(x, y, given=given)
    return list(np.moveaxis(counts.reshape(*counts.shape[:2], -1), -1, 0))


def in_strata(of=of_stratum, combine=sum, strata=strata_of):
    return lambda table, x, y, given: combine([of(one) for one in strata(table, x, y, given)])


wrong("3.4", "all rows together")(lambda table, x, y, given: of_stratum(table.counts(x, y)))
wrong("3.4", "the mean of the strata")(in_strata(combine=lambda found: sum(found) / len(found)))
wrong("3.4", "the largest of the strata")(in_strata(combine=max))
wrong("3.4", "the first stratum only")(in_strata(combine=lambda found: found[0]))
wrong("3.4", "the last stratum is forgotten")(in_strata(combine=lambda found: sum(found[:-1] if found[1:] else found)))
wrong("3.4", "the first of the given only")(in_strata(strata=lambda t, x, y, given: strata_of(t, x, y, given[:1])))
wrong("3.4", "the last of the given only")(in_strata(strata=lambda t, x, y, given: strata_of(t, x, y, given[-1:])))
wrong("3.4", "one given variable after the other")(
    lambda table, x, y, given: sum(in_strata()(table, x, y, one) for one in ([[z] for z in given] or [[]])))
wrong("3.4", "empty cells are left out")(
    in_strata(lambda counts: of_stratum(counts, lambda o, e: square(o, e) if o else 0.0)))
wrong("3.4", "a stratum with an empty cell is left out")(in_strata(lambda c: of_stratum(c) if c.all() else 0.0))
wrong("3.4", "a stratum with an empty row or column is left out")(
    in_strata(lambda counts: of_stratum(counts) if margins(counts).all() else 0.0))
wrong("3.4", "expected counts of 0 are not looked after")(
    in_strata(lambda counts: of_stratum(counts, lambda o, e: square(float(o), float(e)))))
wrong("3.4", "the strata on the wrong axis")(
    in_strata(strata=lambda t, x, y, given: list(t.counts(x, y, given=given).reshape(-1, size(t, x), size(t, y)))))


@wrong("3.4", "expected from the margins of all rows")
def pooled_margins(table, x, y, given):
    strata = strata_of(table, x, y, given)
    expected = margins(sum(strata)) / len(strata)
    return sum(((one - expected) ** 2 / expected).sum() for one in strata)


@wrong("3.4", "divided by the number of all rows")
def all_rows(table, x, y, given):
    strata = strata_of(table, x, y, given)
    expected = [one.sum(axis=1, keepdims=True) * one.sum(axis=0, keepdims=True) / len(table) for one in strata]
    return sum(square(o, e) for one, two in zip(strata, expected) for o, e in zip(one.flat, two.flat) if e)


# -- 3.5 -------------------------------------------------------------------------------------------------------------
def log_ratio(o, e):
    return o * log(o / e) if o else 0.0


wrong("3.5", "not doubled")(table_sum(log_ratio))
wrong("3.5", "logarithms of base 2")(table_sum(log_ratio, factor=2 / log(2)))
wrong("3.5", "logarithms of base 10")(table_sum(log_ratio, factor=2 / log(10)))
wrong("3.5", "expected by observed")(table_sum(lambda o, e: o * log(e / o) if o else 0.0, factor=2))
wrong("3.5", "weighted by the expected count")(table_sum(lambda o, e: e * log(o / e) if o else 0.0, factor=2))
wrong("3.5", "not weighted")(table_sum(lambda o, e: log(o / e) if o else 0.0, factor=2))
wrong("3.5", "chi-square")(table_sum(square))
wrong("3.5", "empty cells are not looked after")(table_sum(lambda o, e: o * log(o / e), factor=2))
wrong("3.5", "one is added to empty cells")(table_sum(lambda o, e: log_ratio(o or 1, e), factor=2))
wrong("3.5", "an empty cell adds its expected count")(table_sum(lambda o, e: log_ratio(o, e) if o else e, factor=2))
wrong("3.5", "absolute values")(table_sum(lambda o, e: abs(log_ratio(o, e)), factor=2))
wrong("3.5", "the last row is forgotten")(table_sum(log_ratio, lambda counts: counts[:-1], factor=2))
wrong("3.5", "mutual information")(lambda table, x, y: 2 * table_sum(log_ratio)(table, x, y) / len(table))


# -- 3.6 -------------------------------------------------------------------------------------------------------------
def rejecting(divisor, pairs=lambda names: combinations(names, 2)):
    """The dependent pairs when alpha is divided by something else, or other pairs are tested."""
    def dependent_pairs(table, alpha):
        oracle = bn.ChiSquare(table, alpha=alpha / divisor(len(table.variables)))
        return [pair for pair in pairs(table.variables) if not oracle(*pair)]
    return dependent_pairs


def tests(n):
    return n * (n - 1) / 2


wrong("3.6", "alpha is not divided")(rejecting(lambda n: 1))
wrong("3.6", "alpha is divided by the number of variables")(rejecting(lambda n: n))
wrong("3.6", "each pair counts twice")(rejecting(lambda n: n * (n - 1)))
wrong("3.6", "alpha is divided by n squared over 2")(rejecting(lambda n: n * n / 2))
wrong("3.6", "alpha is divided by ten")(rejecting(lambda n: 10))
wrong("3.6", "alpha is divided by one less")(rejecting(lambda n: tests(n) - 1))
wrong("3.6", "neighbouring variables only")(rejecting(tests, pairwise))
wrong("3.6", "pairs with the first variable only")(rejecting(tests, lambda names: [(names[0], y) for y in names[1:]]))
wrong("3.6", "the first pair only")(lambda table, alpha: rejecting(tests)(table, alpha)[:1])
wrong("3.6", "the independent pairs")(lambda table, alpha: [
    pair for pair in combinations(table.variables, 2) if pair not in rejecting(tests)(table, alpha)])
wrong("3.6", "all pairs")(lambda table, alpha: list(combinations(table.variables, 2)))


@wrong("3.6", "alpha is divided by the tests that are left")
def holm(table, alpha):
    pairs = sorted(combinations(table.variables, 2), key=lambda pair: bn.ChiSquare(table)(*pair).p_value)
    found = []
    for i, pair in enumerate(pairs):
        if bn.ChiSquare(table, alpha=alpha / (len(pairs) - i))(*pair):
            break
        found.append(pair)
    return found


# -- 3.7 -------------------------------------------------------------------------------------------------------------
def by_stratum(per_stratum):
    """The sum over all strata of a function of their counts."""
    def dof(table, x, y, given):
        counts = table.counts(x, y, given=given)
        return int(sum(map(per_stratum, np.moveaxis(counts.reshape(*counts.shape[:2], -1), -1, 0))))
    return dof


def occurring(stratum, axis):
    return int((stratum.sum(axis=axis) > 0).sum())


wrong("3.7", "nominal")(by_stratum(lambda s: (s.shape[0] - 1) * (s.shape[1] - 1)))
wrong("3.7", "strata without rows add one")(by_stratum(lambda s: (occurring(s, 1) - 1) * (occurring(s, 0) - 1)))
wrong("3.7", "strata without rows are left out")(
    by_stratum(lambda s: (s.shape[0] - 1) * (s.shape[1] - 1) if s.any() else 0))
wrong("3.7", "only the states of x are adjusted")(
    by_stratum(lambda s: max(occurring(s, 1) - 1, 0) * (s.shape[1] - 1)))
wrong("3.7", "only the states of y are adjusted")(
    by_stratum(lambda s: (s.shape[0] - 1) * max(occurring(s, 0) - 1, 0)))
wrong("3.7", "all states that occur, none subtracted")(by_stratum(lambda s: occurring(s, 1) * occurring(s, 0)))
wrong("3.7", "cells with rows, less one")(by_stratum(lambda s: max(int((s > 0).sum()) - 1, 0)))
wrong("3.7", "cells with rows are counted")(by_stratum(lambda s: max(int((s > 0).sum()) - len(s) - 1, 0)))
wrong("3.7", "strata in which both vary, with all their states")(
    by_stratum(lambda s: (s.shape[0] - 1) * (s.shape[1] - 1) * (min(occurring(s, 0), occurring(s, 1)) > 1)))
wrong("3.7", "strata in which both vary are counted")(by_stratum(lambda s: min(occurring(s, 0), occurring(s, 1)) > 1))
wrong("3.7", "all rows in one stratum")(lambda table, x, y, given: by_stratum(
    lambda s: max(occurring(s, 1) - 1, 0) * max(occurring(s, 0) - 1, 0))(table, x, y, []))
wrong("3.7", "the first of the given only")(lambda table, x, y, given: by_stratum(
    lambda s: max(occurring(s, 1) - 1, 0) * max(occurring(s, 0) - 1, 0))(table, x, y, given[:1]))


# -- 3.8 -------------------------------------------------------------------------------------------------------------
def columns(*make):
    """Three columns by functions of the row number and the number of rows."""
    return lambda names, n: {name: [int(one(i, n)) for i in range(n)] for name, one in zip(names, make)}


def half(i, n):
    return i >= n // 2


wrong("3.8", "three equal columns")(columns(half, half, half))
wrong("3.8", "x and y are equal")(columns(lambda i, n: i % 2, lambda i, n: i % 2, half))
wrong("3.8", "all independent")(columns(lambda i, n: i % 2, lambda i, n: i // 2 % 2, lambda i, n: i // 4 % 2))
wrong("3.8", "exclusive or")(columns(lambda i, n: i % 2, lambda i, n: i // 2 % 2, lambda i, n: (i + i // 2) % 2))
wrong("3.8", "z is a copy of x")(columns(half, lambda i, n: half(i, n) != (i % 5 == 0), half))
wrong("3.8", "y depends on z only a little")(
    columns(lambda i, n: half(i, n) != (i % 5 == 0), lambda i, n: (i // 5 % 2), half))
wrong("3.8", "x and y stay dependent given z")(
    columns(lambda i, n: half(i, n) != (i % 5 == 0), lambda i, n: half(i, n) != (i % 5 == 0), half))
wrong("3.8", "a column is constant")(columns(half, lambda i, n: half(i, n) != (i % 5 == 0), lambda i, n: 0))


def fork(names, n):
    """Data as asked for, if n is a multiple of 50."""
    first, second = [0] * 20 + [1] * 5, [0, 0, 0, 0, 1] * 5
    flipped = [[1 - value for value in column] for column in (first, second)]
    return dict(zip(names, ((first + flipped[0]) * (n // 50), (second + flipped[1]) * (n // 50),
                            ([0] * 25 + [1] * 25) * (n // 50))))


wrong("3.8", "always a hundred rows")(lambda names, n: fork(names, 100))
wrong("3.8", "rows in whole hundreds")(lambda names, n: fork(names, n // 100 * 100))
wrong("3.8", "names of its own")(lambda names, n: fork(["coffee", "sleep", "age"], n))
wrong("3.8", "x and z exchanged")(lambda names, n: fork(names[::-1], n))
