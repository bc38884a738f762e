"""What should have been expected: games side by side, the luck of the dice taken out.

At every turn all 21 throws are looked at, each with the best play after it by the networks as they
are. Their mean is what to expect before the throw. One throw falls, and the game goes on with its
best play; what the networks said of that board, less what turns out to be expected there, is their
error, and is passed back turn by turn, less by a factor at each (lambda). So a board learns from
how the game went on, but nothing from how the dice fell: TD(lambda) without luck.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.games.backgammon.evaluations.network import OUTPUTS
from petteia.games.backgammon.learning.boards import (
    FINISHED,
    PROBABILITIES,
    THROWS,
    Boards,
    on_host,
    swapped,
    turned,
)
from petteia.games.backgammon.learning.starts import START, random_starts

__all__ = ["Games", "Played", "Turn", "taught", "turn_of"]

_RARE = 8000
"""Other boards to begin with, at most."""
_HABITS = ((0.6, 0.0, 0), (0.2, 0.1, 1000), (0.2, 0.6, 24))
"""Parts of the players who, with a chance, play anything for so many turns at most."""
_LONGEST = 250
"""Turns after which a game is given up."""


class Turn(NamedTuple):
    """One turn of many boards."""

    expected: Any
    """What to expect before the throw, (n, 5)."""
    begins: Any
    """Where the boards after each throw of each board begin, (n * 21)."""
    counts: Any
    """How many they are."""
    best: Any
    """Which is the best of them."""
    after: Any
    """The boards after all plays, as the other sees them."""
    chances: Any
    """What the networks say of them."""
    flags: Any


class Played(NamedTuple):
    """Turns of games side by side, whose lessons are still to be drawn."""

    now: np.ndarray
    """The boards, (turns, games, 4)."""
    said: np.ndarray
    """What the networks said of them at the end of the turn before, (turns, games, 5)."""
    expected: np.ndarray
    """What was to be expected once all throws had been looked at, (turns, games, 5)."""
    linked: np.ndarray
    """Whether the next turn's board follows from best play, (turns, games)."""


def turn_of(boards: Boards, now: Any) -> Turn:
    """All throws and plays of boards."""
    begins, counts, after = boards.plays(now)
    chances, flags = boards.chances(after)
    best = boards.best(begins, counts, chances)
    values = turned(chances[best]).reshape(len(now), len(THROWS), OUTPUTS)
    expected = (values * boards.probabilities[None, :, None]).sum(1)
    return Turn(expected, begins, counts, best, after, chances, flags)


class Games:
    """Games that go on side by side; whoever is done begins again."""

    def __init__(
        self, boards: Boards, count: int, seed: int, *, usual: float = 0.5, strays: bool = True
    ) -> None:
        """``usual`` is the part of the games that begin with the usual board; ``strays`` tells
        whether some players now and then play anything."""
        self.boards, self.count = boards, count
        self._usual, self._has_strays = usual, strays
        self._dice = np.random.default_rng(seed)
        self._rare = START if usual == 1.0 else random_starts(min(_RARE, 4 * count), seed)
        self._now = np.zeros((count, 4), np.uint64)
        self._age = np.zeros(count, np.int64)
        self._habit = np.zeros((count, 2), np.int64)
        self._begin(np.arange(count))
        self.now = boards.xp.asarray(self._now)
        self.said = boards.xp.zeros((count, OUTPUTS), np.float32)

    def _begin(self, which: np.ndarray) -> np.ndarray:
        """New games in some places; gives their boards."""
        rare = self._rare[self._dice.integers(0, len(self._rare), len(which))]
        usual = self._dice.random(len(which)) < self._usual
        found = np.where(usual[:, None], START, rare)
        self._now[which], self._age[which] = found, 0
        parts = [part for part, _, _ in _HABITS]
        self._habit[which] = self._dice.choice(len(_HABITS), (len(which), 2), p=parts)
        return found

    def _strays(self) -> np.ndarray:
        """Where somebody plays anything this turn."""
        habit = self._habit[np.arange(self.count), self._age & 1]
        chances = np.array([chance for _, chance, _ in _HABITS])[habit] * self._has_strays
        turns = np.array([turns for _, _, turns in _HABITS])[habit]
        found: np.ndarray = (self._dice.random(self.count) < chances) & (self._age < turns)
        return found

    def turn(self) -> tuple[Any, Any]:
        """One turn of every game: what was to be expected before it, and where the next board
        follows from best play."""
        xp, dice = self.boards.xp, self._dice
        turn = turn_of(self.boards, self.now)
        fallen = dice.choice(len(THROWS), self.count, p=PROBABILITIES)
        at = xp.asarray(np.arange(self.count) * len(THROWS) + fallen)
        strays = self._strays()
        share = xp.asarray(dice.random(self.count))
        anything = turn.begins[at] + (share * turn.counts[at]).astype(np.int64)
        chosen = xp.where(xp.asarray(strays), anything, turn.best[at])
        self._age += 1
        done = turn.flags[chosen] & 7 == FINISHED
        done |= xp.asarray(self._age >= _LONGEST)
        self.now, self.said = turn.after[chosen], turn.chances[chosen]
        if done.any():
            over = np.flatnonzero(on_host(done))
            self.now[xp.asarray(over)] = xp.asarray(self._begin(over))
        return turn.expected, ~(done | xp.asarray(strays))

    def played(self, turns: int) -> Played:
        """So many turns of all games."""
        now, said, expected, linked = [], [], [], []
        for _ in range(turns):
            now.append(on_host(self.now))
            said.append(on_host(self.said))
            mean, goes_on = self.turn()
            expected.append(on_host(mean).astype(np.float32))
            linked.append(on_host(goes_on))
        return Played(*(np.stack(each) for each in (now, said, expected, linked)))


def taught(played: Played, lam: float) -> np.ndarray:
    """What to expect of each board, (turns, games, 5), once the errors of those that followed are
    passed back."""
    found = played.expected.copy()
    error = np.zeros_like(found[0])
    for turn in range(len(found) - 1, -1, -1):
        passed = swapped(error)
        passed[:, 0] = -passed[:, 0]
        found[turn] += np.float32(lam) * played.linked[turn][:, None] * passed
        error = found[turn] - played.said[turn]
    return found
