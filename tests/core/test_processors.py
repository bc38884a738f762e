"""How many processors are ours: by affinity, and by what a container may use."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from petteia.core import processors as module
from petteia.core.processors import processors, quota

TREES = {
    "version 2": ("0::/service/inner\n", {"service/cpu.max": "150000 100000\n"}, 1.5),
    "the least counts": (
        "0::/a/b\n",
        {"a/cpu.max": "400000 100000\n", "a/b/cpu.max": "50000 100000\n"},
        0.5,
    ),
    "version 1": (
        "3:cpu,cpuacct:/box\n1:memory:/\n",
        {"cpu/box/cpu.cfs_quota_us": "200000\n", "cpu/box/cpu.cfs_period_us": "100000\n"},
        2.0,
    ),
    "no limit": ("0::/\n", {"cpu.max": "max 100000\n"}, math.inf),
    "no limit in version 1": (
        "3:cpu:/\n",
        {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"},
        math.inf,
    ),
    "no groups": ("", {}, math.inf),
}


@pytest.mark.parametrize(("own", "tree", "share"), TREES.values(), ids=TREES)
def test_the_quota_is_that_of_the_groups(
    tmp_path: Path, own: str, tree: dict[str, str], share: float
) -> None:
    (tmp_path / "own").write_text(own)
    for name, text in tree.items():
        (tmp_path / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "groups" / name).write_text(text)
    assert quota(tmp_path / "groups", tmp_path / "own") == share


@pytest.mark.parametrize(("share", "count"), [(0.2, 1), (1.5, 2), (math.inf, 4)])
def test_a_quota_is_rounded_up_and_one_processor_is_always_ours(
    monkeypatch: pytest.MonkeyPatch, share: float, count: int
) -> None:
    monkeypatch.setattr(module, "quota", lambda: share)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    assert processors() == count
