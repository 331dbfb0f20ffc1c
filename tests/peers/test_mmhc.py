"""Max-min parents and children against pgmpy's, on its own examples and on ASIA.

`pip install --group peers` brings it; without it these tests are skipped. pgmpy 1.1 lets any variable with a p-value
below 1 into the first phase, whatever the level, and takes names out of lists while it walks through them. So
where variables are independent it keeps lines that the tests do not support, and the results agree only on
data where this does not show. The test of the algorithm itself is in tests/learn/test_mmhc.py.
"""

import numpy as np
import pandas as pd
import pytest

import bnteach as bn

pytestmark = pytest.mark.filterwarnings("ignore")


def theirs(frame, level):
    estimators = pytest.importorskip("pgmpy.estimators", reason="pip install --group peers")
    return {frozenset(edge) for edge in estimators.MmhcEstimator(frame).mmpc(significance_level=level).edges()}


def ours(frame, level):
    return {frozenset(edge) for edge in bn.mmpc(bn.ChiSquare(frame, level, adjust=True)).graph.skeleton}


def test_a_common_cause_as_in_pgmpy():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.integers(0, 2, (2500, 3)), columns=list("XYZ"))
    frame.X += frame.Z
    frame.Y += frame.Z
    assert ours(frame, .01) == theirs(frame, .01) == {frozenset("XZ"), frozenset("YZ")}


def test_a_chain_as_in_pgmpy():
    chain = bn.CategoricalNetwork(bn.DAG("A->B->C->D"), dict.fromkeys("ABCD", (0, 1)), {
        "A": [.5, .5], **{v: [[.8, .2], [.2, .8]] for v in "BCD"}})
    frame = chain.sample(2000, seed=1).astype(int)
    assert ours(frame, .01) == theirs(frame, .01) == {frozenset("AB"), frozenset("BC"), frozenset("CD")}


def test_on_asia_pgmpy_keeps_lines_that_its_own_test_rejects():
    table = bn.datasets.asia(1000)
    frame, truth = table.to_frame().astype(str), {frozenset(pair) for pair in bn.datasets.network("asia").dag.skeleton}
    kept, found = theirs(frame, .05), ours(frame, .05)
    assert found <= truth, "what is found here is in the true graph"
    assert {frozenset(("smoke", "bronc")), frozenset(("bronc", "dysp")), frozenset(("lung", "either"))} <= kept & found
    test, unsupported = bn.ChiSquare(table, .05, adjust=True), []
    for a, b in map(sorted, kept):
        if test(a, b):
            unsupported.append((a, b))
    assert unsupported, "independent even without anything given, and yet a line"
