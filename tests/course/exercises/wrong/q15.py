"""Wrong programs for exercise 15."""

from __future__ import annotations

from math import log, log2

from tests.course.exercises.wrong import wrong

CELLS = [(0, 0), (0, 1), (1, 0), (1, 1)]


def joint(p, q, x, y):
    return (p if x else 1 - p) * (q[x] if y else 1 - q[x])


def split(p, q, y):
    return joint(p, q, 1, y) / (joint(p, q, 0, y) + joint(p, q, 1, y))


# -- 15.1: one missing value -------------------------------------------------------------------------------------
wrong("15.1", "y is ignored")(lambda p, q, y: p)
wrong("15.1", "the fraction of x = 0")(lambda p, q, y: 1 - split(p, q, y))
wrong("15.1", "P(y | x = 1)")(lambda p, q, y: q[1] if y else 1 - q[1])
wrong("15.1", "not normalised")(lambda p, q, y: joint(p, q, 1, y))
wrong("15.1", "no weights p and 1 - p")(lambda p, q, y: split(0.5, q, y))
wrong("15.1", "always y = 1")(lambda p, q, y: split(p, q, 1))
wrong("15.1", "always y = 0 for x = 0")(
    lambda p, q, y: joint(p, q, 1, y) / (joint(p, q, 1, y) + (1 - p) * (1 - q[0])))
wrong("15.1", "always y = 1 for x = 0")(lambda p, q, y: joint(p, q, 1, y) / (joint(p, q, 1, y) + (1 - p) * q[0]))
wrong("15.1", "p in place of 1 - p for x = 0")(
    lambda p, q, y: joint(p, q, 1, y) / (joint(p, q, 1, y) + p * (q[0] if y else 1 - q[0])))
wrong("15.1", "no weight for x = 0")(
    lambda p, q, y: joint(p, q, 1, y) / (joint(p, q, 1, y) + (q[0] if y else 1 - q[0])))
wrong("15.1", "the more probable state")(lambda p, q, y: round(split(p, q, y)))
wrong("15.1", "q[0] and q[1] are swapped")(lambda p, q, y: split(p, {0: q[1], 1: q[0]}, y))


# -- 15.2: expected counts ---------------------------------------------------------------------------------------
def counted(rows, part):
    """Counts; `part(y)` says how much a row with a missing x adds to x = 0 and to x = 1."""
    counts = dict.fromkeys(CELLS, 0.0)
    for x, y in rows:
        zero, one = part(y) if x is None else (1 - x, x)
        counts[0, y] += zero
        counts[1, y] += one
    return counts


def e_step(rows, p, q):
    return counted(rows, lambda y: (1 - split(p, q, y), split(p, q, y)))


def hard(rows, p, q):
    return counted(rows, lambda y: (1 - round(split(p, q, y)), round(split(p, q, y))))


def complete(rows):
    return counted(rows, lambda y: (0, 0))


def wrong_counts(mistake, part):
    wrong("15.2", mistake)(lambda rows, p, q: counted(rows, lambda y: part(p, q, y)))


wrong_counts("complete rows only", lambda p, q, y: (0, 0))
wrong_counts("the more probable state", lambda p, q, y: (1 - round(split(p, q, y)), round(split(p, q, y))))
wrong_counts("counted twice", lambda p, q, y: (1, 1))
wrong_counts("one half each", lambda p, q, y: (0.5, 0.5))
wrong_counts("by p, whatever y is", lambda p, q, y: (1 - p, p))
wrong_counts("swapped", lambda p, q, y: (split(p, q, y), 1 - split(p, q, y)))
wrong_counts("the rest is forgotten", lambda p, q, y: (0, split(p, q, y)))
wrong_counts("the part of x = 1 for both", lambda p, q, y: (split(p, q, y),) * 2)
wrong_counts("always y = 1 in the split", lambda p, q, y: (1 - split(p, q, 1), split(p, q, 1)))
wrong_counts("not normalised", lambda p, q, y: (joint(p, q, 0, y), joint(p, q, 1, y)))
wrong_counts("a missing value counts as 0", lambda p, q, y: (1, 0))
wrong("15.2", "0 counts as missing")(lambda rows, p, q: e_step([(x or None, y) for x, y in rows], p, q))
wrong("15.2", "divided by the number of rows")(
    lambda rows, p, q: {cell: n / len(rows) for cell, n in e_step(rows, p, q).items()})
wrong("15.2", "missing values are a state of their own")(
    lambda rows, p, q: {(x, y): rows.count((x, y)) for x in (0, 1, None) for y in (0, 1)})


# -- 15.3: relative frequencies ----------------------------------------------------------------------------------
def m_step(counts):
    n = {x: counts[x, 0] + counts[x, 1] for x in (0, 1)}
    return n[1] / (n[0] + n[1]), {x: counts[x, 1] / n[x] for x in (0, 1)}


def wrong_m_step(mistake, p=lambda c: m_step(c)[0], q=lambda c: m_step(c)[1]):
    wrong("15.3", mistake)(lambda counts: (p(counts), q(counts)))


wrong_m_step("q is the joint relative frequency", q=lambda c: {x: c[x, 1] / sum(c.values()) for x in (0, 1)})
wrong_m_step("q is P(x = 1 | y)", q=lambda c: {y: c[1, y] / (c[0, y] + c[1, y]) for y in (0, 1)})
wrong_m_step("q is P(y = 0 | x)", q=lambda c: {x: 1 - v for x, v in m_step(c)[1].items()})
wrong_m_step("q is not normalised", q=lambda c: {x: c[x, 1] for x in (0, 1)})
wrong_m_step("the odds of y", q=lambda c: {x: c[x, 1] / c[x, 0] for x in (0, 1)})
wrong_m_step("p is P(x = 0)", p=lambda c: 1 - m_step(c)[0])
wrong_m_step("p is P(y = 1)", p=lambda c: (c[0, 1] + c[1, 1]) / sum(c.values()))
wrong_m_step("p is not normalised", p=lambda c: c[1, 0] + c[1, 1])
wrong_m_step("the odds of x", p=lambda c: (c[1, 0] + c[1, 1]) / (c[0, 0] + c[0, 1]))
wrong_m_step("p from y = 1 only", p=lambda c: c[1, 1] / (c[0, 1] + c[1, 1]))
wrong("15.3", "rounded counts")(lambda counts: m_step({cell: round(n) for cell, n in counts.items()}))
wrong("15.3", "rounded to two decimals")(
    lambda counts: (round(m_step(counts)[0], 2), {x: round(v, 2) for x, v in m_step(counts)[1].items()}))
wrong("15.3", "a pseudo-count of 1")(lambda counts: m_step({cell: n + 1 for cell, n in counts.items()}))
wrong("15.3", "the first cell in place of the sum")(
    lambda counts: (m_step(counts)[0], {x: counts[x, 1] / (counts[x, 1] + counts[0, 0]) for x in (0, 1)}))


# -- 15.4: the log-likelihood ------------------------------------------------------------------------------------
def log_likelihood(rows, p, q, missing=lambda p, q, y: log2(joint(p, q, 0, y) + joint(p, q, 1, y))):
    return sum(missing(p, q, y) if x is None else log2(joint(p, q, x, y)) for x, y in rows)


def wrong_missing(mistake, missing):
    wrong("15.4", mistake)(lambda rows, p, q: log_likelihood(rows, p, q, missing=missing))


wrong_missing("complete rows only", lambda p, q, y: 0.0)
wrong_missing("a sum of logarithms", lambda p, q, y: log2(joint(p, q, 0, y)) + log2(joint(p, q, 1, y)))
wrong_missing("the more probable state", lambda p, q, y: log2(max(joint(p, q, 0, y), joint(p, q, 1, y))))
wrong_missing("the mean of both states", lambda p, q, y: log2((joint(p, q, 0, y) + joint(p, q, 1, y)) / 2))
wrong_missing("no weights p and 1 - p", lambda p, q, y: log2(sum(q[x] if y else 1 - q[x] for x in (0, 1))))
wrong_missing("the expected logarithm", lambda p, q, y: (1 - split(p, q, y)) * log2(joint(p, q, 0, y))
              + split(p, q, y) * log2(joint(p, q, 1, y)))
wrong_missing("always y = 1 where x is missing", lambda p, q, y: log2(joint(p, q, 0, 1) + joint(p, q, 1, 1)))
wrong_missing("x = 0 where x is missing", lambda p, q, y: log2(joint(p, q, 0, y)))
wrong("15.4", "in nats")(lambda rows, p, q: log_likelihood(rows, p, q) * log(2))
wrong("15.4", "the probability")(lambda rows, p, q: 2 ** log_likelihood(rows, p, q))
wrong("15.4", "per row")(lambda rows, p, q: log_likelihood(rows, p, q) / len(rows))
wrong("15.4", "the factor P(x) is missing")(
    lambda rows, p, q: sum(log2(sum(q[i] if y else 1 - q[i] for i in (0, 1) if x in (i, None))) for x, y in rows))
wrong("15.4", "the other sign")(lambda rows, p, q: -log_likelihood(rows, p, q))
wrong("15.4", "the last row only: the total is in the loop")(lambda rows, p, q: log_likelihood(rows[-1:], p, q))
wrong("15.4", "returns in the loop")(lambda rows, p, q: log_likelihood(rows[:1], p, q))
wrong("15.4", "each different row once")(lambda rows, p, q: log_likelihood(set(rows), p, q))


# -- 15.5: EM ----------------------------------------------------------------------------------------------------
def em(rows, p, q, iterations, step=lambda rows, p, q: m_step(e_step(rows, p, q))):
    run = [(p, q)]
    for _ in range(iterations):
        run.append(step(rows, *run[-1]))
    return run[1:]


def wrong_iteration(mistake, step):
    wrong("15.5", mistake)(lambda *arguments: em(*arguments, step))


@wrong("15.5", "stops when the numbers hardly change")
def converged(rows, p, q, iterations):
    for _ in range(iterations):
        before = p
        p, q = m_step(e_step(rows, p, q))
        yield p, q
        if abs(p - before) < 1e-3:
            return


wrong_iteration("complete rows only", lambda rows, p, q: m_step(complete(rows)))
wrong_iteration("the more probable state", lambda rows, p, q: m_step(hard(rows, p, q)))
wrong_iteration("q from the new p", lambda rows, p, q: (
    (new := m_step(e_step(rows, p, q))[0]), m_step(e_step(rows, new, q))[1]))
wrong_iteration("p from the new q", lambda rows, p, q: (
    m_step(e_step(rows, p, new := m_step(e_step(rows, p, q))[1]))[0], new))
wrong_iteration("q is never updated", lambda rows, p, q: (m_step(e_step(rows, p, q))[0], q))
wrong_iteration("p is never updated", lambda rows, p, q: (p, m_step(e_step(rows, p, q))[1]))
wrong_iteration("p from the complete rows", lambda rows, p, q: (
    m_step(complete(rows))[0], m_step(e_step(rows, p, q))[1]))
wrong_iteration("q from the complete rows", lambda rows, p, q: (
    m_step(e_step(rows, p, q))[0], m_step(complete(rows))[1]))
wrong_iteration("rounded counts", lambda rows, p, q: m_step({c: round(n, 1) for c, n in e_step(rows, p, q).items()}))
wrong_iteration("rounded to three decimals", lambda rows, p, q: (
    round(m_step(e_step(rows, p, q))[0], 3), {x: round(v, 3) for x, v in m_step(e_step(rows, p, q))[1].items()}))
wrong_iteration("by p, whatever y is", lambda rows, p, q: m_step(counted(rows, lambda y: (1 - p, p))))
wrong_iteration("a pseudo-count of 1", lambda rows, p, q: m_step({c: n + 1 for c, n in e_step(rows, p, q).items()}))
wrong_iteration("q is not normalised", lambda rows, p, q: (
    m_step(e_step(rows, p, q))[0], {x: e_step(rows, p, q)[x, 1] / len(rows) for x in (0, 1)}))
wrong("15.5", "each iteration starts anew")(
    lambda rows, p, q, iterations: [m_step(e_step(rows, p, q))] * iterations)
wrong("15.5", "with the values before the first iteration")(
    lambda rows, p, q, iterations: [(p, q), *em(rows, p, q, iterations)])
wrong("15.5", "before each iteration in place of after it")(
    lambda rows, p, q, iterations: [(p, q), *em(rows, p, q, iterations)][:-1])
wrong("15.5", "one iteration more")(lambda rows, p, q, iterations: em(rows, p, q, iterations + 1))
wrong("15.5", "one iteration less")(lambda rows, p, q, iterations: em(rows, p, q, iterations - 1))
wrong("15.5", "the last iteration only")(lambda *arguments: em(*arguments)[-1:])
wrong("15.5", "missing values are filled in once")(
    lambda rows, p, q, iterations: [m_step(e_step(rows, p, q)), *[m_step(hard(rows, p, q))] * (iterations - 1)])


# -- 15.6: a score on expected counts ----------------------------------------------------------------------------
def fit(counts, zeros=False):
    total = sum(counts.values())
    n_x = [counts[x, 0] + counts[x, 1] for x in (0, 1)]
    n_y = [counts[0, y] + counts[1, y] for y in (0, 1)]
    return sum(n * log2(n * total / (n_x[x] * n_y[y])) for (x, y), n in counts.items() if n or zeros)


def arc_gain(counts):
    return fit(counts) - log2(sum(counts.values())) / 2


def wrong_gain(mistake, of):
    """`of(fit, N)` is the gain."""
    wrong("15.6", mistake)(lambda counts: of(fit(counts), sum(counts.values())))


wrong_gain("no penalty", lambda fit, n: fit)
wrong_gain("the penalty is added", lambda fit, n: fit + log2(n) / 2)
wrong_gain("not multiplied by N", lambda fit, n: fit / n - log2(n) / 2)
wrong_gain("the mutual information", lambda fit, n: fit / n)
wrong_gain("two parameters", lambda fit, n: fit - log2(n))
wrong_gain("the penalty of AIC", lambda fit, n: fit - 1)
wrong_gain("negative gains are cut off", lambda fit, n: max(0.0, fit - log2(n) / 2))
wrong_gain("without sign", lambda fit, n: abs(fit - log2(n) / 2))
wrong_gain("without the arc minus with it", lambda fit, n: log2(n) / 2 - fit)
wrong_gain("in nats", lambda fit, n: (fit - log2(n) / 2) * log(2))
wrong_gain("the penalty in nats", lambda fit, n: fit - log(n) / 2)
wrong_gain("four rows: the number of cells", lambda fit, n: fit - log2(4) / 2)
wrong_gain("N is rounded", lambda fit, n: fit - log2(round(n)) / 2)
wrong("15.6", "rounded counts")(lambda counts: arc_gain({cell: round(n) for cell, n in counts.items()}))


@wrong("15.6", "an error if a count is 0")
def no_zeros(counts):
    return fit(counts, zeros=True) - log2(sum(counts.values())) / 2


@wrong("15.6", "a pseudo-count where a count is 0")
def pseudo(counts):
    return arc_gain({cell: n or 0.001 for cell, n in counts.items()})


@wrong("15.6", "no gain if a count is 0")
def gives_up(counts):
    return arc_gain(counts) if all(counts.values()) else 0.0


# -- 15.7: misled by complete rows -------------------------------------------------------------------------------
def wrong_rows(mistake, x_of, y_of, missing):
    """In row i of n, y is y_of(i, n) and x is x_of(i, n), unless it is missing."""
    wrong("15.7", mistake)(lambda x, y, n: {
        x: [None if missing(i, n) else x_of(i, n) for i in range(n)], y: [y_of(i, n) for i in range(n)]})


def half(i, n):
    return int(i >= n // 2)


def nearly(i, n):
    return half(i, n) ^ (i % (n // 2) == 0)


wrong_rows("nothing is missing", nearly, half, lambda i, n: False)
wrong_rows("missing at random", nearly, half, lambda i, n: i % 3 == 1)
wrong_rows("missing only where y is 1, but x does not depend on y", lambda i, n: i % 2, half,
           lambda i, n: i > n // 2 + 4)
wrong_rows("the missing ones are all that is 1", half, half, lambda i, n: i >= n // 2)
wrong_rows("one pair of states is not observed", lambda i, n: half(i, n) if i else 1, half, lambda i, n: i > n // 2 + 3)
wrong_rows("too few are missing", nearly, half, lambda i, n: i > n - 3)
wrong_rows("missing in all rows but one per pair", lambda i, n: i % 2, lambda i, n: i // 2 % 2, lambda i, n: i > 3)
wrong_rows("missing depends on x, and y says nothing of it", lambda i, n: half(i, n), lambda i, n: i % 2,
           lambda i, n: i > n // 2 + 3)
wrong("15.7", "always forty rows")(lambda x, y, n: {
    x: [1] + [0] * 14 + [0, 1, 1, 1, 1] + [None] * 20, y: [0] * 15 + [1] * 25})
wrong("15.7", "missing in the second column")(lambda x, y, n: {
    y: [1] + [0] * (n // 2 - 1) + [0, 1, 1, 1, 1] + [None] * (n - n // 2 - 5), x: [0] * (n // 2) + [1] * (n - n // 2)})
