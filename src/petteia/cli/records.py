"""``petteia records``: the games in the store."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia import games
from petteia.arena.store import GameRow, Store, export, export_plies
from petteia.cli import output
from petteia.cli.options import AgentPart, GameFilter, Json, Limit, StorePath
from petteia.cli.series import LISTED, game_filter, needed, opened
from petteia.core.drawing import terminal
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.record import Ply
from petteia.core.replay import replay
from petteia.core.words import Words

__all__ = ["Options", "run"]

_PLACE = re.compile(r"([0-9]{1,18})/([0-9]{1,18})/([0-9]{1,18})")


@dataclass(frozen=True)
class Options:
    """Which games, and what is done with them."""

    series: Annotated[int | None, typer.Option(metavar="ID", help="only games of this series")] = (
        None
    )
    game: GameFilter = None
    agent: AgentPart = None
    limit: Limit = None
    replay: Annotated[
        str | None, typer.Option(metavar="SERIES/PAIR/NUMBER", help="show a game board by board")
    ] = None
    export: Annotated[Path | None, typer.Option(help="write the games: .txt, .csv or .parquet")] = (
        None
    )
    moves: Annotated[Path | None, typer.Option(help="write every move: .csv or .parquet")] = None
    import_: Annotated[Path | None, typer.Option("--import", help="import the games in a file")] = (
        None
    )
    store: StorePath = None
    as_json: Json = False


def run(options: Options) -> None:
    """Lists the games of the store, replays one, writes them to a file or reads a file."""
    replay, source, as_json = options.replay, options.import_, options.as_json
    if sum(each is not None for each in (replay, options.export, options.moves, source)) > 1:
        raise PetteiaError("give only one of --replay, --export, --moves and --import")
    with opened(options.store, make=source is not None) as store:
        if source is not None:
            _import(needed(store, "store"), source, as_json)
        elif replay is not None:
            _replay(needed(store, f"game {replay}"), replay, as_json)
        elif options.export is not None:
            _export(options.export, _chosen(store, options, options.limit), as_json)
        elif options.moves is not None:
            _moves(options.moves, _chosen(store, options, options.limit), as_json)
        else:
            rows = _chosen(store, options, LISTED if options.limit is None else options.limit)
            facts = {"games": [_game_facts(row) for row in rows]}
            output.show(facts, as_json, partial(_table, rows))


def _chosen(store: Store | None, options: Options, limit: int | None) -> list[GameRow]:
    series = options.series
    if series is not None:
        store = needed(store, f"series {series}")
    if store is None:
        return []
    game = game_filter(options.game)
    return store.games(series=series, game=game, agent=options.agent, limit=limit)


def _table(rows: list[GameRow]) -> None:
    if not rows:
        print("there are no such games")
        return
    heads = ["place", "game", "first", "second", "result", "plies", "forfeit"]
    table = []
    for row in rows:
        names = (output.line(row.game), *(output.line(name) for name in row.players))
        forfeit = output.line(row.forfeit.reason) if row.forfeit else ""
        table.append((row.place, *names, f"{row.result:+g}", row.plies, forfeit))
    output.table("", heads, table)


def _game_facts(row: GameRow) -> dict[str, Any]:
    return {
        "series": row.series, "pair": row.pair, "number": row.number, "game": row.game,
        "players": list(row.players), "result": row.result, "score": row.score,
        "plies": row.plies, "forfeit": row.forfeit.reason if row.forfeit else None,
    }  # fmt: skip


def _import(store: Store, path: Path, as_json: bool) -> None:
    number = store.import_records(path)
    count = store.summaries([number])[number].games
    text = f"{count} games are now series {number}"
    output.show({"imported": count, "series": number}, as_json, lambda: print(text))


def _export(path: Path, rows: list[GameRow], as_json: bool) -> None:
    if not rows:
        raise PetteiaError("there are no such games to export")
    export(path, rows)
    text = f"wrote {len(rows)} games to {path}"
    output.show({"exported": len(rows), "file": str(path)}, as_json, lambda: print(text))


def _moves(path: Path, rows: list[GameRow], as_json: bool) -> None:
    if not rows:
        raise PetteiaError("there are no such games to export")
    count = export_plies(path, rows)
    text = f"wrote {count} moves of {len(rows)} games to {path}"
    facts = {"exported": len(rows), "moves": count, "file": str(path)}
    output.show(facts, as_json, lambda: print(text))


def _replay(store: Store, place: str, as_json: bool) -> None:
    parts = _PLACE.fullmatch(place)
    if parts is None:
        raise PetteiaError(f"bad place {place!r}; expected SERIES/PAIR/NUMBER such as 12/0/1")
    row = store.game(int(parts[1]), int(parts[2]), int(parts[3]))
    game = games.make(row.record.game)
    line = replay(row.record, game)
    more = {"record": row.text, "positions": [game.text(p) for p in line]}
    text = partial(_show_boards, game, row, line)
    output.show({"games": [_game_facts(row) | more]}, as_json, text)


def _show_boards(game: Game, row: GameRow, line: list[Words]) -> None:
    print(f"game {row.place}: {output.line(row.game)}")
    for name, agent in zip(game.players, row.players, strict=True):
        print(f"{name}: {output.line(agent)}")
    print(f"\n{terminal.board(game.view(line[0]))}")
    for number, ply in enumerate(row.record.plies, 1):
        print(f"\n{number}. {_step(game, line[number - 1], ply)}")
        print(_board_after(game, line[number - 1], line[number], ply))
    print(f"\nresult: {row.result:+g} for {game.players[0]}")
    if row.forfeit:
        print(f"forfeit: {output.line(row.forfeit.reason)}")


def _step(game: Game, before: Words, ply: Ply) -> str:
    text = output.line(" | ".join(ply.texts))
    who = {"chance": "the dice", "both": "both"}.get(ply.kind)
    said = f"{who or game.players[int(game.mover(before))]} {text}"
    return f"{said} ({output.line(ply.comment)})" if ply.comment else said


def _board_after(game: Game, before: Words, after: Words, ply: Ply) -> str:
    actions = game.view(before).actions if ply.kind == "move" else ()
    path = next((action.path for action in actions if action.move == ply.texts[0]), ())
    return terminal.board(game.view(after).with_last(path))
