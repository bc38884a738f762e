"""Programs that are not ours: stopped, measured, ended with all that they have started."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from petteia.core.supervised import Supervised

pytestmark = pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="there are no processes to be seen in /proc"
)
BURN = "while time.process_time() < 0.2: pass\n"


@pytest.fixture
def run() -> Iterator[object]:
    running: list[Supervised] = []

    def begin(code: str, **limits: int) -> Supervised:
        program = Supervised(
            [sys.executable, "-c", f"import os, sys, time\n{code}"], limits=limits,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(program)
        return program

    yield begin
    for program in running:
        program.end()
        for pipe in (program.process.stdin, program.process.stdout):
            assert pipe is not None
            pipe.close()


def _line(program: Supervised) -> str:
    assert program.process.stdout is not None
    found = program.process.stdout.readline()
    assert isinstance(found, str)
    return found.strip()


def test_a_stop_tells_the_processor_time_of_all(run: Any) -> None:
    child = f"if os.fork() == 0:\n    {BURN}    os._exit(0)\nos.wait()\n"
    program = run(f"{child}{BURN}print('done', flush=True)\ninput()")
    assert _line(program) == "done"
    assert program.stop() > 0.3, "more than either alone"
    program.go_on()
    program.end()
    assert program.stop() is None


def test_it_ends_as_the_program_does(run: Any) -> None:
    assert run("sys.exit(7)").wait(20) == 7
    assert run("os.kill(os.getpid(), 9)").wait(20) == -9
    assert run("os.kill(os.getpid(), 15)").wait(20) == -15
    assert run("sys.exit(137)").wait(20) == 137
    assert run("sys.exit(137)", signals=1).wait(20) == -9


def test_what_it_leaves_behind_ends_with_it(run: Any) -> None:
    program = run(
        "if os.fork() == 0:\n    os.setsid()\n    print(os.getpid(), flush=True)\n"
        "    time.sleep(300)\ninput()"
    )
    place = Path("/proc") / _line(program)
    assert place.exists()
    assert program.process.stdin is not None
    program.process.stdin.write("\n")
    program.process.stdin.flush()
    assert program.wait(20) == 0
    assert not place.exists()


def test_a_private_folder_is_gone_afterwards(run: Any) -> None:
    program = run("print(os.environ['TMPDIR'], flush=True)\ninput()", folder=1)
    folder = Path(_line(program))
    assert folder.is_dir()
    program.end()
    assert not folder.exists()


def test_a_command_that_cannot_be_run_is_told() -> None:
    program = Supervised(["/no/such/program"])
    assert program.wait(20) == 127
    assert program.reason() == "cannot be started: No such file or directory"
    program.end()
