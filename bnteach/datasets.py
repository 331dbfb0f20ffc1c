"""The data of the course. Nothing is read before it is asked for.

    five_rows()    the five rows over A, B, C, D of the slides
"""

from __future__ import annotations

from pathlib import Path

from bnteach.table import DataError, Table


def data_path(name: str) -> Path:
    """Where a data file is: inside the installed package, or in data/ of a checkout."""
    package = Path(__file__).parent
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"the data file {name!r} is missing from {package / 'data'} and {package.parent / 'data'}; "
                    f"install bnteach again.")


def five_rows() -> Table:
    """Five rows over four binary variables, small enough to count by hand; `~a` is "not a".

    >>> five_rows().to_frame().values.tolist()[0]
    ['a', 'b', '~c', 'd']
    """
    return Table(data_path("five_rows.csv"))
