"""Which sandbox a machine offers: Linux namespaces, or bubblewrap, or, if the instructor takes the risk, none."""

from __future__ import annotations

import json
from functools import cache

from bnteach.course.exercises.grading.sessions import Limits, Sandbox

NOT_ENFORCED = """THERE IS NO SANDBOX: the code of the submissions can read and change whatever you can, other
submissions and the solutions included, use the network, and leave processes behind. Only time, memory and the size of
files are limited. Do this in a virtual machine or a container that you can throw away."""
GO_ON = "What was graded is kept: run the same command again to go on."
FIRST = {"question": "", "cells": [[1, "import numpy\ndef one(): return 1"]], "function": "one", "withheld": []}


class GradeError(ValueError):
    """Grading cannot begin, or go on; the message says what to do."""


@cache
def refused(kind: str) -> str:
    """An empty text if this sandbox works here, otherwise why not. It is made as it is for grading, and runs a job."""
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
    return "" if {"answer": "1"} in heard else f"what ran in it said {heard}, and ended so: {session.ended}"


def choose_sandbox(unsafe: bool) -> str:
    """The best sandbox that can be had here. An error if there is none and `unsafe` does not allow to go without."""
    for kind in ("namespaces", "bubblewrap"):
        if not refused(kind):
            return kind
    if unsafe:
        return "none"
    raise GradeError(f"no sandbox can be had here (namespaces: {refused('namespaces')}; bubblewrap: "
                     f"{refused('bubblewrap')}).\nInstall bubblewrap, or grade on a Linux that allows user namespaces, "
                     f"or as root. Or give --unsafe. Then know what it means.\n{NOT_ENFORCED}")
