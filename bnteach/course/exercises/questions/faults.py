"""Questions 4.6 and 4.7, the lecture's exercise 2: what one wrong answer of the oracle does to PC."""

from __future__ import annotations

from typing import Any

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.grading.plain import Graph
from bnteach.course.exercises.questions.read import Read, read_dag


def read_query(answer: Any, nodes: list[str]) -> Read:
    """A DAG, and the query that the oracle answers wrongly: (x, y, given), or "A _||_ B | C"."""
    if not isinstance(answer, list | tuple) or isinstance(answer, Graph) or len(answer) != 2:
        return None, f"a DAG and a query are asked for, return dag, (x, y, given), and you give {show(answer)}"
    truth, problem = read_dag(answer[0], nodes)
    if problem:
        return None, problem
    query = answer[1]
    if isinstance(query, list | tuple) and len(query) in (2, 3) and not isinstance(query, Graph):
        given = query[2] if len(query) == 3 and query[2] is not None else ()
        given = [given] if isinstance(given, str) and given else given
        if not all(isinstance(end, str) for end in query[:2]) or not isinstance(given, list | tuple | set | str):
            return None, f"a query is (x, y, given), where given is a list of names, and you give {show(query)}"
        condition = ", ".join(map(str, sorted(given, key=str)))
        query = f"{query[0]} _||_ {query[1]}" + (f" | {condition}" if condition else "")
    try:
        return (truth, bn.FaultyOracle(bn.DSeparation(truth), query)), ""
    except (ValueError, KeyError, TypeError) as error:
        return None, f"the query cannot be read: {error}"


def run_with_fault(answer: Any, nodes: list[str]) -> tuple[Any, Any, str]:
    """The DAG, PC's outcome with the wrong answer, and what is wrong with the construction so far."""
    read, problem = read_query(answer, nodes)
    if problem:
        return None, None, problem
    truth, faulty = read
    oracle = bn.CachedOracle(faulty)
    found, (fault,) = bn.pc(oracle).graph, faulty.queries
    if not any({x, y} == {*fault.x, *fault.y} and set(given) == set(fault.given) for x, y, given in oracle.queries):
        query = f"{fault.x[0]} and {fault.y[0]} given {', '.join(fault.given) or 'the empty set'}"
        return truth, found, f"PC never tests {query} here, so the wrong answer changes nothing"
    if found == bn.cpdag(truth):
        return truth, found, f"with this wrong answer PC still finds {show(found)}, which is right"
    return truth, found, ""


def skeleton_of(graph: Any) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in graph.skeleton}


def examine_edges(answer: Any, nodes: list[str]) -> str:
    """(i): one edge is missing, and another one is extra."""
    truth, found, problem = run_with_fault(answer, nodes)
    if problem:
        return problem
    missing, extra = (sorted("-".join(sorted(edge)) for edge in edges) for edges in (
        skeleton_of(truth) - skeleton_of(found), skeleton_of(found) - skeleton_of(truth)))
    if missing and extra:
        return ""
    if missing:
        return (f"PC finds {show(found)}: {missing[0]} is missing, and no edge is extra; the lost neighbour must be one "
                f"that every separating set of another pair contains, so that no such set is tested any more")
    if extra:
        return (f"PC finds {show(found)}: {extra[0]} is extra, and no edge is missing; an edge is lost if the oracle "
                f"calls two adjacent nodes independent")
    return f"PC finds {show(found)}: some orientation is wrong, but the skeleton is right"


def v_structures(graph: Any) -> set[tuple[str, frozenset[str]]]:
    return {(c, frozenset((a, b))) for a, c, b in bn.v_structures(graph)}


def examine_v_structure(answer: Any, nodes: list[str]) -> str:
    """(ii): the skeleton is right, a v-structure is missed, and none is found that is not there."""
    truth, found, problem = run_with_fault(answer, nodes)
    if problem:
        return problem
    if wrong := sorted("-".join(sorted(edge)) for edge in skeleton_of(truth) ^ skeleton_of(found)):
        return (f"PC finds {show(found)}: the edge {wrong[0]} is wrong; choose a query about two nodes that "
                f"are separated anyway, so that only their separating set is wrong")
    missed, false = v_structures(truth) - v_structures(found), v_structures(found) - v_structures(truth)
    if not missed:
        return (f"PC finds {show(found)}: no v-structure of your DAG is missed; it is missed if its collider is in the "
                f"separating set of its two parents, and the wrong answer has to put it there")
    if false:
        (collider, ends), *_ = sorted(false, key=show)
        return (f"PC finds {show(found)}: a v-structure is missed, but {' → '.join([min(ends), collider])} ← {max(ends)} "
                f"is found, and your DAG does not have it; its collider should not be a neighbour of both")
    return ""


def five_cycle(nodes: list[str]) -> tuple[bn.DAG, tuple]:
    """c is a collider between a and b, which d or e separates; c comes first, so that {c} is tested before."""
    c, a, b, d, e = nodes
    return bn.DAG([(a, c), (b, c), (d, a), (d, e), (e, b)], nodes), (a, b, [c])


def lost_neighbour(nodes: list[str]) -> tuple[bn.DAG, tuple]:
    """Only {a, c} separates b and d; without the edge a-d, a is a neighbour of neither."""
    a, b, c, d = nodes
    return bn.DAG([(a, c), (b, c), (c, d), (a, d)], nodes), (a, d, [])
