"""Work side by side, done one after the other."""

from _jitlens.python import unknown


class CancelledError(Exception):
    pass


class InvalidStateError(Exception):
    pass


class Future:
    def __init__(self):
        self._state = "PENDING"
        self._value = None
        self._error = None
        self._callbacks = []

    def _end(self, state):
        if self.done():
            raise InvalidStateError(f"{self._state}: {self!r}")
        self._state = state
        for callback in self._callbacks:
            callback(self)

    def set_result(self, result):
        self._value = result
        self._end("FINISHED")

    def set_exception(self, exception):
        self._error = exception
        self._end("FINISHED")

    def set_running_or_notify_cancel(self):
        if self._state == "CANCELLED":
            return False
        self._state = "RUNNING"
        return True

    def result(self, timeout=None):
        if self._state == "CANCELLED":
            raise CancelledError()
        if self._error is not None:
            raise self._error
        return self._value if self.done() else unknown("", "what nobody has set yet")

    def exception(self, timeout=None):
        if self._state == "CANCELLED":
            raise CancelledError()
        return self._error if self.done() else unknown("", "what nobody has set yet")

    def done(self):
        return self._state in ("FINISHED", "CANCELLED")

    def running(self):
        return self._state == "RUNNING"

    def cancelled(self):
        return self._state == "CANCELLED"

    def cancel(self):
        if self._state in ("RUNNING", "FINISHED"):
            return False
        if self._state != "CANCELLED":
            self._end("CANCELLED")
        return True

    def add_done_callback(self, fn):
        if self.done():
            fn(self)
        else:
            self._callbacks.append(fn)


class Executor:
    def __init__(self, max_workers=None, *args, **kwargs):
        pass

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_result(fn(*args, **kwargs))
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        return map(fn, *iterables)

    def shutdown(self, wait=True, *, cancel_futures=False):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None


class ThreadPoolExecutor(Executor):
    pass


class ProcessPoolExecutor(Executor):
    pass


def as_completed(fs, timeout=None):
    return iter(list(fs))


def wait(fs, timeout=None, return_when="ALL_COMPLETED"):
    return set(fs), set()
