"""The rules beside the board: for every game, and what can be derived for others."""

from __future__ import annotations

from pathlib import Path

from petteia import games
from petteia.web import lessons
from petteia.web.lab import Lab
from petteia.web.messages.requests import Attempt
from petteia.web.settings import Settings
from tests.web.conftest import Served


def test_an_exercise_is_checked_by_the_rules(lab: Served) -> None:
    known = lab.client.get("/api/lesson", params={"spec": "checkers"}).json()
    assert [rule["arrows"] for rule in known["rules"]][1] == [["14", "23", "30"]]
    both = {"game": "checkers", "exercise": 0}
    assert lab.post("/api/lesson/try", {**both, "move": "14x30"})["solved"] is True
    assert lab.post("/api/lesson/try", {**both, "move": "14x21"})["solved"] is False
    for wrong in ({**both, "move": "14-18"}, {**both, "exercise": 7, "move": "14x30"}):
        assert lab.client.post("/api/lesson/try", json=wrong).status_code == 400


def test_a_game_that_nobody_explained_tells_what_can_be_derived() -> None:
    toy = f"{Path(__file__).parents[1] / 'toys.py'}:Race"
    lab = Lab(Settings(store=None, allow_code=True))
    told = lessons.lesson(lab, toy)
    assert told["aim"]
    assert "Chance has its part, as with dice or cards." in told["rules"][0]["text"]
    assert told["exercises"] == []


def test_a_variant_is_taught_by_the_lesson_of_its_game() -> None:
    lab = Lab(Settings(store=None))
    told = lessons.attempt(
        Attempt(game="breakthrough(columns=6, rows=6)", exercise=0, move="b4a5"), lab
    )
    assert told["solved"]
    assert told["view"]["game"] == str(games.make("breakthrough(columns=4, rows=5)"))
