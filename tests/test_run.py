"""``./run test`` brings the programs that tests need, or says in a line what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = ("sh", "cat", "cksum", "dirname", "basename", "mktemp", "rm", "tail", "touch", "chmod")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="run is a shell script")

# Notes what it was asked for, and makes the programs of the packages that there are.
APT = """#!/bin/sh
echo "$DEBIAN_FRONTEND apt-get $*" >>"$0.log"
for word; do
    case $word in g++|chromium) touch "${0%/*}/$word"; chmod +x "${0%/*}/$word" ;; esac
    case $word in bubblewrap) touch "${0%/*}/bwrap"; chmod +x "${0%/*}/bwrap" ;; esac
done
"""


class Machine:
    """A system with a few programs, and a copy of ``run`` whose environment is made already."""

    def __init__(self, folder: Path) -> None:
        self.programs, self.root = folder / "programs", folder / "petteia"
        self.programs.mkdir()
        tools = self.root / ".venv" / "bin"
        tools.mkdir(parents=True)
        for name in TOOLS:
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)
        shutil.copy(ROOT / "run", self.root / "run")
        for name in ("pyproject.toml", "constraints.txt"):
            (self.root / name).write_text("")
        for name in ("python", "ruff", "mypy", "pyright", "lint-imports"):
            self._add(tools / name, "#!/bin/sh\necho ran $0\n")
        text = f'cat "{self.root}/pyproject.toml" "{self.root}/constraints.txt" | cksum'
        sums = subprocess.run(["sh", "-c", text], capture_output=True, text=True).stdout.strip()
        for stamp in ("user", "dev"):
            (self.root / ".venv" / f"{stamp}.stamp").write_text(f"{self.root} {sums}\n")

    def _add(self, path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    def add(self, name: str, text: str = "#!/bin/sh\n") -> None:
        """Installs a program."""
        self._add(self.programs / name, text)

    def test(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """``./run test``."""
        return subprocess.run(
            [self.root / "run", "test", *arguments], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env={"PATH": str(self.programs), **environment},
        )  # fmt: skip

    @property
    def asked(self) -> list[str]:
        """What apt-get was asked for."""
        log = self.programs / "apt-get.log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


ALL = "chromium g++ bubblewrap gnubg gnubg-data"


def _missing() -> str:
    """What this system has not, whatever the path says."""
    there = any(Path(place, "gnubg").exists() for place in ("/usr/games", "/usr/local/games"))
    return ALL.replace(" gnubg gnubg-data", "") if there else ALL


def test_root_gets_what_is_missing_once_and_is_never_asked(machine: Machine) -> None:
    machine.add("id", "#!/bin/sh\necho 0\n")
    machine.add("apt-get", APT)
    done = machine.test()
    assert done.returncode == 0, done.stderr
    missing = _missing()
    assert f"petteia: installing {missing} with apt-get (once)" in done.stderr
    assert machine.asked[:2] == [
        "noninteractive apt-get update -qq",
        "noninteractive apt-get install -y -qq chromium g++ bubblewrap",
    ]
    if "gnubg" in missing:  # this system has none, and apt-get could not bring it
        assert machine.asked[2].endswith("--no-install-recommends gnubg gnubg-data")
        assert "on Debian: apt-get install gnubg gnubg-data\n" in done.stderr
    before = machine.asked
    again = machine.test()
    assert again.returncode == 0
    assert "installing" not in again.stderr
    assert machine.asked == before


def test_others_are_told_in_one_line(machine: Machine) -> None:
    machine.add("id", "#!/bin/sh\necho 1000\n")
    machine.add("apt-get", APT)
    done = machine.test()
    assert done.returncode == 0, done.stderr
    assert machine.asked == []
    told = f"tests that need them are skipped; as root, on Debian: apt-get install {_missing()}"
    assert [line for line in done.stderr.splitlines() if "skipped" in line] == [f"petteia: {told}"]


def test_systems_without_apt_get_are_told_too(machine: Machine) -> None:
    machine.add("id", "#!/bin/sh\necho 0\n")
    done = machine.test()
    assert done.returncode == 0, done.stderr
    assert "apt-get install chromium" in done.stderr


def test_where_everything_is_there_nothing_is_said(machine: Machine) -> None:
    machine.add("id", "#!/bin/sh\necho 0\n")
    machine.add("apt-get", APT)
    for name in ("google-chrome", "clang++", "bwrap", "gnubg"):
        machine.add(name)
    done = machine.test()
    assert done.returncode == 0, done.stderr
    assert machine.asked == []
    assert "apt-get" not in done.stderr


def test_a_few_tests_need_no_programs(machine: Machine) -> None:
    machine.add("id", "#!/bin/sh\necho 0\n")
    machine.add("apt-get", APT)
    done = machine.test("tests/core")
    assert done.returncode == 0, done.stderr
    assert machine.asked == []


def test_continuous_integration_skips_nothing_for_want_of_programs(machine: Machine) -> None:
    machine.add("id", "#!/bin/sh\necho 0\n")
    machine.add("apt-get", "#!/bin/sh\necho 'no network' >&2\nexit 100\n")
    done = machine.test(PETTEIA_TEST_ALL="1")
    assert done.returncode == 2
    assert "no network" in done.stderr
    assert "could not be had: chromium g++ bubblewrap" in done.stderr
    assert "ran" not in done.stdout


@pytest.mark.parametrize("script", ["run", ".ci/run"])
def test_the_scripts_are_read_by_their_shells(script: str) -> None:
    path = ROOT / script
    shell = "bash" if "bash" in path.read_text().splitlines()[0] else "sh"
    done = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
