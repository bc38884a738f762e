"""A network's value, computed by following a search, is what its formula says."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import games
from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import Words
from petteia.learn import network
from petteia.learn.network import BitsEvaluation, NetworkEvaluation
from petteia.learn.parameters import Parameters, save
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import stepper_of
from petteia.tune.random_games import regions_of
from tests.toys import Heap

PHASES = 3
SHAPES = ["network", "two layers", "linear", "patterns"]


def rounded(rng: np.random.Generator, unit: int, spread: float, *size: int) -> np.ndarray:
    """Random numbers that rounding does not change."""
    found: np.ndarray = np.rint(rng.normal(0, spread, size) * unit) / unit
    return found


def parameters(game: Game, hidden: int = 32, seed: int = 1, shape: str = "network") -> Parameters:
    """Random ones."""
    rng = np.random.default_rng(seed)
    words, sides = network.shape_of(game)
    bits = sum(int(word).bit_count() for word in game.seen_by(game.start(), 0))
    rest, steps = np.array([0.125, -0.25, 0.5]), np.array([bits - 2, bits])
    inputs = sides * words * 64
    if shape == "linear":
        rows = rounded(rng, network.OUT, 0.3, inputs, PHASES)
        bias = rounded(rng, network.OUT, 0.3, sides, PHASES)
        return Parameters(rows, bias, np.zeros((PHASES, 0)), rest, steps, shape=shape)
    if shape == "patterns":
        found = regions_of(game, seed)
        tables = rounded(rng, network.OUT, 0.3, PHASES, found.rows.shape[1], found.size)
        return Parameters(found.rows, found.bias, tables, rest, steps, shape=shape)
    rows = rounded(rng, network.UNIT, 0.2, inputs, hidden)
    bias = 0.2 + rounded(rng, network.UNIT, 0.2, sides, hidden)
    if shape == "network":
        return Parameters(
            rows, bias, rounded(rng, network.OUT, 0.4, PHASES, 2, hidden), rest, steps
        )
    out = rounded(rng, network.OUT, 0.5, PHASES, 8)
    inner = rounded(rng, network.INNER, 0.3, 2 * hidden, 8)
    added = rounded(rng, network.UNIT**2, 0.3, PHASES, 8)
    return Parameters(rows, bias, out, rest, steps, inner, added)


def saved(folder: Path, game: Game, **given: Any) -> BitsEvaluation:
    file = folder / "net.npz"
    save(file, game, parameters(game, **given), {})
    found = network.load(str(file), game)
    found.check(game)
    return found


def sums_of(game: Game, learned: Parameters, p: Words, player: int) -> np.ndarray:
    """Rows and bias, added from scratch."""
    words, sides = network.shape_of(game)
    side = player if sides > 1 else 0
    sums: np.ndarray = learned.bias[side].astype(np.float64)
    for i, word in enumerate(game.seen_by(p, player)):
        for bit in range(64):
            if int(word) >> bit & 1:
                sums += learned.rows[(side * words + i) * 64 + bit]
    return sums


def by_formula(game: Game, learned: Parameters, p: Words) -> float:
    """The value for the mover in floating point."""
    mover = int(game.mover(p))
    standing = sum(int(word).bit_count() for word in game.seen_by(p, mover))
    phase = int((learned.steps <= standing).sum())
    sums = [sums_of(game, learned, p, player) for player in (mover, 1 - mover)]
    out = learned.out[phase]
    if learned.shape == "linear":
        said = sums[0][phase]
    elif learned.shape == "patterns":
        said = sum(table[int(place)] for table, place in zip(out, sums[0], strict=True))
    elif learned.inner.size:
        squares = np.clip(np.concatenate(sums), 0, 1) ** 2
        said = np.clip(squares @ learned.inner + learned.inner_bias[phase], 0, 1) @ out
    else:
        said = sum((np.clip(each, 0, 1) ** 2) @ by for each, by in zip(sums, out, strict=True))
    return network.SCALE * float(said + learned.rest[phase])


def line(game: Game, seed: int) -> list[Words]:
    """The positions of a random game, sometimes in another order, as a search meets them."""
    chance, stepper, found = random.Random(seed), stepper_of(game), [game.start()]
    while (seen := stepper.look(found[-1])).kind == DECISION and len(found) < 60:
        found.append(stepper.play(found[-1], chance.choice(seen.moves)))
    return found[:-1] + chance.sample(found[:-1], min(5, len(found) - 1))


@kernel
def value_of(game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray) -> float:
    return float(evaluation.value(game, p, player, w))


GAMES = ["breakthrough", "long-board", "checkers"]


# Squares are rounded to a 256th before the second layer: 64 of them, weighted by 0.3 or so.
ROUNDING = {"two layers": 0.5}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", GAMES)
def test_it_follows_a_search_exactly(name: str, shape: str, tmp_path: Path) -> None:
    game = games.make(name)
    found = saved(tmp_path, game, hidden=64, shape=shape)
    learned, memory = parameters(game, hidden=64, shape=shape), found.array.copy()
    values = []
    for p in line(game, 3):
        mover = int(game.mover(p))
        wanted, most = by_formula(game, learned, p), ROUNDING.get(shape, 1e-12)
        followed = value_of(game, found.tag, p, mover, memory)
        assert followed == pytest.approx(wanted, abs=most)
        assert followed == found.of(game, p, mover)
        assert value_of(game, found.tag, p, 1 - mover, memory) == -followed
        values.append(followed)
    assert np.std(values) > 2


@pytest.mark.parametrize("shape", SHAPES)
def test_a_game_that_says_nothing_of_views_has_rows_for_each_player(
    shape: str, tmp_path: Path
) -> None:
    game = Heap()
    assert network.shape_of(game)[1] == 2
    found = saved(tmp_path, game, shape=shape)
    learned, most = parameters(game, shape=shape), ROUNDING.get(shape, 1e-12)
    for p in line(game, 1):
        wanted = by_formula(game, learned, p)
        assert found.of(game, p, int(game.mover(p))) == pytest.approx(wanted, abs=most)


@pytest.mark.parametrize("name", GAMES)
def test_both_players_see_the_same_from_their_side(name: str, tmp_path: Path) -> None:
    game = games.make(name)
    found = saved(tmp_path, game)
    for p in line(game, 5):
        exchanged = game.symmetries(p, game.legal_moves(p)[0])[-1][0]
        wanted = {tuple(game.seen_by(exchanged, 1 - int(game.mover(p))))}
        mirrored = game.symmetries(exchanged, game.legal_moves(exchanged)[0])[0][0]
        wanted.add(tuple(game.seen_by(mirrored, int(game.mover(mirrored)))))
        assert tuple(game.seen_by(p, int(game.mover(p)))) in wanted
        assert found.of(game, p, 0) == -found.of(game, p, 1)


def test_a_search_gives_the_same_with_one_thread_and_again(tmp_path: Path) -> None:
    game = games.make("breakthrough")
    found = saved(tmp_path, game)
    asked = Question(game.start(), found.array, Limits(nodes=5000))
    answers = []
    for _ in range(2):
        engine = Engine(game, found, table_bits=12)
        answers.append((engine.answer(asked).moves, engine.answer(asked).moves))
    assert answers[0] == answers[1]
    together = Engine(game, found, table_bits=12, threads=2).answer(asked)
    assert together.moves[0].move in game.legal_moves(game.start())


@pytest.mark.parametrize("name", ["breakthrough", "three-workers", "long-board", "checkers"])
def test_those_that_ship_fit_their_game(name: str) -> None:
    game = games.make(name)
    found = evaluation_for(game, None, default=game.strongest_evaluation)
    assert isinstance(found, NetworkEvaluation)
    assert found.file is not None
    assert found.file.stat().st_size < 100_000
    assert abs(found.of(game, game.start(), 0)) < 20


def _refused(name: str, game: Game) -> str:
    with pytest.raises(PetteiaError) as told:
        network.load(name, game).check(game)
    return str(told.value)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    game = games.make("breakthrough")
    file = saved(tmp_path, game).name
    assert "there is no file" in _refused(str(tmp_path / "none.npz"), game)
    assert "inputs; this game needs 256" in _refused(file, games.make("checkers"))
    small = games.make("breakthrough(columns=6, rows=6)")
    assert "was learned on another board" in _refused(file, small)
    bad = tmp_path / "bad.npz"
    for content in (b"", b"PK\x03\x04nonsense", Path(file).read_bytes()[:-200]):
        bad.write_bytes(content)
        assert "does not hold a network" in _refused(str(bad), game)
    for change in (
        {"rest": np.array([0, np.nan, 0])},
        {"out": np.zeros((PHASES, 2, 31))},
        {"out": np.zeros((2, 32))},
        {"steps": np.zeros(PHASES, np.int64)},
    ):
        learned = parameters(game)._replace(**change)
        save(bad, game, learned, {})
        assert "does not hold a network" in _refused(str(bad), game)
    for about in ("[]", "{}", '{"kind": "petteia network"}'):
        np.savez(bad, about=np.array(about), **parameters(game)._asdict())
        assert "does not hold a network" in _refused(str(bad), game)


@pytest.mark.parametrize("name", ["ur", "backgammon", "backgammon(cube=true, match=3)", "ropasci"])
def test_who_changes_places_sees_the_same(name: str) -> None:
    """The exchange of colours turns one player's view into the other's."""
    game = games.make(name)
    chance, p = random.Random(4), game.start()
    for _ in range(40):
        seen = stepper_of(game).look(p)
        if seen.kind == SIMULTANEOUS:
            first, second = chance.choice(seen.moves), chance.choice(seen.others)
            images = [each[0] for each in game.symmetries_of_both(p, first, second)]
            after = game.play_both(p, first, second)
        elif seen.kind == TERMINAL:
            break
        else:
            move = chance.choice(seen.moves)
            images = [each[0] for each in game.symmetries(p, move)]
            after = game.play(p, move)
        if p != game.start() and seen.kind != CHANCE:
            seen_here = tuple(map(int, game.seen_by(p, 0)))
            assert seen_here in [tuple(map(int, game.seen_by(q, 1))) for q in images]
        p = after
