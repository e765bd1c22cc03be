"""Timing: the function is called, its time is not known."""

from _jitlens.python import called_again, unknown
from time import perf_counter as default_timer


# So many rounds are run one by one; of more it is not known what each does.
_FEW = 8


def timeit(stmt="pass", setup="pass", timer=None, number=1000000, globals=None):
    if callable(stmt):
        for _ in range(number if number <= _FEW else 1):
            stmt()
        if number > _FEW:
            called_again([stmt])
    return unknown("float", "the time")


def repeat(stmt="pass", setup="pass", timer=None, repeat=5, number=1000000, globals=None):
    return [timeit(stmt, number=number) for _ in range(repeat)]


class Timer:
    def __init__(self, stmt="pass", setup="pass", timer=None, globals=None):
        self.stmt = stmt

    def timeit(self, number=1000000):
        return timeit(self.stmt, number=number)

    def repeat(self, repeat=5, number=1000000):
        return [timeit(self.stmt, number=number) for _ in range(repeat)]

    def autorange(self, callback=None):
        return unknown("int", "the time"), timeit(self.stmt)
