"""A user's mistake is one clear line on standard error and exit code 2, whatever it is."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from petteia.cli import main
from tests.started import running, wait_until_it_works

SMALL = "breakthrough(columns=4, rows=5)"


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    return int(caught.value.code or 0)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("perft", "brekthrough"), "did you mean breakthrough"),
        (("perft", "breakthrough(columns=1)"), "at least 2 columns"),
        (("perft", "breakthrough(columns=9, rows=9)"), "at most 64 squares"),
        (("perft", "breakthrough(filled=5)"), "1 to 4 home rows"),
        (("perft", "breakthrough(colums=4)"), "did you mean columns"),
        (("perft", "breakthrough(columns=4"), "expected"),
        (("perft", "breakthrough", "--depth", "x"), "depth"),
        (("perft", "breakthrough", "--position", "8/8"), "bad position"),
        (("perft", "./nothing.py"), "there is no file"),
        (("perft",), "GAME"),
        (("perfd", "breakthrough"), "perfd"),
        (("analyse", SMALL, "start", "--agent", "alphabeta(depth=99)"), "1 to 60"),
        (("analyse", SMALL, "start", "--agent", "nobody"), "unknown agent"),
        (("analyse", SMALL, "--moves", "a1a9"), "not a legal move"),
        (("analyse", SMALL, "P3/4/4/3p/4 b"), "nothing to analyse"),
        (("analyse", SMALL, "--svg", "/nowhere/at/all.svg"), "cannot write"),
        (("match", SMALL, "random", "random", "--pairs", "0"), "pairs"),
        (("match", SMALL, "random", "randon"), "did you mean random"),
        (("play", SMALL, "--side", "third"), "unknown side"),
        (("play", SMALL, "--load", "/nowhere.txt"), "/nowhere.txt"),
    ],
)
def test_mistakes(
    arguments: tuple[str, ...], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert what in err
    assert "Traceback" not in err


_soup = st.text(st.sampled_from('abp/8w (),=."\\:1-_é\n\x00'), max_size=30) | st.text(max_size=20)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.lists(_soup, min_size=3, max_size=3), command=st.integers(0, 4))
def test_any_nonsense_is_refused_in_one_line(
    words: list[str], command: int, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, c = words
    arguments = [
        ("perft", f"breakthrough{a}", "--depth", "1"),
        ("perft", SMALL, f"--position={a}", "--depth", "1"),
        ("analyse", SMALL, f"--moves={a} {b}", "--agent=random"),
        ("analyse", SMALL, "--agent", f"greedy(eval={a})"),
        ("match", SMALL, f"alpha{b}", f"random{c}", "--pairs", "1"),
    ][command]
    code = run(*arguments)
    _, err = capsys.readouterr()
    assert code in (0, 2)
    if code == 2:
        assert len(err.splitlines()) == 1, err


@pytest.mark.parametrize(
    "source",
    [
        "x = 1\n",
        "from petteia import Game\nclass A(Game):\n    pass\n",
        "1 / 0\n",
        "def f(:\n",
        "from petteia import *\nclass G(Game):\n"
        "    def start(self): return (1,)\n    def kind(self, p): return 0\n"
        "    def mover(self, p): return 0\n    def moves(self, p, out, at): return at\n"
        "    def play(self, p, m): return p\n    def result(self, p): return 0.0\n",
        "from petteia import *\nclass G(Game):\n"
        "    def start(self): return (U(1),)\n    def kind(self, p): return 0\n"
        "    def mover(self, p): return 0\n    def moves(self, p, out, at): return at\n"
        "    def play(self, p, m): return (p[0] + m,)\n    def result(self, p): return 0.0\n",
    ],
    ids=["no game", "half a game", "error", "syntax", "int words", "float words"],
)
def test_a_users_broken_game_is_one_line(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    assert run("check", str(path)) == 2
    _, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if "compiling for the first use" not in line]
    assert len(lines) == 1, err


# Says when everything is compiled and the search begins.
ANALYSE = """
import sys
from petteia.cli import analyse, main
usual = analyse.interruptible
def told(agent, work):
    agent.prepare(agent.game.start())
    print("searching", flush=True)
    return usual(agent, work)
analyse.interruptible = told
main(["analyse", *sys.argv[1:]])
"""


@pytest.mark.parametrize("words", [(), ("flow",)])
def test_without_a_command_there_is_the_list_of_commands(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith(f"{' '.join(('', *words))} [OPTIONS] COMMAND [ARGS]...")
    assert any(line.split()[:1] == ["solve"] for line in lines)


def test_ctrl_c_ends_a_long_search_at_once() -> None:
    command = [sys.executable, "-c", ANALYSE, "breakthrough", "--agent", "engine(depth=60)"]
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"searching\n"
        wait_until_it_works(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert b"interrupted" in err
        assert b"Traceback" not in err
