"""What searching processes do for Flow. Its engines are imported where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, cast

from petteia.puzzles.flow.lab import messages as a
from petteia.web.messages.socket import Shown
from petteia.web.messages.workers import PuzzleTask, Tell

__all__ = ["SHOWN", "TASKS", "Hint", "New", "Solve", "Watch", "WatchSolver"]

_BATCH = 40
"""Events in a part of what a watched solver does."""
_MOST_EVENTS = 20_000
_SOLVING = 8.0
"""Seconds for a solution or a new puzzle, fewer than any task has: what is late can say so."""


class New(PuzzleTask, a.NewPuzzle):
    """A new puzzle."""

    do: Literal["flow.new"] = "flow.new"

    def answer(self, is_stopped: Callable[[], bool], part: Tell) -> a.FlowPuzzle:
        """The puzzle, without its solution."""
        from petteia.puzzles.flow import face

        wanted = self.model_dump(exclude_none=True, exclude={"n", "do"})
        made = face.new_puzzle({**wanted, "seconds": _SOLVING})
        del made["solution"]
        return cast("a.FlowPuzzle", made)


class Hint(PuzzleTask, a.Drawn):
    """A hint."""

    do: Literal["flow.hint"] = "flow.hint"

    def answer(self, is_stopped: Callable[[], bool], part: Tell) -> a.FlowHint:
        """The next sure step, or what cannot stay."""
        from petteia.puzzles.flow import face

        found = face.give_hint(face.read_puzzle(self.text), self.paths, self.rule)
        return cast("a.FlowHint", found)


class Solve(PuzzleTask, a.SolvedBy):
    """A solution."""

    do: Literal["flow.solve"] = "flow.solve"

    def answer(self, is_stopped: Callable[[], bool], part: Tell) -> a.FlowSolved:
        """The answer of an engine."""
        from petteia.puzzles.flow import face

        puzzle = face.read_puzzle(self.text)
        found = face.solve_puzzle(puzzle, self.engine, self.rule, seconds=_SOLVING)
        return cast("a.FlowSolved", found)


class Watch(PuzzleTask, a.SolvedBy):
    """A search step by step."""

    do: Literal["flow.watch"] = "flow.watch"

    def answer(self, is_stopped: Callable[[], bool], part: Tell) -> a.FlowEnded:
        """Tells the events in batches until the solver is done, stopped, or has said enough."""
        from petteia.puzzles.flow import face

        puzzle = face.read_puzzle(self.text)
        events = cast("Iterator[a.FlowEvent]", face.watch(puzzle, self.engine, self.rule))
        batch: list[a.FlowEvent] = []
        for number, event in enumerate(events):
            batch.append(event)
            if len(batch) == _BATCH:
                part({"events": batch})
                batch = []
            if is_stopped() or number >= _MOST_EVENTS:
                break
        if batch:
            part({"events": batch})
        return {"ended": True}


class WatchSolver(Shown, a.SolvedBy):
    """Show me this solver step by step."""

    do: Literal["flow"] = "flow"
    PART, DONE = a.FlowEvents, a.FlowEnded

    def task(self) -> Watch:
        """The search that is watched."""
        return Watch(**self.model_dump(exclude={"id", "do"}))


TASKS = (New, Hint, Solve, Watch)
SHOWN = (WatchSolver,)
