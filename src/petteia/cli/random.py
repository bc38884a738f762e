"""``petteia random``."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Annotated

import typer

from petteia import games
from petteia.cli import output
from petteia.cli.options import Device, GameSpec, Json, Seed
from petteia.core.errors import PetteiaError
from petteia.core.position import Position
from petteia.core.processors import processors
from petteia.search.playout import RandomGames, RandomPlay

__all__ = ["run"]

_BARS = 12
_WIDEST = 40


def run(
    game: GameSpec,
    number: Annotated[int, typer.Option("--games", help="how many", min=1)] = 100_000,
    position: Annotated[str, typer.Option(help="where to begin")] = "start",
    seed: Seed = 0,
    device: Device = "cpu",
    threads: Annotated[
        int | None, typer.Option(help="how many on the cpu; all if not given", min=1)
    ] = None,
    as_json: Json = False,
) -> None:
    """Plays random games: how they end, how long they take, how many moves there are."""
    made = games.make(game)
    if device == "gpu" and threads is not None:
        raise PetteiaError("--threads is for --device cpu; a gpu has its own")
    play = RandomPlay(made, Position.of(made, position).words)
    play.run(1, seed, device=device, threads=threads)  # compiled before the clock starts
    started = time.perf_counter()
    with output.progress("random games") as shown:
        found = play.run(
            number, seed, device=device, threads=threads,
            on_games=lambda done: shown(done / number, f"{done:,} of {number:,}"),
        )  # fmt: skip
    seconds = time.perf_counter() - started
    facts = {
        "game": str(made), **asdict(found), "seconds": seconds,
        "games_per_second": output.per_second(number, seconds), "device": device,
        "threads": (threads or processors()) if device == "cpu" else None,
    }  # fmt: skip
    output.show(facts, as_json, lambda: _tell(str(made), made.players, found, seconds))


def _tell(name: str, players: tuple[str, str], found: RandomGames, seconds: float) -> None:
    lost = found.games - found.wins - found.draws
    rate = output.per_second(found.games, seconds)
    print(f"{found.games:,} random games of {name} in {seconds:.2f} s, {rate:,.0f} a second")
    print(f"{players[0]} won {found.wins:,}, {players[1]} {lost:,}, drawn {found.draws:,}")
    print(f"points of {players[0]}: {found.points:+.4f} +- {found.points_error:.4f}")
    print(f"plies: {found.plies:.3f} +- {found.plies_error:.3f}; moves: {found.branching:.2f}")
    shortest, longest = min(found.lengths), max(found.lengths)
    step = max(1, -(-(longest - shortest + 1) // _BARS))
    bars = [0] * (-(-(longest - shortest + 1) // step))
    for length, count in found.lengths.items():
        bars[(length - shortest) // step] += count
    for place, count in enumerate(bars):
        first = shortest + place * step
        last = min(first + step - 1, longest)
        plies = f"{first}" if first == last else f"{first} to {last}"
        print(f"{plies:>14} {'#' * round(_WIDEST * count / max(bars)):{_WIDEST}} {count:,}")
