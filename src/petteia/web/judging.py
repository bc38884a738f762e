"""What positions, moves and throws are worth, as data for a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from petteia.core.agent import Agent, Decision, EvaluatingAgent, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.position import Position
from petteia.core.words import Words
from petteia.review.chances import chance_of, throw_chances
from petteia.review.game import ReviewedMove, ReviewedThrow
from petteia.review.outlook import Outlook
from petteia.review.rates import counted_loss
from petteia.search.equilibrium import equilibrium_of
from petteia.search.values import plies_to_end
from petteia.web.messages.searches import (
    Analysis,
    Chosen,
    Feature,
    Judged,
    Ranked,
    Reason,
    Share,
    Shares,
    Throw,
    Thrown,
)

__all__ = [
    "chosen", "matrix", "move_reviewed", "ranking", "shares", "throw_reviewed", "throws",
]  # fmt: skip

_MOST_SHOWN = 12
"""Rows and columns of a matrix that a page shows: those that are played most, and the best."""
_MOST_MOVES = 200
_NOTHING = 1e-9
_LONGEST_LINE = 7
_MOST_REASONS = 3


def chosen(move: str, choice: Decision) -> Chosen:
    """An agent's move, and what it says about it."""
    return {
        "move": move,
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
) -> Analysis:
    """The moves as a page shows them, the best first."""
    position, exact = Position(game, p), agent.knows(p)
    listed: list[Ranked] = []
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


def throws(game: Game, agent: Agent, p: Words, seen: Outlook, seconds: float) -> Analysis:
    """Every outcome of the dice: how likely it is, and what its thrower can make of it."""
    known, mover = throw_chances(agent, seen), seen.mover

    def of_thrower(chance: float) -> float:
        return chance if mover == 0 else 1 - chance

    listed: list[Throw] = [
        {
            "throw": game.move_text(p, throw.outcome),
            "share": throw.chance,
            "chance": of_thrower(known[0][number]) if known else None,
            "best": game.move_text(throw.after, throw.moves[0].move) if throw.moves else None,
        }
        for number, throw in enumerate(seen.throws)
    ]
    moved = [throw.after for throw in seen.throws if throw.moves]  # none where both choose
    exact = bool(moved) and all(agent.knows(after) for after in moved)
    return {
        "throws": listed, "chance": of_thrower(known[1]) if known else None, "mover": mover,
        "exact": exact, "seconds": seconds, "depth": None,
    }  # fmt: skip


def throw_reviewed(game: Game, throw: ReviewedThrow) -> Thrown:
    """The luck of a throw: what it changed in its thrower's chance; its mean over throws is 0."""
    roll = game.move_text(throw.position, throw.outcome)
    return {"player": throw.player, "roll": roll, "luck": throw.gained_chance}


def move_reviewed(game: Game, judge: Agent, move: ReviewedMove) -> Judged:
    """A move beside the best one, with the chances of winning after them."""
    position = Position(game, move.position)
    played, best = (game.move_text(move.position, each) for each in (move.move, move.best))
    lost = counted_loss(game, judge, move) if judge.in_points else None
    found: Judged = {
        "mover": move.player,
        "played": {"move": played, "chance": move.chance},
        "best": {"move": best, "chance": move.best_chance},
        "choices": move.choices if move.is_judged else 1,
        "line": position.line_texts(move.line[:_LONGEST_LINE]) if move.line else [best],
        "why": _reasons(game, judge, move),
    }
    if lost is not None:
        found["lost"] = lost
    return found


def _reasons(game: Game, judge: Agent, move: ReviewedMove) -> list[Reason]:
    """The features that the best move has more of, the largest first."""
    if not move.lost_chance or game.kind(move.position) != DECISION:
        return []
    evaluation = _evaluation(game, judge)
    after = [game.play(move.position, each) for each in (move.best, move.move)]
    if evaluation is None or not all(game.kind(q) in (DECISION, CHANCE) for q in after):
        return []
    best, played = (evaluation.shares(game, q, move.player) for q in after)
    changes = [Reason(name=name, share=best[name] - played[name]) for name in best]
    told = [each for each in changes if abs(each["share"]) > _NOTHING]
    return sorted(told, key=lambda each: -each["share"])[:_MOST_REASONS]


def _evaluation(game: Game, judge: Agent) -> Evaluation | None:
    """The evaluation that can say why: the judge's, or the game's usual one."""
    if isinstance(judge, EvaluatingAgent):
        return readable(game, judge.evaluation)
    return game.evaluations.get(game.default_evaluation or "")


# --- where both choose --------------------------------------------------------------------------


def matrix(game: Game, agent: Agent, p: Words, seed: int) -> Analysis:
    """Where both choose: the payoffs of player 0, and how often each move is best played."""
    choice = agent.choose(p, seed=seed)
    found = equilibrium_of(choice)
    if found is None:
        text = game.move_text(p, choice.move)
        best: Ranked = {
            "move": text, "value": None, "end": None, "chance": None, "line": [text], "visits": 0,
        }  # fmt: skip
        return {"depth": choice.depth, "seconds": choice.seconds, "exact": False, "moves": [best]}
    shown = [np.lexsort((-found.against[i], -found.shares[i]))[:_MOST_SHOWN] for i in (0, 1)]

    def side(number: int) -> list[Share]:
        return [
            {
                "move": found.names[number][i],
                "share": float(found.shares[number][i]),
                "value": _finite(float(found.against[number][i])),
                "chance": chance_of(agent, p, float(found.against[number][i])),
            }
            for i in shown[number]
        ]

    return {
        "depth": choice.depth,
        "seconds": choice.seconds,
        "exact": False,
        "matrix": {
            "rows": side(0),
            "columns": side(1),
            "payoffs": found.payoffs[np.ix_(shown[0], shown[1])].tolist(),
            "size": (len(found.payoffs), len(found.payoffs[0])),
            "value": _finite(found.value),
            "chance": chance_of(agent, p, found.value),
            "exploitability": _finite(found.exploitability),
        },
    }


# --- what an evaluation sees --------------------------------------------------------------------


def readable(game: Game, evaluation: Evaluation) -> Evaluation:
    """The evaluation itself, or where its numbers say nothing to people, one of the game's that
    has features."""
    if evaluation.remembers and game.default_evaluation:
        return game.evaluations[game.default_evaluation]
    return evaluation


def shares(game: Game, agent: Agent, p: Words) -> Shares | None:
    """What each feature adds here; by cell, what pieces add to it and what moves there change."""
    if not isinstance(agent, EvaluatingAgent) or game.kind(p) not in (DECISION, CHANCE):
        return None
    evaluation = readable(game, agent.evaluation)
    mover = int(game.mover(p))
    here = evaluation.shares(game, p, mover)
    features = {name: Feature(name=name, share=here[name], pieces={}, moves={}) for name in here}

    def note(
        layer: Literal["pieces", "moves"], cell: str, changes: Iterable[tuple[str, float]]
    ) -> None:
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
