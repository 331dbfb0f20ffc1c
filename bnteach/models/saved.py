"""Networks as JSON files: every digit, every state with its type, and the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from bnteach import saving
from bnteach.errors import described, read_path


class Saved:
    """Lets a network be saved and loaded."""

    def to_json(self) -> str:
        """The network as JSON."""
        return saving.write(self, ())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The network that `to_json` has written."""
        if not isinstance(found := saving.read(text, ()), cls):
            raise saving.NotSaved(f"this is not a saved {cls.__name__}, but {described(found)}.")
        return found

    def save(self, path: str | Path) -> Path:
        """Write the network to a file, as JSON."""
        target = read_path(path, "the file to write")
        target.write_text(self.to_json(), encoding="utf-8")
        return target

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a network from a file that `save` has written."""
        source = read_path(path, "a saved network")
        try:
            return cls.from_json(source.read_text(encoding="utf-8"))
        except (saving.NotSaved, UnicodeDecodeError) as error:
            raise saving.NotSaved(f"cannot read {str(source)!r}: {error}") from None
