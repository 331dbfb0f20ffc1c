"""Who has sent what lies in the exchange's inbound folder: hand-ins, and requests for another look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def sent(inbound: Path) -> Iterator[tuple[str, str, Path]]:
    """(student, for what, folder) of everything that was sent; the file's owner says whose it is, not its name."""
    from bnteach.course.classroom.attempts import entries, read_entry_name, safe_name, whose

    if not inbound.is_dir():
        return
    instructor = inbound.stat().st_uid
    for where, given in entries(inbound, []):
        claimed, what, _ = read_entry_name(where.name) or ("", "", "")
        owner = (inbound / where).lstat().st_uid
        yield safe_name(whose(owner, instructor, claimed, given)[0]), what, inbound / where
