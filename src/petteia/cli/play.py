"""``petteia play``: a person at the terminal against an agent."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from petteia import agents, games
from petteia.cli import game_file, output
from petteia.cli.asked import asked
from petteia.cli.interrupt import interruptible
from petteia.cli.options import GameSpec, Json, Seed
from petteia.cli.review import readable
from petteia.core import fair, record
from petteia.core.agent import Agent
from petteia.core.drawing import terminal
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import CHANCE, SIMULTANEOUS, Game
from petteia.core.history import start_text
from petteia.core.position import Position
from petteia.core.record import Ply
from petteia.core.replay import joined, replay
from petteia.core.seeds import derive
from petteia.core.session import PERSON, Session
from petteia.core.words import Words
from petteia.search.values import plies_to_end

__all__ = ["Terminal", "run"]

_SIDES = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}
_HELP = """\
Type a move as it is listed by 'moves'. Other commands:
  moves         the legal moves          hint          the agent's best moves here
  undo          take your last move back redo          play it again
  flip          turn the board around    board         draw it again
  save FILE     keep the game            load FILE     go on with a kept game
  resign        give up                  quit          leave (the game is not kept)"""


class Leave(Exception):
    """The person wants to stop."""


class Terminal:
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
        first, second = (PERSON if side in people else str(agent) for side in (0, 1))
        self.session = Session(game, (first, second), seed)
        self.game = game
        self.agent = agent
        self.ask = ask
        self.tell = tell
        self.flipped = people == (1,)
        self.asked: int | None = None
        """Who was asked for a move last."""

    # --- the course of the game ---------------------------------------------------------------

    def play(self) -> None:
        """Plays until the game is over, somebody resigns, or the person leaves."""
        self.draw()
        while not self.session.is_over:
            if self.session.kind == CHANCE:
                self.roll()
            elif self.session.kind == SIMULTANEOUS:
                self.both()
            else:
                self.alone(int(self.game.mover(self.session.p)))

    def begin(self, p: Words, plies: Iterable[Ply] = ()) -> None:
        """Begins at another position, with these plies; nothing changes if one is not legal."""
        start = start_text(self.game, p)
        self.session = replace(
            self.session, start=start, plies=list(plies), undone=[], resigned=None
        )

    def alone(self, player: int) -> None:
        """The move of one player."""
        if player in self.session.people:
            move = self.person_move(player)
            if move < 0:
                return
            self.session.make(move)
        else:
            text = self.session.make(self.agent_move(player)).texts[0]
            self.tell(f"{self.game.players[player]} ({self.agent}) plays {text}")
        self.draw()

    def agent_move(self, player: int | None) -> int:
        """What the agent would do."""
        seed = derive(self.session.seed, "move", len(self.session.plies))
        p = self.session.p
        self.agent.follow(self.session)
        return interruptible(
            self.agent, lambda: self.agent.choose(p, seed=seed, player=player)
        ).move

    def roll(self) -> None:
        """Throws the dice."""
        self.tell(f"the dice show {self.session.roll().texts[0]}")
        self.draw()

    def both(self) -> None:
        """Both choose; the agent does not see the person's move."""
        chosen = []
        for player in (0, 1):
            person = player in self.session.people
            move = self.person_move(player) if person else self.agent_move(player)
            if move < 0:
                return
            chosen.append(move)
        first, second = self.session.make(*chosen).texts
        self.tell(f"{self.game.players[0]} {first}, {self.game.players[1]} {second}")
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
                    return self.game.parse_move(self.session.p, line, player)
                elif command(rest.strip()):
                    return -1
            except PetteiaError as error:
                self.tell(f"{error} (or type help)")

    def draw(self) -> None:
        """Shows the board."""
        view, played = self.session.position.view(), self.session.plies
        if played and played[-1].kind != "chance":
            before = self.game.view(self.session.positions[-2])
            view = view.with_last(before.path(*played[-1].texts))
        self.tell("\n" + terminal.board(view, flip=self.flipped))

    # --- commands; true if the position changed -----------------------------------------------

    def do_help(self, _: str) -> bool:
        self.tell(_HELP)
        return False

    def do_moves(self, _: str) -> bool:
        self.tell(" ".join(self.session.position.moves(self.asked)))
        return False

    def do_board(self, _: str) -> bool:
        self.draw()
        return False

    def do_flip(self, _: str) -> bool:
        self.flipped = not self.flipped
        self.draw()
        return False

    def do_hint(self, _: str) -> bool:
        p = self.session.p
        self.agent.follow(self.session)
        if self.session.kind == SIMULTANEOUS:
            asked = self.agent_move(self.asked)
            self.tell(f"  {self.agent} would play {self.game.move_text(p, asked)}")
            return False
        ranked = interruptible(self.agent, lambda: self.agent.values(p, seed=self.session.seed))
        for each in ranked[:3]:
            plies = None if each.value is None else plies_to_end(each.value)
            name = self.game.move_text(p, each.move)
            self.tell(f"  {name:8} {output.value_text(each.value, plies)}")
        return False

    def do_undo(self, _: str) -> bool:
        if not self.session.taken_back_by():
            raise PetteiaError("there is no move of yours to take back")
        self.session.undo()
        self.draw()
        return True

    def do_redo(self, _: str) -> bool:
        self.session.redo()
        self.draw()
        return True

    def do_resign(self, _: str) -> bool:
        self.session.resign(self.asked)
        return True

    def do_quit(self, _: str) -> bool:
        raise Leave

    def do_save(self, name: str) -> bool:
        if not name:
            raise PetteiaError("save where? For instance: save mygame.txt")
        kept = self.session.record()
        try:
            left = game_file.keep(self.game, Path(name), kept)
        except OSError as error:
            raise PetteiaError(f"cannot write {name!r}: {error.strerror}") from error
        without = " ".join(" ".join(ply.texts) for ply in left)
        self.tell(f"kept in {name}" + (f", without {without}, not played yet" if left else ""))
        return False

    def do_load(self, name: str) -> bool:
        if not name:
            raise PetteiaError("load what? For instance: load mygame.txt")
        self.take_up(Path(name))
        self.draw()
        return True

    def take_up(self, path: Path) -> None:
        """Continues the last game of a file; nothing changes if the file is bad."""
        last = joined(self.game, readable(self.game, path).records)[-1]
        self.begin(replay(last, self.game)[0], last.plies)


def _read(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        print()
        raise Leave from None


@dataclass(frozen=True)
class Options:
    """How a game is played at the terminal."""

    game: GameSpec
    agent: Annotated[str, typer.Option(help="the opponent; default: the game's own choice")] = ""
    side: Annotated[str, typer.Option(help="your side: first, second, both or none")] = "first"
    position: Annotated[str, typer.Option(help="where to begin")] = "start"
    load: Annotated[Path | None, typer.Option(help="continue a saved game")] = None
    seed: Seed = 0
    fair: Annotated[
        bool, typer.Option("--fair", help="promise the dice by a hash, prove them after")
    ] = False
    as_json: Json = False


def run(options: Options) -> None:
    """Plays at the terminal; with JSON the boards go to standard error."""
    game = games.make(options.game)
    if options.side not in _SIDES:
        raise one_of(options.side, _SIDES, what="side")
    agent = asked(agents.make(options.agent or agents.usual(game), game))
    stream = sys.stderr if options.as_json else sys.stdout

    def tell(line: str) -> None:
        print(line, file=stream, flush=True)

    def ask(prompt: str) -> str:
        if options.as_json:
            print(prompt, end="", file=sys.stderr, flush=True)
        return _read("" if options.as_json else prompt)

    table = Terminal(game, agent, _SIDES[options.side], options.seed, ask, tell)
    if options.load is not None:
        table.take_up(options.load)
    elif options.position != "start":
        table.begin(Position.of(game, options.position).words)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (line editing and history for input)
    if options.fair and not game.has_chance:
        raise PetteiaError(f"{game.spec.name} has no dice, so there is nothing to promise")
    table.session.secret = fair.new_secret() if options.fair else ""
    agent.prepare(table.session.p)
    you = " and ".join(game.players[side] for side in _SIDES[options.side]) or "watching"
    tell(f"{game}: you are {you}, {agent} is your opponent. Type help for the commands.")
    if options.fair:
        tell(f"the dice follow from a secret with the SHA-256 {table.session.promise}")
    left = False
    try:
        table.play()
    except Leave:
        left = True
    session = table.session
    result = session.result
    if result is not None:
        winner = "draw" if result == 0 else f"{game.players[0 if result > 0 else 1]} wins"
        tell(f"{winner}{' by resignation' if session.resigned is not None else ''}.")
    if session.secret and (result is not None or left):
        tell(f"the secret of the dice was {session.secret}; petteia review checks it")
    if options.as_json:
        output.json_object(
            {
                "game": str(game), "position": game.text(session.p), "result": result,
                "plies": len(session.plies), "left": left, "record": record.write(session.record()),
            }
        )  # fmt: skip
