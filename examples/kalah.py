"""Kalah in one file: petteia play ./kalah.py (a byte a pit, and one for the store).

Who has no seeds to move at his turn ends the game, and the other keeps what is left on his side.
"""

from petteia import DECISION, TERMINAL, Game, U
from petteia.core.view import Action, Cell, Piece, View


def in_pit(side, pit):
    return side >> U(8 * pit) & U(255)


def lead(game, p, player):
    """Seeds in the store, ours minus theirs."""
    return float(in_pit(p[player], game.pits)) - float(in_pit(p[1 - player], game.pits))


class Kalah(Game):
    """Sow your seeds around; most seeds in the store win."""

    evaluations = {"lead": lead}
    default_evaluation = "lead"
    players = ("south", "north")
    max_moves = 8

    def __init__(self, pits: int = 6, seeds: int = 4):  # at most 7 pits
        self.pits, self.seeds = pits, seeds

    def start(self):
        side = U(0)
        for pit in range(self.pits):
            side |= U(self.seeds) << U(8 * pit)
        return (side, side, U(0))  # the sides of both players, and who is to move

    def mover(self, p):
        return 1 if p[2] != U(0) else 0

    def kind(self, p):
        side, half = p[self.mover(p)], U(self.pits * self.seeds)
        has_moves = side & ((U(1) << U(8 * self.pits)) - U(1)) != U(0)
        is_won = in_pit(p[0], self.pits) > half or in_pit(p[1], self.pits) > half
        return DECISION if has_moves and not is_won else TERMINAL

    def moves(self, p, out, at):
        side = p[self.mover(p)]
        for pit in range(self.pits):
            if in_pit(side, pit) != U(0):
                out[at], at = pit, at + 1
        return at

    def play(self, p, move):
        own, enemy = (p[0], p[1]) if p[2] == U(0) else (p[1], p[0])
        seeds, place = in_pit(own, move), move
        own ^= seeds << U(8 * move)
        while seeds != U(0):  # own pits, own store, the enemy's pits, and round again
            place = place + 1 if place < 2 * self.pits else 0
            if place <= self.pits:
                own += U(1) << U(8 * place)
            else:
                enemy += U(1) << U(8 * (place - self.pits - 1))
            seeds -= U(1)
        if place < self.pits and in_pit(own, place) == U(1):
            across = self.pits - 1 - place
            taken = in_pit(enemy, across)
            if taken != U(0):  # the last seed fell into an empty pit: it captures
                enemy ^= taken << U(8 * across)
                own ^= U(1) << U(8 * place)
                own += (taken + U(1)) << U(8 * self.pits)
        turn = p[2] if place == self.pits else p[2] ^ U(1)  # the last in the store moves again
        return (own, enemy, turn) if p[2] == U(0) else (enemy, own, turn)

    def result(self, p):
        stores = 0
        for pit in range(self.pits + 1):
            stores += int(in_pit(p[0], pit)) - int(in_pit(p[1], pit))
        return 1.0 if stores > 0 else -1.0 if stores < 0 else 0.0

    def move_text(self, p, move):
        return "abcdefg"[move]

    def view(self, p):  # each pit a cell with a stack; the stores at the ends
        cells, pieces = [], []
        for side in (0, 1):
            for pit in range(self.pits + 1):
                name, seeds = f"{'SN'[side]}{'abcdefg'[pit]}", int(in_pit(p[side], pit))
                x = pit + 1 if side == 0 else self.pits - pit
                cells.append(Cell(name, (x, 1 - side), mark="dark" if pit == self.pits else ""))
                if seeds:
                    pieces.append(Piece(name, side, "xo"[side], count=seeds))
        moves = [(self.move_text(p, move), "SN"[self.mover(p)]) for move in self.legal_moves(p)]
        return View(
            str(self), (self.pits + 2, 2), tuple(cells), tuple(pieces), players=self.players,
            mover=self.mover(p), status=self.status(p),
            actions=tuple(Action(text, (side + text,)) for text, side in moves),
        )  # fmt: skip
