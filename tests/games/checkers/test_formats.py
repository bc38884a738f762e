"""PDN: games are read as they are met, and written as they should be."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from petteia.core.collection import Collection, Fault
from petteia.core.errors import PetteiaError
from petteia.games.checkers import formats
from petteia.games.checkers.formats import PdnGame
from tests.games.checkers.boards import board, of_games

pytestmark = pytest.mark.rules

GAME = board()

OLD_FAITHFUL = """
[Event "A match, \\"old\\""]
[White "W. Hite"]
[Black "B. Lack"]
[Result "1/2-1/2"]

{The Single Corner} 1. 11-15 22-18 2. 15x22 25x18 {both take}
3. 8-11 29-25 ( 3... 23-19 {sharper} 4. 11-15 ( 4. 10-14 19-16 ) 18x11 )
4. 4-8 ; a quiet move
25-22 1/2-1/2
"""


def only(text: str, **given: bool) -> PdnGame:
    (found,) = formats.read(GAME, text, **given)
    assert isinstance(found, PdnGame), found
    return found


def fault(text: str) -> str:
    (found,) = formats.read(GAME, text)
    assert isinstance(found, Fault)
    return found.why


def collected(text: str) -> Collection:
    found = GAME.foreign_games(text)
    assert found is not None
    return found


def texts(found: PdnGame) -> list[str]:
    return [move.text for move in found.moves]


def test_a_game_with_comments_and_variations() -> None:
    found = only(OLD_FAITHFUL)
    assert texts(found) == [
        "11-15", "22-18", "15x22", "25x18", "8-11", "29-25", "4-8", "25-22",
    ]  # fmt: skip
    assert found.tags["Event"] == 'A match, "old"'
    assert found.comment == "The Single Corner"
    assert found.moves[3].comment == "both take"
    assert found.moves[6].comment == "a quiet move"
    (other,) = found.moves[5].variations
    assert [move.text for move in other] == ["23-19", "11-15", "18x11"]
    assert other[0].comment == "sharper"
    assert [move.text for move in other[1].variations[0]] == ["10-14", "19-16"]
    assert found.result == 0.0
    assert not found.warnings


def test_what_is_written_reads_the_same() -> None:
    found = only(OLD_FAITHFUL)
    text = formats.write(GAME, found)
    assert '[GameType "21"]' in text
    assert "3... 29-25" not in text
    assert max(map(len, text.splitlines())) < 80
    again = only(text)
    assert again.moves == found.moves
    assert (again.comment, again.result) == (found.comment, found.result)


@pytest.mark.parametrize(
    "text",
    [
        "1. 09-13 24-20 2. 13-17 22x13 1-0",
        "1. 9-13 24-20 2. 13-17 22-13 1-0",  # the sign of a capture is wrong
        "1. 9x13 24x20 2. 13x17 22x13 1-0",
        "1. 0913 2420 2. 1317 2213 1-0",
        "1.9-13 24-20 2.13-17* 22x13* 1-0",
        "9-13 24-20 13-17! 22x13?! 1-0",
        "1. 9\u201313 24\u201320 2. 13\u201417 22\u00d713 1-0",  # dashes and crosses of printers
        "1. 9 - 13 24 - 20 2. 13 - 17 22 x 13 1-0",
        "1 9-13 24-20 2 13-17 22x13 1-0",  # numbers without dots
        "1 9-13\n1 24-20\n2 13-17 2 22x13 1-0",
        "1. 9-13 24-20 2. 13-17 22x13 1\u20130",
        "9-13 24-20 13-17 22x13\n1-0\n\n1-0\n",  # the result twice
        '[Result "2-0"]\n9-13 24-20 13-17 22x13 1-0 *',
    ],
)
def test_moves_are_read_in_all_their_writings(text: str) -> None:
    found = only(text)
    assert texts(found) == ["9-13", "24-20", "13-17", "22x13"]
    assert found.result == -1.0


def test_chains_may_be_short_long_or_hop_by_hop() -> None:
    start = '[FEN "B:W6,15,23,32:B1"]\n'
    for chain in ("1x26", "1x10x19x26", "1-10-19-26", "1x10 10x19 19x26"):
        found = only(f"{start}1. {chain} 32-28 *")
        assert texts(found) == ["1x26", "32-28"], chain


def test_a_short_capture_that_means_two_is_refused_with_the_long_forms() -> None:
    # From 31 to 15 there are two ways, which take different pieces.
    why = fault('[FEN "W:W31:B26,27,18,19"]\n1... 31x15 *')
    assert "'31x15' could be 31x22x15, 31x24x15; name all squares" in why
    found = only('[FEN "W:W31:B26,27,18,19"]\n1... 31x24x15 *')
    assert texts(found) == ["31x24x15"]


def test_results_mean_white_unless_asked() -> None:
    text = "1. 9-13 24-20 1-0"
    assert only(text).result == -1.0
    assert only(text, first_player_first=True).result == 1.0
    assert only("1. 9-13 24-20 2-0").result == -1.0
    assert only("1. 9-13 24-20 *").result is None


def test_a_result_that_the_board_contradicts_is_named() -> None:
    won = '[FEN "W:WK26:B25,K29"]\n1... 26-30 0-1'
    assert "contradicts the final position, which White won" in only(won).contradiction
    assert not only(won.replace("0-1", "1-0")).contradiction
    tag = '[Result "0-1"]\n1. 9-13 1-0'
    assert "the tag says 0-1" in only(tag).warnings[0]
    assert "end with 1-0 and with 0-1" in only("1. 9-13 1-0 0-1").warnings[0]
    same = ("1/2-1/2", "1-1"), ("1/2", "1/2-1/2"), ("1-0", "2-0"), ("1\u20130", "1-0")
    assert not any(only(f'[Result "{tag}"]\n1. 9-13 {end}').warnings for tag, end in same)


def test_a_result_of_nobody() -> None:
    for lost in ("0-0", "0\u20110"):
        found = only(f"1. 9-13 {lost}")
        assert (found.result, found.warnings) == (
            None,
            ["0-0: both lost; kept as a game without a result"],
        )
    assert only('[Result "1-0"]\n1. 9-13 *').result == -1.0
    assert "'Black wins' is not one of" in only('[Result "Black wins"]\n1. 9-13').warnings[0]


def test_an_illegal_move_is_named_and_the_next_game_read() -> None:
    text = '[Event "a"]\n1. 9-13 24-20 2. 9-14 *\n\n[Event "b"]\n1. 11-15 *\n'
    first, second = formats.read(GAME, text)
    assert isinstance(first, Fault)
    assert (first.game, first.line) == (1, 2)
    assert first.why.startswith("ply 3: '9-14' is not a legal move here")
    assert isinstance(second, PdnGame)
    assert texts(second) == ["11-15"]


def test_games_without_tags_are_told_apart_by_their_results() -> None:
    found = list(formats.read(GAME, "1. 9-13 24-20 1-0\n1. 11-15 * 23-19 0-1\n"))
    assert [texts(each) for each in found if isinstance(each, PdnGame)] == [
        ["9-13", "24-20"],
        ["11-15", "23-19"],
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[GameType "20"]\n1. 32-28 *', 'GameType "20" is not English'),
        ("1. 9-13 ( 9-14", "a variation is not closed"),
        ("1. 9-13 ) 24-20", "was not opened"),
        ("( 1. 9-13 ) *", "before the first move"),
        ("1. e2e4 *", "'e2e4' is neither a move nor a result"),
        ('[FEN "B:W40:B1"]\n1. 1-5 *', "no square 40"),
        ("1 9-13 24-20 3 13-17 *", "ply 3: '3' is neither a move nor a result"),
        ("1 9-13 24-20 213 13-17 *", "ply 3: '213' is neither"),  # perhaps a move without its dash
        ("1. 9-13 24-20 2 13-17 *", "ply 3: '2' is neither"),
        ("1. 9-13 24-20 1-0F", "ply 3: '1-0F' is neither a move nor a result"),
        ("1. 9-13 24-20 0-13", "ply 3: '0-13' is neither"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str) -> None:
    assert why in fault(text)


def test_random_games_survive_the_way_to_a_file_and_back(tmp_path: Path) -> None:
    line = list(of_games(GAME, 300, 21))
    moves: list[list[int]] = [[]]
    for p, after in pairwise(line):
        if GAME.kind(p) != 0:
            moves.append([])
            continue
        moves[-1].append(next(m for m in GAME.legal_moves(p) if GAME.play(p, m) == after))
    games = [formats.of_line(GAME, GAME.start(), each) for each in moves]
    assert len(games) > 2
    formats.save(tmp_path / "games.pdn", GAME, games)
    again = formats.load(tmp_path / "games.pdn", GAME)
    assert [each.moves for each in again if isinstance(each, PdnGame)] == [g.moves for g in games]
    records = [formats.to_record(GAME, each) for each in games]
    assert [formats.of_record(GAME, each).moves for each in records] == [g.moves for g in games]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match="cannot read"):
        formats.load(tmp_path / "none.pdn", GAME)


def test_records_of_the_arena_are_read_from_pdn() -> None:
    found = GAME.foreign_games(OLD_FAITHFUL)
    assert found is not None
    (record,) = found.whole()
    assert record.players == ("B. Lack", "W. Hite")
    assert [ply.texts[0] for ply in record.plies][:3] == ["11-15", "22-18", "15x22"]
    assert GAME.foreign_games("hello") is None
    (bad,) = collected("1. 9-9 *").faults
    assert str(bad).startswith("game 1, line 1: ply 1: '9-9' is not a legal move here")


@pytest.mark.parametrize(
    ("text", "comment", "mark"),
    [
        ("1. 11-15{so} 22-18 *", "so", ""),
        ("1. 11-15A 22-18 *", "A", ""),
        ("1. 11-15, 22-18 *", ",", ""),
        ("1. 11-15(a good move) 22-18 *", "a good move", ""),
        ("1. 11-15 [a good move] 22-18 *", "a good move", ""),
        ("1. 11-15 !{so far} 22-18 *", "so far", "!"),
        ("1. 11-15?!{so} $4 22-18 *", "so", "?! $4"),
        ("1. 11-15 *{forced} 22-18 *", "forced", "*"),
        ("1. 11-15;so\n22-18 *", "so", ""),
    ],
)
def test_a_comment_glued_to_a_move_is_read(text: str, comment: str, mark: str) -> None:
    found = only(text)
    assert texts(found) == ["11-15", "22-18"]
    assert (found.moves[0].comment, found.moves[0].mark) == (comment, mark)
    assert only(formats.write(GAME, found)).moves == found.moves


@pytest.mark.parametrize("end", ["1-0{resigns}", "1-0 ; resigns", "1-0\n\n{resigns}\n"])
def test_a_comment_after_the_result_is_no_game_of_its_own(end: str) -> None:
    found = only(f"1. 11-15 22-18 {end}")
    assert (found.result, found.moves[-1].comment) == (-1.0, "resigns")


def test_comments_around_tags_are_kept() -> None:
    found = only('{A collection}\n[Event "a"]\n{of one}\n[White "w"]\n\n{game} 1. 11-15 *')
    assert found.comment == "A collection of one game"
    assert (found.tags, found.line) == ({"Event": "a", "White": "w"}, 1)


def test_games_without_moves_are_games() -> None:
    found = list(formats.read(GAME, '[Event "a"]\n\n[Event "b"]\n\n1. 11-15 *\n\n[Event "c"]\n'))
    assert [each.tags["Event"] for each in found if isinstance(each, PdnGame)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("broken", "line", "why"),
    [
        ("1. 99-100 *", 2, "ply 1: '99-100' is neither a move nor a result"),
        ("1. 11-15 22-18,8-11 *", 2, "ply 2: '22-18,8-11' is neither"),
        ("1. 11-15 {a comment\n22-18 1-0", 2, "ply 2: a comment is not closed"),
        ('[White "w]\n1. 11-15 *', 2, "'[White \"w]' is not a whole tag"),
        ('[White "v"]\n[White "w"]\n1. 11-15 *', 3, "the tag White is given twice"),
        ("1. 11-15\n22-18\n2. 8-11 *", 4, "ply 3: '8-11' is not a legal move"),
    ],
)
def test_a_fault_costs_only_its_own_game(broken: str, line: int, why: str) -> None:
    good = '[Event "good"]\n1. 11-15 {both} 22-18 1-0\n'
    found = collected(f'[Event "a"]\n{broken}\n\n{good}\n{good}')
    (fault,) = found.faults
    assert (fault.game, fault.line) == (1, line)
    assert fault.why.startswith(why)
    assert [len(each.plies) for each in found.records] == [2, 2]


def test_results_of_the_first_player_are_recognised() -> None:
    won = '[FEN "W:WK26:B25,K29"]\n[Result "0-1"]\n1... 26-30 0-1\n\n'  # White wins
    other = '[Result "0-1"]\n1. 9-13 0-1\n\n'
    found = collected(won + other)
    assert [each.result for each in found.records] == [-1.0, -1.0]
    assert "1-0 is read as a win of Black" in found.notes[0]
    right = won.replace("0-1", "1-0")
    found = collected(right + other)
    assert [each.result for each in found.records] == [-1.0, 1.0]
    assert not found.notes
    ahead = '[FEN "W:W26,27,30:B1"]\n1... 26-22 0-1\n\n'  # White is far ahead, and Black resigns
    assert [each.result for each in collected(ahead * 2).records] == [-1.0, -1.0]


def test_tags_of_any_name_become_headers() -> None:
    (record,) = collected('[Game1 "x"]\n[Start "y"]\n[Site "a "real" one"]\n1. 11-15 *').whole()
    assert record.headers == (("Game1", "x"), ("PdnStart", "y"), ("Site", 'a "real" one'))


def test_old_files_and_empty_files(tmp_path: Path) -> None:
    file = tmp_path / "old.pdn"
    file.write_bytes('[White "Müller"]\n1. 11-15 *\n'.encode("latin-1"))
    (found,) = formats.load(file, GAME)
    assert isinstance(found, PdnGame)
    assert found.tags["White"] == "Müller"
    file.write_bytes("1. 11–15 23–19 {“good”} 1-0\n".encode("cp1252"))
    (found,) = formats.load(file, GAME)
    assert isinstance(found, PdnGame)
    assert (texts(found), found.moves[1].comment) == (["11-15", "23-19"], "“good”")
    file.write_text("; nothing here\n")
    with pytest.raises(PetteiaError, match="holds no game"):
        formats.load(file, GAME)


def test_the_other_writings_of_a_draw() -> None:
    for result in ("1/2-1/2", "1/2", "\u00bd-\u00bd", "1-1", "0.5-0.5"):
        assert only(f"1. 9-13 24-20 {result}").result == 0.0
    assert "'0.5-0,5' is neither a move nor a result" in fault("1. 9-13 24-20 0.5-0,5")


def test_a_result_that_is_left_open_is_no_contradiction() -> None:
    for stated in ("?", ""):
        found = only(f'[Result "{stated}"]\n1. 9-13 24-20 1-0')
        assert (found.result, found.warnings) == (-1.0, [])


def test_what_is_said_twice_of_an_event_is_told() -> None:
    """As in the examples of PDN 3.0."""
    found = only('[Event "Dyke"]\n[Black "b"]\n[Event "8x8"]\n[Event "Dyke"]\n1. 9-13 *')
    assert found.tags["Event"] == "Dyke"
    assert found.warnings == ["the tag Event is given twice; '8x8' is left out"]


def test_numbers_with_dots_apart_and_times_in_brackets() -> None:
    found = only('[FEN "W:W27,32:B9"]\n1. ... 27-23 (0.5) 2. 9-13 (12.5) 23-18 [7] *')
    assert texts(found) == ["27-23", "9-13", "23-18"]
    assert [each.comment for each in found.moves] == ["0.5", "12.5", "7"]
    assert len(only("1. 9-13 (0914) 24-20 *").moves[0].variations) == 1


def test_signs_in_brackets() -> None:
    found = only("1. 9-13(!?) 24-20 (?) 2. 5-9 (best!) *")
    assert [each.mark for each in found.moves] == ["!?", "?", ""]
    assert found.moves[2].comment == "best!"


def test_a_player_may_be_called_red() -> None:
    (record,) = collected('[Red "Ada"]\n[White "Grace"]\n1. 11-15 *').whole()
    assert record.players == ("Ada", "Grace")


def test_lines_that_other_programs_skip_may_come_first() -> None:
    assert len(collected('% written by a program\n[Event "a"]\n1. 9-13 *\n').records) == 1


def test_variations_without_end_are_a_fault() -> None:
    assert "more than 100 variations inside each other" in fault("1. 9-13 " + "(9-13 " * 3000)


def test_a_result_can_be_told_to_be_of_the_player_who_moves_first() -> None:
    found = collected("1. 9-13 24-20 1-0\n\n1. 9-13 24-20 1/2-1/2\n\n1. 9-99 *\n")
    assert found.first_player_first is False
    assert [kept.result for kept in found.records] == [-1.0, 0.0]
    turned = found.meaning(True)
    assert [kept.result for kept in turned.records] == [1.0, 0.0]
    assert turned.faults == found.faults
    assert turned.meaning(False).records == found.records
    with pytest.raises(PetteiaError, match="one meaning only"):
        Collection(()).meaning(True)
