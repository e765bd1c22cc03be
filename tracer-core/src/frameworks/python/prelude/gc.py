"""The garbage collector: nothing happens."""


def collect(generation=2):
    return 0


def enable():
    return None


def disable():
    return None


def isenabled():
    return True


def freeze():
    return None


def get_objects(generation=None):
    return []
