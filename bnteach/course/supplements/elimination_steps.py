"""Variable elimination step by step, to watch and to practise: which factors are multiplied, and what is summed out.

The factors, their order and the posterior are those of elimination.py; here the steps are reported. The picture is the
interaction graph: two variables are adjacent if some factor contains both.

>>> from bnteach import fit, datasets
>>> network = fit("A->B, B->C, C->D", datasets.five_rows())
>>> print(variable_elimination(network, "D", {"A": "a"}).trace)
1. the factors, reduced to A = a: f2(B), f3(B, C), f4(C, D)
2. eliminate B: multiply f2(B), f3(B, C), sum B out: f5(C)
3. eliminate C: multiply f4(C, D), f5(C), sum C out: f6(D)
4. multiply f6(D) and normalize: P(D | A = a) is d 0.406, ~d 0.594
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.elimination import elimination_order, fill_in, reduced_cpts
from bnteach.models.evidence import read_evidence
from bnteach.models.inference import posterior
from bnteach.questions import Moment, Question
from bnteach.trace import Result, Step, stepwise

Names = tuple[str, ...]
Factors = dict[str, Names]  # by name: the variables


@dataclass(frozen=True, slots=True)
class Reduced(Step):
    """The CPTs, reduced to the evidence, are the first factors."""

    factors: Factors
    evidence: str
    target: str

    def __str__(self) -> str:
        return f"the factors{f', reduced to {self.evidence}' * bool(self.evidence)}: {listed(self.factors)}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(dict.fromkeys(x for names in self.factors.values() for x in names))
        for names in self.factors.values():
            for a, b in combinations(names, 2):
                drawing.add_edge(a, b)
        drawing.style_nodes(self.target, style="kept")


@dataclass(frozen=True, slots=True)
class Eliminated(Step):
    """A variable is eliminated: the factors that contain it are multiplied, and it is summed out of the product."""

    variable: str
    multiplied: Factors
    factors: Factors  # after it; the last one is new
    target: str

    @property
    def new(self) -> Factors:
        """The factor that results."""
        name = [*self.factors][-1]
        return {name: self.factors[name]}

    def __str__(self) -> str:
        return (f"eliminate {self.variable}: multiply {listed(self.multiplied)}, sum {self.variable} out: "
                f"{listed(self.new)}")

    def draw(self, drawing: Drawing) -> None:
        (names,) = self.new.values()
        for other in names:
            drawing.remove_edge(self.variable, other)
        for a, b in combinations(names, 2):
            drawing.add_edge(a, b, style="considered")
        drawing.style_nodes(self.variable, style="removed")
        drawing.style_nodes(self.target, style="kept")

    def question(self, before: Moment) -> Question:
        """Which variable, which factors, and what does the new factor depend on?"""
        factors = before.steps[-1].factors  # type: ignore[attr-defined]
        adjacent = neighbours(factors)
        fills = {x: fill_in(x, adjacent) for x in adjacent if x != self.target}
        options = {x: "" if fills[x] == fills[self.variable] else f"Number of fill-in edges: {fills[x]} for {x}, "
                   f"{fills[self.variable]} for {self.variable}." for x in fills}
        return Question("Which variable is eliminated next, by min-fill?", options, self.variable,
                        [f"factors: {listed(factors)}"], "node", then=self._which_factors(factors))

    def _which_factors(self, factors: Factors) -> Question:
        """Which factors are multiplied? Offered besides: one less, one more, all of them."""
        inside, outside = [*self.multiplied], [name for name in factors if name not in self.multiplied]
        sets = [inside, inside[1:], [*inside, *outside[:1]], [*factors]]
        options = {listed({name: factors[name] for name in factors if name in one}): self._wrong(one, factors)
                   for one in sets if one}
        return Question(f"Which factors are multiplied to sum {self.variable} out?", dict(sorted(options.items())),
                        listed(self.multiplied), [f"factors: {listed(factors)}"], marked=[self.variable],
                        then=self._new_factor())

    def _wrong(self, chosen: list[str], factors: Factors) -> str:
        """Why these are not the factors to multiply; empty if they are."""
        if missing := [name for name in self.multiplied if name not in chosen]:
            return f"{listed({missing[0]: factors[missing[0]]})} contains {self.variable}, too."
        extra = [name for name in chosen if name not in self.multiplied]
        return f"{listed({extra[0]: factors[extra[0]]})} does not contain {self.variable}: it waits." if extra else ""

    def _new_factor(self) -> Question | None:
        """What does the new factor depend on? Offered besides: the variable itself, one variable less."""
        ((new, names),) = self.new.items()
        if not names:
            return None
        scopes = {(*names, self.variable): f"{self.variable} is summed out, so nothing depends on it any more.",
                  names[1:]: f"{names[0]} is in the product and is not summed out.", names: ""}
        options = {listed({new: tuple(sorted(one))}): reason for one, reason in scopes.items()}
        return Question(f"What does the new factor {new} depend on?", dict(sorted(options.items())),
                        listed({new: tuple(sorted(names))}), [f"multiplied: {listed(self.multiplied)}"])


@dataclass(frozen=True, slots=True)
class Normalized(Step):
    """The rest is multiplied and normalized."""

    factors: Factors
    posterior: str

    def __str__(self) -> str:
        return f"multiply {listed(self.factors)} and normalize: {self.posterior}"


@stepwise
def variable_elimination(network: CategoricalNetwork, target: str,
                         evidence: Mapping[str, Any] | None = None) -> Generator[Step, None, Result[DAG]]:
    """The posterior of a variable by variable elimination, reported step by step; `graph` is the network's DAG.

    Parameters
    ----------
    network : CategoricalNetwork
    target : str
        The query variable.
    evidence : mapping, optional
        The observed states.

    Returns
    -------
    Result
        With the steps as its trace.
    """
    codes = read_evidence(network, (target,), evidence or {})
    first = reduced_cpts(network, (target,), codes)
    factors = {f"f{i}": one.variables for i, one in enumerate(first, start=1) if one.variables}
    seen = ", ".join(f"{name} = {network.states[name][code[0]]}" for name, code in codes.items())
    yield Reduced(dict(factors), seen, target)
    for i, variable in enumerate(elimination_order(first, (target,), network)[0], start=len(first) + 1):
        multiplied = {name: names for name, names in factors.items() if variable in names}
        rest = dict.fromkeys(x for names in multiplied.values() for x in names if x != variable)
        factors = {name: names for name, names in factors.items() if name not in multiplied} | {f"f{i}": tuple(rest)}
        yield Eliminated(variable, multiplied, dict(factors), target)
    found = posterior(network, target, evidence or {})
    yield Normalized(factors, f"{found.name} is {', '.join(f'{state} {p:.3f}' for state, p in found.items())}")
    return Result(network.dag)


def neighbours(factors: Factors) -> dict[str, set[str]]:
    """The variables with which each variable shares a factor."""
    found: dict[str, set[str]] = {x: set() for names in factors.values() for x in names}
    for names in factors.values():
        for x in names:
            found[x] |= {*names} - {x}
    return found


def listed(factors: Factors) -> str:
    """Factors with their variables: f1(A), f2(A, B)."""
    return ", ".join(f"{name}({', '.join(names)})" for name, names in factors.items())
