"""A user's game and evaluation tried as plain Python before anything is compiled.

Compiled code neither checks an index nor ends a loop; the interpreter finds the same mistake and
knows the line. Every position is tried here before it is played compiled.
"""

from __future__ import annotations

import difflib
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from petteia.core.errors import CodeError
from petteia.core.evaluation import (
    Evaluation,
    LinearEvaluation,
    PlainEvaluation,
    WeightedEvaluation,
)
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, SLACK, TERMINAL, Game, Kind
from petteia.core.own_code import OutOfRoom, Watch, blamed, is_own
from petteia.core.seeds import derive
from petteia.core.words import Words

__all__ = ["KERNELS", "Trial", "is_own_game", "try_evaluation", "try_game"]

KERNELS = (
    "start", "kind", "mover", "moves", "play", "result", "chances", "moves_of", "play_both",
    "identity", "lookback", "priority", "noisy_moves", "forced", "restless", "known", "certain",
    "count_moves", "nth_move", "count_moves_of", "nth_move_of", "count_chances", "chance_at",
)  # fmt: skip
"""The methods of a game that are compiled."""

_PLIES = 6
_ADVICE = {
    "moves": "write each move into out[at], add 1 to at, and return at",
    "moves_of": "write each move into out[at], add 1 to at, and return at",
    "noisy_moves": "write each move into out[at], add 1 to at, and return at",
    "chances": "write out[at] and prob[at], add 1 to at, and return at",
    "kind": "return DECISION, CHANCE, SIMULTANEOUS or TERMINAL",
    "mover": "return 0 or 1",
    "restless": "return True or False",
}


def is_own_game(game: Game) -> bool:
    """Whether a game's class is a user's, and not one of ours."""
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return file is not None and is_own(file)


class _Room(np.ndarray):
    """The array that a rule writes its moves into: counts them, and refuses writes outside."""

    written: int
    most: int

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, (int, np.integer)) and not 0 <= at < self.written:
            raise OutOfRoom(f"reads place {at} of an array in which it wrote {self.written}")
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, (int, np.integer)):
            if at < 0:
                raise OutOfRoom(f"writes place {at}, which lies before the first; at begins at 0")
            if at >= self.most:
                raise OutOfRoom(
                    f"more moves than max_moves = {self.most}; give the class a larger max_moves"
                )
            if self.dtype == np.int64 and not isinstance(value, (int, np.integer)):
                raise OutOfRoom(
                    f"writes the move {value!r}, {_sort(value)}; a move is a whole number (// "
                    "divides without a remainder)"
                )
            self.written = max(self.written, int(at) + 1)
        super().__setitem__(at, value)


def _room(most: int, dtype: Any) -> _Room:
    room = np.zeros(most + SLACK, dtype).view(_Room)
    room.written, room.most = 0, most
    return room


def _sort(value: Any) -> str:
    """What kind of thing a value is, for people."""
    names = {
        int: "a plain int", float: "a float", bool: "a truth value", str: "a text",
        list: "a list", tuple: "a tuple", dict: "a dict", set: "a set", np.uint64: "a word",
        np.float64: "a float", np.int64: "a signed number", np.bool_: "a truth value",
    }  # fmt: skip
    return names.get(type(value), f"a {type(value).__name__}")


class Trial:
    """Calls a game's rules as plain Python and checks each answer against the contract."""

    def __init__(self, game: Game, tell: Callable[[str, Words], None] | None = None) -> None:
        self.game = game
        self.tell = tell or (lambda what, p: None)
        self.watch = Watch()
        self._shape()
        self.start: Words = self._words("start", (), None)

    # --- the class --------------------------------------------------------------------------------

    def _shape(self) -> None:
        """The kernels are methods, and take what they are given."""
        game, kind = self.game, type(self.game)
        for name in KERNELS:
            method = getattr(kind, name)
            if name in vars(game):
                raise blamed(
                    kind.__init__, f"self.{name} hides the method {name}; give it another name"
                )
            if not inspect.isfunction(method):
                raise blamed(kind, f"{name} is {_sort(method)}; it should be a plain method")
            wanted = list(inspect.signature(getattr(Game, name)).parameters)
            try:
                inspect.signature(method).bind(*wanted)
            except TypeError:
                taken = ", ".join(inspect.signature(method).parameters)
                says = f"{name} takes ({taken}); it should take ({', '.join(wanted)})"
                raise blamed(method, says) from None
        for key, parameter in inspect.signature(kind).parameters.items():
            if parameter.kind not in _MANY and not hasattr(game, key):
                raise blamed(
                    kind.__init__,
                    f"the parameter {key} is not kept; write self.{key} = {key} in __init__",
                )

    def misspelt(self) -> None:
        """Raises if a method's name is nearly that of one that searches call."""
        kind = type(self.game)
        contract = {name for name in dir(Game) if not name.startswith("_")}
        for name, thing in vars(kind).items():
            if name in contract or name.startswith("_") or not inspect.isfunction(thing):
                continue
            for meant in difflib.get_close_matches(name, contract, 1, 0.85):
                if getattr(kind, meant) is getattr(Game, meant):
                    raise blamed(thing, f"{name} is never asked for; did you mean {meant}?")

    # --- answers ----------------------------------------------------------------------------------

    def _fault(self, name: str, says: str) -> CodeError:
        return blamed(getattr(type(self.game), name), f"in {name}: {says}", self.watch.line)

    def _ask(self, name: str, *arguments: Any) -> Any:
        p = arguments[0] if arguments else ()
        self.tell(f"{name} as plain Python", p)
        return self.watch.call(getattr(self.game, name), *arguments)

    def _whole(self, name: str, *arguments: Any) -> int:
        value = self._ask(name, *arguments)
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, np.bool_):
            return int(value)
        advice = _ADVICE.get(name, "return a whole number")
        if value is None:
            raise self._fault(name, f"returns nothing here; {advice}")
        raise self._fault(name, f"returns {_sort(value)}, {value!r}; {advice}")

    def _words(self, name: str, arguments: tuple[Any, ...], size: int | None) -> Words:
        value = self._ask(name, *arguments)
        if value is None:
            raise self._fault(name, "returns nothing here; return a tuple of U(...) words")
        if type(value) is not tuple:
            raise self._fault(name, f"returns {_sort(value)}; return a tuple of U(...) words")
        for place, word in enumerate(value):
            if type(word) is not np.uint64:
                raise self._fault(
                    name, f"word {place} is {word!r}, {_sort(word)}, not a word; write U(...)"
                )
        if size is not None and len(value) != size:
            raise self._fault(
                name, f"returns {len(value)} words, but start() has {size}; it must be as many"
            )
        return value

    def _moves(self, name: str, p: Words, *before: Any) -> list[int]:
        out = _room(self.game.max_moves, np.int64)
        end = self._whole(name, p, *before, out, 0)
        listed = self._listed(name, out, end)
        counts, nth = f"count_{name}", f"nth_{name.replace('moves', 'move')}"
        if nth in _GAME and getattr(type(self.game), nth) is not _GAME[nth]:
            out = _room(self.game.max_moves, np.int64)
            count = self._whole(counts, p, *before, out)
            if count != len(listed):
                raise self._fault(counts, f"returns {count}, but {name} lists {len(listed)}")
            for n, move in enumerate(listed):
                found = self._whole(nth, p, *before, n, out)
                if found != move:
                    raise self._fault(nth, f"returns {found} for n = {n}, but {name} lists {move}")
        return listed

    def _listed(self, name: str, out: _Room, end: int) -> list[int]:
        # Fewer is possible where moves were written and then some of them struck out.
        forgotten = end == 0 and out.written > 0 and name != "noisy_moves"
        if not 0 <= end <= out.written or forgotten:
            raise self._fault(
                name, f"returns {end}, but wrote {out.written} moves; {_ADVICE[name]}"
            )
        return [int(move) for move in out[:end].tolist()]

    def result(self, p: Words) -> float:
        """The points at the end."""
        value = self._ask("result", p)
        if value is None:
            raise self._fault("result", "returns nothing here; return the points of player 0")
        if isinstance(value, (bool, np.bool_)) or not isinstance(
            value, (int, float, np.integer, np.floating)
        ):
            raise self._fault("result", f"returns {value!r}, {_sort(value)}; return a number")
        if not math.isfinite(value):
            raise self._fault("result", f"returns {value}, which is not a finite number of points")
        return float(value)

    def position(self, p: Words) -> list[tuple[int, ...]]:
        """Everything that the rules say of a position; what can be played there."""
        kind = self._whole("kind", p)
        if kind not in (DECISION, CHANCE, SIMULTANEOUS, TERMINAL):
            raise self._fault("kind", f"returns {kind}; {_ADVICE['kind']}")
        if kind != TERMINAL and kind not in self.game.kinds():
            raise self._fault("kind", self.game.lacks(Kind(kind)))
        if kind == TERMINAL:
            self.result(p)
            return []
        if kind == SIMULTANEOUS:
            both = [self._moves("moves_of", p, player) for player in (0, 1)]
            if not all(both):
                raise self._fault("moves_of", f"no move, but the game is not over; {_FIRST}")
            return [(first, second) for first in both[0] for second in both[1]]
        if kind == CHANCE:
            out, prob = (_room(self.game.max_moves, dtype) for dtype in (np.int64, np.float64))
            moves = self._listed("chances", out, self._whole("chances", p, out, prob, 0))
            if not moves:
                raise self._fault("chances", "no outcome here, but kind is CHANCE")
        else:
            mover = self._whole("mover", p)
            if mover not in (0, 1):
                raise self._fault("mover", f"returns {mover}; there are two players, 0 and 1")
            moves = self._moves("moves", p)
            if not moves:
                raise self._fault("moves", f"no move, but the game is not over; {_FIRST}")
            self._hooks(p, moves)
        return [(move,) for move in moves]

    def _hooks(self, p: Words, moves: list[int]) -> None:
        own = {name for name in KERNELS if getattr(type(self.game), name) is not _GAME[name]}
        if "noisy_moves" in own:
            self._moves("noisy_moves", p)
        if "priority" in own:
            for move in moves[:3]:
                self._whole("priority", p, move)
        for name in ("forced", "lookback"):
            if name in own:
                self._whole(name, p)
        if "restless" in own:
            self._whole("restless", p, 0)
        if "identity" in own:
            self._words("identity", (p,), None)

    def play(self, p: Words, moves: tuple[int, ...]) -> Words:
        """The position after a move, or after both players' moves."""
        name = "play" if len(moves) == 1 else "play_both"
        return self._words(name, (p, *moves), len(self.start))

    def line(self, plies: int = _PLIES) -> list[Words]:
        """Positions of a game played at random from the start."""
        found = [self.start]
        for ply in range(plies):
            open_ones = self.position(found[-1])
            if not open_ones:
                break
            found.append(self.play(found[-1], open_ones[derive(0, ply) % len(open_ones)]))
        return found

    # --- evaluations ------------------------------------------------------------------------------

    def value(self, evaluation: Evaluation, p: Words, player: int) -> float:
        """What an evaluation says of a position for a player: a finite number."""
        if type(evaluation) not in (PlainEvaluation, WeightedEvaluation, LinearEvaluation):
            return evaluation.of(self.game, p, player)
        function = evaluation.function
        self.tell(f"evaluation {evaluation.name} as plain Python", p)
        weights = [evaluation.array] if isinstance(evaluation, WeightedEvaluation) else []
        given = (self.game, p, player, *weights)
        found = self.watch.call(function, *given)
        name = getattr(function, "__name__", evaluation.name)

        def fault(says: str) -> CodeError:
            return blamed(function, f"in {name}: {says}", self.watch.line)

        if isinstance(evaluation, LinearEvaluation):
            return self._features(evaluation, found, fault)
        if found is None:
            raise fault("returns nothing here; return a number")
        if isinstance(found, (bool, np.bool_)):
            raise fault(f"returns {found}; return a number, such as 1.0 if ... else 0.0")
        if isinstance(found, tuple):
            raise fault(
                f"returns a tuple; return a number, or give the function weights: {name}.weights "
                '= {"name": 1.0, ...}'
            )
        return _finite(found, "", fault)

    def _features(
        self, evaluation: Evaluation, found: Any, fault: Callable[[str], CodeError]
    ) -> float:
        names = list(evaluation.weights)
        if type(found) is not tuple:
            raise fault(f"returns {_sort(found)}; with weights it should return a tuple of numbers")
        if len(found) != len(names):
            raise fault(f"returns {len(found)} features, but has {len(names)} weights: {names}")
        values = [
            _finite(each, f"feature {name} ", fault)
            for name, each in zip(names, found, strict=True)
        ]
        kinds = sorted({_sort(each) for each in found})
        if len(kinds) > 1:
            raise fault(f"the features are {' and '.join(kinds)}; make each a float(...)")
        return float(np.dot(evaluation.array, values))


def _finite(value: Any, what: str, fault: Callable[[str], CodeError]) -> float:
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        raise fault(f"{what}returns {value!r}, {_sort(value)}; return a number".lstrip())
    if not math.isfinite(value):
        raise fault(f"{what}returns {value}; a value must be finite")
    return float(value)


_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_GAME = {name: getattr(Game, name) for name in KERNELS}
_FIRST = "say TERMINAL where nobody can move"


def try_game(game: Game, given: Mapping[str, Any]) -> None:
    """A quick test of a user's game, to report obvious mistakes at once.

    ``given`` are the arguments that made it, which its spec must name again.
    """
    for key, value in given.items():
        kept = getattr(game, key, value)
        if isinstance(value, (int, float, str)) and kept != value:
            raise blamed(
                type(game).__init__,
                f"the parameter {key}={value} is kept as {kept!r}; keep it as it is given",
            )
    Trial(game).line()


def _positions(game: Game) -> list[Words]:
    """Some positions in which a player decides."""
    if is_own_game(game):
        found = Trial(game).line()
    else:  # our own rules are tested, and may use the buffers as they like
        found = [game.start()]
        for ply in range(_PLIES):
            p = found[-1]
            if game.kind(p) == TERMINAL:
                break
            moves = (
                game.legal_moves(p)
                if game.kind(p) != CHANCE
                else [outcome for outcome, _ in game.outcomes(p)]
            )
            move = moves[derive(0, ply) % len(moves)]
            if game.kind(p) == SIMULTANEOUS:
                found.append(game.play_both(p, move, game.legal_moves(p, 1)[0]))
            else:
                found.append(game.play(p, move))
    return [p for p in found if game.kind(p) in (DECISION, SIMULTANEOUS)]


_tried: dict[tuple[Any, str], None] = {}


def try_evaluation(game: Game, evaluation: Evaluation) -> None:
    """A quick test of a user's evaluation on positions of the game."""
    check_weights(evaluation)
    key = (evaluation.function, str(game))
    if key in _tried:
        return
    trial = Trial(game)
    for p in _positions(game):
        for player in (0, 1):
            trial.value(evaluation, p, player)
    _tried[key] = None


def check_weights(evaluation: Evaluation) -> None:
    """Weights are numbers by name."""
    weights: Any = evaluation.weights
    for key, value in weights.items():
        if (
            not isinstance(key, str)
            or isinstance(value, bool)
            or not isinstance(value, (int, float))
        ):
            raise blamed(
                evaluation.function,
                f"the weight {key!r} is {value!r}; weights are numbers by name, such as "
                '{"mine": 2.0}',
            )
