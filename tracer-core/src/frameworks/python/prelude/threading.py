"""Threads: one after the other."""

from _jitlens.python import unknown


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.name = name or "Thread-1"
        self.daemon = bool(daemon)

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        self.run()

    def join(self, timeout=None):
        return None

    def is_alive(self):
        return unknown("bool", "whether a thread runs")


class Lock:
    def acquire(self, blocking=True, timeout=-1):
        return True

    def release(self):
        return None

    def locked(self):
        return False

    def __enter__(self):
        return True

    def __exit__(self, *exc):
        return None


class RLock(Lock):
    pass


class Semaphore(Lock):
    def __init__(self, value=1):
        pass


BoundedSemaphore = Semaphore


class Condition(Lock):
    def __init__(self, lock=None):
        pass

    def wait(self, timeout=None):
        return True

    def notify(self, n=1):
        return None

    def notify_all(self):
        return None


class Event:
    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        return self._flag


class local:
    pass


_main = Thread(name="MainThread")


def current_thread():
    return _main


main_thread = current_thread


def get_ident():
    return unknown("int", "the number of a thread")


def active_count():
    return 1
