"""Which nodes can be reached along arcs."""

from __future__ import annotations

from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG


def leads_to(graph: DAG | PDAG, start: str, end: str) -> bool:
    """Is there a directed path from one node to the other?"""
    seen, stack = {start}, [start]
    while stack:
        for node in graph.children(stack.pop()):
            if node == end:
                return True
            if node not in seen:
                seen.add(node)
                stack.append(node)
    return False
