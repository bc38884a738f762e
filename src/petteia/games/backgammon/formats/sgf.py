"""SGF for backgammon (GM[6]), as GNU Backgammon reads and writes it.

Letters are White's points for both players: a to x are 1 to 24, y is the bar and z is off.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from petteia.core.errors import PetteiaError
from petteia.core.reading import Lines, number_of
from petteia.games.backgammon.formats.played import PlayedGame, PlayedMatch, Turn
from petteia.games.backgammon.rules.board import BAR

__all__ = ["is_sgf", "read_sgf", "write_sgf"]

_BEGIN = re.compile(r"\s*\(\s*;")
# Possessive repeats never go back: a bracket that is not closed costs one pass.
_TOKEN = re.compile(r"\s*+(?:([();])|([A-Za-z]++)((?:\s*+\[(?:[^\]\\]++|\\.)*+\])++))", re.DOTALL)
_ROOT = re.compile(r"\s*\(\s*;\s*(?:FF|GM)\s*\[")
"""The beginning of a game, which no variation has."""
_ROOT_LINE = re.compile(r"^[ \t]*\(\s*;\s*(?:FF|GM)\s*\[", re.MULTILINE)
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_RESULT = re.compile(r"([WB])\+(\d+)(R?)", re.IGNORECASE)
_PLAY = re.compile(r"[1-6]{2}(?:[a-z]{2}){0,4}")
_SETTINGS = {"AE", "AW", "AB", "CV", "CO", "CP"}
_RULES = ("Crawford", "CrawfordGame", "Jacoby", "NoCube")
_WORDS = {"double": "Doubles", "take": "Takes", "drop": "Drops"}


def is_sgf(text: str) -> bool:
    """Whether a text is in this form."""
    return _BEGIN.match(text) is not None


def read_sgf(text: str) -> list[PlayedMatch]:
    """The matches in a text: a tree a game, and a game 0 begins a match."""
    matches: list[PlayedMatch] = []
    for line, tree in _trees(text):
        game, fresh = PlayedGame(line), PlayedMatch()
        number = None
        try:
            number = _Tree(game, fresh).read(tree)
        except PetteiaError as error:
            game.why = str(error)
        same = matches and matches[-1].length == fresh.length and number != 0
        if not same or matches[-1].names != fresh.names:
            matches.append(fresh)
        matches[-1].games.append(game)
    return matches


def _trees(text: str) -> Iterator[tuple[int, str]]:
    """The text of every tree, and the line in which it begins.

    A line that begins a game does so always, so that a bracket left open costs no other game.
    """
    lines = Lines(text)
    begins = sorted({0, *(found.start() for found in _ROOT_LINE.finditer(text))})
    for begin, end in itertools.pairwise([*begins, len(text)]):
        for at, tree in _trees_in(text[begin:end]):
            yield lines.at(begin + at), tree


def _trees_in(text: str) -> Iterator[tuple[int, str]]:
    """The trees of one part, and where each begins."""
    begin = depth = at = 0
    last = len(text.rstrip())
    while at < last:
        token, found = _TOKEN.match(text, at), None
        if token is None:  # who reads the tree tells what is wrong; the next one is to be found
            found = _ROOT.search(text, at + 1)
        elif depth:  # the tree before was not closed if a game begins here
            found = _ROOT.match(text, at)
        if token is None or found is not None:
            end = found.start() if found else len(text)
            yield _first(text, begin), text[begin:end]
            begin, depth, at = end, 0, end
            continue
        at = token.end()
        depth += {"(": 1, ")": -1}.get(token[1] or "", 0)
        if depth <= 0:
            yield _first(text, begin), text[begin:at]
            begin, depth = at, 0
    if text[begin:].strip():
        yield _first(text, begin), text[begin:]


def _first(text: str, at: int) -> int:
    """Where the first sign stands that is no space."""
    found = re.compile(r"\S").search(text, at)
    return found.start() if found else at


class _Tree:
    """Reads one tree into a game."""

    def __init__(self, game: PlayedGame, match: PlayedMatch) -> None:
        self.game, self.match = game, match
        self.number: int | None = None
        self.player: int | None = None

    def read(self, text: str) -> int | None:
        """Takes in every property; gives the game's number in its match."""
        at, depth, last = 0, 0, len(text.rstrip())
        while at < last:
            token = _TOKEN.match(text, at)
            if token is None or (not depth and token[1] != "("):
                raise PetteiaError(
                    f"{text[at : at + 40].strip()!r} is no property of SGF; expected for instance "
                    "B[31hefe]"
                )
            at = token.end()
            depth += {"(": 1, ")": -1}.get(token[1] or "", 0)
            if depth > 1:
                raise PetteiaError("a game with variations cannot be read")
            if token[2]:
                # In old files a property may be written out; only its capitals count.
                key = re.sub("[a-z]", "", token[2])
                self.take(key, _VALUE.findall(token[3]))
        if depth:
            raise PetteiaError("the tree does not end with a )")
        return self.number

    def take(self, key: str, values: list[str]) -> None:
        """One property."""
        value = values[0]
        if key in ("PW", "PB"):
            names = list(self.match.names)
            names[key == "PB"] = re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) or "?"
            self.match.names = (names[0], names[1])
        elif key == "GM" and value.strip() != "6":
            raise PetteiaError(f"GM[{_short(value)}] is not backgammon, which is GM[6]")
        elif key == "MI":
            self.match_info(values)
        elif key == "RU":
            self.rules(re.split(r"[:,\s]+", value))
        elif key == "RE":
            self.result(value)
        elif key in ("W", "B"):
            player = "WB".index(key)
            self.game.turns.append(Turn(player, self.turn(player, value)))
        elif key == "PL":
            self.player = "WB".index(value[:1].upper()) if value[:1].upper() in "WB" else None
        elif key == "DI":
            if self.player is None or not re.fullmatch(r"[1-6]{2}", value):
                raise PetteiaError(f"DI[{_short(value)}] is no throw; expected PL[W] and DI[31]")
            self.game.turns.append(Turn(self.player, value))
        elif key in _SETTINGS:
            raise PetteiaError(f"{key}[{_short(value)}] sets up a position, which cannot be read")

    def match_info(self, values: list[str]) -> None:
        """The length of the match, the number of the game, and the score before it."""
        told: dict[str, int] = {}
        for value in values:
            name, _, number = value.partition(":")
            if not re.fullmatch(r"\d{1,5}", number):
                raise PetteiaError(f"MI[{_short(value)}] has no number; expected MI[length:7]")
            told[name] = int(number)
        self.match.length = told.get("length", 0)
        self.number = told.get("game")
        if "ws" in told and "bs" in told:
            self.game.score = (told["ws"], told["bs"])

    def rules(self, words: list[str]) -> None:
        """Crawford and Jacoby; another way to play is refused."""
        strange = [word for word in words if word and word not in _RULES]
        if strange:
            raise PetteiaError(f"RU[{_short(strange[0])}] is not known; {', '.join(_RULES)} are")
        self.match.jacoby = "Jacoby" in words
        self.match.crawford = "Crawford" in words
        self.game.is_crawford = "CrawfordGame" in words

    def result(self, value: str) -> None:
        """``W+2``, ``B+1R`` where it was resigned."""
        found = _RESULT.fullmatch(value.strip())
        if found is None:
            raise PetteiaError(f"RE[{_short(value)}] is no result; expected for instance RE[W+2]")
        self.game.points = number_of(found[2]) * (1 if found[1].upper() == "W" else -1)

    def turn(self, player: int, value: str) -> str:
        """``31hefe`` as ``31: 8/5 6/5``; a double of a double is a beaver."""
        if value == "double" and self.game.turns and self.game.turns[-1].text == "Doubles":
            return "Beavers"
        if value in _WORDS:
            return _WORDS[value]
        if not _PLAY.fullmatch(value):
            raise PetteiaError(f"{value[:20]!r} is no play in SGF; expected for instance 31hefe")
        letters = value[2:]
        places = [_place(letter, player) for letter in letters]
        steps = [f"{a}/{b}" for a, b in zip(places[::2], places[1::2], strict=True)]
        return f"{value[:2]}: {' '.join(steps)}"


def _short(value: str) -> str:
    """A value in an error's one line."""
    return " ".join(value.split())[:20]


def _place(letter: str, player: int) -> int:
    number = ord(letter) - 96
    if number > 24:
        return BAR if number == 25 else 0
    return number if player == 0 else BAR - number


# --- writing -----------------------------------------------------------------------------------


def write_sgf(match: PlayedMatch) -> str:
    """The match as a tree a game."""
    return "".join(_tree(match, game, number) for number, game in enumerate(match.games))


def _tree(match: PlayedMatch, game: PlayedGame, number: int) -> str:
    first, second = (re.sub(r"([\]\\])", r"\\\1", name) for name in match.names)
    white, black = game.score or (0, 0)
    rules = "Jacoby" if match.jacoby else ""
    if match.length and match.crawford:
        rules = "Crawford:CrawfordGame" if game.is_crawford and match.length > 1 else "Crawford"
    root = (
        f"(;FF[4]GM[6]CA[UTF-8]AP[petteia]MI[length:{match.length}][game:{number}][ws:{white}]"
        f"[bs:{black}]PW[{first}]PB[{second}]RU[{rules}]"
    )
    if game.points is not None:
        winner = "W" if game.points > 0 else "B"
        root += f"RE[{winner}+{abs(game.points)}{'R' if game.resigned else ''}]"
    nodes = [root]
    for number, turn in enumerate(game.turns, 1):
        nodes.append(f";{_node(turn)}")
        dropped = [later.text for later in game.turns[number : number + 1]] == ["Drops"]
        if turn.text.startswith("Beavers") and not dropped:
            nodes.append(f";{'WB'[1 - turn.player]}[take]")
    return "\n".join(nodes) + ")\n"


def _node(turn: Turn) -> str:
    colour, text = "WB"[turn.player], turn.text
    if text.isdigit():
        return f"PL[{colour}]DI[{text}]"
    if text[0].isdigit():
        steps = re.findall(r"(\d+)/(\d+)", text)
        return f"{colour}[{text[:2]}{''.join(_letters(turn.player, *step) for step in steps)}]"
    word = "double" if text.startswith("Beavers") else text.split()[0].lower().rstrip("s")
    return f"{colour}[{word}]"


def _letters(player: int, *places: str) -> str:
    found = ""
    for place in map(int, places):
        white = place if player == 0 else BAR - place
        found += "y" if place == BAR else "z" if place == 0 else chr(96 + white)
    return found
