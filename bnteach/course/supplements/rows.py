"""The likelihood of a network, row by row, as one would compute it on paper. Lesson 6.

>>> from bnteach.datasets import five_rows
>>> network = CategoricalNetwork.fit("A->B, A->C, B->D", five_rows())
>>> print(row_by_row(network, five_rows()).trace)
1. row 1: P(a) P(b|a) P(~c|a) P(d|b) = 4/5 × 3/4 × 3/4 × 1/4 = 0.1125; logarithm -3.152, running total -3.152
2. row 2: P(a) P(b|a) P(~c|a) P(~d|b) = 4/5 × 3/4 × 3/4 × 3/4 = 0.3375; logarithm -1.567, running total -4.719
3. row 3: P(a) P(~b|a) P(c|a) P(d|~b) = 4/5 × 1/4 × 1/4 × 1 = 0.0500; logarithm -4.322, running total -9.041
4. row 4: P(~a) P(b|~a) P(c|~a) P(~d|b) = 1/5 × 1 × 1 × 3/4 = 0.1500; logarithm -2.737, running total -11.778
5. row 5: P(a) P(b|a) P(~c|a) P(~d|b) = 4/5 × 3/4 × 3/4 × 3/4 = 0.3375; logarithm -1.567, running total -13.345
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log
from typing import Any

from bnteach.errors import check_base
from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.tables.table import as_table
from bnteach.trace import Result, Step, stepwise


@dataclass(frozen=True, slots=True)
class Row(Step):
    """The probability of one row, with one factor per variable."""

    row: int
    factors: dict[str, float]
    probability: float
    log: float
    total: float

    def __str__(self) -> str:
        terms = " ".join(f"P({term})" for term in self.factors)
        values = " × ".join(map(as_fraction, self.factors.values()))
        return (f"row {self.row}: {terms} = {values} = {self.probability:.4f}; "
                f"logarithm {self.log:.3f}, running total {self.total:.3f}")


@stepwise
def row_by_row(network: CategoricalNetwork, data: Any, base: float = 2) -> Generator[Step, None, Result[DAG]]:
    """Compute the log-likelihood of the data row by row.

    Parameters
    ----------
    network : CategoricalNetwork
        The network.
    data : Table, DataFrame, dict or path
        The rows, without missing values.
    base : float
        The base of the logarithm; 2 gives bits.

    Returns
    -------
    Result
        The graph of the network; the score is the log-likelihood, and the trace has one step per row.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> network = CategoricalNetwork.fit("A->B, A->C, B->D", five_rows())
    >>> round(row_by_row(network, five_rows()).score, 4)
    -13.345
    """
    total = 0.0
    for number, values in enumerate(as_table(data).select(*network.dag.nodes).to_frame().itertuples(index=False), 1):
        row = dict(zip(network.dag.nodes, values))
        factors = {_term(network, node, row): network.entry(node, row) for node in network.dag.order}
        probability = network.probability(row)
        logarithm = log(probability, check_base(base)) if probability > 0 else -inf
        total += logarithm
        yield Row(number, factors, probability, logarithm, total)
    return Result(network.dag, score=total)


def as_fraction(p: float) -> str:
    """A probability as a simple fraction if it is one, otherwise to four decimals."""
    simple = Fraction(p).limit_denominator(100)
    return str(simple) if abs(float(simple) - p) < 1e-12 else f"{p:.4f}"


def _term(network: CategoricalNetwork, node: str, row: Mapping[str, Any]) -> str:
    """The factor of a node in symbols, without the P: "b|a"."""
    parents = ",".join(str(row[p]) for p in network.dag.parents(node))
    return f"{row[node]}|{parents}" if parents else str(row[node])
