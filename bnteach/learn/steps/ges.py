"""What greedy equivalence search reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bnteach.drawing import Drawing
from bnteach.graphs.pdag import PDAG
from bnteach.learn.search.asking import best_gain, family, leading
from bnteach.learn.search.classes import ClassMove
from bnteach.questions import Moment, Question
from bnteach.scores.base import Score
from bnteach.trace import Step

if TYPE_CHECKING:
    import pandas as pd

PHASES = {"insert": "forward phase", "delete": "backward phase", "turn": "turning phase"}


@dataclass(frozen=True, slots=True)
class Started(Step):
    """The search starts from a class."""

    graph: PDAG
    description: str
    score: float

    def __str__(self) -> str:
        return f"start from {self.description}: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="plain")


@dataclass(frozen=True, slots=True)
class Considered(Step):
    """The moves of one phase that raise the score, the best first; each leads to another class."""

    change: str
    moves: tuple[ClassMove, ...] = field(repr=False)

    def __str__(self) -> str:
        first = ", ".join(f"{described(move)} {move.gain:+.3f}" for move in self.moves[:3])
        return f"{PHASES[self.change]}, better classes: {first or 'none'}{' …' if len(self.moves) > 3 else ''}"

    def table(self) -> pd.DataFrame:
        """The moves as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.moves, columns=list(ClassMove._fields))

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        mine = [f"{described(move)} {move.gain:+.3f}" for move in self.moves if {move.x, move.y} == {a, b}]
        return f"evaluated: {', '.join(mine)}" if mine else ""


@dataclass(frozen=True, slots=True)
class Moved(Step):
    """An edge was inserted, deleted or turned; `graph` is the CPDAG of the new class."""

    change: str
    x: str
    y: str
    clique: tuple[str, ...]
    gain: float
    score: float
    graph: PDAG

    def __str__(self) -> str:
        move = ClassMove(self.change, self.x, self.y, self.clique, self.gain)
        return f"{described(move)}: gain {self.gain:.3f}, score {self.score:.4f}; now {self.graph}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="plain")
        if self.change == "delete":
            drawing.touched.add(frozenset((self.x, self.y)))
        else:
            drawing.style_edge(self.x, self.y, label=f"{self.gain:+.2f}")

    def question(self, before: Moment) -> Question | None:
        move = ClassMove(self.change, self.x, self.y, self.clique, self.gain)
        return _which_move(self.change, described(move), before)


@dataclass(frozen=True, slots=True)
class Ended(Step):
    """A phase ends: no valid move of its kind raises the score."""

    change: str
    score: float

    def __str__(self) -> str:
        return f"the {PHASES[self.change]} ends: no {self.change} raises the score {self.score:.4f}"

    def question(self, before: Moment) -> Question | None:
        return _which_move(self.change, "none", before)


def described(move: ClassMove) -> str:
    """A move in words: insert A -> C with B -> C.

    >>> described(ClassMove("insert", "A", "C", ("B",), 0.5)), described(ClassMove("turn", "A", "C", (), 0.5))
    ('insert A->C with B->C', 'turn C->A')
    """
    change, x, y, clique, _ = move
    arc = f"{y}->{x}" if change == "turn" else f"{x}->{y}"
    return f"{change} {arc}" + (f" with {', '.join(f'{c}->{y}' for c in clique)}" if clique else "")


def _which_move(change: str, choice: str, before: Moment) -> Question | None:
    """Which move raises the score most? Only where the moves were reported (`considered=True`)."""
    last = before.steps[-1] if before.steps else None
    if not isinstance(last, Considered) or not last.moves:
        return None
    gains = {described(move): move.gain for move in sorted(leading(last.moves))}
    facts = families(before.given["score"], before.last(Started, Moved).graph, leading(last.moves))
    return best_gain(f"Which {change} raises the score most?", gains, choice, "none", facts, reveals=1)


def families(score: Score, graph: PDAG, moves: Iterable[ClassMove]) -> list[str]:
    """The scores of the families of y with x and without it, for each Insert or Delete."""
    found = dict.fromkeys((y, tuple(n for n in score.variables if n in parents))
                          for change, x, y, clique, _ in moves if change != "turn"
                          for rest in [{*graph.parents(y), *clique} - {x}] for parents in (rest, rest | {x}))
    return [family(y, parents, score.family(y, parents)) for y, parents in sorted(found)]
