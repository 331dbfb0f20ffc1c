"""How far is a learned graph from the true one?

DAGs of one class cannot be told apart by data, so both graphs are taken as essential graphs first: a DAG is
turned into its CPDAG, a PDAG is taken as it is. Then each pair of nodes is looked at:

    missing     joined in the truth, not in what was learned
    extra       joined in what was learned, not in the truth
    turned      joined in both, but by different lines: an arrow the other way, or an arrow and an edge

The structural Hamming distance (SHD) is the number of pairs that differ: missing + extra + turned, each
counted once. Precision, recall and F1 are those of the skeleton, in which direction does not count.

>>> print(compare(DAG("A->B, B->C, C->D"), DAG("A->B, C->B, C->D")))
skeleton: 3 of 3 learned lines are right (precision 1.00), 3 of 3 true lines were found (recall 1.00), F1 1.00
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
    """What differs between a learned graph and the true one, both as PDAGs. Pairs come in the truth's order."""

    learned: PDAG
    truth: PDAG
    missing: tuple[Pair, ...]
    extra: tuple[Pair, ...]
    turned: tuple[Pair, ...]

    @property
    def right(self) -> int:
        """The number of pairs that are joined in both."""
        return len(self.learned.skeleton) - len(self.extra)

    @property
    def precision(self) -> float:
        """The part of the learned lines that are in the true skeleton; 1 if nothing was learned."""
        return self.right / len(self.learned.skeleton) if self.learned.skeleton else 1.0

    @property
    def recall(self) -> float:
        """The part of the true skeleton that was learned; 1 if there was nothing to learn."""
        return self.right / len(self.truth.skeleton) if self.truth.skeleton else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if no line is right where there should be one."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def shd(self) -> int:
        """The structural Hamming distance: pairs of nodes with different lines."""
        return len(self.missing) + len(self.extra) + len(self.turned)

    @property
    def styles(self) -> dict[Pair, str]:
        """For drawing the learned graph: missing lines as removed, extra ones as pruned, turned as considered."""
        return {**dict.fromkeys(self.missing, "removed"), **dict.fromkeys(self.extra, "pruned"),
                **dict.fromkeys(self.turned, "considered")}

    @property
    def picture(self) -> Picture:
        """The learned graph with its errors marked, beside the true one."""
        from bnteach.show.draw import draw
        from bnteach.show.picture import side_by_side

        return side_by_side(draw(self.learned, styles=self.styles, title="learned"), draw(self.truth, title="truth"))

    def sentences(self) -> list[str]:
        """Each difference in words."""
        return [*(f"{_line(self.truth, *pair)} is missing" for pair in self.missing),
                *(f"{_line(self.learned, *pair)} is extra" for pair in self.extra),
                *(f"{_line(self.learned, *pair)} should be {_line(self.truth, *pair)}" for pair in self.turned)]

    def __str__(self) -> str:
        learned, true = len(self.learned.skeleton), len(self.truth.skeleton)
        return (f"skeleton: {self.right} of {learned} learned lines are right (precision {self.precision:.2f}), "
                f"{self.right} of {true} true lines were found (recall {self.recall:.2f}), F1 {self.f1:.2f}\n"
                f"structural Hamming distance {self.shd}" + (": " + "; ".join(self.sentences()) if self.shd else ""))

    def _repr_html_(self) -> str:
        rows = [("lines learned", len(self.learned.skeleton)), ("lines in the truth", len(self.truth.skeleton)),
                ("lines in both", self.right), ("precision", f"{self.precision:.2f}"),
                ("recall", f"{self.recall:.2f}"), ("F1", f"{self.f1:.2f}"),
                ("structural Hamming distance", self.shd)]
        cells = "".join(f"<tr><th scope='row' style='text-align:left'>{name}</th>"
                        f"<td style='text-align:right'>{value}</td></tr>" for name, value in rows)
        differ = "".join(f"<li>{escape(told)}</li>" for told in self.sentences() or ["nothing differs"])
        return f"<table class='bnteach-comparison'>{cells}</table><ul>{differ}</ul>"


def compare(learned: Any, truth: Any) -> Comparison:
    """Compare a learned graph (or a learner's Result) with the true one; see the head of this file."""
    a, b = _essential(learned), _essential(truth)
    if set(a.nodes) != set(b.nodes):
        only = [n for n in (*a.nodes, *b.nodes) if (n in a) != (n in b)]
        raise ValueError(f"the two graphs have different nodes: {', '.join(only[:8])}{' …' if len(only) > 8 else ''} "
                         f"{'is' if len(only) == 1 else 'are'} in one only. Compare graphs on the same variables.")
    pairs = [(x, y) for i, x in enumerate(b.nodes) for y in b.nodes[i + 1:] if _line(a, x, y) != _line(b, x, y)]
    return Comparison(a, b,
                      missing=tuple(pair for pair in pairs if not a.adjacent(*pair)),
                      extra=tuple(pair for pair in pairs if not b.adjacent(*pair)),
                      turned=tuple(pair for pair in pairs if a.adjacent(*pair) and b.adjacent(*pair)))


def _essential(graph: Any) -> PDAG:
    graph = getattr(graph, "graph", graph) if not isinstance(graph, (DAG, PDAG)) else graph
    if not isinstance(graph, (DAG, PDAG)):
        raise TypeError(f"bn.compare takes two graphs (DAG, PDAG, or a learner's result), not "
                        f"{type(graph).__name__}.")
    return cpdag(graph) if isinstance(graph, DAG) else graph


def _line(graph: PDAG, a: str, b: str) -> str:
    """The line between two nodes as text, empty if there is none."""
    if graph.has_edge(a, b):
        return f"{a}-{b}"
    return f"{a}->{b}" if graph.has_arc(a, b) else f"{b}->{a}" if graph.has_arc(b, a) else ""
