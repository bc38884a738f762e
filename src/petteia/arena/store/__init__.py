"""The store: every series and every game that was played, in one SQLite file.

    with Store() as store:
        series = store.new_series(game="breakthrough", agents=("random", "greedy"), seed=1, pairs=9)
        store.add_pair(series, match.pair(0))

A pair is in the file as soon as ``add_pair`` returns, and whole or not at all.
"""

from petteia.arena.store.rows import GameRow, SeriesRow
from petteia.arena.store.store import Store, default_path
from petteia.arena.store.summary import Summary
from petteia.arena.store.transfer import (
    export,
    export_csv,
    export_parquet,
    export_plies,
    export_records,
)

__all__ = [
    "GameRow",
    "SeriesRow",
    "Store",
    "Summary",
    "default_path",
    "export",
    "export_csv",
    "export_parquet",
    "export_plies",
    "export_records",
]
