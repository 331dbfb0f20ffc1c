"""The course to run in a browser: JupyterLite with the lessons, the exercises and bnteach's own wheel.

    bnteach site --live                            Pyodide from its public server, when a reader opens a lesson
    bnteach site --live --pyodide /srv/pyodide     a Pyodide distribution, copied beside the pages: nothing is fetched

Python runs in the reader's browser (Pyodide). numpy, pandas, scipy, networkx, highspy and matplotlib come from the
Pyodide distribution; bnteach, from a wheel beside the pages. There are no threads, no processes, no Graphviz and no
ipywidgets: graphs are laid out by show/layered.py, and players and quizzes are their stand-alone forms.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bnteach.course.exercises.colab import write_copies

FIRST = """# Installs the course in this browser.
%pip install -q bnteach matplotlib"""
PYODIDE = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
KERNEL = "@jupyterlite/pyodide-kernel-extension"


class LiveError(ValueError):
    """The live course could not be made; the message explains what to do."""


def write_live(course: Path, folder: Path, pyodide: str = "", wheel: Path | None = None) -> Path:
    """Write JupyterLite with all lessons and exercises into the folder; returns its first page."""
    with TemporaryDirectory() as temporary:
        here = Path(temporary)
        write_copies(course, FIRST, here / "files", kernelspec=PYODIDE)
        settings = kernel_settings(pyodide, here)
        (here / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
        built = wheel or build_wheel(here / "wheel")
        command = [sys.executable, "-m", "jupyterlite_core", "build", f"--lite-dir={here}",
                   f"--output-dir={folder.resolve()}", f"--contents={here / 'files'}", f"--piplite-wheels={built}",
                   "--apps=lab", "--no-sourcemaps", "--no-unused-shared-packages", "--ignore-sys-prefix",
                   f"--LiteBuildConfig.federated_extensions={extension()}"]
        done = subprocess.run(command, cwd=here, capture_output=True, text=True)
    if done.returncode:
        raise LiveError(f"JupyterLite could not be built:\n{(done.stderr or done.stdout).strip()[-1500:]}")
    return folder / "lab" / "index.html"


def kernel_settings(pyodide: str, here: Path) -> dict[str, Any]:
    """JupyterLite's settings: where Pyodide is. A folder is linked, so that it is copied beside the pages."""
    kernel: dict[str, Any] = {"disablePyPIFallback": True}
    if re.match(r"https?://", pyodide):
        kernel["pyodideUrl"] = pyodide.rstrip("/") + "/pyodide.mjs"
    elif pyodide:
        if not (Path(pyodide) / "pyodide.mjs").is_file():
            raise LiveError(f"--pyodide takes an address or the folder of a Pyodide distribution; {pyodide!r} has no "
                            "pyodide.mjs: unpack a release of Pyodide, and name the folder that has this file.")
        (here / "static").mkdir()
        (here / "static" / "pyodide").symlink_to(Path(pyodide).resolve())
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": {
        "appName": "bnteach", "litePluginSettings": {f"{KERNEL}:kernel": kernel}}}


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout."""
    root = Path(__file__).parents[3]
    if not (root / "pyproject.toml").is_file():
        raise LiveError("the live course needs bnteach's wheel, and this is no checkout to build it from: give the "
                        "wheel from which bnteach was installed, with --wheel FILE.")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise LiveError(f"the wheel could not be built: {done.stderr.strip()[-1000:]}")
    return next(folder.glob("*.whl"))


def extension() -> Path:
    """The folder of the Pyodide kernel's extension of JupyterLab."""
    return Path(sys.prefix) / "share" / "jupyter" / "labextensions" / KERNEL
