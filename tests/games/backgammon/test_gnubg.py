"""GNU Backgammon itself: whole matches there and back, and its decisions at the cube."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from petteia.cli.app import main
from petteia.core.game import CHANCE
from petteia.core.record import Record
from petteia.core.session import Session
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.programs import GnubgAgent, fibs_board
from petteia.games.backgammon.rules.state import CUBE, PLAY, TAKE, parts_of
from tests.games.backgammon.boards import game
from tests.games.backgammon.gnubg import gnubg_program, run_gnubg
from tests.positions import play_random

MATCHES = {1: 5, 2: 3, 3: 7}
"""Seeds, and the points of the match that it plays against itself with each. The three hold
doubles, takes, drops, resignations, gammons, and the Crawford game and what comes after it."""

PLAYS = """
import gnubg
for order in {orders!r}:
    gnubg.command(order)
for seed, length in {matches!r}.items():
    gnubg.command("set seed %d" % seed)
    gnubg.command("new match %d" % length)
    for _ in range(2000):
        gnubg.command("play")
        if gnubg.posinfo()["gamestate"] != 1:
            break
    gnubg.command("export match mat theirs%d.mat" % seed)
    gnubg.command("save match theirs%d.sgf" % seed)
"""
READS = """
import gnubg
for order in ("set display off", "set automatic game off"):
    gnubg.command(order)
for name in {names!r}:
    gnubg.command(("import mat " if name.endswith(".mat") else "load match ") + name)
    gnubg.command("export match mat again_" + name.replace(".", "_") + ".mat")
"""
ORDERS = [
    "set threads 1", "set rng mersenne", "set automatic game on", "set display off",
    *(f"set player {player} gnubg" for player in (0, 1)),
    *(
        f"set player {player} {kind} evaluation plies 0"
        for player in (0, 1)
        for kind in ("chequerplay", "cubedecision")
    ),
]  # fmt: skip


def run_script(folder: Path, text: str) -> None:
    (folder / "script.py").write_text(text)
    run_gnubg(folder, "-p", "script.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With matches that GNU Backgammon played against itself, in both forms."""
    found = tmp_path_factory.mktemp("gnubg")
    run_script(found, PLAYS.format(orders=ORDERS, matches=MATCHES))
    return found


def read(of: Backgammon, path: Path) -> list[Record]:
    found = of.foreign_games(path.read_text())
    assert found is not None
    assert not any(entry.remarks for entry in found.entries)
    return found.whole()


@pytest.mark.parametrize("form", ["mat", "sgf"])
def test_its_matches_are_read_without_a_difference(
    folder: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    resigned, crawford = 0, 0
    for seed, length in MATCHES.items():
        file = folder / f"theirs{seed}.{form}"
        spec = f"backgammon(match={length}, cube=true)"
        with pytest.raises(SystemExit) as end:
            main(["replay", spec, str(file), "--json"])
        assert not end.value.code
        facts = json.loads(capsys.readouterr().out)
        games = file.read_text().count(" Game " if form == "mat" else "GM[6]")
        assert facts["games"] == facts["read"] == len(facts["scores"]) == games > 1
        assert facts["differences"] == facts["unfinished"] == 0
        resigned += facts["ended_by_players"]
        crawford += any(length - 1 in score for score in facts["scores"])
    assert resigned > 2
    assert crawford > 1


def test_both_forms_tell_the_same(folder: Path) -> None:
    for seed, length in MATCHES.items():
        of = game(match=length, cube=True)
        one, other = (read(of, folder / f"theirs{seed}.{form}") for form in ("mat", "sgf"))
        assert one == other


def test_it_reads_what_we_write(folder: Path) -> None:
    """Its matches written by us, imported by it and exported again are the same matches."""
    kept = {
        seed: read(game(match=length, cube=True), folder / f"theirs{seed}.mat")
        for seed, length in MATCHES.items()
    }
    names = []
    for seed, records in kept.items():
        for form in ("mat", "sgf"):
            text = game(match=MATCHES[seed], cube=True).foreign_text(records, f".{form}")
            assert text is not None
            names.append(f"ours{seed}.{form}")
            (folder / names[-1]).write_text(text)
    run_script(folder, READS.format(names=names))
    for seed, records in kept.items():
        of = game(match=MATCHES[seed], cube=True)
        for form in ("mat", "sgf"):
            assert read(of, folder / f"again_ours{seed}_{form}.mat") == records


def test_it_reads_our_own_matches(tmp_path: Path) -> None:
    of = game(match=3, cube=True)
    played = play_random(Session(of, ("a", "b"), seed=5), 5, 10_000).record()
    for suffix in (".mat", ".sgf"):
        text = of.foreign_text([played], suffix)
        assert text is not None
        (tmp_path / f"ours{suffix}").write_text(text)
    run_script(tmp_path, READS.format(names=["ours.mat", "ours.sgf"]))
    ours = read(of, tmp_path / "ours.mat")
    for form in ("mat", "sgf"):
        assert [kept.plies for kept in read(of, tmp_path / f"again_ours_{form}.mat")] == [
            kept.plies for kept in ours
        ]


# --- as an opponent ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        # What its own hints say: the score decides, and after the Crawford game who is behind.
        ("--BCCB-------------bbccc--:0:0:1:00:0:2:0:3:10", "double"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:1:2:0:3:10", "double"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:3:10", "roll"),
        ("--b--BDaB---dE-A-c-e----A-:0:0:1:00:1:0:0:3:10", "roll"),
        ("--b--BDaB---dE-A-c-e----A-:0:0:1:00:0:1:0:3:10", "double"),
        ("abCBCAC-------b--c-cb-b---:1:-1:-1:00:1:0:0:3:10", "double"),
        ("-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:3:10", "take"),
        ("--BCCB-------------bbccc--:0:0:1:D:0:1:0:3:10", "drop"),
    ],
)
def test_it_decides_at_the_cube(asked: GnubgAgent, text: str, action: str) -> None:
    of = game(match=3, cube=True)
    p = of.parse(f"XGID={text}")
    assert of.move_text(p, asked.choose(p).move) == action


@pytest.fixture(scope="module")
def asked() -> Iterator[GnubgAgent]:
    gnubg_program()
    agent = GnubgAgent(game(match=3, cube=True))
    yield agent
    agent.close()


def test_it_plays_a_match_with_the_cube(asked: GnubgAgent) -> None:
    of = game(match=3, cube=True)
    session, chance = Session(of, seed=3), random.Random(3)
    phases = set()
    while not session.is_over:
        if session.kind == CHANCE:
            session.roll()
        elif session.mover == 0:
            phases.add(parts_of(session.p[4])["phase"])
            session.make(asked.choose(session.p).move)
        else:
            session.make(chance.choice(of.legal_moves(session.p)))
    assert session.result == 1.0, "it beats random play"
    assert phases == {PLAY, CUBE, TAKE}


def test_the_line_that_it_is_sent() -> None:
    of = game(match=5, cube=True)
    text = "XGID=-b----E-C---eE---c-e----B-:1:1:1:{}:3:2:0:5:10"
    for dice, phase, turn, offered in (("00", CUBE, "1", "0"), ("D", TAKE, "-1", "1")):
        p = of.parse(text.format(dice))
        assert parts_of(p[4])["phase"] == phase
        line, *words = fibs_board(of, p).split(" ")
        fields = line.split(":")
        assert (fields[32], fields[37], fields[40]) == (turn, "2", offered)
        # White owns the cube; the score of the player who is not on turn comes first.
        assert fields[38:40] == (["1", "0"] if phase == CUBE else ["0", "1"])
        assert fields[3:6] == ["5", "2", "3"]
        assert words == ["crawfordrule", "off", "jacobyrule", "off", "beavers", "off"]
