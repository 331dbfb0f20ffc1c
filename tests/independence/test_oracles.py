"""Oracles: what they read, what they answer, and how often data mislead them."""

import tracemalloc
from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

import bnteach as bn
from bnteach.independence.statements import Statement, read_statement


def two_by_two(a, b, c, d):
    """A table of X and Y with these four counts."""
    return bn.Table({"X": [0] * (a + b) + [1] * (c + d), "Y": [0] * a + [1] * b + [0] * c + [1] * d})


# -- verdicts ----------------------------------------------------------------------------------------------
def test_a_verdict_is_true_if_it_says_independent():
    assert bn.Verdict(True)
    assert not bn.Verdict(False)
    assert str(bn.Verdict(True, 1.0, 1, 0.3, "because")) == "because"
    with pytest.raises(AttributeError):
        bn.Verdict(True).independent = False


# -- statements --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "B _||_ C | A", "B _|_ C | A", "B ⊥ C | A", "B ⊥⊥ C | A", "B⫫C|A", "B indep C given A", "B_||_C|A",
    "B is independent of C given A", "{B} _||_ {C} | {A}", "B independent of C | A"])
def test_one_statement_in_many_forms(text):
    assert read_statement(text) == Statement(("B",), ("C",), ("A",), True)


@pytest.mark.parametrize("text", ["B not _||_ C | A", "B dep C | A", "B ⊥\u0338 C | A", "B !_||_ C | A",
                                  "B is not independent of C given A", "B is dependent on C given A"])
def test_dependences_are_read_too(text):
    assert read_statement(text) == Statement(("B",), ("C",), ("A",), False)


def test_sets_nothing_given_and_longer_names():
    assert read_statement("A, B _||_ {C, D} | E") == Statement(("A", "B"), ("C", "D"), ("E",))
    assert read_statement("A _||_ B") == read_statement("A _||_ B | {}") == read_statement("A ⊥ B | ∅")
    assert read_statement("AB _||_ C | DE", "ABCDE") == Statement(("A", "B"), ("C",), ("D", "E"))
    assert read_statement("AB _||_ C | DE").x == ("AB",)
    assert read_statement("rain _||_ wet grass | sprinkler on").given == ("sprinkler on",)


@pytest.mark.parametrize(("text", "says"), [
    ("B C | A", "no independence sign"), ("A _||_ B _||_ C", "more than one"), ("_||_ C", "on the left"),
    ("A _||_ | C", "on the right"), ("A _||_ B | C | D", "comes once"), ("A | C _||_ B", "comes once"),
    ("A _||_ B |", "nothing comes after"), ("A _||_ A", "two places"), ("A _||_ B | A", "two places"),
    ("A,, B _||_ C", "missing beside a comma"), ("A, B dep C", "does not say which")])
def test_malformed_statements_say_what_is_wrong(text, says):
    with pytest.raises(ValueError, match=says):
        bn.Statements(text)


def test_a_statement_is_text():
    with pytest.raises(TypeError, match="a statement is text"):
        bn.Statements(("A", "B"))


def test_statements_answer_either_way_round_and_say_when_they_were_not_told():
    oracle = bn.Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD")
    assert oracle.variables == ("A", "B", "C", "D")
    assert oracle("B", "C", "A") and oracle("C", "B", ["A"]) and oracle("D", "A", "CB") and oracle("D", "A", ("C", "B"))
    assert "statement: B _||_ C | A" in str(oracle("C", "B", "A"))
    assert not oracle("B", "C") and not oracle("B", "C", "AD")
    assert str(oracle("B", "C", "AD")) == "no statement about B and C given A, D: they count as dependent"


def test_otherwise():
    assert bn.Statements("A dep B", variables="ABC", otherwise="independent")("A", "C")
    with pytest.raises(ValueError, match=r"no statement about A and C\. Add one"):
        bn.Statements("A dep B", variables="ABC", otherwise="error")("A", "C")
    with pytest.raises(ValueError, match="otherwise='maybe' is unknown; use one of dependent"):
        bn.Statements("A dep B", otherwise="maybe")


def test_contradictory_statements():
    with pytest.raises(ValueError, match=r"'B _\|\|_ C \| A' and 'C not _\|\|_ B \| A' contradict each other on "):
        bn.Statements("B _||_ C | A", "C dep B | A")
    with pytest.raises(ValueError, match="contradict"):  # by weak union A _||_ B | C
        bn.Statements("A _||_ B, C", "A dep B | C")
    bn.Statements("B _||_ C | A", "C _||_ B | A", "B dep C")  # twice the same, and another question


def test_a_statement_on_sets_tells_what_follows_from_it():
    oracle = bn.Statements("A, B _||_ C | D")
    held = {(x, y, z) for x, y in combinations("ABCD", 2) for k in range(3)
            for z in combinations([v for v in "ABCD" if v not in (x, y)], k) if oracle(x, y, z)}
    assert held == {("A", "C", ("D",)), ("B", "C", ("D",)), ("A", "C", ("B", "D")), ("B", "C", ("A", "D"))}


def test_unknown_variable_in_a_statement():
    with pytest.raises(bn.UnknownVariable, match="no variable 'E' in the oracle"):
        bn.Statements("A _||_ E", variables="ABCD")


# -- questions that make no sense ---------------------------------------------------------------------------
ORACLES = {
    "statements": bn.Statements("A _||_ B", variables="ABC"),
    "d-separation": bn.DSeparation(bn.DAG("A->B, B->C")),
    "chi-square": bn.ChiSquare({"A": [0, 1, 1], "B": [0, 0, 1], "C": [1, 0, 1]}),
    "Fisher z": bn.FisherZ({"A": [0, 1, 1.5], "B": [0, 0, 1.0], "C": [1, 0, 1.0]}),
    "lying": bn.FaultyOracle(bn.Statements("A _||_ B", variables="ABC"), "A _||_ B"),
    "counting": bn.CachedOracle(bn.Statements("A _||_ B", variables="ABC")),
}


@pytest.mark.parametrize("oracle", ORACLES.values(), ids=ORACLES)
def test_questions_that_make_no_sense(oracle):
    with pytest.raises(ValueError, match="A is named twice"):
        oracle("A", "A")
    with pytest.raises(ValueError, match="B is both tested and given"):
        oracle("A", "B", ["B", "C"])
    with pytest.raises(bn.UnknownVariable, match="no variable 'D' in the oracle; it has A, B, C"):
        oracle("A", "D")
    with pytest.raises(bn.UnknownVariable, match="'E'"):
        oracle("A", "B", ["E"])
    with pytest.raises(bn.UnknownVariable, match="'E'"):
        oracle("A", "B", ("E",))
    with pytest.raises(ValueError, match="given twice"):
        oracle("A", "B", ("C", "C"))
    with pytest.raises(TypeError, match="are not names"):
        oracle(["A"], "B")
    with pytest.raises(TypeError, match="names are needed here, such as 'A, B'"):
        oracle("A", "B", given=None)


# -- d-separation --------------------------------------------------------------------------------------------
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(3, 7))
def test_d_separation_agrees_with_networkx(seed, n):
    rng = np.random.default_rng(seed)
    nodes = [f"v{i}" for i in rng.permutation(n)]
    arcs = [(a, b) for a, b in combinations(nodes, 2) if rng.random() < 0.4]
    oracle, graph = bn.DSeparation(bn.DAG(arcs, nodes)), nx.DiGraph(arcs)
    graph.add_nodes_from(nodes)
    for _ in range(20):
        x, y, *others = rng.permutation(nodes).tolist()
        z = others[: rng.integers(0, n - 1)]
        assert oracle(x, y, z).independent == nx.is_d_separator(graph, {x}, {y}, set(z))


# -- chi-square and G-square ---------------------------------------------------------------------------------
def test_the_hand_example():
    verdict = bn.ChiSquare(two_by_two(30, 20, 20, 30))("X", "Y")
    assert verdict.statistic == pytest.approx(4.0, abs=1e-12)
    assert verdict.dof == 1
    assert round(verdict.p_value, 4) == 0.0455
    assert not verdict.independent
    assert str(verdict) == "X and Y are dependent: chi-square 4.000 with 1 degree of freedom, p = 0.0455 < 0.05"
    assert bn.ChiSquare(two_by_two(30, 20, 20, 30), alpha=0.01)("X", "Y").independent


@st.composite
def tables(draw):
    """Up to 120 rows over X, Y and one or two conditioning variables, with two to four states each."""
    sizes = {name: draw(st.integers(2, 4)) for name in ("X", "Y", "Z", "W")[: draw(st.integers(2, 4))]}
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    rows = draw(st.integers(4, 120))
    columns = {name: pd.Categorical(rng.integers(0, k, rows) * rng.integers(0, 2, rows), categories=range(k))
               for name, k in sizes.items()}
    return bn.Table(pd.DataFrame(columns))


@settings(max_examples=80, deadline=None)
@given(tables(), st.booleans())
def test_both_tests_agree_with_scipy_stratum_by_stratum(table, g_square):
    given_ = [name for name in table.variables if name not in ("X", "Y")]
    counts = table.counts("X", "Y", given=given_).reshape(len(table.states("X")), len(table.states("Y")), -1)
    statistic = dof = 0
    for stratum in np.moveaxis(counts, -1, 0):
        seen = stratum[stratum.sum(axis=1) > 0][:, stratum.sum(axis=0) > 0]
        if min(seen.shape, default=0) > 1:
            there = chi2_contingency(seen, correction=False, lambda_="log-likelihood" if g_square else "pearson")
            statistic, dof = statistic + there.statistic, dof + there.dof
    test = bn.GSquare if g_square else bn.ChiSquare
    nominal, adjusted = test(table, adjust=False)("X", "Y", given_), test(table)("X", "Y", given_)
    assert nominal.statistic == pytest.approx(statistic, abs=1e-9)
    assert adjusted.statistic == nominal.statistic
    assert adjusted.dof == dof
    sizes = [len(table.states(name)) for name in given_]
    assert nominal.dof == (counts.shape[0] - 1) * (counts.shape[1] - 1) * int(np.prod(sizes, dtype=int))
    assert nominal.p_value == pytest.approx(chi2.sf(statistic, nominal.dof), abs=1e-9)
    assert adjusted.p_value == pytest.approx(chi2.sf(statistic, dof) if dof else 1.0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(tables())
def test_g_square_is_twice_n_times_mutual_information_in_nats(table):
    given_ = [name for name in table.variables if name not in ("X", "Y")]
    bits = bn.mutual_information(table, "X", "Y", given=given_)
    assert bn.GSquare(table)("X", "Y", given_).statistic == pytest.approx(2 * len(table) * bits * np.log(2), abs=1e-8)


@pytest.mark.parametrize("test", [bn.ChiSquare, bn.GSquare])
@pytest.mark.parametrize("adjust", [False, True])
def test_many_sets_at_once_are_answered_as_one_by_one(test, adjust):
    """Sets of 1 to 243 strata, and with empty ones, in the order in which they are asked."""
    rng = np.random.default_rng(8)
    oracle = test({f"v{i}": rng.integers(0, 2 + i % 2, 60) for i in range(10)}, adjust=adjust)
    sets = [z for size in (0, 1, 2, 5) for z in combinations(oracle.variables[2:], size)]
    found = oracle.answer_all([("v0", "v1", z) for z in sets])
    assert found == [oracle("v0", "v1", z)._replace(reason="") for z in sets]
    assert len({v.dof for v in found}) > 4


@pytest.mark.parametrize("at_once", [(1, 1, 1), (1, 64, 64), (3, 8, 8), (1000, 64, 64), (1000, 64, 4), (5, 16, 0)])
def test_pairs_searched_side_by_side_give_the_answers_up_to_the_first_independence(at_once):
    table = bn.datasets.asia(300)
    oracle, alone = bn.ChiSquare(table), bn.ChiSquare(table)
    oracle.pairs_at_once, oracle.tests_at_once, oracle.together = at_once
    pairs = list(combinations(table.variables, 2))
    sets = {pair: [z for size in (1, 2, 0) for z in combinations([v for v in table.variables if v not in pair], size)]
            for pair in pairs}
    sets["asia", "tub"] = []  # nothing to test
    for pair, found in zip(pairs, oracle.until_independent((x, y, iter(sets[x, y])) for x, y in pairs), strict=True):
        verdicts = [alone(*pair, z)._replace(reason="") for z in sets[pair]]
        first = next((i for i, verdict in enumerate(verdicts, start=1) if verdict), len(verdicts))
        assert found == list(zip(sets[pair], verdicts))[:first]


def test_an_oracle_without_errors_is_asked_no_more_than_needed():
    oracle = bn.CachedOracle(bn.DSeparation(bn.DAG("A->B->C->D")))
    sets = [(), ("B",), ("C",), ("B", "C")]
    ((*_, (given_, verdict)),) = oracle.until_independent([("A", "D", iter(sets))])
    assert given_ == ("B",) and verdict and len(oracle.queries) == 2


@pytest.mark.parametrize("test", [bn.ChiSquare, bn.GSquare])
@pytest.mark.parametrize("adjust", [False, True])
def test_all_pairs_at_once_are_answered_as_one_by_one(test, adjust, monkeypatch):
    """Also where a state does not occur, a column has one state, or there are too many states for all pairs at once."""
    rng = np.random.default_rng(9)
    frame = pd.DataFrame({f"v{i}": pd.Categorical(rng.integers(0, 1 + i, 40), range(2 + i)) for i in range(4)})
    for at_once in (True, False):
        monkeypatch.setattr(bn.independence.chi_square, "MAX_PAIR_CELLS", 2**22 if at_once else 100)
        oracle = test(frame, adjust=adjust)
        for x, y in permutations(frame, 2):
            (found,), alone = oracle.answer_all([(x, y, ())]), oracle(x, y)
            assert found.dof == alone.dof and type(found.dof) is int
            assert (found.independent, found.statistic, found.p_value) == pytest.approx(
                (alone.independent, alone.statistic, alone.p_value), abs=1e-9)
        assert bool(oracle._marginal_tests) == at_once


def test_no_degrees_of_freedom_is_told_and_counts_as_independent():
    table = bn.Table({"X": ["a"] * 4, "Y": [0, 1, 1, 0]})
    for adjust in (False, True):
        verdict = bn.ChiSquare(table, adjust=adjust)("X", "Y")
        assert verdict.independent and verdict.dof == 0 and verdict.p_value == 1.0
        assert "with 0 degrees of freedom independence cannot be rejected" in str(verdict)


def test_empty_strata_are_told():
    frame = pd.DataFrame({"X": [0, 1, 0, 1], "Y": [0, 1, 1, 0],
                          "Z": pd.Categorical([0, 0, 1, 1], categories=[0, 1, 2, 3])})
    verdict = bn.ChiSquare(frame, adjust=False)("X", "Y", "Z")
    assert verdict.dof == 4 and str(verdict).endswith("; 2 of 4 strata have no rows")
    assert bn.ChiSquare(frame)("X", "Y", "Z").dof == 2, "adjusted by default"
    assert "strata" not in str(bn.ChiSquare(frame)("X", "Y"))


def test_one_false_rejection_in_twenty():
    """142 independent coins make 10,011 pairs, each a test of a true independence."""
    coins = np.random.default_rng(20).integers(0, 2, (1000, 142))
    oracle = bn.ChiSquare({f"c{i}": coins[:, i] for i in range(142)}, alpha=0.05)
    rejected = [not oracle(x, y) for x, y in combinations(oracle.variables, 2)]
    assert len(rejected) == 10_011
    assert 0.04 < np.mean(rejected) < 0.06


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, "0.05", None])
def test_alpha_is_a_share(alpha):
    for test, data in ((bn.ChiSquare, {"X": [0, 1]}), (bn.GSquare, {"X": [0, 1]}), (bn.FisherZ, {"X": [0.0, 1.0]})):
        with pytest.raises(ValueError, match="is not a significance level"):
            test(data, alpha=alpha)


def test_measurements_are_no_categories():
    with pytest.raises(bn.DataError, match="categories are needed here"):
        bn.ChiSquare(bn.Measurements({"X": [0.5, 1.5]}))
    with pytest.raises(bn.DataError, match=r"Fisher's z needs real numbers"):
        bn.FisherZ(bn.Table({"X": [0, 1]}))


# -- wrappers ------------------------------------------------------------------------------------------------
def test_lying_flips_the_named_answers_and_no_other():
    truth = bn.DSeparation(bn.DAG("A->B, A->C, C->D"))
    liar = bn.FaultyOracle(truth, "C _||_ B | A", "A indep D")
    flipped = {(x, y, z) for x, y in combinations("ABCD", 2) for k in range(3)
               for z in combinations([v for v in "ABCD" if v not in (x, y)], k)
               if bool(liar(y, x, z)) != bool(truth(x, y, z))}
    assert flipped == {("B", "C", ("A",)), ("A", "D", ())}
    assert "a wrong answer; in truth, B and C given A are d-separated" in str(liar("B", "C", "A"))
    with pytest.raises(ValueError, match="is about sets"):
        bn.FaultyOracle(truth, "A, B _||_ C")
    with pytest.raises(bn.UnknownVariable):
        bn.FaultyOracle(truth, "A _||_ X")
    with pytest.raises(TypeError, match="takes an independence oracle, not a DAG"):
        bn.FaultyOracle(bn.DAG("A->B"))


def test_counting_remembers():
    class Once(bn.Statements):
        calls = 0

        def answer(self, x, y, given):
            type(self).calls += 1
            return super().answer(x, y, given)

    oracle = bn.CachedOracle(Once("A _||_ B | C", variables="ABC"))
    answers = [oracle("A", "B", "C"), oracle("B", "A", ["C"]), oracle("A", "C")]
    assert [bool(a) for a in answers] == [True, True, False]
    assert Once.calls == oracle.distinct == 2
    assert oracle.queries == [("A", "B", ("C",)), ("B", "A", ("C",)), ("A", "C", ())]
    table = oracle.table()
    assert table["independent"].tolist() == [True, True, False]
    assert table["given"].tolist() == ["C", "C", ""]
    assert "3 queries, 2 distinct" in repr(oracle)


def test_a_cached_oracle_answers_in_batches_what_it_has_not_cached():
    truth, oracle = bn.ChiSquare(bn.datasets.asia(500)), bn.CachedOracle(bn.ChiSquare(bn.datasets.asia(500)))
    first = oracle("lung", "bronc", given="smoke")
    sets = [(), ("xray", "smoke"), ("smoke",), ("xray", "smoke"), ("smoke", "xray"), ("tub",)]
    found = oracle.answer_all([("bronc", "lung", z) for z in sets])
    assert found[2] is first
    for names, verdict in zip(sets, found, strict=True):
        one = truth("lung", "bronc", names)
        assert (verdict.statistic, verdict.dof) == pytest.approx((one.statistic, one.dof))
    assert oracle.distinct == 4 and len(oracle.queries) == 7
    (first,) = oracle.until_independent([("asia", "dysp", [(), ("tub",), ("smoke",)])])
    assert first[0][1] and oracle.distinct == 5, "what was tested ahead is no query"
    assert oracle.table()["reason"].str.contains("chi-square").all()


# -- in batches ----------------------------------------------------------------------------------------------
def by_hand(frame, x, y, given):
    """Chi-square and G-square stratum by stratum, by plain loops."""
    chi = g = 0.0
    for _, stratum in frame.groupby(list(given)) if given else [((), frame)]:
        seen = pd.crosstab(stratum[x], stratum[y])
        for i in seen.index:
            for j in seen.columns:
                expected = seen.loc[i].sum() * seen[j].sum() / len(stratum)
                chi += (seen.loc[i, j] - expected) ** 2 / expected
                g += 2 * seen.loc[i, j] * np.log(seen.loc[i, j] / expected) if seen.loc[i, j] else 0
    return chi, g


@pytest.mark.parametrize("adjust", [False, True])
@pytest.mark.parametrize("rows", [90, 3000])
def test_many_sets_are_answered_as_one_by_one(rows, adjust):
    """Small batches by bits, large ones in a projection; all sets of one size after the other, as PC asks."""
    random = np.random.default_rng(5)
    frame = pd.DataFrame({name: random.integers(0, 2 + (i % 3 == 0), rows) for i, name in enumerate("ABCDEFGHIJKL")})
    frame["A"] = np.where(random.random(rows) < 0.3, frame["B"], frame["A"])
    together = bn.ChiSquare(bn.Table(frame), adjust=adjust)
    for x, y in (("A", "B"), ("C", "D"), ("A", "H")):
        others = [v for v in "ABCDEFGH" if v not in (x, y)]
        sets = [z for size in range(6) for z in combinations(others, size)]
        for z, verdict in zip(sets, together.answer_all([(x, y, z) for z in sets]), strict=True):
            alone = bn.ChiSquare(bn.Table(frame), adjust=adjust)(x, y, z)
            assert verdict.statistic == pytest.approx(alone.statistic, rel=1e-9, abs=1e-9)
            assert (verdict.dof, verdict.p_value) == (alone.dof, pytest.approx(alone.p_value, rel=1e-6))
    assert (together.table.distinct_rows.projection is not None) == (rows == 3000)  # a projection where it pays


def test_batches_of_every_kind_against_loops():
    random = np.random.default_rng(6)
    frame = pd.DataFrame({name: random.integers(0, 2, 600) for name in "ABCDEF"}, dtype=object)
    frame["B"] = np.where(random.random(600) < 0.2, frame["A"], frame["B"])
    table, sets = bn.Table(frame), [z for size in (4, 3, 0, 2) for z in combinations("CDEF", size)]
    for place, oracle in enumerate((bn.ChiSquare(table), bn.GSquare(table))):
        for z, verdict in zip(sets, oracle.answer_all([("A", "B", z) for z in sets]), strict=True):
            assert verdict.statistic == pytest.approx(by_hand(frame, "A", "B", z)[place], rel=1e-9)


def test_a_table_too_large_for_one_go_is_counted_in_halves(monkeypatch):
    table = bn.datasets.asia(2000, seed=3)
    sets = list(combinations([v for v in table.variables if v not in ("lung", "bronc")], 2))
    queries = [("lung", "bronc", z) for z in sets]
    usual = bn.ChiSquare(table).answer_all(queries)
    for chunk in (0, 100, 400):
        monkeypatch.setattr(bn.tables.bit_rows, "CHUNK", chunk)
        assert bn.ChiSquare(table).answer_all(queries) == usual


@pytest.mark.parametrize("adjust", [False, True])
def test_far_more_strata_than_memory_has_room_for(adjust):
    """70 variables given: 2^70 strata, of which a few have rows. Between smaller sets, as they come."""
    random = np.random.default_rng(7)
    few = pd.DataFrame(random.integers(0, 2, (40, 72)), columns=[f"v{i}" for i in range(72)])
    frame = few.loc[np.repeat(few.index, 6)].reset_index(drop=True)  # so that a stratum has six rows
    frame["v0"], frame["v1"] = random.integers(0, 2, (2, len(frame)))
    names = list(frame)[2:]
    sets = [(), tuple(names), tuple(names[:2]), tuple(names[:25]), tuple(names[:21])]
    for place, test in enumerate((bn.ChiSquare, bn.GSquare)):
        answers = test(frame, adjust=adjust).answer_all([("v0", "v1", z) for z in sets])
        for z, verdict in zip(sets, answers, strict=True):
            assert verdict.statistic == pytest.approx(by_hand(frame, "v0", "v1", z)[place], rel=1e-9)
            strata = [s for _, s in frame.groupby(list(z))] if z else [frame]
            varied = sum(s["v0"].nunique() * s["v1"].nunique() == 4 for s in strata)
            assert verdict.dof == (varied if adjust else 2 ** len(z))
            empty = 2 ** len(z) - len(strata)
            alone = test(frame, adjust=adjust)("v0", "v1", z)
            assert alone._replace(reason="") == verdict
            assert (f"; {empty} of {2 ** len(z)} strata ha" in alone.reason) == (empty > 0)
            assert verdict.p_value == pytest.approx(chi2.sf(verdict.statistic, float(verdict.dof)), abs=1e-9)


@pytest.mark.parametrize("adjust", [False, True])
@pytest.mark.parametrize("test", [bn.ChiSquare, bn.GSquare])
def test_only_cells_with_rows_give_the_same_test(test, adjust, monkeypatch):
    """As if there were too many cells to list them all."""
    random = np.random.default_rng(11)
    frame = pd.DataFrame({name: pd.Categorical(random.integers(0, 3, 200), range(4)) for name in "ABCD"})
    queries = [("A", "B", z) for size in range(3) for z in combinations("CD", size)]
    usual = test(frame, adjust=adjust).answer_all(queries)
    monkeypatch.setattr(bn.tables.bit_rows, "MAX_BATCH", 1)
    monkeypatch.setattr(bn.independence.chi_square, "MAX_PAIR_CELLS", 1)
    for one, other in zip(usual, test(frame, adjust=adjust).answer_all(queries), strict=True):
        assert (one.independent, one.dof) == (other.independent, other.dof)
        assert (one.statistic, one.p_value) == pytest.approx((other.statistic, other.p_value), rel=1e-9)


def test_many_states_need_little_memory():
    """All cells of five columns with 500 states each would fill gigabytes."""
    random = np.random.default_rng(12)
    table = bn.Table({name: random.integers(0, 500, 1000) for name in "ABCDE"})
    tracemalloc.start()
    try:
        bn.pc(bn.ChiSquare(table))
        assert tracemalloc.get_traced_memory()[1] < 2**27
    finally:
        tracemalloc.stop()


def test_too_few_rows_per_cell_are_not_tested():
    table = bn.Table({"X": [0, 1] * 50, "Y": [0, 1] * 50, "Z": list(range(50)) * 2})
    test = bn.ChiSquare(table, rows_per_cell=5)
    assert test("X", "Y").tested and not test("X", "Y")
    wide = test("X", "Z")
    assert not wide.tested and wide.independent and wide.p_value is None
    assert str(wide) == ("X and Z are not tested and count as independent: 100 rows for 100 cells, "
                         "and 5 rows per cell are needed")
    assert test.answer_all([("Z", "X", ("Y",)), ("X", "Y", ())]) == [wide._replace(reason=""),
                                                                     test("X", "Y")._replace(reason="")]
    assert bn.pc(test).graph == bn.PDAG("X-Y, Z")
    with pytest.raises(ValueError, match="rows_per_cell=-1 must be a number, at least 0"):
        bn.GSquare(table, rows_per_cell=-1)
