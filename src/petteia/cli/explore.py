"""``petteia explore``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from petteia import games
from petteia.cli import analyse, output
from petteia.cli.interrupt import interruptible
from petteia.cli.options import GameSpec, Json, Judge, Pieces, PositionText, Side
from petteia.cli.review import judge_for
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION
from petteia.core.position import Position
from petteia.review.outlook import outlook

__all__ = ["run"]


def run(
    game: GameSpec,
    position: PositionText = "start",
    judge: Judge = "",
    roll: Annotated[str, typer.Option(help="what the dice show; default: every throw")] = "",
    pieces: Pieces = "",
    side: Side = "",
    as_json: Json = False,
) -> None:
    """Shows the values of all moves for all throws at a position."""
    made = games.make(game)
    here = analyse.position_of(made, position, pieces, side, roll)
    asked = judge_for(made, judge)
    if here.kind == CHANCE:
        asked.prepare(here.words)
        found = interruptible(asked, lambda: outlook(asked, here.words))
        facts = analyse.chance_facts(here, asked, found)
    elif here.kind == DECISION:
        asked.prepare(here.words)
        facts = _decision_facts(here, asked)
    else:
        raise PetteiaError(f"nothing to explore: {here.status}")
    output.show(facts, as_json, lambda: analyse.show_chance(here, facts))


def _decision_facts(position: Position, judge: Agent) -> dict[str, Any]:
    """The same for one throw, or for a game without dice."""
    game, p = position.game, position.words
    values = interruptible(judge, lambda: judge.values(p))
    moves = [{"move": game.move_text(p, each.move), "value": each.value} for each in values]
    only = {"roll": "-", "chance": 1.0, "value": moves[0]["value"], "best": moves[0]["move"]}
    return {
        "game": str(game), "position": str(position), "mover": game.players[position.mover or 0],
        "agent": str(judge), "value": moves[0]["value"], "rolls": [{**only, "moves": moves}],
    }  # fmt: skip
