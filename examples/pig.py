"""Pig in one file: petteia play ./pig.py (roll as long as you dare; a 1 loses the turn)."""

from petteia import CHANCE, DECISION, TERMINAL, Game, U

HOLD, ROLL = 0, 7  # faces of the die are 1 to 6


def lead(game, p, player):
    """The points ahead, those of the turn included: a throw adds 20/6 to them, or takes them."""
    turn = float(p[2])
    if p[4] == U(1) and turn > 0.0:
        turn += (20.0 - turn) / 6.0
    return float(p[player]) - float(p[1 - player]) + (turn if int(p[3]) == player else -turn)


class Pig(Game):
    """Roll a die as often as you like: a 1 ends your turn with nothing, or hold and score."""

    evaluations = {"lead": lead}
    default_evaluation = "lead"
    max_moves = 6
    max_plies = 5000
    opening_plies = 0

    def __init__(self, goal: int = 100):
        self.goal = goal

    def start(self):  # both scores, the points of this turn, the player, whether the die rolls
        return (U(0), U(0), U(0), U(0), U(1))

    def mover(self, p):
        return int(p[3])

    def kind(self, p):
        if p[self.mover(p)] + p[2] >= U(self.goal):
            return TERMINAL
        return CHANCE if p[4] == U(1) else DECISION

    def moves(self, p, out, at):
        out[at], out[at + 1] = HOLD, ROLL
        return at + 2

    def chances(self, p, out, prob, at):
        for face in range(1, 7):
            out[at], prob[at], at = face, 1 / 6, at + 1
        return at

    def play(self, p, move):
        if move == ROLL:
            return (p[0], p[1], p[2], p[3], U(1))
        if move == HOLD:
            first, second = (p[2], U(0)) if p[3] == U(0) else (U(0), p[2])
            return (p[0] + first, p[1] + second, U(0), p[3] ^ U(1), U(1))
        if move == 1:
            return (p[0], p[1], U(0), p[3] ^ U(1), U(1))
        return (p[0], p[1], p[2] + U(move), p[3], U(0))

    def seen_by(self, p, player):  # for learning: own score first, and not whose turn it is
        return (p[player], p[1 - player], p[2], p[4])

    def result(self, p):
        return 1.0 if p[3] == U(0) else -1.0

    def move_text(self, p, move):
        return "hold" if move == HOLD else "roll" if move == ROLL else str(move)

    def status(self, p):
        scores = f"{int(p[0])} : {int(p[1])}, {int(p[2])} in this turn"
        return f"{scores}; {super().status(p)}"
