"""Wrong programs for exercise 10."""

from __future__ import annotations

from itertools import combinations

from tests.course.exercises.wrong import wrong


@wrong("10.6", "sets of at most two parents")
def best_parents(score, child, before):
    sets = [s for size in range(3) for s in combinations(before, size)]
    return set(max(sets, key=lambda s: score.family(child, s)))
