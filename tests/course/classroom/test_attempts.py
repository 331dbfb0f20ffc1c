"""Whose an attempt is and when it came, whatever students put into the exchange."""

from __future__ import annotations

import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bnteach.course.classroom import attempts as looking
from bnteach.course.classroom import collect as collecting
from bnteach.course.classroom.attempts import Attempt, attempts, safe_name, whose
from bnteach.course.classroom.collect import collect, summary
from bnteach.course.classroom.exchange import ClassError, Exchange, entry_name
from bnteach.course.classroom.hand_in import UNFINISHED, hand_in
from bnteach.course.exercises.grading.submissions import find
from bnteach.course.exercises.release import exercises
from tests.course.classroom.accounts import ANN, BOB, EVE, acting_as, only_root
from tests.course.classroom.handing import FILE, NAME, hand, laid_out, plant, rows
from tests.course.exercises.submissions.notebooks import with_answers, write


# -- what students may try ---------------------------------------------------------------------------------------
def test_who_changes_an_old_attempt_makes_it_new(exchange: Exchange, tmp_path: Path) -> None:
    """Times of files can be set back; what the system notes of changes cannot."""
    out = tmp_path / "out"
    before = hand(exchange, tmp_path, "ann", "7.1")
    collect(exchange, out)
    (entry,) = exchange.inbound.iterdir()
    time.sleep(0.02)
    write(with_answers(["7.1", "7.2"]), entry / FILE)
    os.utime(entry / FILE, (0, 0))
    os.utime(entry, (0, 0))
    done = collect(exchange, out)
    first, second = done.attempts
    assert done.new == 1 and first.entry == second.entry and first.time < second.time
    assert before in [path.read_bytes() for path in (out / "attempts").rglob(FILE)], "the old one is still there"


def test_who_prepares_it_in_time_and_drops_it_late_is_late(exchange: Exchange, tmp_path: Path) -> None:
    prepared = exchange.inbound / "not a hand-in yet"
    write(with_answers(["7.1"]), prepared / FILE)
    written = (prepared / FILE).stat().st_ctime
    time.sleep(0.02)
    prepared.rename(exchange.inbound / entry_name("ann", NAME, datetime.now(UTC)))
    ((one,), _) = attempts(exchange.inbound)
    assert datetime.fromisoformat(one.time).timestamp() > written + 0.01


@pytest.mark.parametrize("trick", ["link", "folder", "pipe", "hard link", "huge"])
def test_odd_files_are_not_read(trick: str, exchange: Exchange, tmp_path: Path,
                                monkeypatch: pytest.MonkeyPatch) -> None:
    secret = write(with_answers(["7.1"]), tmp_path / "secret.ipynb")
    monkeypatch.setattr(looking, "MAX_BYTES", 20_000)
    entry = plant(exchange)
    {"link": lambda: (entry / FILE).symlink_to(secret), "folder": lambda: (entry / FILE).mkdir(),
     "pipe": lambda: os.mkfifo(entry / FILE), "hard link": lambda: os.link(secret, entry / FILE),
     "huge": lambda: (entry / FILE).write_bytes(b"x" * 20_001)}[trick]()
    collect(exchange, tmp_path)
    (row,) = rows(tmp_path)
    said = {"link": "is a link", "huge": "has 0 MB", "hard link": "belongs to somebody else, or is in a second place"}
    assert row["notes"].startswith(f"{looking.CLAIM}; {FILE} {said.get(trick, 'is not a plain file')}")
    assert (tmp_path / "submitted" / "eve" / NAME / "problem.txt").is_file()
    assert not list((tmp_path / "submitted").rglob("*.ipynb"))
    (found,) = find(tmp_path / "submitted", exercises().values())
    assert found.result == "unreadable", "and the grader says so to the student"


def test_an_attempt_without_a_notebook_does_not_displace_one_with(exchange: Exchange, tmp_path: Path) -> None:
    sent = hand(exchange, tmp_path, "ann", "7.1")
    plant(exchange, "ann")
    collect(exchange, tmp_path)
    assert laid_out(tmp_path, "ann") == sent and len(rows(tmp_path)) == 2


def test_an_entry_that_is_a_link_is_passed_over(exchange: Exchange, tmp_path: Path) -> None:
    write(with_answers(["7.1"]), tmp_path / "bob" / FILE)
    (exchange.inbound / entry_name("eve", NAME, datetime.now(UTC))).symlink_to(tmp_path / "bob")
    done = collect(exchange, tmp_path / "out")
    assert done.attempts == [] and done.failed == []


def test_a_folder_swapped_for_a_link_in_the_middle(exchange: Exchange, tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    hand(exchange, tmp_path, "ann", "7.1")
    write(with_answers(["7.2"]), tmp_path / "victim" / FILE)
    entry = plant(exchange)
    (entry / FILE).write_text("{}")
    really = collecting.read_file

    def swap_first(inbound: Path, attempt: Attempt, name: str) -> bytes:
        if attempt.student == "eve":
            shutil.rmtree(entry)
            entry.symlink_to(tmp_path / "victim")
        return really(inbound, attempt, name)

    monkeypatch.setattr(collecting, "read_file", swap_first)
    done = collect(exchange, tmp_path / "out")
    assert [one.student for one in done.attempts] == ["ann"] and len(done.failed) == 1
    assert "NOT COLLECTED eve+" in summary(done, tmp_path)


@pytest.mark.parametrize("student", ["..", ".", "a b", "-rf", "ünï", "x" * 120, "a\nb", "=1+1", "\udcff"])
def test_odd_names_stay_inside(student: str, exchange: Exchange, tmp_path: Path) -> None:
    write(with_answers(["7.1"]), plant(exchange, student) / FILE)
    out = tmp_path / "out"
    done = collect(exchange, out)
    assert len(list(out.glob(f"submitted/*/{NAME}/{FILE}"))) == len(list(out.glob(f"attempts/*/{NAME}/*/{FILE}"))) == 1
    assert sorted(path.name for path in out.iterdir()) == [".collecting", "attempts", "attempts.csv", "submitted"]
    assert not rows(out)[0]["student"].startswith("=") and summary(done, out).encode()


def test_names_never_meet() -> None:
    assert len({safe_name(name) for name in ("a b", "ab", "a_b", "a.b", "..", ".", "...", "a/b")}) == 8


def test_unfinished_and_foreign_things_are_left_alone(exchange: Exchange, tmp_path: Path) -> None:
    (exchange.inbound / f"{UNFINISHED}x").mkdir()
    write(with_answers(["7.1"]), exchange.inbound / f"{UNFINISHED}x" / FILE)
    (exchange.inbound / "a file").write_text("")
    write(with_answers(["7.1"]), plant(exchange, "ann", "an assignment of your own") / FILE)
    done = collect(exchange, tmp_path)
    assert done.attempts == [] and done.others == 1 and done.failed == []
    assert "1 of other assignments were left alone" in summary(done, tmp_path)


# -- whose ---------------------------------------------------------------------------------------------------------
def test_whose_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "system_name", {1001: "ann"}.get)
    assert whose(1001, 0, "ann", "") == ("ann", ())
    assert whose(1001, 0, "bob", "") == ("ann", ("handed in under the name bob",)), "the owner counts"
    assert whose(1001, 0, "bob", "carol") == ("ann", ("handed in under the name bob",))
    assert whose(0, 0, "bob", "carol") == ("carol", ()), "a folder that was given to her"
    slug = "ann-lee-uni-edu---27c51fd4"  # what KubeSpawner 7 makes of ann.lee@uni.edu
    assert whose(0, 0, "ann.lee@uni.edu", slug) == ("ann.lee@uni.edu", ()), "a claim that the folder bears out"
    assert whose(0, 0, "bob", slug) == (slug, ()), "and one that it does not"
    assert whose(0, 0, "bob", "") == ("bob", (looking.CLAIM,))
    student, (note,) = whose(7, 0, "bob", "")
    assert student == "bob" and "number 7 has no name" in note


def test_a_folder_of_ones_own_says_whose_it_is(exchange: Exchange, tmp_path: Path) -> None:
    """As on Kubernetes, where all run under one number, and each sees only her folder."""
    (exchange.inbound / "ann").mkdir()
    own = Exchange(tmp_path / "seen-by-ann", "bn")
    own.inbound.parent.mkdir(parents=True)
    own.inbound.symlink_to(exchange.inbound / "ann")
    sent = hand(own, tmp_path, "somebody else", "7.1")
    collect(exchange, tmp_path / "out")
    assert laid_out(tmp_path / "out", "ann") == sent
    assert [row["notes"] for row in rows(tmp_path / "out")] == [""]


@only_root
def test_nobody_hands_in_for_somebody_else(exchange: Exchange, open_folder: Path,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by a name, nor by a folder with a name."""
    monkeypatch.setattr(looking, "system_name", {ANN: "ann", BOB: "bob", EVE: "eve"}.get)
    mine = write(with_answers(["7.1"]), open_folder / FILE)
    mine.chmod(0o644)

    def in_a_folder_called_bob() -> None:
        folder = exchange.inbound / "bob" / entry_name("bob", NAME, datetime.now(UTC))
        folder.mkdir(parents=True)
        (folder / FILE).write_bytes(mine.read_bytes())

    acting_as(BOB, lambda: hand_in(str(mine), exchange, open_folder, "bob").entry)
    acting_as(EVE, lambda: hand_in(str(mine), exchange, open_folder, "bob").entry)
    acting_as(EVE, in_a_folder_called_bob)
    collect(exchange, open_folder)
    assert sorted(row["student"] for row in rows(open_folder)) == ["bob", "eve", "eve"]


@only_root
def test_one_that_is_closed_does_not_stop_the_others(exchange: Exchange, open_folder: Path) -> None:
    os.chown(exchange.inbound, BOB, BOB)  # an instructor who is not root
    exchange.inbound.chmod(0o3733)
    mine = write(with_answers(["7.1"]), open_folder / FILE)
    mine.chmod(0o644)
    acting_as(ANN, lambda: hand_in(str(mine), exchange, open_folder, "ann").entry)
    closed = acting_as(EVE, lambda: hand_in(str(mine), exchange, open_folder, "eve").entry)
    acting_as(EVE, lambda: Path(closed).chmod(0))
    (open_folder / "out").mkdir()
    os.chown(open_folder / "out", BOB, BOB)
    said = acting_as(BOB, lambda: summary(collect(exchange, open_folder / "out"), open_folder / "out"))
    assert said.startswith("1 attempt of 1 student,") and "NOT COLLECTED eve+" in said


@only_root
def test_one_that_is_still_being_written_is_no_failure(exchange: Exchange, open_folder: Path) -> None:
    os.chown(exchange.inbound, BOB, BOB)  # an instructor who is not root
    exchange.inbound.chmod(0o3733)
    acting_as(ANN, lambda: (exchange.inbound / f"{UNFINISHED}x").mkdir(0o700))
    (open_folder / "out").mkdir()
    os.chown(open_folder / "out", BOB, BOB)
    assert acting_as(BOB, lambda: collect(exchange, open_folder / "out").failed) == []


@only_root
def test_students_cannot_collect(exchange: Exchange, open_folder: Path) -> None:
    assert acting_as(ANN, lambda: collect(exchange, open_folder / "out")) == "ClassError"


def test_no_exchange(tmp_path: Path) -> None:
    with pytest.raises(ClassError, match="bnteach class release 07"):
        collect(Exchange(tmp_path, "bn"), tmp_path / "out")
