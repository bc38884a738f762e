"""QR codes of links."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.web import qr

LINK = "http://192.168.1.17:8080/#/table/aZ09_-aZ09_-"
LONG = LINK + "?moves=" + "b2a3%20g7h6%20" * 12


@pytest.mark.parametrize(
    ("text", "side", "digest"),
    [(LINK, 33, "47d4510dbeb2400c"), (LONG, 61, "66020a8053c2dd4d")],
)
def test_codes_are_those_that_a_reader_has_read(text: str, side: int, digest: str) -> None:
    """zxing-cpp 3.1.1 reads these codes as their texts; the larger one tells its version."""
    grid = qr.modules(text)
    assert grid.shape == (side, side)
    assert hashlib.sha256(np.packbits(grid).tobytes()).hexdigest()[:16] == digest


@pytest.mark.parametrize("length", [1, 14, 15, 62, 63, 213, 214, 666])
def test_blocks_have_no_error(length: int) -> None:
    """Reed and Solomon's law: as polynomials, data and correction are zero at powers of two."""
    data = bytes(index * 7 % 256 for index in range(length))
    version = next(v for v in range(1, 21) if length <= qr._room(v))
    words, number = qr._codewords(data, version), qr._BLOCKS[version - 1]
    correction = qr._CORRECTION[version - 1]
    capacity = len(words) - number * correction
    short = capacity // number
    for index in range(number):
        block = [words[at * number + index] for at in range(short)]
        if index >= number - capacity % number:
            block.append(words[short * number + index - (number - capacity % number)])
        block += [words[capacity + at * number + index] for at in range(correction)]
        root = 1
        for _ in range(correction):
            value = 0
            for word in block:
                value = qr._times(value, root) ^ word
            assert value == 0
            root = qr._times(root, 2)


def test_what_is_too_long_is_refused() -> None:
    with pytest.raises(PetteiaError, match="too many for a QR code; at most 666"):
        qr.modules("x" * 667)
