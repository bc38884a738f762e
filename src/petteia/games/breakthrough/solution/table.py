"""The table that the solver leaves behind: the exact value of every position of a small board."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.games.breakthrough.face import BreakthroughFace
from petteia.games.breakthrough.solution.layout import Layout, layout_of
from petteia.games.breakthrough.solution.sweep import Exact, is_won
from petteia.games.breakthrough.solution.verify import (
    FULL,
    MOST_PLIES,
    PROGRESS,
    REFUTED,
    Proof,
    consistent,
    ends_hold,
    mover_wins,
    walk,
)
from petteia.solve import TableFile, folder

__all__ = ["KIND", "Values", "table_name", "table_path"]

KIND = "breakthrough-wins"
_PATIENCE = 1 << 20  # positions of a proof that are looked at between two reports
_PATIENCE_SHARED = 1 << 14  # by every thread, before they share out anew what waits
_CHECKED = 20_000  # random positions that are held against their successors


def table_path(game: BreakthroughFace) -> Path:
    """The file of a board's table."""
    return folder() / f"breakthrough-{game.columns}x{game.rows}-filled{game.filled}.table"


def table_name(game: BreakthroughFace) -> str:
    """The board as the table calls it: who begins is no part of it."""
    return f"breakthrough(columns={game.columns}, rows={game.rows}, filled={game.filled})"


class Values:
    """The exact value of every position of a board."""

    def __init__(self, game: BreakthroughFace, layout: Layout, bits: np.ndarray) -> None:
        self.game, self.layout, self.bits = game, layout, bits
        self._exact = Exact(layout, bits)
        self._out = np.empty(3 * game.max_moves, np.int64)

    @classmethod
    def load(cls, game: BreakthroughFace) -> Values:
        """The table that ``petteia solve`` has left."""
        path = table_path(game)
        if not path.exists():
            raise PetteiaError(
                f"{game} is not solved yet; petteia solve {table_name(game)!r} does it"
            )
        found = TableFile.open(path, KIND, table_name(game))
        return cls(game, layout_of(game), np.asarray(found.data))

    def mover_wins(self, p: Words) -> bool:
        """Whether the player to move wins against every defence."""
        return bool(mover_wins(self.game, p, self._out, self._exact))

    @property
    def first_wins(self) -> bool:
        """Whether the player who begins wins the game."""
        home = int(self.game.homes[0])
        return bool(is_won(self._exact, home, home))

    def winning_moves(self, p: Words) -> list[int]:
        """The moves after which the mover still wins."""
        game = self.game
        return [m for m in game.legal_moves(p) if not self.mover_wins(game.play(p, m))]

    def check(self, count: int = _CHECKED, seed: int = 0) -> int:
        """Holds random values against those of their successors, found by the rules themselves.

        Returns how many were looked up in the table rather than seen at a glance.
        """
        state, wrong = np.array([derive(seed, "check")], np.uint64), np.zeros((1, 3), np.uint64)
        seen = consistent(self.game, self._exact, count, state, self._out, wrong)
        if seen < 0:
            p = tuple(U(word) for word in wrong[0])
            raise PetteiaError(f"the table of {self.game} is wrong at {self.game.text(p)!r}")
        return int(seen)

    def check_ends(self) -> dict[int, int]:
        """Holds the ends that the rules call certain against every position of the table.

        Returns how many positions, of the two that are each other's mirror picture only one, have
        which plies to a certain end, 0 where none is seen.
        """
        told, wrong = np.zeros(2 * MOST_PLIES + 1, np.int64), np.zeros((1, 3), np.uint64)
        done = ends_hold(self.game, self._exact, told, wrong)
        if done < 0:
            p = tuple(U(word) for word in wrong[0])
            raise PetteiaError(
                f"{self.game}: the certain end at {self.game.text(p)!r} is not the table's"
            )
        return {int(plies) - MOST_PLIES: int(told[plies]) for plies in np.flatnonzero(told)}

    def prove(
        self,
        bits: int = 24,
        *,
        races: bool = False,
        threads: int = 1,
        report: Callable[[int, int], None] = lambda proven, waiting: None,
    ) -> int:
        """Proves the result of the game by following every line of the loser.

        Each line is followed until the game is over; with ``races`` only until its end is certain
        by the rules' own ``forced``, which takes far fewer positions. Returns how many the proof
        has; room is for ``2**bits``. Several threads may follow a few positions twice, and the
        proof is not the same every time. ``report`` hears how it goes on.
        """
        start = self.game.start()
        winner = int(self.game.mover(start))
        if not self.mover_wins(start):
            winner = 1 - winner
        visited = np.zeros(1 << bits, np.uint64)
        room = (len(visited) - len(visited) // 8) // threads
        proofs = [
            Proof(
                winner, races, self._exact, np.zeros(1, PROGRESS).view(np.recarray)[0],
                np.empty((1 << 16, 3), np.uint64), visited, room, np.empty_like(self._out),
            )
            for _ in range(threads)
        ]  # fmt: skip
        proofs[0].stack[0] = start
        proofs[0].progress.waiting = 1
        patience = _PATIENCE if threads == 1 else _PATIENCE_SHARED
        with ThreadPoolExecutor(threads) as pool:
            while any(proof.progress.waiting for proof in proofs):
                answers = list(pool.map(lambda proof: walk(self.game, proof, patience), proofs))
                report(
                    *(int(sum(p.progress[each] for p in proofs)) for each in ("proven", "waiting"))
                )
                if REFUTED in answers:
                    raise PetteiaError(
                        f"the table of {self.game} does not lead to the end it promises"
                    )
                if FULL in answers:
                    raise PetteiaError(
                        f"the proof of {self.game} has more positions than there is room"
                    )
                _share_out(proofs)
        return int(sum(proof.progress.proven for proof in proofs))


def _share_out(proofs: list[Proof]) -> None:
    """Gives every thread its part of the positions that wait."""
    if len(proofs) == 1:
        return
    waiting = np.concatenate([proof.stack[: proof.progress.waiting] for proof in proofs])
    for number, proof in enumerate(proofs):
        part = waiting[number :: len(proofs)]
        proof.stack[: len(part)] = part
        proof.progress.waiting = len(part)
