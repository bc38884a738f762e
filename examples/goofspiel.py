"""Goofspiel in one file: petteia play ./goofspiel.py (a prize is drawn, both bid at once)."""

from petteia import CHANCE, SIMULTANEOUS, TERMINAL, Game, U, popcount


class Goofspiel(Game):
    """Both hold the cards 1 to n. A prize of 1 to n is drawn and each bids a card for it, unseen;
    the higher card wins the prize, equal cards win nothing. Whoever has won more at the end wins.

    A position: both hands and the pile of prizes as sets, card n being bit n; the prize on the
    table, 0 before it is drawn; what each has won.
    """

    def __init__(self, cards: int = 5):
        self.cards = cards
        self.max_moves = cards

    def start(self):
        cards = U(2 ** (self.cards + 1) - 2)
        return (cards, cards, cards, U(0), U(0), U(0))

    def kind(self, p):
        if p[3] != U(0):
            return SIMULTANEOUS
        return CHANCE if p[2] != U(0) else TERMINAL

    def chances(self, p, out, prob, at):
        end = self.cards_of(p[2], out, at)
        for i in range(at, end):
            prob[i] = 1.0 / popcount(p[2])
        return end

    def play(self, p, prize):
        return (p[0], p[1], p[2] ^ U(1) << U(prize), U(prize), p[4], p[5])

    def moves_of(self, p, player, out, at):
        return self.cards_of(p[player], out, at)

    def cards_of(self, cards, out, at):
        for card in range(1, self.cards + 1):
            if cards >> U(card) & U(1) == U(1):
                out[at], at = card, at + 1
        return at

    def play_both(self, p, first, second):
        won = (p[3] if first > second else U(0), p[3] if second > first else U(0))
        hands = (p[0] ^ U(1) << U(first), p[1] ^ U(1) << U(second))
        return (hands[0], hands[1], p[2], U(0), p[4] + won[0], p[5] + won[1])

    def result(self, p):
        return 1.0 if p[4] > p[5] else -1.0 if p[4] < p[5] else 0.0

    def board(self, p):
        rows = []
        for cards, letter in ((p[0], "x"), (p[1], "o"), (p[2], "x"), (U(1) << p[3], "o")):
            held = [cards >> U(card) & U(1) for card in range(1, self.cards + 1)]
            rows.append("".join(letter if one else "." for one in held))
        return rows
