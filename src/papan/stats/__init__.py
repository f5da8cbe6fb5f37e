"""Statistics of matches and tournaments: pure functions, the first player's view.

    counts       Trinomial, Pentanomial            what a match is counted as
    elo          elo_difference, los …             how strong, and how surely
    sprt         Sprt                              when to stop a match
    ratings      rate_tournament                   all players of a tournament at once
    ladder       rate_game, play_ladder            game by game (extra: papan[ladder])

What lies outside a function's domain is refused with a `ValueError` of one line.
"""

from papan.stats.counts import Counts, Pentanomial, Trinomial
from papan.stats.elo import (
    EloEstimate,
    effective_games,
    elo_difference,
    elo_from_score,
    los,
    los_from_decisive_games,
    normal_cdf,
    normalised_elo,
    score_from_elo,
    score_interval,
)
from papan.stats.ladder import Standing, play_ladder, rate_game
from papan.stats.ratings import Pairing, Rating, RatingTable, connected_groups, rate_tournament
from papan.stats.sprt import Sprt, SprtResult, wald_bounds

__all__ = [
    "Counts",
    "EloEstimate",
    "Pairing",
    "Pentanomial",
    "Rating",
    "RatingTable",
    "Sprt",
    "SprtResult",
    "Standing",
    "Trinomial",
    "connected_groups",
    "effective_games",
    "elo_difference",
    "elo_from_score",
    "los",
    "los_from_decisive_games",
    "normal_cdf",
    "normalised_elo",
    "play_ladder",
    "rate_game",
    "rate_tournament",
    "score_from_elo",
    "score_interval",
    "wald_bounds",
]
