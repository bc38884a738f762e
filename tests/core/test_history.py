"""Rules that look back: the third time is a draw, for everybody who plays or reads a game."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.arena.play import play_game
from petteia.check import check_game
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.history import Line, is_repeated
from petteia.core.position import Position
from petteia.core.record import Ply, Record
from petteia.core.replay import play_all, replay
from petteia.search.pvs import identity_key
from petteia.search.stepper import stepper_of
from tests.toys import OddEven, Pacing

GAME = Pacing(length=12)  # so long that nobody is driven into a corner
CIRCLE = ("right", "right", "left", "left")
TOYS = Path(__file__).parents[1] / "toys.py"


def _line(start: str, moves: tuple[str, ...]) -> Line:
    plies = [Ply("move", (move,)) for move in moves]
    line = Line(GAME, start)
    play_all(line, plies)
    return line


def test_the_third_time_is_a_draw_and_counters_do_not_matter() -> None:
    assert not _line("start", (*CIRCLE, *CIRCLE[:3])).is_drawn
    line = _line("start", CIRCLE * 2)
    assert line.is_drawn
    assert is_repeated(GAME, line.earlier, line.positions[-1])
    assert len(set(line.positions)) == 9  # the counter tells them apart


def test_a_position_knows_its_line() -> None:
    position = Position.of(GAME)
    for move in (*CIRCLE, *CIRCLE):
        assert position.kind != TERMINAL
        assert position.result is None
        position = position.play(move)
    assert position.kind == TERMINAL
    assert position.result == 0.0
    assert position.moves() == []
    assert position.view().actions == ()
    assert position.status == "draw: the position stands for the third time"
    assert position == Position(GAME, position.words)  # what stands on the board, not how it came


def test_games_without_such_a_rule_do_not_look_back() -> None:
    line = Line(OddEven())
    line.add(Ply("both", ("1", "1")), OddEven().play_both(OddEven().start(), 1, 1))
    assert len(line.positions) == 2
    assert list(line.earlier) == []
    assert not line.is_drawn


def test_a_line_that_is_taken_back_counts_as_if_it_had_not_been_played() -> None:
    line = _line("start", CIRCLE * 2)
    assert [ply.texts[0] for ply in line.back_to(7)] == [CIRCLE[-1]]
    assert not line.is_drawn
    line.back_to(2)
    play_all(line, [Ply("move", (move,)) for move in CIRCLE[2:]])
    assert not line.is_drawn
    play_all(line, [Ply("move", (move,)) for move in CIRCLE])
    assert line.is_drawn


def test_the_arena_ends_the_game_and_says_why() -> None:
    random = agents.make("random", GAME)
    played = play_game(GAME, (random, random), seeds=(1, 2))
    assert played.result == 0.0
    assert played.plies < GAME.max_plies
    assert played.record.header("Draw") == "the position stands for the third time"
    line = replay(played.record, GAME)
    counts = [is_repeated(GAME, line[:n], p) for n, p in enumerate(line)]
    assert counts.index(True) == len(line) - 1


def test_records_go_no_further_than_the_draw() -> None:
    plies = tuple(Ply("move", (move,)) for move in CIRCLE * 2)
    drawn = Record("pacing", ("a", "b"), plies=plies, result=0.0)
    assert len(replay(drawn, GAME)) == 9
    with pytest.raises(PetteiaError, match="1/2-1/2, but the record says 1-0"):
        replay(Record("pacing", ("a", "b"), plies=plies, result=1.0), GAME)
    longer = Record("pacing", ("a", "b"), plies=(*plies, Ply("move", ("right",))))
    with pytest.raises(PetteiaError, match="ply 9: 'right' is not possible; draw"):
        replay(longer, GAME)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_engine_repeats_when_it_is_worse_and_not_when_it_is_better(depth: int) -> None:
    engine = agents.make(f"engine(depth={depth})", GAME)
    worse = _line("start", (*CIRCLE, *CIRCLE[:3]))
    engine.follow(worse)
    choice = engine.choose(worse.positions[-1])
    assert GAME.move_text(worse.positions[-1], choice.move) == "left"
    assert choice.value == 0.0
    better = _line("6:3:1:0", ("right", "left", "left", "right", "right", "left", "left"))
    engine.follow(better)
    choice = engine.choose(better.positions[-1])
    assert GAME.move_text(better.positions[-1], choice.move) == "left"
    assert choice.value == 5.0


def test_without_the_line_the_engine_sees_no_draw() -> None:
    line = _line("start", (*CIRCLE, *CIRCLE[:3]))
    engine = agents.make("engine(depth=1)", GAME)
    assert engine.choose(line.positions[-1]).value == -5.0


def test_below_the_root_a_second_time_is_enough() -> None:
    narrow = Pacing(length=2)  # everybody has one move, and the fifth ply repeats the first
    values = [
        agents.make(f"engine(depth={n})", narrow).choose(narrow.start()).value for n in (4, 5)
    ]
    assert values == [5.0, 0.0]


def test_keys_are_the_same_compiled_and_interpreted() -> None:
    engine = agents.make("engine(depth=2)", GAME)
    line = _line("start", CIRCLE[:2])
    engine.follow(line)
    engine.choose(line.positions[-1])
    ws = engine.search.ws  # type: ignore[attr-defined]
    after = {
        int(identity_key(GAME, stepper_of(GAME).play(line.positions[-1], move)))
        for move in GAME.legal_moves(line.positions[-1])
    }
    assert int(ws["keys"][3]) in after  # written by the compiled search one ply below the root
    assert [int(k) for k in ws["keys"][:3]] == [int(identity_key(GAME, p)) for p in line.positions]


def test_a_program_outside_is_told_what_was_played() -> None:
    game = games.make(f"{TOYS}:Pacing")
    command = f"{sys.executable} -m petteia engine {TOYS}:Pacing engine(depth=2)"
    outside = agents.make(f'external(command="{command}", time=20)', game)
    line = _line("start", (*CIRCLE, *CIRCLE[:3]))
    try:
        outside.follow(line)
        choice = outside.choose(line.positions[-1], player=1)
        assert game.move_text(line.positions[-1], choice.move) == "left"
        assert choice.value == 0.0
    finally:
        outside.close()


def test_the_toy_keeps_the_contract() -> None:
    check_game(GAME, games=5)
