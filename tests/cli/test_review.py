"""Reviewing, exploring and puzzles, for any game whose agents give values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from petteia import agents, games
from petteia.arena.match import Match
from petteia.cli import play
from petteia.cli.app import main
from petteia.core import fair, record
from petteia.games.ur.solution.solver import UrSolver
from petteia.review.game import review
from petteia.solve import Control

SPEC = "ur(pieces=2)"


@pytest.fixture(scope="module", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    patch.setenv("PETTEIA_TABLES", str(tmp_path_factory.mktemp("tables")))
    UrSolver(2).solve(Control(), workers=1)
    yield None
    patch.undo()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    with pytest.raises(SystemExit) as end:
        main([*arguments, "--json"])
    shown = capsys.readouterr()
    return int(end.value.code or 0), json.loads(shown.out or "null"), shown.err


def played(seed: int) -> record.Record:
    game = games.make(SPEC)
    match = Match(game, agents.make("random", game), agents.make("massugu", game), seed=seed)
    return match.pair(0).games[0].record


def test_luck_and_errors_of_both_add_up_to_the_result() -> None:
    game = games.make(SPEC)
    judge = agents.make("perfect", game)
    for seed in range(6):
        kept = played(seed)
        found = review(game, kept, judge)
        assert kept.result is not None
        first, second = (found.luck(player) - found.lost(player) for player in (0, 1))
        # Values are kept to 16 bits, so that every ply may be off by a little.
        assert first - second == pytest.approx(kept.result - found.course[0], abs=5e-3)
        assert found.lost(0) > 0.0
        assert found.luck(0) != pytest.approx(-found.luck(1))
        assert all(move.loss >= 0 for move in found.moves)


def test_a_review_tells_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.txt"
    record.save(path, [played(3)])
    code, facts, _ = run(
        capsys, "review", SPEC, str(path), "--compare", "massugu", "--compare", "random"
    )
    assert code == 0
    assert facts["judge"] == "perfect"
    assert len(facts["course"]) == len(facts["moves"]) + len(facts["rolls"]) + 1
    assert set(facts["agreement"]) == {"massugu", "random"}
    # One of the players was massugu itself.
    assert 1.0 in facts["agreement"]["massugu"]
    assert sum(facts["dice"]["counts"].values()) == facts["dice"]["throws"] == len(facts["rolls"])
    blunders = [m for m in facts["moves"] if m["mark"] in ("?", "??")]
    assert len(blunders) == sum(side["blunders"] for side in facts["sides"])


def test_games_in_the_game_s_own_notation_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.rgn"
    path.write_text("1. A@A1 * A1B1 / C@C3\n2. B1B4 * 0 -- / C3C1 * C@C4\n")
    code, facts, _ = run(capsys, "review", SPEC, str(path), "--compare", "massugu")
    assert code == 0
    assert [roll["roll"] for roll in facts["rolls"]] == ["4", "1", "2", "3", "0", "2", "1"]
    assert facts["result"] is None


def test_what_cannot_be_read_of_a_file_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.rgn"
    good = "[Light a]\n[Dark b]\n\n1. A@A1 * A1B1 / C@C3\n"
    path.write_text(f"{good}\n{good.replace('A1B1', 'A1C9')}\n{good}")
    for more in ((), ("--all",)):
        code, facts, said = run(capsys, "review", SPEC, str(path), "--compare", "massugu", *more)
        assert code == 0
        assert facts["read"] == 2
        (fault,) = facts["faults"]
        assert (fault["game"], fault["line"]) == (2, 9)
        assert "not read: game 2, line 9: token 4 of the game, 'A1C9'" in said
    assert [each["game"] for each in facts["games"]] == [1, 3]


def test_a_game_without_dice_can_be_reviewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = games.make("breakthrough(columns=3, rows=4)")
    match = Match(game, agents.make("random", game), agents.make("random", game), seed=1)
    path = tmp_path / "game.txt"
    record.save(path, [match.pair(0).games[0].record])
    agent = "alphabeta(depth=2)"
    code, facts, _ = run(
        capsys, "review", str(game), str(path), "--agent", agent, "--compare", agent
    )
    assert code == 0
    assert facts["rolls"] == []
    assert facts["dice"] is None


def test_explore_knows_every_throw(capsys: pytest.CaptureFixture[str]) -> None:
    code, facts, _ = run(capsys, "explore", SPEC, "start")
    assert code == 0
    assert facts["value"] == pytest.approx(2 * 0.518572907 - 1, abs=1e-4)
    assert [roll["roll"] for roll in facts["rolls"]] == ["0", "1", "2", "3", "4"]


def test_puzzles_are_those_where_the_obvious_move_loses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, facts, _ = run(capsys, "puzzle", SPEC, "--count", "3", "--positions", "200")
    assert code == 0
    losses = [each["loss"] for each in facts["puzzles"]]
    assert len(losses) == 3
    assert losses == sorted(losses, reverse=True)
    for each in facts["puzzles"]:
        values = {move["move"]: move["value"] for move in each["moves"]}
        assert each["loss"] == pytest.approx(values[each["best"]] - values[each["obvious"]])
        assert each["loss"] > 0


def test_a_puzzle_with_a_forced_end_tells_it_in_plies(capsys: pytest.CaptureFixture[str]) -> None:
    tictactoe = str(Path(__file__).parents[2] / "examples" / "tictactoe.py")
    with pytest.raises(SystemExit) as end:
        main(["puzzle", tictactoe, "--agent", "alphabeta(depth=9)", "--obvious", "random",
              "--count", "1", "--positions", "20"])  # fmt: skip
    assert not end.value.code
    told = capsys.readouterr().out.strip().split("\n")[-1]
    assert re.fullmatch(r"obvious: \w\d \(.+\); best: \w\d \(win in \d\)", told)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("review", SPEC, "no-such-file"), "cannot read"),
        (("explore", SPEC, "nonsense"), "bad position"),
        (("puzzle", SPEC, "--agent", "massugu"), "gives no values"),
        (("puzzle", "ur(pieces=1)", "--agent", "greedy"), "100 games without a choice"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, error = run(capsys, *arguments)
    assert code == 2
    assert why in error


def test_dice_that_were_promised_can_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = games.make(SPEC)
    told: list[str] = []
    table = play.Terminal(game, agents.make("random", game), (), 0, lambda _: "", told.append)
    table.session.secret = fair.new_secret()
    assert dict(table.session.record().headers).keys() == {"Seed", "Promise"}
    table.play()
    path = tmp_path / "game.txt"
    record.save(path, [table.session.record()])
    _, facts, _ = run(capsys, "review", SPEC, str(path), "--compare", "random")
    assert facts["dice"]["promise_kept"] is True
    text = path.read_text()
    path.write_text(text.replace(table.session.secret, "0" * 32))
    _, facts, _ = run(capsys, "review", SPEC, str(path), "--compare", "random")
    assert facts["dice"]["promise_kept"] is False
