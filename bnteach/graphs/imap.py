"""Graphs as maps of independences: I-map, minimal I-map, P-map.

A DAG makes statements: each d-separation states that two variables are independent given some others. Whether a
statement is true is decided by another DAG (its d-separations are the truth) or by an oracle, such as `bn.Statements`
or `bn.ChiSquare`.

    I-map           every statement of the graph is true (the Markov condition holds)
    minimal I-map   an I-map that is no longer one without any one of its arcs
    P-map           an I-map in which every true independence is a statement of the graph (faithfulness holds too)

>>> collider = DAG("A->C, B->C")
>>> for statement in independences(collider):
...     print(statement)
A _||_ B
>>> is_imap(DAG("A->B, A->C, B->C"), collider), is_imap(DAG("A->C, C->B"), collider)
(True, False)

Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section 3.3. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from bnteach.errors import UnknownVariable, checked, described
from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import markov_equivalent
from bnteach.graphs.notation import read_names
from bnteach.graphs.separation import check_dag, d_separated

MAX_VARIABLES = 18  # ten million queries
Truth = Callable[[str, str, tuple[str, ...]], bool]


class Independence(NamedTuple):
    """x and y are independent given some others."""

    x: str
    y: str
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.x} _||_ {self.y}" + (f" | {', '.join(self.given)}" if self.given else "")


def queries(variables: tuple[str, ...]) -> Iterator[Independence]:
    """Every pair of variables with every set of the others, small sets first: n(n-1)/2 times 2^(n-2) in all."""
    if len(variables) > MAX_VARIABLES:
        raise ValueError(f"{len(variables)} variables need 2^{len(variables) - 2} queries per pair, too many; "
                         f"give {MAX_VARIABLES} or fewer. bn.is_imap needs few, for any number of variables.")
    for x, y in combinations(variables, 2):
        others = [v for v in variables if v not in (x, y)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                yield Independence(x, y, given)


def independences(graph_or_oracle: DAG | Any, variables: str | Iterable[str] = ()) -> list[Independence]:
    """All independences of two variables given others, in a DAG or according to an oracle.

    Parameters
    ----------
    graph_or_oracle : DAG or oracle
    variables : str or iterable of str
        All variables of the graph or the oracle, unless some are named.

    Returns
    -------
    list of Independence
        2^(n-2) queries per pair, for at most 18 variables.

    Examples
    --------
    >>> [str(statement) for statement in independences(DAG("A->B, B->C"))]
    ['A _||_ C | B']
    """
    holds = _truth(graph_or_oracle)
    names = variables or getattr(graph_or_oracle, "nodes", None) or getattr(graph_or_oracle, "variables", None)
    if names is None:
        raise TypeError("the oracle does not list its variables; name them: "
                        "bn.independences(oracle, variables=['A', 'B']).")
    return [query for query in queries(tuple(read_names(names))) if holds(*query)]


def is_imap(dag: DAG, truth: DAG | Any) -> bool:
    """Is every d-separation of the DAG a true independence?

    Few queries suffice. With parents before children, it is enough that each node is independent of its other
    predecessors given its parents; all other statements follow. One predecessor is queried at a time: x is
    independent of {y, z} if it is independent of y, and of z given y.

    Parameters
    ----------
    dag : DAG
    truth : DAG or oracle

    Returns
    -------
    bool

    Examples
    --------
    >>> is_imap(DAG("A->B, A->C, B->C"), DAG("A->C, B->C"))
    True

    References
    ----------
    Verma and Pearl (1988), Causal networks: semantics and expressiveness, UAI.
    """
    holds = _truth(truth)
    _check(dag, truth)
    return all(holds(*query) for query in _sufficient(dag))


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
    """Is the DAG an I-map that is no longer one if any one of its arcs is removed?

    Parameters
    ----------
    dag : DAG
    truth : DAG or oracle

    Returns
    -------
    bool

    Examples
    --------
    >>> is_minimal_imap(DAG("A->B, A->C, B->C"), DAG("A->C, B->C"))
    False
    """
    return is_imap(dag, truth) and not any(is_imap(dag.without_arc(a, b), truth) for a, b in dag.arcs)


def is_pmap(dag: DAG, truth: DAG | Any) -> bool:
    """Are the d-separations of the DAG exactly the true independences?

    Parameters
    ----------
    dag : DAG
    truth : DAG or oracle

    Returns
    -------
    bool

    Examples
    --------
    >>> is_pmap(DAG("A->B, B->C"), DAG("C->B, B->A"))
    True
    """
    if isinstance(truth, DAG):
        return markov_equivalent(dag, truth)
    return is_imap(dag, truth) and not faithfulness_violations(dag, truth)


@checked
def markov_violations(dag: DAG, truth: DAG | Any) -> list[Independence]:
    """The statements of the graph that are not true: none if it is an I-map.

    Parameters
    ----------
    dag : DAG
        At most 18 nodes, with 2^(n-2) queries per pair.
    truth : DAG or oracle

    Returns
    -------
    list of Independence

    Examples
    --------
    >>> [str(statement) for statement in markov_violations(DAG("A->C, C->B"), DAG("A->C, B->C"))]
    ['A _||_ B | C']
    """
    holds = _truth(truth)
    return [query for query in queries(dag.nodes) if d_separated(dag, *query) and not holds(*query)]


@checked
def faithfulness_violations(dag: DAG, truth: DAG | Any) -> list[Independence]:
    """The true independences that the graph does not state: none if the truth is faithful to it.

    Parameters
    ----------
    dag : DAG
        At most 18 nodes, with 2^(n-2) queries per pair.
    truth : DAG or oracle

    Returns
    -------
    list of Independence

    Examples
    --------
    >>> [str(statement) for statement in faithfulness_violations(DAG("A->C, C->B"), DAG("A->C, B->C"))]
    ['A _||_ B']
    """
    holds = _truth(truth)
    return [query for query in queries(dag.nodes) if not d_separated(dag, *query) and holds(*query)]


def _check(dag: DAG, truth: DAG | Any) -> None:
    """Raise an error unless the first is a DAG all of whose variables the truth has."""
    check_dag(dag)
    known = truth.nodes if isinstance(truth, DAG) else getattr(truth, "variables", dag.nodes)
    if unknown := [node for node in dag.nodes if node not in known]:
        raise UnknownVariable(unknown[0], known, "the truth")


def _truth(truth: DAG | Any) -> Truth:
    """Whether x and y are independent given a set, according to a DAG or an oracle."""
    if isinstance(truth, DAG):
        return lambda x, y, given: d_separated(truth, x, y, given)
    if not callable(truth) or isinstance(truth, type) or hasattr(truth, "family"):  # which a score has
        raise TypeError(f"the truth about independences is a DAG or an oracle, not {described(truth)}. "
                        f"To use data, make an oracle: bn.ChiSquare(table).")
    return lambda x, y, given: bool(truth(x, y, given))
