"""The third part of the report: two plays of one board, searched to the end of the next turn.

White plays, Black answers a roll; White wants the lowest value of WeightingDistance after that,
Black the highest. The report looks at two plays, four rolls and some of the checkers; here also
every play and every roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from petteia.core.words import Words
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.evaluations import EVALUATIONS
from petteia.games.backgammon.face.notation import move_text, places
from petteia.games.backgammon.face.positions import position_of
from petteia.games.backgammon.rules.state import PLAY, parts_of, state_of

__all__ = ["ALL_ROLLS", "PRINTED", "ROLLS", "STATES", "Reply", "board", "mean_value", "plays"]

_WHITE = {2: 1, 5: 2, 12: 4, 17: 2, 19: 6}
_BLACK = {3: 2, 6: 6, 13: 4, 15: 1, 22: 2}
_MIDDLE = range(7, 19)
ROLLS: Mapping[tuple[int, int], float] = {(1, 6): 1.0, (3, 5): 1.0, (2, 3): 1.0, (1, 2): 1.0}
"""The rolls that the report looks at, with equal weights."""
ALL_ROLLS: Mapping[tuple[int, int], float] = {
    (a, b): 1.0 if a == b else 2.0 for a in range(1, 7) for b in range(a, 7)
}
STATES = {"State 1": "12W14 14W19", "State 2": "12W17 12W14"}
PRINTED = {
    "State 1": {(1, 6): 140.67, (3, 5): 141.0, (2, 3): 140.0, (1, 2): 139.33},
    "State 2": {(1, 6): 180.67, (3, 5): 151.0, (2, 3): 150.0, (1, 2): 179.33},
}
"""The utility that the report prints for Black's best answer."""

_COURSE, _OFFICIAL = Backgammon("course"), Backgammon()


class Reply(NamedTuple):
    """An answer of Black and what it makes of White's value."""

    move: str
    value: float


def board() -> Words:
    """The board with White to play 5-2."""
    white, black = [0] * 26, [0] * 26
    for location, count in _WHITE.items():
        white[25 - location] = count
    for location, count in _BLACK.items():
        black[location] = count
    return position_of(white, black, phase=PLAY, first=5, second=2)


def value(p: Words) -> float:
    """WeightingDistance for White; the lower, the better."""
    return -EVALUATIONS["weighting_distance"].of(_COURSE, p, 0)


def after(p: Words, move: int) -> Words:
    """The board after a play, with the dice gone."""
    return _OFFICIAL.moved(p, move)


def plays(p: Words, *, only_middle: bool = False) -> dict[int, str]:
    """The official plays with their text in the report's form."""
    mover = parts_of(p[4])["mover"]
    found = {}
    for move in _OFFICIAL.legal_moves(p):
        starts = places(move, 0)
        if mover == 0:
            starts = [25 - place for place in starts]
        if not only_middle or all(place in _MIDDLE for place in starts):
            found[move] = move_text(_COURSE, p, move)
    return found


def replies(p: Words, roll: tuple[int, int], *, only_middle: bool) -> list[Reply]:
    """Black's answers to a play of White, the worst for White first."""
    state = state_of(phase=PLAY, first=max(roll), second=min(roll), mover=1)
    q = (*p[:4], state)
    found = [
        Reply(text, value(after(q, move)))
        for move, text in plays(q, only_middle=only_middle).items()
    ]
    return sorted(found, key=lambda reply: -reply.value)


def mean_value(
    p: Words, rolls: Mapping[tuple[int, int], float] = ROLLS, *, only_middle: bool
) -> float:
    """The mean over rolls of the value after Black's best answer."""
    total = sum(
        weight * replies(p, roll, only_middle=only_middle)[0].value
        for roll, weight in rolls.items()
    )
    return total / sum(rolls.values())


def ranking(rolls: Mapping[tuple[int, int], float]) -> list[tuple[str, float]]:
    """Every play of White with its mean value, the best first."""
    start = board()
    found = [
        (text, mean_value(after(start, move), rolls, only_middle=False))
        for move, text in plays(start).items()
    ]
    return sorted(found, key=lambda item: item[1])


def named(states: Iterable[str] = STATES) -> dict[str, Words]:
    """The report's two states as positions."""
    start = board()
    return {name: after(start, _COURSE.parse_move(start, STATES[name])) for name in states}
