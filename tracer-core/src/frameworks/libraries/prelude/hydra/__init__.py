"""Programs that run with a configuration composed of files: what it is without words on the command line."""
import functools
import os
import sys

from _jitlens.python import unknown

from . import _composing, core, utils
from ._composing import compose

__version__ = "1.3.8"


def main(config_path="", version_base="", config_name=None):
    def decorator(task_function):
        @functools.wraps(task_function)
        def decorated(cfg_passthrough=None):
            if cfg_passthrough is not None:
                return task_function(cfg_passthrough)
            folder = None if config_path is None else os.path.join(_folder_of(task_function), config_path)
            with _composing.searching(folder):
                try:
                    cfg = compose(config_name)
                except _composing.NotFound as missing:
                    cfg = unknown("", f"the configuration `{missing}`")
            task_function(cfg)

        return decorated

    return decorator


def _folder_of(function):
    """The folder of the file that a function stands in."""
    return os.path.dirname(os.path.abspath(sys.modules[function.__module__].__file__))


class _Searching:
    """`initialize` and its siblings, as functions and as contexts."""

    def __init__(self, folder):
        self._before = _composing.search(folder)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        _composing.restore(self._before)


def initialize(config_path=None, job_name="app", caller_stack_depth=1, version_base=""):
    folder = os.path.dirname(os.path.abspath(sys.modules["__main__"].__file__))
    return _Searching(os.path.join(folder, config_path or ""))


def initialize_config_dir(config_dir, job_name="app", version_base=""):
    return _Searching(config_dir)


def initialize_config_module(config_module, job_name="app", version_base=""):
    import importlib
    return _Searching(os.path.dirname(os.path.abspath(importlib.import_module(config_module).__file__)))
