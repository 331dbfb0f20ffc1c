"""Handing in: the right notebook, whole or not at all, and nothing lost when many do it at once."""

from __future__ import annotations

import errno
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bnteach.course.classroom import hand_in as handing
from bnteach.course.classroom.exchange import ClassError, Exchange, read_entry_name
from bnteach.course.classroom.fetch import fetch_exercise
from bnteach.course.classroom.hand_in import hand_in, look_at, own_name
from bnteach.course.exercises.release import ExerciseError
from tests.course.classroom.accounts import ANN, BOB, acting_as, only_root
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write


@pytest.fixture
def work(exchange: Exchange, home: Path) -> Path:
    """The exercise in the student's home, with two answers written."""
    fetch_exercise("07", exchange, home)
    return write(with_answers(["7.1", "7.2"]), home / "exercises" / "07_chow_liu" / "07_chow_liu.ipynb")


def entries(exchange: Exchange) -> list[Path]:
    return sorted(exchange.inbound.iterdir())


# -- what happens --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("asked", ["07", "7", "chow_liu", "exercises/07_chow_liu/07_chow_liu.ipynb"])
def test_the_notebook_arrives_as_it_is(asked: str, exchange: Exchange, home: Path, work: Path) -> None:
    receipt = hand_in(asked, exchange, home)
    (entry,) = entries(exchange)
    assert (entry / "07_chow_liu.ipynb").read_bytes() == work.read_bytes()
    assert read_entry_name(entry.name) == ("ann", "07_chow_liu", receipt.time)
    assert (entry / "timestamp.txt").read_text() == receipt.time
    assert receipt.digest == hashlib.sha256(work.read_bytes()).hexdigest() and receipt.entry == entry
    assert "2 of 8 answers" in str(receipt) and receipt.time in str(receipt) and receipt.digest in str(receipt)


def test_every_time_is_kept(exchange: Exchange, home: Path, work: Path) -> None:
    contents = []
    for solved in (["7.1"], ["7.1", "7.2"], ["7.1"]):
        write(with_answers(solved), work)
        contents.append(work.read_bytes())
        hand_in("07", exchange, home)
    assert sorted((entry / "07_chow_liu.ipynb").read_bytes() for entry in entries(exchange)) == sorted(contents)


def test_many_in_the_same_moment(exchange: Exchange, home: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the clock stood still."""
    class Stopped(handing.datetime):
        @classmethod
        def now(cls, zone=None):
            return cls(2026, 5, 1, tzinfo=zone)

    monkeypatch.setattr(handing, "datetime", Stopped)
    with ThreadPoolExecutor(16) as people:
        receipts = list(people.map(lambda _: hand_in("07", exchange, home), range(64)))
    assert len({receipt.entry for receipt in receipts}) == len(entries(exchange)) == 64
    assert all((entry / "07_chow_liu.ipynb").read_bytes() == work.read_bytes() for entry in entries(exchange))


@pytest.mark.parametrize("step", ["write_to_disk", "open_to_instructors"])
def test_a_full_disk_leaves_nothing_half_done(step: str, exchange: Exchange, home: Path, work: Path,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(handing, step, full)
    with pytest.raises(ClassError, match="IT WAS NOT HANDED IN: No space left"):
        hand_in("07", exchange, home)
    assert entries(exchange) == []


def test_until_the_last_step_it_has_a_name_that_is_not_collected(exchange: Exchange, home: Path, work: Path,
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(handing, "open_to_instructors", lambda folder, inbound: seen.append(folder))
    hand_in("07", exchange, home)
    assert seen[0].name.startswith(handing.UNFINISHED) and read_entry_name(seen[0].name) is None
    assert not seen[0].exists()


# -- which notebook ------------------------------------------------------------------------------------------------
def test_the_copy_beside_the_lessons_counts_too(exchange: Exchange, home: Path) -> None:
    fetch_exercise("07", exchange, home)  # fetched, and not touched
    mine = write(with_answers(["7.3"]), home / "bnteach-lessons" / "exercises" / "07_chow_liu.ipynb")
    assert hand_in("07", exchange, home).notebook == mine


def test_two_with_answers_are_not_chosen_between(exchange: Exchange, home: Path, work: Path) -> None:
    other = write(with_answers(["7.3"]), home / "bnteach-lessons" / "exercises" / "07_chow_liu.ipynb")
    with pytest.raises(ClassError, match=r"more than one notebook: .*Say which"):
        hand_in("07", exchange, home)
    assert hand_in(str(other), exchange, home).notebook == other


def test_nothing_written_is_not_handed_in_by_mistake(exchange: Exchange, home: Path) -> None:
    fetch_exercise("07", exchange, home)
    with pytest.raises(ClassError, match=r"no answer has been written yet .*Ctrl\+S"):
        hand_in("07", exchange, home)
    path = home / "exercises" / "07_chow_liu" / "07_chow_liu.ipynb"
    assert hand_in(str(path), exchange, home).answered == 0, "but on purpose it can be"


def test_no_notebook_at_all(exchange: Exchange, home: Path) -> None:
    with pytest.raises(ClassError, match=r"there is no 07_chow_liu.ipynb .*bnteach class fetch"):
        hand_in("07", exchange, home)
    with pytest.raises(ExerciseError, match=r"no exercise '99'"):
        hand_in("99", exchange, home)
    with pytest.raises(ClassError, match="one exercise at a time"):
        hand_in("all", exchange, home)


@pytest.mark.parametrize("asked", ["elsewhere/07_chow_liu.ipynb", "elsewhere/07", "07_chow_liu.ipynb", "~/mine.ipynb"])
def test_a_file_that_is_named_and_not_there(asked: str, exchange: Exchange, home: Path, work: Path) -> None:
    """The notebook of the same name at home is not handed in in its place."""
    with pytest.raises(ClassError, match=f"there is no file {asked} "):
        hand_in(asked, exchange, home)
    assert entries(exchange) == []


@pytest.mark.parametrize("content, said", [
    (b"", "is empty"), (b"{", "damaged"), (b"{}", "has no cells"), (b"\xff\xfe\x00", "not text"),
    (b'{"cells": []}', "which exercise")])
def test_what_cannot_be_graded_is_not_taken(content: bytes, said: str, exchange: Exchange, home: Path) -> None:
    path = home / "mine.ipynb"
    path.write_bytes(content)
    with pytest.raises(ClassError, match=f"mine.ipynb cannot be handed in. .*{said}"):
        hand_in(str(path), exchange, home)
    assert entries(exchange) == []


def test_the_cells_say_which_exercise_it_is(exchange: Exchange, home: Path) -> None:
    path = write(with_answers(["8.1"], name="08_overfitting_and_mdl"), home / "07_chow_liu.ipynb")
    assert hand_in(str(path), exchange, home).exercise == "08_overfitting_and_mdl"


def test_answers_are_counted(tmp_path: Path) -> None:
    assert look_at(write(untouched(), tmp_path / "07_chow_liu.ipynb"))[1] == 0
    assert look_at(write(with_answers(["7.1"], {"7.2": "x = 1"}), tmp_path / "07_chow_liu.ipynb"))[1] == 2


def test_where_nothing_can_be_handed_in(home: Path, exchange: Exchange, work: Path) -> None:
    with pytest.raises(ClassError, match=r"is not there. Tell your instructor"):
        hand_in("07", Exchange(exchange.root, "other"), home)


def test_the_name_is_the_hubs_or_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_USER", "a/b")
    assert own_name() == "a_b"
    monkeypatch.delenv("JUPYTERHUB_USER")
    monkeypatch.setenv("LOGNAME", "carol")
    assert own_name() == "carol"


# -- rights ----------------------------------------------------------------------------------------------------------
@only_root
def test_others_can_neither_open_nor_change_it(exchange: Exchange, open_folder: Path) -> None:
    mine = write(with_answers(["7.1"]), open_folder / "07_chow_liu.ipynb")
    mine.chmod(0o644)
    entry = Path(acting_as(ANN, lambda: hand_in(str(mine), exchange, open_folder).entry))
    notebook = entry / "07_chow_liu.ipynb"
    assert entry.stat().st_uid == ANN and entry.stat().st_gid == exchange.inbound.stat().st_gid
    assert notebook.stat().st_gid == exchange.inbound.stat().st_gid and notebook.stat().st_mode & 0o777 == 0o640
    assert acting_as(BOB, lambda: notebook.read_text()) == "PermissionError", "even if the name is known"
    assert acting_as(BOB, lambda: os.listdir(entry)) == "PermissionError"
    assert acting_as(BOB, lambda: entry.rename(exchange.inbound / "x")) == "PermissionError"
    assert acting_as(BOB, lambda: notebook.unlink()) == "PermissionError"


@only_root
def test_without_a_group_handed_on_the_instructor_can_still_read(exchange: Exchange, open_folder: Path) -> None:
    exchange.inbound.chmod(0o1733)
    os.chown(exchange.inbound, BOB, BOB)  # an instructor who is not root
    mine = write(with_answers(["7.1"]), open_folder / "07_chow_liu.ipynb")
    mine.chmod(0o644)
    entry = Path(acting_as(ANN, lambda: hand_in(str(mine), exchange, open_folder).entry))
    assert acting_as(BOB, lambda: len((entry / "07_chow_liu.ipynb").read_bytes()) > 1000) is True
