"""Other ways to what a question asks to write, by what some library still offers; none of them is to work.

{question: code}, as answers. Where there are several ways, the function tries one after the other.
"""

from __future__ import annotations

TRY = """
def attempt(*ways):
    for way in ways:
        try: return way()
        except RuntimeError as error: last = error
    raise last
"""
COUNTS = "[[counts[x, y] for y in (0, 1)] for x in (0, 1)]"
CLIMB = """
from bnteach.scores.base import Score
def FUNCTION(score, child, before):
    class Only(Score):
        def compute_family(self, x, parents):
            return -1.0 * len(parents) if x != child else score.family(x, parents) if {*parents} <= {*before} else -1e9
    return RESULT
"""
SHORTCUTS = {
    "1.3": TRY + """
import graphlib
import networkx as nx
def sorted_by_networkx(nodes, arcs):
    graph, found = nx.DiGraph(), []
    graph.add_nodes_from(nodes)
    graph.add_edges_from((b, a) for a, b in arcs)
    try:
        for node in nx.topological_sort(graph): found.append(node)
    except nx.NetworkXUnfeasible: pass
    return found
def sorted_by_python(nodes, arcs):
    sorter, found = graphlib.TopologicalSorter({n: [b for a, b in arcs if a == n] for n in nodes}), []
    try: sorter.prepare()
    except graphlib.CycleError: pass
    while ready := sorter.get_ready():
        found += ready
        sorter.done(*ready)
    return found
def take_off(nodes, arcs):
    return attempt(lambda: sorted_by_networkx(nodes, arcs), lambda: sorted_by_python(nodes, arcs))
""",
    "1.4": """
import networkx as nx
def immoralities(graph): return {(*sorted((a, b)), c) for a, c, b in nx.dag.v_structures(graph.to_networkx())}
""",
    "1.5": TRY + """
from collections import Counter
from bnteach.graphs.imap import independences
def class_sizes(dags):
    return attempt(lambda: sorted(Counter(bn.pc(bn.DSeparation(one)).graph for one in dags).values()),
                   lambda: sorted(Counter(frozenset(map(str, independences(one))) for one in dags).values()))
""",
    "4.4": "def skeleton(oracle): return bn.mmpc(oracle).graph.skeleton",
    "6.5": """
from scipy.stats import entropy
def h(table, names): return entropy(table.counts(*names).ravel(), base=2) if names else 0
def log_likelihood(table, graph):
    return -len(table) * sum(h(table, [x, *graph.parents(x)]) - h(table, graph.parents(x)) for x in graph.nodes)
""",
    "7.2": "def entropy(table, x, z): return -bn.LogLikelihood(table).family(x, [z]) / len(table)",
    "7.3": TRY + """
from math import log
from scipy.stats import chi2_contingency
def mutual_information(table, x, y):
    g = attempt(lambda: bn.GSquare(table)(x, y).statistic,
                lambda: chi2_contingency(table.counts(x, y), correction=False, lambda_="log-likelihood").statistic)
    return g / (2 * len(table) * log(2))
""",
    "7.4": """
import numpy as np
from scipy.sparse import csgraph
def kruskal(weights):
    for module in ("_min_spanning_tree", "_validation"):  # what it needs is withheld; put something else in its place
        getattr(csgraph, module).validate_graph = lambda graph, *_, **__: csr_array(graph)
    from scipy.sparse import csr_array
    nodes = sorted({node for edge in weights for node in edge})
    matrix = np.zeros((len(nodes),) * 2)
    for (a, b), weight in weights.items(): matrix[nodes.index(a), nodes.index(b)] = 1 / weight
    tree = csgraph.minimum_spanning_tree(matrix).toarray()
    return [(nodes[i], nodes[j]) for i, j in sorted(zip(*tree.nonzero()), key=lambda edge: tree[edge])]
""",
    "8.1": """
def parameters(table, x, parents):
    table = bn.fit(bn.DAG([(p, x) for p in parents], [*parents, x]), table.select(*parents, x)).cpts[x]
    return table.size - table.size // table.shape[-1]
""",
    "10.3": CLIMB.replace("FUNCTION", "greedy_parents").replace(
        "RESULT", "[s.parent for s in bn.hill_climb(Only(score.data)).trace if hasattr(s, 'change')]"),
    "10.6": CLIMB.replace("FUNCTION", "best_parents").replace(
        "RESULT", "set(bn.hill_climb(Only(score.data), restarts=20).graph.parents(child))"),
    "11.4": TRY + """
def best_score(score):
    return attempt(lambda: max(bn.anneal(score, [10 / i for i in range(1, 500)], seed=s).score for s in range(5)),
                   lambda: max(map(score, bn.all_dags(score.variables))))
""",
    "12.1": TRY + """
import scipy.stats, statistics
from math import log
def log_density(x, mean, variance):
    return attempt(lambda: scipy.stats.norm(mean, variance**0.5).logpdf(x),
                   lambda: log(statistics.NormalDist(mean, variance**0.5).pdf(x)))
""",
    "15.6": f"""
from math import log, log2
from scipy.stats import chi2_contingency
def arc_gain(counts):
    g = chi2_contingency({COUNTS}, correction=False, lambda_="log-likelihood").statistic
    return g / (2 * log(2)) - log2(sum(counts.values())) / 2
""",
    "16.3": """
import numpy as np
from scipy.sparse import csgraph, csr_array
def parts(nodes, lines):
    csgraph._traversal.validate_graph = lambda graph, *_, **__: csr_array(graph)
    matrix = np.zeros((len(nodes),) * 2)
    for a, b in lines: matrix[nodes.index(a), nodes.index(b)] = 1
    _, part = csgraph.connected_components(matrix, directed=False)
    return [{node for node, p in zip(nodes, part) if p == one} for one in set(part)]
""",
}
