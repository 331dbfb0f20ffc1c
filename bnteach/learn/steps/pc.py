"""What the PC algorithm says as it goes: its steps, in the order in which they can come. See pc.py."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from bnteach.graphs.notation import Pair
from bnteach.trace import Drawing, Step

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Began(Step):
    """The complete graph."""

    variables: Names

    def __str__(self) -> str:
        n = len(self.variables)
        return f"Start with the complete graph over {listed(self.variables)}: {counted(n * (n - 1) // 2, 'edge')}."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)
        for a, b in combinations(self.variables, 2):
            drawing.add_edge(a, b)


@dataclass(frozen=True, slots=True)
class Kept(Step):
    """An edge that background knowledge keeps."""

    x: str
    y: str
    because: str

    def __str__(self) -> str:
        return f"{self.because}: {self.x}-{self.y} stays, whatever the oracle would say."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_edge(self.x, self.y, "kept")


@dataclass(frozen=True, slots=True)
class Level(Step):
    """A new size of conditioning sets."""

    size: int
    edges: int

    def __str__(self) -> str:
        what = {0: "ask with nothing given", 1: "ask with one variable given"}
        given = what.get(self.size, f"ask with {self.size} variables given")
        return f"Level {self.size}: {given}, for each of the {counted(self.edges, 'edge')} left."


@dataclass(frozen=True, slots=True)
class Asked(Step):
    """One question to the oracle, and its answer."""

    x: str
    y: str
    given: Names
    independent: bool
    p_value: float | None = None

    def __str__(self) -> str:
        given = f" given {', '.join(self.given)}" if self.given else ""
        p = "" if self.p_value is None else f" (p = {self.p_value:.3g})"
        return f"{self.x} and {self.y}{given}: {'independent' if self.independent else 'dependent'}{p}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_edge(self.x, self.y)
        drawing.style_nodes(*self.given)


@dataclass(frozen=True, slots=True)
class Removed(Step):
    """An edge goes; what separated its ends is kept as their witness. None if knowledge alone removed it."""

    x: str
    y: str
    witness: Names | None

    def __str__(self) -> str:
        if self.witness is None:
            return f"Remove {self.x}-{self.y}: it is forbidden either way. No witness was found."
        return f"Remove {self.x}-{self.y} and note the witness {witness(self.x, self.y, self.witness)}."

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(self.x, self.y)
        drawing.style_nodes(*self.witness or ())


@dataclass(frozen=True, slots=True)
class Skeleton(Step):
    """What is left when no larger set can be asked about."""

    edges: tuple[Pair, ...]
    stopped: int | None = None

    def __str__(self) -> str:
        why = "No edge has neighbours enough for larger sets" if self.stopped is None else \
            f"Sets of more than {self.stopped} are not asked about"
        return f"{why}. The skeleton: {listed(f'{a}-{b}' for a, b in self.edges) or 'no edges'}."


@dataclass(frozen=True, slots=True)
class OrientedByKnowledge(Step):
    """An arrow that background knowledge decides."""

    arc: Pair
    because: str

    def __str__(self) -> str:
        return f"{self.because}, so {self.arc[0]} → {self.arc[1]}."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_arc(*self.arc)


@dataclass(frozen=True, slots=True)
class NoVStructure(Step):
    """Every common neighbour of two separated nodes is in their witness (or there is no witness)."""

    x: str
    y: str
    witness: Names | None

    def __str__(self) -> str:
        if self.witness is None:
            return f"{self.x} and {self.y} have no witness: it cannot be said where arrows meet between them."
        return (f"{witness(self.x, self.y, self.witness)}: no common neighbour of {self.x} and {self.y} "
                f"lies outside it.")

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.x, self.y)


@dataclass(frozen=True, slots=True)
class VStructure(Step):
    """A common neighbour outside the witness: arrows meet in it."""

    x: str
    z: str
    y: str
    witness: Names

    def __str__(self) -> str:
        return (f"{witness(self.x, self.y, self.witness)}: {self.z} is a common neighbour outside it, "
                f"so {self.x} → {self.z} ← {self.y}.")

    def draw(self, drawing: Drawing) -> None:
        drawing.add_arc(self.x, self.z)
        drawing.add_arc(self.y, self.z)


@dataclass(frozen=True, slots=True)
class Conflict(Step):
    """What was found asks for arrows that cannot all be there; what is done about it."""

    found: str
    against: str
    so: str
    turned: tuple[Pair, ...] = ()

    def __str__(self) -> str:
        return f"Conflict: {self.found}, but {self.against}. The answers contradict each other; {self.so}."

    def draw(self, drawing: Drawing) -> None:
        for arc in self.turned:
            drawing.add_arc(*arc)


@dataclass(frozen=True, slots=True)
class Ended(Step):
    """No rule applies any more."""

    edges: tuple[Pair, ...]

    def __str__(self) -> str:
        if not self.edges:
            return "Nothing is left undirected."
        stay = "stays" if len(self.edges) == 1 else "stay"
        *first, last = listed(f"{a}-{b}" for a, b in self.edges).rsplit(", ", 1)
        return f"No rule applies any more: {' and '.join([*first, last])} {stay} undirected."


def witness(x: str, y: str, given: Names) -> str:
    """S_BC = {A}; with longer names, S(rain, wet) = {sun}."""
    pair = f"S_{x}{y}" if len(x) == len(y) == 1 else f"S({x}, {y})"
    return f"{pair} = {{{', '.join(given)}}}"


def listed(names: Iterable[str]) -> str:
    """The first dozen, and how many there are if more."""
    names = list(names)
    return ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:12])}, … ({len(names)} in all)"


def counted(number: int, what: str) -> str:
    """'1 edge', '6 edges'."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
