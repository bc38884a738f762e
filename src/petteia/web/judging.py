"""What positions, moves and throws are worth, as data for a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from petteia.core.agent import Agent, Decision, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.position import Position
from petteia.core.words import Words
from petteia.review.chances import chance_of, curve_of, throw_chances
from petteia.review.outlook import Outlook
from petteia.search.values import plies_to_end

__all__ = ["both_judged", "facts_of", "matrix", "ranking", "shares", "throw_judged", "throws"]

Facts = dict[str, Any]
_MOST_SHOWN = 12
"""Rows and columns of a matrix that a page shows: those that are played most, and the best."""
_MOST_MOVES = 200
_NOTHING = 1e-9


def facts_of(choice: Decision) -> Facts:
    """What an agent says about its choice."""
    return {
        "value": _finite(choice.value),
        "depth": choice.depth,
        "nodes": choice.interior + choice.leaves,
        "seconds": choice.seconds,
        "notes": choice.notes,
    }


def _finite(value: float | None) -> float | None:
    return None if value is None or value != value or abs(value) == float("inf") else float(value)


def ranking(
    game: Game,
    agent: Agent,
    p: Words,
    known: Iterable[MoveValue],
    depth: int | None = None,
    seconds: float = 0.0,
) -> Facts:
    """The moves as a page shows them, the best first."""
    position, exact = Position(game, p), agent.knows(p)
    listed = []
    for each in known:
        value = _finite(each.value)
        listed.append(
            {
                "move": game.move_text(p, each.move),
                "value": value,
                "end": None if value is None else plies_to_end(value),
                "draw": exact and value == 0 and not agent.in_points,
                "chance": None if value is None else chance_of(agent, p, value),
                "line": position.line_texts(each.line or (each.move,)),
                "visits": each.visits,
            }
        )
    return {"moves": listed, "depth": depth, "seconds": seconds, "exact": exact}


# --- dice ---------------------------------------------------------------------------------------


def throws(game: Game, agent: Agent, p: Words, seen: Outlook, seconds: float) -> Facts:
    """Every outcome of the dice: how likely it is, and what its thrower can make of it."""
    known, mover = throw_chances(agent, seen), seen.mover

    def of_thrower(chance: float) -> float:
        return chance if mover == 0 else 1 - chance

    listed = [
        {
            "throw": game.move_text(p, throw.outcome),
            "share": throw.chance,
            "chance": of_thrower(known[0][number]) if known else None,
            "best": game.move_text(throw.after, throw.moves[0].move) if throw.moves else None,
        }
        for number, throw in enumerate(seen.throws)
    ]
    exact = all(agent.knows(throw.after) for throw in seen.throws if throw.moves)
    return {
        "throws": listed, "chance": of_thrower(known[1]) if known else None, "mover": mover,
        "exact": exact, "seconds": seconds, "depth": None,
    }  # fmt: skip


def throw_judged(game: Game, agent: Agent, p: Words, after: Words, seen: Outlook) -> Facts | None:
    """The luck of a throw: what it changed in its thrower's chance; its mean over throws is 0."""
    known = throw_chances(agent, seen)
    if known is None:
        return None
    number = next(i for i, throw in enumerate(seen.throws) if throw.after == after)
    luck = known[0][number] - known[1]
    return {
        "player": seen.mover,
        "roll": game.move_text(p, seen.throws[number].outcome),
        "luck": luck if seen.mover == 0 else -luck,
    }


# --- where both choose --------------------------------------------------------------------------


def _looked_at(agent: Agent, p: Words, seed: int) -> tuple[Decision, Mapping[str, Any] | None]:
    choice = agent.choose(p, seed=seed)
    notes: Mapping[str, Any] = choice.notes or {}
    return choice, notes if "matrix" in notes else None


def _strategies(notes: Mapping[str, Any]) -> tuple[Any, list[Any], list[Any]]:
    """The payoffs of player 0, both strategies, and what each move brings against the other."""
    payoffs = np.array(notes["matrix"], float)
    shares = [np.array(notes[key], float) for key in ("row_strategy", "column_strategy")]
    return payoffs, shares, [payoffs @ shares[1], -(shares[0] @ payoffs)]


def matrix(game: Game, agent: Agent, p: Words, seed: int) -> Facts:
    """Where both choose: the payoffs of player 0, and how often each move is best played."""
    choice, notes = _looked_at(agent, p, seed)
    answer: Facts = {"depth": choice.depth, "seconds": choice.seconds, "exact": False}
    if notes is None:
        best = {"move": game.move_text(p, choice.move), "value": None, "end": None}
        return {**answer, "moves": [{**best, "chance": None, "line": [best["move"]], "visits": 0}]}
    payoffs, shares, against = _strategies(notes)
    shown = [np.lexsort((-against[side], -shares[side]))[:_MOST_SHOWN] for side in (0, 1)]
    names = [notes["row_actions"], notes["column_actions"]]
    curve = curve_of(game, agent)

    def side(number: int) -> list[Facts]:
        return [
            {
                "move": names[number][i],
                "share": float(shares[number][i]),
                "value": _finite(against[number][i]),
                "chance": curve.chance(float(against[number][i])),
            }
            for i in shown[number]
        ]

    value = _finite(notes.get("value"))
    return {
        **answer,
        "matrix": {
            "rows": side(0),
            "columns": side(1),
            "payoffs": payoffs[np.ix_(shown[0], shown[1])].tolist(),
            "size": list(payoffs.shape),
            "value": value,
            "chance": None if value is None else curve.chance(value),
            "exploitability": _finite(notes.get("exploitability")),
        },
    }


def both_judged(game: Game, agent: Agent, p: Words, texts: tuple[str, ...]) -> list[Facts]:
    """A turn of both, each move against the other's best strategy."""
    _, notes = _looked_at(agent, p, 0)
    if notes is None:
        return []
    _, shares, against = _strategies(notes)
    names = [list(notes["row_actions"]), list(notes["column_actions"])]
    worth = float(notes["value"])
    curve, found = curve_of(game, agent), []
    for side in (0, 1):
        played = float(against[side][names[side].index(texts[side])])
        best = worth if side == 0 else -worth
        usual = names[side][int(np.argmax(shares[side]))]
        found.append(
            {
                "mover": side,
                "played": {"move": texts[side], "value": played, "chance": curve.chance(played)},
                "best": {"move": usual, "value": best, "chance": curve.chance(best)},
            }
        )
    return found


# --- what an evaluation sees --------------------------------------------------------------------


def shares(game: Game, agent: Agent, p: Words) -> Facts | None:
    """What each feature adds here; by cell, what pieces add to it and what moves there change."""
    evaluation = getattr(agent, "evaluation", None)
    if evaluation is None or game.kind(p) not in (DECISION, CHANCE):
        return None
    mover = int(game.mover(p))
    here = evaluation.shares(game, p, mover)
    features = {name: Facts(name=name, share=here[name], pieces={}, moves={}) for name in here}

    def note(layer: str, cell: str, changes: Iterable[tuple[str, float]]) -> None:
        for name, change in changes:
            known = features[name][layer]
            if abs(change) > max(_NOTHING, abs(known.get(cell, 0.0))):
                known[cell] = change

    if here:
        ends = {action.move: action.path[-1] for action in game.view(p).actions if action.path}
        for move in game.legal_moves(p)[:_MOST_MOVES] if game.kind(p) == DECISION else ():
            q, cell = game.play(p, move), ends.get(game.move_text(p, move))
            if cell is not None and game.kind(q) in (DECISION, CHANCE):
                there = evaluation.shares(game, q, mover)
                note("moves", cell, [(name, there[name] - here[name]) for name in here])
        for cell, q in _without_each(game, p):
            there = evaluation.shares(game, q, mover)
            note("pieces", cell, [(name, here[name] - there[name]) for name in here])
    return {
        "name": str(evaluation.spec),
        "value": _finite(evaluation.of(game, p, mover)),
        "mover": mover,
        "features": list(features.values()),
    }


def _without_each(game: Game, p: Words) -> Iterable[tuple[str, Words]]:
    """For every cell with a piece, the position with one piece less there, where it can be."""
    standing: dict[str, str] = {}
    for piece in game.view(p).pieces:
        standing[piece.cell] = standing.get(piece.cell, "") + piece.letter * piece.count
    for cell, letters in standing.items():
        try:
            q = game.edited(p, {cell: letters[:-1]})
        except PetteiaError:
            continue
        if game.kind(q) in (DECISION, CHANCE):
            yield cell, q
