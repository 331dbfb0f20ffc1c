"""Running a cell as a notebook does, inside the sandbox.

IPython itself translates what is not Python (%magics, !commands, `x = !ls`, `name?`). Magics that run code run it, all
others do nothing, and plots are drawn on nothing. The statements of a cell run one after the other, and one that fails
does not keep the functions below it from being defined: a plot that cannot be drawn costs no answer.
"""

from __future__ import annotations

import ast
import asyncio
import codeop
import dis
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

RUN_THEIR_CODE = ("time", "capture", "prun")
PLOTTING = ("matplotlib", "pylab", "seaborn", "plotly", "bokeh", "altair", "plotnine", "holoviews", "hvplot",
            "graphviz", "pygraphviz", "pydot", "ipywidgets")
compiler = codeop.Compile()  # remembers `from __future__ import ...` for the cells below
compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
event_loop = cache(asyncio.new_event_loop)


def run_cell(source: str, name: str, space: dict[str, Any]) -> None:
    """Run all statements of a cell; raises the error of the first that failed."""
    first: BaseException | None = None
    for statement in ast.parse(TransformerManager().transform_cell(source), name).body:
        try:
            run_statement(statement, name, space)
        except BaseException as error:  # SystemExit too
            first = first or error
    if first is not None:
        raise first


def run_statement(statement: ast.stmt, name: str, space: dict[str, Any]) -> None:
    """Run a statement; if it awaits something, in an event loop."""
    code = compiler(ast.Module([statement], []), name, "exec")
    running = eval(code, space)
    if code.co_flags & inspect.CO_COROUTINE:
        event_loop().run_until_complete(running)


# -- plots and commands, which are not needed here -------------------------------------------------------------------
class Nothing:
    """Every attribute, call or item is this object again: enough for fig, ax = plt.subplots() and ax[0].set(...)."""

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> Nothing:
        return self

    __getitem__ = __enter__ = __call__

    def __exit__(self, *_: Any) -> None:
        pass

    def __setitem__(self, *_: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Nothing]:
        """As many as the caller unpacks: three in n, bins, patches = plt.hist(x)."""
        caller = sys._getframe(1)
        operation, many = caller.f_code.co_code[caller.f_lasti:caller.f_lasti + 2]
        return iter([self] * (many if dis.opname[operation] == "UNPACK_SEQUENCE" else 2))


class Shell(Nothing):
    """What get_ipython() returns: it runs the code of %time and the like; shell commands print nothing."""

    def __init__(self, space: dict[str, Any]):
        self.space = space

    def run_cell_magic(self, name: str, line: str, cell: str) -> Nothing:
        """%%time and the like: the code below counts. %%bash and the like: it does not."""
        if name in RUN_THEIR_CODE:
            run_cell(cell, f"<%%{name}>", self.space)
        if name == "capture" and line[:1].isidentifier():
            self.space[line.split()[0]] = Nothing()
        return Nothing()

    def run_line_magic(self, name: str, line: str) -> Nothing:
        """%time x = f() sets x."""
        if name in RUN_THEIR_CODE:
            run_cell(line, f"<%{name}>", self.space)
        return Nothing()

    def getoutput(self, _: str) -> list[str]:
        """x = !ls: no lines."""
        return []


class Pictures:
    """Lets a submission import a library for plots that is not here, so that code which also plots still runs."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        return spec_from_loader(name, self, is_package=True) if name.partition(".")[0] in PLOTTING else None

    def create_module(self, spec: ModuleSpec) -> None:
        pass

    def exec_module(self, module: ModuleType) -> None:
        module.__getattr__ = Nothing().__getattr__
