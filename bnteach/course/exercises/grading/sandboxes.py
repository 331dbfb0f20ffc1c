"""Choosing a sandbox: Linux namespaces or, if the instructor accepts the risk, none."""

from __future__ import annotations

import json
from functools import cache

from bnteach.course.exercises.grading.sessions import Limits, Sandbox

NOT_ENFORCED = """THERE IS NO SANDBOX: the code of the submissions can read and change whatever you can, other
submissions and the solutions included, use the network, and leave processes behind. Only time, memory and the size of
files are limited. Do this only in a disposable virtual machine or container."""
GO_ON = "What was graded is kept: run the same command again to go on."
FIRST = {"question": "", "cells": [[1, "import numpy\ndef one(): return 1"]], "function": "one", "withheld": []}


class GradeError(ValueError):
    """Grading cannot begin, or go on; the message says what to do."""


@cache
def refused() -> str:
    """An empty string if the sandbox works here, otherwise the reason. It is started as for grading, with a job."""
    sandbox = Sandbox("namespaces")
    try:
        with sandbox.session(Limits()) as session:
            session.send(json.dumps(FIRST))
            session.send("[[]]")  # one call, without arguments
            heard = list(session.messages())
    except RuntimeError as error:
        return str(error)
    finally:
        sandbox.close()
    return "" if {"answer": "1"} in heard else f"a test job sent {heard} and ended with {session.ended}"


def choose_sandbox(unsafe: bool) -> str:
    """The sandbox. An error if it does not work here, unless `unsafe` allows to go without."""
    if not refused():
        return "namespaces"
    if unsafe:
        return "none"
    raise GradeError(f"there is no sandbox here ({refused()}): grade as root, or on a Linux that allows user "
                     f"namespaces to all (README.md says how), or give --unsafe, if you accept what it means.\n"
                     f"{NOT_ENFORCED}")
