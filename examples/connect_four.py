"""Connect Four in one file: petteia play ./connect_four.py (seven bits a column, bottom first)."""

from petteia import DECISION, TERMINAL, Game, U, popcount


def has_four(discs):
    four = U(0)
    for step in (1, 6, 7, 8):
        pairs = discs & (discs >> U(step))
        four |= pairs & (pairs >> U(2 * step))
    return four != U(0)


class ConnectFour(Game):
    def start(self):
        return (U(0), U(0))

    def mover(self, p):
        return (popcount(p[0]) + popcount(p[1])) & 1

    def kind(self, p):
        return TERMINAL if self.result(p) != 0.0 or popcount(p[0] | p[1]) == 42 else DECISION

    def moves(self, p, out, at):
        for column in range(7):
            if (p[0] | p[1]) >> U(7 * column + 5) & U(1) == U(0):
                out[at], at = column, at + 1
        return at

    def play(self, p, move):
        disc = ((p[0] | p[1]) + (U(1) << U(7 * move))) & (U(63) << U(7 * move))
        return (p[0] | disc, p[1]) if self.mover(p) == 0 else (p[0], p[1] | disc)

    def result(self, p):
        return 1.0 if has_four(p[0]) else -1.0 if has_four(p[1]) else 0.0

    def board(self, p):
        cells = [".xo"[(int(p[0]) >> s & 1) + 2 * (int(p[1]) >> s & 1)] for s in range(49)]
        return ["".join(cells[row::7]) for row in reversed(range(6))]
