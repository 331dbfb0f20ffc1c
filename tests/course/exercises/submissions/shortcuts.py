"""Answers that call some library instead of writing what the question asks for; none of them may earn points.

(question, code of the answer); there may be several to a question.
"""

from __future__ import annotations

COUNTS = "[[counts[x, y] for y in (0, 1)] for x in (0, 1)]"
CLIMB = """
from bnteach.scores.base import Score
def FUNCTION(score, child, before):
    class Only(Score):
        def compute_family(self, x, parents):
            return -1.0 * len(parents) if x != child else score.family(x, parents) if {*parents} <= {*before} else -1e9
    return RESULT
"""
SHORTCUTS = [
    ("1.3", """
import networkx as nx
def remove_sinks(nodes, arcs):
    graph, found = nx.DiGraph(), []
    graph.add_nodes_from(nodes)
    graph.add_edges_from((b, a) for a, b in arcs)
    try:
        for node in nx.topological_sort(graph): found.append(node)
    except nx.NetworkXUnfeasible: pass
    return found
"""),
    ("1.3", """
import graphlib
def remove_sinks(nodes, arcs):
    sorter, found = graphlib.TopologicalSorter({n: [b for a, b in arcs if a == n] for n in nodes}), []
    try: sorter.prepare()
    except graphlib.CycleError: pass
    while ready := sorter.get_ready():
        found += ready
        sorter.done(*ready)
    return found
"""),
    ("1.4", """
import networkx as nx
def v_structures(graph): return {(*sorted((a, b)), c) for a, c, b in nx.dag.v_structures(graph.to_networkx())}
"""),
    ("1.5", """
from collections import Counter
def class_sizes(dags): return sorted(Counter(bn.pc(bn.DSeparation(one)).graph for one in dags).values())
"""),
    ("1.5", """
from collections import Counter
from bnteach.graphs.imap import independences
def class_sizes(dags): return sorted(Counter(frozenset(map(str, independences(one))) for one in dags).values())
"""),
    ("4.4", "def skeleton(oracle): return bn.mmpc(oracle).graph.skeleton"),
    ("6.5", """
from scipy.stats import entropy
def h(table, names): return entropy(table.counts(*names).ravel(), base=2) if names else 0
def log_likelihood(table, graph):
    return -len(table) * sum(h(table, [x, *graph.parents(x)]) - h(table, graph.parents(x)) for x in graph.nodes)
"""),
    ("7.2", "def entropy(table, x, z): return -bn.LogLikelihood(table).family(x, [z]) / len(table)"),
    ("7.3", """
from math import log
def mutual_information(table, x, y): return bn.GSquare(table)(x, y).statistic / (2 * len(table) * log(2))
"""),
    ("7.3", """
from math import log
from scipy.stats import chi2_contingency
def mutual_information(table, x, y):
    g = chi2_contingency(table.counts(x, y), correction=False, lambda_="log-likelihood").statistic
    return g / (2 * len(table) * log(2))
"""),
    ("7.4", """
import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
def kruskal(weights):
    nodes = sorted({node for edge in weights for node in edge})
    matrix = np.zeros((len(nodes),) * 2)
    for (a, b), weight in weights.items(): matrix[nodes.index(a), nodes.index(b)] = 1 / weight
    tree = minimum_spanning_tree(matrix).toarray()
    return [(nodes[i], nodes[j]) for i, j in sorted(zip(*tree.nonzero()), key=lambda edge: tree[edge])]
"""),
    ("7.4", """
from itertools import combinations
from scipy.cluster.hierarchy import cophenet, linkage
def kruskal(weights):
    nodes = sorted({node for edge in weights for node in edge})
    pairs = [pair if pair in weights else pair[::-1] for pair in combinations(nodes, 2)]
    height = cophenet(linkage([1 - weights[pair] for pair in pairs]))
    return sorted((pair for pair, h in zip(pairs, height) if abs(1 - weights[pair] - h) < 1e-9), key=weights.get)[::-1]
"""),
    ("8.1", """
def parameters(table, x, parents):
    table = bn.fit(bn.DAG([(p, x) for p in parents], [*parents, x]), table.select(*parents, x)).cpts[x]
    return table.size - table.size // table.shape[-1]
"""),
    ("10.3", CLIMB.replace("FUNCTION", "greedy_parents").replace(
        "RESULT", "[s.parent for s in bn.hill_climb(Only(score.data)).trace if hasattr(s, 'change')]")),
    ("10.6", CLIMB.replace("FUNCTION", "best_parents").replace(
        "RESULT", "set(bn.hill_climb(Only(score.data), restarts=20).graph.parents(child))")),
    ("11.4", """
def best_score(score):
    return max(bn.anneal(score, [10 / i for i in range(1, 500)], seed=s).score for s in range(5))
"""),
    ("11.4", "def best_score(score): return max(map(score, bn.all_dags(score.variables)))"),
    ("12.1", """
import scipy.stats
def log_density(x, mean, variance): return scipy.stats.norm(mean, variance**0.5).logpdf(x)
"""),
    ("12.1", """
import statistics
from math import log
def log_density(x, mean, variance): return log(statistics.NormalDist(mean, variance**0.5).pdf(x))
"""),
    ("15.6", f"""
from math import log, log2
from scipy.stats import chi2_contingency
def arc_gain(counts):
    g = chi2_contingency({COUNTS}, correction=False, lambda_="log-likelihood").statistic
    return g / (2 * log(2)) - log2(sum(counts.values())) / 2
"""),
    ("16.3", """
import numpy as np
from scipy.sparse import csgraph
def components(nodes, edges):
    matrix = np.zeros((len(nodes),) * 2)
    for a, b in edges: matrix[nodes.index(a), nodes.index(b)] = 1
    _, component = csgraph.connected_components(matrix, directed=False)
    return [{node for node, c in zip(nodes, component) if c == one} for one in set(component)]
"""),
]
