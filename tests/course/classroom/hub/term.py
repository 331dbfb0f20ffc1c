"""A student's term at the Hub, as a browser would do it, and what a curious one tries besides."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from tests.course.classroom.hub.student import Student
from tests.course.classroom.hub.world import COURSE, STUDENTS, World
from tests.course.exercises.submissions.notebooks import with_answers

EXERCISES = {"06_likelihood": [f"6.{i}" for i in range(1, 6)], "07_chow_liu": [f"7.{i}" for i in range(1, 8)],
             "08_overfitting_and_mdl": [f"8.{i}" for i in range(1, 6)]}
TWICE, AT_ONCE, REGRADED, NOTES, FORGER = "student05", "student03", "student07", "student01", "student19"
WITH_KERNEL = {TWICE, AT_ONCE, NOTES, FORGER, "student10", "student20"}


def path_of(exercise: str) -> str:
    return f"bnteach-lessons/exercises/{exercise}/{exercise}.ipynb"


async def a_term(student: Student, number: int, world: World) -> dict[str, Any]:
    """Log in, fetch, work, hand in, look around, leave."""
    await student.log_in()
    await student.start()
    seen: dict[str, Any] = {"digests": {}}
    seen["lessons"] = sorted(one["name"] for one in (await student.server("api/contents/bnteach-lessons"))["content"])
    for exercise, questions in EXERCISES.items():
        await click(student, "fetch", exercise)
        seen.setdefault("fetched", await text_of(student, exercise))
        await work(student, exercise, questions[:1 + number % len(questions)], seen)
        await hand_in(student, exercise, seen)
    if student.name in WITH_KERNEL:
        seen["who"] = await student.run("import os, getpass; print(os.getuid(), getpass.getuser())")
        seen["outputs"] = await run_cells(student, EXERCISES["07_chow_liu"][:1 + number % 7])
        if world.separate:
            seen["snooped"] = json.loads(await student.run(snoop(student.name, world)))
    await more(student, seen, world)
    await student.stop()
    return seen


async def click(student: Student, button: str, exercise: str) -> list[dict[str, Any]]:
    """A button in nbgrader's list of assignments; what the list shows then."""
    answer = await student.server(f"assignments/{button}", "POST", {"course_id": COURSE, "assignment_id": exercise})
    assert answer["success"], answer
    return answer["value"]


async def work(student: Student, exercise: str, solved: list[str], seen: dict[str, Any]) -> None:
    """Write answers into the notebook and save it."""
    notebook = with_answers(solved, name=exercise)
    notebook["metadata"]["by"] = student.name  # so that no two are the same
    await student.server(f"api/contents/{path_of(exercise)}", "PUT",
                         {"type": "notebook", "format": "json", "content": notebook})


async def hand_in(student: Student, exercise: str, seen: dict[str, Any], by_command: bool = False) -> None:
    if by_command:
        await student.shell("nbgrader", "submit", exercise)
    else:
        await click(student, "submit", exercise)
    seen["digests"].setdefault(exercise, []).append(sha256((await text_of(student, exercise)).encode()).hexdigest())


async def text_of(student: Student, exercise: str) -> str:
    """The notebook as it lies in the student's home."""
    return (await student.server(f"api/contents/{path_of(exercise)}?type=file&format=text"))["content"]


async def run_cells(student: Student, solved: list[str]) -> list[str]:
    """Run a notebook's cells; what the checks said."""
    said = [await student.run("".join(cell["source"])) for cell in with_answers(solved)["cells"]
            if cell["cell_type"] == "code"]
    return [line for line in said if line.startswith(("✓", "✗"))]


async def more(student: Student, seen: dict[str, Any], world: World) -> None:
    """Some hand in again, after a while or twice in the same moment; one writes into a lesson; one cheats."""
    if student.name == TWICE:
        await asyncio.sleep(1.5)
        await work(student, "07_chow_liu", EXERCISES["07_chow_liu"], seen)
        await hand_in(student, "07_chow_liu", seen, by_command=True)
    if student.name == AT_ONCE:
        await asyncio.gather(*(hand_in(student, "07_chow_liu", seen) for _ in range(2)))
    if student.name == NOTES:
        seen["lesson"] = await change_a_lesson(student)
    if student.name == FORGER and world.separate:
        await student.run(forgeries(world))


async def change_a_lesson(student: Student) -> str:
    """Write into a lesson, and come back: the server starts anew, and brings the lessons up to date."""
    lesson = "api/contents/bnteach-lessons/07_chow_liu.ipynb"
    model = await student.server(lesson)
    model["content"]["cells"][0]["source"] += "\n\nMy own note."
    await student.server(lesson, "PUT", model)
    await student.stop()
    student.socket = None
    await student.start()
    return (await student.server(lesson))["content"]["cells"][0]["source"]


async def feedback(student: Student, exercise: str) -> dict[str, str]:
    """Fetch the feedback of an exercise; {path: page} of all pages in the student's home."""
    shown = await click(student, "fetch_feedback", exercise)
    (own,) = [one for one in shown if one["status"] == "submitted" and one["assignment_id"] == exercise]
    pages = {}
    for one in own["submissions"]:
        for notebook in one["notebooks"] if one["has_local_feedback"] else ():
            path = f"{one['local_feedback_path']}/{notebook['notebook_id']}.html"
            pages[path] = (await student.server(f"api/contents/{quote(path)}?type=file&format=text"))["content"]
    return pages


# -- what must not work -------------------------------------------------------------------------------------------
def snoop(name: str, world: World) -> str:
    """Code that tries what a student must not be able to do; prints what worked."""
    neighbour = STUDENTS[(STUDENTS.index(name) + 1) % len(STUDENTS)]
    course = world.exchange / COURSE
    return f"""
import glob, json, os
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
    "a neighbour's notebook": tried(lambda: open({str(world.home(neighbour) / path_of('07_chow_liu'))!r}).read()),
    "write into a neighbour's home": tried(lambda: open({str(world.home(neighbour) / 'x')!r}, "w")),
    "the instructor's folder": tried(lambda: os.listdir({str(world.folder)!r})),
    "the instructor's file": tried(lambda: open({str(world.folder / 'README.md')!r}).read()),
    "the Hub's secrets": tried(lambda: os.listdir({str(world.base / 'state')!r})),
    "list what was handed in": tried(lambda: os.listdir({str(course / 'inbound')!r})),
    "list the feedback": tried(lambda: os.listdir({str(course / 'feedback')!r})),
    "replace what is handed in": tried(lambda: os.rename({str(course / 'inbound')!r}, {str(course / 'x')!r})),
    "change what was handed out": tried(lambda: open({str(course / 'outbound' / '07_chow_liu' / 'x')!r}, "w")),
    "others' tokens": environments(),
}}))
"""


def forgeries(world: World) -> str:
    """Code that drops into the exchange by hand: another's name, an old date, another's folder, a link, a huge file."""
    inbound, victim = world.exchange / COURSE / "inbound", "student20"
    return f"""
import os, pathlib, shutil
inbound, home = pathlib.Path({str(inbound)!r}), pathlib.Path.home()
def drop(folder, exercise):
    entry = inbound / folder
    entry.mkdir(parents=True)
    (entry / "submission_secret.txt").write_text("0" * 128)
    return entry / (exercise + ".ipynb")
mine = home / {path_of('06_likelihood')!r}
shutil.copy(mine, drop("{victim}+06_likelihood+1999-01-01 00:00:00.000000 UTC+x", "06_likelihood"))
shutil.copy(mine, drop("{victim}/{victim}+06_likelihood+2999-01-01 00:00:00.000000 UTC+y", "06_likelihood"))
drop("{FORGER}+07_chow_liu+2999-01-01 00:00:00.000000 UTC+z", "07_chow_liu").symlink_to({str(world.home(victim) /
                                                                                   path_of('07_chow_liu'))!r})
with open(drop("{FORGER}+08_overfitting_and_mdl+never+z", "08_overfitting_and_mdl"), "w") as huge:
    huge.truncate(30_000_000)
"""
