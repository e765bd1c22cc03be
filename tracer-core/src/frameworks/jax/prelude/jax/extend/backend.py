"""`jax.extend.backend`."""
from _jitlens import core

_UNMODELLED = frozenset("""backend_xla_version get_compile_options ifrt_proxy register_backend_cache
    register_backend_factory""".split())


def clear_backends(_crash=False):
    core.clear_caches()


def clear_in_memory_compilation_cache():
    core.clear_caches()


def get_backend(platform=None):
    return core.devices(platform)[0].client


def backends():
    return {"cpu": get_backend()}


def get_default_device():
    return core.devices()[0]


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.extend.backend." + name)
    from .. import _removed
    raise AttributeError(_removed.missing("jax.extend.backend", name))
