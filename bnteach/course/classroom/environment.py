"""The class's environment, the same for everybody: every version as bnteach was tested with, and bnteach's own wheel.

    requirements.txt, constraints.txt, bnteach-….whl     pip install -r requirements.txt
    environment.yml                                      the same for repo2docker, mamba and conda

The wheel lies beside them, so that no index needs to have it. In a checkout it is built; elsewhere it is put together
again from the files that pip has installed.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import bnteach
from bnteach.course.classroom.exchange import ClassError
from bnteach.course.commands.common import is_installed

WHEEL = f"bnteach-{bnteach.__version__}-py3-none-any.whl"
BUILD = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
OF_THE_INSTALLATION = ("INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json")


def constraints() -> str:
    """The versions that bnteach is tested with: in the installed package, or in a checkout."""
    package = Path(bnteach.__file__).parent
    for path in (package / "course" / "classroom" / "files" / "constraints.txt", package.parent / "constraints.txt"):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise ClassError("there is no constraints.txt in the package; install bnteach again.")


def write_wheel(folder: Path) -> Path:
    """Write bnteach's wheel into a folder, without the solutions of the exercises."""
    root = Path(bnteach.__file__).parents[1]
    if not (root / "hatch_build.py").is_file():
        return repack(folder / WHEEL)
    build = ["-c", BUILD, str(folder.resolve())] if is_installed("hatchling") else [
        "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder.resolve()), "."]
    done = subprocess.run([sys.executable, *build], cwd=root, capture_output=True, text=True)
    if done.returncode or not (folder / WHEEL).is_file():
        raise ClassError(f"the wheel could not be built: {(done.stderr.strip() or 'no wheel').splitlines()[-1]}. All "
                         "else is written. `pip install hatchling`, and run it again; or put the wheel there.")
    return folder / WHEEL


def repack(path: Path) -> Path:
    """The wheel from which bnteach was installed, put together again."""
    from importlib.metadata import distribution

    files = [file for file in distribution("bnteach").files or () if ".." not in file.parts and file.hash
             and "__pycache__" not in file.parts and file.name not in OF_THE_INSTALLATION]
    (record,) = {f"{file.parts[0]}/RECORD" for file in files if file.name == "METADATA"}
    lines = [f"{file.as_posix()},{file.hash.mode}={file.hash.value},{file.size}" for file in files if file.hash]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in files:
            wheel.write(file.locate(), file.as_posix())
        wheel.writestr(record, "\n".join([*lines, f"{record},,"]) + "\n")
    return path
