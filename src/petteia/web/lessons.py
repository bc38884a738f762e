"""The routes of lessons: the rules of a game in half a minute, and exercises that they check."""

from __future__ import annotations

from typing import Annotated

from fastapi import HTTPException, Query

from petteia import games
from petteia.core.game import DECISION, Game
from petteia.core.lesson import Exercise, Lesson, Rule
from petteia.core.view import View
from petteia.web import catalogue
from petteia.web.lab import TheLab
from petteia.web.messages.lessons import ExerciseShown, LessonShown, RuleShown, Tried
from petteia.web.messages.requests import Attempt
from petteia.web.router import Router
from petteia.web.table import picture

__all__ = ["router"]

router = Router()
_MOST_ARROWS = 3


@router.get("/api/lesson")
def lesson(lab: TheLab, spec: Annotated[str, Query(min_length=1, max_length=600)]) -> LessonShown:
    """How a game is played."""
    game = lab.game(spec)
    listed, known = catalogue.one_game(game), game.lesson or _derived(game)
    return {
        "title": listed["title"],
        "aim": known.aim,
        "names": listed["names"],
        "home": listed["home"],
        "rules": [_rule(game, rule) for rule in known.rules],
        "exercises": [_exercise(game, each) for each in known.exercises],
    }


@router.post("/api/lesson/try")
def attempt(asked: Attempt, lab: TheLab) -> Tried:
    """Whether a move does what an exercise asks for."""
    game = lab.game(asked.game)
    if game.lesson is None:
        raise HTTPException(404, "this game has no exercises")
    exercise = game.lesson.exercise(asked.exercise)
    board = _board(game, exercise)
    played = exercise.played(board, asked.move)
    solved = exercise.goal(played)
    return {
        "solved": solved,
        "words": exercise.praise if solved else "Not quite. Try another move.",
        "view": picture(board, played.position, played.action.path),
    }


def _board(game: Game, shown: Rule | Exercise) -> Game:
    """The game in a picture: the lesson's own, without the variant that somebody plays."""
    return games.make(shown.game or game.name)


def _arrows(view: View, moves: tuple[str, ...]) -> list[tuple[str, ...]]:
    named = {action.move: action for action in view.actions if action.move in moves}
    return [path for move in moves for path in (named[move].parts or (named[move].path,))]


def _rule(game: Game, rule: Rule) -> RuleShown:
    board = game if game.lesson is None else _board(game, rule)
    p = board.parse(rule.position)
    arrows = _arrows(board.view(p), rule.moves)
    return {"text": rule.text, "view": picture(board, p), "arrows": list(arrows)}


def _exercise(game: Game, exercise: Exercise) -> ExerciseShown:
    board = _board(game, exercise)
    view = picture(board, board.parse(exercise.position))
    return {"task": exercise.task, "view": view, "player": exercise.player(board)}


def _derived(game: Game) -> Lesson:
    """What can be told about a game that nobody has explained."""
    p = game.start()
    view, listed = game.view(p), catalogue.one_game(game)
    names = " and ".join(game.players)
    who = f"; {game.players[int(game.mover(p))]} begins" if game.kind(p) == DECISION else ""
    told = [f"Two players: {names}{who}."]
    if game.has_chance:
        told.append("Chance has its part, as with dice or cards.")
    if game.has_simultaneous:
        told.append("Both choose in secret, at the same time.")
    if view.actions:
        told.append(f"At the start {len(view.actions)} moves are possible.")
    drawn = tuple(action.move for action in view.actions if action.path)[:_MOST_ARROWS]
    return Lesson(listed["about"], (Rule(" ".join(told), game.text(p), drawn),), ())
