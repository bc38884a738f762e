"""Saved weights are names for specs."""

from __future__ import annotations

from pathlib import Path

import pytest

from petteia import agents, games
from petteia.arena.contest import Contest
from petteia.core import saved
from petteia.core.errors import PetteiaError
from petteia.core.saved import Saved
from petteia.core.spec import parse

SMALL = games.make("breakthrough(columns=4, rows=5)")
HARE = Saved(str(SMALL), "greedy(eval=offensive2(my=0.5))", "offensive2(my=0.5)", {"seed": 1})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETTEIA_WEIGHTS", str(tmp_path / "weights"))
    return tmp_path


def test_a_saved_name_is_an_agent_and_an_evaluation() -> None:
    saved.save("hare", HARE)
    assert saved.names() == ["hare"]
    assert saved.find("hare") == HARE
    assert str(agents.make("hare", SMALL)) == "greedy(eval=offensive2(my=0.5))"
    evaluation = agents.evaluation_for(SMALL, parse("hare"))
    assert str(evaluation.spec) == "offensive2(my=0.5)"
    changed = agents.evaluation_for(SMALL, parse("hare(opp_front=-1)"))
    assert changed.weights["my"] == 0.5
    assert changed.weights["opp_front"] == -1
    searching = agents.make("alphabeta(depth=2, eval=hare)", SMALL)
    full = agents.make("alphabeta(depth=2, eval=offensive2(my=0.5))", SMALL)
    assert searching.choose(SMALL.start())[:2] == full.choose(SMALL.start())[:2]
    # Weights that were tuned on one board play on another.
    assert agents.make("hare", games.make("breakthrough")).spec.name == "greedy"


def test_a_path_is_a_name_too(tmp_path: Path) -> None:
    file = saved.save(str(tmp_path / "deep" / "hare.json"), HARE)
    assert agents.evaluation_for(SMALL, parse(f'"{file}"')).weights["my"] == 0.5
    assert str(agents.make(f'"{file}"', SMALL)) == HARE.agent
    assert saved.names() == []


def test_series_keep_the_spec_in_full() -> None:
    saved.save("hare", HARE)
    contest = Contest(str(SMALL), "hare", "alphabeta(depth=1, eval=hare(opp=1))").checked()
    assert contest.first == HARE.agent
    assert contest.second == "alphabeta(depth=1, eval=offensive2(my=0.5, opp=1))"
    plain = Contest(str(SMALL), "greedy(eval = offensive2)", "random")
    assert plain.checked().first == plain.first


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match="there is no file"):
        agents.evaluation_for(SMALL, parse("./none.json"))
    with pytest.raises(PetteiaError, match="is not a name for weights"):
        saved.save("a/b", HARE)
    saved.save("ur_hare", Saved("race", "greedy", "even"))
    with pytest.raises(PetteiaError, match="ur_hare are for race, not for breakthrough"):
        agents.make("ur_hare", SMALL)
    with pytest.raises(PetteiaError, match="unknown evaluation of breakthrough 'ur_har'; did you"):
        agents.make("greedy(eval=ur_har)", SMALL)
    for text in ("{}", "[]", "no json", '{"kind": "petteia weights", "hares": 3}'):
        file = tmp_path / "bad.json"
        file.write_text(text)
        with pytest.raises(PetteiaError, match="does not hold weights"):
            saved.find(str(file))
