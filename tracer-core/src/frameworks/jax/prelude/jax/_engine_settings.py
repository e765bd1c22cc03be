"""Settings of JAX, and contexts that change how calls are made."""
from _jitlens import core


def _options():
    from . import _options as options
    return options


# What a device may be named by.
_PLATFORMS = ("cpu", "gpu", "cuda", "rocm", "tpu", "metal")

_global = {}
_overrides = {}


def config_read(name):
    stack = _overrides.get(name)
    if stack:
        return stack[-1]
    if name in _global:
        return _global[name]
    try:
        return _options().DEFAULTS[name]
    except KeyError:
        raise AttributeError(f"Unrecognized config option: {name}") from None


def _check_option(name, value):
    options = _options()
    if name in options.ENUMERATIONS and not isinstance(value, str):
        raise TypeError(f"new enum value must be an instance of <enum '{options.ENUMERATIONS[name]}'>, got {value} of type {type(value)}.")
    if name == "jax_default_device" and (isinstance(value, (bool, int, float)) or isinstance(value, str) and value.lower() not in _PLATFORMS):
        raise ValueError("jax.default_device must be passed either a Device object (e.g. `jax.devices('cpu')[0]`) or a platform name string "
                         f"like 'cpu' or 'gpu', got: {value!r}")
    if name in options.CHOICES:
        allowed = options.CHOICES[name]
        optional = options.DEFAULTS[name] is None
        if value not in allowed and not (optional and value is None):
            start = "None or in" if optional else "in"
            raise ValueError(f"new enum value must be {start} {allowed}, got {value} of type {type(value)}.")


def _tell(name):
    if name in _options().TRACED:
        core.set_option(name, config_read(name))


def config_update(name, value):
    if name not in _options().DEFAULTS:
        raise AttributeError(f"Unrecognized config option: {name}")
    _check_option(name, value)
    _global[name] = value
    _tell(name)


def config_values():
    values = dict(_options().DEFAULTS)
    values.update(_global)
    return values


class _Decorating:
    """A context manager that also decorates functions."""

    def __call__(self, f):
        import functools

        @functools.wraps(f)
        def inner(*args, **kwargs):
            with self:
                return f(*args, **kwargs)
        return inner


class _OptionContext(_Decorating):
    def __init__(self, name, value):
        self.name, self.new_value = name, value

    def __enter__(self):
        _overrides.setdefault(self.name, []).append(self.new_value)
        _tell(self.name)

    def __exit__(self, *error):
        _overrides[self.name].pop()
        _tell(self.name)


def config_context(name, *value):
    if not value:
        default = _options().DEFAULTS.get(name)
        if not isinstance(default, bool):
            raise TypeError(f"Context manager for {name} config option requires an argument representing the new value for the "
                            "config option.")
        value = (True,)
    _check_option(name, value[0])
    return _OptionContext(name, value[0])


class _NamedScope(_Decorating):
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self.name

    def __exit__(self, *error):
        pass


def named_scope(name):
    return _NamedScope(name)


class _EvalContext(_Decorating):
    def __enter__(self):
        self.before = core.enter_eval()

    def __exit__(self, *error):
        core.leave_eval(self.before)


def eval_context():
    return _EvalContext()


class _Folding(_Decorating):
    def __enter__(self):
        self.trace = core.enter_eval()
        self.before = core.fold(self.trace)
        self.asked = core.evaluate(True)

    def __exit__(self, *error):
        core.evaluate(self.asked)
        core.fold(self.before)
        core.leave_eval(self.trace)


def folding():
    return _Folding()
