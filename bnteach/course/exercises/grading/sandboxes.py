"""Which sandbox a machine offers: Linux namespaces, or bubblewrap, or, if the instructor takes the risk, none."""

from __future__ import annotations

from bnteach.course.exercises.grading import bubblewrap, namespaces
from bnteach.course.exercises.grading.sessions import Sandbox
from bnteach.course.exercises.release import exercises

NOT_ENFORCED = """THERE IS NO SANDBOX: the code of the submissions can read and change whatever you can, other
submissions and the solutions included, use the network, and leave processes behind. Only time, memory and the size of
files are limited. Do this in a virtual machine or a container that you can throw away."""


class GradeError(ValueError):
    """Grading cannot begin; the message says what to do."""


def choose_sandbox(unsafe: bool) -> str:
    """The best sandbox that can be had here. An error if there is none and `unsafe` does not allow to go without."""
    refused = namespaces.available()
    if not refused:
        return "namespaces"
    if not (also := bubblewrap.available()):
        return "bubblewrap"
    if unsafe:
        return "none"
    raise GradeError(f"no sandbox can be had here ({refused}; {also}).\nInstall bubblewrap, or grade on a Linux that "
                     f"allows user namespaces, or as root. Or give --unsafe. Then know what it means.\n{NOT_ENFORCED}")


def open_sandbox(kind: str) -> Sandbox:
    """A sandbox that can withhold whatever a question of the course withholds."""
    return Sandbox(kind, (name for exercise in exercises().values() for q in exercise.questions for name in q.withheld))
