"""The ledger: complete, right, and read with care. Its figures are computed here a second time."""

import itertools
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import pytest

import bnteach as bn
from bnteach.course.lessons.claims import claim
from bnteach.course.lessons.figures import compare, write
from bnteach.course.lessons.ledger import LESSONS, VERDICTS, LedgerError, ledger, load

from .by_hand import (
    COMPLETE,
    DAG,
    GSTAR,
    MI,
    ROWS,
    TREE,
    TREES,
    G,
    N,
    all_dags,
    entropy,
    given,
    likelihood,
    mdl,
    row_probability,
    share,
    size,
    text,
    weight,
)

# -- what the ledger must hold ---------------------------------------------------------------------------
IDS = {
    "slides": """abcd.theta abcd.G.rows abcd.G.LL abcd.Gstar.rows abcd.Gstar.LL abcd.MI.AB.ratios abcd.MI.AB.column
        abcd.MI.AB abcd.MI.all abcd.tree abcd.tree.entropies abcd.tree.LL abcd.dag.HACD abcd.dag.LL dimension.7
        dimension.9 dimension.15 mdl.penalties mdl.tree mdl.dag mdl.best aic.tie mdl.others bnb.tree bnb.bound""",
    "project": "pc.four pc.loop mi.table mi.tree chowliu.score mst.cost runtime.1000 runtime.10000",
    "lecture": "dags eq1 equiv equiv.10 equiv.ratio immorality.witness figure1 alpha exercise1 exercise2",
    "report": """wine.split wine.subsets wine.accuracy wine.bic.scale wine.m8 wine.mean wine.variance wine.parameters
        wine.local wine.steps wine.sa wine.optimum wine.transforms wine.different wine.parents
        wine.acceptance wine.current wine.linear wine.transforms.aic wine.many wine.agreement""",
    "notes": "kl bic.weight k3.range",
}


@pytest.mark.parametrize(("document", "ids"), IDS.items())
def test_every_figure_of_the_documents_is_in_the_ledger(document, ids):
    assert {id: ledger()[id].document.key for id in ids.split()} == dict.fromkeys(ids.split(), document)


def test_how_the_verdicts_stand():
    verdicts, marks = (Counter(getattr(e, what) for e in ledger().values()) for what in ("verdict", "mark"))
    assert verdicts["reproduced"] == marks["✓"] == 28 and verdicts["corrected"] == 8
    wrong = [e for e in ledger().values() if e.verdict == "formula" and e.gives is not None]
    assert marks["✗"] == verdicts["corrected"] + len(wrong) and set(verdicts) == set(VERDICTS)


def test_a_figure_counts_as_printed_only_where_the_document_prints_one():
    """The formulas and sentences that the course has evaluated are no figures of the documents."""
    evaluated = """chowliu.score kl mst.cost wine.mean bnb.bound wine.variance equiv.10.mod7 pc.loop immorality.witness
        empirical bic.weight k3.range wine.bic.scale wine.accuracy.sizes mi.tree abcd.tree figure1 wine.grid bnb.tree"""
    assert {id: (ledger()[id].verdict, ledger()[id].printed) for id in evaluated.split()} == dict.fromkeys(
        evaluated.split(), ("formula", None))
    for entry in ledger().values():
        assert (entry.printed is not None) == (entry.verdict in ("reproduced", "corrected")) or (
            entry.verdict == "measured"), entry.id


def test_what_nobody_can_check_has_no_tick():
    measured = "exercise1 exercise2 wine.transforms wine.agreement runtime.1000 runtime.10000 music.components"
    assert {ledger()[id].mark for id in measured.split()} == {"·"}


@pytest.mark.parametrize("entry", [e for e in ledger().values() if e.verdict == "reproduced"], ids=lambda e: e.id)
def test_reproduced_means_half_a_unit_of_the_last_printed_digit(entry):
    """Computed here with fractions, not by the functions that judge."""
    def pairs(printed, exact):
        if isinstance(printed, dict):
            return [pair for name in printed for pair in pairs(printed[name], exact[name])]
        if isinstance(printed, list):
            return [pair for there, here in zip(printed, exact) if there != "…" for pair in pairs(there, here)]
        return [(printed, exact)]

    for printed, exact in pairs(entry.printed, entry.exact):
        if isinstance(printed, str):
            assert bn.PDAG(printed) == bn.PDAG(exact) if "-" in printed else printed == exact
            continue
        unit = Fraction(10) ** printed.as_tuple().exponent if isinstance(printed, Decimal) else 1
        assert abs(Fraction(printed) - Fraction(exact)) <= unit / 2 and (unit != 1 or printed == exact)

def test_every_entry_can_be_claimed_by_its_own_figure():
    for entry in ledger().values():
        if entry.exact is not None:
            shown = claim(entry.id, entry.exact)
            assert shown.here == write(entry.exact)
            assert entry.id in repr(shown) and entry.verdict_text in repr(shown)


def test_what_the_ledger_says_reads_well():
    for entry in ledger().values():
        assert entry.says.strip() and entry.where.strip(), entry.id
        assert not entry.why or entry.why.endswith("."), entry.id
        assert not entry.says.endswith(".") and not entry.where.endswith("."), entry.id


# -- what the figures come to -----------------------------------------------------------------------------
FIRST = {"A": 1, "B": 1, "C": 1, "D": 1}
CELLS = [(1, 1), (1, 0), (0, 1), (0, 0)]
RATIOS = [share(A=a, B=b) / (share(A=a) * share(B=b)) for a, b in CELLS]
RIGHT = {
    "abcd.theta": {"a": share(A=1), "b|a": given("B", "A", FIRST), "b|~a": given("B", "A", {**FIRST, "A": 0}),
                   "c|a": given("C", "A", FIRST), "c|~a": given("C", "A", {**FIRST, "A": 0}),
                   "d|b": given("D", "B", FIRST), "d|~b": given("D", "B", {**FIRST, "B": 0})},
    "abcd.G.rows": [row_probability(G, row) for row in ROWS],
    "abcd.G.LL": likelihood(G),
    "abcd.Gstar.theta": {"d|a": given("D", "A", FIRST), "d|~a": given("D", "A", {**FIRST, "A": 0})},
    "abcd.Gstar.rows": [row_probability(GSTAR, row) for row in ROWS],
    "abcd.Gstar.LL": likelihood(GSTAR),
    "abcd.MI.AB.ratios": RATIOS,
    "abcd.MI.AB.column": [float(share(A=a, B=b)) * math.log2(r) if r else 0. for (a, b), r in zip(CELLS, RATIOS)],
    "abcd.MI.AB": MI["AB"],
    "abcd.MI.all": MI,
    "abcd.tree": text(max(TREES, key=weight)),
    "abcd.tree.weight": max(map(weight, TREES)),
    "abcd.tree.entropies": {"A|C": entropy("A", "C"), "B": entropy("B"),
                            "C|B": entropy("C", "B"), "D|B": entropy("D", "B")},
    "abcd.tree.LL": likelihood(TREE),
    "abcd.dag.HACD": entropy("A", "CD"),
    "abcd.dag.LL": likelihood(DAG),
    "dimension.7": size(TREE),
    "dimension.9": size(DAG),
    "dimension.15": size(COMPLETE),
    "mdl.penalties": [math.log2(5) / 2 * 7, math.log2(5) / 2 * 9],
    "mdl.tree": mdl(TREE),
    "mdl.dag": mdl(DAG),
    "mdl.others": {"empty": mdl({}), "complete": mdl(COMPLETE)},
    "aic.tie": [likelihood(TREE) - 7, likelihood(DAG) - 9],
    "aic.nats": [likelihood(TREE) * math.log(2) - 7, likelihood(DAG) * math.log(2) - 9],
    "bnb.bound": -N * entropy("D", "BC") - math.log2(5) / 2 * 2,
    "bnb.tree": sum(1 for k in range(5) for _ in itertools.combinations(range(4), k)),
    "mi.table": MI,
    "chowliu.score": N * (max(map(weight, TREES)) - sum(map(entropy, "ABCD"))),
    "mst.cost": len(list(itertools.combinations(range(20), 2))),
    "mst.quadratic": math.log(math.factorial(780)) / math.log(math.factorial(190)),
    "empirical": share(A=1, B=1, C=0, D=0),
    "kl": sum(float(p) * math.log2(p / q) for row, p, q in
              [(row, share(**row), row_probability(TREE, row)) for row in [ROWS[0], ROWS[1], ROWS[2], ROWS[3]]]),
    "bic.weight": math.log(5) / 2,
    "pc.subsets": 2**18,
    "pc.calls": 2 * math.comb(12, 2) + 12 * 2**11,  # a star: two tests per pair of leaves, every set of leaves per edge
    "pc.witnesses": sum(math.comb(18, size) for size in range(4)),
    "wine.variance": 12 * (1199 / 2 * math.log(1199 / 1198) - 1 / 2),
    "wine.m8": next(m for m in itertools.count(1) if math.log(m) > 2),
    "wine.parameters": [arcs + 2 * 12 for arcs in (41, 51)],
    "wine.subsets": 2**11,
}


@pytest.mark.parametrize("id", RIGHT)
def test_the_exact_figures_are_right(id):
    assert claim(id, RIGHT[id]).entry.id == id


def test_graphs_that_claim_no_more_than_an_optimal_graph():
    """By the test for d-separation of networkx."""
    names = "ABCD"
    pairs = [(x, y, z) for x, y in itertools.combinations(names, 2)
             for k in range(3) for z in itertools.combinations(sorted(set(names) - {x, y}), k)]
    fits, claims = [], []
    for parents in all_dags():
        graph = nx.DiGraph([(p, x) for x in names for p in parents.get(x, "")])
        graph.add_nodes_from(names)
        fits.append(round(likelihood(parents), 9))
        claims.append({(x, y, z) for x, y, z in pairs if nx.is_d_separator(graph, {x}, {y}, set(z))})
    optimal = [i for i, fit in enumerate(fits) if fit == max(fits)]
    within = [j for i in optimal for j in range(543) if claims[j] <= claims[i]]
    claim("imap.optimal", {"optimal": len(optimal), "pairs": len(within),
                           "violations": sum(fits[j] != max(fits) for j in within)})


def test_treewidth_of_the_tree_and_of_the_complete_graph():
    def width(parents, order):
        """The number of neighbours of a node when it is eliminated, at most."""
        near = {x: set() for x in "ABCD"}
        for x, above in parents.items():
            for a, b in itertools.combinations({x, *above}, 2):
                near[a].add(b), near[b].add(a)
        most = 0
        for x in order:
            most = max(most, len(near[x]))
            for y in near.pop(x):
                near[y] = near[y] | {z for z in near if z != y and x in near[z]}
            near = {y: others - {x} for y, others in near.items()}
        return most

    claim("treewidth", {name: min(width(parents, order) for order in itertools.permutations("ABCD"))
                        for name, parents in {"tree": TREE, "complete": COMPLETE}.items()})


def test_the_best_of_all_543_dags():
    scores = sorted(((mdl(parents), size(parents), parents) for parents in all_dags()), key=lambda s: -s[0])
    assert len(scores) == 543
    claim("mdl.best", scores[0][0])
    best = [parents for score, _, parents in scores if score > scores[0][0] - 1e-9]
    assert [parents["C"] for parents in best] == ["AB", "AB"] and [size(p) for p in best] == [8, 8]
    assert sorted((p["B"], p["D"]) for p in best) == [("", "B"), ("D", "")]
    claim("mdl.best.graph", bn.PDAG("A->C, B->C, B-D"))


def test_the_printed_figures_of_the_corrections_are_what_the_documents_reckon_with():
    """Not typed: what comes out if one does as the document does."""
    entries = ledger()
    logs = [round(math.log2(row_probability(GSTAR, row)), 2) for row in ROWS]
    assert compare(sum(logs), entries["abcd.Gstar.LL"].printed) == []
    assert round(sum(round(math.log2(row_probability(G, row)), 2) for row in ROWS), 2) == -13.35
    assert compare(.6 * -.09 + .2 * .32 + .2 * .32, entries["abcd.MI.AB"].printed) == []
    assert compare(N * max(map(weight, TREES)), entries["chowliu.score"].gives) == []
    worst = min(TREES, key=weight)
    cross = sum(map(entropy, "ABCD")) - weight(worst)
    assert compare(cross - (.4 * math.log2(2.5) + .6 * math.log2(5)), entries["kl"].gives) == []
    assert compare(math.log(4) / 2, entries["bic.weight"].gives) == []
    assert compare(-N * entropy("D", "BC") - math.log2(5) / 2, entries["bnb.bound"].gives) == []
    assert compare(20 * math.log2(20), entries["mst.cost"].gives) == []
    assert compare(65 * math.log(1199) + 5699.43, entries["wine.bic.scale"].gives["BIC"]) == []
    assert compare(65 * math.log(1199) + 2 * 5699.4249, entries["wine.bic.scale"].exact["BIC"]) == []
    sa = [-5695.34 - 64 * math.log(1199) / 2, -5673.41 - 72]
    assert all(f"{score:.2f}" in entries["wine.sa"].why for score in sa)
    assert compare(sa, [entries["wine.sa"].between[name][0] for name in ("BIC", "AIC")]) == []


def test_the_projects_table_and_its_tree():
    printed = {pair: float(w) for pair, w in ledger()["mi.table"].printed.items()}
    assert sorted(printed.values()) == sorted(round(w, 2) for w in MI.values())
    claim("mi.tree", text(max(TREES, key=lambda tree: weight(tree, printed))))
    claim("mi.tree.weight", weight(max(TREES, key=weight), printed))


def robinson(n, sets):
    """#(n) by inclusion and exclusion over the last nodes, each with `sets(m)` sets of parents to choose from."""
    number = [1]
    for k in range(1, n + 1):
        terms = [(-1) ** (i + 1) * math.comb(k, i) * sets(k - i) ** i * number[k - i] for i in range(1, k + 1)]
        number.append(sum(terms))
    return number[1:]


def test_counting():
    dags = robinson(10, lambda m: 2**m)
    claim("dags", dags)
    claim("eq1", robinson(10, lambda m: 2**m - m))
    classes = [*ledger()["equiv"].exact, ledger()["equiv.10"].exact]
    claim("equiv.ratio", [classes[n - 1] / dags[n - 1] for n in (1, 2, 3, 8, 9, 10)])
    claim("equiv.10.mod7", classes[9] % 7)
    assert ledger()["equiv.10"].printed % 7 == ledger()["equiv.10.mod7"].gives


# -- a damaged ledger ------------------------------------------------------------------------------------
GOOD = """
[documents.slides]
author = "B"
title = "T"
cite = "the slides"

[[claim]]
id = "one"
document = "slides"
where = "here"
says = "1.5"
printed = 1.5
exact = 1.4999
verdict = "reproduced"
lesson = ["08"]
"""


def damaged(tmp_path, old, new, more=""):
    assert old in GOOD
    path = tmp_path / "claims.toml"
    path.write_text(GOOD.replace(old, new) + more, encoding="utf-8")
    return path


def test_a_good_ledger(tmp_path):
    entry = load(damaged(tmp_path, "one", "one"))["one"]
    assert (entry.document.cite, entry.exact, entry.lesson) == ("the slides", Decimal("1.4999"), ("08",))


@pytest.mark.parametrize(("old", "new", "message"), [
    ('printed', 'prinetd', "one has an unknown field 'prinetd'. Did you mean 'printed'"),
    ('where = "here"', '', "one lacks the field 'where'"),
    ('id = "one"\n', '', "claim number 1 lacks the field 'id'"),
    ('id = "one"', 'id = "one two"', "'one two' is no id"),
    ('document = "slides"', 'document = "book"', "one: there is no document 'book'; there are slides"),
    ('"reproduced"', '"right"', "one: 'right' is no verdict; use one of reproduced, corrected"),
    ('["08"]', '["21"]', "one: lesson = .*'21'.* '00' to '20'"),
    ('["08"]', '"08"', "one: lesson"),
    ('["08"]', '[]', "one: lesson"),
    ('["08"]', '[8]', "one: lesson"),
    ('exact = 1.4999', '', "one: what is reproduced needs the exact figure"),
    ('exact = 1.4999', 'exact = 1.4', "one: it counts as reproduced, but .* does not round to the printed one"),
    ('"reproduced"', '"corrected"', "one: a correction needs its reason"),
    ('"reproduced"', '"corrected"\nwhy = "x"', "one: it counts as corrected, but the printed figure is the exact one"),
    ('"reproduced"', '"measured"', "one: what is measured has no exact figure"),
    ('printed = 1.5\n', '', "one: what is reproduced needs the printed figure; where none is printed .* 'formula'"),
    ('"reproduced"', '"formula"', "one: a formula has no printed figure"),
    ('printed = 1.5\nexact = 1.4999\nverdict = "reproduced"', 'gives = 1.5\nexact = 1.4999\nverdict = "formula"',
     "one: what the formula as printed gives is the exact figure"),
    ('printed = 1.5\nexact = 1.4999\nverdict = "reproduced"', 'gives = 1.6\nexact = 1.4999\nverdict = "formula"',
     "one: a wrong formula needs its reason"),
    ('exact = 1.4999', 'exact = 1.4999\ngives = 2', "one: 'gives' is for a formula"),
    ('exact = 1.4999', 'exact = 1.4999\nform = "story"', "one: form = 'story' is none of formula, algorithm"),
    ('exact = 1.4999', 'exact = 1.4999\nslip = "rounding"', "one: slip = 'rounding' is for what is wrong"),
    ('exact = 1.4999', 'exact = 1.4999\nat_least = 1', "one: at_least is for what is measured"),
    ('cite = "the slides"', '', "documents.slides lacks the field 'cite'"),
    ('cite', 'year = 1999\npublisher = "P"\ncite', "documents.slides has an unknown field 'publisher'"),
    ('[[claim]]', '[[claims]]', "claims.toml has an unknown field 'claims'. Did you mean 'claim'"),
    ('exact = 1.4999', 'exact = .5', "cannot be read as TOML.*line 13"),
    ('says = "1.5"', 'says = "1.5"\nsays = "1.6"', "cannot be read as TOML"),
])
def test_a_damaged_ledger_says_where(tmp_path, old, new, message):
    with pytest.raises(LedgerError, match=f"(?s){message}"):
        load(damaged(tmp_path, old, new))


def test_an_id_used_twice(tmp_path):
    with pytest.raises(LedgerError, match="one: this id is used twice"):
        load(damaged(tmp_path, "one", "one", GOOD[GOOD.index("[[claim]]"):]))


def test_an_empty_ledger(tmp_path):
    with pytest.raises(LedgerError, match="no \\[\\[claim\\]\\]"):
        load(damaged(tmp_path, GOOD, ""))


def test_the_words_of_the_ledger_are_fixed():
    assert len(LESSONS) == 21 and LESSONS[0] == "00" and LESSONS[-1] == "20"
    assert VERDICTS == ("reproduced", "corrected", "formula", "measured")
