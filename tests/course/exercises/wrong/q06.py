"""Wrong programs for exercise 6."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, product
from math import inf, log, log2, prod

import bnteach as bn
from tests.course.exercises.wrong import wrong


# -- 6.1 -------------------------------------------------------------------------------------------------------------
def rows_of(table):
    """The rows as dictionaries."""
    return table.to_frame().to_dict("records")


def share(rows, x, state, of=None):
    """The share of x = state among some rows."""
    return sum(row[x] == state for row in rows) / (len(rows) if of is None else of)


wrong("6.1", "divided by all rows")(
    lambda t, x, state, z, given: share([row for row in rows_of(t) if row[z] == given], x, state, len(t)))
wrong("6.1", "condition and variable exchanged")(
    lambda t, x, state, z, given: share([row for row in rows_of(t) if row[x] == state], z, given))
wrong("6.1", "without the condition")(lambda t, x, state, z, given: share(rows_of(t), x, state))
wrong("6.1", "the other rows")(
    lambda t, x, state, z, given: share([row for row in rows_of(t) if row[z] != given], x, state))
wrong("6.1", "equal rows counted once")(
    lambda t, x, state, z, given: (t.to_frame().drop_duplicates().query(f"{z} == @given")[x] == state).mean())
wrong("6.1", "one row too few")(
    lambda t, x, state, z, given: share([row for row in rows_of(t)[:-1] if row[z] == given], x, state))
wrong("6.1", "a pseudo-count of 1")(
    lambda t, x, state, z, given: (sum(row[x] == state and row[z] == given for row in rows_of(t)) + 1) /
    (sum(row[z] == given for row in rows_of(t)) + len(t.states(x))))
wrong("6.1", "rounded to two decimals")(
    lambda t, x, state, z, given: round(share([row for row in rows_of(t) if row[z] == given], x, state), 2))
wrong("6.1", "rows with either state")(
    lambda t, x, state, z, given: share([row for row in rows_of(t) if row[z] == given or row[x] == state], x, state))


@wrong("6.1", "an error where the state never occurs with the condition")
def fraction(t, x, state, z, given):
    observed = Counter(row[x] for row in rows_of(t) if row[z] == given)
    return dict(observed)[state] / observed.total()


# -- 6.2 -------------------------------------------------------------------------------------------------------------
def factors(parents, tables, row, order=list):
    """One factor per variable, the parents in some order."""
    return [tables[x][tuple(row[p] for p in order(parents[x]))][row[x]] for x in parents]


wrong("6.2", "a sum")(lambda *given: sum(factors(*given)))
wrong("6.2", "the logarithm")(lambda *given: sum(map(log2, factors(*given))))
wrong("6.2", "the last factor alone")(lambda *given: factors(*given)[-1])
wrong("6.2", "without the first factor")(lambda *given: prod(factors(*given)[1:]))
wrong("6.2", "variables without parents are left out")(
    lambda parents, tables, row: prod(f for f, x in zip(factors(parents, tables, row), parents) if parents[x]))
wrong("6.2", "parents in alphabetical order")(lambda *given: prod(factors(*given, order=sorted)))
wrong("6.2", "parents in the order of the row")(
    lambda parents, tables, row: prod(factors(parents, tables, row, lambda above: [x for x in row if x in above])))
wrong("6.2", "a factor of 0 is left out")(lambda *given: prod(f for f in factors(*given) if f))
wrong("6.2", "the first row of each CPT")(
    lambda parents, tables, row: prod(next(iter(tables[x].values()))[row[x]] for x in parents))
wrong("6.2", "the first state in place of the row's")(
    lambda parents, tables, row: prod(
        next(iter(tables[x][tuple(row[p] for p in parents[x])].values())) for x in parents))
wrong("6.2", "the geometric mean")(lambda *given: prod(factors(*given)) ** (1 / len(factors(*given))))


# -- 6.3 -------------------------------------------------------------------------------------------------------------
def estimated(rows, x, parents, weigh=None, key=tuple):
    """The CPT, with another weight of a count than the right one."""
    weigh = weigh or (lambda n, of: n / of)
    groups: dict = {}
    for row in rows:
        groups.setdefault(key(row[p] for p in parents), []).append(row[x])
    return {states: {state: weigh(n, len(those)) for state, n in Counter(those).items()}
            for states, those in groups.items()}


@wrong("6.3", "the first row of a combination decides")
def first_row(rows, x, parents):
    table: dict = {}
    for row in rows:
        table.setdefault(tuple(row[p] for p in parents), {row[x]: 1.0})
    return table


wrong("6.3", "divided by all rows")(lambda rows, x, parents: estimated(rows, x, parents, lambda n, of: n / len(rows)))
wrong("6.3", "a pseudo-count of 1")(lambda rows, x, parents: estimated(
    rows, x, parents, lambda n, of: (n + 1) / (of + len({row[x] for row in rows}))))
wrong("6.3", "counts")(lambda rows, x, parents: estimated(rows, x, parents, lambda n, of: n))
wrong("6.3", "the first parent alone")(lambda rows, x, parents: estimated(rows, x, parents[:1]))
wrong("6.3", "two parents at most")(lambda rows, x, parents: estimated(rows, x, parents[:2]))
wrong("6.3", "parents in alphabetical order")(lambda rows, x, parents: estimated(rows, x, sorted(parents)))
wrong("6.3", "the parents' states sorted")(
    lambda rows, x, parents: estimated(rows, x, parents, key=lambda s: tuple(sorted(s))))
wrong("6.3", "equal rows counted once")(
    lambda rows, x, parents: estimated([dict(row) for row in {tuple(row.items()) for row in rows}], x, parents))
wrong("6.3", "one row too few")(lambda rows, x, parents: estimated(rows[:-1], x, parents))
wrong("6.3", "all states equally likely")(lambda rows, x, parents: {
    states: dict.fromkeys(line, 1 / len(line)) for states, line in estimated(rows, x, parents).items()})


# -- 6.4 -------------------------------------------------------------------------------------------------------------
def logs(values, zero=-inf):
    return [log2(p) if p > 0 else zero for p in values]


wrong("6.4", "nats")(lambda values: list(accumulate(log(p) if p else -inf for p in values)))
wrong("6.4", "each row alone")(logs)
wrong("6.4", "the total alone")(lambda values: [sum(logs(values))])
wrong("6.4", "starts at 0")(lambda values: list(accumulate(logs(values), initial=0.0)))
wrong("6.4", "the other sign")(lambda values: list(accumulate(-term for term in logs(values))))
wrong("6.4", "a row of probability 0 adds nothing")(lambda values: list(accumulate(logs(values, zero=0.0))))
wrong("6.4", "a row of probability 0 is passed over")(lambda values: list(accumulate(logs([p for p in values if p]))))
wrong("6.4", "a row of probability 0 is an error")(lambda values: list(accumulate(log2(p) for p in values)))
wrong("6.4", "a tiny number in place of 0")(lambda values: list(accumulate(log2(max(p, 1e-12)) for p in values)))
wrong("6.4", "the running average")(
    lambda values: [total / n for n, total in enumerate(accumulate(logs(values)), start=1)])
wrong("6.4", "the logarithm of the product, which becomes too small for a float")(
    lambda values: [log2(p) if p else -inf for p in accumulate(values, lambda p, q: p * q)])


@wrong("6.4", "stops at a row of probability 0")
def stops(values):
    total = 0.0
    for p in values:
        if p == 0:
            yield -inf
            return
        total += log2(p)
        yield total


@wrong("6.4", "starts again after a row of probability 0")
def starts_again(values):
    total = 0.0
    for p in values:
        total = total + log2(p) if p else 0.0
        yield total if p else -inf


# -- 6.5 -------------------------------------------------------------------------------------------------------------
def families(table, dag, parents=None, variables=None, term=None):
    """The sum over families, with something else than the right one."""
    parents, term = parents or dag.parents, term or (lambda n, of, row: n * log2(n / of) if n else 0.0)
    total = 0.0
    for x in variables or table.variables:
        counts = table.counts(x, given=parents(x)).reshape(len(table.states(x)), -1)
        cells = zip(product(*map(range, counts.shape)), counts.flat)
        total += sum(term(n, counts[:, j].sum(), counts[i].sum()) for (i, j), n in cells)
    return float(total)


wrong("6.5", "nats")(lambda t, dag: families(t, dag) * log(2))
wrong("6.5", "the average per row")(lambda t, dag: families(t, dag) / len(t))
wrong("6.5", "the other sign")(lambda t, dag: -families(t, dag))
wrong("6.5", "without parents")(lambda t, dag: families(t, dag, lambda x: ()))
wrong("6.5", "children for parents")(lambda t, dag: families(t, dag, dag.children))
wrong("6.5", "the first parent alone")(lambda t, dag: families(t, dag, lambda x: dag.parents(x)[:1]))
wrong("6.5", "two parents at most")(lambda t, dag: families(t, dag, lambda x: dag.parents(x)[:2]))
wrong("6.5", "variables without parents are left out")(
    lambda t, dag: families(t, dag, variables=[x for x in t.variables if dag.parents(x)]))
wrong("6.5", "divided by all rows")(
    lambda t, dag: families(t, dag, term=lambda n, of, row: n * log2(n / len(t)) if n else 0.0))
wrong("6.5", "divided by the rows with this state of x")(
    lambda t, dag: families(t, dag, term=lambda n, of, row: n * log2(n / row) if n else 0.0))
wrong("6.5", "without the factor N(x, u)")(
    lambda t, dag: families(t, dag, term=lambda n, of, row: log2(n / of) if n else 0.0))
wrong("6.5", "a pseudo-count of 1")(
    lambda t, dag: families(t, dag, term=lambda n, of, row: n * log2((n + 1) / (of + 2))))
wrong("6.5", "an empty cell is an error")(lambda t, dag: families(t, dag, term=lambda n, of, row: n * log2(n / of)))
wrong("6.5", "combinations with an empty cell are left out")(
    lambda t, dag: sum(sum(n * log2(n / column.sum()) for n in column) for x in t.variables
                       for column in t.counts(x, given=dag.parents(x)).reshape(len(t.states(x)), -1).T if all(column)))
wrong("6.5", "the first two states alone")(
    lambda t, dag: sum(sum(n * log2(n / column.sum()) for n in column[:2] if n) for x in t.variables
                       for column in t.counts(x, given=dag.parents(x)).reshape(len(t.states(x)), -1).T))


# -- 6.6 -------------------------------------------------------------------------------------------------------------
def differing(one, other):
    return set(one.arcs) ^ set(other.arcs)


wrong("6.6", "both ends of an arc that differs")(
    lambda one, other: {end for arc in differing(one, other) for end in arc})
wrong("6.6", "the parent of an arc that differs")(lambda one, other: {a for a, _ in differing(one, other)})
wrong("6.6", "new arcs alone")(lambda one, other: {b for _, b in set(other.arcs) - set(one.arcs)})
wrong("6.6", "lost arcs alone")(lambda one, other: {b for _, b in set(one.arcs) - set(other.arcs)})
wrong("6.6", "the number of parents")(
    lambda one, other: {x for x in one.nodes if len(one.parents(x)) != len(other.parents(x))})
wrong("6.6", "the parents as they are listed")(
    lambda one, other: {x for x in one.nodes if one.parents(x) != other.parents(x)})
wrong("6.6", "neighbours in place of parents")(
    lambda one, other: {x for x in one.nodes if set(one.neighbours(x)) != set(other.neighbours(x))})
wrong("6.6", "children in place of parents")(
    lambda one, other: {x for x in one.nodes if set(one.children(x)) != set(other.children(x))})
wrong("6.6", "descendants of a family that differs")(
    lambda one, other: {y for _, x in differing(one, other) for y in (x, *one.descendants(x))})
wrong("6.6", "one family alone")(lambda one, other: {b for _, b in sorted(differing(one, other))[:1]})
wrong("6.6", "a parent more, but not a parent less")(
    lambda one, other: {x for x in one.nodes if not set(one.parents(x)) >= set(other.parents(x))})


# -- 6.7 -------------------------------------------------------------------------------------------------------------
def all_rows(t):
    return [dict(zip(t.variables, states)) for states in product(*map(t.states, t.variables))]


@wrong("6.7", "an empty cell of some family, even where the parents' states never occur")
def empty_cell(t, dag):
    for x in dag.nodes:
        names = x, *dag.parents(x)
        counts = t.counts(x, given=dag.parents(x))
        for states in product(*map(t.states, names)):
            if counts[tuple(t.states(name).index(state) for name, state in zip(names, states))] == 0:
                return {name: t.states(name)[0] for name in t.variables} | dict(zip(names, states))


@wrong("6.7", "a pair of states that never occurs, adjacent or not")
def empty_pair(t, dag):
    rows = rows_of(t)
    for a, b in product(t.variables, repeat=2):
        for one, two in product(t.states(a), t.states(b)):
            if a < b and not any(row[a] == one and row[b] == two for row in rows):
                return {name: t.states(name)[0] for name in t.variables} | {a: one, b: two}
    return rows[0]


@wrong("6.7", "families with one parent alone")
def one_parent(t, dag):
    for p, x in dag.arcs:
        for one, two in product(t.states(p), t.states(x)):
            if len(dag.parents(x)) == 1 and not any(row[p] == one and row[x] == two for row in rows_of(t)):
                return {name: t.states(name)[0] for name in t.variables} | {p: one, x: two}
    return rows_of(t)[0]


wrong("6.7", "a row that the table does not have")(
    lambda t, dag: next(row for row in all_rows(t) if row not in rows_of(t)))
wrong("6.7", "the last row that the table does not have")(
    lambda t, dag: next(row for row in all_rows(t)[::-1] if row not in rows_of(t)))
wrong("6.7", "a row of the table")(lambda t, dag: rows_of(t)[0])
wrong("6.7", "the rarest state of each variable")(
    lambda t, dag: {x: min(t.states(x), key=lambda s: sum(row[x] == s for row in rows_of(t))) for x in t.variables})
wrong("6.7", "the row of least probability in the table")(
    lambda t, dag: min(rows_of(t), key=lambda row: bn.fit(dag, t).probability(row)))
wrong("6.7", "states that do not occur")(lambda t, dag: dict.fromkeys(t.variables, 9))
