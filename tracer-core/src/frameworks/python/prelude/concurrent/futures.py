"""Work side by side, done one after the other."""


class Future:
    def __init__(self, value):
        self._value = value

    def result(self, timeout=None):
        return self._value

    def done(self):
        return True

    def exception(self, timeout=None):
        return None

    def cancel(self):
        return False

    def add_done_callback(self, fn):
        fn(self)


class Executor:
    def __init__(self, max_workers=None, *args, **kwargs):
        pass

    def submit(self, fn, /, *args, **kwargs):
        return Future(fn(*args, **kwargs))

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
