"""The parts of `bnteach class` about what is kept of students: privacy, delete."""

from __future__ import annotations

import argparse
from pathlib import Path

from bnteach.course.commands.common import CommandError, nearest


def say_where(parser: argparse.ArgumentParser) -> None:
    """The arguments that select the class's folder and its exchange."""
    parser.add_argument("--folder", type=Path, default=Path(), metavar="FOLDER", help="the class's folder (here)")
    parser.add_argument("--exchange", metavar="FOLDER",
                        help="the class's exchange (without it: $BNTEACH_EXCHANGE, or what nbgrader_config.py says)")
    parser.add_argument("--course", metavar="NAME", help="the course's short name (without it, in the same way)")


def privacy(asked: argparse.Namespace) -> int:
    """List what is kept of students: where, how much, and since when.

    Example:
      bnteach class privacy
    """
    from bnteach.course.classroom.privacy import ELSEWHERE, exchange_of, kept

    exchange = exchange_of(asked.folder, asked.exchange, asked.course)
    for place in (found := list(kept(asked.folder, exchange))):
        print(place)
    if not found:
        print(f"Nothing of students is kept in {asked.folder.resolve()}.")
    if exchange is None:
        print("No exchange was found: give --exchange FOLDER and --course NAME, if there is one.")
    print(f"All of it stays until you delete it: bnteach class delete STUDENT, or --all.\n{ELSEWHERE}")
    return 0


def delete(asked: argparse.Namespace) -> int:
    """Delete what is kept of a student, or with --all of the whole class. First it is only listed.

    Deleted are notebooks, marks, changes by hand, requests, pages, entries in the exchange, in nbgrader's gradebook
    and in its log. The files of `bnteach class init` stay, and so does all that `bnteach class privacy` calls
    elsewhere. Nothing outside the class's folder and its exchange is touched.

    Examples:
      bnteach class delete ann                    what would be deleted
      bnteach class delete ann --delete           delete it, after a question
      bnteach class delete --all --delete
    """
    from bnteach.course.classroom.deleting import delete_class, delete_student, known
    from bnteach.course.classroom.privacy import exchange_of

    if bool(asked.student) == asked.all:
        raise CommandError("say who: a student, or --all for the whole class.")
    exchange = exchange_of(asked.folder, asked.exchange, asked.course)
    steps = delete_class(asked.folder, exchange) if asked.all else delete_student(asked.folder, exchange, asked.student)
    if not steps:
        hint = "" if asked.all else f" {nearest(asked.student, known(asked.folder))}"
        raise CommandError(f"nothing of {asked.student or 'students'} is kept in {asked.folder.resolve()}"
                           f"{f' or {exchange}' if exchange else ''}.{hint}")
    print(*steps, sep="\n")
    if exchange is None:
        print("No exchange was found: give --exchange FOLDER and --course NAME, if there is one.")
    if not asked.delete:
        print(f"Nothing has been deleted. To delete this, add --delete: {len(steps)} places.")
        return 0
    confirm(asked.student or asked.folder.resolve().name, asked.yes)
    for step in steps:
        step.act()
    print(f"Deleted in {len(steps)} places. What is elsewhere: bnteach class privacy")
    return 0


def delete_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("student", nargs="?", default="", help="as in the column `student` of grades.csv")
    parser.add_argument("--all", action="store_true", help="the whole class")
    parser.add_argument("--delete", action="store_true", help="delete it, after a question")
    parser.add_argument("--yes", action="store_true", help="without the question, for scripts")
    say_where(parser)


def confirm(name: str, yes: bool) -> None:
    """Ask, and go on only if the name is typed."""
    if yes:
        return
    try:
        typed = input(f"This cannot be undone. To delete all of the above, type {name}: ")
    except EOFError:
        typed = ""
    if typed.strip() != name:
        raise CommandError("nothing has been deleted.")


PARTS = {"privacy": (privacy, say_where), "delete": (delete, delete_arguments)}
