"""Statistics of series: pure functions, each formula with its source."""

from petteia.arena.statistics.interval import Z95, pair_interval, wilson

__all__ = ["Z95", "pair_interval", "wilson"]
