"""What positions, moves and throws are worth, as data for a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from petteia.agents.outlook import Outlook
from petteia.core.agent import Agent, Decision, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.position import Position
from petteia.core.words import Words
from petteia.search.values import plies_to_end
from petteia.web.chances import curve_of

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


def _chance(
    game: Game, agent: Agent, p: Words, value: float | None, *, exact: bool
) -> float | None:
    """The chance to win that a value means, of the player for whom it speaks; in points it is
    measured by what the game is worth now."""
    if value is None:
        return None
    if exact and value == 0:
        return 0.5
    stake = max(1.0, game.stake(p)) if agent.in_points else 1.0
    return curve_of(game, agent).chance(value / stake)


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
                "chance": _chance(game, agent, p, value, exact=exact),
                "line": position.line_texts(each.line or (each.move,)),
                "visits": each.visits,
            }
        )
    return {"moves": listed, "depth": depth, "seconds": seconds, "exact": exact}


# --- dice ---------------------------------------------------------------------------------------


def _throw_chances(game: Game, agent: Agent, seen: Outlook) -> tuple[list[float | None], float]:
    """Player 0's chance after every throw, and its mean; None where there is no opinion."""
    found = [
        _chance(game, agent, throw.after, throw.value, exact=agent.knows(throw.after))
        for throw in seen.throws
    ]
    mean = sum(t.chance * (c or 0.0) for t, c in zip(seen.throws, found, strict=True))
    return found, mean


def throws(game: Game, agent: Agent, p: Words, seen: Outlook, seconds: float) -> Facts:
    """Every outcome of the dice: how likely it is, and what its thrower can make of it."""
    chances, mean = _throw_chances(game, agent, seen)
    mover = seen.mover
    listed = [
        {
            "throw": game.move_text(p, throw.outcome),
            "share": throw.chance,
            "chance": None if chance is None else chance if mover == 0 else 1 - chance,
            "best": game.move_text(throw.after, throw.moves[0].move) if throw.moves else None,
        }
        for throw, chance in zip(seen.throws, chances, strict=True)
    ]
    known = None if None in chances else mean if mover == 0 else 1 - mean
    exact = all(agent.knows(throw.after) for throw in seen.throws if throw.moves)
    return {
        "throws": listed, "chance": known, "mover": mover, "exact": exact, "seconds": seconds,
        "depth": None,
    }  # fmt: skip


def throw_judged(game: Game, agent: Agent, p: Words, after: Words, seen: Outlook) -> Facts | None:
    """The luck of a throw: what it changed in its thrower's chance; its mean over throws is 0."""
    chances, mean = _throw_chances(game, agent, seen)
    if None in chances:
        return None
    for throw, chance in zip(seen.throws, chances, strict=True):
        if throw.after == after and chance is not None:
            luck = chance - mean
            return {
                "player": seen.mover,
                "roll": game.move_text(p, throw.outcome),
                "luck": luck if seen.mover == 0 else -luck,
            }
    return None


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
