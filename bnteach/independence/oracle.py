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

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from bnteach.errors import UnknownVariable, checks
from bnteach.graphs.notation import listed, read_names

Names = str | Iterable[str]
Query = tuple[str, str, tuple[str, ...]]  # x, y, and what is given
PairOfSets = tuple[str, str, Iterable[tuple[str, ...]]]  # x, y, and conditioning sets in their order


class Verdict(NamedTuple):
    """An oracle's answer and its reason. It is true if it says "independent".

    Attributes
    ----------
    independent : bool
    statistic, dof, p_value : float or None
        Of the test; None where the oracle makes none.
    reason : str
    tested : bool
        False if there were too few rows for a test (`rows_per_cell`).

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
    tested: bool = True

    def __bool__(self) -> bool:
        return self.independent

    def __str__(self) -> str:
        return self.reason


Answers = list[tuple[tuple[str, ...], Verdict]]  # conditioning sets with the verdicts given them


class Oracle:
    """What all oracles share: their variables, and how a query is read. A new oracle defines `answer`.

    `pairs_at_once`, `tests_at_once` and `together` say how far it looks ahead in `until_independent`; by default not
    at all.
    """

    pairs_at_once = tests_at_once = together = 1

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

    def answer_all(self, queries: Sequence[Query]) -> list[Verdict]:
        """The verdicts on many queries (x, y, given). Oracles on data test them together, and leave out the reasons."""
        return [self(*query) for query in queries]

    def until_independent(self, pairs: Iterable[PairOfSets]) -> Iterator[Answers]:
        """For each (x, y, sets): the verdicts given one set after the other, up to the first that says "independent".

        Oracles on data test several sets of several pairs together.
        """
        return side_by_side(self.answer_all, pairs, self.pairs_at_once, self.tests_at_once, self.together)

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


def _set(names: Iterable[Any]) -> set[str]:
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


def as_oracle(oracle: Any) -> Oracle:
    """The oracle; a plain function with `variables` as one."""
    return oracle if isinstance(oracle, Oracle) else _Function(oracle)


class _Function(Oracle):
    """A plain function as an oracle."""

    def __init__(self, function: Any):
        super().__init__(function.variables)
        self.function = function

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        verdict = self.function(x, y, given)
        return verdict if isinstance(verdict, Verdict) else Verdict(bool(verdict))


def side_by_side(verdicts: Callable[[list[Query]], list[Verdict]], pairs: Iterable[PairOfSets], pairs_at_once: int,
                 tests_at_once: int, together: int) -> Iterator[Answers]:
    """Search several pairs at once for the first set that separates them: see `Oracle.until_independent`.

    First a test or a few of each pair, then four times as many of those that are still dependent, and so on: tests are
    quickest in batches, and stopping early wastes little. With more than `together` tests of each, a pair is a batch.
    """
    pairs = iter(pairs)
    while some := list(islice(pairs, pairs_at_once)):
        found: list[Answers] = [[] for _ in some]
        left = [(answers, x, y, iter(sets)) for answers, (x, y, sets) in zip(found, some)]
        size = min(max(1, 8 // len(some)), tests_at_once)
        while left and size <= together:
            left, size = _still_dependent(verdicts, left, size), min(4 * size, tests_at_once)
        for pair in left:
            alone, more = [pair], size
            while alone:
                alone, more = _still_dependent(verdicts, alone, more), min(4 * more, tests_at_once)
        yield from found


Search = tuple[Answers, str, str, Iterator[tuple[str, ...]]]  # what is known of x and y, and the sets to be tested


def _still_dependent(verdicts: Callable[[list[Query]], list[Verdict]], pairs: list[Search], size: int) -> list[Search]:
    """Test so many sets of each pair; the pairs that none of them separates, as long as there are sets."""
    asked = [(answers, (x, y, given)) for answers, x, y, sets in pairs for given in islice(sets, size)]
    if not asked:
        return []
    for (answers, query), verdict in zip(asked, verdicts([query for _, query in asked])):
        if not answers or not answers[-1][1].independent:
            answers.append((query[2], verdict))
    return [pair for pair in pairs if pair[0] and not pair[0][-1][1].independent]
