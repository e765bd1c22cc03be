"""Stands for a suite of games: a ball falls and a paddle catches it."""

import dm_env
import numpy as np
from dm_env import specs


class Catch(dm_env.Environment):
    def __init__(self, rows=10, columns=5):
        self._shape, self._ball, self._paddle, self._row = (rows, columns), 0, 0, 0
        self._draw, self._over = np.random.RandomState(0), True

    def _board(self):
        board = np.zeros(self._shape, dtype=np.float32)
        board[self._row, self._ball] = 1.0
        board[-1, self._paddle] = 1.0
        return board

    def reset(self):
        self._over, self._row, self._paddle = False, 0, self._shape[1] // 2
        self._ball = self._draw.randint(self._shape[1])
        return dm_env.restart(self._board())

    def step(self, action):
        if self._over:
            return self.reset()
        self._paddle = int(np.clip(self._paddle + int(action) - 1, 0, self._shape[1] - 1))
        self._row += 1
        if self._row == self._shape[0] - 1:
            self._over = True
            return dm_env.termination(reward=1.0 if self._paddle == self._ball else -1.0, observation=self._board())
        return dm_env.transition(reward=0.0, observation=self._board())

    def observation_spec(self):
        return specs.BoundedArray(self._shape, np.float32, 0, 1, "board")

    def action_spec(self):
        return specs.DiscreteArray(3, name="action")
