"""The routes of lines: a position and the plies after it, drawn, edited, read and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fastapi import Response

from petteia.core import record
from petteia.core.collection import own_games
from petteia.core.drawing import svg
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.record import Record
from petteia.core.replay import positions as positions_of
from petteia.core.replay import replay
from petteia.web.lab import TheLab
from petteia.web.messages.answers import GameForm, Line, Meant, Texts, View
from petteia.web.messages.requests import Edited, LineRequest, Sought, Written
from petteia.web.router import Router
from petteia.web.table import picture

__all__ = ["router"]

router = Router()


@router.post("/api/line")
def line(asked: LineRequest, lab: TheLab) -> Line:
    """The picture at the end of a line, and its plies as a list of moves."""
    _, _, table = lab.line(asked)
    return table.state()


@router.post("/api/edit")
def edit(asked: Edited, lab: TheLab) -> View:
    """The position with some cells changed."""
    game = lab.game(asked.game)
    p = game.start() if asked.position == "start" else game.parse(asked.position)
    return picture(game, game.edited(p, asked.cells, asked.mover))


@router.post("/api/picture", response_class=Response)
def drawn(asked: LineRequest, lab: TheLab) -> Response:
    """The picture at the end of a line as an SVG file."""
    game, positions, table = lab.line(asked)
    view = game.view(positions[-1]).with_last(table.last_path(len(table.plies)))
    return Response(svg.board(view), media_type="image/svg+xml")


@router.post("/api/read")
def read(asked: Sought, lab: TheLab) -> Meant:
    """What a pasted text means: a position, a list of moves, or whole games."""
    text = asked.text.strip()
    game = lab.game(asked.game)
    found = game.foreign_games(text)
    if found is None and text.startswith("["):
        found = own_games(text)
    if found is not None:
        count = len(found.entries)
        if not count:
            raise PetteiaError("the text holds no game")
        if asked.number > count:
            raise PetteiaError(f"the text holds {count} games, so no game {asked.number}")
        entry = found.entries[asked.number - 1]
        if entry.record is None:
            raise PetteiaError(f"game {asked.number}, line {entry.line}: {entry.why}")
        game = lab.game(entry.record.game)
        replay(entry.record, game)
        words = [record.ply_text(ply) for ply in entry.record.plies]
        return {"game": str(game), "start": entry.record.start, "moves": words, "games": count}
    try:
        p = game.parse(text)
        return {"game": str(game), "start": game.text(p), "moves": [], "games": 0}
    except PetteiaError as refused:
        try:
            words = text.split()
            positions_of(game, "start", [record.parse_ply(word) for word in words])
        except PetteiaError:
            raise refused from None
        return {"game": str(game), "start": "start", "moves": words, "games": 0}


@router.post("/api/texts")
def texts(asked: Written, lab: TheLab) -> Texts:
    """The position and the game of a line in every form that can tell them."""
    game, positions, table = lab.line(asked)
    table.players = asked.players
    played, p = table.record(), positions[-1]
    own: GameForm = {"name": "record", "suffix": ".txt", "text": record.write(played)}
    return {
        "positions": [
            {"name": name, "text": text}
            for name, text in {"position": game.text(p), **game.other_texts(p)}.items()
        ],
        "games": [own, *_foreign(game, played)],
    }


def _foreign(game: Game, played: Record) -> Iterator[GameForm]:
    """The game in the forms of others, as far as they tell it whole: what is read back is it.

    They write a throw with the move that was made of it: one that nobody has used yet is left out.
    """
    plies = list(played.plies)
    while plies and plies[-1].kind == "chance":
        plies.pop()
    played = replace(played, plies=tuple(plies))
    for suffix in game.foreign_suffixes:
        try:
            text = game.foreign_text(played, suffix)
            found = game.foreign_games(text) if text else None
            again = found.whole() if found else []
        except PetteiaError:  # a variant or a beginning that the form does not know
            continue
        same = len(again) == 1 and again[0].plies == played.plies
        if text and same and again[0].start == played.start:
            yield {"name": suffix[1:].upper(), "suffix": suffix, "text": text}
