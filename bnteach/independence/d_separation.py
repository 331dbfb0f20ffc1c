"""d-separation in a DAG as an oracle. Lessons 2 and 4."""

from __future__ import annotations

from bnteach.graphs.dag import DAG
from bnteach.graphs.separation import connected
from bnteach.independence.oracle import Oracle, Verdict, describe_query


class DSeparation(Oracle):
    """The oracle of a DAG: x and y are independent given z if and only if z d-separates them.

    Parameters
    ----------
    dag : DAG or str

    Examples
    --------
    >>> oracle = DSeparation(DAG("rain->wet, sprinkler->wet"))
    >>> print(oracle("rain", "sprinkler", given="wet"))
    rain and sprinkler given wet are d-connected in the graph
    """

    def __init__(self, dag: DAG):
        self.dag = dag if isinstance(dag, DAG) else DAG(dag)
        super().__init__(self.dag.nodes)
        self._reached: dict[tuple[str, tuple[str, ...]], set[str]] = {}

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        if (reached := self._reached.get((x, given))) is None:
            reached = self._reached[x, given] = connected(self.dag, [x], frozenset(given))
        separated = y not in reached
        relation = "d-separated" if separated else "d-connected"
        return Verdict(separated, reason=f"{describe_query(x, y, given)} are {relation} in the graph")

    def __repr__(self) -> str:
        return f"DSeparation({str(self.dag)!r})"
