"""Collecting: all attempts are kept, and the one that counts is laid out, whatever students put into the exchange."""

from __future__ import annotations

import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bnteach.course.classroom import inbound as looking
from bnteach.course.classroom import kept
from bnteach.course.classroom.inbound import SECRET, Attempt, attempts, safe_name, whose
from bnteach.course.exercises.grading.submissions import find
from bnteach.course.exercises.grading.times import lateness
from bnteach.course.exercises.release import exercises
from tests.course.classroom.accounts import ANN, BOB, EVE, acting_as, only_root
from tests.course.classroom.handing import (
    FILE,
    LIMIT,
    NAME,
    collected,
    entry_name,
    hand,
    laid_out,
    plant,
    rows,
)
from tests.course.exercises.submissions.notebooks import with_answers, write


# -- what counts -----------------------------------------------------------------------------------------------
def test_all_are_kept_and_the_newest_counts(inbound: Path, tmp_path: Path) -> None:
    sent = [hand(inbound, "ann", *solved) for solved in (["7.1"], ["7.2"], ["7.1"])]
    other = hand(inbound, "bob", "7.3")
    done = collected(inbound, tmp_path)
    everything = [path.read_bytes() for path in (tmp_path / "attempts" / "ann").rglob(FILE)]
    assert sorted(everything) == sorted(sent) and done.new == 4
    assert laid_out(tmp_path, "ann") == sent[-1] and laid_out(tmp_path, "bob") == other
    assert [(row["student"], row["counts"]) for row in rows(tmp_path)] == [
        ("ann", ""), ("ann", ""), ("ann", "counts"), ("bob", "counts")]
    assert [row["time"] for row in rows(tmp_path)[:3]] == sorted(row["time"] for row in rows(tmp_path)[:3])


def test_later_ones_take_the_place_and_again_nothing_changes(inbound: Path, tmp_path: Path) -> None:
    first = hand(inbound, "ann", "7.1")
    collected(inbound, tmp_path)
    second = hand(inbound, "ann", "7.2")
    assert (done := collected(inbound, tmp_path)).new == 1 and done.changed == 1
    assert laid_out(tmp_path, "ann") == second
    assert first in [path.read_bytes() for path in (tmp_path / "attempts").rglob(FILE)]
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.ipynb")}
    assert (done := collected(inbound, tmp_path)).new == done.changed == 0 and len(before) == 3
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not list(tmp_path.glob(".collecting-*"))


def test_attempts_outlive_the_exchange(inbound: Path, tmp_path: Path) -> None:
    sent = hand(inbound, "ann", "7.1")
    collected(inbound, tmp_path)
    shutil.rmtree(inbound)
    inbound.mkdir()
    shutil.rmtree(tmp_path / "submitted")
    assert collected(inbound, tmp_path).counting == 1
    assert laid_out(tmp_path, "ann") == sent


def test_the_grader_reads_times_and_says_who_was_late(inbound: Path, tmp_path: Path) -> None:
    hand(inbound, "ann", "7.1")
    collected(inbound, tmp_path)
    (one,) = find(tmp_path / "submitted", exercises().values())
    assert (one.student, one.exercise, one.result) == ("ann", NAME, "graded")
    came = datetime.fromisoformat(one.time)
    assert abs((datetime.now(UTC) - came).total_seconds()) < 60
    assert lateness(one.time, (came - timedelta(hours=1, minutes=5)).isoformat()) == "1 h 5 min"


def test_deadlines() -> None:
    """The newest before it counts; who has only late ones gets those; a student's own deadline goes first."""
    def one(student: str, moment: str, files: tuple[str, ...] = (FILE,)) -> Attempt:
        return Attempt(student, NAME, f"{student} {moment}", f"2026-05-01T{moment}:00.000000+00:00", files=files)

    late, early, empty, bob = one("ann", "12:00"), one("ann", "10:00"), one("ann", "13:00", ()), one("bob", "12:00")
    everything = [late, bob, early, empty]
    due = {("", NAME): "2026-05-01T11:00:00+00:00"}
    for order in (everything, everything[::-1]):
        assert {x.entry for x in kept.counting(order, {})} == {bob.entry, late.entry}
    assert {x.entry for x in kept.counting(everything, due)} == {early.entry, bob.entry}
    extended = {**due, ("ann", NAME): "2026-05-01T12:30:00+00:00"}
    assert {x.entry for x in kept.counting(everything, extended)} == {late.entry, bob.entry}
    assert kept.counting([empty], due) == [empty]


def test_extensions_are_read_where_the_command_writes_them(tmp_path: Path) -> None:
    assert kept.extensions_in(tmp_path) == {}
    (tmp_path / "submitted").mkdir()
    file = tmp_path / "submitted" / ".extensions.json"
    file.write_text(json.dumps({NAME: {"ann": {"until": "2026-05-08T11:00:00+00:00", "reason": "ill"}}}))
    assert kept.extensions_in(tmp_path) == {("ann", NAME): "2026-05-08T11:00:00+00:00"}
    file.write_text("[]")
    with pytest.raises(ValueError, match="restore it from a backup"):
        kept.extensions_in(tmp_path)


def test_the_grader_is_given_the_deadline(inbound: Path, tmp_path: Path) -> None:
    hand(inbound, "ann", "7.1")
    noted = tmp_path / "submitted" / ".deadlines.json"
    for deadlines, late in (({("", NAME): "2026-05-01T11:00:00+00:00"}, True), ({}, False)):
        collected(inbound, tmp_path, deadlines=deadlines)
        assert json.loads(noted.read_text()) == ({NAME: "2026-05-01T11:00:00+00:00"} if late else {})
        assert bool(rows(tmp_path)[0]["late"]) == late
    noted.write_text('{"07_chow_liu": "soon"}')
    with pytest.raises(ValueError, match=r"deadlines.json cannot be read. Remove it"):
        collected(inbound, tmp_path)


def test_a_copy_beside_the_exercise_is_kept_and_not_laid_out(inbound: Path, tmp_path: Path) -> None:
    """nbgrader hands in the whole folder."""
    entry = plant(inbound, "ann")
    write(with_answers(["7.1"]), entry / FILE)
    write(with_answers(["7.2"]), entry / "07_chow_liu-Copy1.ipynb")
    (entry / "notes.txt").write_text("notes")
    collected(inbound, tmp_path)
    there = sorted(path.name for path in (tmp_path / "submitted" / "ann" / NAME).iterdir())
    assert there == [FILE, SECRET, "timestamp.txt"]
    assert len(list((tmp_path / "attempts").rglob("*.ipynb"))) == 2


# -- in the middle of things -----------------------------------------------------------------------------------
def test_several_collect_at_once_while_students_hand_in(inbound: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as people:
        sent = [people.submit(hand, inbound, f"s{i % 6}", f"7.{1 + i % 7}") for i in range(24)]
        gathered = [people.submit(collected, inbound, tmp_path) for _ in range(4)]
        contents = sorted(one.result() for one in sent)
        assert all(one.result() for one in gathered)
    done = collected(inbound, tmp_path)
    assert done.counting == 6 and done.failed == []
    assert contents == sorted(path.read_bytes() for path in (tmp_path / "attempts").rglob(FILE))


def test_one_that_is_not_complete_displaces_nothing(inbound: Path, tmp_path: Path) -> None:
    """nbgrader writes the secret last: a full disk, or a submission in this very moment."""
    sent = hand(inbound, "ann", "7.1")
    write(with_answers(["7.2"]), plant(inbound, "ann", complete=False) / FILE)
    done = collected(inbound, tmp_path)
    assert laid_out(tmp_path, "ann") == sent and done.new == 1
    assert len(done.failed) == 1 and "is not complete" in done.failed[0]


def test_a_collection_that_was_killed_goes_on(inbound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = hand(inbound, "ann", "7.1")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(kept, "lay_out", killed)
        with pytest.raises(KeyboardInterrupt):
            collected(inbound, tmp_path)
    (tmp_path / ".collecting-left").mkdir()
    collected(inbound, tmp_path)
    assert laid_out(tmp_path, "ann") == sent and not (tmp_path / ".collecting-left").exists()


# -- what students may try ---------------------------------------------------------------------------------------
def test_who_changes_an_old_attempt_makes_it_new(inbound: Path, tmp_path: Path) -> None:
    """Times of files can be set back; what the system notes of changes cannot."""
    before = hand(inbound, "ann", "7.1")
    collected(inbound, tmp_path)
    (entry,) = inbound.iterdir()
    time.sleep(0.02)
    write(with_answers(["7.1", "7.2"]), entry / FILE)
    os.utime(entry / FILE, (0, 0))
    assert collected(inbound, tmp_path).new == 1
    first, second = kept.all_kept(tmp_path)
    assert first.entry == second.entry and first.time < second.time
    assert before in [path.read_bytes() for path in (tmp_path / "attempts").rglob(FILE)], "the old one is still there"


def test_who_prepares_it_in_time_and_drops_it_late_is_late(inbound: Path, tmp_path: Path) -> None:
    prepared = inbound / "not handed in yet"
    write(with_answers(["7.1"]), prepared / FILE)
    (prepared / SECRET).write_text("x" * 128)
    written = (prepared / FILE).stat().st_ctime
    time.sleep(0.02)
    os.utime(prepared, (0, 0))
    prepared.rename(inbound / entry_name("ann"))
    ((one,), _) = attempts(inbound, NAME, LIMIT)
    assert datetime.fromisoformat(one.time).timestamp() > written + 0.01


def test_a_forged_date_is_not_believed(inbound: Path, tmp_path: Path) -> None:
    hand(inbound, "ann", "7.1")
    (entry,) = inbound.iterdir()
    entry.rename(inbound / f"ann+{NAME}+1999-01-01 00:00:00.000000 UTC+x")
    (plant(inbound, "bob") / FILE).write_text("{}")
    (odd,) = (path for path in inbound.iterdir() if path.name.startswith("bob"))
    odd.rename(inbound / f"bob+{NAME}+tomorrow+x")
    assert collected(inbound, tmp_path).failed == []
    assert {row["time"][:4] for row in rows(tmp_path)} == {str(datetime.now(UTC).year)}


@pytest.mark.parametrize("trick", ["link", "folder", "pipe", "hard link", "huge"])
def test_odd_files_are_not_read(trick: str, inbound: Path, tmp_path: Path) -> None:
    secret = write(with_answers(["7.1"]), tmp_path / "secret.ipynb")
    entry = plant(inbound)
    {"link": lambda: (entry / FILE).symlink_to(secret), "folder": lambda: (entry / FILE).mkdir(),
     "pipe": lambda: os.mkfifo(entry / FILE), "hard link": lambda: os.link(secret, entry / FILE),
     "huge": lambda: (entry / FILE).write_bytes(b"x" * (LIMIT + 100_000))}[trick]()
    done = collected(inbound, tmp_path)
    said = {"link": "is a link", "huge": "has 10.1 MB; those of more than 10.0 MB",
            "hard link": "belongs to somebody else, or is in a second place"}
    (row,) = rows(tmp_path)
    assert row["notes"].startswith(f"{looking.CLAIM}; {FILE} {said.get(trick, 'is not a plain file')}")
    assert done.found[0].notes[1] in row["notes"]
    assert not list((tmp_path / "submitted").rglob("*.ipynb"))
    (found,) = find(tmp_path / "submitted", exercises().values())
    assert found.result == "unreadable" and "problem.txt" in found.problem, "and the grader says so to the student"


def test_an_attempt_without_a_notebook_does_not_displace_one_with(inbound: Path, tmp_path: Path) -> None:
    sent = hand(inbound, "ann", "7.1")
    plant(inbound, "ann")
    collected(inbound, tmp_path)
    assert laid_out(tmp_path, "ann") == sent and len(rows(tmp_path)) == 2


def test_an_entry_that_is_a_link_is_passed_over(inbound: Path, tmp_path: Path) -> None:
    write(with_answers(["7.1"]), tmp_path / "bob" / FILE)
    (inbound / entry_name("eve")).symlink_to(tmp_path / "bob")
    done = collected(inbound, tmp_path)
    assert done.found == done.failed == []


def test_a_folder_swapped_for_a_link_in_the_middle(inbound: Path, tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    hand(inbound, "ann", "7.1")
    write(with_answers(["7.2"]), tmp_path / "victim" / FILE)
    (tmp_path / "victim" / SECRET).write_text("x" * 128)
    entry = plant(inbound)
    (entry / FILE).write_text("{}")
    really = kept.read_file

    def swap_first(inbound: Path, attempt: Attempt, name: str, limit: int) -> bytes:
        if attempt.student == "eve" and not entry.is_symlink():
            shutil.rmtree(entry)
            entry.symlink_to(tmp_path / "victim")
        return really(inbound, attempt, name, limit)

    monkeypatch.setattr(kept, "read_file", swap_first)
    done = collected(inbound, tmp_path)
    assert done.new == 1 and len(done.failed) == 1 and done.failed[0].startswith("eve+")


@pytest.mark.parametrize("student", ["..", ".", "a b", "-rf", "ünï", "x" * 120, "a\nb", "=1+1", "\udcff"])
def test_odd_names_stay_inside(student: str, inbound: Path, tmp_path: Path) -> None:
    write(with_answers(["7.1"]), plant(inbound, student) / FILE)
    collected(inbound, out := tmp_path / "out")
    assert len(list(out.glob(f"submitted/*/{NAME}/{FILE}"))) == len(list(out.glob(f"attempts/*/{NAME}/*/{FILE}"))) == 1
    assert sorted(path.name for path in out.iterdir()) == [".collecting", "attempts", "attempts.csv", "submitted"]
    assert not rows(out)[0]["student"].startswith("=")


def test_names_never_meet() -> None:
    assert len({safe_name(name) for name in ("a b", "ab", "a_b", "a.b", "..", ".", "...", "a/b")}) == 8


def test_foreign_things_and_other_assignments_are_left_alone(inbound: Path, tmp_path: Path) -> None:
    (inbound / "a folder").mkdir()
    (inbound / "a file").write_text("")
    write(with_answers(["7.1"]), plant(inbound, "ann", "an assignment of your own") / FILE)
    assert attempts(inbound, NAME, LIMIT) == ([], [])
    assert len(attempts(inbound, "an assignment of your own", LIMIT)[0]) == 1


# -- whose ---------------------------------------------------------------------------------------------------------
def test_whose_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "system_name", {1001: "ann"}.get)
    assert whose(1001, 0, "ann", "") == ("ann", ())
    assert whose(1001, 0, "bob", "") == ("ann", ("handed in under the name bob",)), "the owner counts"
    assert whose(0, 0, "bob", "carol") == ("carol", ()), "a folder that was given to her"
    slug = "ann-lee-uni-edu---27c51fd4"  # what KubeSpawner 7 makes of ann.lee@uni.edu
    assert whose(0, 0, "ann.lee@uni.edu", slug) == ("ann.lee@uni.edu", ()), "a claim that the folder bears out"
    assert whose(0, 0, "bob", slug) == (slug, ()), "and one that it does not"
    assert whose(0, 0, "bob", "") == ("bob", (looking.CLAIM,))
    student, (note,) = whose(7, 0, "bob", "")
    assert student == "bob" and "number 7 has no name" in note


def test_a_folder_of_ones_own_says_whose_it_is(inbound: Path, tmp_path: Path) -> None:
    """As on Kubernetes, where all run under one number, and each sees only her folder."""
    sent = hand(inbound / "ann", "somebody else", "7.1")
    collected(inbound, tmp_path)
    assert laid_out(tmp_path, "ann") == sent
    assert [row["notes"] for row in rows(tmp_path)] == [""]


@only_root
def test_nobody_hands_in_for_somebody_else(inbound: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by a name, nor by a folder with a name."""
    monkeypatch.setattr(looking, "system_name", {ANN: "ann", BOB: "bob", EVE: "eve"}.get)
    acting_as(BOB, lambda: len(hand(inbound, "bob", "7.1")))
    acting_as(EVE, lambda: len(hand(inbound, "bob", "7.2")))
    assert acting_as(EVE, lambda: len(hand(inbound / "bob", "bob", "7.3"))) > 1000, "she can make it, but in vain"
    done = collected(inbound, open_folder)
    assert sorted(row["student"] for row in rows(open_folder)) == ["bob", "eve"]
    assert [one.notes for one in done.found if one.student == "eve"] == [("handed in under the name bob",)]


@only_root
def test_one_that_is_closed_does_not_stop_the_others(inbound: Path, open_folder: Path) -> None:
    os.chown(inbound, BOB, BOB)  # an instructor who is not root
    inbound.chmod(0o3733)

    def handed_in(student: str) -> str:
        hand(inbound, student, "7.1")
        return student

    acting_as(ANN, lambda: os.umask(0o022) and handed_in("ann"))
    acting_as(EVE, lambda: os.umask(0o077) and handed_in("eve"))
    (open_folder / "out").mkdir()
    os.chown(open_folder / "out", BOB, BOB)
    failed, counting = acting_as(BOB, lambda: [(done := collected(inbound, open_folder / "out")).failed, done.counting])
    assert counting == 1 and len(failed) == 1 and failed[0].startswith("eve+")
