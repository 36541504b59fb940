"""A game of OpenSpiel walked once and kept, so that its algorithms, which walk a tree over and over, are quick."""

import numpy as np
from pyspiel import PlayerId


class Recorded:
    """Stands for a game wherever OpenSpiel's algorithms in Python take one."""

    def __init__(self, game):
        self.num_players = game.num_players
        self.get_type = game.get_type
        self.root = Node(game.new_initial_state(), ())

    def new_initial_state(self):
        return self.root

    def new_initial_states(self):
        return [self.root]


class Node:
    """A state that stays as it is, and keeps what it was asked for."""

    def __init__(self, state, history):
        self.history = history
        self._state = state
        self._children = {}
        self._player = state.current_player()
        self._actions = state.legal_actions()
        self._returns = state.returns()
        self._chances = state.chance_outcomes() if self.is_chance_node() else None
        self._key = state.information_state_string(self._player) if self._player >= 0 else None

    def child(self, action):
        if action not in self._children:
            self._children[action] = Node(self._state.child(action), (*self.history, action))
        return self._children[action]

    def clone(self):
        return self

    def current_player(self):
        return self._player

    def is_terminal(self):
        return self._player == PlayerId.TERMINAL

    def is_chance_node(self):
        return self._player == PlayerId.CHANCE

    def is_simultaneous_node(self):
        return False

    def history_str(self):
        return str(self.history)

    def legal_actions(self, player=None):
        return self._actions if player in (None, self._player) else []

    def legal_actions_mask(self, player=None):
        return self._state.legal_actions_mask(player)

    def chance_outcomes(self):
        return self._chances

    def returns(self):
        return self._returns

    def player_return(self, player):
        return self._returns[player]

    def information_state_string(self, player=None):
        assert player in (None, self._player)
        return self._key

    def information_state_tensor(self, player=None):
        return np.zeros(0)
