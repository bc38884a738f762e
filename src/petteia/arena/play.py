"""One game between two agents."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from petteia.core.agent import Agent
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.history import Line, repetition_text
from petteia.core.record import PlyKind, Record, known_ply
from petteia.core.seeds import derive, nth
from petteia.core.words import Words
from petteia.search.lines import LineSeries, series_of
from petteia.search.stepper import Look, stepper_of

__all__ = ["Adjudication", "Forfeit", "Played", "Seat", "opening", "play_game"]


@dataclass(frozen=True)
class Forfeit:
    """A game lost by breaking the rules of the arena."""

    player: int
    reason: str
    """One line: an exception, or an illegal move."""
    trace: str = ""
    """The traceback of an exception."""


@dataclass(frozen=True)
class Adjudication:
    """A game is ended early when both sides' own values agree for long enough that it is won."""

    value: float
    """A side's value of at least this much, or at most its negative, counts."""
    plies: int
    """So many moves in a row must say the same."""

    def __str__(self) -> str:
        return f"adjudicated at {self.value:g} for {self.plies} plies"


@dataclass(frozen=True)
class Seat:
    """What one player's moves took in a game."""

    moves: int = 0
    interior: int = 0
    leaves: int = 0
    seconds: float = 0.0
    late: int = 0
    """Answers after the time, inside the grace."""

    def __add__(self, other: Seat) -> Seat:
        """What both took together."""
        return Seat(
            self.moves + other.moves, self.interior + other.interior, self.leaves + other.leaves,
            self.seconds + other.seconds, self.late + other.late,
        )  # fmt: skip


@dataclass(frozen=True)
class Played:
    """A finished game."""

    record: Record
    result: float
    """The points of player 0."""
    plies: int
    seats: tuple[Seat, Seat]
    forfeit: Forfeit | None = None


def opening(game: Game, plies: int, seed: int) -> list[int]:
    """Random moves to begin with, which never end the game; dice are not part of them."""
    stepper = stepper_of(game)
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
    point = nth(seed, ply) / 2**63
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
        self.line = Line(game)
        self.counts = ([0, 0, 0], [0, 0, 0])  # moves, interior nodes, leaves of each player
        self.late = [0, 0]
        self.seconds = [0.0, 0.0]
        self.verdicts: list[int] = []  # who each of the last moves says is winning: 1, -1 or 0

    def judged(self, rule: Adjudication | None) -> int:
        """1 or -1 if the last moves agree who wins, else 0."""
        if rule is None or len(self.verdicts) < rule.plies:
            return 0
        last = set(self.verdicts[-rule.plies :])
        return last.pop() if len(last) == 1 else 0

    def note_value(self, player: int, value: float | None, rule: Adjudication | None) -> None:
        if rule is not None:
            sign = 1 if player == 0 else -1
            clear = value is not None and abs(value) >= rule.value
            self.verdicts.append((sign if (value or 0) > 0 else -sign) if clear else 0)

    def ask(self, p: Words, player: int, legal: list[int], rule: Adjudication | None = None) -> int:
        counts = self.counts[player]
        seed = nth(self.seeds[player], counts[0])
        try:
            if self.game.repetitions:
                self.agents[player].follow(self.line)
            choice = self.agents[player].choose(p, seed=seed, player=player)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise _Problem(Forfeit(player, reason, traceback.format_exc())) from error
        if choice.move not in legal:
            raise _Problem(Forfeit(player, f"illegal move {choice.move!r} at {self.game.text(p)}"))
        counts[0] += 1
        counts[1] += choice.interior
        counts[2] += choice.leaves
        self.seconds[player] += choice.seconds
        self.late[player] += choice.is_late
        self.note_value(player, choice.value, rule)
        return choice.move

    def play_natively(self, series: LineSeries, p: Words, dice: int) -> float:
        """The whole rest of the game in one call; the same moves as asked one by one."""
        played = series.play(p, self.seeds, dice, len(self.line.plies))
        for before, kind, move in zip(played.positions, played.kinds, played.moves, strict=True):
            name: PlyKind = "chance" if kind == CHANCE else "move"
            # Rules that look back are not played natively, so the line needs no positions.
            self.line.plies.append(known_ply(name, (self.game.move_text(before, move),)))
        for player, asked in enumerate(played.asked):
            self.counts[player][0] = asked
            self.seconds[player] = played.seconds * asked / max(1, sum(played.asked))
        return played.result

    def seat(self, player: int) -> Seat:
        """What the player's moves took."""
        moves, interior, leaves = self.counts[player]
        return Seat(moves, interior, leaves, self.seconds[player], self.late[player])


def play_game(
    game: Game,
    agents: tuple[Agent, Agent],
    *,
    seeds: tuple[int, int],
    dice: int = 0,
    start: list[int] | None = None,
    adjudication: Adjudication | None = None,
) -> Played:
    """Plays a game to its end; ``agents[0]`` is player 0.

    ``seeds`` are the agents' own, ``dice`` is the seed of the dice, ``start`` the opening moves.
    An agent that fails or moves illegally forfeits; a game of more than ``max_plies`` is a draw.
    """
    stepper = stepper_of(game)
    table = _Table(game, agents, seeds)
    for agent in agents:
        agent.new_game()
    p = game.start()
    line = table.line
    for move in start or ():
        ply = known_ply("move", (game.move_text(p, move),))
        p = stepper.play(p, move)
        line.add(ply, p)
    forfeit = None
    result, adjudicated = 0.0, False
    series = series_of(game, agents) if adjudication is None else None
    if series is not None:
        result = table.play_natively(series, p, dice)
    try:
        while series is None and len(line.plies) < game.max_plies:
            seen = stepper.look(p)
            if seen.kind == TERMINAL:
                result = seen.result
                break
            if line.is_drawn:
                break
            if seen.kind == SIMULTANEOUS:
                first, second = table.ask(p, 0, seen.moves), table.ask(p, 1, seen.others)
                texts = (game.move_text(p, first), game.move_text(p, second))
                p = stepper.play_both(p, first, second)
                line.add(known_ply("both", texts), p)
                continue
            if seen.kind == CHANCE:
                move = _outcome(seen, dice, len(line.plies))
            else:
                move = table.ask(p, seen.mover, seen.moves, adjudication)
            text = (game.move_text(p, move),)
            p = stepper.play(p, move)
            line.add(known_ply("chance" if seen.kind == CHANCE else "move", text), p)
            verdict = table.judged(adjudication)
            if verdict and stepper.look(p).kind != TERMINAL:
                result = float(verdict)
                adjudicated = True
                break
    except _Problem as problem:
        forfeit = problem.forfeit
        result = -1.0 if forfeit.player == 0 else 1.0
    headers = [("Seeds", f"{seeds[0]} {seeds[1]}")]
    if game.has_chance:
        headers.append(("Dice", str(dice)))
    if result == 0 and not forfeit and not adjudicated:
        is_over = stepper.look(p).kind == TERMINAL
        why = game.ending(p) if is_over else repetition_text(game) if line.is_drawn else ""
        if why:
            headers.append(("Draw", why.removeprefix("draw: ")))
    if adjudicated:
        headers.append(("Adjudicated", str(adjudication)))
    if forfeit:
        headers.append(("Forfeit", f"{game.players[forfeit.player]}: {forfeit.reason}"))
    record = Record(
        game=str(game),
        players=(str(agents[0]), str(agents[1])),
        start="start",
        plies=tuple(line.plies),
        result=result,
        headers=tuple(headers),
    )
    return Played(record, result, len(line.plies), (table.seat(0), table.seat(1)), forfeit)
