"""Queues. Threads run one after the other: what one would wait for, another one puts there later, and is not known."""

from _jitlens.python import unknown


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = []

    def put(self, item, block=True, timeout=None):
        if self.full() and (not block or timeout is not None):
            raise Full
        self.queue.append(item)

    def put_nowait(self, item):
        self.put(item, False)

    def get(self, block=True, timeout=None):
        if self.queue:
            return self._taken()
        if not block:
            raise Empty
        return unknown("", "what another thread puts into a queue")

    def get_nowait(self):
        return self.get(False)

    def _taken(self):
        return self.queue.pop(0)

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def task_done(self):
        return None

    join = task_done


class SimpleQueue(Queue):
    def __init__(self):
        Queue.__init__(self)


class LifoQueue(Queue):
    def _taken(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    def _taken(self):
        self.queue.sort()
        return self.queue.pop(0)
