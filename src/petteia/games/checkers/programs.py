"""Outside engines that speak Hub, the line protocol of draughts programs, as opponents.

    petteia match checkers "engine(time=0.1)" "hub(command=\\"some-engine hub\\", time=0.1)"

We say ``hub`` and the engine names itself until ``wait``; ``init`` is answered by ``ready``; then
for every move ``pos``, ``level`` and ``go think``, which the engine ends with ``done move=...``. A
position is the side to move and a letter a square: w b W B e. A capture names its first and last
square and then the squares whose pieces it takes.
"""

from __future__ import annotations

import re
import shlex
import time as clock

from petteia.core.agent import Agent, Decision
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.program import Program, ProgramFailed
from petteia.core.words import Words
from petteia.games.checkers.face.paths import captures_of, ends_of
from petteia.games.checkers.rules.board import bit_of

__all__ = ["HubAgent", "hub_move", "hub_position"]

_STARTUP = 30.0
_GRACE = 10.0


def hub_position(p: Words) -> str:
    """A position in Hub's letters."""
    letters = ["BW"[int(p[3]) & 1]]
    for number in range(1, 33):
        bit = bit_of(number)
        side = "b" if int(p[0]) >> bit & 1 else "w" if int(p[1]) >> bit & 1 else "e"
        letters.append(side.upper() if int(p[2]) >> bit & 1 else side)
    return "".join(letters)


def hub_move(game: Game, p: Words, text: str) -> int:
    """The legal move that an engine means: by its ends and what it takes."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if len(numbers) >= 2:
        ends, taken = (numbers[0], numbers[1]), sorted(numbers[2:])
        for move in game.legal_moves(p):
            if ends_of(move) == ends and captures_of(move) == taken:
                return move
    return game.parse_move(p, text)


class HubAgent(Agent):
    """A program that speaks Hub, in a process of its own."""

    name = "hub"
    about = "an outside engine that speaks the Hub protocol"
    starts_programs = True

    def __init__(self, game: Game, command: str, time: float = 1.0) -> None:
        """``command`` starts the engine; ``time`` is its seconds for a move."""
        super().__init__(game)
        if not time > 0:
            raise PetteiaError(f"agent hub: time={time} is not possible; it must be above 0")
        self.command, self.time = command, time
        self._engine: Program | None = None

    def _start(self) -> Program:
        """The engine; if it does not run, it is started and greeted."""
        if self._engine is None or not self._engine.is_running:
            try:
                command = shlex.split(self.command)
            except ValueError as error:
                raise PetteiaError(f"agent hub: command={self.command!r}: {error}") from None
            self._engine = Program(command, f"agent hub: {self.command!r}")
            self._ask(self._engine, "wait", _STARTUP, "hub")
            self._ask(self._engine, "ready", _STARTUP, "init")
        return self._engine

    def _ask(self, engine: Program, word: str, seconds: float, *orders: str) -> str:
        """Sends the orders; gives the first line that begins with a word."""
        for order in orders:
            engine.send(order)
        deadline = clock.monotonic() + seconds
        try:
            while True:
                line = engine.receive(deadline).strip()
                if line.split(" ")[0] == word:
                    return line
                if line.startswith("error"):
                    raise ProgramFailed(engine.title, f"said {line[:80]!r}", is_told=True)
        except BaseException as error:
            self._engine = None
            engine.kill()
            if isinstance(error, TimeoutError):
                why = f"did not say {word!r} within {seconds:g} s"
                raise ProgramFailed(engine.title, why) from None
            raise

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        engine = self._start()
        begun = clock.perf_counter()
        level = f"level move-time={self.time:g}"
        orders = (f"pos pos={hub_position(p)}", level, "go think")
        answer = self._ask(engine, "done", self.time + _GRACE, *orders)
        found = re.search(r"\bmove=\"?([^\s\"]+)", answer)
        if found is None:
            raise PetteiaError(f"agent hub: {self.command!r} gave no move: {answer[:80]!r}")
        move = hub_move(self.game, p, found[1])
        return Decision(move, seconds=clock.perf_counter() - begun)

    def prepare(self, p: Words) -> None:
        self._start()

    def new_game(self) -> None:
        if self._engine is not None:
            self._engine.send("new-game")

    def stop(self) -> None:
        if self._engine is not None:
            self._engine.send("stop")

    def close(self) -> None:
        """Ends the engine and all that it has started."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
