"""Runs a command and ends it with everything that it has started.

    python -I -S supervisor.py CONTROL LIMITS COMMAND ...

It stands between us and a program that is not ours, and outlives neither. ``CONTROL`` is a socket:
``s`` stops all processes and is answered with the processor time that they have used in seconds,
``c`` lets them go on, and its end means that we are gone. A line that begins with ``!`` says why
the program was ended or could not be started. ``LIMITS`` are words such as ``files=256``:

- ``memory`` in bytes, ``processes``: of all processes together, looked at ten times a second;
  memory is also limited for each process, at once
- ``files``, ``file_size``: open files, and the bytes of one file, of each process
- ``signals=1``: the command tells the signal that ended it as 128 and its number, as a shell does
- ``cache``: the bytes that may lie in the folder that ``PETTEIA_CACHE`` names
- ``folder=1``: a private temporary folder, in ``HOME`` and ``TMPDIR``

This file is run as it stands and imports no more than it must: it starts in some milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable

__all__ = ["END_SIGNALS", "run"]

END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_BETWEEN_LOOKS = 100  # milliseconds
_TIME_TO_DIE = 5.0
_MOST_FILES = 1000
# Of prctl: a signal at the parent's death; orphans below us become our children.
_DEATH_SIGNAL, _SUBREAPER = 1, 36
_OF_PROCESS = 2  # the clock of another process's time; stat counts it in hundredths
_TICKS = os.sysconf("SC_CLK_TCK")


def _prctl(what: int, value: int) -> None:
    with contextlib.suppress(OSError, AttributeError):  # Linux alone has it
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 (start-up time)
            return file.read()
    except OSError:
        return ""


def _listed(path: str) -> list[str]:
    try:
        return os.listdir(path)  # noqa: PTH208 (start-up time)
    except OSError:
        return []


def _children(pid: int) -> list[int]:
    return [
        int(child)
        for task in _listed(f"/proc/{pid}/task")
        for child in _read(f"/proc/{pid}/task/{task}/children").split()
    ]


def _descendants() -> list[int]:
    """All processes below this one, parents first. A zombie's children are ours already."""
    found, unseen = [], [os.getpid()]
    while unseen:
        fresh = _children(unseen.pop())
        found += fresh
        unseen += fresh
    return found


class _Command:
    """The command that runs, and all below it."""

    def __init__(self, control: int, limits: dict[str, int], command: list[str]) -> None:
        self.control = control
        self.limits = limits
        self.folder = _private_folder() if limits.get("folder") else ""
        self.is_stopped = False
        self.stopped: list[int] = []
        self.status: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            self._become(command)

    def _become(self, command: list[str]) -> None:
        try:
            os.setpgid(0, 0)
            _prctl(_DEATH_SIGNAL, signal.SIGKILL)  # should it kill us, it ends too
            for number in (*END_SIGNALS, signal.SIGQUIT, signal.SIGCHLD, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            _limit(self.limits)
            os.execvp(command[0], command)
        except OSError as error:
            self._tell(f"!cannot be started: {error.strerror}")
        finally:
            os._exit(127)

    def _tell(self, line: str) -> None:
        with contextlib.suppress(OSError):
            os.write(self.control, f"{line}\n".encode())

    def reap(self) -> bool:
        """Takes in those that have ended; whether any process is left."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self.pid:
                    self.status = status
        except ChildProcessError:
            return False

    def send_all(self, number: int) -> list[int]:
        """Sends a signal to all, including those started in the meantime."""
        with contextlib.suppress(OSError):
            os.killpg(self.pid, number)  # all that there is without /proc
        seen: list[int] = []
        while fresh := [pid for pid in _descendants() if pid not in seen]:
            seen += fresh
            _send(fresh, number)
        return seen

    def obey(self, orders: bytes) -> None:
        for order in orders:
            if order == ord("s"):
                self.is_stopped, self.stopped = True, self.send_all(signal.SIGSTOP)
                self._tell(f"{_seconds(self.stopped):.6f}")
            elif self.is_stopped:
                # A stopped process has started no others.
                _send([-self.pid, *self.stopped], signal.SIGCONT)
                self.is_stopped = False

    def look(self) -> bool:
        """Whether they keep to what is allowed to all together."""
        pids = _descendants()
        most = self.limits.get("processes", 0)
        if most and len(pids) > most:
            self._tell(f"!had more than {most} processes")
            return False
        memory = self.limits.get("memory", 0)
        if memory and _together(pids, _memory) > memory < _together(pids, _fair_memory):
            self._tell(f"!took more than {memory >> 20} MiB of memory")
            return False
        cache = self.limits.get("cache", 0)
        if cache and _is_fuller(os.environ["PETTEIA_CACHE"], cache):
            self._tell(f"!filled its cache with more than {cache >> 20} MiB or {_MOST_FILES} files")
            return False
        return True

    def end(self) -> None:
        """Ends all of them."""
        deadline = time.monotonic() + _TIME_TO_DIE
        while self.reap() and time.monotonic() < deadline:
            self.send_all(signal.SIGKILL)
            time.sleep(0.001)
        if self.folder:
            import shutil

            shutil.rmtree(self.folder, ignore_errors=True)


def _send(pids: list[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def _seconds(pids: list[int]) -> float:
    """The processor time that these and those whom they have waited for have used."""
    times = os.times()
    total = times.children_user + times.children_system
    for pid in pids:
        fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
        total += sum(map(int, fields[13:15])) / _TICKS
        with contextlib.suppress(OSError):
            total += time.clock_gettime(~pid << 3 | _OF_PROCESS)
    return total


def _private_folder() -> str:
    import tempfile

    folder = tempfile.mkdtemp(prefix="petteia-agent-")
    os.environ.update(HOME=folder, TMPDIR=folder)
    return folder


def _memory(pid: int) -> int:
    """The bytes that a process has written to, also those that it shares with its parent."""
    return _sum(_read(f"/proc/{pid}/status"), ("RssAnon:", "RssShmem:"))


def _fair_memory(pid: int) -> int:
    """The same with what is shared divided among those who share it; slower to find out."""
    found = _read(f"/proc/{pid}/smaps_rollup")
    return _sum(found, ("Pss_Anon:", "Pss_Shmem:")) if found else _memory(pid)


def _together(pids: list[int], memory: Callable[[int], int]) -> int:
    """The bytes of all of them, with files that are nowhere but in memory."""
    files: dict[int, int] = {}
    for pid in pids:
        for descriptor in _listed(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{descriptor}"
            with contextlib.suppress(OSError):
                if os.readlink(path).startswith("/memfd:"):  # noqa: PTH115 (start-up time)
                    found = os.stat(path)  # noqa: PTH116 (start-up time)
                    files[found.st_ino] = found.st_blocks * 512
    return sum(map(memory, pids)) + sum(files.values())


def _is_fuller(folder: str, most: int) -> bool:
    """Whether a folder holds more than so many bytes, or too many files."""
    total, count, unseen = 0, 0, [folder]
    while unseen:
        with contextlib.suppress(OSError), os.scandir(unseen.pop()) as entries:
            for entry in entries:
                count += 1
                total += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    unseen.append(entry.path)
                if total > most or count > _MOST_FILES:
                    return True
    return False


def _sum(facts: str, names: tuple[str, ...]) -> int:
    lines = [line for line in facts.splitlines() if line.startswith(names)]
    return sum(int(line.split()[1]) << 10 for line in lines)


def _limit(limits: dict[str, int]) -> None:
    """Sets the limits of this process and of those that it will start."""
    wanted = [(resource.RLIMIT_CORE, 0)] if limits else []
    # Of address space much more is reserved than used; this counts what is really asked for.
    named = {
        "memory": resource.RLIMIT_DATA, "files": resource.RLIMIT_NOFILE,
        "file_size": resource.RLIMIT_FSIZE,
    }  # fmt: skip
    wanted += [(named[key], value) for key, value in limits.items() if key in named]
    if limits.get("processes") and os.getuid() != 0:  # it does not bind root
        # It counts all threads of the user, wherever they are.
        wanted.append((resource.RLIMIT_NPROC, _threads_of_user() + limits["processes"]))
    for kind, value in wanted:
        _, hard = resource.getrlimit(kind)
        least = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (least, least))


def _threads_of_user() -> int:
    total = 0
    for pid in filter(str.isdigit, _listed("/proc")):
        facts = dict(
            line.split(":", 1) for line in _read(f"/proc/{pid}/status").splitlines() if ":" in line
        )
        if facts.get("Uid", "").split()[:1] == [str(os.getuid())]:
            total += int(facts["Threads"])
    return total


def _leave_as(status: int | None, *, signals: bool) -> None:
    """Ends as the command did, so that our parent sees how it ended."""
    code = 1 if status is None else os.waitstatus_to_exitcode(status)
    number = -code if code < 0 else code - 128 if signals and code > 128 else 0
    if number:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError, ValueError):
            if number != signal.SIGKILL:
                signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
    os._exit(code & 255)


def run(control: int, limits: dict[str, int], command: list[str]) -> None:
    """Runs the command until it ends or its host is gone."""
    os.set_inheritable(control, False)
    _prctl(_SUBREAPER, 1)
    news, noted = os.pipe()
    for end in (news, noted):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(noted, warn_on_full_buffer=False)
    is_ended: list[int] = []
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in END_SIGNALS:
        signal.signal(number, lambda number, _: is_ended.append(number))
    running = _Command(control, limits, command)
    # The end of a pipe is seen when nobody else holds it.
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    poll = select.poll()
    for descriptor in (control, news):
        poll.register(descriptor, select.POLLIN)
    watched = limits.get("memory") or limits.get("processes")
    while running.status is None and not is_ended:
        ready = dict(poll.poll(None if running.is_stopped or not watched else _BETWEEN_LOOKS))
        if news in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(news, 4096)
            running.reap()
        if control in ready:
            try:
                orders = os.read(control, 64)
            except OSError:
                orders = b""
            if not orders:
                break
            running.obey(orders)
        if watched and not running.is_stopped and not running.look():
            break
    running.end()
    _leave_as(running.status, signals=bool(limits.get("signals")))


if __name__ == "__main__":
    words = [word.partition("=") for word in sys.argv[2].split()]
    run(int(sys.argv[1]), {key: int(value) for key, _, value in words}, sys.argv[3:])
