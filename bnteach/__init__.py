"""bnteach: learning the structure of Bayesian networks, step by step.

    import bnteach as bn

An algorithm here is a generator of steps; text, tables, pictures and players all read those steps.
Data becomes a Table (categories) or Measurements (real numbers); an oracle or a score asks it questions;
a learner asks the oracle or the score, and gives a Result with a graph and a trace.
"""

# ruff: noqa: F405

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bnteach.names import *  # noqa: F403

__version__ = "0.1.0"

__all__ = [
    "AIC",
    "BIC",
    "DAG",
    "K2",
    "MDL",
    "PDAG",
    "REPORT_TRANSFORMS",
    "BDeu",
    "CategoricalNetwork",
    "ChiSquare",
    "CircleError",
    "Comparison",
    "Counting",
    "DSeparation",
    "DataError",
    "FisherZ",
    "GSquare",
    "GaussianNetwork",
    "LogLikelihood",
    "Lying",
    "Measurements",
    "NoExtension",
    "Picture",
    "Result",
    "Score",
    "Statements",
    "Step",
    "Table",
    "Trace",
    "UnknownVariable",
    "Verdict",
    "accuracy_by_parents",
    "all_classes",
    "all_dags",
    "anneal",
    "anneal_grid",
    "branch_and_bound",
    "check",
    "chow_liu",
    "claim",
    "class_size",
    "classes_fixed_by_rotation",
    "compare",
    "count_classes",
    "count_dags",
    "count_singleton_classes",
    "cpdag",
    "d_separated",
    "datasets",
    "dimension",
    "draw",
    "em",
    "entropy",
    "equivalence_class",
    "every_number",
    "exact",
    "explain_separation",
    "extend",
    "extension",
    "faithfulness_violations",
    "figure",
    "fit",
    "gallery",
    "gaps",
    "hill_climb",
    "ilp",
    "independences",
    "is_adjacent",
    "is_cpdag",
    "is_imap",
    "is_minimal_imap",
    "is_pmap",
    "k3",
    "knob",
    "kruskal",
    "markov_equivalent",
    "markov_violations",
    "minimal_imap",
    "mmhc",
    "mmpc",
    "mutual_information",
    "mutual_informations",
    "no_separating_set",
    "not_separated_by_ancestors",
    "not_separated_by_parents",
    "order_search",
    "orient",
    "pattern",
    "pc",
    "play",
    "plots",
    "prim",
    "quiz",
    "read_bif",
    "recommend",
    "row_by_row",
    "side_by_side",
    "source",
    "stepwise",
    "structural_em",
    "temperatures",
    "v_structures",
    "with_gaps",
    "write_bif",
]


def load() -> None:
    """Load all public names. This happens by itself when the first of them is used, so that importing is quick."""
    names = import_module("bnteach.names")
    for name in __all__:
        globals().setdefault(name, getattr(names, name))


def __getattr__(name: str) -> Any:
    """A public name, or a room such as bn.learn: load all, and look again."""
    if name in __all__ or name in ("course", "graphs", "learn", "models", "show"):
        load()
        return globals()[name]
    try:
        return import_module(f"bnteach.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"module 'bnteach' has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
