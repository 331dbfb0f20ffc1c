"""Independence oracles: "are x and y independent given z?"

A constraint-based learner sees nothing of the data. It asks an oracle, and any oracle will do:

    Statements("B _||_ C | A")    what somebody has written down
    DSeparation(dag)              what a graph says: an oracle that never errs
    ChiSquare(table)  GSquare(table)  FisherZ(measurements)      what data say (statistics.py, fisher.py)
    FaultyOracle(oracle, question)       an oracle that gives the wrong answer to chosen questions
    CachedOracle(oracle)              an oracle that remembers what it was asked

All are called in the same way and answer with a `Verdict`, which counts as true if it says "independent".

>>> oracle = Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD")
>>> bool(oracle("C", "B", given="A")), bool(oracle("B", "C"))
(True, False)
>>> print(oracle("B", "C"))
nothing is said of B and C, so they count as dependent

Independence is symmetric, so every oracle here answers (y, x) as it answers (x, y). Pearl (1988), chapter 3,
has the other laws of independence; two of them are used by Statements for statements about sets. Lessons 2 to 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from bnteach.errors import UnknownVariable, checks
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import listed, read_names
from bnteach.graphs.separation import connected
from bnteach.independence.statements import Statement, read_statement

if TYPE_CHECKING:
    import pandas as pd

Names = str | Iterable[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """An oracle's answer, and why. It is true if it says "independent".

    Statistic, degrees of freedom and p-value are None where the oracle did no test.
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
    """What all oracles share: their variables, and reading the question. A new one defines `answer`."""

    def __init__(self, variables: Iterable[str]):
        self.variables = tuple(variables)
        self._known = frozenset(self.variables)

    def __call__(self, x: str, y: str, given: Names = ()) -> Verdict:
        """Are x and y independent given these variables? `given` is a name, several as text, or a list."""
        if type(given) is not tuple:
            given = self.names(given)
        named = _set((x, y, *given))
        if len(named) < len(given) + 2 or not self._known >= named:
            self._complain(x, y, given)
        return self.answer(x, y, given)

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        """The verdict on a question that makes sense."""
        raise NotImplementedError

    def answers(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Verdict]]:
        """The verdicts on x and y for one given set after the other, each with its set.

        Oracles that ask data do many at once, which is quicker, and hand them out one by one, without reasons.
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

    def _complain(self, x: str, y: str, given: tuple[str, ...]) -> None:
        for name in (x, y, *given):
            if name not in self._known:
                raise UnknownVariable(name, self.variables, "the oracle")
        if x == y:
            raise ValueError(f"{x} was asked about twice; independence is a question about two different variables.")
        if x in given or y in given:
            name = x if x in given else y
            raise ValueError(f"{name} is both asked about and given; what is given must be other variables.")
        raise ValueError(f"a variable is given twice in {given}; name each once.")


def _set(names: Iterable) -> set[str]:
    try:
        return set(names)
    except TypeError:
        raise TypeError(f"an oracle is asked about one variable and another, by name, given some names; "
                        f"{', '.join(map(repr, names))} are not two names and a list of others.") from None


def ask(x: str, y: str, given: Iterable[str] = ()) -> str:
    """A question in words: "B and C given A"."""
    given = ", ".join(given)
    return f"{x} and {y} given {given}" if given else f"{x} and {y}"


@checks(Oracle)
def check_oracle(oracle: Any, learner: str) -> None:
    """An error that helps if something else than an oracle was given to a learner."""
    if not (callable(oracle) and hasattr(oracle, "variables")) or hasattr(oracle, "family"):  # which a score has
        what = type(oracle).__name__
        wrap = {"DAG": "DSeparation(dag)", "Measurements": "FisherZ(measurements)", "str": "Statements(...)"}
        raise TypeError(f"{learner} asks an independence oracle, and a {what} is none. "
                        f"Make one of it: bn.{learner}(bn.{wrap.get(what, 'ChiSquare(table)')}).")


def answers(oracle: Any, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """`oracle.answers`, also for an oracle that is a plain function."""
    return oracle.answers(x, y, sets) if isinstance(oracle, Oracle) else ((z, oracle(x, y, z)) for z in sets)


class Statements(Oracle):
    """An oracle that knows what it was told: "B _||_ C | A", "A ⊥ D | B, C", "E not indep F".

    `otherwise` says what it answers when asked something else: "dependent", "independent", or "error".
    A statement about sets, "A _||_ B, C | D", tells also what follows from it by decomposition and weak
    union: A _||_ B | D and A _||_ B | C, D. What several statements entail together is not worked out.
    """

    RULES = ("dependent", "independent", "error")

    def __init__(self, *statements: str, variables: Names | None = None, otherwise: str = "dependent"):
        if otherwise not in self.RULES:
            raise ValueError(f"otherwise={otherwise!r} is not known here; use one of {', '.join(self.RULES)}.")
        known = None if variables is None else read_names(variables)
        told = [read_statement(text, known) for text in statements]
        super().__init__(known or dict.fromkeys(name for statement in told for name in statement.names))
        self.statements, self.otherwise = tuple(map(str, told)), otherwise
        self._told: dict[tuple[frozenset, frozenset], Statement] = {}
        for statement in told:
            self._learn(statement)

    def _learn(self, statement: Statement) -> None:
        for x, y in product(statement.x, statement.y):
            others = [name for name in (*statement.x, *statement.y) if name not in (x, y)]
            for size in range(len(others) + 1):
                for more in combinations(others, size):
                    key = frozenset((x, y)), frozenset((*statement.given, *more))
                    before = self._told.setdefault(key, statement)
                    if before.independent != statement.independent:
                        raise ValueError(f"{str(before)!r} and {str(statement)!r} contradict each other on "
                                         f"{ask(x, y, [v for v in self.variables if v in key[1]])}: keep one of them.")

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        if statement := self._told.get((frozenset((x, y)), frozenset(given))):
            return Verdict(statement.independent, reason=f"it is said that {statement}")
        if self.otherwise == "error":
            raise ValueError(f"nothing is said of {ask(x, y, given)}. Add a statement, or choose what such "
                             f"questions are answered: otherwise='dependent' or otherwise='independent'.")
        reason = f"nothing is said of {ask(x, y, given)}, so they count as {self.otherwise}"
        return Verdict(self.otherwise == "independent", reason=reason)

    def __repr__(self) -> str:
        return f"Statements({', '.join(map(repr, self.statements))}; otherwise {self.otherwise})"


class DSeparation(Oracle):
    """An oracle that reads its answers off a DAG, and so is never wrong about that DAG.

    >>> oracle = DSeparation(DAG("rain->wet, sprinkler->wet"))
    >>> print(oracle("rain", "sprinkler", given="wet"))
    rain and sprinkler given wet are d-connected in the graph
    """

    def __init__(self, dag: DAG):
        self.dag = dag if isinstance(dag, DAG) else DAG(dag)
        super().__init__(self.dag.nodes)
        self._reached: dict[tuple[str, tuple[str, ...]], set[str]] = {}

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        if (reached := self._reached.get((x, given))) is None:
            reached = self._reached[x, given] = connected(self.dag, [x], frozenset(given))
        separated = y not in reached
        return Verdict(separated, reason=f"{ask(x, y, given)} are d-{'separated' if separated else 'connected'} "
                                         f"in the graph")

    def __repr__(self) -> str:
        return f"DSeparation({str(self.dag)!r})"


class FaultyOracle(Oracle):
    """Another oracle, except that it gives the wrong answer to the questions named.

    >>> liar = FaultyOracle(DSeparation(DAG("A->B, A->C")), "B _||_ C | A")
    >>> bool(liar("B", "C", given="A")), bool(liar("B", "C"))
    (False, False)
    """

    def __init__(self, oracle: Oracle, *questions: str):
        check_oracle(oracle, "FaultyOracle")
        super().__init__(oracle.variables)
        self.oracle = oracle
        self.questions = tuple(read_statement(text, self.variables) for text in questions)
        for question in self.questions:
            if len(question.x) + len(question.y) > 2:
                raise ValueError(f"{str(question)!r} is about sets; name one variable on each side to lie about.")
        self._lies = {(frozenset(q.x + q.y), frozenset(q.given)) for q in self.questions}

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        truth = self.oracle(x, y, given)
        if (frozenset((x, y)), frozenset(given)) not in self._lies:
            return truth
        return replace(truth, independent=not truth, reason=f"a lie; the truth is that {truth.reason}")

    def __repr__(self) -> str:
        return f"FaultyOracle({self.oracle!r}, {', '.join(repr(str(q)) for q in self.questions)})"


class CachedOracle(Oracle):
    """Another oracle, with a memory: `.asked` lists the questions in order, `.table()` shows the answers.

    The same question, either way round, is put to the oracle behind it only once.

    >>> oracle = CachedOracle(DSeparation(DAG("A->B->C")))
    >>> verdicts = oracle("A", "C"), oracle("C", "A"), oracle("A", "C", given="B")
    >>> len(oracle.asked), oracle.different
    (3, 2)
    """

    def __init__(self, oracle: Oracle):
        check_oracle(oracle, "Counting")
        super().__init__(oracle.variables)
        self.oracle = oracle
        self.asked: list[tuple[str, str, tuple[str, ...]]] = []
        self._answers: dict[tuple[frozenset, frozenset], Verdict] = {}

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        self.asked.append((x, y, given))
        key = frozenset((x, y)), frozenset(given)
        if key not in self._answers:
            self._answers[key] = self.oracle(x, y, given)
        return self._answers[key]

    @property
    def different(self) -> int:
        """The number of different questions."""
        return len(self._answers)

    def table(self) -> pd.DataFrame:
        """Every question in the order asked, with its verdict."""
        import pandas as pd

        columns = ["x", "y", "given", "independent", "statistic", "dof", "p_value", "reason"]
        rows = [(x, y, ", ".join(given), v.independent, v.statistic, v.dof, v.p_value, v.reason)
                for x, y, given in self.asked
                for v in [self._answers[frozenset((x, y)), frozenset(given)]]]
        return pd.DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        return f"CachedOracle({self.oracle!r}): asked {len(self.asked):,} times, {self.different:,} different questions"
