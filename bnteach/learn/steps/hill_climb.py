"""What hill climbing reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.learn.search.asking import best_gain, families_of_moves, leading
from bnteach.learn.search.ties import TOLERANCE
from bnteach.questions import Moment, Question
from bnteach.steps import Step, signed

if TYPE_CHECKING:
    import pandas as pd


class Move(NamedTuple):
    """Add, remove or reverse an arc, and what that adds to the score."""

    change: str
    parent: str
    child: str
    gain: float


@dataclass(frozen=True, slots=True)
class Started(Step):
    """A run starts from a graph."""

    run: int
    graph: DAG
    description: str
    score: float

    def __str__(self) -> str:
        again = f"run {self.run}: " if self.run > 1 else ""
        return f"{again}start from {self.description}: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="plain")


@dataclass(frozen=True, slots=True)
class Considered(Step):
    """All legal moves, the best first."""

    moves: tuple[Move, ...] = field(repr=False)

    def __str__(self) -> str:
        first = ", ".join(f"{change} {a}->{b} {signed(gain)}" for change, a, b, gain in self.moves[:3])
        return f"evaluate {len(self.moves)} neighbours: {first}{' …' if len(self.moves) > 3 else ''}"

    def table(self) -> pd.DataFrame:
        """The moves as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.moves, columns=list(Move._fields))

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        mine = [f"{change} {x}->{y} {signed(gain)}" for change, x, y, gain in self.moves if {x, y} == {a, b}]
        return f"evaluated: {', '.join(mine)}; the best move gains {signed(self.moves[0][-1])}" if mine else ""


@dataclass(frozen=True, slots=True)
class Moved(Step):
    """An arc was added, removed or reversed."""

    change: str
    parent: str
    child: str
    gain: float
    score: float
    tied: int = 0  # how many other moves gain as much

    def __str__(self) -> str:
        gain = f"gain {self.gain:.3f}" if self.gain > TOLERANCE else f"no move raises the score, {_effect(self.gain)}"
        return f"{self.change} {self.parent}->{self.child}: {gain}, score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        if self.change == "add":
            drawing.add_arc(self.parent, self.child, style="kept", label=f"{self.gain:+.2f}")
        elif self.change == "reverse":
            drawing.add_arc(self.child, self.parent, label=f"{self.gain:+.2f}")
        else:
            drawing.remove_edge(self.parent, self.child)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        others = "another move gains" if self.tied == 1 else f"{self.tied} other moves gain"
        tie = f"; {others} as much, and the order of the variables decides" if self.tied else ""
        return f"{self}{tie}" if drawing.touches(a, b) else ""

    def question(self, before: Moment) -> Question | None:
        return _which_move(f"{self.change} {self.parent}->{self.child}", before)


@dataclass(frozen=True, slots=True)
class Stopped(Step):
    """A run ends. `idle` is the number of moves since the best graph, to which tabu search returns."""

    score: float
    best: Move | None
    idle: int
    graph: DAG
    rejected: tuple[Move, ...] = field(default=(), repr=False)  # the best move of each pair, if they are not many

    def __str__(self) -> str:
        if self.idle:
            last = "the last move" if self.idle == 1 else f"the last {self.idle} moves"
            return f"{last} found no better graph: stop and return to the best, {self.score:.4f}"
        if self.best is None:
            return f"no move is legal: stop at {self.score:.4f}"
        change, a, b, gain = self.best
        best = f"the best, {change} {a}->{b}, {_effect(gain)}"
        return f"no move raises the score ({best}): local optimum {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        if self.idle:
            drawing.redraw(self.graph, style="kept")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        left = next((move for move in self.rejected if {a, b} == {move[1], move[2]}), None)
        if self.idle or left is None:
            return str(self) if drawing.touches(a, b) else ""
        change, x, y, gain = left
        return f"at the local optimum the best move of this pair, {change} {x}->{y}, {_effect(gain)}"

    def question(self, before: Moment) -> Question | None:
        return None if self.idle else _which_move("stop", before)


@dataclass(frozen=True, slots=True)
class Chose(Step):
    """The best of several runs."""

    run: int
    final_scores: tuple[float, ...]
    graph: DAG

    def __str__(self) -> str:
        return f"the best of {len(self.final_scores)} runs is run {self.run}: {self.final_scores[self.run - 1]:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="kept")


def _which_move(choice: str, before: Moment) -> Question | None:
    """Which move raises the score most? Only where the moves were reported (`considered=True`)."""
    if not (before.steps and isinstance(last := before.steps[-1], Considered)):
        return None
    moves = leading(last.moves)
    facts = families_of_moves(before.given["score"], before.drawing.arcs(), moves)
    gains = {f"{move.change} {move.parent}->{move.child}": move.gain for move in sorted(moves)}
    if choice != "stop" and not gains.get(choice, 0.0) > TOLERANCE:  # tabu search goes on where no move is better
        return None
    return best_gain("Which move raises the score most?", gains, choice, "stop", facts, reveals=1)


def _effect(gain: float) -> str:
    return f"loses {-gain:.3f}" if gain < -TOLERANCE else "changes nothing"
