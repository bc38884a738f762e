"""The test that every game must pass passes on sound games and finds the faults of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import games
from petteia.check import CheckFailed, check_game
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.words import U, Words
from tests.toys import Heap, OddEven, Race

EXAMPLE = Path(__file__).parents[1] / "examples" / "connect_four.py"


class MoveTwice(Heap):
    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        out[at] = 1
        out[at + 1] = 1
        return at + 2


class NoMove(Heap):
    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        return at


class TooMany(Heap):
    max_moves = 1


class SameText(Heap):
    def move_text(self, p: Words, move: int) -> str:
        return "take"


class LostText(Heap):
    def text(self, p: Words) -> str:
        return "5:0"


class NotWords(Heap):
    def start(self) -> Any:
        return (5, 0)


class Endless(Heap):
    max_plies = 50

    def play(self, p: Words, move: int) -> Words:
        return p


class FalseForce(Heap):
    def forced(self, p: Words) -> int:
        return 1


class FalseLoss(Heap):
    def forced(self, p: Words) -> int:
        return -2


class NoisyIllegal(Heap):
    def noisy_moves(self, p: Words, out: np.ndarray, at: int) -> int:
        out[at] = 7
        return at + 1


class BadSymmetry(Heap):
    def symmetries(self, p: Words, move: int) -> list[tuple[Words, int]]:
        return [((p[0] + U(1), p[1]), move)]


@pytest.mark.parametrize(
    "game",
    [Heap(), Race(), OddEven(), games.make("breakthrough(columns=4, rows=5)")]
    + [games.make(spec) for spec in ("three-workers(columns=4, rows=5)", "long-board")]
    + [games.make(str(EXAMPLE))],
    ids=str,
)
def test_sound_games_pass(game: Game) -> None:
    found = check_game(game, games=4)
    assert found.positions > 4
    assert found.longest > 2


@pytest.mark.slow
def test_breakthrough_passes_on_the_full_board() -> None:
    assert check_game(games.make("breakthrough"), games=3).positions > 100


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        (MoveTwice, "listed twice"),
        (NoMove, "no move, but the game is not over"),
        (TooMany, "more moves than max_moves"),
        (SameText, "two moves have the same text"),
        (LostText, "another position"),
        (NotWords, "U(...)"),
        (Endless, "max_plies"),
        (FalseForce, "forced says a win in 1"),
        (FalseLoss, "forced says a loss in 2"),
        (NoisyIllegal, "noisy_moves"),
        (BadSymmetry, "symmetry"),
    ],
)
def test_faults_are_found_and_named(kind: type[Game], fault: str) -> None:
    with pytest.raises(CheckFailed, match=fault.replace("(", r"\(").replace(")", r"\)")) as caught:
        check_game(kind())
    assert "\n" not in str(caught.value)


def test_a_game_without_play_says_so() -> None:
    with pytest.raises(PetteiaError, match="Half does not define play"):

        class Half(Heap):
            play = Game.play


def test_probabilities_must_add_up() -> None:
    class Loaded(Race):
        def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
            out[at] = 1
            prob[at] = 0.9
            return at + 1

    with pytest.raises(CheckFailed, match="add up to 1"):
        check_game(Loaded())
