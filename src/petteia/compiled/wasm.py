"""Kernels for browsers: object files linked to one WebAssembly module.

The linker is LLVM's ``wasm-ld``, which PyPI's ``ziglang`` carries (extra ``wasm``). A module
exports its kernels under their symbols, its memory, and where that is free (``__heap_base``); the
one thing that it must be given is ``clock_gettime``. A *shared* module is given its memory, in
which several workers run it at the same time; each sets ``__stack_pointer`` to a place of its own.
Whoever calls a kernel writes the arguments one after the other, as ``native`` does: a place for the
result, one for an exception, then numbers and addresses.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from petteia.compiled.disk import Entry
from petteia.compiled.targets import WASM
from petteia.core.compile_time import CompileTime
from petteia.core.errors import PetteiaError

__all__ = ["MOST_SHARED", "STACK", "can_link", "flattened", "layout_of", "linked"]

STACK = 1 << 20
"""Bytes for functions that call themselves. It lies before all else: what overflows it is stopped,
and writes over nothing."""
MOST_SHARED = 1 << 28
"""Bytes of a shared memory, whose largest size must be told before."""


_SHARED = (
    "--shared-memory", "--import-memory", f"--max-memory={MOST_SHARED}", "--export=__stack_pointer",
)  # fmt: skip


def can_link() -> bool:
    """Whether a linker is here."""
    return importlib.util.find_spec("ziglang") is not None


def linked(kernels: Sequence[Entry], *, shared: bool = False) -> bytes:
    """The module of some kernels, which were compiled for browsers; ``shared`` if several workers
    shall run it in one memory."""
    if not can_link():
        raise PetteiaError("a module for browsers needs a linker; pip install 'petteia[wasm]'")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given, module = folder / "given", folder / "module.wasm"
        given.write_text("\n".join(sorted(WASM.imports)))
        parts = [folder / f"{number}.o" for number in range(len(kernels))]
        for part, kernel in zip(parts, kernels, strict=True):
            part.write_bytes(kernel.code)
        options = [
            "--no-entry", "--strip-all", "--stack-first", "-z", f"stack-size={STACK}",
            f"--allow-undefined-file={given}", "--export=__heap_base",
            *(f"--export={kernel.symbol}" for kernel in kernels), *(_SHARED if shared else ()),
        ]  # fmt: skip
        files = ["-o", str(module), *map(str, parts)]
        command = [sys.executable, "-m", "ziglang", "wasm-ld", *options, *files]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise PetteiaError(f"wasm-ld failed: {' '.join(done.stderr.split())}")
        return module.read_bytes()


def layout_of(record: np.dtype[Any]) -> dict[str, tuple[int, str, int]]:
    """Where the fields of a record lie, for those who are not Python: the first byte, the type of a
    number as NumPy writes it, and how many numbers there are."""
    assert record.fields is not None
    return {
        name: (int(field[1]), field[0].base.str, int(np.prod(field[0].shape, dtype=int)))
        for name, field in record.fields.items()
    }


def flattened(arguments: Sequence[Any]) -> Iterator[str]:
    """A kernel's arguments one after the other: numbers as texts, ``null`` for what has no size,
    and for addresses what lies there: ``record`` or ``array``."""
    for each in arguments:
        if isinstance(each, CompileTime):
            yield "null"
        elif isinstance(each, np.ndarray):
            yield from ("null", "null", str(each.size), str(each.itemsize), "array")
            yield from map(str, (*each.shape, *each.strides))
        elif isinstance(each, np.void):
            yield "record"
        else:
            yield from (str(int(word)) for word in each)
