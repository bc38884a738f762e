"""The luck of the dice can be measured and taken out."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from petteia import agents
from petteia.arena.luck import luck_of_game, without_luck
from petteia.arena.match import Match
from petteia.arena.statistics import luck_adjusted
from petteia.cli import main
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import PlainEvaluation
from petteia.core.game import CHANCE, TERMINAL
from petteia.core.replay import replay
from petteia.core.words import Words
from tests.toys import OddEven, Race


def lead(game: Race, p: Words, player: int) -> float:
    """How far ahead the player is."""
    ahead = float(p[0]) - float(p[1])
    return ahead if player == 0 else -ahead


def hope(game: Race, p: Words, player: int) -> float:
    """The points that the lead promises."""
    return lead(game, p, player) / 8


LEAD = PlainEvaluation("lead", lead)
HOPE = PlainEvaluation("hope", hope)
HOPE.point = 1.0
RACE = Race(goal=12)


def test_the_luck_of_a_game_is_the_sum_over_its_throws() -> None:
    pair = (agents.make("random", RACE), agents.make("random", RACE))
    played = Match(RACE, *pair, seed=1).pair(0).games[0]
    positions = replay(played.record, RACE)

    def value(thrown: Words) -> float:
        """After the longest step that does not end the game."""
        ends = [RACE.play(thrown, move) for move in RACE.legal_moves(thrown)]
        going = [q for q in ends if RACE.kind(q) != TERMINAL] or [thrown]
        best = max if RACE.mover(thrown) == 0 else min
        return best(lead(RACE, q, 0) for q in going)

    expected = 0.0
    for before, after in pairwise(positions):
        if RACE.kind(before) == CHANCE:
            values = [(q, value(RACE.play(before, o))) for o, q in RACE.outcomes(before)]
            expected += value(after) - sum(q * v for q, v in values)
    assert expected != 0
    assert luck_of_game(RACE, played.record, LEAD) == pytest.approx(expected)


def test_same_dice_and_luck_taken_out_both_narrow_the_interval() -> None:
    """In single games the luck is large; in pairs with the same dice most of it cancels."""
    match = Match(RACE, agents.make("random", RACE), agents.make("random", RACE), seed=2)
    pairs = match.run(300).pairs
    games = [pair.games[0] for pair in pairs]
    results = [game.result for game in games]
    luck = [luck_of_game(RACE, game.record, HOPE) for game in games]
    single = luck_adjusted(results, luck, coefficient=None)
    paired = without_luck(RACE, pairs, HOPE)
    assert single.width_ratio < 0.95
    assert paired.width_ratio <= 1.0
    # Two independent games would give 0.71.
    assert paired.plain_standard_error < 0.65 * single.plain_standard_error
    low, high = paired.plain_interval
    assert low < paired.mean < high


def test_games_without_dice_have_no_luck() -> None:
    match = Match(OddEven(), agents.make("random", OddEven()), agents.make("random", OddEven()))
    with pytest.raises(PetteiaError, match="no dice"):
        without_luck(OddEven(), match.run(3).pairs, LEAD)


def test_the_command_shows_how_much_the_interval_shrinks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    toys, here = Path(__file__).parents[1] / "toys.py", Path(__file__)
    race = f"{toys}:Race(goal=12)"
    with pytest.raises(SystemExit) as caught:
        main(
            ["match", race, "random", "random", "--pairs", "60", "--workers", "serial",
             "--luck", f"{here}:lead", "--json"]
        )  # fmt: skip
    out, err = capsys.readouterr()
    assert caught.value.code == 0, err
    luck = json.loads(out)["luck"]
    assert 0 < luck["width_ratio"] < 1.02
    assert len(luck["interval"]) == 2
