"""Stands for wrappers of a simulator: names of classes that are not made."""


class EpisodeWrapper:
    pass


class AutoResetWrapper:
    pass
