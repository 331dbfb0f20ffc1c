"""Collecting: all attempts are kept, and the newest is laid out to be graded."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bnteach.course.classroom import attempts as looking
from bnteach.course.classroom import collect as collecting
from bnteach.course.classroom.attempts import Attempt, attempts
from bnteach.course.classroom.collect import collect, newest
from bnteach.course.classroom.exchange import ClassError, Exchange, entry_name
from bnteach.course.classroom.hand_in import hand_in
from bnteach.course.exercises.grading.submissions import find
from bnteach.course.exercises.release import ExerciseError, exercises
from tests.course.classroom.handing import FILE, NAME, hand, laid_out, plant, rows
from tests.course.exercises.submissions.notebooks import with_answers, write


# -- what counts -----------------------------------------------------------------------------------------------
def test_all_are_kept_and_the_newest_counts(exchange: Exchange, tmp_path: Path) -> None:
    sent = [hand(exchange, tmp_path, "ann", *solved) for solved in (["7.1"], ["7.2"], ["7.1"])]
    other = hand(exchange, tmp_path, "bob", "7.3")
    out = tmp_path / "out"
    done = collect(exchange, out)
    kept = [path.read_bytes() for path in (out / "attempts" / "ann").rglob(FILE)]
    assert sorted(kept) == sorted(sent) and done.new == 4
    assert laid_out(out, "ann") == sent[-1] and laid_out(out, "bob") == other
    assert [(row["student"], row["counts"]) for row in rows(out)] == [
        ("ann", ""), ("ann", ""), ("ann", "counts"), ("bob", "counts")]
    assert [row["time"] for row in rows(out)[:3]] == sorted(row["time"] for row in rows(out)[:3])


def test_what_comes_later_takes_the_place(exchange: Exchange, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = hand(exchange, tmp_path, "ann", "7.1")
    collect(exchange, out)
    second = hand(exchange, tmp_path, "ann", "7.2")
    assert collect(exchange, out).new == 1
    assert laid_out(out, "ann") == second
    assert first in [path.read_bytes() for path in (out / "attempts").rglob(FILE)]
    assert not list(out.glob(".collecting-*"))


def test_again_and_nothing_changes(exchange: Exchange, tmp_path: Path) -> None:
    out = tmp_path / "out"
    hand(exchange, tmp_path, "ann", "7.1")
    collect(exchange, out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.suffix == ".ipynb"}
    assert len(before) == 2
    assert collect(exchange, out).new == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_attempts_outlive_the_exchange(exchange: Exchange, tmp_path: Path) -> None:
    out = tmp_path / "out"
    sent = hand(exchange, tmp_path, "ann", "7.1")
    collect(exchange, out)
    shutil.rmtree(exchange.inbound)
    exchange.inbound.mkdir()
    shutil.rmtree(out / "submitted")
    assert len(collect(exchange, out).attempts) == 1
    assert laid_out(out, "ann") == sent


def test_the_grader_reads_times_and_says_who_was_late(exchange: Exchange, tmp_path: Path) -> None:
    from bnteach.course.exercises.grading.times import lateness

    out = tmp_path / "out"
    hand(exchange, tmp_path, "ann", "7.1")
    collect(exchange, out)
    (one,) = find(out / "submitted", exercises().values())
    assert (one.student, one.exercise, one.result) == ("ann", NAME, "graded")
    came = datetime.fromisoformat(one.time)
    assert abs((datetime.now(UTC) - came).total_seconds()) < 60
    assert lateness(one.time, (came - timedelta(hours=1, minutes=5)).isoformat()) == "1 h 5 min"


def test_a_deadline(exchange: Exchange, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest before it counts; who has only late ones gets those, marked as late; all are kept."""
    out, due = tmp_path / "out", "2026-05-01 12:00+02:00"
    times = iter(["09:58", "09:59", "10:01", "10:02"])
    monkeypatch.setattr(looking, "look_inside", lambda number, own: (
        [FILE], int(datetime.fromisoformat(f"2026-05-01 {next(times)}+00:00").timestamp() * 1e9), []))
    monkeypatch.setattr(looking, "entries", lambda *_: [(Path(entry.name), "") for entry in made])
    made = [plant(exchange, student) for student in ("ann", "ann", "ann", "bob")]
    for number, entry in enumerate(made):
        (entry / FILE).write_text(str(number))
    collect(exchange, out, due=due)
    assert laid_out(out, "ann") == b"1" and laid_out(out, "bob") == b"3"
    assert [(row["late"], row["counts"]) for row in rows(out)] == [
        ("", ""), ("", "counts"), ("1 min", ""), ("2 min", "counts")]


def test_a_deadline_that_is_none(exchange: Exchange, tmp_path: Path) -> None:
    with pytest.raises(ClassError, match="'tomorrow' is no time"):
        collect(exchange, tmp_path, due="tomorrow")


def test_each_exercise_keeps_its_own_deadline(exchange: Exchange, tmp_path: Path) -> None:
    """The list says what is laid out, whichever exercise was collected last, and with or without --due."""
    out = tmp_path / "out"
    first = hand(exchange, tmp_path, "ann", "7.1")
    ((one,), _) = attempts(exchange.inbound)
    time.sleep(1.1)
    hand(exchange, tmp_path, "ann", "7.2")
    collect(exchange, out, "07", due=one.time)
    for asked, due in (("08", "2099-01-01 12:00"), ("all", "")):
        collect(exchange, out, asked, due=due)
        assert laid_out(out, "ann") == first
        assert [(row["late"], row["counts"]) for row in rows(out)] == [("", "counts"), ("0 min", "")]
    (out / "submitted" / ".deadlines.json").write_text('{"07_chow_liu": "soon"}')
    with pytest.raises(ClassError, match=r"deadlines.json cannot be read. Remove it"):
        collect(exchange, out)


def test_one_exercise_at_a_time(exchange: Exchange, tmp_path: Path) -> None:
    out = tmp_path / "out"
    hand(exchange, tmp_path, "ann", "7.1")
    path = write(with_answers(["8.1"], name="08_overfitting_and_mdl"), tmp_path / "08_overfitting_and_mdl.ipynb")
    hand_in(str(path), exchange, tmp_path, "ann")
    assert collect(exchange, out, "07").new == 1
    assert collect(exchange, out, "08").new == 1
    assert len(rows(out)) == 2
    with pytest.raises(ExerciseError, match="'99'"):
        collect(exchange, out, "99")


def test_a_notebook_beside_the_exercise_is_kept_and_not_laid_out(exchange: Exchange, tmp_path: Path) -> None:
    """nbgrader hands in the whole folder, copies and all."""
    entry = plant(exchange, "ann")
    write(with_answers(["7.1"]), entry / FILE)
    write(with_answers(["7.2"]), entry / "07_chow_liu-Copy1.ipynb")
    (entry / "notes.txt").write_text("notes")
    collect(exchange, tmp_path)
    assert sorted(path.name for path in (tmp_path / "submitted" / "ann" / NAME).iterdir()) == [FILE, "timestamp.txt"]
    assert len(list((tmp_path / "attempts").rglob("*.ipynb"))) == 2


def test_times_in_the_names_for_a_restored_exchange(exchange: Exchange, tmp_path: Path) -> None:
    entry = exchange.inbound / entry_name("ann", NAME, datetime(2026, 5, 1, 8, 0, 0, 250000, tzinfo=UTC))
    entry.mkdir()
    write(with_answers(["7.1"]), entry / FILE)
    ((now,), _), ((then,), _) = attempts(exchange.inbound), attempts(exchange.inbound, claimed_times=True)
    assert then.time == "2026-05-01T08:00:00.250000+00:00" and now.time > "2026-05-02"


# -- in the middle of things ---------------------------------------------------------------------------------------
def test_several_collect_at_once_while_students_hand_in(exchange: Exchange, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with ThreadPoolExecutor(8) as people:
        sent = [people.submit(hand, exchange, tmp_path / str(i), f"s{i % 6}", f"7.{1 + i % 7}") for i in range(36)]
        gathered = [people.submit(collect, exchange, out) for _ in range(4)]
        assert all(one.result() for one in [*sent, *gathered])
    done = collect(exchange, out)
    assert len(done.attempts) == 36 and len(done.chosen) == 6
    kept = sorted(path.read_bytes() for path in (out / "attempts").rglob(FILE))
    assert kept == sorted(one.result() for one in sent)


def test_a_collection_that_was_killed_goes_on(exchange: Exchange, tmp_path: Path,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    sent = hand(exchange, tmp_path, "ann", "7.1")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(collecting, "lay_out", killed)
        with pytest.raises(KeyboardInterrupt):
            collect(exchange, out)
    (out / ".collecting-left").mkdir()
    collect(exchange, out)
    assert laid_out(out, "ann") == sent and not (out / ".collecting-left").exists()


def test_newest_is_by_time_and_not_by_order() -> None:
    def one(moment: str, files: tuple[str, ...] = (FILE,)) -> Attempt:
        return Attempt("ann", NAME, moment, f"2026-05-01T{moment}:00.000000+00:00", "", files=files)

    late, early, empty = one("12:00"), one("10:00"), one("13:00", ())
    assert newest([late, early, empty]) == newest([empty, early, late]) == [late]
    assert newest([late, early, empty], {NAME: "2026-05-01T11:00:00+00:00"}) == [early]
    assert newest([late, early, empty], {"08_other": "2026-05-01T11:00:00+00:00"}) == [late]
    assert newest([empty]) == [empty]
