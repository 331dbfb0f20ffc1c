"""Wrong programs for exercise 9."""

from __future__ import annotations

from itertools import combinations, permutations

import bnteach as bn
from tests.course.exercises.wrong import wrong

# -- 9.1: the gain of an arc -------------------------------------------------------------------------------------------
GAINS_OF_ADDING = {
    "the family score with the arc, nothing subtracted": lambda score, dag, a, b: score.family(b, [*dag.parents(b), a]),
    "the arc b->a": lambda score, dag, a, b:
        score.family(a, [*dag.parents(a), b]) - score.family(a, dag.parents(a)),
    "the present parents ignored": lambda score, dag, a, b: score.family(b, [a]) - score.family(b),
    "the other sign": lambda score, dag, a, b: score.family(b, dag.parents(b)) - score.family(b, [*dag.parents(b), a]),
    "compared with no parents at all": lambda score, dag, a, b: score.family(b, [*dag.parents(b), a]) - score.family(b),
    "the new parent in place of the present ones": lambda score, dag, a, b:
        score.family(b, [a]) - score.family(b, dag.parents(b)),
    "the fit without the penalty": lambda score, dag, a, b:
        score.fit(b, [*dag.parents(b), a]) - score.fit(b, dag.parents(b)),
    "only the last of the present parents kept": lambda score, dag, a, b:
        score.family(b, [*dag.parents(b)[-1:], a]) - score.family(b, dag.parents(b)[-1:]),
}
for mistake, program in GAINS_OF_ADDING.items():
    wrong("9.1", mistake)(program)


# -- 9.2: the gain of one move -----------------------------------------------------------------------------------------
def gain(score, dag, change, a, b):
    """The right one, for the climbers below."""
    after = {"add": dag.with_arc, "remove": dag.without_arc, "reverse": dag.with_reversed}[change](a, b)
    return sum(score.family(x, after.parents(x)) - score.family(x, dag.parents(x)) for x in (a, b))


def by_families(after_a, after_b, sign=1):
    """The gain if the parents of a and of b after the move are what these functions say."""
    def program(score, dag, change, a, b):
        pa, pb = set(dag.parents(a)), set(dag.parents(b))
        first = score.family(a, after_a(change, pa, b)) - score.family(a, pa)
        return score.family(b, after_b(change, pb, a)) - score.family(b, pb) + sign * first
    return program


def right_a(change, parents, b):
    return parents | {b} if change == "reverse" else parents


def right_b(change, parents, a):
    return parents | {a} if change == "add" else parents - {a}


GAINS = {
    "a reversal counted as a removal": by_families(lambda change, parents, b: parents, right_b),
    "a reversal does not remove the old arc": by_families(right_a, lambda change, parents, a:
                                                          parents - {a} if change == "remove" else parents | {a}),
    "a reversal gives the tail no other parents": by_families(lambda change, parents, b:
                                                              {b} if change == "reverse" else parents, right_b),
    "a removal removes all parents": by_families(right_a, lambda change, parents, a:
                                                 parents | {a} if change == "add" else set()),
    "an added arc is the only one": by_families(right_a, lambda change, parents, a:
                                                {a} if change == "add" else parents - {a}),
    "the two families of a reversal subtracted": by_families(right_a, right_b, sign=-1),
    "every move but a removal changes the family of a": by_families(lambda change, parents, b:
                                                                    parents if change == "remove" else parents | {b},
                                                                    right_b),
    "the other sign": lambda *arguments: -gain(*arguments),
    "a removal has the sign of an addition": lambda score, dag, change, a, b:
        gain(score, dag, change, a, b) * (-1 if change == "remove" else 1),
}
for mistake, program in GAINS.items():
    wrong("9.2", mistake)(program)


# -- 9.3: all neighbours -----------------------------------------------------------------------------------------------
def children(dag, node):
    return {b for a, b in dag.arcs if a == node}


def within(dag, node, length):
    """What a directed path of at most that many arcs leads to."""
    found = {node}
    for _ in range(length):
        found |= {child for x in found for child in children(dag, x)}
    return found - {node}


def moves(dag, adds=True, reverses=True, add=None, reverse=None, pairs=permutations):
    """All moves, with one's own checks that an addition or a reversal creates no cycle."""
    add = add or (lambda a, b: a not in dag.descendants(b))
    reverse = reverse or (lambda a, b: b not in dag.without_arc(a, b).descendants(a))
    found = {("remove", a, b) for a, b in dag.arcs}
    found |= {("add", a, b) for a, b in pairs(dag.nodes, 2) if adds and not dag.adjacent(a, b) and add(a, b)}
    return found | {("reverse", a, b) for a, b in dag.arcs if reverses and reverse(a, b)}


def always(a, b):
    return True


NEIGHBOURS = {
    "no check for cycles": lambda dag: moves(dag, add=always, reverse=always),
    "a reversal is not checked for cycles": lambda dag: moves(dag, reverse=always),
    "an addition is not checked for cycles": lambda dag: moves(dag, add=always),
    "no reversals": lambda dag: moves(dag, reverses=False),
    "no additions": lambda dag: moves(dag, adds=False),
    "an addition is checked for cycles of three arcs only": lambda dag:
        moves(dag, add=lambda a, b: a not in within(dag, b, 2)),
    "a reversal is checked for cycles of three arcs only": lambda dag:
        moves(dag, reverse=lambda a, b: b not in within(dag.without_arc(a, b), a, 2)),
    "additions are checked for cycles of at most four arcs": lambda dag:
        moves(dag, add=lambda a, b: a not in within(dag, b, 3)),
    "reversals are checked for cycles of at most four arcs": lambda dag:
        moves(dag, reverse=lambda a, b: b not in within(dag.without_arc(a, b), a, 3)),
    "a reversal is checked with the arc still in the graph": lambda dag:
        moves(dag, reverse=lambda a, b: b not in dag.descendants(a)),
    "a reversal is refused if the tail has another child": lambda dag:
        moves(dag, reverse=lambda a, b: children(dag, a) == {b}),
    "a reversal is refused if the head has another parent": lambda dag:
        moves(dag, reverse=lambda a, b: set(dag.parents(b)) == {a}),
    "the check of an addition in the other direction": lambda dag:
        moves(dag, add=lambda a, b: b not in dag.descendants(a)),
    "each pair in the order of the nodes only": lambda dag: moves(dag, pairs=combinations),
    "isolated nodes forgotten": lambda dag:
        {move for move in moves(dag) if all(any(x in arc for arc in dag.arcs) for x in move[1:])},
    "a reversal is written as the new arc": lambda dag:
        {(change, b, a) if change == "reverse" else (change, a, b) for change, a, b in moves(dag)},
}
for mistake, program in NEIGHBOURS.items():
    wrong("9.3", mistake)(program)


# -- 9.4: hill climbing ------------------------------------------------------------------------------------------------
def climber(choose=None, allowed=lambda move, dag: True, gain=gain, least=1e-7):
    """Hill climbing of at most 40 moves with one's own choice, moves or gains."""
    choose = choose or (lambda gains, least: max(gains, key=gains.get, default=None))

    def program(score):
        dag = bn.DAG((), score.variables)
        for _ in range(40):
            gains = {move: gain(score, dag, *move) for move in sorted(moves(dag)) if allowed(move, dag)}
            best = choose(gains, least)
            if best is None or gains[best] <= least:
                return
            yield best
            dag = {"add": dag.with_arc, "remove": dag.without_arc, "reverse": dag.with_reversed}[best[0]](*best[1:])
    return program


def first_improvement(gains, least):
    return next((move for move in gains if gains[move] > least), None)


def parents_after(move, dag):
    change, a, b = move
    return {"add": len(dag.parents(b)) + 1, "remove": 0, "reverse": len(dag.parents(a)) + 1}[change]


def additions_first(gains, least):
    adding = {move: value for move, value in gains.items() if move[0] == "add" and value > least}
    return max(adding or gains, key=gains.get)


CLIMBERS = {
    "the first move that raises the score": climber(first_improvement),
    "no reversals": climber(allowed=lambda move, dag: move[0] != "reverse"),
    "no removals": climber(allowed=lambda move, dag: move[0] != "remove"),
    "additions only": climber(allowed=lambda move, dag: move[0] == "add"),
    "at most one parent": climber(allowed=lambda move, dag: parents_after(move, dag) < 2),
    "at most two parents": climber(allowed=lambda move, dag: parents_after(move, dag) < 3),
    "a reversal counted as a removal": climber(gain=GAINS["a reversal counted as a removal"]),
    "other moves only when no addition raises the score": climber(additions_first),
    "the fit without the penalty": climber(gain=lambda score, dag, change, a, b:
                                           GAINS_OF_ADDING["the fit without the penalty"](score, dag, a, b)
                                           if change == "add" else -1.0),
    "gains without the parents that are there": climber(gain=lambda score, dag, change, a, b:
                                                        score.family(b, [a]) - score.family(b)
                                                        if change == "add" else -1.0),
    "arcs only in the order of the columns": climber(allowed=lambda move, dag: move[0] == "remove" or
                                                     dag.nodes.index(move[1]) < dag.nodes.index(move[2])),
    "stops at three arcs": climber(allowed=lambda move, dag: move[0] != "add" or len(dag.arcs) < 3),
    "one more move, which does not raise the score": climber(least=-5.0),
}
for mistake, program in CLIMBERS.items():
    wrong("9.4", mistake)(program)


@wrong("9.4", "the last move forgotten")
def all_but_the_last(score):
    return list(climber()(score))[:-1]


# -- 9.5: restarts -----------------------------------------------------------------------------------------------------
def final(score, start):
    return bn.hill_climb(score, start=start).score


RESTARTS = {
    "the last run": lambda score, starts: final(score, starts[-1]),
    "the first run": lambda score, starts: final(score, starts[0]),
    "the second run": lambda score, starts: final(score, starts[1]),
    "the first run left out": lambda score, starts: max(final(score, start) for start in starts[1:]),
    "the last run left out": lambda score, starts: max(final(score, start) for start in starts[:-1]),
    "the best of the starting graphs": lambda score, starts: max(map(score, starts)),
    "only the best starting graph climbs": lambda score, starts: final(score, max(starts, key=score)),
    "the worst run": lambda score, starts: min(final(score, start) for start in starts),
    "always from the empty graph": lambda score, starts: bn.hill_climb(score).score,
    "the empty graph as one more start": lambda score, starts:
        max(bn.hill_climb(score).score, *(final(score, start) for start in starts)),
    "the best score of all graphs": lambda score, starts: bn.exact(score).score,
    "best = 0 at the start": lambda score, starts: max(0.0, *(final(score, start) for start in starts)),
    "the mean of the runs": lambda score, starts: sum(final(score, start) for start in starts) / len(starts),
}
for mistake, program in RESTARTS.items():
    wrong("9.5", mistake)(program)


# -- 9.6: a misleading order of columns --------------------------------------------------------------------------------
def reached(table, order):
    return bn.hill_climb(bn.MDL(table.select(*order))).score


def first_order(table, wanted, orders=permutations):
    return next((order for order in orders(table.variables) if wanted(order)), None)


def rotations(names):
    return [(*names[i:], *names[:i]) for i in range(len(names))]


ORDERS = {
    "the columns as they are": lambda table: table.variables,
    "the columns reversed": lambda table: table.variables[::-1],
    "an order that leads to the best score": lambda table:
        max(permutations(table.variables), key=lambda order: reached(table, order)),
    "an order that leads to another graph": lambda table: first_order(table, lambda order:
        set(bn.hill_climb(bn.MDL(table.select(*order))).graph.arcs) != set(bn.hill_climb(bn.MDL(table)).graph.arcs)),
    "lower than with the columns as they are": lambda table:
        first_order(table, lambda order: reached(table, order) < reached(table, table.variables) - 1e-6),
    "cyclic shifts only": lambda table:
        first_order(table, lambda order: reached(table, order) < bn.exact(bn.MDL(table)).score - 1e-6, rotations),
    "the columns are not put in that order": lambda table:
        first_order(table, lambda order: reached(table, table.variables) < bn.exact(bn.MDL(table)).score - 1e-6),
    "an order of the best graph": lambda table: bn.exact(bn.MDL(table)).graph.order,
    "the reverse of an order of the best graph": lambda table: bn.exact(bn.MDL(table)).graph.order[::-1],
}
for mistake, program in ORDERS.items():
    wrong("9.6", mistake)(program)
