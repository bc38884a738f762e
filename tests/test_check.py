"""The test that every game must pass passes on sound games and finds the faults of others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from petteia import agents, games
from petteia.check import CheckFailed, check_game
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import of_function
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game, Kind
from petteia.core.words import U, Words
from petteia.games.breakthrough import Breakthrough
from tests.toys import Heap, Market, OddEven, Pacing, Race

EXAMPLE = Path(__file__).parents[1] / "examples" / "connect_four.py"
GOOFSPIEL = EXAMPLE.with_name("goofspiel.py")


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


class Miscounted(Heap):
    def count_moves(self, p: Words, out: np.ndarray) -> int:
        return 2

    def nth_move(self, p: Words, n: int, out: np.ndarray) -> int:
        return n + 1


class Backwards(Heap):
    def count_moves(self, p: Words, out: np.ndarray) -> int:
        return 1 if p[0] == U(1) else 2

    def nth_move(self, p: Words, n: int, out: np.ndarray) -> int:
        return 1 if p[0] == U(1) else 2 - n


class Misthrown(Race):
    def count_chances(self, p: Words, out: np.ndarray, prob: np.ndarray) -> int:
        return self.chances(p, out, prob, 0)

    def chance_at(
        self, p: Words, unit: float, count: int, out: np.ndarray, prob: np.ndarray
    ) -> int:
        return out[0]  # type: ignore[no-any-return]


class BadSymmetry(Heap):
    def symmetries(self, p: Words, move: int) -> list[tuple[Words, int]]:
        return [((p[0] + U(1), p[1]), move)]


class Over(Heap):
    def start(self) -> Words:
        return (U(0), U(0))


class Generous(Heap):
    def result(self, p: Words) -> float:
        return 3.0 if p[1] == U(1) else -1.0


class HiddenDice(Heap):
    """Throws, but does not say what."""

    def kind(self, p: Words) -> int:
        return TERMINAL if p[0] == U(0) else CHANCE if p[0] == U(3) else DECISION


class HiddenBoth(Heap):
    def kind(self, p: Words) -> int:
        return TERMINAL if p[0] == U(0) else SIMULTANEOUS if p[0] == U(3) else DECISION


class HiddenAlone(Market):
    moves = Game.moves
    mover = Game.mover


class AtOnce(Pacing):
    repetitions = 1


class ShortMemory(Pacing):
    def lookback(self, p: Words) -> int:
        return 1


class Careless(Pacing):
    """Takes positions of either mover for the same."""

    def identity(self, p: Words) -> Words:
        return (p[0], U(0), U(0), U(0))


class NoLateMoves(Heap):
    late_moves = (0, 4, 4)


class Unlimited(Heap):
    most_points = float("inf")


class NoSuchEvaluation(Heap):
    default_evaluation = "material"


def enormous(game: Heap, p: Words, player: int) -> float:
    return 1e6


class Overconfident(Heap):
    evaluations: ClassVar = {"enormous": of_function("enormous", enormous)}


def doubled(game: Race, p: Words, player: int) -> float:
    return 4.0 if p[2] == U(0) else 0.0


class BeyondItsPoints(Race):
    """Before a throw the estimate is more than a game can bring."""

    evaluations: ClassVar = {"doubled": of_function("doubled", doubled)}
    evaluations["doubled"].point = 1.0


@pytest.mark.parametrize(
    "game",
    [
        Heap(),
        Race(),
        OddEven(),
        Market(),
        games.make(str(GOOFSPIEL)),
        games.make("breakthrough(columns=4, rows=5)"),
    ]
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
        (Miscounted, "in count_moves: returns 2, but moves lists 1"),
        (Backwards, "in nth_move: returns 2 for n = 0, but moves lists 1"),
        (Misthrown, "chance_at says something else than the list"),
        (BadSymmetry, "symmetry"),
        (Over, "over at its start"),
        (Generous, "result is 3, but most_points is 1"),
        (HiddenDice, "kind is CHANCE, but the game does not define chances"),
        (HiddenBoth, "kind is SIMULTANEOUS, but the game does not define play_both"),
        (HiddenAlone, "kind is DECISION, but the game does not define moves"),
        (AtOnce, "repetitions is 1"),
        (ShortMemory, "lookback is 1, but the position stood"),
        (Careless, "identity is that of another position"),
        (NoLateMoves, "late_moves"),
        (Unlimited, "most_points is inf"),
        (NoSuchEvaluation, "default_evaluation is 'material'"),
        (Overconfident, "evaluation enormous is 1e+06, but must stay within 900000"),
        (BeyondItsPoints, "evaluation doubled is 4, but must stay within 2"),
    ],
)
def test_faults_are_found_and_named(kind: type[Game], fault: str) -> None:
    with pytest.raises(CheckFailed, match=re.escape(fault)) as caught:
        check_game(kind())
    assert "\n" not in str(caught.value)


def test_a_game_without_play_says_so() -> None:
    with pytest.raises(PetteiaError, match="Half does not define play"):

        class Half(Heap):
            play = Game.play


def test_what_counts_moves_also_names_them() -> None:
    with pytest.raises(PetteiaError, match="Half defines count_moves, but not both"):

        class Half(Heap):
            def count_moves(self, p: Words, out: np.ndarray) -> int:
                return 2


def test_a_list_that_is_written_anew_is_counted_anew() -> None:
    class Slow(Breakthrough):
        def moves(self, p: Words, out: np.ndarray, at: int) -> int:
            out[at] = 8 * 64 + 16
            return at + 1

    out = np.zeros(64, np.int64)
    assert Breakthrough().count_moves(Slow().start(), out) == 22
    assert Slow().count_moves(Slow().start(), out) == 1


def test_probabilities_must_add_up() -> None:
    class Loaded(Race):
        def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
            out[at] = 1
            prob[at] = 0.9
            return at + 1

    with pytest.raises(CheckFailed, match="add up to 1"):
        check_game(Loaded())


# --- what is found out ----------------------------------------------------------------------------


def test_dice_and_simultaneous_moves_are_found_out() -> None:
    assert Heap.kinds() == {Kind.DECISION}
    assert Race.kinds() == {Kind.DECISION, Kind.CHANCE}
    assert Market.kinds() == {Kind.DECISION, Kind.CHANCE, Kind.SIMULTANEOUS}
    assert games.make(str(GOOFSPIEL)).kinds() == {Kind.CHANCE, Kind.SIMULTANEOUS}
    assert games.make("ropasci").kinds() == {Kind.SIMULTANEOUS}
    assert (Race.has_chance, Race.has_simultaneous) == (True, False)


def test_a_flag_may_be_declared_but_not_wrongly() -> None:
    class Said(Race):
        has_chance = True

    assert Said.has_chance
    with pytest.raises(PetteiaError, match="says has_chance is false, but defines chances"):

        class Denied(Race):
            has_chance = False

    with pytest.raises(PetteiaError, match="says has_chance is true, but does not define chances"):

        class Claimed(Heap):
            has_chance = True

    with pytest.raises(PetteiaError, match="has_simultaneous is true, but does not define"):

        class Both(Heap):
            has_simultaneous = True


def test_dice_need_play() -> None:
    with pytest.raises(PetteiaError, match="Unplayed does not define play"):

        class Unplayed(Market):
            play = Game.play


def test_what_never_came_is_noted() -> None:
    (note,) = check_game(OddEven(), games=2).notes
    assert "DECISION" in note
    assert check_game(Market(), games=4).notes == ()


def test_a_search_notices_more_points_than_the_game_says() -> None:
    class Small(Race):
        most_points = 1.0

    game = Small(3)
    p = game.play(game.start(), 3)
    for spec in ("expectimax(depth=6)", "mcts(simulations=500)"):
        with pytest.raises(PetteiaError, match="most_points"):
            agents.make(spec, game).choose(p)
    assert agents.make("expectimax(depth=6, prune=none)", game).choose(p).value
