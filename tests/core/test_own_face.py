"""What a game shows that says little about its face."""

from __future__ import annotations

from petteia.core.game import Game
from petteia.core.position import Position
from petteia.core.view import Action, view_of_rows
from tests.toys import Heap


def _paths(*moves: str) -> list[tuple[str, ...]]:
    actions = tuple(Action(move) for move in moves)
    view = view_of_rows(["..", "x."], "xo", game="g", status="", mover=0, actions=actions)
    return [action.path for action in view.actions]


def test_a_move_that_names_cells_can_be_clicked() -> None:
    assert _paths("a1", "a1-b2", "a1xb2", "a1b2") == [("a1",), *[("a1", "b2")] * 3]


def test_other_moves_are_words() -> None:
    assert _paths("pass", "c1", "a1 b1 hit", "3", "") == [()] * 5


def test_a_path_that_the_game_names_stays() -> None:
    actions = (Action("a1", ("b2",)),)
    view = view_of_rows([".."], "xo", game="g", status="", mover=0, actions=actions)
    assert view.actions == actions


def test_without_a_picture_the_words_are_shown() -> None:
    assert Position.of(Heap()).draw().strip() == "5 0; first to move"


def test_evaluations_may_be_plain_functions() -> None:
    def many(game: Game, p: tuple[int, ...], player: int) -> float:
        """More is better."""
        return float(p[0])

    class Own(Heap):
        evaluations = {"many": many}  # type: ignore[dict-item]  # noqa: RUF012

    assert Own.evaluations["many"].about == "More is better."
    assert Own.evaluations["many"].of(Own(), Own().start(), 0) == 5.0
