"""Othello in one file: petteia play ./othello.py (a1 is bit 0; who cannot move passes)."""

from petteia import DECISION, TERMINAL, Game, U, popcount, trailing_zeros

PASS, CORNERS, ALL = 64, U(0x8100000000000081), U(0xFFFFFFFFFFFFFFFF)
# Four directions and their opposites: a step in bits, and the squares where it does not go around.
STEPS, RIGHT, LEFT = (1, 8, 9, 7), U(0xFEFEFEFEFEFEFEFE), U(0x7F7F7F7F7F7F7F7F)
AHEAD, BACK = (RIGHT, ALL, RIGHT, LEFT), (LEFT, ALL, LEFT, RIGHT)


def step(discs, direction):
    if direction < 4:
        return (discs << U(STEPS[direction])) & AHEAD[direction]
    return (discs >> U(STEPS[direction - 4])) & BACK[direction - 4]


def places(own, enemy):
    """The empty squares from which discs of the enemy are enclosed."""
    empty, found = ~(own | enemy) & ALL, U(0)
    for direction in range(8):
        line = step(own, direction) & enemy
        for _ in range(5):
            line |= step(line, direction) & enemy
        found |= step(line, direction) & empty
    return found


def flipped(own, enemy, disc):
    """The enemy's discs that a new disc encloses."""
    found = U(0)
    for direction in range(8):
        line = step(disc, direction) & enemy
        for _ in range(5):
            line |= step(line, direction) & enemy
        if step(line, direction) & own != U(0):
            found |= line
    return found


def mobility(game, p, player):
    """Moves that one could make, and corners, ours minus theirs."""
    own, enemy = p[player], p[1 - player]
    moves = popcount(places(own, enemy)) - popcount(places(enemy, own))
    return moves + 8.0 * (popcount(own & CORNERS) - popcount(enemy & CORNERS))


class Othello(Game):
    """Enclose the enemy's discs and turn them over; most discs win."""

    evaluations = {"mobility": mobility}
    players = ("black", "white")
    max_moves = 64
    max_plies = 128

    def start(self):
        return (U(0x0000000810000000), U(0x0000001008000000), U(0))

    def mover(self, p):
        return 1 if p[2] != U(0) else 0

    def kind(self, p):
        over = places(p[0], p[1]) == U(0) and places(p[1], p[0]) == U(0)
        return TERMINAL if over else DECISION

    def moves(self, p, out, at):
        found = places(p[0], p[1]) if p[2] == U(0) else places(p[1], p[0])
        if found == U(0):
            out[at] = PASS
            return at + 1
        while found != U(0):
            out[at], at = trailing_zeros(found), at + 1
            found &= found - U(1)
        return at

    def play(self, p, move):
        if move == PASS:
            return (p[0], p[1], p[2] ^ U(1))
        disc = U(1) << U(move)
        if p[2] == U(0):
            turned = flipped(p[0], p[1], disc)
            return (p[0] | disc | turned, p[1] ^ turned, U(1))
        turned = flipped(p[1], p[0], disc)
        return (p[0] ^ turned, p[1] | disc | turned, U(0))

    def result(self, p):
        lead = popcount(p[0]) - popcount(p[1])
        return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0

    def seen_by(self, p, player):
        return (p[0], p[1]) if player == 0 else (p[1], p[0])

    def move_text(self, p, move):
        return "pass" if move == PASS else f"{'abcdefgh'[move % 8]}{8 - move // 8}"

    def board(self, p):
        cells = [".xo"[(int(p[0]) >> s & 1) + 2 * (int(p[1]) >> s & 1)] for s in range(64)]
        return ["".join(cells[row : row + 8]) for row in range(0, 64, 8)]
