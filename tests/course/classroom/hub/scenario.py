"""A day of a class, played through at a real Hub; what was seen is printed as JSON.

    python -m tests.course.classroom.hub.scenario FOLDER PROXY separate|together
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

from bnteach.course.classroom.scaffold import write_class
from tests.course.classroom.hub.server import AT_ONCE, CLICKERS, start_hub, until_it_answers
from tests.course.classroom.hub.student import PATIENCE, Student
from tests.course.classroom.hub.world import COURSE, STUDENTS, World, make_world
from tests.course.exercises.submissions.notebooks import with_answers

EXERCISE, WORK = "07_chow_liu", "exercises/07_chow_liu/07_chow_liu.ipynb"
QUESTIONS = [f"7.{i}" for i in range(1, 8)]


# -- a student's day -------------------------------------------------------------------------------------------
async def a_day(student: Student, number: int, world: World) -> dict[str, Any]:
    """Log in, fetch, work, hand in, look around, leave."""
    click = student.name in CLICKERS
    await student.log_in()
    await student.start()
    seen: dict[str, Any] = {"who": await student.run("import os, getpass; print(os.getuid(), getpass.getuser())")}
    seen["lessons"] = sorted(one["name"] for one in (await student.server("api/contents/bnteach-lessons"))["content"])
    await fetch(student, click)
    seen["fetched"] = await text_of(student)
    seen["outputs"] = await work(student, QUESTIONS[:1 + number % 7])
    seen["digests"] = [await digest_of(student)]
    seen["said"] = [await hand_in(student, click)]
    await more(student, seen)
    if world.separate:
        seen["snooped"] = json.loads(await student.run(snoop(student.name, world)))
    await student.stop()
    return seen


async def fetch(student: Student, click: bool) -> None:
    if click:
        await student.server("assignments/fetch", "POST", {"course_id": COURSE, "assignment_id": EXERCISE})
    else:
        await student.shell("bnteach", "class", "fetch", "07")


async def work(student: Student, solved: list[str]) -> list[str]:
    """Write answers into the notebook, run it, save it; what the checks said."""
    notebook = with_answers(solved)
    notebook["metadata"]["by"] = student.name  # so that no two are the same
    said = [await student.run("".join(cell["source"])) for cell in notebook["cells"]
            if cell["cell_type"] == "code"]
    await student.server(f"api/contents/{WORK}", "PUT", {"type": "notebook", "format": "json", "content": notebook})
    return [line for line in said if line.startswith(("✓", "✗"))]


async def hand_in(student: Student, click: bool) -> str:
    if click:
        answer = await student.server("assignments/submit", "POST", {"course_id": COURSE, "assignment_id": EXERCISE})
        assert answer["success"], answer
        return f"submitted {sum(one['status'] == 'submitted' for one in answer['value'])}"
    return await student.shell("bnteach", "class", "hand-in", "07")


async def more(student: Student, seen: dict[str, Any]) -> None:
    """Some hand in again: one after a while, by the other way, and one twice in the same moment."""
    if student.name == "student05":
        await asyncio.sleep(1.5)
        await work(student, QUESTIONS)
        seen["digests"] += [await digest_of(student)]
        seen["said"] += [await hand_in(student, click=False)]
    if student.name == "student03":
        seen["said"] += [await student.run(
            "import subprocess\nboth = [subprocess.Popen(['bnteach', 'class', 'hand-in', '07']) for _ in range(2)]\n"
            "assert [one.wait() for one in both] == [0, 0]")]
        seen["digests"] *= 3
    if student.name == "student01":
        seen["lesson"] = await change_a_lesson(student)


async def change_a_lesson(student: Student) -> list[str]:
    """Write into a lesson, and come back: the server starts anew, and brings the lessons up to date."""
    lesson = "api/contents/bnteach-lessons/07_chow_liu.ipynb"
    model = await student.server(lesson)
    model["content"]["cells"][0]["source"] += "\n\nMy own note."
    await student.server(lesson, "PUT", model)
    await student.stop()
    student.socket = None
    await student.start()
    return [(await student.server(lesson))["content"]["cells"][0]["source"]]


async def text_of(student: Student) -> str:
    return json.dumps((await student.server(f"api/contents/{WORK}"))["content"])


async def digest_of(student: Student) -> str:
    """The sum of the notebook as it lies in the student's home."""
    return (await student.run(f"import hashlib, pathlib\nprint(hashlib.sha256((pathlib.Path.home() / {WORK!r})"
                              ".read_bytes()).hexdigest())")).strip()


def snoop(name: str, world: World) -> str:
    """Code that tries what a student must not be able to do; prints what worked."""
    neighbour = STUDENTS[(STUDENTS.index(name) + 1) % len(STUDENTS)]
    inbound, outbound = world.exchange / COURSE / "inbound", world.exchange / COURSE / "outbound"
    return f"""
import glob, json, os, pathlib
def tried(what):
    try:
        return str(what())[:200]
    except (PermissionError, FileNotFoundError, ProcessLookupError) as error:
        return type(error).__name__
def environments():
    found = [tried(lambda: open(path, "rb").read()) for path in glob.glob("/proc/[0-9]*/environ")
             if os.stat(path).st_uid != os.getuid()]
    return sorted(set(found))
print(json.dumps({{
    "a neighbour's home": tried(lambda: os.listdir({str(world.home(neighbour))!r})),
    "a neighbour's notebook": tried(lambda: open({str(world.home(neighbour) / WORK)!r}).read()),
    "write into a neighbour's home": tried(lambda: open({str(world.home(neighbour) / 'x')!r}, "w")),
    "the instructor's folder": tried(lambda: os.listdir({str(world.folder)!r})),
    "the instructor's file": tried(lambda: open({str(world.folder / 'README.md')!r}).read()),
    "the Hub's secrets": tried(lambda: os.listdir({str(world.base / 'state')!r})),
    "list what was handed in": tried(lambda: os.listdir({str(inbound)!r})),
    "change what was handed out": tried(lambda: open({str(outbound / EXERCISE / 'x')!r}, "w")),
    "others' tokens": environments(),
}}))
"""


# -- all of it -------------------------------------------------------------------------------------------------
async def the_class(url: str, world: World) -> tuple[dict[str, Any], int]:
    """Everybody's day, some at once; and how many were at work at the same time at most."""
    room, now, most = asyncio.Semaphore(AT_ONCE), set(), 0

    async def one(name: str, number: int) -> dict[str, Any]:
        nonlocal most
        async with room:
            now.add(name)
            most = max(most, len(now))
            day = await a_day(Student(name, url), number, world)
            now.remove(name)
            return day

    days = await asyncio.gather(*(one(name, i) for i, name in enumerate(STUDENTS, start=1)))
    return dict(zip(STUDENTS, days)), most


async def last_words(url: str, world: World) -> dict[str, Any]:
    """When all is handed in: two students at their servers, and one tries the other's, and all that was handed in."""
    curious, other = Student("student19", url), Student("student20", url)
    for student in (curious, other):
        await student.log_in()
    await other.start()
    seen = {"own server": await other.status("/user/student20/api/status", other.token),
            "another's server": await other.status("/user/student20/api/status", curious.token),
            "no token": await other.status("/user/student20/api/status", "wrong")}
    if world.separate:
        await curious.start()
        paths = [str(path) for path in sorted((world.exchange / COURSE / "inbound").glob("*/*.ipynb"))]
        seen["opened"] = json.loads(await curious.run(f"""
import json, os
print(json.dumps([path for path in {paths!r} if os.access(path, os.R_OK)]))"""))
        seen["removed"] = json.loads(await curious.run(f"""
import json, os, shutil
def gone(folder):
    try:
        os.rename(folder, folder + "x")
        return True
    except OSError:
        return False
print(json.dumps([folder for folder in {sorted({str(Path(path).parent) for path in paths})!r}
                  if "student19+" not in folder and gone(folder)]))"""))
        await curious.stop()
    await other.stop()
    return seen


def collected(world: World, due: bool = False) -> dict[str, Any]:
    """Collect as the instructor, and read what is there then."""
    arguments = ["--due", between(world)] if due else []
    done = world.instructor("collect", "07", *arguments)
    with open(world.folder / "attempts.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["digest"] = sha256((world.folder / row["folder"] / f"{EXERCISE}.ipynb").read_bytes()).hexdigest()
    laid_out = {path.parents[1].name: sha256(path.read_bytes()).hexdigest()
                for path in sorted((world.folder / "submitted").glob(f"*/{EXERCISE}/{EXERCISE}.ipynb"))}
    return {"said": done.stdout + done.stderr, "rows": rows, "submitted": laid_out}


def between(world: World) -> str:
    """A deadline between the two times that student05 handed in."""
    with open(world.folder / "attempts.csv", encoding="utf-8", newline="") as file:
        first, _ = sorted(row["time"] for row in csv.DictReader(file) if row["student"] == "student05")
    return first[:19] + "+00:00"


async def play(base: Path, proxy: str, separate: bool) -> dict[str, Any]:
    world = make_world(base, separate)
    write_class(world.folder, COURSE)
    world.instructor("release", "07", *(["--group", "instructors"] if separate else []))
    hub, url = start_hub(world, proxy)
    began = time.monotonic()
    try:
        await until_it_answers(hub, url)
        students, at_once = await the_class(url, world)
        words = await last_words(url, world)
    finally:
        hub.terminate()
        hub.wait(PATIENCE)
    return {"separate": separate, "students": students, "at once": at_once, "last words": words,
            "collected": collected(world), "again": collected(world), "due": collected(world, due=True),
            "seconds": time.monotonic() - began}


if __name__ == "__main__":
    base, proxy, separate = sys.argv[1:]
    print(json.dumps(asyncio.run(play(Path(base), proxy, separate == "separate"))))
