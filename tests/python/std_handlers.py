# What the standard library calls: handlers and filters of logs, timed functions; warnings that are errors.
import logging
import timeit
import warnings

rows = []


class Rows(logging.Handler):
    def emit(self, record):
        rows.append((record.levelname, record.getMessage(), record.name))


class Quiet(logging.Filter):
    def filter(self, record):
        return "secret" not in record.getMessage()


class Numbered(logging.LoggerAdapter):
    def process(self, msg, kwargs):
        return f"[{self.extra['n']}] {msg}", kwargs


log = logging.getLogger("std.handlers")
log.setLevel(logging.INFO)
log.addHandler(Rows())
log.info("step %d of %s", 1, (2,))
log.debug("not told")
log.warning("%(a)s", {"a": 3})
logging.getLogger("std.handlers.inner").error("below")
Numbered(log, {"n": 7}).info("adapted")
assert rows == [
    ("INFO", "step 1 of (2,)", "std.handlers"),
    ("WARNING", "3", "std.handlers"),
    ("ERROR", "below", "std.handlers.inner"),
    ("INFO", "[7] adapted", "std.handlers"),
]
log.addFilter(Quiet())
log.info("a secret")
log.handlers[0].setLevel("ERROR")
log.info("too low")
assert len(rows) == 4 and log.hasHandlers() and log.getEffectiveLevel() == 20
assert logging.getLogger("std.handlers.inner").parent is log
logging.disable(logging.ERROR)
assert not log.isEnabledFor(logging.ERROR)
logging.disable(logging.NOTSET)
assert Rows("INFO").level == 20 and logging.Filter("a").filter(logging.LogRecord("a.b", 10, "", 1, "m", (), None))

calls = []
timeit.timeit(lambda: calls.append(1), number=3)
timeit.repeat(lambda: calls.append(2), repeat=2, number=2)
timeit.Timer(lambda: calls.append(3), setup=lambda: calls.append(0)).timeit(2)
assert calls == [1, 1, 1, 2, 2, 2, 2, 0, 3, 3]


def warns(category, text="old"):
    try:
        warnings.warn(text, category)
    except Warning as warning:
        return type(warning), str(warning)
    return None


with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert warns(DeprecationWarning) == (DeprecationWarning, "old")
    warnings.simplefilter("ignore", UserWarning)
    assert warns(UserWarning) is None and warns(RuntimeWarning) == (RuntimeWarning, "old")
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.filterwarnings("error", message="only .* rows", category=UserWarning)
        assert warns(UserWarning, "Only 3 rows here") == (UserWarning, "Only 3 rows here")
        warnings.simplefilter("ignore", append=True)
        assert warns(UserWarning, "others") is None
    assert warns(FutureWarning) == (FutureWarning, "old")
with warnings.catch_warnings(action="error"):
    assert warns(UserWarning) == (UserWarning, "old")


# What was handled when an exception was raised.
def caught(function):
    try:
        function()
    except Exception as error:
        return error


def chained():
    try:
        raise KeyError("first")
    except KeyError as error:
        raise ValueError("second") from error


def plain():
    try:
        {}["k"]
    except KeyError:
        raise ValueError("second")


def hidden():
    try:
        {}["k"]
    except KeyError:
        raise ValueError("second") from None


def again():
    try:
        raise KeyError("first")
    except KeyError as error:
        raise error


one, two, three = caught(chained), caught(plain), caught(hidden)
assert one.__cause__ is one.__context__ and one.__suppress_context__ and str(one.__cause__) == "'first'"
assert two.__cause__ is None and type(two.__context__) is KeyError and not two.__suppress_context__
assert three.__cause__ is None and type(three.__context__) is KeyError and three.__suppress_context__
assert caught(again).__context__ is None and not caught(again).__suppress_context__
assert ValueError("x").__context__ is None and ValueError("x").__suppress_context__ is False
