"""What learners are given is checked before they begin, for all of them alike."""

from typing import get_type_hints

import numpy as np
import pytest

import bnteach as bn
from bnteach.errors import checked
from bnteach.independence.oracle import Oracle
from tests.examples import LEARNERS, arguments, needed

TABLE = bn.datasets.five_rows()
SCORE = bn.MDL(TABLE)
SEARCHES = [bn.hill_climb, lambda s, **more: bn.k3(s, "ABCD", **more), bn.exact, bn.ilp, bn.order_search,
            lambda s, **more: bn.branch_and_bound(s, "ABCD", **more), lambda s, **more: bn.anneal(s, [1.0], **more)]


@pytest.mark.parametrize("learner", SEARCHES)
def test_what_is_not_a_score_gets_advice_how_to_make_one(learner):
    for other, words in [(TABLE, r"a Table\. Make one, such as bn\.MDL\(table\)"), (None, "None"),
                         (bn.BIC, r"the class BIC\. Make one, such as bn\.BIC\(table\)"),
                         (bn.ChiSquare(TABLE), "a ChiSquare"),
                         (bn.Measurements({"x": [1.5, 2]}), r"a Measurements.*bn\.BIC\(measurements\)")]:
        with pytest.raises(TypeError, match=f"needs a score, not {words}"):
            learner(other)


@pytest.mark.parametrize("learner", SEARCHES)
@pytest.mark.parametrize("many", [-1, 1.5, "two"])
def test_a_limit_on_parents_is_a_whole_number(learner, many):
    with pytest.raises(ValueError, match=f"max_parents={many!r} must be a whole number, at least 0, or None"):
        learner(SCORE, max_parents=many)
    assert learner(SCORE, max_parents=np.int64(1)).graph == learner(SCORE, max_parents=1).graph


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: bn.hill_climb(SCORE, restarts=-1), "restarts=-1 must be a whole number, at least 0"),
    (lambda: bn.order_search(SCORE, restarts=-1), "restarts=-1"),
    (lambda: bn.hill_climb(SCORE, seed="today"), "seed='today'"),
    (lambda: bn.anneal(SCORE, [1.0], seed=-1), "seed=-1"),
    (lambda: bn.hill_climb(SCORE, tabu=0.5), "tabu=0.5"),
    (lambda: bn.structural_em(TABLE, max_iterations=0), "max_iterations=0 must be a whole number, at least 1"),
    (lambda: bn.mmhc(TABLE, score="MDL"), "mmhc needs a score, not a str"),
    (lambda: bn.hill_climb.steps(SCORE, restarts=None), "restarts=None"),  # before the first step
    (lambda: bn.hill_climb(SCORE, moves=""), "'' is not a move"),
    (lambda: bn.hill_climb(SCORE, moves=None), "None is not a move"),
    (lambda: bn.hill_climb(SCORE, start=bn.chow_liu(TABLE)), r"not a TreeResult\. Give its graph: result\.graph"),
    (lambda: bn.anneal(SCORE, None), "temperatures=None is not a series"),
    (lambda: bn.anneal(SCORE, ["hot"]), "hot is no temperature"),
    (lambda: bn.chow_liu(TABLE, forest="yes"), "forest='yes' is unknown"),
    (lambda: bn.k3(SCORE, None), "names are needed here"),
    (lambda: bn.pc(SCORE), r"pc takes an independence oracle, not a MDL.*bn\.ChiSquare\(table\)"),
])
def test_each_mistake_has_its_message(ask, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ask()


WEIGHTS = bn.mutual_informations(TABLE)
NETWORK = bn.fit("A->C, B->C, B->D", TABLE)
DAG = bn.DAG("A->C, B->C, B->D")


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: bn.read_bif(None), "the path of a .bif or .bif.gz file is needed here, not 'None'"),
    (lambda: bn.read_bif("network dog { }" * 20), "the path of a .bif .*, not 'network dog"),
    (lambda: bn.write_bif(NETWORK, 3), "the path of a .bif or .bif.gz file is needed here, not '3'"),
    (lambda: bn.write_bif(NETWORK, "no/such/folder/net.bif"), "cannot write .*net.bif.*in an existing folder"),
    (lambda: bn.prim({}), r"weights of pairs.*a dict like \{\}\. Try bn\.mutual_informations"),
    (lambda: bn.prim(TABLE), "a Table like Table of 5 rows"),
    (lambda: bn.kruskal({"A": 1.0}), "weights of pairs"),
    (lambda: bn.kruskal({**WEIGHTS, ("A", "B"): "heavy"}), "weights of pairs"),
    (lambda: bn.chow_liu(TABLE, forest=float("nan")), "forest=nan is unknown"),
    (lambda: bn.hill_climb(SCORE, moves=3), "names are needed here.*not 3"),
    (lambda: bn.structural_em(TABLE, tolerance=-1), "tolerance=-1 must be a number, at least 0"),
    (lambda: bn.structural_em(TABLE, tolerance="small"), "tolerance='small' must be a number"),
    (lambda: bn.anneal(SCORE, [1.0], scale="2"), "scale='2' must be a number"),
    (lambda: bn.cooling_schedule(4), "cannot read the transform 4"),
    (lambda: bn.cooling_schedule("x", n=1.5), "n=1.5 must be a whole number"),
    (lambda: bn.cooling_schedule("x", n=10**9), "at most 10,000,000 in all"),
    (lambda: bn.anneal_grid(TABLE), "anneal_grid needs a score, not a Table"),
    (lambda: bn.anneal_grid(SCORE, seeds="1"), "seeds='1' must be a whole number"),
    (lambda: bn.anneal_grid(SCORE, None), "names are needed here"),
    (lambda: bn.anneal_grid(SCORE, file="no/such/folder/grid.csv"), "there is no folder 'no/such/folder'"),
    (lambda: bn.with_missing(TABLE, 0.1, seed="today"), "seed='today' must be a whole number"),
    (lambda: bn.row_by_row(DAG, TABLE), r"row_by_row needs a CategoricalNetwork, not a DAG\. .*bn\.fit\(dag, table\)"),
    (lambda: bn.row_by_row(NETWORK, TABLE, base=0), "base=0 cannot be the base"),
    (lambda: bn.row_by_row(NETWORK, TABLE.select("A", "B")), "no variable 'C' in the data"),
    (lambda: NETWORK.posterior(None), "names are needed here"),
    (lambda: NETWORK.posterior([]), "the query names no variable"),
    (lambda: NETWORK.posterior("A", TABLE.to_frame()), "values are given by name"),
    (lambda: NETWORK.probability("abcd"), "values are given by name"),
    (lambda: bn.DAG(bn.DAG), "a graph is needed here, not the class DAG"),
    (lambda: bn.DAG("A->B", "B->C"), r"'B->C' contains arrows\. Give all arcs in one text"),
    (lambda: list(bn.all_dags("A->B")), "names are needed here"),
    (lambda: bn.draw(bn.DAG), "bn.draw draws a DAG"),
    (lambda: bn.ChiSquare(DAG), "cannot read a DAG as a table"),
    (lambda: bn.Table({1, 2}), "cannot read a set as a table"),
    (lambda: bn.Table("A,B,C\n" * 99), "there is no file"),
    (lambda: bn.ChiSquare(TABLE)("A", "B", given=[["C"]]), "are not names"),
    (lambda: bn.is_adjacent("A->B", "A", "B"), "a DAG is needed here, not a str"),
    (lambda: bn.not_separated_by_parents(TABLE, "A", "B"), "a DAG is needed here, not a Table"),
    (lambda: bn.markov_violations(TABLE, DAG), "markov_violations needs a DAG, not a Table"),
    (lambda: bn.faithfulness_violations(DAG, SCORE), "a DAG or an oracle, not a MDL"),
    (lambda: bn.is_imap(DAG, bn.DSeparation), "a DAG or an oracle, not the class DSeparation"),
    (lambda: bn.independences(lambda x, y, given: True), "the oracle does not list its variables"),
    (lambda: bn.count_dags(10**9), "1,000,000,000 nodes would take too long"),
    (lambda: bn.count_singleton_classes(1000), "give 300 or fewer"),
    (lambda: bn.count_classes(40), "40 nodes would take too long to count; give 20 or fewer"),
    (lambda: bn.count_dags(np.zeros(2)), "whole number"),
    (lambda: bn.cooling_schedule("x", n=True), "n=True must be a whole number"),
    (lambda: bn.independences(bn.DAG((), map(str, range(40)))), r"40 variables need 2\^38 queries per pair"),
    (lambda: bn.hill_climb(SCORE, restart=3), r"keyword argument 'restart'\. It takes score, start, restarts"),
    (lambda: bn.k3(SCORE), r"missing .* 'order'\. It takes score, order, max_parents"),
    (lambda: bn.stepwise(lambda number: number)(3), "returned an int and reported no steps: `yield`"),
    (lambda: bn.hill_climb(SCORE).trace.only("Move"),
     "no step is called 'Move'; this trace has Started, Moved, Stopped. Did you mean 'Moved'"),
    (lambda: bn.gallery([DAG]), "bn.gallery draws groups of graphs by name.*not a list"),
    (lambda: bn.recommend(DAG, ["A"]), "recommend needs a CategoricalNetwork, not a DAG"),
    (lambda: bn.recommend(NETWORK, None), "names are needed here"),
    (lambda: TABLE.take([7]), "not all of these are rows of the table: 7. Give numbers from 0 to 4"),
    (lambda: TABLE.select(), "no variables are left; name at least one of A, B, C, D"),
    (lambda: bn.fit("x", bn.Measurements({"x": [1, 2.5]})).given(None), "values are given by name"),
    (lambda: bn.fit("x", bn.Measurements({"x": [1, 2.5]})).density([1]), "values are given by name"),
])
def test_no_mistake_ends_in_an_error_of_python(ask, message):
    with pytest.raises((ValueError, TypeError, bn.UnknownVariable), match=message):
        ask()


def test_a_graph_as_an_order_is_the_order_of_its_arrows():
    later = bn.DAG("D->B, B->C, A->C", "ABCD")
    assert bn.k3(SCORE, later).trace == bn.k3(SCORE, later.order).trace
    truth = bn.DSeparation(DAG)
    assert bn.minimal_imap(truth, later).trace == bn.minimal_imap(truth, later.order).trace


def test_one_variable_is_enough():
    score = bn.MDL(TABLE.select("A"))
    for learner in (bn.exact, bn.ilp, bn.hill_climb, bn.order_search):
        assert learner(score).graph == bn.DAG("A")
    for method in ("prim", "kruskal"):
        assert bn.chow_liu(TABLE.select("A"), method=method).graph == bn.DAG("A")


def test_numbers_of_numpy_are_numbers():
    assert bn.entropy(TABLE, "A", base=np.int64(4)) == bn.entropy(TABLE, "A") / 2
    assert bn.BDeu(TABLE, ess=np.int64(2)).family("A", ()) == bn.BDeu(TABLE, ess=2).family("A", ())
    assert bn.ChiSquare(TABLE, alpha=np.float32(0.25))("A", "B").independent is True
    oracle = bn.ChiSquare(TABLE, alpha=np.float64(0.25))
    assert bn.pc(oracle, max_conditioning=np.int64(1), stable=np.bool_(True)) == bn.pc(oracle, max_conditioning=1)
    assert bn.mmhc(TABLE, max_conditioning=np.int32(1), tabu=np.int64(3)) == bn.mmhc(TABLE, max_conditioning=1, tabu=3)
    assert bn.chow_liu(TABLE, forest=np.bool_(True)) == bn.chow_liu(TABLE, forest=True)


# -- every parameter with a type that is checked ---------------------------------------------------------
NEEDED = {bn.Score: 8, Oracle: 2, bn.DAG: 1, bn.CategoricalNetwork: 1}  # how many learners, at least, need one


def parameters_of(kind: type) -> list[tuple[str, str]]:
    """(learner, parameter) for every parameter annotated with this class, or with this class or None."""
    return [(name, parameter) for name, learner in LEARNERS.items()
            for parameter, hint in get_type_hints(learner.function).items()
            if parameter != "return" and hint in (kind, kind | None)]


@pytest.mark.parametrize(("kind", "least"), NEEDED.items(), ids=lambda value: getattr(value, "__name__", str(value)))
def test_every_parameter_of_a_learner_is_checked(kind, least):
    found = parameters_of(kind)
    assert len(found) >= least
    given = arguments(TABLE)
    for name, parameter in found:
        learner = LEARNERS[name]
        known = {needs: given[needs] for needs in needed(learner)}
        for wrong in (object(), kind, 3):
            with pytest.raises(TypeError, match=name):
                learner.steps(**known | {parameter: wrong})  # before the first step


def test_annotations_are_read_as_types_whatever_they_are_called():
    Renamed = bn.Score

    @bn.stepwise
    def own(score: Renamed, start: bn.DAG | None = None, text: "some words" = ""):  # noqa: F722
        yield bn.Step()
        return bn.DAG("A")

    assert own(SCORE, text=3).graph == own(SCORE, start=bn.DAG("A")).graph == bn.DAG("A")
    for wrong in ({"score": TABLE}, {"score": SCORE, "start": "A->B"}, {"score": SCORE, "start": bn.DAG}):
        with pytest.raises(TypeError, match=r"own needs a (score|DAG), not "):
            own(**wrong)


def test_a_checked_function_checks_what_is_given_by_position_and_by_name():
    @checked
    def double(number: int, *, scale: float = 1.0, base: float = 2) -> float:
        """Twice as much."""
        return 2 * number * scale

    assert double(3) == double(number=3) == 6 and double.__doc__ == "Twice as much."
    for wrong, message in [({"number": "3"}, "number='3' must be a whole number"), ({"number": -1}, "number=-1"),
                           ({"scale": -1}, "scale=-1 must be a number"), ({"base": 1}, "base=1 cannot be the base")]:
        with pytest.raises(ValueError, match=message):
            double(**{"number": 3} | wrong)
    with pytest.raises(ValueError, match=r"number=0\.5"):
        double(0.5)
