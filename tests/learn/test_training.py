"""Training finds what is in the positions, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from petteia.learn import training
from petteia.learn.samples import Samples
from petteia.learn.training import Plan

COUNT = 4000


def lesson(sides: int) -> tuple[Samples, np.ndarray]:
    """Who has more of the first eight bits wins; the second player sees them elsewhere."""
    rng = np.random.default_rng(5)
    own, other = rng.integers(0, 2**16, (2, COUNT, 1), np.uint64)
    mover = rng.integers(0, 2, COUNT).astype(np.int8)
    shift = np.where(mover == 1, 8, 0).astype(np.uint64)[:, None] * np.uint64(sides > 1)
    bits = [np.bitwise_count((view >> shift) & np.uint64(255)).ravel() for view in (own, other)]
    lead = bits[0].astype(float) - bits[1]
    goals = (1 / (1 + np.exp(-lead))).astype(np.float32)
    empty = np.zeros(COUNT, np.float32)
    return Samples(own, other, mover, empty, empty, np.arange(COUNT)), goals


@pytest.mark.parametrize("sides", [1, 2])
def test_it_learns_what_can_be_seen(sides: int) -> None:
    samples, goals = lesson(sides)
    # The other one's view lies by the mover's side, as the mover's own does.
    plan = Plan(hidden=32, epochs=8, batch=64, seed=3)
    *_, trained = training.train(samples, goals, 1, plan)
    assert len(trained.loss) == plan.epochs
    floor = float(-(goals * np.log(goals) + (1 - goals) * np.log(1 - goals)).mean())
    assert trained.held_out[-1] < trained.held_out[0]
    if sides == 1:
        assert trained.held_out[-1] < floor + 0.02
    else:
        *_, apart = training.train(samples, goals, 2, plan)
        assert apart.held_out[-1] < trained.held_out[-1] - 0.05


def test_the_same_seed_learns_the_same() -> None:
    samples, goals = lesson(1)
    plan = Plan(hidden=32, epochs=1, batch=256, seed=9)
    first, second = (next(training.train(samples, goals, 1, plan)) for _ in range(2))
    for one, other in zip(first.parameters, second.parameters, strict=True):
        assert (one == other).all()
    assert first.loss == second.loss


def test_a_step_goes_down_the_slope(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slopes are those of the loss, by differences."""
    samples, goals = lesson(2)
    rows = np.arange(50)
    trainer = training._Trainer(samples, goals, 2, Plan(hidden=32))
    assert trainer.inputs == 16  # no other bit is ever set
    steps = training.steps_of(samples, 3)
    start = training.fresh(trainer.inputs, 2, 32, steps, np.random.default_rng(1))
    trainer.begin(start)
    before = [weight.copy() for weight in trainer.weights]
    slopes: list[np.ndarray] = []
    monkeypatch.setattr(trainer, "_move", lambda given, rate: slopes.extend(given))
    trainer.learn(rows, None, 0.0)
    rng = np.random.default_rng(2)
    for number, slope in enumerate(slopes):
        flat = slope.reshape(-1)
        for place in rng.choice(len(flat), min(8, len(flat)), replace=False):
            losses = []
            for change in (1e-2, -1e-2):
                trainer.weights = [weight.astype(np.float64) for weight in before]
                trainer.weights[number].reshape(-1)[place] += change
                losses.append(trainer.loss(rows, 50))
            wanted = (losses[0] - losses[1]) / 2e-2
            assert flat[place] == pytest.approx(wanted, abs=2e-4)


def test_values_become_chances() -> None:
    rng = np.random.default_rng(1)
    value = rng.normal(0, 20, 20_000)
    result = (rng.random(20_000) < 1 / (1 + np.exp(-0.08 * value))).astype(np.float32)
    samples, _ = lesson(1)
    asked = samples._replace(value=value.astype(np.float32), result=result)
    assert training.fitted_scale(asked) == pytest.approx(0.08, abs=0.005)
    drawn = asked._replace(result=np.full(20_000, 0.5, np.float32))
    assert training.fitted_scale(drawn) == pytest.approx(1 / value.std(), rel=1e-3)
    silent = asked._replace(value=np.full(20_000, np.nan, np.float32))
    assert (training.targets(silent, 0.25) == result).all()


def test_it_goes_on_where_it_was() -> None:
    samples, goals = lesson(1)
    plan = Plan(hidden=32, epochs=3, batch=64, seed=3)
    *_, first = training.train(samples, goals, 1, plan)
    again = next(training.train(samples, goals, 1, plan, start=first.parameters))
    assert again.held_out[0] < first.held_out[0]
    assert not again.parameters.rows[16:].any()  # bits that no position has


def test_weights_may_differ_by_the_phase_of_the_game() -> None:
    """With many bits set the first two speak for their owner, with few against it."""
    rng = np.random.default_rng(8)
    own = rng.integers(0, 2**16, (COUNT, 1), np.uint64)
    full = rng.random(COUNT) < 0.55
    own = (own & np.uint64(3)) | np.where(full, 0xFF00, 0).astype(np.uint64)[:, None]
    lead = np.bitwise_count(own & np.uint64(3)).ravel() - 1.0
    goals = (1 / (1 + np.exp(-3 * np.where(full, lead, -lead)))).astype(np.float32)
    empty = np.zeros(COUNT, np.float32)
    samples = Samples(own, own, np.zeros(COUNT, np.int8), empty, empty, np.arange(COUNT))
    lost = {}
    for phases in (1, 2):
        plan = Plan(hidden=32, phases=phases, epochs=8, batch=64, seed=3)
        *_, trained = training.train(samples, goals, 1, plan)
        lost[phases] = trained.held_out[-1]
    assert trained.parameters.steps.tolist() == [8]
    floor = float(-(goals * np.log(goals) + (1 - goals) * np.log(1 - goals)).mean())
    assert lost[2] < floor + 0.02, lost
