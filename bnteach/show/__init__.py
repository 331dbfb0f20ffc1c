"""Pictures of graphs, players of traces. The only package that draws.

Graphviz and ipywidgets are loaded when something is drawn with them, never at import.
"""

from pkgutil import iter_modules

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach(__name__, [module.name for module in iter_modules(__path__)])
