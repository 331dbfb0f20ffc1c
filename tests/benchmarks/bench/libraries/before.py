"""An older version of bnteach in the bench: as this one, but for what had other names or other defaults then.

At 3784cde, chi-square had nominal degrees of freedom by default, which is less work in PC.
"""

from __future__ import annotations

import bnteach as bn
from tests.benchmarks.bench.libraries import bnteach
from tests.benchmarks.bench.libraries.bnteach import learned

TASKS = bnteach.TASKS | {"pc": learned(lambda rows: bn.pc(bn.ChiSquare(bn.Table(rows), adjust=True)))}
