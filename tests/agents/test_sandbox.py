"""A user's agent can hurt nobody: one hostile agent for each thing that it might try."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.agents import sandbox
from petteia.agents.outside import FileAgent
from petteia.arena.store import Store
from petteia.compiled import disk
from petteia.core.errors import PetteiaError
from petteia.core.program import Program, ProgramFailed
from tests.started import processes_naming

SMALL = games.make("breakthrough(columns=4, rows=5)")
pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")

# Each function does its mischief, bounded in case nothing stops it, and tells by an exception
# what came of it.
HOSTILE = """
import errno, os, signal, socket, sys, threading, time
from pathlib import Path

def told(act):
    try:
        return repr(act())
    except OSError as error:
        return errno.errorcode[error.errno]

def quiet(position, legal_moves, seed):
    return legal_moves[0]

def kills_its_parent(position, legal_moves, seed):
    os.kill(os.getppid(), signal.SIGTERM)
    os.kill(os.getppid(), signal.SIGKILL)
    return legal_moves[0]

def kills(position, legal_moves, seed):
    raise LookupError(told(lambda: os.kill(VICTIM, signal.SIGTERM)))

def daemon(position, legal_moves, seed):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            time.sleep(300)
        os._exit(0)
    os.wait()
    return legal_moves[0]

def bomb(position, legal_moves, seed):
    for _ in range(150):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    time.sleep(60)

def greedy(position, legal_moves, seed):
    kept = [bytearray(1 << 20) for _ in range(1500)]
    raise LookupError(len(kept))

def greedy_together(position, legal_moves, seed):
    for _ in range(6):
        if os.fork() == 0:
            kept = bytearray(120 << 20)
            time.sleep(60)
            os._exit(0)
    time.sleep(60)

def hidden_files(position, legal_moves, seed):
    for _ in range(20):
        file = os.memfd_create("hidden")
        os.write(file, bytes(40 << 20))
    time.sleep(60)

def huge_file(position, legal_moves, seed):
    path = Path(os.environ["TMPDIR"], "huge")
    with path.open("wb") as file:
        raise LookupError(told(lambda: [file.write(bytes(1 << 20)) for _ in range(100)]))

def many_files(position, legal_moves, seed):
    raise LookupError(told(lambda: len([os.open("/dev/null", 0) for _ in range(1000)])))

def burns(position, legal_moves, seed):
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
    threading.Thread(target=lambda: [None for _ in range(10**9)], daemon=True).start()
    return legal_moves[0]

def calls(position, legal_moves, seed):
    raise LookupError(told(lambda: socket.create_connection(("127.0.0.1", PORT), 5)))

def looks(position, legal_moves, seed):
    seen = [told(lambda: sorted(os.listdir(path))) for path in PATHS]
    raise LookupError(*seen, *(os.environ.get(name) for name in NAMES))

def fills(position, legal_moves, seed):
    for number in range(20):
        Path(os.environ["PETTEIA_CACHE"], str(number)).write_bytes(bytes(1 << 20))
    time.sleep(60)

def compiles(position, legal_moves, seed):
    from petteia.compiled import kernel
    def squared(x: int) -> int:
        return x * x + 12345
    kernel(squared)(3)
    names = Path(os.environ["PETTEIA_CACHE"], "kernels").iterdir()
    found = [each for each in names if each.name.startswith("squared")]
    raise LookupError(*(f"{each} {each.stat().st_mtime_ns}" for each in found))

def spoils(position, legal_moves, seed):
    def write(path):
        return told(lambda: Path(path).write_text("spoilt"))
    def remove(path):
        return told(lambda: os.unlink(path))
    raise LookupError(*(act(path) for path in PATHS for act in (write, remove)))
"""


@lru_cache(maxsize=3)
def _works(rung: str) -> bool:
    return sandbox._works(rung)


def _use(rung: str, monkeypatch: pytest.MonkeyPatch) -> str:
    if not _works(rung):
        pytest.skip(f"{rung} does not work here; on Debian: apt install bubblewrap")
    monkeypatch.setenv("PETTEIA_SANDBOX", rung)
    return rung


@pytest.fixture(params=sandbox.RUNGS)
def any_rung(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each rung of the ladder in turn."""
    return _use(request.param, monkeypatch)


@pytest.fixture(params=["bubblewrap", "namespaces"])
def apart(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The rungs with processes and a network of their own."""
    return _use(request.param, monkeypatch)


@pytest.fixture
def walled(monkeypatch: pytest.MonkeyPatch) -> str:
    """The rung with files of its own."""
    return _use("bubblewrap", monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "hostile.py").write_text(HOSTILE)
    return folder / "hostile.py"


def _set(file: Path, **values: object) -> None:
    file.write_text(HOSTILE + "".join(f"{name} = {value!r}\n" for name, value in values.items()))


def _made(file: Path, name: str, **more: float) -> FileAgent:
    words = ", ".join(f"{key}={value}" for key, value in {"time": 30, **more}.items())
    agent = agents.make(f"{file}:{name}({words})", SMALL)
    assert isinstance(agent, FileAgent)
    return agent


def _fails(agent: FileAgent) -> str:
    """Why the agent lost its game."""
    with pytest.raises(ProgramFailed) as caught:
        agent.choose(SMALL.start())
    return str(caught.value)


def _processes(file: Path) -> list[Path]:
    """All that runs for the file's agents: the file stands in their command lines."""
    return processes_naming(str(file))


def _until(done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 30
    while not done():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


# --- processes -----------------------------------------------------------------------------------


def test_it_can_end_itself_at_most(any_rung: str, file: Path) -> None:
    agent = _made(file, "kills_its_parent")
    # Its parent is not us: at most it loses this game, if it does not answer before it is ended.
    with contextlib.suppress(ProgramFailed):
        agent.choose(SMALL.start())
        assert any_rung != "limits", "it ended its supervisor"
    agent.close()
    _until(lambda: not _processes(file), "it outlived its supervisor")
    assert _made(file, "quiet").choose(SMALL.start()).move in SMALL.legal_moves(SMALL.start())


def test_it_sees_nobody_to_signal(apart: str, file: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as victim:
        _set(file, VICTIM=victim.pid)
        assert "ESRCH" in _fails(_made(file, "kills"))
        assert victim.poll() is None
        victim.kill()


def test_nothing_is_left_of_what_it_has_started(any_rung: str, file: Path) -> None:
    agent = _made(file, "daemon")
    before = len(_processes(file))
    agent.choose(SMALL.start())
    assert len(_processes(file)) > before
    agent.close()
    assert _processes(file) == []


def test_nothing_is_left_when_we_are_killed(any_rung: str, file: Path) -> None:
    host = (
        "from petteia import agents, games\n"
        f"game = games.make({str(SMALL)!r})\n"
        f"agent = agents.make('{file}:daemon(time=30)', game)\n"
        "agent.choose(game.start())\n"
        "print('ready', flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", host], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert len(_processes(file)) > 2
        process.kill()
    _until(lambda: not _processes(file), "something outlived its host")


def test_a_fork_bomb_is_ended(any_rung: str, file: Path) -> None:
    why = _fails(_made(file, "bomb"))
    assert "had more than 64 processes" in why or "BlockingIOError" in why
    assert _processes(file) == []


def test_it_stands_still_between_its_moves(any_rung: str, file: Path) -> None:
    agent = _made(file, "burns")

    def states() -> set[str]:
        return {
            (task / "stat").read_text().rpartition(")")[2].split()[0]
            for place in _processes(file)
            if b"supervisor.py" not in (place / "cmdline").read_bytes()
            for task in (place / "task").iterdir()
        }

    for _ in range(2):
        agent.choose(SMALL.start())
        _until(lambda: states() == {"T"}, "something runs on")
    agent.close()


# --- limits --------------------------------------------------------------------------------------


def test_memory_is_limited(any_rung: str, file: Path) -> None:
    assert "MemoryError" in _fails(_made(file, "greedy", memory=512))


def test_memory_is_limited_for_all_its_processes_together(any_rung: str, file: Path) -> None:
    assert "took more than 400 MiB of memory" in _fails(_made(file, "greedy_together", memory=400))
    assert _processes(file) == []


def test_files_that_lie_in_memory_count_as_memory(any_rung: str, file: Path) -> None:
    assert "took more than 512 MiB of memory" in _fails(_made(file, "hidden_files", memory=512))


def test_a_memory_that_cannot_be_is_refused(file: Path) -> None:
    with pytest.raises(PetteiaError, match="memory=1 is not possible; 128 to"):
        _made(file, "quiet", memory=1)


def test_files_are_limited(any_rung: str, file: Path) -> None:
    assert "EFBIG" in _fails(_made(file, "huge_file"))
    assert "EMFILE" in _fails(_made(file, "many_files"))


def test_processor_time_counts_like_time(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = _made(file, "quiet", time=30, grace=10)
    monkeypatch.setattr("petteia.core.program.Program.stop", lambda self: 35.0)
    assert agent.choose(SMALL.start()).is_late
    monkeypatch.setattr("petteia.core.program.Program.stop", lambda self: 41.0)
    assert "used 41.0 seconds of processor time to answer 'go'; it has 40" in _fails(agent)


# --- files, network, environment -----------------------------------------------------------------


def test_it_has_no_network(apart: str, file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        _set(file, PORT=server.getsockname()[1])
        why = _fails(_made(file, "calls"))
        assert "ECONNREFUSED" in why or "ENETUNREACH" in why
        with pytest.raises(BlockingIOError):
            server.accept()


def test_it_sees_neither_the_home_nor_the_environment(
    walled: str, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id").write_text("secret")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SECRET", "secret")
    wanted = {"PATHS": [str(home), str(file.parent)], "NAMES": ["SECRET", "HOME"]}
    _set(file, **wanted)
    assert f"('ENOENT', \"['{file.name}']\", None, '/tmp')" in _fails(_made(file, "looks"))
    # An agent in the home itself: what it can import is there, and nothing else.
    (home / "mine.py").write_text(file.read_text())
    (home / "letter.txt").write_text("secret")
    monkeypatch.chdir(home)
    shown = _fails(_made(Path("mine.py"), "looks"))
    assert "\"['mine.py']\"" in shown
    assert "mine.py" in _fails(_made(Path("~/mine.py"), "looks"))


def test_it_can_neither_see_nor_spoil_the_store(walled: str, file: Path) -> None:
    path = file.parent / "lab.db"
    with Store(path) as store:
        store.new_series(game=str(SMALL), agents=("random", "random"), seed=1, pairs=1)
        _set(file, PATHS=[str(file.parent)], NAMES=[])
        assert _fails(_made(file, "looks")).endswith(f"LookupError: ['{file.name}']")
        _set(file, PATHS=[str(path), f"{path}-wal", str(file.parent / "new")])
        kept = path.read_bytes()
        _fails(_made(file, "spoils"))
        assert path.read_bytes() == kept
        assert len(store.series()) == 1
    assert sorted(each.name for each in file.parent.iterdir()) == [file.name, "lab.db"]


def test_the_store_is_hidden_wherever_it_lies(
    walled: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = file.parent / "data"
    deep.mkdir()
    (deep / "weights.txt").write_text("1")
    # The same folder is also Python's; and it is reached through a link.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(file.parent), *sys.path]))
    link = file.parent.parent / "link"
    link.symlink_to(file.parent)
    with Store(deep / "lab.db") as store:
        assert store.series() == []
        _set(file, PATHS=[str(deep)], NAMES=[])
        for path in (file, link / file.name):
            assert _fails(_made(path, "looks")).endswith("LookupError: ['weights.txt']")


def test_it_cannot_spoil_compiled_code_or_petteia(walled: str, file: Path) -> None:
    kernels = disk.folder()
    assert kernels is not None
    kept = min(kernels.iterdir())
    code = kept.read_bytes()
    _set(file, PATHS=[str(kept), sandbox.__file__, str(file), "/usr/bin/env"])
    assert str(("EROFS",) * 8) in _fails(_made(file, "spoils"))
    assert kept.read_bytes() == code


def test_what_it_compiles_is_kept_for_it_alone(any_rung: str, file: Path) -> None:
    told = [_fails(_made(file, "compiles")).partition("LookupError: ")[2] for _ in range(2)]
    assert told[0] == told[1], "compiled once"
    place = Path(told[0].split()[0])
    assert place.name.startswith("squared")
    shared = disk.folder()
    assert shared is not None
    assert shared not in place.parents
    assert not list(shared.glob("squared*"))
    _set(file, PATHS=[str(place.parent)], NAMES=["PETTEIA_CACHE"])
    assert str(place.parents[1]) not in _fails(_made(file, "looks")), "another after an edit"
    if any_rung == "bubblewrap":
        assert "ENOENT" in _fails(_made(file, "looks"))


def test_its_cache_is_limited(any_rung: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_OWN_CACHE", 8 << 20)
    for _ in range(2):  # what was filled once is emptied
        assert "filled its cache with more than 8 MiB" in _fails(_made(file, "fills"))


def test_siblings_and_data_beside_it_are_there(walled: str, file: Path) -> None:
    (file.parent / "helper.py").write_text("from pathlib import Path\nDATA = 'data.txt'\n")
    (file.parent / "data.txt").write_text("a2a3")
    file.write_text(
        "from pathlib import Path\nimport helper\n"
        "def choose(position, legal_moves, seed):\n"
        "    return Path(__file__).with_name(helper.DATA).read_text()\n"
    )
    found = _made(file, "choose").choose(SMALL.start()).move
    assert SMALL.move_text(SMALL.start(), found) == "a2a3"


# --- what is told --------------------------------------------------------------------------------


def test_what_is_on_and_what_is_missing_is_told(any_rung: str) -> None:
    text = str(sandbox.protection())
    assert text.startswith("agents from files run under ")
    assert ("no network" in text) == (any_rung != "limits")
    assert ("Missing: " in text) == (any_rung != "bubblewrap")
    assert "\n" not in text


def test_an_unknown_rung_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_SANDBOX", "wall")
    with pytest.raises(PetteiaError, match="unknown PETTEIA_SANDBOX 'wall'"):
        sandbox.protection()


def test_signals_that_we_ignore_are_not_ignored_there() -> None:
    code = "import signal; print(*(signal.getsignal(n).name for n in (1, 15)), flush=True)"
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (1, 15)}
    try:
        program = Program([sys.executable, "-c", code], "asked")
        assert program.receive(time.monotonic() + 20) == "SIG_DFL SIG_DFL"
    finally:
        for number, how in before.items():
            signal.signal(number, how)


def test_our_own_worker_processes_know_what_is_hidden(tmp_path: Path) -> None:
    sandbox.hide(tmp_path / "secret.db")
    code = "from petteia.agents import sandbox; print(*sandbox._hidden())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ}
    )
    assert str(tmp_path / "secret.db") in done.stdout
