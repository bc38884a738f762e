"""Statistics of series: pure functions, each formula with its source."""

from petteia.arena.statistics.bootstrap import bootstrap_interval
from petteia.arena.statistics.elo import (
    NORMALISED_UNIT,
    EloEstimate,
    elo_estimate,
    elo_from_score,
    los,
    normalised_elo,
    score_from_elo,
)
from petteia.arena.statistics.interval import Z95, pair_interval, sample_interval, wilson
from petteia.arena.statistics.luck import LuckAdjusted, luck_adjusted
from petteia.arena.statistics.pairs import Sample, pentanomial, trinomial
from petteia.arena.statistics.planning import (
    biased_pair_variance,
    expected_pairs,
    games_to_be_sure,
    pairs_for_elo,
    pairs_to_detect,
    series_win_probability,
)
from petteia.arena.statistics.rating import Ratings, bradley_terry, league_name, leagues
from petteia.arena.statistics.sprt import (
    REGULARISER,
    Decision,
    Model,
    Sprt,
    llr_of_means,
    llr_of_t_values,
)
from petteia.arena.statistics.stopping import StoppedEstimate, bias_note, stopped_estimate

__all__ = [
    "NORMALISED_UNIT",
    "REGULARISER",
    "Z95",
    "Decision",
    "EloEstimate",
    "LuckAdjusted",
    "Model",
    "Ratings",
    "Sample",
    "Sprt",
    "StoppedEstimate",
    "bias_note",
    "biased_pair_variance",
    "bootstrap_interval",
    "bradley_terry",
    "elo_estimate",
    "elo_from_score",
    "expected_pairs",
    "games_to_be_sure",
    "league_name",
    "leagues",
    "llr_of_means",
    "llr_of_t_values",
    "los",
    "luck_adjusted",
    "normalised_elo",
    "pair_interval",
    "pairs_for_elo",
    "pairs_to_detect",
    "pentanomial",
    "sample_interval",
    "score_from_elo",
    "series_win_probability",
    "stopped_estimate",
    "trinomial",
    "wilson",
]
