"""Statistics of matches and tournaments: pure functions, from the first player's view.

    counts       Trinomial, Pentanomial            counts of results
    elo          elo_difference, los …             strength and its uncertainty
    sprt         Sprt                              when to stop a match
    ratings      rate_tournament                   all players of a tournament at once
                 rate_game, play_ladder            game by game (extra: papan[ladder])

Arguments outside a function's domain raise a `ValueError` with a message of one line.
"""
