"""What an experiment ran on."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from petteia import __version__
from petteia.studies.machine import machine, versions


def test_versions_are_those_that_are_loaded() -> None:
    found = versions()
    assert found["petteia"] == __version__
    assert found["numpy"] == np.__version__


def test_the_machine_is_told_without_its_name(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("vendor_id : x\nmodel name\t: Abacus 3000\nmodel name\t: Abacus 3000\n")
    assert machine(info).startswith("Abacus 3000, ")
    assert "processor" in machine(tmp_path / "nothing")
