"""Players of other packages as agents of the arena, for measuring strength.

    petteia match checkers "engine(time=0.05)" \
        "./benchmarks/peers/checkers_agents.py:PyDraughts(depth=6, time=60)" --openings ballots
    petteia match checkers "engine(time=0.05)" \
        "./benchmarks/peers/checkers_agents.py:OpenSpielMcts(simulations=2000, time=60)" ...

Each plays in a process of its own; ``time`` is only the clock after which a move is forfeited.
"""

from petteia import agents
from petteia.core.agent import Agent, Decision
from petteia.games.checkers.face.notation import fen


def _pieces(p):
    """A position as a FEN without the quiet plies."""
    return ":".join(fen(p).split(":")[:3])


class PyDraughts(Agent):
    """The alpha-beta engine of py-draughts, on a board on which captures are compulsory."""

    def __init__(self, game, depth: int = 6):
        super().__init__(game)
        from draughts.boards import american
        from draughts.engines import SimpleEngine

        class AcfBoard(american.Board):
            @property
            def legal_moves(self):
                return self._legal_moves_from_core(
                    american._CORE, max_capture=False, captures_optional=False
                )

        self.depth = depth
        self._board, self._engine = AcfBoard, SimpleEngine(depth_limit=depth)

    def choose(self, p, *, seed=0, player=None):
        board = self._board.from_fen(_pieces(p))
        board.push(self._engine.get_best_move(board))
        wanted = _pieces(self.game.parse(board.fen))
        for move in self.game.legal_moves(p):
            if _pieces(self.game.play(p, move)) == wanted:
                return Decision(move)
        raise ValueError(f"py-draughts played to {wanted}")


class OpenSpielMcts(Agent):
    """OpenSpiel's Monte Carlo tree search with random playouts.

    Its rules end a game after 40 hops without a capture, and it cannot be set up from a position.
    Where it holds a game for finished that is not, our own Monte Carlo search moves for it, with as
    many simulations.
    """

    def __init__(self, game, simulations: int = 2000):
        super().__init__(game)
        self.simulations = simulations
        self._line = []
        self._ours = agents.make(f"mcts(simulations={simulations})", game)

    def follow(self, line):
        self._line = list(line.positions)

    def choose(self, p, *, seed=0, player=None):
        import pyspiel

        theirs = pyspiel.load_game("checkers")
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed % 2**31)
        bot = pyspiel.MCTSBot(
            theirs, evaluator, 2.0, self.simulations, 1000, False, seed % 2**31, False
        )
        state = theirs.new_initial_state()
        for q in [*self._line, p][1:]:
            found = _turn_to(state, _pieces(q))
            if found is None:  # it calls a draw where our rules do not yet
                return self._ours.choose(p, seed=seed)
            state = found
        if state.is_terminal():
            return self._ours.choose(p, seed=seed)
        mover = state.current_player()
        while not state.is_terminal() and state.current_player() == mover:
            state.apply_action(bot.step(state))
        wanted = _seen(state)
        for move in self.game.legal_moves(p):
            if _pieces(self.game.play(p, move)).split(":", 1)[1] == wanted:
                return Decision(move)
        return self._ours.choose(p, seed=seed)


def _turns(state):
    """The states after every whole turn: it moves hop by hop."""
    player = state.current_player()
    for action in state.legal_actions():
        child = state.child(action)
        if not child.is_terminal() and child.current_player() == player:
            yield from _turns(child)
        else:
            yield child


def _turn_to(state, wanted):
    pieces = wanted.split(":", 1)[1]
    if _seen(state) == pieces:
        return state
    return next((child for child in _turns(state) if _seen(child) == pieces), None)


def _seen(state):
    """Its board as our FEN's lists; its first player, o, stands at the bottom."""
    sides = {"+": [], "o": []}
    for r, row in enumerate(str(state).splitlines()[:8]):
        for c, letter in enumerate(row[1:9]):
            if letter in "o8+*":
                number = 33 - (r * 4 + c // 2 + 1)
                owner = "o" if letter in "o8" else "+"
                sides[owner].append((number, f"{'K' if letter in '8*' else ''}{number}"))
    white, black = (",".join(text for _, text in sorted(sides[who])) for who in "+o")
    return f"W{white}:B{black}"
