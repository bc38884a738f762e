"""One game between two agents."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass

from petteia.core.agent import Agent
from petteia.core.fair import drawn
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.history import Line, repetition_text
from petteia.core.record import PlyKind, Record, known_ply
from petteia.core.replay import record_of
from petteia.core.seeds import derive, nth
from petteia.core.words import Words
from petteia.search.lines import LineSeries, series_of
from petteia.search.stepper import stepper_of

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


class _Problem(Exception):
    def __init__(self, forfeit: Forfeit) -> None:
        self.forfeit = forfeit


@dataclass(frozen=True)
class _End:
    """How a game ended."""

    result: float
    draw: str = ""
    """Why it is a draw, where that can be said."""
    is_adjudicated: bool = False
    forfeit: Forfeit | None = None


class _Game:
    """A game of two agents: what was played so far, and what their moves took.

    It keeps a ``Line`` and steps natively. A whole ``Session`` asks the interpreted rules, which
    takes nine times as long for a game of random moves.
    """

    def __init__(
        self,
        game: Game,
        agents: tuple[Agent, Agent],
        seeds: tuple[int, int],
        rule: Adjudication | None,
    ) -> None:
        self.game = game
        self.agents = agents
        self.seeds = seeds
        self.rule = rule
        self.stepper = stepper_of(game)
        self.line = Line(game)
        self.counts = ([0, 0, 0], [0, 0, 0])  # moves, interior nodes, leaves of each player
        self.late = [0, 0]
        self.seconds = [0.0, 0.0]
        self.verdicts: list[int] = []  # who each of the last moves says is winning: 1, -1 or 0

    # --- the agents ------------------------------------------------------------------------------

    def judged(self, rule: Adjudication) -> int:
        """1 or -1 if the last moves agree who wins, else 0."""
        if len(self.verdicts) < rule.plies:
            return 0
        last = set(self.verdicts[-rule.plies :])
        return last.pop() if len(last) == 1 else 0

    def note_value(self, player: int, value: float | None, rule: Adjudication) -> None:
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
        if rule is not None:
            self.note_value(player, choice.value, rule)
        return choice.move

    def seat(self, player: int) -> Seat:
        """What the player's moves took."""
        moves, interior, leaves = self.counts[player]
        return Seat(moves, interior, leaves, self.seconds[player], self.late[player])

    # --- the course of the game ------------------------------------------------------------------

    def begin(self, moves: Iterable[int]) -> None:
        """Plays the moves of an opening."""
        for move in moves:
            p = self.line.p
            ply = known_ply("move", (self.game.move_text(p, move),))
            self.line.add(ply, self.stepper.play(p, move))

    def play(self, dice: int) -> _End:
        """Asks the agents in turn until the game is over."""
        game, stepper, line, rule = self.game, self.stepper, self.line, self.rule
        p = line.p
        while True:
            seen = stepper.look(p)
            if seen.kind == TERMINAL:
                return _End(seen.result, "" if seen.result else self.reason(p))
            if line.is_drawn or len(line.plies) >= game.max_plies:
                return _End(0.0, self.reason(p))
            if seen.kind == SIMULTANEOUS:
                first, second = self.ask(p, 0, seen.moves), self.ask(p, 1, seen.others)
                texts = (game.move_text(p, first), game.move_text(p, second))
                p = stepper.play_both(p, first, second)
                line.add(known_ply("both", texts), p)
                continue
            kind: PlyKind = "move"
            if seen.kind == CHANCE:
                throws = zip(seen.moves, seen.chances, strict=True)
                kind, move = "chance", drawn(nth(dice, len(line.plies)), throws)
            else:
                move = self.ask(p, seen.mover, seen.moves, rule)
            text = (game.move_text(p, move),)
            p = stepper.play(p, move)
            line.add(known_ply(kind, text), p)
            if rule is not None:
                verdict = self.judged(rule)
                if verdict and stepper.look(p).kind != TERMINAL:
                    return _End(float(verdict), is_adjudicated=True)

    def reason(self, p: Words) -> str:
        """Why a game that ended here is a draw."""
        if self.stepper.look(p).kind == TERMINAL:
            return self.game.ending(p).removeprefix("draw: ")
        return repetition_text(self.game).removeprefix("draw: ") if self.line.is_drawn else ""

    def play_natively(self, series: LineSeries, dice: int) -> _End:
        """The whole rest of the game in one call; the same moves as asked one by one."""
        played = series.play(self.line.p, self.seeds, dice, len(self.line.plies))
        for before, kind, move in zip(played.positions, played.kinds, played.moves, strict=True):
            name: PlyKind = "chance" if kind == CHANCE else "move"
            # Rules that look back are not played natively, so the line needs no positions.
            self.line.plies.append(known_ply(name, (self.game.move_text(before, move),)))
        for player, asked in enumerate(played.asked):
            self.counts[player][0] = asked
            self.seconds[player] = played.seconds * asked / max(1, sum(played.asked))
        return _End(played.result)

    def played(self, dice: int, end: _End) -> Played:
        """The finished game."""
        headers = [("Seeds", f"{self.seeds[0]} {self.seeds[1]}")]
        if self.game.has_chance:
            headers.append(("Dice", str(dice)))
        if end.draw:
            headers.append(("Draw", end.draw))
        if end.is_adjudicated:
            headers.append(("Adjudicated", str(self.rule)))
        if end.forfeit:
            loser = self.game.players[end.forfeit.player]
            headers.append(("Forfeit", f"{loser}: {end.forfeit.reason}"))
        players = (str(self.agents[0]), str(self.agents[1]))
        record = record_of(self.line, players, end.result, headers)
        seats = (self.seat(0), self.seat(1))
        return Played(record, end.result, len(record.plies), seats, end.forfeit)


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
    playing = _Game(game, agents, seeds, adjudication)
    for agent in agents:
        agent.new_game()
    playing.begin(start or ())
    series = series_of(game, agents) if adjudication is None else None
    try:
        end = playing.play(dice) if series is None else playing.play_natively(series, dice)
    except _Problem as problem:
        forfeit = problem.forfeit
        end = _End(-1.0 if forfeit.player == 0 else 1.0, forfeit=forfeit)
    return playing.played(dice, end)
