"""Connect Four in one file: petteia play ./connect_four.py (a column is its rows and a gap)."""

from petteia import DECISION, TERMINAL, Game, U, popcount
from petteia.core.view import Action


def has_four(discs, height):
    four = U(0)
    for step in (1, height - 1, height, height + 1):
        pairs = discs & (discs >> U(step))
        four |= pairs & (pairs >> U(2 * step))
    return four != U(0)


def threes(game, p, player):
    """Three in a row with a gap or an open end, ours minus theirs."""
    full, height = game.board_mask & ~(p[0] | p[1]), game.rows + 1
    found = 0
    for side in range(2):
        discs, wins = p[side], U(0)
        for step in (1, height - 1, height, height + 1):
            pairs = discs & (discs >> U(step))
            wins |= (pairs & (discs >> U(2 * step))) << U(3 * step)
            wins |= (pairs & (discs >> U(3 * step))) << U(2 * step)
            wins |= (discs & (pairs >> U(2 * step))) << U(step)
            wins |= (pairs & (discs >> U(2 * step))) >> U(step)
        found += popcount(wins & full) if side == player else -popcount(wins & full)
    return float(found)


class ConnectFour(Game):
    """Drop discs into the columns; four in a row, across, up or diagonally, win."""

    title = "Connect Four"
    evaluations = {"threes": threes}
    variants = {"small": {"columns": 5, "rows": 4}}

    def __init__(self, columns: int = 7, rows: int = 6):
        self.columns, self.rows = columns, rows
        column = 2**rows - 1
        self.board_mask = U(sum(column << (rows + 1) * number for number in range(columns)))

    def start(self):
        return (U(0), U(0))

    def mover(self, p):
        return (popcount(p[0]) + popcount(p[1])) & 1

    def kind(self, p):
        over = self.result(p) != 0.0 or (p[0] | p[1]) == self.board_mask
        return TERMINAL if over else DECISION

    def moves(self, p, out, at):
        for column in range(self.columns):
            if (p[0] | p[1]) >> U((self.rows + 1) * column + self.rows - 1) & U(1) == U(0):
                out[at], at = column, at + 1
        return at

    def play(self, p, move):
        bottom = U(1) << U((self.rows + 1) * move)
        disc = ((p[0] | p[1]) + bottom) & (U((1 << self.rows) - 1) << U((self.rows + 1) * move))
        return (p[0] | disc, p[1]) if self.mover(p) == 0 else (p[0], p[1] | disc)

    def result(self, p):
        height = self.rows + 1
        return 1.0 if has_four(p[0], height) else -1.0 if has_four(p[1], height) else 0.0

    def board(self, p):
        size = self.rows + 1
        cells = [
            ".xo"[(int(p[0]) >> s & 1) + 2 * (int(p[1]) >> s & 1)]
            for s in range(self.columns * size)
        ]
        return ["".join(cells[row::size]) for row in reversed(range(self.rows))]

    def actions(self, p):  # a move is a click on the cell into which the disc falls
        heights = [sum(row[c] != "." for row in self.board(p)) for c in range(self.columns)]
        moves = self.legal_moves(p)
        return tuple(Action(str(c), (f"{'abcdefghi'[c]}{heights[c] + 1}",)) for c in moves)
