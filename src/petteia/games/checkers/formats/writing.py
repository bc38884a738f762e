"""PDN written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petteia.core.record import wrapped
from petteia.core.words import Words
from petteia.games.checkers.face import CheckersFace
from petteia.games.checkers.formats.games import ENGLISH, PdnGame, PdnMove

__all__ = ["write"]

_WIDTH = 79


def write(game: CheckersFace, found: PdnGame) -> str:
    """The text of a game, with a line's end at its end."""
    words = {-1.0: "1-0", 1.0: "0-1", 0.0: "1/2-1/2", None: "*"}
    result = words[found.result]
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?",
            "Black": "?"} | found.tags | {"Result": result, "GameType": ENGLISH}  # fmt: skip
    start = found.start(game)
    if start != game.start():
        tags |= {"SetUp": "1", "FEN": game.text(start)}
    lines = [f'[{key} "{_escaped(value)}"]' for key, value in tags.items()]
    body = [f"{{{found.comment}}}"] if found.comment else []
    body += [*_line_words(game, start, found.moves, int(game.mover(start))), result]
    return "\n".join([*lines, "", *wrapped(body, _WIDTH), ""])


def _line_words(game: CheckersFace, p: Words, moves: Iterable[PdnMove], ply: int) -> Iterator[str]:
    """The words of a line; ``ply`` counts from 0, Black's moves are even."""
    is_broken = True  # a line, or what follows a comment, names its number again
    for each in moves:
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        elif is_broken:
            yield f"{ply // 2 + 1}..."
        first, *others = each.mark.split() or [""]
        yield game.move_text(p, each.move) + ("" if first.startswith("$") else first)
        yield from [first, *others] if first.startswith("$") else others
        is_broken = bool(each.comment or each.variations)
        if each.comment:
            yield from f"{{{each.comment}}}".split(" ")
        for other in each.variations:
            yield "("
            yield from _line_words(game, p, other, ply)
            yield ")"
        p = game.play(p, each.move)
        ply += 1


def _escaped(text: str) -> str:
    return " ".join(text.splitlines()).replace("\\", "\\\\").replace('"', '\\"')
