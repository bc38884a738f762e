"""Our player for the referee of the course that RoPaSci 360 comes from.

    python -m referee petteia.referee_player petteia.referee_player

The referee asks ``Player(colour)`` for an ``action()`` each turn and tells it by ``update`` what
both did. A player has 60 s of processor time and 100 MB for a whole game; imports are on no clock.
So everything is compiled, allocated and tried once when this module is imported; tables of exact
endings, if ``petteia solve`` made them on this machine, are mapped then. Whatever goes
wrong later, a legal action is played. Where nothing can be compiled, ``plain_player`` chooses: an
equilibrium one turn deep in NumPy.

It needs this package, NumPy, platformdirs, llvmlite and Numba, installed or as folders beside the
referee's. ``plain_player.py`` alone needs Python 3.6 and NumPy.
"""

from __future__ import annotations

import gc
import os
import secrets
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

from petteia import agents
from petteia.compiled import is_interpreted
from petteia.core.errors import PetteiaError
from petteia.core.history import Line
from petteia.core.record import Ply
from petteia.core.seeds import derive
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.course import plain_player
from petteia.games.ropasci.face import notation

__all__ = ["Player"]

GAME = RoPaSci()
STRONG = "nash(depth=3, width=20, time=1.0, eval=learned, guard=1, contempt=1.0)"
"""The agent that plays; see ``petteia games``."""
_SECONDS = 47.0
"""Processor time for a game; the rest is for what is not measured here."""
_MOVES = 45
"""Time is shared out as if this many moves were to come, at every move."""
_MOST = 2.0
"""Seconds for a move at most."""
_LITTLE = 3.0
"""With less than this many seconds left, the quickest search must do."""
_SLOWEST = 4.0
"""On a busy machine a search may take this many seconds for one of processor time, but no more."""
_PATIENCE = 180.0
"""Seconds that compiling may take where memory is limited."""
_TRYING = "PETTEIA_REFEREE_TRYING"


def _compiles() -> bool:
    """Whether there is memory to compile. Only where virtual memory is limited it is in question:
    a compiler that gets no more may never come back, so another process tries first. What it
    compiled is then ready for this one."""
    if sys.platform == "win32" or os.environ.get(_TRYING):
        return True
    import resource

    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        return True
    command = [sys.executable, "-c", f"import sys, {__name__} as m; sys.exit(m._AGENT is None)"]
    path = os.pathsep.join(each or "." for each in sys.path)
    try:
        done = subprocess.run(
            command, env={**os.environ, _TRYING: "1", "PYTHONPATH": path}, timeout=_PATIENCE,
            capture_output=True, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _say(what: str) -> None:
    print(f"petteia.referee_player: {what}; plain_player plays", file=sys.stderr)


def _made() -> Any:
    """The agent, warmed up; None where nothing can be compiled."""
    if is_interpreted():
        _say("no search: compiling is switched off")
        return None
    if not _compiles():
        _say("no search: too little memory to compile")
        return None
    try:
        agent = agents.make(STRONG, GAME)
        try:
            agent.use_tables()
        except (PetteiaError, OSError) as error:
            print(f"petteia.referee_player: {error}; it plays without", file=sys.stderr)
        agent.prepare(GAME.start())
        return agent
    except Exception as error:  # noqa: BLE001  (a player without a search still plays)
        _say(f"no search: {error}")
        return None


class Player:
    """Plays RoPaSci 360 for the course's referee."""

    def __init__(self, player: str) -> None:
        """``player`` is ``upper`` or ``lower``."""
        self.side = GAME.players.index(player)
        self.line = Line(GAME)
        self.p = GAME.start()
        self.used = 0.0
        self.pace = 1.0  # seconds that went by for one of processor time, in the last search
        self.turn = 0
        self.seed = secrets.randbits(62)  # nobody must foresee what a mixed strategy draws
        self.plain = plain_player.Player(player)

    def action(self) -> tuple[Any, ...]:
        """What to do this turn, as the course's tuple."""
        started = time.process_time()
        legal = GAME.legal_moves(self.p, self.side)
        move = -1
        try:
            if _AGENT is not None:
                move = self._searched()
        except Exception as error:  # noqa: BLE001  (a search that fails costs no game)
            print(f"petteia.referee_player: {type(error).__name__}: {error}", file=sys.stderr)
        if move not in legal:
            move = self._plainly(legal)
        self.used += time.process_time() - started
        return notation.action_of(move)

    def _plainly(self, legal: list[int]) -> int:
        """The move of the player that needs no compiler, or any if that fails too."""
        try:
            move = notation.move_of(repr(self.plain.action()))
        except Exception as error:  # noqa: BLE001  (a choice that fails costs no game)
            print(f"petteia.referee_player: {type(error).__name__}: {error}", file=sys.stderr)
            move = None
        return legal[self.turn % len(legal)] if move not in legal or move is None else move

    def _searched(self) -> int:
        left = _SECONDS - self.used
        seconds = 0.02 if left < _LITTLE else min(left / _MOVES, _MOST)
        # The referee counts processor time, a search what goes by on the clock.
        _AGENT.limits = replace(_AGENT.limits, seconds=seconds * self.pace)
        _AGENT.follow(self.line)
        started, used = time.perf_counter(), time.process_time()
        chosen = _AGENT.choose(self.p, seed=derive(self.seed, self.turn), player=self.side)
        used = time.process_time() - used
        if used > 0:
            self.pace = min(max((time.perf_counter() - started) / used, 1.0), _SLOWEST)
        return int(chosen.move)

    def update(self, opponent_action: tuple[Any, ...], player_action: tuple[Any, ...]) -> None:
        """What both did in the turn that is over."""
        started = time.process_time()
        both = (player_action, opponent_action) if self.side == 0 else (
            opponent_action, player_action
        )  # fmt: skip
        first, second = (notation.move_of(repr(action)) for action in both)
        if first is None or second is None:
            raise ValueError(f"no actions of RoPaSci 360: {both!r}")
        texts = (notation.move_text(first), notation.move_text(second))
        self.plain.update(opponent_action, player_action)
        self.p = GAME.play_both(self.p, first, second)
        self.line.add(Ply("both", texts), self.p)
        self.turn += 1
        self.used += time.process_time() - started


_AGENT = _made()
# The referee collects garbage at every call: what is here now will never be any.
gc.collect()
gc.freeze()
