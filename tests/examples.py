"""Every learner, and something to run it on: five rows, and rows drawn from a network with longer names.

    python -m tests.examples pc k3     a line per learner and table: fingerprints of its trace and of its player
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterator
from typing import Any

import bnteach as bn
from bnteach.trace import Result, Stepwise

LEARNERS = {name: value for name in bn.__all__ if isinstance(value := getattr(bn, name), Stepwise)}


def tables() -> Iterator[bn.Table]:
    yield bn.datasets.five_rows()
    yield bn.datasets.asia(300, seed=1)


def arguments(table: bn.Table) -> dict[str, Any]:
    """An argument for every parameter that a learner needs, by name. A parameter of another name gets a line here."""
    names, dag = table.variables, bn.chow_liu(table).graph
    return {"table": table, "data": table, "score": bn.MDL(table), "dag": dag, "graph": dag, "pdag": bn.cpdag(dag),
            "oracle": bn.DSeparation(dag), "weights": bn.mutual_informations(table), "order": names,
            "network": bn.fit(dag, table), "x": names[0], "y": names[-1], "temperatures": [2.0, 1.0, 0.5] * 20}


def needed(learner: Stepwise) -> list[str]:
    """The names of the parameters without a default."""
    return [p.name for p in inspect.signature(learner).parameters.values() if p.default is p.empty]


def run(name: str, table: bn.Table) -> Result:
    """What a learner finds on the example."""
    given = arguments(table)
    return LEARNERS[name](**{parameter: given[parameter] for parameter in needed(LEARNERS[name])})


def fingerprint(result: Result) -> list[str]:
    said = "\n".join(map(repr, result.trace)) + result.trace.text() + repr(result.graph) + repr(result.score)
    shown = bn.play(result).html() if len(result.trace) else ""
    return [hashlib.sha256(text.encode()).hexdigest()[:12] for text in (said, shown)]


if __name__ == "__main__":
    for table in tables():
        for name in sys.argv[1:]:
            print(name, len(table), *fingerprint(run(name, table)))
