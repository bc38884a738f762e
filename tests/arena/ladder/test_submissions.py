"""What is handed in is read without being run; versions are kept apart by their content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from petteia.arena.ladder import Submission, folder_name, one_at_a_time, read_folder, stamp
from petteia.arena.ladder.submissions import identity, shortened
from petteia.core.errors import PetteiaError
from tests.submitted import FIRST, LAST, hand_in


def _only(folder: Path) -> Submission:
    (found,) = read_folder(folder)
    return found


def test_a_file_a_folder_and_a_program(tmp_path: Path) -> None:
    (tmp_path / "anna.py").write_text("1 / 0\n")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "_site").mkdir()
    for name in ("one.py", "__pycache__/one.pyc", ".hidden"):
        (tmp_path / "ben" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ben" / name).write_text("")
    hand_in(tmp_path, "cleo", FIRST)
    found = {each.name: each for each in read_folder(tmp_path)}
    assert {name: (each.agent, each.command) for name, each in found.items()} == {
        "anna": ("anna.py", ""), "ben": ("one.py", ""), "cleo": ("", "sh play.sh"),
    }  # fmt: skip
    for each in found.values():
        assert not each.problem
        assert each.home is not None
    home = found["ben"].home
    assert home is not None
    assert [path.name for path in home.iterdir()] == ["one.py"]


def test_the_content_is_the_version(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna", FIRST)
    first = _only(tmp_path)
    hand_in(tmp_path, "anna", LAST)
    second = _only(tmp_path)
    assert first.version != second.version
    assert first.home is not None
    assert FIRST in (first.home / "play.sh").read_text(), "the old version stays"
    hand_in(tmp_path, "anna", FIRST)
    os.utime(tmp_path / "anna" / "play.sh", (1, 1))
    assert _only(tmp_path) == first
    (tmp_path / "anna" / "play.sh").chmod(0o755)
    assert _only(tmp_path).version != first.version


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("agent = 3", "agent is 3; expected a text"),
        ("comand = 'x'", "did you mean command"),
        ("", "write one of"),
        ("agent = 'a.py'\ncommand = 'x'", "write one of"),
        ("agent = '../mine.py'", "there is no Python file '../mine.py' in the folder"),
        ("agent = ", "petteia.toml:"),
    ],
)
def test_settings_that_cannot_be_are_told(tmp_path: Path, settings: str, says: str) -> None:
    (tmp_path / "mine.py").write_text("")
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "petteia.toml").write_text(settings)
    found = {each.name: each for each in read_folder(tmp_path)}["anna"]
    assert says in found.problem
    assert found.home is None


def test_an_agent_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "anna" / "bots").mkdir(parents=True)
    (tmp_path / "anna" / "bots" / "mine.py").write_text("")
    (tmp_path / "anna" / "petteia.toml").write_text('agent = "./bots/mine.py:Best"')
    assert _only(tmp_path).agent == "bots/mine.py:Best"


def test_what_is_unclear_or_a_link_is_told(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        hand_in(tmp_path, "anna", FIRST).joinpath(name).write_text("")
    (tmp_path / "anna" / "petteia.toml").unlink()
    assert "holds 2 Python files; call one agent.py" in _only(tmp_path).problem
    (tmp_path / "anna" / "agent.py").symlink_to("/etc/passwd")
    assert "agent.py is a link" in _only(tmp_path).problem
    (tmp_path / "anna" / "agent.py").unlink()
    os.mkfifo(tmp_path / "anna" / "agent.py")
    assert "agent.py is no plain file" in _only(tmp_path).problem
    (tmp_path / "anna.py").write_text("")
    assert [each.name for each in read_folder(tmp_path)] == ["anna", "anna.py"]
    assert all("hand in one of them" in each.problem for each in read_folder(tmp_path))


def test_the_place_of_the_folder_does_not_count(tmp_path: Path) -> None:
    kept = ".ladder/versions/anna/0123456789abcdef/mine.py"
    for place in ("/home/me/class", "/other place/class"):
        specs = [f'"{place}/{kept}"(time=1.0, startup=20.0, memory=512)']
        specs.append(f'external(command="x", folder="{place}/{kept}", startup=3, memory=512)')
        assert [identity(spec) for spec in specs] == [
            '"anna/0123456789abcdef/mine.py"(time=1.0, memory=512)',
            'external(command="x", folder="anna/0123456789abcdef/mine.py", memory=512)',
        ]
    assert shortened(f"{tmp_path}/{kept}:3: wrong", tmp_path) == "mine.py:3: wrong"
    assert shortened(f"class/{kept}:3: wrong", tmp_path) == "mine.py:3: wrong"


def test_names_of_pages_differ() -> None:
    names = ["anna", "Anna", "an na", "an_na", "an/na", "..", "a" * 80, "ä"]
    pages = [folder_name(name) for name in names]
    assert len({page.lower() for page in pages}) >= len(names) - 1  # Anna and anna
    assert not any(set(page) & set('/\\ "<>') or page.startswith(".") for page in pages)
    assert folder_name("anna") == "anna"


def test_a_change_is_seen(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna", FIRST)
    before = stamp(tmp_path)
    (tmp_path / "_site").mkdir()
    assert stamp(tmp_path) == before
    hand_in(tmp_path, "anna", LAST)
    assert stamp(tmp_path) != before


def test_only_one_ladder_plays_in_a_folder(tmp_path: Path) -> None:
    with (
        one_at_a_time(tmp_path),
        pytest.raises(PetteiaError, match="another ladder"),
        one_at_a_time(tmp_path),
    ):
        pass
    with one_at_a_time(tmp_path):
        pass
