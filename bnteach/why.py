"""Why is this edge here, or not here? The steps of a trace that concern one pair of nodes.

Every step says what it has to do with a pair (`Step.about`), so this works for every learner: the test that removed the
edge, or those that did not; the rule that oriented it; the move of a search that added, reversed or rejected it, with
the change in score. Nothing is computed again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from bnteach.errors import UnknownVariable
from bnteach.steps import Step, Trace

if TYPE_CHECKING:
    import pandas as pd

    from bnteach.show.picture import Picture

LISTED = 4  # steps of one kind; more are summarised


@dataclass(frozen=True)
class Why:
    """What in a trace decided about a pair of nodes, as `Result.why` returns it.

    Parameters
    ----------
    a, b : str
        The nodes.
    graph : DAG or PDAG
        The graph that was learned.
    steps : tuple of (int, Step, str)
        The steps that concern the pair: number, step, and what it has to do with the pair.

    Examples
    --------
    >>> import bnteach as bn
    >>> why = bn.pc(bn.DSeparation(bn.DAG("A->C, B->C"))).why("A", "B")
    >>> print(why)
    A and B are not adjacent in the graph.
    step 4: A and B: independent.
    step 5: Remove A-B; the separating set is S_AB = {}.
    step 11: S_AB = {} does not contain the common neighbour C: orient A → C ← B.
    """

    a: str
    b: str
    graph: Any = field(repr=False)
    steps: tuple[tuple[int, Step, str], ...]

    @classmethod
    def of(cls, a: str, b: str, graph: Any, trace: Trace) -> Why:
        """Replay the trace and collect the steps that concern the pair."""
        for name in (a, b):
            if name not in graph.nodes:
                raise UnknownVariable(name, graph.nodes)
        if a == b:
            raise ValueError(f"{a} is given twice; give two variables: result.why({graph.nodes[0]!r}, "
                             f"{graph.nodes[-1]!r}).")
        said = ((i, step, step.about(a, b, drawing)) for i, (step, drawing) in enumerate(trace.replay(), start=1))
        return cls(a, b, graph, tuple(one for one in said if one[2]))

    @property
    def edge(self) -> str:
        """The arc or edge between the two in the graph as text, empty if there is none."""
        a, b = self.a, self.b
        if self.graph.has_arc(b, a):
            a, b = b, a
        if not self.graph.adjacent(a, b):
            return ""
        return f"{a}->{b}" if self.graph.has_arc(a, b) else f"{a}-{b}"

    def sentences(self) -> list[str]:
        """The outcome first, then what decided it, in order; many steps of one kind in one sentence."""
        edge = self.edge
        said = [f"{edge} is in the graph." if edge else f"{self.a} and {self.b} are not adjacent in the graph."]
        kinds = {type(step): [one for _, one, _ in self.steps if type(one) is type(step)] for _, step, _ in self.steps}
        summaries = {kind: kind.summary(steps) for kind, steps in kinds.items() if len(steps) > LISTED}
        for number, step, sentence in self.steps:
            kind = type(step)
            if not summaries.get(kind):
                said.append(f"step {number}: {sentence}")
            elif step is kinds[kind][-1]:
                said.append(f"steps up to {number}: {summaries[kind]}")
        return said if len(said) > 1 else [*said, "No step of the trace concerns this pair alone."]

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        first, *others = (escape(sentence) for sentence in self.sentences())
        steps = "".join(f"<li style='list-style:none'>{sentence}</li>" for sentence in others)
        return f"<div class='bnteach-why'>{self.picture._repr_html_()}<p><b>{first}</b></p><ol>{steps}</ol></div>"

    def table(self) -> pd.DataFrame:
        """A row per step that concerns the pair: its number, its kind, and what it has to do with the pair."""
        import pandas as pd

        rows = [(number, type(step).__name__, sentence) for number, step, sentence in self.steps]
        return pd.DataFrame(rows, columns=["step", "what", "sentence"])

    @property
    def picture(self) -> Picture:
        """The graph with the pair marked, and the numbers of the steps that concern it on the edge."""
        from bnteach.show.draw import as_drawing, draw

        numbers = [str(number) for number, _, _ in self.steps]
        label = f"step{'s' * (len(numbers) > 1)} {', '.join(numbers[:3])}{' …' if len(numbers) > 3 else ''}"
        pair = (self.a, self.b)
        return draw(as_drawing(self.graph), styles={pair: "kept" if self.edge else "removed"},
                    labels={pair: label} if numbers else {},
                    title=self.edge or f"{self.a} and {self.b} are not adjacent")
