"""`jax.extend.random`: implementations of random keys."""
from _jitlens import core

_UNMODELLED = frozenset("define_prng_impl threefry2x32_p threefry_2x32".split())


def random_seed(seeds, impl):
    from ..random import key
    return key(seeds, impl=impl)


def seed_with_impl(impl, seed):
    return random_seed(seed, impl)


def __getattr__(name):
    if name in ("threefry_prng_impl", "rbg_prng_impl", "unsafe_rbg_prng_impl"):
        return core.prng_impl({"threefry_prng_impl": "threefry2x32"}.get(name, name[:-len("_prng_impl")]))
    if name in _UNMODELLED:
        return core.unmodelled("jax.extend.random." + name)
    from .. import _removed
    raise AttributeError(_removed.missing("jax.extend.random", name))
