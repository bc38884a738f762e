"""``python -m referee [-t SEC] [-s MB] [-l LOG] UPPER[:Class] LOWER[:Class]``.

As the course's own: both players are asked before either is told, actions are compared as nested
tuples, processor time is counted by player, memory by the peak of the process since both were
imported. Ends with a result line, or with ``error: ...`` and exit code 1.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from petteia.games.ropasci.reference import ReferenceGame, ReferencePosition


class Fault(Exception):
    """A player broke the rules of the referee."""


def peak_megabytes() -> float:
    """The peak of virtual memory so far; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    for line in status.read_text().splitlines() if status.exists() else ():
        if line.startswith("VmPeak"):
            return int(line.split()[1]) / 1024
    return 0.0


class Seat:
    """A player with its clock."""

    def __init__(self, name: str, kind: type[Any], seconds: float) -> None:
        self.name, self.kind, self.left, self.used = name, kind, seconds, 0.0
        self.player: Any = None

    def timed(self, function: Any, *args: Any, **named: Any) -> Any:
        gc.collect()
        started = time.process_time()
        found = function(*args, **named)
        self.used += time.process_time() - started
        if self.left and self.used > self.left:
            raise Fault(f"{self.name}: exceeded available time")
        return found


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("players", nargs=2)
    options.add_argument("-t", type=float, default=0.0)
    options.add_argument("-s", type=float, default=0.0)
    options.add_argument("-l", type=Path)
    given = options.parse_args()
    seats = []
    for name, text in zip(("upper", "lower"), given.players, strict=True):
        package, _, kind = text.partition(":")
        found = getattr(importlib.import_module(package), kind or "Player")
        seats.append(Seat(name, found, given.t))
    base = peak_megabytes()
    rules, position = ReferenceGame(), ReferencePosition()
    seen, log, end = Counter([position.snapshot()]), list[str](), None
    try:
        for seat in seats:
            seat.player = seat.timed(seat.kind, seat.name)
        while end is None:
            actions = [seat.timed(seat.player.action) for seat in seats]
            for number, (seat, action) in enumerate(zip(seats, actions, strict=True)):
                if action not in rules.actions(position, number):
                    raise Fault(f"{seat.name}: illegal action {action!r}")
            position = rules.play(position, actions[0], actions[1])
            for seat, action in zip(seats, actions, strict=True):
                kind, first, second = action
                words = f"symbol {first}" if kind == "THROW" else f"from {first}"
                log.append(f"turn {position.turn}: {seat.name}: {kind} {words} to {second}")
            for seat, own, other in zip(seats, actions, reversed(actions), strict=True):
                seat.timed(seat.player.update, opponent_action=other, player_action=own)
            seen[position.snapshot()] += 1
            end = rules.end(position, seen)
            if given.s and peak_megabytes() - base > 2 * given.s:
                raise Fault("exceeded available space")
    except Fault as fault:
        end = f"error: {fault}"
    log.append(end)
    if given.l:
        given.l.write_text("\n".join(log) + "\n")
    for seat in seats:
        print(f"time {seat.name}: {seat.used:.2f}")
    print(f"space: {peak_megabytes() - base:.1f}\nturns: {position.turn}\n{end}")
    return 1 if end.startswith("error") else 0


if __name__ == "__main__":
    sys.exit(main())
