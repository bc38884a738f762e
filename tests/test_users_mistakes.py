"""Every honest mistake in a user's file gets one line: the file, the number, what is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.check import check_game
from petteia.cli import main
from petteia.compiled import is_interpreted
from petteia.core import own_code
from petteia.core.errors import CodeError, PetteiaError
from tests.mistakes import AGENT, EVALUATION, EVALUATIONS, GAME, GAMES, Mistake

pytestmark = pytest.mark.skipif(is_interpreted(), reason="nothing is compiled")

SMALL = "breakthrough(columns=4, rows=5)"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_code, "PATIENCE", 0.3)


def _hold(message: str, mistake: Mistake, source: str) -> None:
    assert "\n" not in message
    for fragment in mistake.says:
        assert fragment in message
    line = mistake.line(source)
    place = re.match(r".*?mine\.py(?::(\d+))?", message)
    assert place, message
    if line is not None:
        assert place[1] == str(line), message


def test_the_table_is_long_enough() -> None:
    assert len(GAMES) + len(EVALUATIONS) >= 49
    for table in (GAMES, EVALUATIONS):
        assert len({mistake.name for mistake in table}) == len(table)


def test_the_files_are_sound_without_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GAME)
    assert check_game(games.make(str(path)), games=2).positions > 2
    path.write_text(EVALUATION)
    agent = agents.make(f"greedy(eval={path}:mine)", games.make(SMALL))
    assert agent.choose(agent.game.start()).move >= 0


@pytest.mark.parametrize("mistake", GAMES, ids=lambda mistake: mistake.name)
def test_a_mistake_in_a_game(mistake: Mistake, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(mistake.of(GAME))
    given = "(size=6)" if "kept" in mistake.name else ""
    with pytest.raises(PetteiaError) as caught:
        check_game(games.make(f"{path}{given}"), games=2)
    _hold(str(caught.value), mistake, GAME)


@pytest.mark.parametrize("mistake", EVALUATIONS, ids=lambda mistake: mistake.name)
def test_a_mistake_in_an_evaluation(mistake: Mistake, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(mistake.of(EVALUATION))
    game = games.make(SMALL)
    with pytest.raises(PetteiaError) as caught:
        agents.make(f"greedy(eval={path}:mine)", game).choose(game.start())
    _hold(str(caught.value), mistake, EVALUATION)


# --- the same at the command line -----------------------------------------------------------------

ENDLESS = f"while True:\n    pass\n{GAME}"
WILD = GAME.replace("out[at]", "out[at + ((((1 << 62) * len(p) * 2) >> 60) - 16 << 45)]")


def _run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    return int(caught.value.code or 0)


def _line(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if "compiling for the first use" not in line]
    assert len(lines) == 1, err
    return lines[0]


def _fault(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    out, err = capsys.readouterr()
    assert err == ""
    found: dict[str, object] = json.loads(out)
    assert found["ok"] is False
    return found


def test_check_ends_what_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(ENDLESS)
    assert _run("check", str(path), "--seconds", "3") == 2
    assert "no end after 3 seconds in loading the " in _line(capsys)


def test_check_tells_what_it_tries_next(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GAME)
    told: list[CodeError] = []
    check_game(games.make(str(path)), games=1, tell=told.append)
    assert {each.file for each in told} == {str(path)}
    says = [each.says for each in told]
    tried = says.index("moves as plain Python (position 5:0)")
    assert tried < says.index("the compiled kind, mover, moves or result (position 5:0)")
    assert "text (position 5:0)" in says


def test_check_survives_compiled_code_that_crashes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(WILD)
    assert _run("check", str(path), "--json") == 2
    found = _fault(capsys)
    assert "crashed (SIGSEGV) in the compiled kind, mover, moves or result" in str(found["says"])
    assert found["file"] == str(path)
    assert isinstance(found["line"], int)


def test_check_tells_the_fault_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GAME.replace("popcount(p[1])", "popcout(p[1])"))
    assert _run("check", str(path), "--json") == 2
    found = _fault(capsys)
    assert (found["file"], found["line"]) == (str(path), 23)
    assert str(found["says"]).startswith("in mover: name 'popcout' is not defined")


@pytest.mark.parametrize(
    ("spec", "says"),
    [("chequers", "did you mean checkers"), ("./nowhere.py", "there is no file")],
)
def test_check_tells_what_has_no_line_as_json_too(
    spec: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("check", spec, "--json") == 2
    found = _fault(capsys)
    assert says in str(found["says"])
    assert found["line"] is None


def test_check_of_a_sound_game_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GAME)
    assert _run("check", str(path), "--json", "--games", "2") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is True
    assert found["games"] == 2


@pytest.mark.parametrize("command", ["match", "analyse", "play"])
def test_the_other_commands_name_the_line_too(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(EVALUATION.replace("popcount(p[", "popcout(p["))
    agent = f"greedy(eval={path}:mine)"
    given = {
        "match": ("match", SMALL, agent, "random", "--pairs", "1"),
        "analyse": ("analyse", SMALL, "--agent", agent),
        "play": ("play", SMALL, "--agent", agent),
    }[command]
    assert _run(*given) == 2
    assert f"{path}:7: in mine: name 'popcout' is not defined; did you mean popcount" in _line(
        capsys
    )


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mine.py:mien", "unknown evaluation in"),
        ("mine.py:mien", "did you mean mine"),
        ("nowhere.py:mine", "there is no file"),
    ],
)
def test_what_is_not_there_is_named(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EVALUATION)
    with pytest.raises(PetteiaError, match=says):
        agents.make(f"greedy(eval={tmp_path / name})", games.make(SMALL))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("(position, legal_moves, seed)", "(position)", "mine.py:1: mine takes (position)"),
        ("legal_moves[0]", "legal_move[0]", "'legal_move' is not defined"),
        ("return legal_moves[0]", "legal_moves[0]", "mine gave None; expected the text of a move"),
    ],
)
def test_a_mistake_in_an_agent(old: str, new: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(AGENT.replace(old, new))
    game = games.make(SMALL)
    with pytest.raises(PetteiaError) as caught:
        agents.make(f"{path}:mine(time=10)", game).choose(game.start())
    assert says in str(caught.value)
    assert "mine.py:" in str(caught.value)
    assert "\n" not in str(caught.value)
