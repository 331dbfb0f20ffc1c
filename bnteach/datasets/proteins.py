"""Protein signalling in human immune cells: 7,466 cells, 11 molecules, nine experiments (Sachs and others 2005).

Each cell was stained for eleven phosphorylated proteins and phospholipids, and a flow cytometer measured how brightly
each glows. In two experiments the cells were stimulated in general, with antibodies to CD3 and CD28; in five a reagent
also inhibits one molecule. In the last two the reagent, which activates a molecule, is all that the cells were given:
they lack the general stimulation. The file has the nine experiments one below the other, in the order of `EXPERIMENTS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bnteach.datasets.files import data_path
from bnteach.errors import DataError
from bnteach.graphs.dag import DAG
from bnteach.tables.measurements import Measurements

if TYPE_CHECKING:
    import pandas as pd

MOLECULES = {"praf": "Raf", "pmek": "Mek", "plcg": "Plcg", "PIP2": "PIP2", "PIP3": "PIP3", "p44/42": "Erk",
             "pakts473": "Akt", "PKA": "PKA", "PKC": "PKC", "P38": "P38", "pjnk": "Jnk"}
EXPERIMENTS = (  # name, number of cells, the measured molecule that the reagent acts on, what the reagent does
    ("CD3+CD28", 853, "", "stimulates in general"),
    ("ICAM-2", 902, "", "stimulates in general"),
    ("Akt inhibitor", 911, "Akt", "inhibits Akt"),
    ("G0076", 723, "PKC", "inhibits PKC"),
    ("psitectorigenin", 810, "PIP2", "inhibits PIP2"),
    ("U0126", 799, "Mek", "inhibits Mek"),
    ("LY294002", 848, "", "inhibits PI3K, which is not measured"),
    ("PMA", 913, "PKC", "activates PKC, without CD3+CD28"),
    ("b2cAMP", 707, "PKA", "activates PKA, without CD3+CD28"))
ARCS = ("PKC->PKA, PKC->Raf, PKA->Raf, PKC->Mek, PKA->Mek, Raf->Mek, Mek->Erk, PKA->Erk, Erk->Akt, PKA->Akt, "
        "PKC->P38, PKA->P38, PKC->Jnk, PKA->Jnk, Plcg->PIP3, Plcg->PIP2, PIP3->PIP2")


def sachs(experiment: str | None = None, log: bool = False) -> Measurements:
    """Eleven proteins and phospholipids in 7,466 human T cells, or in the cells of one of nine experiments.

    Parameters
    ----------
    experiment : str, optional
        A name from `sachs_experiments`, such as ``"CD3+CD28"`` for the 853 cells that were only stimulated in general.
        All nine experiments by default: observations and interventions together.
    log : bool
        Whether to return natural logarithms; the fluorescence itself is very skewed.

    Returns
    -------
    Measurements

    References
    ----------
    K. Sachs, O. Perez, D. Pe'er, D. A. Lauffenburger and G. P. Nolan, Causal protein-signaling networks derived from
    multiparameter single-cell data, Science 308 (2005) 523-529.

    Examples
    --------
    >>> len(sachs()), len(sachs("CD3+CD28"))
    (7466, 853)
    >>> sachs().variables
    ('Raf', 'Mek', 'Plcg', 'PIP2', 'PIP3', 'Erk', 'Akt', 'PKA', 'PKC', 'P38', 'Jnk')
    """
    import pandas as pd

    cells = pd.read_csv(data_path("sachs.csv.gz")).rename(columns=MOLECULES)
    if experiment is not None:
        cells = cells[_rows(experiment)]
    return Measurements(cells.apply(np.log) if log else cells)


def sachs_experiments() -> pd.DataFrame:
    """The nine experiments of `sachs`, in the order of its rows.

    Returns
    -------
    DataFrame
        Name, number of cells, the molecule that the reagent acts on, and what it does.

    Examples
    --------
    >>> dict(zip(sachs_experiments().experiment, sachs_experiments().effect))["U0126"]
    'inhibits Mek'
    """
    import pandas as pd

    return pd.DataFrame(EXPERIMENTS, columns=["experiment", "cells", "target", "effect"])


def sachs_network() -> DAG:
    """The network of Sachs and others (2005): 17 arcs, all of them expected or reported in the literature.

    It was learned from observations and interventions. The field compares with it; it is not known to be the truth.

    Returns
    -------
    DAG

    Examples
    --------
    >>> sachs_network().parents("Mek")
    ('Raf', 'PKA', 'PKC')
    """
    return DAG(ARCS, tuple(MOLECULES.values()))


def _rows(experiment: str) -> slice:
    """Where the cells of an experiment are."""
    names = [name for name, *_ in EXPERIMENTS]
    if experiment not in names:
        raise DataError(f"there is no experiment {experiment!r}; the experiments are {', '.join(map(repr, names))}.")
    start = sum(cells for _, cells, *_ in EXPERIMENTS[:names.index(experiment)])
    return slice(start, start + EXPERIMENTS[names.index(experiment)][1])
