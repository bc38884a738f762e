"""The processors that kernels can be compiled for.

LLVM, as llvmlite brings it, writes code for all of them. A kernel allocates nothing, raises nothing
and calls nothing but mathematics, so that a target needs no more than its triple and a machine; how
a kernel is begun there (``entries``) and how its code is loaded differ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

__all__ = ["CUDA", "HOST", "ROCM", "TARGETS", "WASM", "Target", "cuda_of", "machine_of"]


@dataclass(frozen=True)
class Target:
    """A kind of processor."""

    name: str
    triple: str
    """Empty: this machine."""
    processor: str = ""
    features: str = ""
    is_text: bool = False
    """Whether its code is assembly, which a driver translates for its own chip."""
    has_pieces: bool = False
    """Whether it runs loops over pieces (``batch``) alone, one thread for every n-th piece."""
    imports: frozenset[str] = frozenset()
    """The functions that are given to a kernel there."""


HOST = Target("host", "")
CUDA = Target("cuda", "nvptx64-nvidia-cuda", "sm_75", "+ptx75", is_text=True, has_pieces=True)
"""NVIDIA's chips from 2018 on: the driver translates for those that came later."""
ROCM = Target("rocm", "amdgcn-amd-amdhsa", "gfx90a")
"""AMD's; code is written for them, and nobody has run it."""
WASM = Target(
    "wasm",
    "wasm32-unknown-unknown",
    "generic",
    "+atomics,+bulk-memory,+sign-ext,+nontrapping-fptoint,+simd128",
    imports=frozenset({"clock_gettime"}),
)
"""Browsers."""


def cuda_of(capability: int) -> Target:
    """The target of a chip of NVIDIA's by its compute capability, such as 90; that of the nearest
    older one where the compiler does not know it."""
    known = max(each for each in _CUDA_KNOWN if each <= capability)
    return replace(CUDA, processor=f"sm_{known}", features=f"+ptx{_CUDA_KNOWN[known]}")


_CUDA_KNOWN = {75: 75, 80: 75, 86: 75, 89: 80, 90: 80, 100: 86, 120: 87}
"""Chips, each with a version of PTX that has them."""

TARGETS = {target.name: target for target in (HOST, CUDA, WASM)}
"""Those that can be asked for."""


@lru_cache(maxsize=8)
def machine_of(target: Target) -> Any:
    """LLVM's machine that writes code for a target other than this machine."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        opt=3, cpu=target.processor, features=target.features
    )
