"""Training finds what is in the positions, the same for the same seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from petteia.learn import training
from petteia.learn.regions import Regions
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
        assert np.all(one == other)
    assert first.loss == second.loss


def pairs(sides: int) -> Regions:
    """Each two neighbours of the first 16 bits are a region."""
    rows = np.zeros((64, 32), np.int16)
    for bit in range(16):
        rows[bit, bit // 2] = 1 + bit % 2
    bias = np.arange(sides)[:, None] * np.full(32, 4)
    return Regions(np.tile(rows, (sides, 1)), bias.astype(np.int16), 4 * sides)


PLANS = {
    "network": Plan(hidden=32, epochs=8, batch=64, seed=3),
    "two layers": Plan(hidden=32, layers=8, epochs=8, batch=64, seed=3),
    "linear": Plan("linear", epochs=8, batch=64, rate=2e-2, seed=3),
    "patterns": Plan("patterns", regions=pairs(1), epochs=8, batch=64, rate=2e-2, seed=3),
}


@pytest.mark.parametrize("shape", PLANS)
def test_every_shape_learns_what_its_view_shows(shape: str) -> None:
    """The other one's bits are the mover's too, eight further up."""
    samples, _ = lesson(1)
    own = (samples.own & np.uint64(255)) | (samples.other & np.uint64(255)) << np.uint64(8)
    low, high = (np.bitwise_count((own >> np.uint64(n)) & np.uint64(255)).ravel() for n in (0, 8))
    goals = (1 / (1 + np.exp(-(low.astype(float) - high)))).astype(np.float32)
    *_, trained = training.train(samples._replace(own=own), goals, 1, PLANS[shape])
    floor = float(-(goals * np.log(goals) + (1 - goals) * np.log(1 - goals)).mean())
    assert trained.held_out[-1] < floor + 0.02
    assert trained.parameters.shape == ("network" if shape == "two layers" else shape)


@pytest.mark.parametrize("shape", PLANS)
def test_a_step_goes_down_the_slope(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slopes are those of the loss, by differences."""
    samples, goals = lesson(2)
    rows = np.arange(50)
    regions = pairs(2) if shape == "patterns" else None
    plan = replace(PLANS[shape], regions=regions)
    trainer = training._Trainer(samples, goals, 2, plan)
    assert trainer.inputs == 16  # no other bit is ever set
    steps = training.steps_of(samples, 3)
    trainer.begin(trainer.fresh(plan, np.random.default_rng(1), steps))
    before = [weight.copy() for weight in trainer.model.weights]
    slopes: list[np.ndarray] = []
    monkeypatch.setattr(trainer, "_move", lambda given, rate: slopes.extend(given))
    trainer.learn(rows, None, 0.0)
    rng = np.random.default_rng(2)
    for number, slope in enumerate(slopes):
        flat = slope.reshape(-1)
        known = np.flatnonzero(flat)
        assert len(known) > 0
        for place in rng.choice(known, min(8, len(known)), replace=False):
            losses = []
            for change in (1e-3, -1e-3):
                trainer.model.weights = [weight.astype(np.float64) for weight in before]
                trainer.model.weights[number].reshape(-1)[place] += change
                losses.append(trainer.loss(rows, 50))
            wanted = (losses[0] - losses[1]) / 2e-3
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
