"""The picture of RoPaSci 360: hexes with Upper's home at the top."""

from __future__ import annotations

from petteia.core.game import SIMULTANEOUS
from petteia.core.view import Action, Cell, Label, Piece, View
from petteia.core.words import Words
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.rules import RoPaSciRules
from petteia.games.ropasci.rules.hexes import HEXES

__all__ = ["actions_of", "view_of"]

_KINDS = {"r": "rock", "p": "paper", "s": "scissors"}
_CELLS = tuple(
    Cell(notation.hex_name(number), (4 + q + r / 2, 4.0 - r), "hex")
    for number, (r, q) in enumerate(HEXES)
)
# A row is named beside its left end, a column of equal q below or to the right of its lower end.
_LABELS = tuple(Label(str(r), (4 + max(-4, -4 - r) + r / 2 - 1, 4.0 - r)) for r in range(-4, 5))


def view_of(game: RoPaSciRules, p: Words, status: str) -> View:
    """The board with the tokens; a stack is one piece with a count."""
    pieces = []
    for number in range(61):
        symbol = notation.symbol_on(p, number)
        for owner, count in enumerate(notation.counts_at(p, number)):
            if count:
                letter = symbol.upper() if owner == 0 else symbol
                name = notation.hex_name(number)
                pieces.append(Piece(name, owner, letter, _KINDS[symbol], count))
    left = [game.throws - game.thrown(p, player) for player in (0, 1)]
    throws = f"throws left {left[0]} and {left[1]}"
    return View(
        game=str(game), size=(9, 9), cells=_CELLS, pieces=tuple(pieces), labels=_LABELS,
        status=f"turn {game.turn(p)}, {throws}; {status}", actions=actions_of(game, p),
        players=game.players, tallies=tuple(f"{count} throws left" for count in left),
    )  # fmt: skip


def actions_of(game: RoPaSciRules, p: Words) -> tuple[Action, ...]:
    """The moves of both players as paths; a throw is a path of one hex."""
    if game.kind(p) != SIMULTANEOUS:
        return ()
    found = []
    for player in (0, 1):
        for move in game.legal_moves(p, player):
            source, target = divmod(move, 64)
            path = (target,) if source > 60 else (source, target)
            names = tuple(notation.hex_name(number) for number in path)
            found.append(Action(notation.move_text(move), names, player=player))
    return tuple(found)
