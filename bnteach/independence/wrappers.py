"""Oracles around another oracle: one with chosen errors, and one with a memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from typing import TYPE_CHECKING

from bnteach.independence.oracle import (
    Answers,
    Oracle,
    PairOfSets,
    Query,
    Verdict,
    as_oracle,
    check_oracle,
    side_by_side,
)
from bnteach.independence.statements import read_statement

if TYPE_CHECKING:
    import pandas as pd


Key = tuple[frozenset[str], frozenset[str]]  # the pair, and what is given


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
        return truth._replace(independent=not truth, reason=f"a wrong answer; in truth, {truth.reason}")

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
        self._answers: dict[Key, Verdict] = {}
        self._index = {name: i for i, name in enumerate(self.variables)}

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        key = _key(x, y, given)
        if key not in self._answers:
            self._answers[key] = self.oracle(x, y, given)
        self.queries.append((x, y, given))
        return self._answers[key]

    def answer_all(self, queries: Sequence[Query]) -> list[Verdict]:
        """As `Oracle.answer_all`."""
        self.queries += queries
        return self._look_up(queries)

    def until_independent(self, pairs: Iterable[PairOfSets]) -> Iterator[Answers]:
        """As `Oracle.until_independent`; what the oracle has tested ahead in vain is no query."""
        pairs, asked = tee(pairs)
        at_once = [getattr(self.oracle, limit, 1) for limit in ("pairs_at_once", "tests_at_once", "together")]
        for (x, y, _), found in zip(asked, side_by_side(self._look_up, pairs, *at_once)):
            self.queries += [(x, y, given) for given, _ in found]
            yield found

    def _look_up(self, queries: Sequence[Query]) -> list[Verdict]:
        """What is not in the cache goes to the oracle, all at once, with sorted names."""
        keys = [_key(*query) for query in queries]
        new = {key: (x, y, tuple(sorted(given, key=self._index.__getitem__)))
               for key, (x, y, given) in zip(keys, queries) if key not in self._answers}
        self._answers.update(zip(new, as_oracle(self.oracle).answer_all(list(new.values()))))
        return [self._answers[key] for key in keys]

    @property
    def distinct(self) -> int:
        """The number of distinct queries."""
        return len({_key(*query) for query in self.queries})

    def table(self) -> pd.DataFrame:
        """Every query in order, with its verdict, as a DataFrame."""
        import pandas as pd

        columns = ["x", "y", "given", "independent", "statistic", "dof", "p_value", "reason"]
        rows = [(x, y, ", ".join(given), v.independent, v.statistic, v.dof, v.p_value,
                 v.reason or self.oracle(x, y, given).reason)  # batches leave out the reasons
                for x, y, given in self.queries
                for v in [self._answers[_key(x, y, given)]]]
        return pd.DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        return f"CachedOracle({self.oracle!r}): {len(self.queries):,} queries, {self.distinct:,} distinct"


def _key(x: str, y: str, given: tuple[str, ...]) -> Key:
    return frozenset((x, y)), frozenset(given)
