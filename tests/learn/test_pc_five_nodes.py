"""PC with a perfect oracle on every DAG on five nodes. In a file of its own, since it takes half a minute."""

import bnteach as bn
from tests.graphs.brute import by_class, essential, every_dag


def test_exact_on_all_29281_dags_on_five_nodes():
    classes = by_class(every_dag("ABCDE"))
    assert (len(classes), sum(map(len, classes))) == (8782, 29281)
    for members in classes:
        wanted = bn.PDAG(*essential(members), "ABCDE")
        for dag in members:
            assert bn.pc(bn.DSeparation(dag)).graph == wanted
