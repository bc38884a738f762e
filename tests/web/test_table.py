"""A table keeps what happened at it: moves, dice, secrets, the way back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION
from petteia.web.kept import KeptTables
from petteia.web.messages.searches import ReviewShown
from petteia.web.room import question
from petteia.web.table import Table, picture
from petteia.web.tasks import SearchWorker
from tests.toys import OddEven, Race

SMALL = games.make("breakthrough(columns=4, rows=5)")
TWO = ("person", "person")


def test_moves_are_played_and_taken_back() -> None:
    table = Table(SMALL, TWO)
    table.play("a2a3")
    table.play("b4b3")
    assert [ply.texts for ply in table.plies] == [("a2a3",), ("b4b3",)]
    table.undo()
    assert len(table.plies) == 1
    table.redo()
    assert table.plies[-1].texts == ("b4b3",)
    assert table.serial == 4


def test_undo_goes_back_to_the_persons_own_move() -> None:
    table = Table(SMALL, ("person", "random"))
    table.play("a2a3")
    table.play("b4b3")
    table.undo()
    assert table.plies == []
    table.redo()
    assert len(table.plies) == 2


def test_another_move_closes_the_way_forward() -> None:
    table = Table(SMALL, TWO)
    table.play("a2a3")
    table.undo()
    table.play("b2b3")
    assert table.undone == []
    with pytest.raises(PetteiaError, match="nothing to play again"):
        table.redo()


def test_illegal_moves_change_nothing() -> None:
    table = Table(SMALL, TWO)
    with pytest.raises(PetteiaError, match="not a legal move"):
        table.play("a2a5")
    assert table.serial == 0


def _thrown(table: Table) -> list[str]:
    while table.kind in (CHANCE, DECISION):
        if table.kind == CHANCE:
            table.roll()
        else:
            table.play("1")
    return [ply.texts[0] for ply in table.plies if ply.kind == "chance"]


def test_dice_are_the_same_after_undo() -> None:
    table = Table(Race(), TWO, seed=3)
    first = _thrown(table)
    while table.plies:
        try:
            table.undo()
        except PetteiaError:
            break
    assert _thrown(table) == first
    assert _thrown(Table(Race(), TWO, seed=4)) != first


def test_rolls_are_counted_beside_what_was_expected() -> None:
    table = Table(Race(), TWO, seed=3)
    thrown = _thrown(table)
    assert sum(each["count"] for each in table.rolls()) == len(thrown)
    assert sum(each["expected"] for each in table.rolls()) == pytest.approx(len(thrown))


def test_both_choose_and_are_shown_together() -> None:
    table = Table(OddEven(), TWO)
    view = picture(table.game, table.p)
    assert [len(choices) for choices in view.get("choices", [])] == [3, 2]
    table.play("1", "2")
    assert table.plies[0].texts == ("1", "2")
    with pytest.raises(PetteiaError, match="2 moves"):
        table.play("1")


def test_resigning_ends_the_game_and_undo_takes_it_back() -> None:
    table = Table(SMALL, TWO)
    table.play("a2a3")
    table.resign()
    assert table.is_over
    assert table.result == 1.0
    assert table.state()["view"]["actions"] == []
    table.undo()
    assert not table.is_over


def test_the_last_move_is_marked() -> None:
    table = Table(SMALL, TWO)
    table.play("a2a3")
    assert table.at(1)["last"] == ("a2", "a3")
    assert table.at(0)["last"] == ()


def test_kept_tables_come_back_as_they_were() -> None:
    kept = KeptTables(None, most=2, each=9)
    table = Table(SMALL, ("person", "random"), seed=2**52, owner="me")
    table.play("a2a3")
    table.play("b4b3")
    table.undo()
    table.play("b2b3")
    kept.put(table)
    found = kept.get(table.id)
    assert found.state() == table.state()
    assert found.owner == "me"
    assert [each["id"] for each in kept.recent("me")] == [table.id]
    with pytest.raises(KeyError):
        kept.get("nobody")


def test_old_tables_are_swept() -> None:
    kept = KeptTables(None, most=2, each=9)
    tables = [Table(SMALL, TWO, owner="me") for _ in range(4)]
    for table in tables:
        table.play("a2a3")
        kept.put(table)
    kept.sweep("me")
    assert {each["id"] for each in kept.recent("me")} == {tables[2].id, tables[3].id}


def test_one_visitor_pushes_out_only_his_own_tables() -> None:
    kept = KeptTables(None, most=9, each=3)
    other = Table(SMALL, TWO, owner="other")
    for table in [other, *(Table(SMALL, TWO, owner="me") for _ in range(8))]:
        table.play("a2a3")
        kept.put(table)
        kept.sweep(table.owner)
    assert len(kept.recent("me")) == 3
    assert [each["id"] for each in kept.recent("other")] == [other.id]


def test_games_from_before_there_were_seats_are_their_owners() -> None:
    kept = KeptTables(None, most=9, each=9)
    table = Table(SMALL, TWO, owner="me")
    kept.put(table)
    kept._db.execute("UPDATE tables SET data = json_remove(data, '$.seats')")
    assert kept.get(table.id).seats == ("me", "me")


def test_a_program_outside_is_told_what_was_played_at_the_table() -> None:
    toy = f"{Path(__file__).parents[1] / 'toys.py'}:Pacing(length=12)"
    command = f"{sys.executable} -m petteia engine {toy} engine(depth=2)"
    table = Table(games.make(toy), ("person", f'external(command="{command}", time=20)'))
    for text in ("right", "right", "left", "left", "right", "right", "left"):
        table.play(text)
    asked, desk = question(table, 1), SearchWorker()
    try:
        answer: Any = desk.serve(asked, lambda: None, lambda _: None)
        assert (answer["move"], answer["value"]) == ("left", 0.0)  # for the third time
        # The position alone: it is asked there, and not at the start.
        alone = asked.model_copy(update={"plies": None})
        answer = desk.serve(alone, lambda: None, lambda _: None)
        assert answer["value"] == -5.0
    finally:
        for agent in desk._agents.values():
            agent.close()


def test_a_review_is_kept_with_its_game() -> None:
    kept = KeptTables(None, most=9, each=9)
    table = Table(SMALL, TWO, owner="me")
    table.play("a2a3")
    kept.put(table)
    found: ReviewShown = {"judged": [], "thrown": [], "exact": True, "by": "engine"}
    kept.put_review(table.id, ["a2a3"], found)
    kept.put_review("nobody", ["a2a3"], found)
    table.resign()
    kept.put(table)
    assert kept.review(table.id, ["a2a3"]) == found
    assert kept.review(table.id, ["a2a3", "a4b3"]) is None
    assert kept.review("nobody", ["a2a3"]) is None
    kept.delete(table.id)
    assert kept.review(table.id, ["a2a3"]) is None
