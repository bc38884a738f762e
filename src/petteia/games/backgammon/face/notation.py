"""How plays are written: ``8/5 6/5*``, ``bar/20``, ``3/off``, and the report's ``12W14 14W19``.

In the usual notation both players count their own points down to 1. The report counts as its
framework does: White goes up from 1 to 24, Black down, White's bar is 0 and Black's 25.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from petteia.core.errors import PetteiaError
from petteia.core.words import Words
from petteia.games.backgammon.rules import BackgammonRules
from petteia.games.backgammon.rules.board import BAR
from petteia.games.backgammon.rules.plays import ADDED, HITS, PLACE
from petteia.games.backgammon.rules.state import (
    CUBE,
    FIRST,
    OPENING,
    PHASE,
    PLAY,
    ROLL,
    SECOND,
    TAKE,
    parts_of,
)

__all__ = ["dice_of", "move_text", "parse_move", "steps_of"]

_CUBE = ("roll", "double")
_TAKE = ("take", "drop", "beaver")
PASS = "pass"
_PASSES = ("pass", "", "cannot move", "no move", "-")
_HOP = re.compile(r"(bar|\d{1,2})\*?((?:[/-](?:bar|off|\d{1,2})\*?)+)(?:\((\d)\))?", re.IGNORECASE)
_REPORT = re.compile(r"(\d{1,2})([WB])(\d{1,2})\*?", re.IGNORECASE)

Path = tuple[int, ...]
"""The places of one checker from the first to the last; 0 is off."""


def places(play: int, shift: int) -> list[int]:
    """The places that a play names from a shift on."""
    found, rest = [], play >> shift & 0xFFFFF
    while rest:
        found.append(rest & PLACE)
        rest >>= 5
    return found


def play_of(removed: Iterable[int], added: Iterable[int], hits: Iterable[int]) -> int:
    """The play that takes checkers from some places, puts them on others, and hits."""
    lost, gained = list(removed), [place for place in added if place > 0]
    for place in list(gained):
        if place in lost:
            lost.remove(place)
            gained.remove(place)
    play = 0
    for shift, group in ((0, lost), (ADDED, gained), (HITS, list(hits))):
        for index, place in enumerate(sorted(group, reverse=True)):
            play |= place << (shift + 5 * index)
    return play


def dice_of(first: int, second: int) -> list[int]:
    """The steps that a roll allows."""
    return [first] * 4 if first == second else [first, second]


# --- writing -----------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def paths_of(play: int, first: int, second: int, shut: int, blots: int) -> tuple[Path, ...]:
    """How checkers may have gone so that a play came about, the farthest first.

    ``shut`` are the points where no checker may have stopped and ``blots`` those that it must not
    have stopped on unless they are hit, both as masks.
    """
    hits = set(places(play, HITS))
    targets = places(play, ADDED)
    starts = places(play, 0)
    targets += [0] * (len(starts) - len(targets))

    def walk(paths: tuple[Path, ...], left: tuple[int, ...]) -> tuple[Path, ...] | None:
        if sorted((path[-1] for path in paths), reverse=True) == targets:
            stops = {place for path in paths for place in path[1:] if place}
            if hits <= stops:
                return paths
        for index in sorted(range(len(paths)), key=lambda i: -paths[i][-1]):
            place = paths[index][-1]
            if not place or paths[index] in paths[:index]:
                continue
            for die in dict.fromkeys(left):
                to = max(place - die, 0)
                if shut >> to & 1 or (blots >> to & 1 and to not in hits):
                    continue
                rest = list(left)
                rest.remove(die)
                longer = (*paths[:index], (*paths[index], to), *paths[index + 1 :])
                found = walk(longer, tuple(rest))
                if found is not None:
                    return found
        return None

    found = walk(tuple((place,) for place in starts), tuple(dice_of(first, second)))
    return found if found is not None else tuple(zip(starts, targets, strict=True))


def _masks(p: Words, mover: int) -> tuple[int, int]:
    """The enemy's points and blots in the mover's numbering; in plain numbers, which is faster."""
    a, b = (int(p[2]), int(p[3])) if mover == 0 else (int(p[0]), int(p[1]))
    many = (b | (a | b) >> 32) & 0x1FFFFFE
    alone = a & ~many & 0x1FFFFFE
    return int(f"{many:026b}"[::-1], 2), int(f"{alone:026b}"[::-1], 2)


@lru_cache(maxsize=100_000)
def _on_the_way(play: int, first: int, second: int) -> int:
    """The places where a checker of a play can have stopped, as a mask."""
    sums = [first * k for k in range(1, 5)] if first == second else [first, second, first + second]
    reached = {place - way for place in places(play, 0) for way in sums}
    return sum(1 << place for place in reached if place > 0)


def _paths(p: Words, move: int) -> tuple[Path, ...]:
    """The paths of a play in a position. Only what stood on the way is asked about, so that most
    answers are known from other positions."""
    state = int(p[4])
    dice, way = _dice(state), _on_the_way(int(move), *_dice(state))
    shut, blots = _masks(p, state & 1)
    return paths_of(int(move), *dice, shut & way, blots & way)


def steps_of(p: Words, move: int) -> list[tuple[int, int]]:
    """A play as single steps (from, to) in the mover's numbering; 25 is the bar and 0 off."""
    steps = [step for path in _paths(p, move) for step in itertools.pairwise(path)]
    return sorted(steps, key=lambda step: -step[0])


def _dice(state: int) -> tuple[int, int]:
    return state >> FIRST & 7, state >> SECOND & 7


def move_text(game: BackgammonRules, p: Words, move: int) -> str:
    """A play, a decision at the cube, or a throw."""
    state = int(p[4])
    phase = state >> PHASE & 7
    if phase == PLAY:
        if move == 0:
            return PASS
        if game.course:
            return _report_text(_paths(p, move), state & 1)
        return _usual_text(int(move), *_dice(state))
    if phase == CUBE:
        return _CUBE[move]
    if phase == TAKE:
        return _TAKE[move]
    return _throw_text(game.course, phase == OPENING, int(move))


@lru_cache(maxsize=1000)
def _throw_text(course: bool, opening: bool, throw: int) -> str:
    """``52``; at the opening White's die and Black's, ``5-2``, or by course rules ``w52``."""
    first, second = throw >> 3 & 7, throw & 7
    if not opening:
        return f"{first}{second}"
    if course:
        return f"{'wb'[throw >> 6]}{first}{second}"
    return f"{first}-{second}" if throw >> 6 == 0 else f"{second}-{first}"


@lru_cache(maxsize=100_000)
def _usual_text(play: int, first: int, second: int) -> str:
    hits = set(places(play, HITS))
    texts: dict[str, int] = {}
    for path in paths_of(play, first, second, 0, 0):
        # Only stops with a hit are told; a point is hit once, by the checker that comes first.
        shown = [path[0], *(place for place in path[1:-1] if place in hits), path[-1]]
        text = _name(shown[0])
        for place in shown[1:]:
            text += f"/{_name(place)}{'*' if place in hits else ''}"
            hits.discard(place)
        texts[text] = texts.get(text, 0) + 1
    return " ".join(f"{text}({count})" if count > 1 else text for text, count in texts.items())


def _name(place: int) -> str:
    return "bar" if place == BAR else "off" if place == 0 else str(place)


@lru_cache(maxsize=100_000)
def _report_text(paths: tuple[Path, ...], mover: int) -> str:
    def shown(place: int) -> int:
        return BAR - place if mover == 0 else place

    steps = [step for path in paths for step in itertools.pairwise(path)]
    steps.sort(key=lambda step: -step[0])
    return " ".join(f"{shown(a)}{'WB'[mover]}{shown(b)}" for a, b in steps)


# --- reading -----------------------------------------------------------------------------------


def parse_move(game: BackgammonRules, p: Words, text: str) -> int:
    """The legal move that a text means: in any order of steps, with or without the stars."""
    parts = parts_of(p[4])
    phase, wanted = parts["phase"], " ".join(text.split()).lower()
    if phase in (CUBE, TAKE):
        options = _CUBE if phase == CUBE else _TAKE[: 3 if game.beaver else 2]
        if wanted not in options:
            raise PetteiaError(f"{text.strip()!r} is not possible here; {' or '.join(options)} is")
        return options.index(wanted)
    legal = game.legal_moves(p)
    if phase != PLAY:
        why = "the dice are to be thrown" if phase in (OPENING, ROLL) else "the game is over"
        raise PetteiaError(f"{text.strip()!r} is not a legal move here; {why}")
    if wanted in _PASSES and 0 in legal:
        return 0
    known = set(legal)
    shut, blots = _masks(p, parts["mover"])
    marked: list[int] = []
    fitting: list[int] = []
    paths, stars = _paths_in(text, parts["mover"])
    dice = tuple(dice_of(parts["first"], parts["second"]))
    for whole in _walks(paths, dice):
        stops = {place for path in whole for place in path[1:] if place}
        hits = [place for place in sorted(stops) if blots >> place & 1]
        play = play_of([path[0] for path in whole], [path[-1] for path in whole], hits)
        if play in known and not any(shut >> place & 1 for place in stops):
            (marked if stars == set(hits) else fitting).append(play)
    choices = marked or fitting
    if not choices:
        some = [move_text(game, p, move) for move in legal[:8]]
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        raise PetteiaError(
            f"{text.strip()!r} is not a legal play of {parts['first']}{parts['second']} here; "
            f"legal are {', '.join(some)}{more}"
        )
    return choices[0]


def _paths_in(text: str, mover: int) -> tuple[list[Path], set[int]]:
    """The written paths in the mover's numbering, and the places with a star."""
    paths: list[Path] = []
    stars: set[int] = set()
    for word in text.replace(",", " ").split():
        report, usual = _REPORT.fullmatch(word), _HOP.fullmatch(word)
        if report:
            if "WB".index(report[2].upper()) != mover:
                raise PetteiaError(f"{word!r} moves the other player's checker")
            ends = [int(report[1]), int(report[3])]
            path = tuple(BAR - place if mover == 0 else place for place in ends)
            times = 1
        elif usual:
            names = re.split(r"[/-]", f"{usual[1]}{usual[2]}".lower())
            spots = [re.split(r"\*", name)[0] for name in names]
            path = tuple(BAR if s == "bar" else 0 if s == "off" else int(s) for s in spots)
            stars |= {place for place, name in zip(path, names, strict=True) if "*" in name}
            times = int(usual[3] or 1)
        else:
            raise PetteiaError(
                f"{word!r} is not part of a play; expected for instance 8/5, bar/20, 3/off or 12W14"
            )
        falling = all(a > b for a, b in itertools.pairwise(path))
        if not falling or path[0] > BAR or not 1 <= times <= 4:
            raise PetteiaError(f"{word!r} does not go forward on the board")
        paths += [path] * times
    return paths[:8], stars


def _walks(paths: list[Path], dice: tuple[int, ...]) -> Iterator[list[Path]]:
    """Every way to go the paths with the dice, each stop written out."""
    if not paths:
        yield []
        return
    path, *rest = paths
    for whole, left in _walk(path, dice):
        for others in _walks(rest, left):
            yield [whole, *others]


def _walk(path: Path, dice: tuple[int, ...]) -> Iterator[tuple[Path, tuple[int, ...]]]:
    if len(path) == 1:
        yield path, dice
        return
    place, goal = path[0], path[1]
    for die in dict.fromkeys(dice):
        to = max(place - die, 0)
        if to < goal:
            continue
        left = list(dice)
        left.remove(die)
        onward = path[1:] if to == goal else (to, *path[1:])
        for whole, rest in _walk(onward, tuple(left)):
            yield (place, *whole), rest
