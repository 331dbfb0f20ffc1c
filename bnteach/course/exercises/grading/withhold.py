"""Taking functions of the library away for a while.

A question that asks for entropy does not offer `bn.entropy`. Deleting the name would not be enough: the function lives
on in other modules, in classes that use it, and in the garbage collector's lists. So the function itself is emptied:
its code is replaced by one line that says it is not to be used here, and whatever is built on it stops working too.
What is compiled has no such code; in the grader's sandbox it goes from its modules, and so from memory.

    "information.entropy"     one function of bnteach.information
    "information"             all functions of the module
    "scores.MDL"              all methods of a class
    "networkx.algorithms.tree.mst"    a module of another library
    "statistics"              Python's own; ours of that name is "bnteach.independence.chi_square"
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType

LIBRARIES = ("bnteach", "networkx", "scipy", "pandas", "numpy", "graphlib", "statistics")


def full_name(name: str) -> str:
    """The name with its library: bnteach's, unless it starts with another's.

    >>> full_name("scores.MDL"), full_name("networkx.algorithms.tree.mst")
    ('bnteach.scores.penalised.MDL', 'networkx.algorithms.tree.mst')
    """
    return name if name.partition(".")[0] in LIBRARIES else f"bnteach.{name}"


def load(names: Iterable[str]) -> list[str]:
    """Import the modules in which these names live; returns the names of the modules."""
    loaded = []
    for name in map(full_name, names):
        parts = name.split(".")
        for size in range(len(parts), 0, -1):
            try:
                importlib.import_module(module := ".".join(parts[:size]))
            except ModuleNotFoundError:
                continue
            loaded.append(module)
            break
    return loaded


class Index:
    """All functions of the libraries that are loaded when it is made; those of `names` are looked up at once."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.by_module: dict[str, list[FunctionType]] = {}
        for thing in gc.get_objects():
            if type(thing) is FunctionType:
                module = getattr(thing, "__module__", None)
                if isinstance(module, str) and module.partition(".")[0] in LIBRARIES:
                    self.by_module.setdefault(module, []).append(thing)
        self._known = {name: list(self._look_up(full_name(name))) for name in names}
        self._compiled = {name: list(_compiled(full_name(name))) for name in names}

    def find(self, names: Iterable[str]) -> Iterator[FunctionType]:
        """The functions that the names stand for."""
        for name in names:
            yield from self._known[name] if name in self._known else self._look_up(full_name(name))

    def _look_up(self, name: str) -> Iterator[FunctionType]:
        for module, functions in self.by_module.items():
            if module == name or module.startswith(f"{name}."):
                yield from functions
            elif name.startswith(f"{module}."):
                inside = name[len(module) + 1:]
                yield from (f for f in functions if f.__qualname__ == inside or f.__qualname__.startswith(f"{inside}."))

    def take_away(self, names: Iterable[str], question: str) -> None:
        """Put something else in the place of compiled functions, which cannot be emptied. There is no way back."""
        for module, name in (place for one in names for place in self._compiled[one]):
            setattr(module, name, FunctionType(_says(name, module.__name__, question), {}))


def _compiled(name: str) -> Iterator[tuple[ModuleType, str]]:
    """Where the compiled functions of a module are to be found: (module, name there)."""
    inside = f"{name}."
    for module in [module for known, module in list(sys.modules.items()) if f"{known}.".startswith(inside)]:
        for key, thing in vars(module).items():
            if callable(thing) and not isinstance(thing, type | FunctionType) and \
                    f"{getattr(thing, '__module__', '')}.".startswith(inside):
                yield module, key


def empty(functions: Iterable[FunctionType], question: str) -> list[tuple[FunctionType, CodeType]]:
    """Replace the code of functions; returns each with the code that it had."""
    before = [(function, function.__code__) for function in dict.fromkeys(functions)]
    for function, code in before:
        function.__code__ = _says(function.__name__, function.__module__, question, code.co_freevars)
    return before


def _not_here(*_: object, **__: object) -> None:
    raise RuntimeError("what is withheld says this")


def _says(name: str, module: str, question: str, free: tuple[str, ...] = ()) -> CodeType:
    """The code of a function of that name that takes anything, and only says that it is not to be used."""
    message = f"{name} of {module.partition('.')[0]} is not to be used in question {question}: write it yourself."
    like = _not_here.__code__
    told = tuple(message if isinstance(value, str) else value for value in like.co_consts)
    return like.replace(co_consts=told, co_freevars=free, co_name=name, co_filename="<string>")


@contextmanager
def withheld(names: Iterable[str], question: str) -> Iterator[None]:
    """While this lasts, the functions are empty. For bn.check, in the student's own kernel.

    Of other libraries only what is loaded already is emptied: loading them takes time, and here nobody cheats.
    """
    load(name for name in names if full_name(name).startswith("bnteach."))
    before = empty(Index().find(names), question)
    try:
        yield
    finally:
        for function, code in before:
            function.__code__ = code
