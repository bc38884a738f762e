"""Files of others: .mat and SGF, there and back."""

from __future__ import annotations

import re

import pytest

from petteia import agents
from petteia.arena.play import play_game
from petteia.core.collection import Collection
from petteia.core.errors import PetteiaError
from petteia.core.record import Record
from petteia.core.replay import joined, replay
from petteia.core.session import Session
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.rules.state import parts_of
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
# As GNU Backgammon writes it: given up in games 1 and 3, the Crawford game, a free double after it.
MATCH = """; [EventDate "2026.11.16"]

 3 point match

 Game 1
 Alice : 0                      Bob : 0
  1)                             63: 24/18 18/15
  2) 65: 24/18 18/13              Doubles => 2
  3)  Takes                      11: 8/7 8/7 6/5 6/5
                                  Wins 2 points

 Game 2
 Alice : 0                      Bob : 2
  1) 31: 8/5 6/5                 65: 24/18 18/13
      Wins 1 point

 Game 3
 Alice : 1                      Bob : 2
  1) 21: 13/11 24/23             43:  13/10 24/20
  2)  Doubles => 2                Takes
  3) 62: 24/18 13/11              Wins 6 points
"""
MONEY = """ 0 point match

 Game 1
 Alice : 0                      Bob : 0
  1) 21: 13/11 24/23              Doubles => 2
  2)  Beavers => 4               65: 24/18 18/13
  3) 32: 24/21 23/21
      Wins 8 points

 Game 2
 Alice : 8                      Bob : 0
  1) 43: 13/9 24/21               Doubles => 2
  2)  Beavers => 4                Drops
      Wins 2 points

 Game 3
 Alice : 10                     Bob : 0
  1)                             62: 24/18 13/11
"""


def found_in(of: Backgammon, text: str) -> Collection:
    found = of.foreign_games(text)
    assert found is not None
    return found


def read(of: Backgammon, text: str) -> list[Record]:
    return found_in(of, text).whole()


def written(of: Backgammon, records: list[Record], suffix: str) -> str:
    text = of.foreign_text(records, suffix)
    assert text is not None
    return text


def random_record(of_match: int) -> Record:
    of = game(match=of_match) if of_match else game()
    agent = agents.make("random", of)
    return play_game(of, (agent, agent), seeds=(1, 2), dice=3).record


def test_a_file_of_two_games_is_two_games() -> None:
    of = game(match=3, cube=True)
    first, second = read(of, MAT)
    assert first.players == second.players == ("gnubg", "You")
    texts = [[ply.texts[0] for ply in kept.plies] for kept in (first, second)]
    assert texts[0] == ["3-1", "8/5 6/5", "roll", "65", "24/13", "double", "drop"]
    assert texts[1] == ["1-2", "13/11 6/5", "roll", "62", "24/18 13/11"]
    assert (first.header("Score"), first.header("Points")) == ("0-0", "+1")
    assert (second.header("Score"), second.header("Points")) == ("1-0", "")
    # Where nobody gave a game up, the match is one line again.
    (whole,) = joined(of, [first, second])
    assert whole.plies == first.plies + second.plies
    assert parts_of(replay(whole, of)[-1][4])["white"] == 1


def test_an_sgf_file_is_read() -> None:
    of = game()
    (record,) = read(of, SGF)
    assert [ply.texts[0] for ply in record.plies] == ["3-1", "8/5 6/5", "65", "24/13"]


@pytest.mark.parametrize("length", [0, 2])
@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_a_game_is_read_back_as_it_was_written(length: int, suffix: str) -> None:
    record = random_record(length)
    of = game(match=length) if length else game()
    (found,) = joined(of, read(of, written(of, [record], suffix)))
    assert replay(found, of) == replay(record, of)
    assert found.result == record.result


# --- scores, resignations, the Crawford game ---------------------------------------------------


def test_games_that_were_given_up_have_their_score_and_their_points() -> None:
    of = game(match=3, cube=True)
    found = found_in(of, MATCH)
    assert not any(entry.remarks for entry in found.entries)
    records = found.whole()
    assert [kept.header("Score") for kept in records] == ["0-0", "0-2", "1-2"]
    assert [kept.header("Points") for kept in records] == ["-2", "+1", "-6"]
    assert [kept.header("Resigned") for kept in records] == ["white", "black", "white"]
    assert [kept.result for kept in records] == [None, None, -1.0], "only the last ends the match"
    states = [parts_of(of.parse(kept.start)[4]) for kept in records[1:]]
    assert [(each["white"], each["black"], each["crawford"]) for each in states] == [
        (0, 2, 1), (1, 2, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
@pytest.mark.parametrize(
    ("of", "text"),
    [(game(match=3, cube=True), MATCH), (game(cube=True, jacoby=True, beaver=True), MONEY)],
    ids=["match", "money"],
)
def test_what_others_wrote_is_written_again(of: Backgammon, text: str, suffix: str) -> None:
    records = read(of, text)
    again = found_in(of, written(of, records, suffix))
    assert again.whole() == records
    assert not any(entry.remarks for entry in again.entries)


def test_beavers_are_taken_or_dropped() -> None:
    of = game(cube=True, beaver=True)
    first, second, third = read(of, MONEY)
    assert [ply.texts[0] for ply in first.plies][2:4] == ["double", "beaver"]
    assert (first.result, second.result, third.result) == (8.0, 2.0, None)
    text = written(of, [first, second, third], ".sgf")
    assert text.count(";B[take]") == text.count(";B[drop]") == 1


def test_a_match_file_for_money_games_is_read_game_by_game() -> None:
    records = read(game(cube=True), MATCH)
    assert [kept.result for kept in records] == [-2.0, 1.0, -6.0]


def test_the_score_says_what_a_game_brought_where_nothing_else_does() -> None:
    of = game(match=3, cube=True)
    first, *_ = read(of, MATCH.replace("                                  Wins 2 points\n", ""))
    assert first.header("Points") == "-2"


@pytest.mark.parametrize("said", ["", " Cannot Move", " can't move", " (No Play)", " Dances"])
def test_a_throw_without_a_play_is_written_in_many_ways(said: str) -> None:
    shut = """ 0 point match

 Game 1
 A : 0                          B : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 62: 24/18 13/11*            66:SAID
  3) 21: 13/11 6/5               61: 25/24 13/7
""".replace("SAID", said)
    (found,) = read(game(), shut)
    assert [ply.texts[0] for ply in found.plies if ply.kind == "move"][3] == "pass"
    with pytest.raises(PetteiaError, match=r"turn 1 .*'pass' is not"):
        read(game(), shut.replace("31: 8/5 6/5", "31: Cannot Move"))


def test_changed_seats_keep_their_columns() -> None:
    of = game()
    one = random_record(0)
    records = [
        Record(one.game, ("a", "b"), one.start, one.plies, one.result),
        Record(one.game, ("b", "a"), one.start, one.plies, one.result),
    ]
    first, second = read(of, written(of, records, ".mat"))
    assert first.players == second.players == ("a", "b")
    assert first.result == -second.result  # type: ignore[operator]
    assert second.header("Score") == ("1-0" if first.result == 1 else first.header("Score"))


def test_a_throw_that_nobody_has_played_yet() -> None:
    of = game(match=3, cube=True)
    session = Session(of)
    session.throw(3 << 3 | 1)
    for suffix, plies in ((".mat", 0), (".sgf", 1)):
        (found,) = read(of, written(of, [session.record()], suffix))
        assert len(found.plies) == plies
    # GNU Backgammon's .mat tells it as it tells a player who cannot move; the rules know which.
    *_, last = read(of, f"{MAT}  3){' ' * 31}31:\n")
    assert [ply.texts[0] for ply in last.plies][-2:] == ["roll", "31"]


# --- what is refused ---------------------------------------------------------------------------


def test_other_texts_are_not_taken() -> None:
    assert game().foreign_games('[Game "backgammon"]\n\n1. *\n') is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (MAT.replace("8/5 6/5", "8/2 6/5"), "turn 1"),
        (MAT.replace(" 3 point", " 5 point"), "match to 5"),
        (MAT.replace(" 3 point", " 0 point"), "games for money"),
        (MAT.replace("Drops\n      Wins 1 point", "Takes\n  3) 99: 1/1"), "turn"),
        (MAT.replace("Doubles => 2", "Doubles => 4"), "the cube comes to 2"),
        (MAT.replace("Drops\n", "Beavers => 4\n"), "no beavers"),
        (MAT.replace("      Wins", "  3) 31: 8/5\n      Wins"), "over"),
        (MAT.replace("gnubg : 1", "gnubg : 3"), "a game at 3:0 is not possible"),
        ("(;GM[1];W[31hefe])", "not backgammon"),
        ("(;GM[6]MI[length:3];W[31hefe](;B[65aggl])(;B[65aggm]))", "variations"),
        ("(;GM[6]MI[length:3]AW[a];W[31hefe])", "sets up"),
        ("(;GM[6]MI[length:3]RU[Nackgammon];W[31hefe])", "Nackgammon"),
        ("(;GM[6]MI[length:3]RU[];W[31hefe])", "without the Crawford game"),
        ("(;GM[6]MI[length:3]RE[draw];W[31hefe])", "no result"),
        ("(;GM[6]MI[length:3];W[31hefe]", "does not end"),
    ],
)
def test_bad_files_are_named(text: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        read(game(match=3, cube=True), text)


def test_the_game_to_ask_for_is_named() -> None:
    with pytest.raises(PetteiaError, match="in backgammon; say match=3, cube=true"):
        read(game(), MAT)
    with pytest.raises(PetteiaError, match=r"match to 3, the game is .*; say match=3"):
        read(game(match=5, cube=True), MAT)
    with pytest.raises(PetteiaError, match="in backgammon; say cube=true"):
        read(game(), MAT.replace(" 3 point", " 0 point"))


def test_other_rules_for_money_are_named() -> None:
    text = SGF.replace("Crawford", "Jacoby")
    with pytest.raises(PetteiaError, match=r"with Jacoby's rule, .* say cube=true, jacoby=true"):
        read(game(cube=True), text)
    assert read(game(cube=True, jacoby=True), text)


def test_a_game_that_cannot_be_read_costs_no_other() -> None:
    found = found_in(game(match=3, cube=True), MATCH.replace("31: 8/5 6/5", "31: 8/5 6/2"))
    assert [entry.record is None for entry in found.entries] == [False, True, False]
    (fault,) = found.faults
    assert (fault.game, fault.line) == (2, 12)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (MATCH.replace("Bob : 2\n  1) 21", "Bob : 1\n  1) 21"), "begins at 1:1, .* make 1:2"),
        (MAT.replace("Wins 1 point", "Wins 2 points"), "white won 1 point, .* white won 2 points"),
        (MAT.replace("gnubg : 1", "gnubg : 0"), "begins at 0:0, .* make 1:0"),
    ],
)
def test_a_file_that_contradicts_itself_is_told(text: str, remark: str) -> None:
    entries = found_in(game(match=3, cube=True), text).entries
    (told,) = [remark for entry in entries for remark in entry.remarks]
    assert re.search(remark, told)


def test_what_a_file_cannot_hold_is_refused() -> None:
    of = game(match=2)
    kept = random_record(2)
    with pytest.raises(PetteiaError, match=r"holds one match; write 2 matches as \.txt"):
        of.foreign_text([kept, kept], ".mat")
    start = "XGID=------B-B--------b-b------:0:0:1:21:0:0:0:0:10"
    with pytest.raises(PetteiaError, match="begins at the opening throw"):
        game().foreign_text([Record("backgammon", ("a", "b"), start)], ".sgf")
    other = [Record("backgammon", pair) for pair in (("a", "b"), ("a", "c"))]
    with pytest.raises(PetteiaError, match="the games of two players"):
        game().foreign_text(other, ".mat")
    with pytest.raises(PetteiaError, match="ends with 0 points"):
        game().foreign_text([Record("backgammon", ("a", "b"), result=0.0)], ".mat")
