# The standard library, called by names and by place as Python allows it, and what it refuses.
import abc
import argparse
import concurrent.futures
import contextlib
import enum
import inspect
import logging
import math
import os.path
import random
import re
import signal
import statistics
import textwrap
import time
import traceback
import types
import typing
import weakref


def raises(kind, message, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error) is kind and str(error) == message, (type(error), str(error))
        return True
    assert False, "nothing raised"


# By name.
assert math.isclose(a=1.0, b=1.0 + 1e-12) and math.isclose(1.0, b=1.1, rel_tol=0.5)
assert os.path.join("a", "b") == os.path.join(*["a", "b"]) == "a/b"
assert types.ModuleType(name="made").__name__ == "made"
logging.addLevelName(level=15, levelName="VERBOSE")
assert logging.getLevelName(15) == "VERBOSE"
with contextlib.redirect_stdout(new_target=None):
    pass
assert inspect.isgeneratorfunction(obj=len) is False and inspect.iscoroutinefunction(obj=len) is False
assert typing.final(f=raises) is raises


class Level(enum.Enum):
    LOW = enum.auto(value=3)


assert Level.LOW.value == 3


class Base(abc.ABC):
    @abc.abstractproperty
    def size(self):
        return 1


class Sub(Base):
    size = abc.abstractproperty(lambda self: 2, None)


raises(TypeError, "Can't instantiate abstract class Base with abstract method size", Base)
assert argparse.ArgumentParser("prog", None, "what it does", None, [], argparse.HelpFormatter, "-").prog == "prog"
assert textwrap.TextWrapper(20, "> ", "  ", True, True, False, True, True, True, 4).tabsize == 4


class Held:
    def method(self):
        return 5


held = Held()
assert len(weakref.WeakSet(data=[held])) == 1

# What is not known is no error.
for folder, folders, files in os.walk(top="no such folder", topdown=False, onerror=None, followlinks=True):
    pass
random.betavariate(alpha=1.0, beta=2.0), random.gammavariate(alpha=1.0, beta=2.0), random.gauss(mu=0.0)
traceback.format_stack(), traceback.extract_stack(limit=2), traceback.format_tb(tb=None), traceback.extract_tb(tb=None)
os.path.exists(path="a"), os.path.isdir(s="a"), os.path.realpath(filename="a")
signal.getsignal(signalnum=2)

# A future of one's own.
future = concurrent.futures.Future()
seen = []
future.add_done_callback(seen.append)
assert not future.done() and not seen
future.set_result(3)
assert future.done() and future.result() == 3 and future.exception() is None and seen == [future]
failed = concurrent.futures.Future()
failed.set_exception(KeyError("k"))
raises(KeyError, "'k'", failed.result)
stopped = concurrent.futures.Future()
assert stopped.cancel() and stopped.cancelled() and not future.cancel()
raises(concurrent.futures.CancelledError, "", stopped.result)
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    assert [f.result() for f in [pool.submit(pow, 2, n) for n in range(3)]] == [1, 2, 4]

# Parts of a text.
pattern = re.compile(r"(\d)(\w)?")
text = "1a 2b 33"
assert pattern.findall(text, 3) == [("2", "b"), ("3", "3")] == pattern.findall(text, pos=3)
assert pattern.findall(text, 0, 4) == [("1", "a"), ("2", "")]
assert [m.span() for m in pattern.finditer(text, 1, 7)] == [(3, 5), (6, 7)]
assert pattern.match(text, 3, 4).span() == (3, 4) and pattern.match(text, 2) is None
assert pattern.search(text, 2, 3) is None and pattern.search(text, 2, 5).group() == "2b"
assert pattern.fullmatch(text, 3, 5).groups() == ("2", "b") and pattern.fullmatch(text, 3, 6) is None
assert pattern.search(text, 100) is None and pattern.match(text, -5).start() == 0

# What it refuses.
raises(TypeError, "walk() missing 1 required positional argument: 'top'", lambda: list(os.walk()))
raises(TypeError, "getenv() got an unexpected keyword argument 'name'", os.getenv, name="A")
raises(ValueError, "empty range for randrange() (5, 2, -3)", random.randint, 5, 1)
raises(ValueError, "empty range for randrange()", random.randrange, 0)
raises(ValueError, "zero step for randrange()", random.randrange, 1, 5, 0)
raises(IndexError, "Cannot choose from an empty sequence", random.choice, [])
raises(TypeError, "'set' object is not subscriptable", random.choice, {1, 2})
raises(ValueError, "Sample larger than population or is negative", random.sample, [1], 2)
raises(TypeError, "Population must be a sequence.  For dicts or sets, use sorted(d).", random.sample, {1, 2}, 1)
raises(ValueError, "sleep length must be non-negative", time.sleep, -1)
for wrong, message in [
    ("a(", "missing ), unterminated subpattern at position 1"),
    (")", "unbalanced parenthesis at position 0"),
    ("[a", "unterminated character set at position 0"),
    ("[]", "unterminated character set at position 0"),
    ("*a", "nothing to repeat at position 0"),
    ("a|*", "nothing to repeat at position 2"),
    ("(*a)", "nothing to repeat at position 1"),
    ("a**", "multiple repeat at position 2"),
    ("a+*", "multiple repeat at position 2"),
    ("a\\", "bad escape (end of pattern) at position 1"),
]:
    raises(re.error, message, re.compile, wrong)
for right in [r"a\(", r"[(*]+?", r"[]]", r"[^]]*", r"a{2}b?", r"(a|b)*?c++", r"\[a", r"x(?=a)", r"(?P<n>\d)+", "{", "a{,3}"]:
    assert re.compile(right)
raises(AttributeError, "HIGH", lambda: Level.HIGH)
raises(TypeError, "can't convert type 'str' to numerator/denominator", statistics.mean, ["a", "b"])
assert math.isnan(math.fmod(math.nan, 0)) and math.isnan(math.fmod(math.inf, math.nan)) and repr(math.fsum([])) == "0.0"
raises(ValueError, "math domain error", math.fmod, 1.0, 0)
