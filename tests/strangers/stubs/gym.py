"""Stands for a library of environments: names that annotations ask for."""

from gym.spaces import Box, Dict, Space  # noqa: F401


class Env:
    pass


class ObservationWrapper(Env):
    pass


class Wrapper(Env):
    pass
