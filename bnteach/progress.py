"""Progress bars for what takes long, where someone watches."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")


class Progress:
    """A progress bar that appears only when something has taken a second and a half, and leaves nothing behind.

    It appears only where someone watches, so that it never ends up in a file or in the outputs of a notebook that a
    program runs. BNTEACH_PROGRESS=off in the environment turns it off everywhere.
    """

    bar: Any

    def __init__(self, what: str, total: int | None = None, unit: str = " steps"):
        self.done, self.bar = 0, None
        if os.environ.get("BNTEACH_PROGRESS") != "off" and (where := _watched()) is not None:
            from tqdm import tqdm

            self.bar = tqdm(desc=what, total=total, unit=unit, file=where, delay=1.5, leave=False)

    def __enter__(self) -> Progress:
        return self

    def step(self, by: int = 1) -> None:
        """Count what was done."""
        self.done += by
        if self.bar is not None:
            self.bar.update(by)

    def counted(self, things: Iterable[T]) -> Iterable[T]:
        """The same things, each counted as it comes."""
        return things if self.bar is None else map(self._count, things)

    def _count(self, thing: T) -> T:
        self.step()
        return thing

    def show(self, text: str) -> None:
        """Show how things stand, after the count."""
        if self.bar is not None:
            self.bar.set_postfix_str(text)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


def _watched() -> Any:
    """Where someone watches: a terminal, or a notebook in a page, which names the cell it runs. Otherwise None."""
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is None:
        return sys.stderr if sys.stderr.isatty() else None
    return _Page() if "cellId" in shell.get_parent().get("metadata", {}) else None


class _Page:
    """A line in a cell's output that is replaced each time. All that is saved of it in the end is an empty output."""

    encoding = "utf-8"
    line: Any = None

    def write(self, text: str) -> None:
        """Show a line in place of the last."""
        import IPython.display

        show: Any = IPython.display.display
        self.line = self.line or show({}, raw=True, display_id=True)
        self.line.update({"text/plain": text.strip()} if text.strip() else {}, raw=True)

    def flush(self) -> None:
        """Nothing is held back."""
