"""What Python in a browser lacks (JupyterLite, Pyodide) is hidden here: the library still imports, learns and draws."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import LEARNERS

ROOT = Path(__file__).parents[1]
HIDDEN = """
import os, subprocess, sys, threading
for name in ("pygraphviz", "ipywidgets", "_multiprocessing", "resource", "fcntl", "pwd", "termios"):
    sys.modules[name] = None

def no(*args, **kwargs):
    raise RuntimeError("there are no threads and processes in a browser")

threading.Thread.start = subprocess.Popen.__init__ = os.fork = os.system = no
"""


def in_a_browser(code):
    command = [sys.executable, "-W", "error", "-c", HIDDEN + code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_what_is_hidden_is_missing():
    for code in ("import ipywidgets", "import pygraphviz", "threading.Thread(target=print).start()",
                 "subprocess.run(['true'])"):
        with pytest.raises(AssertionError):
            in_a_browser(code)


def test_every_learner_runs_draws_and_plays():
    lines = in_a_browser("""
import bnteach as bn
from tests.examples import LEARNERS, run
for name in LEARNERS:
    result = run(name, bn.datasets.five_rows())
    print(name, "<svg" in bn.draw(result)._repr_html_(), bn.play(result).html().startswith("<div"))
""").splitlines()
    assert lines == [f"{name} True True" for name in LEARNERS]


def test_the_lessons_own_calls_work():
    """A quiz, a knob, practice, a claim and the data that ship; PC on ALARM; the bootstrap, even with more jobs."""
    assert in_a_browser("""
import bnteach as bn
table = bn.datasets.alarm(500)
found = bn.pc(bn.ChiSquare(table))
assert "<svg" in bn.draw(found)._repr_html_()
bn.hill_climb(bn.BIC(bn.Measurements(bn.datasets.wine())))
bn.bootstrap(lambda t: bn.ges(bn.BIC(t)), bn.datasets.asia(100), n=2)
for shown in (bn.practice("kruskal"), bn.glossary("v-structure"), bn.source(bn.pc), bn.hint("7.1"),
              bn.knob(lambda n: bn.draw(bn.DAG("A->B")), n=[1, 2])):
    assert shown is None or shown._repr_html_() if hasattr(shown, "_repr_html_") else str(shown)
print("fine")
""").endswith("fine\n")
