"""Settings under their internal name: the options are objects with a value, the settings an object."""
from jax import _config
from jax._src._public import names as _names

Config = _config.Config


def __getattr__(name):
    if name == "config":
        import jax
        return jax.config
    if name in _config.OPTIONS:
        return _config.option(name)
    return _rest(name)


_rest = _names("jax._src.config")
