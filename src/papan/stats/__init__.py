"""Statistics of matches and tournaments: pure functions, the first player's view.

    counts       Trinomial, Pentanomial            results, counted
    elo          elo_difference, los …             how strong, and how surely
    sprt         Sprt                              when to stop a match
    ratings      rate_tournament                   all players of a tournament at once
                 rate_game, play_ladder            game by game (extra: papan[ladder])

What lies outside a function's domain is refused with a `ValueError` of one line.
"""
