"""Games in the community's files: ``.mat`` (Jellyfish, GNU Backgammon) and SGF.

Both are read into records and written from them. White is the player of the left column of a
``.mat`` file and SGF's W. A file may hold a match of several games; where the game asked for is a
match, they are one record, else each game is a record of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from petteia.core.collection import Collection
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE
from petteia.core.reading import Lines
from petteia.core.record import Record
from petteia.core.replay import record_of, replay
from petteia.core.session import Session
from petteia.core.words import Words
from petteia.games.backgammon.face import BackgammonFace
from petteia.games.backgammon.face.notation import steps_of
from petteia.games.backgammon.rules.board import BAR
from petteia.games.backgammon.rules.state import CUBE, OPENING, PLAY, ROLL, TAKE, parts_of

__all__ = ["games_in", "write_mat", "write_sgf"]

_MATCH = re.compile(r"^\s*(\d+) point match", re.MULTILINE)
_NAMES = re.compile(r"^\s*(.+?)\s*:\s*(\d+)\s{2,}(.+?)\s*:\s*(\d+)\s*$")
_NUMBERED = re.compile(r"^\s*(\d+)\)\s?(.*)$")
_WINS = re.compile(r"Wins?\s+(\d+)\s+points?", re.IGNORECASE)
_ENTRY = re.compile(r"[1-6]{2}:|Doubles|Takes|Drops|Wins")
_LEFT = 12
"""What begins farther to the right is the second player's."""
_ROLL = re.compile(r"\s*([1-6])([1-6]):\s*(.*)")

Turn = tuple[int, str]
"""A player and what he did: ``31: 8/5 6/5``, ``Doubles => 2``, ``Takes`` or ``Drops``."""


def games_in(game: BackgammonFace, text: str) -> Collection | None:
    """The games of a text in one of these forms; None if it is in neither."""
    if re.match(r"\s*\(;", text):
        records, begins = _assembled(game, *_sgf_games(text)), re.finditer(r"\(\s*;", text)
    elif re.search(r"^\s*Game \d+", text, re.MULTILINE):
        records = _assembled(game, *_mat_games(text))
        begins = re.finditer(r"^[ \t]*Game \d+", text, re.MULTILINE)
    else:
        return None
    lines = Lines(text)
    places = [lines.at(found.start()) for found in begins]
    return Collection.of(records, places[: len(records)])


# --- reading -----------------------------------------------------------------------------------


def _assembled(
    game: BackgammonFace, names: tuple[str, str], length: int, games: Sequence[Sequence[Turn]]
) -> list[Record]:
    if game.match and length != game.match:
        raise PetteiaError(f"the file holds a match to {length}, the game is {game}")
    if game.match:
        return [_record(game, names, [turn for turns in games for turn in turns])]
    return [_record(game, names, turns) for turns in games]


def _record(game: BackgammonFace, names: tuple[str, str], turns: Sequence[Turn]) -> Record:
    session = Session(game, names)
    for number, (player, text) in enumerate(turns, 1):
        try:
            if session.is_over:
                raise PetteiaError("the game is over")
            roll = _ROLL.fullmatch(text)
            if roll is None:
                _cube_turn(game, session.p, player, text)
                word = {"doubles": "double", "takes": "take", "drops": "drop"}
                session.play(word[text.split()[0].lower()])
                continue
            if parts_of(session.p[4])["phase"] == CUBE:
                session.play("roll")
            session.throw(_throw(game, session.p, player, int(roll[1]), int(roll[2])))
            session.play(roll[3].strip() or "pass")
        except PetteiaError as error:
            raise PetteiaError(f"turn {number} ({text.strip()}): {error}") from None
    return record_of(session, names, session.result)


def _cube_turn(game: BackgammonFace, p: Words, player: int, text: str) -> None:
    word = text.split()[0].lower() if text.split() else ""
    if word not in ("doubles", "takes", "drops"):
        raise PetteiaError(f"{text.strip()!r} is neither a roll nor a decision at the cube")
    if parts_of(p[4])["phase"] not in (CUBE, TAKE) or int(game.mover(p)) != player:
        raise PetteiaError(f"{game.players[player]} cannot do that here in {game}")


def _throw(game: BackgammonFace, p: Words, player: int, first: int, second: int) -> int:
    parts = parts_of(p[4])
    if parts["phase"] not in (OPENING, ROLL):
        raise PetteiaError("no throw is due here")
    if parts["phase"] == ROLL and parts["mover"] != player:
        raise PetteiaError(f"it is not {game.players[player]}'s turn")
    if not game.course:
        first, second = max(first, second), min(first, second)
    wanted = first << 3 | second | (player << 6 if parts["phase"] == OPENING else 0)
    if wanted not in [throw for throw, _ in game.outcomes(p)]:
        raise PetteiaError(f"a throw of {first}{second} is not possible here")
    return wanted


def _mat_games(text: str) -> tuple[tuple[str, str], int, list[list[Turn]]]:
    found = _MATCH.search(text)
    length = int(found[1]) if found else 0
    names, games = ("?", "?"), list[list[Turn]]()
    for line in text.splitlines():
        if line.lstrip().startswith(";") or not line.strip():
            continue
        if re.match(r"\s*Game \d+", line):
            games.append([])
            continue
        header = _NAMES.match(line)
        if header and games and not games[-1] and not _NUMBERED.match(line):
            names = (header[1], header[3])
            continue
        numbered = _NUMBERED.match(line)
        if numbered and games:
            for player, part in enumerate(_columns(line)):
                if part and not _WINS.search(part):
                    games[-1].append((player, part))
        elif games and _ENTRY.search(_WINS.sub("", line)):
            raise PetteiaError(f"{line.strip()[:60]!r} is a turn without its number, such as 12)")
    return names, length, games


def _columns(line: str) -> tuple[str, str]:
    """What the two players did in one line. Who alone acted is told by where it stands."""
    body = _NUMBERED.match(line)
    assert body is not None
    rest = body[2]
    begins = [found.start() for found in _ENTRY.finditer(rest)]
    if len(begins) > 1:
        return rest[begins[0] : begins[1]].strip(), rest[begins[1] :].strip()
    if begins:
        alone = rest[begins[0] :].strip()
        return (alone, "") if begins[0] < _LEFT else ("", alone)
    return rest.strip(), ""


# --- SGF ---------------------------------------------------------------------------------------

_NODE = re.compile(r"([A-Z]{1,2})((?:\s*\[(?:\\.|[^\]\\])*\])+)")
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]")


def _sgf_games(text: str) -> tuple[tuple[str, str], int, list[list[Turn]]]:
    names, length, games = ["?", "?"], 0, list[list[Turn]]()
    for tree in re.split(r"\(\s*;", text)[1:]:
        turns: list[Turn] = []
        strange = re.sub(r"[\s;()]+", " ", _NODE.sub(" ", tree)).strip()
        if strange:
            raise PetteiaError(
                f"{strange[:40]!r} is no property of SGF; expected for instance B[31hefe]"
            )
        for key, raw in _NODE.findall(tree):
            values = _VALUE.findall(raw)
            if key == "PW":
                names[0] = values[0]
            elif key == "PB":
                names[1] = values[0]
            elif key == "MI":
                for value in values:
                    name, _, number = value.partition(":")
                    length = int(number) if name == "length" and number.isdigit() else length
            elif key in ("W", "B"):
                turns.append(("WB".index(key), _sgf_turn("WB".index(key), values[0])))
        games.append(turns)
    return (names[0], names[1]), length, games


def _sgf_turn(player: int, value: str) -> str:
    """``31hefe`` as ``31: 8/5 6/5``; letters are White's points for both players."""
    if value in ("double", "take", "drop"):
        return {"double": "Doubles", "take": "Takes", "drop": "Drops"}[value]
    if not re.fullmatch(r"[1-6]{2}(?:[a-z]{2})*", value):
        raise PetteiaError(f"{value!r} is no play in SGF; expected for instance 31hefe")

    def place(letter: str) -> int:
        number = ord(letter) - 96
        if number > 24:
            return BAR if number == 25 else 0
        return number if player == 0 else BAR - number

    letters = value[2:]
    steps = [f"{place(a)}/{place(b)}" for a, b in zip(letters[::2], letters[1::2], strict=True)]
    return f"{value[:2]}: {' '.join(steps)}"


# --- writing -----------------------------------------------------------------------------------


def _turns(game: BackgammonFace, record: Record) -> Iterator[tuple[Words, int, Words]]:
    """Each move with the positions before and after it, and the throws."""
    line = replay(record, game)
    for p, ply, q in zip(line, record.plies, line[1:], strict=False):
        if ply.kind == "move":
            yield p, game.parse_move(p, ply.texts[0]), q


def _games_of(game: BackgammonFace, record: Record) -> list[list[tuple[int, str, Words, int]]]:
    """The turns of each game: player, what he did, the position and the move."""
    games: list[list[tuple[int, str, Words, int]]] = [[]]
    for p, move, q in _turns(game, record):
        parts = parts_of(p[4])
        player = parts["mover"]
        if parts["phase"] == PLAY:
            dice = f"{parts['first']}{parts['second']}"
            hits = set()
            steps = []
            blots = {step[1] for step in steps_of(p, move)} & _hit_places(move)
            for start, end in steps_of(p, move):
                star = "*" if end in blots and end not in hits else ""
                hits.add(end)
                steps.append(f"{start}/{end}{star}")
            games[-1].append((player, f"{dice}: {' '.join(steps)}", p, move))
        elif parts["phase"] == TAKE:
            games[-1].append((player, ("Takes", "Drops", "Beavers")[move], p, move))
        elif move == 1:
            games[-1].append((player, f"Doubles => {2 << parts['level']}", p, move))
        if game.kind(q) == CHANCE and parts_of(q[4])["phase"] == OPENING:
            games.append([])
    return games


def _hit_places(move: int) -> set[int]:
    return {move >> shift & 31 for shift in range(40, 60, 5)} - {0}


def write_mat(game: BackgammonFace, record: Record) -> str:
    """The record as a ``.mat`` file."""
    lines = [f" {game.match} point match" if game.match else " 0 point match", ""]
    white, black = record.players
    scores = (0, 0)
    for number, turns in enumerate(_games_of(game, record), 1):
        left = f" {white} : {scores[0]}"
        lines += [f" Game {number}", f"{left:<40}{black} : {scores[1]}"]
        rows: list[list[str]] = []
        for player, text, _, _ in turns:
            if player == 0 or not rows or rows[-1][1]:
                rows.append(["", ""])
            rows[-1][player] = text
        for row, (first, second) in enumerate(rows, 1):
            lines.append(f"{row:3}) {first:<35}{second}".rstrip())
        lines.append("")
    return "\n".join(lines) + "\n"


def write_sgf(game: BackgammonFace, record: Record) -> str:
    """The record as SGF, a tree a game."""
    trees = []
    white, black = (re.sub(r"([\]\\])", r"\\\1", name) for name in record.players)
    for number, turns in enumerate(_games_of(game, record)):
        nodes = [
            f"(;FF[4]GM[6]CA[UTF-8]AP[petteia]MI[length:{game.match}][game:{number}][ws:0][bs:0]"
            f"PW[{white}]PB[{black}]"
        ]
        for player, text, p, move in turns:
            word = text.split()[0]
            named = {"Doubles": "double", "Takes": "take", "Drops": "drop"}
            body = named[word] if word in named else _sgf_play(p, move, player)
            nodes.append(f";{'WB'[player]}[{body}]")
        trees.append("\n".join(nodes) + ")")
    return "\n".join(trees) + "\n"


def _sgf_play(p: Words, move: int, player: int) -> str:
    parts = parts_of(p[4])

    def letter(place: int) -> str:
        if place in (0, BAR):
            return "z" if place == 0 else "y"
        return chr(96 + (place if player == 0 else BAR - place))

    steps: Iterable[tuple[int, int]] = steps_of(p, move)
    return f"{parts['first']}{parts['second']}" + "".join(letter(a) + letter(b) for a, b in steps)
