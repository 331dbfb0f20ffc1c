"""Submissions that try something. Each has two honest answers, to 7.1 and 7.2, worth three points, and its sin.

A sin says what it earns, and what must be reported to the student. Sins in code are answers to 7.4, whose function is
`kruskal`; sins of files are made by functions that write whatever they like.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from platform import machine

from tests.course.exercises.submissions import attacks
from tests.course.exercises.submissions.notebooks import code_cell, source, untouched, with_answers, write
from tests.course.exercises.submissions.tricks import (
    DRAWN,
    EQUAL,
    FLOAT,
    FORGED,
    HIDDEN,
    KEY,
    PATCHED,
    READY_TWICE,
    RELOAD,
    RIGHT,
    SEARCH,
    SHARED,
    TOO_LARGE,
    UNSEEN,
)

HONEST = ("7.1", "7.2")
FILE = "07_chow_liu.ipynb"


@dataclass(frozen=True)
class Sin:
    """What is handed in, what it earns (never more than what is honest), and words that its report must contain."""

    make: Callable[[Path, Path], object]  # (folder of the student, folder of all submissions)
    earns: int | str
    how: str  # how 7.4 ended, or the result of the whole submission
    words: str


def code(text: str, earns: int = 3, how: str = "crash", words: str = "", more: dict[str, str] | None = None) -> Sin:
    """A sin in the answer to 7.4."""
    def make(student: Path, everyone: Path) -> None:
        answer = text.replace("EVERYONE", str(everyone))
        write(with_answers(HONEST, {"7.4": answer, **(more or {})}), student / FILE)
    return Sin(make, earns, how, words)


def content(what: bytes, words: str, name: str = FILE, how: str = "unreadable", earns: int | str = 0) -> Sin:
    """A sin of the file itself."""
    def make(student: Path, everyone: Path) -> None:
        student.mkdir(parents=True, exist_ok=True)
        (student / name).write_bytes(what)
    return Sin(make, earns, how, words)


def linked(student: Path, everyone: Path) -> None:
    student.mkdir(parents=True)
    (student / FILE).symlink_to(everyone / "honest" / FILE)


def linked_folder(student: Path, everyone: Path) -> None:
    student.mkdir(parents=True)
    (student / "work").symlink_to(everyone / "honest")


def hundred_megabytes_of_outputs(student: Path, everyone: Path) -> None:
    notebook = source()
    notebook["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 100_000_000}]
    write(notebook, student / FILE)


def ten_megabytes_of_code(student: Path, everyone: Path) -> None:
    write({"cells": [code_cell("x" * 11_000_000, "answer_7_1")]}, student / FILE)


def a_gigabyte(student: Path, everyone: Path) -> None:
    os.truncate(write(source(), student / FILE), 1 << 30)


def cells_deleted(student: Path, everyone: Path) -> None:
    notebook = with_answers([*HONEST, "7.4"])
    keep = ("answer_7_1", "answer_7_2")
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["metadata"]["nbgrader"]["grade_id"] in keep]
    write(notebook, student / FILE)


def cells_edited(student: Path, everyone: Path) -> None:
    notebook = with_answers(HONEST)
    for cell in notebook["cells"]:
        id = cell["metadata"]["nbgrader"]["grade_id"]
        if id.startswith("check"):
            cell["source"] = "print('full marks')"
            cell["metadata"]["nbgrader"]["points"] = 1000
        if id == "given_1":
            cell["source"] = "import bnteach as bn\nlog2 = lambda x: 0"
    write(notebook, student / FILE)


def cells_of_another_type(student: Path, everyone: Path) -> None:
    notebook = with_answers(HONEST)
    notebook["cells"] += [code_cell("bn = None"), {"cell_type": "code"}, {"cell_type": 7, "source": {}}, "none", None,
                          {"cell_type": "code", "metadata": [], "source": ["x = 1\n", 5]},
                          {"cell_type": "code", "metadata": {"nbgrader": "full marks"}, "source": 12}]
    write(notebook, student / FILE)


def outside_in_a_name(student: Path, everyone: Path) -> None:
    write(with_answers(HONEST), student / "..evil" / "07_chow_liu (1); rm -rf ~ `id` $(id) <b>.ipynb")


def a_name_that_is_no_text(student: Path, everyone: Path) -> None:
    student.mkdir(parents=True)
    Path(os.fsdecode(os.fsencode(student) + b"/\xff\xfe.docx")).write_bytes(b"My essay")


def hundreds_of_notebooks(student: Path, everyone: Path) -> None:
    for i in range(60):
        write({"cells": [code_cell(f"x = {i}", "answer_7_1")]}, student / f"{i}.ipynb")


SINS: dict[str, Sin] = {
    "honest": Sin(lambda student, everyone: write(source(), student / FILE), 15, "right", ""),
    "untouched": Sin(lambda student, everyone: write(untouched(), student / FILE), 0, "missing", "not written yet"),
    "endless loop in a cell": code("while True: pass", how="timeout",
                                   words="the cell of question 7.4 did not end within 3 CPU seconds"),
    "endless loop in a function": code("def kruskal(weights):\n    while True: pass", how="timeout",
                                       words="kruskal did not end within 3 CPU seconds"),
    "asleep": code("def kruskal(weights):\n    import time\n    time.sleep(1e6)", how="timeout", words="waited for"),
    "endless generator": code("def kruskal(weights):\n    while True: yield 1", how="wrong", words="step 1 is 1"),
    "fork bomb": code("import os\nwhile True: os.fork()", words="PermissionError"),
    "a hundred megabytes printed": code(f"print('x' * 100_000_000)\n{RIGHT}", earns=5, how="right",
                                        words="prints 100,000,001 letters"),
    "an endless print": code("while True: print('x' * 1000)", how="timeout", words="did not end"),
    "ten gigabytes asked": code("x = bytearray(10 << 30)", words="MemoryError"),
    "ten gigabytes of list": code("x = [0]\nwhile True: x += x", words="MemoryError"),
    "a large answer": code("def kruskal(weights): return ['x' * 4000] * 10000", how="wrong", words="too large"),
    "a deep answer": code("def kruskal(weights):\n    x = []\n    for _ in range(10**5): x = [x]\n    return x",
                          how="wrong", words="step 1 is"),
    "os._exit": code("import os\nos._exit(0)", words="ended in the cell of question 7.4"),
    "os._exit in a function": code("import os\ndef kruskal(weights): os._exit(0)", words="ended in kruskal"),
    "sys.exit": code("import sys\nsys.exit(0)", words="SystemExit"),
    "quit in a function": code("import sys\ndef kruskal(weights): sys.exit('bye')", words="SystemExit: bye"),
    "kill of the parent": code("import os\nos.kill(os.getppid(), 9)\nos.kill(-1, 9)", words="No such process"),
    "kill of oneself": code("import ctypes\nctypes.string_at(0)", words="SIGSEGV"),
    "broken JSON": content(b'{"cells": [', "damaged"),
    "empty file": content(b"", "empty"),
    "not a notebook": content(b"\x89PNG\r\n\x1a\n\x00", "not text"),
    "not a notebook but JSON": content(b"[1, 2, 3]", "no cells"),
    "nested JSON": content(b"[" * 200_000, "damaged"),
    "a document": content(b"My essay", "no notebook (.ipynb)", "essay.docx"),
    "a name that is no text": Sin(a_name_that_is_no_text, 0, "unreadable", "no notebook (.ipynb)"),
    "hundreds of notebooks": Sin(hundreds_of_notebooks, 0, "unreadable", "60 notebooks"),
    "nothing": Sin(lambda student, everyone: student.mkdir(parents=True), 0, "unreadable", "it has nothing"),
    "cells deleted": Sin(cells_deleted, 3, "missing", "no function kruskal"),
    "cells edited": Sin(cells_edited, 3, "missing", ""),
    "cells of another type": Sin(cells_of_another_type, 3, "missing", ""),
    "bn.check redefined": code("import bnteach as bn\nbn.check = lambda *_: True\ndef kruskal(weights): return True",
                               how="wrong", words="steps are asked for"),
    "equal to everything": code(EQUAL, how="wrong", words="too large"),
    "a float that is near everything": code("def kruskal(weights): return []", how="wrong", words="stops after 0 steps",
                                            more={"7.3": FLOAT}),
    "numpy, json and bnteach patched": code(PATCHED, words="ended in the cell of question 7.4"),
    "json patched": code("import json\njson.dumps = lambda *_, **__: '{\"answer\": true}'\ndef kruskal(w): return 1",
                         how="timeout", words="did not end"),
    "answers forged": code(FORGED, how="wrong", words=""),
    "inputs asked for twice": code(READY_TWICE, words="came 1 times"),
    "an answer too large, by hand": code(TOO_LARGE, words="too large"),
    "the channel filled": code("import os\nfor i in range(3, 64):\n    try:\n        while True: os.write(i, b'x' * 99)"
                               "\n    except OSError: pass", words="too long"),
    "reading another submission": code("import json\nexec(''.join(json.load(open('EVERYONE/honest/07_chow_liu.ipynb'))"
                                       "['cells'][8]['source']))", words="FileNotFoundError"),
    "reading the solutions": code(f"import json\njson.load(open({str(Path(__file__).parents[4])!r} + "
                                  f"'/lessons/exercises/07_chow_liu.ipynb'))", words="FileNotFoundError"),
    "reading the library": code("import bnteach.learn.chow_liu as m\nexec(open(m.__file__).read())",
                                words="FileNotFoundError"),
    "calling the library": code("import bnteach as bn\ndef kruskal(w): return bn.kruskal(w).graph", how="wrong",
                                words="kruskal of bnteach must not be used in question 7.4: write it yourself."),
    "calling the library and hiding it": code(HIDDEN, how="wrong", words="kruskal of bnteach must not be used"),
    "calling the library in a cell": code(f"import bnteach as bn\nbn.kruskal({{('A', 'B'): 1}})\n{RIGHT}", earns=5,
                                          how="right"),
    "ending the reports": code(UNSEEN, how="wrong", words="setprofile of sys must not be used in question 7.4."),
    "calling another library": code("import networkx as nx\ndef kruskal(w):\n    g = nx.Graph()\n"
                                    "    g.add_weighted_edges_from((a, b, x) for (a, b), x in w.items())\n"
                                    "    return [e[:2] for e in nx.maximum_spanning_edges(g)]", how="wrong",
                                    words="of networkx must not be used"),
    "asking the question itself": code("from bnteach.course.exercises.questions import find\n"
                                       "kruskal = find('7.4').right",
                                       words="No module named 'bnteach.course."),
    "finding the function in memory": code(SEARCH, how="wrong", words="must not be used"),
    "loading the library again": code(RELOAD, words="No module named"),
    "writing outside": code("open('EVERYONE/written', 'w').write('x')", words="FileNotFoundError"),
    "writing everywhere": code("import os\nfor base, folders, files in os.walk('/'):\n    for name in folders:\n"
                               "        if base + name != '/scratch': open(os.path.join(base, name, 'x'), 'w')",
                               words="Read-only file system"),
    "filling the disk": code("for i in range(10**6): open(f'f{i}', 'wb').write(bytes(10**6))", words="No space left"),
    "opening a socket": code("import socket\nsocket.create_connection(('192.0.2.1', 80), 1)", words="not permitted"),
    "opening a socket at home": code("import socket\nsocket.create_connection(('127.0.0.1', 22))", words="permitted"),
    "a process left behind": code("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)",
                                  words="PermissionError"),
    "a thread left behind": code("import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()",
                                 how="missing", words="no function kruskal"),
    "a bomb of threads": code(attacks.THREAD_BOMB, words="can't start new thread"),
    "threads that never end": code(attacks.BUSY_THREADS, how="timeout", words="did not end within 3 CPU seconds"),
    "calling the library in an earlier thread": code(attacks.BY_A_THREAD, how="wrong", words="must not"),
    "calling the library in a bare thread": code(attacks.BY_A_BARE_THREAD, how="wrong", words="must not"),
    "threads as they are meant": code(attacks.HONEST_THREADS, earns=5, how="right"),
    "awake now and then": code(attacks.SLOW_DRIP, how="timeout", words="waited for something"),
    "the limit of time lifted": code(attacks.NO_LIMIT, how="timeout", words="did not end within 3 CPU seconds"),
    "files left everywhere": code(attacks.LEFT_EVERYWHERE, how="wrong", words="stops after 0 steps"),
    "work for the kernel": code(attacks.WORK_FOR_THE_KERNEL, words="Operation not permitted"),
    "pages on demand": code(attacks.PAGES_ON_DEMAND, words="Operation not permitted"),
    "another's memory": code(attacks.ANOTHERS_MEMORY, words="Operation not permitted"),
    "a socket to the host": code(attacks.TO_THE_HOST, words="Operation not permitted"),
    "a lock that others see": code(attacks.A_LOCK_TO_SEE, words="Operation not permitted"),
    "a program of one's own": code(attacks.OWN_PROGRAM, words="Operation not permitted"),
    "calls of another architecture": code(attacks.OLD_CALLS, words="SIGSYS" if machine() == "x86_64" else "signal"),
    "more privileges": code("import ctypes, os\nlibc = ctypes.CDLL(None)\nassert libc.unshare(0x10000000) == 0",
                            words="AssertionError"),
    "shared memory": code(SHARED, words="Operation not permitted"),
    "a note for the next one": code(KEY, words="Operation not permitted"),
    "a symlink": Sin(linked, 0, "unreadable", "link"),
    "a symlink to a folder": Sin(linked_folder, 0, "unreadable", "no notebook"),
    "a hundred megabytes of outputs": Sin(hundred_megabytes_of_outputs, 15, "right", ""),
    "ten megabytes of code": Sin(ten_megabytes_of_code, 0, "unreadable", "11 MB besides its outputs"),
    "a gigabyte": Sin(a_gigabyte, 0, "unreadable", "1074 MB"),
    "..; odd 'names' <b>=\u202e\n": Sin(outside_in_a_name, 3, "missing", ""),
    "=cmd|' /C calc'!A0": Sin(lambda student, everyone: write(with_answers(HONEST), student / FILE), 3, "missing", ""),
    "two notebooks": Sin(lambda student, everyone: (write(source(), student / FILE),
                                                    write(untouched(), student / "07_chow_liu-1.ipynb")),
                         "", "double", "another notebook"),
    "no exercise at all": Sin(lambda student, everyone: write({"cells": [code_cell("x = 1")]}, student / "my.ipynb"),
                              0, "unknown exercise", "not clear which exercise"),
    "a function as an answer": code("def kruskal(weights): return print", how="wrong", words="the function print"),
    "a module as an answer": code("import os\ndef kruskal(weights): return os", how="wrong", words="a module"),
    "not a number as an answer": code("def kruskal(weights): return [float('nan')]", how="wrong", words="nan"),
    "bytes as an answer": code("def kruskal(weights): return b'AB'", how="wrong", words="a bytes"),
    "not a function": code("kruskal = 3", how="missing", words="no function kruskal"),
    "a class for a function": code("class kruskal:\n    def __init__(self, weights): pass", how="wrong",
                                   words="a kruskal"),
    "an error with a long text": code("def kruskal(weights): raise ValueError('<script>' * 10**6)", words="ValueError"),
    "an error that cannot be shown": code("class Bad(Exception):\n    def __str__(self): raise self\n"
                                          "def kruskal(weights): raise Bad()", words=""),
    "recursion without end": code("def kruskal(weights): return kruskal(weights)", words="RecursionError"),
    "bad grammar": code("def kruskal(weights) return", words="SyntaxError"),
    "a shell command": code("!rm -rf /\ndef kruskal(weights): return []", how="wrong", words="stops after 0 steps"),
    "magic and pictures": code(DRAWN, earns=5, how="right", words=""),
}


def make_all(folder: Path) -> dict[str, str]:
    """Write every sin into a folder; {sin: name of the student}."""
    students = {}
    for sin in SINS:
        students[sin] = sin.replace("/", "_")
        SINS[sin].make(folder / students[sin], folder)
    return students
