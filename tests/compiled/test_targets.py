"""Every game's random play compiles for every kind of processor, without one being here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import games
from petteia.compiled import Batch, kernel, targets
from petteia.core.errors import PetteiaError
from petteia.search.playout import RandomPlay

EXAMPLES = Path(__file__).parents[2] / "examples"
SPECS = [*games.names(), str(EXAMPLES / "connect_four.py")]


@pytest.mark.parametrize("spec", SPECS)
def test_random_play_compiles_for_every_target(spec: str) -> None:
    play = RandomPlay(games.make(spec))
    args = play.arguments(0, 1)
    ptx = play.batch.code_for(targets.CUDA, *args).code.decode()
    assert ".visible .entry petteia_" in ptx
    assert ".extern" not in ptx
    # Products and sums that are rounded together would not be those of other processors.
    assert "fma." not in ptx
    assert play.batch.code_for(targets.WASM, *args).code.startswith(b"\0asm")


def test_code_for_amd_is_written_too() -> None:
    rocm = play = RandomPlay(games.make("breakthrough"))
    code = rocm.batch.code_for(targets.ROCM, *play.arguments(0, 1)).code
    assert code.startswith(b"\x7fELF")


def test_a_target_is_part_of_the_fingerprint() -> None:
    play = RandomPlay(games.make("breakthrough(columns=4, rows=5)"))
    args = play.arguments(0, 1)
    every = (targets.CUDA, targets.cuda_of(90), targets.WASM)
    symbols = {play.batch.code_for(target, *args).symbol for target in every}
    assert len(symbols) == 3


def test_chips_to_come_are_those_that_are_known() -> None:
    assert targets.cuda_of(75).processor == "sm_75"
    assert targets.cuda_of(90).processor == "sm_90"
    assert targets.cuda_of(999).processor == "sm_120"


def test_what_a_processor_does_not_have_is_named() -> None:
    def sine(i: int, memory: Any, out: np.ndarray) -> None:
        out[i] = np.sin(out[i])

    batch = Batch(sine, [("nothing", np.int64)])
    with pytest.raises(PetteiaError, match="for cuda can call sin, which is not there"):
        batch.code_for(targets.CUDA, np.zeros(1))


def test_a_kernel_is_code_for_browsers_as_it_stands() -> None:
    @kernel
    def twice(x: float) -> float:
        return 2.0 * x

    assert twice.code_for(targets.WASM, 1.0).code.startswith(b"\0asm")
