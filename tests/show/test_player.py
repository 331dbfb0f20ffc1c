"""Players and knobs: every frame is the replay of the trace, with and without a kernel."""

import json
import re
import sys
from html import unescape
from xml.etree import ElementTree

import pytest

import bnteach as bn
from bnteach.show.frames import record, shortened
from bnteach.show.standalone import live
from bnteach.show.theme import themed
from bnteach.trace import Result, Trace
from tests.show.conftest import Connected, Examined, Oriented, Remark, long_run

NO_BODY = re.compile(r"<(script|style)[^>]*>.*?</\1>", re.S)


def state(drawing):
    return dict(drawing.nodes), {pair: (edge.directed, edge.style, edge.label) for pair, edge in drawing.edges.items()}


def data_of(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])


def svg_of(html):
    return ElementTree.fromstring(re.search(r"<svg.*?</svg>", html, re.S)[0])


# -- frames --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("which", ["run", "long"])
def test_every_moment_is_the_replay_of_the_trace(which, request):
    trace = request.getfixturevalue(which).trace
    frames = record(trace)
    nodes, edges = {}, {}
    for i, (_, drawing) in enumerate(trace.replay()):
        for what, new in frames.changes[i]:
            kind = edges if isinstance(what, tuple) else nodes
            kind.pop(what, None)
            if new is not None:
                kind[what] = (new.directed, new.style, new.label) if kind is edges else new
        assert (nodes, edges) == state(drawing), i
        if i % 97 == 0 or len(trace) < 20:
            assert state(frames.drawing(i)) == state(drawing), i


def test_a_short_trace_has_one_frame_per_step(run):
    frames = shortened(record(run.trace), 300)
    assert [(number, text) for number, text, _ in frames] == run.trace.sentences()


def test_a_long_trace_keeps_what_changed_and_merges_what_did_not(long):
    frames = shortened(record(long.trace), 300)
    assert len(frames) < 20
    texts = [text for _, text, _ in frames]
    removed = [f"{a} and {b}: independent, remove" for a, b in ("AE", "BD", "CE")]
    assert [text for text in texts if "remove" in text] == removed
    assert "… 299 steps that changed nothing …" in texts
    assert texts[-1] == str(long.trace[-1])
    merged = sum(int(re.search(r"([\d,]+) steps", text)[1].replace(",", "")) for text in texts if text.startswith("…"))
    assert merged + sum(not text.startswith("…") for text in texts) == len(long.trace)


def test_a_long_eventful_trace_loses_its_middle():
    trace = Trace([Connected(tuple("ABC")), *(Oriented(*"AB" if i % 2 else "BA") for i in range(1000))])
    frames = shortened(record(trace), 30)
    assert len(frames) == 30
    assert sum("not shown one by one" in text for _, text, _ in frames) == 1
    assert frames[-1][0] == 1001


def test_the_last_frame_is_the_same_however_few_there_are(long):
    """Applying the changes of the shortened frames gives the last drawing too."""
    whole = record(long.trace)
    now = {}
    for _, _, changes in shortened(whole, 10):
        now.update(changes)
    nodes, edges = state(whole.drawing(len(whole) - 1))
    assert {k: v for k, v in now.items() if isinstance(k, str)} == nodes
    assert {k: (v.directed, v.style, v.label) for k, v in now.items() if isinstance(k, tuple) and v} == edges


# -- the stand-alone player --------------------------------------------------------------------------------------
def test_the_page_plays_the_trace(run):
    """As the script does: start from nothing, apply the changes frame by frame, compare what is shown."""
    html = bn.play(run).html()
    data, elements = data_of(html), {}
    for element in svg_of(html).iter():
        if element.get("data-element"):
            elements[int(element.get("data-element"))] = element
    assert sorted(elements) == list(range(len(data["elements"])))
    now = list(data["elements"])
    for (_, position, changes), (i, (_, drawing)) in zip(data["frames"], enumerate(run.trace.replay(), 1)):
        for number, value in changes:
            now[number] = value
        assert position == f"{i} of 9"
        shown = [(elements[k].get("class"), value) for k, value in enumerate(now) if value]
        assert sorted(v for kind, v in shown if kind == "bn-node") == sorted(drawing.nodes.values())
        assert (sorted(edge for edge in shown if edge[0] in ("bn-arc", "bn-edge"))
                == sorted(("bn-arc" if edge.directed else "bn-edge", edge.style) for edge in drawing.edges.values()))
        labels = [edge.label for edge in drawing.edges.values() if edge.label]
        assert sorted(v for kind, v in shown if kind == "bn-label") == sorted(labels)


def test_without_a_script_the_last_step_and_all_sentences_are_there(run):
    html = bn.play(run).html()
    svg, bare = svg_of(html), NO_BODY.sub("", html)
    seen = [e for e in svg.iter() if e.get("class") in ("bn-arc", "bn-edge") and e.get("display") != "none"]
    assert [e.get("class") for e in seen].count("bn-arc") == 2 and len(seen) == 4
    assert svg.get("aria-label") == ("Partially directed graph on A, B, C, D: undirected edges A - B labelled "
                                     "p < 0.05, A - C; arcs B to D (oriented), C to D (oriented).")
    sentences = re.findall(r"<li[^>]*>([^<]*)</li>", bare)
    assert [unescape(text) for text in sentences] == [str(step) for step in run.trace]
    assert 'class="bn-bar" style="display:none"' in bare, "controls appear only when the script runs"


def test_the_page_fetches_nothing_and_can_be_used_by_keyboard(run):
    html = bn.play(run).html()
    assert not re.search(r"https?://(?!www\.w3\.org/)", html)
    assert not re.search(r"(src|href)=|@import|fetch\(|import\(", html)
    assert ' id="' not in html
    assert 'type="range"' in html and 'aria-live="polite"' in html and "aria-valuetext" in html
    assert len(re.findall(r'<button type="button" data-do="\w+" title="[^"]+">\w+</button>', html)) == 5
    assert not re.search(r"\d\.\d", json.dumps(data_of(html)["frames"]).replace("0.05", "")), "no coordinates"


def test_text_in_a_trace_cannot_break_the_page():
    trace = Trace([Connected(("<b>", "a&b")), Remark("</script><script>alert(1)</script>")])
    html = bn.play(trace).html()
    assert "alert(1)</script>" not in html.replace("alert(1)\\u003c/script>", "")
    assert data_of(html)["frames"][1][0] == "</script><script>alert(1)</script>"
    svg_of(html)


def test_a_long_player_is_small(long):
    assert len(bn.play(long).html()) < 60_000


def test_plain_text_and_bundle_are_short_and_the_same_every_time(run):
    text = "Player of demo, 9 steps. The last: C -> D"
    bundle = bn.play(run)._repr_mimebundle_()
    assert bundle["text/plain"] == text and set(bundle) == {"text/plain", "text/html"}, "no kernel, no widget"
    assert bundle == bn.play(run)._repr_mimebundle_()


def test_save_writes_a_page(run, tmp_path):
    page = bn.play(run).save(tmp_path / "p.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "<title>demo, step by step</title>" in page


# -- positions ---------------------------------------------------------------------------------------------------
def test_nodes_are_on_a_circle_if_all_pairs_occur_and_in_layers_otherwise(run, alarm):
    square = bn.play(run).layout.at
    assert square["A"][1] == square["B"][1] and square["A"][0] == square["C"][0]
    chain = bn.play(Trace([Oriented("A", "B"), Oriented("B", "C"), Oriented("C", "D")])).layout.at
    assert chain["A"][1] < chain["B"][1] < chain["C"][1] < chain["D"][1]
    assert bn.play(run, layout="layers").layout.at != square
    assert bn.play(run, layout=bn.DAG("D->A->B->C")).layout.at["D"][1] == min(
        y for _, y in bn.play(run, layout=bn.DAG("D->A->B->C")).layout.at.values())
    start = Trace([Connected(alarm.nodes), *(Examined(a, b, True) for a, b in [("CVP", "PCWP"), ("HR", "BP")])])
    assert len(bn.play(start, layout=alarm).layout.at) == 37


def test_a_node_never_moves(run):
    player = bn.play(run)
    def rects(svg):
        return {e[1].text: (e[0].get("x"), e[0].get("y")) for e in ElementTree.fromstring(svg).iter()
                if e.get("class") == "bn-node"}
    assert all(rects(player.svg(k)) == rects(player.svg(1)) for k in range(1, 10))


def test_traces_that_draw_nothing_or_have_no_steps():
    words = bn.play(Trace([Remark("one"), Remark("two")]))
    assert "<svg" not in words.html() and [f[0] for f in data_of(words.html())["frames"]] == ["one", "two"]
    none = bn.play(Result(bn.DAG("A->B"), learner="nothing"))
    assert repr(none) == "Player of nothing: no steps." and "no steps" in none.html()


@pytest.mark.parametrize(("call", "error", "says"), [
    (lambda r: bn.play(bn.DAG("A->B")), TypeError, "bn.play takes what a learner returns.*DAG is neither"),
    (lambda r: bn.play(r, layout="square"), ValueError, "layout is 'square'"),
    (lambda r: bn.play(r, max_frames=1), ValueError, "at least 3 frames"),
])
def test_player_errors(call, error, says, run):
    with pytest.raises(error, match=says):
        call(run)


# -- with a kernel -------------------------------------------------------------------------------------------------
def test_the_live_player_shows_the_step_of_its_slider(run):
    player = bn.play(run)
    shown, slider, bar, text = player.widget().children
    assert themed(player.svg(1)) in shown.value and "connect all of A, B, C, D" in shown.value
    slider.value = 9
    assert themed(player.svg(9)) in shown.value and "9 of 9." in shown.value and "C -&gt; D" in shown.value
    first, back, on, last = bar.children[:4]
    for button, step in [(back, 8), (first, 1), (back, 1), (on, 2), (last, 9), (on, 9)]:
        button.click()
        assert slider.value == step
    assert text.value.count("<li") == 9


def test_in_a_notebook_the_bundle_has_a_widget_too(run, monkeypatch):
    monkeypatch.setattr("bnteach.show.player.live", lambda: True)
    assert "application/vnd.jupyter.widget-view+json" in bn.play(run)._repr_mimebundle_()


def test_whether_there_are_widgets(monkeypatch):
    class Shell:
        kernel = object()

    monkeypatch.setattr("IPython.get_ipython", lambda: Shell())
    monkeypatch.delenv("BNTEACH_WIDGETS", raising=False)
    assert live()
    monkeypatch.setenv("BNTEACH_WIDGETS", "off")
    assert not live()
    monkeypatch.delenv("BNTEACH_WIDGETS")
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    assert not live()


def test_without_ipywidgets_there_is_the_page(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert set(bn.play(run)._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_any_step_of_a_long_trace_is_drawn_correctly(long):
    player = bn.play(long)
    moments = (1, 200, 201, 1500, 1501, 2000)
    drawn = {i: state(s) for i, (_, s) in enumerate(long_run().trace.replay(), 1) if i in moments}
    for step, (_, edges) in drawn.items():
        assert player.svg(step).count('class="bn-edge"') == len(edges)


# -- knobs -----------------------------------------------------------------------------------------------------------
def made(**more):
    return bn.knob(lambda alpha: bn.draw(bn.DAG("A->B" if alpha < 0.1 else "B->A")), alpha=[0.001, 0.05, 0.2], **more)


def test_a_knob_computes_each_frame_once_and_shows_the_start():
    calls = []
    knob = bn.knob(lambda n: calls.append(n) or f"n is <{n}>", n=[1, 2, 3], start=2)
    assert calls == [1, 2, 3]
    assert repr(knob) == "Knob n: 1, 2, 3. At 2: n is <2>"
    html = NO_BODY.sub("", knob.html())
    frames = re.findall(r'<div class="bn-frame"( style="display:none")?>(.*?)</div>', html, re.S)
    assert [bool(hidden) for hidden, _ in frames] == [True, False, True] and "n is &lt;2&gt;" in frames[1][1]
    assert calls == [1, 2, 3]


def test_a_knob_of_pictures():
    knob = made(start=0.2)
    assert repr(knob) == "Knob alpha: 0.001, 0.05, 0.2. At 0.2: Directed graph on B, A: arc B to A."
    data = data_of(knob.html())
    assert data["start"] == 2 and [position for _, position in data["frames"]] == ["0.001", "0.05", "0.2"]
    assert knob.html().count("<svg") == 3 and '<span aria-hidden="true">alpha</span>' in knob.html()
    assert knob._repr_mimebundle_() == made(start=0.2)._repr_mimebundle_()


def test_the_live_knob():
    knob = made()
    slider, shown, named = knob.widget().children
    assert "'aria-label', 'alpha'" in named.value
    assert slider.description == "alpha" and "arc A to B" in shown.value
    slider.value = 2
    assert knob.frames[2] in shown.value and "arc B to A" in shown.value and 'data-value="0.2"' in shown.value


@pytest.mark.parametrize(("call", "error", "says"), [
    (lambda: bn.knob(str), TypeError, "one argument with its values.*given: none"),
    (lambda: bn.knob(str, a=[1], b=[2]), TypeError, "given: a, b"),
    (lambda: bn.knob(str, a="abc"), TypeError, "a must be a list of values"),
    (lambda: bn.knob(str, a=[]), TypeError, "a must be a list of values"),
    (lambda: made(start=0.3), ValueError, "start is 0.3, which is not among the values of alpha: 0.001, 0.05, 0.2"),
])
def test_knob_errors(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_an_error_in_a_knob_says_at_which_value():
    with pytest.raises(ZeroDivisionError) as caught:
        bn.knob(lambda n: 1 / n, n=[1, 0])
    assert caught.value.__notes__ == ["This happened in bn.knob, with n = 0."]
