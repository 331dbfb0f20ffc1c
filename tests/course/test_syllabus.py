"""How the course can be taught: figures agree with the lessons, and the exam's solutions are right and stay private."""

import re
import tomllib
import zipfile
from math import log, log2

import nbformat
import pytest

import bnteach as bn
from bnteach.course.commands import main as cli
from bnteach.course.syllabus import effort, exam, needs, syllabus, topic, weeks
from tests.lessons import LESSONS, lesson_files

EXAM = LESSONS / "exam"
NUMBERS = {"twenty": 20, "thirty": 30, "forty-five": 45, "fifty": 50, "sixty": 60, "seventy-five": 75, "ninety": 90}
QUESTIONS = tomllib.loads((EXAM / "questions.toml").read_text(encoding="utf-8"))
SOLUTIONS = tomllib.loads((EXAM / "solutions.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("lesson", lesson_files(), ids=lambda path: path.stem)
def test_the_minutes_are_about_those_of_the_notes_for_the_speaker(lesson):
    notes = "\n".join(cell.source for cell in nbformat.read(lesson, 4).cells
                      if cell.metadata.get("slideshow", {}).get("slide_type") == "notes")
    said = re.search(r"\b([A-Z][\w-]+) minutes", notes)
    if said and said[1].lower() in NUMBERS:
        assert abs(NUMBERS[said[1].lower()] - effort(lesson).lecture) <= 15, "bring syllabus.toml up to date"


def test_needs_are_known_lessons_and_come_before():
    known = syllabus()["lesson"]
    assert {before for one in known.values() for before in one["needs"]} <= set(known)
    assert {name for plan in syllabus()["weeks"].values() for week in plan for name in week} <= set(known)
    assert {topic(path.stem) for path in lesson_files()} <= set(known), "a lesson has no hours"
    bn.DAG(needs(lesson_files()))  # no cycle


@pytest.mark.parametrize("count", syllabus()["weeks"])
def test_no_plan_teaches_a_lesson_before_what_it_needs(count):
    plan = weeks(count, lesson_files())
    order = [path.stem[:2] for week in plan for path in week]
    assert len(plan) == int(count) and len(set(order)) == len(order)
    for before, after in needs(lesson_files()):
        assert before not in order or after not in order or order.index(before) < order.index(after)


@pytest.mark.parametrize("id", QUESTIONS)
def test_a_solution_of_the_exam_is_right(id):
    assert QUESTIONS[id]["lesson"] in syllabus()["lesson"] and QUESTIONS[id]["points"] > 0
    assert SOLUTIONS[id]["text"] and eval(SOLUTIONS[id]["check"], {"bn": bn, "log": log, "log2": log2})


def test_only_the_instructor_s_archive_has_solutions(tmp_path):
    assert all(not one["solution"] for one in exam(EXAM))
    assert cli.main(["release", "--instructor", "--out", str(tmp_path)]) == 0
    (archive,) = tmp_path.iterdir()
    sheet = zipfile.ZipFile(archive).read("exam.md").decode()
    assert all(one["text"] in sheet for one in (*QUESTIONS.values(), *SOLUTIONS.values()))
