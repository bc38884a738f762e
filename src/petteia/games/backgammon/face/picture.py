"""The board as data: four quarters of six points, the bar, and the checkers that are off."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import CHANCE, DECISION
from petteia.core.view import Action, Cell, Cube, Label, Piece, View
from petteia.core.words import Words
from petteia.games.backgammon.face import notation
from petteia.games.backgammon.face.positions import counts_of, parse, position_of, xgid
from petteia.games.backgammon.rules import BackgammonRules
from petteia.games.backgammon.rules.board import BAR, CHECKERS, pips
from petteia.games.backgammon.rules.plays import HITS
from petteia.games.backgammon.rules.state import CENTRED, OPENING, PLAY, ROLL, TAKE, parts_of

__all__ = ["LETTERS", "actions", "edited", "view"]

LETTERS = "WB"

_MIDDLE, _OFF = 6, 13
"""The columns of the bar and of the checkers that are off."""
_HALVES = ((9.5, 1.0), (2.5, 1.0))
"""The middle of the half where each player throws."""


def _cell(game: BackgammonRules, player: int, place: int) -> str:
    """The name of a player's place: points are White's, or those of the course's numbering."""
    if place == BAR:
        return f"bar-{'wb'[player]}"
    if place == 0:
        return f"off-{'wb'[player]}"
    white = place if player == 0 else BAR - place
    return str(BAR - white if game.course else white)


def _cells(game: BackgammonRules) -> list[Cell]:
    cells = []
    for point in range(1, BAR):
        column = 12 - point if point <= 12 else point - 13
        column += column >= _MIDDLE
        mark = "dark" if point % 2 else ""
        row, shape = (2, "up") if point <= 12 else (0, "down")
        cells.append(Cell(_cell(game, 0, point), (column, row), shape, mark))
    for player, row in ((0, 2), (1, 0)):
        cells.append(Cell(f"bar-{'wb'[player]}", (_MIDDLE, row)))
        cells.append(Cell(f"off-{'wb'[player]}", (_OFF, row)))
    return cells


def view(game: BackgammonRules, p: Words, status: str) -> View:
    """White's home is at the bottom on the right."""
    cells = _cells(game)
    parts = parts_of(p[4])
    pieces = []
    for player in (0, 1):
        counts = counts_of(p[2 * player], p[2 * player + 1])
        counts[0] = CHECKERS - sum(counts)
        letter = LETTERS[player]
        pieces += [
            Piece(_cell(game, player, place), player, letter, count=count)
            for place, count in enumerate(counts)
            if count
        ]
    labels = [Label(cell.id.split("-")[0], (cell.at[0], 3 if cell.at[1] else -1)) for cell in cells]
    dice = (parts["first"], parts["second"]) if parts["phase"] == PLAY else ()
    kind, mover = game.kind(p), parts["mover"]
    tallies = [f"pips {int(pips(p[2 * player], p[2 * player + 1]))}" for player in (0, 1)]
    if game.match:
        scores = (parts["white"], parts["black"])
        tallies = [f"{s} of {game.match}, {t}" for s, t in zip(scores, tallies, strict=True)]
    return View(
        game=str(game), size=(14, 3), cells=tuple(cells), pieces=tuple(pieces),
        labels=tuple(labels), mover=int(game.mover(p)) if kind == DECISION else None,
        dice=dice, dice_at=_HALVES[mover], cube=_cube(game, parts), tallies=tuple(tallies),
        status=_status(game, p, parts, status), actions=actions(game, p),
        players=game.players,
    )  # fmt: skip


def _cube(game: BackgammonRules, parts: dict[str, int]) -> Cube | None:
    """In the middle of the bar, near its owner, or before the player to whom it is offered."""
    if not game.cube:
        return None
    value, phase, owner = 1 << parts["level"], parts["phase"], parts["owner"]
    if phase == TAKE:
        return Cube(2 * value, _HALVES[parts["mover"]], offered=True)
    return Cube(value, (_MIDDLE, {0: 1.4, 1: 0.6, CENTRED: 1.0}[owner]))


def _status(game: BackgammonRules, p: Words, parts: dict[str, int], status: str) -> str:
    if game.kind(p) == CHANCE and parts["phase"] != OPENING:
        status = f"{game.players[parts['mover']]} to roll"
    if parts["phase"] == TAKE:
        taker, doubler = game.players[parts["mover"]], game.players[1 - parts["mover"]]
        status = f"{doubler} doubles to {2 << parts['level']}: {taker} takes or drops"
    if parts["level"]:
        owner = parts["owner"]
        whose = "in the middle" if owner == CENTRED else f"with {game.players[owner]}"
        status += f", cube {1 << parts['level']} {whose}"
    if game.match:
        status += f", {parts['white']}:{parts['black']} in a match to {game.match}"
        is_told = parts["crawford"] and game.match > 1 and game.cube
        status += " (Crawford)" if is_told else ""
    return status


def actions(game: BackgammonRules, p: Words) -> tuple[Action, ...]:
    """The legal moves; the path of a play is that of each checker after the other."""
    if game.kind(p) != DECISION:
        return ()
    parts = parts_of(p[4])
    if parts["phase"] != PLAY:
        return tuple(Action(notation.move_text(game, p, move)) for move in game.legal_moves(p))
    mover = parts["mover"]
    found = []
    for move in game.legal_moves(p):
        steps = notation.steps_of(p, move)
        ways = tuple(tuple(_cell(game, mover, place) for place in step) for step in steps)
        path = tuple(cell for way in ways for cell in way)
        hits = tuple(_cell(game, mover, place) for place in notation.places(move, HITS))
        found.append(Action(notation.move_text(game, p, move), path, hits, ways))
    return tuple(found)


def edited(game: BackgammonRules, p: Words, cells: Mapping[str, str], mover: int | None) -> Words:
    """The position with other checkers on some points; the rest of the fifteen are off."""
    sides = [counts_of(p[2 * player], p[2 * player + 1]) for player in (0, 1)]
    known = [
        {_cell(game, player, place): place for place in range(1, BAR + 1)} for player in (0, 1)
    ]
    for cell, letters in cells.items():
        if cell not in known[0] and cell not in known[1]:
            raise one_of(cell, {**known[0], **known[1]}, what="point")
        if letters and set(letters) not in ({LETTERS[0]}, {LETTERS[1]}):
            raise PetteiaError(f"{letters!r} on {cell}; expected checkers of one player")
        for player in (0, 1):
            if cell in known[player]:
                sides[player][known[player][cell]] = letters.count(LETTERS[player])
            elif LETTERS[player] in letters:
                raise PetteiaError(f"{game.players[player]} never stands on {cell}")
    parts = parts_of(p[4])
    if mover is not None or parts["phase"] == OPENING:
        parts["mover"] = mover or 0
    if parts["phase"] != PLAY:
        parts |= {"phase": ROLL, "winner": 0, "points": 0}
    for name, counts in zip(game.players, sides, strict=True):
        if sum(counts) > CHECKERS:
            raise PetteiaError(f"{name} has {CHECKERS} checkers and no more")
    return parse(game, xgid(game, position_of(sides[0], sides[1], **parts)))
