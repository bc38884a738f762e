"""A board of dictionaries with three ways to look one turn ahead, for measuring what each costs.

The report's program copied the whole game with ``deepcopy`` for every pair of actions, and then
found that taking a turn back is far cheaper. Here are both, and a plain copy between them.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from petteia.games.ropasci.reference import BEATS, HEXES, Action, Hex

__all__ = ["DictBoard", "after_copy", "after_deepcopy"]


@dataclass
class DictBoard:
    """Every hex with its tokens, and the throws made."""

    board: dict[Hex, list[str]] = field(default_factory=lambda: {x: [] for x in HEXES})
    throws: list[int] = field(default_factory=lambda: [0, 0])

    def make(self, upper: Action, lower: Action) -> list[tuple[Hex, list[str]]]:
        """Plays a turn; gives what stood on the hexes that it changed, for taking it back."""
        before: list[tuple[Hex, list[str]]] = []
        landing = []
        for player, (kind, what, target) in enumerate((upper, lower)):
            if kind == "THROW":
                token = str(what).upper() if player == 0 else str(what)
                self.throws[player] += 1
            else:
                assert isinstance(what, tuple)
                here = self.board[what]
                token = next(t for t in here if t.isupper() == (player == 0))
                before.append((what, here))
                left = list(here)
                left.remove(token)
                self.board[what] = left
            landing.append((target, token))
        for target, token in landing:
            before.append((target, self.board[target]))
            self.board[target] = [*self.board[target], token]
        for target, _ in landing:
            here = self.board[target]
            symbols = {token.lower() for token in here}
            if len(symbols) > 1:
                beaten = set("rps") if len(symbols) == 3 else {BEATS[s] for s in symbols}
                self.board[target] = [t for t in here if t.lower() not in beaten]
        return before

    def undo(self, upper: Action, lower: Action, before: list[tuple[Hex, list[str]]]) -> None:
        """Takes a turn back."""
        for place, here in reversed(before):
            self.board[place] = here
        for player, action in enumerate((upper, lower)):
            self.throws[player] -= action[0] == "THROW"


def after_deepcopy(position: DictBoard, upper: Action, lower: Action) -> DictBoard:
    """The next position, everything copied."""
    after = copy.deepcopy(position)
    after.make(upper, lower)
    return after


def after_copy(position: DictBoard, upper: Action, lower: Action) -> DictBoard:
    """The next position, the dictionary copied; lists are never changed in place."""
    after = DictBoard(dict(position.board), list(position.throws))
    after.make(upper, lower)
    return after
