"""Workers that are this process: what a test has changed in it is changed for them, too."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from bnteach.course.exercises.grading.jobs import sandbox_of_this_process


class Here:
    """Computes everything at once, in this thread."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def look(self) -> None: ...

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        if sandbox_of_this_process.cache_info().currsize:
            sandbox_of_this_process("namespaces").close()
            sandbox_of_this_process.cache_clear()
