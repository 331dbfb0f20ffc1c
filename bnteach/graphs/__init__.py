"""Graphs: DAGs, PDAGs, d-separation, Markov equivalence, counting and comparison."""

from pkgutil import iter_modules

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach(__name__, [module.name for module in iter_modules(__path__)])
