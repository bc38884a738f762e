"""Backgammon: what decisions at the cube cost, and how efficient a cube is.

    python benchmarks/cube.py FILE [AGENT ...] [--games money] [--positions 100]
        [--trials 144] [--seed 5]

Positions of self-play in which the networks, one ply ahead, see little between two ways at the
cube: of games for money, and of matches to 7 at all scores. Each way is played out to the end by
the networks, cube included, with the same dice and their luck taken out. To double or to roll costs
what it is behind the better of the two, where a double is worth what the other's better answer
leaves; a take or a drop costs what it gives away. Costs are thousandths: of a point for money with
the cube at 1, in a match of the scale from -1 (lost) to 1 (won).

FILE keeps the rollouts as lines of JSON, so that a run that was stopped goes on. The last lines fit
Janowski's efficiency to the rollouts for money, class by class.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from petteia import agents, games
from petteia.core.agent import Agent
from petteia.core.game import CHANCE, TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.games.backgammon.evaluations.cube import efficiency, modelled_ways
from petteia.games.backgammon.evaluations.inputs import CLASSES, class_of
from petteia.games.backgammon.programs import program
from petteia.games.backgammon.rules.state import CUBE, LEVEL, field, parts_of
from petteia.games.backgammon.solution.neural import chances, shipped_weights, with_scratch
from petteia.search.rollout import Rollout
from petteia.search.stepper import stepper_of

GAMES = {"money": "backgammon(cube=true)", "match": "backgammon(match=7, cube=true)"}
NEAR = 0.1
"""Ways that look further apart than this part of the stake are not close."""
FEWEST = 5
"""With fewer positions of a class nothing is fitted."""
FIRST = 6
"""Turns without a look at the cube: openings are much alike."""


def values_of(agent: Agent, game: Game, p: Words) -> dict[str, float]:
    """What the ways at the cube look worth to the one who decides."""
    return {game.move_text(p, each.move): float(each.value or 0.0) for each in agent.values(p)}


def is_close(judge: Agent, game: Game, p: Words) -> bool:
    """Whether two ways at the cube look nearly the same, to the doubler or to the other."""
    stake = 1.0 if getattr(game, "match", 0) else float(1 << field(p[4], LEVEL, 15))
    ways = values_of(judge, game, p)
    if "double" not in ways:
        return False
    answers = values_of(judge, game, stepper_of(game).play(p, game.parse_move(p, "double")))
    near = NEAR * stake
    return (
        abs(ways["roll"] - ways["double"]) < near or abs(answers["take"] - answers["drop"]) < near
    )


def close_positions(game: Game, wanted: int, seed: int) -> list[Words]:
    """Of games of the networks against themselves at random scores, one a game at most."""
    found: list[Words] = []
    judge, player = agents.make("network(plies=1)", game), agents.make("network", game)
    stepper, number = stepper_of(game), 0
    while len(found) < wanted:
        number += 1
        chance = random.Random(derive(seed, number))
        p, turns = start_of(game, chance), 0
        while (seen := stepper.look(p)).kind != TERMINAL:
            if seen.kind == CHANCE:
                p = stepper.play(p, chance.choices(seen.moves, seen.chances)[0])
                turns += 1
                continue
            if parts_of(p[4])["phase"] == CUBE and turns > FIRST and is_close(judge, game, p):
                found.append(p)
                print(f"{len(found)} close positions in {number} games", end="\r", flush=True)
                break
            p = stepper.play(p, player.choose(p).move)
    return found


def start_of(game: Game, chance: random.Random) -> Words:
    """The start of a game; of a match at a random score, before the Crawford game."""
    length = getattr(game, "match", 0)
    if not length:
        return game.start()
    first, second = (chance.randrange(length - 1) for _ in range(2))
    return game.parse(f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{first}:{second}:0:{length}:10")


def rolled_out(game: Game, p: Words, trials: int, seed: int) -> dict[str, Any]:
    """What the three ways are worth to the one who may double."""
    playable = agents.make("network", game).playable()
    assert playable is not None
    play, mover = stepper_of(game).play, stepper_of(game).look(p).mover
    offered = play(p, game.parse_move(p, "double"))
    after = [
        play(p, game.parse_move(p, "roll")),
        *(play(offered, game.parse_move(offered, way)) for way in ("take", "drop")),
    ]
    ways = Rollout(game, playable).run(after[:2], mover, trials, seed)
    dropped = game.result(after[2]) * (1 - 2 * mover)
    cube = 1 if getattr(game, "match", 0) else 1 << field(p[4], LEVEL, 15)
    return {
        "text": game.text(p), "kind": class_of(*p[:4]), "error": ways[0].behind(ways[1])[1] / cube,
        "roll": ways[0].value / cube, "take": ways[1].value / cube, "drop": dropped / cube,
    }  # fmt: skip


def cost_of(agent: Agent, game: Game, row: dict[str, Any]) -> tuple[float, float]:
    """What an agent's two decisions cost: to double or not, to take or not."""
    p = game.parse(row["text"])
    offered = stepper_of(game).play(p, game.parse_move(p, "double"))
    doubled, taken = min(row["take"], row["drop"]), agent.choose(offered).move
    gain = doubled - row["roll"]
    does_double = game.move_text(p, agent.choose(p).move) == "double"
    gives = row["take"] if game.move_text(offered, taken) != "drop" else row["drop"]
    return max(0.0, -gain if does_double else gain), gives - doubled


def efficiency_of(rows: list[dict[str, Any]], kind: int) -> str:
    """Janowski's efficiency with which the networks' chances come closest to the rollouts, and the
    root of the mean square error with it and with the one in use."""
    game, w = games.make(GAMES["money"]), with_scratch(shipped_weights())
    told: list[tuple[Words, int, Any, dict[str, Any]]] = []
    for row in rows:
        if row["kind"] == kind:
            p = game.parse(row["text"])
            roller = stepper_of(game).look(p).mover
            told.append((p, roller, chances(game, p, roller, w), row))
    if len(told) < FEWEST:
        return f"{len(told)} positions, too few"

    def error(x: float | None) -> float:
        found = []
        for p, roller, c, row in told:
            ways = modelled_ways(game, p, roller, efficiency(p, roller) if x is None else x, c)
            cube = 1 << field(p[4], LEVEL, 15)
            found += [ways.waits / cube - row["roll"], ways.taken / cube - row["take"]]
        return float(np.sqrt(np.mean(np.square(found))))

    best = min(np.linspace(0.0, 1.0, 51), key=error)
    return f"{best:.2f}, error {error(best):.3f}; in use {error(None):.3f} ({len(told)} positions)"


def kept(path: Path, asked: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """The rollouts of the kinds of games asked for, those missing made."""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [json.loads(line) for line in lines]
    found = {kind: [row for row in rows if row["game"] == kind] for kind in asked.games}
    for kind in asked.games:
        if len(found[kind]) >= asked.positions:
            continue
        game = games.make(GAMES[kind])
        places = close_positions(game, asked.positions, derive(asked.seed, kind))
        for number, p in enumerate(places[len(found[kind]) :], len(found[kind])):
            row = {"game": kind, **rolled_out(game, p, asked.trials, derive(asked.seed, number))}
            with path.open("a") as file:
                file.write(json.dumps(row) + "\n")
            found[kind].append(row)
            print(f"{kind} {number + 1}: {row['text']}", flush=True)
    return found


def main() -> None:
    """Measures from the command line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("file", type=Path)
    options.add_argument("agents", nargs="*")
    options.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    options.add_argument("--positions", type=int, default=100, help="of each kind of game")
    options.add_argument("--trials", type=int, default=144)
    options.add_argument("--seed", type=int, default=5)
    asked = options.parse_args()
    found = kept(asked.file, asked)
    names = asked.agents or ["network", "network(plies=1)", "network(plies=2)"]
    if not asked.agents and program() is not None:
        names += ["gnubg", "gnubg(plies=1)", "gnubg(plies=2)"]
    print("| agent | game | doubles or rolls | takes or drops | both |\n|---|---|---|---|---|")
    for name in names:
        for kind, rows in found.items():
            game = games.make(GAMES[kind])
            agent = agents.make(name, game)
            costs = 1000 * np.array([cost_of(agent, game, row) for row in rows[: asked.positions]])
            agent.close()
            mean, spread = costs.mean(0), costs.std(0) / len(costs) ** 0.5
            both = costs.sum(1)
            cells = [f"{a:.1f} ± {b:.1f}" for a, b in zip(mean, spread, strict=True)]
            cells.append(f"{both.mean():.1f} ± {both.std() / len(both) ** 0.5:.1f}")
            print(f"| `{name}` | {kind} | {' | '.join(cells)} |", flush=True)
    errors = [row["error"] for rows in found.values() for row in rows]
    print(f"standard error between two ways, in the middle: {np.median(errors):.3f}")
    for kind, name in enumerate(CLASSES):
        print(f"efficiency, {name}: {efficiency_of(found.get('money', []), kind)}")


if __name__ == "__main__":
    main()
