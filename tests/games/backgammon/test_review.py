"""A match looked at again: errors by class, luck, the cube, per player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from petteia import agents
from petteia.cli.app import main
from petteia.games.backgammon.evaluations.match_equity import TABLE
from petteia.games.backgammon.rules.state import PLAY, parts_of
from petteia.review.game import review, usual_judge
from petteia.review.rates import Rates, rates_of
from tests.games.backgammon.boards import game

# A game that was not finished: White begins well, Black breaks his points, White doubles early.
MAT = """ 3 point match

 Game 1
 gnubg : 0                              You : 0
  1) 31: 8/5 6/5                        64: 24/14
  2) 11: 6/4(2)                         41: 24/23 14/10
  3)  Doubles => 2                       Takes
  4) 66: 24/18(2) 13/7(2)               32: 13/11 13/10
"""


@pytest.fixture
def facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    path = tmp_path / "match.mat"
    path.write_text(MAT)
    with pytest.raises(SystemExit) as end:
        main(
            ["review", "backgammon(match=3, cube=true)", str(path), "--agent", "network",
             "--compare", "network", "--json"]
        )  # fmt: skip
    assert not end.value.code
    return json.loads(capsys.readouterr().out)


def test_a_mat_file_is_reviewed(facts: Any) -> None:
    assert facts["players"] == ["gnubg", "You"]
    assert facts["in_points"]
    by_move = {(each["player"], each["move"]): each for each in facts["moves"]}
    assert by_move["white", "8/5 6/5"]["loss"] == 0
    # At 0:0 to 3 points the cube is no hurry here; both are marked by what they lose.
    for side in facts["sides"]:
        marked = [m["mark"] for m in facts["moves"] if m["player"] == side["player"]]
        assert side["errors"] == {mark: marked.count(mark) for mark in ("?!", "?", "??")}
        assert side["blunders"] == side["errors"]["?"] + side["errors"]["??"]
        rolls = [r["mark"] for r in facts["rolls"] if r["player"] == side["player"]]
        assert side["rolls"] == {mark: rolls.count(mark) for mark in ("!!", "!", "~~", "~")}
    assert any(each["mark"] for each in facts["moves"])
    best = max(facts["rolls"], key=lambda roll: roll["luck"])
    assert best["roll"] in ("11", "66")
    assert best["mark"] in ("!", "!!")
    white, black = facts["sides"]
    for side in (white, black):
        own = [roll["luck"] for roll in facts["rolls"] if roll["player"] == side["player"]]
        assert side["luck"] == pytest.approx(sum(own))
        lost = [move["loss"] for move in facts["moves"] if move["player"] == side["player"]]
        assert side["lost"] == pytest.approx(sum(lost), abs=1e-3)
    assert white["luck"] != pytest.approx(-black["luck"])
    # All values are chances of the match, from -1 to 1.
    assert all(-1 <= value <= 1 for value in facts["course"])
    assert facts["win_chance"][0] == pytest.approx(0.5)


def test_all_games_of_a_file_have_rates_of_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], facts: Any
) -> None:
    path = tmp_path / "match.mat"
    second = MAT.split("\n", 2)[2].replace("Game 1", "Game 2").replace("gnubg : 0", "gnubg : 2")
    second = "".join(line for line in second.splitlines(keepends=True) if "Doubles" not in line)
    path.write_text(f"{MAT}      Wins 2 points\n\n{second}")
    with pytest.raises(SystemExit) as end:
        main(["review", "backgammon(match=3, cube=true)", str(path), "--agent", "network", "--all",
              "--json"])  # fmt: skip
    assert not end.value.code
    found = json.loads(capsys.readouterr().out)
    first, other = found["games"]
    assert (first["score"], first["points"]) == ([0, 0], 2.0)
    assert (other["score"], other["points"]) == ([2, 0], None)
    # The same as in the review of the game alone.
    for side, alone in zip(first["sides"], facts["sides"], strict=True):
        assert side["error_rate"] == alone["error_rate"]
        assert side["luck_rate"] == alone["luck_rate"]
        assert side["error_rate"] >= side["snowie_rate"] >= 0


def test_rates_are_means_over_decisions_turns_and_throws() -> None:
    of = game(match=3, cube=True)
    judge = agents.make("network", of)
    read = of.foreign_games(MAT)
    assert read is not None
    found = review(of, read.whole()[0], judge)
    rates = [rates_of(of, judge, found, player) for player in (0, 1)]
    for player, each in enumerate(rates):
        moves, throws = found.of(player)
        assert each.turns == len(found.throws) == 6
        assert each.throws == len(throws)
        stakes = sum(m.loss / of.stake(m.position) for m in moves)
        assert each.lost == pytest.approx(stakes), "what goes without saying was played right"
        plays = [m for m in moves if parts_of(m.position[4])["phase"] == PLAY]
        assert len(plays) <= each.decisions <= len(moves)
        assert each.error_rate == pytest.approx(1000 * stakes / each.decisions)
        assert each.snowie_rate == pytest.approx(1000 * stakes / 6)
    both = rates[0] + rates[0]
    assert both.error_rate == pytest.approx(rates[0].error_rate)
    assert both.decisions == 2 * rates[0].decisions
    assert Rates().error_rate is Rates().luck_rate is None


def test_not_to_double_is_a_decision_only_where_doubling_is_near() -> None:
    of = game(cube=True)
    p = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert of.is_decision(p, 0, 0.1)
    assert not of.is_decision(p, 0, 0.2)
    assert of.is_decision(p, 1, 0.9)
    assert of.is_decision(of.play(p, 1), 0, 0.9)


def test_the_judge_sees_more_than_the_player() -> None:
    """Moves are judged by two plies, throws without looking ahead."""
    of = game()
    assert usual_judge(of) == "network(plies=2)"
    judge = agents.make(usual_judge(of), of)
    read = of.foreign_games("(;FF[4]GM[6]MI[length:0]PW[a]PB[b];W[21mkfe];B[65aggl])")
    assert read is not None
    (played,) = read.whole()
    found = review(of, played, judge)
    (first, _) = found.moves
    values = {v.move: v.value or 0.0 for v in judge.values(first.position)}
    assert (first.value, first.best_value) == (values[first.move], max(values.values()))
    network = agents.make("network", of)
    shallow = {v.move: v.value or 0.0 for v in network.values(first.position)}
    assert values[first.move] != shallow[first.move]
    assert found.throws[0].after == pytest.approx(max(shallow.values()))


def test_luck_is_measured_by_what_is_at_stake() -> None:
    """The same error is worse the higher the cube, and in a match by the chances it moves."""
    of = game(match=3, cube=True)
    p = of.start()
    assert of.stake(p) == pytest.approx(TABLE[1, 2, 3] - TABLE[1, 3, 2])
    assert game().stake(game().start()) == 1.0
    doubled = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10"
    money = game(cube=True)
    assert money.stake(money.parse(doubled)) == 2.0


def test_own_records_and_sgf_are_reviewed_alike() -> None:
    of = game()
    sgf = "(;FF[4]GM[6]MI[length:0]PW[a]PB[b];W[31hefe];B[65aggl])"
    read = of.foreign_games(sgf)
    assert read is not None
    (played,) = read.whole()
    found = review(of, played, agents.make("network", of))
    assert [of.move_text(m.position, m.move) for m in found.moves] == ["8/5 6/5", "24/13"]
    assert found.moves[0].loss == 0.0
    assert len(found.throws) == 2
