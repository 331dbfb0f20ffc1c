"""Tests with a significance level: what chi-square, G-square and Fisher's z share."""

from __future__ import annotations

from functools import cache
from numbers import Real
from typing import Any

from bnteach.independence.oracle import Oracle, describe_query

Names = tuple[str, ...]


@cache
def tails() -> tuple[Any, Any]:
    """Upper tail of chi-square, lower tail of the normal: the bare functions, quick to load and to call."""
    from scipy.special import chdtrc, ndtr

    return chdtrc, ndtr


class SignificanceTest(Oracle):
    """A test with a significance level."""

    pairs_at_once, tests_at_once, together = 256, 64, 64

    def __init__(self, variables: Names, alpha: float):
        if not (isinstance(alpha, Real) and 0 < alpha < 1):
            raise ValueError(f"alpha={alpha!r} is not a significance level: it is the share of true independences that "
                             f"the test may reject, between 0 and 1, such as 0.05.")
        super().__init__(variables)
        self.alpha: float = float(alpha)

    def conclusion(self, x: str, y: str, given: Names, p_value: float, evidence: str) -> str:
        """The verdict as a sentence: independent or dependent, the statistic, the p-value against alpha."""
        result, sign = ("independent", "≥") if p_value >= self.alpha else ("dependent", "<")
        return f"{describe_query(x, y, given)} are {result}: {evidence}, p = {p_value:.3g} {sign} {self.alpha:g}"
