"""Programs that tests start: with the signals of a terminal, and ended in every case."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["processes_naming", "running", "usual_signals", "wait_until_it_works"]

# Whoever starts the tests may ignore signals (nohup, a shell's &, some CI systems), and what they
# start would ignore them too. Python leaves an ignored signal ignored, so this comes before it.
_RESET = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


def usual_signals(command: Sequence[str]) -> list[str]:
    """The command, started with no signal ignored; its process number stays the same."""
    return [sys.executable, "-I", "-S", "-c", _RESET, *command]


@contextlib.contextmanager
def running(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A running program, which ends at the latest here."""
    process = subprocess.Popen(usual_signals(command), **options)
    with process:
        try:
            yield process
        finally:
            process.kill()


def processes_naming(text: str) -> list[Path]:
    """The processes whose command lines have this text, as folders of /proc."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if text.encode() in (place / "cmdline").read_bytes():
                found.append(place)
    return found


def wait_until_it_works(pid: int, seconds: float = 0.3) -> None:
    """Waits until a process has computed for so long, whatever time that takes."""
    of_process = ~pid << 3 | 2  # Linux's clock of another process's processor time
    before = time.clock_gettime(of_process)
    while time.clock_gettime(of_process) < before + seconds:
        time.sleep(0.01)
