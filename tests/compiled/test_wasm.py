"""Kernels as a WebAssembly module, run by Node."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia.compiled import kernel, nanoseconds, targets, wasm
from petteia.core.errors import PetteiaError

RECORD = np.dtype(
    [("stop", np.int8), ("x", np.float64, (3,)), ("y", np.float64, (3,)), ("time", np.int64)],
    align=True,
)
_RUN = """
const [, file, symbol, layout, numbers] = process.argv;
const at = JSON.parse(layout), bytes = require("fs").readFileSync(file);
const clock_gettime = (_, place) => {
  new DataView(memory.buffer).setBigInt64(place, 7n, true);
  new DataView(memory.buffer).setBigInt64(place + 8, 5n, true);
  return 0;
};
const module = new WebAssembly.Module(bytes);
const { exports } = new WebAssembly.Instance(module, { env: { clock_gettime } });
const memory = exports.memory, free = exports.__heap_base.value;
memory.grow(1);
const view = new DataView(memory.buffer), record = (free + 63) & ~63;
JSON.parse(numbers).forEach((x, i) => view.setFloat64(record + at.x[0] + 8 * i, x, true));
const status = exports[symbol](record + 512, record + 520, record);
const found = [0, 1, 2].map((i) => view.getBigUint64(record + at.y[0] + 8 * i, true).toString());
const time = Number(view.getBigInt64(record + at.time[0], true));
const needed = WebAssembly.Module.imports(module).map((each) => each.name);
console.log(JSON.stringify({ status, found, time, needed }));
"""


@kernel
def real_functions(memory: Any) -> None:
    memory.y[0] = math.exp(memory.x[0])
    memory.y[1] = math.log(memory.x[1])
    memory.y[2] = math.tanh(memory.x[2])
    memory.time = nanoseconds()


def _record() -> Any:
    return np.zeros(1, RECORD).view(np.recarray)[0]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
@pytest.mark.skipif(not wasm.can_link(), reason="no linker here; pip install 'petteia[wasm]'")
def test_a_module_gives_the_same_bits(tmp_path: Path) -> None:
    entry = real_functions.code_for(targets.WASM, _record())
    file = tmp_path / "module.wasm"
    file.write_bytes(wasm.linked([entry]))
    numbers = [-3.7, 12.34567, 0.61]
    layout = wasm.layout_of(RECORD)
    said = subprocess.run(
        ["node", "-e", _RUN, "--", str(file), entry.symbol, json.dumps(layout),
         json.dumps(numbers)],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    found = json.loads(said.stdout)
    here = _record()
    here["x"] = numbers
    real_functions(here)
    assert found["found"] == [str(word) for word in here["y"].view(np.uint64)]
    assert (found["status"], found["time"]) == (0, 7_000_000_005)
    assert found["needed"] == ["clock_gettime"]


def test_a_layout_tells_places_types_and_numbers() -> None:
    assert wasm.layout_of(RECORD) == {
        "stop": (0, "|i1", 1), "x": (8, "<f8", 3), "y": (32, "<f8", 3), "time": (56, "<i8", 1),
    }  # fmt: skip


def test_without_a_linker_one_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm, "can_link", lambda: False)
    with pytest.raises(PetteiaError, match=r"needs a linker; pip install 'petteia\[wasm\]'"):
        wasm.linked([])
