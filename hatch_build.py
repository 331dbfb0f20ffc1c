"""Building the wheel: its exercises are the students' copies, without solutions (pyproject.toml names this file)."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StudentsCopies(BuildHookInterface):
    """Puts the students' copies where the exercises belong."""

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
        for source in sorted(Path(self.root, "lessons", "exercises").glob("*.ipynb")):
            made = Path(self.folder, source.name)
            made.write_bytes(copies.student_file(source))
            build_data["force_include"][str(made)] = f"bnteach/lessons/exercises/{source.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear up."""
        shutil.rmtree(self.folder, ignore_errors=True)
