"""The line protocol between a host, who knows the rules, and an engine, who chooses moves.

One message a line, in UTF-8. ``str(message)`` writes it; ``parse_order`` reads what a host says and
``parse_answer`` what an engine says. A line that means nothing is a ``PetteiaError`` of one line.
``docs/protocol.md`` is the specification.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from petteia.core.errors import PetteiaError, one_line, one_of
from petteia.core.record import Ply, parse_ply, ply_text

__all__ = [
    "LIMITS", "VERSION", "Answer", "BestMove", "Go", "Hello", "Identity", "Info", "Legal",
    "NewGame", "Order", "Problem", "Quit", "Ready", "SetGame", "SetPosition", "Stop",
    "parse_answer", "parse_order",
]  # fmt: skip

VERSION = 1
LIMITS = ("time", "nodes", "depth")
"""The keys of ``go`` that end a search."""

_LONGEST_TIME = 1e6
_MOVES = "moves"


def _rest(text: str) -> str:
    """A text that stands at the end of a line as it is."""
    if "\n" in text or text != text.strip():
        raise PetteiaError(f"{one_line(text)!r} does not fit into a line of the protocol")
    return text


def _move_word(text: str) -> str:
    return _ply_word(Ply("move", (text,)))


def _ply_word(ply: Ply) -> str:
    word = ply_text(ply)
    # This word ends the text of a position.
    return word if word != _MOVES else r"\u6d;oves"


def _joined(*words: str) -> str:
    return " ".join(word for word in words if word)


def _pairs(**values: float | int | None) -> str:
    return " ".join(f"{key}={value!r}" for key, value in values.items() if value is not None)


# --- what both say ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """The first message of each side: the version of the protocol that it speaks."""

    version: int = VERSION

    def __str__(self) -> str:
        return f"petteia {self.version}"


# --- what a host says ------------------------------------------------------------------------


@dataclass(frozen=True)
class SetGame:
    """Which game is played from now on."""

    spec: str

    def __str__(self) -> str:
        return f"game {_rest(self.spec)}"


@dataclass(frozen=True)
class NewGame:
    """A game begins: whatever was learned in the last one is forgotten."""

    def __str__(self) -> str:
        return "newgame"


@dataclass(frozen=True)
class SetPosition:
    """Where the game stands: a position, and the plies that were played from it."""

    start: str = "start"
    """``start``, or a text in the game's notation."""
    plies: tuple[Ply, ...] = ()

    def __str__(self) -> str:
        start = "start" if self.start == "start" else f"text {_rest(self.start)}"
        moves = _MOVES if self.plies or start != "start" else ""
        return _joined("position", start, moves, *map(_ply_word, self.plies))


@dataclass(frozen=True)
class Legal:
    """The legal moves of the player who is asked next."""

    moves: tuple[str, ...]

    def __str__(self) -> str:
        return _joined("legal", *map(_move_word, self.moves))


@dataclass(frozen=True)
class Go:
    """The question: which move?"""

    player: int | None = None
    """Who is asked, 0 or 1; whoever is to move where it is missing."""
    time: float | None = None
    """Seconds for this move."""
    nodes: int | None = None
    depth: int | None = None
    """Plies."""
    seed: int | None = None
    """Decides all chance in the engine."""
    others: tuple[str, ...] = ()
    """Words that are not understood and therefore ignored."""

    def __str__(self) -> str:
        known = _pairs(
            player=self.player, time=self.time, nodes=self.nodes, depth=self.depth, seed=self.seed
        )
        return _joined("go", known, *self.others)


@dataclass(frozen=True)
class Stop:
    """Answer soon with the best move so far."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True)
class Quit:
    """End."""

    def __str__(self) -> str:
        return "quit"


# --- what an engine says ---------------------------------------------------------------------


@dataclass(frozen=True)
class Identity:
    """Something about the engine, such as its name."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"id {self.key} {_rest(self.value)}"


@dataclass(frozen=True)
class Ready:
    """What was asked for is done."""

    def __str__(self) -> str:
        return "ready"


@dataclass(frozen=True)
class Info:
    """What the engine knows so far, or a text for people."""

    depth: int | None = None
    """Plies that are finished."""
    value: float | None = None
    """For the player who is asked, in the engine's own units."""
    nodes: int | None = None
    leaves: int | None = None
    """Those nodes that were evaluated or at which the game was over."""
    line: tuple[str, ...] = ()
    """The best line in the game's notation."""
    text: str = ""
    """A text stands alone."""

    def __str__(self) -> str:
        if self.text:
            return f"info text {one_line(self.text)}"
        known = _pairs(depth=self.depth, value=self.value, nodes=self.nodes, leaves=self.leaves)
        line = ("line", *map(_move_word, self.line)) if self.line else ()
        return _joined("info", known, *line)


@dataclass(frozen=True)
class BestMove:
    """The answer."""

    move: str
    """In the game's notation."""
    value: float | None = None
    """For the player who is asked."""

    def __str__(self) -> str:
        return _joined("bestmove", _move_word(self.move), _pairs(value=self.value))


@dataclass(frozen=True)
class Problem:
    """What was asked for cannot be done."""

    text: str

    def __str__(self) -> str:
        return f"error {one_line(self.text)}"


Order: TypeAlias = "Hello | SetGame | NewGame | SetPosition | Legal | Go | Stop | Quit"
Answer: TypeAlias = "Hello | Identity | Ready | Info | BestMove | Problem"


# --- reading ---------------------------------------------------------------------------------

_WHOLE = re.compile(r"[0-9]{1,19}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _whole(text: str, least: int = 0, most: int = 2**63 - 1) -> int:
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise ValueError(f"a whole number from {least} to {most}")
    return int(text)


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise ValueError("a number")
    return float(text)


def _seconds(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not 0 < float(text) <= _LONGEST_TIME:
        raise ValueError(f"seconds above 0, at most {_LONGEST_TIME:.0f}")
    return float(text)


_GO_KEYS: Mapping[str, Callable[[str], float | int]] = {
    "player": lambda text: _whole(text, most=1),
    "time": _seconds,
    "nodes": lambda text: _whole(text, least=1),
    "depth": lambda text: _whole(text, least=1),
    "seed": _whole,
}
_INFO_KEYS: Mapping[str, Callable[[str], float | int]] = {
    "depth": _whole, "value": _number, "nodes": _whole, "leaves": _whole,
}  # fmt: skip
_BEST_KEYS: Mapping[str, Callable[[str], float | int]] = {"value": _number}


def _keyed(
    words: Iterable[str], keys: Mapping[str, Callable[[str], float | int]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The known keys with their values, and the words that are not understood."""
    known: dict[str, Any] = {}
    others = []
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or key not in keys:
            others.append(word)
        elif key in known:
            raise PetteiaError(f"{key} is given twice")
        else:
            try:
                known[key] = keys[key](text)
            except ValueError as error:
                raise PetteiaError(f"{word!r}: expected {error}") from None
    return known, tuple(others)


def _move(word: str) -> str:
    ply = parse_ply(word)
    if ply.kind != "move":
        raise PetteiaError(f"expected one move, found {word!r}")
    return ply.texts[0]


def _hello(rest: str) -> Hello:
    try:
        return Hello(_whole(rest, most=10**6))
    except ValueError:
        raise PetteiaError("expected the version of the protocol, such as 'petteia 1'") from None


def _game(rest: str) -> SetGame:
    if not rest:
        raise PetteiaError("expected a game, such as 'game breakthrough'")
    return SetGame(rest)


def _position(rest: str) -> SetPosition:
    kind, _, rest = rest.partition(" ")
    words = rest.split()
    if kind == "start" and (not words or words[0] == _MOVES):
        return SetPosition("start", tuple(map(parse_ply, words[1:])))
    if kind != "text" or not words or words == [_MOVES]:
        raise PetteiaError("expected 'position start' or 'position text ...', then 'moves ...'")
    text = rest.strip()
    if _MOVES not in words[1:]:
        return SetPosition(text)
    found = list(re.finditer(rf"\s{_MOVES}(?=\s|$)", text))[-1]
    return SetPosition(
        text[: found.start()].rstrip(), tuple(map(parse_ply, text[found.end() :].split()))
    )


def _go(rest: str) -> Go:
    known, others = _keyed(rest.split(), _GO_KEYS)
    return Go(**known, others=others)


def _alone(message: Any) -> Callable[[str], Any]:
    def read(rest: str) -> Any:
        if rest:
            raise PetteiaError(f"nothing may follow, found {one_line(rest)!r}")
        return message

    return read


def _identity(rest: str) -> Identity:
    key, _, value = rest.partition(" ")
    if not key or not value.strip():
        raise PetteiaError("expected a key and a value, such as 'id name Deep Thought'")
    return Identity(key, value.strip())


def _info(rest: str) -> Info:
    kind, _, text = rest.partition(" ")
    if kind == "text":
        return Info(text=one_line(text))
    words = rest.split()
    end = words.index("line") if "line" in words else len(words)
    known, _others = _keyed(words[:end], _INFO_KEYS)
    return Info(**known, line=tuple(map(_move, words[end + 1 :])))


def _best_move(rest: str) -> BestMove:
    words = rest.split()
    if not words:
        raise PetteiaError("expected a move")
    known, _others = _keyed(words[1:], _BEST_KEYS)
    return BestMove(_move(words[0]), **known)


_ORDERS: Mapping[str, Callable[[str], Order]] = {
    "petteia": _hello, "game": _game, "newgame": _alone(NewGame()), "position": _position,
    "legal": lambda rest: Legal(tuple(map(_move, rest.split()))), "go": _go,
    "stop": _alone(Stop()), "quit": _alone(Quit()),
}  # fmt: skip
_ANSWERS: Mapping[str, Callable[[str], Answer]] = {
    "petteia": _hello, "id": _identity, "ready": _alone(Ready()), "info": _info,
    "bestmove": _best_move, "error": lambda rest: Problem(one_line(rest)),
}  # fmt: skip


def _read(line: str, known: Mapping[str, Callable[[str], Any]]) -> Any:
    word, _, rest = line.strip().partition(" ")
    if word not in known:
        raise PetteiaError(one_line(str(one_of(word[:40], known, what="message"))))
    try:
        return known[word](rest.strip())
    except PetteiaError as error:
        raise PetteiaError(one_line(f"{word}: {error}")) from None


def parse_order(line: str) -> Order:
    """What a host says in a line."""
    return cast(Order, _read(line, _ORDERS))


def parse_answer(line: str) -> Answer:
    """What an engine says in a line."""
    return cast(Answer, _read(line, _ANSWERS))
