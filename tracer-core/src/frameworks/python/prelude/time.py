"""Clocks: their readings are not known."""

from _jitlens.python import impure, is_unknown, unknown


def time():
    impure("clock")
    return unknown("float", "the time")


perf_counter = monotonic = process_time = thread_time = time


def time_ns():
    impure("clock")
    return unknown("int", "the time")


perf_counter_ns = monotonic_ns = process_time_ns = time_ns


def sleep(secs, /):
    if is_unknown(secs):
        return
    if secs is None or isinstance(secs, (str, bytes, list, tuple, dict)):
        raise TypeError(f"{type(secs).__name__!r} object cannot be interpreted as an integer")
    if isinstance(secs, (int, float)) and secs < 0:
        raise ValueError("sleep length must be non-negative")


def strftime(format, t=None, /):
    return unknown("str", "the time")


ctime = asctime = strftime
