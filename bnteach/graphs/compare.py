"""How far is a learned graph from the true one?

Data cannot distinguish the DAGs of one class, so CPDAGs are compared: a DAG is replaced by its CPDAG, a PDAG is taken
as it is. Then the pairs of nodes are compared:

    missing       adjacent in the truth, not in the learned graph
    extra         adjacent in the learned graph, not in the truth
    misoriented   adjacent in both, but reversed, or oriented in one of them only

The structural Hamming distance (SHD) is the number of pairs that differ: missing + extra + misoriented, each counted
once. Precision, recall and F1 are those of the skeleton, without directions.

>>> print(compare(DAG("A->B, B->C, C->D"), DAG("A->B, C->B, C->D")))
skeleton: 3 of 3 learned edges are correct (precision 1.00), 3 of 3 true edges were found (recall 1.00), F1 1.00
structural Hamming distance 2: A-B should be A->B; B-C should be C->B

Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing algorithm, Machine Learning 65: the distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag
from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG

if TYPE_CHECKING:
    from bnteach.show.picture import Picture


@dataclass(frozen=True)
class Comparison:
    """The differences between a learned graph and the true one, as `compare` returns them.

    Parameters
    ----------
    learned, truth : PDAG
    missing, extra, misoriented : tuple of pairs
        The pairs of nodes that differ, in the order of the true graph.

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
        cells = "".join(f"<tr><th scope='row' style='text-align:left'>{name}</th>"
                        f"<td style='text-align:right'>{value}</td></tr>" for name, value in rows)
        differ = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences() or ["nothing differs"])
        return f"<table class='bnteach-comparison'>{cells}</table><ul>{differ}</ul>"


def compare(learned: Any, truth: Any) -> Comparison:
    """Compare the CPDAGs of a learned graph and of the true one.

    Parameters
    ----------
    learned, truth : DAG, PDAG or Result
        Graphs on the same variables. A PDAG is taken to be a CPDAG.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> compare(DAG("A->B, B->C"), DAG("A->B, C->B")).shd
    2

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), Machine Learning 65.
    """
    a, b = _as_cpdag(learned), _as_cpdag(truth)
    if set(a.nodes) != set(b.nodes):
        only = [n for n in (*a.nodes, *b.nodes) if (n in a) != (n in b)]
        raise ValueError(f"the two graphs have different nodes: {', '.join(only[:8])}{' …' if len(only) > 8 else ''} "
                         f"{'is' if len(only) == 1 else 'are'} in one only. Compare graphs on the same variables.")
    pairs = [(x, y) for i, x in enumerate(b.nodes) for y in b.nodes[i + 1:] if _link(a, x, y) != _link(b, x, y)]
    return Comparison(a, b,
                      missing=tuple(pair for pair in pairs if not a.adjacent(*pair)),
                      extra=tuple(pair for pair in pairs if not b.adjacent(*pair)),
                      misoriented=tuple(pair for pair in pairs if a.adjacent(*pair) and b.adjacent(*pair)))


def _as_cpdag(graph: Any) -> PDAG:
    graph = getattr(graph, "graph", graph) if not isinstance(graph, (DAG, PDAG)) else graph
    if not isinstance(graph, (DAG, PDAG)):
        raise TypeError(f"bn.compare takes two graphs (DAG, PDAG, or a learner's result), not "
                        f"{type(graph).__name__}.")
    return cpdag(graph) if isinstance(graph, DAG) else graph


def _link(graph: PDAG, a: str, b: str) -> str:
    """The arc or edge between two nodes as text, empty if there is none."""
    if graph.has_edge(a, b):
        return f"{a}-{b}"
    return f"{a}->{b}" if graph.has_arc(a, b) else f"{b}->{a}" if graph.has_arc(b, a) else ""
