"""Stands for a library of configurations: its name stands in annotations."""


class ConfigDict(dict):
    pass
