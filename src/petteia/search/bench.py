"""The bench: a fixed amount of search whose node count is the signature of a game's engine.

A change of code either keeps the signature or changes what the engine does.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, SIMULTANEOUS, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.engine import Engine, Limits
from petteia.search.joint_search import JointSearch
from petteia.search.stepper import stepper_of

__all__ = ["Bench", "positions", "run"]

_GAMES, _EVERY = 4, 10
_JOINT = 12
"""Positions where both choose: a search of all pairs takes longer."""


@dataclass(frozen=True)
class Bench:
    """What a bench found."""

    signature: int
    """All nodes together."""
    positions: int
    depth: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        """The speed of the engine in this run."""
        return self.signature / max(self.seconds, 1e-9)


def positions(game: Game) -> list[Words]:
    """Every tenth position of a few random games, always the same."""
    stepper = stepper_of(game)
    found: dict[Words, None] = {}
    for number in range(_GAMES):
        p, ply = game.start(), 0
        seen = stepper.look(p)
        while seen.kind in (DECISION, SIMULTANEOUS) and ply < game.max_plies:
            if ply % _EVERY == 0:
                found[p] = None
            chance = derive(number, "bench", ply)
            move = seen.moves[chance % len(seen.moves)]
            if seen.kind == SIMULTANEOUS:
                other = seen.others[derive(chance, "other") % len(seen.others)]
                p = stepper.play_both(p, move, other)
            else:
                p = stepper.play(p, move)
            seen = stepper.look(p)
            ply += 1
    return list(found)


def run(game: Game, evaluation: Evaluation, depth: int = 7) -> Bench:
    """Searches the positions to a depth, each with an empty table."""
    if game.has_simultaneous:
        return _joint(game, evaluation)
    if game.has_chance:
        raise PetteiaError(f"{game.spec.name} has no bench: the engine needs a game of decisions")
    engine = Engine(game, evaluation, table_bits=16)
    where = positions(game)
    engine.search(where[0], Limits(depth=1), evaluation.array)  # compiled before the clock starts
    nodes, seconds = 0, 0.0
    for p in where:
        engine.new_game()
        started = time.perf_counter()
        nodes += engine.search(p, Limits(depth=depth), evaluation.array).nodes
        seconds += time.perf_counter() - started
    return Bench(nodes, len(where), depth, seconds)


def _joint(game: Game, evaluation: Evaluation, depth: int = 2) -> Bench:
    """Where both choose: alpha-beta and the equilibrium search two turns deep."""
    search = JointSearch(game, evaluation, deepest=depth)
    where, weights = positions(game)[:_JOINT], evaluation.array
    nodes, seconds = 0, 0.0
    for is_counted in (False, True):  # compiled before the clock starts
        for p in where if is_counted else where[:1]:
            for found in (
                search.paranoid(p, depth, 0, weights, seed=0),
                search.nash(p, depth, 0, weights),
            ):
                if is_counted:
                    nodes += found.interior + found.leaves
                    seconds += found.seconds
    return Bench(nodes, len(where), depth, seconds)
