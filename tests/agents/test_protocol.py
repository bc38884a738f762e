"""Every message is written and read back; every line is a message or an error of one line."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petteia.agents.protocol import (
    BestMove,
    Go,
    Hello,
    Identity,
    Info,
    Legal,
    NewGame,
    Problem,
    Quit,
    Ready,
    SetGame,
    SetPosition,
    Stop,
    parse_answer,
    parse_order,
)
from petteia.core.errors import PetteiaError
from petteia.core.record import Ply

WORD = st.text(string.ascii_letters + string.digits + "/-:|_=\\ é", min_size=1)
TEXT = WORD.map(str.strip).filter(lambda text: bool(text) and text != "start")
MOVE = st.one_of(st.text(), st.sampled_from(["moves", "line", "value=1", ":3", "a|b", "", "1-0"]))
PLY = st.one_of(
    MOVE.map(lambda text: Ply("move", (text,))),
    MOVE.map(lambda text: Ply("chance", (text,))),
    st.tuples(MOVE, MOVE).map(lambda texts: Ply("both", texts)),
)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
COUNT = st.one_of(st.none(), st.integers(0, 2**63 - 1))
LIMIT = st.one_of(st.none(), st.integers(1, 2**63 - 1))

ORDERS = st.one_of(
    st.builds(Hello, st.integers(0, 10**6)),
    st.builds(SetGame, TEXT),
    st.builds(
        SetPosition,
        st.one_of(st.just("start"), TEXT, TEXT.map(lambda text: f"{text} moves")),
        st.lists(PLY, max_size=4).map(tuple),
    ),
    st.builds(Legal, st.lists(MOVE, max_size=5).map(tuple)),
    st.builds(
        Go,
        st.sampled_from([None, 0, 1]),
        st.one_of(st.none(), st.floats(1e-9, 1e6)),
        LIMIT,
        LIMIT,
        COUNT,
    ),
    st.sampled_from([NewGame(), Stop(), Quit(), Go(others=("winc=3", "ponder"))]),
)
ANSWERS = st.one_of(
    st.builds(Hello, st.integers(0, 10**6)),
    st.builds(Identity, st.sampled_from(["name", "author"]), TEXT),
    st.just(Ready()),
    st.builds(
        Info, COUNT, st.one_of(st.none(), NUMBER), COUNT, COUNT,
        st.lists(MOVE, max_size=4).map(tuple),
    ),
    st.builds(BestMove, MOVE, st.one_of(st.none(), NUMBER)),
    st.sampled_from([Info(text="still thinking"), Problem("no idea"), Problem("")]),
)  # fmt: skip


@given(ORDERS)
def test_what_a_host_says_is_read_back(order: Any) -> None:
    line = str(order)
    assert "\n" not in line
    assert parse_order(line) == order
    assert parse_order(f"  {line} \r") == order


@given(ANSWERS)
def test_what_an_engine_says_is_read_back(answer: Any) -> None:
    line = str(answer)
    assert "\n" not in line
    assert parse_answer(line) == answer


STARTS = (
    "petteia", "game", "newgame", "position", "position start", "position text", "legal", "go",
    "stop", "quit", "id", "ready", "info", "info line", "bestmove", "error", "go time=", "",
)  # fmt: skip


@pytest.mark.parametrize("parse", [parse_order, parse_answer])
@given(start=st.sampled_from(STARTS), rest=st.one_of(st.text(), WORD))
def test_any_line_is_a_message_or_an_error_of_one_line(
    parse: Callable[[str], Any], start: str, rest: str
) -> None:
    line = f"{start} {rest}".replace("\n", " ")
    try:
        message = parse(line)
    except PetteiaError as error:
        complaint = str(error)
    else:
        assert parse(str(message)) == message
        return
    assert complaint.isprintable()
    assert len(complaint) < 600


def test_a_position_ends_at_the_last_word_moves() -> None:
    assert parse_order("position start") == SetPosition()
    assert parse_order("position start moves") == SetPosition()
    assert parse_order("position text 8/8 w") == SetPosition("8/8 w")
    played = (Ply("move", ("b2a3",)), Ply("chance", ("3",)), Ply("both", ("a", "b")))
    assert parse_order("position start moves b2a3 :3 a|b") == SetPosition("start", played)
    assert parse_order("position text moves 1 moves b2a3 :3 a|b") == SetPosition("moves 1", played)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "unknown message ''"),
        ("g0 player=0", "did you mean go"),
        ("petteia one", "expected the version"),
        ("game", "expected a game"),
        ("newgame now", "nothing may follow"),
        ("position 8/8 w", "expected 'position start'"),
        ("position text moves", "expected 'position start'"),
        ("go player=2", "from 0 to 1"),
        ("go time=0", "seconds above 0"),
        ("go time=inf", "seconds above 0"),
        ("go depth=-1", "a whole number"),
        ("go seed=1 seed=2", "seed is given twice"),
        ("legal a|b", "expected one move"),
        (r"legal \q", "expected an escape"),
    ],
)
def test_errors_say_what_was_expected(line: str, what: str) -> None:
    with pytest.raises(PetteiaError, match=what):
        parse_order(line)


def test_a_text_of_more_than_a_line_is_never_sent() -> None:
    with pytest.raises(PetteiaError, match="does not fit"):
        str(SetGame("a\nquit"))
