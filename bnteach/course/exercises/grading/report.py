"""The output of grading: a record and a page for each submission, and grades.csv for the class.

Files are written to a temporary file, on to the disk, and then renamed, so that none is ever incomplete. Students' text
is escaped on pages, and no cell of the CSV file can be interpreted as a formula.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from bnteach.course.exercises.grading.editions import changed, corrections
from bnteach.course.exercises.grading.times import UNKNOWN
from bnteach.course.exercises.hints import ladders
from bnteach.show.style import FAINT_INK, FONT, GREEN, INK, PAPER, RUST, VERMILLION
from bnteach.show.theme import themed

Record = dict[str, Any]
FIRST_COLUMNS = ("student", "exercise", "points", "of", "result", "late", "what happened", "file")
WORDS = {"right": "✓ right", "wrong": "✗ not right", "crash": "✗ stopped with an error", "timeout": "✗ took too long",
         "missing": "– not there", "unjudged": "? not judged yet"}


def write_whole(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, beside = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(number)
        os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def safe_name(student: str, exercise: str, file: str) -> str:
    """A file name for a submission: readable in any script, harmless, and no two alike.

    >>> safe_name("../../etc/李娜", "07_chow_liu", "a.ipynb")
    'etc_李娜-07_chow_liu-0f3c043de244951392bc1e47445c1b4a1a6ef0f7ac7aaf7434ab9fadf2b6687f'
    """
    readable = re.sub(r"[^\w.-]+", "_", student).strip("._-")[:30] or "student"
    mark = hashlib.sha256("\0".join((student, exercise, file)).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{readable}-{exercise or 'unknown'}-{mark}"


# -- the class ---------------------------------------------------------------------------------------------------
def write_csv(path: Path, records: Iterable[Record]) -> None:
    """One row per submission; for each question its points and how it ended."""
    rows = sorted(records, key=lambda record: (record["student"], record["exercise"], record["file"]))
    ids = sorted({q["id"] for row in rows for q in row["questions"]}, key=lambda id: tuple(map(int, id.split("."))))
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow([*FIRST_COLUMNS, *(column for id in ids for column in (id, f"{id} how"))])
    for row in rows:
        by_id = {q["id"]: q for q in row["questions"]}
        cells = [row["student"], row["exercise"], row["points"], row["of"], row["result"], row["late"],
                " ".join(_sentences(row)), row["file"]]
        cells += [by_id[id][what] if id in by_id else "" for id in ids for what in ("points", "how")]
        writer.writerow([harmless(cell) for cell in cells])
    write_whole(path, page.getvalue())


def _sentences(record: Mapping[str, Any]) -> list[str]:
    notes = [note[:1].upper() + note[1:].rstrip(".") + "." for note in [*record["notes"], *_lost(record)]]
    return [record["problem"], *notes] if record["problem"] else notes


def _lost(record: Mapping[str, Any]) -> list[str]:
    return [f"{record['lost']} points lost for lateness: {record['why_lost']}"] if "lost" in record else []


def harmless(cell: Any) -> Any:
    """A cell that no spreadsheet interprets as a formula, nor as several cells separated by semicolons.

    >>> harmless("=1+1"), harmless("Ann; =1+1"), harmless("Ann"), harmless(3)
    ("'=1+1", "Ann;' =1+1", 'Ann', 3)
    """
    return re.sub(r"(^|[;\t\r])(?=\s*[=+\-@])", r"\1'", cell) if isinstance(cell, str) else cell


# -- the page of one student -----------------------------------------------------------------------------------------
def write_record(folder: Path, name: str, record: Record) -> None:
    """The record as JSON, and the page that says the same to the student. The record comes last: it says "done"."""
    write_whole(folder / "feedback" / f"{name}.html", feedback_page(record))
    write_whole(folder / "records" / f"{name}.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def read_record(folder: Path, name: str) -> Record | None:
    """A record that was written before, or None."""
    try:
        record = json.loads((folder / "records" / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) else None


def feedback_page(record: Record) -> str:
    """A self-contained page."""
    title = f"{record['exercise'] or 'Exercise'}: {record['student']}"
    points = "" if record["points"] == "" else f"<p class='points'>{record['points']} of {record['of']} points</p>"
    problem = f"<p class='problem'>{escape(record['problem'])}</p>" if record["problem"] else ""
    notes = "".join(f"<li>{escape(note)}</li>" for note in [*record["notes"], *about_time(record)])
    return (f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
            f"<style>{themed(_STYLE)}</style></head><body><h1>{escape(title)}</h1>{points}{problem}"
            f"{''.join(_question(q, record) for q in record['questions'])}"
            f"{f'<h2>Also noticed</h2><ul>{notes}</ul>' if notes else ''}"
            f"<p class='small'>Each question was checked on newly drawn inputs. {escape(record['file'])}</p>"
            f"</body></html>\n")


def about_time(record: Mapping[str, Any]) -> list[str]:
    """What there is to say of deadlines: an extension, lateness, and what it costs."""
    said, late = [], record["late"]
    if more := record.get("extension"):
        said.append(f"the deadline was extended to {more['until'][:16].replace('T', ' ')} UTC: {more['reason']}")
    if late == UNKNOWN:
        said.append("when it was handed in is not known, and so neither is whether it is late")
    elif late:
        said.append(f"late by {late}")
    return [*said, f"{record['lost']} points are lost for lateness: {record['why_lost']}"] if "lost" in record else said


def _question(q: Mapping[str, Any], record: Record) -> str:
    kind = "right" if q["how"] == "right" else "other"
    more = f"<p class='small'>It was called as {escape(q['call'])}</p>" if q["call"] else ""
    if q["how"] != "right" and (hints := ladders().get(q["id"])):
        more += f"<p>A hint: {escape(hints[0])} <code>bn.hint(&quot;{escape(q['id'])}&quot;, 2)</code> says more.</p>"
    if "reason" in q:
        more += f"<p>Marked by hand, {q['points']} in place of {q['judged']}: {escape(q['reason'])}</p>"
    if (before := changed(record).get(q["id"], (None,))[0]) is not None:
        more += f"<p>The exercise was corrected after it had been handed in; the mark was {before} before.</p>"
    if asked := record.get("requests", {}).get(q["id"]):
        more += f"<p>You asked for another look: {escape(asked['asked'])}</p>"
        more += f"<p>The answer: {escape(asked['answer'])}</p>" if asked["answer"] else ""
    if code := record.get("code", {}).get(q["id"]):
        more += (f"<details><summary>What was handed in</summary><pre tabindex='0' aria-label='the answer to "
                 f"{escape(q['id'])}'>{escape(code)}</pre></details>")
    return (f"<section class='{kind}' id='q-{escape(q['id'])}'><h2>{escape(q['id'])} {escape(q['title'])} "
            f"<span>{q['points']} of {q['of']}</span></h2><p><b>{WORDS.get(q['how'], escape(q['how']))}</b> "
            f"{escape(q['sentence'])}</p>{more}</section>")


_STYLE = f""":root{{color-scheme:light dark}} body{{font-family:{FONT};color:{INK};background:{PAPER};line-height:1.5;
max-width:46em;margin:2em auto;padding:0 1em}}
h1{{font-size:1.4em}} h2{{font-size:1em;margin:0}} h2 span{{float:right;font-weight:normal;color:{FAINT_INK}}}
section{{border:1px solid #d5dbe1;border-left:5px solid {VERMILLION};border-radius:8px;padding:.6em 1em;margin:.7em 0}}
section.right{{border-left-color:{GREEN}}} section p{{margin:.3em 0}} section b{{color:{RUST}}}
section.right b{{color:{GREEN}}} .points{{font-size:1.2em}}
.problem{{border-left:5px solid {VERMILLION};padding-left:1em}}
pre{{background:#f3f6f9;padding:.6em;overflow-x:auto;font-size:.9em}} summary{{cursor:pointer}}
.small{{color:{FAINT_INK};font-size:.9em;overflow-wrap:anywhere}}"""


def summary(records: list[Record], out: Path) -> str:
    """How many there are of each kind, and where to look."""
    lines = [f"{len(records)} submissions: grades in {out / 'grades.csv'}, pages for students in {out / 'feedback'},",
             f"  the class at a glance in {out / 'dashboard.html'}"]
    for result in ("unreadable", "double", "unknown exercise", "not graded"):
        if found := [record for record in records if record["result"] == result]:
            lines.append(f"  {len(found)} {result}: {', '.join(record['file'] for record in found[:5])}"
                         f"{' …' if len(found) > 5 else ''}")
    hows = Counter(q["how"] for record in records for q in record["questions"])
    lines += [f"  {hows[how]} answers {how}" for how in ("timeout", "crash", "unjudged") if hows[how]]
    lates = Counter("unknown" if record["late"] == UNKNOWN else "late" for record in records if record["late"])
    lines += [f"  {lates['late']} late"] if lates["late"] else []
    lines += [f"  {lates['unknown']} without a time: whether they are late is unknown"] if lates["unknown"] else []
    lines += [f"  {line}" for line in corrections(records)]
    return "\n".join(lines)
