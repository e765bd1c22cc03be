"""Configurations that the program stores."""
from omegaconf import OmegaConf

from .. import _composing


class ConfigStore:
    _it = []

    @staticmethod
    def instance(*args, **kwargs):
        if not ConfigStore._it:
            ConfigStore._it.append(ConfigStore())
        return ConfigStore._it[0]

    def store(self, name, node, group=None, package=None, provider=None):
        made = OmegaConf.structured(node) if not isinstance(node, (dict, list)) else OmegaConf.create(node)
        _composing.stored[group or "", name] = (made, package)
