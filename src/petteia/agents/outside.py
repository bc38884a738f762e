"""Agents outside: any program that speaks the protocol, and a user's own Python file.

Each runs in a separate process with a clock. Whatever goes wrong there is a ``ProgramFailed``
from ``choose``, which the arena counts as a forfeit; the next game begins with a fresh process.
A user's file runs in a sandbox, and stands still while it is not asked; so does a program that is
given with its folder. Another program runs as it is named: it may think on the opponent's time or
keep a connection.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time as clock
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from petteia.agents import protocol, sandbox
from petteia.core.agent import Agent, Decision
from petteia.core.errors import PetteiaError, one_line
from petteia.core.game import DECISION, Game
from petteia.core.history import Line, start_text
from petteia.core.position import Position
from petteia.core.program import Program, ProgramFailed
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.stepper import stepper_of

__all__ = ["External", "FileAgent"]

_TIME, _GRACE, _STARTUP = 1.0, 0.5, 60.0
_LONGEST = 86400.0
_LEAST_MEMORY, _MOST_MEMORY = 128, 1 << 20

A = TypeVar("A", bound=protocol.Answer)


class _Outside(Agent):
    """An agent that runs in another process."""

    starts_programs = True
    stands_still: bool = False
    """Whether its processes are stopped while it is not asked."""

    def __init__(
        self, game: Game, command: Sequence[str], title: str, *,
        time: float, grace: float, startup: float, game_time: float,
    ) -> None:  # fmt: skip
        super().__init__(game)
        clocks = {"time": time, "grace": grace, "startup": startup, "game_time": game_time}
        for key, value in clocks.items():
            if not 0 <= value <= _LONGEST or (value == 0 and key not in ("grace", "game_time")):
                wanted = f"seconds above 0, at most {_LONGEST:.0f}"
                raise PetteiaError(f"agent {title}: {key}={value} is not possible; {wanted}")
        self.time, self.grace, self.startup = time, grace, startup
        self.game_time = game_time
        """Seconds for all moves of a game; 0 for no limit."""
        self._left = game_time
        self.title = title
        """How messages call it."""
        self.identity: dict[str, str] = {}
        """What the program says about itself, such as its name."""
        self._command = command
        self._program: Program | None = None
        self._problem: ProgramFailed | None = None
        self._past: Line | None = None

    # --- the contract of an agent --------------------------------------------------------------

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        if self._problem is not None:
            problem, self._problem = self._problem, None
            raise problem
        seen = stepper_of(self.game).look(p)
        asked = seen.mover if seen.kind == DECISION or player is None else player
        moves = seen.others if asked == 1 and seen.others else seen.moves
        legal = {self.game.move_text(p, move): move for move in moves}
        try:
            allowed = self._allowed()
            program = self._running()
            self._refuse_early_answers(program)
            started = clock.monotonic()
            best, told = self._ask(
                program, protocol.BestMove, allowed + self.grace,
                self._where(p),
                protocol.Legal(tuple(legal)),
                protocol.Go(asked, allowed, seed=seed % 2**63),
            )  # fmt: skip
            seconds, used = clock.monotonic() - started, self._rested(program)
            if used > allowed + self.grace:
                why = f"used {used:.1f} seconds of processor time to answer 'go'"
                raise ProgramFailed(self.title, f"{why}; it has {allowed + self.grace:g}")
            seconds = max(seconds, used)
            self._left -= seconds
            move = self._move(p, best.move, asked, legal)
        except BaseException as error:
            # A program that was interrupted would answer the next question with this move.
            self._kill(error)
            raise
        leaves = min(told.leaves or 0, told.nodes or 0)
        return Decision(
            move, told.value if best.value is None else best.value, self._line(p, move, told.line),
            told.depth or 0, (told.nodes or 0) - leaves, leaves, seconds,
            is_late=seconds > allowed,
        )  # fmt: skip

    def _allowed(self) -> float:
        """The seconds that it has for this move: those a move, or what is left of the game's."""
        if not self.game_time:
            return self.time
        if self._left <= 0:
            raise ProgramFailed(self.title, f"has used up its {self.game_time:g} seconds a game")
        return min(self.time, self._left)

    def follow(self, line: Line) -> None:
        self._past = line

    def _where(self, p: Words) -> protocol.SetPosition:
        """The position; with what was played before it where the rules look back."""
        past = self._past
        if past is not None and self.game.repetitions and past.p == p and past.is_told:
            return protocol.SetPosition(past.start, tuple(past.plies))
        return protocol.SetPosition(start_text(self.game, p))

    def prepare(self, p: Words) -> None:
        stepper_of(self.game).look(p)
        self._try_to_begin()

    def new_game(self) -> None:
        self._past = None
        self._left = self.game_time
        self._try_to_begin(protocol.NewGame())

    def stop(self) -> None:
        program = self._program
        if program is not None:
            program.send(str(protocol.Stop()))

    def close(self) -> None:
        """Ends the program; it starts again when it is asked again."""
        program, self._program = self._program, None
        if program is not None:
            program.close()

    # --- the program ---------------------------------------------------------------------------

    def _running(self) -> Program:
        """The program; it is started and told the game if it is not running."""
        if self._program is None:
            program = self._program = self._started()
            hello, _ = self._ask(program, protocol.Hello, self.startup, protocol.Hello())
            if hello.version != protocol.VERSION:
                raise ProgramFailed(
                    self.title,
                    f"speaks version {hello.version} of the protocol; expected {protocol.VERSION}",
                )
            self._ask(program, protocol.Ready, self.startup)
            self._ask(program, protocol.Ready, self.startup, protocol.SetGame(str(self.game)))
            self._rested(program)
        return self._program

    def _started(self) -> Program:
        return Program(self._command, self.title)

    def _rested(self, program: Program) -> float:
        """Lets the program stand still until it is asked; gives the seconds of processor time that
        it has used since it last stood still."""
        return program.stop() if self.stands_still else 0.0

    def _try_to_begin(self, *orders: protocol.Order) -> None:
        """Gets ready; what goes wrong is raised by the next ``choose``, where it is a forfeit."""
        self._problem = None
        try:
            program = self._running()
            if orders:
                self._refuse_early_answers(program)
                self._ask(program, protocol.Ready, self.startup, *orders)
                self._rested(program)
        except ProgramFailed as error:
            self._kill(error)
            self._problem = error
        except BaseException as error:
            self._kill(error)
            raise

    def _kill(self, error: BaseException) -> None:
        program, self._program = self._program, None
        if program is not None:
            last = program.kill()
            if last and isinstance(error, ProgramFailed):
                error.add_note(f"standard error of {self.title}, its last lines:\n{last}")

    def _ask(
        self, program: Program, wanted: type[A], seconds: float, *orders: protocol.Order
    ) -> tuple[A, protocol.Info]:
        """Sends the orders and waits for one kind of answer; gives also what it told on the way."""
        if self.stands_still:
            program.go_on()
        for order in orders:
            program.send(str(order))
        deadline = clock.monotonic() + seconds
        told = protocol.Info()
        while True:
            try:
                answer = self._answer(program.receive(deadline))
            except TimeoutError:
                what = repr(str(orders[-1]).split()[0]) if orders else "the greeting"
                why = f"took more than {seconds:g} seconds to answer {what}"
                raise ProgramFailed(self.title, why) from None
            if isinstance(answer, wanted):
                return answer, told
            if isinstance(answer, protocol.Info):
                told = told if answer.text else answer
            elif isinstance(answer, protocol.Identity):
                self.identity[answer.key] = answer.value
            elif isinstance(answer, protocol.Problem):
                raise ProgramFailed(self.title, answer.text or "an error", is_told=True)
            else:
                raise self._out_of_turn(answer)

    def _answer(self, line: str) -> protocol.Answer:
        try:
            return protocol.parse_answer(line)
        except PetteiaError as error:
            why = f"said {one_line(line)[:80]!r}: {error}"
            raise ProgramFailed(self.title, why) from None

    def _refuse_early_answers(self, program: Program) -> None:
        for line in program.unread():
            answer = self._answer(line)
            if not isinstance(answer, protocol.Info | protocol.Identity):
                raise self._out_of_turn(answer)

    def _out_of_turn(self, answer: protocol.Answer) -> ProgramFailed:
        return ProgramFailed(self.title, f"said {str(answer)[:80]!r} out of turn")

    # --- what it says about the game -----------------------------------------------------------

    def _move(self, p: Words, text: str, player: int, legal: dict[str, int]) -> int:
        if text in legal:
            return legal[text]
        try:
            return self.game.parse_move(p, text, player)
        except PetteiaError as error:
            raise ProgramFailed(self.title, f"illegal move: {error}") from None

    def _line(self, p: Words, move: int, texts: tuple[str, ...]) -> tuple[int, ...]:
        """The line as far as it can be understood; it only informs and is never a mistake."""
        line: list[int] = []
        position = Position(self.game, p)
        for text in texts:
            if position.kind != DECISION:
                break
            try:
                line.append(self.game.parse_move(position.words, text))
            except PetteiaError:
                break
            position = position.play(line[-1])
        return tuple(line) if line[:1] == [move] else (move,)


def _possible_memory(title: str, memory: int) -> int:
    if not _LEAST_MEMORY <= memory <= _MOST_MEMORY:
        raise PetteiaError(
            f"agent {title}: memory={memory} is not possible; {_LEAST_MEMORY} to {_MOST_MEMORY} MiB"
        )
    return memory


def _in_sandbox(command: Sequence[str], title: str, wanted: Sequence[Path], memory: int) -> Program:
    """The program where only the folders of the wanted files are to be seen."""
    cache = sandbox.own_cache(wanted[0])
    return Program(
        sandbox.wrapped(command, wanted, cache), title,
        limits=sandbox.limits(memory), environment=sandbox.environment(cache),
    )  # fmt: skip


_THERE = 'cd "$0" && exec "$@"'
"""Runs a command in a folder, for a shell."""


class External(_Outside):
    """Any program that speaks the protocol."""

    name = "external"
    about = "a program that speaks the protocol; time a move and grace beyond it in seconds"

    def __init__(
        self,
        game: Game,
        command: str,
        time: float = _TIME,
        grace: float = _GRACE,
        startup: float = _STARTUP,
        folder: str = "",
        memory: int = sandbox.DEFAULT_MEMORY,
        game_time: float = 0.0,
    ) -> None:
        """``command`` is split into words as a shell would, but no shell runs it. ``game_time`` are
        the seconds for all its moves of a game, 0 for no limit.

        With a ``folder`` it runs there, in the sandbox of agents from files, with ``memory`` MiB.
        """
        self.command = command
        self.folder = folder
        self.memory = _possible_memory(self.name, memory)
        self.stands_still = bool(folder)
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise PetteiaError(f"agent external: bad command {command!r}: {error}") from None
        if not words:
            raise PetteiaError("agent external: the command is empty; expected a program")
        if folder:
            if not Path(folder).is_dir():
                raise PetteiaError(f"agent external: there is no folder {folder!r}")
            words = ["/bin/sh", "-c", _THERE, str(Path(folder).absolute()), *words]
        elif shutil.which(words[0]) is None:
            raise PetteiaError(f"agent external: there is no program {words[0]!r} that can be run")
        super().__init__(
            game, words, command, time=time, grace=grace, startup=startup, game_time=game_time
        )

    def _started(self) -> Program:
        if not self.folder:
            return super()._started()
        wanted = [Path(self.folder) / "program", *sandbox.files_of(self.game.spec)]
        return _in_sandbox(self._command, self.title, wanted, self.memory)


class FileAgent(_Outside):
    """A user's own agent, ``file.py:Class`` or ``file.py:function``, in a sandbox."""

    name = "file"
    stands_still = True

    def __init__(self, game: Game, spec: Spec) -> None:
        """``time``, ``grace``, ``startup`` and ``game_time`` set the clock, ``memory`` is in MiB;
        the rest is the agent's own.

        The child starts here, so that a mistake in the file is told at once.
        """
        self.given = spec
        numbers = {
            "time": _TIME, "grace": _GRACE, "startup": _STARTUP, "memory": sandbox.DEFAULT_MEMORY,
            "game_time": 0.0,
        }  # fmt: skip
        for key in numbers.keys() & dict(spec.arguments).keys():
            value = dict(spec.arguments)[key]
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise PetteiaError(f"agent {spec.name}: {key}={value} is not a number")
            numbers[key] = float(value)
        self.memory = _possible_memory(spec.name, int(numbers.pop("memory")))
        own = {key: value for key, value in spec.arguments if key not in (*numbers, "memory")}
        # Home is another folder in there.
        name = os.path.expanduser(spec.name)  # noqa: PTH111  (a name, not a path)
        child = Spec(name, (*own.items(), ("time", numbers["time"])))
        command = [sys.executable, "-P", "-m", "petteia.agents.child", str(child)]
        super().__init__(game, command, spec.name, **numbers)
        try:
            self._running()
        except ProgramFailed as error:
            self._kill(error)
            raise PetteiaError(error.why if error.is_told else str(error)) from error
        except BaseException as error:
            self._kill(error)
            raise

    def _started(self) -> Program:
        wanted = [*sandbox.files_of(self.spec), *sandbox.files_of(self.game.spec)]
        return _in_sandbox(self._command, self.title, wanted, self.memory)
