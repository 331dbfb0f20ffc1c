"""Steps, traces, results and drawings; results saved and loaded; progress bars."""

import inspect
import io
import json
import pydoc
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import bnteach as bn
from bnteach.drawing import Drawing
from bnteach.progress import Progress
from bnteach.saving import NotSaved
from bnteach.trace import Result
from tests.examples import LEARNERS, run, tables


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
    assert demo(100).trace.table(limit=9)["step"].tolist() == [1, 2, 3, 4, 5, 6, 99, 100, 101]
    assert bn.Trace().table().empty


def test_filter_and_slice():
    trace = demo(3).trace
    assert [type(s) for s in trace.only(Removed)] == [Removed]
    assert trace.only("Removed") == trace.only(Removed) and trace.only("Removed", Joined) == trace
    assert len(bn.chow_liu(bn.datasets.five_rows()).trace.only("Cut")) == 0, "a kind of step that did not occur"
    assert isinstance(trace[1:], bn.Trace) and len(trace[1:]) == 3


@pytest.mark.parametrize("name", ["removed", "Remved"])
def test_a_step_that_does_not_exist_is_an_error_that_names_those_there_are(name):
    with pytest.raises(ValueError, match=f"no step is called '{name}'; this trace has Joined, Removed. Did you mean"):
        demo(1).trace.only(name)
    with pytest.raises(ValueError, match="no step is called 3; this trace has no steps"):
        bn.Trace().only(3)


def test_replay_rebuilds_every_moment():
    trace = bn.Trace([*demo(2).trace, Joined(("a", "b7"))])
    seen = [{key: edge.style for key, edge in drawing.edges.items()} for _, drawing in trace.replay()]
    assert seen == [{("a", "b0"): "plain"}, {("a", "b0"): "plain", ("a", "b1"): "plain"},
                    {("a", "b0"): "removed", ("a", "b1"): "plain"}, {("a", "b1"): "plain", ("a", "b7"): "plain"}]


def test_a_drawing_forgets_what_was_for_one_step():
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
    assert list(s.edges) == [("a", "b")] and not s.edges["a", "b"].directed, "one edge between two nodes"


# -- signatures ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_shows_its_parameters_and_a_result(name):
    learner = LEARNERS[name]
    shown = inspect.signature(learner)
    assert list(shown.parameters) == list(inspect.signature(learner.function).parameters)
    assert not any(isinstance(p.annotation, str) for p in shown.parameters.values()), "types, not text"
    kind = shown.return_annotation
    assert issubclass(getattr(kind, "__origin__", kind), Result)
    helped = pydoc.render_doc(learner, renderer=pydoc.plaintext)
    bare = "".join(helped.split()).replace(",)", ")")  # newer Pythons write a parameter per line
    assert "".join(f"{name}({', '.join(map(str, shown.parameters.values()))})->".split()).replace(",)", ")") in bare
    assert inspect.getdoc(learner).splitlines()[0] in helped and "Generator[" not in helped


def test_the_kind_of_result_is_that_of_the_learner():
    assert inspect.signature(bn.pc).return_annotation is type(run("pc", next(tables())))
    assert inspect.signature(bn.minimal_imap).return_annotation == Result[bn.DAG]

    @bn.stepwise
    def bare(n: "no such type" = 1):  # noqa: F722
        yield Joined(("a", "b"))

    assert str(inspect.signature(bare)).startswith("(n: 'no such type' = 1) -> bnteach.trace.Result")
    assert bare().graph is None


def test_a_learner_can_be_a_method():
    class Course:
        @bn.stepwise
        def learn(self, n):
            yield Joined((self.name, str(n)))
            return bn.DAG()

        name = "a"

    assert Course().learn(3).trace[0] == Joined(("a", "3")) and Course.learn.__name__ == "learn"


# -- saving ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", LEARNERS)
def test_every_result_is_the_same_after_saving_and_loading(name, tmp_path):
    for table in tables():
        found = run(name, table)
        again = bn.Result.load(found.save(tmp_path / "found.json"))
        assert type(again) is type(found) and isinstance(again.trace, bn.Trace)
        assert (again.graph, again.score, again.learner) == (found.graph, found.score, found.learner)
        assert list(map(type, again.trace)) == list(map(type, found.trace)) and again.trace == found.trace
        assert again.trace.text() == found.trace.text() and again.to_json() == found.to_json()
        assert [drawing.edges for _, drawing in again.trace.replay()] == [d.edges for _, d in found.trace.replay()]


def test_what_belongs_to_a_result_is_saved_with_it(tmp_path):
    table = bn.datasets.five_rows()
    found = bn.pc(bn.Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD"))
    assert bn.Result.from_json(found.to_json()) == found and found.separating_sets
    network = bn.Result.from_json(bn.em("A->B, C, D", table).to_json()).network
    assert network.cpt("B").equals(bn.em("A->B, C, D", table).network.cpt("B"))
    assert bn.Result.from_json(bn.Result(bn.DAG("A"), score=float("-inf")).to_json()).score == float("-inf")
    mine = bn.Result.from_json(demo(2).to_json())
    assert mine == demo(2) and type(mine.trace[0]) is Joined, "steps of a module that is imported"
    assert json.loads(demo(2).to_json()), "plain JSON"


STEP = "bnteach.learn.steps.chow_liu.Rooted"


@pytest.mark.parametrize(("text", "message"), [
    ("", "this is not a saved result: Expecting value"),
    ("[1, 2]", "this is not a saved Result, but a list"),
    ("{}", "this is not a saved result"),
    ('{"tuple": 3}', "this is not a saved result"),
    ('{"tuple": [], "dict": []}', "this is not a saved result"),
    ('{"os.system": {"command": "echo"}}', "os.system cannot be part of a saved result"),
    ('{"subprocess.Popen": {"args": "echo"}}', "subprocess.Popen cannot be part of a saved result"),
    ('{"no.such.Class": {}}', "no.such.Class cannot be part of a saved result"),
    ('{"bnteach.__main__.main": {}}', "bnteach.__main__.main cannot be part of"),
    ('{"bnteach.learn.pc.pc": {}}', "bnteach.learn.pc.pc cannot be part of a saved result"),
    ('{"bnteach.learn.no_such_module.Step": {}}', "bnteach.learn.no_such_module.Step cannot be part of"),
    ('{"bnteach.tables.table.Table": {"data": "/etc/passwd"}}', "bnteach.tables.table.Table cannot be part of"),
    (f'{{"{STEP}": {{"root": "A"}}}}', "this is not a saved result: .*missing 1 required positional argument: 'arcs'"),
    (f'{{"{STEP}": {{"root": "A", "arcs": []}}}}', "this is not a saved Result, but a Rooted"),
    ('{"bnteach.trace.Result": {"graph": {"bnteach.graphs.dag.DAG": {"arcs": "A->B, B->A"}}, "trace": []}}',
     "this is not a saved result: A -> B -> A is a "),
    ('{"bnteach.trace.Result": {"graph": null, "trace": {"bnteach.steps.Trace": {"steps": [3]}}}}',
     "this is not a saved result: a trace has steps, not an int"),
    ('{"bnteach.trace.Result": {"graph": null, "trace": 3}}',
     "this is not a saved result: the trace of a result is a Trace, not an int"),
    ("[" * 100_000, "this is not a saved result"),
])
def test_a_bad_file_is_a_clear_error(text, message, tmp_path):
    (path := tmp_path / "bad.json").write_text(text)
    with pytest.raises(NotSaved, match=message):
        bn.Result.from_json(text)
    with pytest.raises(NotSaved, match=f"cannot read .*bad.json.*: {message}"):
        bn.Result.load(path)


def test_what_cannot_be_saved_says_so(tmp_path):
    @dataclass(frozen=True)
    class Local(bn.Step):
        n: int

    with pytest.raises(ValueError, match=r"Local cannot be part of a saved result.*top level of an imported module"):
        bn.Result(bn.DAG("A"), bn.Trace([Local(1)])).to_json()
    with pytest.raises(ValueError, match=r"builtins\.object cannot be part of a saved result"):
        bn.Result(bn.DAG("A"), bn.Trace([Joined(object())])).to_json()
    with pytest.raises(TypeError, match="the path of a saved result is needed here, not 'None'"):
        bn.Result.load(None)
    with pytest.raises(FileNotFoundError):
        bn.Result.load(tmp_path / "missing.json")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    with pytest.raises(NotSaved, match=r"cannot read .*picture\.png"):
        bn.Result.load(tmp_path / "picture.png")
    with pytest.raises(NotSaved, match="this is not a saved PCResult, but a Result"):
        type(run("pc", next(tables()))).from_json(demo(1).to_json())


# -- progress --------------------------------------------------------------------------------------------
class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def slow(monkeypatch):
    """slow(): progress that is quick for half of its 400 steps, and then takes nine seconds."""
    now = [0.0]
    monkeypatch.setattr("tqdm.std.time", lambda: now[0])
    monkeypatch.delenv("BNTEACH_PROGRESS", raising=False)

    def run_slowly(output=lambda: ""):
        with Progress("test", total=400) as progress:
            progress.step(200)
            assert output() == ""
            now[0] += 9.0
            for _ in range(200):
                progress.step()
        assert progress.done == 400
        return progress

    return run_slowly


def test_progress_appears_in_a_terminal_when_late_and_disappears(monkeypatch, slow):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    assert slow(terminal.getvalue).bar.n == 400
    assert "test:" in terminal.getvalue() and not terminal.getvalue().split("\r")[-2].strip()
    monkeypatch.setenv("BNTEACH_PROGRESS", "off")
    assert slow().bar is None


def test_progress_does_not_appear_in_a_file(monkeypatch, slow):
    monkeypatch.setattr("sys.stderr", file := io.StringIO())
    assert slow().bar is None and file.getvalue() == ""


@pytest.mark.parametrize(("metadata", "seen"), [({"cellId": "1"}, True), ({}, False)], ids=["a page", "a program"])
def test_progress_in_a_notebook_appears_in_a_page_alone_and_is_removed(monkeypatch, slow, metadata, seen):
    shown = []
    shell = SimpleNamespace(kernel=1, get_parent=lambda: {"metadata": metadata})
    line = SimpleNamespace(update=lambda data, raw: shown.append(data))
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: line)
    assert (slow(lambda: "".join(map(str, shown))).bar is not None) == seen
    assert any("test:" in data.get("text/plain", "") for data in shown) == seen
    assert shown[-1:] == [{}] * seen
