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
    # How often it can be taken still, as far as what is kept in other threads is not.
    _left = 1

    def acquire(self, blocking=True, timeout=-1):
        # Threads run one after the other: who waits here waits for another one.
        if self._left <= 0 and (not blocking or timeout >= 0):
            return False
        self._left -= 1
        return True

    def release(self):
        if self._left > 0:
            raise RuntimeError("release unlocked lock")
        self._left += 1

    def locked(self):
        return self._left <= 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc):
        self.release()

    def __reduce__(self):
        raise TypeError(f"cannot pickle '_thread.{'RLock' if type(self).__name__ == 'RLock' else 'lock'}' object")


class RLock(Lock):
    _left = 1 << 30

    def release(self):
        if self._left >= RLock._left:
            raise RuntimeError("cannot release un-acquired lock")
        self._left += 1


class Semaphore(Lock):
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._left = self._first = value

    def acquire(self, blocking=True, timeout=None):
        return Lock.acquire(self, blocking, -1 if timeout is None else timeout)

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        self._left += n


class BoundedSemaphore(Semaphore):
    def release(self, n=1):
        if self._left + n > self._first:
            raise ValueError("Semaphore released too many times")
        Semaphore.release(self, n)


class Condition(Lock):
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock

    def acquire(self, blocking=True, timeout=-1):
        return self._lock.acquire(blocking, timeout)

    def release(self):
        self._lock.release()

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
