"""Goofspiel in one file: petteia play ./goofspiel.py (a prize is drawn, and both bid a card)."""

from dataclasses import replace

from petteia import CHANCE, SIMULTANEOUS, TERMINAL, Game, U, popcount
from petteia.core.view import Cell, Label, Piece


def lead(game, p, player):
    """The points won so far, ours minus theirs, as a share of all prizes."""
    ahead = (float(p[4]) - float(p[5])) / (game.cards * (game.cards + 1) / 2)
    return ahead if player == 0 else -ahead


class Goofspiel(Game):  # a position: both hands, the prizes left, the prize drawn, both scores
    """Both bid a card for the prize; the higher one wins its points, and equal ones nobody."""

    evaluations = {"lead": lead}

    def __init__(self, cards: int = 5):
        self.cards = cards

    def start(self):
        cards = U(2 ** (self.cards + 1) - 2)  # a set of cards: card n is bit n
        return (cards, cards, cards, U(0), U(0), U(0))

    def kind(self, p):
        return SIMULTANEOUS if p[3] != U(0) else CHANCE if p[2] != U(0) else TERMINAL

    def chances(self, p, out, prob, at):
        prob[at : at + popcount(p[2])] = 1.0 / popcount(p[2])
        return self.moves_of(p, 2, out, at)

    def play(self, p, prize):
        return (p[0], p[1], p[2] ^ U(1) << U(prize), U(prize), p[4], p[5])

    def moves_of(self, p, player, out, at):
        for card in range(1, self.cards + 1):
            if p[player] >> U(card) & U(1) == U(1):
                out[at], at = card, at + 1
        return at

    def play_both(self, p, first, second):
        a, b = p[3] if first > second else U(0), p[3] if first < second else U(0)
        return (p[0] ^ U(1) << U(first), p[1] ^ U(1) << U(second), p[2], U(0), p[4] + a, p[5] + b)

    def seen_by(self, p, player):  # for learning: own hand and score first
        return p if player == 0 else (p[1], p[0], p[2], p[3], p[5], p[4])

    def result(self, p):
        return 1.0 if p[4] > p[5] else -1.0 if p[4] < p[5] else 0.0

    def status(self, p):
        if self.kind(p) == CHANCE:
            return "a prize is drawn"
        return (f"prize {int(p[3])}: " if p[3] != U(0) else "") + super().status(p)

    def view(self, p):  # both hands and the prizes in rows; a card that is played leaves its place
        names, rows = ("first", "prizes", "second"), (p[0], p[2] | (U(1) << p[3]) & ~U(1), p[1])
        cells, pieces, cards = [], [], range(1, self.cards + 1)
        for y, (name, row) in enumerate(zip(names, rows, strict=True)):
            for n in cards:
                shown = "" if y != 1 or p[3] == U(n) else "dark"  # the drawn prize is lit
                cells.append(Cell(f"{name}{n}", (n - 1, y), mark=shown))
                if row >> U(n) & U(1) == U(1):  # the prizes belong to nobody yet
                    pieces.append(Piece(f"{name}{n}", (0, 2, 1)[y], str(n), kind="card"))
        plain = super().view(p)
        actions = tuple(replace(a, path=(names[2 * a.player] + a.move,)) for a in plain.actions)
        labels = tuple(Label(name, (-1.2, y)) for y, name in enumerate(names))
        return replace(
            plain, size=(self.cards, 3), cells=tuple(cells), pieces=tuple(pieces), labels=labels,
            actions=actions, tallies=(f"{int(p[4])} points", f"{int(p[5])} points"),
        )  # fmt: skip
