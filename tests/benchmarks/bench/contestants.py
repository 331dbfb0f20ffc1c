"""How each library does each work. A contestant's function gets a DataFrame of numbers and returns the edges it found:
(a, b, directed). Only that call is timed; importing the library is not.

The settings make the works as alike as the libraries allow: chi-square at .05, order-independent PC, no limit on
parents. NOTES says what differs; it stands under the table.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

Edge = tuple[str, str, bool]
Run = Callable[["pd.DataFrame"], list[Edge]]

LIBRARIES = {"bnteach": "bnteach", "pgmpy": "pgmpy", "causal-learn": "causallearn", "pyAgrum": "pyagrum"}

IMPORT = {  # what one writes before one can learn with it
    "bnteach": "import bnteach as bn",
    "pgmpy": "from pgmpy.estimators import PC",
    "causal-learn": "from causallearn.search.ConstraintBased.PC import pc",
    "pyAgrum": "import pyagrum",
}

CAN = {  # the tasks that each library has something for
    "bnteach": ("pc", "chow_liu", "hill_climb", "mmhc", "pc_z", "hill_climb_g", "exact_g"),
    "pgmpy": ("pc", "chow_liu", "hill_climb", "mmhc", "pc_z", "hill_climb_g"),
    "causal-learn": ("pc", "pc_z", "exact_g"),
    "pyAgrum": ("pc", "chow_liu", "hill_climb"),
}

NOTES = {
    "pgmpy": "applies the Yates correction, adjusts degrees of freedom, and asks about sets of at most 5 variables",
    "causal-learn": "adjusts degrees of freedom for states that do not occur",
    "pyAgrum": "has p-values of chi-square with variables given that differ from the definition; its Chow-Liu tree is "
               "made of the mutual informations that it computes",
}


def installed() -> list[str]:
    """The libraries that are there, bnteach first."""
    return [name for name, module in LIBRARIES.items() if importlib.util.find_spec(module) is not None]


def runs_of(library: str) -> dict[str, Run]:
    """What a library can do: task -> function. Imports the library."""
    warnings.simplefilter("ignore")
    return MAKERS[library]()


def _bnteach() -> dict[str, Run]:
    import bnteach as bn

    def edges(result: Any) -> list[Edge]:
        graph = result.graph
        return [(a, b, True) for a, b in graph.arcs] + [(a, b, False) for a, b in getattr(graph, "edges", ())]

    return {
        "pc": lambda df: edges(bn.pc(bn.ChiSquare(bn.Table(df)))),
        "chow_liu": lambda df: edges(bn.chow_liu(bn.Table(df))),
        "hill_climb": lambda df: edges(bn.hill_climb(bn.BIC(bn.Table(df)))),
        "mmhc": lambda df: edges(bn.mmhc(bn.Table(df))),
        "pc_z": lambda df: edges(bn.pc(bn.FisherZ(bn.Measurements(df)))),
        "hill_climb_g": lambda df: edges(bn.hill_climb(bn.BIC(bn.Measurements(df)))),
        "exact_g": lambda df: edges(bn.exact(bn.BIC(bn.Measurements(df)))),
    }


def _pgmpy() -> dict[str, Run]:
    from pgmpy.estimators import PC, HillClimbSearch, MmhcEstimator, TreeSearch

    def arcs(graph: Any) -> list[Edge]:
        return [(str(a), str(b), True) for a, b in graph.edges()]

    def pc(df: pd.DataFrame, test: str) -> list[Edge]:
        found = PC(df).estimate(variant="stable", ci_test=test, significance_level=0.05, return_type="pdag",
                                n_jobs=1, show_progress=False)
        return [(str(a), str(b), True) for a, b in found.directed_edges] + \
               [(str(a), str(b), False) for a, b in found.undirected_edges]

    def climb(df: pd.DataFrame, score: str) -> list[Edge]:
        return arcs(HillClimbSearch(df).estimate(scoring_method=score, show_progress=False))

    return {
        "pc": lambda df: pc(df, "chi_square"),
        "chow_liu": lambda df: arcs(TreeSearch(df, n_jobs=1).estimate(estimator_type="chow-liu", show_progress=False)),
        "hill_climb": lambda df: climb(df.astype("category"), "bic-d"),
        "mmhc": lambda df: arcs(MmhcEstimator(df.astype("category")).estimate(significance_level=0.05)),
        "pc_z": lambda df: pc(df, "pearsonr"),
        "hill_climb_g": lambda df: climb(df, "bic-g"),
    }


def _causal_learn() -> dict[str, Run]:
    import numpy as np
    from causallearn.search.ConstraintBased.PC import pc as search
    from causallearn.search.ScoreBased.ExactSearch import bic_exact_search

    def pc(df: pd.DataFrame, test: str) -> list[Edge]:
        graph = search(df.to_numpy(), alpha=0.05, indep_test=test, stable=True, show_progress=False).G.graph
        names, found = list(df.columns), []
        for i, j in np.argwhere(graph != 0):
            if graph[i, j] == -1 and graph[j, i] == 1:
                found.append((names[i], names[j], True))
            elif i < j and graph[i, j] == graph[j, i]:
                found.append((names[i], names[j], False))
        return found

    def exact(df: pd.DataFrame) -> list[Edge]:
        dag, _ = bic_exact_search(df.to_numpy() - df.to_numpy().mean(axis=0), search_method="dp")
        return [(df.columns[i], df.columns[j], True) for i, j in np.argwhere(dag)]

    return {"pc": lambda df: pc(df, "chisq"), "pc_z": lambda df: pc(df, "fisherz"), "exact_g": exact}


def _pyagrum() -> dict[str, Run]:
    from itertools import combinations

    import networkx as nx
    import pyagrum as gum

    def learner(df: pd.DataFrame) -> Any:
        made = gum.BNLearner(df)
        made.setNumberOfThreads(1)
        return made

    def chow_liu(df: pd.DataFrame) -> list[Edge]:
        made, graph = learner(df), nx.Graph()
        graph.add_weighted_edges_from((a, b, made.mutualInformation(a, b)) for a, b in combinations(df.columns, 2))
        return [(a, b, False) for a, b in nx.maximum_spanning_edges(graph, data=False)]

    def pc(df: pd.DataFrame) -> list[Edge]:
        made = learner(df)
        made.usePC()
        made.useChi2Test()
        made.setPCAlpha(0.05)
        made.setPCStable(True)
        graph = made.learnPDAG()
        return [(made.nameFromId(a), made.nameFromId(b), True) for a, b in graph.arcs()] + \
               [(made.nameFromId(a), made.nameFromId(b), False) for a, b in graph.edges()]

    def climb(df: pd.DataFrame) -> list[Edge]:
        made = learner(df)
        made.useGreedyHillClimbing()
        made.useScoreBIC()
        made.useNoPrior()
        return [(made.nameFromId(a), made.nameFromId(b), True) for a, b in made.learnDAG().arcs()]

    return {"pc": pc, "chow_liu": chow_liu, "hill_climb": climb}


MAKERS = {"bnteach": _bnteach, "pgmpy": _pgmpy, "causal-learn": _causal_learn, "pyAgrum": _pyagrum}
