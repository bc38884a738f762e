"""Outside engines that speak Hub, the line protocol of draughts programs, as opponents.

    petteia match checkers "engine(time=0.1)" "hub(command=\\"some-engine hub\\", time=0.1)"

We say ``hub`` and the engine names itself until ``wait``; ``init`` is answered by ``ready``; then
for every move ``pos``, ``level`` and ``go think``, which the engine ends with ``done move=...``. A
position is the side to move and a letter a square: w b W B e. A capture names its first and last
square and then the squares whose pieces it takes.
"""

from __future__ import annotations

import contextlib
import queue
import re
import shlex
import subprocess
import threading
import time as clock

from petteia.core.agent import Agent, Decision
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.supervised import Supervised
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
        self._engine: Supervised | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._listener: threading.Thread | None = None

    def _start(self) -> None:
        """Starts the engine and greets it, if it does not run."""
        if self._engine is not None and self._engine.process.poll() is None:
            return
        try:
            engine = Supervised(
                shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, bufsize=1,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise PetteiaError(f"agent hub: cannot start {self.command!r}: {error}") from None
        self._engine, self._lines = engine, queue.Queue()
        self._listener = threading.Thread(
            target=self._listen, args=(engine.process, self._lines), daemon=True
        )
        self._listener.start()
        self._say("hub")
        self._wait_for("wait", _STARTUP)
        self._say("init")
        self._wait_for("ready", _STARTUP)

    @staticmethod
    def _listen(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line.strip())
        lines.put(None)

    def _say(self, line: str) -> None:
        assert self._engine is not None
        assert self._engine.process.stdin is not None
        with contextlib.suppress(OSError):  # its end is noticed by whoever waits for an answer
            self._engine.process.stdin.write(line + "\n")

    def _wait_for(self, word: str, seconds: float) -> str:
        """The first line that begins with a word."""
        until = clock.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - clock.monotonic()))
            except queue.Empty:
                self.close()
                raise PetteiaError(
                    f"agent hub: {self.command!r} did not say {word!r} within {seconds:g} s"
                ) from None
            if line is None:
                why = self._engine.reason() if self._engine is not None else ""
                self.close()
                why = why or f"ended before it said {word!r}"
                raise PetteiaError(f"agent hub: {self.command!r} {why}")
            if line.split(" ")[0] == word:
                return line
            if line.startswith("error"):
                raise PetteiaError(f"agent hub: {self.command!r} said {line[:80]!r}")

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        self._start()
        begun = clock.perf_counter()
        self._say(f"pos pos={hub_position(p)}")
        self._say(f"level move-time={self.time:g}")
        self._say("go think")
        answer = self._wait_for("done", self.time + _GRACE)
        found = re.search(r"\bmove=\"?([^\s\"]+)", answer)
        if found is None:
            raise PetteiaError(f"agent hub: {self.command!r} gave no move: {answer[:80]!r}")
        move = hub_move(self.game, p, found[1])
        return Decision(move, seconds=clock.perf_counter() - begun)

    def prepare(self, p: Words) -> None:
        self._start()

    def new_game(self) -> None:
        if self._engine is not None:
            self._say("new-game")

    def stop(self) -> None:
        if self._engine is not None:
            self._say("stop")

    def close(self) -> None:
        """Ends the engine and all that it has started."""
        engine, self._engine = self._engine, None
        if engine is None:
            return
        engine.end()
        if self._listener is not None:
            self._listener.join(1.0)
        for pipe in (engine.process.stdin, engine.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was not yet sent
                    pipe.close()

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            self.close()
