"""What single lessons compute and show beyond the library; submissions may use it too.

    lemma1.py        adjacency and d-separation, in four equivalent forms      lesson 2
    rotation.py      equivalence classes that a rotation of labels preserves   lesson 1
    rows.py          the likelihood of a network, row by row                   lesson 6
    accuracy.py      how well a wine's quality can be predicted                lesson 12
    anneal_grid.py   simulated annealing under the wine report's schedules     lesson 13
    elimination_steps.py             variable elimination, to watch and to practise
    gallery.py, knob.py              many small graphs, a slider over values
    plots.py, figures.py, alt_texts.py    plots, as pictures, with alt texts made from their values
"""

from pkgutil import iter_modules

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach(__name__, [module.name for module in iter_modules(__path__)])
