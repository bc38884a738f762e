"""Learning: boards in numbers, lessons without luck, steps towards them, rolled-out decisions."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.games.backgammon.evaluations.inputs import BACK_GAME, CLASSES, CRASHED
from petteia.games.backgammon.evaluations.network import OUT, SIZE, WEIGHTS, estimate, fresh_weights
from petteia.games.backgammon.learning import decisions, training
from petteia.games.backgammon.learning.boards import (
    FINISHED,
    PROBABILITIES,
    THROWS,
    Boards,
    place_of,
    turned,
)
from petteia.games.backgammon.learning.lessons import Games, taught, turn_of
from petteia.games.backgammon.learning.starts import START, random_starts, words_of
from petteia.games.backgammon.learning.training import Plan, learn, lessons_of, play, train
from petteia.games.backgammon.solution.neural import shipped_weights


@pytest.fixture(scope="module")
def boards() -> Boards:
    return Boards(shipped_weights())


def test_all_plays_of_the_start_and_what_the_networks_say_of_them(boards: Boards) -> None:
    begins, counts, after = boards.plays(START)
    assert (len(after), counts[:2].tolist(), begins[1]) == (447, [42, 15], 42)
    said, _ = boards.chances(after)
    w = np.zeros(SIZE, np.float32)
    w[:WEIGHTS] = shipped_weights()
    for board, chances in zip(after[::50], said[::50], strict=True):
        estimate(tuple(board), 0, w)
        assert chances == pytest.approx(w[OUT : OUT + 5], abs=1e-6)
    # As products of matrices, the way that a GPU goes.
    flags, found = boards.flags(after)
    boards._judge(after, flags, found)
    assert found == pytest.approx(said, abs=1e-5)


def test_boards_to_begin_with_are_legal_and_rare(boards: Boards) -> None:
    starts = random_starts(200, 4)
    kinds = boards.flags(starts)[0] & 7
    assert FINISHED not in kinds
    assert {CRASHED, BACK_GAME} <= set(kinds.tolist())
    for a, b, other_a, other_b in starts.tolist():
        own, other = (x | x >> 32 for x in (a | b, other_a | other_b))
        clash = sum(own >> p & 1 and other >> (25 - p) & 1 for p in range(1, 25))
        assert clash == 0, "no point is held by both"


def test_a_finished_game_is_known(boards: Boards) -> None:
    """The other is off; who is on roll has all fifteen, on his first point."""
    side = np.zeros((1, 2, 26), np.int64)
    side[0, 0, 1] = 15
    chances, flags = boards.chances(words_of(side))
    assert flags[0] & 7 == FINISHED
    assert chances[0].tolist() == [0, 0, 0, 1, 0]
    assert turned(chances)[0].tolist() == [1, 1, 0, 0, 0]


def test_lessons_are_expectations_and_do_not_depend_on_the_dice(boards: Boards) -> None:
    now = random_starts(8, 1)
    turn = turn_of(boards, now)
    # The mean over the throws of what the best plays lead to.
    best = turned(turn.chances[turn.best]).reshape(8, len(THROWS), 5)
    assert turn.expected == pytest.approx((best * PROBABILITIES[None, :, None]).sum(1), abs=1e-5)
    # Without passing errors back a lesson is just that; with it, it is near, and dice do little.
    played, again = (Games(boards, 8, 3).played(3) for _ in range(2))
    assert np.array_equal(played.now, again.now)
    found = taught(played, 0.9)
    assert np.array_equal(taught(played, 0.0), played.expected)
    assert np.array_equal(found[-1], played.expected[-1]), "nothing is known of what follows"
    assert 0 < np.abs(found - played.expected).max() < 0.3
    # By hand, one turn back: what the networks said next was wrong by so much, for the other.
    wrong = played.expected[2] - played.said[2]
    wrong[:, 0], wrong[:, 1:3], wrong[:, 3:5] = (
        -wrong[:, 0], wrong[:, 3:5].copy(), wrong[:, 1:3].copy(),
    )  # fmt: skip
    by_hand = played.expected[1] + 0.9 * played.linked[1][:, None] * wrong
    assert found[1] == pytest.approx(by_hand, abs=1e-6)


PLAN = Plan(
    rounds=2, lessons=6000, games=64, turns=12, steps=120, positions=32, rate=0.01, seed=5
)  # fmt: skip


def test_rounds_teach_and_go_on_after_the_last_file(tmp_path: Path) -> None:
    weights = fresh_weights(3)
    found = train(PLAN, weights, tmp_path, "cpu")
    assert np.isfinite(found).all()
    log = (tmp_path / "network.log").read_text().splitlines()
    assert len(log) == 2 * len(CLASSES)
    before, after = re.findall(r"0\.\d+", log[0])
    assert log[0].startswith("contact")
    assert float(after) < 0.9 * float(before), "the networks know more of games held out"
    # The second round anew, from what the first has left: the same weights.
    (tmp_path / "network-1.npy").unlink()
    kept = (tmp_path / "games-1-000.npz").stat().st_mtime_ns
    assert np.array_equal(train(PLAN, weights, tmp_path, "cpu"), found)
    assert (tmp_path / "games-1-000.npz").stat().st_mtime_ns == kept
    with pytest.raises(PetteiaError, match="weights, not 5"):
        train(PLAN, np.zeros(5, np.float32), tmp_path, "cpu")


def test_a_class_learns_alone_and_only_from_its_own_boards(tmp_path: Path, boards: Boards) -> None:
    weights = fresh_weights(3)
    files = play(replace(PLAN, lessons=3000), 0, weights, tmp_path, "cpu")
    found, _ = learn(PLAN, BACK_GAME, weights, files, "cpu")
    place = place_of(BACK_GAME)
    assert np.abs(found - weights)[place].max() > 1e-3
    found[place] = weights[place]
    assert np.array_equal(found, weights)
    learned, held = lessons_of(boards, files, BACK_GAME, 0.6)
    for lessons in (learned, held):
        assert (boards.flags(lessons.boards)[0] & 7 == BACK_GAME).all()
    assert len(learned.boards) > 10 * len(held.boards) > 0


def test_weights_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"^petteia: cannot read the networks in .*none\.npy"):
        training.main([str(tmp_path / "run"), "--start", str(tmp_path / "none.npy")])
    assert not (tmp_path / "run").exists()


def test_learning_without_a_gpu_says_so(tmp_path: Path) -> None:
    try:
        cupy_for("this test", "")
        pytest.skip("there is a GPU here")
    except PetteiaError:
        pass
    with pytest.raises(SystemExit, match=r"^petteia: learning on a GPU needs .*--device cpu"):
        training.main([str(tmp_path / "run"), "--device", "gpu"])
    assert not (tmp_path / "run").exists()


def test_decisions_are_rolled_out_and_kept(boards: Boards, tmp_path: Path) -> None:
    made = decisions.make(boards, (2, 1, 1, 1), trials=4, turns=2, seed=1, games=16, sampled=24)
    made.write(tmp_path / "d.npz")
    read = decisions.Decisions.read(tmp_path / "d.npz")
    for name in vars(made):
        assert np.array_equal(getattr(made, name), getattr(read, name))
    for number in range(len(read.boards)):
        best = int(read.values[number].argmax())
        assert read.loss(number, read.after[number, best]) == (0.0, True)
        loss, known = read.loss(number, np.zeros(4, np.uint64) + 7)
        assert not known
        assert loss >= 0


def test_the_shipped_decisions_are_of_all_classes() -> None:
    found = decisions.Decisions.read()
    assert len(found.boards) > 700
    assert np.bincount(found.kinds).min() > 50
    assert decisions.FILE.stat().st_size < 2**18
    assert (np.isfinite(found.values).sum(1) > 1).all(), "there is a choice"
