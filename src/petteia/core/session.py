"""A session: a game being played.

The terminal, the lab and the protocol's server each keep one. It knows the rules of being played:
whose turn it is, which throw comes at which ply, the way back and the way forward, how the game
ended. Who is asked for a move, and how it is shown, is theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from petteia.core import fair
from petteia.core.errors import PetteiaError
from petteia.core.face import Face
from petteia.core.history import Line, repetition_text
from petteia.core.position import Position
from petteia.core.record import Ply, Record, known_ply
from petteia.core.replay import after, play_all, record_of
from petteia.core.rules import CHANCE, DECISION, SIMULTANEOUS, TERMINAL
from petteia.core.seeds import derive
from petteia.core.words import Words

__all__ = ["PERSON", "Session"]

PERSON = "person"
"""Stands for a human where an agent's spec could stand."""


@dataclass(eq=False)
class Session(Line):
    """A game being played. Undone plies are kept, so that they can be played again."""

    game: Face
    players: tuple[str, str] = (PERSON, PERSON)
    """``person``, or the spec of an agent."""
    seed: int = 0
    """Decides the dice, and whatever agents leave to chance."""
    secret: str = ""
    """Decides the dice instead, where it was promised before the game; told when it is over."""
    start: str = "start"
    plies: list[Ply] = field(default_factory=list)
    """What was played so far; an error names the ply that is not legal."""
    undone: list[Ply] = field(default_factory=list)
    resigned: int | None = None
    serial: int = 0
    """Grows with every change."""

    def __post_init__(self) -> None:
        plies = self.plies
        super().__init__(self.game, self.start)
        play_all(self, plies)

    # --- where it stands -------------------------------------------------------------------------

    @property
    def kind(self) -> int:
        """The kind of the position on the board."""
        return int(self.game.kind(self.p))

    @property
    def position(self) -> Position:
        """The position on the board, as a value."""
        return Position(self.game, self.p, tuple(self.earlier))

    @property
    def is_over(self) -> bool:
        """Whether somebody resigned or the rules end the game, those that look back included."""
        return self.resigned is not None or self.is_drawn or self.kind == TERMINAL

    @property
    def result(self) -> float | None:
        """The points of player 0, if the game is over."""
        if self.resigned is not None:
            return -1.0 if self.resigned == 0 else 1.0
        if self.kind == TERMINAL:
            return float(self.game.result(self.p))
        return 0.0 if self.is_drawn else None

    @property
    def ending(self) -> str:
        """How the game ended, as one line, where the position on the board cannot tell."""
        if self.resigned is not None:
            names = self.game.players
            return f"{names[self.resigned]} resigned, {names[1 - self.resigned]} wins"
        return repetition_text(self.game) if self.is_drawn and self.kind != TERMINAL else ""

    @property
    def status(self) -> str:
        """One line for people: who is to move, or how the game ended."""
        return self.ending or self.game.status(self.p)

    @property
    def mover(self) -> int | None:
        """The player to move; None if there is none, or if both choose."""
        alone = self.kind == DECISION and not self.is_over
        return int(self.game.mover(self.p)) if alone else None

    @property
    def people(self) -> list[int]:
        """The players who are people."""
        return [side for side in (0, 1) if self.players[side] == PERSON]

    def agents_to_move(self) -> list[int]:
        """The players whose move an agent must find; -1 where dice are to be thrown."""
        if self.is_over:
            return []
        if self.kind == CHANCE:
            return [-1]
        return [side for side in self._choosers(self.p) if self.players[side] != PERSON]

    def _choosers(self, p: Words) -> list[int]:
        """The players who choose at a position."""
        kind = int(self.game.kind(p))
        if kind == DECISION:
            return [int(self.game.mover(p))]
        return [0, 1] if kind == SIMULTANEOUS else []

    def _people_asked(self, p: Words) -> list[int]:
        return [side for side in self._choosers(p) if self.players[side] == PERSON]

    # --- what happens ----------------------------------------------------------------------------

    def play(self, *texts: str) -> None:
        """Plays a move, or the moves of both, as people write them."""
        self._expect(len(texts))
        sides = (0, 1) if len(texts) == 2 else (None,)
        parsed = zip(texts, sides, strict=True)
        self._make([self.game.parse_move(self.p, text, side) for text, side in parsed])

    def make(self, *moves: int) -> Ply:
        """Plays a move, or the moves of both, by their numbers; gives the ply."""
        self._expect(len(moves))
        for player, move in enumerate(moves):
            if move not in self.game.legal_moves(self.p, player):
                raise PetteiaError(f"illegal move {move!r} at {self.game.text(self.p)}")
        return self._make(moves)

    def roll(self) -> Ply:
        """Throws the dice: the same at this ply however often it is taken back."""
        ply, outcomes = len(self.plies), self._outcomes()
        if self.secret:
            return self._make([fair.thrown(self.secret, ply, outcomes)])
        return self._make([fair.drawn(derive(self.seed, "dice", ply), outcomes)])

    def throw(self, outcome: int) -> Ply:
        """Plays an outcome of dice that were thrown elsewhere, by its number."""
        if outcome not in dict(self._outcomes()):
            raise PetteiaError(f"the dice never show {outcome!r} at {self.game.text(self.p)}")
        return self._make([outcome])

    def _outcomes(self) -> list[tuple[int, float]]:
        if self.is_over or self.kind != CHANCE:
            raise PetteiaError(f"there are no dice to throw: {self.status}")
        return self.game.outcomes(self.p)

    def take(self, ply: Ply) -> None:
        """Plays a ply by its texts, a throw included."""
        if self.is_over:
            raise PetteiaError(f"the game is over: {self.status}")
        self._step(ply, after(self.game, self.p, ply))

    def _expect(self, given: int) -> None:
        """Raises if this is not the number of moves that is due here."""
        if self.is_over:
            raise PetteiaError(f"the game is over: {self.status}")
        wanted = len(self._choosers(self.p))
        if not wanted:
            raise PetteiaError("the dice are thrown first")
        if given != wanted:
            raise PetteiaError(f"expected {wanted} move{'s' if wanted > 1 else ''} here")

    def _make(self, moves: Iterable[int]) -> Ply:
        """Plays legal moves, or an outcome of the dice."""
        game, p, numbers = self.game, self.p, tuple(moves)
        texts = tuple(game.move_text(p, number) for number in numbers)
        if len(numbers) == 2:
            ply, p = known_ply("both", texts), game.play_both(p, *numbers)
        else:
            ply = known_ply("chance" if self.kind == CHANCE else "move", texts)
            p = game.play(p, *numbers)
        self._step(ply, p)
        return ply

    def _step(self, ply: Ply, p: Words) -> None:
        # The way forward stays open as long as the same moves are played again.
        if self.undone and self.undone[0] == ply:
            self.undone.pop(0)
        else:
            self.undone.clear()
        self.add(ply, p)
        self.serial += 1

    def resign(self, player: int | None = None) -> None:
        """The player gives up; without a name, the person who is to move."""
        if self.is_over:
            raise PetteiaError(f"the game is over: {self.status}")
        if not self.people:
            raise PetteiaError("nobody here can resign; two agents play")
        if player is None:
            player = self.mover if self.mover in self.people else self.people[0]
        if player not in self.people:
            raise PetteiaError("only a person can resign")
        self.resigned = player
        self.undone.clear()
        self.serial += 1

    # --- the way back and forward ----------------------------------------------------------------

    def undo(self) -> None:
        """Back to the last decision of a person, or of anybody where no person plays."""
        if self.resigned is not None:
            self.resigned = None
        else:
            at = self._last_stop()
            if at is None:
                raise PetteiaError("there is no move to take back")
            self.undone = self.back_to(at) + self.undone
        self.serial += 1

    def redo(self) -> None:
        """Plays again what was taken back, to the next decision at which ``undo`` stops."""
        if not self.undone:
            raise PetteiaError("there is nothing to play again")
        while self.undone:
            self.take(self.undone[0])
            if self.is_over or self._is_stop(self.p):
                break

    def taken_back_by(self) -> list[int]:
        """The people whose decision ``undo`` would take back."""
        if self.resigned is not None:
            return [self.resigned]
        at = self._last_stop()
        return [] if at is None else self._people_asked(self.positions[at])

    def played_again_by(self) -> list[int]:
        """The people whose decision ``redo`` would play again."""
        return self._people_asked(self.p) if self.undone else []

    def _last_stop(self) -> int | None:
        """After how many plies ``undo`` leaves the game."""
        played = reversed(range(len(self.plies)))
        return next((at for at in played if self._is_stop(self.positions[at])), None)

    def _is_stop(self, p: Words) -> bool:
        return bool(self._people_asked(p) if self.people else self._choosers(p))

    # --- as a record -----------------------------------------------------------------------------

    @property
    def promise(self) -> str:
        """What was told of the secret before the game."""
        return fair.promise(self.secret) if self.secret else ""

    def record(self) -> Record:
        """The game so far; what the dice follow from is told only when it is over."""
        headers = [("Seed", str(self.seed))]
        if self.secret:
            headers.append(("Promise", self.promise))
            headers += [("Secret", self.secret)] if self.is_over else []
        return record_of(self, self.players, self.result, headers)
