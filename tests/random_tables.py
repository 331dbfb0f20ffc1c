"""Random tables for tests: small, with ties, rare states and some dependence."""

import numpy as np
from hypothesis import strategies as st

from bnteach import Table


def random_table(seed: int, variables: int, rows: int, most_states: int = 3) -> Table:
    """Variables A, B, …: each follows one before it in some of the rows and is random in the others."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, most_states + 1, variables)
    columns = [random.integers(0, size, rows) for size in sizes]
    for i in range(1, variables):
        follow = random.random(rows) < random.random()
        columns[i] = np.where(follow, columns[random.integers(0, i)] % sizes[i], columns[i])
    return Table(dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", columns)))


def tables(least: int = 2, most: int = 5, rows: int = 40) -> st.SearchStrategy[Table]:
    """Tables of `least` to `most` variables with up to `rows` rows."""
    return st.builds(random_table, st.integers(0, 2**32), st.integers(least, most), st.integers(1, rows))
