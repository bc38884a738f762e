"""Inference: what an assignment says about the variables that have no value yet.

Every function works on a ``State``, counts what it does, and is False where a domain was emptied.
The state remembers for each domain which assigned variables are to blame for what it has lost;
conflict-directed backjumping reads that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from petteia.csp.problem import Binary, Constraint, Problem, bits

__all__ = ["Counts", "State", "arc_consistency", "consistent", "forward_check"]


@dataclass
class Counts:
    """What a search took."""

    tried: int = 0
    """Values that were tried, refused ones included."""
    assignments: int = 0
    """Values that passed all tests and were built upon."""
    backtracks: int = 0
    """Variables that ran out of values."""
    checks: int = 0
    """Tests of a constraint, or of a pair of values, or looks for a support."""
    prunings: int = 0
    """Values struck from a domain."""
    revisions: int = 0
    """Times that a domain was held against a constraint."""
    jumps: int = 0
    """Variables that backjumping passed over."""
    restarts: int = 0


class State:
    """Which values are left, which variables have one, and how to go back."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.domains = [(1 << len(values)) - 1 for values in problem.domains]
        self.values: list[Any] = [None] * len(problem.names)
        """The value of each variable, or None."""
        self.blame = [0] * len(problem.names)
        """For each variable the assigned ones, as bits, that its domain has suffered from."""
        self.trail: list[tuple[int, int, int]] = []
        """Variable, its domain and its blame before each change."""
        self.counts = Counts()
        self.weight: dict[int, int] = {}
        """By the id of a constraint, how often it has emptied a domain; dom/wdeg reads it."""
        self.emptied = -1
        """The variable whose domain was emptied last, or -1 where a test failed."""
        self.failing: Constraint | None = None
        self.last: dict[tuple[int, int, int], int] = {}
        """AC-2001's memory: by constraint, variable and value, the support found last."""

    def narrow(self, variable: int, left: int, because: int, by: Constraint | None) -> bool:
        """Leaves only these values; False, and the failure noted, if there are none."""
        before = self.domains[variable]
        self.trail.append((variable, before, self.blame[variable]))
        self.domains[variable] = left
        self.blame[variable] |= because
        self.counts.prunings += (before ^ left).bit_count()
        if left:
            return True
        self.emptied, self.failing = variable, by
        if by is not None:
            self.weight[id(by)] = self.weight.get(id(by), 0) + 1
        return False

    def undo(self, mark: int) -> None:
        """Takes back every change of a domain since the trail was this long."""
        while len(self.trail) > mark:
            variable, domain, blame = self.trail.pop()
            self.domains[variable], self.blame[variable] = domain, blame

    def reasons(self, variable: int) -> int:
        """Who is to blame for a variable's domain, itself included once it has a value."""
        own = 1 << variable if self.values[variable] is not None else 0
        return self.blame[variable] | own

    def scope_values(self, constraint: Constraint) -> list[Any]:
        """The values of a constraint's variables."""
        return [self.values[variable] for variable in constraint.scope]

    def assigned_in(self, constraint: Constraint) -> int:
        """The assigned variables of a constraint's scope, as bits."""
        return sum(1 << v for v in constraint.scope if self.values[v] is not None)


def consistent(state: State, variable: int) -> bool:
    """The normal test: do all constraints of the newly assigned variable still hold?"""
    index = state.domains[variable].bit_length() - 1
    for binary in state.problem.binaries[variable]:
        other = binary.other(variable)
        if state.values[other] is not None:
            state.counts.checks += 1
            if not binary.supports[variable][index] & state.domains[other]:
                return _refused(state, binary)
    for constraint in state.problem.others[variable]:
        state.counts.checks += 1
        if not constraint.may_hold(state.scope_values(constraint)):
            return _refused(state, constraint)
    return True


def _refused(state: State, constraint: Constraint) -> bool:
    state.emptied, state.failing = -1, constraint
    state.weight[id(constraint)] = state.weight.get(id(constraint), 0) + 1
    return False


def forward_check(state: State, variable: int) -> bool:
    """Strikes from the domains of unassigned neighbours what the assignment forbids."""
    index = state.domains[variable].bit_length() - 1
    for binary in state.problem.binaries[variable]:
        other = binary.other(variable)
        if state.values[other] is None:
            state.counts.checks += state.domains[other].bit_count()
            left = state.domains[other] & binary.supports[variable][index]
            changed = left != state.domains[other]
            if changed and not state.narrow(other, left, state.reasons(variable), binary):
                return False
    for constraint in state.problem.others[variable]:
        for other in constraint.scope:
            if state.values[other] is None and not _try_values(state, constraint, other):
                return False
    return True


def _try_values(state: State, constraint: Constraint, variable: int) -> bool:
    """Strikes the values of one variable with which the constraint cannot hold."""
    place = constraint.scope.index(variable)
    values = state.scope_values(constraint)
    left = state.domains[variable]
    for index in bits(left):
        values[place] = state.problem.domains[variable][index]
        state.counts.checks += 1
        if not constraint.may_hold(values):
            left &= ~(1 << index)
    if left == state.domains[variable]:
        return True
    return state.narrow(variable, left, state.assigned_in(constraint), constraint)


Arc = tuple[int, Constraint]
"""A variable whose domain is to be held against a constraint."""


def arc_consistency(state: State, changed: Iterable[int], how: str) -> bool:
    """Makes all arcs consistent, beginning with those that lead to the changed variables.

    ``how`` is ac3 (Mackworth 1977: look through the other domain for a support), 2001 (Bessiere
    and Regin 2001, Zhang and Yap 2001: look first whether the support found last is still there;
    what is remembered survives a backtrack, and a lost support is sought from the beginning) or
    bits (Lecoutre and Vion 2008: all possible supports at once, in one ``and``).
    """
    revise = {"ac3": _revise_ac3, "2001": _revise_2001, "bits": _revise_bits}[how]
    queue: deque[Arc] = deque()
    waiting: set[tuple[int, int]] = set()

    def watch(variable: int) -> None:
        for binary in state.problem.binaries[variable]:
            other = binary.other(variable)
            if state.values[other] is None and (other, id(binary)) not in waiting:
                waiting.add((other, id(binary)))
                queue.append((other, binary))
        for constraint in state.problem.others[variable]:
            if (-1, id(constraint)) not in waiting:
                waiting.add((-1, id(constraint)))
                queue.append((-1, constraint))

    for variable in changed:
        watch(variable)
    while queue:
        variable, constraint = queue.popleft()
        waiting.discard((variable, id(constraint)))
        state.counts.revisions += 1
        if isinstance(constraint, Binary):
            left = revise(state, variable, constraint)
            if left != state.domains[variable]:
                reasons = state.reasons(constraint.other(variable))
                if not state.narrow(variable, left, reasons, constraint):
                    return False
                watch(variable)
        else:
            mark = len(state.trail)
            if not _narrow_all(state, constraint):
                return False
            for touched in {entry[0] for entry in state.trail[mark:]}:
                watch(touched)
    return True


def _narrow_all(state: State, constraint: Constraint) -> bool:
    """Asks a constraint that is not binary what must go."""
    state.counts.checks += 1
    struck = constraint.narrow(state.domains)
    if struck is None:
        open_ones = [v for v in constraint.scope if state.values[v] is None]
        return len(open_ones) != 1 or _try_values(state, constraint, open_ones[0])
    reasons = 0
    for variable in constraint.scope:
        reasons |= state.reasons(variable)
    for variable, gone in struck:
        left = state.domains[variable] & ~gone
        changed = left != state.domains[variable]
        if changed and not state.narrow(variable, left, reasons, constraint):
            return False
    return True


def _revise_bits(state: State, variable: int, binary: Binary) -> int:
    supports, others = binary.supports[variable], state.domains[binary.other(variable)]
    domain = left = state.domains[variable]
    while domain:
        low = domain & -domain
        domain ^= low
        state.counts.checks += 1
        if not supports[low.bit_length() - 1] & others:
            left ^= low
    return left


def _revise_ac3(state: State, variable: int, binary: Binary) -> int:
    supports, others = binary.supports[variable], state.domains[binary.other(variable)]
    left = state.domains[variable]
    for index in bits(left):
        for candidate in bits(others):
            state.counts.checks += 1
            if supports[index] >> candidate & 1:
                break
        else:
            left ^= 1 << index
    return left


def _revise_2001(state: State, variable: int, binary: Binary) -> int:
    supports, others = binary.supports[variable], state.domains[binary.other(variable)]
    left = state.domains[variable]
    for index in bits(left):
        key = (id(binary), variable, index)
        known = state.last.get(key, -1)
        if known >= 0 and others >> known & 1:
            continue
        for candidate in bits(others):
            state.counts.checks += 1
            if supports[index] >> candidate & 1:
                state.last[key] = candidate
                break
        else:
            left ^= 1 << index
    return left
