"""Configurations composed of files and of what the program stores: defaults lists, packages, overrides."""
import contextlib
import os
import re

from _jitlens import core
from _jitlens.python import read_text
from omegaconf import DictConfig, OmegaConf, _reading, open_dict

from .errors import ConfigCompositionException

# The folder that configurations are looked for in, and what the program has stored, by group and name.
_folder = [None]
stored = {}


def search(folder):
    before = _folder[0]
    _folder[0] = folder
    return before


def restore(before):
    _folder[0] = before


# A configuration that is chosen may choose others.
MOST_ROUNDS = 8


class NotFound(Exception):
    """A configuration that is not among the files of the workspace, or not in their texts."""


@contextlib.contextmanager
def searching(folder):
    before = search(folder)
    try:
        yield
    finally:
        restore(before)


class _Choices:
    """What is chosen of groups in place of what the files say."""

    def __init__(self):
        self.by_group = {}
        self.removed = set()


def compose(config_name=None, overrides=(), return_hydra_config=False, strict=None):
    choices, values = _Choices(), []
    added = []
    for word in overrides:
        _override(word, choices, values, added)
    parts = _parts_of(config_name, choices, added)
    cfg = OmegaConf.create({})
    for package, content in parts:
        for key in reversed(package.split(".") if package else []):
            content = {key: content}
        cfg = OmegaConf.merge(cfg, content)
    cfg._content.pop("hydra", None)
    OmegaConf.set_struct(cfg, True)
    for sign, path, value in values:
        if sign == "~":
            with open_dict(cfg):
                _removed(cfg, path)
        elif sign:
            OmegaConf.update(cfg, path, value, force_add=True)
        else:
            if cfg._select(path) is None and not _is_there(cfg, path):
                raise ConfigCompositionException(f"Could not override '{path}'.\nTo append to your config use +{path}={value}")
            OmegaConf.update(cfg, path, value)
    return cfg


def _is_there(cfg, path):
    at = cfg
    for key in path.split("."):
        if not isinstance(at, DictConfig) or key not in at._content:
            return False
        at = at._content[key]
    return True


def _removed(cfg, path):
    above, _, last = path.rpartition(".")
    at = cfg._select(above) if above else cfg
    at._content.pop(last, None)


def _override(word, choices, values, added):
    sign = "++" if word.startswith("++") else word[0] if word[:1] in "+~" else ""
    path, eq, value = word[len(sign):].partition("=")
    group = path.partition("@")[0]
    if _is_group(group, value):
        if sign == "~":
            choices.removed.add(group)
        elif sign:
            added.append({path: value})
        else:
            choices.by_group[group] = None if value == "null" else value
        return
    values.append((sign, path, _reading.read(value) if eq else None))


def _is_group(name, option):
    """Whether there are configurations in a folder of this name, or something is stored in it."""
    return any([group == name for group, _ in stored]) or _text(name, option) is not None


def _text(group, name):
    """The text of a file of configurations; `None` where there is none."""
    if _folder[0] is None:
        return None
    path = os.path.join(_folder[0], group, name + ("" if name.endswith(".yaml") else ".yaml"))
    found = core.attempt(lambda: read_text(path, None))
    return None if isinstance(found, str) else found[0]


def _parts_of(config_name, choices, added):
    """Packages with what they are given, in the order in which they are merged."""
    # What a configuration overrides is known when it is read; then all are chosen once more.
    for _ in range(MOST_ROUNDS):
        known = dict(choices.by_group)
        parts = [] if config_name is None else _of_config("", config_name.removesuffix(".yaml"), choices)
        parts += [part for entry in added for part in _of_entry(entry, "", "", choices)]
        if choices.by_group == known:
            break
    return parts


def _read(group, name):
    """What a configuration says and the package that it names; `None` where there is none."""
    for key in ((group, name), (group, name + ".yaml")):
        if key in stored:
            node, package = stored[key]
            return OmegaConf.to_container(node), package
    text = _text(group, name)
    if text is None:
        return None
    content = _reading.read(text)
    header = re.search(r"^\s*#\s*@package[ \t]+(\S+)", text, re.MULTILINE)
    return ({} if content is None else content), header[1] if header else None


def _of_config(group, name, choices, package=None, optional=False):
    found = _read(group, name)
    if found is None:
        if optional:
            return []
        raise NotFound(f"{group}/{name}" if group else name)
    content, header = found
    if package is None:
        package = _package(header, group)
    if not isinstance(content, dict):
        return [(package, content)]
    content = dict(content)
    defaults = content.pop("defaults", None) or []
    own = (package, content)
    parts, is_placed = [], False
    for entry in defaults:
        if entry == "_self_":
            parts.append(own)
            is_placed = True
        else:
            parts += _of_entry(entry, group, package, choices)
    return parts if is_placed else [*parts, own]


def _package(header, group):
    if header is None or header == "_group_":
        return group.replace("/", ".")
    return "" if header == "_global_" else header.replace("_global_.", "").replace("_group_", group.replace("/", "."))


def _of_entry(entry, group, parent, choices):
    """The configurations of an entry of a defaults list."""
    if isinstance(entry, str):
        where, _, name = entry.rpartition("/")
        return _of_config(_within(group, where), name, choices)
    (key, option), = entry.items()
    optional, override = key.startswith("optional "), key.startswith("override ")
    key = key.split(" ")[-1]
    key, _, package = key.partition("@")
    place = _within(group, key)
    if place.split("/")[0] == "hydra":
        return []
    if override:
        choices.by_group.setdefault(place, option)
        return []
    option = choices.by_group.get(place, option)
    if option is None or place in choices.removed:
        return []
    named = None
    if package:
        named = package.replace("_global_.", "").replace("_global_", "") if package.startswith("_global_") else ".".join(
            [part for part in (parent, "" if package == "_here_" else package.replace("_here_.", "")) if part])
    options = option if isinstance(option, list) else [option]
    return [part for one in options
            for part in _of_config(_joined(place, str(one)), _last(str(one)), choices, package=named, optional=optional)]


def _within(group, name):
    if name.startswith("/"):
        return name[1:]
    return "/".join([part for part in (group, name) if part])


def _joined(place, option):
    return "/".join([place, *option.split("/")[:-1]])


def _last(option):
    return option.split("/")[-1]
