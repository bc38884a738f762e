"""``petteia plan``: how many games a claim needs."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from petteia.arena.statistics import (
    Sprt,
    biased_pair_variance,
    elo_from_score,
    expected_pairs,
    games_to_be_sure,
    pairs_to_detect,
    series_win_probability,
)
from petteia.cli import output
from petteia.cli.options import Json
from petteia.core.errors import PetteiaError

__all__ = ["run"]


def run(
    score: Annotated[float, typer.Option(help="the stronger player's score")] = 0.55,
    favoured: Annotated[
        float, typer.Option(help="how often the side that the opening favours wins")
    ] = 0.5,
    as_json: Json = False,
) -> None:
    """Says how many games are needed to show that a player scores this much, without draws."""
    if not 0.5 < score < 1:
        raise PetteiaError(f"--score {score} is not possible; above 0.5 and below 1")
    if not 0.5 <= favoured < 1:
        raise PetteiaError(f"--favoured {favoured} is not possible; from 0.5 to below 1")
    elo = elo_from_score(score)
    variance = biased_pair_variance(favoured)
    series = games_to_be_sure(score)
    fixed = 2 * pairs_to_detect(score - 0.5, variance=variance)
    test = Sprt(0, elo)
    sequential = round(2 * expected_pairs(test, variance=variance, score=score))
    facts = {
        "score": score,
        "favoured": favoured,
        "elo": elo,
        "series": series,
        "series_probability": series_win_probability(score, series),
        "games_fixed": fixed,
        "games_sprt": sequential,
    }
    output.show(facts, as_json, lambda: _show(facts))


def _show(facts: dict[str, Any]) -> None:
    score, favoured, elo = facts["score"], facts["favoured"], facts["elo"]
    sure, fixed, sequential = facts["series"], facts["games_fixed"], facts["games_sprt"]
    print(f"A player who wins {100 * score:g} % of single games ({elo:+.0f} Elo)")
    print(
        f"  wins a series of {sure} games with {100 * facts['series_probability']:.2f} %: "
        "the smallest odd number that reaches 95 %;"
    )
    print(f"  is seen to be the stronger by {fixed:,} games in pairs (95 % power, 5 % error);")
    print(f"  or by about {sequential:,} games of a sequential test of 0 against {elo:+.0f} Elo.")
    if favoured > 0.5:
        print(f"(Openings that let one side win {100 * favoured:g} %: pairs cancel that bias.)")
