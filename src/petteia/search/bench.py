"""The bench: a fixed amount of search whose node count is the signature of a game's engine.

A change of code either keeps the signature or changes what the engine does.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import SIMULTANEOUS, TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.expectimax import Expectimax
from petteia.search.nash import NashSearch
from petteia.search.paranoid import ParanoidSearch
from petteia.search.stepper import first_choice, stepper_of

__all__ = ["Bench", "positions", "run", "with_threads"]

_GAMES, _EVERY = 4, 10
_DEPTH, _DEPTH_WITH_DICE, _TURNS = 7, 3, 2
_DEEPER = 5
"""Plies more where threads are compared: a short search ends before its helpers have begun."""
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
        while seen.kind != TERMINAL and ply < game.max_plies:
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


def run(game: Game, evaluation: Evaluation, depth: int | None = None) -> Bench:
    """Searches the positions to a depth, each with an empty table.

    Games with dice are searched by expectiminimax, three moves ahead instead of seven. Where both
    choose, alpha-beta and the equilibrium search look two turns ahead from the first positions.
    """
    where = positions(game)
    if game.has_simultaneous:
        search, usual, where = _where_both_choose, _TURNS, where[:_JOINT]
    elif game.has_chance:
        search, usual = _with_dice, _DEPTH_WITH_DICE
    else:
        search, usual = _without_dice, _DEPTH
    depth = depth or game.bench_depth or usual
    nodes, seconds = search(game, evaluation, where, depth)
    return Bench(nodes, len(where), depth, seconds)


def with_threads(game: Game, evaluation: Evaluation, threads: int) -> tuple[Bench, Bench]:
    """Searches the positions deeper with one thread and with so many."""
    if game.has_chance or game.has_simultaneous:
        raise PetteiaError(f"threads search games of moves alone, not {game.spec.name}")
    where, depth = positions(game), (game.bench_depth or _DEPTH) + _DEEPER
    found = [
        _without_dice(game, evaluation, where, depth, bits=20, threads=count)
        for count in (1, threads)
    ]
    one, many = (Bench(nodes, len(where), depth, seconds) for nodes, seconds in found)
    return one, many


def _without_dice(
    game: Game,
    evaluation: Evaluation,
    where: list[Words],
    depth: int,
    *,
    bits: int = 16,
    threads: int = 1,
) -> tuple[int, float]:
    engine = Engine(game, evaluation, table_bits=bits, threads=threads)
    engine.prepare(where[0])  # compiled before the clock starts
    nodes, seconds = 0, 0.0
    for p in where:
        engine.new_game()
        found = engine.ask(Question(p, evaluation.array, Limits(depth)))
        nodes += found.nodes
        seconds += found.seconds
    return nodes, seconds


def _with_dice(
    game: Game, evaluation: Evaluation, where: list[Words], depth: int
) -> tuple[int, float]:
    tree = Expectimax(game, evaluation, table_bits=16)
    tree.value(where[0], 1, 0, evaluation.array)
    nodes, seconds = 0, 0.0
    for p in where:
        tree.new_game()
        started = time.perf_counter()
        tree.value(p, depth, 0, evaluation.array)
        seconds += time.perf_counter() - started
        nodes += tree.nodes
    return nodes, seconds


def _where_both_choose(
    game: Game, evaluation: Evaluation, where: list[Words], depth: int
) -> tuple[int, float]:
    searches = (ParanoidSearch(game, evaluation), NashSearch(game, evaluation))
    limits, weights = Limits(depth=depth), evaluation.array
    looks = [(p, stepper_of(game).look(p)) for p in (first_choice(game, p) for p in where)]
    choices = [
        Question(p, weights, limits, seen.mover) for p, seen in looks if seen.kind != TERMINAL
    ]
    nodes, seconds = 0, 0.0
    for search in searches:
        for question in choices[:1]:  # compiled before the clock starts
            search.ask(question)
        for question in choices:
            found = search.ask(question)
            nodes += found.interior + found.leaves
            seconds += found.seconds
    return nodes, seconds
