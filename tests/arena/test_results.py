"""``petteia.match``: a series in one call, its data as tables, and what it prints."""

from __future__ import annotations

import csv
import doctest
from pathlib import Path

import pytest

import petteia
import petteia.arena.results
from petteia import games
from petteia.arena.plies import COLUMNS, plies_of
from petteia.arena.store import GameRow, export_plies
from petteia.core.errors import PetteiaError
from petteia.core.position import Position

GAME = "breakthrough(columns=4, rows=5)"
GOOFSPIEL = str(Path(__file__).parents[2] / "examples" / "goofspiel.py")


@pytest.fixture(scope="module")
def series() -> petteia.Series:
    return petteia.match(GAME, "random", "random", pairs=3, seed=4)


def test_the_docstring_runs() -> None:
    failed, tried = doctest.testmod(petteia.arena.results)
    assert (failed, tried) == (0, 4)


def test_it_prints_a_line_not_all_its_records(series: petteia.Series) -> None:
    assert repr(series).startswith(f"<{GAME}, random v random: 6 games, score ")
    assert repr(series.result).startswith("<match of 6 games, score ")
    assert len(series) == 6


def test_the_same_seed_gives_the_same_games(series: petteia.Series) -> None:
    again = petteia.match(GAME, "random", "random", pairs=3, seed=4)
    assert again.result.pairs == series.result.pairs
    assert petteia.match(GAME, "random", "random", pairs=3).result.pairs != series.result.pairs


def test_games_and_pairs_are_tables(series: petteia.Series) -> None:
    table, pairs = series.games(), series.pairs()
    assert list(table["pair"]) == [0, 0, 1, 1, 2, 2]
    assert list(table["score"]) == series.result.scores
    assert table["score"].mean() == series.score == pytest.approx(pairs["score"].mean())
    assert (table["result"] * (1 - 2 * table["number"]) > 0).eq(table["score"] == 1).all()


def test_moves_have_texts_beside_numbers(series: petteia.Series) -> None:
    table, game = series.moves(), games.make(GAME)
    assert list(table.columns) == ["pair", "game", *COLUMNS]
    one = table[(table["pair"] == 1) & (table["game"] == 0)]
    position = Position.of(game)
    for row in one.itertuples():
        assert str(position) == row.position
        assert game.move_text(position.words, row.number) == row.move
        position = position.play(row.number)
    assert position.result == series.result.pairs[1].games[0].result


def test_both_have_a_row_and_dice_have_no_player() -> None:
    found = petteia.match(GOOFSPIEL, "random", "random", pairs=1)
    game = games.make(GOOFSPIEL)
    rows = list(plies_of(found.result.pairs[0].games[0].record, game))
    kinds = [row["kind"] for row in rows]
    assert kinds == ["chance", "both", "both"] * 5
    assert [row["player"] for row in rows] == [None, 0, 1] * 5
    assert [row["ply"] for row in rows[:4]] == [0, 1, 1, 2]


def test_the_store_writes_every_move(series: petteia.Series, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pandas

    rows = [
        GameRow.new(1, pair.index, number, played)
        for pair in series.result.pairs
        for number, played in enumerate(pair.games)
    ]
    count = export_plies(tmp_path / "moves.csv", rows)
    assert count == len(series.moves())
    with (tmp_path / "moves.csv").open() as file:
        assert [row["move"] for row in csv.DictReader(file)] == list(series.moves()["move"])
    export_plies(tmp_path / "moves.parquet", rows)
    kept = pandas.read_parquet(tmp_path / "moves.parquet")
    assert list(kept["number"]) == list(series.moves()["number"])
    with pytest.raises(PetteiaError, match=r"end the name with \.csv or \.parquet"):
        export_plies(tmp_path / "moves.txt", rows)


def test_mistakes_are_one_line(series: petteia.Series) -> None:
    with pytest.raises(PetteiaError, match="pairs=0 is not possible"):
        petteia.match(GAME, "random", "random", pairs=0)
    with pytest.raises(PetteiaError, match="library of data frames"):
        series.games("excel")
    with pytest.raises(PetteiaError, match="unknown agent"):
        petteia.match(GAME, "randon", "random")


def test_a_figure_in_one_call(tmp_path: Path) -> None:
    series = petteia.match("breakthrough(columns=4, rows=5)", "random", "random", pairs=6)
    figure = series.figure(tmp_path / "score.svg")
    (axes,) = figure.axes
    (line, _) = axes.lines
    assert line.get_xdata().tolist() == [1, 2, 3, 4, 5, 6]
    assert line.get_ydata()[-1] == pytest.approx(series.score)
    assert "<svg" in (tmp_path / "score.svg").read_text()
