"""Outside engines that speak Hub: a small one, written here, plays and misbehaves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.games.checkers.face.paths import captures_of, ends_of
from petteia.games.checkers.programs import HubAgent, hub_move, hub_position
from tests.games.checkers.boards import board, scattered
from tests.started import processes_naming

GAME = board()

ENGINE = """
import sys
from petteia.games.checkers import Checkers
from petteia.games.checkers.face.paths import captures_of, ends_of

game, where = Checkers(), ""
for line in sys.stdin:
    word = line.split()[0]
    if word == "hub":
        print("id name=small version=1\\nwait", flush=True)
    elif word == "init":
        print("ready", flush=True)
    elif word == "pos":
        where = line.split("pos=")[1].strip()
    elif word == "go":
        sides = {"b": [], "w": []}
        for number, letter in enumerate(where[1:], 1):
            if letter != "e":
                king = "K" if letter.isupper() else ""
                sides[letter.lower()].append(f"{king}{number}")
        p = game.parse(f"{where[0]}:W{','.join(sides['w'])}:B{','.join(sides['b'])}")
        move = game.legal_moves(p)[-1]
        taken = captures_of(move)
        text = ("x" if taken else "-").join(map(str, ends_of(move)))
        print("info depth=1", flush=True)
        print("done move=" + "x".join([text, *map(str, taken)]), flush=True)
"""


@pytest.mark.rules
def test_positions_and_moves_in_hubs_letters() -> None:
    assert hub_position(GAME.start()) == "B" + "b" * 12 + "e" * 8 + "w" * 12
    assert hub_position(GAME.parse("W:WK12:B7,K31")) == "W" + "e" * 6 + "b" + "e" * 4 + "W" + (
        "e" * 18 + "B" + "e"
    )
    for p in scattered(100, 61):
        for move in GAME.legal_moves(p):
            taken = captures_of(move)
            text = ("x" if taken else "-").join(map(str, ends_of(move)))
            assert hub_move(GAME, p, "x".join([text, *map(str, taken)])) == move


def test_an_engine_plays(tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(ENGINE)
    agent = agents.make(f'hub(command="{sys.executable} {program}", time=5)', GAME)
    p = GAME.start()
    for _ in range(12):
        move = agent.choose(p).move
        assert move == GAME.legal_moves(p)[-1]
        p = GAME.play(p, move)
    agent.close()


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("pass", "exited with code 0"),
        ("print('wait', flush=True); input(); input()", "exited with code"),
        ("print('error message=no', flush=True); input()", "said 'error message=no'"),
    ],
)
def test_what_goes_wrong_is_said(program: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(program)
    agent = agents.make(f'hub(command="{sys.executable} {file}")', GAME)
    with pytest.raises(PetteiaError, match=why):
        agent.choose(GAME.start())
    agent.close()


def test_nothing_of_an_engine_is_left(tmp_path: Path) -> None:
    text = ENGINE.replace(
        "import sys\n",
        "import os, sys, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(300)\n", 1,
    )  # fmt: skip
    assert "setsid" in text
    (tmp_path / "engine.py").write_text(text)
    command = f"{sys.executable} {tmp_path / 'engine.py'}"
    agent = HubAgent(GAME, command)
    agent.choose(GAME.start())
    assert len(processes_naming(str(tmp_path))) == 3
    agent.close()
    assert processes_naming(str(tmp_path)) == []


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(PetteiaError, match="'no-such-engine hub': cannot be started"):
        agents.make('hub(command="no-such-engine hub")', GAME).choose(GAME.start())
