"""What reviews say, where it can be known: with exact values luck and skill explain the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from petteia import games
from petteia.review.chances import Curve, fitted
from petteia.solve import Control
from petteia.web import catalogue
from petteia.web.messages import workers as m
from petteia.web.room import packed
from petteia.web.table import Table
from petteia.web.tasks import SearchWorker
from tests.positions import play_random


def _played(spec: str, seed: int) -> Table:
    """A random game."""
    return play_random(Table(games.make(spec), ("person", "person"), seed=seed), 2)


def _asked(table: Table, agent: str, deed: str, plies: int) -> tuple[Any, list[dict[str, Any]]]:
    parts: list[Any] = []
    kinds: dict[str, type[m.SearchTask]] = {"values": m.Values, "review": m.Review}
    task = kinds[deed].model_validate(
        {
            "do": deed, "game": str(table.game), "agent": agent, "exact": True,
            "positions": packed(table.positions[: plies + 1]),
            **({"shares": True} if deed == "values" else {}),
            **({"played": [ply.texts for ply in table.plies]} if deed == "review" else {}),
        }
    )  # fmt: skip
    return SearchWorker().serve(task, lambda: None, parts.append), parts


def test_luck_and_skill_explain_the_result(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    games.solver("ur(pieces=2)").solve(Control(), workers=1)
    table = _played("ur(pieces=2)", 3)
    before, _ = _asked(table, "greedy", "values", 0)
    _, parts = _asked(table, "greedy", "review", len(table.plies))
    assert before["exact"]
    assert all(part["exact"] for part in parts if "judged" in part)
    signs = (1, -1)
    throws = [part["throw"] for part in parts if "throw" in part]
    moves = [each for part in parts for each in part.get("judged", ())]
    luck = sum(signs[throw["player"]] * throw["luck"] for throw in throws)
    skill = sum(
        signs[each["mover"]] * (each["played"]["chance"] - each["best"]["chance"]) for each in moves
    )
    assert len(throws) > 10
    assert skill != 0
    assert before["mover"] == 0
    won = float(table.result == 1)
    # The table keeps single precision.
    assert before["chance"] + luck + skill == pytest.approx(won, abs=1e-3)


def test_a_solved_bear_off_is_exact(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    games.solver("backgammon(sides=2)").solve(Control(), workers=1)
    # With the cube at 2 a point is half of what the game is worth.
    for spec, cube, stake in (("backgammon", "0:0", 1), ("backgammon(cube=true)", "1:1", 2)):
        start = f"XGID=-CA---B------------b-b----:{cube}:1:41:0:0:0:0:10"
        table = Table(games.make(spec), ("person", "person"), start=start)
        answer, _ = _asked(table, "network", "values", 0)
        assert (answer["exact"], answer["judge"]) == (True, "perfect")
        for each in answer["moves"]:
            assert each["chance"] == pytest.approx((1 + each["value"] / stake) / 2)


def test_a_fair_evaluation_says_that_nobody_is_ahead_at_0() -> None:
    values, wins = [3.0, 2.0, 1.0, -1.0, -2.0], [1.0, 1.0, 1.0, 1.0, 0.0]
    assert fitted(values, wins, True)[1] == 0
    assert fitted(values, wins, False)[1] < 0
    assert Curve(*fitted(values, wins, True)).chance(0) == 0.5


def test_where_both_choose_both_moves_are_judged() -> None:
    table = _played("ropasci(throws=3, turns=20)", 1)
    _, parts = _asked(table, "nash(depth=1)", "review", len(table.plies))
    assert len(parts) == len(table.plies)
    for part, ply in zip(parts, table.plies, strict=True):
        assert [each["mover"] for each in part["judged"]] == [0, 1]
        assert tuple(each["played"]["move"] for each in part["judged"]) == ply.texts
        for each in part["judged"]:
            assert each["played"]["chance"] <= each["best"]["chance"] + 1e-9


def test_pieces_tell_what_they_add_to_a_feature() -> None:
    table = Table(games.make("breakthrough(columns=4, rows=5)"), ("person", "person"))
    answer, _ = _asked(table, "greedy(eval=offensive2)", "values", 0)
    found = {each["name"]: each for each in answer["evaluation"]["features"]}
    mine = {piece["cell"] for piece in table.at(0)["pieces"] if piece["owner"] == 0}
    assert set(found["my"]["pieces"]) == mine
    # A worker is worth its weight to the feature that counts them, and nothing to the enemy's.
    weight = table.game.evaluations["offensive2"].weights["my"]
    assert found["my"]["pieces"]["a2"] == pytest.approx(weight)
    assert "a2" not in found["opp"]["pieces"]
    # A step ahead brings the front of all nearer, by its weight.
    assert found["my_front"]["moves"]["a3"] > 0


@pytest.mark.parametrize(
    ("analyst", "plies", "reviewer"),
    [
        ("engine(time=0.5)", 10, "engine(nodes=400000)"),
        ("engine(time=0.5)", 300, "engine(nodes=50000)"),
        ("engine(depth=3)", 300, "engine(depth=3)"),
        ("mcts(time=0.5)", 10, "mcts(simulations=5000)"),
    ],
)
def test_a_reviewer_counts_and_takes_no_time(
    monkeypatch: pytest.MonkeyPatch, analyst: str, plies: int, reviewer: str
) -> None:
    monkeypatch.setattr(catalogue, "analyst", lambda game: analyst)
    assert catalogue.reviewer(games.make("breakthrough"), plies) == reviewer


def test_a_review_says_why_and_looks_deeper_where_a_class_is_in_doubt() -> None:
    game = games.make("breakthrough(columns=4, rows=5)")
    worker = SearchWorker()
    deeper = worker._deeper(game, worker._agent(game, "engine(nodes=2000)"))
    assert str(deeper) == "engine(nodes=8000)"
    assert worker._deeper(game, worker._agent(game, "greedy")) is None
    table = Table(game, ("person", "person"))
    for move in ("a2a3", "a4b3", "d2d3", "b3a2", "c2c3", "a2b1"):
        table.play(move)
    _, parts = _asked(table, "engine(nodes=2000)", "review", len(table.plies))
    blunder = parts[4]["judged"][0]
    assert blunder["line"][0] == blunder["best"]["move"] == "b1xa2"
    assert blunder["why"]
    assert all(each["share"] for each in blunder["why"])
    assert not parts[5]["judged"][0]["why"], "nothing was better than winning"


def test_a_game_whose_throws_can_follow_one_another_for_ever_is_reviewed() -> None:
    table = _played(str(Path(__file__).parents[2] / "examples" / "pig.py(goal=10)"), 2)
    judge = catalogue.reviewer(table.game, len(table.plies))
    _, parts = _asked(table, judge, "review", len(table.plies))
    moves = [each for part in parts for each in part.get("judged", ())]
    assert {each["mover"] for each in moves} == {0, 1}
    assert catalogue.analyst(table.game) == "mcts(time=0.5)"


def test_throws_before_a_joint_choice_are_estimates() -> None:
    game = str(Path(__file__).parents[2] / "examples" / "goofspiel.py(cards=3)")
    found, _ = _asked(Table(games.make(game), ("person", "person"), seed=1), "nash", "values", 0)
    assert not found["exact"]
    assert [each["throw"] for each in found["throws"]] == ["1", "2", "3"]
    assert all(each["best"] is None for each in found["throws"])
