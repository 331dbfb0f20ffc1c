"""What can be reached along the arcs and edges of a graph.

>>> children = {"A": ("B",), "B": ("C",), "C": (), "D": ("C",)}
>>> sorted(reachable(["A"], children.__getitem__))
['A', 'B', 'C']

A graph without a directed cycle has a source, a node without parents, and so has what remains when the source is
removed. Removing sources until none is left is therefore a test for cycles (Kahn 1962): if nodes remain, each of
them has a parent among them, and going from parent to parent must come back to a node seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bnteach.graphs.dag import DAG
    from bnteach.graphs.pdag import PDAG

Relation = Mapping[str, tuple[str, ...]]


def reachable(start: Iterable[str], successors: Callable[[str], Iterable[str]]) -> set[str]:
    """The start nodes and every node that can be reached from them, one successor after the other."""
    reached = set(start)
    stack = list(reached)
    while stack:
        new = set(successors(stack.pop())) - reached
        reached |= new
        stack += new
    return reached


def leads_to(graph: DAG | PDAG, start: str, end: str) -> bool:
    """Is there a directed path of one arc or more from one node to the other?"""
    return path_exists(graph, set(graph.children(start)), {end})


def path_exists(graph: DAG | PDAG, start: set[str], ends: set[str]) -> bool:
    """Is one of the ends a start node, or does a directed path lead from a start node to one of them?"""
    reached, stack = set(start), list(start)
    while stack and ends.isdisjoint(reached):
        new = set(graph.successors(stack.pop())) - reached
        reached |= new
        stack += new
    return not ends.isdisjoint(reached)


def find_cycle(parents: Relation, children: Relation) -> list[str]:
    """A directed cycle, its first node repeated at the end, or an empty list if there is none."""
    waiting = {node: len(above) for node, above in parents.items()}
    removed = [node for node, number in waiting.items() if not number]
    for node in removed:
        for child in children[node]:
            waiting[child] -= 1
            if not waiting[child]:
                removed.append(child)
    if len(removed) == len(parents):
        return []
    path = [next(node for node, number in waiting.items() if number)]
    while path[-1] not in path[:-1]:
        path.append(next(parent for parent in parents[path[-1]] if waiting[parent]))
    return path[path.index(path[-1]):][::-1]
