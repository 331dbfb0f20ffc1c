"""A student asks for another look at a mark; the instructor sees the list, and answers.

    inbound/ann+regrade+TIME+RANDOM/request.json      asked with `bnteach class ask 7.4 "…"`
    grades/requests.json                              collected by `bnteach class requests`, with the answers

A request goes the way of a hand-in: dropped where nobody can list, and its owner says whose it is.
"""

from __future__ import annotations

import getpass
import json
import os
import re
import secrets
import stat
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.classroom.exchange import ClassError
from bnteach.course.classroom.inbound import sent
from bnteach.course.exercises.grading.asked import NAME, Requests, read_requests
from bnteach.course.exercises.grading.by_hand import key_of, now
from bnteach.course.exercises.grading.late import save
from bnteach.course.exercises.grading.marking import tidy
from bnteach.course.exercises.grading.report import Record
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.grading.settle import find_record
from bnteach.course.exercises.questions import UnknownQuestion, find
from bnteach.course.exercises.release import exercises

KIND, FILE = "regrade", "request.json"
MAX_BYTES, MAX_LETTERS = 20_000, 2_000


def exercise_of(question: str) -> str:
    """The exercise of a question; an error if there is no such question."""
    try:
        lesson = int(find(question).id.partition(".")[0])
    except UnknownQuestion as error:
        raise ClassError(str(error)) from None
    return next(one.name for one in exercises().values() if one.lesson == lesson)


def check_reason(reason: str) -> str:
    """A reason that can be sent; an error if there is none."""
    if not reason.strip() or len(reason) > MAX_LETTERS:
        raise ClassError(f"say why, in at most {MAX_LETTERS:,} letters: bnteach class ask 7.4 \"it is right: …\"")
    return reason.strip()


# -- the student -----------------------------------------------------------------------------------------------
def ask(exchange: Path, question: str, reason: str) -> Path:
    """Drop a request into the exchange, whole or not at all."""
    exercise_of(question)
    content, inbound = json.dumps({"question": question, "reason": check_reason(reason)}), exchange / "inbound"
    who = (os.environ.get("JUPYTERHUB_USER") or getpass.getuser()).replace("/", "_")
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
    entry = inbound / f"{who}+{KIND}+{moment}+{secrets.token_urlsafe(18)}"
    unfinished = inbound / f".incoming-{secrets.token_urlsafe(12)}"
    try:
        unfinished.mkdir(0o755)
        (unfinished / FILE).write_text(content, encoding="utf-8")
        unfinished.rename(entry)
    except OSError as error:
        raise ClassError(f"your request was not sent: {error.strerror} ({inbound}). Tell your instructor.") from None
    return entry


# -- the instructor --------------------------------------------------------------------------------------------
def collected(exchange: Path, grades: Path) -> Requests:
    """All requests, with those that are new in the exchange; a newer one about the same mark asks anew."""
    requests = read_requests(grades)
    before = dict(requests)
    for student, kind, folder in sent(exchange / "inbound"):
        if kind == KIND and (one := read(folder)):
            question, reason, time = one
            key = key_of(student, exercise_of(question), question)
            if key not in requests or requests[key]["time"] < time:
                requests[key] = {"asked": reason, "time": time, "answer": ""}
    if requests != before:
        save(grades / NAME, requests)
    return requests


def note(grades: Path, student: str, question: str, reason: str) -> None:
    """Note a request that came in another way."""
    requests = read_requests(grades)
    requests[key_of(student, exercise_of(question), question)] = {"asked": check_reason(reason), "time": now(),
                                                                  "answer": ""}
    save(grades / NAME, requests)


def answer(grades: Path, student: str, question: str, text: str) -> None:
    """Keep the answer to a request."""
    requests, key = read_requests(grades), key_of(student, exercise_of(question), question)
    if key not in requests:
        raise ClassError(f"{student} has not asked about {question}. `bnteach class requests` lists who has.")
    if not text.strip():
        raise ClassError("an answer needs a reason, which the student reads: --reason \"…\".")
    requests[key]["answer"] = text.strip()
    save(grades / NAME, requests)


def find_mark(grades: Path, student: str, question: str) -> Record:
    """The mark of a student for a question; an error if there is none."""
    _, record = find_record(grades, student, question)
    return next(mark for mark in record["questions"] if mark["id"] == question)


def mark_now(grades: Path, student: str, question: str) -> str:
    """The mark in words."""
    try:
        mark = find_mark(grades, student, question)
    except GradeError:
        return "not graded"
    return f"{mark['points']} of {mark['of']} points: {mark['sentence'] or mark['how']}"


def read(folder: Path) -> tuple[str, str, str] | None:
    """(question, reason, time) of a request; None if it is none that can be read. The student is not trusted."""
    try:
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            number = os.open(FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
            with os.fdopen(number, "rb") as file:
                status, owner = os.fstat(number), os.fstat(place).st_uid
                if not stat.S_ISREG(status.st_mode) or status.st_uid != owner or status.st_nlink > 1:
                    return None
                content = json.loads(file.read(MAX_BYTES))
        finally:
            os.close(place)
        question, reason = str(content["question"]), tidy(str(content["reason"]), MAX_LETTERS)
        if not re.fullmatch(r"\d{1,2}\.\d{1,2}", question) or not exercise_of(question) or not reason.strip():
            return None
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None
    return question, reason, datetime.fromtimestamp(status.st_ctime, UTC).isoformat(timespec="seconds")
