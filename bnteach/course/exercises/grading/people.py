"""The instructor's page: the students, over the term; who has fallen behind, and what is worth a look."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from bnteach.course.exercises.grading.class_records import by_student, fallen_behind, reasons, share
from bnteach.course.exercises.grading.details import link, table
from bnteach.course.exercises.grading.report import Record
from bnteach.course.exercises.grading.times import UNKNOWN
from bnteach.course.exercises.questions.base import as_points


def students_of(records: list[Record], roster: list[str]) -> list[str]:
    """All students: those on the list, and others who have handed in."""
    return sorted({record["student"] for record in records} | {*roster})


def term(records: list[Record], exercises: list[str], roster: list[str]) -> str:
    """A row per student, a column per exercise: the points, and where they are explained."""
    found, of = by_student(records), {record["exercise"]: record["of"] for record in records if record["of"]}
    rows = []
    for student in students_of(records, roster):
        own = [found.get((student, name)) for name in exercises]
        total = as_points(sum(one["points"] for one in own if one and one["result"] == "graded"))
        rows.append(f"<tr><th scope='row'>{escape(student)}</th>{''.join(map(cell, own))}<td class='number'>{total} of "
                    f"{sum(of.get(name, 0) for name in exercises)}</td></tr>")
    legend = ("<p class='faint'>Points, each a link to the page with the marks. <span class='low'>Striped</span>: less "
              "than half of the points. L: late. ?: not graded. –: not handed in.</p>")
    return (f"<h2 id='students'>Students</h2>{legend}"
            f"{table('students by exercise', ('student', *exercises, 'total'), rows)}")


def cell(record: Record | None) -> str:
    """What a student has in one exercise."""
    if record is None:
        return "<td class='mark'>–</td>"
    part = share(record)
    points = "?" if part is None else f"{record['points']}"
    late = " L" if record["late"] not in ("", UNKNOWN) else ""
    low = " low" if part is not None and part < 0.5 else ""
    return f"<td class='mark{low}'>{link(record['page'], points + late)}</td>"


def behind(records: list[Record], exercises: list[str], roster: list[str]) -> str:
    """Who has fallen behind in the last exercises."""
    found = fallen_behind(records, students_of(records, roster), exercises)
    if not found:
        return ""
    last = {record["student"]: record["page"] for record in records}
    rows = [f"<tr><td>{link(last[student], student) if student in last else escape(student)}</td>"
            f"<td class='why'>{escape(why)}</td></tr>" for student, why in found.items()]
    return (f"<h2 id='behind'>Fallen behind</h2><p>Two of the last three exercises not handed in, or less than half of "
            f"the share of points that the class has there.</p>{table('fallen behind', ('student', 'why'), rows)}")


def late(records: list[Record]) -> str:
    """Who was late, by how much, and what it cost."""
    rows = [f"<tr><td>{link(record['page'], record['student'])}</td>"
            f"<td class='exercise'>{escape(record['exercise'])}</td><td>{escape(record['late'])}</td>"
            f"<td class='why'>{escape(cost(record))}</td></tr>"
            for record in records if record["late"]]
    if not rows:
        return ""
    return f"<h2 id='late'>Late</h2>{table('late', ('student', 'exercise', 'late by', 'and'), rows)}"


def cost(record: Record) -> str:
    """What lateness cost, and until when there was an extension."""
    lost = f"{record['lost']} points lost: {record['why_lost']}. " if "lost" in record else ""
    more = record.get("extension")
    return lost + (f"Extended to {more['until'][:16].replace('T', ' ')} UTC: {more['reason']}" if more else "")


def to_look_at(records: list[Record]) -> str:
    """Which notebooks somebody should read, and why."""
    rows = [f"<tr><td>{link(record['page'], record['student'])}</td>"
            f"<td class='exercise'>{escape(record['exercise'] or '?')}</td>"
            f"<td class='why'>{'<br>'.join(map(escape, why))}</td></tr>"
            for record in records if (why := reasons(record))]
    head = "<h2 id='look'>To look at</h2>"
    if not rows:
        return f"{head}<p>No notebook needs a look.</p>"
    return head + table("to look at", ("student", "exercise", "why"), rows)


def worth_a_look(looks: Iterable[dict[str, str]], records: list[Record]) -> str:
    """What may have been copied: a hint, not a verdict."""
    found = by_student(records)

    def name(look: dict[str, str], who: str) -> str:
        record = found.get((look[who].removeprefix("'"), look["exercise"])) or found.get((look[who], look["exercise"]))
        return link(record["page"], look[who]) if record else escape(look[who])

    rows = [f"<tr><td>{name(look, 'student')}{' and ' * bool(look['other student'])}{name(look, 'other student')}"
            f"</td><td class='exercise'>{escape(look['exercise'])}</td><td class='why'>{escape(look['what'])}</td></tr>"
            for look in looks]
    if not rows:
        return ""
    return ("<h2 id='alike'>Worth a look</h2><p>Code that is alike, or that was perhaps written elsewhere. This is no "
            "verdict: people who work together, or who read the same book, write alike. Read the notebooks, and ask."
            f"</p>{table('worth a look', ('student', 'exercise', 'what'), rows)}")


def not_handed_in(records: list[Record], exercises: list[str], roster: list[str]) -> str:
    """Who on the list has handed in nothing, by exercise; and who is not on the list."""
    lines = []
    for exercise in exercises:
        there = {record["student"] for record in records if record["exercise"] == exercise}
        if missing := [student for student in roster if student not in there]:
            lines.append(f"<h3>{escape(exercise)}</h3><p>{len(missing)}: {escape(', '.join(missing))}</p>")
    sections = f"<h2 id='missing'>Not handed in</h2>{''.join(lines)}" if lines else ""
    if others := sorted({record["student"] for record in records} - {*roster}) if roster else []:
        sections += f"<h2 id='others'>Not on your list</h2><p>{len(others)}: {escape(', '.join(others))}</p>"
    return sections
