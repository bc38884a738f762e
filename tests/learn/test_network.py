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
from petteia.learn.network import NetworkEvaluation, Parameters
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import stepper_of
from tests.toys import Heap

PHASES = 3
ROUNDED = (network.UNIT, network.UNIT, network.OUT)


def parameters(game: Game, hidden: int = 32, seed: int = 1) -> Parameters:
    """Random numbers that rounding does not change."""
    rng = np.random.default_rng(seed)
    words, sides = network.shape_of(game)
    drawn = (
        rng.normal(0, 0.2, (sides * words * 64, hidden)),
        rng.normal(0.2, 0.2, (sides, hidden)),
        rng.normal(0, 0.4, (PHASES, 2, hidden)),
    )
    whole = [np.rint(each * unit) / unit for each, unit in zip(drawn, ROUNDED, strict=True)]
    bits = sum(int(word).bit_count() for word in game.seen_by(game.start(), 0))
    steps = np.array([bits - 2, bits])
    return Parameters(whole[0], whole[1], whole[2], np.array([0.125, -0.25, 0.5]), steps)


def saved(folder: Path, game: Game, **given: Any) -> NetworkEvaluation:
    file = folder / "net.npz"
    network.save(file, game, parameters(game, **given), {})
    found = network.load(str(file), game)
    found.check(game)
    return found


def by_formula(game: Game, learned: Parameters, p: Words) -> float:
    """The value for the mover in floating point."""
    mover = int(game.mover(p))
    standing = sum(int(word).bit_count() for word in game.seen_by(p, mover))
    phase = int((learned.steps <= standing).sum())
    total = float(learned.rest[phase])
    words, sides = network.shape_of(game)
    for number, player in enumerate((mover, 1 - mover)):
        side = player if sides > 1 else 0
        sums = learned.bias[side].copy()
        for i, word in enumerate(game.seen_by(p, player)):
            for bit in range(64):
                if int(word) >> bit & 1:
                    sums += learned.rows[(side * words + i) * 64 + bit]
        total += float((np.clip(sums, 0, 1) ** 2) @ learned.out[phase, number])
    return network.SCALE * total


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


@pytest.mark.parametrize("name", GAMES)
def test_it_follows_a_search_exactly(name: str, tmp_path: Path) -> None:
    game = games.make(name)
    found = saved(tmp_path, game, hidden=64)
    learned, memory = parameters(game, hidden=64), found.array.copy()
    for p in line(game, 3):
        mover = int(game.mover(p))
        wanted = by_formula(game, learned, p)
        assert value_of(game, found.tag, p, mover, memory) == pytest.approx(wanted, abs=1e-12)
        assert value_of(game, found.tag, p, 1 - mover, memory) == pytest.approx(-wanted, abs=1e-12)


def test_a_game_that_says_nothing_of_views_has_rows_for_each_player(tmp_path: Path) -> None:
    game = Heap()
    assert network.shape_of(game)[1] == 2
    found = saved(tmp_path, game)
    learned = parameters(game)
    for p in line(game, 1):
        assert found.of(game, p, int(game.mover(p))) == pytest.approx(by_formula(game, learned, p))


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
        network.save(bad, game, learned, {})
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
