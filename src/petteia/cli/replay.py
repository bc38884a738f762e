"""``petteia replay``: replays recorded games by the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from petteia import games
from petteia.cli import output
from petteia.cli.options import GameSpec, Json
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.position import Position
from petteia.core.reading import read_text
from petteia.core.record import Record
from petteia.core.replay import replay

__all__ = ["differences", "run"]

_ENDED_BY_PEOPLE = ("Adjudicated", "Forfeit")
_SHOWN = 20


def _records(game: Game, path: Path) -> tuple[list[Record], bool]:
    """The games in a file, and whether they are in another format than ours."""
    text = read_text(path)
    foreign = game.foreign_records(text)
    if foreign is not None:
        return foreign, True
    found = record.read_all(text)
    for number, each in enumerate(found, 1):
        if str(games.make(each.game)) != str(game):
            raise PetteiaError(f"game {number} of {path} is {each.game}, not {game}")
    return found, False


def differences(game: Game, kept: Record, *, strict: bool) -> list[str]:
    """Where the rules disagree with a record; ``strict`` if only the rules can end a game."""
    try:
        line = replay(kept, game)
    except PetteiaError as error:
        return [str(error)]
    end = Position.along(game, line)[-1]
    if end.result is None:
        by_people = any(kept.header(key) for key in _ENDED_BY_PEOPLE) or not strict
        if kept.result is not None and not by_people:
            return [f"by the rules the game goes on after ply {len(kept.plies)}"]
        return []
    ours, stated = end.status.removeprefix("draw: "), kept.header("Draw")
    if end.result == 0 and stated and ours != stated:
        return [f"a draw because {ours}, but the record says: {stated}"]
    return []


def run(
    game: GameSpec,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="games in any format it knows")],
    as_json: Json = False,
) -> None:
    """Replays every game in a file and reports what differs."""
    made = games.make(game)
    found, strict = _records(made, file)
    problems: list[dict[str, Any]] = []
    results = {"wins": 0, "draws": 0, "losses": 0, "unfinished": 0}
    plies = 0
    for number, kept in enumerate(output.tracked(found, len(found), "games"), 1):
        plies += len(kept.plies)
        points = kept.result
        kind = "unfinished" if points is None else "draws" if points == 0 else "wins"
        results["losses" if points is not None and points < 0 else kind] += 1
        found_here = differences(made, kept, strict=strict)
        problems += [{"game": number, "what": what} for what in found_here]
    facts = {
        "game": str(made), "file": str(file), "games": len(found), "plies": plies,
        **results, "differences": len(problems), "problems": problems,
    }  # fmt: skip
    output.show(facts, as_json, lambda: _show(made, facts))


def _show(game: Game, facts: dict[str, Any]) -> None:
    first, second = game.players
    problems = facts["problems"]
    print(
        f"{facts['games']} games, {facts['plies']:,} plies: {first} won {facts['wins']}, {second} "
        f"{facts['losses']}, {facts['draws']} drawn, {facts['unfinished']} unfinished"
    )
    print(f"differences from the rules: {len(problems)}")
    for problem in problems[:_SHOWN]:
        print(f"  game {problem['game']}: {problem['what']}")
    if len(problems) > _SHOWN:
        print(f"  and {len(problems) - _SHOWN} more")
