"""The general solver: any game whose positions can be enumerated, against a readable reference."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import agents, games
from petteia.arena.match import Match
from petteia.cli.app import main
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.words import U, Words
from petteia.search.values import plies_to_end
from petteia.solve import Control, Stopped, TableFile
from petteia.solve.general import GeneralSolver
from petteia.solve.reference import by_iteration, by_levels
from petteia.solve.solved import KIND, Known, SolvedTable, solved_name, solved_path
from tests.toys import Heap, Market, OddEven, Pacing, Race

EXAMPLES = Path(__file__).parents[2] / "examples"
TICTACTOE = str(EXAMPLES / "tictactoe.py")


class Tug(Game):
    """A rope of ``length`` places with a flag in the middle. The first player pulls one to the
    right or two to the left, the second one to the left or three to the right; whoever has it at
    his end wins, ``far`` points if it is pulled beyond. It can go back and forth for ever."""

    name = "tug"
    max_moves = 2

    def __init__(self, length: int = 9, far: float = 1.0) -> None:
        self.length, self.far = length, far
        self.most_points = max(1.0, far)

    def start(self) -> Words:
        return (U(self.length // 2 + 10), U(0))

    def mover(self, p: Words) -> int:
        return int(p[1])

    def kind(self, p: Words) -> int:
        inside = U(10) < p[0] < U(9 + self.length)
        return DECISION if inside else TERMINAL

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        out[at], out[at + 1] = (1, -2) if p[1] == U(0) else (-1, 3)
        return at + 2

    def play(self, p: Words, move: int) -> Words:
        return (U(int(p[0]) + move), p[1] ^ U(1))

    def result(self, p: Words) -> float:
        end = U(9 + self.length)
        points = self.far if p[0] > end or p[0] < U(10) else 1.0
        return points if p[0] >= end else -points


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path / "tables"))
    return tmp_path


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels as plain Python: the same code without the seconds of compiling."""
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")


def solved(game: Game, **options: Any) -> dict[str, Any]:
    return GeneralSolver(game, **options).solve(Control(), workers=1)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    with pytest.raises(SystemExit) as end:
        main([*arguments, "--json"])
    shown = capsys.readouterr()
    return int(end.value.code or 0), json.loads(shown.out or "null"), shown.err


def hold(game: Game, right: dict[Words, Known]) -> None:
    facts, table = solved(game), SolvedTable.of(game)
    assert facts["positions"] == len(right)
    for p, known in right.items():
        found = table.find(p)
        assert found is not None
        assert found.points == pytest.approx(known.points, abs=1e-8)
        assert found.plies == known.plies


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("game", "reference"),
    [
        (Heap(), by_levels),
        (Tug(9), by_levels),
        (Tug(12), by_levels),
        (Race(), by_iteration),
        (OddEven(), by_iteration),
    ],
    ids=lambda value: str(value) if isinstance(value, Game) else "",
)
def test_values_are_those_of_the_reference(
    game: Game, reference: Callable[[Game], dict[Words, Known]]
) -> None:
    hold(game, reference(game))


def test_compiled_values_are_those_of_the_reference() -> None:
    hold(Market(), by_iteration(Market(), sweeps=12))


@pytest.mark.usefixtures("interpreted")
def test_more_points_come_before_a_quicker_end() -> None:
    game = Tug(12, far=3.0)
    solved(game)
    table = SolvedTable.of(game)
    right = by_iteration(game)
    assert {p: table.value(p).points for p in right} == {p: k.points for p, k in right.items()}
    assert {abs(known.points) for known in right.values()} >= {0.0, 1.0, 3.0}
    assert table.hold_sample(200, 1) == 200


def test_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    code, facts, _ = told(capsys, "solve", TICTACTOE)
    assert code == 0
    assert (facts["positions"], facts["result"], facts["draws"]) == (5478, "draw", 1068)
    assert told(capsys, "solve", TICTACTOE)[1]["seconds"] == facts["seconds"], "looked up"
    _, found, _ = told(capsys, "analyse", TICTACTOE)
    assert (found["agent"], found["exact"], found["value"]) == ("perfect", True, 0.0)
    _, found, _ = told(capsys, "analyse", TICTACTOE, "--moves", "b2 b3")
    assert found["plies_to_win"] == 5, "an answer at the side loses"
    _, tables, _ = told(capsys, "tables")
    assert "200 random positions" in tables["tables"][0]["verified"]
    _, tables, _ = told(capsys, "tables", "--verify")
    assert [each["game"] for each in tables["tables"]] == ["tictactoe"]
    assert "2,000 random positions" in tables["tables"][0]["verified"]
    assert tables["unknown"] == []


def test_a_table_names_its_game_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    here = GeneralSolver(games.make("./nim.py(a=1, b=1, c=2)"))
    assert here.solve(Control(), workers=1)["spec"] == f"{EXAMPLES / 'nim.py'}(a=1, b=1, c=2)"


def test_a_table_whose_game_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text((EXAMPLES / "tictactoe.py").read_text())
    told(capsys, "solve", str(file))
    file.unlink()
    _, tables, _ = told(capsys, "tables", "--verify")
    assert tables["tables"][0]["verified"].startswith("none of its positions could be tried")


def test_perfect_play_never_loses() -> None:
    game = games.make(TICTACTOE)
    assert "perfect" not in agents.able(game)
    with pytest.raises(PetteiaError, match=r"has no table of .*petteia solve makes it"):
        agents.make("perfect", game)
    solved(game)
    players = agents.make("perfect", game), agents.make("random", game)
    found = Match(game, *players, seed=3, opening="none").run(pairs=20)
    assert (found.count(0.0), found.count(0.5) > 0, found.count(1.0) > 20) == (0, True, True)


@pytest.mark.usefixtures("interpreted")
def test_perfect_play_mixes_where_both_choose() -> None:
    game = OddEven()
    solved(game)
    agent = agents.make("perfect", game)
    choice = agent.choose(game.start(), seed=1)
    notes = choice.notes or {}
    assert choice.value == pytest.approx(notes["value"])
    assert notes["exploitability"] == pytest.approx(0.0, abs=1e-9)
    other = agent.choose(game.start(), seed=1, player=1)
    assert other.value == pytest.approx(-float(choice.value or 0))
    assert {agent.choose(game.start(), seed=seed).move for seed in range(20)} > {choice.move}


@pytest.mark.usefixtures("interpreted")
def test_values_tell_the_distance_and_equal_moves_are_drawn() -> None:
    game = Heap()
    solved(game)
    agent = agents.make("perfect", game)
    values = agent.values(game.start())
    assert [plies_to_end(each.value or 0.0) for each in values] == [3, 4]
    assert (values[0].value or 0) > 0 > (values[1].value or 0)
    assert not agent.knows((U(7), U(0)))
    with pytest.raises(PetteiaError, match="cannot be reached from the start"):
        agent.choose((U(7), U(0)))


@pytest.mark.usefixtures("interpreted")
def test_other_rules_are_another_table() -> None:
    assert solved_path(Tug(9)) != solved_path(Tug(12))
    assert solved_path(Tug(9)) == solved_path(Tug(9))


@pytest.mark.usefixtures("interpreted")
def test_a_stopped_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petteia.solve.graph._AT_ONCE", 3)
    game, seen = Race(), list[str]()

    def stop(share: float, what: str) -> None:
        seen.append(what)
        if len(seen) == 20:
            control.stop()

    control = Control(stop)
    with pytest.raises(Stopped):
        GeneralSolver(game).solve(control, workers=1)
    folder = solved_path(game).with_suffix(".parts")
    kept = TableFile.open(folder / "words.part", "part-words", solved_name(game))
    assert kept.facts["looked_at"] >= 60
    resumed = list[str]()
    GeneralSolver(game).solve(Control(lambda share, what: resumed.append(what)), workers=1)
    assert resumed[0] >= seen[-1], "it did not begin again"
    assert not folder.exists()
    right = by_iteration(game)
    assert SolvedTable.of(game).value(game.start()).points == pytest.approx(
        right[game.start()].points, abs=1e-9
    )


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("game", [Race(), Heap()], ids=str)
def test_what_was_found_is_kept_while_values_are_worked_out(game: Game) -> None:
    def stop(share: float, what: str) -> None:
        if what.startswith(("sweep 2", "ways back")):
            control.stop()

    control = Control(stop)
    with pytest.raises(Stopped):
        GeneralSolver(game).solve(control, workers=1)
    later = list[str]()
    GeneralSolver(game).solve(Control(lambda share, what: later.append(what)), workers=1)
    assert not any("positions found" in what for what in later)
    assert SolvedTable.of(game).hold_sample(50, 0) == 50


@pytest.mark.usefixtures("interpreted")
def test_too_many_positions_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PetteiaError, match=r"more than 1,000 positions, .*--positions allows more"):
        solved(Pacing(), most=1000)
    monkeypatch.setattr("petteia.solve.graph._free_memory", lambda: 1000)
    with pytest.raises(PetteiaError, match=r"takes 0\.0 GB of memory, and 0\.0 GB are free"):
        solved(Heap())


@pytest.mark.usefixtures("interpreted")
def test_a_game_that_breaks_the_contract_is_named() -> None:
    class Stuck(Heap):
        def moves(self, p: Words, out: np.ndarray, at: int) -> int:
            return at

    with pytest.raises(PetteiaError, match="has no moves, but is not over"):
        solved(Stuck())

    class Wide(Heap):
        max_moves = 1

    with pytest.raises(PetteiaError, match="more moves than max_moves=1"):
        solved(Wide())


@pytest.mark.usefixtures("interpreted")
def test_a_damaged_table_is_refused() -> None:
    solved(Heap())
    path = solved_path(Heap())
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(PetteiaError, match="damaged"):
        SolvedTable.of(Heap())
    wrong = np.asarray(TableFile.read(path).data).copy()
    wrong[:, -2] = 0
    table = SolvedTable(Heap(), TableFile.write(path, KIND, solved_name(Heap()), wrong, {}).data)
    with pytest.raises(PetteiaError, match="the positions after it"):
        table.hold_sample(100, 0)


def test_the_limit_is_only_for_users_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = told(capsys, "solve", "ur(pieces=1)", "--positions", "5")
    assert code == 2
    assert "has a solver of its own" in said
