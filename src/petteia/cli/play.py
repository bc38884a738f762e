"""``petteia play``: a person at the terminal against an agent."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from petteia import agents, games
from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.core import fair, record
from petteia.core.agent import Agent
from petteia.core.drawing import terminal
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.history import Line
from petteia.core.position import Position
from petteia.core.record import Ply, Record
from petteia.core.seeds import derive
from petteia.core.writing import write_whole
from petteia.search.values import plies_to_end

__all__ = ["Table", "run"]

_SIDES = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}
_HELP = """\
Type a move as it is listed by 'moves'. Other commands:
  moves         the legal moves          hint          the agent's best moves here
  undo          take your last move back redo          play it again
  flip          turn the board around    board         draw it again
  save FILE     keep the game            load FILE     go on with a kept game
  resign        give up                  quit          leave (the game is not kept)"""


@dataclass(frozen=True)
class _Step:
    before: Position
    ply: Ply


class Leave(Exception):
    """The person wants to stop."""


class Table:
    """A game at the terminal. ``ask`` reads a line, ``tell`` prints one."""

    def __init__(
        self,
        game: Game,
        agent: Agent,
        people: tuple[int, ...],
        seed: int,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
    ) -> None:
        self.game = game
        self.agent = agent
        self.people = people
        self.seed = seed
        self.secret = ""
        """What the dice follow from where they were promised, see ``core.fair``."""
        self.ask = ask
        self.tell = tell
        self.position = self.start = Position.of(game)
        self.steps: list[_Step] = []
        self.undone: list[_Step] = []
        self.flipped = people == (1,)
        self.resigned: int | None = None
        self.asked: int | None = None
        """Who was asked for a move last."""

    # --- the course of the game ---------------------------------------------------------------

    def play(self) -> None:
        """Plays until the game is over, somebody resigns, or the person leaves."""
        self.draw()
        while self.position.kind != TERMINAL and self.resigned is None:
            kind = self.position.kind
            if kind == CHANCE:
                self.roll()
            elif kind == SIMULTANEOUS:
                self.both()
            elif self.position.mover in self.people:
                self.person(self.position.mover)
            else:
                self.machine()

    def result(self) -> float | None:
        """The points of player 0, if the game is over."""
        if self.resigned is not None:
            return -1.0 if self.resigned == 0 else 1.0
        return self.position.result

    def machine(self) -> None:
        """The agent's move."""
        move = self.agent_move(self.position.mover)
        name = self.game.players[self.position.mover or 0]
        self.tell(f"{name} ({self.agent}) plays {self.game.move_text(self.position.words, move)}")
        self.make(move)
        self.draw()

    def agent_move(self, player: int | None) -> int:
        """What the agent would do."""
        seed = derive(self.seed, "move", len(self.steps))
        p = self.position.words
        self.agent.follow(self.line())
        return interruptible(
            self.agent, lambda: self.agent.choose(p, seed=seed, player=player)
        ).move

    def roll(self) -> None:
        """Throws the dice."""
        outcomes, ply = self.game.outcomes(self.position.words), len(self.steps)
        if self.secret:
            chosen = fair.thrown(self.secret, ply, outcomes)
        else:
            chosen = fair.drawn(derive(self.seed, "dice", ply), outcomes)
        self.tell(f"the dice show {self.game.move_text(self.position.words, chosen)}")
        self.make(chosen, "chance")
        self.draw()

    def both(self) -> None:
        """Both choose; the agent does not see the person's move."""
        chosen = []
        for player in (0, 1):
            person = player in self.people
            move = self.person_move(player) if person else self.agent_move(player)
            if self.resigned is not None or move < 0:
                return
            chosen.append(move)
        self.undone.clear()
        p = self.position.words
        texts = (self.game.move_text(p, chosen[0]), self.game.move_text(p, chosen[1]))
        self.tell(f"{self.game.players[0]} {texts[0]}, {self.game.players[1]} {texts[1]}")
        self.steps.append(_Step(self.position, Ply("both", texts)))
        self.position = self.position.then(self.game.play_both(p, chosen[0], chosen[1]))
        self.draw()

    def make(self, move: int, kind: Literal["move", "chance"] = "move") -> None:
        """Plays a move and keeps the way back."""
        text = self.game.move_text(self.position.words, move)
        self.steps.append(_Step(self.position, Ply(kind, (text,))))
        self.position = self.position.play(move)

    def person(self, player: int | None) -> None:
        """The person's move at a decision."""
        move = self.person_move(player)
        if move >= 0 and self.resigned is None:
            self.undone.clear()
            self.make(move)
            self.draw()

    def person_move(self, player: int | None) -> int:
        """Asks until there is a move; -1 if a command changed the position instead."""
        self.asked = player
        while True:
            line = self.ask(f"{self.game.players[player or 0]}> ").strip()
            word, _, rest = line.partition(" ")
            command = getattr(self, f"do_{word.lower()}", None)
            try:
                if not line:
                    self.tell("type a move, or help")
                elif command is None:
                    return self.game.parse_move(self.position.words, line, player)
                elif command(rest.strip()):
                    return -1
            except PetteiaError as error:
                self.tell(f"{error} (or type help)")

    def draw(self) -> None:
        """Shows the board."""
        view = self.position.view()
        if self.steps and self.steps[-1].ply.kind != "chance":
            step = self.steps[-1]
            actions = step.before.view().actions
            path: list[str] = []
            for player, text in enumerate(step.ply.texts):
                who = player if step.ply.kind == "both" else None
                path += next((a.path for a in actions if (a.move, a.player) == (text, who)), ())
            view = view.with_last(path)
        self.tell("\n" + terminal.board(view, flip=self.flipped))

    # --- commands; true if the position changed -----------------------------------------------

    def do_help(self, _: str) -> bool:
        self.tell(_HELP)
        return False

    def do_moves(self, _: str) -> bool:
        self.tell(" ".join(self.position.moves(self.asked)))
        return False

    def do_board(self, _: str) -> bool:
        self.draw()
        return False

    def do_flip(self, _: str) -> bool:
        self.flipped = not self.flipped
        self.draw()
        return False

    def do_hint(self, _: str) -> bool:
        p = self.position.words
        self.agent.follow(self.line())
        if self.position.kind == SIMULTANEOUS:
            asked = self.agent_move(self.asked)
            self.tell(f"  {self.agent} would play {self.game.move_text(p, asked)}")
            return False
        ranked = interruptible(self.agent, lambda: self.agent.values(p, seed=self.seed))
        for each in ranked[:3]:
            plies = None if each.value is None else plies_to_end(each.value)
            name = self.game.move_text(p, each.move)
            self.tell(f"  {name:8} {output.value_text(each.value, plies)}")
        return False

    def do_undo(self, _: str) -> bool:
        own = [i for i, step in enumerate(self.steps) if self.is_asked(step.before)]
        if not own:
            raise PetteiaError("there is no move of yours to take back")
        self.undone = self.steps[own[-1] :] + self.undone
        self.steps = self.steps[: own[-1]]
        self.position = self.undone[0].before
        self.draw()
        return True

    def do_redo(self, _: str) -> bool:
        if not self.undone:
            raise PetteiaError("there is nothing to play again")
        while self.undone:
            step = self.undone.pop(0)
            self.steps.append(step)
            line = record.replay(self.record(), self.game)
            self.position = Position.along(self.game, line)[-1]
            if self.is_asked(self.position):
                break
        self.draw()
        return True

    def is_asked(self, position: Position) -> bool:
        """Whether a person chooses at a position."""
        if position.kind == SIMULTANEOUS:
            return bool(self.people)
        return position.mover in self.people

    def do_resign(self, _: str) -> bool:
        mover = self.position.mover if self.position.kind != SIMULTANEOUS else self.asked
        self.resigned = mover if mover is not None else (self.people or (0,))[0]
        return True

    def do_quit(self, _: str) -> bool:
        raise Leave

    def do_save(self, name: str) -> bool:
        if not name:
            raise PetteiaError("save where? For instance: save mygame.txt")
        try:
            text = self.game.foreign_text(self.record(), Path(name).suffix)
            if text is None:
                record.save(Path(name), [self.record()])
            else:
                write_whole(name, text)
        except OSError as error:
            raise PetteiaError(f"cannot write {name!r}: {error.strerror}") from error
        self.tell(f"kept in {name}")
        return False

    def do_load(self, name: str) -> bool:
        if not name:
            raise PetteiaError("load what? For instance: load mygame.txt")
        self.take_up(Path(name))
        self.draw()
        return True

    def take_up(self, path: Path) -> None:
        """Goes on with the last game of a file; nothing changes if the file is no good."""
        kept = record.load(path)
        if not kept:
            raise PetteiaError(f"{path} holds no game")
        last = kept[-1]
        if str(games.make(last.game)) != str(self.game):
            raise PetteiaError(f"{path} holds a game of {last.game}, not of {self.game}")
        positions = Position.along(self.game, record.replay(last, self.game))
        self.steps = [_Step(*pair) for pair in zip(positions, last.plies, strict=False)]
        self.start, self.position = positions[0], positions[-1]
        self.undone.clear()
        self.resigned = None

    def line(self) -> Line:
        """What was played so far."""
        start = self.start.words
        line = Line(self.game, self.start_text(), start)
        steps = [*(step.before.words for step in self.steps), self.position.words]
        line.extend((step.ply for step in self.steps), steps[1:])
        return line

    def start_text(self) -> str:
        """Where the game began, as records write it."""
        return "start" if self.start.words == self.game.start() else str(self.start)

    def promised(self) -> list[tuple[str, str]]:
        """The promise about the dice; what they follow from only when the game is over."""
        if not self.secret:
            return []
        told = [("Secret", self.secret)] if self.result() is not None else []
        return [("Promise", fair.promise(self.secret)), *told]

    def record(self) -> Record:
        """The game so far."""
        names = tuple("person" if side in self.people else str(self.agent) for side in (0, 1))
        return Record(
            game=str(self.game),
            players=(names[0], names[1]),
            start=self.start_text(),
            plies=tuple(step.ply for step in self.steps),
            result=self.result(),
            headers=(("Seed", str(self.seed)), *self.promised()),
        )


def _read(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        print()
        raise Leave from None


def run(
    game_spec: str,
    agent_spec: str,
    side: str,
    position: str,
    load: Path | None,
    seed: int,
    promise: bool,
    as_json: bool,
) -> None:
    """Plays at the terminal; with JSON the boards go to standard error."""
    game = games.make(game_spec)
    if side not in _SIDES:
        raise one_of(side, _SIDES, what="side")
    agent = agents.make(agent_spec or agents.usual(game), game)
    stream = sys.stderr if as_json else sys.stdout

    def tell(line: str) -> None:
        print(line, file=stream, flush=True)

    def ask(prompt: str) -> str:
        if as_json:
            print(prompt, end="", file=sys.stderr, flush=True)
        return _read("" if as_json else prompt)

    table = Table(game, agent, _SIDES[side], seed, ask, tell)
    if load is not None:
        table.take_up(load)
    elif position != "start":
        table.position = table.start = Position.of(game, position)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (line editing and history for input)
    if promise and not game.has_chance:
        raise PetteiaError(f"{game.spec.name} has no dice, so there is nothing to promise")
    table.secret = fair.new_secret() if promise else ""
    agent.prepare(table.position.words)
    tell(f"{game}: you are {' and '.join(game.players[s] for s in _SIDES[side]) or 'watching'}, "
         f"{agent} is your opponent. Type help for the commands.")  # fmt: skip
    if table.secret:
        tell(f"the dice follow from a secret with the SHA-256 {fair.promise(table.secret)}")
    left = False
    try:
        table.play()
    except Leave:
        left = True
    result = table.result()
    if result is not None:
        winner = "draw" if result == 0 else f"{game.players[0 if result > 0 else 1]} wins"
        tell(f"{winner}{' by resignation' if table.resigned is not None else ''}.")
    if table.secret and (result is not None or left):
        tell(f"the secret of the dice was {table.secret}; petteia review checks it")
    if as_json:
        kept = table.record()
        output.json_object(
            {
                "game": str(game), "position": str(table.position), "result": result,
                "plies": len(table.steps), "left": left, "record": record.write(kept),
            }
        )  # fmt: skip
