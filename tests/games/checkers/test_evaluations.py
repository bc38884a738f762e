"""The report's heuristic: worked values, and term by term against a reading of its text."""

from __future__ import annotations

import pytest

from petteia.core.words import Words
from petteia.games.checkers.evaluations import EVALUATIONS, TERMS, report_counts
from tests.games.checkers.boards import board, of_games, printed, scattered

pytestmark = pytest.mark.rules

GAME = board(repetitions=0, quiet_plies=0)
START = GAME.text(GAME.start())


@pytest.mark.parametrize(
    ("fen", "counts", "value"),
    [
        (START, (0, 12, 12, 0, 4, 0, 0), 64),
        ("W:WK26:B25,K29", (1, 0, 0, 0, 0, 0, 0), 8),
        ("W:W31:B18", (0, 1, 1, 0, 1, 0, 0), 6),
        ("W:WK12,20,26:B7,14,15,18,K31", (1, 2, 2, 1, 0, 1, 0), 18.5),
        ("W:W7,11,15:B4,8,K14,16", (0, 3, 1, 0, 0, 1, 1), 15),
    ],
)
def test_worked_values(fen: str, counts: tuple[int, ...], value: float) -> None:
    p = GAME.parse(fen)
    assert report_counts(p, 1) == counts
    assert EVALUATIONS["report"].of(GAME, p, 1) == value
    assert EVALUATIONS["report"].of(GAME, p, 0) == -value


def as_told(p: Words) -> dict[str, int]:
    """The report's procedure over rows and columns, as its text tells it."""
    pieces = printed(p).pieces
    counts = dict.fromkeys(TERMS, 0)
    for (y, x), piece in pieces.items():
        if piece not in "wW":
            continue
        counts["kings" if piece == "W" else "men"] += 1
        counts["home_row"] += y == 7
        counts["middle_rows"] += y in (3, 4)
        counts["middle_columns"] += y in (3, 4) and 2 <= x <= 5
        if y in (0, 7) or x in (0, 7):
            counts["safe"] += 1
            continue
        below = [pieces.get((y + 1, x - 1)), pieces.get((y + 1, x + 1))]
        counts["safe"] += all(at in ("w", "W", "b") for at in below)
        counts["vulnerable"] += any(
            (pieces.get((y + v, x + h)) in takers and (y - v, x - h) not in pieces)
            for v, takers in ((-1, ("b", "B")), (1, ("B",)))
            for h in (-1, 1)
        )
    return counts


def test_every_term_is_as_the_report_tells_it() -> None:
    for p in [*of_games(GAME, 400, 31), *scattered(600, 32)]:
        assert report_counts(p, 1) == tuple(as_told(p).values()), GAME.text(p)


def test_the_terms_of_black_are_those_of_white_with_the_board_turned() -> None:
    for p in scattered(300, 33):
        (turned, _), *_ = GAME.symmetries(p, 0)
        assert report_counts(p, 0) == report_counts(turned, 1)
        assert EVALUATIONS["report_difference"].of(GAME, p, 0) == EVALUATIONS[
            "report_difference"
        ].of(GAME, turned, 1)
