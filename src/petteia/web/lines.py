"""The routes of lines: a position and the plies after it, drawn, edited, read and written, and
what a page that searches itself needs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fastapi import Response

from petteia.core import record
from petteia.core.agent import MoveValue
from petteia.core.collection import own_games
from petteia.core.drawing import svg
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, Game
from petteia.core.record import Record
from petteia.core.replay import joined, replay
from petteia.core.replay import positions as positions_of
from petteia.core.words import Words
from petteia.search.contract import ranked
from petteia.web import catalogue, engines, judging
from petteia.web.lab import Lab, TheLab
from petteia.web.messages.pictures import View
from petteia.web.messages.requests import (
    Edited,
    Found,
    LineRequest,
    PictureRequest,
    Sought,
    ToSearch,
    Written,
)
from petteia.web.messages.searches import Analysis, SearchHere
from petteia.web.messages.tables import GameForm, Line, Meant, Texts
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
def drawn(asked: PictureRequest, lab: TheLab) -> Response:
    """The picture at the end of a line as an SVG file."""
    game, positions, table = lab.line(asked)
    view = game.view(positions[-1]).with_last(table.last_path(len(table.plies)))
    return Response(svg.board(view, flip=asked.flip), media_type="image/svg+xml")


def _judge(lab: Lab, asked: ToSearch, game: Game, p: Words) -> str | None:
    """Who analyses for a page that can search; nobody where exact tables know better, or where
    values could not be told as chances."""
    agent = lab.agent(asked.agent or catalogue.analyst(game, asked.seconds), game)
    if asked.agent is None and catalogue.is_solved(game, p):
        return None
    searcher = engines.agent_of(game, agent)
    if searcher is None:
        return None
    evaluation = engines.evaluation_of(searcher)
    return None if evaluation is not None and evaluation.given else agent


@router.post("/api/search")
async def search(asked: ToSearch, lab: TheLab) -> SearchHere:
    """The search of every move at the end of a line, for the page's own processor."""
    game, positions, _ = await asyncio.to_thread(lab.line, asked)
    agent = await asyncio.to_thread(_judge, lab, asked, game, positions[-1])
    if agent is None:
        return {"task": None}
    return {"task": await lab.room.task(game, agent, positions, every=True)}


@router.post("/api/judge")
def judge(asked: Found, lab: TheLab) -> Analysis:
    """What a page's search found, in words and chances."""
    game, positions, _ = lab.line(asked)
    p = positions[-1]
    text = _judge(lab, asked, game, p)
    agent = engines.agent_of(game, text) if text else None
    if agent is None or engines.file_of(agent) is None:
        raise PetteiaError("no page can have searched this; ask the server")
    known = []
    for each in asked.found:
        line = tuple(map(int, each.line))
        _refuse_illegal(game, p, line)
        known.append(MoveValue(line[0], each.value, line, each.visits))
    moves = known if any(each.visits for each in known) else ranked(known)
    found = judging.ranking(game, agent, p, moves, asked.depth, asked.spent)
    if asked.shares:
        found["evaluation"] = judging.shares(game, agent, p)
    return {**found, "nodes": asked.nodes, "judge": str(agent), "agent": str(agent)}


def _refuse_illegal(game: Game, p: Words, line: Sequence[int]) -> None:
    for move in line:
        if game.kind(p) != DECISION or move not in game.legal_moves(p):
            raise PetteiaError(f"{move} is no legal move at {game.text(p)}")
        p = game.play(p, move)


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
            text = game.foreign_text([played], suffix)
            found = game.foreign_games(text) if text else None
            again = joined(game, found.whole()) if found else []
        except PetteiaError:  # a variant or a beginning that the form does not know
            continue
        same = len(again) == 1 and again[0].plies == played.plies
        if text and same and again[0].start == played.start:
            yield {"name": suffix[1:].upper(), "suffix": suffix, "text": text}
