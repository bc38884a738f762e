"""Royal Game Notation: games are round trips, and a wrong token is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from petteia import agents, games
from petteia.cli.play import Terminal
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.record import Record
from petteia.core.replay import record_of
from petteia.core.session import Session
from petteia.games.ur import Ur, formats
from tests.positions import play_random

EXAMPLE = "1. A@A1 * A1B1 / C@C3\n2. B1B4 * 0 -- / C3C1 * C@C4\n"


def make(spec: str) -> Ur:
    game = games.make(spec)
    assert isinstance(game, Ur)
    return game


def read(game: Ur, text: str) -> list[Record]:
    return formats.read(game, text).whole()


def random_record(game: Ur, seed: int, most: int = 10_000) -> Record:
    session = play_random(Session(game, ("a b", "random"), seed), seed, most)
    return record_of(session, session.players, session.result)


@pytest.mark.parametrize("spec", ["ur", "blitz", "masters", "aseb", "ur(pieces=2)"])
def test_games_are_round_trips(spec: str) -> None:
    game = make(spec)
    for seed in range(5):
        played = random_record(game, seed)
        text = formats.write(game, played)
        assert read(game, text) == [played]
        assert max(map(len, text.splitlines())) <= 60
        assert text.rstrip().endswith("#")


def test_the_example_of_the_notation() -> None:
    (found,) = read(make("ur"), EXAMPLE)
    rolls = [ply.texts[0] for ply in found.plies if ply.kind == "chance"]
    assert rolls == ["4", "1", "2", "3", "0", "2", "1"]
    assert formats.write(make("ur"), found).endswith(EXAMPLE)


def test_a_game_of_our_own_notation_is_not_taken_for_one() -> None:
    played = random_record(make("ur"), 3)
    assert make("ur").foreign_games(record.write(played)) is None


def test_several_games_in_one_text() -> None:
    game = make("ur(pieces=2)")
    played = [random_record(game, seed) for seed in (1, 2)]
    assert read(game, "\n".join(formats.write(game, each) for each in played)) == played


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. A@A9", "never comes there"),
        ("1. A@A1 * / C@C3", "it is the turn of light"),
        ("1. A@A3 *", "no rosette"),
        ("1. A@A3 / C@C3 2. C1C4", "never comes there"),
        ("1. A@A3 / C@C3x", "nothing is captured"),
        ("[Pieces 5]\n1. A@A3", "header says Pieces 5, but ur has 7"),
        ("[Rules Blitz]\n1. A@A3", "header says Rules Blitz, but ur has finkel"),
        ("1." + "9" * 5000, "token 1 of the game, '1.9{38}': expected a move"),
        ('[Light "x]\n1. A@A3', "is not a whole header"),
        ("1. 3 --", "there is a move"),
        ("1. 3", "-- must follow"),
        ("1. hello", "expected a move"),
        ("1. A@B1", "never show 5"),
        ("1. A@A3#", "nobody has all pieces home"),
    ],
)
def test_the_first_wrong_token_is_named(text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        read(make("ur"), text)


def test_rules_that_nobody_knows_are_told() -> None:
    def remarks(header: str) -> tuple[str, ...]:
        (entry,) = formats.read(make("ur"), f"{header}\n1. A@A3\n").entries
        return entry.remarks

    assert remarks("[Rules Finkel]") == ()
    assert remarks("[Rules mine]") == ("Rules mine are not known here; read as finkel",)
    assert remarks("[Pieces 99]") == ("Pieces 99 are not known here; read as 7",)


def test_a_game_is_known_by_its_headers_too() -> None:
    found = make("ur").foreign_games("[Light a]\n[Dark b]\n\n1.A@A3/C@C3\n")
    assert found is not None
    assert "'1.A@A3/C@C3': expected a move" in found.faults[0].why


def test_a_game_at_the_terminal_is_saved_in_it(tmp_path: Path) -> None:
    game = make("ur(pieces=2)")
    table = Terminal(game, agents.make("random", game), (), 0, lambda _: "", lambda _: None)
    table.play()
    table.do_save(str(tmp_path / "game.rgn"))
    (found,) = read(game, (tmp_path / "game.rgn").read_text())
    assert found.plies == table.session.record().plies
    assert found.result == table.session.result
