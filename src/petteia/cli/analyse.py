"""``petteia analyse``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from petteia import agents, games
from petteia.cli import analyse_joint, analyse_prove, output
from petteia.cli.asked import asked
from petteia.cli.interrupt import interruptible
from petteia.cli.options import GameSpec, Json, Pieces, PositionText, ProofSeconds, Seed, Side, Svg
from petteia.core.agent import Agent, Decision, EvaluatingAgent, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, Game
from petteia.core.position import Position
from petteia.core.record import parse_ply
from petteia.core.writing import write_whole
from petteia.review.outlook import Outlook, outlook
from petteia.search.values import plies_to_end

__all__ = ["Options", "chance_facts", "position_of", "run", "show_chance"]


def _facts(
    position: Position, agent: Agent, choice: Decision, values: list[MoveValue]
) -> dict[str, Any]:
    game = position.game

    def text(move: int) -> str:
        return game.move_text(position.words, move)

    plies = None if choice.value is None else plies_to_end(choice.value)
    evaluation = agent.evaluation if isinstance(agent, EvaluatingAgent) else None
    mover = position.mover or 0
    facts: dict[str, Any] = {
        "game": str(game),
        "position": str(position),
        "mover": game.players[mover],
        "agent": str(agent),
        "best": text(choice.move),
        "value": choice.value,
        "exact": agent.knows(position.words),
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
                **(each.notes or {}),
            }
            for each in values
        ],
        **(choice.notes or {}),
        **agent.remarks(position.words),
    }
    if evaluation is not None:
        facts["evaluation"] = {
            "name": str(evaluation.spec),
            "value": evaluation.of(game, position.words, mover),
            "shares": evaluation.shares(game, position.words, mover),
        }
    return facts


def position_of(game: Game, text: str, pieces: str, side: str, roll: str) -> Position:
    """The position that the options name: by its text, or by its pieces and the side to move."""
    if bool(pieces) != bool(side):
        raise PetteiaError("--pieces and --side go together")
    if pieces:
        if text != "start":
            raise PetteiaError("the position is given twice, by its text and by --pieces")
        text = f"{pieces} {side}"
    position = Position.of(game, text)
    return thrown(position, roll) if roll else position


def thrown(position: Position, roll: str) -> Position:
    """The position after a throw of the dice."""
    if position.kind != CHANCE:
        raise PetteiaError(f"no dice are to be thrown here, so there is no --roll {roll}")
    return position.play(position.game.parse_outcome(position.words, roll))


def chance_facts(position: Position, agent: Agent, found: Outlook) -> dict[str, Any]:
    """What is known before the dice are thrown, for the player whose dice they are."""
    game = position.game
    return {
        "game": str(game),
        "position": str(position),
        "mover": game.players[found.mover],
        "agent": str(agent),
        "value": found.for_mover(found.value),
        "exact": agent.knows(position.words),
        "rolls": [
            {
                "roll": game.move_text(position.words, throw.outcome),
                "chance": throw.chance,
                "value": found.for_mover(throw.value),
                "best": game.move_text(throw.after, throw.moves[0].move) if throw.moves else None,
                "moves": [
                    {"move": game.move_text(throw.after, each.move), "value": each.value}
                    for each in throw.moves
                ],
            }
            for throw in found.throws
        ],
    }


def show_chance(position: Position, facts: dict[str, Any]) -> None:
    """The same for people."""
    print(position.draw())
    mean = output.value_text(facts["value"], None)
    print(f"\n{facts['agent']}: {facts['mover']} before the throw, {mean}")
    rows = []
    for roll in facts["rolls"]:
        if not roll["moves"]:  # nobody decides next, or both do
            value = output.value_text(roll["value"], None)
            rows.append((roll["roll"], f"{roll['chance']:.4f}", "", value))
        for place, each in enumerate(roll["moves"]):
            first = (roll["roll"], f"{roll['chance']:.4f}") if place == 0 else ("", "")
            rows.append((*first, each["move"], output.value_text(each["value"], None)))
    output.table("", ["roll", "chance", "move", "value"], rows)


def _show_remarks(remarks: Mapping[str, object]) -> None:
    """What an agent says beyond the values of moves: names and numbers."""
    for name, said in remarks.items():
        parts = said if isinstance(said, Mapping) else {name: said}
        texts = (
            f"{key.replace('_', ' ')} {f'{value:.4f}' if isinstance(value, float) else value}"
            for key, value in parts.items()
        )
        print(f"\n{name.replace('_', ' ')}: {', '.join(texts)}")


@dataclass(frozen=True)
class Options:
    """What is analysed, by whom, and how the answer is given."""

    game: GameSpec
    position: PositionText = "start"
    agent: Annotated[
        str, typer.Option(help="the agent that analyses; default: the game's own choice")
    ] = ""
    moves: Annotated[str, typer.Option(help="moves to play first")] = ""
    roll: Annotated[str, typer.Option(help="what the dice show")] = ""
    pieces: Pieces = ""
    side: Side = ""
    svg: Svg = None
    prove: Annotated[
        bool, typer.Option("--prove", help="prove the exact distance to the end instead")
    ] = False
    seconds: ProofSeconds = 60.0
    tables: Annotated[
        int | None,
        typer.Option(
            help="with --prove, exact tables of so many pieces, built if they are not there; "
            "0 for none; default: those that take seconds",
            min=0,
        ),
    ] = None
    seed: Seed = 0
    as_json: Json = False


def _asked(game: Game, options: Options) -> Position:
    """The position to analyse: after the moves, and then the roll, that are given."""
    moves, roll = options.moves.split(), options.roll
    start = "" if moves else roll
    position = position_of(game, options.position, options.pieces, options.side, start)
    for word in moves:
        if position.kind == CHANCE:
            position = thrown(position, word.removeprefix(":"))
            continue
        both = parse_ply(word).texts if position.kind == SIMULTANEOUS else ()
        position = position.play_both(*both) if len(both) == 2 else position.play(word)
    return thrown(position, roll) if moves and roll else position


def run(options: Options) -> None:
    """Analyses a position."""
    game = games.make(options.game)
    position = _asked(game, options)
    if options.svg is not None:
        write_whole(options.svg, position.svg())
    if options.prove:
        analyse_prove.run(position, options.seconds, options.tables, options.as_json)
        return
    named = options.agent or agents.solved(game, position.words) or agents.usual(game)
    agent = asked(agents.make(named, game))
    if position.kind == SIMULTANEOUS:
        analyse_joint.run(position, agent, options.seed, options.as_json)
    elif position.kind == CHANCE:
        found = interruptible(agent, lambda: outlook(agent, position.words, seed=options.seed))
        facts = chance_facts(position, agent, found)
        output.show(facts, options.as_json, lambda: show_chance(position, facts))
    elif position.kind == DECISION:
        _decision(position, agent, options.seed, options.as_json)
    else:
        raise PetteiaError(f"nothing to analyse: {position.status}")


def _decision(position: Position, agent: Agent, seed: int, as_json: bool) -> None:
    agent.prepare(position.words)
    choice = interruptible(agent, lambda: agent.choose(position.words, seed=seed))
    values = interruptible(agent, lambda: agent.values(position.words, seed=seed))
    if choice.value is None:  # an agent that chooses by other means may still know its moves
        known_value = next((each.value for each in values if each.move == choice.move), None)
        choice = choice._replace(value=known_value)
    facts = _facts(position, agent, choice, values)

    def text() -> None:
        print(position.draw())
        _show_choice(choice, facts)
        _show_moves(values, facts)
        _show_remarks(agent.remarks(position.words))
        _show_shares(facts.get("evaluation", {}))

    output.show(facts, as_json, text)


def _show_choice(choice: Decision, facts: dict[str, Any]) -> None:
    print(f"\n{facts['agent']}: {facts['mover']} plays {facts['best']}, ", end="")
    print(output.value_text(choice.value, facts["plies_to_win"] or facts["plies_to_loss"]))
    print(f"line: {' '.join(facts['line'])}")
    if choice.interior + choice.leaves:
        print(
            f"depth {choice.depth}, {choice.interior:,} interior nodes and {choice.leaves:,} "
            f"leaves in {choice.seconds:.3f} s ({facts['nodes_per_second'] / 1e6:.1f} M nodes/s)"
        )
    print()


def _show_moves(values: list[MoveValue], facts: dict[str, Any]) -> None:
    known = list(dict.fromkeys(key for each in values for key in each.notes or {}))
    rows = [
        (
            each["move"],
            output.value_text(
                each["value"], None if each["value"] is None else plies_to_end(each["value"])
            ),
            *(f"{each[key]:.4g}" if key in each else "" for key in known),
            " ".join(each["line"][:8]),
        )
        for each in facts["moves"]
    ]
    columns = [key.replace("_", " ") for key in known]
    output.table("", ["move", "value", *columns, "line"], rows)


def _show_shares(evaluation: dict[str, Any]) -> None:
    shares = evaluation.get("shares")
    if shares:
        print(f"\n{evaluation['name']} here: {evaluation['value']:+.3f}")
        output.table("", ["feature", "adds"], [(k, f"{v:+.3f}") for k, v in shares.items()])
