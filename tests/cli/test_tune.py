"""``petteia tune`` as users give it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from petteia.cli.app import main
from tests.started import running

ROOT = Path(__file__).parents[2]
RACE = str(ROOT / "tests" / "tune" / "linear_race.py:LinearRace")
HASTY = "greedy(eval=strides(own=1))"
SHORT = ("--iterations", "3", "--series", "11", "--confirm", "40", "--workers", "serial")


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as left:
        main(["tune", *arguments])
    shown = capsys.readouterr()
    assert left.value.code == code, shown.err
    return shown.err if code else shown.out


def test_json_has_what_the_page_lists(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_WEIGHTS", str(tmp_path / "weights"))
    out = str(tmp_path / "out")
    more = (
        "--restarts",
        "2",
        "--iterations",
        "6",
        "--series",
        "75",
        "--seed",
        "4",
        "--confirm",
        "90",
    )
    wish = (RACE, "--against", HASTY, *SHORT, *more, "--out", out, "--save", "hasty", "--json")
    facts = json.loads(told(capsys, *wish))
    page = (ROOT / "docs" / "cli.md").read_text().partition("## petteia tune")[2]
    listed = re.search(r"JSON keys: ((?:`\w+`[,.]?\s+)+)", page)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed.group(1))) == set(facts)
    assert facts["better"]
    assert facts["saved"] == str(tmp_path / "weights" / "hasty.json")
    html, result, log = (Path(file) for file in facts["files"])
    assert json.loads(result.read_text()) == facts
    assert html.read_text().count("<svg") == 2
    assert not re.search(r'(src|href)="(?!#)', html.read_text())  # nothing is fetched
    assert log.read_text().count("\n") > 4
    # The name is used like any other agent.
    with pytest.raises(SystemExit) as left:
        main(["match", RACE, "hasty", "greedy", "--pairs", "20", "--workers", "serial", "--json"])
    assert left.value.code == 0
    match = json.loads(capsys.readouterr().out)
    assert match["score"] > 0.8
    assert match["agents"][0] == facts["agent"]
    # The same again is only told again.
    again = json.loads(told(capsys, *wish))
    assert again["weights"] == facts["weights"]


def test_people_are_told_how_much_was_luck(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = told(capsys, RACE, "--agent", HASTY, *SHORT, "--out", str(tmp_path), "--save", "worse")
    assert "on fresh dice: 50.0 %" in shown
    assert "not saved as worse" in shown
    assert re.search(r"was luck|came back with its start", shown)


def test_methods_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    names = [row["name"] for row in json.loads(told(capsys, "--json"))["methods"]]
    assert names == ["hillclimb", "spsa", "cmaes", "logistic", "least_squares", "td"]
    assert "hill climbing" in told(capsys)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("chess",), "unknown game 'chess'"),
        ((RACE, "--agent", "random"), "agent random has no evaluation to tune"),
        ((RACE, "--against", "nobody"), "unknown agent 'nobody'"),
        ((RACE, "--method", "spsa("), "bad spec 'spsa('"),
        ((RACE, "--aim", "glory"), "unknown aim 'glory'"),
        ((RACE, "--only", "own,far"), "unknown weight of evaluation strides 'far'"),
        ((RACE, "--budget", "7"), "--budget 7 is too small"),
        ((RACE, "--sprt", "5"), "--sprt 5 is not possible"),
        ((RACE, "--openings", "e4"), "unknown opening"),
        ((RACE, "--iterations", "0"), "Invalid value for '--iterations'"),
        ((RACE, *SHORT, "--save", "greedy"), "the game has something of this name already"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...], what: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = told(capsys, *arguments, "--out", str(tmp_path / "out"), code=2)
    assert what in shown
    assert shown.count("\n") == 1


def test_a_run_that_is_interrupted_and_killed_ends_like_one_that_was_not(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def tuning(folder: Path) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
        wish = [
            RACE,
            "--against",
            HASTY,
            "--restarts",
            "5",
            "--iterations",
            "30",
            "--series",
            "2001",
        ]
        rest = ["--confirm", "30", "--workers", "serial", "--seed", "9", "--json"]
        return running(
            [sys.executable, "-m", "petteia", "tune", *wish, *rest, "--out", str(folder)],
            cwd=tmp_path, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def lines(folder: Path) -> int:
        return sum(log.read_bytes().count(b"\n") for log in folder.glob("*.log"))

    def cut_short(folder: Path, how: int, more: int) -> tuple[int, str]:
        before = lines(folder)
        with tuning(folder) as process:
            # It yields to this test, which must see the fortieth line long before the last one.
            os.setpriority(os.PRIO_PROCESS, process.pid, 5)
            while lines(folder) < before + more and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(how)
            _, error = process.communicate(timeout=60)
            return process.returncode, error

    def finished(folder: Path) -> dict[str, Any]:
        with tuning(folder) as process:
            shown, error = process.communicate(timeout=300)
            assert process.returncode == 0, error
        facts = json.loads(shown)
        assert ("continuing from" in error) == (folder.name == "broken")
        return {k: v for k, v in facts.items() if not k.endswith("seconds") and k != "files"}

    broken = tmp_path / "broken"
    code, error = cut_short(broken, signal.SIGINT, 40)
    assert code == 130
    assert "the same command continues" in error
    code, _ = cut_short(broken, signal.SIGKILL, 40)
    assert code == -signal.SIGKILL
    assert 80 <= lines(broken) < 1000
    assert finished(broken) == finished(tmp_path / "whole")
