"""The points of a series and nothing else, as fast as possible.

Where both agents are policies and the rules look only at the position, whole games run in one
kernel; elsewhere the arena plays them. The points are the same either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from petteia import agents, games
from petteia.arena.contest import Contest, Job, run_job
from petteia.arena.match import Opening
from petteia.core.game import Game
from petteia.core.policy import Playable
from petteia.core.seeds import derive
from petteia.search.duel import Duel, Start
from petteia.search.game_loop import can_duel
from petteia.search.stepper import stepper_of

__all__ = ["is_compiled", "pair_points", "points_together"]


@lru_cache(maxsize=4)
def _duel(game: str) -> Duel | None:
    made = games.make(game)
    return Duel(made) if can_duel(made) else None


@lru_cache(maxsize=4096)
def _playable(agent: str, game: str) -> Playable | None:
    duel = _duel(game)
    return agents.make(agent, duel.game).playable() if duel is not None else None


@lru_cache(maxsize=64)
def _starts(game: str, opening: str, seed: int) -> dict[int, Start]:
    """The starts of pairs by number: the same for all contests with one seed."""
    return {}


def _start(game: Game, opening: Opening, seed: int, index: int) -> Start:
    dice = derive(seed, "pair", index)
    p = game.start()
    moves = opening.moves(game, index, dice)
    for move in moves:
        p = stepper_of(game).play(p, move)
    both = [derive(dice, "game", number, player) for number in (0, 1) for player in (0, 1)]
    return Start(p, len(moves), dice, (both[0], both[1], both[2], both[3]))


def is_compiled(contest: Contest, *, together: bool = False) -> bool:
    """Whether whole games of this contest run in one kernel; ``together``: many at the same time,
    with one array of weights for all."""
    found = [_playable(agent, contest.game) for agent in (contest.first, contest.second)]
    if contest.adjudication is not None:
        return False
    return all(each and not (together and each.evaluation.remembers) for each in found)


def pair_points(contest: Contest, pairs: Sequence[int]) -> np.ndarray:
    """The points of agent A in both games of each pair: (pairs, 2)."""
    if not is_compiled(contest):
        played = run_job(Job(contest, tuple(pairs)))
        both = [(pair.games[0].result, -pair.games[1].result) for pair in played]
        return np.array(both, np.float64).reshape(len(both), 2)
    duel, first, second = _compiled(contest)
    return duel.play(first, second, _starts_of(duel.game, contest, pairs))


def points_together(
    asked: Sequence[tuple[Contest, Sequence[int]]], device: str
) -> list[np.ndarray]:
    """The same for many compiled contests at once: those that differ only in the first agent's
    weights and in their seeds are played in one go, as a GPU likes it."""
    found: list[np.ndarray] = [np.zeros((0, 2))] * len(asked)
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, (contest, _) in enumerate(asked):
        duel, first, second = _compiled(contest)
        alike = id(duel), first.policy, id(first.evaluation), contest.second, first.weights.shape
        groups.setdefault(alike, []).append(place)
    for places in groups.values():
        duel, first, second = _compiled(asked[places[0]][0])
        starts, rows = list[Start](), []
        for place in places:
            contest, pairs = asked[place]
            starts += _starts_of(duel.game, contest, pairs)
            rows.append(np.tile(_compiled(contest)[1].weights, (len(pairs), 1)))
        points = duel.play(first, second, starts, weights=np.concatenate(rows), device=device)
        ends = np.cumsum([len(row) for row in rows])
        for place, part in zip(places, np.split(points, ends[:-1]), strict=True):
            found[place] = part
    return found


def _compiled(contest: Contest) -> tuple[Duel, Playable, Playable]:
    duel = _duel(contest.game)
    first, second = (_playable(agent, contest.game) for agent in (contest.first, contest.second))
    assert duel is not None
    assert first is not None
    assert second is not None
    return duel, first, second


def _starts_of(game: Game, contest: Contest, pairs: Sequence[int]) -> list[Start]:
    opening = Opening.parse(game, contest.opening)
    known = _starts(contest.game, contest.opening, contest.seed)
    for index in pairs:
        if index not in known:
            known[index] = _start(game, opening, contest.seed, index)
    return [known[index] for index in pairs]
