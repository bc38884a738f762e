"""``petteia puzzle``."""

from __future__ import annotations

from typing import Annotated

import typer

from petteia import agents, games
from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.cli.options import GameSpec, Json, Judge, Seed
from petteia.cli.review import judge_for
from petteia.core.position import Position
from petteia.review.puzzles import Puzzle, find_puzzles
from petteia.search.values import is_decided, plies_to_end

__all__ = ["run"]


def run(
    game: GameSpec,
    judge: Judge = "",
    obvious: Annotated[str, typer.Option(help="the agent that makes the obvious move")] = "",
    count: Annotated[int, typer.Option(help="how many puzzles", min=1)] = 3,
    positions: Annotated[int, typer.Option(help="decisions to examine", min=1)] = 2000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Finds positions where the obvious move loses most."""
    made = games.make(game)
    asked = judge_for(made, judge)
    naive = agents.make(obvious or agents.usual(made, made.obvious_agent), made)
    found = interruptible(
        asked, lambda: find_puzzles(asked, naive, looked_at=positions, count=count, seed=seed)
    )
    facts = [
        {
            "position": made.text(each.position),
            "obvious": made.move_text(each.position, each.obvious),
            "best": made.move_text(each.position, each.values[0].move),
            "loss": each.loss,
            "moves": [
                {"move": made.move_text(each.position, v.move), "value": v.value}
                for v in each.values
            ],
        }
        for each in found
    ]

    def text() -> None:
        for number, (each, shown) in enumerate(zip(found, facts, strict=True), 1):
            print(f"{number}. {Position(made, each.position)}")
            print(Position(made, each.position).draw())
            print(_solution(each, str(shown["obvious"]), str(shown["best"])))

    told = {"game": str(made), "judge": str(asked), "obvious": str(naive), "puzzles": facts}
    output.show(told, as_json, text)


def _solution(puzzle: Puzzle, obvious: str, best: str) -> str:
    """What is wrong with the obvious move; differences of forced ends would tell nothing."""
    by_move = {each.move: each.value for each in puzzle.values}
    values = (by_move[puzzle.obvious] or 0.0, puzzle.values[0].value or 0.0)
    if any(is_decided(value) for value in values):
        other, good = (output.value_text(value, plies_to_end(value)) for value in values)
        return f"obvious: {obvious} ({other}); best: {best} ({good})\n"
    return f"obvious: {obvious}, which loses {puzzle.loss:.3f}; best: {best}\n"
