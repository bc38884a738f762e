"""Analysing games with dice from the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from petteia.cli.app import main

LINE = "4xx2/l2d2l1/1l2xx1l l 2 1 6 0"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    with pytest.raises(SystemExit) as end:
        main([*arguments, "--json"])
    shown = capsys.readouterr()
    return int(end.value.code or 0), json.loads(shown.out or "null"), shown.err


def test_a_throw_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, facts, _ = run(capsys, "analyse", "ur", LINE, "--roll", "2", "--agent", "expectimax")
    assert code == 0
    assert facts["position"] == f"{LINE} 2"
    assert {each["move"] for each in facts["moves"]} == {"hand-c1", "a2-c2", "h1-home"}


def test_an_agent_that_only_compares_tells_what_its_choice_is_worth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    code, facts, _ = run(capsys, "analyse", "backgammon", start)
    assert code == 0
    assert facts["best"] == "8/5 6/5"
    assert facts["value"] == facts["moves"][0]["value"] is not None


def test_before_the_throw_every_throw_is_analysed(capsys: pytest.CaptureFixture[str]) -> None:
    code, facts, _ = run(capsys, "analyse", "ur", LINE, "--agent", "expectimax(depth=1)")
    assert code == 0
    assert [roll["roll"] for roll in facts["rolls"]] == ["0", "1", "2", "3", "4"]
    mean = sum(roll["chance"] * roll["value"] for roll in facts["rolls"])
    assert facts["value"] == pytest.approx(mean)
    assert facts["rolls"][0]["best"] == "pass"


def test_a_position_by_its_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    pieces = "L=2,1,5,10,3,14,0 R=3,4,6,12,7,11,0"
    code, facts, _ = run(
        capsys, "analyse", "ur", "--pieces", pieces, "--side", "L", "--roll", "3",
        "--agent", "expectimax(depth=1)",
    )  # fmt: skip
    assert code == 0
    assert facts["position"] == f"{pieces} L 3"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("ur", LINE, "--roll", "7"), "unknown outcome of the dice '7'"),
        (("ur", f"{LINE} 2", "--roll", "2"), "no dice are to be thrown"),
        (("breakthrough", "start", "--roll", "2"), "no dice are to be thrown"),
        (("ur", "--pieces", "L=0 R=0"), "go together"),
        (("ur", LINE, "--pieces", "L=0 R=0", "--side", "L"), "given twice"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, error = run(capsys, "analyse", *arguments)
    assert code == 2
    assert why in error
    assert len(error.strip().splitlines()) == 1
