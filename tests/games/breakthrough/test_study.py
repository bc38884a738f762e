"""The study of Breakthrough: what it declares, and all of it with quick players."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from petteia.cli import main
from petteia.games.breakthrough import study
from petteia.studies.frame import Experiment


def test_the_study_declares_all_match_ups() -> None:
    found = {item.number: item for item in study.PUBLISHED}
    assert list(found) == ["1", "2", "3", "4", "5", "6", "V1", "V2", "V3", "V4"]
    assert found["1"].moves == (41, 41)
    assert found["1"].winner == 1
    assert all(item.winner == 0 for number, item in found.items() if number != "1")
    assert found["2"].nodes == (9_905_956, 1_496_428)
    assert found["4"].nodes[0] == 4_660_557
    assert found["V2"].captures == (14, 4)
    assert found["V4"].seconds == (5.978534, 2.716280)
    assert [sum(item.moves) for item in found.values()] == [82, 69, 49, 61, 53, 91, 123, 63, 33, 51]
    nodes = [item.per_move(item.nodes) for item in found.values()]
    assert nodes[0] == pytest.approx((427.5, 28_660.5), abs=0.05)
    assert nodes[6] == pytest.approx((179_588.4, 25_310.1), abs=0.05)
    times = found["3"].per_move(found["3"].seconds)
    assert times == pytest.approx((20.3063, 4.3768), abs=5e-5)

    experiments = {each.key: each for each in study.STUDY.experiments}
    claims = {f"{kind}-{claim}" for kind in "abcdef" for claim in ("D2-v-O1", "O2-v-D1")}
    alone = {f"{number}-game" for number in found}
    assert set(experiments) == {*found, *alone, *claims, "G1", "G2"}
    for key, each in experiments.items():
        assert each.contest.opening == ("none" if key in alone else "random")
        assert each.full >= (1 if key in alone else 50)
    assert experiments["3"].claimed == 1.0
    assert experiments["2"].claimed == 0.99
    assert experiments["G1"].contest.first == "greedy(eval=offensive1)"


def _shallow(experiment: Experiment) -> Experiment:
    """The same experiment with agents that look no more than three plies ahead."""
    contest = experiment.contest
    agents = [
        re.sub("depth=[45]", "depth=3", agent).replace(
            "as_printed(eval", "as_printed(depth=3, eval"
        )
        for agent in (contest.first, contest.second)
    ]
    return replace(experiment, contest=replace(contest, first=agents[0], second=agents[1]))


@pytest.mark.slow
def test_the_quick_study_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it, with quicker players: what each of them plays is tested elsewhere."""
    quicker = tuple(_shallow(each) for each in study.STUDY.experiments)
    monkeypatch.setattr(study, "STUDY", replace(study.STUDY, experiments=quicker))
    with pytest.raises(SystemExit) as caught:
        main(["study", "breakthrough", "--quick", "--out", str(tmp_path), "--json"])
    assert caught.value.code == 0
    facts = json.loads(capsys.readouterr().out)
    assert len(facts["experiments"]) == 34
    assert not any(each["problems"] for each in facts["experiments"])
    assert facts["findings"]["nodes_by_depth"]["minimax"] == [1, 23, 507, 11_639, 267_675]
    assert len(facts["findings"]["games"]) == 10
    assert len(facts["findings"]["claims_by_search"]) == 12
    sound, *_, all_four = facts["findings"]["defects"][:7]
    assert sound["worse_moves"] == sound["ends_missed"] == 0
    assert all_four["times_sound"] > 5
    page = (tmp_path / "breakthrough.html").read_text()
    assert page.count("<svg") == 13
    assert "4,660,557" in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
