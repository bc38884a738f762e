"""Every room keeps to the floor plan of ``docs/game-room.md``."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import petteia

HOUSE = Path(petteia.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "game-room.md"
THE_CLASS = {"the game", "the puzzle"}


@dataclass(frozen=True)
class Role:
    """What the files of a role may import."""

    of_its_room: frozenset[str]
    of_the_house: frozenset[str]


def _tables() -> list[dict[str, Role]]:
    found: list[dict[str, Role]] = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| role"):
            found.append({})
        elif line.startswith("| `"):
            own, house = (
                frozenset(name for name in cell.split(", ") if name) for cell in cells[2:]
            )
            found[-1][cells[0].strip("`")] = Role(own, house)
    return found


GAMES, PUZZLES = _tables()
ROOMS = [
    pytest.param(room, plan, id=room.name)
    for kind, plan in (("games", GAMES), ("puzzles", PUZZLES))
    for room in sorted((HOUSE / kind).iterdir())
    if (room / "__init__.py").exists()
]


def _imports(file: Path) -> Iterator[str]:
    """Every name that a file imports, as far as it is written: inside functions too."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.level == 0
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def _may(role: Role, itself: str, plan: dict[str, Role], package: str, name: str) -> bool:
    """Whether a file of a role may import a name of Petteia's."""
    if not name.startswith(f"{package}."):
        return name.split(".")[1] in role.of_the_house
    other = name.removeprefix(f"{package}.").partition(".")[0]
    wanted = {other} if other in plan else THE_CLASS
    return other == itself or bool(role.of_its_room & wanted)


def _strays(room: Path, plan: dict[str, Role]) -> Iterator[str]:
    """What the files of a room import against the plan."""
    package = f"petteia.{room.parent.name}.{room.name}"
    for file in sorted(room.rglob("*.py")):
        place = file.relative_to(room)
        role = place.parts[0].removesuffix(".py")
        if role == "__init__":
            continue
        for name in _imports(file):
            if name.startswith("petteia.") and not _may(plan[role], role, plan, package, name):
                yield f"{place} imports {name}"


@pytest.mark.parametrize(("room", "plan"), ROOMS)
def test_a_room_has_only_the_names_of_the_plan(room: Path, plan: dict[str, Role]) -> None:
    names = {
        file.relative_to(room).parts[0].partition(".")[0]
        for file in room.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert {"__init__", "rules", "face", "profile"} <= names
    assert names <= {"__init__", *plan}


@pytest.mark.parametrize(("room", "plan"), ROOMS)
def test_a_file_imports_what_its_role_may(room: Path, plan: dict[str, Role]) -> None:
    assert list(_strays(room, plan)) == []


def test_what_strays_from_the_plan_is_found(tmp_path: Path) -> None:
    room = tmp_path / "games" / "new"
    room.mkdir(parents=True)
    (room / "rules.py").write_text(
        "from petteia.core.words import U\n"
        "def late():\n    from petteia.games.new.face import NewFace\n"
        "import petteia.arena.match\n"
        "from petteia.games.new import New\n"
    )
    assert set(_strays(room, GAMES)) == {
        "rules.py imports petteia.games.new.face.NewFace",
        "rules.py imports petteia.arena.match",
        "rules.py imports petteia.games.new.New",
    }


def test_the_rules_of_a_role_are_those_of_the_layers() -> None:
    """Only what import-linter lets look up has agents, arena or studies in the plan."""
    above = {"agents", "arena", "studies", "web", "cli"}
    plans = {**PUZZLES, **GAMES}
    looking_up = {name for name, role in plans.items() if role.of_the_house & above}
    assert looking_up == {"commands", "course", "lab", "study"}
    text = (HOUSE.parents[1] / "pyproject.toml").read_text()
    ignored = set(re.findall(r'"petteia\.(?:games|puzzles)\.\*\.(\w+)[.*]* -> ', text))
    assert ignored == looking_up


def test_a_game_does_not_load_what_lies_above_it() -> None:
    code = (
        "import sys; from petteia import games; games.classes();"
        "print([name for name in sys.modules if name.startswith("
        "('petteia.arena', 'petteia.agents', 'petteia.studies'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
