"""Files of others: .mat and SGF, there and back."""

from __future__ import annotations

import pytest

from petteia import agents
from petteia.arena.play import play_game
from petteia.core.errors import PetteiaError
from petteia.core.record import Record
from petteia.core.replay import replay
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.formats import write_mat, write_sgf
from tests.games.backgammon.boards import game

MAT = """ 3 point match

 Game 1
 gnubg : 0                              You : 0
  1) 31: 8/5 6/5                        65: 24/13
  2)  Doubles => 2                       Drops
      Wins 1 point

 Game 2
 gnubg : 1                              You : 0
  1)                                    21: 13/11 6/5
  2) 62: 24/18 13/11
"""
SGF = """(;FF[4]GM[6]CA[UTF-8]MI[length:0][game:0]PW[a]PB[b]RU[Crawford]
;W[31hefe];B[65aggl])"""


def read(of: Backgammon, text: str) -> list[Record]:
    found = of.foreign_games(text)
    assert found is not None
    return found.whole()


def random_record(of_match: int) -> Record:
    of = game(match=of_match) if of_match else game()
    agent = agents.make("random", of)
    return play_game(of, (agent, agent), seeds=(1, 2), dice=3).record


def test_a_mat_file_is_read() -> None:
    of = game(match=3, cube=True)
    (record,) = read(of, MAT)
    assert record.players == ("gnubg", "You")
    texts = [ply.texts[0] for ply in record.plies]
    assert texts[:7] == ["3-1", "8/5 6/5", "roll", "65", "24/13", "double", "drop"]
    assert texts[7:] == ["1-2", "13/11 6/5", "roll", "62", "24/18 13/11"]
    assert len(replay(record, of)) == len(texts) + 1


def test_an_sgf_file_is_read() -> None:
    of = game()
    (record,) = read(of, SGF)
    assert [ply.texts[0] for ply in record.plies] == ["3-1", "8/5 6/5", "65", "24/13"]


@pytest.mark.parametrize("length", [0, 2])
@pytest.mark.parametrize("write", [write_mat, write_sgf])
def test_a_game_is_read_back_as_it_was_written(length: int, write: object) -> None:
    record = random_record(length)
    of = game(match=length) if length else game()
    text = write(of, record)  # type: ignore[operator]
    (found,) = read(of, text)
    assert replay(found, of) == replay(record, of)
    assert found.result == record.result


def test_other_texts_are_not_taken() -> None:
    assert game().foreign_games('[Game "backgammon"]\n\n1. *\n') is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (MAT.replace("8/5 6/5", "8/2 6/5"), "turn 1"),
        (MAT.replace(" 3 point", " 5 point"), "match to 5"),
        (MAT.replace("Drops", "Takes\n  3) 99: 1/1"), "turn"),
    ],
)
def test_bad_files_are_named(text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        game(match=3, cube=True).foreign_games(text)
