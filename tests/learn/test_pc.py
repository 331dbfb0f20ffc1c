"""PC: exact on every small DAG, steady under permutations, honest about contradictions."""

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.independence.oracle import Oracle
from bnteach.learn.steps.pc import (
    Conflict,
    IndependenceTest,
    Kept,
    Level,
    NoVStructure,
    OrientedByKnowledge,
    Removed,
    Vote,
    VStructure,
)
from tests.graphs.brute import by_class, essential, every_dag

FOUR = ("B _||_ C | A", "A _||_ D | B, C")


def essential_graph(members):
    """From the definition: arcs on which all members of a class agree, the other edges undirected."""
    return bn.PDAG(*essential(members), members[0].nodes)


def separations(dag):
    """All d-separations, by networkx."""
    graph, nodes = dag.to_networkx(), dag.nodes
    return tuple(nx.is_d_separator(graph, {x}, {y}, set(z)) for x, y in combinations(nodes, 2)
                 for size in range(len(nodes) - 1)
                 for z in combinations([n for n in nodes if n not in (x, y)], size))


# -- exactness -----------------------------------------------------------------------------------------------
def test_exact_on_all_543_dags_on_four_nodes():
    """Here classes are formed by the d-separations themselves, as networkx sees them."""
    found = {}
    for dag in every_dag("ABCD"):
        found.setdefault(separations(dag), []).append(dag)
    assert (len(found), sum(map(len, found.values()))) == (185, 543)
    for members in found.values():
        wanted = essential_graph(members)
        for dag in members:
            for stable in (True, False):
                result = bn.pc(bn.DSeparation(dag), stable=stable)
                assert result.graph == wanted
                assert not result.trace.only(Conflict)


@pytest.mark.parametrize("seed", range(25))
def test_exact_on_random_dags_on_ten_nodes(seed):
    rng = np.random.default_rng(seed)
    nodes = rng.permutation(list("ABCDEFGHIJ")).tolist()
    dag = bn.DAG([(a, b) for a, b in combinations(nodes, 2) if rng.random() < rng.choice([0.15, 0.3])], sorted(nodes))
    for stable in (True, False):
        result = bn.pc(bn.DSeparation(dag), stable=stable)
        assert result.graph == bn.cpdag(dag)
    for (x, y), separating_set in result.separating_sets.items():
        assert nx.is_d_separator(dag.to_networkx(), {x}, {y}, set(separating_set))
    assert {frozenset(p) for p in result.separating_sets} == {frozenset(p) for p in combinations(nodes, 2)
                                                        if not dag.adjacent(*p)}


# -- the four-variable example -------------------------------------------------------------------------------
def test_the_four_variable_example_is_reported_in_the_order_of_the_document():
    result = bn.pc(bn.Statements(*FOUR, variables="ABCD"))
    assert result.graph == bn.PDAG("A-B, A-C, B->D, C->D")
    assert result.separating_sets == {("A", "D"): ("B", "C"), ("B", "C"): ("A",)}
    assert result.score is None and result.learner == "pc"
    reported = [str(step) for step in result.trace if not isinstance(step, IndependenceTest)]
    assert reported == [
        "Start with the complete graph over A, B, C, D: 6 edges.",
        "Level 0: test marginal independence, for each of the 6 remaining edges.",
        "Level 1: test given one variable, for each of the 6 remaining edges.",
        "Remove B-C; the separating set is S_BC = {A}.",
        "Level 2: test given 2 variables, for each of the 5 remaining edges.",
        "Remove A-D; the separating set is S_AD = {B, C}.",
        "No remaining edge has enough neighbours for a larger conditioning set. Skeleton: A-B, A-C, B-D, C-D.",
        "S_AD = {B, C} contains every common neighbour of A and D: no v-structure.",
        "S_BC = {A} does not contain the common neighbour D: orient B → D ← C.",
        "No rule applies any more: A-B and A-C stay undirected.",
    ]
    assert len(bn.equivalence_class(result.graph)) == 3


def test_no_test_is_made_twice_and_none_after_the_edge_is_removed():
    oracle = bn.CachedOracle(bn.Statements(*FOUR, variables="ABCD"))
    result = bn.pc(oracle)
    assert len(oracle.queries) == oracle.distinct == result.tests == 22
    gone = set()
    for step in result.trace:
        if isinstance(step, IndependenceTest):
            assert (step.x, step.y) not in gone
        elif isinstance(step, Removed):
            gone.add((step.x, step.y))


def test_the_trace_replays_to_the_graph():
    result = bn.pc(bn.DSeparation(bn.DAG("A->C, B->C, C->D, D->E", "ABCDE")))
    *_, (_, drawing) = result.trace.replay()
    arcs = {pair for pair, line in drawing.edges.items() if line.directed}
    edges = {frozenset(pair) for pair, line in drawing.edges.items() if not line.directed}
    assert arcs == set(result.graph.arcs)
    assert edges == set(map(frozenset, result.graph.edges))
    assert list(drawing.nodes) == list("ABCDE")


def test_walking_step_by_step():
    walk = bn.pc.steps(bn.Statements(*FOUR, variables="ABCD"))
    assert [str(next(walk)) for _ in range(3)][-1] == "A and B: dependent."


def test_names_of_more_than_one_letter_and_p_values_in_the_sentences():
    assert str(Removed("rain", "mood", ("sun",))) == "Remove rain-mood; the separating set is S(rain, mood) = {sun}."
    assert str(IndependenceTest("x", "y", ("z",), True, 0.25)) == "x and y given z: independent (p = 0.25)."
    assert str(NoVStructure("A", "B", None)).startswith("A and B have no separating set")


# -- data ----------------------------------------------------------------------------------------------------
def sampled(seed, rows=200, n=10):
    """Rows from a random network of n binary variables."""
    rng = np.random.default_rng(seed)
    columns = {}
    for i in range(n):
        parents = [columns[f"v{j}"] for j in range(i) if rng.random() < 0.5]
        push = sum((2 * p - 1) * rng.uniform(0.4, 1.5) for p in parents) if parents else 0.0
        columns[f"v{i}"] = (rng.random(rows) < 1 / (1 + np.exp(-push))).astype(int)
    return columns


@pytest.mark.parametrize("seed", range(8))
def test_permuting_the_columns_never_changes_the_stable_skeleton(seed):
    columns = sampled(seed)
    rng = np.random.default_rng(seed)
    skeletons = set()
    for _ in range(6):
        order = rng.permutation(list(columns))
        result = bn.pc(bn.ChiSquare({name: columns[name] for name in order}))
        skeletons.add(frozenset(map(frozenset, result.graph.skeleton)))
    assert len(skeletons) == 1


def test_permuting_the_columns_does_change_the_original_skeleton_now_and_then():
    """So `stable` is worth having: the same test as above fails without it."""
    changed = 0
    for seed in range(4):
        columns, rng = sampled(seed), np.random.default_rng(seed)
        found = {frozenset(map(frozenset, bn.pc(bn.ChiSquare({v: columns[v] for v in order}), stable=False)
                               .graph.skeleton)) for order in (rng.permutation(list(columns)) for _ in range(6))}
        changed += len(found) > 1
    assert changed > 0


def test_enough_data_lead_to_the_class():
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 20_000)) < 0.5
    c = rng.random(20_000) < np.where(a ^ b, 0.2, np.where(a, 0.9, 0.5))
    d = rng.random(20_000) < np.where(c, 0.8, 0.3)
    table = bn.Table({"A": a, "B": b, "C": c, "D": d})
    for test in (bn.ChiSquare, bn.GSquare):
        assert bn.pc(test(table, alpha=0.001)).graph == bn.PDAG("A->C, B->C, C->D")


def test_measurements_work_alike():
    rng = np.random.default_rng(2)
    a, b, e, f = rng.normal(size=(4, 2000))
    data = {"A": a, "B": b, "C": a + b + e, "D": a + b + e + f}
    assert bn.pc(bn.FisherZ(data, alpha=0.001)).graph == bn.PDAG("A->C, B->C, C->D")


def test_max_conditioning():
    oracle = bn.Statements(*FOUR, variables="ABCD")
    result = bn.pc(oracle, max_conditioning=1)
    assert len(result.graph.skeleton) == 5
    assert [step.size for step in result.trace.only(Level)] == [0, 1]
    assert any("Conditioning sets of more than 1 variable are not tested" in str(step) for step in result.trace)
    assert bn.pc(oracle, max_conditioning=2).graph == bn.pc(oracle).graph


# -- one wrong answer ----------------------------------------------------------------------------------------
def test_one_wrong_answer_gives_a_wrong_structure():
    """Exercise 2 (i): a chain whose ends are said to stay dependent given the middle."""
    truth = bn.DAG("A->B, B->C")
    faulty = bn.FaultyOracle(bn.DSeparation(truth), "A _||_ C | B")
    assert bn.pc(faulty).graph == bn.PDAG("A-B, A-C, B-C")
    assert bn.pc(faulty).graph != bn.cpdag(truth)


def test_one_wrong_answer_keeps_the_skeleton_and_breaks_one_v_structure():
    """Exercise 2 (ii): the wrong answer gives an empty separating set before the true one is tried."""
    truth = bn.DAG("A->B, B->C, C->D")
    result = bn.pc(bn.FaultyOracle(bn.DSeparation(truth), "A _||_ C"))
    assert set(result.graph.skeleton) == set(truth.skeleton)
    assert result.graph == bn.PDAG("A->B, C->B, C-D")
    assert not result.trace.only(Conflict)


# -- contradictory answers -----------------------------------------------------------------------------------
PATH = bn.Statements("A _||_ C", "B _||_ D", "A _||_ D")  # asks for A -> B <- C and for B -> C <- D
CPDAGS = {essential_graph(members) for members in by_class(every_dag("ABCD"))}
RING = bn.Statements("A _||_ X", "B _||_ Y", "C _||_ Z", "X _||_ C | B", "Y _||_ A | C", "Z _||_ B | A",
                     "X _||_ Y", "X _||_ Z", "Y _||_ Z", variables="ABCXYZ")


def test_conflicting_v_structures_are_reported_and_decided_by_the_policy():
    first, last = bn.pc(PATH), bn.pc(PATH, conflicts="keep last")
    assert first.graph.has_arc("C", "B") and last.graph.has_arc("B", "C")
    assert str(first.trace.only(Conflict)[0]) == (
        "Conflict: B → C ← D is a v-structure, but C → B was oriented before. "
        "The test results contradict each other; the first v-structure is kept.")
    assert "the last v-structure is kept" in str(last.trace.only(Conflict)[0])
    with pytest.raises(ValueError, match="B → C ← D is a v-structure, but C → B was oriented before: the test results"):
        bn.pc(PATH, conflicts="raise")


def test_v_structures_that_close_a_cycle():
    """Three v-structures demand A -> B -> C -> A; then R1 demands C -> A again."""
    for policy in ("keep first", "keep last"):
        result = bn.pc(RING, conflicts=policy)
        reported = [str(step) for step in result.trace.only(Conflict)]
        assert any("it would close a cycle with earlier arcs" in text for text in reported)
        assert any("R1 demands" in text and "would close a cycle" in text for text in reported)
        assert nx.is_directed_acyclic_graph(nx.DiGraph(result.graph.arcs))
        *_, (_, drawing) = result.trace.replay()
        assert {pair for pair, line in drawing.edges.items() if line.directed} == set(result.graph.arcs)


def test_rules_that_demand_both_directions_of_an_edge():
    """D -> A - B and E -> B - A: by R1 both A -> B and B -> A, and either one is a new v-structure."""
    found = bn.pc(bn.Statements("A _||_ E | B", "B _||_ D | A", "C _||_ D", "C _||_ E", "D _||_ E", variables="CABDE"))
    assert found.graph == bn.PDAG("C->A, C->B, A->B, D->A, E->B")
    assert [str(step) for step in found.trace.only(Conflict)] == [
        "Conflict: R1 demands A → B, but A → B ← E would be a new v-structure. "
        "The test results contradict each other; the rule is followed."]


def test_a_conflict_is_among_the_reasons_of_its_pairs():
    found, conflict = bn.pc(PATH), "Conflict: B → C ← D is a v-structure"
    for pair in ("BC", "CD", "BD"):
        assert conflict in str(found.why(*pair)), pair
    assert conflict not in str(found.why("A", "B"))
    rules = bn.pc(bn.Statements("A _||_ E | B", "B _||_ D | A", "C _||_ D", "C _||_ E", "D _||_ E", variables="CABDE"))
    assert [pair for pair in combinations("ABCDE", 2) if "Conflict" in str(rules.why(*pair))] == [
        ("A", "B"), ("A", "E"), ("B", "E")]
    for policy in ("keep first", "keep last"):
        ring = bn.pc(RING, conflicts=policy)
        for number, step in enumerate(ring.trace, start=1):
            if isinstance(step, Conflict):
                assert any(number in [i for i, _, _ in ring.why(*pair).steps] for pair in combinations("ABCXYZ", 2))


class Whim(Oracle):
    """Answers at random, but always the same to the same question."""

    def __init__(self, n, seed, yes):
        super().__init__("ABCDE"[:n])
        self.rng, self.yes, self.verdicts = np.random.default_rng(seed), yes, {}

    def answer(self, x, y, given):
        key = frozenset((x, y)), frozenset(given)
        return bn.Verdict(self.verdicts.setdefault(key, bool(self.rng.random() < self.yes)))


@settings(max_examples=400, deadline=None)
@given(st.integers(4, 5), st.integers(0, 2**31), st.sampled_from([0.05, 0.15, 0.3]), st.booleans(),
       st.sampled_from(["keep first", "keep last", "raise"]))
def test_no_oracle_makes_pc_crash_or_return_a_cycle(n, seed, yes, stable, policy):
    whim = Whim(n, seed, yes)
    try:
        result = bn.pc(whim, stable=stable, conflicts=policy)
    except ValueError as error:
        assert policy == "raise" and "contradict each other" in str(error)
        return
    assert nx.is_directed_acyclic_graph(nx.DiGraph(result.graph.arcs))
    gone = {frozenset(pair) for pair in combinations(whim.variables, 2) if not result.graph.adjacent(*pair)}
    assert gone == {frozenset(pair) for pair in result.separating_sets}
    assert all(whim(x, y, separating_set) for (x, y), separating_set in result.separating_sets.items())
    if not result.trace.only(Conflict):  # then every v-structure that was found is there
        for step in result.trace.only(VStructure):
            assert result.graph.has_arc(step.x, step.z) and result.graph.has_arc(step.y, step.z)
    *_, (_, drawing) = result.trace.replay()
    assert {pair for pair, line in drawing.edges.items() if line.directed} == set(result.graph.arcs)


# -- cautious v-structures -----------------------------------------------------------------------------------
@pytest.mark.parametrize("orient", ["conservative", "majority"])
def test_without_errors_every_policy_finds_the_class(orient):
    for dag in list(every_dag("ABCD"))[::3]:
        result = bn.pc(bn.DSeparation(dag), orient=orient)
        assert result.graph == bn.cpdag(dag) and result.is_cpdag
        assert all(step.containing in (0, step.total) for step in result.trace.only(Vote))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([0.1, 0.3, 0.5]), st.sampled_from(["conservative", "majority"]),
       st.sampled_from([None, 1]))
def test_every_vote_counts_the_sets_that_separate(seed, yes, orient, limit):
    whim = Whim(5, seed, yes)
    result = bn.pc(whim, orient=orient, max_conditioning=limit)
    near = {x: set(result.graph.adjacent_to(x)) for x in whim.variables}
    ambiguous = set()
    for x, y in combinations(whim.variables, 2):
        votes = {step.z: step for step in result.trace.only(Vote) if (step.x, step.y) == (x, y)}
        assert set(votes) <= near[x] & near[y] and (y in near[x]) <= (not votes)
        sets = {frozenset(z) for side in (x, y) for size in range(len(near[side]) + 1 if limit is None else limit + 1)
                for z in combinations(sorted(near[side]), size)} if votes else set()
        separating = {z for z in sets if whim(x, y, tuple(z))}
        for z, vote in votes.items():
            share = sum(z in s for s in separating) / len(separating) if separating else .5
            limits = (0, 1) if orient == "conservative" else (.5 - 1e-9, .5 + 1e-9)
            assert vote.total == len(separating)
            assert vote.collider == (True if share <= limits[0] else False if share >= limits[1] else None)
            ambiguous |= {(x, z, y)} if vote.collider is None else set()
    assert nx.is_directed_acyclic_graph(nx.DiGraph(result.graph.arcs))
    *_, (_, drawing) = result.trace.replay()
    assert {pair for pair, line in drawing.edges.items() if line.directed} == set(result.graph.arcs)


@pytest.mark.parametrize("orient", ["conservative", "majority"])
def test_permuting_the_columns_never_changes_the_votes(orient):
    columns = sampled(3)
    found = set()
    for order in (list(columns), sorted(columns, reverse=True), np.random.default_rng(1).permutation(list(columns))):
        trace = bn.pc(bn.ChiSquare({name: columns[name] for name in order}), orient=orient, max_conditioning=2).trace
        found.add(frozenset((step.z, frozenset((step.x, step.y)), step.collider) for step in trace.only(Vote)))
    assert len(found) == 1 and len(next(iter(found))) > 3


def test_no_rule_draws_conclusions_from_an_ambiguous_triple():
    """A -> B <- C is certain; given {} and given {B}, A and D are independent, so A - B - D is ambiguous."""
    facts = ["A _||_ C", "A _||_ D", "A _||_ D | B", "C _||_ D | B", "C _||_ D"]
    standard = bn.pc(bn.Statements(*facts[:1], *facts[2:4], variables="ABCD"))
    assert standard.graph == bn.PDAG("A->B, C->B, B->D")
    cautious = bn.pc(bn.Statements(*facts, variables="ABCD"), orient="conservative")
    assert cautious.graph == bn.PDAG("A->B, C->B, B-D") and not cautious.is_cpdag
    assert "1 of the 2 sets that separate A and D contains B: ambiguous" in str(cautious.trace)
    assert bn.pc(bn.Statements(*facts, variables="ABCD"), orient="majority").graph == cautious.graph
    with pytest.raises(ValueError, match="orient='bold' is unknown; use one of 'standard', 'conservative', 'majority'"):
        bn.pc(bn.Statements(*facts), orient="bold")


def test_the_result_says_whether_it_is_a_cpdag():
    assert bn.pc(bn.Statements(*FOUR, variables="ABCD")).is_cpdag
    found = bn.pc(PATH, conflicts="keep last")
    assert found.graph not in CPDAGS and not found.is_cpdag
    assert str(found.trace[-1]).endswith("It is not the CPDAG of any DAG: no DAG gives all these answers.")
    known = bn.pc(bn.DSeparation(bn.DAG("A->B, B->C")), required="A->B")
    assert not known.is_cpdag and "no DAG" not in str(known.trace[-1])


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([0.1, 0.3]))
def test_a_cpdag_is_one_by_brute_force(seed, yes):
    for policy in ("keep first", "keep last"):
        found = bn.pc(Whim(4, seed, yes), conflicts=policy)
        assert found.is_cpdag == (found.graph in CPDAGS)


# -- background knowledge ------------------------------------------------------------------------------------
def test_every_member_of_a_class_is_found_if_its_arcs_are_required():
    for dag in list(every_dag("ABCD"))[::4]:
        assert bn.pc(bn.DSeparation(dag), required=dag.arcs).graph == dag
        assert bn.pc(bn.DSeparation(dag), forbidden=[(b, a) for a, b in dag.arcs]).graph == dag


@pytest.mark.parametrize("how", ["required", "forbidden"])
def test_one_known_arc_leaves_what_the_members_with_it_agree_on(how):
    for members in by_class(every_dag("ABCD"))[::2]:
        for a, b in members[0].arcs:
            known = {"required": [(a, b)]} if how == "required" else {"forbidden": [(b, a)]}
            found = bn.pc(bn.DSeparation(members[-1]), **known)
            assert found.graph == essential_graph([dag for dag in members if dag.has_arc(a, b)])
            assert not found.trace.only(Conflict)


def test_background_knowledge_is_reported():
    chain = bn.DSeparation(bn.DAG("A->B, B->C, C->D"))
    result = bn.pc(chain, required="C->B")
    assert result.graph == bn.PDAG("B->A, C->B, C-D")
    assert str(result.trace.only(Kept)[0]) == "C → B is required: keep B-C without a test."
    assert str(result.trace.only(OrientedByKnowledge)[0]) == "C → B is required: orient C → B."
    assert ("B", "C") not in {(step.x, step.y) for step in result.trace.only(IndependenceTest)}
    assert str(bn.pc(chain, forbidden="A->B").trace.only(OrientedByKnowledge)[0]) == "A → B is forbidden: orient B → A."


def test_a_required_arc_stays_even_if_the_oracle_would_remove_it():
    assert bn.pc(bn.DSeparation(bn.DAG("", "AB")), required="A->B").graph == bn.PDAG("A->B")


def test_an_edge_forbidden_in_both_directions_is_removed():
    result = bn.pc(bn.DSeparation(bn.DAG("A->B, B->C")), forbidden="A-B")
    assert result.graph == bn.PDAG("A, B-C")
    assert "both directions are forbidden" in str(result.trace.only(Removed)[-1])
    # a pair without a separating set says nothing about v-structures: in the triangle, B-A-C stays undirected
    triangle = bn.DSeparation(bn.DAG("A->B, A->C, B->C"))
    result = bn.pc(triangle, forbidden="B-C")
    assert result.graph == bn.PDAG("A-B, A-C")
    assert "have no separating set" in str(result.trace.only(NoVStructure)[0])


def test_background_knowledge_is_kept_against_v_structures():
    collider = bn.DSeparation(bn.DAG("A->C, B->C"))
    for policy in ("keep first", "keep last"):
        result = bn.pc(collider, required="C->A", conflicts=policy)
        assert result.graph.has_arc("C", "A")
        assert "C → A is required" in str(result.trace.only(Conflict)[0])
        assert "background knowledge is kept" in str(result.trace.only(Conflict)[0])


@pytest.mark.parametrize(("known", "error", "says"), [
    ({"required": "A->B, B->A"}, bn.CycleError, "the required arcs contradict each other: A -> B -> A"),
    ({"required": "A->B", "forbidden": "A->B"}, ValueError, "A->B is both required and forbidden"),
    ({"required": "A-B"}, ValueError, "a required arc has one: write A->B or B->A"),
    ({"required": "A->Q"}, bn.UnknownVariable, "no variable 'Q'"),
    ({"forbidden": ["AB"]}, TypeError, "an arc is a pair"),
    ({"forbidden": "B->A, C->B, A->C"}, ValueError, "force a cycle"),
])
def test_knowledge_that_cannot_be(known, error, says):
    complete = bn.Statements("A dep B", variables="ABC")
    with pytest.raises(error, match=says):
        bn.pc(complete, **known)


# -- errors --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("given_", "says"), [
    (bn.Table({"A": [0, 1]}), r"not a Table. Make one: bn.pc\(bn.ChiSquare\(table\)\)"),
    (bn.Table({"A": [0, 1]}).to_frame(), r"not a DataFrame. .*bn.ChiSquare\(table\)"),
    (bn.Measurements({"A": [0.5, 1]}), r"bn.FisherZ\(measurements\)"),
    (bn.DAG("A->B"), r"bn.DSeparation\(dag\)"),
    ("A _||_ B", r"bn.Statements\(...\)"),
])
def test_something_else_than_an_oracle(given_, says):
    with pytest.raises(TypeError, match=says):
        bn.pc(given_)


def test_bad_options():
    oracle = bn.Statements("A _||_ B")
    with pytest.raises(ValueError, match="conflicts='fight' is unknown; use one of 'keep first'"):
        bn.pc(oracle, conflicts="fight")
    for bad in (-1, 1.5, "2"):
        with pytest.raises(ValueError, match="must be a whole number, at least 0"):
            bn.pc(oracle, max_conditioning=bad)


def test_the_smallest_cases():
    assert bn.pc(bn.DSeparation(bn.DAG("A"))).graph == bn.PDAG("A")
    assert bn.pc(bn.Statements("A _||_ B")).graph == bn.PDAG("A, B")
    assert bn.pc(bn.Statements("A dep B")).graph == bn.PDAG("A-B")


def test_the_order_of_the_variables_does_not_matter_to_an_exact_oracle():
    for order in permutations("ABCD"):
        assert bn.pc(bn.Statements(*FOUR, variables=order)).graph == bn.PDAG("A-B, A-C, B->D, C->D")


def test_a_plain_function_will_do_as_an_oracle():
    def never(x, y, given):
        return False

    never.variables = ("A", "B", "C")
    assert len(bn.pc(never).graph.edges) == 3
