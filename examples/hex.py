"""Hex in one file: petteia play ./hex.py (a bit a cell from the top, with a gap after each row)."""

from dataclasses import replace

from petteia import DECISION, TERMINAL, Game, U, popcount, trailing_zeros


def near(game, cells):
    """The cells and their neighbours: in the row, in the row above, in the row below."""
    width = game.size + 1
    found = cells | cells << U(1) | cells >> U(1)
    found |= cells << U(width) | cells >> U(width) | cells << U(width - 1) | cells >> U(width - 1)
    return found & game.cells


def joined(game, stones, begin):
    """The stones that hang together with those of ``begin``."""
    found, before = begin & stones, U(0)
    while found != before:
        before, found = found, near(game, found) & stones
    return found


def stones_missing(game, own, enemy, player):
    """How many more stones connect the player's edges, or 99 if the enemy blocks them."""
    begin, end = game.edges[2 * player], game.edges[2 * player + 1]
    reached, step = joined(game, own, begin), begin & ~enemy
    for count in range(49):
        if reached & end != U(0):
            return count
        reached |= step
        reached |= joined(game, own, near(game, reached))
        step = near(game, reached) & ~enemy
    return 99


def shortest_way(game, p, player):
    """How many more stones than we the enemy needs."""
    ours = stones_missing(game, p[player], p[1 - player], player)
    return float(stones_missing(game, p[1 - player], p[player], 1 - player) - ours)


class Hex(Game):
    """Connect your two edges: the first player top and bottom, the second left and right."""

    evaluations = {"shortest_way": shortest_way}
    default_evaluation = "shortest_way"
    max_moves = 49

    def __init__(self, size: int = 4):  # at most 7
        self.size = size
        row = 2**size - 1
        self.cells = U(sum(row << (size + 1) * number for number in range(size)))
        left = sum(1 << (size + 1) * number for number in range(size))
        self.edges = (U(row), U(row << (size + 1) * (size - 1)), U(left), U(left << (size - 1)))

    def start(self):
        return (U(0), U(0))

    def mover(self, p):
        return popcount(p[0] | p[1]) & 1

    def kind(self, p):
        return TERMINAL if self.result(p) != 0.0 else DECISION

    def moves(self, p, out, at):
        empty = self.cells & ~(p[0] | p[1])
        while empty != U(0):
            out[at], at = trailing_zeros(empty), at + 1
            empty &= empty - U(1)
        return at

    def play(self, p, move):
        stone = U(1) << U(move)
        return (p[0] | stone, p[1]) if self.mover(p) == 0 else (p[0], p[1] | stone)

    def result(self, p):
        for player in range(2):
            if joined(self, p[player], self.edges[2 * player]) & self.edges[2 * player + 1] != U(0):
                return 1.0 - 2.0 * player
        return 0.0

    def move_text(self, p, move):
        return f"{'abcdefg'[move % (self.size + 1)]}{self.size - move // (self.size + 1)}"

    def board(self, p):
        def cell(s):
            return ".xo"[(int(p[0]) >> s & 1) + 2 * (int(p[1]) >> s & 1)]

        width, rows = self.size + 1, range(self.size)
        return ["".join(cell(row * width + column) for column in rows) for row in rows]

    def view(self, p):  # the same cells as hexagons, each row half a cell further right
        def hexagon(cell):
            x, y = cell.at
            return replace(cell, at=(x + y / 2, y), shape="hex", mark="")

        square, size = super().view(p), (self.size + (self.size - 1) / 2, self.size)
        return replace(square, cells=tuple(map(hexagon, square.cells)), labels=(), size=size)
