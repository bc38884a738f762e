"""The agents of Ur's own: the report's strategies, each as its text and as its program has it."""

from __future__ import annotations

import time
from typing import cast

import numpy as np

from petteia.core.agent import ANY, Agent, Decision, at_most
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.games.ur.report import strategies
from petteia.games.ur.report.strategies import MEMORY, STRATEGIES, TIES
from petteia.games.ur.rules import PASS, UrRules
from petteia.search.stepper import stepper_of

__all__ = ["AGENTS", "Ashikazu", "CodedAshikazu", "CodedMassugu", "Massugu"]

_DEEPEST = 100


class _Strategy(Agent):
    """An agent that moves the piece that its strategy names."""

    strategy = ""
    depth = 0
    tie = TIES[0]

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        memory = np.zeros(1, MEMORY).view(np.recarray)
        self._keep, self._memory = memory, memory[0]

    def piece(self, p: Words) -> int | None:
        """The number of the piece to move, or None."""
        place, tie = STRATEGIES.index(self.strategy), TIES.index(self.tie)
        found = strategies.choose_piece(self.game, p, place, self.depth, tie, self._memory)
        return None if found < 0 else int(found)

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        piece = self.piece(p)
        seconds = time.perf_counter() - started
        if piece is None:
            # The program never lands on square 8; where the rules leave nothing else, it goes.
            move = stepper_of(self.game).look(p).moves[0]
        else:
            move = int(strategies.move_of_piece(self.game, p, piece, self._memory))
        return Decision(move, depth=self.depth, seconds=seconds, notes={"piece": piece})

    def prepare(self, p: Words) -> None:
        self.piece(p)


def _needs_the_report_s_path(agent: Agent) -> None:
    if getattr(agent.game, "squares", 0) != 14:
        raise PetteiaError(
            f"agent {agent.name} plays only on the path of Project Ur, not {agent.game}"
        )


def _checked_depth(agent: Agent, depth: int) -> int:
    if not 1 <= depth <= _DEEPEST:
        raise PetteiaError(f"agent {agent.name}: depth={depth} is not possible; 1 to {_DEEPEST}")
    return depth


def _checked_tie(tie: str) -> str:
    if tie not in TIES:
        raise one_of(tie, TIES, what="tie rule")
    return tie


class Massugu(_Strategy):
    """Straight ahead: how far the piece comes, and how far whom it captures had come."""

    name = "massugu"
    about = "the report's greedy strategy, by its text; tie: back, front or number"
    for_visitors = at_most(tie=ANY)
    strategy = "massugu"

    def __init__(self, game: Game, tie: str = "back") -> None:
        super().__init__(game)
        self.tie = _checked_tie(tie)


class Ashikazu(_Strategy):
    """Steps made and sent back, own less the opponent's, some half-turns ahead."""

    name = "ashikazu"
    about = "the report's looking-ahead strategy, by its text; depth, tie: back, front or number"
    for_visitors = at_most(depth=6, tie=ANY)
    strategy = "ashikazu"

    def __init__(self, game: Game, depth: int = 2, tie: str = "back") -> None:
        super().__init__(game)
        self.depth, self.tie = _checked_depth(self, depth), _checked_tie(tie)


class CodedMassugu(_Strategy):
    """Massugu as the report's program has it."""

    name = "project_ur.massugu"
    about = "massugu as the report's program has it"
    for_visitors = at_most()
    strategy = "coded_massugu"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        _needs_the_report_s_path(self)


class CodedAshikazu(_Strategy):
    """Ashikazu as the report's program has it."""

    name = "project_ur.ashikazu"
    about = "ashikazu as the report's program has it; depth"
    for_visitors = at_most(depth=6)
    strategy = "coded_ashikazu"

    def __init__(self, game: Game, depth: int = 2) -> None:
        super().__init__(game)
        _needs_the_report_s_path(self)
        self.depth = _checked_depth(self, depth)


class RoyalUrGreedy(Agent):
    """RoyalUr's greedy player: capture, else a rosette, else the most advanced piece."""

    name = "royalur_greedy"
    about = "RoyalUr's greedy player: capture, else a rosette, else the most advanced piece"
    for_visitors = at_most()

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        game = cast(UrRules, self.game)
        roll, enemy = int(game.roll(p)), int(game.side(p, 1 - game.mover(p)))

        def rank(move: int) -> tuple[bool, bool, int]:
            target = (move & 31) + roll
            if move == PASS or target > game.squares:
                return (False, False, target)
            meets = game.meets[target]
            takes = bool(meets and enemy >> meets & 1)
            return (takes, bool(int(game.rosettes) >> target & 1), target)

        return Decision(max(stepper_of(game).look(p).moves, key=rank))


AGENTS: dict[str, type[Agent]] = {
    kind.name: kind for kind in (Massugu, Ashikazu, CodedMassugu, CodedAshikazu, RoyalUrGreedy)
}
