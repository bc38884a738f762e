"""Rules for newcomers: the pictures show legal moves, and exercises can be solved and failed."""

from __future__ import annotations

import pytest

from petteia import games
from petteia.core.game import SIMULTANEOUS, Game
from petteia.core.lesson import Exercise, Rule


def _board(name: str, shown: Rule | Exercise) -> Game:
    return games.make(shown.game or name)


@pytest.mark.parametrize("name", games.names())
def test_the_pictures_of_rules_show_legal_moves(name: str) -> None:
    lesson = games.make(name).lesson
    assert lesson is not None
    for rule in lesson.rules:
        game = _board(name, rule)
        legal = {action.move for action in game.view(game.parse(rule.position)).actions}
        assert legal.issuperset(rule.moves), rule.text


@pytest.mark.parametrize("name", games.names())
def test_every_exercise_can_be_solved_and_failed(name: str) -> None:
    lesson = games.make(name).lesson
    assert lesson is not None
    assert len(lesson.exercises) == 3
    for exercise in lesson.exercises:
        game = _board(name, exercise)
        p, player = game.parse(exercise.position), exercise.player(game)
        both = game.kind(p) == SIMULTANEOUS
        legal = [game.move_text(p, m) for m in game.legal_moves(p, player if both else None)]
        verdicts = {exercise.is_solved(game, text) for text in legal}
        assert verdicts == {True, False}, exercise.task
