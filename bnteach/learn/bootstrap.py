"""How sure are we of an edge? The bootstrap: learn again from rows drawn with replacement, many times.

An edge that depends on a few lucky rows is found in some resamples and not in others. The share of resamples in which
it is found is its confidence. Directions are counted on the CPDAG of each graph: a direction that the class of a graph
leaves open is not evidence for either.

>>> from bnteach import BIC, datasets, ges
>>> found = bootstrap(lambda table: ges(BIC(table)), datasets.asia(500), n=20)
>>> found.edge("smoke", "bronc"), found.edge("asia", "dysp")
(1.0, 0.0)
>>> found.graph().adjacent("smoke", "bronc")
True

Which share is enough? Scutari and Nagarajan (2013) compare the distribution of the shares with the ideal one, in which
each is 0 or 1, and place the threshold where the two are closest, which turns out to be one half.

Friedman, Goldszmidt and Wyner (1999), Data analysis with Bayesian networks: a bootstrap approach, UAI. Scutari and
Nagarajan (2013), Identifying significant edges in graphical models of molecular networks, Artificial Intelligence in
Medicine 57. Lesson 18.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import UnknownVariable, described, real_number, whole_number
from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.reachability import leads_to
from bnteach.progress import Progress
from bnteach.tables.measurements import Measurements
from bnteach.tables.table import Table, as_table

if TYPE_CHECKING:
    import pandas as pd

Data = Table | Measurements
Learner = Callable[[Any], Any]


@dataclass(frozen=True)
class Bootstrap:
    """The graphs of all resamples, as `bootstrap` returns them.

    Parameters
    ----------
    nodes : tuple of str
        The variables.
    graphs : tuple of PDAG
        The CPDAG of each resample.
    """

    nodes: tuple[str, ...]
    graphs: tuple[PDAG, ...] = field(repr=False)

    def edge(self, a: str, b: str) -> float:
        """The share of resamples in which a and b are adjacent."""
        return self._share(PDAG.adjacent, a, b)

    def arc(self, a: str, b: str) -> float:
        """The share of resamples in which the CPDAG has the arc a -> b."""
        return self._share(PDAG.has_arc, a, b)

    def _share(self, holds: Callable[[PDAG, str, str], bool], a: str, b: str) -> float:
        for name in (a, b):
            if name not in self.nodes:
                raise UnknownVariable(name, self.nodes, "the data")
        return sum(holds(graph, a, b) for graph in self.graphs) / len(self.graphs)

    def table(self) -> pd.DataFrame:
        """A row per pair that is adjacent in some resample, the surest first."""
        import pandas as pd

        rows = [(a, b, self.edge(a, b), self.arc(a, b), self.arc(b, a)) for a, b in combinations(self.nodes, 2)]
        found = sorted((row for row in rows if row[2]), key=lambda row: -row[2])
        return pd.DataFrame(found, columns=["a", "b", "edge", "a -> b", "b -> a"])

    @cached_property
    def threshold(self) -> float:
        """The share above which an edge is called significant (Scutari and Nagarajan 2013).

        If every share were 0 or 1, their distribution function F would be flat in between. Of all flat lines the median
        of F is the closest to F. F never falls, so its median is F(1/2): edges above one half are significant.
        """
        shares = [self.edge(a, b) for a, b in combinations(self.nodes, 2)]
        return max((share for share in shares if share < 0.5), default=0.0)

    def graph(self, threshold: float | None = None) -> PDAG:
        """The averaged graph: the edges whose share is above the threshold, the surest first.

        An edge is directed if more resamples have this direction than the other, and than leave it open; and if no
        directed cycle closes.
        """
        least = self.threshold if threshold is None else real_number("threshold", threshold)
        if least > 1:
            raise ValueError(f"threshold={threshold!r} must be a share between 0 and 1, such as 0.5.")
        averaged = PDAG(nodes=self.nodes)
        for a, b, edge, forward, backward in self.table().itertuples(index=False, name=None):
            if edge > least:
                averaged = averaged.with_edge(a, b)
                tail, head, share = (a, b, forward) if forward >= backward else (b, a, backward)
                if share > edge / 2 and not leads_to(averaged, head, tail):
                    averaged = averaged.with_arc(tail, head)
        return averaged

    def __str__(self) -> str:
        return self.table().to_string(index=False, float_format=lambda share: f"{share:.2f}")

    def _repr_html_(self) -> str:
        from bnteach.show.draw import draw

        title = f"Edges in more than {self.threshold:.0%} of {len(self.graphs)} resamples"
        return f"{draw(self, title=title)._repr_html_()}{self.table().round(2).to_html(border=0, index=False)}"


def bootstrap(learner: Learner, data: Any, n: int = 200, seed: int = 0, jobs: int | None = 1) -> Bootstrap:
    """Learn from n resamples of the rows, and count how often each edge and direction is found.

    Parameters
    ----------
    learner : function
        Takes the data and returns a Result or a graph: ``bn.chow_liu``, or ``lambda table: bn.ges(bn.BIC(table))``.
    data : Table, Measurements, or anything that is read as a Table
    n : int
        How many resamples.
    seed : int
        Of the resamples.
    jobs : int, optional
        How many processes share the work, where the system can divide a process (not on Windows); None: one per
        core.

    Returns
    -------
    Bootstrap
        ``table()`` has the shares, ``graph()`` is the averaged graph; `bn.draw` shows shares as widths of lines.

    Examples
    --------
    >>> from bnteach import chow_liu, datasets
    >>> print(bootstrap(chow_liu, datasets.five_rows(), n=50).table().head(2).to_string(index=False))
    a b  edge  a -> b  b -> a
    A B  0.78     0.0     0.0
    A C  0.58     0.0     0.0

    References
    ----------
    Friedman, Goldszmidt and Wyner (1999), Data analysis with Bayesian networks: a bootstrap approach, UAI. Lesson 18.
    """
    if not callable(learner):
        raise TypeError(f"bootstrap needs a function of the data, such as lambda table: bn.ges(bn.BIC(table)), not "
                        f"{described(learner)}.")
    read: Data = data if isinstance(data, Measurements) else as_table(data)
    seeds = np.random.SeedSequence(whole_number("seed", seed)).spawn(whole_number("n", n, least=1))
    workers = (os.cpu_count() or 1) if jobs is None else whole_number("jobs", jobs, least=1)
    graphs: list[PDAG] = []
    with Progress("bootstrap", total=n, unit=" resamples") as progress:
        try:
            for graph in _run(learner, read, seeds, workers):
                graphs.append(graph)
                progress.step()
        except Exception as error:
            error.add_note(f"This happened in resample {len(graphs) + 1} of {n}. A value that is rare may be missing "
                           f"from a resample.")
            raise
    return Bootstrap(read.variables, tuple(graphs))


_shared: list[tuple[Learner, Data]] = []  # what the processes inherit; functions of a notebook cannot be sent to them


def _run(learner: Learner, data: Data, seeds: list[np.random.SeedSequence], jobs: int) -> Iterator[PDAG]:
    """The graph of each resample, in order."""
    from multiprocessing import get_all_start_methods, get_context

    _shared.append((learner, data))
    try:
        if jobs == 1 or "fork" not in get_all_start_methods() or sys.platform == "emscripten":  # in a browser
            yield from map(_one, seeds)
        else:
            from concurrent.futures import ProcessPoolExecutor

            with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
                yield from pool.map(_one, seeds)
    finally:
        _shared.pop()


def _one(seed: np.random.SeedSequence) -> PDAG:
    """The CPDAG that is learned from one resample."""
    learner, data = _shared[-1]
    rows = np.random.default_rng(seed).integers(0, len(data), len(data))
    found = learner(data.take(np.sort(rows)))
    graph = getattr(found, "graph", found)
    if not isinstance(graph, DAG | PDAG):
        raise TypeError(f"the learner returned {described(graph)}, and bootstrap needs a graph or a Result.")
    return cpdag(graph) if isinstance(graph, DAG) else graph
