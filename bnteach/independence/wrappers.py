"""Oracles around another oracle: one with chosen errors, and one with a memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import tee
from typing import TYPE_CHECKING

from bnteach.independence.oracle import Oracle, Verdict, answers, check_oracle
from bnteach.independence.statements import read_statement

if TYPE_CHECKING:
    import pandas as pd


class FaultyOracle(Oracle):
    """Another oracle with errors: it gives the wrong answer to the queries named.

    Parameters
    ----------
    oracle : Oracle
    *queries : str
        Written as statements, such as "B _||_ C | A".

    Examples
    --------
    >>> from bnteach import DAG, DSeparation
    >>> faulty = FaultyOracle(DSeparation(DAG("A->B, A->C")), "B _||_ C | A")
    >>> bool(faulty("B", "C", given="A")), bool(faulty("B", "C"))
    (False, False)
    """

    def __init__(self, oracle: Oracle, *queries: str):
        check_oracle(oracle, "FaultyOracle")
        super().__init__(oracle.variables)
        self.oracle = oracle
        self.queries = tuple(read_statement(text, self.variables) for text in queries)
        for query in self.queries:
            if len(query.x) + len(query.y) > 2:
                raise ValueError(f"{str(query)!r} is about sets; name one variable on each side.")
        self._errors = {(frozenset(q.x + q.y), frozenset(q.given)) for q in self.queries}

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        truth = self.oracle(x, y, given)
        if (frozenset((x, y)), frozenset(given)) not in self._errors:
            return truth
        return replace(truth, independent=not truth, reason=f"a wrong answer; in truth, {truth.reason}")

    def __repr__(self) -> str:
        return f"FaultyOracle({self.oracle!r}, {', '.join(repr(str(q)) for q in self.queries)})"


class CachedOracle(Oracle):
    """Another oracle with a memory: each query is answered once, and `queries` lists them all in order.

    Parameters
    ----------
    oracle : Oracle

    Examples
    --------
    >>> from bnteach import DAG, DSeparation
    >>> oracle = CachedOracle(DSeparation(DAG("A->B->C")))
    >>> verdicts = oracle("A", "C"), oracle("C", "A"), oracle("A", "C", given="B")
    >>> len(oracle.queries), oracle.distinct
    (3, 2)
    """

    def __init__(self, oracle: Oracle):
        check_oracle(oracle, "CachedOracle")
        super().__init__(oracle.variables)
        self.oracle = oracle
        self.queries: list[tuple[str, str, tuple[str, ...]]] = []
        self._answers: dict[tuple[frozenset[str], frozenset[str]], Verdict] = {}

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        self.queries.append((x, y, given))
        key = frozenset((x, y)), frozenset(given)
        if key not in self._answers:
            self._answers[key] = self.oracle(x, y, given)
        return self._answers[key]

    def answers(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Verdict]]:
        """As `Oracle.answers`. Sets that are not in the cache go to the oracle in batches, with sorted names."""
        sets, ahead = tee(sets)
        pair, order = frozenset((x, y)), self.variables.index
        new = (tuple(sorted(z, key=order)) for z in ahead if (pair, frozenset(z)) not in self._answers)
        verdicts = answers(self.oracle, x, y, new)
        for given in sets:
            while (key := (pair, frozenset(given))) not in self._answers:
                z, verdict = next(verdicts)
                self._answers[pair, frozenset(z)] = verdict
            self.queries.append((x, y, given))
            yield given, self._answers[key]

    @property
    def distinct(self) -> int:
        """The number of distinct queries."""
        return len(self._answers)

    def table(self) -> pd.DataFrame:
        """Every query in order, with its verdict, as a DataFrame."""
        import pandas as pd

        columns = ["x", "y", "given", "independent", "statistic", "dof", "p_value", "reason"]
        rows = [(x, y, ", ".join(given), v.independent, v.statistic, v.dof, v.p_value,
                 v.reason or self.oracle(x, y, given).reason)  # batches leave out the reasons
                for x, y, given in self.queries
                for v in [self._answers[frozenset((x, y)), frozenset(given)]]]
        return pd.DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        return f"CachedOracle({self.oracle!r}): {len(self.queries):,} queries, {self.distinct:,} distinct"
