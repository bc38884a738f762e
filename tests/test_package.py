"""What is published: the wheel and the source archive hold what they need, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import petteia

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name == f"petteia-{petteia.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    files = subprocess.run(
        ["git", "ls-files", "src/petteia"], cwd=ROOT, capture_output=True, text=True
    )
    tracked = {name.removeprefix("src/") for name in files.stdout.split()}
    assert tracked, "this needs a checkout"
    assert tracked <= names
    assert all(name.startswith(("petteia/", "petteia-")) for name in names)
    assert not [name for name in names if "__pycache__" in name]


@pytest.mark.slow
def test_the_archive_can_be_built_again(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    for needed in ("pyproject.toml", "README.md", "LICENSE", "run", "src/petteia/__init__.py"):
        assert needed in names
    assert not [name for name in names if name.startswith((".venv", "site/", ".git/"))]
