"""The exchange: what is handed out, and what others cannot do there."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnteach.course.classroom.exchange import (
    ClassError,
    Exchange,
    entry_name,
    find_exchange,
    open_exchange,
    read_entry_name,
    release_to,
)
from bnteach.course.exercises.release import exercises
from tests.course.classroom.accounts import ANN, acting_as, only_root


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def test_what_is_handed_out_has_no_solutions(exchange: Exchange) -> None:
    text = (exchange.outbound / "07_chow_liu" / "07_chow_liu.ipynb").read_text(encoding="utf-8")
    assert "NotImplementedError" in text and "BEGIN SOLUTION" not in text
    assert exchange.released() == ["07_chow_liu"]


def test_everything_can_be_handed_out_at_once(exchange: Exchange) -> None:
    release_to(exchange, "all")
    assert exchange.released() == list(exercises())


def test_the_rights_are_those_that_keep_students_apart(exchange: Exchange, open_folder: Path) -> None:
    """Whatever the umask is."""
    before = os.umask(0o077)
    try:
        secretive = Exchange(open_folder / "secretive", "bn")
        open_exchange(secretive)
        release_to(secretive, "07")
    finally:
        os.umask(before)
    for each in (exchange, secretive):
        assert mode(each.root) == 0o1777 and mode(each.inbound) == 0o3733
        assert mode(each.outbound.parent) == mode(each.outbound) == mode(each.outbound / "07_chow_liu") == 0o755
        assert mode(each.outbound / "07_chow_liu" / "07_chow_liu.ipynb") == 0o644


def test_a_group_may_list_what_was_handed_in(open_folder: Path) -> None:
    import grp

    group = grp.getgrgid(os.getgid()).gr_name
    shared = Exchange(open_folder / "shared", "bn")
    open_exchange(shared, group)
    assert mode(shared.inbound) == 0o3773 and shared.inbound.stat().st_gid == os.getgid()


def test_an_unknown_group_makes_no_inbound(open_folder: Path) -> None:
    shared = Exchange(open_folder / "shared", "bn")
    with pytest.raises(ClassError, match="'no-such-group'"):
        open_exchange(shared, "no-such-group")
    assert not shared.inbound.exists(), "or it would stay open to the wrong group"


def test_opening_again_changes_nothing(exchange: Exchange) -> None:
    exchange.inbound.chmod(0o3773)
    open_exchange(exchange)
    assert mode(exchange.inbound) == 0o3773


def test_a_new_edition_is_handed_out_only_if_asked_for(exchange: Exchange) -> None:
    out = exchange.outbound / "07_chow_liu" / "07_chow_liu.ipynb"
    release_to(exchange, "07")
    out.write_text("an older edition")
    with pytest.raises(ClassError, match="--again"):
        release_to(exchange, "07")
    assert out.read_text() == "an older edition"
    release_to(exchange, "07", again=True)
    assert "NotImplementedError" in out.read_text(encoding="utf-8")


@only_root
def test_a_folder_that_a_student_made_first_is_not_used(open_folder: Path) -> None:
    trap = Exchange(open_folder / "exchange", "bn")
    trap.root.mkdir()
    trap.root.chmod(0o1777)
    assert acting_as(ANN, lambda: trap.inbound.mkdir(parents=True)) is None
    with pytest.raises(ClassError, match="belongs to somebody else"):
        open_exchange(trap)


@only_root
def test_students_drop_but_do_not_look(exchange: Exchange) -> None:
    inbound, out = exchange.inbound, exchange.outbound / "07_chow_liu" / "07_chow_liu.ipynb"
    (inbound / "somebody's").mkdir()
    assert acting_as(ANN, lambda: os.listdir(inbound)) == "PermissionError"
    assert acting_as(ANN, lambda: os.rename(inbound / "somebody's", inbound / "mine")) == "PermissionError"
    assert acting_as(ANN, lambda: (inbound / "mine").mkdir()) is None
    assert acting_as(ANN, lambda: len(out.read_bytes()) > 1000) is True
    assert acting_as(ANN, lambda: out.write_text("")) == "PermissionError"
    assert acting_as(ANN, lambda: (out.parent / "other.ipynb").write_text("")) == "PermissionError"
    assert acting_as(ANN, lambda: inbound.rename(inbound.with_name("gone"))) == "PermissionError"
    assert acting_as(ANN, lambda: inbound.parent.rename(exchange.root / "gone")) == "PermissionError"


# -- where, and what it is called --------------------------------------------------------------------------------
def test_the_environment_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BNTEACH_EXCHANGE", "/srv/x")
    monkeypatch.setenv("BNTEACH_COURSE", "bn-1")
    assert find_exchange() == Exchange(Path("/srv/x"), "bn-1")
    assert find_exchange("/y", "c") == Exchange(Path("/y"), "c")
    monkeypatch.delenv("BNTEACH_COURSE")
    assert find_exchange().course == "bnteach"
    monkeypatch.delenv("BNTEACH_EXCHANGE")
    with pytest.raises(ClassError, match="--exchange FOLDER"):
        find_exchange()


def test_not_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "geteuid")
    with pytest.raises(ClassError, match="Windows Subsystem for Linux"):
        find_exchange("/srv/x")


@pytest.mark.parametrize("course", ["", "../x", "a b", "a+b", "a/b", "-x", "ü"])
def test_a_course_has_a_plain_short_name(course: str) -> None:
    with pytest.raises(ClassError, match="short name of a course"):
        find_exchange("/srv/x", course or " ")


def test_where_it_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ClassError, match="cannot be made"):
        open_exchange(Exchange(tmp_path / "file" / "x", "bn"))


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1),
       st.datetimes(timezones=st.just(UTC), min_value=datetime(1900, 1, 1)))
def test_names_can_be_read_again(student: str, now: datetime) -> None:
    name = entry_name(student, "07_chow_liu", now)
    assert read_entry_name(name) == (student, "07_chow_liu", now.strftime("%Y-%m-%d %H:%M:%S.%f UTC"))


def test_no_two_names_are_the_same_and_zones_do_not_matter() -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    assert len({entry_name("ann", "07_chow_liu", now) for _ in range(1000)}) == 1000
    from datetime import timezone

    elsewhere = now.astimezone(timezone(timedelta(hours=9)))
    assert read_entry_name(entry_name("ann", "x", elsewhere)) == read_entry_name(entry_name("ann", "x", now))


@pytest.mark.parametrize("name", ["", "ann", "ann+07", "+07+t+r", "ann++t+r", "ann+07+t+"])
def test_other_names_are_no_hand_ins(name: str) -> None:
    assert read_entry_name(name) is None
