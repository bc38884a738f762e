"""What the doubling cube is worth: Janowski's model, for points and in matches.

The truth lies between a cube that is never turned again (*dead*) and one that is turned at the
perfect moment (*live*): value = (1 - x) dead + x live, where x, the efficiency, depends on the kind
of position. R. Janowski, *Take-points in money games*, 1993; the figures of x are those that GNU
Backgammon's manual gives. In matches the same lines are drawn through chances to win the match; the
points at which a live cube is turned follow from those of the cube that is twice as high.

Chances are five numbers, each part of the one before it: to win, to win a gammon or more, to win a
backgammon, to lose a gammon or more, to lose a backgammon.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.core.words import Words
from petteia.games.backgammon.evaluations.inputs import has_contact
from petteia.games.backgammon.evaluations.match_equity import TABLE, chance
from petteia.games.backgammon.rules.board import pips
from petteia.games.backgammon.rules.state import (
    CENTRED,
    CRAWFORD,
    CUBE,
    LEVEL,
    OWNER,
    PHASE,
    SCORES,
    TAKE,
    field,
)

__all__ = [
    "EFFICIENCY", "MINE", "THEIRS", "Chances", "Ends", "Match", "Ways", "before_game", "cash_value",
    "cube_value", "cubeful", "efficiency", "facts", "live", "match_live", "match_value",
    "modelled_ways", "named", "owner_for", "stake", "stands", "taken_value", "value_by_phase",
]  # fmt: skip

Chances = tuple[float, float, float, float, float]

MINE, THEIRS = 0, 1
"""Whose cube it is, for the player on roll; ``CENTRED`` is nobody's."""
EFFICIENCY = 0.68
"""Of the cube in positions with contact."""


class Ways(NamedTuple):
    """What each way at the cube is worth to the player on roll."""

    waits: float
    """He does not double."""
    taken: float
    """He doubles and the other takes, or beavers."""
    dropped: float
    """He doubles and the other drops."""


def _between(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1


# --- for points --------------------------------------------------------------------------------


def live(win: float, won: float, lost: float, owner: int) -> float:
    """The value with a live cube of 1: straight lines between the ends and the points at which
    the cube is turned and dropped. ``won`` and ``lost`` are what won and lost games are worth."""
    take = (lost - 0.5) / (won + lost + 0.5)
    cash = (lost + 1.0) / (won + lost + 0.5)
    if owner == MINE:
        if win < cash:
            return _between(win, 0.0, -lost, cash, 1.0)
        return _between(win, cash, 1.0, 1.0, won)
    if owner == THEIRS:
        if win < take:
            return _between(win, 0.0, -lost, take, -1.0)
        return _between(win, take, -1.0, 1.0, won)
    if win < take:
        return _between(win, 0.0, -lost, take, -1.0)
    if win < cash:
        return _between(win, take, -1.0, cash, 1.0)
    return _between(win, cash, 1.0, 1.0, won)


def cubeful(c: Chances, owner: int, x: float) -> float:
    """The value for the player on roll, in units of the cube as it stands."""
    win, lose = c[0], 1.0 - c[0]
    won = (win + c[1] + c[2]) / win if win > 0.0 else 1.0
    lost = (lose + c[3] + c[4]) / lose if lose > 0.0 else 1.0
    dead = win * won - lose * lost
    return (1.0 - x) * dead + x * live(win, won, lost, owner)


# --- in matches --------------------------------------------------------------------------------


def _part(part: float, whole: float) -> float:
    return part / whole if whole > 0.0 else 0.0


class Match(NamedTuple):
    """A match before a game, from the side of the player on roll."""

    table: np.ndarray
    """Of chances, see ``match_equity``."""
    crawford: bool
    """Whether the Crawford rule holds."""
    own: int
    """The points that the player needs, and the other."""
    other: int


class Ends(NamedTuple):
    """How games end: the parts of won and of lost ones that are gammons and backgammons."""

    won_gammons: float
    won_backgammons: float
    lost_gammons: float
    lost_backgammons: float


def ends_of(c: Chances) -> Ends:
    """The parts that chances stand for."""
    lose = 1.0 - c[0]
    return Ends(_part(c[1], c[0]), _part(c[2], c[0]), _part(c[3], lose), _part(c[4], lose))


def _after_win(m: Match, points: int) -> float:
    """The chance of the match once the player has won so many points."""
    late = m.own == 1 or m.other == 1
    return chance(m.table, m.crawford, late, m.own - points, m.other)


def _after_loss(m: Match, points: int) -> float:
    """The same once he has lost them."""
    late = m.own == 1 or m.other == 1
    return 1.0 - chance(m.table, m.crawford, late, m.other - points, m.own)


def _won(m: Match, ends: Ends, cube: int) -> float:
    """The chance of the match after a won game."""
    single, double = _after_win(m, cube), _after_win(m, 2 * cube)
    triple = _after_win(m, 3 * cube)
    gammons, backgammons = ends.won_gammons, ends.won_backgammons
    return (1.0 - gammons) * single + (gammons - backgammons) * double + backgammons * triple


def _lost(m: Match, ends: Ends, cube: int) -> float:
    """The chance of the match after a lost game."""
    turned = Match(m.table, m.crawford, m.other, m.own)
    return 1.0 - _won(turned, Ends(ends.lost_gammons, ends.lost_backgammons, 0.0, 0.0), cube)


def match_live(
    m: Match, ends: Ends, win: float, owner: int, level: int
) -> tuple[float, float, float]:
    """The chance of the match with a live cube of 2 to the ``level``, and the points at which the
    player on roll takes and cashes."""
    top = level
    while m.own > 1 << top or m.other > 1 << top:
        top += 1
    take = cash = 0.0
    for k in range(top, level - 1, -1):
        cube = 2 << k  # once it is turned
        won, lost = _won(m, ends, cube), _lost(m, ends, cube)
        # I own it: from a lost game to my next cash; it is dead if I need no more than it brings.
        far = 1.0 if m.own <= cube else cash
        high = won if m.own <= cube else _after_win(m, cube)
        # The other owns it: from my next drop to a won game.
        near = 0.0 if m.other <= cube else take
        low = lost if m.other <= cube else _after_loss(m, cube)
        take = _crossing(0.0, lost, far, high, _after_loss(m, 1 << k))
        cash = _crossing(near, low, 1.0, won, _after_win(m, 1 << k))
    cube = 1 << level
    x, y = 0.0, _lost(m, ends, cube)
    if owner != MINE and m.other > cube:
        dropped = _after_loss(m, cube)
        if win <= take:
            return _between(win, x, y, take, dropped), take, cash
        x, y = take, dropped
    if owner != THEIRS and m.own > cube and cash >= x:
        cashed = _after_win(m, cube)
        if win <= cash:
            return _between(win, x, y, cash, cashed), take, cash
        x, y = cash, cashed
    return _between(win, x, y, 1.0, _won(m, ends, cube)), take, cash


def _crossing(x0: float, y0: float, x1: float, y1: float, y: float) -> float:
    """Where a rising line reaches a height, between 0 and 1."""
    if y1 <= y0:
        return x0
    return min(1.0, max(0.0, x0 + (x1 - x0) * (y - y0) / (y1 - y0)))


def match_value(m: Match, c: Chances, owner: int, x: float, level: int, cube: bool) -> float:
    """The chance of the match for the player on roll; ``cube`` tells whether it may be turned."""
    win, ends, points = c[0], ends_of(c), 1 << level
    dead = win * _won(m, ends, points) + (1.0 - win) * _lost(m, ends, points)
    if not cube:
        return dead
    alive = match_live(m, ends, win, owner, level)[0]
    # Where the other would lose the match with this game anyway, he doubles at once.
    if m.own <= points < m.other and owner != MINE:
        return alive
    return (1.0 - x) * dead + x * alive


# --- at a position -----------------------------------------------------------------------------


def efficiency(p: Words, player: int) -> float:
    """How nearly perfectly the cube can be used."""
    if has_contact(p[0], p[1], p[2], p[3]):
        return EFFICIENCY
    own = pips(p[0], p[1]) if player == 0 else pips(p[2], p[3])
    return min(0.7, max(0.6, 0.6 + (own - 40) * 0.1 / 80.0))


def owner_for(p: Words, roller: int) -> int:
    """Whose the cube is, for the player on roll."""
    owner = field(p[4], OWNER, 3)
    if owner == CENTRED:
        return CENTRED
    return MINE if owner == roller else THEIRS


def match_of(game: Any, p: Words, player: int) -> Match:
    """The match as it stands for a player."""
    return Match(TABLE, game.crawford, needed(game, p, player), needed(game, p, 1 - player))


def needed(game: Any, p: Words, player: int) -> int:
    """The points that a player needs to win the match."""
    return game.match - field(p[4], SCORES + 7 * player, 127)


def before_game(game: Any, p: Words, player: int) -> float:
    """The value for a player before the opening throw: in points, or in a match from -1 to 1."""
    if game.match == 0:
        return 0.0
    own, other = needed(game, p, player), needed(game, p, 1 - player)
    late = (own == 1 or other == 1) and field(p[4], CRAWFORD, 1) == 0
    return 2.0 * chance(TABLE, game.crawford, late, own, other) - 1.0


def stands(game: Any, p: Words, roller: int, owner: int, level: int, x: float, c: Chances) -> float:
    """The value for the player on roll if the cube stands at a level and is his, the other's or
    nobody's: in points, or in a match from -1 for a lost to 1 for a won one."""
    if game.match > 0:
        cube = game.cube and field(p[4], CRAWFORD, 1) == 0
        return 2.0 * match_value(match_of(game, p, roller), c, owner, x, level, cube) - 1.0
    if not game.cube:
        return 2.0 * c[0] - 1.0 + c[1] + c[2] - c[3] - c[4]
    if game.jacoby and level == 0:  # gammons do not count yet
        return cubeful((c[0], 0.0, 0.0, 0.0, 0.0), owner, x)
    return float(1 << level) * cubeful(c, owner, x)


def cash_value(game: Any, p: Words, roller: int) -> float:
    """The value for the player on roll of a double that is dropped."""
    points = 1 << field(p[4], LEVEL, 15)
    if game.match == 0:
        return float(points)
    return 2.0 * _after_win(match_of(game, p, roller), points) - 1.0


def taken_value(game: Any, p: Words, roller: int, x: float, c: Chances) -> float:
    """The value for the player on roll of a double that is taken, or beavered where that is
    allowed and better for the other."""
    taken = stands(game, p, roller, THEIRS, field(p[4], LEVEL, 15) + 1, x, c)
    return 2.0 * taken if game.beaver and taken < 0.0 else taken


def modelled_ways(game: Any, p: Words, roller: int, x: float, c: Chances) -> Ways:
    """The ways at the cube by the model."""
    waits = stands(game, p, roller, owner_for(p, roller), field(p[4], LEVEL, 15), x, c)
    return Ways(waits, taken_value(game, p, roller, x, c), cash_value(game, p, roller))


def value_by_phase(phase: int, ways: Ways) -> float:
    """The value for the player on roll: a double is offered, is possible, or no longer."""
    doubled = min(ways.taken, ways.dropped)
    if phase == TAKE:
        return doubled
    return max(ways.waits, doubled) if phase == CUBE else ways.waits


def cube_value(game: Any, p: Words, roller: int, x: float, c: Chances) -> float:
    """The value of a position for the player on roll by the model, by his chances and what is to
    be done."""
    phase = field(p[4], PHASE, 7)
    if phase in (TAKE, CUBE):
        return value_by_phase(phase, modelled_ways(game, p, roller, x, c))
    return stands(game, p, roller, owner_for(p, roller), field(p[4], LEVEL, 15), x, c)


def stake(game: Any, p: Words) -> float:
    """What winning rather than losing the game as a single one is worth, halved: the cube, or in a
    match what it moves the chances."""
    points = 1 << field(p[4], LEVEL, 15)
    if game.match == 0:
        return float(points)
    m = match_of(game, p, 0)
    return _after_win(m, points) - _after_loss(m, points)


# --- told to people ----------------------------------------------------------------------------


def named(c: Chances) -> dict[str, float]:
    """The chances by name."""
    names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
    return {name: float(value) for name, value in zip(names, c, strict=True)}


def facts(game: Any, p: Words, roller: int, ways: Ways, c: Chances) -> dict[str, object]:
    """What is to be said of a decision at the cube: what each way is worth for the player on roll,
    what is right, and in matches the points at which a live cube is taken and cashed."""
    if not game.may_double(p[4], roller) and field(p[4], PHASE, 7) != TAKE:
        return {}
    waits, taken, dropped = ways
    if min(taken, dropped) > waits:
        right = "double, take" if taken <= dropped else "double, drop"
    else:
        right = "no double, take" if taken <= dropped else "too good to double"
    said: dict[str, object] = {
        "no_double": float(waits), "double_take": float(taken), "double_drop": float(dropped),
        "right": right,
    }  # fmt: skip
    if game.match > 0:
        level = field(p[4], LEVEL, 15)
        _, take, cash = match_live(match_of(game, p, roller), ends_of(c), c[0], CENTRED, level)
        said |= {"take_point": float(take), "cash_point": float(cash)}
        said["match_chance"] = (1 + max(waits, min(taken, dropped))) / 2
    return {"cube": said}
