"""What a searching process does for Flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from petteia.web.messages import flow as a
from petteia.web.messages import workers as m

__all__ = ["Answer", "serve"]

Answer = a.FlowPuzzle | a.FlowHint | a.FlowSolved | a.FlowEnded
Part = Callable[[a.FlowEvents], None]

_BATCH = 40
"""Events in a part of what a watched solver does."""
_MOST_EVENTS = 20_000


def serve(task: m.FlowTask, is_stopped: Callable[[], bool], part: Part) -> Answer:
    """The answer to a task."""
    from petteia.puzzles.flow import face

    if isinstance(task, m.FlowNew):
        made = face.new_puzzle(task.model_dump(exclude_none=True, exclude={"n", "do"}))
        del made["solution"]
        return cast("a.FlowPuzzle", made)
    puzzle = face.read_puzzle(task.text)
    if isinstance(task, m.FlowHint):
        return cast("a.FlowHint", face.give_hint(puzzle, task.paths, task.rule))
    if isinstance(task, m.FlowSolve):
        return cast("a.FlowSolved", face.solve_puzzle(puzzle, task.engine, task.rule))
    events = cast("Iterator[a.FlowEvent]", face.watch(puzzle, task.engine, task.rule))
    return _watched(events, is_stopped, part)


def _watched(
    events: Iterator[a.FlowEvent], is_stopped: Callable[[], bool], part: Part
) -> a.FlowEnded:
    """Tells the events in batches until the solver is done, stopped, or has said enough."""
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
