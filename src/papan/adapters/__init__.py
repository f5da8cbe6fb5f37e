"""Papan's games in the frameworks of others, each behind an extra of its own.

    gym              Gymnasium: one agent against any player          papan[gym]
    pettingzoo       PettingZoo: two agents in turns (AEC)            papan[gym]
    openspiel        OpenSpiel: games by the names papan_adjacency …   papan[openspiel]
    bots             OpenSpiel's bots as players, `openspiel:mcts`     papan[openspiel]

They share moves as actions (`actions`), and positions as planes of numbers, text and pixels
(`observation`). All of them can be copied and pickled in the middle of a game.
"""
