"""Objects that configurations describe."""
import functools
import importlib
import os

from _jitlens.python import is_unknown
from omegaconf import DictConfig, ListConfig, OmegaConf

from .errors import InstantiationException

_KEYS = ("_target_", "_args_", "_recursive_", "_convert_", "_partial_")


def get_original_cwd():
    return os.getcwd()


def to_absolute_path(path):
    return path if os.path.isabs(path) else os.path.join(os.getcwd(), path)


def get_object(path):
    parts = path.split(".")
    found = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], 1):
        try:
            found = getattr(found, part)
        except AttributeError:
            found = importlib.import_module(".".join(parts[:i + 1]))
    return found


get_method = get_class = get_static_method = get_object


def instantiate(config, *args, _skip_instantiate_full_deepcopy_=False, **kwargs):
    if config is None or is_unknown(config):
        return config
    if isinstance(config, (dict, list)):
        config = OmegaConf.create(config)
    if isinstance(config, (DictConfig, ListConfig)):
        held = config._content if isinstance(config, DictConfig) else {}
        how = {key: kwargs.get(key, held.get(key, usual)) for key, usual in (("_recursive_", True), ("_convert_", "none"), ("_partial_", False))}
        return _made(config, args, kwargs, how["_recursive_"], how["_convert_"], how["_partial_"])
    raise InstantiationException("Cannot instantiate config of type " + type(config).__name__ + ".\nTop level config must be an "
                                 "OmegaConf DictConfig/ListConfig object, a plain dict/list, or a Structured Config class or instance.")


call = instantiate


def _made(node, args, kwargs, recursive, convert, partial):
    if isinstance(node, ListConfig):
        return _held(ListConfig([], parent=node._parent), [_made(item, (), {}, recursive, convert, False) for item in node], convert)
    if not isinstance(node, DictConfig):
        return node
    recursive, convert = node._content.get("_recursive_", recursive), node._content.get("_convert_", convert)
    part = lambda value: _converted(_made(value, (), {}, recursive, convert, _is_partial(value)) if recursive else value, convert)
    target = kwargs.get("_target_", node._content.get("_target_"))
    if target is None:
        given = {key: value for key, value in kwargs.items() if key not in _KEYS}
        if given:
            # What is instantiated takes new keys, whatever the configuration says of itself.
            node = node.__deepcopy__({})
            node._flags.update(struct=False, readonly=False)
            node = OmegaConf.merge(node, given)
        return _held(DictConfig({}, parent=node._parent), {key: part(node[key]) for key in node}, convert)
    named = {key: part(node[key]) for key in node if key not in _KEYS and key not in kwargs}
    named.update({key: value for key, value in kwargs.items() if key not in _KEYS})
    args = args or tuple([part(value) for value in node._content.get("_args_", [])])
    function = get_object(target) if isinstance(target, str) else target
    if partial:
        return functools.partial(function, *args, **named)
    try:
        return function(*args, **named)
    except Exception as error:
        name = target if isinstance(target, str) else f"{target.__module__}.{target.__qualname__}"
        raise InstantiationException(f"Error in call to target '{name}':\n{error!r}") from error


def _is_partial(value):
    return isinstance(value, DictConfig) and value._content.get("_partial_", False)


def _held(made, values, convert):
    """Values in a container: any objects, as they are."""
    if convert in ("all", "partial", "object"):
        return values
    object.__setattr__(made, "_content", values)
    return made


def _converted(value, convert):
    if convert in ("all", "partial", "object") and isinstance(value, (DictConfig, ListConfig)):
        return OmegaConf.to_container(value, resolve=True)
    return value
