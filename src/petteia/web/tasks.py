"""What a searching process can be asked: a move, the values of all moves, a whole review."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from petteia import agents, games
from petteia.core.agent import Agent, Decision, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.history import Line
from petteia.core.position import Position
from petteia.core.words import Words, words
from petteia.search.alphabeta import leaf
from petteia.search.values import plies_to_end
from petteia.web import flow
from petteia.web.chances import Curve, curve_of

__all__ = ["Desk"]

Ready = Callable[[], None]
Part = Callable[[dict[str, Any]], None]

_MOST_AGENTS = 6
_OFTEN = 0.08
"""Seconds between two parts: more often nobody can read."""


class Desk:
    """The games and agents that a process has made, and the request that it works on."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self._last_table: dict[int, str] = {}
        self._at_work: tuple[int, Agent] | None = None
        self._stopped: set[int] = set()

    def stop(self, n: int) -> None:
        """Ends a request soon; another thread than the one that serves calls it."""
        self._stopped.add(n)
        working = self._at_work
        if working is not None and working[0] == n:
            working[1].stop()

    def serve(self, request: dict[str, Any], ready: Ready, part: Part) -> dict[str, Any]:
        """The answer to a request."""
        if request["do"].startswith("flow."):
            ready()
            n = request["n"]
            try:
                return flow.serve(request, lambda: n in self._stopped, part)
            finally:
                self._stopped.discard(n)
        game = self._game(request["game"])
        agent = self._agent(game, request["agent"])
        positions = [words(*(int(word, 16) for word in p)) for p in request["positions"]]
        p = positions[-1]
        decision = next((q for q in reversed(positions) if game.kind(q) != TERMINAL), p)
        agent.prepare(decision)
        table = request.get("table", "")
        if self._last_table.get(id(agent)) != table:
            agent.new_game()
            self._last_table[id(agent)] = table
        agent.follow(_line(game, positions))
        n = request["n"]
        self._at_work = (n, agent)
        try:
            ready()
            if n in self._stopped:
                agent.stop()
            return self._tasks[request["do"]](self, request, game, agent, positions, part)
        finally:
            self._at_work = None
            self._stopped.discard(n)

    def _game(self, spec: str) -> Game:
        if spec not in self._games:
            if len(self._games) > 32:
                self._games.clear()
            self._games[spec] = games.make(spec)
        return self._games[spec]

    def _agent(self, game: Game, spec: str) -> Agent:
        key = (str(game), spec)
        found = self._agents.get(key)
        if found is None:
            found = self._agents[key] = agents.make(spec, game)
            while len(self._agents) > _MOST_AGENTS:
                _, old = self._agents.popitem(last=False)
                close = getattr(old, "close", None)
                if close is not None:
                    close()
        self._agents.move_to_end(key)
        return found

    # --- the tasks -------------------------------------------------------------------------------

    def _choose(
        self,
        request: dict[str, Any],
        game: Game,
        agent: Agent,
        positions: list[Words],
        part: Part,
    ) -> dict[str, Any]:
        """A move."""
        p, player = positions[-1], request.get("player")
        choice = agent.choose(p, seed=request.get("seed", 0), player=player)
        asked = game.legal_moves(p, player)
        if choice.move not in asked:
            raise PetteiaError(f"{agent} chose {choice.move!r}, which is no legal move")
        return {"move": game.move_text(p, choice.move), **_facts(choice)}

    def _values(
        self,
        request: dict[str, Any],
        game: Game,
        agent: Agent,
        positions: list[Words],
        part: Part,
    ) -> dict[str, Any]:
        """Every move with its value, its line and its chance to win."""
        p, seed = positions[-1], request.get("seed", 0)
        if game.kind(p) == SIMULTANEOUS:
            return _matrix(game, agent, p, seed)
        if game.kind(p) != DECISION:
            raise PetteiaError(f"nothing to analyse: {game.status(p)}")
        n: int = request["n"]
        started = last = time.perf_counter()

        def told(known: Iterable[MoveValue], depth: int) -> None:
            nonlocal last
            now = time.perf_counter()
            if now - last >= _OFTEN and n not in self._stopped:
                last = now
                part(_ranking(game, agent, p, known, depth, now - started))

        agent.on_depth = told
        try:
            found = agent.values(p, seed=seed)
        finally:
            agent.on_depth = None
        answer = _ranking(game, agent, p, found, None, time.perf_counter() - started)
        if request.get("shares"):
            answer["evaluation"] = _shares(game, agent, p)
        return answer

    def _review(
        self,
        request: dict[str, Any],
        game: Game,
        agent: Agent,
        positions: list[Words],
        part: Part,
    ) -> dict[str, Any]:
        """The values at every decision of a game, one part for each."""
        n, played = request["n"], request["played"]
        for at, (p, text) in enumerate(zip(positions, played, strict=False)):
            if n in self._stopped:
                break
            if game.kind(p) == CHANCE and at + 1 < len(positions):
                luck = _luck(game, agent, p, positions[at + 1])
                if luck is not None:
                    part({"at": at, "luck": luck})
            if game.kind(p) != DECISION:
                continue
            found = agent.values(p, seed=request.get("seed", 0))
            known = _ranking(game, agent, p, found, None, 0.0)
            mine = next((each for each in known["moves"] if each["move"] == text), None)
            part({"at": at, "mover": int(game.mover(p)), "played": mine, "best": known["moves"][0]})
        return {}

    _tasks: dict[str, Callable[..., dict[str, Any]]] = {  # noqa: RUF012
        "choose": _choose,
        "values": _values,
        "review": _review,
    }


def _line(game: Game, positions: list[Words]) -> Line:
    line = Line(game, p=positions[0])
    for p in positions[1:]:
        line.stand(p)
    return line


def _facts(choice: Decision) -> dict[str, Any]:
    return {
        "value": _finite(choice.value),
        "depth": choice.depth,
        "nodes": choice.interior + choice.leaves,
        "seconds": choice.seconds,
        "notes": choice.notes,
    }


def _finite(value: float | None) -> float | None:
    return None if value is None or value != value or abs(value) == float("inf") else float(value)


def _ranking(
    game: Game,
    agent: Agent,
    p: Words,
    known: Iterable[MoveValue],
    depth: int | None,
    seconds: float,
) -> dict[str, Any]:
    """The moves as a page shows them, the best first."""
    position = Position(game, p)
    listed = []
    for each in known:
        value = _finite(each.value)
        listed.append(
            {
                "move": game.move_text(p, each.move),
                "value": value,
                "end": None if value is None else plies_to_end(value),
                "chance": _chance(game, agent, p, value),
                "line": position.line_texts(each.line or (each.move,)),
                "visits": each.visits,
            }
        )
    return {"moves": listed, "depth": depth, "seconds": seconds}


def _chance(game: Game, agent: Agent, p: Words, value: float | None) -> float | None:
    """The mover's chance to win that a value means."""
    if value is None:
        return None
    curve: Curve = curve_of(game, agent)
    return curve.chance(value)


_MOST_SHOWN = 12
"""Rows and columns of a matrix that a page shows: those that are played most, and the best."""


def _matrix(game: Game, agent: Agent, p: Words, seed: int) -> dict[str, Any]:
    """Where both choose: the payoffs of player 0, and how often each move is best played."""
    choice = agent.choose(p, seed=seed)
    notes: Mapping[str, Any] = choice.notes or {}
    if "matrix" not in notes:
        best = {"move": game.move_text(p, choice.move), "value": None, "end": None}
        known = {**best, "chance": None, "line": [best["move"]], "visits": 0}
        return {"moves": [known], "depth": choice.depth, "seconds": choice.seconds}
    payoffs = np.array(notes["matrix"], float)
    shares = [np.array(notes[key], float) for key in ("row_strategy", "column_strategy")]
    against = [payoffs @ shares[1], -(shares[0] @ payoffs)]
    shown = [np.lexsort((-against[side], -shares[side]))[:_MOST_SHOWN] for side in (0, 1)]
    names = [notes["row_actions"], notes["column_actions"]]

    def side(number: int) -> list[dict[str, Any]]:
        return [
            {"move": names[number][i], "share": float(shares[number][i])} for i in shown[number]
        ]

    return {
        "matrix": {
            "rows": side(0),
            "columns": side(1),
            "payoffs": payoffs[np.ix_(shown[0], shown[1])].tolist(),
            "size": list(payoffs.shape),
            "value": _finite(notes.get("value")),
            "exploitability": _finite(notes.get("exploitability")),
        },
        "depth": choice.depth,
        "seconds": choice.seconds,
    }


def _luck(game: Game, agent: Agent, p: Words, after: Words) -> float | None:
    """What a throw changed in player 0's chance, by the evaluation: the mean over throws is 0."""
    evaluation = getattr(agent, "evaluation", None)
    if evaluation is None:
        return None
    curve = curve_of(game, agent)

    def chance(q: Words) -> float:
        return curve.chance(leaf(game, evaluation.tag, q, 0, 0, evaluation.array))

    mean = sum(share * chance(game.play(p, outcome)) for outcome, share in game.outcomes(p))
    return chance(after) - mean


def _shares(game: Game, agent: Agent, p: Words) -> dict[str, Any] | None:
    """What each feature adds here, and after each move: what a move does for a feature."""
    evaluation = getattr(agent, "evaluation", None)
    if evaluation is None or game.kind(p) != DECISION:
        return None
    mover = int(game.mover(p))
    here = evaluation.shares(game, p, mover)
    after = {}
    if here:
        for move in game.legal_moves(p)[:200]:
            q = game.play(p, move)
            if game.kind(q) in (DECISION, CHANCE):
                after[game.move_text(p, move)] = evaluation.shares(game, q, mover)
    return {
        "name": str(evaluation.spec),
        "value": _finite(evaluation.of(game, p, mover)),
        "shares": here,
        "after": after,
    }
