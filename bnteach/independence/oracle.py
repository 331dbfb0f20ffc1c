"""Independence oracles: are x and y independent given z?

A constraint-based learner does not see the data. It queries an oracle, and any oracle will do:

    Statements("B _||_ C | A")    a list of statements
    DSeparation(dag)              d-separation in a DAG: an oracle without errors
    ChiSquare(table)  GSquare(table)  FisherZ(measurements)      tests on data
    FaultyOracle(oracle, query)   gives the wrong answer to chosen queries
    CachedOracle(oracle)          remembers every query and its answer

All are called in the same way and answer with a `Verdict`, which is true if it says "independent".
Independence is symmetric, so every oracle here answers (y, x) as it answers (x, y). Pearl (1988), chapter 3,
has the other properties of independence. Lessons 2 to 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bnteach.errors import UnknownVariable, checks
from bnteach.graphs.notation import listed, read_names

Names = str | Iterable[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """An oracle's answer and its reason. It is true if it says "independent".

    Attributes
    ----------
    independent : bool
    statistic, dof, p_value : float or None
        Of the test; None where the oracle makes none.
    reason : str

    Examples
    --------
    >>> bool(Verdict(True)), str(Verdict(False, reason="p < 0.05"))
    (True, 'p < 0.05')
    """

    independent: bool
    statistic: float | None = None
    dof: int | None = None
    p_value: float | None = None
    reason: str = ""

    def __bool__(self) -> bool:
        return self.independent

    def __str__(self) -> str:
        return self.reason


class Oracle:
    """What all oracles share: their variables, and how a query is read. A new oracle defines `answer`."""

    def __init__(self, variables: Iterable[str]):
        self.variables = tuple(variables)
        self._known = frozenset(self.variables)

    def __call__(self, x: str, y: str, given: Names = ()) -> Verdict:
        """Are x and y independent given these variables? `given` is a name, text such as "A, B", or a list."""
        if type(given) is not tuple:
            given = self.names(given)
        named = _set((x, y, *given))
        if len(named) < len(given) + 2 or not self._known >= named:
            self._reject(x, y, given)
        return self.answer(x, y, given)

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        """The verdict on a query that has been checked."""
        raise NotImplementedError

    def answers(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Verdict]]:
        """The verdicts on x and y for one conditioning set after the other, each with its set.

        Oracles that test data count for many sets at once, which is faster, and leave out the reasons.
        """
        return ((given, self(x, y, given)) for given in sets)

    def names(self, names: Names) -> tuple[str, ...]:
        """One name, text such as "A, B" or "AB", or several names, in the order of the variables."""
        if isinstance(names, str):
            letters = read_names(names)
            names = letters if names not in self._known and self._known.issuperset(letters) else [names]
        wanted = _set(listed(names))
        if unknown := sorted(map(str, wanted - self._known)):
            raise UnknownVariable(unknown[0], self.variables, "the oracle")
        return tuple(name for name in self.variables if name in wanted)

    def _reject(self, x: str, y: str, given: tuple[str, ...]) -> None:
        for name in (x, y, *given):
            if name not in self._known:
                raise UnknownVariable(name, self.variables, "the oracle")
        if x == y:
            raise ValueError(f"{x} is named twice; independence relates two different variables.")
        if x in given or y in given:
            name = x if x in given else y
            raise ValueError(f"{name} is both tested and given; condition on other variables.")
        raise ValueError(f"a variable is given twice in {given}; name each once.")


def _set(names: Iterable) -> set[str]:
    try:
        return set(names)
    except TypeError:
        raise TypeError(f"an oracle takes the names of two variables and of those to condition on, as in "
                        f"oracle('A', 'B', given=['C']); {', '.join(map(repr, names))} are not names.") from None


def describe_query(x: str, y: str, given: Iterable[str] = ()) -> str:
    """A query in words: "B and C given A"."""
    given = ", ".join(given)
    return f"{x} and {y} given {given}" if given else f"{x} and {y}"


@checks(Oracle)
def check_oracle(oracle: Any, learner: str) -> None:
    """Raise TypeError unless this is an oracle."""
    if not (callable(oracle) and hasattr(oracle, "variables")) or hasattr(oracle, "family"):  # which a score has
        what = type(oracle).__name__
        wrap = {"DAG": "DSeparation(dag)", "Measurements": "FisherZ(measurements)", "str": "Statements(...)"}
        raise TypeError(f"{learner} takes an independence oracle, not a {what}. "
                        f"Make one: bn.{learner}(bn.{wrap.get(what, 'ChiSquare(table)')}).")


def answers(oracle: Any, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """`oracle.answers`, also for an oracle that is a plain function."""
    return oracle.answers(x, y, sets) if isinstance(oracle, Oracle) else ((z, oracle(x, y, z)) for z in sets)
