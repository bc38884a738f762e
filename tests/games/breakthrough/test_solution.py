"""Solved boards: known results, the rules' own successors, an independent search, interruptions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from petteia import agents
from petteia.arena.match import Match
from petteia.cli import main
from petteia.compiled.targets import CUDA
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.breakthrough.solution.layout import layout_of
from petteia.games.breakthrough.solution.solver import BreakthroughSolver, swept
from petteia.games.breakthrough.solution.sweep import SOLVE_ROW, space_of
from petteia.games.breakthrough.solution.table import Values, table_path
from petteia.games.breakthrough.solution.yardstick import wins_kept
from petteia.solve import Control, Stopped
from tests.games.breakthrough.boards import board, of_games, scattered

FIRST, SECOND = True, False
KNOWN = {
    (3, 4, 2): SECOND, (4, 4, 2): SECOND, (5, 4, 2): SECOND, (3, 5, 2): SECOND, (4, 5, 2): SECOND,
    (2, 6, 2): FIRST, (3, 6, 2): FIRST, (2, 7, 2): SECOND, (3, 7, 2): SECOND, (2, 9, 2): SECOND,
    (4, 4, 1): FIRST, (3, 5, 1): FIRST, (4, 5, 1): FIRST,
}  # fmt: skip
LARGER = {(5, 5, 2): SECOND, (4, 6, 2): FIRST}


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path / "tables"))


@cache
def solved(columns: int, rows: int, filled: int = 2) -> Values:
    return swept(board(columns=columns, rows=rows, filled=filled), workers=2)


@pytest.mark.parametrize("size", KNOWN, ids=str)
def test_small_boards_have_their_known_winner(size: tuple[int, int, int]) -> None:
    assert solved(*size).first_wins is KNOWN[size]


@pytest.mark.slow
@pytest.mark.parametrize("size", LARGER, ids=str)
def test_larger_boards_have_their_known_winner(size: tuple[int, int, int]) -> None:
    """5x5: Haugland, Saffidine and others; the rest agrees with an independent search."""
    assert swept(board(columns=size[0], rows=size[1]), workers=2).first_wins is LARGER[size]


def test_every_value_is_that_of_a_plain_search() -> None:
    game = board(columns=3, rows=5)
    solution = solved(3, 5)

    @cache
    def wins(p: Words) -> bool:
        if game.kind(p) == TERMINAL:
            return bool(game.result(p) == (1.0 if p[2] == 0 else -1.0))
        return any(not wins(game.play(p, move)) for move in game.legal_moves(p))

    wins(game.start())
    for p in scattered(game, 200, seed=1):
        wins(p)
    assert wins.cache_info().currsize > 2000
    for p in [*of_games(game, 300, seed=2), *scattered(game, 200, seed=1)]:
        assert solution.mover_wins(p) is wins(p)
        if game.kind(p) != TERMINAL:
            kept = [move for move in game.legal_moves(p) if not wins(game.play(p, move))]
            assert solution.winning_moves(p) == kept


def test_values_follow_from_successors_and_a_wrong_bit_is_found() -> None:
    solution = solved(3, 5)
    assert solution.check(20_000) > 4000
    spoilt = Values(solution.game, solution.layout, ~solution.bits)
    with pytest.raises(PetteiaError, match="is wrong at"):
        spoilt.check(2000)


def test_the_result_is_proven_by_following_every_line() -> None:
    solution = solved(3, 5)
    assert 100 < solution.prove() < 5000
    empty = Values(solution.game, solution.layout, np.zeros_like(solution.bits))
    with pytest.raises(PetteiaError, match="does not lead to the end"):
        empty.prove()
    with pytest.raises(PetteiaError, match="more positions than there is room"):
        solution.prove(bits=6)


def test_threads_prove_the_same_result() -> None:
    solution = solved(3, 5)
    alone, together = solution.prove(races=True), solution.prove(races=True, threads=3)
    assert together == pytest.approx(alone, rel=0.5)  # another proof, of about the same size
    empty = Values(solution.game, solution.layout, np.zeros_like(solution.bits))
    with pytest.raises(PetteiaError, match="does not lead to the end"):
        empty.prove(threads=2)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    game = board(columns=4, rows=5)
    assert np.array_equal(solved(4, 5).bits, swept(game, workers=1).bits)
    assert np.array_equal(solved(4, 5).bits, swept(game, workers=5).bits)


def test_the_sweep_is_written_for_a_gpu_too() -> None:
    layout = layout_of(board(columns=3, rows=5))
    space = space_of(layout, np.zeros(layout.words, np.uint64), 1)
    assert b".entry" in SOLVE_ROW.code_for(CUDA, space, 0).code


def test_the_layout_counts_positions_as_they_are() -> None:
    layout = layout_of(board(columns=2, rows=5))
    rows = [(0, 1, 2), (2, 3, 4)]
    count = 0
    cells = [tuple(r * 2 + c for r in side for c in range(2)) for side in rows]
    for white in range(1 << 6):
        for black in range(1 << 6):
            sides = [
                {cell for place, cell in enumerate(cells[side]) if bits >> place & 1}
                for side, bits in enumerate((white, black))
            ]
            fits = not sides[0] & sides[1] and all(len(side) <= 4 for side in sides)
            count += 2 * fits
    assert layout.positions == count


class _Impatient(Control):
    """Stops after some reports."""

    def __init__(self, patience: int) -> None:
        super().__init__()
        self.patience = patience

    def report(self, share: float, what: str = "") -> None:
        self.patience -= 1
        if self.patience < 0:
            self.stop()
        super().report(share, what)


def test_an_interrupted_solution_goes_on_and_is_the_same() -> None:
    solver = BreakthroughSolver(columns=3, rows=5)
    whole = solved(3, 5).bits
    stops = 0
    while True:
        try:
            facts = solver.solve(_Impatient(60), workers=2)
            break
        except Stopped:
            stops += 1
            assert table_path(solver.board).with_suffix(".unfinished").exists()
    assert stops >= 2
    assert facts["winner"] == "second"
    assert not table_path(solver.board).with_suffix(".unfinished").exists()
    assert np.array_equal(Values.load(solver.board).bits, whole)
    assert solver.solve(_Impatient(0), workers=1) == facts  # it is there


def test_solve_prints_the_winner_and_perfect_plays_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["solve", "breakthrough(columns=3, rows=5)", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["winner"] == "second"
    assert facts["positions"] == solved(3, 5).layout.positions
    assert {"seconds", "checked", "bytes", "file"} <= set(facts)
    game = board(columns=3, rows=5)
    perfect, rival = agents.make("perfect", game), agents.make("engine(nodes=300)", game)
    result = Match(game, perfect, rival, seed=3, opening="none").run(pairs=6)
    assert all(pair.scores[1] == 1.0 for pair in result.pairs)  # as second player it wins
    assert [each.value for each in perfect.values(game.start())] == [-1.0] * 7


def test_what_cannot_be_solved_is_said_in_one_line() -> None:
    with pytest.raises(PetteiaError, match=r"petteia solve 'breakthrough\(columns=4, rows=5"):
        agents.make("perfect", board(columns=4, rows=5))
    with pytest.raises(PetteiaError, match="too large to be solved here: its table takes"):
        BreakthroughSolver().solve(Control(), workers=1)
    with pytest.raises(PetteiaError, match="at least 4 rows, one worker to win"):
        layout_of(board(workers=3))


def test_the_yardstick_tells_perfect_from_random_play() -> None:
    game = board(columns=3, rows=5)
    BreakthroughSolver(columns=3, rows=5).solve(Control(), workers=1)
    solution = Values.load(game)
    assert wins_kept(solution, agents.make("perfect", game), 100).share == 1.0
    guess = wins_kept(solution, agents.make("random", game), 100)
    assert guess.positions == 100
    assert 0.1 < guess.share < 0.8
