"""A player of RoPaSci 360 in one file, for machines that have Python 3.6 and NumPy and no more.

    python -m referee plain_player plain_player

Copy this file beside the folder of the course's referee; nothing else of Petteia is needed. It
plays an equilibrium one turn deep: the matrix of what every pair of actions leads to, solved by
regret matching. Most pairs do not touch each other, so their values add up; the others are played
out one by one. A turn takes about a tenth of a second of the 60 s.
"""
# ruff: noqa: UP006, UP035  (Python 3.6 has no list[int])

import random
import time
from typing import Any, Dict, List, Tuple

import numpy as np

__all__ = ["Player"]

Hex = Tuple[int, int]
Action = Tuple[int, int, int]  # the symbol that moves, from which hex (-1: a throw), to which

SYMBOLS = "rps"  # each beats the one before it; rock beats scissors
HEXES: List[Hex] = [(r, q) for r in range(-4, 5) for q in range(-4, 5) if -4 <= r + q <= 4]
NUMBER = {place: number for number, place in enumerate(HEXES)}
STEPS = np.array(
    [[max(abs(r - s), abs(q - t), abs(r - s + q - t)) for s, t in HEXES] for r, q in HEXES]
)
NEAR = 1.0 / np.maximum(STEPS, 1)
BESIDE = [[int(n) for n in np.flatnonzero(row == 1)] for row in STEPS]
THROWS = 9

TOKEN, THROW, PRESSURE, INVINCIBLE, STACKED, WIN = 10.0, 3.0, 3.0, 12.0, 1.5, 300.0
SECONDS = 45.0  # of processor time for a whole game; beyond it only single actions are compared
ROUNDS = 300


def harmonic(throws: int) -> float:
    """1 + 1/2 + ... + 1/throws: the fewer there are, the more one is worth."""
    return sum(1.0 / k for k in range(1, throws + 1))


class Board:
    """Tokens by player, symbol and hex, and the throws that are left."""

    def __init__(self, tokens: Any = None, left: Tuple[int, int] = (THROWS, THROWS)) -> None:
        self.tokens = np.zeros((2, 3, len(HEXES)), int) if tokens is None else tokens
        self.left = left

    def actions(self, player: int) -> List[Action]:
        """Everything that a player may do."""
        own = self.tokens[player]
        standing = {int(n) for n in np.flatnonzero(own.sum(axis=0))}
        found: List[Action] = []
        for source in sorted(standing):
            symbol = int(np.argmax(own[:, source]))
            targets = set(BESIDE[source])
            for pivot in BESIDE[source]:
                if pivot in standing:
                    targets.update(BESIDE[pivot])
            targets.discard(source)
            found.extend((symbol, source, target) for target in sorted(targets))
        if self.left[player]:
            row = 4 - (THROWS - self.left[player])
            side = 1 if player == 0 else -1
            for target, (r, _) in enumerate(HEXES):
                if side * r >= row:
                    found.extend((symbol, -1, target) for symbol in range(3))
        return found

    def after(self, upper: Any, lower: Any) -> "Board":
        """The board after both actions; None is no action."""
        tokens, left = self.tokens.copy(), list(self.left)
        targets = set()
        for player, action in enumerate((upper, lower)):
            if action is None:
                continue
            symbol, source, target = action
            if source < 0:
                left[player] -= 1
            else:
                tokens[player, symbol, source] -= 1
            tokens[player, symbol, target] += 1
            targets.add(target)
        for target in targets:
            present = np.asarray(tokens[:, :, target].any(axis=0))
            beaten = [present[(symbol + 1) % 3] for symbol in range(3)]
            tokens[:, beaten, target] = 0
        return Board(tokens, (left[0], left[1]))

    def value(self, player: int) -> float:
        """How good the board is for a player."""
        own, enemy = self._side(player), self._side(1 - player)
        if own is None or enemy is None:
            return 0.0 if own is enemy else (WIN if enemy is None else -WIN)
        return own - enemy

    def _side(self, player: int) -> Any:
        """One side's part of the value; None if it has lost."""
        own, enemy = self.tokens[player], self.tokens[1 - player]
        counts, left = own.sum(axis=1), self.left[player]
        if counts.sum() + left == 0:
            return None
        value = TOKEN * (counts.sum() + left) + THROW * harmonic(left)
        value -= STACKED * (counts.sum() - int((own.sum(axis=0) > 0).sum()))
        for symbol in range(3):
            if counts[symbol] == 0:
                continue
            prey = np.flatnonzero(enemy[(symbol + 2) % 3])
            if len(prey):
                hunters = np.flatnonzero(own[symbol])
                nearest = NEAR[np.ix_(prey, hunters)].max(axis=1)
                value += PRESSURE * float((nearest * enemy[(symbol + 2) % 3, prey]).sum())
            if self.left[1 - player] == 0 and not enemy[(symbol + 1) % 3].any():
                value += INVINCIBLE
        return value


def matrix(board: Board, player: int, own: List[Action], enemy: List[Action]) -> np.ndarray:
    """What every pair of actions leads to, for the player, own actions as rows."""

    def played(mine: Any, theirs: Any) -> float:
        pair = (mine, theirs) if player == 0 else (theirs, mine)
        return board.after(*pair).value(player)

    here = board.value(player)
    alone = np.array([played(action, None) for action in own])
    other = np.array([played(None, action) for action in enemy])
    found = alone[:, None] + other[None, :] - here
    to, come = (np.array([a[2] for a in side]) for side in (own, enemy))
    leave, go = (np.array([a[1] for a in side]) for side in (own, enemy))
    touch = (to[:, None] == come) | (to[:, None] == go) | (leave[:, None] == come)
    for i, j in zip(*np.nonzero(touch)):  # noqa: B905  (Python 3.6 knows no strict)
        found[i, j] = played(own[i], enemy[j])
    return found


def equilibrium(payoffs: np.ndarray, rounds: int = ROUNDS) -> np.ndarray:
    """The row player's strategy, by regret matching+ with linear averages."""
    rows, columns = payoffs.shape
    regrets = [np.zeros(rows), np.zeros(columns)]
    mixed = [np.full(rows, 1.0 / rows), np.full(columns, 1.0 / columns)]
    total = np.zeros(rows)
    for step in range(1, rounds + 1):
        gains = payoffs.dot(mixed[1])
        regrets[0] = np.maximum(regrets[0] + gains - mixed[0].dot(gains), 0)
        if regrets[0].any():
            mixed[0] = regrets[0] / regrets[0].sum()
        total += step * mixed[0]
        losses = -mixed[0].dot(payoffs)
        regrets[1] = np.maximum(regrets[1] + losses - mixed[1].dot(losses), 0)
        if regrets[1].any():
            mixed[1] = regrets[1] / regrets[1].sum()
    return total / total.sum()


class Player:
    """Plays RoPaSci 360 for the course's referee."""

    def __init__(self, player: str) -> None:
        self.side = ("upper", "lower").index(player)
        self.board = Board()
        self.seen: Dict[bytes, int] = {}
        self.used = 0.0
        self.dice = random.SystemRandom()

    def action(self) -> Tuple[Any, ...]:
        """What to do this turn."""
        started = time.process_time()
        own = self.board.actions(self.side)
        if self.used < SECONDS:
            payoffs = matrix(self.board, self.side, own, self.board.actions(1 - self.side))
            payoffs += np.array([self._repeats(action) for action in own])[:, None]
            chances = equilibrium(payoffs)
        else:
            chances = np.full(len(own), 1.0 / len(own))
        point, place = self.dice.random(), 0
        while place < len(own) - 1 and point >= chances[place]:
            point -= chances[place]
            place += 1
        self.used += time.process_time() - started
        return told(own[place])

    def _repeats(self, action: Action) -> float:
        """A little less for a board of one's own that stood before: nothing is won in circles."""
        pair = (action, None) if self.side == 0 else (None, action)
        return -0.5 * self.seen.get(self.board.after(*pair).tokens[self.side].tobytes(), 0)

    def update(self, opponent_action: Tuple[Any, ...], player_action: Tuple[Any, ...]) -> None:
        """What both did in the turn that is over."""
        both = (player_action, opponent_action)
        first, second = both if self.side == 0 else both[::-1]
        self.board = self.board.after(
            understood(self.board, 0, first), understood(self.board, 1, second)
        )
        key = self.board.tokens[self.side].tobytes()
        self.seen[key] = self.seen.get(key, 0) + 1


def told(action: Action) -> Tuple[Any, ...]:
    """An action as the course's tuple."""
    symbol, source, target = action
    if source < 0:
        return ("THROW", SYMBOLS[symbol], HEXES[target])
    kind = "SLIDE" if STEPS[source, target] == 1 else "SWING"
    return (kind, HEXES[source], HEXES[target])


def understood(board: Board, player: int, given: Tuple[Any, ...]) -> Action:
    """An action from the course's tuple."""
    if given[0] == "THROW":
        return (SYMBOLS.index(given[1]), -1, NUMBER[tuple(given[2])])
    source, target = NUMBER[tuple(given[1])], NUMBER[tuple(given[2])]
    return (int(np.argmax(board.tokens[player][:, source])), source, target)
