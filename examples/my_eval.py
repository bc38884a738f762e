"""An evaluation of Breakthrough in one file:

petteia match breakthrough "alphabeta(depth=4, eval=./my_eval.py:runners)" \
    "alphabeta(depth=4, eval=offensive2)"
"""

from petteia import popcount
from petteia.games.breakthrough.evaluations import front, rows_advanced


def runners(game, p, player):
    """Material, advancement, and the lead in the race of the foremost workers."""
    own, enemy = (p[0], p[1]) if player == 0 else (p[1], p[0])
    material = popcount(own) - popcount(enemy)
    advance = rows_advanced(game, own, player) - rows_advanced(game, enemy, 1 - player)
    race = front(game, own, player) - front(game, enemy, 1 - player)
    return 10.0 * material + advance + 4.0 * race
