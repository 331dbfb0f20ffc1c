"""Rows that bnteach and R's bnlearn are both given: a hundred random tables, and samples of networks of the field."""

import gzip
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bnteach as bn

NETWORKS = [(name, rows) for name in ("asia", "alarm", "insurance") for rows in (500, 2000)] + [("hailfinder", 1000)]
DATA = [*range(100), *NETWORKS]


def random_table(seed):
    """Four to eight columns of two to four states, most of them noisy copies of one before."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(30, 1500)), {}
    for i in range(rng.integers(4, 9)):
        size = int(rng.integers(2, 5))
        column = rng.integers(0, size, rows)
        if i and rng.random() < .8:
            column = np.where(rng.random(rows) < rng.uniform(.2, .7), columns[f"v{rng.integers(i)}"] % size, column)
        columns[f"v{i}"] = column
    return bn.Table(columns)


def of_network(name, rows, tmp_path):
    """Rows of a network in pgmpy's wheel, without columns that are constant in them."""
    if not find_spec("pgmpy"):
        pytest.skip("pgmpy, whose wheel has the networks, is not installed: pip install --group peers")
    packed = Path(find_spec("pgmpy").origin).parent / "utils" / "example_models" / f"{name}.bif.gz"
    (tmp_path / "network.bif").write_bytes(gzip.decompress(packed.read_bytes()))
    rows = bn.Table(bn.read_bif(tmp_path / "network.bif").sample(rows, seed=1))
    return rows.select(*(name for name in rows.variables if len(np.unique(rows.codes(name))) > 1))


def as_factors(table):
    """The frame that bnlearn takes, and a Table of the same."""
    frame = pd.DataFrame({name: pd.Categorical([f"s{code}" for code in table.codes(name)]) for name in table.variables})
    return frame, bn.Table(frame)


def both(found, tmp_path):
    """Frame and Table of one of DATA."""
    return as_factors(random_table(found) if isinstance(found, int) else of_network(*found, tmp_path))
