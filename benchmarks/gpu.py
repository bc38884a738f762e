"""Random games on a GPU beside this machine's processors and, where it is installed, pgx (JAX).

    python benchmarks/gpu.py --json

All games of a seed are the same on both; the first 100,000 are compared bit by bit. pgx counts
steps of its own batched environments with random legal actions, finished ones begun again; of three
sizes of its batch the best counts.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from petteia import games
from petteia.core.gpu import cupy_for
from petteia.core.processors import processors
from petteia.search.playout import RandomPlay

EXAMPLES = Path(__file__).parents[1] / "examples"
GAMES = {
    "breakthrough": 1 << 24,
    "ur": 1 << 25,
    "checkers": 1 << 24,
    "ropasci": 1 << 22,
    "backgammon": 1 << 20,
    str(EXAMPLES / "connect_four.py"): 1 << 27,
    str(EXAMPLES / "othello.py"): 1 << 24,
}
"""Each with how many games are timed."""
PEERS = {"connect_four": "connect_four", "othello": "othello", "backgammon": "backgammon"}
_COMPARED = 100_000
_AT_ONCE = (8192, 65_536, 262_144)


def _identical(play: RandomPlay) -> bool:
    here, there = play.arguments(1, _COMPARED), play.arguments(1, _COMPARED)
    play.batch(_COMPARED, *here)
    play.batch(_COMPARED, *there, device="gpu")
    return all(np.array_equal(a, b) for a, b in zip(here[4], there[4], strict=True))


def _rate(play: RandomPlay, count: int, **how: Any) -> tuple[float, float]:
    """Games and plies a second; the best of three."""
    play.run(1000, 0, **how)
    best, plies = 0.0, 0.0
    for seed in range(3):
        started = time.perf_counter()
        plies = play.run(count, seed, **how).plies
        best = max(best, count / (time.perf_counter() - started))
    return best, best * plies


def _pgx_steps(name: str) -> float | None:
    """Steps a second of pgx; None where it is not installed."""
    try:
        import jax
        import pgx
    except ImportError:
        return None
    return max(_steps_at_once(jax, pgx.make(name), size) for size in _AT_ONCE)


def _steps_at_once(jax: Any, env: Any, size: int) -> float:
    many, steps = jax.vmap, 100

    def one(state: Any, key: Any) -> tuple[Any, None]:
        keys = jax.random.split(key, size)
        chances = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = many(jax.random.categorical)(keys, chances)
        after = many(env.step)(state, actions, keys)
        fresh = many(env.init)(keys)
        ended = after.terminated | after.truncated

        def chosen(new: Any, old: Any) -> Any:
            return jax.numpy.where(ended.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        return jax.tree_util.tree_map(chosen, fresh, after), None

    @jax.jit
    def run(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, state, jax.random.split(key, steps))[0]

    state = many(env.init)(jax.random.split(jax.random.PRNGKey(0), size))
    state = jax.block_until_ready(run(state, jax.random.PRNGKey(1)))
    best = 0.0
    for seed in range(3):
        started = time.perf_counter()
        state = jax.block_until_ready(run(state, jax.random.PRNGKey(seed)))
        best = max(best, steps * size / (time.perf_counter() - started))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cupy = cupy_for("this benchmark", "there is nothing to measure")
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    facts: dict[str, Any] = {"device": name, "processors": processors(), "games": {}}
    for spec in given.games:
        play, short = RandomPlay(games.make(spec)), Path(spec).stem
        row: dict[str, Any] = {"identical": _identical(play)}
        row["games_per_second"], row["plies_per_second"] = _rate(play, GAMES[spec], device="gpu")
        row["one_core"] = _rate(play, 2000, threads=1)[0]
        row["all_cores"] = _rate(play, 20_000)[0]
        if short in PEERS and (steps := _pgx_steps(PEERS[short])):
            row["pgx_steps_per_second"] = steps
            row["ratio"] = row["plies_per_second"] / steps
        facts["games"][short] = row
        if not given.json:
            print(short, ", ".join(f"{key} {value:,.4g}" for key, value in row.items()), flush=True)
    if given.json:
        print(json.dumps(facts))


if __name__ == "__main__":
    main()
