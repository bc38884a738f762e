"""Royal Game Notation: whole games, as RoyalUr writes them, read and written.

    [Light massugu]
    [Dark "ashikazu(depth=2)"]

    1. A@A1 * A1B1 / C@C3
    2. B1B4 * 0 -- / C3C1 * C@C4

``n.`` opens light's turn, ``/`` dark's; all rolls of a turn follow each other. A move is its two
tiles, ``@`` the hand and ``+`` home, ``x`` after a capture, ``*`` after a rosette, ``#`` at the end
of a finished game. The roll is the distance of the tiles, so that it is written only where there is
no move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from petteia.core.collection import Collection, Entry
from petteia.core.errors import LineError, PetteiaError
from petteia.core.game import CHANCE, DECISION, TERMINAL
from petteia.core.record import Ply, Record
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.games.ur.face import UrFace
from petteia.games.ur.face.notation import move_text, tile_name
from petteia.games.ur.rules import PASS
from petteia.games.ur.rules.rule_sets import RULE_SETS

__all__ = ["is_rgn", "read", "write"]

_HEADER = re.compile(r'\[\s*([A-Za-z]\w*)\s+(?:"((?:[^"\\]|\\.)*)"|([A-Za-z0-9][\w.\-]*))\s*\]')
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]*")
_MOVE = re.compile(r"([ABC]\d{1,2}|[AC]@)([ABC]\d{1,2}|[ABC]\+)(x?)(#?)")
_TURN = re.compile(r"[0-9]+\.")
_WORD = re.compile(rf"{_MOVE.pattern}|{_TURN.pattern}|[0-9]{{1,3}}|--|[*/]")
_ROLL = re.compile(r"[0-9]{1,3}")
_KEPT_APART = ("Light", "Dark", "Rules", "Pieces", "Dice")
"""Headers that a record keeps in its own fields."""
_WIDTH = 60


def is_rgn(text: str) -> bool:
    """Whether a text looks like games in this notation."""
    is_own = '[Game "' in text
    if not is_own and re.search(r"^\ufeff?\s*\[\s*(Light|Dark)\s", text, re.MULTILINE):
        return True
    body = _HEADER.sub("", text)
    return bool(re.search(r"(?<!\S)(1\.\s+)?([ABC]\d|[AC]@)[ABC](\d|\+)|(?<!\S)\d --", body))


# --- writing -----------------------------------------------------------------------------------


def _header(key: str, value: str) -> str:
    if not _BARE.fullmatch(value):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        value = '"' + escaped.replace("\r", "\\r").replace("\n", "\\n") + '"'
    return f"[{key} {value}]"


def write(game: UrFace, played: Record) -> str:
    """The text of a game; it must begin at the start."""
    if played.start != "start":
        raise PetteiaError("Royal Game Notation has no place for a game that begins elsewhere")
    line = replay(played, game)
    headers = {"Light": played.players[0], "Dark": played.players[1], "Rules": game.rules}
    headers |= {"Pieces": str(game.count), "Dice": str(game.dice_count)}
    headers |= {key: value for key, value in played.headers if key not in headers}
    turns: list[tuple[int, list[str]]] = []
    for p, q in pairwise(line):
        if game.kind(p) != DECISION:
            continue
        mover = int(game.mover(p))
        if not turns or turns[-1][0] != mover:
            turns.append((mover, []))
        turns[-1][1].extend(_tokens(game, p, q))
    return "\n".join([*(_header(*item) for item in headers.items()), "", *_lines(turns), ""])


def _tokens(game: UrFace, p: Words, q: Words) -> list[str]:
    """One roll with what was done with it."""
    (move,) = {m for m in game.legal_moves(p) if game.play(p, m) == q}
    player, roll = int(game.mover(p)), int(game.roll(p))
    if move == PASS:
        return [str(roll), "--"]
    source = move & 31
    target = source + roll
    text = tile_name(game, player, source) + tile_name(game, player, target)
    other = 1 - player
    if game.hand(q, other) > game.hand(p, other):
        text += "x"
    if game.kind(q) == TERMINAL:
        return [text + "#"]
    return [text, "*"] if int(game.rosettes) >> target & 1 else [text]


def _lines(turns: Iterable[tuple[int, list[str]]]) -> list[str]:
    lines, number, line = list[str](), 0, ""
    for mover, tokens in turns:
        if mover == 0:
            if line:
                lines.append(line)
            number += 1
            line = f"{number}."
        else:
            line += " /"
        for token in tokens:
            if len(line) + 1 + len(token) > _WIDTH:
                lines.append(line)
                line = token
            else:
                line += f" {token}"
    return [*lines, line] if line else lines


# --- reading -----------------------------------------------------------------------------------


@dataclass
class _Part:
    """The lines of one game."""

    line: int
    headers: dict[str, str] = field(default_factory=dict)
    wrong: LineError | None = None
    """The first header that cannot be read."""
    tokens: list[tuple[int, str]] = field(default_factory=list)
    """Each with its line."""


def read(game: UrFace, text: str) -> Collection:
    """The games of a text, each played by the rules; a fault names the first wrong token."""
    return Collection(tuple(_entry(game, part) for part in _parts(text)))


def _parts(text: str) -> Iterator[_Part]:
    """The games of a text. A header begins the next one after moves or an empty line, or if this
    one has it already; after an empty line also turn 1, a line with what is no word of the
    notation, and whatever follows a finished game."""
    part: _Part | None = None
    is_apart = True
    for number, line in enumerate(text.splitlines(), 1):
        rest = line.strip()
        if not rest:
            is_apart = True
        elif part is not None and is_apart and not rest.startswith("["):
            words = rest.split()
            is_strange = words[0] == "1." or not all(map(_WORD.fullmatch, words))
            if part.tokens and (is_strange or part.tokens[-1][1].endswith("#")):
                yield part
                part = None
        while rest.startswith("["):
            found = _HEADER.match(rest)
            if part is None or part.tokens or is_apart or (found and found[1] in part.headers):
                if part is not None:
                    yield part
                part = _Part(number)
            is_apart = False
            if found is None:
                part.wrong = part.wrong or LineError(number, f"{rest[:40]!r} is not a whole header")
                rest = ""
                break
            part.headers[found[1]] = _unescaped(found[2]) if found[2] is not None else found[3]
            rest = rest[found.end() :].lstrip()
        if rest:
            part = part or _Part(number)
            part.tokens += [(number, token) for token in rest.split()]
            is_apart = False
    if part is not None:
        yield part


def _entry(game: UrFace, part: _Part) -> Entry:
    try:
        if part.wrong is not None:
            raise part.wrong
        remarks = _other_rules(game, part)
        return Entry(part.line, _game(game, part.headers, part.tokens), remarks=remarks)
    except LineError as error:
        return Entry(error.line, None, error.why)
    except PetteiaError as error:
        return Entry(part.line, None, str(error))


def _other_rules(game: UrFace, part: _Part) -> tuple[str, ...]:
    """What the headers say of rules that nobody here knows; other known ones are an error."""
    ours = {"Rules": game.rules, "Pieces": str(game.count), "Dice": str(game.dice_count)}
    known = {"Rules": [*RULE_SETS], "Pieces": [*"1234567"], "Dice": [*"34"]}
    remarks = []
    for key, right in ours.items():
        stated = part.headers.get(key, right)
        if stated.lower() == right:
            continue
        if stated.lower() in known[key]:
            raise PetteiaError(f"the header says {key} {stated}, but {game} has {right}")
        remarks.append(f"{key} {stated[:40]} are not known here; read as {right}")
    return tuple(remarks)


def _unescaped(text: str) -> str:
    signs = {"r": "\r", "n": "\n"}
    return re.sub(r"\\(.)", lambda found: signs.get(found[1], found[1]), text)


def _game(game: UrFace, headers: dict[str, str], tokens: list[tuple[int, str]]) -> Record:
    p, plies, over = game.start(), list[Ply](), False
    at = 0
    while at < len(tokens):
        line, token = tokens[at]
        at += 1

        def wrong(why: str, line: int = line, token: str = token, place: int = at) -> LineError:
            return LineError(line, f"token {place} of the game, {token[:40]!r}: {why}")

        if game.kind(p) == TERMINAL:
            raise wrong("the game is over")
        if _TURN.fullmatch(token) or token == "/":
            if int(game.mover(p)) != (1 if token == "/" else 0):
                raise wrong(f"it is the turn of {game.players[game.mover(p)]}")
            continue
        if token == "*":
            raise wrong("no rosette was reached")
        captures = False
        if _ROLL.fullmatch(token):
            if at == len(tokens) or tokens[at][1] != "--":
                raise wrong("after a roll without a move -- must follow")
            at += 1
            roll, move = int(token), PASS
        else:
            roll, move, captures, over = _move(game, p, token, wrong)
        if not 0 <= roll <= 4 or game.chance[roll] == 0:
            raise wrong(f"the dice never show {roll}")
        q = game.play(p, roll)
        if move not in game.legal_moves(q):
            raise wrong("there is a move" if move == PASS else "this is not a legal move")
        plies += [Ply("chance", (str(roll),)), Ply("move", (move_text(game, q, move),))]
        other = 1 - int(game.mover(p))
        p = game.play(q, move)
        if captures and game.hand(p, other) == game.hand(q, other):
            raise wrong("nothing is captured there")
        landed = move != PASS and bool(int(game.rosettes) >> ((move & 31) + roll) & 1)
        if landed and at < len(tokens) and tokens[at][1] == "*":
            at += 1
    if over and game.kind(p) != TERMINAL:
        raise PetteiaError("the game ends with #, but nobody has all pieces home")
    result = float(game.result(p)) if game.kind(p) == TERMINAL else None
    names = (headers.get("Light", "?"), headers.get("Dark", "?"))
    kept = tuple((key, value) for key, value in headers.items() if key not in _KEPT_APART)
    return Record(str(game), names, "start", tuple(plies), result, kept)


def _move(
    game: UrFace, p: Words, token: str, wrong: Callable[[str], LineError]
) -> tuple[int, int, bool, bool]:
    """The roll, the move, and whether it is said to capture and to end the game."""
    found = _MOVE.fullmatch(token)
    if found is None:
        raise wrong("expected a move such as A4A2, A@A3 or A7A+, a turn or a roll")
    assert game.kind(p) == CHANCE
    player = int(game.mover(p))
    numbers = {tile_name(game, player, n): n for n in range(game.squares + 2)}
    if found[1] not in numbers or found[2] not in numbers:
        raise wrong(f"{game.players[player]} never comes there")
    source, target = numbers[found[1]], numbers[found[2]]
    return target - source, source, bool(found[3]), bool(found[4])
