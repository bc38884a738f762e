"""``petteia analyse``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from petteia import agents, games
from petteia.cli import joint_analysis, output
from petteia.cli.interrupt import interruptible
from petteia.core.agent import Agent, Decision, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, SIMULTANEOUS
from petteia.core.position import Position
from petteia.core.record import parse_ply
from petteia.core.writing import write_whole
from petteia.search.values import plies_to_end

__all__ = ["run"]


def _facts(
    position: Position, agent: Agent, choice: Decision, values: list[MoveValue]
) -> dict[str, Any]:
    game = position.game

    def text(move: int) -> str:
        return game.move_text(position.words, move)

    plies = None if choice.value is None else plies_to_end(choice.value)
    evaluation: Evaluation | None = getattr(agent, "evaluation", None)
    mover = position.mover or 0
    facts: dict[str, Any] = {
        "game": str(game),
        "position": str(position),
        "mover": game.players[mover],
        "agent": str(agent),
        "best": text(choice.move),
        "value": choice.value,
        "plies_to_win": plies if (choice.value or 0) > 0 else None,
        "plies_to_loss": plies if (choice.value or 0) < 0 else None,
        "line": position.line_texts(choice.line or (choice.move,)),
        "depth": choice.depth,
        "interior": choice.interior,
        "leaves": choice.leaves,
        "seconds": choice.seconds,
        "nodes_per_second": output.per_second(choice.interior + choice.leaves, choice.seconds),
        "moves": [
            {
                "move": text(each.move),
                "value": each.value,
                "line": position.line_texts(each.line or (each.move,)),
                **({"visits": each.visits} if each.visits else {}),
            }
            for each in values
        ],
        **(choice.notes or {}),
    }
    if evaluation is not None:
        facts["evaluation"] = {
            "name": str(evaluation.spec),
            "value": evaluation.of(game, position.words, mover),
            "shares": evaluation.shares(game, position.words, mover),
        }
    return facts


def run(
    game_spec: str,
    text: str,
    agent_spec: str,
    moves: str,
    svg: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Analyses a position."""
    game = games.make(game_spec)
    position = Position.of(game, text)
    for word in moves.split():
        both = parse_ply(word).texts if position.kind == SIMULTANEOUS else ()
        position = position.play_both(*both) if len(both) == 2 else position.play(word)
    agent = agents.make(agent_spec or game.default_agent, game)
    if svg is not None:
        write_whole(svg, position.svg())
    if position.kind == SIMULTANEOUS:
        joint_analysis.show(position, agent, seed, as_json)
        return
    if position.kind != DECISION:
        raise PetteiaError(f"nothing to analyse: {position.status}")
    agent.prepare(position.words)
    choice = interruptible(agent, lambda: agent.choose(position.words, seed=seed))
    values = interruptible(agent, lambda: agent.values(position.words, seed=seed))
    facts = _facts(position, agent, choice, values)
    if as_json:
        output.json_object(facts)
        return
    print(position.draw())
    print(f"\n{facts['agent']}: {facts['mover']} plays {facts['best']}, ", end="")
    print(output.value_text(choice.value, facts["plies_to_win"] or facts["plies_to_loss"]))
    print(f"line: {' '.join(facts['line'])}")
    print(
        f"depth {choice.depth}, {choice.interior:,} interior nodes and {choice.leaves:,} leaves "
        f"in {choice.seconds:.3f} s ({facts['nodes_per_second'] / 1e6:.1f} M nodes/s)\n"
    )
    rows = [
        (
            each["move"],
            output.value_text(
                each["value"], None if each["value"] is None else plies_to_end(each["value"])
            ),
            " ".join(each["line"][:8]),
        )
        for each in facts["moves"]
    ]
    output.table("", ["move", "value", "line"], rows)
    shares = facts.get("evaluation", {}).get("shares")
    if shares:
        total = facts["evaluation"]["value"]
        print(f"\n{facts['evaluation']['name']} here: {total:+.3f}")
        output.table("", ["feature", "adds"], [(k, f"{v:+.3f}") for k, v in shares.items()])
