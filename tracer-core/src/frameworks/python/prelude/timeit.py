"""Timing: the function is called, its time is not known."""

from _jitlens.python import called_again, unknown
from time import perf_counter as default_timer


def timeit(stmt="pass", setup="pass", timer=None, number=1000000, globals=None):
    if callable(setup):
        setup()
    if callable(stmt):
        # What a long loop counts is not looked at.
        for _ in range(number if number <= _MOST else 1):
            stmt()
        if number > _MOST:
            called_again([stmt])
    return unknown("float", "the time")


_MOST = 20


def repeat(stmt="pass", setup="pass", timer=None, repeat=5, number=1000000, globals=None):
    return [timeit(stmt, setup, timer, number) for _ in range(repeat)]


class Timer:
    def __init__(self, stmt="pass", setup="pass", timer=None, globals=None):
        self.stmt = stmt
        self.setup = setup

    def timeit(self, number=1000000):
        return timeit(self.stmt, self.setup, None, number)

    def repeat(self, repeat=5, number=1000000):
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        return unknown("int", "the time"), timeit(self.stmt)
