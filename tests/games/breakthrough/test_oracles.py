"""Outside oracles: OpenSpiel and Fairy-Stockfish play the same Breakthrough as we do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from tests.games.breakthrough.boards import board, of_games, scattered

# --- OpenSpiel ----------------------------------------------------------------------------------

OPEN_SPIEL = {
    # Under six rows OpenSpiel fills one home row a side.
    (8, 8, 2): 3000,
    (7, 7, 2): 2000,
    (6, 6, 2): 2000,
    (5, 6, 2): 1000,
    (3, 7, 2): 1000,
    (4, 9, 2): 1000,
    (10, 5, 1): 2000,
    (5, 5, 1): 1000,
}
"""How many positions on each board."""


@pytest.fixture(scope="module")
def open_spiel() -> Any:
    return pytest.importorskip("pyspiel", reason="OpenSpiel (open_spiel) is not installed")


def seen_from_above(game: Breakthrough, move: str) -> str:
    """OpenSpiel's first player stands at the top: its rows are ours counted from the other end."""
    return "".join(
        letter if letter.isalpha() else str(game.rows + 1 - int(letter))
        for letter in move.rstrip("*")  # a star marks a capture
    )


@pytest.mark.parametrize("size", OPEN_SPIEL, ids="{0[0]}x{0[1]}-{0[2]}".format)
def test_open_spiel_agrees(open_spiel: Any, size: tuple[int, int, int]) -> None:
    columns, rows, filled = size
    game = board(columns=columns, rows=rows, filled=filled)
    other = open_spiel.load_game(f"breakthrough(rows={rows},columns={columns})")
    chance = random.Random(rows * 100 + columns)
    p, state, ends = game.start(), other.new_initial_state(), set()
    for _ in range(OPEN_SPIEL[size]):
        assert (game.kind(p) == TERMINAL) == state.is_terminal()
        if state.is_terminal():
            assert [game.result(p), -game.result(p)] == state.returns()
            ends.add(game.result(p))
            p, state = game.start(), other.new_initial_state()
            continue
        assert game.mover(p) == state.current_player()
        theirs = {
            seen_from_above(game, text): (text.endswith("*"), action)
            for action in state.legal_actions()
            for text in [state.action_to_string(state.current_player(), action)]
        }
        texts = {game.move_text(p, move): move for move in game.legal_moves(p)}
        ours = {text.replace("x", ""): "x" in text for text in texts}
        assert ours == {text: takes for text, (takes, _) in theirs.items()}
        choice = chance.choice(sorted(texts))
        p = game.play(p, texts[choice])
        state.apply_action(theirs[choice.replace("x", "")][1])
    assert ends == {1.0, -1.0}


# --- Fairy-Stockfish ----------------------------------------------------------------------------

VARIANTS = """
[breakthrough7:breakthrough]
maxFile = 7
maxRank = 7
startFen = ppppppp/ppppppp/7/7/7/PPPPPPP/PPPPPPP w 0 1
flagRegionWhite = *7

[breakthrough6:breakthrough]
maxFile = 6
maxRank = 6
startFen = pppppp/pppppp/6/6/PPPPPP/PPPPPP w 0 1
flagRegionWhite = *6

[breakthrough5:breakthrough]
maxFile = 5
maxRank = 5
startFen = ppppp/ppppp/5/PPPPP/PPPPP w 0 1
flagRegionWhite = *5

[breakthrough10x5:breakthrough]
maxFile = 10
maxRank = 5
startFen = pppppppppp/pppppppppp/10/PPPPPPPPPP/PPPPPPPPPP w 0 1
flagRegionWhite = *5

[breakthrough-three:breakthrough]
flagPieceCount = 3
extinctionValue = loss
extinctionPieceTypes = p
extinctionPieceCount = 2

[breakthrough10x5-three:breakthrough10x5]
flagPieceCount = 3
extinctionValue = loss
extinctionPieceTypes = p
extinctionPieceCount = 2
"""

FAIRY_STOCKFISH: dict[str, tuple[dict[str, int], int]] = {
    "breakthrough": ({}, 2500),
    "breakthrough7": ({"columns": 7, "rows": 7}, 1000),
    "breakthrough6": ({"columns": 6, "rows": 6}, 1000),
    "breakthrough5": ({"columns": 5, "rows": 5}, 1000),
    "breakthrough10x5": ({"columns": 10, "rows": 5}, 1500),
    "breakthrough-three": ({"workers": 3}, 2000),
    "breakthrough10x5-three": ({"columns": 10, "rows": 5, "workers": 3}, 1200),
}
"""The game with the same rules, and how many positions; each costs about 3 ms."""


@pytest.fixture(scope="module")
def pyffish() -> Any:
    module = pytest.importorskip("pyffish", reason="pyffish (Fairy-Stockfish) is not installed")
    module.load_variant_config(VARIANTS)
    return module


def agree(pyffish: Any, variant: str, game: Breakthrough, p: Words) -> None:
    """The same moves; and where we say that the game is over, the same winner."""
    fen = f"{game.text(p)} - - 0 1"
    ours = sorted(game.move_text(p, move).replace("x", "") for move in game.legal_moves(p))
    assert ours == sorted(pyffish.legal_moves(variant, fen, [])), fen
    if game.kind(p) == TERMINAL:
        # Their value speaks for the player to move.
        value = pyffish.game_result(variant, fen, [])
        assert abs(value) == pyffish.VALUE_MATE, fen
        assert (value > 0) == (game.result(p) > 0) ^ (game.mover(p) == 1), fen


@pytest.mark.parametrize("variant", FAIRY_STOCKFISH)
def test_fairy_stockfish_agrees(pyffish: Any, variant: str) -> None:
    parameters, count = FAIRY_STOCKFISH[variant]
    game = board(**parameters)
    assert pyffish.start_fen(variant).startswith(game.text(game.start()))
    for p in of_games(game, count, seed=count):
        agree(pyffish, variant, game, p)


@pytest.mark.parametrize("variant", FAIRY_STOCKFISH)
def test_fairy_stockfish_agrees_on_scattered_workers(pyffish: Any, variant: str) -> None:
    game = board(**FAIRY_STOCKFISH[variant][0])
    for p in scattered(game, 100, seed=1):
        # They ask only whether the last move has won: whoever is to move cannot have won already.
        if game.kind(p) != TERMINAL or (game.result(p) > 0) == (game.mover(p) == 1):
            agree(pyffish, variant, game, p)


def test_fairy_stockfish_agrees_that_who_cannot_move_loses(pyffish: Any) -> None:
    game = board(workers=3)
    agree(pyffish, "breakthrough-three", game, game.parse("pP1P4/P7/8/8/8/8/5ppp/8 w"))
