"""Nim in one file: petteia play ./nim.py (a move is 100 times the heap, and how many)."""

from petteia import DECISION, TERMINAL, Game, U


def nim_sum(game, p, player):
    """Who moves where the heaps do not cancel out in binary wins (Bouton 1901)."""
    wins = (p[0] ^ p[1] ^ p[2]) != U(0)
    return 1.0 if wins == (int(p[3]) == player) else -1.0


class Nim(Game):
    """Take any number from one heap; who takes the last wins."""

    evaluations = {"nim_sum": nim_sum}
    default_evaluation = "nim_sum"
    players = ("first", "second")

    def __init__(self, a: int = 3, b: int = 4, c: int = 5):
        self.a, self.b, self.c = a, b, c

    def start(self):
        return (U(self.a), U(self.b), U(self.c), U(0))

    def mover(self, p):
        return int(p[3])

    def kind(self, p):
        return TERMINAL if p[0] + p[1] + p[2] == U(0) else DECISION

    def moves(self, p, out, at):
        for heap in range(3):
            for count in range(1, int(p[heap]) + 1):
                out[at], at = 100 * heap + count, at + 1
        return at

    def play(self, p, move):
        heap, count = move // 100, U(move % 100)
        return (
            p[0] - (count if heap == 0 else U(0)),
            p[1] - (count if heap == 1 else U(0)),
            p[2] - (count if heap == 2 else U(0)),
            p[3] ^ U(1),
        )

    def result(self, p):
        return 1.0 if p[3] == U(1) else -1.0

    def move_text(self, p, move):
        return f"{'abc'[move // 100]}{move % 100}"

    def board(self, p):
        return [("x" * int(heap)).ljust(max(self.a, self.b, self.c), ".") for heap in p[:3]]
