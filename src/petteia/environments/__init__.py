"""Any game as an environment of PettingZoo or Gymnasium, or a game of OpenSpiel.

    from petteia.environments import open_spiel_game, pettingzoo_env, vector_env
    env = pettingzoo_env("./mygame.py")
    many = vector_env("./mygame.py", 1024)
    game = open_spiel_game("breakthrough(columns=4, rows=5)")

These libraries want actions from 0 up to a fixed number. The moves of our games are any integers,
so action ``n`` is the n-th legal move of a position, in the order of the rules.
"""

from petteia.environments.single import bits_of, open_spiel_game, pettingzoo_env
from petteia.environments.vector import vector_env

__all__ = ["bits_of", "open_spiel_game", "pettingzoo_env", "vector_env"]
