"""Context managers."""

from abc import ABC
from functools import wraps

from _jitlens.python import awaited, handles, may_be_over


class AbstractContextManager(ABC):
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)

        return inner


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self._made = (func, args, kwds)

    def _recreate_cm(self):
        return type(self)(*self._made)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            if may_be_over(self.gen):
                return False
            raise RuntimeError("generator didn't stop")
        if may_be_over(self.gen):
            return False
        if value is None:
            value = typ()
        try:
            self.gen.throw(value)
        except StopIteration as exc:
            return exc is not value
        except BaseException as exc:
            if exc is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


class _PassingManager(_GeneratorContextManager):
    """Of a generator that handles no exception: what is raised in the block goes on."""

    def __exit__(self, typ, value, traceback):
        _GeneratorContextManager.__exit__(self, typ, value, traceback)


def contextmanager(func):
    @wraps(func)
    def helper(*args, **kwds):
        return (_GeneratorContextManager if handles(func) else _PassingManager)(func, args, kwds)

    return helper


def asynccontextmanager(func):
    return contextmanager(func)


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, exctype, excinst, exctb):
        return exctype is not None and issubclass(exctype, self._exceptions)


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        return None


class redirect_stdout(AbstractContextManager):
    _stream = "stdout"

    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        import sys

        self._old_targets.append(getattr(sys, self._stream))
        setattr(sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, exctype, excinst, exctb):
        import sys

        setattr(sys, self._stream, self._old_targets.pop())


class redirect_stderr(redirect_stdout):
    _stream = "stderr"


class chdir(nullcontext):
    def __init__(self, path):
        self.path = path
        self.enter_result = None

    def __enter__(self):
        import os

        os.chdir(self.path)


class ExitStack(AbstractContextManager):
    def __init__(self):
        self._callbacks = []

    def enter_context(self, cm):
        result = cm.__enter__()
        self._callbacks.append(cm.__exit__)
        return result

    def push(self, exit):
        self._callbacks.append(exit.__exit__ if hasattr(exit, "__exit__") else exit)
        return exit

    def callback(self, callback, /, *args, **kwds):
        def run(typ, value, traceback):
            callback(*args, **kwds)
            return False

        self._callbacks.append(run)
        return callback

    def pop_all(self):
        new = ExitStack()
        new._callbacks = self._callbacks
        self._callbacks = []
        return new

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, typ, value, traceback):
        current = value
        while self._callbacks:
            callback = self._callbacks.pop()
            try:
                if callback(None if current is None else type(current), current, traceback):
                    current = None
            except BaseException as exc:
                current = exc
        if current is not None and current is not value:
            raise current
        return value is not None and current is None


class AsyncExitStack(ExitStack):
    async def enter_async_context(self, cm):
        if not hasattr(cm, "__aenter__"):
            return self.enter_context(cm)
        result = await cm.__aenter__()
        self.push_async_exit(cm)
        return result

    def push_async_exit(self, exit):
        leave = exit.__aexit__ if hasattr(exit, "__aexit__") else exit
        self._callbacks.append(lambda *excinfo: awaited(leave(*excinfo)))
        return exit

    def push_async_callback(self, callback, /, *args, **kwds):
        self.callback(lambda: awaited(callback(*args, **kwds)))
        return callback

    async def aclose(self):
        self.close()


AbstractAsyncContextManager = AbstractContextManager
