"""Exercise 12: linear Gaussian models. Lesson 12_gaussian_networks."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled
from bnteach.errors import DataError
from bnteach.graphs.dag import DAG
from bnteach.models.gaussian import GaussianNetwork
from bnteach.scores.gaussian import GaussianFamilies
from bnteach.tables.measurements import Measurements

LINES = ("scores.gaussian", "models", "scores", "scores.categorical")
Line = tuple[float, float, float]  # intercept, coefficient, residual variance
Families = dict[str, tuple[float, dict[str, float]]]  # intercept, coefficients of the parents


# -- inputs ------------------------------------------------------------------------------------------------------
def draw_data(random: Random, n: int = 4) -> Measurements:
    """Columns with one decimal, each depending on the one before it."""
    rows = int(random.integers(8, 14))
    columns, before = {}, random.normal(0, 1, rows)
    for name in names(random, n):
        before = random.uniform(-1.5, 1.5) * before + random.normal(random.uniform(-3, 3), 1, rows)
        columns[name] = before.round(1)
    return Measurements(columns)


def draw_density(random: Random) -> tuple[float, float, float]:
    mean = float(random.uniform(-4, 4))
    return round(mean + float(random.normal(0, 2)), 2), round(mean, 2), round(float(random.uniform(0.2, 4)), 2)


def draw_line(random: Random) -> tuple[list[float], list[float]]:
    data = draw_data(random, 2)
    return data.values[:, 0].tolist(), data.values[:, 1].tolist()


def draw_family(random: Random) -> tuple[Measurements, str, list[str]]:
    data = draw_data(random)
    child, *parents = shuffled(random, data.variables)
    return data, child, parents[: int(random.integers(1, 3))]


def three_parents(random: Random) -> list[tuple[Measurements, str, list[str]]]:
    data = draw_data(random)
    child, *parents = shuffled(random, data.variables)
    return [(data, child, parents)]


def draw_graph(random: Random) -> tuple[Measurements, DAG]:
    data = draw_data(random)
    return data, dag(random, data.variables, arcs=int(random.integers(2, 5)))


def uneven_graphs(random: Random) -> list[tuple[Measurements, DAG]]:
    """A node with three parents; and a graph with two isolated nodes."""
    ((data, child, parents),) = three_parents(random)
    return [(data, DAG([(parent, child) for parent in parents], data.variables)),
            (data, DAG([(parents[0], child)], data.variables))]


def draw_network(random: Random) -> tuple[DAG, Families]:
    return with_numbers(random, dag(random, 5, arcs=6))


def with_numbers(random: Random, graph: DAG) -> tuple[DAG, Families]:
    """An intercept for each variable and a coefficient, positive or negative, for each arc."""
    def number(low: float, high: float) -> float:
        return round(float(random.choice([-1, 1]) * random.uniform(low, high)), 1)
    return graph, {x: (number(0.2, 3), {p: number(0.5, 2.5) for p in graph.parents(x)}) for x in graph.nodes}


def long_path(random: Random) -> list[tuple[DAG, Families]]:
    """A directed path through six variables, the last of which has three parents."""
    nodes = names(random, 6)
    path = shuffled(random, nodes)
    return [with_numbers(random, DAG([*pairwise(path), (path[0], path[-1]), (path[1], path[-1])], nodes))]


def draw_evidence(random: Random) -> tuple[float, float, Line, float]:
    """The mean and variance of x, the line of y, and a value of y."""
    coefficient = round(float(random.choice([-1, 1]) * random.uniform(0.4, 2)), 1)
    line = round(float(random.uniform(-2, 2)), 1), coefficient, round(float(random.uniform(0.5, 3)), 1)
    return (round(float(random.uniform(-3, 3)), 1), round(float(random.uniform(0.5, 3)), 1), line,
            round(float(random.uniform(-6, 6)), 1))


# -- what the library says ---------------------------------------------------------------------------------------
def log_density(x: float, mean: float, variance: float) -> float:
    return -(math.log(2 * math.pi * variance) + (x - mean) ** 2 / variance) / 2


def line(x: list[float], y: list[float], less: int = 1) -> Line:
    """The least-squares line; the sum of the squared residuals is divided by m - less."""
    network = GaussianNetwork.fit("x->y", {"x": x, "y": y})
    variance = network.variances["y"] * (len(x) - 1) / (len(x) - less)
    return network.intercepts["y"], float(network.coefficients["y"][0]), variance


def residual_variance(data: Measurements, child: str, parents: list[str]) -> float:
    return GaussianFamilies(data).residual_variance(child, parents)


def family(data: Measurements, child: str, parents: list[str], variance: str = "m-1") -> float:
    return GaussianFamilies(data, variance).log_likelihood(child, tuple(parents))


def with_m_less_2(data: Measurements, child: str, parents: list[str]) -> float:
    """The log-likelihood with the sum of the squared residuals divided by m - 2."""
    m, variance = len(data), residual_variance(data, child, parents) * (len(data) - 1) / (len(data) - 2)
    return -(m * math.log(2 * math.pi * variance) + (m - 2)) / 2


def bic(data: Measurements, graph: DAG) -> float:
    return bn.BIC(data)(graph)


def fit(data: Measurements, graph: DAG) -> float:
    return bn.LogLikelihood(data)(graph)


def means(graph: DAG, families: Families) -> dict[str, float]:
    network = GaussianNetwork(graph, {x: families[x][0] for x in graph.nodes},
                              {x: [families[x][1][p] for p in graph.parents(x)] for x in graph.nodes},
                              dict.fromkeys(graph.nodes, 1.0))
    return dict(zip(graph.nodes, network.mean.tolist()))


def given(mean: float, variance: float, line: Line, y: float) -> tuple[float, float]:
    """Mean and variance of x given y."""
    network = GaussianNetwork(DAG("x->y"), {"x": mean, "y": line[0]}, {"y": [line[1]]}, {"x": variance, "y": line[2]})
    known = network.given({"y": y})
    return float(known["mean"]["x"]), float(known["sd"]["x"]) ** 2


# -- 12.7: to build ----------------------------------------------------------------------------------------------
def examine_curve(answer: Any, x: str, y: str, n: int) -> str:
    """y is a function of x, and the search adds no arc."""
    data, problem = read_numbers(answer, [x, y], n)
    if problem:
        return problem
    values: dict[float, float] = {}
    for a, b in zip(data[x], data[y]):
        if values.setdefault(a, b) != b:
            return f"{x} = {a:g} occurs with {y} = {values[a]:g} and with {y} = {b:g}; {y} should be a function of {x}"
    if len(set(data[x])) < 4 or len(set(data[y])) < 2:
        return f"give {x} at least four different values and {y} at least two"
    try:
        found = bn.hill_climb(bn.BIC(Measurements(data)))
    except DataError as error:  # a constant column, or y exactly linear in x
        return f"the search stops: {error}"
    correlation = float(np.corrcoef(data[x], data[y])[0, 1])
    return f"the search finds {show(found.graph)}: the correlation is {correlation:.3f}" if found.graph.arcs else ""


def read_numbers(answer: Any, known: list[str], n: int) -> tuple[Any, str]:
    """{name: numbers}, n of them for each name."""
    if not (isinstance(answer, dict) and set(answer) == set(known)
            and all(isinstance(column, list | tuple) for column in answer.values())):
        return None, f"columns are asked for, {{{known[0]!r}: [...], {known[1]!r}: [...]}}; you give {show(answer)}"
    for name in known:
        if len(answer[name]) != n:
            return None, f"the column {name} has {len(answer[name])} rows, and it should have {n}"
        for value in answer[name]:
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
                return None, f"{show(value)} is in the column {name}; give numbers between -1,000,000 and 1,000,000"
    return {name: [float(value) for value in answer[name]] for name in known}, ""


def curve(x: str, y: str, n: int) -> dict[str, list[float]]:
    """A symmetric parabola."""
    values = [i - (n - 1) / 2 for i in range(n)]
    return {x: values, y: [value**2 for value in values]}


FIVE = Measurements({"x": [1, 2, 3, 4, 5], "y": [1, 3, 2, 5, 4]})

QUESTIONS = (
    Question("12.1", "One value", "log_density", "one line", draw_density, log_density,
             first=((1.0, 0.0, 1.0), (3.0, 1.0, 4.0)), withheld=(*LINES, "scipy.stats", "statistics"), mistakes={
                 "this is the density; take its logarithm":
                     lambda x, mean, v: math.exp(log_density(x, mean, v)),
                 "v is the variance, and here it is used as the standard deviation":
                     lambda x, mean, v: log_density(x, mean, v * v),
                 "the squared distance must be divided by the variance": lambda x, mean, v:
                     -(math.log(2 * math.pi * v) + (x - mean) ** 2) / 2,
                 "the distance must be squared": lambda x, mean, v:
                     -(math.log(2 * math.pi * v) + (x - mean) / v) / 2,
                 "the factor 1/2 is missing": lambda x, mean, v: 2 * log_density(x, mean, v),
             }),
    Question("12.2", "A regression line", "line", "three lines", draw_line, line, points=2,
             first=(([1, 2, 3, 4, 5], [1, 3, 2, 5, 4]),), withheld=(*LINES, "scipy.stats"), mistakes={
                 "the squared residuals are divided by m - 1 here, and this divides by m": lambda x, y: line(x, y, 0),
                 "the squared residuals are divided by m - 1 here, and this divides by m - 2":
                     lambda x, y: line(x, y, 2),
                 "this is the regression of x on y": lambda x, y: line(y, x),
                 "this is the variance of y; use the variance of the residuals": lambda x, y:
                     (*line(x, y)[:2], float(np.var(y, ddof=1))),
             }),
    Question("12.3", "Two determinants", "residual_variance", "function", draw_family, residual_variance, points=2,
             first=((FIVE, "y", ["x"]), (FIVE, "y", [])), adversarial=three_parents, withheld=LINES, mistakes={
                 "this uses the first parent only": lambda data, child, parents: residual_variance(data, child, parents[:1]),
                 "the covariances are divided by m - 1, and these by m": lambda data, child, parents:
                     residual_variance(data, child, parents) * (len(data) - 1) / len(data),
                 "this is the reciprocal: child and parents in the numerator, the parents in the denominator":
                     lambda data, child, parents: 1 / residual_variance(data, child, parents),
                 "this is the variance of the child without any parents":
                     lambda data, child, parents: residual_variance(data, child, []),
             }),
    Question("12.4", "The log-likelihood of a family", "family", "function", draw_family, family, points=2,
             first=((FIVE, "y", ["x"]), (FIVE, "x", [])), adversarial=three_parents, withheld=LINES, mistakes={
                 "this is maximum likelihood, with the variance divided by m; divide by m - 1, as the report does":
                     lambda data, child, parents: family(data, child, parents, "m"),
                 "with a divisor of m - 1 in v, the squared residuals divided by v sum to m - 1, not to m":
                     lambda data, child, parents: family(data, child, parents) - 0.5,
                 "this uses the logarithm to base 2; for nats use the natural logarithm": lambda data, child, parents:
                     family(data, child, parents) - len(data) / 2 * (1 / math.log(2) - 1)
                     * math.log(2 * math.pi * residual_variance(data, child, parents)),
                 "the variance is divided by m - 1 here, and this divides by m - 2": with_m_less_2,
                 "this is the mean over the rows; use the sum": lambda data, child, parents:
                     family(data, child, parents) / len(data),
             }),
    Question("12.5", "BIC of a graph", "bic", "function", draw_graph, bic, points=2, adversarial=uneven_graphs,
             withheld=("scores",), mistakes={
                 "this is the log-likelihood without the penalty": fit,
                 "the penalty per parameter is ln(m)/2; this is AIC, whose penalty is 1": lambda data, graph: bn.AIC(data)(graph),
                 "the penalty per parameter is ln(m)/2; here it is ln(m), as the report prints it": lambda data, graph:
                     bn.BIC(data, scale="printed")(graph),
                 "each variable also has an intercept and a variance; this counts the arcs only": lambda data, graph:
                     fit(data, graph) - len(graph.arcs) * math.log(len(data)) / 2,
                 "each variable has an intercept and a variance; one of the two is missing": lambda data, graph:
                     fit(data, graph) - (len(graph.arcs) + len(graph)) * math.log(len(data)) / 2,
                 "this is the usual BIC, -2 times ours, lower being better": lambda data, graph: -2 * bic(data, graph),
             }),
    Question("12.6", "Means, line by line", "means", "lines in order", draw_network, means, points=2, withheld=LINES,
             adversarial=long_path, mistakes={
                 "these are the intercepts; the means also depend on the parents": lambda graph, families:
                     {x: families[x][0] for x in graph.nodes},
                 "use the means of the parents, not only their intercepts": lambda graph, families:
                     {x: families[x][0] + sum(w * families[p][0] for p, w in families[x][1].items())
                      for x in graph.nodes},
             }),
    Question("12.7", "Against the arc", "given", "function", draw_evidence, given, points=3,
             first=((0.0, 1.0, (0.0, 1.0, 1.0), 3.0),), withheld=LINES, mistakes={
                 "the regression line must not be inverted, x = (y - intercept) / coefficient; the residual variance matters":
                     lambda mean, variance, line, y: ((y - line[0]) / line[1], given(mean, variance, line, y)[1]),
                 "the residual variance of y is part of v_y; without it, y would determine x": lambda mean, variance, line, y:
                     ((y - line[0]) / line[1], 0.0),
                 "this inverts the line and ignores what is known of x, its mean and variance": lambda mean, variance, line, y:
                     ((y - line[0]) / line[1], line[2] / line[1] ** 2),
                 "observing y reduces the variance of x": lambda mean, variance, line, y:
                     (given(mean, variance, line, y)[0], variance),
                 "the second number is the variance, and this is the standard deviation":
                     lambda mean, variance, line, y: (given(mean, variance, line, y)[0],
                                                      given(mean, variance, line, y)[1] ** 0.5),
             }),
    Question("12.8", "What no linear model detects", "curve", "build",
             lambda random: (*names(random, 2), int(random.integers(7, 30))), curve, points=2, examine=examine_curve),
)
