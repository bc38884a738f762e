"""Goofspiel in one file: petteia play ./goofspiel.py (a prize is drawn, and both bid a card)."""

from petteia import CHANCE, SIMULTANEOUS, TERMINAL, Game, U, popcount


class Goofspiel(Game):  # a position: both hands, the prizes left, the prize drawn, both scores
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

    def result(self, p):
        return 1.0 if p[4] > p[5] else -1.0 if p[4] < p[5] else 0.0

    def board(self, p):  # the hands, the prizes left, the prize drawn
        sets = ((p[0], ".x"), (p[1], ".o"), (p[2], ".x"), (U(1) << p[3], ".o"))
        return ["".join(x[s >> U(n) & U(1)] for n in range(1, self.cards + 1)) for s, x in sets]
