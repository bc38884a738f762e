"""``petteia solve`` with a solver of toys."""

from __future__ import annotations

import json
from typing import Any

import pytest

from petteia import games
from petteia.cli import main
from petteia.core.game import Game
from petteia.games.breakthrough import Breakthrough
from petteia.solve import Control, Solver, Stopped


class Counting(Solver):
    """Counts to a number."""

    game = "breakthrough"

    def __init__(self, pieces: int = 2, stop: bool = False) -> None:
        self.pieces, self.stop = pieces, stop

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        for number in range(self.pieces):
            control.report(number / self.pieces, f"counting {number}")
            if self.stop:
                control.stop()
        return {"positions": 1000 * self.pieces, "again": again, "slices": [{"name": "a", "n": 1}]}


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> type[Game]:
    monkeypatch.setattr(Breakthrough, "solver", f"{__name__}:Counting")
    monkeypatch.setitem(__import__("sys").modules, __name__, __import__("types").SimpleNamespace(
        Counting=Counting))  # fmt: skip
    return Breakthrough


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["solve", *arguments])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


def test_the_facts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "breakthrough(pieces=3)", "--json")
    facts: dict[str, Any] = json.loads(out)
    assert code == 0
    assert facts["game"] == "breakthrough(pieces=3)"
    assert facts["positions"] == 3000
    assert facts["seconds"] >= 0
    _, out, _ = _run(capsys, "breakthrough", "--pieces", "4", "--again")
    assert "positions: 4,000" in out
    assert "again: yes" in out


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        (("breakthrough(pieces=3)", "--pieces", "4"), "given twice"),
        (("nothing",), "game that can be solved"),
        (("breakthrough(size=3)",), "argument of the solver of breakthrough"),
        (("breakthrough(pieces=x)",), "is not a whole number"),
    ]:
        code, out, err = _run(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err


def test_a_stopped_computation_says_so() -> None:
    with pytest.raises(Stopped, match="what was finished is kept"):
        games.solver("breakthrough(stop=true)").solve(Control(), workers=1)
