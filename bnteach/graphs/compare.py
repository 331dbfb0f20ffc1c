"""How far is a learned graph from the true one?

Data cannot distinguish the DAGs of one class, so CPDAGs are compared: a DAG is replaced by its CPDAG, a PDAG is taken
as it is. Then the pairs of nodes are compared:

    missing       adjacent in the truth, not in the learned graph
    extra         adjacent in the learned graph, not in the truth
    misoriented   adjacent in both, but reversed, or oriented in one of them only

The structural Hamming distance (SHD) is the number of pairs that differ: missing + extra + misoriented, each counted
once. Precision, recall and F1 are those of the skeleton, without directions.

If both graphs are DAGs, and taken as causal, the structural intervention distance (SID) counts the ordered pairs x, y
for which the learned graph gets the effect of an intervention on x wrong: adjusting for the parents that it gives x
does not yield P(y | do(x)) in the true graph.

>>> print(compare(DAG("A->B, B->C, C->D"), DAG("A->B, C->B, C->D")))
skeleton: 3 of 3 learned edges are correct (precision 1.00), 3 of 3 true edges were found (recall 1.00), F1 1.00
structural Hamming distance 2: A-B should be A->B; B-C should be C->B

Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing algorithm, Machine Learning 65: the SHD. Peters and
Bühlmann (2015), Structural intervention distance for evaluating causal graphs, Neural Computation 27: the SID.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from itertools import permutations
from typing import TYPE_CHECKING, Any

from bnteach.errors import described
from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag
from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.separation import d_separated

if TYPE_CHECKING:
    from bnteach.show.picture import Picture

SHOWN = 40  # nodes up to which a notebook shows the structural intervention distance, which takes long to compute


@dataclass(frozen=True)
class Comparison:
    """The differences between a learned graph and the true one, as `compare` returns them.

    Parameters
    ----------
    learned, truth : PDAG
    missing, extra, misoriented : tuple of pairs
        The pairs of nodes that differ, in the order of the true graph.
    dags : pair of DAGs, optional
        The two graphs as they were given, if both are DAGs.

    Examples
    --------
    >>> found = compare(DAG("A->B, C"), DAG("A->B, B->C"))
    >>> found.missing, found.shd, found.recall
    ((('B', 'C'),), 1, 0.5)
    """

    learned: PDAG
    truth: PDAG
    missing: tuple[Pair, ...]
    extra: tuple[Pair, ...]
    misoriented: tuple[Pair, ...]
    dags: tuple[DAG, DAG] | None = field(default=None, repr=False)

    @property
    def sid(self) -> int | None:
        """The structural intervention distance; None unless both graphs are DAGs."""
        return None if self.dags is None else intervention_distance(*self.dags)

    @property
    def correct(self) -> int:
        """The number of pairs that are adjacent in both."""
        return len(self.learned.skeleton) - len(self.extra)

    @property
    def precision(self) -> float:
        """The fraction of learned edges that are in the true skeleton; 1 if no edges were learned."""
        return self.correct / len(self.learned.skeleton) if self.learned.skeleton else 1.0

    @property
    def recall(self) -> float:
        """The fraction of the true skeleton that was learned; 1 if it has no edges."""
        return self.correct / len(self.truth.skeleton) if self.truth.skeleton else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def shd(self) -> int:
        """The structural Hamming distance: the number of pairs that differ."""
        return len(self.missing) + len(self.extra) + len(self.misoriented)

    @property
    def styles(self) -> dict[Pair, str]:
        """For drawing the learned graph: missing edges as removed, extra as pruned, misoriented as considered."""
        return {**dict.fromkeys(self.missing, "removed"), **dict.fromkeys(self.extra, "pruned"),
                **dict.fromkeys(self.misoriented, "considered")}

    @property
    def picture(self) -> Picture:
        """The learned graph with its errors marked, beside the true one."""
        from bnteach.show.draw import draw
        from bnteach.show.picture import side_by_side

        return side_by_side(draw(self.learned, styles=self.styles, title="learned"), draw(self.truth, title="truth"))

    def sentences(self) -> list[str]:
        """Each difference in words."""
        return [*(f"{_link(self.truth, *pair)} is missing" for pair in self.missing),
                *(f"{_link(self.learned, *pair)} is extra" for pair in self.extra),
                *(f"{_link(self.learned, *pair)} should be {_link(self.truth, *pair)}" for pair in self.misoriented)]

    def __str__(self) -> str:
        learned, true = len(self.learned.skeleton), len(self.truth.skeleton)
        return (f"skeleton: {self.correct} of {learned} learned edges are correct (precision {self.precision:.2f}), "
                f"{self.correct} of {true} true edges were found (recall {self.recall:.2f}), F1 {self.f1:.2f}\n"
                f"structural Hamming distance {self.shd}" + (": " + "; ".join(self.sentences()) if self.shd else ""))

    def _repr_html_(self) -> str:
        rows = [("edges learned", len(self.learned.skeleton)), ("edges in the truth", len(self.truth.skeleton)),
                ("edges in both", self.correct), ("precision", f"{self.precision:.2f}"),
                ("recall", f"{self.recall:.2f}"), ("F1", f"{self.f1:.2f}"),
                ("structural Hamming distance", self.shd)]
        rows += [("structural intervention distance", self.sid)] if self.dags and len(self.truth.nodes) <= SHOWN else []
        cells = "".join(f"<tr><th scope='row' style='text-align:left'>{name}</th>"
                        f"<td style='text-align:right'>{value}</td></tr>" for name, value in rows)
        differ = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences() or ["nothing differs"])
        return f"<table class='bnteach-comparison'>{cells}</table><ul>{differ}</ul>"


def compare(learned: Any, truth: Any) -> Comparison:
    """Compare the CPDAGs of a learned graph and of the true one.

    Parameters
    ----------
    learned, truth : DAG, PDAG, networkx graph or Result
        Graphs on the same variables. A PDAG is taken to be a CPDAG.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> found = compare(DAG("A->B, B->C"), DAG("A->B, C->B"))
    >>> found.shd, found.sid
    (2, 3)

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), Machine Learning 65.
    """
    one, other = _as_graph(learned), _as_graph(truth)
    a, b = (cpdag(graph) if isinstance(graph, DAG) else graph for graph in (one, other))
    if set(a.nodes) != set(b.nodes):
        only = [n for n in (*a.nodes, *b.nodes) if (n in a) != (n in b)]
        raise ValueError(f"the two graphs have different nodes: {', '.join(only[:8])}{' …' if len(only) > 8 else ''} "
                         f"{'is' if len(only) == 1 else 'are'} in one only. Compare graphs on the same variables.")
    pairs = [(x, y) for i, x in enumerate(b.nodes) for y in b.nodes[i + 1:] if _link(a, x, y) != _link(b, x, y)]
    return Comparison(a, b,
                      missing=tuple(pair for pair in pairs if not a.adjacent(*pair)),
                      extra=tuple(pair for pair in pairs if not b.adjacent(*pair)),
                      misoriented=tuple(pair for pair in pairs if a.adjacent(*pair) and b.adjacent(*pair)),
                      dags=(one, other) if isinstance(one, DAG) and isinstance(other, DAG) else None)


def intervention_distance(learned: DAG, truth: DAG) -> int:
    """The number of ordered pairs x, y for which the learned graph gets the effect of x on y wrong."""
    return sum(not gives_effect(learned.parents(x), x, y, truth) for x, y in permutations(truth.nodes, 2))


def gives_effect(parents: tuple[str, ...], x: str, y: str, truth: DAG) -> bool:
    """Is P(y | do(x)) in the true graph what adjusting for these parents of x gives? Where y is one of them, no effect.

    The parents must contain no descendant of a node on a directed path from x to y, and block every other path.
    """
    if y in parents:
        return y not in truth.descendants(x)
    on_paths = {node for node in truth.descendants(x) if node == y or y in truth.descendants(node)}
    harmful = {below for node in on_paths for below in (node, *truth.descendants(node))}
    other_paths = DAG([(a, b) for a, b in truth.arcs if a != x or b not in on_paths], truth.nodes)
    return harmful.isdisjoint(parents) and d_separated(other_paths, x, y, parents)


def _as_graph(graph: Any) -> DAG | PDAG:
    if hasattr(graph, "adjacency"):  # of networkx
        pdag = PDAG.from_networkx(graph)
        return pdag.to_dag() if pdag.is_directed() else pdag
    found = graph if isinstance(graph, DAG | PDAG) else getattr(graph, "graph", graph)
    if not isinstance(found, DAG | PDAG):
        raise TypeError(f"bn.compare takes two graphs (DAG, PDAG, networkx graph, or a learner's result), not "
                        f"{described(graph)}.")
    return found


def _link(graph: PDAG, a: str, b: str) -> str:
    """The arc or edge between two nodes as text, empty if there is none."""
    if graph.has_edge(a, b):
        return f"{a}-{b}"
    return f"{a}->{b}" if graph.has_arc(a, b) else f"{b}->{a}" if graph.has_arc(b, a) else ""
