"""What a session promises to whoever keeps one."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import games
from petteia.core import fair
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.record import Ply
from petteia.core.seeds import derive
from petteia.core.session import PERSON, Session
from tests.positions import play_random, random_ply
from tests.toys import Heap, Market, OddEven, Pacing, Race

SMALL = games.make("breakthrough(columns=4, rows=5)")
GAMES = [SMALL, Heap(), Race(), OddEven(), Market(), Pacing()]
SEATS = [(PERSON, PERSON), (PERSON, "random"), ("random", PERSON), ("random", "random")]

pytestmark = pytest.mark.rules


def facts(session: Session) -> tuple[object, ...]:
    """Everything that can be seen of a session but how often it changed."""
    return (
        list(session.plies), list(session.positions), list(session.undone), session.is_over,
        session.result, session.status, session.agents_to_move(), session.mover, session.record(),
    )  # fmt: skip


@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_undo_and_redo_are_the_identity(game: Game, players: tuple[str, str]) -> None:
    session = Session(game, players, seed=5)
    rng, undone = np.random.default_rng(2), 0
    while not session.is_over:
        random_ply(session, rng)
        before = facts(session)
        try:
            session.undo()
        except PetteiaError:
            assert facts(session) == before
            continue
        assert facts(session) != before
        session.redo()
        assert facts(session) == before
        undone += 1
    assert undone


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_all_the_way_back_and_forward(game: Game) -> None:
    session = play_random(Session(game, seed=3), 1)
    end = facts(session)
    while session.taken_back_by():
        session.undo()
    assert not any(ply.kind != "chance" for ply in session.plies)
    assert session.is_told
    while session.undone:
        session.redo()
    assert facts(session) == end


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_record_played_again_gives_the_same_session(game: Game) -> None:
    session = play_random(Session(game, ("a", "b"), seed=9), 1)
    kept = session.record()
    again = Session(game, kept.players, 9, start=kept.start, plies=list(kept.plies))
    assert facts(again) == facts(session)
    middle = len(kept.plies) // 2
    text = game.text(session.positions[middle])
    rest = Session(game, ("a", "b"), 9, start=text, plies=list(kept.plies[middle:]))
    assert rest.positions == session.positions[middle:]


@pytest.mark.parametrize("secret", ["", "a secret"])
def test_dice_do_not_change_by_undo(secret: str) -> None:
    session = play_random(Session(Race(), seed=3, secret=secret), 1)
    first = list(session.plies)
    while session.taken_back_by():
        session.undo()
    play_random(session, 2)
    assert session.plies != first
    for before, after in zip(first, session.plies, strict=False):
        assert before == after or before.kind == "move"
    other = play_random(Session(Race(), seed=4, secret=secret and "another"), 1)
    assert [ply.texts for ply in other.plies[::2]] != [ply.texts for ply in first[::2]]


def test_dice_are_those_of_the_seed_or_of_the_secret() -> None:
    race = Race()
    for number in range(4):
        session = Session(race, seed=number)
        assert session.roll().texts == (
            str(fair.drawn(derive(number, "dice", 0), race.outcomes(race.start()))),
        )
        session = Session(race, seed=number, secret="s")
        assert session.roll().texts == (str(fair.thrown("s", 0, race.outcomes(race.start()))),)


def test_what_the_dice_follow_from_is_told_at_the_end() -> None:
    session = Session(Race(), secret="s")
    assert dict(session.record().headers) == {"Seed": "0", "Promise": fair.promise("s")}
    play_random(session, 1)
    assert session.record().header("Secret") == "s"


def test_the_same_move_keeps_the_way_forward_and_another_closes_it() -> None:
    session = Session(SMALL)
    for text in ("a2a3", "b4b3", "c2c3"):
        session.play(text)
    for _ in range(3):
        session.undo()
    session.play("a2a3")
    assert [ply.texts[0] for ply in session.undone] == ["b4b3", "c2c3"]
    session.play("d4d3")
    assert session.undone == []


def test_a_throw_made_elsewhere_is_taken_by_its_text_or_number() -> None:
    session = Session(Race())
    session.take(Ply("chance", ("3",)))
    assert Session(Race()).throw(3) == session.plies[0]
    with pytest.raises(PetteiaError, match="never show 4"):
        Session(Race()).throw(4)
    with pytest.raises(PetteiaError, match="expected one move, found an outcome"):
        session.take(Ply("chance", ("3",)))


def test_what_is_not_possible_is_refused_and_changes_nothing() -> None:
    race, both, small = Session(Race()), Session(OddEven()), Session(SMALL)
    for session, deed, why in (
        (race, lambda: race.play("1"), "dice are thrown first"),
        (both, lambda: both.play("1"), "expected 2 moves"),
        (both, lambda: both.make(1, 3), "illegal move 3"),
        (small, lambda: small.make(-1), "illegal move -1"),
        (small, lambda: small.play("a2a5"), "not a legal move"),
        (small, small.roll, "no dice to throw"),
        (small, small.undo, "no move to take back"),
        (small, small.redo, "nothing to play again"),
    ):
        with pytest.raises(PetteiaError, match=why):
            deed()
        assert session.serial == 0
    small.resign(1)
    assert small.result == 1.0
    with pytest.raises(PetteiaError, match="black resigned, white wins"):
        small.play("a2a3")
    with pytest.raises(PetteiaError, match="ply 2: "):
        Session(SMALL, plies=[Ply("move", ("a2a3",)), Ply("move", ("a2a3",))])


def test_a_repetition_ends_the_game_and_taking_it_back_opens_it() -> None:
    session = play_random(Session(Pacing(length=2)), 1)
    assert session.result == 0.0
    assert session.status == "draw: the position stands for the third time"
    session.undo()
    assert not session.is_over
    assert session.record().result is None
    session.redo()
    assert session.record().result == 0.0


def test_dice_need_outcomes() -> None:
    with pytest.raises(PetteiaError, match="without outcomes"):
        fair.drawn(0, [])
    rounded = [(1, 0.1)] * 9 + [(2, 0.1 - 1e-9)]
    assert fair.drawn(2**63 - 1, rounded) == 2  # the last one takes what rounding leaves
