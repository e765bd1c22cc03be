"""`jax.experimental.compilation_cache.compilation_cache`: nothing is compiled, so nothing is cached."""

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def is_initialized():
    return False


def reset_cache():
    pass


def set_cache_dir(path):
    from ... import _config
    _config.config.update("jax_compilation_cache_dir", path)
