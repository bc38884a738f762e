"""Games in the course's own forms: the log of its referee, and games as lines of JSON.

A log holds a game, one line a player and turn, then the result:

    turn 1: upper: THROW symbol s to (4, -2)
    turn 1: lower: THROW symbol r to (-4, 0)
    winner: upper

A line of JSON holds a game as ``{"turns": [[upper, lower], ...], "result": "winner: upper"}``, an
action being the course's tuple as a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from petteia.core.collection import Collection, Entry
from petteia.core.errors import LineError, PetteiaError
from petteia.core.history import repetition_text
from petteia.core.reading import number_of
from petteia.core.record import Ply, Record
from petteia.games.ropasci.face import notation
from petteia.games.ropasci.rules import RoPaSciRules

__all__ = ["games_in", "log_text"]

_TURN = re.compile(r"turn\s+(\d+):\s*(upper|lower)\b:?\s*(.*)", re.IGNORECASE)
_END = re.compile(r"(winner: \w+|draw:.*|error:.*)$")
_REPEATED = "same game state occurred for 3rd time"
_ENDS = {"winner: upper": 1.0, "winner: lower": -1.0}


def games_in(game: RoPaSciRules, text: str) -> Collection | None:
    """The games of a text in one of these forms; None if it is in neither."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines:
        return None
    if lines[0][1].startswith("{"):
        entries = [_entry(number, partial(_of_json, game, number, line)) for number, line in lines]
    elif any(_TURN.search(line) for _, line in lines[:200]):
        entries = [_entry(log[0][0], partial(_of_log, game, log)) for log in _logs(lines)]
    else:
        return None
    return Collection(tuple(entries), refereed=True)


def _entry(line: int, read: Callable[[], tuple[Record, tuple[str, ...]]]) -> Entry:
    try:
        kept, remarks = read()
    except LineError as error:
        return Entry(error.line, None, error.why)
    return Entry(line, kept, remarks=remarks)


def _result(game: RoPaSciRules, text: str, number: int) -> tuple[float, str]:
    """The points of upper, and why a draw is one."""
    if text in _ENDS:
        return _ENDS[text], ""
    kind, _, why = (part.strip() for part in text.partition(":"))
    if kind != "draw":
        raise LineError(
            number,
            f"expected a result such as 'winner: upper' or 'draw: ...', found {text[:60]!r}",
        )
    return 0.0, repetition_text(game).removeprefix("draw: ") if why == _REPEATED else why


def _record(game: RoPaSciRules, plies: list[Ply], result: float | None, why: str) -> Record:
    headers = (("Draw", why),) if why else ()
    return Record(str(game), ("?", "?"), plies=tuple(plies), result=result, headers=headers)


def _text_of(action: Any, number: int) -> str:
    text = action if isinstance(action, str) else json.dumps(action)
    try:
        move = notation.move_of(text)
    except PetteiaError as error:
        raise LineError(number, str(error)) from None
    if move is None:
        raise LineError(
            number,
            f'{text[:60]} is not an action; expected for instance ["SLIDE", [4, -2], [3, -2]]',
        )
    return notation.move_text(move)


def _of_json(game: RoPaSciRules, number: int, line: str) -> tuple[Record, tuple[str, ...]]:
    try:
        found = json.loads(line)
        turns, end = found["turns"], found.get("result")
        pairs = [(first, second) for first, second in turns]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise LineError(
            number,
            f'expected a game as {{"turns": [[upper, lower], ...], "result": ...}} ({error})',
        ) from None
    plies = [
        Ply("both", (_text_of(first, number), _text_of(second, number))) for first, second in pairs
    ]
    result, why = _result(game, str(end), number) if end is not None else (None, "")
    return _record(game, plies, result, why), ()


def _logs(lines: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Logs that follow each other: each ends with its result, or where the next has its turn 1."""
    log: list[tuple[int, str]] = []
    last = 0
    for number, line in lines:
        turn, end = _TURN.search(line), _END.search(line)
        if turn:
            is_first = number_of(turn[1]) == 1 and (turn[2].lower() == "upper" or last > 1)
            last = number_of(turn[1])
            if is_first and log:
                yield log
                log = []
        if turn or (end and log):
            log.append((number, line))
        if end and not turn and log:
            yield log
            log = []
    if log:
        yield log


def _of_log(game: RoPaSciRules, log: list[tuple[int, str]]) -> tuple[Record, tuple[str, ...]]:
    """One game, and whether its log breaks off in the middle of a turn."""
    plies: list[Ply] = []
    upper = ""
    for number, line in log:
        turn = _TURN.search(line)
        if turn is None:
            break
        side, wanted = turn[2].lower(), "lower" if upper else "upper"
        if side != wanted or number_of(turn[1]) != len(plies) + 1:
            raise LineError(
                number, f"expected turn {len(plies) + 1} of {wanted}, found {turn[0][:60]!r}"
            )
        if upper:
            plies.append(Ply("both", (upper, _text_of(turn[3], number))))
            upper = ""
        else:
            upper = _text_of(turn[3], number)
    number, line = log[-1]
    end = None if _TURN.search(line) else _END.search(line)
    if end is None or end[1].startswith("error"):
        broken = (f"breaks off in turn {len(plies) + 1}",) if upper and end is None else ()
        return _record(game, plies, None, ""), broken
    if upper:
        raise LineError(number, f"expected turn {len(plies) + 1} of lower, found {end[1]!r}")
    return _record(game, plies, *_result(game, end[1].strip(), number)), ()


def log_text(game: RoPaSciRules, record: Record) -> str:
    """A game as the course's referee would log it."""
    lines = []
    for number, ply in enumerate(record.plies, 1):
        for name, text in zip(game.players, ply.texts, strict=True):
            move = notation.move_of(text)
            assert move is not None
            kind, *rest = notation.action_of(move)
            words = ("symbol", "to") if kind == "THROW" else ("from", "to")
            lines.append(f"turn {number}: {name}: {kind} {words[0]} {rest[0]} {words[1]} {rest[1]}")
    if record.result is not None:
        why = record.header("Draw")
        if f"draw: {why}" == repetition_text(game):
            why = _REPEATED
        won = {1.0: "winner: upper", -1.0: "winner: lower"}.get(record.result)
        lines.append(won or f"draw: {why}")
    return "\n".join(lines) + "\n"
