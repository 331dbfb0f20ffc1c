"""bnteach: learning the structure of Bayesian networks, step by step.

    import bnteach as bn

An algorithm here is a generator of steps; text, tables, pictures and players all read those steps.
Data becomes a Table (categories) or Measurements (real numbers); an oracle or a score asks it questions;
a learner asks the oracle or the score, and gives a Result with a graph and a trace.
"""

from bnteach.graphs.dag import DAG, CircleError, UnknownVariable
from bnteach.graphs.pdag import PDAG
from bnteach.trace import Result, Step, Trace, stepwise

__version__ = "0.1.0"

__all__ = [
    "DAG",
    "PDAG",
    "CircleError",
    "Result",
    "Step",
    "Trace",
    "UnknownVariable",
    "stepwise",
]
