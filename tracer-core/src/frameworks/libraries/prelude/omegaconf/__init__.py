"""Configurations: dictionaries and lists with attributes, interpolations and missing values."""
import contextlib
import dataclasses
import io
import pathlib

import yaml
from _jitlens.python import is_unknown, unknown

from . import _reading, errors
from ._nodes import MISSING, Container, DictConfig, ListConfig, _plain, fields_of, wrapped
from .errors import (
    KeyValidationError, MissingMandatoryValue, OmegaConfBaseException, ReadonlyConfigError, UnsupportedValueType, ValidationError,
)


def II(interpolation):
    return "${" + interpolation + "}"


def SI(interpolation):
    return interpolation


class SCMode:
    DICT, DICT_CONFIG, INSTANTIATE = 1, 2, 3


class OmegaConf:
    @staticmethod
    def create(obj=None, parent=None, flags=None):
        if isinstance(obj, str):
            text = obj
            obj = _reading.read(text)
            if obj is None:
                obj = {}
            elif isinstance(obj, str):
                obj = {obj: None}
        return _created(obj, parent, flags)

    @staticmethod
    def structured(obj, parent=None, flags=None):
        return _created(obj, parent, flags)

    @staticmethod
    def load(file_):
        if isinstance(file_, (str, pathlib.Path)):
            with open(file_) as file:
                text = file.read()
        else:
            text = file_.read()
        found = _reading.read(text)
        return _created({} if found is None else found, None, None)

    @staticmethod
    def save(config, f, resolve=False):
        pass

    @staticmethod
    def from_cli(args_list=None):
        return OmegaConf.from_dotlist(args_list or [])

    @staticmethod
    def from_dotlist(dotlist):
        made = DictConfig({})
        for word in dotlist:
            path, eq, value = word.partition("=")
            OmegaConf.update(made, path, _reading.read(value) if eq else None, force_add=True)
        return made

    @staticmethod
    def merge(*configs, list_merge_mode=None):
        first = OmegaConf.create(configs[0]) if not isinstance(configs[0], Container) else configs[0]
        target = first.__deepcopy__({})
        for other in configs[1:]:
            _merge(target, other)
        return target

    unsafe_merge = merge

    @staticmethod
    def to_container(cfg, *, resolve=False, throw_on_missing=False, enum_to_str=False, structured_config_mode=SCMode.DICT):
        if not isinstance(cfg, Container):
            if is_unknown(cfg):
                return cfg
            raise ValueError(f"Input cfg is not an OmegaConf config object ({type(cfg).__name__})")
        return _plain(cfg, resolve)

    @staticmethod
    def to_object(cfg):
        return _plain(cfg, True)

    @staticmethod
    def to_yaml(cfg, *, resolve=False, sort_keys=False):
        return yaml.dump(_plain(cfg, resolve))

    @staticmethod
    def resolve(cfg):
        for key in list(cfg._content) if isinstance(cfg, DictConfig) else range(len(cfg._content)):
            value = cfg._given(key)
            cfg._content[key] = wrapped(value, cfg) if isinstance(value, Container) else value
            if isinstance(cfg._content[key], Container):
                OmegaConf.resolve(cfg._content[key])

    @staticmethod
    def select(cfg, key, *, default=None, throw_on_resolution_failure=True, throw_on_missing=False):
        found = cfg._select(key) if key else cfg
        return default if found is None else found

    @staticmethod
    def update(cfg, key, value=None, *, merge=True, force_add=False):
        keys = _reading.keys_of(key)
        at = cfg
        for part in keys[:-1]:
            part = int(part) if isinstance(at, ListConfig) else part
            if isinstance(at, DictConfig) and not isinstance(at._content.get(part), Container):
                if at._flag("struct") and not force_add:
                    raise at._missing(part, errors.ConfigAttributeError)
                at._content[part] = DictConfig({}, parent=at)
            at = at._content[part]
        last = int(keys[-1]) if isinstance(at, ListConfig) else keys[-1]
        held = at._content.get(last) if isinstance(at, DictConfig) else at._content[last]
        if merge and isinstance(held, DictConfig) and isinstance(value, (dict, DictConfig)):
            _merge(held, value)
        elif force_add:
            at._content[last] = wrapped(value, at)
        else:
            at[last] = value

    @staticmethod
    def is_config(obj):
        return isinstance(obj, Container)

    @staticmethod
    def is_dict(obj):
        return isinstance(obj, DictConfig)

    @staticmethod
    def is_list(obj):
        return isinstance(obj, ListConfig)

    @staticmethod
    def is_missing(cfg, key):
        value = cfg._content.get(key) if isinstance(cfg, DictConfig) else cfg._content[key]
        return isinstance(value, str) and value == MISSING

    @staticmethod
    def is_interpolation(node, key=None):
        return key is not None and key in node._content and _reading.is_interpolation(node._content[key])

    @staticmethod
    def set_struct(conf, value):
        conf._flags["struct"] = value

    @staticmethod
    def is_struct(conf):
        return bool(conf._flag("struct"))

    @staticmethod
    def set_readonly(conf, value):
        conf._flags["readonly"] = value

    @staticmethod
    def is_readonly(conf):
        return bool(conf._flag("readonly"))

    @staticmethod
    def masked_copy(conf, keys):
        keys = [keys] if isinstance(keys, str) else keys
        return DictConfig({key: value for key, value in _plain(conf).items() if key in keys})

    @staticmethod
    def missing_keys(cfg):
        return set(_missing_keys(_plain(cfg), ""))

    @staticmethod
    def get_type(obj, key=None):
        return dict if isinstance(obj if key is None else obj._content[key], DictConfig) else list

    @staticmethod
    def register_new_resolver(name, resolver, *, replace=False, use_cache=False):
        if name in _reading.resolvers and not replace:
            raise ValueError(f"resolver '{name}' is already registered")
        _reading.resolvers[name] = resolver

    @staticmethod
    def register_resolver(name, resolver):
        _reading.resolvers[name] = resolver

    @staticmethod
    def has_resolver(name):
        return name in _reading.resolvers or name in ("oc.env", "oc.select", "oc.decode")

    @staticmethod
    def clear_resolver(name):
        return _reading.resolvers.pop(name, None) is not None

    @staticmethod
    def clear_resolvers():
        _reading.resolvers.clear()


def _created(obj, parent, flags):
    if is_unknown(obj):
        return obj
    if obj is None:
        obj = {}
    if isinstance(obj, (list, tuple, ListConfig)):
        return ListConfig(obj, parent=parent, flags=flags)
    if isinstance(obj, (dict, DictConfig)) or dataclasses.is_dataclass(obj):
        return DictConfig(obj, parent=parent, flags=flags)
    raise ValidationError(f"Object of unsupported type: '{type(obj).__name__}'")


def _merge(target, other):
    if isinstance(other, str):
        other = OmegaConf.create(other)
    if isinstance(target, ListConfig) or isinstance(other, (list, tuple, ListConfig)):
        object.__setattr__(target, "_content", [wrapped(value, target) for value in _plain(other)])
        return
    if dataclasses.is_dataclass(other):
        other = fields_of(other)
    for key, value in (other._content if isinstance(other, DictConfig) else other).items():
        held = target._content.get(key)
        if isinstance(held, DictConfig) and (isinstance(value, (dict, DictConfig)) or dataclasses.is_dataclass(value)):
            _merge(held, value)
        elif key not in target._content and target._flag("struct"):
            raise target._missing(key, errors.ConfigKeyError)
        elif not (isinstance(value, str) and value == MISSING and key in target._content):
            target._content[key] = wrapped(value, target)


def _missing_keys(value, path):
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, held in pairs:
        name = f"{path}[{key}]" if isinstance(value, list) else f"{path}.{key}" if path else str(key)
        if isinstance(held, (dict, list)):
            found += _missing_keys(held, name)
        elif isinstance(held, str) and held == MISSING:
            found.append(name)
    return found


@contextlib.contextmanager
def flag_override(config, names, values):
    names = [names] if isinstance(names, str) else names
    values = [values] * len(names) if values is None or isinstance(values, bool) else values
    before = {name: config._flags.get(name) for name in names}
    config._flags.update(zip(names, values))
    try:
        yield config
    finally:
        config._flags.update(before)


@contextlib.contextmanager
def open_dict(config):
    with flag_override(config, "struct", False):
        yield config


@contextlib.contextmanager
def read_write(config):
    with flag_override(config, "readonly", False):
        yield config
