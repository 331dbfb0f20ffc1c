"""Wrong programs for exercise 12."""

from __future__ import annotations

from math import exp, log, log2, log10, pi, sin, sqrt

import numpy as np

from tests.course.exercises.wrong import wrong

# -- 12.1: one value ---------------------------------------------------------------------------------------------------
DENSITIES = {
    "the density itself": lambda x, mean, v: exp(-((x - mean) ** 2) / v / 2) / sqrt(2 * pi * v),
    "the variance as the standard deviation": lambda x, mean, v: -(log(2 * pi * v * v) + ((x - mean) / v) ** 2) / 2,
    "divided by the standard deviation": lambda x, mean, v: -(log(2 * pi * v) + (x - mean) ** 2 / sqrt(v)) / 2,
    "not divided by the variance": lambda x, mean, v: -(log(2 * pi * v) + (x - mean) ** 2) / 2,
    "the distance not squared": lambda x, mean, v: -(log(2 * pi * v) + (x - mean) / v) / 2,
    "the absolute distance": lambda x, mean, v: -(log(2 * pi * v) + abs(x - mean) / v) / 2,
    "the factor 1/2 forgotten": lambda x, mean, v: -(log(2 * pi * v) + (x - mean) ** 2 / v),
    "the factor 1/2 twice": lambda x, mean, v: -(log(2 * pi * v) + (x - mean) ** 2 / (2 * v)) / 2,
    "the other sign": lambda x, mean, v: (log(2 * pi * v) + (x - mean) ** 2 / v) / 2,
    "the sign of the distance": lambda x, mean, v: -(log(2 * pi * v) - (x - mean) ** 2 / v) / 2,
    "base 2": lambda x, mean, v: -(log2(2 * pi * v) + (x - mean) ** 2 / v) / 2,
    "base 10": lambda x, mean, v: -(log10(2 * pi * v) + (x - mean) ** 2 / v) / 2,
    "without 2 pi": lambda x, mean, v: -(log(v) + (x - mean) ** 2 / v) / 2,
}
for mistake, program in DENSITIES.items():
    wrong("12.1", mistake)(program)


# -- 12.2: a regression line -------------------------------------------------------------------------------------------
def fitted(x, y):
    coefficient, intercept = np.polyfit(x, y, 1)
    return intercept, coefficient, float(((np.array(y) - intercept - coefficient * np.array(x)) ** 2).sum()), len(x)


def line_with(answer):
    return lambda x, y: answer(*fitted(x, y))


def through_the_origin(x, y):
    x, y = np.array(x, float), np.array(y, float)
    coefficient = x @ y / (x @ x)
    return 0.0, coefficient, ((y - coefficient * x) ** 2).sum() / (len(x) - 1)


def with_coefficient(of):
    """The rest follows from a wrong coefficient."""
    def program(x, y):
        x, y = np.array(x, float), np.array(y, float)
        coefficient = of(x, y)
        intercept = y.mean() - coefficient * x.mean()
        return intercept, coefficient, ((y - intercept - coefficient * x) ** 2).sum() / (len(x) - 1)
    return program


right_line = line_with(lambda a, b, squares, m: (a, b, squares / (m - 1)))
LINES = {
    "divided by m": line_with(lambda a, b, squares, m: (a, b, squares / m)),
    "divided by m - 2": line_with(lambda a, b, squares, m: (a, b, squares / (m - 2))),
    "the sum of the squared residuals": line_with(lambda a, b, squares, m: (a, b, squares)),
    "the standard deviation": line_with(lambda a, b, squares, m: (a, b, sqrt(squares / (m - 1)))),
    "the coefficient first": line_with(lambda a, b, squares, m: (b, a, squares / (m - 1))),
    "the other sign of the intercept": line_with(lambda a, b, squares, m: (-a, b, squares / (m - 1))),
    "x on y": lambda x, y: right_line(y, x),
    "the variance of y": lambda x, y: (*right_line(x, y)[:2], np.var(y, ddof=1)),
    "no intercept": through_the_origin,
    "the correlation as the coefficient": with_coefficient(lambda x, y: np.corrcoef(x, y)[0, 1]),
    "divided by the spread of y": with_coefficient(lambda x, y: np.cov(x, y)[0, 1] / y.var(ddof=1)),
    "covariance with m - 1, variance with m": with_coefficient(lambda x, y: np.cov(x, y)[0, 1] / x.var()),
}
for mistake, program in LINES.items():
    wrong("12.2", mistake)(program)


# -- 12.3: two determinants --------------------------------------------------------------------------------------------
def squares(data, child, parents, ones=True):
    """The sum of the squared residuals."""
    y, design = data.column(child), np.stack([np.full(len(data), float(ones)), *map(data.column, parents)], axis=1)
    return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())


def variance(data, child, parents):
    return squares(data, child, parents) / (len(data) - 1)


def det(matrix):
    return float(np.linalg.det(np.atleast_2d(matrix)))


def correlations(data, child, parents):
    def of(names):
        return det(np.corrcoef([data.column(name) for name in names])) if names else 1.0
    return of([child, *parents]) / of(list(parents))


def one_by_one(data, child, parents):
    """Each parent reduces the variance as if it were the only one."""
    reduction = np.prod([1 - np.corrcoef(data.column(child), data.column(p))[0, 1] ** 2 for p in parents])
    return float(np.var(data.column(child), ddof=1) * reduction)


VARIANCES = {
    "divided by m": lambda data, child, parents: squares(data, child, parents) / len(data),
    "divided by m less the number of parameters": lambda data, child, parents:
        squares(data, child, parents) / (len(data) - 1 - len(parents)),
    "the reciprocal": lambda data, child, parents: 1 / variance(data, child, parents),
    "the variance of the child without parents": lambda data, child, parents: variance(data, child, []),
    "only the first parent": lambda data, child, parents: variance(data, child, parents[:1]),
    "only the last parent": lambda data, child, parents: variance(data, child, parents[-1:]),
    "at most two parents": lambda data, child, parents: variance(data, child, parents[:2]),
    "correlations in place of covariances": correlations,
    "the standard deviation": lambda data, child, parents: sqrt(variance(data, child, parents)),
    "each parent as if it were the only one": one_by_one,
    "the numerator only": lambda data, child, parents: det(np.cov([data.column(x) for x in (child, *parents)])),
    "no intercept": lambda data, child, parents: squares(data, child, parents, ones=False) / (len(data) - 1),
    "no answer without parents": lambda data, child, parents: variance(data, child, parents) if parents else 1.0,
}
for mistake, program in VARIANCES.items():
    wrong("12.3", mistake)(program)


# -- 12.4: the log-likelihood of a family ------------------------------------------------------------------------------
def likelihood_with(formula, variance=variance):
    return lambda data, child, parents: formula(len(data), variance(data, child, parents))


def right_formula(m, v):
    return -(m * log(2 * pi * v) + (m - 1)) / 2


FAMILIES = {
    "the variance divided by m": likelihood_with(lambda m, v: right_formula(m, v) - 0.5, VARIANCES["divided by m"]),
    "the variance divided by m in the same formula": likelihood_with(right_formula, VARIANCES["divided by m"]),
    "the variance divided by m - 2": likelihood_with(
        lambda m, v: -(m * log(2 * pi * v * (m - 1) / (m - 2)) + m - 2) / 2),
    "the squared residuals sum to m v": likelihood_with(lambda m, v: -(m * log(2 * pi * v) + m) / 2),
    "the logarithm m - 1 times": likelihood_with(lambda m, v: -((m - 1) * log(2 * pi * v) + (m - 1)) / 2),
    "base 2": likelihood_with(lambda m, v: -(m * log2(2 * pi * v) + (m - 1)) / 2),
    "the mean over the rows": likelihood_with(lambda m, v: right_formula(m, v) / m),
    "no squared residuals": likelihood_with(lambda m, v: -m * log(2 * pi * v) / 2),
    "without 2 pi": likelihood_with(lambda m, v: -(m * log(v) + (m - 1)) / 2),
    "the factor 1/2 forgotten": likelihood_with(lambda m, v: -(m * log(2 * pi * v) + (m - 1))),
    "the other sign": likelihood_with(lambda m, v: -right_formula(m, v)),
    "the squared residuals not divided by v": likelihood_with(lambda m, v: -(m * log(2 * pi * v) + (m - 1) * v) / 2),
    **{mistake: likelihood_with(right_formula, VARIANCES[mistake]) for mistake in (
        "the variance of the child without parents", "only the first parent", "only the last parent",
        "at most two parents", "each parent as if it were the only one", "no intercept", "no answer without parents")},
}
for mistake, program in FAMILIES.items():
    wrong("12.4", mistake)(program)


# -- 12.5: BIC of a graph ----------------------------------------------------------------------------------------------
def fit(data, dag):
    return sum(likelihood_with(right_formula)(data, x, dag.parents(x)) for x in dag.nodes)


def bic_with(parameters, rate=lambda m: log(m) / 2, fit=fit):
    return lambda data, dag: fit(data, dag) - rate(len(data)) * parameters(len(dag.nodes), len(dag.arcs))


def right_number(nodes, arcs):
    return arcs + 2 * nodes


def reversed_fit(data, dag):
    return sum(likelihood_with(right_formula)(data, x, [b for a, b in dag.arcs if a == x]) for x in dag.nodes)


def fit_with(mistake):
    return lambda data, dag: sum(FAMILIES[mistake](data, x, dag.parents(x)) for x in dag.nodes)


BICS = {
    "no penalty": bic_with(lambda nodes, arcs: 0),
    "AIC": bic_with(right_number, lambda m: 1.0),
    "ln m per parameter": bic_with(right_number, log),
    "base 2 in the penalty": bic_with(right_number, lambda m: log2(m) / 2),
    "the logarithm of m - 1": bic_with(right_number, lambda m: log(m - 1) / 2),
    "arcs only": bic_with(lambda nodes, arcs: arcs),
    "no variances": bic_with(lambda nodes, arcs: arcs + nodes),
    "no coefficients": bic_with(lambda nodes, arcs: 2 * nodes),
    "one intercept and one variance for the whole graph": bic_with(lambda nodes, arcs: arcs + 2),
    "the penalty added": bic_with(lambda nodes, arcs: -right_number(nodes, arcs)),
    "-2 times, lower being better": lambda data, dag: -2 * bic_with(right_number)(data, dag),
    "the variance divided by m": bic_with(right_number, fit=fit_with("the variance divided by m")),
    "at most two parents in the fit": bic_with(right_number, fit=fit_with("at most two parents")),
    "only the first parent in the fit": bic_with(right_number, fit=fit_with("only the first parent")),
    "children in place of parents": bic_with(right_number, fit=reversed_fit),
    "variables without an arc forgotten": lambda data, dag: bic_with(right_number)(
        data, type(dag)(dag.arcs)) if dag.arcs else 0.0,
}
for mistake, program in BICS.items():
    wrong("12.5", mistake)(program)


# -- 12.6: means -------------------------------------------------------------------------------------------------------
def means_with(step, order=lambda dag: dag.order):
    """The means one after the other; what is not known yet counts as its intercept."""
    def program(dag, families):
        mean = {x: intercept for x, (intercept, _) in families.items()}
        for x in order(dag):
            mean[x] = step(families[x][0], {p: (w, mean[p]) for p, w in families[x][1].items()})
        return mean
    return program


def right_step(intercept, terms):
    return intercept + sum(w * mean for w, mean in terms.values())


def repeated(rounds):
    """All means at once from the last ones, a few times."""
    def program(dag, families):
        mean = {x: families[x][0] for x in dag.nodes}
        for _ in range(rounds):
            mean = {x: families[x][0] + sum(w * mean[p] for p, w in families[x][1].items()) for x in dag.nodes}
        return mean
    return program


MEANS = {
    "the intercepts": repeated(0),
    "the intercepts of the parents": repeated(1),
    "two generations only": repeated(2),
    "three generations only": repeated(3),
    "the order of the nodes": means_with(right_step, lambda dag: dag.nodes),
    "children before parents": means_with(right_step, lambda dag: dag.order[::-1]),
    "only the first parent": means_with(lambda a, terms: a + sum(w * m for w, m in list(terms.values())[:1])),
    "only the last parent": means_with(lambda a, terms: a + sum(w * m for w, m in list(terms.values())[-1:])),
    "at most two parents": means_with(lambda a, terms: a + sum(w * m for w, m in list(terms.values())[:2])),
    "no intercept where there are parents": means_with(lambda a, terms: right_step(0.0 if terms else a, terms)),
    "no coefficients": means_with(lambda a, terms: a + sum(m for _, m in terms.values())),
    "the mean of the parents' terms": means_with(lambda a, terms:
                                                 a + sum(w * m for w, m in terms.values()) / max(len(terms), 1)),
    "the intercept once per parent": means_with(lambda a, terms: right_step(a * max(len(terms), 1), terms)),
    "absolute coefficients": means_with(lambda a, terms: a + sum(abs(w) * m for w, m in terms.values())),
}
for mistake, program in MEANS.items():
    wrong("12.6", mistake)(program)


# -- 12.7: against the arc ---------------------------------------------------------------------------------------------
def given_with(mean_y=lambda mean, a, b: a + b * mean, c=lambda v, b: b * v, v_y=lambda v, b, s: b * b * v + s,
               after=lambda mean, move: mean + move, fall=lambda v, c, v_y: v - c * c / v_y):
    """The right formulas but for one."""
    def program(mean, variance, line, y):
        a, b, noise = line
        cov, total = c(variance, b), v_y(variance, b, noise)
        return after(mean, cov / total * (y - mean_y(mean, a, b))), fall(variance, cov, total)
    return program


GIVEN = {
    "the line inverted": lambda mean, v, line, y: ((y - line[0]) / line[1], given_with()(mean, v, line, y)[1]),
    "the line inverted, with its noise": lambda mean, v, line, y: ((y - line[0]) / line[1], line[2] / line[1] ** 2),
    "the variance unchanged": given_with(fall=lambda v, c, v_y: v),
    "the standard deviation": given_with(fall=lambda v, c, v_y: sqrt(v - c * c / v_y)),
    "the variance falls by c / v_y": given_with(fall=lambda v, c, v_y: v - c / v_y),
    "the variance rises": given_with(fall=lambda v, c, v_y: v + c * c / v_y),
    "the residual variance left out": given_with(v_y=lambda v, b, s: b * b * v),
    "the coefficient not squared": given_with(v_y=lambda v, b, s: b * v + s),
    "the residual variance squared": given_with(v_y=lambda v, b, s: b * b * v + s * s),
    "the covariance is the coefficient": given_with(c=lambda v, b: b),
    "the mean of y without the intercept": given_with(mean_y=lambda mean, a, b: b * mean),
    "the mean of y is the mean of x": given_with(mean_y=lambda mean, a, b: mean),
    "the mean moves the other way": given_with(after=lambda mean, move: mean - move),
    "the mean starts from 0": given_with(after=lambda mean, move: move),
    "variance and mean exchanged": lambda *arguments: given_with()(*arguments)[::-1],
    "the mean of y given x": lambda mean, v, line, y: (line[0] + line[1] * mean, line[2]),
}
for mistake, program in GIVEN.items():
    wrong("12.7", mistake)(program)


# -- 12.8: what no linear model detects --------------------------------------------------------------------------------
def curve_with(f, values=range):
    return lambda x, y, n: {x: [float(v) for v in values(n)], y: [float(f(v)) for v in values(n)]}


def centred(n):
    return np.arange(n) - (n - 1) / 2


CURVES = {
    "a parabola that is not centred": curve_with(lambda v: v * v),
    "a parabola centred at -3": curve_with(lambda v: v * v, lambda n: range(-3, n - 3)),
    "a straight line": curve_with(lambda v: 2 * v + 1),
    "a centred cubic": curve_with(lambda v: v**3, centred),
    "an exponential": curve_with(lambda v: exp(v / 10)),
    "a slow sine": curve_with(lambda v: sin(v / 10)),
    "constant": curve_with(lambda v: 1),
    "only two values of x": lambda x, y, n: {x: [i % 2 for i in range(n)], y: [i % 2 for i in range(n)]},
    "three values of x": lambda x, y, n: {x: [i % 3 - 1 for i in range(n)], y: [(i % 3 - 1) ** 2 for i in range(n)]},
    "independent, but no function": lambda x, y, n: {x: [i // 2 % 4 for i in range(n)], y: [i % 2 for i in range(n)]},
    "always the names x and y": lambda x, y, n: curve_with(lambda v: v * v, centred)("x", "y", n),
    "x as a function of y": lambda x, y, n: curve_with(lambda v: v * v, centred)(y, x, n),
}
for mistake, program in CURVES.items():
    wrong("12.8", mistake)(program)
