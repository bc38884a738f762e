"""Goofspiel in one file: petteia play ./goofspiel.py (dice and moves of both at the same time)."""

from petteia import CHANCE, SIMULTANEOUS, TERMINAL, Game, U, popcount
from petteia.core.evaluation import of_function


def total(cards):
    """The sum of a set of cards: card n is bit n."""
    found = 0.0
    for card in range(1, 33):
        found += card * float(cards >> U(card) & U(1))
    return found


def share(game, p, player):
    """The lead, and of the prizes to come what the hand is worth beside the other's."""
    lead = total(p[3]) - total(p[4])
    hands = total(p[0]) + total(p[1])
    if hands > 0.0:
        lead += (total(p[2]) + float(p[5])) * (total(p[0]) - total(p[1])) / hands
    return lead if player == 0 else -lead


class Goofspiel(Game):
    """Each has the cards 1 to n. A prize of 1 to n is drawn, both bid a card for it at the same
    time, and the higher card wins it; equal cards win nobody anything. Who has won more, wins.

    A position: the hands of both, the prizes in the pile, the prizes that each has won, all as
    sets of bits, and the prize on the table, 0 before it is drawn.
    """

    evaluations = {"share": of_function("share", share)}
    default_evaluation = "share"

    def __init__(self, cards: int = 5):
        self.cards = cards
        self.max_moves = cards

    def start(self):
        every = U(2 ** (self.cards + 1) - 2)
        return (every, every, every, U(0), U(0), U(0))

    def kind(self, p):
        if p[5] != U(0):
            return SIMULTANEOUS
        return CHANCE if p[2] != U(0) else TERMINAL

    def chances(self, p, out, prob, at):
        for prize in range(1, self.cards + 1):
            if p[2] >> U(prize) & U(1) == U(1):
                out[at], prob[at], at = prize, 1.0 / popcount(p[2]), at + 1
        return at

    def play(self, p, prize):
        return (p[0], p[1], p[2] ^ U(1) << U(prize), p[3], p[4], U(prize))

    def moves_of(self, p, player, out, at):
        hand = p[0] if player == 0 else p[1]
        for card in range(1, self.cards + 1):
            if hand >> U(card) & U(1) == U(1):
                out[at], at = card, at + 1
        return at

    def play_both(self, p, first, second):
        prize = U(1) << p[5]
        mine = p[3] | prize if first > second else p[3]
        yours = p[4] | prize if second > first else p[4]
        hands = (p[0] ^ U(1) << U(first), p[1] ^ U(1) << U(second))
        return (hands[0], hands[1], p[2], mine, yours, U(0))

    def result(self, p):
        lead = total(p[3]) - total(p[4])
        return 1.0 if lead > 0.0 else -1.0 if lead < 0.0 else 0.0

    def board(self, p):
        sets = (p[0], p[1], p[2], p[3], p[4], U(1) << p[5] & ~U(1))
        return ["".join("x" if c >> U(i) & U(1) else "." for i in range(1, self.cards + 1))
                for c in sets]  # fmt: skip
