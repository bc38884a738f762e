"""RoPaSci 360 as its rules are printed: slow, short, and nothing to do with bitboards.

The rules in ``rules.py`` are compared with these. The board is a dictionary from hexes to lists of
tokens, an upper-case letter for Upper and a lower-case one for Lower; actions are the course's
tuples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["BEATS", "ReferenceGame", "ReferencePosition", "adjacent"]

Hex = tuple[int, int]
Action = tuple[str, "str | Hex", Hex]

BEATS = {"r": "s", "s": "p", "p": "r"}
HEXES = [(r, q) for r in range(-4, 5) for q in range(-4, 5) if abs(r + q) <= 4]


def adjacent(x: Hex) -> list[Hex]:
    """The hexes beside a hex."""
    steps = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
    return [(x[0] + r, x[1] + q) for r, q in steps if (x[0] + r, x[1] + q) in HEXES]


@dataclass(frozen=True)
class ReferencePosition:
    """What lies on the board, and what was thrown."""

    board: dict[Hex, list[str]] = field(default_factory=dict)
    throws: tuple[int, int] = (0, 0)
    turn: int = 0

    def snapshot(self) -> object:
        """What must be the same for a repetition."""
        tokens = [(x, *sorted(here)) for x, here in self.board.items()]
        return (tuple(sorted(tokens)), self.throws)

    def tokens(self, player: int) -> list[str]:
        """The symbols of all tokens of a player."""
        every = [token for here in self.board.values() for token in here]
        return [token.lower() for token in every if token.isupper() == (player == 0)]


@dataclass(frozen=True)
class ReferenceGame:
    """The rules."""

    def actions(self, position: ReferencePosition, player: int) -> set[Action]:
        """Everything that a player may do."""
        return set(self._throws(position, player)) | set(self._steps(position, player))

    def _throws(self, position: ReferencePosition, player: int) -> Iterator[Action]:
        made = position.throws[player]
        for r, q in HEXES if made < 9 else []:
            if (r if player == 0 else -r) >= 4 - made:
                for symbol in "rps":
                    yield ("THROW", symbol, (r, q))

    def _steps(self, position: ReferencePosition, player: int) -> Iterator[Action]:
        own = {
            x
            for x, here in position.board.items()
            if any(token.isupper() == (player == 0) for token in here)
        }
        for x in own:
            for y in adjacent(x):
                yield ("SLIDE", x, y)
                if y in own:
                    for z in adjacent(y):
                        if z != x and z not in adjacent(x):
                            yield ("SWING", x, z)

    def play(self, position: ReferencePosition, upper: Action, lower: Action) -> ReferencePosition:
        """The position after both actions, resolved together."""
        board = {x: list(here) for x, here in position.board.items()}
        throws = list(position.throws)
        landing = []
        for player, (kind, what, target) in enumerate((upper, lower)):
            if kind == "THROW":
                assert isinstance(what, str)
                token = what.upper() if player == 0 else what
                throws[player] += 1
            else:
                assert isinstance(what, tuple)
                token = next(t for t in board[what] if t.isupper() == (player == 0))
                board[what].remove(token)
            landing.append((target, token))
        for target, token in landing:
            board.setdefault(target, []).append(token)
        for target, _ in landing:
            symbols = {token.lower() for token in board[target]}
            beaten = set("rps") if len(symbols) == 3 else {BEATS[symbol] for symbol in symbols}
            board[target] = [token for token in board[target] if token.lower() not in beaten]
        left = {x: here for x, here in board.items() if here}
        return ReferencePosition(left, (throws[0], throws[1]), position.turn + 1)

    def invincible(self, position: ReferencePosition, player: int) -> bool:
        """Whether a player has a token that nothing can ever beat."""
        if position.throws[1 - player] < 9:
            return False
        threats = position.tokens(1 - player)
        return any(
            all(BEATS[threat] != symbol for threat in threats) for symbol in position.tokens(player)
        )

    def end(self, position: ReferencePosition, seen: Counter[object]) -> str | None:
        """The result in the referee's words, or None while the game goes on.

        ``seen`` counts how often each snapshot occurred, this one included.
        """
        left = [9 - made for made in position.throws]
        count = [len(position.tokens(player)) for player in (0, 1)]
        gone = [left[player] == 0 and count[player] == 0 for player in (0, 1)]
        if all(gone):
            return "draw: no remaining tokens or throws"
        if any(gone):
            return "winner: lower" if gone[0] else "winner: upper"
        safe = [self.invincible(position, player) for player in (0, 1)]
        if all(safe):
            return "draw: both players have an invincible token"
        for player, name in enumerate(("upper", "lower")):
            if safe[player] and left[1 - player] == 0 and count[1 - player] == 1:
                return f"winner: {name}"
        if seen[position.snapshot()] >= 3:
            return "draw: same game state occurred for 3rd time"
        if position.turn >= 360:
            return "draw: maximum number of turns reached"
        return None
