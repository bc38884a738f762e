"""RoyalUr's tables of exact values, version 0 of ``.rgu``, read and written.

All numbers are big-endian: ``RGU`` and a byte 0; the length of a JSON text and the text; how many
maps there are and the entries of each; then for each map its keys, ascending, and its values. A key
packs a Finkel position in which light is to roll; a value is light's chance of winning. Positions
that light has already won are there too.
"""

from __future__ import annotations

import json
import struct
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.writing import writing_whole
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution.layout import layout_of

__all__ = ["keys_of", "read", "write"]

_MAGIC = b"RGU\0"
_TYPES = {"percent16": ">u2", "f32": ">f4", "f64": ">f8"}
_LANE = (4, 3, 2, 1, 14, 13)
"""The squares of the bits of a lane, lowest first."""
_SCALE = 65535
_DICE = {4: "FourBinary", 3: "ThreeBinary0Max"}


def _refuse_other_paths(game: UrRules) -> None:
    if game.squares != 14 or game.rule_set.closed:
        raise PetteiaError(f"only tables of Finkel's rules are kept as .rgu, not {game}")


def _lane_bits(game: UrRules) -> np.ndarray:
    """The lane of every mask of private squares, by its rank."""
    layout = layout_of(game)
    lanes = [
        sum(1 << bit for bit, square in enumerate(_LANE) if int(mask) >> square & 1)
        for mask in layout.mask_of
    ]
    return np.array(lanes, np.int64)


def _middle(game: UrRules) -> tuple[np.ndarray, int]:
    """The code of every content of the shared tiles, -1 for impossible ones, and its bits."""
    layout = layout_of(game)
    words = np.zeros(len(layout.own), np.int64)
    for place, square in enumerate(layout.shared.tolist()):
        light, dark = layout.own >> square & 1, layout.other >> square & 1
        words |= (2 * light + dark) << (14 - 2 * place)
    possible = (layout.counts <= game.count).all(1)
    ranks = np.full(len(words), -1, np.int64)
    ranks[possible] = np.argsort(np.argsort(words[possible]))
    return ranks, int(ranks.max()).bit_length()


def keys_of(game: UrRules) -> np.ndarray:
    """The keys of all positions in which nobody has won, in the order of our index."""
    layout, n = layout_of(game), game.count
    lanes, (middle, bits) = _lane_bits(game), _middle(game)
    sizes = np.array([int(bin(mask).count("1")) for mask in layout.mask_of], np.int64)
    keys = np.empty(layout.states, np.uint32)
    at = 0
    for a, b in product(range(n), repeat=2):
        left, right = n - a - layout.counts[:, 0], n - b - layout.counts[:, 1]
        for c in np.flatnonzero((left >= 0) & (right >= 0)):
            own, other = int(layout.fits[left[c]]), int(layout.fits[right[c]])
            light = lanes[:own] << (6 + bits) | (left[c] - sizes[:own]) << (15 + bits)
            dark = lanes[:other] | (right[c] - sizes[:other]) << (12 + bits)
            block = dark[:, None] | light | middle[c] << 6
            keys[at : at + block.size] = block.reshape(-1)
            at += block.size
    return keys


def _won_keys(game: UrRules) -> np.ndarray:
    """The keys of the positions in which light has won."""
    layout, n = layout_of(game), game.count
    lanes, (middle, bits) = _lane_bits(game), _middle(game)
    found = []
    for b in range(n):
        for c in np.flatnonzero((layout.counts[:, 0] == 0) & (layout.counts[:, 1] <= n - b)):
            right = n - b - int(layout.counts[c, 1])
            for rank in range(int(layout.fits[right])):
                hand = right - int(layout.mask_of[rank]).bit_count()
                found.append(int(lanes[rank]) | int(middle[c]) << 6 | hand << (12 + bits))
    return np.array(sorted(set(found)), np.uint32)


def _settings(game: UrRules) -> dict[str, Any]:
    """All rules of a game, in RoyalUr's names."""
    return {
        "board_shape": "Standard",
        "paths": "Bell",
        "dice": _DICE[game.dice_count],
        "start_pieces": game.count,
        "safe_rosettes": game.rule_set.safe,
        "rosettes_grant_rolls": True,
        "captures_grant_rolls": game.rule_set.capture_rolls,
    }


def write(game: UrRules, table: np.ndarray, path: Path, author: str = "Petteia") -> int:
    """Writes a table of chances in 16 bits; gives the number of entries."""
    _refuse_other_paths(game)
    keys = np.concatenate([keys_of(game), _won_keys(game)])
    won = np.full(len(keys) - len(table), _SCALE, np.uint16)
    values = np.concatenate([table, won])
    order = np.argsort(keys, kind="stable")
    about = {"value_type": "percent16", "author": author, "game_settings": _settings(game)}
    text = json.dumps(about).encode()
    head = _MAGIC + struct.pack(">i", len(text)) + text + struct.pack(">ii", 1, len(keys))
    with writing_whole(path) as file:
        file.write(head)
        file.write(keys[order].astype(">u4").tobytes())
        file.write(values[order].astype(">u2").tobytes())
    return len(keys)


def read(game: UrRules, path: Path) -> np.ndarray:
    """The chances of all positions of a game, in 16 bits and in the order of our index."""
    _refuse_other_paths(game)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise PetteiaError(f"cannot read {path}: {error.strerror}") from None
    try:
        about, keys, values = _parsed(raw)
    except (ValueError, KeyError, TypeError, struct.error):
        raise PetteiaError(f"{path} is no table of RoyalUr's, or it is damaged") from None
    settings = about["game_settings"]
    for name, right in _settings(game).items():
        if name in settings and settings[name] != right:
            raise PetteiaError(
                f"{path} is of other rules than {game}: {name} is {settings[name]!r}, not {right!r}"
            )
    wanted = keys_of(game)
    places = np.searchsorted(keys, wanted)
    if (places >= len(keys)).any() or (keys[places] != wanted).any():
        raise PetteiaError(f"{path} does not hold all positions of {game}")
    return values[places]


def _parsed(raw: bytes) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    if raw[:4] != _MAGIC:
        raise ValueError("magic")
    (length,) = struct.unpack_from(">i", raw, 4)
    about = json.loads(raw[8 : 8 + length])
    if not isinstance(about, dict) or not isinstance(about["game_settings"], dict):
        raise ValueError("settings")
    kind = np.dtype(_TYPES[about["value_type"]])
    at = 8 + length
    (maps,) = struct.unpack_from(">i", raw, at)
    counts = struct.unpack_from(f">{maps}i", raw, at + 4)
    at += 4 + 4 * maps
    all_keys, all_values = [], []
    for count in counts:
        all_keys.append(np.frombuffer(raw, ">u4", count, at).astype(np.uint32))
        at += 4 * count
        values = np.frombuffer(raw, kind, count, at)
        at += kind.itemsize * count
        whole = kind == np.dtype(">u2")
        all_values.append(values if whole else np.rint(values.astype(np.float64) * _SCALE))
    if at != len(raw):
        raise ValueError("size")
    keys = np.concatenate(all_keys)
    order = np.argsort(keys, kind="stable")
    return about, keys[order], np.concatenate(all_values).astype(np.uint16)[order]
