"""A term of a class, played through at a real Hub: three exercises, twenty students, four servers at a time.

    python -m tests.course.classroom.hub.scenario FOLDER PROXY separate|together

What was seen is printed as JSON; tests/course/classroom/test_hub.py says what must have been.
"""

from __future__ import annotations

import asyncio
import csv
import json
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

from bnteach.course.classroom.scaffold import write_texts
from tests.course.classroom.hub import term
from tests.course.classroom.hub.server import AT_ONCE, start_hub, until_it_answers
from tests.course.classroom.hub.student import PATIENCE, Student
from tests.course.classroom.hub.term import EXERCISES, REGRADED, TWICE
from tests.course.classroom.hub.world import COURSE, STUDENTS, World, make_world


async def the_class(url: str, world: World) -> tuple[dict[str, Any], int]:
    """Everybody's term, some at once; and how many were at work at the same time at most."""
    room, now, most = asyncio.Semaphore(AT_ONCE), set(), 0

    async def one(name: str, number: int) -> dict[str, Any]:
        nonlocal most
        async with room:
            now.add(name)
            most = max(most, len(now))
            seen = await term.a_term(Student(name, url), number, world)
            now.remove(name)
            return seen

    seen = await asyncio.gather(*(one(name, i) for i, name in enumerate(STUDENTS, start=1)))
    return dict(zip(STUDENTS, seen)), most


# -- the instructor ------------------------------------------------------------------------------------------------
def graded(world: World) -> str:
    """Collect everything, grade it, return it; what the commands said."""
    said = [world.instructor("nbgrader", "collect", name) for name in EXERCISES]
    said += [world.grader("bnteach", "grade", "submitted", "--out", "grades", "--jobs", "2")]
    said += [world.instructor("bnteach", "class", "return", name) for name in EXERCISES]
    return "\n".join(said)


def laid_out(world: World) -> dict[str, dict[str, str]]:
    """{exercise: {student: sum of the notebook that is to be graded}}."""
    return {name: {path.parents[1].name: sha256(path.read_bytes()).hexdigest()
                   for path in (world.folder / "submitted").glob(f"*/{name}/{name}.ipynb")} for name in EXERCISES}


def attempts(world: World) -> list[dict[str, str]]:
    """The rows of attempts.csv, each with the sum of its notebook."""
    with open(world.folder / "attempts.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        notebook = world.folder / row["folder"] / f"{row['exercise']}.ipynb"
        row["digest"] = sha256(notebook.read_bytes()).hexdigest() if notebook.is_file() else ""
    return rows


def between(world: World) -> str:
    """A deadline between the two times that one student handed in."""
    first, *_ = sorted(row["time"] for row in attempts(world)
                       if row["student"] == TWICE and row["exercise"] == "07_chow_liu")
    return first[:19] + "+00:00"


# -- the whole term ------------------------------------------------------------------------------------------------
async def play(base: Path, proxy: str, separate: bool) -> dict[str, Any]:
    world = make_world(base, separate)
    write_texts(world.folder, COURSE)
    for name in EXERCISES:
        world.instructor("bnteach", "class", "release", name)
    hub, url = start_hub(world, proxy)
    began = time.monotonic()
    seen: dict[str, Any] = {"separate": separate}
    try:
        await until_it_answers(hub, url)
        seen["students"], seen["at once"] = await the_class(url, world)
        seen |= await after_the_deadline(url, world)
    finally:
        hub.terminate()
        hub.wait(PATIENCE)
    (world.folder / "students.txt").write_text("\n".join([*STUDENTS, "student21"]) + "\n")
    world.instructor("bnteach", "class", "totals", "grades", "--students", "students.txt")
    world.instructor("nbgrader", "export", "--to", "export.csv")
    for name in ("totals.csv", "export.csv"):
        with open(world.folder / name, encoding="utf-8", newline="") as file:
            seen[name] = list(csv.DictReader(file))
    return {**seen, "seconds": time.monotonic() - began}


async def after_the_deadline(url: str, world: World) -> dict[str, Any]:
    """Collected, graded, returned; one hands in once more, one gets a mark by hand, and all of it again."""
    seen: dict[str, Any] = {}
    world.instructor("nbgrader", "collect", "07_chow_liu")
    world.instructor("bnteach", "class", "release", "07", "--due", between(world))
    seen["first"] = await asyncio.to_thread(graded, world)
    seen["rows"], seen["laid out"] = attempts(world), laid_out(world)
    late, other = Student(REGRADED, url), Student(TWICE, url)
    for student in (late, other):
        await student.log_in()
        await student.start()
    seen["own server"] = await other.status(f"/user/{TWICE}/api/status", other.token)
    seen["another's server"] = await other.status(f"/user/{TWICE}/api/status", late.token)
    again: dict[str, Any] = {"digests": {}}
    seen["pages"] = {REGRADED: await term.feedback(late, "08_overfitting_and_mdl"),
                     TWICE: await term.feedback(other, "07_chow_liu")}
    await term.work(late, "08_overfitting_and_mdl", EXERCISES["08_overfitting_and_mdl"], again)
    await term.hand_in(late, "08_overfitting_and_mdl", again)
    world.instructor("bnteach", "class", "mark", "student02", "7.1", "0", "--reason", "see me")
    seen["second"] = await asyncio.to_thread(graded, world)
    seen["again"], seen["rows again"], seen["laid out again"] = again, attempts(world), laid_out(world)
    seen["page again"] = await term.feedback(late, "08_overfitting_and_mdl")
    if world.separate:
        seen["opened"] = json.loads(await other.run(reach(world)))
    for student in (late, other):
        await student.stop()
    return seen


def reach(world: World) -> str:
    """Code that tries to rename, as a student, what others have handed in, and to read their pages."""
    folders = sorted(str(path.parent) for path in (world.exchange / COURSE / "inbound").glob("*/*.ipynb"))
    return f"""
import json, os
def gone(folder):
    try:
        os.rename(folder, folder + "x")
        return True
    except OSError:
        return False
print(json.dumps([folder for folder in {folders!r} if "{TWICE}+" not in folder and gone(folder)]))"""


if __name__ == "__main__":
    base, proxy, separate = sys.argv[1:]
    print(json.dumps(asyncio.run(play(Path(base), proxy, separate == "separate"))))
