"""Tables on disk: whole or not there, and never mistaken for another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.solve import TableFile

DATA = np.arange(10_000, dtype=np.uint16).reshape(100, 100)


def _written(path: Path) -> TableFile:
    return TableFile.write(path, "toy-values", "toy(size=3)", DATA, {"first": 0.5, "odd": [1, 3]})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    table = _written(tmp_path / "deep" / "toy.table")
    assert np.array_equal(table.data, DATA)
    assert table.data.dtype == np.uint16
    assert table.facts == {"first": 0.5, "odd": [1, 3]}
    assert not table.data.flags.writeable
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["toy.table"]
    table.check()


@pytest.mark.parametrize("dtype", ["u1", "<i4", "<f8"])
@pytest.mark.parametrize("shape", [(0,), (7,), (3, 5)])
def test_every_kind_of_array(tmp_path: Path, dtype: str, shape: tuple[int, ...]) -> None:
    data = np.arange(np.prod(shape), dtype=dtype).reshape(shape)
    table = TableFile.write(tmp_path / "t", "k", "o", data, {})
    assert np.array_equal(table.data, data)
    assert table.data.dtype == data.dtype


def test_data_begin_on_a_page() -> None:
    from petteia.solve.tablefile import _header

    for length in range(0, 9000, 611):
        assert len(_header("k", "o", DATA, {"text": "x" * length})) % 4096 == 0


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda raw: raw[:-1], "bytes, expected"),
        (lambda raw: raw + b"x", "bytes, expected"),
        (lambda raw: raw[:200], "is not a table of Petteia's"),
        (lambda raw: b"SQLite" + raw, "is not a table of Petteia's"),
        (lambda raw: b"", "is not a table of Petteia's"),
        (lambda raw: raw.replace(b'"shape"', b'"shale"'), "header of .* is damaged"),
        (lambda raw: raw[:-5] + bytes([raw[-5] ^ 1]) + raw[-4:], "data of .* are damaged"),
    ],
)
def test_a_spoiled_file_is_refused_with_one_line(
    tmp_path: Path, spoil: object, message: str
) -> None:
    path = tmp_path / "toy.table"
    _written(path)
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(PetteiaError, match=message):
        TableFile.open(path, "toy-values", "toy(size=3)")


def test_another_table_is_refused(tmp_path: Path) -> None:
    _written(tmp_path / "t")
    with pytest.raises(PetteiaError, match=r"holds toy-values of toy\(size=3\), not toy-values of"):
        TableFile.open(tmp_path / "t", "toy-values", "toy(size=4)")


def test_a_failed_write_leaves_the_old_table(tmp_path: Path) -> None:
    _written(tmp_path / "t")
    with pytest.raises(PetteiaError, match="too long"):
        TableFile.write(tmp_path / "t", "k", "o", DATA, {"text": "x" * (1 << 20)})
    assert np.array_equal(TableFile.open(tmp_path / "t", "toy-values", "toy(size=3)").data, DATA)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_missing_table_and_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match=r"cannot read .*absent"):
        TableFile.open(tmp_path / "absent", "k", "o")
    (tmp_path / "file").write_text("")
    with pytest.raises(PetteiaError, match="cannot make the folder"):
        TableFile.write(tmp_path / "file" / "t", "k", "o", DATA, {})
