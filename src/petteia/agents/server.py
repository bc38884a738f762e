"""The engine's side of the protocol: any agent, asked over lines."""

from __future__ import annotations

import inspect
import math
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from typing import TypeAlias

from petteia import games
from petteia.agents import protocol
from petteia.core.agent import Agent, Decision
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, SIMULTANEOUS, Game
from petteia.core.own_code import explained
from petteia.core.position import Position
from petteia.core.program import lines_of
from petteia.core.session import Session
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.stepper import first_choice

__all__ = ["Maker", "Server", "on_standard_streams"]

Maker: TypeAlias = Callable[[Spec, Game], Agent]

_TIME_TO_LEAVE = 2.0
_BETWEEN_STOPS = 0.01


class _Question:
    """A ``go`` and how far it is."""

    def __init__(self, go: protocol.Go) -> None:
        self.go = go
        self.is_begun = False
        self.is_answered = threading.Event()
        self.is_stopped = False
        self.lock = threading.Lock()
        """Held to stop the agent and to note its answer: no stop reaches a later search."""


class Server:
    """Answers a host's orders with an agent. ``tell`` takes each answer as a line."""

    def __init__(self, spec: Spec, make: Maker, tell: Callable[[str], None]) -> None:
        self.spec = spec
        self.make = make
        self._tell = tell
        self._is_greeted = False
        self._game: Game | None = None
        self._agent: Agent | None = None
        self._arguments = dict(spec.arguments)
        self._session: Session | None = None
        self._question: _Question | None = None
        self._ignored: set[str] = set()

    def use(self, game: Game) -> None:
        """Makes the agent for a game and gets it ready."""
        self._game = self._agent = self._session = None
        self._arguments = dict(self.spec.arguments)
        agent = self.make(self.spec, game)
        agent.prepare(first_choice(game, game.start()))
        self._game, self._agent, self._session = game, agent, Session(game)

    def serve(self, lines: Iterable[str], leave: Callable[[], None] = lambda: None) -> None:
        """Answers until ``quit`` or the last line; ``leave`` is called when one of them came.

        The lines are read in a thread, so that ``stop`` is heard while the agent thinks.
        """
        heard: queue.SimpleQueue[_Question | protocol.Order | PetteiaError | None] = (
            queue.SimpleQueue()
        )

        def listen() -> None:
            for line in lines:
                if not line.strip():
                    continue
                try:
                    order = protocol.parse_order(line)
                except PetteiaError as error:
                    heard.put(error)
                    continue
                if isinstance(order, protocol.Quit):
                    break
                if isinstance(order, protocol.Stop):
                    self._stop()
                elif isinstance(order, protocol.Go):
                    self._question = _Question(order)
                    heard.put(self._question)
                else:
                    heard.put(order)
            self._stop()
            leave()
            heard.put(None)

        threading.Thread(target=listen, daemon=True).start()
        while (order := heard.get()) is not None:
            self._obey(order)

    def _stop(self) -> None:
        """Stops the agent until it has answered: a search that has only just begun would forget
        a stop that came too early."""
        question = self._question
        if question is None or question.is_stopped:
            return
        question.is_stopped = True

        def insist() -> None:
            while not question.is_answered.wait(_BETWEEN_STOPS):
                with question.lock:
                    is_open = question.is_begun and not question.is_answered.is_set()
                    if is_open and self._agent is not None:
                        self._agent.stop()

        threading.Thread(target=insist, daemon=True).start()

    def _say(self, answer: protocol.Answer) -> None:
        self._tell(str(answer))

    # --- orders ----------------------------------------------------------------------------------

    def _obey(self, order: _Question | protocol.Order | PetteiaError) -> None:
        try:
            if isinstance(order, PetteiaError):
                raise order
            if isinstance(order, protocol.Hello):
                self._greet(order)
            elif not self._is_greeted:
                raise PetteiaError(f"expected '{protocol.Hello()}' first")
            elif isinstance(order, _Question):
                order.is_begun = True
                self._answer(order)
            else:
                self._prepare(order)
        except PetteiaError as error:
            self._say(protocol.Problem(str(error)))
        except (BrokenPipeError, KeyboardInterrupt):
            raise
        except Exception as error:  # noqa: BLE001  (told to the host, and written out in full)
            traceback.print_exc()
            self._say(protocol.Problem(str(explained(error))))
        finally:
            if isinstance(order, _Question):
                with order.lock:
                    order.is_answered.set()

    def _greet(self, hello: protocol.Hello) -> None:
        if hello.version < protocol.VERSION:
            raise PetteiaError(
                f"version {hello.version} is not spoken here; expected {protocol.VERSION}"
            )
        self._is_greeted = True
        for answer in (
            protocol.Hello(),
            protocol.Identity("name", f"petteia {self.spec}"),
            protocol.Ready(),
        ):
            self._say(answer)

    def _prepare(self, order: protocol.Order) -> None:
        if isinstance(order, protocol.SetGame):
            if self._game is None or order.spec != str(self._game):
                self.use(games.make(order.spec))
            self._say(protocol.Ready())
        elif isinstance(order, protocol.NewGame):
            game, agent = self._playing()
            agent.new_game()
            self._session = Session(game)
            self._say(protocol.Ready())
        elif isinstance(order, protocol.SetPosition):
            game, _ = self._playing()
            self._session = None
            self._session = Session(game, start=order.start, plies=list(order.plies))
        else:
            assert isinstance(order, protocol.Legal)  # the rules are known here

    def _playing(self) -> tuple[Game, Agent]:
        if self._game is None or self._agent is None:
            raise PetteiaError("expected a game first, such as 'game breakthrough'")
        return self._game, self._agent

    # --- the question ----------------------------------------------------------------------------

    def _answer(self, question: _Question) -> None:
        game, _ = self._playing()
        if self._session is None:
            raise PetteiaError("expected a position first, such as 'position start'")
        p, go = self._session.p, question.go
        player = _asked(game, p, go.player)
        agent = self._limited(go)
        legal = game.legal_moves(p, player)
        agent.follow(self._session)
        found = agent.choose(p, seed=go.seed or 0, player=player)
        move = int(found.move)
        if move not in legal:
            if not question.is_stopped:
                raise PetteiaError(f"illegal move {found.move!r} at {game.text(p)}")
            move = legal[0]
            found = Decision(move)
        self._say(_info(Position(game, p), found))
        self._say(protocol.BestMove(game.move_text(p, move), _finite(found.value)))

    def _limited(self, go: protocol.Go) -> Agent:
        """The agent with the limits of the question instead of its own, where it has such."""
        game, agent = self._playing()
        given = {key: getattr(go, key) for key in protocol.LIMITS if getattr(go, key) is not None}
        known = inspect.signature(type(agent)).parameters
        ignored = [*go.others, *(key for key in given if key not in known)]
        for word in ignored:
            if word not in self._ignored:
                self._ignored.add(word)
                self._say(
                    protocol.Info(text=f"{word} means nothing to {self.spec.name} and is ignored")
                )
        wanted = {**dict(self.spec.arguments), **{key: given[key] for key in given if key in known}}
        if wanted != self._arguments:
            self._agent = agent = self.make(Spec(self.spec.name, tuple(wanted.items())), game)
            self._arguments = wanted
            agent.new_game()
        return agent


def _asked(game: Game, p: Words, player: int | None) -> int:
    """Whose move is asked for."""
    kind = game.kind(p)
    if kind == SIMULTANEOUS:
        if player is None:
            raise PetteiaError("both choose here; expected player=0 or player=1")
        return player
    if kind != DECISION:
        raise PetteiaError(f"there is nothing to choose: {game.status(p)}")
    mover = int(game.mover(p))
    if player not in (None, mover):
        raise PetteiaError(f"player {mover} is to move, not {player}")
    return mover


def _info(position: Position, found: Decision) -> protocol.Info:
    nodes = found.interior + found.leaves
    line = found.line if position.kind == DECISION else ()
    return protocol.Info(
        int(found.depth) or None, _finite(found.value), int(nodes) or None,
        int(found.leaves) or None, tuple(position.line_texts(line)),
    )  # fmt: skip


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def on_standard_streams(spec: Spec, make: Maker, game: Game | None = None) -> None:
    """Serves an agent on standard input and output until ``quit`` or the input's end."""
    # Whatever else this process prints goes to standard error: a stray print is no message.
    sys.stdout.flush()
    questions, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  (a descriptor, not a path)
        os.dup2(nothing.fileno(), 0)

    def tell(line: str) -> None:
        left = memoryview(f"{line}\n".encode(errors="replace"))
        while left:
            left = left[os.write(answers, left) :]

    server = Server(spec, make, tell)
    if game is not None:
        server.use(game)
    # An agent that cannot be stopped must not outlive its host.
    end = threading.Timer(_TIME_TO_LEAVE, os._exit, (0,))
    end.daemon = True
    try:
        server.serve(lines_of(questions), end.start)
    except BrokenPipeError:
        pass
    finally:
        end.cancel()
