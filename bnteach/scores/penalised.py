"""Penalised likelihoods: a log-likelihood less a penalty per parameter.

    LogLikelihood    fit alone                                 penalty 0              bits (of real numbers: nats)
    AIC              Akaike 1974                               penalty 1              nats
    MDL              minimum description length                penalty log(N) / 2     bits
    BIC              the same in other units; Schwarz 1978     penalty log(N) / 2     nats

`base=` changes the units. MDL and BIC change only their scale with it, since both terms do. AIC may select another
graph: its penalty is 1 whatever the units of the fit. Lessons 6 and 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import e, log
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.scores.base import Names, Score, as_dag, differences_of_sets
from bnteach.scores.categorical import CategoricalFamilies, FamilyLikelihood
from bnteach.scores.gaussian import GaussianFamilies
from bnteach.tables.measurements import Measurements

if TYPE_CHECKING:
    import pandas as pd

SCALES = {"usual": 1, "printed": 2}  # what the penalty is multiplied by


class PenalisedLikelihood(Score):
    """The log-likelihood of a family less a penalty for each of its parameters."""

    def __init__(self, data: Any, base: float | None = None, scale: str = "usual"):
        super().__init__(data, base)
        if scale not in SCALES:
            raise ValueError(f"scale={scale!r} is not known here; use 'usual', or 'printed' for the formulas of the "
                             f"wine report, which double the penalty.")
        self.scale = scale
        self.likelihood: FamilyLikelihood = (GaussianFamilies(self.data) if isinstance(self.data, Measurements)
                                             else CategoricalFamilies(self.data))
        self._one_more: dict[tuple[str, frozenset[str]], dict[str, float]] = {}

    @property
    def penalty(self) -> float:
        """The penalty per parameter, in the score's units."""
        return SCALES[self.scale] * self.usual_penalty()

    def usual_penalty(self) -> float:
        """The penalty per parameter on the usual scale."""
        raise NotImplementedError

    def fit(self, child: str, parents: str | Iterable[str] = ()) -> float:
        """The maximum log-likelihood of a family."""
        return self.likelihood.log_likelihood(*self.in_order(child, self.names(parents))) / log(self.base)

    def parameters(self, child: str, parents: str | Iterable[str] = ()) -> int:
        """The number of free parameters of a family."""
        return self.likelihood.parameters(*self.in_order(child, self.names(parents)))

    def compute_family(self, child: str, parents: Names) -> float:
        """Fit less penalty."""
        fit = self.likelihood.log_likelihood(child, parents) / log(self.base)
        return fit - self.penalty * self.likelihood.parameters(child, parents)

    def families(self, child: str, sets: Sequence[Names]) -> list[float]:
        """Fit less penalty for many sets of parents at once."""
        unit, penalty = log(self.base), self.penalty
        return [fit / unit - penalty * self.likelihood.parameters(child, parents)
                for parents, fit in zip(sets, self.likelihood.log_likelihoods(child, sets))]

    def with_one_more_parent(self, child: str, parents: Iterable[str] = ()) -> dict[str, float]:
        """The family score with each other variable in turn as one more parent, all from one call."""
        key = child, frozenset(parents)
        if key not in self._one_more:
            (child, chosen), unit, penalty = self.in_order(*key), log(self.base), self.penalty
            self._one_more[key] = {
                name: fit / unit - penalty * self.likelihood.parameters(child, (*chosen, name))
                for name, fit in self.likelihood.with_one_more_parent(child, chosen).items()}
        return self._one_more[key]

    def over_subsets(self, max_parents: int | None = None) -> Iterator[np.ndarray]:
        """For each variable the scores of all its families; see `Score.over_subsets`."""
        n, unit, penalty = len(self.variables), log(self.base), self.penalty
        sets = self.likelihood.over_subsets(n if max_parents is None else max_parents + 1, penalty * unit)
        return differences_of_sets(((index, fit / unit - penalty * size) for index, fit, size in sets), n)

    def upper_bounds(self, child: str, sets: Sequence[Names], candidates: Iterable[str]) -> list[float]:
        """The fit with all candidates as parents, which fewer cannot exceed, less the penalty of each set."""
        fit = self.likelihood.upper_bound(*self.in_order(child, candidates)) / log(self.base)
        return [fit - self.penalty * self.likelihood.parameters(child, parents) for parents in sets]

    def __repr__(self) -> str:
        return super().__repr__() + (", printed scale" if self.scale == "printed" else "")

    def table(self, graph: DAG | str) -> pd.DataFrame:
        """The score family by family: fit, parameters, penalty, and their sum."""
        import pandas as pd

        dag = as_dag(graph, self.variables)
        rows = []
        for child in self.variables:
            parents = dag.parents(child)
            size = self.parameters(child, parents)
            rows.append({"family": f"{child} | {', '.join(parents)}" if parents else child,
                         "fit": self.fit(child, parents), "parameters": size,
                         "penalty": self.penalty * size, "score": self.family(child, parents)})
        table = pd.DataFrame(rows).set_index("family").round(9) + 0.0  # what rounding leaves of 0 is 0, and never -0
        table.loc["sum"] = table.sum()
        return table.astype({"parameters": int})


class LogLikelihood(PenalisedLikelihood):
    """The maximum log-likelihood of a graph. More arcs never lower it.

    Parameters
    ----------
    data
        A Table or Measurements.
    base
        The base of the logarithm; by default 2 (bits) for categories, as on the slides, and e (nats) for real numbers,
        as in the wine report.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(LogLikelihood(five_rows())("B->C, B->D, C->A"), 4)
    -12.0999
    """

    def __init__(self, data: Any, base: float | None = None):
        super().__init__(data, base)
        self.base = self.likelihood.default_base if base is None else base

    def usual_penalty(self) -> float:
        """None: the fit alone counts."""
        return 0.0


class AIC(PenalisedLikelihood):
    """Akaike's information criterion: a penalty of 1 per parameter.

    Parameters
    ----------
    data
        A Table or Measurements.
    base
        The base of the logarithm; by default e (nats). The penalty does not depend on it, so the best graph may.
    scale
        ``"printed"`` doubles the penalty, as the formulas of the wine report do.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(AIC(five_rows())("B->C, B->D, C->A"), 4)
    -15.387

    References
    ----------
    Akaike (1974), A new look at the statistical model identification.
    """

    def usual_penalty(self) -> float:
        """1, whatever the units."""
        return 1.0


class MDL(PenalisedLikelihood):
    """Minimum description length: a penalty of half the logarithm of the number of rows per parameter.

    Parameters
    ----------
    data
        A Table or Measurements.
    base
        The base of the logarithm; by default 2 (bits).
    scale
        ``"printed"`` doubles the penalty, as the formulas of the wine report do.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(MDL(five_rows())("B->C, B->D, C->A"), 4)
    -20.2266

    References
    ----------
    Rissanen (1978), Modeling by shortest data description.
    """

    default_base: float = 2

    def usual_penalty(self) -> float:
        """Half the logarithm of the number of rows."""
        return log(len(self.data), self.base) / 2


class BIC(MDL):
    """The Bayesian information criterion: MDL in nats.

    The wine report prints ln(m) k - ln L where the usual BIC is ln(m) k - 2 ln L, which doubles the penalty; its
    results are on the usual scale.

    Parameters
    ----------
    data
        A Table or Measurements.
    base
        The base of the logarithm; by default e (nats).
    scale
        ``"printed"`` doubles the penalty, as the formulas of the wine report do.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(BIC(five_rows())("B->C, B->D, C->A"), 4)
    -14.02

    References
    ----------
    Schwarz (1978), Estimating the dimension of a model.
    """

    default_base = e


def dimension(graph: DAG | str, data: Any) -> int:
    """The number of free parameters of a graph.

    Parameters
    ----------
    graph
        A DAG, or text such as ``"A->B, C"``.
    data
        A Table or Measurements.

    Returns
    -------
    int
        The sum over all families.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> dimension("B->C, B->D, C->A", five_rows()), dimension("B->C, B->D, C->A, D->A", five_rows())
    (7, 9)
    """
    fit = LogLikelihood(data)
    dag = as_dag(graph, fit.variables)
    return sum(fit.parameters(node, dag.parents(node)) for node in fit.variables)
