"""bnteach: learning the structure of Bayesian networks, step by step.

    import bnteach as bn

An algorithm here is a generator of steps; text, tables, pictures and players all read those steps.
Data becomes a Table (categories) or Measurements (real numbers); an oracle or a score asks it questions;
a learner asks the oracle or the score, and gives a Result with a graph and a trace.
"""

from bnteach import datasets
from bnteach.graphs.dag import DAG, CircleError, UnknownVariable
from bnteach.graphs.pdag import PDAG
from bnteach.information import entropy, mutual_information, mutual_informations
from bnteach.learn.chow_liu import chow_liu, kruskal, prim
from bnteach.models import fit
from bnteach.models.categorical import CategoricalNetwork
from bnteach.scores import AIC, BIC, MDL, LogLikelihood, Score, dimension
from bnteach.table import DataError, Measurements, Table
from bnteach.trace import Result, Step, Trace, stepwise

__version__ = "0.1.0"

__all__ = [
    "AIC",
    "BIC",
    "DAG",
    "MDL",
    "PDAG",
    "CategoricalNetwork",
    "CircleError",
    "DataError",
    "LogLikelihood",
    "Measurements",
    "Result",
    "Score",
    "Step",
    "Table",
    "Trace",
    "UnknownVariable",
    "chow_liu",
    "datasets",
    "dimension",
    "entropy",
    "fit",
    "kruskal",
    "mutual_information",
    "mutual_informations",
    "prim",
    "stepwise",
]
