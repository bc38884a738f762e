"""Backtracking search, with every part of it open to choice.

The search is a loop over a stack of frames rather than a recursion, so that it can be watched step
by step, can jump back over several frames, and can start again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

from petteia.core.errors import one_of
from petteia.csp.orders import VALUE_ORDERS, VARIABLE_ORDERS
from petteia.csp.problem import Problem
from petteia.csp.propagation import Counts, State, arc_consistency, consistent, forward_check

__all__ = ["INFERENCES", "Counts", "Limits", "Solver", "Step"]

INFERENCES = ("none", "forward", "mac", "mac-ac3", "mac-2001")
_AFTER = {"mac": "bits", "mac-ac3": "ac3", "mac-2001": "2001"}


@dataclass(frozen=True)
class Limits:
    """When to give up; the answer is then unknown."""

    seconds: float | None = None
    tried: int | None = None


class Step(NamedTuple):
    """Something that happened in a search."""

    kind: str
    """start, assign, reject, backtrack, restart, solution, limit or end."""
    variable: int = -1
    value: Any = None
    depth: int = 0
    """How many variables have a value now."""


@dataclass
class _Frame:
    """A variable that is being tried."""

    variable: int
    values: list[int]
    """The values still to try, the next one last."""
    mark: int
    """The trail's length before any value was tried."""
    conflicts: int = 0
    """The earlier variables, as bits, that had a part in this one's failures."""
    holds: bool = False
    """Whether one of the values stands now."""


@dataclass
class Solver:
    """A search of one problem."""

    problem: Problem
    _: KW_ONLY
    order: str = "mrv"
    """The order of the variables."""
    values: str = "static"
    """The order of a variable's values."""
    inference: str = "forward"
    """What follows from an assignment."""
    prepare: bool = False
    """Whether arcs are made consistent once before the search (AC-3)."""
    backjump: bool = False
    """Whether it goes back to the youngest variable that had a part in the failure (Prosser
    1993)."""
    restart: int | None = None
    """Backtracks before the first restart; they grow by half each time, so that the search stays
    complete."""
    limits: Limits = Limits()
    seed: int = 0

    def __post_init__(self) -> None:
        if self.order not in VARIABLE_ORDERS:
            raise one_of(self.order, VARIABLE_ORDERS, what="variable order")
        if self.values not in VALUE_ORDERS:
            raise one_of(self.values, VALUE_ORDERS, what="value order")
        if self.inference not in INFERENCES:
            raise one_of(self.inference, INFERENCES, what="inference")
        self.state = State(self.problem)
        self.counts = self.state.counts
        self.status = "unknown"
        """solved, exhausted, or unknown while it runs and after a limit."""
        self._choose, self._sort = VARIABLE_ORDERS[self.order], VALUE_ORDERS[self.values]
        self._chance = random.Random(self.seed)

    def first(self) -> dict[Any, Any] | None:
        """A solution, or None if there is none or a limit was reached."""
        return next(self.solutions(), None)

    def solutions(self, most: int | None = None) -> Iterator[dict[Any, Any]]:
        """Solutions by the names of the variables; all of them, or the first few."""
        found = 0
        for step in self.steps():
            if step.kind == "solution":
                yield dict(zip(self.problem.names, self.state.values, strict=True))
                found += 1
                if found == most:
                    return

    def steps(self) -> Iterator[Step]:
        """The search, event by event; ``state`` may be looked at in between."""
        counts = self.counts
        started = time.perf_counter()
        yield Step("start")
        frames: list[_Frame] = []
        if not self._begin():
            self.status = "exhausted"
            yield Step("end")
            return
        if not self.problem.names:
            self.status = "solved"
            yield Step("solution")
            yield Step("end")
            return
        patience = self.restart
        failures, solved = 0, False
        self._open(frames)
        while frames:
            frame = frames[-1]
            if frame.holds:
                self._take_back(frame)
            if not frame.values:
                counts.backtracks += 1
                failures += 1
                frames.pop()
                yield Step("backtrack", frame.variable, None, len(frames))
                self._go_back(frames, frame)
                if patience is not None and failures >= patience and frames and not solved:
                    self._clear(frames)
                    patience, failures = patience + patience // 2 + 1, 0
                    counts.restarts += 1
                    yield Step("restart")
                    self._open(frames)
                continue
            index = frame.values.pop()
            if self._over(started):
                yield Step("limit", depth=len(frames))
                return
            counts.tried += 1
            value = self.problem.domains[frame.variable][index]
            if not self._assign(frame, index):
                yield Step("reject", frame.variable, value, len(frames) - 1)
                continue
            counts.assignments += 1
            yield Step("assign", frame.variable, value, len(frames))
            if len(frames) == len(self.problem.names):
                solved, self.status = True, "solved"
                yield Step("solution", depth=len(frames))
                # To find all, every variable has its part in the end of this line.
                frame.conflicts = (1 << len(self.problem.names)) - 1 & ~(1 << frame.variable)
                continue
            self._open(frames)
        self.status = "exhausted"
        yield Step("end")

    # --- the parts ----------------------------------------------------------------------------

    def _begin(self) -> bool:
        """What is known before the search; constraints without a variable are settled here."""
        for constraint in self.problem.constraints:
            if not constraint.scope and not constraint.may_hold(()):
                return False
        if not self.prepare and self.inference not in _AFTER:
            return True
        everything = range(len(self.problem.names))
        return arc_consistency(self.state, everything, _AFTER.get(self.inference, "ac3"))

    def _over(self, started: float) -> bool:
        limits = self.limits
        if limits.tried is not None and self.counts.tried >= limits.tried:
            return True
        if limits.seconds is None or self.counts.tried % 16:
            return False
        return time.perf_counter() - started > limits.seconds

    def _open(self, frames: list[_Frame]) -> None:
        """Chooses the next variable."""
        values = self.state.values
        open_ones = [v for v in range(len(values)) if values[v] is None]
        variable = self._choose(self.state, open_ones, self._chance)
        tries = self._sort(self.state, variable, self._chance)
        # What the domain has lost already is a part of why the variable may fail.
        blame = self.state.blame[variable]
        frames.append(_Frame(variable, tries[::-1], len(self.state.trail), blame))

    def _assign(self, frame: _Frame, index: int) -> bool:
        """Gives the variable a value, tests it and infers; takes everything back if it fails."""
        state, variable = self.state, frame.variable
        value = self.problem.domains[variable][index]
        watched = 0
        for watcher in self.problem.watchers:
            if not watcher.assign(variable, value):
                break
            watched += 1
        before = state.domains[variable]
        state.trail.append((variable, before, state.blame[variable]))
        state.domains[variable] = 1 << index
        state.values[variable] = value
        if watched < len(self.problem.watchers):
            # A watcher sees everything, so everything assigned may be to blame.
            frame.conflicts |= self._assigned() & ~(1 << variable)
        elif consistent(state, variable) and self._infer(variable):
            frame.holds = True
            return True
        else:
            frame.conflicts |= self._reasons() & ~(1 << variable)
        self._forget(frame, watched)
        return False

    def _infer(self, variable: int) -> bool:
        if self.inference == "none":
            return True
        if self.inference == "forward":
            return forward_check(self.state, variable)
        return arc_consistency(self.state, [variable], _AFTER[self.inference])

    def _assigned(self) -> int:
        return sum(1 << v for v, value in enumerate(self.state.values) if value is not None)

    def _reasons(self) -> int:
        """The assigned variables that had a part in the failure just seen."""
        state = self.state
        if state.emptied >= 0:
            return state.blame[state.emptied]
        assert state.failing is not None
        return state.assigned_in(state.failing)

    def _forget(self, frame: _Frame, watched: int) -> None:
        self.state.values[frame.variable] = None
        self.state.undo(frame.mark)
        for watcher in reversed(self.problem.watchers[:watched]):
            watcher.undo(frame.variable)
        frame.holds = False

    def _take_back(self, frame: _Frame) -> None:
        self._forget(frame, len(self.problem.watchers))

    def _clear(self, frames: list[_Frame]) -> None:
        while frames:
            frame = frames.pop()
            if frame.holds:
                self._take_back(frame)

    def _go_back(self, frames: list[_Frame], failed: _Frame) -> None:
        """Passes the blame on, and over all frames that have no part in it if asked to jump."""
        if self.backjump:
            while frames and not failed.conflicts >> frames[-1].variable & 1:
                passed = frames.pop()
                self._take_back(passed)
                self.counts.jumps += 1
        if frames:
            frames[-1].conflicts |= failed.conflicts & ~(1 << frames[-1].variable)
