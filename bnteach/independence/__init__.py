"""Independence oracles: statements, d-separation, and tests on data."""

from pkgutil import iter_modules

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach(__name__, [module.name for module in iter_modules(__path__)])
