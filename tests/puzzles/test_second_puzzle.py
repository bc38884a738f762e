"""A second puzzle is one folder: the command line and the laboratory find it by that alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_ROOM = {
    "__init__.py": '"""A toy."""\n',
    "profile.py": """
from petteia.core.puzzle import Profile

PROFILE = Profile(name="sums", title="Sums", in_short="Add two numbers.")
""",
    "commands.py": '''"""``petteia sums``: Add two numbers."""

def run(first: int, second: int) -> None:
    """Adds."""
    print(first + second)
''',
    "lab/__init__.py": "",
    "lab/messages.py": """
from typing_extensions import TypedDict

from petteia.web.messages.base import Message

class Two(Message):
    '''Two numbers.'''
    first: int
    second: int

class Sum(TypedDict):
    '''Their sum.'''
    sum: int
""",
    "lab/router.py": """
from petteia.puzzles.sums.lab import messages as a
from petteia.puzzles.sums.lab import tasks
from petteia.web.lab import TheLab, Visitor
from petteia.web.router import Router

router = Router()

@router.post("/api/sums")
async def add(asked: a.Two, lab: TheLab, visitor: Visitor) -> a.Sum:
    return await lab.pool.run(tasks.Add(**asked.model_dump()), a.Sum, visitor=visitor)
""",
    "lab/tasks.py": """
from typing import Literal

from petteia.puzzles.sums.lab import messages as a
from petteia.web.messages.socket import Shown
from petteia.web.messages.workers import PuzzleTask

class Add(PuzzleTask, a.Two):
    '''A sum.'''
    do: Literal["sums.add"] = "sums.add"

    def answer(self, is_stopped, part) -> a.Sum:
        return {"sum": self.first + self.second}

class Show(Shown, a.Two):
    '''A sum, shown.'''
    do: Literal["sums"] = "sums"
    PART, DONE = a.Sum, a.Sum

    def task(self) -> Add:
        return Add(first=self.first, second=self.second)

TASKS, SHOWN = (Add,), (Show,)
""",
    "lab/static/page.js": "export function page(main) {}\n",
    "lab/static/picture.svg": "<svg/>",
}
_BEGIN = "import sys, petteia.puzzles; petteia.puzzles.__path__.append(sys.argv.pop(1))\n"
_COMMAND = _BEGIN + "from petteia.cli.app import main; main(sys.argv[1:])"
_LAB = (
    _BEGIN
    + """
import json
from starlette.testclient import TestClient
from petteia.web import channel, worker
from petteia.web.app import application
from petteia.web.messages import typescript
from petteia.web.settings import Settings

visitor = TestClient(application(Settings()), base_url="http://localhost")
(types,) = [text for file, text in typescript.files().items() if "sums" in file.parts]
print(json.dumps({
    "listed": visitor.get("/api/puzzles").json()["puzzles"],
    "routes": [path for path in visitor.get("/openapi.json").json()["paths"] if "sums" in path],
    "page": visitor.get("/static/puzzles/sums/page.js").text,
    "code": visitor.get("/static/puzzles/sums/../tasks.py").status_code,
    "sent": "sums" in channel._kinds(),
    "task": worker._orders()["sums.add"](first=2, second=3).answer(lambda: False, print),
    "types": types,
}))
"""
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of puzzles with one more."""
    for name, text in _ROOM.items():
        file = tmp_path / "sums" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def _run(code: str, *arguments: str | Path) -> str:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_command_line_has_its_command(home: Path) -> None:
    assert "Add two numbers." in _run(_COMMAND, home, "--help")
    assert _run(_COMMAND, home, "sums", "2", "3") == "5\n"


def test_a_puzzle_without_a_study_leaves_the_others_their_own(home: Path) -> None:
    listed = _run(_COMMAND, home, "study")
    assert "flow" in listed
    assert "sums" not in listed


def test_the_laboratory_has_its_page_routes_and_tasks(home: Path) -> None:
    found = json.loads(_run(_LAB, home))
    flow, sums = found["listed"]
    assert flow["name"] == "flow"
    assert sums == {"name": "sums", "title": "Sums", "about": "Add two numbers."}
    assert found["routes"] == ["/api/sums"]
    assert found["page"] == _ROOM["lab/static/page.js"]
    assert found["code"] == 404
    assert found["sent"]
    assert found["task"] == {"sum": 5}
    assert "(path: `/api/sums`, asked: Two): Promise<Sum>;" in found["types"]


def test_without_a_lab_it_has_no_page(home: Path) -> None:
    (home / "sums" / "lab").rename(home / "elsewhere")
    code = _BEGIN + "from petteia.web import puzzles; print(puzzles.names())"
    assert _run(code, home) == "['flow']\n"
