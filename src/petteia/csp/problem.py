"""What is to be solved: variables with their domains, and constraints among them.

A domain is a tuple of values; which of them are left is a number whose bit ``i`` stands for the
i-th value, so that "some value of y supports this one" is a single ``and``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

__all__ = ["Binary", "Constraint", "Problem", "Test", "Watcher", "bits"]

Relation = Callable[[Any, Any], bool]


def bits(mask: int) -> Iterator[int]:
    """The places of the set bits, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Constraint:
    """A condition on some variables, its scope."""

    def __init__(self, scope: Sequence[int]) -> None:
        self.scope = tuple(scope)

    def may_hold(self, values: Sequence[Any]) -> bool:
        """Whether values of the scope's variables, None for those without one, are no
        contradiction yet."""
        raise NotImplementedError

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]] | None:
        """Variables of the scope with the values (as bits) that they must lose, given all domains.

        Used while arc consistency is kept. None: the constraint knows no better way than trying
        every value of a variable when it is the last without one.
        """
        return None


class Test(Constraint):
    """A condition given as a function of the values of its scope."""

    __test__ = False  # no test of pytest's

    def __init__(self, scope: Sequence[int], function: Callable[..., bool]) -> None:
        super().__init__(scope)
        self.function = function

    def may_hold(self, values: Sequence[Any]) -> bool:
        return None in values or self.function(*values)


class Binary(Constraint):
    """A relation between two variables, kept as tables of supports."""

    def __init__(self, x: int, y: int, supports: Sequence[int], back: Sequence[int]) -> None:
        super().__init__((x, y))
        self.supports = {x: supports, y: back}
        """For each value of a variable, the values of the other one that go with it, as bits."""

    def other(self, variable: int) -> int:
        """The variable at the other end."""
        x, y = self.scope
        return y if variable == x else x


class Watcher:
    """A condition on everything, told of each assignment as it comes and goes."""

    def assign(self, variable: int, value: Any) -> bool:
        """Takes note of an assignment; False refuses it, and then nothing was noted."""
        raise NotImplementedError

    def undo(self, variable: int) -> None:
        """Forgets the last assignment, which was of this variable."""
        raise NotImplementedError


class Problem:
    """Variables, domains and constraints."""

    def __init__(self) -> None:
        self.names: list[Hashable] = []
        self.domains: list[tuple[Any, ...]] = []
        self.binaries: list[list[Binary]] = []
        """The binary constraints of each variable."""
        self.others: list[list[Constraint]] = []
        """The other constraints of each variable."""
        self.constraints: list[Constraint] = []
        self.watchers: list[Watcher] = []
        self._places: dict[Hashable, int] = {}
        self._tables: dict[Any, tuple[list[int], list[int]]] = {}

    def variable(self, name: Hashable, values: Iterable[Any]) -> int:
        """Adds a variable and gives its number."""
        if name in self._places:
            raise ValueError(f"there is a variable {name!r} already")
        self._places[name] = len(self.names)
        self.names.append(name)
        self.domains.append(tuple(values))
        self.binaries.append([])
        self.others.append([])
        return len(self.names) - 1

    def number(self, name: Hashable) -> int:
        """The number of the variable of this name."""
        return self._places[name]

    def constrain(self, constraint: Constraint) -> None:
        """Adds a constraint."""
        self.constraints.append(constraint)
        for variable in constraint.scope:
            if isinstance(constraint, Binary):
                self.binaries[variable].append(constraint)
            else:
                self.others[variable].append(constraint)

    def relate(self, x: Hashable, y: Hashable, relation: Relation) -> None:
        """Two variables must stand in a relation; the same relation makes its tables once."""
        first, second = self._places[x], self._places[y]
        one, two = self.domains[first], self.domains[second]
        key = (relation, one, two)
        if key not in self._tables:
            forth = [sum(1 << j for j, w in enumerate(two) if relation(v, w)) for v in one]
            back = [sum(1 << i for i, v in enumerate(one) if relation(v, w)) for w in two]
            self._tables[key] = (forth, back)
        self.constrain(Binary(first, second, *self._tables[key]))

    def different(self, *names: Hashable) -> None:
        """No two of these variables may have the same value."""
        for at, one in enumerate(names):
            for other in names[at + 1 :]:
                self.relate(one, other, _unequal)

    def test(self, names: Sequence[Hashable], function: Callable[..., bool]) -> None:
        """The function must be true of the values of these variables."""
        self.constrain(Test([self._places[name] for name in names], function))


def _unequal(one: Any, other: Any) -> bool:
    return bool(one != other)
