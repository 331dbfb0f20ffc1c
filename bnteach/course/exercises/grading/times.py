"""When, and by whom, something was handed in, as recorded by nbgrader and Gradescope."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

UNKNOWN = "unknown"  # how late something is whose time is not known
DEADLINES = ".deadlines.json"  # cannot be the name of a student: names begin with a letter


def time_of(folder: Path) -> str:
    """The time in nbgrader's timestamp.txt, in ISO form; empty if there is none that can be read."""
    path = folder / "timestamp.txt"
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > 1000:
            return ""
        return read_time(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:  # a folder or a file that may not be read
        return ""


def read_time(text: str) -> str:
    """A time with a zone's name, an offset, or neither (then UTC), in ISO form; empty if it is none.

    >>> read_time("2026-02-02 15:58:23.948203 America/Los_Angeles"), read_time("2026-02-02 15:58 +01:00")
    ('2026-02-02T23:58:23+00:00', '2026-02-02T14:58:00+00:00')
    """
    found = re.match(r"\s*['\"]?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*([^'\"\s]*)", text)
    if not found:
        return ""
    day, clock, zone = found.groups()
    try:
        if re.match(r"[+-]\d", zone):
            moment = datetime.fromisoformat(f"{day} {clock}{zone}")
        else:
            moment = datetime.fromisoformat(f"{day} {clock}").replace(
                tzinfo=UTC if zone in ("", "Z", "UTC") else ZoneInfo(zone))
        return moment.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, KeyError, OSError, OverflowError):  # the last: before the year 1, or after 9999
        return ""


def lateness(submitted: str, due: str) -> str:
    """How late, in words; empty if in time or without a deadline.

    >>> lateness("2026-05-02T01:30:00+00:00", "2026-05-01T23:59:00+00:00"), lateness("", "2026-05-01T23:59:00+00:00")
    ('1 h 31 min', 'unknown')
    """
    if not submitted and due:
        return UNKNOWN
    if not due or submitted <= due:
        return ""
    minutes = minutes_late(submitted, due)
    days, hours = minutes // 1440, minutes // 60 % 24
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else "", f"{minutes % 60} min" if not days else ""]
    return " ".join(part for part in parts if part)


def minutes_late(submitted: str, due: str) -> int:
    """Whole minutes from one time to the other."""
    return int((datetime.fromisoformat(submitted) - datetime.fromisoformat(due)).total_seconds() // 60)


def deadlines_in(folder: Path) -> dict[str, str]:
    """{exercise: time in ISO form}, as `nbgrader collect` notes them beside the submissions."""
    path = folder / DEADLINES
    if path.is_symlink() or not path.is_file():
        return {}
    try:
        noted = {name: read_time(due) for name, due in json.loads(path.read_text(encoding="utf-8")).items()}
    except (ValueError, TypeError, AttributeError):
        noted = {"": ""}
    if not all(noted.values()):
        raise ValueError(f"the deadlines in {path} cannot be read. Remove it, and collect again: "
                         "nbgrader collect 07_chow_liu")
    return noted


def gradescope_people(folder: Path) -> dict[str, tuple[str, str]]:
    """{folder of a submission: (its students, its time)} from Gradescope's submission_metadata.yml, if it is there.

    Of that file only names, addresses and times are looked at, line by line.
    """
    path = folder / "submission_metadata.yml"
    if path.is_symlink() or not path.is_file() or path.stat().st_size > 50_000_000:
        return {}
    people: dict[str, list[dict[str, str]]] = {}
    times: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if head := re.fullmatch(r"['\"]?(submission_\d+)['\"]?:\s*", line):
            current = head[1]
            people[current] = []
        elif people and (field := re.fullmatch(r"( *)(- )?:(name|sid|email|created_at):\s*(.*?)\s*", line)):
            indent, new, key, value = len(field[1]), field[2], field[3], field[4].strip("'\"")
            if new:
                people[current].append({})
            if key == "created_at" and indent <= 2:
                times.setdefault(current, read_time(value))
            elif people[current] and not times.get(current):
                people[current][-1].setdefault(key, value)
    return {place: (_who(persons) or place, times.get(place, "")) for place, persons in people.items()}


def _who(persons: list[dict[str, str]]) -> str:
    """The students of a submission: by address, number or name, whichever there is."""
    known = [person.get("email") or person.get("sid") or person.get("name") for person in persons]
    return " + ".join(name for name in known if name)
