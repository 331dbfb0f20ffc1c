"""Steps, traces, results and drawings."""

import io
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import bnteach as bn
from bnteach.trace import Drawing, Progress


@dataclass(frozen=True, slots=True)
class Joined(bn.Step):
    edge: tuple[str, str]

    def __str__(self):
        return "join " + "-".join(self.edge)

    def draw(self, drawing):
        drawing.add_edge(*self.edge)


@dataclass(frozen=True, slots=True)
class Removed(bn.Step):
    edge: tuple[str, str]
    why: str

    def __str__(self):
        return f"remove {'-'.join(self.edge)}: {self.why}"

    def draw(self, drawing):
        drawing.remove_edge(*self.edge)


@bn.stepwise
def demo(n):
    """Joins n edges and removes the first."""
    for i in range(n):
        yield Joined(("a", f"b{i}"))
    yield Removed(("a", "b0"), "it was first")
    return bn.Result(bn.DAG("a->b"), score=1.5)


def test_a_learner_runs_and_walks():
    result = demo(2)
    assert result.graph == bn.DAG("a->b") and result.score == 1.5 and len(result.trace) == 3
    walk = demo.steps(2)
    assert next(walk) == result.trace[0] == Joined(("a", "b0"))
    assert [next(walk), next(walk)] == list(result.trace[1:])
    with pytest.raises(StopIteration):
        next(walk)
    assert demo.__doc__ == "Joins n edges and removes the first." and "demo.steps" in repr(demo)


def test_nothing_happens_before_the_first_step():
    said = []

    @bn.stepwise
    def loud():
        said.append("started")
        yield Joined(("a", "b"))

    walk = loud.steps()
    assert said == []
    next(walk)
    assert said == ["started"]


def test_sentences():
    assert str(demo(2).trace) == "1. join a-b0\n2. join a-b1\n3. remove a-b0: it was first"
    assert str(demo(1)) == "demo: a->b, score 1.5000 (2 steps)"


def test_long_traces_are_shortened_in_the_middle():
    trace = demo(500).trace
    lines = str(trace).splitlines()
    assert len(lines) == 61 and lines[0].startswith("1. ") and lines[-1] == "501. remove a-b0: it was first"
    assert "… 441 more steps …" in lines
    assert len(trace.text().splitlines()) == 501, "the whole is there for the asking"
    assert "441 more steps" in trace._repr_html_() and "<li value='501'>" in trace._repr_html_()


def test_table():
    table = demo(2).trace.table()
    assert table.columns.tolist() == ["step", "what", "edge", "why", "sentence"]
    assert table["what"].tolist() == ["Joined", "Joined", "Removed"]
    assert table["edge"][2] == ("a", "b0") and table["why"][2] == "it was first"
    assert demo(100).trace.table(most=9)["step"].tolist() == [1, 2, 3, 4, 5, 6, 99, 100, 101]
    assert bn.Trace().table().empty


def test_filter_and_slice():
    trace = demo(3).trace
    assert [type(s) for s in trace.only(Removed)] == [Removed]
    assert isinstance(trace[1:], bn.Trace) and len(trace[1:]) == 3


def test_replay_rebuilds_every_moment():
    trace = bn.Trace([*demo(2).trace, Joined(("a", "b7"))])
    seen = [{key: line.style for key, line in drawing.edges.items()} for _, drawing in trace.replay()]
    assert seen == [{("a", "b0"): "plain"}, {("a", "b0"): "plain", ("a", "b1"): "plain"},
                    {("a", "b0"): "removed", ("a", "b1"): "plain"}, {("a", "b1"): "plain", ("a", "b7"): "plain"}]


def test_sketch_forgets_what_was_for_one_step():
    s = Drawing()
    s.add_edge("a", "b", style="kept")
    s.next_step()
    s.style_edge("b", "a")
    s.style_edge("a", "c")
    s.style_nodes("a")
    assert s.edges["a", "b"].style == "considered" and ("a", "c") in s.edges and s.nodes["a"] == "considered"
    s.next_step()
    assert s.edges["a", "b"].style == "kept" and ("a", "c") not in s.edges and s.nodes["a"] == "plain"
    s.add_edge("a", "c")
    s.next_step()
    assert ("a", "c") in s.edges, "what is drawn again stays"
    s.remove_edge("c", "a")
    s.remove_edge("b", "a")
    assert s.edges["a", "b"].style == "removed"
    s.next_step()
    assert not s.edges
    s.add_arc("b", "a")
    s.add_edge("a", "b")
    assert list(s.edges) == [("a", "b")] and not s.edges["a", "b"].directed, "one line between two nodes"


@pytest.fixture
def slow(monkeypatch):
    """slow(): progress that is quick for half of its 400 steps, and then takes nine seconds."""
    now = [0.0]
    monkeypatch.setattr("bnteach.trace.time.monotonic", lambda: now[0])
    monkeypatch.delenv("BNTEACH_PROGRESS", raising=False)

    def run():
        with Progress("test", total=400) as progress:
            progress.step(200)
            assert progress.bar is None
            now[0] += 9.0
            for _ in range(200):
                progress.step()
        return progress

    return run


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_appears_in_a_terminal_when_late_and_goes(monkeypatch, slow):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    assert slow().bar.n == 400
    assert "test:" in terminal.getvalue() and not terminal.getvalue().split("\r")[-2].strip()
    monkeypatch.setenv("BNTEACH_PROGRESS", "off")
    assert slow().bar is None


def test_progress_does_not_appear_in_a_file(monkeypatch, slow):
    monkeypatch.setattr("sys.stderr", file := io.StringIO())
    assert slow().bar is None and file.getvalue() == ""


@pytest.mark.parametrize("metadata, seen", [({"cellId": "1"}, True), ({}, False)], ids=["a page", "a program"])
def test_progress_in_a_notebook_appears_in_a_page_alone_and_is_taken_away(monkeypatch, slow, metadata, seen):
    shown = []
    shell = SimpleNamespace(kernel=1, get_parent=lambda: {"metadata": metadata})
    line = SimpleNamespace(update=lambda data, raw: shown.append(data))
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: line)
    assert (slow().bar is not None) == seen
    assert any("test:" in data.get("text/plain", "") for data in shown) == seen
    assert shown[-1:] == [{}] * seen
