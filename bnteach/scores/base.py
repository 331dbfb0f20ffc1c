"""Scores: how good is a graph for these data? Higher is always better.

A score is a sum over families, a family being a variable with its parents: change one family, and only
its term changes. So a score answers two questions, and remembers every answer to the first:

    score.family("C", ("A", "B"))    the term of C with parents A and B
    score(dag)                       the sum over all variables

The scores of this file are a log-likelihood less a penalty for every parameter:

    LogLikelihood    fit alone                                 penalty 0              bits (of real numbers: nats)
    AIC              Akaike 1974                               penalty 1              nats
    MDL              minimum description length                penalty log(N) / 2     bits
    BIC              the same in other units; Schwarz 1978     penalty log(N) / 2     nats

`base=` changes the units. MDL and BIC only change their scale with it, since both terms do. AIC changes
its verdict: its penalty is 1 whatever the units of the fit. Lessons 6 and 8.

>>> from bnteach.datasets import five_rows
>>> from bnteach.graphs.dag import DAG
>>> tree = DAG("B->C, B->D, C->A")
>>> round(LogLikelihood(five_rows())(tree), 4), round(MDL(five_rows())(tree), 4)
(-12.0999, -20.2266)
"""

from __future__ import annotations

from collections.abc import Iterable
from math import e, log
from typing import TYPE_CHECKING, Any

from bnteach.errors import check_base, checks, described
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.scores.categorical import likelihood_of
from bnteach.tables.table import Measurements, Table, as_table

if TYPE_CHECKING:
    import pandas as pd


class Score:
    """A score that is a sum over families. A subclass says what a family is worth: `compute_family`."""

    units: float = e  # the base of the logarithm, unless told otherwise
    score_equivalent = True  # do all DAGs of an equivalence class get the same score?

    def __init__(self, data: Any, base: float | None = None):
        self.data: Table | Measurements = data if isinstance(data, Measurements) else as_table(data)
        self.base = self.units if base is None else check_base(base)
        self._known: dict[tuple[str, frozenset[str]], float] = {}

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the data, in order."""
        return self.data.variables

    def family(self, child: str, parents: str | Iterable[str] = ()) -> float:
        """What this variable with these parents adds to the score."""
        if isinstance(parents, str):
            parents = self.data.names(parents)
        try:
            known = self._known.get(key := (child, frozenset(parents)))
        except TypeError:
            raise TypeError(f"a family is a name and the names of its parents, as in family('A', ['B', 'C']), "
                            f"not {child!r} and {parents!r}.") from None
        if known is None:
            known = self._known[key] = self.compute_family(*self._in_order(*key))
        return known

    def compute_family(self, child: str, parents: tuple[str, ...]) -> float:
        """The term of a family that was not asked for before; parents in the order of the variables."""
        raise NotImplementedError

    def __call__(self, graph: DAG | str) -> float:
        """The score of a whole graph."""
        dag = as_dag(graph, self.variables)
        return sum(self.family(node, dag.parents(node)) for node in self.variables)

    def __repr__(self) -> str:
        units = {2: "bits", e: "nats"}.get(self.base, f"base {self.base:g}")
        printed = ", printed scale" if getattr(self, "scale", "") == "printed" else ""
        return f"{type(self).__name__} on {len(self.data):,} rows, in {units}{printed}"

    def _in_order(self, child: str, parents: Iterable[str]) -> tuple[str, tuple[str, ...]]:
        """The same family with its parents in the order of the variables, or an error."""
        (child,), among = self.data.names([child]), set(self.data.names(parents))
        if child in among:
            raise ValueError(f"{child} cannot be its own parent; leave it out of the parents.")
        return child, tuple(v for v in self.variables if v in among)


@checks(Score)
def check_score(score: Any, learner: str) -> None:
    """Raise TypeError unless this is a score."""
    if isinstance(score, type) or not (callable(score) and hasattr(score, "family") and hasattr(score, "variables")):
        make = f"bn.{score.__name__}(table)" if isinstance(score, type) else (
            "bn.BIC(measurements)" if isinstance(score, Measurements) else "bn.MDL(table)")
        raise TypeError(f"{learner} needs a score, not {described(score)}. Make one, such as {make}.")


class PenalisedLikelihood(Score):
    """The log-likelihood of a family less a penalty for each of its parameters."""

    penalty: float  # what one parameter costs, in the score's units

    def __init__(self, data: Any, base: float | None = None):
        super().__init__(data, base)
        self.likelihood = likelihood_of(self.data)

    def fit(self, child: str, parents: str | Iterable[str] = ()) -> float:
        """The log-likelihood of a family with its best parameters."""
        return self.likelihood.log_likelihood(*self._in_order(child, self.data.names(parents))) / log(self.base)

    def parameters(self, child: str, parents: str | Iterable[str] = ()) -> int:
        """The number of free parameters of a family."""
        return self.likelihood.parameters(*self._in_order(child, self.data.names(parents)))

    def compute_family(self, child: str, parents: tuple[str, ...]) -> float:
        fit = self.likelihood.log_likelihood(child, parents) / log(self.base)
        return fit - self.penalty * self.likelihood.parameters(child, parents)

    def table(self, graph: DAG | str) -> pd.DataFrame:
        """The score family by family, for reading: fit, parameters, penalty, and what is left."""
        import pandas as pd

        dag = as_dag(graph, self.variables)
        rows = []
        for child in self.variables:
            parents = dag.parents(child)
            size = self.parameters(child, parents)
            rows.append({"family": f"{child} | {', '.join(parents)}" if parents else child,
                         "fit": self.fit(child, parents), "parameters": size,
                         "penalty": self.penalty * size, "score": self.family(child, parents)})
        table = pd.DataFrame(rows).set_index("family")
        table.loc["sum"] = table.sum()
        return table.astype({"parameters": int})


class LogLikelihood(PenalisedLikelihood):
    """How well the best parameters for a graph fit the data. More arcs never lower it.

    In bits for categories, as the slides print it, and in nats for real numbers, as the wine report does.
    """

    penalty = 0.0

    def __init__(self, data: Any, base: float | None = None):
        super().__init__(data, base)
        self.base = self.likelihood.default_base if base is None else base


class AIC(PenalisedLikelihood):
    """Akaike's criterion: a constant price of 1 for each parameter (2 on the wine report's printed scale)."""

    def __init__(self, data: Any, base: float | None = None, scale: str = "usual"):
        super().__init__(data, base)
        self.scale, self.penalty = scale, 1.0 * times(scale)


class MDL(PenalisedLikelihood):
    """Minimum description length: each parameter costs half the logarithm of the number of rows."""

    units = 2

    @property
    def penalty(self) -> float:
        return log(len(self.data), self.base) / 2


class BIC(MDL):
    """The Bayesian information criterion: MDL in nats.

    The wine report prints ln(m) k - ln L where the usual BIC is ln(m) k - 2 ln L. That doubles the price of a
    parameter; its results come out on the usual scale. `scale="printed"` is the scale of its formulas.
    """

    units = e

    def __init__(self, data: Any, base: float | None = None, scale: str = "usual"):
        super().__init__(data, base)
        self.scale, self.times = scale, times(scale)

    @property
    def penalty(self) -> float:
        return super().penalty * self.times


def times(scale: str) -> int:
    """What a scale makes of the price of a parameter."""
    if scale not in ("usual", "printed"):
        raise ValueError(f"scale={scale!r} is not known here; use 'usual', or 'printed' for the formulas of the "
                         f"wine report, which charge twice as much for a parameter.")
    return 2 if scale == "printed" else 1


def dimension(graph: DAG | str, data: Any) -> int:
    """The number of free parameters of a whole graph.

    >>> from bnteach.datasets import five_rows
    >>> dimension("B->C, B->D, C->A", five_rows()), dimension("B->C, B->D, C->A, D->A", five_rows())
    (7, 9)
    """
    fit = LogLikelihood(data)
    dag = as_dag(graph, fit.variables)
    return sum(fit.parameters(node, dag.parents(node)) for node in fit.variables)


def as_dag(graph: Any, variables: Iterable[str]) -> DAG:
    """A DAG over exactly these variables, or an error that says what does not fit."""
    variables = tuple(variables)
    dag = graph.to_dag() if isinstance(graph, PDAG) else graph if isinstance(graph, DAG) else DAG(graph)
    if missing := [v for v in variables if v not in dag]:
        raise ValueError(f"the graph {dag} has no node {', '.join(missing)}, but the data do. Name it too: "
                         f"DAG(\"{dag}, {', '.join(missing)}\").")
    if extra := [node for node in dag.nodes if node not in variables]:
        raise ValueError(f"the graph has {', '.join(extra)}, which the data do not; "
                         f"they have {', '.join(variables)}.")
    return dag
