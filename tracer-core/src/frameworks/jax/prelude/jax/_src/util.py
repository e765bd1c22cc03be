"""Small helpers that programs take from JAX's own."""
import functools as _functools
from math import prod  # noqa: F401

from _jitlens import core as _core


def safe_map(f, *lists):
    lists = list(map(list, lists))
    n = len(lists[0]) if lists else 0
    for i, xs in enumerate(lists[1:]):
        if len(xs) != n:
            raise ValueError(f"safe_map() argument {i + 2} is {'longer' if len(xs) > n else 'shorter'} than argument 1")
    return list(map(f, *lists))


def safe_zip(*lists):
    lists = list(map(list, lists))
    lengths = [len(xs) for xs in lists]
    for i, n in enumerate(lengths):
        if n != lengths[0]:
            raise ValueError(f"safe_zip() argument {i} has length {n} but argument 0 has length {lengths[0]}. All lengths: {tuple(lengths)}")
    return list(zip(*lists))


def unzip2(pairs):
    pairs = list(pairs)
    return tuple([a for a, _ in pairs]), tuple([b for _, b in pairs])


def unzip3(triples):
    triples = list(triples)
    return tuple([a for a, _, _ in triples]), tuple([b for _, b, _ in triples]), tuple([c for _, _, c in triples])


def split_list(args, ns):
    args, lists = list(args), []
    for n in ns:
        lists.append(args[:n])
        args = args[n:]
    return [*lists, args]


def partition_list(choices, items):
    lists = [], []
    for chosen, item in zip(choices, items):
        lists[bool(chosen)].append(item)
    return lists


def concatenate(lists):
    return [x for xs in lists for x in xs]


def wraps(wrapped, namestr=None, docstr=None, **kwargs):
    return _functools.wraps(wrapped)


def canonicalize_axis(axis, num_dims):
    return _core.canonical_axis(axis, num_dims)


def __getattr__(name):
    return _core.unknown(f"`jax._src.util.{name}` is internal and not modelled")
