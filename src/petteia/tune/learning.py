"""A network learned in rounds: the best so far plays itself, a new one learns from the games, and
takes its place if it beats it, at equal nodes and at equal time, or where chance plays one turn
ahead."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from petteia import games
from petteia.arena.contest import Contest
from petteia.arena.executors import Workers
from petteia.arena.points import is_compiled, pair_points
from petteia.arena.statistics import Sprt, pair_interval, pentanomial
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.core.writing import make_folder, write_whole
from petteia.learn import network, samples, training
from petteia.learn.parameters import SHAPES, parameters, save
from petteia.search.evaluations import EVEN, evaluation_for
from petteia.tune.random_games import regions_of, some_positions
from petteia.tune.self_play import SelfPlay, played
from petteia.tune.setting import scores_of

__all__ = ["Learning", "Options", "Step", "known", "lessons", "resumed"]

_PLAYING, _TRAINING = 0.6, 0.25
"""Shares of a round's time; the rest is for the test against the best so far."""
_PLAYING_DICE, _TRAINING_DICE = 0.2, 0.5
"""The same where whole games run in one kernel."""
_ENOUGH = 8_000_000
"""Positions in a round; more would only fill the memory."""
_PIECE = 32
"""Games in one piece of work."""
_SHARD = 500_000
"""Positions in one file."""
_KEEP_SECONDS = 60.0
"""No more than so much play is lost with a run that is killed."""
_RECENT = 3
"""Positions of so many rounds are learned from: older ones were judged by weaker players."""
_SHARE = 0.25
"""How much the end of the game counts beside the word of the search."""
_BATCH = 1024
"""With four times as many the same positions, seen as often, taught clearly less."""
_SLOW_RATE = 2e-3
"""Of learning where chance plays. There more phases and a higher rate were not tried."""
_FEWEST_EPOCHS, _MOST_EPOCHS = 3, 30
_PAIRS, _QUICK_PAIRS = 4, 128
"""Pairs in one piece of a test, and in one whose games run in one kernel."""
_GATE_SECONDS = 0.01
"""A move in the test at equal time."""


@dataclass(frozen=True)
class Options:
    """What is learned, and how long that may take."""

    game: str
    minutes: float = 10.0
    rounds: int = 0
    """0: three, or twice as many where chance plays and values travel back from the end of games
    round by round."""
    nodes: int = 1000
    """Of every search in self-play."""
    hidden: int = 64
    start: str = ""
    """The evaluation that plays first; the game's own choice if none is named."""
    seed: int = 0
    device: str = "cpu"
    """Where the network is trained."""
    elo: float = 40.0
    """The test tells so many Elo points from none."""
    shape: str = "network"
    layers: int = 0
    """Units of a network's second layer; 0: there is none."""


@dataclass
class Gate:
    """A test of a new network against the best so far."""

    at: str
    pairs: int = 0
    score: float = 0.5
    interval: list[float] = field(default_factory=lambda: [0.0, 1.0])
    decision: str = "continue"


@dataclass
class Round:
    """What a round has brought."""

    positions: int = 0
    games: int = 0
    epochs: int = 0
    loss: float = float("nan")
    held_out_loss: float = float("nan")
    curve: list[list[float]] = field(default_factory=list)
    """The loss and that of held-out games after each epoch."""
    gates: list[Gate] = field(default_factory=list)
    accepted: bool = False
    seconds: float = 0.0


@dataclass
class Step:
    """Where a run stands, for people."""

    share: float
    text: str


class Learning:
    """A run, which can be stopped at any moment and goes on where it was."""

    def __init__(self, options: Options, folder: Path, again: bool = False, name: str = "") -> None:
        """``name``: of an earlier run with these options, if there is one."""
        self.game = _able(options)
        if not options.rounds:
            options = replace(options, rounds=6 if network.points_of(self.game) else 3)
        self.options = options
        self.name = name or _name_of(options)
        self.folder = folder / self.name
        if again:
            shutil.rmtree(self.folder, ignore_errors=True)
        make_folder(self.folder)
        self.rounds: list[Round] = []
        self.spent = 0.0
        """Seconds of the round that is under way."""
        is_native = self.game.has_chance and not self.game.has_simultaneous
        self._playing = _PLAYING_DICE if is_native else _PLAYING
        self._training = _TRAINING_DICE if is_native else _TRAINING
        self.best = options.start or self.game.default_evaluation or EVEN.name
        self._recall()

    # --- what is kept --------------------------------------------------------------------------

    @property
    def _notes(self) -> Path:
        return self.folder / "run.json"

    def _recall(self) -> None:
        if not self._notes.exists():
            self._note()
            return
        try:
            found = json.loads(self._notes.read_bytes())
            self.spent, self.best = float(found["spent"]), str(found["best"])
            for each in found["rounds"]:
                gates = [Gate(**gate) for gate in each.pop("gates")]
                self.rounds.append(Round(**each, gates=gates))
        except (OSError, ValueError, KeyError, TypeError):
            raise PetteiaError(
                f"{self._notes} is damaged; --again forgets it and begins anew"
            ) from None

    def _note(self) -> None:
        facts = {
            "options": asdict(self.options),
            "rounds": [asdict(each) for each in self.rounds],
            "spent": self.spent,
            "best": self.best,
        }
        write_whole(self._notes, json.dumps(facts, indent=1, allow_nan=True) + "\n")

    def _shards(self, number: int) -> list[Path]:
        return sorted(self.folder.glob(f"positions-{number:02}-*.npz"))

    def _network(self, number: int) -> Path:
        return self.folder / f"network-{number:02}.npz"

    # --- the rounds ----------------------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        """Whether all rounds are over."""
        return len(self.rounds) >= self.options.rounds

    def steps(self, workers: Workers) -> Generator[Step, None, None]:
        """Runs the rounds that are left."""
        with workers.make() as executor:
            while not self.is_done:
                yield from self._round(executor, workers.count)

    def _round(self, executor: Executor, workers: int) -> Iterator[Step]:
        number = len(self.rounds)
        budget = 60 * self.options.minutes / self.options.rounds
        found = Round()
        yield from self._play(executor, workers, number, self._playing * budget)
        yield self._step("training")
        started = time.perf_counter()
        yield from self._train(number, found, self._training * budget)
        yield self._step("testing", self._training)
        found.accepted = self._passes(executor, workers, number, found, budget)
        found.seconds = self.spent + time.perf_counter() - started
        if found.accepted:
            self.best = str(self._network(number))
        self.rounds.append(found)
        self.spent = 0.0
        self._note()
        yield self._step("a round is over")

    def _step(self, text: str, trained: float = 0.0) -> Step:
        budget = 60 * self.options.minutes / self.options.rounds
        share = (len(self.rounds) + min(1.0, self.spent / budget + trained)) / self.options.rounds
        return Step(share, f"round {min(len(self.rounds) + 1, self.options.rounds)}: {text}")

    def _play(
        self, executor: Executor, workers: int, number: int, seconds: float
    ) -> Iterator[Step]:
        """Games of the best so far, until the time is over."""
        shards = self._shards(number)
        piece = sum(int(path.stem.rsplit("-", 1)[1]) for path in shards)
        count = sum(len(samples.read(path).value) for path in shards)
        waiting: list[Future[samples.Samples]] = []
        loose: list[samples.Samples] = []
        since, earlier = time.perf_counter(), self.spent
        kept = since

        def keep() -> None:
            nonlocal kept
            kept = time.perf_counter()
            if loose:
                name = f"positions-{number:02}-{len(self._shards(number)):04}-{len(loose)}.npz"
                samples.write(self.folder / name, samples.joined(loose))
                loose.clear()
            self._note()

        try:
            while (self.spent < seconds and count < _ENOUGH) or not count:
                while len(waiting) < 2 * workers:
                    asked = SelfPlay(
                        self.options.game, self._player(number), self.options.nodes, _PIECE,
                        derive(self.options.seed, number, piece),
                    )  # fmt: skip
                    waiting.append(executor.submit(played, asked))
                    piece += 1
                part = waiting.pop(0).result()  # in their order, whoever is first
                loose.append(part)
                count += len(part.value)
                self.spent = earlier + time.perf_counter() - since
                is_full = sum(len(each.value) for each in loose) >= _SHARD
                if is_full or time.perf_counter() - kept > _KEEP_SECONDS:
                    keep()
                yield self._step(f"{count:,} positions")
        finally:
            for future in waiting:
                future.cancel()
            keep()

    def _player(self, number: int) -> str:
        """Who plays against itself: the best so far. Where chance plays, one that does not speak
        in points teaches by results alone, and makes room for the first network that does."""
        if network.points_of(self.game) == 0.0 or number == 0:
            return self.best
        knows = evaluation_for(self.game, specs.parse(self.best)).point == 1.0
        return self.best if knows else str(self._network(number - 1))

    def _train(self, number: int, found: Round, seconds: float) -> Iterator[Step]:
        """A network from the positions of the last rounds."""
        first = max(0, number - _RECENT + 1)
        rounds = [
            [samples.read(path) for path in self._shards(n)] for n in range(first, number + 1)
        ]
        parts = [samples.joined(each) for each in rounds]
        together, goals = lessons(self.game, parts)
        found.positions, found.games = len(goals), len(np.unique(together.game))
        sides = network.shape_of(self.game)[1]
        orders = []
        if not self.game.has_simultaneous:
            orders = samples.permutations(self.game, some_positions(self.game, self.options.seed))
        plan = training.Plan(
            self.options.shape, self.options.hidden, self.options.layers,
            regions=regions_of(self.game, 0) if self.options.shape == "patterns" else None,
            seed=self.options.seed, device=self.options.device,
            batch=min(_BATCH, max(64, len(goals) // 100)),
        )  # fmt: skip
        start = None
        if network.points_of(self.game):
            plan = replace(plan, phases=1, rate=_SLOW_RATE)
            if number > 0:  # goals move with the network: it goes on from the last
                start = parameters(self._network(number - 1))[0]
        possible = seconds / training.epoch_seconds(together, goals, sides, plan)
        plan = replace(plan, epochs=int(min(max(possible, _FEWEST_EPOCHS), _MOST_EPOCHS)))
        trained = None
        for trained in training.train(together, goals, sides, plan, orders=orders, start=start):
            found.curve = [list(both) for both in zip(trained.loss, trained.held_out, strict=True)]
            found.loss, found.held_out_loss = found.curve[-1]
            found.epochs = len(found.curve)
            text = f"epoch {found.epochs} of {plan.epochs}, held-out loss {found.held_out_loss:.4f}"
            yield self._step(text, self._training * found.epochs / plan.epochs)
        facts = {"seed": self.options.seed, "positions": found.positions, "loss": found.loss,
                 "held_out_loss": found.held_out_loss, "round": number + 1}  # fmt: skip
        assert trained is not None  # there is an epoch at least
        save(self._network(number), self.game, trained.parameters, facts)

    def _passes(
        self, executor: Executor, workers: int, number: int, found: Round, budget: float
    ) -> bool:
        """Whether the new network beats the best so far, at equal nodes and at equal time."""
        seconds = (1 - self._playing - self._training) * budget / len(self._players())
        for at, player in self._players():
            new, old = player.format(self._network(number)), player.format(self.best)
            if network.points_of(self.game) and self.best == EVEN.name:
                old = "random"  # who knows nothing plays at random, as against itself
            contest = Contest(
                self.options.game, new, old, derive(self.options.seed, "gate", number, at)
            ).checked()
            # Dice hide strength, but their games are quick: a smaller difference can be told.
            elo = self.options.elo / 2 if is_compiled(contest) else self.options.elo
            gate = _tested(executor, workers, contest, Sprt(0, elo), seconds)
            gate.at = at
            found.gates.append(gate)
            if gate.decision != "accept H1":
                return False
        return True

    def _players(self) -> list[tuple[str, str]]:
        """What is equal in a test, and who plays it with an evaluation. Where chance plays a
        choice costs so little that only what it is by counts."""
        if network.points_of(self.game):
            return [("depth=1", "nash(depth=1, eval={})" if self.game.has_simultaneous
                     else "greedy(eval={})")]  # fmt: skip
        limits = f"nodes={self.options.nodes}", f"time={_GATE_SECONDS}"
        return [(limit, f"engine({limit}, eval={{}})") for limit in limits]

    def facts(self) -> dict[str, Any]:
        """What was learned."""
        last = self.rounds[-1]
        return {
            "id": self.name,
            "game": self.options.game,
            "positions": last.positions,
            "loss": last.loss,
            "held_out_loss": last.held_out_loss,
            "accepted": any(each.accepted for each in self.rounds),
            "best": self.best,
            "rounds": [asdict(each) for each in self.rounds],
        }

    def result(self) -> Path:
        """The network to use: the last that beat what was before it, or if none did the newest."""
        good = [n for n, each in enumerate(self.rounds) if each.accepted]
        return self._network(good[-1] if good else len(self.rounds) - 1)


def _able(options: Options) -> Game:
    game = games.make(options.game)
    if options.hidden % 32 or not 32 <= options.hidden <= 512:
        raise PetteiaError(f"--hidden {options.hidden} is not possible; 32, 64, ... 512")
    if options.shape not in SHAPES:
        raise one_of(options.shape, SHAPES, what="--shape")
    if not 0 <= options.layers <= 64:
        raise PetteiaError(f"--layers {options.layers} is not possible; 1 to 64, or 0 for none")
    if options.layers and options.shape != "network":
        raise PetteiaError(f"--layers is for --shape network, not for {options.shape}")
    return game


def lessons(game: Game, parts: Sequence[samples.Samples]) -> tuple[samples.Samples, np.ndarray]:
    """The positions of some rounds, each once, and what a network should say of them."""
    together = samples.joined(parts)
    if network.points_of(game):
        goals = [training.targets(each, 0.0, 1 / network.SCALE) for each in parts]
        held = training.is_held_out(together)
        return samples.averaged(together, np.concatenate(goals), held)
    goals = [training.targets(each, _SHARE) for each in parts]
    newest = samples.newest(together)
    chosen = samples.Samples(*(each[newest] for each in together))
    return chosen, np.concatenate(goals)[newest]


def _name_of(options: Options) -> str:
    """What a run is called: the same for the same options."""
    digest = derive(0, json.dumps(asdict(options), sort_keys=True)) % 16**8
    game = re.sub(r"\W+", "-", Path(games.make(options.game).spec.name).stem).strip("-")
    return f"{game}-{digest:08x}"


def known(folder: Path) -> list[dict[str, Any]]:
    """The runs in a folder."""
    found = []
    for notes in sorted(folder.glob("*/run.json")):
        try:
            facts = json.loads(notes.read_bytes())
            rounds, wanted = facts["rounds"], facts["options"]["rounds"]
            found.append(
                {
                    "id": notes.parent.name,
                    "game": facts["options"]["game"],
                    "minutes": facts["options"]["minutes"],
                    "rounds": len(rounds),
                    "of": wanted,
                    "positions": rounds[-1]["positions"] if rounds else 0,
                    "held_out_loss": rounds[-1]["held_out_loss"] if rounds else None,
                    "done": len(rounds) >= wanted,
                }
            )
        except (OSError, ValueError, KeyError, TypeError):
            found.append({"id": notes.parent.name, "game": "", "done": False, "damaged": True})
    return found


def resumed(folder: Path, name: str) -> Learning:
    """The run of this name."""
    notes = folder / name / "run.json"
    try:
        options = Options(**json.loads(notes.read_bytes())["options"])
    except (OSError, ValueError, KeyError, TypeError):
        names = ", ".join(each["id"] for each in known(folder)) or "none"
        raise PetteiaError(f"there is no run {name!r} in {folder}; there are: {names}") from None
    return Learning(options, folder, name=name)


def _tested(executor: Executor, workers: int, contest: Contest, sprt: Sprt, seconds: float) -> Gate:
    """Pairs of games until the test decides or the time is over."""
    gate, scores, started = Gate(""), np.empty((0, 2)), time.perf_counter()
    waiting: list[Future[np.ndarray]] = []
    at, pairs = 0, _QUICK_PAIRS if is_compiled(contest) else _PAIRS
    try:
        while gate.decision == "continue" and time.perf_counter() - started < seconds:
            while len(waiting) < 2 * workers:
                waiting.append(executor.submit(pair_points, contest, range(at, at + pairs)))
                at += pairs
            points = waiting.pop(0).result()
            scores = np.vstack([scores, scores_of(points, "wins")])
            gate.decision = sprt.decision(sprt.llr(pentanomial(scores.tolist())))
    finally:
        for future in waiting:
            future.cancel()
    gate.pairs = len(scores)
    if gate.pairs:
        means = scores.mean(axis=1)
        gate.score, gate.interval = float(means.mean()), list(pair_interval(means.tolist()))
    return gate
