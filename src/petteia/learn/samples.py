"""Positions to learn from: how both players see each, what a search said, how the game ended."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, load
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.core.writing import writing_whole
from petteia.learn.network import shape_of

__all__ = [
    "Samples", "Views", "averaged", "bits", "joined", "newest", "permutations", "read", "views",
    "write",
]  # fmt: skip


class Samples(NamedTuple):
    """Positions, one a row; everything speaks for the mover."""

    own: np.ndarray
    """(n, words): the mover's view."""
    other: np.ndarray
    """(n, words): the view of the one who waits."""
    mover: np.ndarray
    value: np.ndarray
    """What the search said, in its evaluation's units; not a number where that says nothing. In
    games of which networks tell the points: the odds that belong to them, as networks do."""
    result: np.ndarray
    """1 for a game that was won, 1/2 for a draw; where networks tell the points, 1 for the most
    that a game brings."""
    game: np.ndarray
    """The number of the game: held-out positions are of games that training never saw."""


def joined(parts: Sequence[Samples]) -> Samples:
    """All of them; games get numbers of their own."""
    last, games = 0, []
    for part in parts:
        games.append(part.game + last)
        last += int(part.game.max(initial=-1)) + 1
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Samples(*columns)._replace(game=np.concatenate(games))


def newest(samples: Samples) -> np.ndarray:
    """The rows of all positions, each once; of several the last, whose search knew most."""
    key = _keys(samples, samples.mover)
    found = len(key) - 1 - np.unique(key[::-1], return_index=True)[1]
    return np.sort(found)


def averaged(samples: Samples, goals: np.ndarray, groups: np.ndarray) -> tuple[Samples, np.ndarray]:
    """All positions, each once in every group of rows, with the mean of its goals: where chance
    plays, each goal is a throw of the dice."""
    key = _keys(samples, samples.mover.astype(np.uint64) | groups.astype(np.uint64) << np.uint64(1))
    _, first, place, count = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    means = (np.bincount(place, weights=goals) / count).astype(np.float32)
    return Samples(*(column[first] for column in samples)), means


def _keys(samples: Samples, apart: np.ndarray) -> np.ndarray:
    """A number for each position; equal ones must be equal in ``apart`` too to share it."""
    key = apart.astype(np.uint64)
    for column in (*samples.own.T, *samples.other.T):
        key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key


class Views(NamedTuple):
    """How positions look, one a row."""

    own: np.ndarray
    other: np.ndarray
    mover: np.ndarray


@kernel
def write_views(game: Any, rows: np.ndarray, into: Views) -> None:
    """The views of many positions."""
    for row in range(len(rows)):
        p = load(rows, row, game.start())
        mover = into.mover[row] = game.mover(p)
        mine, theirs = game.seen_by(p, mover), game.seen_by(p, 1 - mover)
        for i in range(len(mine)):
            into.own[row, i] = mine[i]
            into.other[row, i] = theirs[i]


def views(game: Game, positions: Sequence[Words] | np.ndarray) -> Views:
    """How the mover of each position sees it, and how the other one does."""
    words, _ = shape_of(game)
    rows = np.array(positions, np.uint64).reshape(len(positions), len(game.start()))
    own, other = (np.zeros((len(rows), words), np.uint64) for _ in range(2))
    found = Views(own, other, np.zeros(len(rows), np.int64))
    write_views(game, rows, found)
    return found


def write(path: Path, samples: Samples) -> None:
    """Keeps samples in a file."""
    with writing_whole(path) as file:
        np.savez(file, **samples._asdict())


def read(path: Path) -> Samples:
    """The samples of a file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            return Samples(*(found[field] for field in Samples._fields))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise PetteiaError(f"{path} does not hold positions to learn from") from None


def bits(words: np.ndarray) -> np.ndarray:
    """(n, words) as (n, words x 64) zeros and ones."""
    octets = np.ascontiguousarray(words).view(np.uint8).reshape(len(words), -1)
    return np.unpackbits(octets, axis=1, bitorder="little")


def permutations(game: Game, positions: Sequence[Words]) -> list[np.ndarray]:
    """The game's symmetries as permutations of a view's bits, found on these positions.

    A symmetry moves bits, so a bit of the view and the one it moves to have the same history over
    all positions. What is no permutation (an exchange of colours, which the views take out already,
    or a bit that cannot be told from another) is left out.
    """
    images = [game.symmetries(p, game.legal_moves(p)[0]) for p in positions]
    before = bits(views(game, positions).own)
    found = []
    for number in range(min(map(len, images), default=0)):
        after = bits(views(game, [each[number][0] for each in images]).own)
        place = {column.tobytes(): i for i, column in enumerate(after.T)}
        moving = [i for i in range(before.shape[1]) if before[:, i].any()]
        moved = [place.get(before[:, i].tobytes(), -1) for i in moving]
        whole = np.arange(before.shape[1])
        whole[moving] = moved
        is_told_apart = len({before[:, i].tobytes() for i in moving}) == len(moving)
        if is_told_apart and min(moved, default=-1) >= 0 and len(set(moved)) == len(moved):
            found.append(whole)
    known = [np.arange(before.shape[1])]
    for whole in found:
        if not any((whole == each).all() for each in known):
            known.append(whole)
    return known[1:]
