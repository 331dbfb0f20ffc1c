"""Reading what a student has built: a table, weights, an order, a DAG: (what was read, ""), or (None, a sentence)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from bnteach.course.comparing import as_graph, show
from bnteach.course.exercises.grading.plain import Graph
from bnteach.graphs.dag import DAG

Read = tuple[Any, str]
MOST_ROWS, MOST_STATES = 200, 6


def read_columns(answer: Any, names: Sequence[str], rows: int | None = None, states: int = MOST_STATES) -> Read:
    """Categorical columns: {name: values}, or a list of rows in the order of the names."""
    columns, problem = _columns(answer, names)
    if problem:
        return None, problem
    size = len(columns[names[0]])
    if any(len(column) != size for column in columns.values()):
        return None, "the columns have different lengths: " + ", ".join(f"{n} {len(c)}" for n, c in columns.items())
    if rows is not None and size != rows:
        return None, f"the table has {size} rows, and it should have {rows}"
    if not 1 <= size <= MOST_ROWS:
        return None, f"the table has {size} rows; give one to {MOST_ROWS}"
    for name, column in columns.items():
        if not all(isinstance(value, int | str | bool) or (isinstance(value, float) and value.is_integer())
                   for value in column):
            return None, f"the column {name} has something else than whole numbers or texts in it: {show(column)}"
        columns[name] = column = [value if isinstance(value, str) else str(int(value)) for value in column]
        if not 2 <= len(set(column)) <= states:
            many = f"{len(set(column))} different values" if len(set(column)) > 1 else "the same value in every row"
            return None, f"the column {name} has {many}; it should have 2 to {states} different ones"
    return columns, ""


def _columns(answer: Any, names: Sequence[str]) -> Read:
    if isinstance(answer, dict):
        given = {str(name): list(values) for name, values in answer.items() if isinstance(values, list | tuple)}
        if set(given) != set(names) or len(given) != len(answer):
            return None, f"the table should have the columns {', '.join(names)}, each a list; you give {show(answer)}"
        return {name: given[name] for name in names}, ""
    if isinstance(answer, list | tuple) and answer and not isinstance(answer, Graph) and \
            all(isinstance(row, list | tuple) and len(row) == len(names) for row in answer):
        return {name: [row[i] for row in answer] for i, name in enumerate(names)}, ""
    return None, f"a table is asked for, as {{{names[0]!r}: [...], ...}}, and you give {show(answer)}"


def read_weights(answer: Any, nodes: Sequence[str]) -> Read:
    """A weight above 0 for each pair of nodes."""
    if not isinstance(answer, dict):
        form = f"{{({nodes[0]!r}, {nodes[1]!r}): 0.5, ...}}"
        return None, f"weights are asked for, as {form}, and you give {show(answer)}"
    found = {}
    for pair in combinations(nodes, 2):
        keys = [key for key in answer if isinstance(key, tuple | frozenset) and set(key) == set(pair)]
        if len(keys) != 1:
            found = f"more than one weight ({', '.join(map(show, keys))})" if keys else "no weight"
            return None, f"the pair {pair[0]}, {pair[1]} has {found}; give it one, under {pair} or {pair[::-1]}"
        value = answer[keys[0]]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
            return None, f"the weight of {pair[0]}, {pair[1]} is {show(value)}; a weight is a number above 0"
        found[pair] = float(value)
    if len(answer) > len(found):
        return None, f"there are too many weights: give {len(found)}, one for each pair of {', '.join(nodes)}"
    return found, ""


def read_order(answer: Any, names: Sequence[str]) -> Read:
    """All names, each once, in some order; as a list or as a text."""
    order = list(answer) if isinstance(answer, str | list | tuple) and not isinstance(answer, Graph) else None
    if order is None:
        return None, f"an order is asked for, a list of {', '.join(names)}, and you give {show(answer)}"
    if sorted(map(str, order)) != sorted(names):
        return None, f"an order has each of {', '.join(names)} once; you give {show(answer)}"
    return order, ""


def read_dag(answer: Any, nodes: Sequence[str]) -> Read:
    """A DAG over exactly these nodes."""
    graph = as_graph(answer)
    if graph is None and answer in ([], (), set(), ""):
        graph = Graph("dag", (), ())
    if graph is None or any(len(arc) != 2 for arc in graph.arcs):
        return None, f"a DAG is asked for, such as bn.DAG('{nodes[0]}->{nodes[1]}'), and you give {show(answer)}"
    if graph.edges:
        return None, f"{'-'.join(graph.edges[0])} has no direction; a DAG has arcs only"
    if strange := sorted({*graph.nodes, *(n for arc in graph.arcs for n in arc)} - set(nodes)):
        return None, f"your graph has the node {strange[0][:40]}, and the nodes are {', '.join(nodes)}"
    try:
        return DAG(graph.arcs, nodes), ""
    except ValueError as error:
        return None, str(error)
