"""The board as a picture: three rows of squares, hands and homes in the gap, the dice.

Positions with numbered pieces are drawn as the report draws them, upright, with its names.
"""

from __future__ import annotations

from petteia.core.game import CHANCE, DECISION
from petteia.core.view import Action, Cell, Label, Piece, View
from petteia.core.words import Words
from petteia.games.ur.face import notation
from petteia.games.ur.rules import PASS, UrRules

__all__ = ["actions", "view"]


def _cell_id(game: UrRules, p: Words, player: int, square: int) -> str:
    if p[1]:
        return notation.cell_name(game, player, square)
    name = notation.square_name(game, player, square)
    return f"{name}-{'ld'[player]}" if name in ("hand", "home") else name


def _place(game: UrRules, p: Words, player: int, square: int) -> tuple[float, float]:
    """Where a square lies: the hand and the home fill the gap in a side's own row."""
    along, row = (4, 0) if square == 0 else (5, 0)
    if 0 < square <= game.squares:
        tile = notation.tile_of(game, player, square)
        along, row = int(tile[1:]) - 1, "ABC".index(tile[0])
    elif player == 1:
        row = 2
    return (row, along) if p[1] else (along, 2 - row)


def view(game: UrRules, p: Words, status: str) -> View:
    """The picture of a position."""
    cells: dict[str, Cell] = {}
    for player in (0, 1):
        for square in range(game.squares + 2):
            name = _cell_id(game, p, player, square)
            mark = "start" if square == 0 else "end" if square > game.squares else ""
            if int(game.rosettes) >> square & 1:
                mark = "rosette"
            cells[name] = Cell(name, _place(game, p, player, square), mark=mark)
    roll = int(game.roll(p))
    dice: tuple[int, ...] = ()
    if roll >= 0:
        marks = 0 if game.dice_count == 3 and roll == 4 else roll
        dice = tuple(int(n < marks) for n in range(game.dice_count))
    length = game.rule_set.length
    if p[1]:
        labels = [Label("LMR"[n], (n, -1)) for n in range(3)]
        labels += [Label(str(n), (-1, n)) for n in range(length)]
    else:
        labels = [Label(chr(97 + n), (n, 3)) for n in range(length)]
        labels += [Label(str(3 - n), (-1, n)) for n in range(3)]
    return View(
        game=str(game),
        size=(3, length) if p[1] else (length, 3),
        cells=tuple(cells.values()),
        pieces=tuple(_pieces(game, p)),
        labels=tuple(labels),
        players=game.players,
        mover=int(game.mover(p)) if game.kind(p) in (DECISION, CHANCE) else None,
        dice=dice,
        status=status,
        actions=actions(game, p),
        tracks=tuple(
            tuple(_cell_id(game, p, player, square) for square in range(game.squares + 2))
            for player in (0, 1)
        ),
    )


def _pieces(game: UrRules, p: Words) -> list[Piece]:
    found = []
    for player in (0, 1):
        numbered = notation.numbered_places(game, p, player)
        if numbered is not None:
            for number, place in enumerate(numbered):
                name = _cell_id(game, p, player, place)
                found.append(Piece(name, player, f"{'LR'[player]}{number}"))
            continue
        counts = {0: int(game.hand(p, player)), game.squares + 1: int(game.home(p, player))}
        counts |= dict.fromkeys(notation.squares_of(game, p, player), 1)
        for square, count in counts.items():
            if count:
                name = _cell_id(game, p, player, square)
                found.append(Piece(name, player, "ld"[player], count=count))
    return found


def actions(game: UrRules, p: Words) -> tuple[Action, ...]:
    """The legal moves as paths over the squares that a piece passes."""
    if game.kind(p) != DECISION:
        return ()
    player, roll = int(game.mover(p)), int(game.roll(p))
    found = []
    for move in game.legal_moves(p):
        text = notation.move_text(game, p, move)
        if move == PASS:
            found.append(Action(text))
            continue
        source = move & 31
        target = source + roll
        path = tuple(_cell_id(game, p, player, n) for n in range(source, target + 1))
        taken = target <= game.squares and game.meets[target]
        enemy = int(game.side(p, 1 - player))
        captures = (path[-1],) if taken and enemy >> game.meets[target] & 1 else ()
        found.append(Action(text, path, captures))
    return tuple(found)
