"""A recursive-descent parser for BIF: each method reads one construct of the format. See bif.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bnteach.errors import CycleError
from bnteach.graphs.dag import DAG
from bnteach.models.bif_tokens import BIFError, Token, Tokens
from bnteach.models.categorical import CategoricalNetwork

ROUNDING = 0.001  # the sum of a row may differ from 1 by this much, since files print few digits
# Kinds of states besides text, which `write_bif` marks.
STATES: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": "True".__eq__}
EXACT = 1e-6  # a row whose sum differs by less is not normalized


@dataclass
class Family:
    """A variable, its parents in the order of the file, and its CPT; entries not read yet are NaN."""

    child: str
    parents: list[str]
    line: int
    cpt: np.ndarray


class Parser(Tokens):
    """Reads a text into a network; `name` is the name of the file, for errors."""

    def __init__(self, text: str, name: str):
        super().__init__(text, name)
        self.states: dict[str, tuple[str, ...]] = {}
        self.families: dict[str, Family] = {}
        self.kinds: dict[str, Callable[[str], Any]] = {}

    def network(self) -> CategoricalNetwork:
        """The network that the file describes."""
        blocks = {"network": self._header, "variable": self._variable, "probability": self._probability}
        while self.next.kind != "end":
            if self.next.text not in blocks:
                raise self.error("'network', 'variable' or 'probability'", self.next)
            blocks[self.take().text]()
        if not self.states:
            raise self.error("at least one 'variable' block", self.next)
        for variable in self.states:
            if variable not in self.families:
                raise self.error(f"a block 'probability ( {variable} … )'", self.next)
        try:
            dag = DAG([(parent, f.child) for f in self.families.values() for parent in f.parents], self.states)
        except CycleError as error:
            raise BIFError(f"{self.name}: the probability blocks form a directed cycle. {error}") from None
        states = {name: tuple(map(self.kinds.get(name, str), words)) for name, words in self.states.items()}
        return CategoricalNetwork(dag, states, {x: self._cpt(self.families[x], dag) for x in self.states})

    def _header(self) -> None:
        self.word("the name of the network")
        self.expect("{")
        while not self.accept("}"):
            self.skip_property("'property' or '}'")

    def _variable(self) -> None:
        name = self.word("the name of a variable")
        if name.text in self.states:
            raise self.error("the name of a new variable", name, f"{name.text!r} a second time")
        self.expect("{")
        while not self.accept("}"):
            if self.accept("type"):
                self.states[name.text] = self._type()
            else:
                words = self.skip_property("'type', 'property' or '}'")
                if words[:1] == ["bnteach_states"] and words[-1] in STATES:
                    self.kinds[name.text] = STATES[words[-1]]
        if name.text not in self.states:
            raise self.error(f"'type discrete [ … ] {{ … }};' for {name.text}", self.last)

    def _type(self) -> tuple[str, ...]:
        self.expect("discrete", "[")
        size = self.word("the number of states")
        self.expect("]", "{")
        states = [token.text for token in self.words("a state", "}")]
        if size.text != str(len(states)) or not states:
            raise self.error(f"{size.text} states, as declared", size, f"{len(states)}: {', '.join(states) or 'none'}")
        if len(set(states)) < len(states):
            raise self.error("states with different names", size, ", ".join(states))
        self.expect(";")
        return tuple(states)

    def _probability(self) -> None:
        family = self._family()
        self.families[family.child] = family
        self.expect("{")
        size = family.cpt.shape[-1]
        default = np.full(size, np.nan)
        while not self.accept("}"):
            if self.accept("default"):
                default = self._numbers(size, f"a row of {family.child}")
            else:
                self._rows(family)
        family.cpt = np.where(np.isnan(family.cpt), default, family.cpt)

    def _family(self) -> Family:
        """`( child )` or `( child | parents )`."""
        self.expect("(")
        child = self._declared()
        if child.text in self.families:
            raise self.error("one probability block per variable", child, f"a second for {child.text}")
        parents = []
        if self.accept("|"):
            while not self.accept(")"):
                parents.append(self._declared().text)
                self.accept(",")
        else:
            self.expect(")")
        if len({child.text, *parents}) <= len(parents):
            raise self.error("each variable once", child, f"{child.text} | {', '.join(parents)}")
        shape = [len(self.states[name]) for name in (*parents, child.text)]
        return Family(child.text, parents, child.line, np.full(shape, np.nan))

    def _rows(self, family: Family) -> None:
        """`table …;` for all rows, or `(states of the parents) …;` for one."""
        *strata, size = family.cpt.shape
        if self.accept("table"):
            numbers = self._numbers(family.cpt.size, f"the whole CPT of {family.child}")
            family.cpt = np.moveaxis(numbers.reshape(size, *strata), 0, -1)
        elif self.accept("("):
            index = self._parent_states(family, self.words("a state of a parent", ")"))
            family.cpt[index] = self._numbers(size, f"a row of {family.child}")
        else:
            self.skip_property("'table', 'default', 'property', '(' or '}'")

    def _parent_states(self, family: Family, words: list[Token]) -> tuple[int, ...]:
        """The parents' states at the start of a row, as an index into the CPT."""
        first, shown = words[0] if words else self.last, ", ".join(word.text for word in words)
        if len(words) != len(family.parents):
            raise self.error(f"one state per parent ({', '.join(family.parents) or 'there is none'})", first,
                             f"{len(words)}: {shown or 'none'}")
        for word, parent in zip(words, family.parents):
            if word.text not in self.states[parent]:
                raise self.error(f"a state of {parent} ({', '.join(self.states[parent])})", word)
        index = tuple(self.states[parent].index(word.text) for word, parent in zip(words, family.parents))
        if not np.isnan(family.cpt[index]).any():
            raise self.error("each row once", first, f"({shown}) a second time")
        return index

    def _numbers(self, count: int, what: str) -> np.ndarray:
        words = self.words("a probability", ";")
        if len(words) != count:
            raise self.error(f"{count} probabilities for {what}", words[0] if words else self.last, str(len(words)))
        return np.array([self._number(word) for word in words])

    def _number(self, word: Token) -> float:
        try:
            value = float(word.text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1 + ROUNDING:
            raise self.error("a probability from 0 to 1", word)
        return value

    def _declared(self) -> Token:
        """The name of a variable that has been declared."""
        if (token := self.word("the name of a variable")).text not in self.states:
            raise self.error("a declared variable", token)
        return token

    def _cpt(self, family: Family, dag: DAG) -> np.ndarray:
        """The CPT with its parents in the order of the DAG, its rows normalized."""
        where = f"{self.name}, line {family.line}: expected"
        if len(absent := np.argwhere(np.isnan(family.cpt[..., 0]))):
            states = [self.states[parent][i] for parent, i in zip(family.parents, absent[0])]
            what = f"the row ({', '.join(states)})" if states else "'table'"
            raise BIFError(f"{where} {what} among the probabilities of {family.child}, found none.")
        total = family.cpt.sum(axis=-1, keepdims=True)
        if (error := np.abs(total - 1)).max() > ROUNDING:
            raise BIFError(f"{where} rows of probabilities that sum to 1 for {family.child}, "
                           f"found one that sums to {total.ravel()[error.argmax()]:.6g}.")
        axes = [*(family.parents.index(p) for p in dag.parents(family.child)), len(family.parents)]
        return np.where(error > EXACT, family.cpt / total, family.cpt).transpose(axes)
