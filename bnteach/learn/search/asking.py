"""What several learners share when their steps are asked as questions (`bn.practice`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import Any

from bnteach.graphs.paths import Examined, explain_separation
from bnteach.independence.chi_square import StratifiedTest
from bnteach.learn.search.ties import TOLERANCE
from bnteach.questions import Question, yes_or_no

SHOWN = 6  # of many moves


def best_gain(prompt: str, gains: Mapping[str, float], choice: str, none: str, facts: Iterable[str] = (),
              **more: Any) -> Question:
    """Which of these gains most, or does none raise the score? `choice` is one of the gains, or `none`."""
    if choice == none:
        options = {name: f"{name} {effect(gain)}" + (", but is over the limit." if gain > TOLERANCE else
                                                     ": the score does not rise.") for name, gain in gains.items()}
        return Question(prompt, {**options, none: ""}, choice, facts, **more)
    options = {name: "" if gain >= gains[choice] - TOLERANCE else f"{name} {effect(gain)}; {choice} "
                     f"{effect(gains[choice])}, which is better." for name, gain in gains.items()}
    return Question(prompt, {**options, none: f"{choice} still {effect(gains[choice])}."}, choice, facts, **more)


def greatest(prompt: str, values: Mapping[str, float], choice: str, verb: str, **more: Any) -> Question:
    """Which has the greatest value? All that have it, up to rounding, are right."""
    top = max(values.values())
    options = {name: "" if value >= top - TOLERANCE else f"{name} {verb} {value:.3f}; {choice} {verb} {top:.3f}, which "
                     f"is more." for name, value in values.items()}
    return Question(prompt, options, choice, **more)


def effect(gain: float) -> str:
    """What a gain means: 'gains 0.449', 'loses 0.449', 'changes nothing'."""
    return "changes nothing" if abs(gain) <= TOLERANCE else f"{'gains' if gain > 0 else 'loses'} {abs(gain):.3f}"


def family(child: str, parents: Iterable[str], score: float) -> str:
    """The score of a family as a fact.

    >>> family("C", ["A", "B"], -4.3972)
    'score(C | A, B) = -4.397'
    """
    among = ", ".join(parents)
    return f"score({child}{' | ' * bool(among)}{among}) = {score:.3f}"


def leading(moves: Sequence[Any]) -> list[Any]:
    """Of moves in order of their gains, those with the greatest gain and the next ones."""
    ties = sum(move.gain >= moves[0].gain - TOLERANCE for move in moves)
    return list(moves[:max(SHOWN, ties + 2)])


def families_of_moves(score: Any, arcs: Iterable[tuple[str, str]], moves: Iterable[Any]) -> list[str]:
    """The scores of all families that a move changes, before and after it."""
    now: dict[str, set[str]] = {name: set() for name in score.variables}
    for a, b in arcs:
        now[b].add(a)
    families = []
    for change, a, b, _ in moves:
        families += [(b, now[b]), (b, now[b] ^ {a})]
        families += [(a, now[a]), (a, now[a] | {b})] if change == "reverse" else []
    found = {(child, tuple(x for x in score.variables if x in parents)) for child, parents in families}
    return [family(child, parents, score.family(child, parents)) for child, parents in sorted(found)]


def best_family(score: Any, child: str, among: Iterable[str], limit: int | None) -> float:
    """The best score of a child with parents among these."""
    among = tuple(among)
    sizes = range(min(len(among), len(among) if limit is None else limit) + 1)
    return max(float(score.family(child, parents)) for size in sizes for parents in combinations(among, size))


def sinks(score: Any, limit: int | None, names: Iterable[str],
          solved: Mapping[frozenset[str], float]) -> tuple[dict[str, float], list[str]]:
    """For each sink: the best score of the others plus that of its best family; and the two as a fact."""
    names, sums, facts = tuple(names), {}, []
    for x in names:
        rest = [name for name in names if name != x]
        others, own = solved[frozenset(rest)], best_family(score, x, rest, limit)
        sums[x] = others + own
        facts.append(f"sink {x}: best on {{{', '.join(rest)}}} {others:.3f}, best family of {x} with parents among "
                     f"them {own:.3f}")
    return sums, facts


def swaps(parents: Any, order: tuple[str, ...]) -> tuple[dict[str, float], list[str]]:
    """The gain of each swap of adjacent variables; and K3's scores of the two, as they are and swapped, as a fact."""
    gains, facts = {}, []
    for i, (x, y) in enumerate(pairwise(order)):
        gains[f"swap {x} and {y}"] = parents.swap_gain(order, i)
        scores = [f"{parents.best(a, order[:i])[0]:.3f} and {parents.best(b, (*order[:i], a))[0]:.3f}"
                  for a, b in ((x, y), (y, x))]
        facts.append(f"{x} and {y}: as they are {scores[0]}; swapped {scores[1]}")
    return gains, facts


def optimal(bound: float, incumbent: float, answer: bool, **more: Any) -> Question:
    """Is the incumbent optimal, or is the upper bound above its score?"""
    upper = f"{bound:.3f}" if bound > float("-inf") else "none, since no graph is left"
    because = f"The upper bound, {upper}, is {'not ' * answer}above the score of the incumbent, {incumbent:.3f}."
    facts = [f"upper bound of the relaxation: {upper}", f"score of the incumbent: {incumbent:.3f}"]
    return yes_or_no("Is the incumbent optimal?", "it is optimal", "add cuts and go on", answer, because, facts=facts,
                     **more)


def independent(oracle: Any, x: str, y: str, given: tuple[str, ...], answer: bool, said: str) -> Question:
    """Are x and y independent given these? With what the oracle goes by: a DAG, statements, or counts."""
    named = f" given {', '.join(given)}" if given else ""
    because = f"{said.rstrip('.')}. {reason(oracle, x, y, given)}"
    return yes_or_no(f"Are {x} and {y} independent{named}?", "independent", "dependent", answer, because,
                     facts=evidence(oracle, x, y, given), marked=(x, y))


def reason(oracle: Any, x: str, y: str, given: tuple[str, ...]) -> str:
    """Why the oracle answers as it does: an open path, or its own words."""
    if hasattr(oracle, "dag"):
        paths = explain_separation(oracle.dag, x, y, given).trace
        return str(next((step for step in paths if isinstance(step, Examined) and step.open), paths[-1]))
    words = getattr(oracle(x, y, given), "reason", "")
    return f"{words[:1].upper()}{words[1:]}."


def evidence(oracle: Any, x: str, y: str, given: tuple[str, ...] = ()) -> list[str]:
    """What an oracle goes by, in words."""
    if hasattr(oracle, "statements"):
        return ["what is independent: " + "; ".join(oracle.statements)]
    if hasattr(oracle, "dag"):
        return [f"answer by d-separation in {oracle.dag}"]
    return list(_counts(oracle, x, y, given)) if isinstance(oracle, StratifiedTest) else []


def _counts(oracle: StratifiedTest, x: str, y: str, given: tuple[str, ...]) -> Iterable[str]:
    """The counts in each stratum, the statistic, and the critical value."""
    from scipy.stats import chi2

    table, verdict = oracle.table, oracle(x, y, given)
    counts = table.counts(x, y, given=given)
    for number, stratum in enumerate(product(*(table.states(z) for z in given))):
        where = ", ".join(f"{z} = {state}" for z, state in zip(given, stratum))
        here = counts.reshape(*counts.shape[:2], -1)[:, :, number].tolist()
        rows = "; ".join(f"{x} = {state}: {' '.join(map(str, row))}" for state, row in zip(table.states(x), here))
        yield f"counts of {y} ({', '.join(map(str, table.states(y)))}){f' where {where}' * bool(where)}: {rows}"
    critical = chi2.isf(oracle.alpha, verdict.dof) if verdict.dof else 0.0
    yield (f"{oracle.name} {verdict.statistic:.3f} with {verdict.dof} degrees of freedom; the critical value at "
           f"{oracle.alpha:g} is {critical:.3f}")
