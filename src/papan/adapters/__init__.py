"""Papan's games in other frameworks, each in its own extra.

    gym              Gymnasium: one agent against any player          papan[gym]
    pettingzoo       PettingZoo: two agents in turns (AEC)            papan[gym]
    openspiel        OpenSpiel: games by the names papan_adjacency …   papan[openspiel]
    bots             OpenSpiel's bots as players, `openspiel:mcts`     papan[openspiel]

The adapters share the conversion of moves to actions, and of positions to planes, text and pixels
(`observation`). Environments and states can be copied and pickled during a game.
"""
