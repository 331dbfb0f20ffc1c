"""Where the data files are: in the installed package, or in data/ of a checkout."""

from __future__ import annotations

from pathlib import Path

from bnteach.errors import DataError


def data_path(name: str) -> Path:
    """The path of a data file, in the installed package or in data/ of a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"the data file {name!r} is missing from {package / 'data'} and {package.parent / 'data'}; "
                    f"reinstall bnteach.")
