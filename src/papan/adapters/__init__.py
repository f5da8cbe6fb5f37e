"""Papan's games in other people's frameworks, each behind an extra of its own.

    gym          Gymnasium: one agent against any player         papan[gym]
    zoo          PettingZoo: two agents in turns (AEC)           papan[gym]
    openspiel    OpenSpiel: games by the names papan_adjacency …  papan[openspiel]
    bots         OpenSpiel's bots as players, `openspiel:mcts`    papan[openspiel]

What they share: moves as actions (`actions`), positions as planes of numbers (`planes`), boards as
pixels (`raster`). All of them can be copied and pickled in the middle of a game.
"""
