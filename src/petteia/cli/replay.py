"""``petteia replay``: replays recorded games by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

from petteia import games
from petteia.cli import game_file, output
from petteia.cli.options import GameSpec, Json
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.position import Position
from petteia.core.reading import naming, number_of
from petteia.core.record import Record
from petteia.core.replay import replay

__all__ = ["Checked", "checked", "points_of", "run", "score_of"]

_SHOWN = 20


class Checked(NamedTuple):
    """A record held against the rules."""

    differences: list[str]
    ended_by_players: bool = False
    """Whether it has a result although the rules go on: resigned, agreed, adjudicated."""


def checked(game: Game, kept: Record, *, refereed: bool) -> Checked:
    """Where the rules disagree with a record; in a refereed one only they can end a game."""
    try:
        line = replay(kept, game)
    except PetteiaError as error:
        return Checked([str(error)])
    end = Position.along(game, line)[-1]
    if end.result is None:
        if kept.result is None:
            return Checked([], ended_by_players=bool(kept.header("Resigned")))
        if refereed:
            return Checked([f"by the rules the game goes on after ply {len(kept.plies)}"])
        return Checked([], ended_by_players=True)
    ours, stated = end.status.removeprefix("draw: "), kept.header("Draw")
    if end.result == 0 and stated and ours != stated:
        return Checked([f"a draw because {ours}, but the record says: {stated}"])
    return Checked([])


def points_of(kept: Record) -> float | None:
    """What a game brought player 0: in a match that goes on, by its header."""
    told = kept.header("Points")
    return float(told) if re.fullmatch(r"[+-]\d{1,9}", told) else kept.result


def score_of(kept: Record) -> list[int]:
    """The score of the match before a game; empty if it is not told."""
    told = re.fullmatch(r"(\d+)-(\d+)", kept.header("Score"))
    return [number_of(told[1]), number_of(told[2])] if told else []


def run(
    game: GameSpec,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="games in any format it knows")],
    results: Annotated[
        Literal["auto", "first", "second"],
        typer.Option(
            help="whose figure comes first in a result such as 1-0: that of the player who moves "
            "first or second; auto asks the final positions"
        ),
    ] = "auto",
    as_json: Json = False,
) -> None:
    """Replays every game in a file and reports what differs."""
    made = games.make(game)
    found = game_file.load(made, file)
    if results != "auto":
        with naming(file):
            found = found.meaning(results == "first")
    problems: list[dict[str, Any]] = []
    ends = {"wins": 0, "draws": 0, "losses": 0, "unfinished": 0}
    plies = ended_by_players = 0
    entries = output.tracked(found.entries, len(found.entries), "games")
    for number, entry in enumerate(entries, 1):
        kept = entry.record
        if kept is None:
            continue
        plies += len(kept.plies)
        points = points_of(kept)
        kind = "unfinished" if points is None else "draws" if points == 0 else "wins"
        ends["losses" if points is not None and points < 0 else kind] += 1
        seen = checked(made, kept, refereed=found.refereed)
        ended_by_players += seen.ended_by_players
        problems += [
            {"game": number, "line": entry.line, "what": what}
            for what in (*entry.remarks, *seen.differences)
        ]
    facts = {
        "game": str(made), "file": str(file), "games": len(found.entries),
        "read": len(found.records), "faults": [asdict(fault) for fault in found.faults],
        "scores": [score for kept in found.records if (score := score_of(kept))],
        "plies": plies, **ends, "ended_by_players": ended_by_players,
        "differences": len(problems), "problems": problems, "notes": list(found.notes),
    }  # fmt: skip
    output.show(facts, as_json, lambda: _show(made, facts))


def _show(game: Game, facts: dict[str, Any]) -> None:
    first, second = game.players
    faults, problems = facts["faults"], facts["problems"]
    count = facts["games"]
    games_text = "1 game" if count == 1 else f"{count} games"
    print(f"{games_text} in the file: {facts['read']} read, {len(faults)} not")
    _show_list(f"game {each['game']}, line {each['line']}: {each['why']}" for each in faults)
    print(
        f"{facts['plies']:,} plies: {first} won {facts['wins']}, {second} "
        f"{facts['losses']}, {facts['draws']} drawn, {facts['unfinished']} unfinished"
    )
    if facts["scores"]:
        shown = " ".join(f"{first}:{second}" for first, second in facts["scores"])
        print(f"scores before the games: {shown}")
    if facts["ended_by_players"]:
        print(f"ended by the players, not by the rules: {facts['ended_by_players']}")
    for note in facts["notes"]:
        print(note)
    print(f"differences from the rules: {len(problems)}")
    _show_list(f"game {each['game']}, line {each['line']}: {each['what']}" for each in problems)


def _show_list(lines: Iterable[str]) -> None:
    listed = list(lines)
    for line in listed[:_SHOWN]:
        print(f"  {output.line(line)}")
    if len(listed) > _SHOWN:
        print(f"  and {len(listed) - _SHOWN} more; --json has them all")
