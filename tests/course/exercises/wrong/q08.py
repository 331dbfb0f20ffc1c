"""Wrong programs for exercise 8."""

from __future__ import annotations

from math import inf, log, log2, prod
from random import Random

import bnteach as bn
from tests.course.exercises.wrong import wrong


def size(t, x):
    return len(t.states(x))


def free(t, x, parents):
    """The parameters of a family: right."""
    return (size(t, x) - 1) * prod(size(t, p) for p in parents)


def observed(t, parents):
    """The combinations of the parents' states that occur."""
    return len(set(zip(*(t.codes(p).tolist() for p in parents)))) if parents else 1


# -- 8.1 -------------------------------------------------------------------------------------------------------------
wrong("8.1", "without the -1")(lambda t, x, parents: size(t, x) * prod(size(t, p) for p in parents))
wrong("8.1", "the -1 for the whole CPT")(lambda t, x, parents: size(t, x) * prod(size(t, p) for p in parents) - 1)
wrong("8.1", "a -1 for the parents too")(lambda t, x, parents: (size(t, x) - 1) * prod(size(t, p) - 1 for p in parents))
wrong("8.1", "states of the parents added")(
    lambda t, x, parents: (size(t, x) - 1) * (sum(size(t, p) for p in parents) or 1))
wrong("8.1", "the first parent alone")(lambda t, x, parents: free(t, x, parents[:1]))
wrong("8.1", "two parents at most")(lambda t, x, parents: free(t, x, parents[:2]))
wrong("8.1", "two states each")(lambda t, x, parents: 2 ** len(parents))
wrong("8.1", "two states for each parent")(lambda t, x, parents: (size(t, x) - 1) * 2 ** len(parents))
wrong("8.1", "combinations that occur alone")(lambda t, x, parents: (size(t, x) - 1) * observed(t, parents))
wrong("8.1", "none without parents")(lambda t, x, parents: free(t, x, parents) if parents else 0)
wrong("8.1", "the combinations alone")(lambda t, x, parents: prod(size(t, p) for p in parents))


# -- 8.2 -------------------------------------------------------------------------------------------------------------
def score(t, dag, per=None, count=free, variables=None):
    """The fit less a penalty, with another penalty per parameter, or another number of parameters."""
    dimension = sum(count(t, x, list(dag.parents(x))) for x in variables or t.variables)
    return bn.LogLikelihood(t)(dag) - dimension * (log2(len(t)) / 2 if per is None else per)


wrong("8.2", "the penalty added")(lambda t, dag: score(t, dag, -log2(len(t)) / 2))
wrong("8.2", "log N in place of its half")(lambda t, dag: score(t, dag, log2(len(t))))
wrong("8.2", "the penalty in nats")(lambda t, dag: score(t, dag, log(len(t)) / 2))
wrong("8.2", "all in nats")(lambda t, dag: score(t, dag) * log(2))
wrong("8.2", "the fit alone")(lambda t, dag: score(t, dag, 0))
wrong("8.2", "1 per parameter")(lambda t, dag: score(t, dag, 1))
wrong("8.2", "log of half of N")(lambda t, dag: score(t, dag, log2(len(t) / 2)))
wrong("8.2", "half of N in place of log N")(lambda t, dag: score(t, dag, len(t) / 2))
wrong("8.2", "the number of variables in place of N")(lambda t, dag: score(t, dag, log2(len(t.variables)) / 2))
wrong("8.2", "arcs in place of parameters")(lambda t, dag: bn.LogLikelihood(t)(dag) - len(dag.arcs) * log2(len(t)) / 2)
wrong("8.2", "parameters without the -1")(
    lambda t, dag: score(t, dag, count=lambda t, x, p: size(t, x) * prod(size(t, q) for q in p)))
wrong("8.2", "parameters of combinations that occur alone")(
    lambda t, dag: score(t, dag, count=lambda t, x, p: (size(t, x) - 1) * observed(t, p)))
wrong("8.2", "two parents at most")(lambda t, dag: score(t, dag, count=lambda t, x, p: free(t, x, p[:2])))
wrong("8.2", "variables without parents are left out")(
    lambda t, dag: score(t, dag, variables=[x for x in t.variables if dag.parents(x)] or t.variables[:1]))
wrong("8.2", "equal rows counted once")(
    lambda t, dag: score(t, dag, log2(len(t.to_frame().drop_duplicates())) / 2))


# -- 8.3 -------------------------------------------------------------------------------------------------------------
wrong("8.3", "one parameter")(lambda t, dag, a, b: log2(len(t)) / 2)
wrong("8.3", "the whole family")(lambda t, dag, a, b: free(t, b, [*dag.parents(b), a]) * log2(len(t)) / 2)
wrong("8.3", "the other parents are forgotten")(
    lambda t, dag, a, b: (size(t, b) - 1) * (size(t, a) - 1) * log2(len(t)) / 2)
wrong("8.3", "the arc the other way round")(
    lambda t, dag, a, b: (free(t, a, [*dag.parents(a), b]) - free(t, a, dag.parents(a))) * log2(len(t)) / 2)
wrong("8.3", "log N in place of its half")(
    lambda t, dag, a, b: (free(t, b, [*dag.parents(b), a]) - free(t, b, dag.parents(b))) * log2(len(t)))
wrong("8.3", "nats")(
    lambda t, dag, a, b: (free(t, b, [*dag.parents(b), a]) - free(t, b, dag.parents(b))) * log(len(t)) / 2)
wrong("8.3", "1 per parameter")(lambda t, dag, a, b: free(t, b, [*dag.parents(b), a]) - free(t, b, dag.parents(b)))
wrong("8.3", "without the -1")(
    lambda t, dag, a, b: size(t, b) * prod(size(t, p) for p in dag.parents(b)) * (size(t, a) - 1) * log2(len(t)) / 2)
wrong("8.3", "as if the arc doubled the family")(lambda t, dag, a, b: free(t, b, dag.parents(b)) * log2(len(t)) / 2)
wrong("8.3", "the other sign")(
    lambda t, dag, a, b: (free(t, b, dag.parents(b)) - free(t, b, [*dag.parents(b), a])) * log2(len(t)) / 2)
wrong("8.3", "one other parent at most")(
    lambda t, dag, a, b: free(t, b, dag.parents(b)[:1]) * (size(t, a) - 1) * log2(len(t)) / 2)


# -- 8.4 -------------------------------------------------------------------------------------------------------------
def held(train, test, dag, term=None, parents=None):
    """The log-likelihood of the test rows, with another term than the right one."""
    term, parents, total = term or (lambda n, of, states: log2(n / of) if n else -inf), parents or dag.parents, 0.0
    for x in train.variables:
        counts = train.counts(x, given=parents(x))
        for row in range(len(test)):
            column = counts[(slice(None), *(test.codes(p)[row] for p in parents(x)))]
            total += term(int(column[test.codes(x)[row]]), int(column.sum()), len(column))
    return float(total)


def together(train, test):
    return bn.Table({x: [*train.codes(x), *test.codes(x)] for x in train.variables})


wrong("8.4", "CPTs of the test rows")(lambda train, test, dag: held(test, test, dag))
wrong("8.4", "rows of the training table")(lambda train, test, dag: held(train, train, dag))
wrong("8.4", "the two tables exchanged")(lambda train, test, dag: held(test, train, dag))
wrong("8.4", "CPTs of all rows")(lambda train, test, dag: held(together(train, test), test, dag))
wrong("8.4", "the average per row")(lambda train, test, dag: held(train, test, dag) / len(test))
wrong("8.4", "nats")(lambda train, test, dag: held(train, test, dag) * log(2))
wrong("8.4", "an empty cell adds nothing")(
    lambda train, test, dag: held(train, test, dag, lambda n, of, k: log2(n / of) if n else 0))
wrong("8.4", "a pseudo-count of 1")(
    lambda train, test, dag: held(train, test, dag, lambda n, of, k: log2((n + 1) / (of + k))))
wrong("8.4", "an empty cell is an error")(
    lambda train, test, dag: held(train, test, dag, lambda n, of, k: log2(n / of)))
wrong("8.4", "divided by all training rows")(
    lambda train, test, dag: held(train, test, dag, lambda n, of, k: log2(n / len(train)) if n else -inf))
wrong("8.4", "without parents")(lambda train, test, dag: held(train, test, dag, parents=lambda x: ()))
wrong("8.4", "two parents at most")(
    lambda train, test, dag: held(train, test, dag, parents=lambda x: dag.parents(x)[:2]))
wrong("8.4", "the first parent alone")(
    lambda train, test, dag: held(train, test, dag, parents=lambda x: dag.parents(x)[:1]))
wrong("8.4", "unseen states of the parents add nothing")(
    lambda train, test, dag: held(train, test, dag, lambda n, of, k: log2(n / of) if n else -inf if of else 0.0))
wrong("8.4", "equal states where the parents' states are unseen")(
    lambda train, test, dag: held(train, test, dag, lambda n, of, k: log2(n / of) if n else -inf if of else -log2(k)))
wrong("8.4", "one row too few")(lambda train, test, dag: held(train, test.take(slice(0, len(test) - 1)), dag))
wrong("8.4", "minus infinity, always")(lambda train, test, dag: -inf)


# -- 8.5 and 8.6 -----------------------------------------------------------------------------------------------------
def searched(x, penalties, states=(2, 3), unit=1.0, times=True):
    """A column whose gain, in some unit, lies between two penalties; a copy of x if it is not found soon."""
    random, (low, high) = Random(0), penalties
    for _ in range(200):
        y = [random.randrange(random.choice(states)) for _ in x]
        free = (len(set(x)) - 1) * (len(set(y)) - 1) if times else 1
        gain = len(x) * bn.mutual_information(bn.Table({"x": x, "y": y}), "x", "y") * unit
        if low * free + 1e-6 < gain < high * free - 1e-6:
            return y
    return list(x)


def criteria(id, x):
    """The two penalties of a question, the smaller one first: right."""
    return sorted((1 / log(2), log2(len(x)) / 2 if id == "8.5" else 1))


for id in ("8.5", "8.6"):
    wrong(id, "a copy")(lambda x: list(x))
    wrong(id, "the copy reversed")(lambda x: x[::-1])
    wrong(id, "a column that does not depend on x")(lambda x: [i % 2 for i in range(len(x))])
    wrong(id, "a copy with one value changed")(lambda x: [1 - x[0], *x[1:]] if x[0] < 2 else [0, *x[1:]])
    wrong(id, "one row is marked")(lambda x: [1] + [0] * (len(x) - 1))
    wrong(id, "the same column for every x of the same length")(
        lambda x, id=id: searched([i % 2 for i in range(len(x))], criteria(id, x)))
    wrong(id, "the penalty of one parameter for all of them")(
        lambda x, id=id: searched(x, criteria(id, x), times=False))
    wrong(id, "the gain in nats")(lambda x, id=id: searched(x, criteria(id, x), unit=log(2)))
    wrong(id, "mutual information without N")(lambda x, id=id: searched(x, criteria(id, x), unit=1 / len(x)))
    wrong(id, "two different values alone")(lambda x, id=id: searched(x, criteria(id, x), states=(2,)))
wrong("8.5", "MDL's penalty taken for the larger one")(lambda x: searched(x, (1 / log(2), log2(len(x)) / 2)))
wrong("8.5", "AIC's penalty taken for 1 bit")(lambda x: searched(x, sorted((1, log2(len(x)) / 2))))
wrong("8.5", "log N in place of its half")(lambda x: searched(x, sorted((1 / log(2), log2(len(x))))))
wrong("8.6", "AIC and MDL")(lambda x: searched(x, criteria("8.5", x)))
wrong("8.6", "the unit the other way round, ln 2 to 1")(lambda x: searched(x, (log(2), 1)))
