"""bnteach practice: a page on which the student makes the steps of every algorithm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bnteach.course.commands.common import CommandError, parser_of


def practice(arguments: Sequence[str]) -> int:
    """Write a page to practise on: make the next step of every algorithm yourself.

    One file, without network or kernel: for a lecture, a web site, a phone. The instances are drawn from a seed.

    Examples:
      bnteach practice
      bnteach practice --out site/practice.html --instances 5 --seed 2027
    """
    parser = parser_of(practice)
    parser.add_argument("--out", default="practice.html", metavar="FILE", help="the page (without it: practice.html)")
    parser.add_argument("--instances", type=int, default=2, metavar="N", help="of each algorithm and level (2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the instances (without it: 0)")
    asked = parser.parse_args(arguments)
    if asked.instances < 1:
        raise CommandError(f"--instances is {asked.instances}; at least 1 instance of each algorithm is needed.")
    from bnteach.course.practice.page import practice_page

    text = practice_page(sessions(asked.instances, asked.seed))
    target = Path(asked.out)
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {asked.out!r} ({error.strerror}): name a file in a folder that exists and "
                           f"can be written to, with --out FILE.") from None
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
    return 0


def sessions(instances: int, seed: int) -> Iterator[Any]:
    """Sessions of all algorithms and levels."""
    from bnteach.course.practice.session import practice as session
    from bnteach.course.practice.topics import LEVELS, TOPICS

    for name in TOPICS:
        for level in LEVELS:
            for i in range(instances):
                yield session(name, level=level, seed=seed * instances + i)
