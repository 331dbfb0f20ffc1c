"""Cycles of a solution in whole numbers. Their variables are the clusters whose constraints it violates.

Each variable has one parent set, so the solution is a graph, and all variables on a cycle have a parent on it: the
cluster constraint with k = 1 is violated. A solution without cycles is a DAG, which violates no constraint.
"""

from __future__ import annotations

from collections.abc import Mapping

Names = tuple[str, ...]


def cycles(families: Mapping[str, Names]) -> tuple[Names, ...]:
    """Clusters in which all have a parent: strongly connected components, and a shortest cycle through each node.

    >>> cycles({"A": ("B",), "B": ("A", "C"), "C": ()})
    (('A', 'B'),)
    """
    import networkx as nx

    graph = nx.DiGraph(sorted((parent, child) for child, parents in families.items() for parent in parents))
    clusters = [part for part in nx.strongly_connected_components(graph) if len(part) > 1]
    for node in set().union(*clusters):
        paths = nx.single_source_shortest_path(graph, node)
        clusters.append(min((set(path) for end, path in paths.items() if graph.has_edge(end, node)), key=len))
    order = list(families)
    unique = {tuple(sorted(cluster, key=order.index)) for cluster in clusters}
    return tuple(sorted(unique, key=lambda cluster: (len(cluster), [order.index(name) for name in cluster])))
