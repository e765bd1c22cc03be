"""Queues."""


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = []

    def put(self, item, block=True, timeout=None):
        self.queue.append(item)

    put_nowait = put

    def get(self, block=True, timeout=None):
        if not self.queue:
            raise Empty
        return self.queue.pop(0)

    get_nowait = get

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def task_done(self):
        return None

    join = task_done


SimpleQueue = Queue


class LifoQueue(Queue):
    def get(self, block=True, timeout=None):
        if not self.queue:
            raise Empty
        return self.queue.pop()


class PriorityQueue(Queue):
    def get(self, block=True, timeout=None):
        if not self.queue:
            raise Empty
        self.queue.sort()
        return self.queue.pop(0)
