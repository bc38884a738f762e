"""The games in examples/: their rules against published figures, their evaluations, their faces."""

from __future__ import annotations

from pathlib import Path

import pytest

from petteia import games
from petteia.core.game import CHANCE, SIMULTANEOUS, Game
from petteia.core.position import Position
from petteia.core.words import Words
from petteia.search.perft import perft

EXAMPLES = Path(__file__).parents[1] / "examples"
GAMES = sorted(path.name for path in EXAMPLES.glob("*.py") if not path.name.startswith("my_"))


def made(spec: str) -> Game:
    return games.make(f"{EXAMPLES}/{spec}")


def line(game: Game, plies: int) -> list[Words]:
    """Positions of a game in which everybody takes the middle of his moves."""
    found = [game.start()]
    while len(found) < plies:
        p = found[-1]
        moves = [o for o, _ in game.outcomes(p)] if game.kind(p) == CHANCE else game.legal_moves(p)
        if not moves:
            break
        middle = moves[len(moves) // 2]
        both = game.kind(p) == SIMULTANEOUS
        found.append(game.play_both(p, moves[0], middle) if both else game.play(p, middle))
    return found


@pytest.mark.parametrize(
    ("spec", "depth", "leaves"),
    [
        ("othello.py", 5, 1396),
        ("connect_four.py", 4, 2401),
        ("connect_four.py(columns=5, rows=4)", 4, 625),
        ("hex.py", 3, 16 * 15 * 14),
        ("kalah.py", 1, 6),
        ("nim.py", 1, 12),
        ("pig.py", 2, 6 + 2 * 5),
        ("goofspiel.py", 2, 5 * 25),
        ("tictactoe.py", 4, 9 * 8 * 7 * 6),
    ],
)
def test_perft(spec: str, depth: int, leaves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")
    game = made(spec)
    assert perft(game, game.start(), depth) == leaves


def test_games_of_tic_tac_toe_that_fill_the_board() -> None:
    game = made("tictactoe.py")
    assert perft(game, game.start(), 9) == 127_872


def test_kalah_moves_again_and_captures() -> None:
    again = Position.of(made("kalah.py")).play("c")
    assert again.mover == 0, "the last seed fell into the store"
    # South's last seed falls into the empty pit b and takes the three seeds opposite.
    last = Position.of(made("kalah.py"), "20001:300000000:0").play("a")
    assert str(last) == "4000000020000:0:1"
    assert last.result == 1.0, "north has no seeds left"


def test_hex_counts_the_stones_that_are_missing() -> None:
    game = made("hex.py")
    p = Position.of(game).play("b4").play("a2").play("b3").words
    assert game.evaluations["shortest_way"].of(game, p, 0) == 3.0 - 2.0
    assert game.evaluations["shortest_way"].of(game, p, 1) == 2.0 - 3.0


@pytest.mark.parametrize("name", GAMES)
def test_evaluations_are_fair_and_moves_can_be_clicked(name: str) -> None:
    game = made(name)
    assert game.evaluations
    assert game.name == "" or game.spec.name.endswith(name)
    for p in line(game, 8):
        for each in game.evaluations.values():
            assert each.of(game, p, 0) == pytest.approx(-each.of(game, p, 1))
        view = game.view(p)
        cells = {cell.id for cell in view.cells}
        assert all(cell in cells for action in view.actions for cell in action.path)
        if name in ("othello.py", "hex.py", "tictactoe.py", "connect_four.py", "kalah.py"):
            assert all(action.path for action in view.actions if action.move != "pass")
