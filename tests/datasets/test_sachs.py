"""Protein signalling: the file, the nine experiments in it, and the network that the field compares with."""

import gzip
import hashlib

import numpy as np
import pytest

import bnteach as bn
from bnteach.datasets import data_path
from bnteach.datasets.proteins import EXPERIMENTS, MOLECULES

CELLS = bn.datasets.sachs()
CONSENSUS = ("[PKC][Plcg][PKA|PKC][Raf|PKC:PKA][Mek|PKC:PKA:Raf][Erk|Mek:PKA][Akt|Erk:PKA][P38|PKC:PKA][Jnk|PKC:PKA]"
             "[PIP3|Plcg][PIP2|Plcg:PIP3]")  # in bnlearn's notation


def test_the_file_is_that_of_cdt():
    content = gzip.decompress(data_path("sachs.csv.gz").read_bytes())
    assert hashlib.sha256(content).hexdigest() == "fc331dcd0bc1d8765986b88cd1d23dd5a3f52e4ffc299fdf96de9d522ddf01aa"
    assert content.splitlines()[0].decode() == ",".join(MOLECULES)


def test_all_cells_in_the_file_s_order():
    assert CELLS.values.shape == (7466, 11) and CELLS.values.min() == 1
    assert CELLS.values[0].tolist() == [26.4, 13.2, 8.82, 18.3, 58.8, 6.61, 17, 414, 17, 44.9, 40]
    assert CELLS.column("Erk")[0] == 6.61  # p44/42
    assert np.array_equal(bn.datasets.sachs(log=True).values, np.log(CELLS.values))


def test_the_experiments_are_parts_of_the_file():
    listed = bn.datasets.sachs_experiments()
    parts = [bn.datasets.sachs(name).values for name in listed.experiment]
    assert [len(part) for part in parts] == listed.cells.tolist()
    assert np.array_equal(np.vstack(parts), CELLS.values)
    assert set(listed.target) - {""} == {"Akt", "PKC", "PIP2", "Mek", "PKA"} <= {*CELLS.variables, ""}


def change(cells: np.ndarray) -> int:
    """Where the best single cut is: twice the gain in log-likelihood of two products of normals over one."""
    n, rows = len(cells), np.arange(30, len(cells) - 30)
    left, squares = np.cumsum(cells, axis=0), np.cumsum(cells**2, axis=0)

    def cost(total, square, size):
        return (size * np.log(square / size - (total / size)**2)).sum(axis=-1)

    size = rows[:, None] + 1.0
    after = cost(left[rows], squares[rows], size) + cost(left[-1] - left[rows], squares[-1] - squares[rows], n - size)
    return int(rows[after.argmin()]) + 1


@pytest.mark.parametrize("earlier", range(8))
def test_the_distribution_changes_where_an_experiment_ends(earlier):
    """The file does not name the experiments; the best cut between two of them is at their border, or near it."""
    names = [name for name, *_ in EXPERIMENTS[earlier:earlier + 2]]
    cells = np.vstack([bn.datasets.sachs(name, log=True).values for name in names])
    assert abs(change(cells) - EXPERIMENTS[earlier][1]) <= 8


def test_the_network_is_bnlearn_s():
    network = bn.datasets.sachs_network()
    families = dict(family.partition("|")[::2] for family in CONSENSUS[1:-1].split("]["))
    assert {v: set(network.parents(v)) for v in network.nodes} == {
        v: set(filter(None, parents.split(":"))) for v, parents in families.items()}
    assert network.nodes == CELLS.variables and len(network.arcs) == 17


def test_discretised_as_in_the_literature():
    levels = bn.discretise(bn.datasets.sachs("CD3+CD28"), "hartemink", bins=3, initial=60)
    table = bn.Table(levels)
    assert {len(table.states(v)) for v in table.variables} == {3} and len(table) == 853
    found = bn.chow_liu(table, root="Raf").graph
    assert {("Raf", "Mek"), ("Plcg", "PIP2"), ("PKC", "P38"), ("PKC", "Jnk")} < set(found.arcs)  # arcs of the network


def test_an_unknown_experiment():
    with pytest.raises(bn.DataError, match=r"no experiment 'cd3'; the experiments are 'CD3\+CD28', 'ICAM-2'"):
        bn.datasets.sachs("cd3")
