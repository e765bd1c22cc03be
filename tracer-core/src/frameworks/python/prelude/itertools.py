"""Iterators over iterators."""

from _jitlens import itertools as _native
from _jitlens.python import shorten


def count(start=0, step=1):
    while True:
        yield start
        start = start + step


def cycle(iterable, /):
    iterator = iter(iterable)

    def items():
        saved = []
        for item in iterator:
            yield item
            saved.append(item)
        while saved:
            for item in saved:
                yield item

    return items()


def repeat(object, times=None):
    if times is None:
        return _native.repeated(object, -1)
    return _native.repeated(object, max(times, 0))


def accumulate(iterable, func=None, *, initial=None):
    iterator = iter(iterable)

    def items():
        total = initial
        if initial is None:
            for item in iterator:
                total = item
                break
            else:
                return
        yield total
        for item in iterator:
            total = total + item if func is None else func(total, item)
            yield total

    return items()


def chain(*iterables):
    return _native.chained(iterables)


chain.from_iterable = _native.chained


def compress(data, selectors):
    return (item for item, chosen in zip(data, selectors) if chosen)


def dropwhile(predicate, iterable, /):
    iterator = iter(iterable)

    def items():
        for item in iterator:
            if not predicate(item):
                yield item
                break
        for item in iterator:
            yield item

    return items()


def takewhile(predicate, iterable, /):
    iterator = iter(iterable)

    def items():
        for item in iterator:
            if not predicate(item):
                break
            yield item

    return items()


def filterfalse(predicate, iterable, /):
    if predicate is None:
        predicate = bool
    return (item for item in iterable if not predicate(item))


def starmap(function, iterable, /):
    return (function(*args) for args in iterable)


def islice(iterable, *args):
    if len(args) not in (1, 2, 3):
        raise TypeError(f"islice expected at least 2 arguments, got {1 + len(args)}" if not args else f"islice expected at most 4 arguments, got {1 + len(args)}")
    parts = slice(*args)
    start = 0 if parts.start is None else parts.start
    stop = parts.stop
    step = 1 if parts.step is None else parts.step
    if stop is not None and (not isinstance(stop, int) or stop < 0):
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if start < 0 or (stop is not None and stop < 0):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _native.sliced(iterable, start, -1 if stop is None else stop, step)


@shorten
def pairwise(iterable, /):
    return _native.paired(iterable)


def batched(iterable, n, *, strict=False):
    if n < 1:
        raise ValueError("n must be at least one")
    iterator = iter(iterable)

    def items():
        while True:
            batch = tuple(islice(iterator, n))
            if not batch:
                return
            if strict and len(batch) != n:
                raise ValueError("batched(): incomplete batch")
            yield batch

    return items()


def groupby(iterable, key=None):
    iterator = iter(iterable)

    def groups():
        pending = []
        done = False
        for item in iterator:
            pending.append((item if key is None else key(item), item))
            break
        while pending:
            current = pending[0][0]

            def group(current):
                while pending and pending[0][0] == current:
                    item = pending.pop()[1]
                    yield item
                    for following in iterator:
                        pending.append((following if key is None else key(following), following))
                        break

            inner = group(current)
            yield current, inner
            for _ in inner:
                pass

    return groups()


@shorten
def product(*iterables, repeat=1):
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    return _native.products([tuple(pool) for pool in iterables] * repeat)


def _check(r):
    if r < 0:
        raise ValueError("r must be non-negative")


@shorten
def combinations(iterable, r):
    _check(r)
    return _native.combined(tuple(iterable), r)


def combinations_with_replacement(iterable, r):
    _check(r)
    return _native.combined_again(tuple(iterable), r)


@shorten
def permutations(iterable, r=None):
    pool = tuple(iterable)
    r = len(pool) if r is None else r
    _check(r)
    return _native.permuted(pool, r)


def tee(iterable, n=2, /):
    if n < 0:
        raise ValueError("n must be >= 0")
    iterator = iter(iterable)
    saved = []

    def items():
        at = 0
        while True:
            if at == len(saved):
                for item in iterator:
                    saved.append(item)
                    break
                else:
                    return
            yield saved[at]
            at += 1

    return tuple([items() for _ in range(n)])


def zip_longest(*iterables, fillvalue=None):
    iterators = [iter(iterable) for iterable in iterables]

    def items():
        ended = [False] * len(iterators)
        if not iterators:
            return
        while True:
            row = []
            for i, iterator in enumerate(iterators):
                item = fillvalue
                if not ended[i]:
                    for item in iterator:
                        break
                    else:
                        ended[i] = True
                        item = fillvalue
                row.append(item)
            if all(ended):
                return
            yield tuple(row)

    return items()
