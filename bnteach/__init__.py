"""bnteach: learning the structure of Bayesian networks, step by step.

    import bnteach as bn

An algorithm here is a generator of steps; text, tables, pictures and players all read those steps.
Data becomes a Table (categories) or Measurements (real numbers); an oracle or a score is made of it;
a learner queries the oracle or the score, and returns a Result with a graph and a trace.

The public names are listed in __init__.pyi, and each is loaded when it is first used.
"""

import lazy_loader

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
