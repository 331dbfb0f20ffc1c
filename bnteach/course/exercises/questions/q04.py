"""Exercise 4: separating sets, v-structures, rule 1, and what one wrong answer does. Lesson 04_pc."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.grading.plain import Odd
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.faults import examine_edges, examine_v_structure, five_cycle, lost_neighbour
from bnteach.course.exercises.questions.inputs import Random, dag, names, under_names
from bnteach.graphs.imap import independences
from bnteach.graphs.pdag import PDAG

PC, RULES = ("learn",), ("learn", "graphs.orientation")
FOUR = bn.Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD")
Neighbours = dict[str, list[str]]


# -- 4.1 and 4.2: v-structures -------------------------------------------------------------------------------
def separated(random: Random) -> tuple[PDAG, dict]:
    """A skeleton and its separating sets, with a v-structure, and with a common neighbour that is in a separating set."""
    while True:
        skeleton, separating_sets = separated_by(dag(random, 5, density=0.55))
        inside = [z in separating_sets[pair] for pair in separating_sets for z in common_neighbours(skeleton, *pair)]
        if any(inside) and not all(inside):
            return skeleton, separating_sets


def separated_by(truth: bn.DAG) -> tuple[PDAG, dict]:
    """The skeleton of a DAG, and the separating sets that PC finds."""
    found = bn.pc(bn.DSeparation(truth)).separating_sets
    return PDAG((), truth.skeleton, truth.nodes), {(x, y): tuple(z) for (x, y), z in found.items()}


def hard_separated(random: Random) -> list[tuple[PDAG, dict]]:
    """Two colliders for one pair, one of them adjacent to the separating set; neighbours of one end only."""
    return [separated_by(bn.DAG(*under_names(random, "d->a, d->b, d->c, a->c, b->c, a->e, b->e, f->a, g->b", "abcdefg")))]


def hard_pairs(random: Random) -> list[tuple]:
    (skeleton, separating_sets), = hard_separated(random)
    return [(skeleton, *pair, separating_sets[pair]) for pair in separating_sets if common_neighbours(skeleton, *pair)]


def draw_pair(random: Random) -> tuple:
    skeleton, separating_sets = separated(random)
    wanted = colliders if random.random() < 0.7 else common_neighbours  # the latter may all be in the separating set
    pairs = [p for p in separating_sets if wanted(skeleton, *p, separating_sets[p])]
    pair = pairs[random.integers(len(pairs))]
    return skeleton, *pair, separating_sets[pair]


def common_neighbours(skeleton: PDAG, x: str, y: str, _: Iterable[str] = ()) -> list[str]:
    return [z for z in skeleton.nodes if skeleton.adjacent(x, z) and skeleton.adjacent(y, z)]


def colliders(skeleton: PDAG, x: str, y: str, separating_set: Iterable[str]) -> set[str]:
    """The common neighbours outside the separating set."""
    return set(common_neighbours(skeleton, x, y)) - set(separating_set)


def v_structure_arcs(skeleton: PDAG, separating_sets: dict) -> set[tuple[str, str]]:
    """The arcs of all v-structures."""
    return {(end, z) for pair, given in separating_sets.items() for z in colliders(skeleton, *pair, given) for end in pair}


# -- 4.3: rule 1 -----------------------------------------------------------------------------------------------
def draw_pattern(random: Random) -> tuple[PDAG]:
    """A pattern in which rule 1 finds something, and in which it matters that two nodes are not adjacent."""
    while True:
        pattern = bn.pattern(dag(random, 6, density=0.45))
        if rule_1(pattern) and rule_1(pattern) != rule_1(pattern, careful=False):
            return (pattern,)


def hard_patterns(random: Random) -> list[tuple[PDAG]]:
    """Arcs that would allow more arcs; a and c adjacent by an edge, by a -> c, by c -> a; two parents, one adjacent to c."""
    return [(PDAG(text),) for text in under_names(
        random, "a->b, b-c, c-d, b-e, b->f", "a->b, b-c, a-c, b-d", "a->b, b-c, a->c, b-d", "a->b, b-c, c->a, b-d",
        "a->b, b-c, a-c, d->b")]


def rule_1(g: PDAG, careful: bool = True) -> set[tuple[str, str]]:
    """All arcs b -> c that rule 1 justifies in the graph as it is."""
    return {(b, c) for a, b in g.arcs for c in g.neighbours(b) if not (careful and g.adjacent(a, c))}


def rule_1_twice(g: PDAG) -> set[tuple[str, str]]:
    """As if rule 1 were applied to its own arcs as well."""
    edges = [edge for edge in g.edges if not {edge, edge[::-1]} & rule_1(g)]
    return rule_1(g) | rule_1(PDAG([*g.arcs, *rule_1(g)], edges, g.nodes))


# -- 4.4 and 4.5: the skeleton ---------------------------------------------------------------------------------
def oracle_of(truth: bn.DAG) -> bn.Statements:
    """The independences of a DAG, as a list of statements."""
    return bn.Statements(*map(str, independences(truth)), variables=truth.nodes)


def draw_oracle(random: Random) -> tuple[bn.Statements]:
    return (oracle_of(dag(random, 5, arcs=int(random.integers(4, 7)))),)


def hard_oracles(random: Random) -> list[tuple[bn.Statements]]:
    """Pairs that only the empty set separates, or only three variables; removed edges that follow each other."""
    texts = under_names(random, "abcde", "a->c, b->c, c->d, d->e", "a->b, a->c, a->d, b->e, c->e, d->e",
                        "a->b, c->b, d->a, d->c, e->a, e->b, e->d", "a->b, a->e, b->c, b->e, d->b, e->c",
                        "a->c, b->a, d->c, e->a")
    return [(oracle_of(bn.DAG(text, texts[0])),) for text in texts[1:]]


def skeleton(oracle: bn.Statements) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in bn.pc(oracle).graph.skeleton}


def draw_level(random: Random) -> tuple:
    """An oracle, the neighbours when a level begins, and its size; some edge is removed at this level."""
    while True:
        oracle, size = oracle_of(dag(random, 5, arcs=int(random.integers(4, 7)))), int(random.integers(0, 3))
        neighbours = remaining(oracle, size)
        if any(oracle(*pair, z) for pair in edges(neighbours) for z in sets_of(neighbours, pair, size)):
            return oracle, neighbours, size


def hard_levels(random: Random) -> Iterable[tuple]:
    """Neighbours of one end only, of both, and of neither, at each level."""
    oracle = oracle_of(bn.DAG(*under_names(random, "a->e, b->c, b->d, b->e, c->a, d->e", "abcde")))
    return [(oracle, remaining(oracle, size), size) for size in range(3)]


def remaining(oracle: bn.Statements, size: int) -> Neighbours:
    """The neighbours that remain after all smaller levels."""
    left = {x: [y for y in oracle.variables if y != x] for x in oracle.variables}
    for smaller in range(size):
        removed = [pair for pair in edges(left) if any(oracle(*pair, z) for z in sets_of(left, pair, smaller))]
        left = {x: [y for y in left[x] if not any({x, y} == set(pair) for pair in removed)] for x in left}
    return left


def edges(neighbours: Neighbours) -> list[tuple[str, str]]:
    return [(x, y) for x, y in combinations(neighbours, 2) if y in neighbours[x]]


def sets_of(neighbours: Neighbours, pair: Iterable[str], size: int) -> list[tuple[str, ...]]:
    """The sets of this size among the neighbours of one end, and among those of the other."""
    x, y = pair
    of_x, of_y = [z for z in neighbours[x] if z != y], [z for z in neighbours[y] if z != x]
    return list(dict.fromkeys(tuple(sorted(given)) for of in (of_x, of_y) for given in combinations(of, size)))


def level(oracle: bn.Statements, neighbours: Neighbours, size: int) -> list[tuple]:
    """The tests of a level in the order in which PC makes them."""
    tests = []
    for pair in edges(neighbours):
        for given in sets_of(neighbours, pair, size):
            tests.append((*pair, given))
            if oracle(*pair, given):
                break
    return tests


def level_options(oracle: bn.Statements, neighbours: Neighbours, size: int, taken: list) -> Options:
    done = {(frozenset((x, y)), frozenset(given)) for x, y, given in taken}
    separating_set = {pair: given for pair, given in done if oracle(*sorted(pair), tuple(given))}
    left = [(*pair, set(given)) for pair in edges(neighbours) if frozenset(pair) not in separating_set
            for given in sets_of(neighbours, pair, size) if (frozenset(pair), frozenset(given)) not in done]

    def why(step: Any) -> str:
        if isinstance(step, Odd):
            return "no separating set has been found for this edge so far"
        try:
            x, y, given = step
            pair, given = frozenset((x, y)), frozenset(given)
        except (TypeError, ValueError):
            return "a step is a test (x, y, given), where given is a tuple of names"
        if pair not in map(frozenset, edges(neighbours)):
            return f"{x} and {y} are not adjacent when the level begins, so there is nothing to test"
        if (pair, given) in done:
            return "this test was made before; a set of neighbours of both is tested once"
        if pair in separating_set:
            return f"{x}-{y} has its separating set, {show(set(separating_set[pair]))}, and needs no other"
        if len(given) != size:
            return f"at this level the conditioning set has {size} variable{'s' * (size != 1)}"
        return f"the conditioning set must consist of neighbours of {x}, or of neighbours of {y}, when the level begins"

    return Options([*left, *((y, x, given) for x, y, given in left)], why)


QUESTIONS = (
    Question("4.1", "Colliders", "colliders", "one line", draw_pair, colliders, points=1,
             first=((PDAG("A-B, A-C, B-D, C-D"), "B", "C", ("A",)), (PDAG("A-B, A-C, B-D, C-D"), "A", "D", ("B", "C"))),
             adversarial=hard_pairs, withheld=PC, mistakes={
                 "it is the opposite: a common neighbour in the separating set blocks the path, so it is no collider":
                     lambda g, x, y, given: set(common_neighbours(g, x, y)) & set(given),
                 "these are all common neighbours; leave out those in the separating set":
                     lambda g, x, y, given: set(common_neighbours(g, x, y)),
                 "a collider is a neighbour of both; these are neighbours of the first node":
                     lambda g, x, y, given: set(g.neighbours(x)) - set(given),
                 "a collider is a neighbour of both; these are neighbours of the second node":
                     lambda g, x, y, given: set(g.neighbours(y)) - set(given),
                 "a collider is a neighbour of both; these are neighbours of one or the other":
                     lambda g, x, y, given: (set(g.neighbours(x)) | set(g.neighbours(y))) - set(given),
             }),
    Question("4.2", "All v-structures", "v_structure_arcs", "three lines", separated, v_structure_arcs, points=2,
             first=((PDAG("A-B, A-C, B-D, C-D"), {("A", "D"): ("B", "C"), ("B", "C"): ("A",)}),),
             adversarial=hard_separated, withheld=PC, mistakes={
                 "the colliders are the common neighbours outside the separating set, not inside": lambda g, w:
                     {(end, z) for p, s in w.items() for z in common_neighbours(g, *p) if z in s for end in p},
                 "z must be a neighbour of both x and y":
                     lambda g, w: {(end, z) for p, s in w.items() for z in g.neighbours(p[0]) if z not in s
                                   for end in p},
                 "a v-structure has two arcs, and this gives one of them":
                     lambda g, w: {(p[0], z) for p, s in w.items() for z in colliders(g, *p, s)},
             }),
    Question("4.3", "Rule 1", "rule_1", "function", draw_pattern, rule_1, points=2,
             first=((PDAG("A->C, B->C, C-D"),),), adversarial=hard_patterns, withheld=RULES, mistakes={
                 "a and c must not be adjacent; if they are, orienting the edge as c -> b makes no new v-structure": lambda g: rule_1(g, careful=False),
                 "some of these follow only from other arcs that rule 1 has found; apply it once": rule_1_twice,
                 "the arcs are reversed: from a -> b and b - c follows b -> c":
                     lambda g: {arc[::-1] for arc in rule_1(g)},
             }),
    Question("4.4", "The skeleton, line by line", "skeleton", "lines in order", draw_oracle, skeleton, points=2,
             first=((FOUR,),), adversarial=hard_oracles, withheld=PC),
    Question("4.5", "One level, test by test", "level", "steps", draw_level, level, points=3,
             first=((FOUR, {x: [y for y in "ABCD" if y != x] for x in "ABCD"}, 1),), adversarial=hard_levels,
             options=level_options, withheld=PC),
    Question("4.6", "One wrong answer: two wrong edges", "wrong_edges", "build", lambda random: (names(random, 4),),
             lost_neighbour, points=2, examine=examine_edges),
    Question("4.7", "One wrong answer: a missed v-structure", "missed_v_structure", "build",
             lambda random: (names(random, 5),), five_cycle, points=3, examine=examine_v_structure),
)
