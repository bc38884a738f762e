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
from collections.abc import Callable, Iterable
from itertools import pairwise

from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, TERMINAL
from petteia.core.record import Ply, Record
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.games.ur.face import UrFace
from petteia.games.ur.face.notation import move_text, tile_name
from petteia.games.ur.rules import PASS

__all__ = ["is_rgn", "read", "write"]

_HEADER = re.compile(r'\[\s*([A-Za-z]\w*)\s+(?:"((?:[^"\\]|\\.)*)"|([A-Za-z][\w.\-]*))\s*\]')
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]*")
_MOVE = re.compile(r"([ABC]\d{1,2}|[AC]@)([ABC]\d{1,2}|[ABC]\+)(x?)(#?)")
_TURN = re.compile(r"\d+\.")
_WIDTH = 60


def is_rgn(text: str) -> bool:
    """Whether a text looks like games in this notation."""
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


def read(game: UrFace, text: str) -> list[Record]:
    """The games of a text, each played by the rules; an error names the first wrong token."""
    found, rest = [], text
    while rest.strip():
        headers: dict[str, str] = {}
        rest = rest.lstrip()
        while match := _HEADER.match(rest):
            headers[match[1]] = _unescaped(match[2]) if match[2] is not None else match[3]
            rest = rest[match.end() :].lstrip()
        end = rest.find("\n[")
        body, rest = (rest, "") if end < 0 else (rest[:end], rest[end + 1 :])
        found.append(_game(game, headers, body.split()))
    return found


def _unescaped(text: str) -> str:
    signs = {"r": "\r", "n": "\n"}
    return re.sub(r"\\(.)", lambda found: signs.get(found[1], found[1]), text)


def _game(game: UrFace, headers: dict[str, str], tokens: list[str]) -> Record:
    p, plies, over = game.start(), list[Ply](), False
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1

        def wrong(why: str, token: str = token, place: int = at) -> PetteiaError:
            return PetteiaError(f"token {place} of the game, {token!r}: {why}")

        if game.kind(p) == TERMINAL:
            raise wrong("the game is over")
        if _TURN.fullmatch(token) or token == "/":
            if int(game.mover(p)) != (1 if token == "/" else 0):
                raise wrong(f"it is the turn of {game.players[game.mover(p)]}")
            continue
        if token == "*":
            raise wrong("no rosette was reached")
        if token.isdecimal():
            if at == len(tokens) or tokens[at] not in ("--", "--#"):
                raise wrong("after a roll without a move -- must follow")
            at += 1
            roll, move = int(token), PASS
        else:
            roll, move, over = _move(game, p, token, wrong)
        if not 0 <= roll <= 4 or game.chance[roll] == 0:
            raise wrong(f"the dice never show {roll}")
        q = game.play(p, roll)
        if move not in game.legal_moves(q):
            raise wrong("there is a move" if move == PASS else "this is not a legal move")
        plies += [Ply("chance", (str(roll),)), Ply("move", (move_text(game, q, move),))]
        p = game.play(q, move)
        landed = move != PASS and bool(int(game.rosettes) >> ((move & 31) + roll) & 1)
        if landed and at < len(tokens) and tokens[at] == "*":
            at += 1
    if over and game.kind(p) != TERMINAL:
        raise PetteiaError("the game ends with #, but nobody has all pieces home")
    result = float(game.result(p)) if game.kind(p) == TERMINAL else None
    names = (headers.pop("Light", "?"), headers.pop("Dark", "?"))
    kept = tuple((k, v) for k, v in headers.items() if k not in ("Rules", "Pieces", "Dice"))
    return Record(str(game), names, "start", tuple(plies), result, kept)


def _move(
    game: UrFace, p: Words, token: str, wrong: Callable[[str], PetteiaError]
) -> tuple[int, int, bool]:
    found = _MOVE.fullmatch(token)
    if found is None:
        raise wrong("expected a move such as A4A2, A@A3 or A7A+, a turn or a roll")
    assert game.kind(p) == CHANCE
    player = int(game.mover(p))
    numbers = {tile_name(game, player, n): n for n in range(game.squares + 2)}
    if found[1] not in numbers or found[2] not in numbers:
        raise wrong(f"{game.players[player]} never comes there")
    source, target = numbers[found[1]], numbers[found[2]]
    return target - source, source, bool(found[4])
