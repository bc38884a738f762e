"""Tic-tac-toe in one file: petteia play ./tictactoe.py (nine bits, the top row first)."""

from petteia import DECISION, TERMINAL, Game, U, popcount

LINES = (0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124)


def has_three(marks):
    for line in LINES:
        if marks & U(line) == U(line):
            return True
    return False


def open_lines(game, p, player):
    """Lines in which only we have marks, minus lines in which only they have."""
    found = 0.0
    for line in LINES:
        ours, theirs = p[player] & U(line) != U(0), p[1 - player] & U(line) != U(0)
        found += 1.0 if ours and not theirs else -1.0 if theirs and not ours else 0.0
    return found


class TicTacToe(Game):
    """Three in a row, across, down or diagonally, win."""

    title = "Tic-tac-toe"
    evaluations = {"open_lines": open_lines}
    default_evaluation = "open_lines"
    max_moves = 9
    max_plies = 9

    def start(self):
        return (U(0), U(0))

    def mover(self, p):
        return popcount(p[0] | p[1]) & 1

    def kind(self, p):
        return TERMINAL if self.result(p) != 0.0 or (p[0] | p[1]) == U(511) else DECISION

    def moves(self, p, out, at):
        for cell in range(9):
            if (p[0] | p[1]) >> U(cell) & U(1) == U(0):
                out[at], at = cell, at + 1
        return at

    def play(self, p, move):
        mark = U(1) << U(move)
        return (p[0] | mark, p[1]) if self.mover(p) == 0 else (p[0], p[1] | mark)

    def result(self, p):
        return 1.0 if has_three(p[0]) else -1.0 if has_three(p[1]) else 0.0

    def move_text(self, p, move):
        return f"{'abc'[move % 3]}{3 - move // 3}"

    def board(self, p):
        cells = [".xo"[(int(p[0]) >> s & 1) + 2 * (int(p[1]) >> s & 1)] for s in range(9)]
        return ["".join(cells[row : row + 3]) for row in (0, 3, 6)]
