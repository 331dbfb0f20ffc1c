"""bnteach slides: lessons as slides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bnteach.course.commands.common import CommandError, needed, not_written, parser_of
from bnteach.course.commands.course import course_folder, find_lesson


def slides(arguments: Sequence[str]) -> int:
    """Make lessons into slides: one file per lesson, which needs no network.

    Arrow keys lead through slides, players, knobs and quizzes; C shows the code, D makes them dark, S opens the
    speaker's view, F fills the screen, ? lists all keys.

    Examples:
      bnteach slides 04
      bnteach slides all --out talks
      bnteach slides 04 --pdf
      bnteach slides 04 --handout
    """
    parser = parser_of(slides)
    parser.add_argument("lessons", nargs="+", metavar="LESSON", help="a number (07), a name (chow_liu), or all")
    parser.add_argument("--out", default="slides", metavar="FOLDER", help="where to put them (without it: slides)")
    parser.add_argument("--pdf", action="store_true",
                        help="print them to PDF too, with Chromium, Chrome or Edge; answers follow their questions")
    parser.add_argument("--handout", action="store_true",
                        help="print a handout too: three slides per page with lines for notes, answers at the end")
    asked = parser.parse_args(arguments)
    course = course_folder()
    names = sorted(path.name for path in course.glob("[0-9][0-9]_*.ipynb")) if "all" in asked.lessons else [
        find_lesson(lesson, course) for lesson in asked.lessons]
    needed("nbconvert", "latex2mathml")
    from bnteach.course.pages.printing import write_pdf
    from bnteach.course.pages.slides import SlidesError, write_deck

    try:
        for name in names:
            deck = write_deck(course / name, Path(asked.out))
            print(f"{deck}: {deck.stat().st_size / 1e6:.1f} MB", flush=True)
            if asked.pdf:
                print(write_pdf(deck), flush=True)
            if asked.handout:
                print(write_pdf(deck, handout=True), flush=True)
    except SlidesError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise not_written(error, asked.out) from None
    return 0
