"""`jax.experimental.compilation_cache.compilation_cache`: nothing is compiled, so nothing is cached."""


def is_initialized():
    return False


def reset_cache():
    pass


def set_cache_dir(path):
    from ... import _config
    _config.config.update("jax_compilation_cache_dir", path)
