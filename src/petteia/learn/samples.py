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

__all__ = ["Samples", "joined", "newest", "permutations", "read", "views", "write"]


class Samples(NamedTuple):
    """Positions, one a row; everything speaks for the mover."""

    own: np.ndarray
    """(n, words): the mover's view."""
    other: np.ndarray
    """(n, words): the view of the one who waits."""
    mover: np.ndarray
    value: np.ndarray
    """What the search said, in its evaluation's units; not a number where that says nothing."""
    result: np.ndarray
    """1 for a game that was won, 1/2 for a draw."""
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
    key = samples.mover.astype(np.uint64)
    for column in (*samples.own.T, *samples.other.T):
        key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    found = len(key) - 1 - np.unique(key[::-1], return_index=True)[1]
    return np.sort(found)


@kernel
def write_views(game: Any, rows: np.ndarray, own: np.ndarray, other: np.ndarray) -> None:
    """The views of many positions."""
    for row in range(len(rows)):
        p = load(rows, row, game.start())
        mover = game.mover(p)
        mine, theirs = game.seen_by(p, mover), game.seen_by(p, 1 - mover)
        for i in range(len(mine)):
            own[row, i] = mine[i]
            other[row, i] = theirs[i]


def views(game: Game, positions: Sequence[Words]) -> tuple[np.ndarray, np.ndarray]:
    """How the mover of each position sees it, and how the other one does."""
    words, _ = shape_of(game)
    rows = np.array(positions, np.uint64).reshape(len(positions), len(game.start()))
    own, other = (np.zeros((len(rows), words), np.uint64) for _ in range(2))
    write_views(game, rows, own, other)
    return own, other


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
    before = bits(views(game, positions)[0])
    found = []
    for number in range(min(map(len, images), default=0)):
        after = bits(views(game, [each[number][0] for each in images])[0])
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
