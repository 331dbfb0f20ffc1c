"""Choosing a sandbox: Linux namespaces, or bubblewrap, or, if the instructor accepts the risk, none."""

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
def refused(kind: str) -> str:
    """An empty string if this sandbox works here, otherwise the reason. It is started as for grading, with a job."""
    sandbox = Sandbox(kind)
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
    """The best sandbox available here. An error if there is none, unless `unsafe` allows to go without."""
    for kind in ("namespaces", "bubblewrap"):
        if not refused(kind):
            return kind
    if unsafe:
        return "none"
    raise GradeError(f"no sandbox is available here (namespaces: {refused('namespaces')}; bubblewrap: "
                     f"{refused('bubblewrap')}).\nInstall bubblewrap, or grade on a Linux that allows user namespaces, "
                     f"or as root. Or give --unsafe, if you accept what it means.\n{NOT_ENFORCED}")
