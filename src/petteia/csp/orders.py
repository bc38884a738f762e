"""Which variable next, and which of its values first."""

from __future__ import annotations

import random
from collections.abc import Callable

from petteia.csp.problem import Problem, bits
from petteia.csp.propagation import State

__all__ = ["VALUE_ORDERS", "VARIABLE_ORDERS"]

ChooseVariable = Callable[[State, list[int], random.Random], int]
OrderValues = Callable[[State, int, random.Random], list[int]]


def static(state: State, open_ones: list[int], _: random.Random) -> int:
    """The first variable in the order in which they were made."""
    return open_ones[0]


def shuffled(state: State, open_ones: list[int], chance: random.Random) -> int:
    """Any variable."""
    return chance.choice(open_ones)


def mrv(state: State, open_ones: list[int], _: random.Random) -> int:
    """Minimum remaining values: the smallest domain; the first of equals."""
    best, fewest = open_ones[0], 1 << 60
    for variable in open_ones:
        count = state.domains[variable].bit_count()
        if count < fewest:
            best, fewest = variable, count
            if count <= 1:
                break
    return best


def mrv_degree(state: State, open_ones: list[int], _: random.Random) -> int:
    """MRV; of equals the variable with the most constraints on others that are still open."""
    return min(
        open_ones,
        key=lambda variable: (state.domains[variable].bit_count(), -_degree(state, variable)),
    )


def dom_wdeg(state: State, open_ones: list[int], _: random.Random) -> int:
    """Size of the domain over the weight of the constraints that have failed before.

    Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints",
    ECAI 2004.
    """
    return min(
        open_ones,
        key=lambda variable: state.domains[variable].bit_count() / _weight(state, variable),
    )


def _degree(state: State, variable: int) -> int:
    problem: Problem = state.problem
    others = {b.other(variable) for b in problem.binaries[variable]}
    for constraint in problem.others[variable]:
        others.update(constraint.scope)
    return sum(1 for other in others if other != variable and state.values[other] is None)


def _weight(state: State, variable: int) -> int:
    weight = 1
    for constraint in (*state.problem.binaries[variable], *state.problem.others[variable]):
        if any(state.values[v] is None for v in constraint.scope if v != variable):
            weight += state.weight.get(id(constraint), 0) + 1
    return weight


def in_order(state: State, variable: int, _: random.Random) -> list[int]:
    """The values as the domain lists them."""
    return list(bits(state.domains[variable]))


def mixed(state: State, variable: int, chance: random.Random) -> list[int]:
    """The values in any order."""
    values = list(bits(state.domains[variable]))
    chance.shuffle(values)
    return values


def lcv(state: State, variable: int, _: random.Random) -> list[int]:
    """Least constraining value: first the value that leaves the neighbours the most values."""

    def removed(index: int) -> int:
        total = 0
        for binary in state.problem.binaries[variable]:
            other = binary.other(variable)
            if state.values[other] is None:
                gone = state.domains[other] & ~binary.supports[variable][index]
                total += gone.bit_count()
        for constraint in state.problem.others[variable]:
            values = state.scope_values(constraint)
            values[constraint.scope.index(variable)] = state.problem.domains[variable][index]
            for place, other in enumerate(constraint.scope):
                if values[place] is None:
                    for candidate in bits(state.domains[other]):
                        values[place] = state.problem.domains[other][candidate]
                        total += not constraint.may_hold(values)
                    values[place] = None
        return total

    return sorted(bits(state.domains[variable]), key=removed)


VARIABLE_ORDERS: dict[str, ChooseVariable] = {
    "static": static,
    "random": shuffled,
    "mrv": mrv,
    "mrv+degree": mrv_degree,
    "dom/wdeg": dom_wdeg,
}
VALUE_ORDERS: dict[str, OrderValues] = {"static": in_order, "random": mixed, "lcv": lcv}
