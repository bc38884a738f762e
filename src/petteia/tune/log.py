"""The log of a run: every answer as soon as it is known. It is also the checkpoint.

The first line tells what was asked for; every other holds an answer. A line that was not written
whole, because the machine stopped, is as if it were not there.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.tune.question import Question

__all__ = ["Log"]


def _packed(array: np.ndarray) -> dict[str, Any]:
    content = base64.b64encode(zlib.compress(np.ascontiguousarray(array, "<f8").tobytes()))
    return {"shape": list(array.shape), "values": content.decode()}


def _unpacked(packed: dict[str, Any]) -> np.ndarray:
    content = zlib.decompress(base64.b64decode(packed["values"]))
    return np.frombuffer(content, "<f8").reshape(packed["shape"]).astype(np.float64)


def _key(question: Question) -> str:
    return hashlib.sha256(repr(question).encode()).hexdigest()[:16]


class Log:
    """Answers in a file, or, without a file, in memory."""

    def __init__(self, path: Path | None, header: dict[str, Any]) -> None:
        self.path = path
        self.seconds = 0.0
        """What all answers took, earlier runs included."""
        self.found = 0
        """Answers that an earlier run has left."""
        self._known: dict[str, np.ndarray] = {}
        self._synced = 0.0
        if path is None:
            return
        try:
            whole = self._read(path, header) if path.exists() else 0
            with path.open("ab") as file:
                file.truncate(whole)
            if whole == 0:
                self._write(header)
        except OSError as error:
            raise PetteiaError(f"cannot write {path}: {error.strerror}") from None

    def _read(self, path: Path, header: dict[str, Any]) -> int:
        """Takes in the answers; the length of what was written whole."""
        whole = 0
        for line in path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            try:
                entry = json.loads(line)
                if whole == 0:
                    if entry != json.loads(json.dumps(header)):
                        raise PetteiaError(
                            f"{path} is the log of another run; name another folder with --out, "
                            "or start afresh with --again"
                        )
                else:
                    self._known[entry["question"]] = _unpacked(entry["answer"])
                    self.seconds += float(entry["seconds"])
                    self.found += 1
            except PetteiaError:
                raise
            except (ValueError, KeyError, TypeError, zlib.error):
                break
            whole += len(line)
        return whole

    def _write(self, entry: dict[str, Any]) -> None:
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(json.dumps(entry).encode() + b"\n")
                # A killed process loses nothing; against a power failure once a second is enough.
                if time.monotonic() > self._synced + 1:
                    file.flush()
                    os.fsync(file.fileno())
                    self._synced = time.monotonic()

    def find(self, question: Question) -> np.ndarray | None:
        """The answer, where it is known."""
        return self._known.get(_key(question))

    def keep(self, question: Question, answer: np.ndarray, seconds: float) -> None:
        """Notes an answer."""
        self.seconds += seconds
        self._known[_key(question)] = answer
        packed = {"question": _key(question), "seconds": round(seconds, 6)}
        self._write({**packed, "answer": _packed(answer)})
