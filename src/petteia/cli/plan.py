"""``petteia plan``: how many games a claim needs."""

from __future__ import annotations

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
from petteia.core.errors import PetteiaError

__all__ = ["run"]


def run(score: float, favoured: float, as_json: bool) -> None:
    """Says how many games it takes to see that a player scores this much, without draws."""
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
    if as_json:
        output.json_object(facts)
        return
    print(f"A player who wins {100 * score:g} % of single games ({elo:+.0f} Elo)")
    print(
        f"  wins a series of {series} games with {100 * facts['series_probability']:.2f} %: "
        "the smallest odd number that reaches 95 %;"
    )
    print(f"  is seen to be the stronger by {fixed:,} games in pairs (95 % power, 5 % error);")
    print(f"  or by about {sequential:,} games of a sequential test of 0 against {elo:+.0f} Elo.")
    if favoured > 0.5:
        print(f"(Openings that let one side win {100 * favoured:g} %: pairs cancel that bias.)")
