"""``.mat``, the files of Jellyfish, as GNU Backgammon reads and writes them.

The left column is White's. Each player counts his own points; 25 is the bar and 0 is off.
"""

from __future__ import annotations

import re

from petteia.core.errors import PetteiaError
from petteia.core.reading import number_of
from petteia.games.backgammon.formats.played import PlayedGame, PlayedMatch, Turn

__all__ = ["is_mat", "read_mat", "write_mat"]

_GAME = re.compile(r"^\s*Game\s+\d+\s*$", re.MULTILINE)
_LENGTH = re.compile(r"^\s*(\d+)\s+point match\s*$")
_NAMES = re.compile(r"^\s*(.*?)\s*:\s*(\d+)\s*(\S.*?)?\s*:\s*(\d+)\s*$")
_NUMBERED = re.compile(r"^\s*\d+\)")
_WINS = re.compile(r"\bWins?\s+(\d+)\s+points?\b.*$", re.IGNORECASE)
_ENTRY = re.compile(
    r"[1-6]{2}:|(?:Doubles|Beavers|Raccoons)\s*=>\s*\d+|Doubles|Beavers|Takes|Drops|Wins",
    re.IGNORECASE,
)
_RIGHT = 17
"""What begins at this place of a line or farther to the right is the second player's."""
_WIDTH = 31


def is_mat(text: str) -> bool:
    """Whether a text is in this form."""
    return _GAME.search(text) is not None


def read_mat(text: str) -> list[PlayedMatch]:
    """The matches in a text; most files hold one."""
    matches: list[PlayedMatch] = []
    game: PlayedGame | None = None
    is_apart = False
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r").expandtabs()
        length = _LENGTH.match(line)
        if length or (_GAME.match(line) and not matches):
            matches.append(PlayedMatch(length=number_of(length[1]) if length else 0))
            game = None
        if _GAME.match(line):
            game = PlayedGame(number)
            matches[-1].games.append(game)
        elif matches and not length and line.strip() and not line.lstrip().startswith(";"):
            if game is None or (is_apart and _is_strange(game, line)):
                # What stands between two games is a fault of neither.
                game = PlayedGame(number, why=f"{line.strip()[:60]!r} is no part of a game")
                matches[-1].games.append(game)
            if not game.why:
                try:
                    _take(matches[-1], game, line)
                except PetteiaError as error:
                    game.why = f"line {number}: {error}"
        is_apart = not line.strip()
    return [match for match in matches if match.games]


def _is_strange(game: PlayedGame, line: str) -> bool:
    """Whether a line cannot go on with a game that has begun."""
    has_begun = bool(game.turns) or game.points is not None
    return has_begun and not _NUMBERED.match(line) and not _WINS.search(line)


def _take(match: PlayedMatch, game: PlayedGame, line: str) -> None:
    """One line of a game."""
    names = _NAMES.match(line)
    if game.score is None and not game.turns and names and not _NUMBERED.match(line):
        match.names = (names[1] or "?", names[3] or "?")
        game.score = (number_of(names[2]), number_of(names[4]))
        return
    if game.points is not None:
        raise PetteiaError(f"{line.strip()[:60]!r} stands after the end of the game")
    wins = _WINS.search(line)
    if wins:
        sign = -1 if wins.start() >= _RIGHT else 1
        game.points = sign * number_of(wins[1])
        line = line[: wins.start()]
    if not line.strip():
        return
    if not _NUMBERED.match(line):
        raise PetteiaError(f"{line.strip()[:60]!r} is no turn; expected for instance 12) 31: 8/5")
    for player, text in enumerate(_columns(line)):
        if text:
            game.turns.append(Turn(player, text))


def _columns(line: str) -> tuple[str, str]:
    """What the two players did in one line. Who alone acted is told by where it stands."""
    body = _NUMBERED.sub(lambda found: " " * len(found[0]), line)
    begins = [found.start() for found in _ENTRY.finditer(body)]
    if not begins:
        return body.strip(), ""
    before = body[: begins[0]].strip()
    if before or len(begins) > 2:
        raise PetteiaError(f"{line.strip()[:60]!r} is not a turn of each player")
    if len(begins) == 2:
        return body[begins[0] : begins[1]].strip(), body[begins[1] :].strip()
    alone = body[begins[0] :].strip()
    return (alone, "") if begins[0] < _RIGHT else ("", alone)


# --- writing -----------------------------------------------------------------------------------


def write_mat(match: PlayedMatch) -> str:
    """The match as a file. A throw that nobody has played yet is not told in this form."""
    lines = [f" {match.length} point match", ""]
    for number, game in enumerate(match.games, 1):
        lines += [f" Game {number}", *_written(match, game), ""]
    return "\n".join(lines) + "\n"


def _written(match: PlayedMatch, game: PlayedGame) -> list[str]:
    white, black = game.score or (0, 0)
    # A colon ends a name for those who read this, and a line's end the whole line.
    first, second = (re.sub(r"[\s:]+", " ", name).strip() or "?" for name in match.names)
    rows: list[list[str]] = []
    for turn in game.turns:
        if turn.text.isdigit():
            continue
        if turn.player == 0 or not rows or rows[-1][1]:
            rows.append(["", ""])
        # Decisions at the cube stand one place farther in.
        rows[-1][turn.player] = turn.text if turn.text[0].isdigit() else f" {turn.text}"
    lines = [f" {f'{first} : {white}':<{_WIDTH - 1}} {second} : {black}"]
    wins = []
    if game.points is not None:
        plural = "" if abs(game.points) == 1 else "s"
        wins = [f"Wins {abs(game.points)} point{plural}"]
        if game.points < 0 and rows and not rows[-1][1]:  # elsewhere GNU Backgammon misreads it
            rows[-1][1] = f" {wins.pop()}"
    for number, (left, right) in enumerate(rows, 1):
        lines.append(f"{number:3}) {left:<{_WIDTH - 4}} {right}".rstrip())
    indent = 6 if (game.points or 0) > 0 else _WIDTH + 3
    return lines + [f"{'':{indent}}{line}" for line in wins]
