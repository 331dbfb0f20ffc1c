"""All public names of bnteach, each with the module it lives in; `import bnteach as bn` gives them as bn.DAG, bn.pc ...

They are loaded when the first of them is used (see __init__.py). A new name gets a line here and one in __all__ there.
"""

# ruff: noqa: F401
from bnteach import datasets, gaps
from bnteach.bayes_scores import K2, BDeu
from bnteach.course.check import check
from bnteach.course.claims import claim
from bnteach.course.every_number import every_number
from bnteach.course.quiz import quiz
from bnteach.fisher import FisherZ
from bnteach.gaps import with_gaps
from bnteach.graphs.compare import Comparison, compare
from bnteach.graphs.counting import (
    all_classes,
    all_dags,
    classes_fixed_by_rotation,
    count_classes,
    count_dags,
    count_singleton_classes,
)
from bnteach.graphs.dag import DAG, CircleError, UnknownVariable
from bnteach.graphs.equivalence import (
    class_size,
    cpdag,
    equivalence_class,
    is_cpdag,
    markov_equivalent,
    pattern,
    v_structures,
)
from bnteach.graphs.extension import NoExtension, extend, extension
from bnteach.graphs.imap import (
    faithfulness_violations,
    independences,
    is_imap,
    is_minimal_imap,
    is_pmap,
    markov_violations,
)
from bnteach.graphs.orientation import orient
from bnteach.graphs.paths import explain_separation
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.separation import (
    d_separated,
    is_adjacent,
    no_separating_set,
    not_separated_by_ancestors,
    not_separated_by_parents,
)
from bnteach.independence import Counting, DSeparation, Lying, Statements, Verdict
from bnteach.information import entropy, mutual_information, mutual_informations
from bnteach.learn.anneal import anneal
from bnteach.learn.anneal_grid import anneal_grid
from bnteach.learn.branch_and_bound import branch_and_bound
from bnteach.learn.chow_liu import chow_liu, kruskal, prim
from bnteach.learn.exact import exact
from bnteach.learn.hill_climb import hill_climb
from bnteach.learn.ilp import ilp
from bnteach.learn.k3 import k3
from bnteach.learn.minimal_imap import minimal_imap
from bnteach.learn.mmhc import mmhc, mmpc
from bnteach.learn.order_search import order_search
from bnteach.learn.pc import pc
from bnteach.learn.structural_em import structural_em
from bnteach.learn.temperatures import REPORT_TRANSFORMS, temperatures
from bnteach.models import fit
from bnteach.models.bif import read_bif, write_bif
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.em import em
from bnteach.models.gaussian import GaussianNetwork
from bnteach.models.prediction import accuracy_by_parents
from bnteach.models.rows import row_by_row
from bnteach.recommender import recommend
from bnteach.scores import AIC, BIC, MDL, LogLikelihood, Score, dimension
from bnteach.show import plots
from bnteach.show.draw import draw
from bnteach.show.gallery import gallery
from bnteach.show.knob import knob
from bnteach.show.picture import Picture, figure, side_by_side
from bnteach.show.player import play
from bnteach.show.text import source
from bnteach.statistics import ChiSquare, GSquare
from bnteach.table import DataError, Measurements, Table
from bnteach.trace import Result, Step, Trace, stepwise
