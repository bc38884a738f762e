"""Games as environments of PettingZoo and games of OpenSpiel, by the tests of these libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import environments, games
from petteia.compiled import targets
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.core.words import U
from petteia.environments import vector

EXAMPLES = Path(__file__).parents[1] / "examples"
TICTACTOE, PIG, GOOFSPIEL = (
    str(EXAMPLES / name) for name in ("tictactoe.py", "pig.py(goal=20)", "goofspiel.py(cards=3)")
)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")


def test_bits() -> None:
    found = environments.bits_of((U(5), U(1 << 63)))
    assert found.shape == (128,)
    assert np.flatnonzero(found).tolist() == [0, 2, 127]


@pytest.mark.parametrize("spec", [TICTACTOE, PIG, GOOFSPIEL])
@pytest.mark.filterwarnings("ignore:Observation")  # a dict with the mask, as for its own games
def test_pettingzoo_accepts_it(spec: str) -> None:
    test: Any = pytest.importorskip("pettingzoo.test", reason="needs pettingzoo")
    test.api_test(environments.pettingzoo_env(spec), num_cycles=60, verbose_progress=False)


def test_rewards_are_the_result() -> None:
    pytest.importorskip("pettingzoo", reason="needs pettingzoo")
    env = environments.pettingzoo_env(TICTACTOE)
    env.reset(seed=1)
    for action in (0, 3, 0, 2, 0):  # a3, b2, b3, c2, c3: the first player fills the upper row
        assert not any(env.terminations.values())
        env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())


@pytest.mark.parametrize("spec", [TICTACTOE, PIG, GOOFSPIEL])
def test_open_spiel_plays_it(spec: str) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel", reason="needs open_spiel")
    pyspiel.random_sim_test(environments.open_spiel_game(spec), num_sims=3, serialize=False,
                            verbose=False)  # fmt: skip


def test_open_spiel_solves_it_alike() -> None:
    pytest.importorskip("pyspiel", reason="needs open_spiel")
    from open_spiel.python.algorithms import minimax

    game = environments.open_spiel_game(str(EXAMPLES / "nim.py(a=1, b=2, c=2)"))
    value, _ = minimax.alpha_beta_search(game)
    state = game.new_initial_state()
    assert value == 1.0
    assert state.action_to_string(0, 0) == "a1"
    assert games.make(str(EXAMPLES / "nim.py(a=1, b=2, c=2)")).text(state.words) == str(state)


def _played(spec: str, count: int, threads: int, steps: int, device: str = "cpu") -> list[Any]:
    env = environments.vector_env(spec, count, threads=threads, device=device)
    observed, infos = env.reset(seed=3)
    assert env.observation_space.contains(observed)
    random, seen = np.random.default_rng(4), []
    for _ in range(steps):
        actions = random.integers(observed["action_mask"].sum(axis=1))
        observed, rewards, over, too_long, infos = env.step(actions)
        assert not (over & too_long).any()
        assert not rewards[~over].any()
        seen.append((observed["observation"].tobytes(), rewards.tolist(), over.tolist(),
                     infos["mover"].tolist()))  # fmt: skip
    return seen


@pytest.mark.parametrize("spec", [TICTACTOE, PIG])
def test_many_games_are_the_same_on_any_number_of_threads(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gymnasium", reason="needs gymnasium")
    interpreted = _played(spec, 5, 1, 40)
    monkeypatch.delenv("PETTEIA_INTERPRET")
    assert _played(spec, 5, 1, 40) == _played(spec, 5, 3, 40) == interpreted
    assert any(over for _, _, over, _ in interpreted if any(over))


def test_many_games_are_the_same_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their code for one is made everywhere."""
    pytest.importorskip("gymnasium", reason="needs gymnasium")
    game = games.make(PIG)
    boards = vector._boards(1, len(game.start()))
    assert b".entry" in vector._batch(game).code_for(targets.CUDA, game, boards).code
    monkeypatch.delenv("PETTEIA_INTERPRET")
    try:
        cupy_for("this test", "")
    except PetteiaError as error:
        with pytest.raises(PetteiaError, match="CuPy"):
            _played(PIG, 5, 1, 1, "gpu")
        pytest.skip(str(error))
    assert _played(PIG, 5, 1, 40, "gpu") == _played(PIG, 5, 1, 40)


def test_many_games_reward_who_moved_and_begin_again() -> None:
    pytest.importorskip("gymnasium", reason="needs gymnasium")
    env = environments.vector_env(TICTACTOE, 2)
    start, infos = env.reset(seed=1)
    for pair in ((0, 0), (3, 3), (0, 0), (2, 2)):
        observed, rewards, over, _, infos = env.step(pair)
        assert not over.any()
    observed, rewards, over, _, infos = env.step((0, 1))  # c3 ends the first game
    assert rewards.tolist() == [1.0, 0.0]
    assert over.tolist() == [True, False]
    assert infos["mover"].tolist() == [0, 1]
    assert (observed["observation"][0] == start["observation"][0]).all()


def test_many_games_refuse_what_they_cannot_do() -> None:
    pytest.importorskip("gymnasium", reason="needs gymnasium")
    with pytest.raises(PetteiaError, match="both choose at the same time"):
        environments.vector_env(GOOFSPIEL, 2)
    with pytest.raises(PetteiaError, match="0 games are not possible"):
        environments.vector_env(TICTACTOE, 0)
    env = environments.vector_env(TICTACTOE, 2)
    env.reset(seed=1)
    with pytest.raises(PetteiaError, match="action 9 is not legal in game 1; 0 to 8"):
        env.step((0, 9))
    with pytest.raises(PetteiaError, match="shape"):
        env.step((0,))
