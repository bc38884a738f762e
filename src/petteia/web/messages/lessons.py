"""The rules of a game for newcomers, as the page gets them."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypedDict

from petteia.web.messages.pictures import View

__all__ = ["ExerciseShown", "LessonShown", "RuleShown", "Tried"]


class RuleShown(TypedDict):
    """A rule with its picture; arrows are paths over its cells."""

    text: str
    view: View
    arrows: list[Sequence[str]]


class ExerciseShown(TypedDict):
    """A position in which a move is asked for, and whose move it is."""

    task: str
    view: View
    player: int


class LessonShown(TypedDict):
    """How a game is played."""

    title: str
    aim: str
    names: list[str]
    home: int
    rules: list[RuleShown]
    exercises: list[ExerciseShown]


class Tried(TypedDict):
    """Whether a move does what an exercise asks for, what to say, and what came of it."""

    solved: bool
    words: str
    view: View
