"""Mutable arrays."""
from _jitlens import core

Ref = core.Ref
AbstractRef = core.AbstractRef
new_ref = core.new_ref
empty_ref = core.empty_ref
freeze = core.freeze_ref


def free_ref(ref):
    core.free_ref(ref)


def get(ref, idx=None):
    return core.get_ref(ref, idx)


def set(ref, idx, value):
    core.swap_ref(ref, idx, value)


def swap(ref, idx, value):
    return core.swap_ref(ref, idx, value)


def addupdate(ref, idx, x):
    core.addupdate_ref(ref, idx, x)
