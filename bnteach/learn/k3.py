"""K3: parents for each variable among those before it, one at a time, the best first.

    given an order of the variables; for each variable X in it:
        start with no parents;
        among the variables before X, find the one that raises the score of X's family most;
        if it does raise it, make it a parent and look again; if not, go on to the next variable.

All arcs lead forward in the order, so no circle can close and each variable is a problem of its own. The
greedy step is quick and can go wrong: where two parents help only together (XOR), neither is ever taken.
K3 is K2 (Cooper and Herskovits 1992) with MDL for a score (Bouckaert 1993). Lesson 10.

Ties: gains that differ by less than SAME are equal, and the first in the order of the data's variables counts.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.base import MDL
>>> found = k3(MDL(five_rows()), "ABCD")
>>> found.graph, round(found.score, 4)
(DAG('A->C, B->C, B->D'), -19.7521)
>>> print(found.trace.only(Added))
1. C: add A, gain 0.449
2. C: add B, gain 0.923
3. D: add B, gain 0.449
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass

from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import read_names
from bnteach.scores.base import Score
from bnteach.trace import Drawing, Result, Step, stepwise

SAME = 1e-9  # gains that differ by less are equal, and a gain of less is none


# -- what the algorithm says -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Began(Step):
    """A variable begins without parents."""

    child: str
    candidates: tuple[str, ...]
    score: float

    def __str__(self) -> str:
        among = f"look among {', '.join(self.candidates)}" if self.candidates else "nothing comes before it"
        return f"{self.child}: without parents {self.score:.4f}; {among}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.child)
        for name in self.candidates:
            drawing.style_edge(name, self.child, style="considered")


@dataclass(frozen=True, slots=True)
class Added(Step):
    """The best candidate became a parent. `tried` has the gain of each candidate."""

    child: str
    parent: str
    gain: float
    score: float
    tried: dict[str, float]

    def __str__(self) -> str:
        return f"{self.child}: add {self.parent}, gain {self.gain:.3f}"

    def draw(self, drawing: Drawing) -> None:
        for name in self.tried:
            if name != self.parent:
                drawing.style_edge(name, self.child, style="considered", label=f"{self.tried[name]:+.2f}")
        drawing.add_arc(self.parent, self.child, style="kept", label=f"{self.gain:+.2f}")


@dataclass(frozen=True, slots=True)
class Finished(Step):
    """No candidate helps any more, or there are no more."""

    child: str
    parents: tuple[str, ...]
    score: float
    tried: dict[str, float]

    def __str__(self) -> str:
        chosen = "{" + ", ".join(self.parents) + "}" if self.parents else "no parents"
        if not self.tried:
            return f"{self.child}: {chosen}, {self.score:.4f}"
        best = first_best(self.tried)
        gain = self.tried[best]
        return f"{self.child}: {chosen}, {self.score:.4f} (the next best, {best}, {_verdict(gain)})"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.child, style="kept")
        for name in self.tried:
            drawing.style_edge(name, self.child, style="considered", label=f"{self.tried[name]:+.2f}")


def _verdict(gain: float) -> str:
    return f"would lose {-gain:.3f}" if gain < -SAME else "changes nothing" if gain <= SAME else "is over the limit"


@dataclass(frozen=True, slots=True)
class Ordered(Step):
    """The variables, in the order given."""

    order: tuple[str, ...]

    def __str__(self) -> str:
        return f"the order is {', '.join(self.order)}: each variable looks for parents before it"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.order)


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def k3(score: Score, order: str | Iterable[str], max_parents: int | None = None) -> Generator[Step, None, Result[DAG]]:
    """Greedy parents for each variable among those before it. Lesson 10."""
    order = read_order(order, score)
    yield Ordered(order)
    families = {}
    for i, child in enumerate(order):
        families[child] = yield from greedy_parents(score, child, order[:i], max_parents)
    graph = graph_of(families, score)
    return Result(graph, score=score(graph))


def greedy_parents(score: Score, child: str, before: Iterable[str],
                   max_parents: int | None = None) -> Generator[Step, None, tuple[str, ...]]:
    """The parents of one variable: add the best candidate as long as it raises the score."""
    before = set(before)
    candidates = [name for name in score.variables if name in before]
    parents, now = [], score.family(child)
    yield Began(child, tuple(candidates), now)
    while True:
        tried = {name: score.family(child, [*parents, name]) - now for name in candidates if name not in parents}
        best = first_best(tried)
        if best is None or tried[best] <= SAME or len(parents) == max_parents:
            break
        parents.append(best)
        now += tried[best]
        yield Added(child, best, tried[best], now, tried)
    yield Finished(child, tuple(parents), now, tried)
    return tuple(parents)


# -- ties, orders, graphs ----------------------------------------------------------------------------------
def first_best(gains: Mapping[str, float]) -> str | None:
    """The first name whose gain is the greatest, but for rounding; None if there is no name."""
    top = max(gains.values(), default=0.0)
    return next((name for name, gain in gains.items() if gain >= top - SAME), None)


def read_order(order: str | Iterable[str], score: Score) -> tuple[str, ...]:
    """An order of all variables, each once, or an error that says what is wrong with it."""
    names = score.data.names(read_names(getattr(order, "order", order)))
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise ValueError(f"{twice[0]} comes twice in the order {', '.join(names)}; name each variable once.")
    if missing := [name for name in score.variables if name not in names]:
        raise ValueError(f"the order {', '.join(names)} leaves out {', '.join(missing)}; name every variable once.")
    return names


def graph_of(families: Mapping[str, Iterable[str]], score: Score) -> DAG:
    """The DAG in which each child has these parents."""
    return DAG([(parent, child) for child, parents in families.items() for parent in parents], score.variables)
