"""Which common neighbours are colliders? Policies for step 3 of PC that do not rely on one separating set.

The standard rule asks whether z is in the one set that separated x and y first. One wrong answer is then enough for a
wrong v-structure, and another order of the variables may give another set. Two policies ask again, given every set of
neighbours of x and every set of neighbours of y, and count the sets that separate x and y:

    conservative   z is a collider if it is in none of these sets, and none if it is in all of them
    majority       z is a collider if it is in fewer than half of them, and none if it is in more than half

In between, and if no set separates them, the triple x - z - y is ambiguous: it is not oriented, and no orientation rule
draws conclusions from it. Without errors in the answers both give what the standard rule gives. They cost more tests.

Ramsey, Zhang and Spirtes (2006), Adjacency-faithfulness and conservative causal inference, UAI. Colombo and Maathuis
(2014), Order-independent constraint-based causal structure learning, JMLR 15. Lesson 4.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from itertools import chain, combinations
from typing import Any

from bnteach.graphs.pdag import PDAG
from bnteach.independence.oracle import as_oracle
from bnteach.learn.search.orienting import Orienting
from bnteach.learn.steps.pc import IndependenceTest, Vote
from bnteach.trace import Step

Names = tuple[str, ...]
Policy = Callable[[int, int], bool | None]  # from how many sets contain z, of how many: a collider, or ambiguous


def conservative(containing: int, total: int) -> bool | None:
    """All sets have to agree."""
    return containing == 0 if total and containing in (0, total) else None


def majority(containing: int, total: int) -> bool | None:
    """More than half of the sets have to agree."""
    return 2 * containing < total if 2 * containing != total else None


POLICIES: dict[str, Policy | None] = {"standard": None, "conservative": conservative, "majority": majority}


def read_policy(orient: str) -> Policy | None:
    """The policy of this name, None for the standard rule."""
    if orient not in POLICIES:
        raise ValueError(f"orient={orient!r} is unknown; use one of {', '.join(map(repr, POLICIES))}.")
    return POLICIES[orient]


def vote_on_v_structures(oracle: Any, graph: PDAG, separated: Iterable[tuple[str, str]], orienting: Orienting,
                         policy: Policy, max_conditioning: int | None) -> Generator[Step, None, PDAG]:
    """Step 3 by a policy: orient the triples that are v-structures, and remember those that are ambiguous."""
    adjacent = {x: graph.adjacent_to(x) for x in graph.nodes}
    for x, y in separated:
        if common := [z for z in adjacent[x] if z in adjacent[y]]:
            of_x, of_y = (tuple(orienting.constraints.candidates(a, adjacent[a])) for a in (x, y))
            sets = yield from all_separating_sets(oracle, x, y, of_x, of_y, max_conditioning)
            for z in common:
                containing = sum(z in given for given in sets)
                found = Vote(x, z, y, containing, len(sets), policy(containing, len(sets)))
                if found.collider:
                    graph = yield from orienting.v_structure(graph, found)
                else:
                    yield found
                if found.collider is None:
                    orienting.ambiguous |= {(x, z, y), (y, z, x)}
    return graph


def all_separating_sets(oracle: Any, x: str, y: str, of_x: Names, of_y: Names,
                        max_conditioning: int | None) -> Generator[Step, None, list[Names]]:
    """Every set among the neighbours of x, or among those of y, given which x and y are independent."""
    sets = dict.fromkeys(chain(_subsets(of_x, max_conditioning), _subsets(of_y, max_conditioning)))
    separating = []
    for given, verdict in zip(sets, as_oracle(oracle).answer_all([(x, y, given) for given in sets])):
        yield IndependenceTest(x, y, given, verdict.independent, verdict.p_value)
        if verdict:
            separating.append(given)
    return separating


def _subsets(names: Names, limit: int | None) -> chain[Names]:
    sizes = range(len(names) + 1 if limit is None else min(limit, len(names)) + 1)
    return chain.from_iterable(combinations(names, size) for size in sizes)
