"""Programs outside play by the protocol; what they do wrong is a forfeit and never a hang."""

from __future__ import annotations

import gc
import os
import shlex
import shutil
import sys
import time
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.agents import sandbox
from petteia.agents.outside import External
from petteia.arena.match import Match, MatchResult
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.program import Program, ProgramFailed
from petteia.core.replay import replay
from petteia.core.spec import Spec, Value
from tests.submitted import FIRST, hand_in
from tests.toys import OddEven

ROOT = Path(__file__).parents[2]
GAME = "breakthrough(columns=4, rows=5)"
SMALL = games.make(GAME)

# A whole engine; each test changes one thing in it. It notes its process number in its folder.
ENGINE = """
import os, sys, time
from pathlib import Path
pids = Path(__file__).with_suffix(".pids")
with pids.open("a") as file:
    file.write(f"{os.getpid()}\\n")
def say(line):
    print(line, flush=True)
legal, asked = [], 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "petteia":
        say("petteia 1"); say("id name tester"); say("ready")
    elif word in ("game", "newgame"):
        say("ready")
    elif word == "legal":
        legal = rest
    elif word == "go":
        asked += 1
        say("info text thinking")
        say(f"info depth=2 value=0.5 nodes=10 leaves=7 unknown=1 line {legal[0]} nonsense")
        say("bestmove " + legal[asked % len(legal)])
    elif word == "quit":
        break
"""
ANSWER = 'say("bestmove " + legal[asked % len(legal)])'


def _command(tmp_path: Path, change: dict[str, str]) -> str:
    source = ENGINE
    for old, new in change.items():
        assert old in source
        source = source.replace(old, new)
    path = tmp_path / "engine.py"
    path.write_text(source)
    return shlex.join([sys.executable, str(path)])


def _external(
    tmp_path: Path, change: dict[str, str] | None = None, game: Game = SMALL, **clock: float
) -> External:
    clock = {"time": 10.0, **clock}
    arguments: dict[str, Value] = {"command": _command(tmp_path, change or {}), **clock}
    agent = agents.make(Spec("external", tuple(arguments.items())), game)
    assert isinstance(agent, External)
    return agent


def _pids(tmp_path: Path) -> list[int]:
    return [int(line) for line in (tmp_path / "engine.pids").read_text().split()]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _reasons(result: MatchResult) -> list[str]:
    return [game.forfeit.reason for pair in result.pairs for game in pair.games if game.forfeit]


def test_a_program_plays_a_match_in_one_process_which_is_gone_afterwards(tmp_path: Path) -> None:
    agent = _external(tmp_path)
    result = Match(SMALL, agent, agents.make("random", SMALL), seed=3).run(3)
    assert result.forfeits() == (0, 0)
    assert agent.identity == {"name": "tester"}
    seat = result.seat(0)
    assert (seat.interior, seat.leaves) == (3 * seat.moves, 7 * seat.moves)
    for pair in result.pairs:
        for game in pair.games:
            replay(game.record, SMALL)
    (pid,) = _pids(tmp_path)
    assert not _is_alive(pid)


def test_an_agent_that_is_forgotten_takes_its_program_along(tmp_path: Path) -> None:
    agent = _external(tmp_path)
    agent.choose(SMALL.start(), seed=1)
    (pid,) = _pids(tmp_path)
    assert _is_alive(pid)
    del agent
    gc.collect()
    assert not _is_alive(pid)


def test_what_a_program_tells_is_in_the_decision(tmp_path: Path) -> None:
    agent = _external(tmp_path, {ANSWER: 'say("bestmove " + legal[0] + " value=2.5")'})
    found = agent.choose(SMALL.start(), seed=1)
    assert found.move == SMALL.legal_moves(SMALL.start())[0]
    assert (found.value, found.depth, found.line) == (2.5, 2, (found.move,))
    assert 0 < found.seconds < 10
    agent.close()
    assert agent.choose(SMALL.start()).move == found.move
    assert len(_pids(tmp_path)) == 2


FAILURES = {
    "crash": ({ANSWER: "raise KeyError('lost')"}, "exited with code 1 (KeyError: 'lost')"),
    "crash later": (
        {ANSWER: f"1 / (2 - asked); {ANSWER}"},
        "exited with code 1 (ZeroDivisionError: division by zero)",
    ),
    "exit": ({ANSWER: "sys.exit(3)"}, "exited with code 3"),
    "signal": ({ANSWER: "os.kill(os.getpid(), 9)"}, "was ended by SIGKILL"),
    "garbage": ({ANSWER: 'say("hello there")'}, "said 'hello there': unknown message"),
    "bytes": (
        {ANSWER: 'os.write(1, bytes(range(128, 256)) + b"\\n")'}, "unknown message",
    ),
    "bad value": ({ANSWER: 'say("bestmove a2a3 value=high")'}, "expected a number"),
    "no move": ({ANSWER: 'say("bestmove")'}, "bestmove: expected a move"),
    "illegal": ({ANSWER: 'say("bestmove a1a1")'}, "illegal move: "),
    "endless line": (
        {ANSWER: "\n        while True: sys.stdout.write('x' * 10000)"}, "unknown message 'xxx",
    ),
    "error": ({ANSWER: 'say("error no idea")'}, "no idea"),
    "ready": ({ANSWER: 'say("ready")'}, "said 'ready' out of turn"),
    "closed": ({ANSWER: "os.close(1); time.sleep(60)"}, "closed its standard output"),
    "exit at start": ({"def say": "sys.exit('not today')\ndef say"}, "code 1 (not today)"),
    "version": ({'say("petteia 1")': 'say("petteia 2")'}, "speaks version 2 of the protocol"),
    "greeting": ({'say("petteia 1")': 'say("uciok")'}, "said 'uciok': unknown message"),
    "new game": ({'say("petteia 1")': 'say("petteia 1")', '"game", "newgame"': '"game",'},
                 "took more than 0.5 seconds to answer 'newgame'"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "reason"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_a_forfeit_and_the_match_goes_on(
    tmp_path: Path, change: dict[str, str], reason: str
) -> None:
    startup = 0.5 if "newgame" in reason else 20.0
    agent = _external(tmp_path, change, time=5.0, startup=startup)
    result = Match(SMALL, agents.make("random", SMALL), agent, opening="none").run(1)
    assert result.forfeits() == (0, 2)
    assert result.score == 1.0
    for said in _reasons(result):
        assert said.startswith("ProgramFailed: ")
        assert reason in said
        assert "\n" not in said
    pids = _pids(tmp_path)
    assert len(pids) >= 2
    assert not any(map(_is_alive, pids))


@pytest.mark.parametrize(
    "change",
    [
        {ANSWER: "time.sleep(60)"},
        {ANSWER: "import subprocess; subprocess.run(['sleep', '60'])"},
        {ANSWER: "\n        while True: say('info text still thinking')"},
        {ANSWER: "\n        while True: sys.stderr.write('x' * 10000)"},
        {"info text thinking": "info text", ANSWER: "sys.stdin.close(); time.sleep(60)"},
    ],
    ids=["sleeps", "waits for a child", "chatters", "endless error", "deaf"],
)
def test_silence_is_a_time_out(tmp_path: Path, change: dict[str, str]) -> None:
    agent = _external(tmp_path, change, time=0.2, grace=0.1)
    match = Match(SMALL, agent, agents.make("random", SMALL))
    started = time.monotonic()
    result = match.run(1)
    assert time.monotonic() - started < 5
    assert result.forfeits() == (2, 0)
    assert all("took more than 0.3 seconds to answer 'go'" in said for said in _reasons(result))
    assert not any(map(_is_alive, _pids(tmp_path)))


def test_silence_at_the_start_is_a_time_out(tmp_path: Path) -> None:
    agent = _external(tmp_path, {"def say": "time.sleep(60)\ndef say"}, startup=0.3)
    result = Match(SMALL, agent, agents.make("random", SMALL)).run(1)
    assert all("took more than 0.3 seconds to answer 'petteia'" in why for why in _reasons(result))
    assert result.forfeits() == (2, 0)


def test_late_answers_inside_the_grace_are_counted(tmp_path: Path) -> None:
    agent = _external(tmp_path, {ANSWER: f"time.sleep(0.02); {ANSWER}"}, time=0.01, grace=30)
    result = Match(SMALL, agents.make("random", SMALL), agent).run(1)
    assert result.forfeits() == (0, 0)
    assert result.late() == (0, result.seat(1).moves)
    assert result.as_json()["late_by_agent"] == list(result.late())
    assert result.seat(1).moves > 0


def test_the_clock_of_a_whole_game_runs_out_and_is_set_again(tmp_path: Path) -> None:
    slow = {ANSWER: f"time.sleep(0.02); {ANSWER}"}
    agent = _external(tmp_path, slow, grace=30, game_time=0.01)
    result = Match(SMALL, agent, agents.make("random", SMALL), opening="none").run(1)
    assert all("has used up its 0.01 seconds a game" in why for why in _reasons(result))
    assert result.forfeits() == (2, 0)
    games = result.pairs[0].games
    assert [games[0].seats[0].moves, games[1].seats[1].moves] == [1, 1]


def test_a_program_that_never_reads_cannot_block_the_host(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    path.write_text("import time\nprint('petteia 1\\nready', flush=True)\ntime.sleep(60)\n")
    program = Program([sys.executable, str(path)], "deaf")
    for _ in range(1000):
        program.send("position start" + " " * 1000)
    assert program.receive(time.monotonic() + 20) == "petteia 1"
    started = time.monotonic()
    program.kill()
    assert time.monotonic() - started < 2


def test_what_a_program_starts_ends_with_it(tmp_path: Path) -> None:
    note = "child = subprocess.Popen(['sleep', '60']); pids.open('a').write(f'{child.pid}\\n')"
    agent = _external(tmp_path, {"def say": f"import subprocess; {note}\ndef say"})
    agent.new_game()
    engine, child = _pids(tmp_path)
    agent.close()
    assert not _is_alive(engine)
    deadline = time.monotonic() + 5  # the child's own parent is gone: it is reaped elsewhere
    while _is_alive(child) and time.monotonic() < deadline:
        state = Path(f"/proc/{child}/stat")
        if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
            break
        time.sleep(0.01)
    else:
        assert not _is_alive(child)


def test_a_second_answer_is_out_of_turn(tmp_path: Path) -> None:
    agent = _external(tmp_path, {ANSWER: f"{ANSWER}; {ANSWER}"})
    agent.choose(SMALL.start())
    assert agent._program is not None
    while agent._program._heard.empty():
        time.sleep(0.001)
    with pytest.raises(ProgramFailed, match=r"said 'bestmove .*' out of turn"):
        agent.choose(SMALL.start())
    assert not any(map(_is_alive, _pids(tmp_path)))


def test_standard_error_is_in_the_traceback(tmp_path: Path) -> None:
    agent = _external(tmp_path, {ANSWER: "raise KeyError('lost')"})
    result = Match(SMALL, agent, agents.make("random", SMALL)).run(1)
    forfeit = result.pairs[0].games[0].forfeit
    assert forfeit is not None
    assert "standard error of " in forfeit.trace
    assert "engine.py" in forfeit.trace
    assert forfeit.trace.rstrip().endswith("KeyError: 'lost'")


def test_a_program_ends_with_the_interpreter(tmp_path: Path) -> None:
    script = (
        "from petteia import agents, games\n"
        "from petteia.core.spec import Spec, Value\n"
        f"game = games.make({GAME!r})\n"
        f"command = {_command(tmp_path, {'break': 'time.sleep(60)'})!r}\n"
        "agent = agents.make(Spec('external', (('command', command),)), game)\n"
        "agent.new_game()\n"
        "print('done')\n"
    )
    program = Program([sys.executable, "-c", script], "host")
    assert program.receive(time.monotonic() + 30) == "done"
    with pytest.raises(ProgramFailed, match="exited with code 0"):
        program.receive(time.monotonic() + 30)
    (pid,) = _pids(tmp_path)
    assert not _is_alive(pid)


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ('external(command="no-such-program -x")', "there is no program 'no-such-program'"),
        ('external(command="")', "the command is empty"),
        ('external(command="\'")', "bad command"),
        ("external", "needs command"),
        (f'external(command="{sys.executable}", time=0)', "time=0.0 is not possible"),
        (f'external(command="{sys.executable}", grace=-1)', "grace=-1.0 is not possible"),
    ],
)
def test_mistakes_in_the_spec_are_told_when_the_agent_is_made(spec: str, what: str) -> None:
    with pytest.raises(PetteiaError, match=what) as caught:
        agents.make(spec, SMALL)
    assert "\n" not in str(caught.value)


def test_a_program_that_cannot_be_run_is_a_forfeit(tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    agent = agents.make(Spec("external", (("command", str(path)),)), SMALL)
    result = Match(SMALL, agent, agents.make("random", SMALL)).run(1)
    assert all("cannot be started" in reason for reason in _reasons(result))
    assert result.forfeits() == (2, 0)


@pytest.mark.parametrize("toy", ["Race", "OddEven"])
def test_dice_and_simultaneous_moves_are_played(tmp_path: Path, toy: str) -> None:
    game = games.make(f"{ROOT / 'tests' / 'toys.py'}:{toy}")
    result = Match(game, _external(tmp_path, game=game), agents.make("random", game)).run(3)
    assert result.forfeits() == (0, 0)


def test_the_player_who_is_asked_gets_its_own_moves(tmp_path: Path) -> None:
    agent = _external(tmp_path, {"legal[asked % len(legal)]": "legal[-1]"}, game=OddEven())
    assert agent.choose(OddEven().start(), player=0).move == 3
    assert agent.choose(OddEven().start(), player=1).move == 2


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_the_example_in_another_language_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    spec = 'external(command="node examples/random_player.js", time=10)'
    results = [
        Match(SMALL, agents.make(spec, SMALL), agents.make("random", SMALL), seed=2).run(2)
        for _ in range(2)
    ]
    assert results[0].forfeits() == (0, 0)
    records = [[game.record for pair in each.pairs for game in pair.games] for each in results]
    assert records[0] == records[1]
    assert len((ROOT / "examples" / "random_player.js").read_text().splitlines()) < 60


def test_a_program_with_its_folder_runs_there_in_the_sandbox(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("")
    go = f"[ -f play.sh ] || exit 8; [ -e {secret} ] && exit 9; " + FIRST
    home = hand_in(tmp_path, "mine", go)
    agent = agents.make(Spec("external", (("command", "sh play.sh"), ("folder", str(home)))), SMALL)
    if sandbox.protection().rung == "bubblewrap":
        assert agent.choose(SMALL.start()).move in SMALL.legal_moves(SMALL.start())
    else:
        with pytest.raises(ProgramFailed, match="exited with code 9"):
            agent.choose(SMALL.start())
    agent.close()
    for wrong, says in (("folder", "there is no folder"), ("memory", "memory=1 is not possible")):
        given: dict[str, Value] = {"command": "sh", "folder": str(home)}
        given[wrong] = 1 if wrong == "memory" else str(secret)
        with pytest.raises(PetteiaError, match=says):
            agents.make(Spec("external", tuple(given.items())), SMALL)
