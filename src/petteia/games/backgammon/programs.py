"""GNU Backgammon as an opponent: a program of its own, asked over a local socket.

It is not part of this package; Debian has it as ``gnubg``. Its line form of a board is that of
the server FIBS, and the rules of the session follow it as words. It is asked for plays and for
decisions at the cube.
"""

from __future__ import annotations

import shutil
import socket
import time

from petteia.core.agent import Agent, Decision
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.program import Program
from petteia.core.words import Words
from petteia.games.backgammon.face.positions import counts_of
from petteia.games.backgammon.rules import BackgammonRules
from petteia.games.backgammon.rules.board import BAR, CHECKERS
from petteia.games.backgammon.rules.state import CENTRED, TAKE, parts_of
from petteia.search.stepper import stepper_of

__all__ = ["GnubgAgent", "fibs_board", "program"]

_STARTUP, _ANSWER = 60.0, 120.0
_PLACES = "/usr/games:/usr/local/games"


def program() -> str | None:
    """Where GNU Backgammon is, if it is installed; Debian keeps games off the usual path."""
    return shutil.which("gnubg") or shutil.which("gnubg", path=_PLACES)


def fibs_board(game: BackgammonRules, p: Words) -> str:
    """The board as FIBS writes it, from the side of the player who decides, and the rules."""
    parts = parts_of(p[4])
    mover = parts["mover"]
    own = counts_of(p[2 * mover], p[2 * mover + 1])
    other = counts_of(p[2 - 2 * mover], p[3 - 2 * mover])
    points = [own[place] - other[BAR - place] for place in range(1, BAR)]
    scores = (parts["white"], parts["black"])
    is_asked = parts["phase"] == TAKE
    # An offered cube is still the doubler's turn.
    turn = -1 if is_asked else 1
    # GNU Backgammon 1.07 takes the first score as that of the player who is not on turn.
    waiting = mover if is_asked else 1 - mover
    fields: list[object] = ["board", "You", "Other"]
    fields += [game.match or 9999, scores[waiting], scores[1 - waiting]]
    fields += [-other[BAR], *points, own[BAR], turn, parts["first"], parts["second"], 0, 0]
    # The cube, and which of the two may turn it (if nobody may, it takes it as offered, so in the
    # Crawford game both may); then whether it is offered.
    may = [int(parts["owner"] in (CENTRED, player)) for player in (mover, 1 - mover)]
    fields += [1 << parts["level"], *may, int(is_asked)]
    # Colour, direction, home and bar; off and bar of both.
    fields += [1, -1, 0, BAR, CHECKERS - sum(own), CHECKERS - sum(other), own[BAR], other[BAR]]
    fields += [0, 0, 0, 0]
    # To it the Crawford game is any with a player a point away: the rule is on for this one only.
    rules = (("crawfordrule", parts["crawford"]), ("jacobyrule", game.jacoby),
             ("beavers", game.beaver))  # fmt: skip
    words = " ".join(f"{name} {'on' if on else 'off'}" for name, on in rules)
    return f"{':'.join(map(str, fields))} {words}"


class _Server:
    """A running GNU Backgammon that answers one line with another."""

    def __init__(self, plies: int, *, cube: bool) -> None:
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        self._program = Program([_installed(), "-t", "-q", "-r"], "gnubg", limits={"folder": 1})
        for order in (
            "set threads 1", f"set cube use {'on' if cube else 'off'}", "set jacoby off",
            f"set evaluation chequerplay evaluation plies {plies}",
            f"set evaluation cubedecision evaluation plies {plies}",
            f"external localhost:{port}",
        ):  # fmt: skip
            self._program.send(order)
        deadline = time.monotonic() + _STARTUP
        try:
            while not self._program.receive(deadline).startswith("Waiting for a connection"):
                pass
            connected = socket.create_connection(("localhost", port), timeout=_ANSWER)
        except (OSError, PetteiaError):  # a TimeoutError is an OSError
            self._program.kill()
            raise PetteiaError("GNU Backgammon was started but does not answer") from None
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = connected.makefile("rw", encoding="ascii", newline="\n")
        connected.close()  # the file keeps the connection

    def ask(self, line: str) -> str:
        """The answer to one line."""
        self._lines.write(line + "\n")
        self._lines.flush()
        return self._lines.readline().strip("\0\r\n ")

    def end(self) -> None:
        """Ends the program."""
        self._program.kill()


def _installed() -> str:
    found = program()
    if found is None:
        raise PetteiaError(
            "agent gnubg needs GNU Backgammon, which is not installed; "
            "on Debian: apt-get install gnubg"
        )
    return found


class GnubgAgent(Agent):
    """GNU Backgammon's plays and decisions at the cube."""

    name = "gnubg"
    about = "GNU Backgammon, if it is installed; plies beyond its static evaluation"
    starts_programs = True

    def __init__(self, game: Game, plies: int = 0) -> None:
        super().__init__(game)
        if not 0 <= plies <= 4:
            raise PetteiaError(f"agent gnubg: plies={plies} is not possible; 0 to 4")
        if not isinstance(game, BackgammonRules) or game.course:
            raise PetteiaError("agent gnubg plays backgammon by the official rules only")
        self.rules: BackgammonRules = game
        _installed()
        self.plies = plies
        self._server: _Server | None = None

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        moves = stepper_of(self.game).look(p).moves
        if len(moves) == 1:
            return Decision(moves[0])
        if self._server is None:
            self._server = _Server(self.plies, cube=self.rules.cube)
        try:
            answer = self._server.ask(fibs_board(self.rules, p))
            move = self.game.parse_move(p, answer)
        except (OSError, PetteiaError) as error:
            self.close()
            raise PetteiaError(f"gnubg: {error}") from None
        return Decision(move, seconds=time.perf_counter() - started)

    def close(self) -> None:
        """Ends the program; it starts again when it is asked again."""
        server, self._server = self._server, None
        if server is not None:
            server.end()
