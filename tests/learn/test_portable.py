"""Every shape tells the same in a browser, bit by bit."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import games
from petteia.compiled import kernel, load, targets, wasm
from tests.learn.test_network import SHAPES, line, saved

MOST = 64
_RUN = """
const [, file, symbol, layout, record] = process.argv, fs = require("fs");
const module = new WebAssembly.Module(fs.readFileSync(file));
const { exports } = new WebAssembly.Instance(module, { env: {} });
const memory = exports.memory, bytes = fs.readFileSync(record), at = JSON.parse(layout);
const place = (exports.__heap_base.value + 127) & ~63;
memory.grow(Math.ceil((place + bytes.length) / 65536));
new Uint8Array(memory.buffer, place).set(bytes);
if (exports[symbol](place - 64, place - 56, 0, 0, place)) throw new Error("it failed");
const [begin, , count] = at.values;
const found = new BigUint64Array(memory.buffer, place + begin, count);
console.log(JSON.stringify([...found].map(String)));
"""


@kernel
def values(game: Any, evaluation: Any, memory: Any) -> None:
    for row in range(memory.count):
        p = load(memory.positions, row, game.start())
        memory.values[row] = evaluation.value(game, p, game.mover(p), memory.weights)


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
@pytest.mark.skipif(not wasm.can_link(), reason="no linker here; pip install 'petteia[wasm]'")
@pytest.mark.parametrize("shape", SHAPES)
def test_a_browser_sees_what_the_server_sees(shape: str, tmp_path: Path) -> None:
    game = games.make("checkers")
    found = saved(tmp_path, game, hidden=64, shape=shape)
    positions = np.array(line(game, 7), np.uint64)
    dtype = np.dtype(
        [
            ("count", np.int64),
            ("positions", np.uint64, (MOST, positions.shape[1])),
            ("values", np.float64, (MOST,)),
            ("weights", np.uint64, (len(found.array),)),
        ]
    )
    record = np.zeros(1, dtype).view(np.recarray)[0]
    record["count"] = len(positions)
    record["positions"][: len(positions)] = positions
    record["weights"] = found.array
    (tmp_path / "record").write_bytes(record.tobytes())
    entry = values.code_for(targets.WASM, game, found.tag, record)
    (tmp_path / "module.wasm").write_bytes(wasm.linked([entry]))
    said = subprocess.run(
        ["node", "-e", _RUN, "--", str(tmp_path / "module.wasm"), entry.symbol,
         json.dumps(wasm.layout_of(dtype)), str(tmp_path / "record")],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    values(game, found.tag, record)
    assert json.loads(said.stdout) == [str(word) for word in record["values"].view(np.uint64)]
    assert len(set(record["values"].tolist())) > 10
