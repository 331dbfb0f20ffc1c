"""Sources for Sphinx, a run of Sphinx, and a look at what it wrote."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bnteach.course.exercises.copies import lesson_copy, lesson_file, student_file
from bnteach.course.pages.cells import code_shown
from bnteach.course.pages.links import broken_links
from bnteach.course.pages.site import pages
from bnteach.course.pages.site.book import write_book
from bnteach.course.pages.slides import read_executed, title_of


class SiteError(ValueError):
    """The site could not be made; the message explains what to do."""


def write_site(lessons: list[Path], folder: Path, pdf: bool = False) -> list[Path]:
    """Write the site into the folder and check its links; returns the pages, the first page first.

    With `pdf`, the lessons, exercises, glossary and ledger are one PDF, too.
    """
    if not lessons:
        raise SiteError("there are no lessons to make a site from.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bnteach-site-") as work:
        source, built = Path(work, "source"), Path(work, "site")  # myst-nb writes beside what it builds, too
        write_sources(lessons, source, pdf)
        run_sphinx(source, built, Path(work, "doctrees"))
        names = [path.relative_to(source).with_suffix(".html") for path in sources(source)]
        for path in source.rglob("*.ipynb"):  # to download: as stored, but without notes and solutions
            name, copy = path.relative_to(source), student_file if path.parent.name == "exercises" else lesson_file
            (built / "_sources" / name).write_bytes(copy(lessons[0].parent / name))
        if pdf:
            write_book(built, book_pages(lessons, source))
        if broken := broken_links(built, map(str, names)):
            raise SiteError(f"{len(broken)} links are broken:\n" + "\n".join(broken))
        shutil.copytree(built, folder, dirs_exist_ok=True)
    return sorted((folder / name for name in names), key=lambda path: path.name != "index.html")


def book_pages(lessons: list[Path], source: Path) -> list[str]:
    """The pages that the book has, by their names without .html."""
    exercises = sorted(f"exercises/{path.stem}" for path in source.glob("exercises/*.ipynb"))
    return [*(path.stem for path in lessons), *exercises, "glossary", "ledger"]


def sources(folder: Path) -> list[Path]:
    """The files that become pages."""
    return sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".rst", ".ipynb"))


# -- sources -------------------------------------------------------------------------------------------------
def write_sources(lessons: Iterable[Path], source: Path, pdf: bool = False) -> None:
    """Everything that Sphinx reads: the notebooks as the public may see them, and our own pages."""
    import nbformat

    lessons = list(lessons)
    left_out = shutil.ignore_patterns("*.ipynb", "*.py", "exam", ".*", "__pycache__")
    shutil.copytree(lessons[0].parent, source, ignore=left_out)
    read = {path: read_executed(path) for path in lessons}
    for path, notebook in read.items():
        title_of(notebook)  # or an error that names what is missing
        shown = public(notebook)
        for cell in shown["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = _written(cell["source"], path.parent)
        nbformat.write(shown, source / path.name)
    exercises = sorted(lessons[0].parent.glob("exercises/[0-9][0-9]_*.ipynb"))
    for path in exercises:
        nbformat.write(public(nbformat.reads(student_file(path), as_version=4)), source / "exercises" / path.name)
    for name, text in pages.all_pages(read, exercises, pdf).items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8", newline="\n")


def _written(text: str, course: Path) -> str:
    """Prose in which links to lessons that are not written yet are plain text.

    >>> _written("See [lesson 98](98_later.ipynb#end) and [this](#here).", Path())
    'See lesson 98 and [this](#here).'
    """
    return re.sub(r"\[([^\]]+)\]\((\d\d_\w+\.ipynb)(?:#[^)]*)?\)",
                  lambda link: link[0] if (course / link[2]).is_file() else link[1], text)


def public(notebook: Any) -> Any:
    """A notebook as it is shown: without notes for the speaker, code that is hidden, and warnings."""
    shown = lesson_copy(notebook)
    shown["metadata"]["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    for cell in shown["cells"]:
        if cell["cell_type"] == "code":
            cell["metadata"]["tags"] = [] if code_shown(cell) else ["remove-input"]
            cell["outputs"] = [output for output in cell["outputs"] if output.get("name") != "stderr"]
    return shown


# -- Sphinx --------------------------------------------------------------------------------------------------
def run_sphinx(source: Path, folder: Path, doctrees: Path, builder: str = "html") -> None:
    """Build all pages; a warning is an error."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.console import nocolor
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    from bnteach.course.pages.site.settings import settings

    said = io.StringIO()
    nocolor()
    try:
        with patch_docutils(), docutils_namespace():
            app = Sphinx(source, None, folder, doctrees, builder, settings(), status=None, warning=said,
                         freshenv=True, warningiserror=True)
            app.build(force_all=True)
    except SphinxError as error:
        raise SiteError(f"Sphinx stopped: {error}") from error
    if app.statuscode or said.getvalue():
        raise SiteError(f"Sphinx found faults:\n{said.getvalue().strip()}")
