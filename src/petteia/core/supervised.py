"""Runs other people's programs so that no process of theirs is left behind.

A small process of ours stands between (``supervisor.py``): it ends the program and all that it has
started, also what has left its session, when we say so and when we are gone.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["Supervised"]

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_TIME_TO_ANSWER = 5.0
_TIME_TO_DIE = 6.0


class Supervised:
    """A running program. ``options`` are those of ``subprocess.Popen``."""

    def __init__(
        self, command: Sequence[str], *, limits: Mapping[str, int] | None = None, **options: Any
    ) -> None:
        """``limits`` are those of ``supervisor.py``."""
        self._control: socket.socket | None = None
        self._used = 0.0
        self._rest = b""
        if os.name != "posix":
            self.process: subprocess.Popen[Any] = subprocess.Popen(command, **options)
            return
        ours, theirs = socket.socketpair()
        words = " ".join(f"{key}={value}" for key, value in (limits or {}).items())
        start = [sys.executable, "-I", "-S", str(_SUPERVISOR), str(theirs.fileno()), words]
        try:
            with theirs:
                self.process = subprocess.Popen(
                    [*start, *command], pass_fds=[theirs.fileno()], start_new_session=True,
                    **options,
                )  # fmt: skip
        except BaseException:
            ours.close()
            raise
        ours.settimeout(_TIME_TO_ANSWER)
        self._control = ours

    def stop(self) -> float | None:
        """Stops all of its processes; gives the seconds of processor time since the last stop, or
        None if nobody is there to stop."""
        if self._control is None:
            return 0.0
        try:
            self._control.sendall(b"s")
            # The lines that say why it was ended stay for ``reason``.
            while b"\n" not in self._rest or self._rest.startswith(b"!"):
                chunk = self._control.recv(4096)
                if not chunk:
                    return None
                self._rest += chunk
        except OSError:
            return None
        line, _, self._rest = self._rest.partition(b"\n")
        used, self._used = self._used, float(line)
        return self._used - used

    def go_on(self) -> None:
        """Lets its processes go on."""
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.sendall(b"c")

    def reason(self) -> str:
        """Why it was ended or could not be started, if that was the supervisor's doing."""
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.setblocking(False)
                self._rest += self._control.recv(4096)
        found = [line for line in self._rest.decode().splitlines() if line.startswith("!")]
        return found[0][1:] if found else ""

    def end(self, patience: float = 0.0) -> None:
        """Ends the program and all that it has started; waits this many seconds for its own end."""
        process, control = self.process, self._control
        if control is not None:
            self.go_on()
        if patience:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)
        if control is None:
            process.kill()
        else:
            with contextlib.suppress(OSError):
                control.shutdown(socket.SHUT_WR)
        try:
            process.wait(_TIME_TO_DIE)
        except subprocess.TimeoutExpired:
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_TIME_TO_DIE)
        if control is not None:
            control.close()

    def wait(self, seconds: float) -> int:
        """Its exit code, as ``Popen.wait`` gives it."""
        return self.process.wait(seconds)
