"""Records of games: what is written is read, what is read is checked, what is checked replays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petteia.core import record as records
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.record import Ply, Record, load, read_all, save, write
from petteia.core.replay import record_of, replay
from petteia.core.session import Session
from petteia.core.words import U, Words, words
from petteia.games.breakthrough import Breakthrough
from tests.positions import play_random

GAME = Breakthrough()
SAMPLE = """\
[Game "breakthrough"]
[First "alphabeta(depth=4)"]
[Second "a \\"human\\""]
[Start "start"]
[Result "1"]
[Seed "7"]

1. a2a3 {good, or
not} b7b6 2. :3 :4_5 rock|the_paper c2c3 3. \\1-0 -1 +2
"""


class Bout(Game):
    """A throw, a move, a choice of both, and the sum of all decides: every kind of node once."""

    name = "bout"

    def start(self) -> Words:
        return words(0, 0)

    def kind(self, p: Words) -> int:
        return (CHANCE, DECISION, SIMULTANEOUS, TERMINAL)[int(p[0])]

    def mover(self, p: Words) -> int:
        return 0

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        out[at : at + 2] = (1, 2)
        return at + 2

    def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
        out[at : at + 2], prob[at : at + 2] = (1, 2), 0.5
        return at + 2

    def play(self, p: Words, move: int) -> Words:
        return (p[0] + U(1), p[1] + U(move))

    def play_both(self, p: Words, first: int, second: int) -> Words:
        return (p[0] + U(1), p[1] + U(10 * first + second))

    def result(self, p: Words) -> float:
        return float(p[1]) - 20

    def move_text(self, p: Words, move: int) -> str:
        return f"go {move}|_"


def random_game(game: Game, seed: int) -> Record:
    session = play_random(Session(game, ("random", "random")), seed)
    return record_of(session, session.players, session.result)


# --- text --------------------------------------------------------------------------------------


def test_the_form_is_as_documented() -> None:
    plies = (
        Ply("move", ("a2a3",), "good, or not"),
        Ply("move", ("b7b6",)),
        Ply("chance", ("3",)),
        Ply("chance", ("4 5",)),
        Ply("both", ("rock", "the paper")),
        Ply("move", ("1-0",)),
    )
    record = Record("ur(pieces=5)", ('a "b"', "c\\d"), "x y", plies, 2.0, (("Seed", "7"),))
    assert write(record) == (
        '[Game "ur(pieces=5)"]\n[First "a \\"b\\""]\n[Second "c\\\\d"]\n[Start "x y"]\n'
        '[Result "2"]\n[Seed "7"]\n\n'
        "1. a2a3 {good, or not} b7b6 2. :3 :4_5 rock|the_paper 3. \\1-0 +2\n"
    )


def test_a_written_game_is_read() -> None:
    (record,) = read_all(SAMPLE.replace("3. \\1-0 -1 +2", "3. \\1-0 {a} {b} 1-0"))
    assert record.game == "breakthrough"
    assert record.players == ("alphabeta(depth=4)", 'a "human"')
    assert record.header("Seed") == "7"
    assert record.header("Date", "unknown") == "unknown"
    assert record.result == 1
    assert record.plies == (
        Ply("move", ("a2a3",), "good, or not"),
        Ply("move", ("b7b6",)),
        Ply("chance", ("3",)),
        Ply("chance", ("4 5",)),
        Ply("both", ("rock", "the paper")),
        Ply("move", ("c2c3",)),
        Ply("move", ("1-0",), "a b"),
    )


def test_only_the_game_must_be_named() -> None:
    assert read_all('[Game "x"] *') == [Record("x", ("?", "?"))]


def test_numbers_stick_to_moves_as_in_other_programs() -> None:
    (record,) = read_all('[Game "x"]\r\n\r\n1.a2a3 1...b7b6{so}2.:3 *')
    assert record.plies == (
        Ply("move", ("a2a3",)),
        Ply("move", ("b7b6",), "so"),
        Ply("chance", ("3",)),
    )


@pytest.mark.parametrize(
    ("points", "word"),
    [(1, "1-0"), (-1, "0-1"), (0, "1/2-1/2"), (None, "*"), (2, "+2"), (-3, "-3"), (0.5, "+0.5")],
)
def test_results_have_their_usual_words(points: float | None, word: str) -> None:
    text = write(Record("x", ("a", "b"), result=points))
    assert text.endswith(f"\n{word}\n")
    assert read_all(text)[0].result == points


def test_lines_are_at_most_100_wide() -> None:
    plies = tuple(Ply("move", (f"a{n}b{n}",), "some words " * (n % 30)) for n in range(90))
    record = Record("x", ("a", "b"), plies=plies)
    lines = write(record).split("\n")
    assert max(map(len, lines)) <= 100
    assert sum(map(len, lines)) / len(lines) > 80
    assert read_all(write(record)) == [record]


ANY = st.text(st.characters(codec=None), max_size=12) | st.text(
    ' _|{}[]:\\"1-0.*+/\n\te', max_size=6
)
PLIES = st.one_of(
    st.builds(Ply, st.just("move"), st.tuples(ANY), ANY),
    st.builds(Ply, st.just("chance"), st.tuples(ANY), ANY),
    st.builds(Ply, st.just("both"), st.tuples(ANY, ANY), ANY),
)
KEYS = st.from_regex(r"[A-Z][a-z_0-9]{0,8}x", fullmatch=True)
RECORDS = st.builds(
    Record,
    game=ANY,
    players=st.tuples(ANY, ANY),
    start=ANY,
    plies=st.lists(PLIES, max_size=5).map(tuple),
    result=st.none()
    | st.integers(-4, 4).map(float)
    | st.floats(allow_nan=False, allow_infinity=False),
    headers=st.dictionaries(KEYS, ANY, max_size=3).map(lambda found: tuple(found.items())),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(RECORDS, max_size=2))
def test_reading_gives_back_whatever_was_written(games: list[Record]) -> None:
    text = "\n".join(map(write, games))
    assert read_all(text) == games
    assert read_all(text.replace("\n", "\r\n")) == games
    assert all(char == "\n" or char.isprintable() for char in text)


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a2a3 *", "line 1: expected a header .*before the moves, found 'a2a3 \\*'"),
        ('\n[Gane "x"]\n*', "line 2: expected a header .*before the moves"),
        ('[Game "x]\n*', "line 1: expected a header such as"),
        ('[Game "x"]\n[Seed 7]\n*', "line 2: expected a header such as .*'\\[Seed 7\\]'"),
        ('[Game "x"]\n[Game "y"]\n*', "line 2: expected every header once, found Game twice"),
        ('[Game "x"]\n\n1. a b', "line 3: expected a move, or a result .*found the end"),
        ('[Game "x"]\n1. a\n[Game "y"] *', "line 3: expected a move, or a result .*'\\[Game"),
        ('[Game "x"]\n{no} a *', "line 2: expected a move before its comment"),
        ('[Game "x"]\na {no *', "line 2: expected a comment that ends with }"),
        ('[Game "x"]\na } *', "line 2: expected a move, or a result .*found '} \\*'"),
        ('[Game "x"]\na|b|c *', "line 2: expected a move, an outcome"),
        ('[Game "x"]\na| *', "line 2: expected a move, an outcome"),
        ('[Game "x"]\n:a|b *', "line 2: expected a move, an outcome"),
        ('[Game "x"]\n: *', "line 2: expected a move, an outcome"),
        ('[Game "x"]\n\\q *', r"line 2: expected an escape such as .*, found '\\\\q'"),
        ('[Game "x"]\n\\u110000; *', "line 2: expected an escape"),
        ('[Game "x"]\n[Result "1"]\n0-1', "line 3: expected the result '1' of the header"),
        ('[Game "x"]\n[Result "won"]\n*', "line 3: expected the result 'won' of the header"),
        ('[Game "x"]\n+1e999', "line 2: the result .1e999 is too large"),
        ('[Game "x"]\n1-0 a2a3', "line 2: expected a header .*found 'a2a3'"),
    ],
)
def test_bad_text_gets_one_line_that_names_the_place(text: str, message: str) -> None:
    with pytest.raises(PetteiaError, match=message) as caught:
        read_all(text)
    assert "\n" not in str(caught.value)


def read_or_refuse(text: str) -> None:
    """Either the text is read, and then written and read again, or it is refused in one line."""
    try:
        games = read_all(text)
    except PetteiaError as error:
        games, refusal = [], str(error)
        ok = refusal.startswith("line ") and len(refusal.splitlines()) == 1
    else:
        ok = read_all("\n".join(map(write, games))) == games
    assert ok


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_text_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SAMPLE)))
    end = data.draw(st.integers(at, min(len(SAMPLE), at + 9)))
    read_or_refuse(SAMPLE[:at] + data.draw(ANY) + SAMPLE[end:])


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec=None)) | st.text('[]{}"\\:|_ \nGame1-0*.'))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)
    read_or_refuse(f'[Game "x"]\n{text}')


def test_records_that_cannot_be_written_are_refused() -> None:
    with pytest.raises(PetteiaError, match="has 2 texts"):
        Ply("both", ("a",))
    with pytest.raises(PetteiaError, match="unknown kind of ply 'dice'"):
        Ply("dice", ("a",))  # type: ignore[arg-type]
    with pytest.raises(PetteiaError, match="nan points"):
        Record("x", ("a", "b"), result=float("nan"))
    with pytest.raises(PetteiaError, match="bad header 'a b'"):
        Record("x", ("a", "b"), headers=(("a b", ""),))
    for twice in ((("Result", "1"),), (("Seed", "1"), ("Seed", "2"))):
        with pytest.raises(PetteiaError, match="given twice"):
            Record("x", ("a", "b"), headers=twice)


# --- playing again -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GAME, Breakthrough(columns=10, rows=5)], ids=str)
def test_random_games_replay_to_their_end(game: Breakthrough) -> None:
    for seed in range(4):
        (record,) = read_all(write(random_game(game, seed)))
        line = replay(record, game)
        assert len(line) == len(record.plies) + 1
        assert line[0] == game.start()
        assert game.result(line[-1]) == record.result
        middle = len(line) // 2
        rest = replace(record, start=game.text(line[middle]), plies=record.plies[middle:])
        assert replay(rest, game) == line[middle:]


def test_a_wrong_game_is_refused_at_its_ply() -> None:
    record = random_game(GAME, 1)
    plies = record.plies
    wrong = [
        ((*plies[:6], Ply("move", ("a1h8",)), *plies[7:]), "ply 7: 'a1xh8' is not a legal move"),
        ((*plies[:6], Ply("chance", ("3",))), "ply 7: expected one move, found an outcome of the"),
        ((Ply("both", ("a2a3", "b7b6")),), "ply 1: expected one move, found two moves 'a2a3.b7b6'"),
        ((*plies, plies[0]), f"ply {len(plies) + 1}: .* is not possible; the game is over"),
    ]
    for changed, message in wrong:
        with pytest.raises(PetteiaError, match=message):
            replay(replace(record, plies=changed), GAME)
    with pytest.raises(PetteiaError, match="start of the game: bad position"):
        replay(replace(record, start="nonsense"), GAME)


def test_a_wrong_result_is_refused_only_where_the_rules_end_the_game() -> None:
    record = random_game(GAME, 2)
    assert record.result is not None
    for result in (-record.result, 2.0, None):
        with pytest.raises(PetteiaError, match=f"after ply {len(record.plies)} the game is over"):
            replay(replace(record, result=result), GAME)
    resigned = replace(record, plies=record.plies[:-1], result=-record.result)
    assert len(replay(resigned, GAME)) == len(record.plies)


def test_dice_and_simultaneous_moves_replay() -> None:
    plies = (
        Ply("chance", ("go 2|_",)),
        Ply("move", ("go 1|_",)),
        Ply("both", ("go 2|_", "go 1|_")),
    )
    record = Record("bout", ("a", "b"), plies=plies, result=4.0)
    assert r"1. :go_2\|\_ go_1\|\_ go_2\|\_|go_1\|\_ +4" in write(record)
    (again,) = read_all(write(record))
    assert replay(again, Bout()) == [words(0, 0), words(1, 2), words(2, 3), words(3, 24)]
    with pytest.raises(PetteiaError, match="ply 1: unknown outcome of the dice 'go 3"):
        replay(replace(record, plies=(Ply("chance", ("go 3|_",)),)), Bout())
    with pytest.raises(PetteiaError, match=r"ply 3: 'go 3._' is not a legal move"):
        replay(replace(record, plies=(*plies[:2], Ply("both", ("go 1|_", "go 3|_")))), Bout())


# --- files -------------------------------------------------------------------------------------


def test_files_hold_many_games(tmp_path: Path) -> None:
    games = [random_game(GAME, seed) for seed in range(3)]
    file = tmp_path / "games.txt"
    save(file, games)
    assert load(file) == games
    save(str(file), games[:1])
    assert load(str(file)) == games[:1]
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert load(file) == games[:1]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.txt"
    save(file, [random_game(GAME, 1)])
    before = file.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(PetteiaError, match=r"cannot write .*No space left"):
        save(file, [random_game(GAME, 2)])
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_files_in_utf_16_are_read(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    game = random_game(GAME, 3)
    file.write_text(write(game), encoding="utf-16")
    assert load(file) == [game]


def test_files_that_cannot_be_read_get_a_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PetteiaError, match=r"cannot read .*missing: No such file"):
        load(tmp_path / "missing")
    with pytest.raises(PetteiaError, match="cannot read"):
        load(tmp_path)
    with pytest.raises(PetteiaError, match="cannot write"):
        save(tmp_path / "missing" / "games.txt", [])
    with pytest.raises(PetteiaError, match="cannot write"):
        save(tmp_path, [])
    file = tmp_path / "games.txt"
    file.write_bytes(b'[Game "\xff"]')
    with pytest.raises(PetteiaError, match="not text in UTF-8; byte 7"):
        load(file)
    file.write_bytes(b"\xff\xfe[")
    with pytest.raises(PetteiaError, match="not text in UTF-16; byte 2"):
        load(file)
    file.write_text('[Game "x"]\n\n1. a')
    with pytest.raises(PetteiaError, match=r"games\.txt: line 3: expected a move"):
        load(file)
    monkeypatch.setattr(records, "_LARGEST", 10)
    with pytest.raises(PetteiaError, match="too large"):
        load(file)
    with pytest.raises(PetteiaError, match="too large"):
        save(file, [random_game(GAME, 1)])
