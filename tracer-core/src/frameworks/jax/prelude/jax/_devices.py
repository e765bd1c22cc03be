"""Devices, transfers and waiting: one CPU."""
from _jitlens import core

from ._arguments import flatten_axes
from .tree_util import tree_map


def devices(backend=None):
    return core.devices(backend)


def local_devices(process_index=None, backend=None, host_id=None):
    return core.devices(backend)


def device_count(backend=None):
    return len(core.devices(backend))


def local_device_count(backend=None):
    return len(core.devices(backend))


def default_backend():
    return "cpu"


def process_count(backend=None):
    return 1


def process_index(backend=None):
    return 0


def process_indices(backend=None):
    return [0]


host_count, host_id = process_count, process_index


def host_ids(backend=None):
    return [0]


def device_put(x, device=None, *, src=None, donate=False, may_alias=None):
    leaves, treedef = core.tree_flatten(x)
    for leaf in leaves:
        if isinstance(leaf, str):
            raise TypeError(f"Argument '{leaf}' of type {type(leaf)} is not a valid JAX type")
        core.abstractify(leaf)
    from ._partition import Sharding, check_sharding, lying, resolve_spec
    if core.is_unknown(device):
        # Wherever that is, the arrays stay what they are.
        device = None
    if device is None or core.is_placement(device):
        targets = [device] * len(leaves)
    else:
        targets = flatten_axes("device_put device", treedef, device)
    # How an array lies in memory changes nothing else.
    targets = [getattr(t, "sharding", None) if type(t).__name__ == "Format" else resolve_spec("device_put", t) for t in targets]
    for leaf, target in zip(leaves, targets):
        if isinstance(target, Sharding):
            check_sharding("device_put args", target, core.shape(leaf))
        elif target is not None and not core.is_placement(target):
            raise ValueError("`jax.device_put` only accepts `None`, `jax.sharding.Sharding`, `jax.Device`, `Format`, `jax.memory.Space` or a "
                             f"pytree of these values. Received invalid value: {target}")
    if may_alias and donate:
        raise ValueError("may_alias and donate cannot be True at the same time.")
    put = core.device_put(leaves, targets, bool(donate), may_alias)
    return treedef.unflatten([lying(x, target) for x, target in zip(put, targets)])


def device_get(x):
    core.note_waited()
    return core.vaguely(tree_map, lambda leaf: core.numpy_array(leaf) if core.is_numpy_scalar(leaf) else core.device_get(leaf), x)


def block_until_ready(x):
    core.note_waited()
    for leaf in core.tree_leaves(x):
        wait = None if core.is_tracer(leaf) else getattr(leaf, "block_until_ready", None)
        if wait is not None:
            wait()
    return x


def copy_to_host_async(x):
    return x


def effects_barrier():
    pass


def live_arrays(platform=None):
    return []


def clear_caches():
    core.clear_caches()


def print_environment_info(return_string=False):
    text = "jax:    0.10.2\njaxlib: 0.10.2\n"
    if return_string:
        return text
    print(text)


def device_put_replicated(x, devices):
    if not isinstance(devices, (list, tuple)) or not devices:
        raise ValueError("`devices` argument to `device_put_replicated must be a non-empty sequence.")
    return tree_map(lambda leaf: core.note_sharding(core.asarray(leaf)[None], None), x)


def device_put_sharded(shards, devices):
    if not isinstance(shards, (list, tuple)):
        raise TypeError(f"device_put_sharded `shards` input must be a sequence; got {type(shards)}")
    if len(shards) != len(devices):
        raise ValueError(f"len(shards) = {len(shards)} must equal len(devices) = {len(devices)}.")

    def join(*xs):
        avals = [core.typeof(x) for x in xs]
        for a, b in zip(avals, avals[1:]):
            if a != b:
                raise ValueError("the shards passed to device_put_sharded must have consistent shape and dtype, but got "
                                 f"{a} and {b}.")
        from . import numpy as jnp
        return core.note_sharding(jnp.stack(xs), None)

    return tree_map(join, *shards)
