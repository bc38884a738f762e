"""Reviews say the same everywhere, and nothing where a judge has no opinion."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from petteia import agents, games
from petteia.arena.match import Match
from petteia.cli.app import main
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.review.chances import Curve, curve_of
from petteia.review.game import review
from petteia.review.marks import marks_of
from petteia.search.values import WIN
from petteia.web.catalogue import one_game

TINY = "breakthrough(columns=3, rows=5)"


def random_game(game: Game, seed: int) -> record.Record:
    match = Match(game, agents.make("random", game), agents.make("random", game), seed=seed)
    return match.pair(0).games[0].record


def test_a_judge_without_an_evaluation_judges_only_the_ends_it_sees() -> None:
    game = games.make(TINY)
    judge = agents.make("alphabeta(depth=2, eval=even)", game)
    assert judge.sees_only_ends
    found = review(game, random_game(game, 1), judge)
    judged = [move for move in found.moves if move.is_judged]
    assert 0 < len(judged) < len(found.moves) / 2
    # Nothing is worth more than the game.
    for player in (0, 1):
        assert 0 <= found.lost(player) <= 2 * len(judged)
        assert all(0 <= move.loss <= 2 for move in found.of(player)[0])
    assert all(0 <= chance <= 1 for chance in found.chances)


def test_a_judge_that_sees_nothing_at_all_refuses() -> None:
    game = games.make("breakthrough")
    played = random_game(game, 1)
    early = replace(played, plies=played.plies[:12], result=None)
    with pytest.raises(PetteiaError, match="has no evaluation and saw no end"):
        review(game, early, agents.make("alphabeta(depth=1, eval=even)", game))


def test_a_searching_judge_speaks_in_chances() -> None:
    """Its values are in an evaluation's units, or a million: errors add up all the same."""
    game = games.make("breakthrough(columns=3, rows=4)")
    # So deep a search of so small a board is exact.
    judge, losses = agents.make("engine(depth=30)", game), set[float]()
    for seed in range(8):
        kept = random_game(game, seed)
        found = review(game, kept, judge)
        assert kept.result is not None
        assert found.lost(1) - found.lost(0) == pytest.approx(kept.result - found.course[0])
        losses.add(found.lost(0))
        assert all(-1 <= value <= 1 for value in found.course)
    assert len(losses) > 1


@pytest.mark.parametrize("spec", ["breakthrough", "ur", "backgammon"])
def test_the_lab_marks_moves_by_the_same_limits(spec: str) -> None:
    game = games.make(spec)
    marks = marks_of(game)
    shown = one_game(game)["marks"]
    assert [each["from"] for each in shown["errors"]] == [each.from_ for each in marks.errors]
    for each in shown["errors"]:
        assert marks.of_loss(each["from"]) == each["sign"]
    least = shown["errors"][-1]["from"]
    assert marks.of_loss(0.99 * least) == ""
    assert marks.of_luck(shown["luck"]) == "!"
    assert marks.of_luck(-shown["luck"]) == "~"


def test_a_mean_of_certain_ends_is_no_certain_end() -> None:
    curve = Curve(1.0)
    assert curve.chance(WIN - 3) == 1.0
    assert curve.chance(0.3 * WIN) == pytest.approx(0.65)
    assert curve.chance(-0.3 * WIN - 5) == pytest.approx(0.35, abs=1e-4)


def test_a_game_without_evaluations_is_judged_by_one_who_needs_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = str(Path(__file__).parents[2] / "examples" / "connect_four.py")
    game = games.make(spec)
    path = tmp_path / "game.txt"
    record.save(path, [random_game(game, 2)])
    with pytest.raises(SystemExit) as end:
        main(["review", spec, str(path), "--compare", "random", "--json"])
    assert not end.value.code
    facts: Any = json.loads(capsys.readouterr().out)
    assert facts["judge"].startswith("mcts")
    assert all(side["unjudged"] == 0 for side in facts["sides"])
    assert min(side["accuracy"] for side in facts["sides"]) < 0.8


def test_a_game_in_which_both_choose_is_reviewed() -> None:
    game = games.make("ropasci")
    whole = random_game(game, 1)
    kept = replace(whole, plies=whole.plies[:20], result=None)
    found = review(game, kept, agents.make("nash", game))
    assert len(found.moves) == 2 * len(kept.plies)
    assert [move.player for move in found.moves[:2]] == [0, 1]
    # The value of the game is what both can make sure of.
    assert all(move.loss >= 0 and 0 <= move.chance <= 1 for move in found.moves)
    assert sum(move.loss > 0 for move in found.moves) > len(kept.plies) / 4
    assert len(found.course) == len(kept.plies)


def test_values_in_hundredths_of_a_win_are_chances() -> None:
    game = games.make("ropasci")
    curve = curve_of(game, agents.make("nash", game))
    assert [curve.chance(value) for value in (-100.0, 0.0, 90.0)] == [0.0, 0.5, 0.95]
