"""CuPy and a CUDA GPU, for what can use one."""

from __future__ import annotations

from typing import Any

from petteia.core.errors import PetteiaError

__all__ = ["cupy_for"]


def cupy_for(what: str, instead: str) -> Any:
    """The library where there is a device for it, or one line that says what is missing: ``what``
    needs it, and what can be done ``instead``."""
    try:
        import cupy  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise PetteiaError(
            f"{what} on a GPU needs CuPy: pip install 'petteia[gpu]'; {instead}"
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        count = 0
    if not count:
        raise PetteiaError(f"there is no CUDA GPU here; {instead}")
    return cupy
