"""Every command does what it says, in JSON and in text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from petteia.cli import main

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    return int(caught.value.code or 0)


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command with --json; standard output is exactly one JSON object."""

    def ask(*arguments: str) -> dict[str, Any]:
        code = run(*arguments, "--json")
        out, err = capsys.readouterr()
        assert code == 0, err
        assert out.count("\n") == 1
        found = json.loads(out)
        assert isinstance(found, dict)
        return found

    return ask


def test_games_lists_what_exists(ask: Any) -> None:
    found = ask("games")
    (game,) = (each for each in found["games"] if each["name"] == "breakthrough")
    assert game["variants"]["long-board"] == "breakthrough(columns=10, rows=5)"
    assert {"offensive1", "defensive2", "lorentz"} <= set(game["evaluations"])
    names = {each["name"] for each in found["agents"]}
    assert {"random", "greedy", "alphabeta", "engine", "expectimax", "mcts", "nash"} <= names


def test_games_tells_all_about_one_game(ask: Any) -> None:
    (game,) = ask("games", "ur")["games"]
    own = {each["name"]: each["parameters"] for each in game["own_agents"]}
    assert own["ashikazu"] == {"depth": 2, "tie": "back"}
    assert own.keys() | {"random"} <= set(game["agents"])


@pytest.mark.parametrize(
    ("spec", "depth", "leaves"),
    [
        ("breakthrough", 5, 6182818),
        ("breakthrough(columns=10, rows=5)", 4, 544764),
        ("long-board", 3, 20534),
        ("three-workers", 3, 11132),
        ("breakthrough", 0, 1),
    ],
)
def test_perft(ask: Any, spec: str, depth: int, leaves: int) -> None:
    found = ask("perft", spec, "--depth", str(depth))
    assert found["leaves"] == leaves
    assert found["seconds"] > 0


def test_perft_of_a_position(ask: Any) -> None:
    fen = "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w"
    assert ask("perft", "breakthrough", "--position", fen, "--depth", "4")["leaves"] == 121264


def test_analyse_alphabeta(ask: Any) -> None:
    agent = "alphabeta(depth=5, eval=offensive2)"
    found = ask("analyse", "breakthrough", "start", "--agent", agent)
    assert found["agent"] == agent
    assert len(found["moves"]) == 22
    assert found["value"] == max(each["value"] for each in found["moves"]) == 9.8125
    assert 1_000 < found["interior"] < 50_000
    assert found["leaves"] > found["interior"]
    shares = found["evaluation"]["shares"]
    assert sum(shares.values()) == pytest.approx(found["evaluation"]["value"])
    assert shares["my"] == 16.0


def test_analyse_sees_a_forced_win(ask: Any) -> None:
    fen = "8/8/P7/8/8/7p/8/8 w"
    found = ask("analyse", "breakthrough", fen, "--agent", "engine(depth=6)")
    assert found["plies_to_win"] == 3
    assert found["plies_to_loss"] is None


def test_analyse_plays_moves_first_and_draws(ask: Any, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    found = ask(
        "analyse", "breakthrough", "--moves", "b2a3 a7a6", "--agent", "greedy(eval=offensive2)",
        "--svg", str(picture),
    )  # fmt: skip
    assert found["position"] == "pppppppp/1ppppppp/p7/8/8/P7/P1PPPPPP/PPPPPPPP w"
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_bench_gives_the_signature_that_stands_in_the_repository(ask: Any) -> None:
    signatures = json.loads((ROOT / "tests" / "signatures.json").read_text())
    for spec, signature in signatures.items():
        found = ask("bench", spec)
        assert found["signature"] == signature, spec
        assert found["nodes_per_second"] > 0


def test_bench_compares_threads_with_one(ask: Any) -> None:
    found = ask("bench", "checkers", "--threads", "2")
    assert (found["signature"], found["threads"]) == (ask("bench", "checkers")["signature"], 2)
    assert found["speedup"] > 0
    assert found["nodes_per_second"] > 0


def test_analyse_with_threads(ask: Any) -> None:
    found = ask("analyse", "checkers", "start", "--agent", "engine(depth=7, threads=2)")
    assert found["depth"] == 7
    assert len(found["moves"]) == 7


def test_match(ask: Any, tmp_path: Path) -> None:
    records = tmp_path / "games.txt"
    agents = ("alphabeta(depth=3, eval=defensive2)", "minimax(depth=3, eval=offensive1)")
    arguments = ("match", "breakthrough", *agents, "--pairs", "10", "--seed", "7")
    found = ask(*arguments, "--records", str(records))
    assert found["games"] == 20 == found["wins"] + found["draws"] + found["losses"]
    assert found["score"] > 0.8
    assert 0 <= found["interval"][0] <= found["score"] <= found["interval"][1] <= 1
    assert found["forfeits"] == 0
    assert records.read_text().count("[Game ") == 20
    again = ask(*arguments)
    assert [again[key] for key in ("wins", "losses", "plies")] == [
        found[key] for key in ("wins", "losses", "plies")
    ]


def test_check(ask: Any) -> None:
    found = ask("check", str(ROOT / "examples" / "connect_four.py"), "--games", "3")
    assert found["ok"]
    assert found["positions"] > 20


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("games", "ur"),
        ("perft", "breakthrough", "--depth", "3"),
        ("bench", "breakthrough(columns=4, rows=5)"),
        ("analyse", "breakthrough(columns=4, rows=5)", "--agent", "greedy(eval=offensive2)"),
        ("match", "breakthrough(columns=4, rows=5)", "random", "greedy", "--pairs", "2"),
        ("check", str(ROOT / "examples" / "connect_four.py"), "--games", "2"),
    ],
)
def test_text_for_people(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 0
    out, _ = capsys.readouterr()
    assert len(out.splitlines()) >= 1
    assert "Traceback" not in out
    assert not out.startswith("{")


def test_a_users_evaluation_and_game_from_a_folder(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from petteia import popcount\n"
        "def my_eval(game, p, player):\n    return 1.0 * popcount(p[player])\n"
    )
    found = ask(
        "match", "breakthrough(columns=4, rows=5)", "alphabeta(depth=2, eval=./mine.py:my_eval)",
        "alphabeta(depth=2, eval=offensive2)", "--pairs", "2",
    )  # fmt: skip
    assert found["agents"][0] == "alphabeta(depth=2, eval=./mine.py:my_eval)"
    assert found["forfeits"] == 0


def test_help_imports_neither_numpy_nor_numba() -> None:
    program = (
        "import sys\nfrom petteia.cli import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit:\n"
        "    heavy = {'numpy', 'numba', 'llvmlite', 'matplotlib', 'scipy'} & set(sys.modules)\n"
        "    sys.exit(f'imported: {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "analyse" in done.stdout


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_what_agents_from_files_are_kept_from_is_said_once(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("def choose(position, legal, seed):\n    return legal[0]\n")
    agents = [f"{tmp_path / 'mine.py'}:choose(time=30)", "random"]
    with pytest.raises(SystemExit) as left:
        main(
            [
                command,
                "breakthrough(columns=4, rows=5)",
                *agents,
                "--pairs",
                "1",
                "--workers",
                "serial",
                "--json",
            ]
        )
    shown = capsys.readouterr()
    assert left.value.code == 0, shown.err
    said = [line for line in shown.err.splitlines() if "agents from files run under" in line]
    assert len(said) == 1
    facts = json.loads(shown.out)
    if command == "match":
        assert said == [f"petteia: {facts['sandbox']}"]
        assert facts["late_by_agent"] == [0, 0]
