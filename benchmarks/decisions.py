"""Backgammon: how much an agent's plays lose on rolled-out decisions, by class of positions.

    python benchmarks/decisions.py [AGENT ...]

Thousandths of a point a decision, with the standard error over decisions, and the milliseconds a
move. Without agents: the networks with 0, 1 and 2 plies and, where it is installed, GNU Backgammon
with as many. The set is ``petteia.games.backgammon.learning.decisions``: a play that was not rolled
out loses as much as the worst one that was, and is counted beside.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from petteia import agents, games
from petteia.core.words import Words
from petteia.games.backgammon.evaluations.inputs import CLASSES
from petteia.games.backgammon.learning.decisions import Decisions
from petteia.games.backgammon.programs import program
from petteia.games.backgammon.rules.state import PLAY, state_of

GAME = games.make("backgammon")
PLIES = (0, 1, 2)


def position(found: Decisions, number: int) -> Words:
    """White to play a throw."""
    first, second = (int(die) for die in found.throws[number])
    board = (np.uint64(word) for word in found.boards[number])
    return (*board, state_of(phase=PLAY, first=first, second=second))


def measure(spec: str, found: Decisions) -> str:
    """One line of the table."""
    agent = agents.make(spec, GAME)
    agent.prepare(position(found, 0))
    losses, unknown, seconds = np.zeros(len(found.boards)), 0, 0.0
    for number in range(len(losses)):
        p = position(found, number)
        started = time.process_time() if spec.startswith("network") else time.perf_counter()
        move = agent.choose(p).move
        clock = time.process_time() if spec.startswith("network") else time.perf_counter()
        seconds += clock - started
        a, b, other_a, other_b = GAME.moved(p, move)[:4]  # type: ignore[attr-defined]
        after = np.array([other_a, other_b, a, b], np.uint64)
        losses[number], known = found.loss(number, after)
        unknown += not known
    agent.close()
    cells = []
    for kind in range(len(CLASSES)):
        of_kind = 1000 * losses[found.kinds == kind]
        cells.append(f"{of_kind.mean():.1f} ± {of_kind.std() / len(of_kind) ** 0.5:.1f}")
    error = losses.std() / len(losses) ** 0.5
    cells += [f"{1000 * losses.mean():.2f} ± {1000 * error:.2f}", str(unknown)]
    return f"| `{spec}` | {' | '.join(cells)} | {1000 * seconds / len(losses):.2f} |"


def main(given: list[str]) -> None:
    found = Decisions.read()
    usual = [f"network(plies={plies})" for plies in PLIES]
    if program() is not None:
        usual += [f"gnubg(plies={plies})" for plies in PLIES]
    counts = np.bincount(found.kinds).tolist()
    heads = [f"{name} ({count})" for name, count in zip(CLASSES, counts, strict=True)]
    print(f"| agent | {' | '.join(heads)} | all ({sum(counts)}) | not rolled out | ms a move |")
    print("|---|" + "---|" * (len(heads) + 3))
    for spec in given or usual:
        print(measure(spec, found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
