"""The CPU's devices."""
from _jitlens import core
from _jitlens.python import is_unknown

from ._engine_settings import config_read


class _Client:
    platform = "cpu"
    platform_version = "cpu"

    def devices(self):
        return devices()

    local_devices = devices

    def device_count(self):
        return len(devices())

    local_device_count = device_count


class Device:
    __module__ = "jaxlib._jax"
    _unmodelled = ("addressable_memories", "default_memory", "get_stream_for_external_ready_events", "live_buffers", "memory",
                   "poison_execution")
    platform = device_kind = "cpu"
    process_index = host_id = task_id = 0
    client = _Client()

    def __init__(self, *args, **kwargs):
        raise TypeError("jaxlib._jax.Device: no constructor defined!")

    def __repr__(self):
        return f"CpuDevice(id={self.id})"

    def __str__(self):
        return f"cpu:{self.id}"

    def memory_stats(self):
        return None


def _device(number):
    made = object.__new__(Device)
    made.id = made.local_hardware_id = number
    return made


_devices = []


def _device_count():
    """How many devices the program has asked for: by the option, else by a flag that it has put into its environment."""
    count = config_read("jax_num_cpu_devices")
    if count > 0:
        return count
    import os
    import re
    flags = os.environ.get("XLA_FLAGS", "")
    found = re.findall(r"--xla_force_host_platform_device_count=(\d+)", flags) if isinstance(flags, str) else []
    if not found and core.foreign_call():
        # It may have set the flag.
        return core.unknown("how many devices there are after a call of a module that is not found")
    return int(found[-1]) if found else 1


# What another machine may have: an error is the truth only for a program that asks whether there is one.
_ELSEWHERE = ("gpu", "cuda", "rocm", "tpu", "metal")


def devices(backend=None):
    if backend is not None and backend != "cpu":
        if isinstance(backend, str) and backend.lower() in _ELSEWHERE and not core.is_caught():
            return core.unknown(f"devices of another platform ({backend}) than the CPU")
        raise RuntimeError(f"Unknown backend: '{backend}' requested, but no platforms that are instances of {backend} are present. "
                           "Platforms present are: cpu")
    if not _devices:
        # From now on the number stands, as when a backend has been started.
        count = _device_count()
        if is_unknown(count):
            return count
        _devices.extend([_device(i) for i in range(count)])
    return list(_devices)


def is_placement(x):
    return isinstance(x, Device) or hasattr(x, "device_set") or hasattr(x, "memory_kind")


def device_put(xs, targets, donate, may_alias):
    if core.trace_state_clean() and not any([core.is_tracer(x) for x in xs]):
        return [core.device_put_one(x) for x in xs]
    return core.bind_device_put([core.asarray(x) for x in xs]) if xs else []
