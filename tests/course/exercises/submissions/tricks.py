"""Code of submissions that try something; sins.py says what comes of it."""

from __future__ import annotations

from tests.course.exercises.submissions.notebooks import source

RIGHT = "".join(next(cell["source"] for cell in source()["cells"] if "def kruskal" in "".join(cell["source"])))
EQUAL = """
class Everything(list):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __len__(self): return 4
    def __iter__(self): return iter([self] * 4)
    def __contains__(self, other): return True
    def __reduce__(self): import os; return (os.system, ("touch EVERYONE/pickled",))
def kruskal(weights): return Everything()
"""
FLOAT = """
class Any(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __abs__(self): return 0.0
    def __le__(self, other): return True
    def __float__(self): return 0.0
    def __repr__(self): return "0.0729"
def mutual_information(table, x, y): return Any(0.0729)
"""
PATCHED = """
import json, math, builtins
import numpy as np
import bnteach as bn
from bnteach.course import comparing
from bnteach.course.exercises.questions import base
comparing.difference = lambda *_: ""
base.Question.judge = lambda *_: (True, "")
json.dumps = lambda *_, **__: '{"answer": "right", "points": 1000, "ok": true}'
np.isclose = np.allclose = math.isclose = lambda *_, **__: True
builtins.isinstance = lambda *_: True
bn.kruskal = bn.check = lambda *_, **__: True
def kruskal(weights): return []
"""
FORGED = """
import json, os, socket, sys
for number in range(3, 64):
    try:
        channel = socket.socket(fileno=os.dup(number))
        channel.sendall(b'{"ready": true}\\n{"answer": "true"}\\n{"answer": "[]"}\\n{"printed": 0, "points": 100}\\n')
    except OSError:
        pass
def kruskal(weights): return []
"""
CHANNEL = """
import os, socket, time
def find():
    for number in range(3, 64):
        try: return socket.socket(fileno=os.dup(number))
        except OSError: pass
channel = find()
"""
READY_TWICE = CHANNEL + """
channel.sendall(b'{"ready": true}\\n' * 2)
time.sleep(0.5)
heard = channel.recv(1 << 20, socket.MSG_DONTWAIT | socket.MSG_PEEK)
raise ValueError(f"the inputs came {heard.count(10)} times")
"""
TOO_LARGE = CHANNEL + """
channel.sendall(b'{"ready": true}\\n' + (b'{"answer": "[' + b'9' * 4000 + b']"}\\n') * 40)
time.sleep(0.2)
os._exit(0)
"""
SHARED = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
assert libc.shmget(0, 1 << 30, 0o1600) >= 0, os.strerror(ctypes.get_errno())
"""
KEY = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
add_key = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
assert libc.syscall(add_key, b"user", b"note", b"text", 4, ctypes.c_int(-4)) >= 0, os.strerror(ctypes.get_errno())
"""
DRAWN = f"""%matplotlib inline
import matplotlib.pyplot as plt  # is that needed?
bn.kruskal?
%timeit -n 1 abs(1)
fig, ax = plt.subplots(1, 2)
ax[0].bar([1], [2]); plt.show(); bn.draw(bn.DAG("A->B"))
if True:
    %time x = 1
{RIGHT}"""
SEARCH = """
import bnteach as bn
def kruskal(weights):
    steps = bn.kruskal.function(weights)
    while True:
        try: next(steps)
        except StopIteration as end: return end.value
"""
RELOAD = """
def kruskal(weights):
    import importlib, sys
    for name in [name for name in sys.modules if name.startswith("bnteach")]:
        del sys.modules[name]
    return importlib.import_module("bnteach.learn.chow_liu").kruskal(weights).edges
"""
HIDDEN = f"""
import bnteach as bn
{RIGHT}
own = kruskal
def kruskal(weights):
    try: return bn.kruskal(weights).graph
    except BaseException: return own(weights)
"""
UNSEEN = """
import sys
import bnteach as bn
def kruskal(weights):
    before = sys.getprofile()
    sys.setprofile(None)
    try: return bn.kruskal(weights).graph
    finally: sys.setprofile(before)
"""
