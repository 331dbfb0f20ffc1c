"""Wrong programs for exercise 17."""

from __future__ import annotations

from itertools import combinations

import bnteach as bn
from tests.course.exercises.wrong import wrong


def register(id, programs):
    for mistake, program in programs.items():
        wrong(id, mistake)(program)


# -- 17.1: covered arcs ----------------------------------------------------------------------------------------------
def arcs_with(condition):
    return lambda g: {(x, y) for x, y in g.arcs if condition(g, set(g.parents(x)), set(g.parents(y)), x, y)}


register("17.1", {
    "as many parents": arcs_with(lambda g, px, py, x, y: len(py) == len(px) + 1),
    "x may have fewer": arcs_with(lambda g, px, py, x, y: px <= py),
    "y may have fewer": arcs_with(lambda g, px, py, x, y: py <= px | {x}),
    "equal parents, x included": arcs_with(lambda g, px, py, x, y: px == py),
    "a common parent": arcs_with(lambda g, px, py, x, y: not (px | py) - {x} or px & py),
    "no other parents at all": arcs_with(lambda g, px, py, x, y: not px and py == {x}),
    "reversing makes no cycle": arcs_with(lambda g, px, py, x, y: y not in g.without_arc(x, y).descendants(x)),
    "no collider at y": arcs_with(lambda g, px, py, x, y: not any(not g.adjacent(x, p) for p in py - {x})),
    "the children compared": arcs_with(lambda g, px, py, x, y: set(g.children(x)) == {*g.children(y), y}),
    "the arcs turned": lambda g: {(y, x) for x, y in g.arcs if set(g.parents(y)) == {*g.parents(x), x}},
    "all arcs": lambda g: set(g.arcs),
})


# -- 17.3: through the class -----------------------------------------------------------------------------------------
def covered(g):
    return [(x, y) for x, y in g.arcs if set(g.parents(y)) == {*g.parents(x), x}]


def reverse_all(g):
    """All arcs whose reversal makes no cycle."""
    return [(x, y) for x, y in g.arcs if y not in g.without_arc(x, y).descendants(x)]


def walk(arcs=covered, rounds=10**6, start=True, most=60):
    def program(dag):
        found = [dag]
        for _, g in zip(range(rounds), found):
            for x, y in arcs(g):
                if (other := g.with_reversed(x, y)) not in found and len(found) < most:
                    found.append(other)
        return sorted(map(str, found[0 if start else 1:]))
    return program


def one_way(dag):
    """Each DAG only leads to the next."""
    found = [dag]
    while step := next((g for x, y in covered(found[-1]) if (g := found[-1].with_reversed(x, y)) not in found), None):
        found.append(step)
    return sorted(map(str, found))


register("17.3", {
    "all arcs, covered or not": walk(reverse_all),
    "one reversal only": walk(rounds=1),
    "two DAGs are looked at": walk(rounds=2),
    "the first DAG is forgotten": walk(start=False),
    "only the first covered arc": walk(lambda g: covered(g)[:1]),
    "only the last covered arc": walk(lambda g: covered(g)[-1:]),
    "one path through the class": one_way,
    "the DAG alone": lambda dag: [str(dag)],
    "not sorted": lambda dag: walk()(dag)[::-1],
    "the skeleton's orientations": lambda dag:
        sorted(map(str, bn.equivalence_class(bn.PDAG([], dag.skeleton, dag.nodes)))),
})


# -- 17.2: the gain of an Insert -------------------------------------------------------------------------------------
def common(g, x, y):
    return {n for n in g.neighbours(y) if g.adjacent(n, x)}


def gain_with(parents, sign=1):
    def program(score, g, x, y, t):
        base = set(parents(g, x, y, set(t)))
        return sign * (score.family(y, base | {x}) - score.family(y, base))
    return program


def right_parents(g, x, y, t):
    return {*g.parents(y), *common(g, x, y), *t}


register("17.2", {
    "common neighbours forgotten": gain_with(lambda g, x, y, t: {*g.parents(y), *t}),
    "parents forgotten": gain_with(lambda g, x, y, t: common(g, x, y) | t),
    "T forgotten": gain_with(lambda g, x, y, t: {*g.parents(y), *common(g, x, y)}),
    "T alone": gain_with(lambda g, x, y, t: t),
    "all neighbours": gain_with(lambda g, x, y, t: {*g.parents(y), *g.neighbours(y)}),
    "no other parents": gain_with(lambda g, x, y, t: set()),
    "the neighbours of x": gain_with(lambda g, x, y, t: {*g.parents(y), *t, *(set(g.neighbours(x)) - {y})}),
    "all that is adjacent to both": gain_with(
        lambda g, x, y, t: {*g.parents(y), *t, *(set(g.adjacent_to(x)) & set(g.adjacent_to(y)))}),
    "the other sign": gain_with(right_parents, sign=-1),
    "the score with x": lambda score, g, x, y, t: score.family(y, right_parents(g, x, y, t) | {x}),
    "the arc into x": lambda score, g, x, y, t: gain_with(right_parents)(score, g, y, x, t),
    "T only without x": lambda score, g, x, y, t: score.family(y, right_parents(g, x, y, t) | {x})
        - score.family(y, {*g.parents(y), *common(g, x, y)}),
})


# -- 17.4: valid sets ------------------------------------------------------------------------------------------------
def clique(g, nodes):
    return all(g.adjacent(a, b) for a, b in combinations(nodes, 2))


def path(g, y, x, without, along=lambda g, n: {*g.children(n), *g.neighbours(n)}):
    """Whether a path leads from y to x that avoids some nodes."""
    seen, left = {y}, [y]
    while left:
        for n in along(g, left.pop()) - set(without) - seen:
            seen.add(n)
            left.append(n)
    return x in seen


def sets_with(is_clique=clique, is_path=path, free=None, fixed=common, largest=9, smallest=0):
    def program(g, x, y):
        some = free(g, x, y) if free else set(g.neighbours(y)) - common(g, x, y)
        found = set()
        for size in range(smallest, min(largest, len(some)) + 1):
            for t in combinations(sorted(some), size):
                chosen = {*t, *fixed(g, x, y)}
                if is_clique(g, chosen) and not is_path(g, y, x, chosen):
                    found.add(t)
        return found
    return program


register("17.4", {
    "any set, clique or not": sets_with(is_clique=lambda g, nodes: True),
    "paths not looked at": sets_with(is_path=lambda *_: False),
    "paths along arcs only": sets_with(is_path=lambda g, y, x, c: path(g, y, x, c, lambda g, n: set(g.children(n)))),
    "paths along edges only": sets_with(is_path=lambda g, y, x, c: path(g, y, x, c, lambda g, n: set(g.neighbours(n)))),
    "arcs in any direction": sets_with(is_path=lambda g, y, x, c: path(g, y, x, c, lambda g, n: set(g.adjacent_to(n)))),
    "paths from x to y": sets_with(is_path=lambda g, y, x, c: path(g, x, y, c)),
    "paths of two edges only": sets_with(is_path=lambda g, y, x, c: any(
        x in {*g.children(n), *g.neighbours(n)} for n in {*g.children(y), *g.neighbours(y)} - set(c))),
    "T blocks, common neighbours do not": sets_with(is_path=lambda g, y, x, c: path(g, y, x, set(c) - common(g, x, y))),
    "the clique of T alone": sets_with(is_clique=lambda g, nodes: True if len(nodes) < 2 else clique(g, nodes),
                                       fixed=lambda g, x, y: set()),
    "neighbours adjacent to x in T too": sets_with(
        free=lambda g, x, y: set(g.neighbours(y)), fixed=lambda g, x, y: set()),
    "sets of at most one": sets_with(largest=1),
    "the empty set forgotten": sets_with(smallest=1),
    "only the empty set": sets_with(largest=0),
    "only sets of all": lambda g, x, y: {max(sets_with()(g, x, y), key=len, default=())},
    "all sets": sets_with(is_clique=lambda g, nodes: True, is_path=lambda *_: False),
})


# -- 17.5: the best Delete -------------------------------------------------------------------------------------------
def gains(score, g, sets):
    for y in g.nodes:
        for x in (*g.parents(y), *g.neighbours(y)):
            for chosen in sets(g, x, y):
                rest = {*g.parents(y), *chosen} - {x}
                yield score.family(y, rest) - score.family(y, rest | {x})


def subsets(nodes, largest=9):
    return [s for size in range(min(len(nodes), largest) + 1) for s in combinations(sorted(nodes), size)]


def cliques(g, x, y):
    return [s for s in subsets(common(g, x, y)) if clique(g, s)]


def deleting(sets, take=max):
    return lambda score, g: take(gains(score, g, sets))


def some_dag(score, g, which=bn.extend):
    one = which(g)
    return max(score.family(y, set(one.parents(y)) - {x}) - score.family(y, one.parents(y)) for x, y in one.arcs)


register("17.5", {
    "one DAG of the class": some_dag,
    "the last DAG of the class": lambda score, g: some_dag(score, g, lambda g: list(bn.equivalence_class(g))[-1]),
    "only with all common neighbours": deleting(lambda g, x, y: [common(g, x, y)]),
    "only with none of them": deleting(lambda g, x, y: [()]),
    "at most one of them": deleting(lambda g, x, y: subsets(common(g, x, y), 1)),
    "all neighbours as parents": deleting(lambda g, x, y: [set(g.neighbours(y)) - {x}]),
    "any set, clique or not": deleting(lambda g, x, y: subsets(common(g, x, y))),
    "undirected edges only": lambda score, g: max(
        score.family(y, r) - score.family(y, {*r, x}) for y in g.nodes for x in g.neighbours(y)
        for s in cliques(g, x, y) for r in [{*g.parents(y), *s}]),
    "arcs only": lambda score, g: max(
        score.family(y, set(g.parents(y)) - {x}) - score.family(y, g.parents(y)) for x, y in g.arcs),
    "parents forgotten": lambda score, g: max(
        score.family(y, s) - score.family(y, {*s, x}) for y in g.nodes for x in (*g.parents(y), *g.neighbours(y))
        for s in cliques(g, x, y)),
    "the worst Delete": deleting(cliques, take=min),
    "the other sign": lambda score, g: -max(gains(score, g, cliques)),
    "never below 0": lambda score, g: max(0.0, *gains(score, g, cliques)),
})


# -- 17.6: the forward phase -----------------------------------------------------------------------------------------
def insert(g, x, y, t):
    """The class after an Insert, or None."""
    parents = {*common(g, x, y), *t}
    for n in g.neighbours(y):
        g = g.with_arc(n, y) if n in parents else g.with_arc(y, n)
    try:
        return bn.cpdag(bn.extend(g).with_arc(x, y))
    except (bn.NoExtension, bn.CycleError):
        return None


def best_first(moves):
    return max(moves, key=lambda move: round(move[0], 7), default=None)


def phase(sets=lambda g, x, y: sets_with()(g, x, y), choose=best_first, least=1e-7, most=20, show=lambda g, *move: g):
    def program(score):
        g = bn.PDAG([], [], score.variables)
        for _ in range(most):
            moves = [(gain_with(right_parents)(score, g, x, y, t), x, y, t, after) for x in g.nodes for y in g.nodes
                     if x != y and not g.adjacent(x, y) for t in sets(g, x, y) if (after := insert(g, x, y, t))]
            best = choose([m for m in moves if m[0] > least])
            if best is None:
                return
            g = best[-1]
            yield show(g, *best[1:4])
    return program


def climb(score):
    """Hill climbing over DAGs that only adds, shown as classes."""
    dag = bn.DAG((), score.variables)
    while True:
        adds = [(score.family(y, {*dag.parents(y), x}) - score.family(y, dag.parents(y)), x, y) for x in dag.nodes
                for y in dag.nodes if x != y and not dag.adjacent(x, y) and x not in dag.descendants(y)]
        gain, x, y = best_first(adds) or (0, "", "")
        if gain <= 1e-7:
            return
        dag = dag.with_arc(x, y)
        yield bn.cpdag(dag)


register("17.6", {
    "T always empty": phase(sets=lambda g, x, y: [()]),
    "T always all": phase(sets=lambda g, x, y: [max(sets_with()(g, x, y), key=len, default=())]),
    "hill climbing that adds arcs": climb,
    "the first better Insert": phase(choose=lambda moves: moves[0] if moves else None),
    "the last of the best is not taken": phase(choose=lambda moves: min(moves, key=lambda m: m[0], default=None)),
    "two Inserts only": phase(most=2),
    "one Insert only": phase(most=1),
    "any Insert, better or not": phase(least=-1e9),
    "the DAG in place of the class": phase(show=lambda g, *_: bn.extend(g)),
    "the move in place of the class": phase(show=lambda g, x, y, t: (x, y, t)),
    "the skeleton only": phase(show=lambda g, *_: bn.PDAG([], g.skeleton, g.nodes)),
    "the empty class yielded first": lambda score: [bn.PDAG([], [], score.variables), *phase()(score)],
    "only the last class": lambda score: list(phase()(score))[-1:],
})


# -- 17.7: the stuck member ------------------------------------------------------------------------------------------
register("17.7", {
    "the DAG that was given": lambda score, dag: dag,
    "where hill climbing ends": lambda score, dag: bn.hill_climb(score, start=dag).graph,
    "hill climbing from no arcs": lambda score, dag: bn.hill_climb(score).graph,
    "the first member": lambda score, dag: next(iter(bn.equivalence_class(dag))),
    "the last member": lambda score, dag: list(bn.equivalence_class(dag))[-1],
    "the best member": lambda score, dag: max(bn.equivalence_class(dag), key=score),
    "one reversal away": lambda score, dag: dag.with_reversed(*covered(dag)[0]) if covered(dag) else dag,
    "the class itself": lambda score, dag: bn.cpdag(dag),
    "the best DAG": lambda score, dag: bn.exact(score).graph,
    "all arcs reversed": lambda score, dag: bn.DAG([(b, a) for a, b in dag.arcs], dag.nodes),
})
