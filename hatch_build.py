"""Building the wheel: it has the students' copies, exercises without solutions and lessons without speaker's notes.

pyproject.toml names this file.
"""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StudentsCopies(BuildHookInterface):
    """Puts the students' copies where lessons and exercises belong."""

    folder = ""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the copies. An editable install uses the checkout as it is."""
        if version == "editable":
            return
        code = Path(self.root, "bnteach", "course", "exercises", "copies.py")
        spec = importlib.util.spec_from_file_location("copies", code)  # not as bnteach, whose dependencies are not here
        copies = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(copies)
        self.folder = tempfile.mkdtemp(prefix="bnteach-copies-")
        for folder, copy in (("lessons", copies.lesson_file), ("lessons/exercises", copies.student_file)):
            for source in sorted(Path(self.root, folder).glob("*.ipynb")):
                made = Path(self.folder, folder, source.name)
                made.parent.mkdir(parents=True, exist_ok=True)
                made.write_bytes(copy(source))
                build_data["force_include"][str(made)] = f"bnteach/{folder}/{source.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear up."""
        shutil.rmtree(self.folder, ignore_errors=True)
