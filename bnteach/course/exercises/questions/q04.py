"""Exercise 4: separating_sets, immoralities, what follows, and what one wrong answer does. Lesson 04_pc."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import Any

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.grading.plain import Graph, Odd
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names
from bnteach.course.exercises.questions.read import Read, read_dag
from bnteach.graphs.imap import independences
from bnteach.graphs.pdag import PDAG

PC, RULES = ("learn",), ("learn", "graphs.orientation")
FOUR = bn.Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD")
Near = dict[str, list[str]]


# -- 4.1 and 4.2: where arrows meet --------------------------------------------------------------------------
def separated(random: Random) -> tuple[PDAG, dict]:
    """A skeleton and its separating_sets, with an immorality, and with a common neighbour that is in a witness."""
    while True:
        truth = dag(random, 5, density=0.55)
        separating_sets = {(x, y): tuple(z) for (x, y), z in bn.pc(bn.DSeparation(truth)).separating_sets.items()}
        skeleton = PDAG((), truth.skeleton, truth.nodes)
        inside = [z in separating_sets[pair] for pair in separating_sets for z in common(skeleton, *pair)]
        if any(inside) and not all(inside):
            return skeleton, separating_sets


def draw_pair(random: Random) -> tuple:
    skeleton, separating_sets = separated(random)
    meet = random.random() < 0.7  # in the other cases all common neighbours are in the witness, or some are
    pairs = [p for p in separating_sets if (meeting_places(skeleton, *p, separating_sets[p]) if meet else common(skeleton, *p))]
    pair = pairs[random.integers(len(pairs))]
    return skeleton, *pair, separating_sets[pair]


def common(skeleton: PDAG, x: str, y: str) -> list[str]:
    return [z for z in skeleton.nodes if skeleton.adjacent(x, z) and skeleton.adjacent(y, z)]


def meeting_places(skeleton: PDAG, x: str, y: str, witness: Iterable[str]) -> set[str]:
    """The common neighbours outside the witness."""
    return set(common(skeleton, x, y)) - set(witness)


def arrows(skeleton: PDAG, separating_sets: dict) -> set[tuple[str, str]]:
    """The arrows of all immoralities."""
    return {(end, z) for pair, witness in separating_sets.items() for z in meeting_places(skeleton, *pair, witness)
            for end in pair}


# -- 4.3: rule 1 -----------------------------------------------------------------------------------------------
def draw_pattern(random: Random) -> tuple[PDAG]:
    """A pattern in which rule 1 finds something, and in which it matters that two nodes are not joined."""
    while True:
        pattern = bn.pattern(dag(random, 6, density=0.45))
        if rule_1(pattern) and rule_1(pattern) != rule_1(pattern, careful=False):
            return (pattern,)


def rule_1(g: PDAG, careful: bool = True) -> set[tuple[str, str]]:
    """All arcs b -> c that rule 1 justifies in the graph as it is."""
    return {(b, c) for a, b in g.arcs for c in g.neighbours(b) if not (careful and g.adjacent(a, c))}


# -- 4.4 and 4.5: the skeleton ---------------------------------------------------------------------------------
def oracle_of(truth: bn.DAG) -> bn.Statements:
    """What a DAG says, as a list of statements."""
    return bn.Statements(*map(str, independences(truth)), variables=truth.nodes)


def draw_oracle(random: Random) -> tuple[bn.Statements]:
    return (oracle_of(dag(random, 5, arcs=int(random.integers(4, 7)))),)


def skeleton(oracle: bn.Statements) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in bn.pc(oracle).graph.skeleton}


def draw_level(random: Random) -> tuple:
    """An oracle, the neighbours as they are when a level begins, and its size; some edge goes at this level."""
    while True:
        oracle, size = oracle_of(dag(random, 5, arcs=int(random.integers(4, 7)))), int(random.integers(0, 3))
        near = neighbours(oracle, size)
        if any(oracle(*pair, z) for pair in joined(near) for z in sets_of(near, pair, size)):
            return oracle, near, size


def neighbours(oracle: bn.Statements, size: int) -> Near:
    """The neighbours that are left after all smaller levels."""
    near = {x: [y for y in oracle.variables if y != x] for x in oracle.variables}
    for smaller in range(size):
        gone = [pair for pair in joined(near) if any(oracle(*pair, z) for z in sets_of(near, pair, smaller))]
        near = {x: [y for y in near[x] if not any({x, y} == set(pair) for pair in gone)] for x in near}
    return near


def joined(near: Near) -> list[tuple[str, str]]:
    return [(x, y) for x, y in combinations(near, 2) if y in near[x]]


def sets_of(near: Near, pair: Iterable[str], size: int) -> list[tuple[str, ...]]:
    """The sets of this size among the neighbours of the one end, and among those of the other."""
    x, y = pair
    of_x, of_y = [z for z in near[x] if z != y], [z for z in near[y] if z != x]
    return list(dict.fromkeys(tuple(sorted(given)) for of in (of_x, of_y) for given in combinations(of, size)))


def level(oracle: bn.Statements, near: Near, size: int) -> list[tuple]:
    """The questions of a level in the order in which PC asks them."""
    asked = []
    for pair in joined(near):
        for given in sets_of(near, pair, size):
            asked.append((*pair, given))
            if oracle(*pair, given):
                break
    return asked


def level_options(oracle: bn.Statements, near: Near, size: int, taken: list) -> Options:
    asked = {(frozenset((x, y)), frozenset(given)) for x, y, given in taken}
    witness = {pair: given for pair, given in asked if oracle(*sorted(pair), tuple(given))}
    left = [(*pair, set(given)) for pair in joined(near) if frozenset(pair) not in witness
            for given in sets_of(near, pair, size) if (frozenset(pair), frozenset(given)) not in asked]

    def why(step: Any) -> str:
        if isinstance(step, Odd):
            return "this edge has no witness so far"
        try:
            x, y, given = step
            pair, given = frozenset((x, y)), frozenset(given)
        except (TypeError, ValueError):
            return "a step is a question (x, y, given), with given a tuple of names"
        if pair not in map(frozenset, joined(near)):
            return f"{x} and {y} are not joined when the level begins, so nothing is asked about them"
        if (pair, given) in asked:
            return "this was asked before; a set among the neighbours of both is asked about once"
        if pair in witness:
            return f"{x}-{y} has its witness, {show(set(witness[pair]))}, and needs no other"
        if len(given) != size:
            return f"at this level {size} variable{'s' * (size != 1)} are given"
        return f"the given ones are to be all neighbours of {x}, or all neighbours of {y}, when the level begins"

    return Options([*left, *((y, x, given) for x, y, given in left)], why)


# -- 4.6 and 4.7: the lecture's exercise 2 -----------------------------------------------------------------------
def read_lie(answer: Any, nodes: list[str]) -> Read:
    """A DAG, and the question about which the oracle lies: (x, y, given), or "A _||_ B | C"."""
    if not isinstance(answer, list | tuple) or isinstance(answer, Graph) or len(answer) != 2:
        return None, f"a DAG and a question are asked for, return dag, (x, y, given), and you give {show(answer)}"
    truth, problem = read_dag(answer[0], nodes)
    if problem:
        return None, problem
    question = answer[1]
    if isinstance(question, list | tuple) and len(question) in (2, 3) and not isinstance(question, Graph):
        given = question[2] if len(question) == 3 and question[2] is not None else ()
        given = [given] if isinstance(given, str) and given else given
        if not all(isinstance(end, str) for end in question[:2]) or not isinstance(given, list | tuple | set | str):
            return None, f"a question is (x, y, given), with given a list of names, and you give {show(question)}"
        told = ", ".join(map(str, sorted(given, key=str)))
        question = f"{question[0]} _||_ {question[1]}" + (f" | {told}" if told else "")
    try:
        return (truth, bn.FaultyOracle(bn.DSeparation(truth), question)), ""
    except (ValueError, KeyError, TypeError) as error:
        return None, f"the question cannot be asked: {error}"


def run_with_lie(answer: Any, nodes: list[str]) -> tuple[Any, Any, str]:
    """The DAG, what PC makes of it with the lie, and what is wrong so far."""
    read, problem = read_lie(answer, nodes)
    if problem:
        return None, None, problem
    truth, liar = read
    oracle = bn.CachedOracle(liar)
    found, (lie,) = bn.pc(oracle).graph, liar.queries
    if not any({x, y} == {*lie.x, *lie.y} and set(given) == set(lie.given) for x, y, given in oracle.queries):
        question = f"{lie.x[0]} and {lie.y[0]} given {', '.join(lie.given) or 'nothing'}"
        return truth, found, f"PC never asks about {question} here, so this lie changes nothing"
    if found == bn.cpdag(truth):
        return truth, found, f"with this lie PC still finds {show(found)}, which is right"
    return truth, found, ""


def lines(graph: Any) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in graph.skeleton}


def examine_skeleton(answer: Any, nodes: list[str]) -> str:
    """(i): the outcome has a line too many, or one too few."""
    truth, found, problem = run_with_lie(answer, nodes)
    if problem or lines(truth) != lines(found):
        return problem
    return f"PC finds {show(found)}: the arrows are wrong, but the lines are right; here a line is to be wrong"


def immoralities(graph: Any) -> set[tuple[str, frozenset[str]]]:
    return {(c, frozenset((a, b))) for a, c, b in bn.v_structures(graph)}


def examine_immorality(answer: Any, nodes: list[str]) -> str:
    """(ii): the lines are right, and one immorality is wrong."""
    truth, found, problem = run_with_lie(answer, nodes)
    if problem:
        return problem
    if wrong := sorted(map(show, lines(truth) ^ lines(found))):
        return (f"PC finds {show(found)}: the line {wrong[0]} is wrong; lie about two nodes that are separated anyway, "
                f"so that only their witness is wrong")
    wrong = immoralities(truth) ^ immoralities(found)
    return "" if len(wrong) == 1 else (f"PC finds {show(found)}: {len(wrong)} of its immoralities differ from those of "
                                       f"your DAG, and it should be one")


def chain(nodes: list[str]) -> bn.DAG:
    return bn.DAG(list(pairwise(nodes)), nodes)


QUESTIONS = (
    Question("4.1", "Where two arrows meet", "meeting_places", "one line", draw_pair, meeting_places, points=1,
             first=((PDAG("A-B, A-C, B-D, C-D"), "B", "C", ("A",)), (PDAG("A-B, A-C, B-D, C-D"), "A", "D", ("B", "C"))),
             withheld=PC, mistakes={
                 "it is the other way round: a common neighbour inside the witness blocks the path, so no arrows meet "
                 "there": lambda g, x, y, witness: set(common(g, x, y)) & set(witness),
                 "these are all common neighbours; leave out those in the witness":
                     lambda g, x, y, witness: set(common(g, x, y)),
             }),
    Question("4.2", "All immoralities", "arrows", "three lines", separated, arrows, points=2,
             first=((PDAG("A-B, A-C, B-D, C-D"), {("A", "D"): ("B", "C"), ("B", "C"): ("A",)}),),
             withheld=PC, mistakes={
                 "arrows meet in the common neighbours outside the witness, not inside":
                     lambda g, w: {(end, z) for p, s in w.items() for z in common(g, *p) if z in s for end in p},
                 "z is to be a neighbour of both, of x and of y":
                     lambda g, w: {(end, z) for p, s in w.items() for z in g.neighbours(p[0]) if z not in s
                                   for end in p},
                 "only one of the two arrows is drawn":
                     lambda g, w: {(p[0], z) for p, s in w.items() for z in meeting_places(g, *p, s)},
             }),
    Question("4.3", "Rule 1", "rule_1", "function", draw_pattern, rule_1, points=2,
             first=((PDAG("A->C, B->C, C-D"),),), withheld=RULES, mistakes={
                 "the tail of the arrow and the far end of the edge must not be joined; if they are, no new immorality "
                 "would come about": lambda g: rule_1(g, careful=False),
                 "the arrows point the wrong way: a -> b and b - c make b -> c":
                     lambda g: {arc[::-1] for arc in rule_1(g)},
             }),
    Question("4.4", "The skeleton, line by line", "skeleton", "lines in order", draw_oracle, skeleton, points=2,
             first=((FOUR,),), withheld=PC),
    Question("4.5", "One level, question by question", "level", "steps", draw_level, level, points=3,
             first=((FOUR, {x: [y for y in "ABCD" if y != x] for x in "ABCD"}, 1),), options=level_options,
             withheld=PC),
    Question("4.6", "One lie: a wrong line", "wrong_line", "build", lambda random: (names(random, 4),),
             lambda nodes: (chain(nodes), (nodes[0], nodes[1], [])), points=2, examine=examine_skeleton),
    Question("4.7", "One lie: right lines, a wrong immorality", "wrong_immorality", "build",
             lambda random: (names(random, 4),), lambda nodes: (chain(nodes), (nodes[0], nodes[2], [])), points=3,
             examine=examine_immorality),
)
