"""One game between two agents."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from petteia.core.agent import Agent
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.record import Ply, Record
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.stepper import Look, Stepper

__all__ = ["Forfeit", "Played", "Seat", "opening", "play_game"]


@dataclass(frozen=True)
class Forfeit:
    """A game lost by breaking the rules of the arena."""

    player: int
    reason: str
    """One line: an exception, or an illegal move."""
    trace: str = ""
    """The traceback of an exception."""


@dataclass(frozen=True)
class Seat:
    """What one player's moves took in a game."""

    moves: int = 0
    interior: int = 0
    leaves: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Played:
    """A finished game."""

    record: Record
    result: float
    """The points of player 0."""
    plies: int
    seats: tuple[Seat, Seat]
    forfeit: Forfeit | None = None


def opening(game: Game, stepper: Stepper, plies: int, seed: int) -> list[int]:
    """Random moves to begin with, which never end the game; dice are not part of them."""
    for attempt in range(100):
        p, moves = game.start(), list[int]()
        seen = stepper.look(p)
        while len(moves) < plies and seen.kind == DECISION:
            move = seen.moves[derive(seed, "opening", attempt, len(moves)) % len(seen.moves)]
            moves.append(move)
            p = stepper.play(p, move)
            seen = stepper.look(p)
        if seen.kind != TERMINAL:
            return moves
    return []


def _outcome(seen: Look, seed: int, ply: int) -> int:
    point = derive(seed, "dice", ply) / 2**63
    for move, chance in zip(seen.moves, seen.chances, strict=True):
        point -= chance
        if point < 0:
            return move
    return seen.moves[-1]


class _Problem(Exception):
    def __init__(self, forfeit: Forfeit) -> None:
        self.forfeit = forfeit


class _Table:
    """A game being played: who sits where, and what happened so far."""

    def __init__(self, game: Game, agents: tuple[Agent, Agent], seeds: tuple[int, int]) -> None:
        self.game = game
        self.agents = agents
        self.seeds = seeds
        self.plies: list[Ply] = []
        self.seats = [Seat(), Seat()]

    def ask(self, p: Words, player: int, legal: list[int]) -> int:
        seat = self.seats[player]
        seed = derive(self.seeds[player], "move", seat.moves)
        try:
            choice = self.agents[player].choose(p, seed=seed, player=player)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise _Problem(Forfeit(player, reason, traceback.format_exc())) from error
        if choice.move not in legal:
            raise _Problem(Forfeit(player, f"illegal move {choice.move!r} at {self.game.text(p)}"))
        self.seats[player] = Seat(
            seat.moves + 1,
            seat.interior + choice.interior,
            seat.leaves + choice.leaves,
            seat.seconds + choice.seconds,
        )
        return choice.move


def play_game(
    game: Game,
    agents: tuple[Agent, Agent],
    *,
    seeds: tuple[int, int],
    dice: int = 0,
    start: list[int] | None = None,
    stepper: Stepper | None = None,
) -> Played:
    """Plays a game to its end; ``agents[0]`` is player 0.

    ``seeds`` are the agents' own, ``dice`` is the seed of the dice, ``start`` the opening moves.
    An agent that fails or moves illegally forfeits; a game of more than ``max_plies`` is a draw.
    """
    stepper = stepper or Stepper(game)
    table = _Table(game, agents, seeds)
    for agent in agents:
        agent.new_game()
    p = game.start()
    for move in start or ():
        table.plies.append(Ply("move", (game.move_text(p, move),)))
        p = stepper.play(p, move)
    forfeit = None
    result = 0.0
    try:
        while len(table.plies) < game.max_plies:
            seen = stepper.look(p)
            if seen.kind == TERMINAL:
                result = seen.result
                break
            if seen.kind == SIMULTANEOUS:
                first, second = table.ask(p, 0, seen.moves), table.ask(p, 1, seen.others)
                texts = (game.move_text(p, first), game.move_text(p, second))
                table.plies.append(Ply("both", texts))
                p = stepper.play_both(p, first, second)
                continue
            if seen.kind == CHANCE:
                move = _outcome(seen, dice, len(table.plies))
            else:
                move = table.ask(p, seen.mover, seen.moves)
            text = (game.move_text(p, move),)
            table.plies.append(Ply("chance" if seen.kind == CHANCE else "move", text))
            p = stepper.play(p, move)
    except _Problem as problem:
        forfeit = problem.forfeit
        result = -1.0 if forfeit.player == 0 else 1.0
    headers = [("Seeds", f"{seeds[0]} {seeds[1]}")]
    if game.has_chance:
        headers.append(("Dice", str(dice)))
    if forfeit:
        headers.append(("Forfeit", f"{game.players[forfeit.player]}: {forfeit.reason}"))
    record = Record(
        game=str(game),
        players=(str(agents[0]), str(agents[1])),
        start="start",
        plies=tuple(table.plies),
        result=result,
        headers=tuple(headers),
    )
    return Played(record, result, len(table.plies), (table.seats[0], table.seats[1]), forfeit)
