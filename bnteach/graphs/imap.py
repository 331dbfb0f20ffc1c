"""Graphs as maps of independences: I-map, minimal I-map, P-map.

A DAG makes statements: each d-separation says that two variables are independent given some others. Whoever
knows the truth about these variables can be asked whether it is so. Here that is either another DAG (its own
d-separations are the truth) or an oracle, such as `bn.Statements` or `bn.ChiSquare`.

    I-map           every statement of the graph is true (the Markov condition holds)
    minimal I-map   and without any one of its arcs it would say something untrue
    P-map           and every true independence is a statement of the graph (faithfulness holds as well)

>>> collider = DAG("A->C, B->C")
>>> for statement in independences(collider):
...     print(statement)
A _||_ B
>>> is_imap(DAG("A->B, A->C, B->C"), collider), is_imap(DAG("A->C, C->B"), collider)
(True, False)

Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section 3.3. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from bnteach.errors import UnknownVariable, checked, described
from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import markov_equivalent
from bnteach.graphs.separation import check_dag, d_separated

MOST = 18  # variables, that is ten million questions
Truth = Callable[[str, str, tuple[str, ...]], bool]


class Independence(NamedTuple):
    """x and y are independent given some others."""

    x: str
    y: str
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.x} _||_ {self.y}" + (f" | {', '.join(self.given)}" if self.given else "")


def questions(variables: tuple[str, ...]) -> Iterator[Independence]:
    """Every pair of variables with every set of the others, small sets first: n(n-1)/2 times 2^(n-2) in all."""
    if len(variables) > MOST:
        raise ValueError(f"{len(variables)} variables make 2^{len(variables) - 2} questions a pair, too many to ask; "
                         f"give {MOST} or fewer. bn.is_imap asks few, for any number.")
    for x, y in combinations(variables, 2):
        others = [v for v in variables if v not in (x, y)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                yield Independence(x, y, given)


def independences(graph_or_oracle: DAG | Any, variables: tuple[str, ...] = ()) -> list[Independence]:
    """All independences of two variables given others, in a DAG or according to an oracle."""
    holds = _truth(graph_or_oracle)
    variables = variables or getattr(graph_or_oracle, "nodes", None) or getattr(graph_or_oracle, "variables", None)
    if variables is None:
        raise TypeError("which variables does it know? Name them: bn.independences(oracle, variables=['A', 'B']).")
    return [question for question in questions(tuple(variables)) if holds(*question)]


def is_imap(dag: DAG, truth: DAG | Any) -> bool:
    """Is every d-separation of the DAG a true independence?

    Not all need to be asked. With parents before children, it is enough that each node is independent of
    the nodes before it given its parents; all others follow (Verma and Pearl 1988). And that is asked for
    one node at a time: x is independent of {y, z} if it is of y, and of z given y.
    """
    holds = _truth(truth)
    _check(dag, truth)
    return all(holds(*question) for question in _sufficient(dag))


def _sufficient(dag: DAG) -> Iterator[Independence]:
    """Statements of a DAG from which all its other statements follow."""
    order = dag.order
    for i, node in enumerate(order):
        given = list(dag.parents(node))
        for before in order[:i]:
            if before not in dag.parents(node):
                yield Independence(node, before, tuple(given))
                given.append(before)


def is_minimal_imap(dag: DAG, truth: DAG | Any) -> bool:
    """Is it an I-map that is none any more if any one arc is taken away?"""
    return is_imap(dag, truth) and not any(is_imap(dag.without_arc(a, b), truth) for a, b in dag.arcs)


def is_pmap(dag: DAG, truth: DAG | Any) -> bool:
    """Are the d-separations of the DAG exactly the true independences?"""
    if isinstance(truth, DAG):
        return markov_equivalent(dag, truth)
    return is_imap(dag, truth) and not faithfulness_violations(dag, truth)


@checked
def markov_violations(dag: DAG, truth: DAG | Any) -> list[Independence]:
    """What the graph states and is not true: none, if it is an I-map. Asks 2^(n-2) questions a pair."""
    holds = _truth(truth)
    return [question for question in questions(dag.nodes) if d_separated(dag, *question) and not holds(*question)]


@checked
def faithfulness_violations(dag: DAG, truth: DAG | Any) -> list[Independence]:
    """What is true and the graph does not show: none, if it is faithful. Asks 2^(n-2) questions a pair."""
    holds = _truth(truth)
    return [question for question in questions(dag.nodes) if not d_separated(dag, *question) and holds(*question)]


def _check(dag: DAG, truth: DAG | Any) -> None:
    """An error unless the first is a DAG whose variables the truth knows."""
    check_dag(dag)
    known = truth.nodes if isinstance(truth, DAG) else getattr(truth, "variables", dag.nodes)
    if unknown := [node for node in dag.nodes if node not in known]:
        raise UnknownVariable(unknown[0], known, "the truth")


def _truth(truth: DAG | Any) -> Truth:
    """What a DAG or an oracle says of x, y and a set, as true or false."""
    if isinstance(truth, DAG):
        return lambda x, y, given: d_separated(truth, x, y, given)
    if not callable(truth) or isinstance(truth, type) or hasattr(truth, "family"):  # which a score has
        raise TypeError(f"the truth about independences is a DAG or an oracle, not {described(truth)}. "
                        f"Of data, make an oracle: bn.ChiSquare(table).")
    return lambda x, y, given: bool(truth(x, y, given))
