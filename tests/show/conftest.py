"""Graphs and short traces for the tests of bnteach.show."""

import itertools
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

import bnteach as bn
from bnteach.trace import Result, Step, Trace

ALARM = """HYPOVOLEMIA->LVEDVOLUME, LVFAILURE->LVEDVOLUME, LVFAILURE->HISTORY, LVFAILURE->STROKEVOLUME,
HYPOVOLEMIA->STROKEVOLUME, LVEDVOLUME->CVP, LVEDVOLUME->PCWP, ERRLOWOUTPUT->HRBP, HR->HRBP, ERRCAUTER->HREKG,
HR->HREKG, ERRCAUTER->HRSAT, HR->HRSAT, INSUFFANESTH->CATECHOL, ANAPHYLAXIS->TPR, TPR->BP, CO->BP, HR->CO,
STROKEVOLUME->CO, TPR->CATECHOL, SAO2->CATECHOL, ARTCO2->CATECHOL, CATECHOL->HR, KINKEDTUBE->PRESS, VENTTUBE->PRESS,
INTUBATION->PRESS, KINKEDTUBE->VENTLUNG, VENTTUBE->VENTLUNG, INTUBATION->VENTLUNG, FIO2->PVSAT, VENTALV->PVSAT,
PVSAT->SAO2, SHUNT->SAO2, PULMEMBOLUS->SHUNT, INTUBATION->SHUNT, PULMEMBOLUS->PAP, MINVOLSET->VENTMACH,
DISCONNECT->VENTTUBE, VENTMACH->VENTTUBE, VENTLUNG->VENTALV, INTUBATION->VENTALV, VENTALV->ARTCO2, VENTLUNG->EXPCO2,
ARTCO2->EXPCO2, VENTLUNG->MINVOL, INTUBATION->MINVOL"""

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Connected(Step):
    """All pairs become adjacent."""

    nodes: tuple[str, ...]

    def __str__(self):
        return f"connect all of {', '.join(self.nodes)}"

    def draw(self, drawing):
        drawing.add_nodes(self.nodes)
        for a, b in itertools.combinations(self.nodes, 2):
            drawing.add_edge(a, b)


@dataclass(frozen=True, slots=True)
class Examined(Step):
    """A pair is tested, and its edge removed or not."""

    a: str
    b: str
    independent: bool

    def __str__(self):
        return f"{self.a} and {self.b}: {'independent, remove' if self.independent else 'dependent'}"

    def draw(self, drawing):
        drawing.style_nodes(self.a)
        if self.independent:
            drawing.remove_edge(self.a, self.b)
        else:
            drawing.style_edge(self.a, self.b, "considered", label="p < 0.05")


@dataclass(frozen=True, slots=True)
class Oriented(Step):
    """An edge becomes an arc."""

    a: str
    b: str

    def __str__(self):
        return f"{self.a} -> {self.b}"

    def draw(self, drawing):
        drawing.add_arc(self.a, self.b)


@dataclass(frozen=True, slots=True)
class Remark(Step):
    """A sentence, and nothing to draw."""

    words: str

    def __str__(self):
        return self.words


def small_run():
    """A-B, A-C, B->D, C->D found in nine steps; one arc is reversed on the way."""
    steps = [Connected(tuple("ABCD")), Examined("A", "B", False), Examined("A", "D", True), Examined("B", "C", True),
             Examined("A", "B", False), Remark("now the orientations"), Oriented("B", "D"), Oriented("D", "C"),
             Oriented("C", "D")]
    return Result(bn.PDAG("A-B, A-C, B->D, C->D"), Trace(steps), learner="demo")


def long_run(n=2000):
    """A to E all adjacent, then the same pairs tested repeatedly, three edges removed on the way."""
    nodes = tuple("ABCDE")
    pairs = list(itertools.combinations(nodes, 2))
    removed = {300: ("A", "E"), 900: ("B", "D"), 1500: ("C", "E")}
    gone = {pair: i for i, pair in removed.items()}
    steps = [Connected(nodes)]
    for i in range(1, n):
        pair = removed.get(i, pairs[i % 10])
        steps.append(Remark("nothing") if i > gone.get(pair, n) else Examined(*pair, i in removed))
    return Result(bn.PDAG("", nodes="ABCDE"), Trace(steps), learner="long")


@pytest.fixture(scope="session")
def alarm():
    return bn.DAG(ALARM)


@pytest.fixture
def run():
    return small_run()


@pytest.fixture(scope="session")
def long():
    return long_run()


@pytest.fixture
def parts():
    """SVG text -> its elements of a class, or all of them."""
    def find(svg, kind=""):
        elements = ElementTree.fromstring(svg).iter()
        return [e for e in elements if not kind or e.get("class") == kind]
    return find
