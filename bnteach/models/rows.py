"""The likelihood of a network, row by row, as one would do it on paper. Lesson 6.

>>> from bnteach.datasets import five_rows
>>> from bnteach.models.categorical import CategoricalNetwork
>>> network = CategoricalNetwork.fit("A->B, A->C, B->D", five_rows())
>>> print(row_by_row(network, five_rows()).trace)
1. row 1: P(a) 4/5 x P(b|a) 3/4 x P(~c|a) 3/4 x P(d|b) 1/4 = 0.1125, log -3.152, sum so far -3.152
2. row 2: P(a) 4/5 x P(b|a) 3/4 x P(~c|a) 3/4 x P(~d|b) 3/4 = 0.3375, log -1.567, sum so far -4.719
3. row 3: P(a) 4/5 x P(~b|a) 1/4 x P(c|a) 1/4 x P(d|~b) 1 = 0.0500, log -4.322, sum so far -9.041
4. row 4: P(~a) 1/5 x P(b|~a) 1 x P(c|~a) 1 x P(~d|b) 3/4 = 0.1500, log -2.737, sum so far -11.778
5. row 5: P(a) 4/5 x P(b|a) 3/4 x P(~c|a) 3/4 x P(~d|b) 3/4 = 0.3375, log -1.567, sum so far -13.345
"""

from __future__ import annotations

from collections.abc import Generator
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
    """One row got its probability, a factor for each variable."""

    row: int
    factors: dict[str, float]
    probability: float
    log: float
    total: float

    def __str__(self) -> str:
        product = " x ".join(f"P({what}) {as_fraction(p)}" for what, p in self.factors.items())
        return (f"row {self.row}: {product} = {self.probability:.4f}, "
                f"log {self.log:.3f}, sum so far {self.total:.3f}")


@stepwise
def row_by_row(network: CategoricalNetwork, data: Any, base: float = 2) -> Generator[Step, None, Result[DAG]]:
    """Multiply the factors of each row, take the logarithm, and add it to the sum."""
    table = as_table(data).select(*network.dag.nodes)
    frame, total = table.to_frame(), 0.0
    for number, row in enumerate(frame.to_dict("records"), start=1):
        factors = {_name(network, node, row): _factor(network, node, row) for node in network.dag.order}
        probability = network.probability(row)
        bits = log(probability, check_base(base)) if probability > 0 else -inf
        total += bits
        yield Row(number, factors, probability, bits, total)
    return Result(network.dag, score=total)


def as_fraction(p: float) -> str:
    """A probability as a simple fraction if it is one, otherwise to four decimals."""
    simple = Fraction(p).limit_denominator(100)
    return str(simple) if abs(float(simple) - p) < 1e-12 else f"{p:.4f}"


def _name(network: CategoricalNetwork, node: str, row: dict[str, Any]) -> str:
    parents = ",".join(str(row[p]) for p in network.dag.parents(node))
    return f"{row[node]}|{parents}" if parents else str(row[node])


def _factor(network: CategoricalNetwork, node: str, row: dict[str, Any]) -> float:
    place = [network._place(n, row[n]) for n in (*network.dag.parents(node), node)]
    return float(network.tables[node][tuple(place)])
