"""A run from games against itself to a network that plays: rounds, tests, stop and resume."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import agents, games
from petteia.arena.executors import workers
from petteia.core.errors import PetteiaError
from petteia.core.spec import Spec
from petteia.learn import network, samples
from petteia.learn.models import model_for
from petteia.learn.parameters import save
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import first_choice
from petteia.tune.learning import Learning, Options, known, resumed
from petteia.tune.self_play import SelfPlay, played

SMALL = "breakthrough(columns=4, rows=5)"
QUICK = Options(SMALL, minutes=0.02, rounds=2, nodes=50, hidden=32, start="advancement", seed=3)


def test_the_same_seed_plays_the_same_games() -> None:
    asked = SelfPlay(SMALL, "advancement", nodes=50, games=3, seed=4)
    first, second = played(asked), played(asked)
    for one, other in zip(first, second, strict=True):
        assert (one == other).all()
    assert set(first.result) <= {0.0, 1.0}
    for number in set(first.game):  # everybody's result is the same game's
        rows = first.game == number
        winners = np.where(first.result[rows] == 1, first.mover[rows], 1 - first.mover[rows])
        assert len(set(winners)) == 1


def test_an_evaluation_that_says_nothing_teaches_by_results() -> None:
    found = played(SelfPlay(SMALL, "even", nodes=50, games=2, seed=4))
    assert np.isnan(found.value).all()


def test_a_run_stops_and_goes_on(tmp_path: Path) -> None:
    learned = Learning(QUICK, tmp_path)
    steps = learned.steps(workers("serial", ""))
    while not learned.rounds:
        assert 0 <= next(steps).share <= 1
    steps.close()
    assert [each["done"] for each in known(tmp_path)] == [False]
    again = resumed(tmp_path, learned.name)
    assert (again.rounds, again.best) == (learned.rounds, learned.best)
    for step in again.steps(workers("serial", "")):
        last = step
    assert last.share == 1
    facts = again.facts()
    assert len(facts["rounds"]) == 2
    assert facts["positions"] > 0
    assert [each["done"] for each in known(tmp_path)] == [True]
    game = games.make(SMALL)
    found = network.load(str(again.result()), game)
    found.check(game)
    shard = samples.read(next(again.folder.glob("positions-00-*.npz")))
    assert len(shard.value) > 0


@pytest.mark.parametrize("given", [("linear", 0), ("patterns", 0), ("network", 8)])
def test_other_shapes_are_learned_too(given: tuple[str, int], tmp_path: Path) -> None:
    shape, layers = given
    learned = Learning(replace(QUICK, rounds=1, shape=shape, layers=layers), tmp_path)
    for _ in learned.steps(workers("serial", "")):
        pass
    again = resumed(tmp_path, learned.name)
    assert (again.options.shape, again.is_done) == (shape, True)
    game = games.make(SMALL)
    agent = agents.make(f"engine(nodes=500, eval={learned.result()})", game)
    choice = agent.choose(game.start(), player=0)
    assert choice.move in game.legal_moves(game.start(), 0)
    found = network.load(str(learned.result()), game)
    assert (found.shape, found.more > 0) == (shape, shape == "patterns" or layers > 0)


CHANCY = {
    "ur(pieces=1)": "greedy(eval={})",
    "examples/pig.py(goal=20)": "expectimax(depth=1, eval={})",
    "examples/goofspiel.py(cards=3)": "nash(depth=1, eval={})",
}


@pytest.mark.parametrize("name", CHANCY)
def test_where_chance_plays_values_are_points(name: str, tmp_path: Path) -> None:
    options = Options(name, minutes=0.03, rounds=1, hidden=32, start="even", seed=2)
    learned = Learning(options, tmp_path)
    for _ in learned.steps(workers("serial", "")):
        pass
    assert learned.rounds[0].gates[0].at == "depth=1"
    game = games.make(name)
    found = evaluation_for(game, Spec(str(learned.result())))
    assert found.point == 1.0
    agent = agents.make(CHANCY[name].format(found.name), game)
    assert agent.in_points or agent.spec.name == "greedy"
    p = first_choice(game, game.start())
    assert game.legal_moves(p, 0).count(agent.choose(p, player=0).move) == 1


@pytest.mark.parametrize("name", CHANCY)
def test_games_of_chance_are_the_same_from_the_same_seed(name: str, tmp_path: Path) -> None:
    game = games.make(name)
    words, sides = network.shape_of(game)
    model, rng = model_for(np, sides, "network", 0, None), np.random.default_rng(1)
    nothing = model.fresh(64 * words, (32, 0), np.zeros(0, np.int64), rng)
    save(tmp_path / "net.npz", game, nothing, {})
    asked = SelfPlay(name, str(tmp_path / "net.npz"), nodes=1, games=3, seed=4)
    first, second = played(asked), played(asked)
    for one, other in zip(first, second, strict=True):
        assert (one == other).all()
    assert np.isfinite(first.value).all()
    own, _ = samples.Samples(*(each[:1] for each in first))[:2]
    view = game.seen_by(game.start(), int(first.mover[0]))
    assert tuple(own[0]) == view  # the first position is the start


def test_what_cannot_be_learned_is_refused(tmp_path: Path) -> None:
    for options, said in (
        (Options(SMALL, hidden=40), "--hidden 40 is not possible"),
        (Options(SMALL, shape="tree"), "tree"),
        (Options(SMALL, layers=65), "--layers 65 is not possible"),
        (Options(SMALL, shape="linear", layers=8), "--layers is for --shape network"),
    ):
        with pytest.raises(PetteiaError, match=said):
            Learning(options, tmp_path)
    with pytest.raises(PetteiaError, match="there is no run 'nobody'"):
        resumed(tmp_path, "nobody")
    learned = Learning(QUICK, tmp_path)
    (learned.folder / "run.json").write_text("{")
    with pytest.raises(PetteiaError, match="is damaged; --again"):
        Learning(QUICK, tmp_path)
    assert known(tmp_path)[0]["damaged"]
    assert Learning(QUICK, tmp_path, again=True).rounds == []


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from petteia.cli.app import app

    monkeypatch.chdir(tmp_path)

    def said(*words: str) -> dict[str, Any]:
        app(["learn", *words, "--json"], standalone_mode=False)
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    options = ["--minutes", "0.02", "--rounds", "1", "--nodes", "50", "--hidden", "32"]
    facts = said(SMALL, *options, "--out", "mine.npz", "--workers", "serial")
    assert {"positions", "loss", "held_out_loss", "file", "rounds"} <= facts.keys()
    assert [each["id"] for each in said("--list")["runs"]] == [facts["id"]]
    assert said("--resume", facts["id"], "--out", "again.npz")["id"] == facts["id"]
    assert (tmp_path / "mine.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    game = games.make(SMALL)
    assert evaluation_for(game, Spec("./mine.npz")).name == "./mine.npz"
