"""Decks printed to PDF by a browser: one slide per page, or a handout with lines for notes.

Chromium, Chrome and Edge can print without a window. On Linux they are on the PATH; macOS keeps them among the
applications and Windows among the programs, where they are looked for by name.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bnteach.course.pages.slides import SlidesError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome", "msedge")
MAC = ("Google Chrome", "Microsoft Edge", "Chromium")
WINDOWS = ("Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe",
           "Chromium/Application/chrome.exe")
NO_BROWSER = ("printing a PDF needs a browser, and none was found: install Chromium, Chrome or Edge (or give its path "
              "in BNTEACH_BROWSER)")
TIMEOUT = 300  # seconds for a browser to print a deck


def find_browser() -> str | None:
    """A browser that can print: that of BNTEACH_BROWSER, one on the PATH, or one where the system keeps programs."""
    if named := os.environ.get("BNTEACH_BROWSER"):
        if found := shutil.which(named):
            return found
        raise SlidesError(f"BNTEACH_BROWSER is {named!r}, and there is no such program; give the path of Chromium, "
                          "Chrome or Edge, or unset it.")
    on_path = (path for name in NAMES if (path := shutil.which(name)))
    return next(on_path, None) or next((str(path) for path in _installed() if path.is_file()), None)


def _installed() -> Iterator[Path]:
    """Where macOS and Windows keep browsers."""
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            yield from (folder / f"{name}.app" / "Contents/MacOS" / name for name in MAC)
    elif sys.platform == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            if folder_name := os.environ.get(variable):
                yield from (Path(folder_name) / name for name in WINDOWS)


def write_pdf(deck_file: Path, handout: bool = False) -> Path:
    """Print a deck to a PDF file beside it.

    Without `handout`, one page per slide, each player at its last step, and the answers of a quiz on a page after the
    question. As a handout, three slides per page beside lines for notes, and all answers at the end.
    """
    query = "?print-pdf&handout" if handout else "?print-pdf"
    if find_browser() is None:
        raise SlidesError(f"{NO_BROWSER}, or open {deck_file} in any browser, add {query} to its address and print it "
                          "from there.")
    return print_page(deck_file, deck_file.with_name(deck_file.stem + ("-handout.pdf" if handout else ".pdf")), query)


def print_page(page: Path, target: Path, query: str = "", timeout: float | None = None) -> Path:
    """Print a page to a PDF file, with its headings as bookmarks."""
    browser, timeout = find_browser(), timeout or TIMEOUT
    if browser is None:
        raise SlidesError(f"{NO_BROWSER}.")
    target.unlink(missing_ok=True)
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [browser, "--headless", "--disable-gpu", *as_root, "--no-pdf-header-footer",
               "--disable-background-networking", "--generate-pdf-document-outline",
               f"--print-to-pdf={target.resolve()}", f"{page.resolve().as_uri()}{query}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise SlidesError(f"{Path(browser).name} has not printed {page} within {timeout} seconds; stop other "
                          "programs and try again.") from None
    except OSError as error:
        raise SlidesError(f"{browser} could not be started ({error.strerror}); give the path of another browser in "
                          "BNTEACH_BROWSER.") from None
    if not target.is_file():
        raise SlidesError(f"{Path(browser).name} did not print {page}: {done.stderr.strip()[-500:]}")
    return target
