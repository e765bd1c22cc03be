"""Small helpers that programs take from JAX's own."""
import functools as _functools
from functools import partial  # noqa: F401

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


def merge_lists(choices, unchosen, chosen):
    unchosen, chosen = iter(unchosen), iter(chosen)
    return [next(chosen) if choice else next(unchosen) for choice in choices]


def concatenate(lists):
    return [x for xs in lists for x in xs]


flatten = concatenate


def unflatten(items, lengths):
    items = iter(items)
    return [[next(items) for _ in range(n)] for n in lengths]


def subvals(items, replaced):
    items = list(items)
    for i, value in replaced:
        items[i] = value
    return tuple(items)


def stable_unique(items):
    return dict.fromkeys(items).keys()


def tuple_insert(t, idx, val):
    assert 0 <= idx <= len(t), (idx, len(t))
    return t[:idx] + (val,) + t[idx:]


def tuple_delete(t, idx):
    assert 0 <= idx < len(t), (idx, len(t))
    return t[:idx] + t[idx + 1:]


def tuple_update(t, idx, val):
    assert 0 <= idx < len(t), (idx, len(t))
    return t[:idx] + (val,) + t[idx + 1:]


def ceil_of_ratio(x, y):
    return -(-x // y)


def curry(f):
    return _functools.partial(_functools.partial, f)


def fun_name(fun, default_name="<unnamed function>"):
    return getattr(fun, "__name__", default_name)


def wrap_name(transform, name):
    return f"{transform}({name})"


def wraps(wrapped, namestr=None, docstr=None, **kwargs):
    return _functools.wraps(wrapped)


def set_module(module):
    def mark(f):
        f.__module__ = module
        return f
    return mark


def canonicalize_axis(axis, num_dims):
    return _core.canonical_axis(axis, num_dims)


def canonicalize_axis_tuple(axis, ndim, allow_duplicate=False):
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, (tuple, list)):
        return (canonicalize_axis(axis, ndim),)
    axes = tuple([canonicalize_axis(one, ndim) for one in axis])
    if not allow_duplicate and len(set(axes)) != len(axes):
        raise ValueError(f"repeated axis: {axis}")
    return axes


def moveaxis(x, src, dst):
    from jax.numpy import moveaxis
    return x if src == dst else moveaxis(x, src, dst)


class Unhashable:
    __hash__ = None

    def __init__(self, val):
        self.val = val

    def __eq__(self, other):
        return self.val == other.val


# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = tuple("""
    Any Array Callable Generic Hashable HashableFunction HashablePartial HashableWrapper Iterable Iterator Mutex OrderedSet P ParamSpec
    Protocol R Seq Sequence StrictABC StrictABCMeta SupportsIndex T T1 T2 T3 TYPE_CHECKING TypeVar WeakrefCachedFunc abc annotations
    cache cast clear_all_caches config distributed_debug_log foreach functools immutable install_failure_signal_handler it jaxlib_utils
    lib_pytree lib_weakref_lru_cache logger logging math maybe_named_axis memoize multi_weakref_lru_cache np operator overload
    pprint_bytes register_cache split_list_checked subs_list subs_list2 test_event test_event_listener toposort use_cpp_class
    use_cpp_method weak_value_interner weakref weakref_cache_key_types weakref_lru_cache
    """.split())


def __getattr__(name):
    if name in __unmodelled__ or name.startswith("_"):
        return _core.unknown(f"`jax._src.util.{name}` is internal and not modelled")
    raise AttributeError(f"module 'jax._src.util' has no attribute {name!r}")
