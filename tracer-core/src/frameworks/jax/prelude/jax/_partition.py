"""PartitionSpec and the shardings."""
from _jitlens import core

from ._mesh import AxisType, context_mesh, name_of


class _Unconstrained:
    def __repr__(self):
        return "UNCONSTRAINED"


def _canonical(entry):
    """One entry of a spec: None for no axis, a bare name for one, a tuple for several."""
    if core.is_array(entry) or core.is_numpy_array(entry):
        if core.size(entry) != 1:
            bool(entry)
        hash(entry)
    if isinstance(entry, (list, tuple)):
        for one in entry:
            hash(one)
        return None if not entry else entry[0] if len(entry) == 1 else tuple(entry)
    return entry


class P:
    UNCONSTRAINED = _Unconstrained()
    _unmodelled = ("to_ct_spec", "to_lo", "to_tangent_spec")

    def __init__(self, *partitions, unreduced=frozenset(), reduced=frozenset()):
        self.partitions = self._partitions = tuple([_canonical(p) for p in partitions])
        self.unreduced = _axis_set("unreduced", unreduced)
        self.reduced = _axis_set("reduced", reduced)
        if self.unreduced or self.reduced:
            self._check()

    def _check(self):
        for name, axes in (("unreduced", self.unreduced), ("reduced", self.reduced)):
            if None in axes:
                raise ValueError(f"{name} cannot contain None. All elements in {name} should refer to the mesh axes.")
        if self.unreduced & self.reduced:
            raise ValueError("`unreduced` and `reduced` argument to PartitionSpec cannot overlap. "
                             f"Got unreduced: {self.unreduced} and reduced: {self.reduced}")
        for entry in self.partitions:
            for axis in (entry if isinstance(entry, tuple) else (entry,)):
                for name, axes in (("unreduced", self.unreduced), ("reduced", self.reduced)):
                    if axis in axes:
                        raise ValueError(f"partitions cannot overlap with {name} axes passed to PartitionSpec. "
                                         f"Got partitions: {self.partitions} and {name} axes: {axes}")

    def __repr__(self):
        inner = repr(self.partitions)[1:-1]
        extra = [f"{name}={set(axes)!r}" for name, axes in (("unreduced", self.unreduced), ("reduced", self.reduced)) if axes]
        if not extra:
            return f"P({inner})"
        gap = "" if not inner else " " if inner.endswith(",") else ", "
        return f"P({inner}{gap}{', '.join(extra)})"

    def _key(self):
        return self.partitions, self.unreduced, self.reduced

    def __eq__(self, other):
        return isinstance(other, P) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _plain(self, use, instead):
        if self.reduced or self.unreduced:
            raise ValueError(f"Using {use} is dangerous when PartitionSpec has non-empty unreduced/reduced set. Please use {instead}")
        return self.partitions

    def __getitem__(self, i):
        return self._plain("pspec[...]", "spec.partitions[...]")[i]

    def __iter__(self):
        return iter(self._plain("*pspec", "*spec.partitions"))

    def __len__(self):
        return len(self.partitions)

    def __add__(self, other):
        if isinstance(other, P):
            return P(*self.partitions, *other.partitions, unreduced=self.unreduced | other.unreduced, reduced=self.reduced | other.reduced)
        if isinstance(other, tuple):
            return P(*self, *other)
        raise NotImplementedError

    def __radd__(self, other):
        if not isinstance(other, tuple):
            raise NotImplementedError
        return P(*other, *self)

    def index(self, value):
        return self.partitions.index(_canonical(value))

    def count(self, value):
        return self.partitions.count(_canonical(value))

    def update(self, partitions=None, unreduced=None, reduced=None):
        return P(*(self.partitions if partitions is None else partitions), unreduced=self.unreduced if unreduced is None else unreduced,
                 reduced=self.reduced if reduced is None else reduced)


PartitionSpec = P


def _axis_set(name, axes):
    if isinstance(axes, frozenset):
        return axes
    if not isinstance(axes, set):
        raise TypeError(f"{name} argument of PartitionSpec should of type `frozenset` or `set`. Got type {axes}")
    return frozenset(axes)


def names_of(entry):
    """The axis names of one entry of a spec, as a tuple."""
    if entry is None or entry is P.UNCONSTRAINED:
        return ()
    return entry if isinstance(entry, tuple) else (entry,)


class DuplicateSpecError(Exception):
    pass


# --------------------------------------------------------------------------------------------------------- shardings

class Sharding:
    """The base of all: what arrays and programs ask of a sharding."""

    _unmodelled = ("has_addressable_devices", "replicated_axes")

    memory_kind = "device"

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    @property
    def addressable_devices(self):
        return self.device_set

    @property
    def num_devices(self):
        return len(self.device_set)

    is_fully_addressable = True

    def is_equivalent_to(self, other, ndim):
        return self.device_set == other.device_set and self._sizes(ndim) == other._sizes(ndim)

    def shard_shape(self, global_shape):
        self.check_compatible_aval(global_shape)
        shape = []
        for n, parts in zip(global_shape, self._sizes(len(global_shape))):
            if n % parts:
                raise ValueError(f"Sharding {self} implies that array axis {len(shape)} is partitioned {parts} times, but the dimension size is "
                                 f"{n} (full shape: {tuple(global_shape)}, per-dimension tiling factors: {self._sizes(len(global_shape))} should "
                                 "evenly divide the shape)")
            shape.append(n // parts)
        return tuple(shape)

    def check_compatible_aval(self, aval_shape):
        pass

    def devices_indices_map(self, global_shape):
        return {d: (slice(None),) * len(global_shape) for d in self.device_set}

    addressable_devices_indices_map = devices_indices_map


class SingleDeviceSharding(Sharding):
    def __init__(self, device, *, memory_kind=None):
        self._device = device
        self.memory_kind = memory_kind or "device"

    def _key(self):
        return self._device, self.memory_kind

    def __repr__(self):
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"

    @property
    def device_set(self):
        return {self._device}

    is_fully_replicated = True

    def _sizes(self, ndim):
        return [1] * ndim

    def with_memory_kind(self, kind):
        return SingleDeviceSharding(self._device, memory_kind=kind)


def make_single_device_sharding(device, *, memory_kind=None):
    return SingleDeviceSharding(device, memory_kind=memory_kind)


# ------------------------------------------------------------------------------------------------------- where arrays lie
# An array that the program has said nothing about lies on the first device alone, and so does what is made of such arrays. What is made
# of others lies where the compiler wants it.

# Whether that holds for no array any more: under a mesh that was set, all lie over it.
_over_meshes = []


def arrays_lie_over_meshes():
    if not _over_meshes:
        _over_meshes.append(True)


# Whether the types of some arrays may name explicit axes.
_in_types = []


def no_axes_in_types():
    """Whether it is certain that no type of an array names an axis of a mesh."""
    return not _over_meshes and not _in_types


def note(x, sharding):
    """`x`, an eager array, noted to lie as the sharding says; None where that is not known."""
    if isinstance(sharding, NamedSharding) and AxisType.Explicit in sharding.mesh.axis_types and not _in_types:
        if any([names_of(entry) for entry in sharding.spec.partitions]):
            _in_types.append(True)
    core.lay(x, over(sharding))
    return core.note_sharding(x, sharding)


def over(sharding):
    """What the type of an array that lies so says of meshes: the mesh, and its explicit axes along which the array is cut; None where that
    is not known."""
    if not isinstance(sharding, NamedSharding):
        return None
    explicit = sharding.mesh.explicit_axes
    return name_of(sharding.mesh), [", ".join([name for name in names_of(entry) if name in explicit]) for entry in sharding.spec.partitions]


def nothing_placed():
    """Whether it is certain that all arrays lie on the first device alone."""
    return not _over_meshes and not core.anything_placed()


def sharding_of(x):
    """The sharding of an eager array; None where it is not known."""
    noted = core.noted_sharding(x)
    if noted is not False:
        return noted
    return None if _over_meshes else SingleDeviceSharding(core.devices()[0])


def lying(x, where):
    """`x` as an array that lies there: an equal one if it is eager."""
    if where is None:
        return x
    where = resolve_spec("device_put", where)
    if core.is_tracer(x):
        _in_types.append(True)
        core.placed_within_graphs()
        if isinstance(where, NamedSharding):
            core.lay(x, over(where))
        return x
    if not core.trace_state_clean():
        arrays_lie_over_meshes()
        if isinstance(where, NamedSharding):
            x = core.another(x)
            core.lay(x, over(where))
        return x
    if not isinstance(where, Sharding) and where in core.devices():
        where = SingleDeviceSharding(where)
    put = core.commit(core.another(x), repr(where) if isinstance(where, Sharding) else None)
    if where == SingleDeviceSharding(core.devices()[0]) and core.noted_sharding(x) is False:
        return core.lay_like(put, x)
    if isinstance(where, NamedSharding):
        return note(put, where)
    # Another device changes nothing that types say.
    return core.lay_like(core.note_sharding(put, where if isinstance(where, Sharding) else None), x)


def ranks_of_arguments(in_shardings, tree):
    """For every leaf of the arguments of a compiled function: the least rank that its sharding is for, and the sharding's text."""
    args = tree.children()[0]
    if isinstance(in_shardings, (tuple, list)):
        count = len(args.children())
        if len(in_shardings) != count:
            raise ValueError(
                "pjit in_shardings specification must be a tree prefix of the positional arguments tuple. In particular, pjit in_shardings must "
                "either be a Sharding, a PartitionSpec, or a tuple of length equal to the number of positional arguments. But pjit in_shardings is "
                f"the wrong length: got a tuple or list of length {len(in_shardings)} for an args tuple of length {count}.")
        in_shardings = tuple(in_shardings)
    return _least_ranks("pjit in_shardings", args, in_shardings)


def _least_ranks(what, tree, shardings):
    from ._arguments import flatten_axes
    of = what.split()[1]
    try:
        entries = flatten_axes(what, tree, shardings)
    except ValueError as error:
        raise ValueError("Mismatch details" + str(error).partition("Mismatch details")[2])
    for entry in entries:
        if isinstance(entry, str):
            raise TypeError(f"{of} leaf specifications are expected to be PartitionSpec instances or None, but got {entry}")
        if isinstance(entry, P) and context_mesh().empty:
            raise RuntimeError(
                f"jit requires a non-empty mesh in context if you are passing `PartitionSpec`s to {of}. You can define a context mesh via "
                "`jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s to "
                f"{of} and then the mesh context manager is not required.")
    return [(len(s.spec.partitions), repr(s)) if isinstance(s, NamedSharding) else None for s in entries]


def check_rank(what, path, least, sharding, rank):
    """Refuses a sharding for more axes than an array has."""
    if rank < least:
        hint = " For scalars the PartitionSpec should be P()" if rank == 0 else ""
        raise ValueError(f"One of pjit {what} with pytree key path {path} is incompatible with its sharding annotation {sharding}: Sharding "
                         f"{sharding} is only valid for values of rank at least {least}, but was applied to a value of rank {rank}.{hint}")


def _check_results(out_shardings, tree, results):
    from . import tree_util
    for at, (entry, x) in enumerate(zip(_least_ranks("pjit out_shardings", tree, out_shardings), results)):
        if entry is not None and core.ndim(x) < entry[0]:
            paths = tree_util.tree_leaves_with_path(tree.unflatten(list(range(len(results)))))
            check_rank("outputs", "result" + tree_util.keystr(paths[at][0]), *entry, core.ndim(x))


def results_of_jit(in_shardings, out_shardings, tree, results):
    """The results of a compiled function that was told where its arguments and results lie."""
    from ._arguments import flatten_axes
    given, wanted = core.tree_leaves(in_shardings), core.tree_leaves(out_shardings)
    if not given and not wanted:
        return results
    if wanted:
        _check_results(out_shardings, tree, results)
    if any([core.is_tracer(x) for x in results]):
        core.placed_within_graphs()
        return results
    shardings = flatten_axes("jit out_shardings", tree, out_shardings) if wanted else []
    if len(shardings) != len(results):
        shardings = [None] * len(results)
    meshes = [over(where)[0] for where in given if isinstance(where, NamedSharding) and not where.mesh.explicit_axes]
    found = []
    for x, where in zip(results, [resolve_spec("jit", where) for where in shardings]):
        put = core.commit(core.another(x), repr(where) if isinstance(where, Sharding) else None)
        if isinstance(where, NamedSharding):
            found.append(note(put, where))
        else:
            found.append(core.lay(core.note_sharding(put, None), (meshes[0], []) if meshes else None))
    return found


class NamedSharding(Sharding):
    def __init__(self, mesh, spec, *, memory_kind=None, _logical_device_ids=None):
        if mesh is not None:
            mesh.size       # what has none is no mesh
        self.mesh, self.spec = mesh, spec
        self.memory_kind = memory_kind or "device"
        seen = set()
        for entry in spec.partitions:
            for name in names_of(entry):
                if name not in mesh.axis_names:
                    raise ValueError(f"Resource axis: {name} of {spec} is not found in mesh: {mesh.axis_names}.")
                if name in seen:
                    raise DuplicateSpecError("A single NamedSharding spec specification can map every mesh axis to at most one positional "
                                             f"dimension, but {spec} has duplicate entries for `{name}`")
                seen.add(name)

    def _key(self):
        return self.mesh, self.spec, self.memory_kind

    def __repr__(self):
        kind = "" if self.mesh is self.mesh.abstract_mesh else f", memory_kind={self.memory_kind}"
        return f"NamedSharding(mesh={self.mesh}, spec={self.spec}{kind})"

    @property
    def device_set(self):
        return set(self.mesh.local_devices)

    @property
    def is_fully_replicated(self):
        return all([n == 1 for n in self._sizes(len(self.spec))])

    def _sizes(self, ndim):
        sizes = []
        for entry in self.spec.partitions:
            parts = 1
            for name in names_of(entry):
                parts *= self.mesh.shape[name]
            sizes.append(parts)
        return sizes + [1] * (ndim - len(sizes))

    def devices_indices_map(self, global_shape):
        shape = self.shard_shape(global_shape)
        sizes = self.mesh.axis_sizes
        found = {}
        for at, device in enumerate(self.mesh.local_devices):
            place = {}
            for name, size in zip(reversed(self.mesh.axis_names), reversed(sizes)):
                place[name] = at % size
                at //= size
            index = []
            for n, part, entry in zip(global_shape, shape, list(self.spec.partitions) + [None] * len(shape)):
                block = 0
                for name in names_of(entry):
                    block = block * self.mesh.shape[name] + place[name]
                index.append(slice(None) if n == part else slice(block * part, (block + 1) * part))
            found[device] = tuple(index)
        return found

    addressable_devices_indices_map = devices_indices_map

    def check_compatible_aval(self, aval_shape):
        if len(aval_shape) < len(self.spec) and len(aval_shape) > 0 or len(aval_shape) == 0 and self._sizes(0) != [1] * len(self.spec):
            raise ValueError(f"Sharding {self} is only valid for values of rank at least {len(self.spec)}, but was applied to a value of rank "
                             f"{len(aval_shape)}.")

    def update(self, mesh=None, spec=None, memory_kind=None):
        return NamedSharding(self.mesh if mesh is None else mesh, self.spec if spec is None else spec,
                             memory_kind=self.memory_kind if memory_kind is None else memory_kind)

    def with_spec(self, spec):
        return self.update(spec=spec if isinstance(spec, P) else P(*spec))

    def with_memory_kind(self, kind):
        return self.update(memory_kind=kind)


def of_type(ndim):
    """The sharding in the type of an array; None where that may be over a mesh."""
    from ._mesh import empty_abstract_mesh
    return NamedSharding(empty_abstract_mesh(), P(*[None] * ndim)) if nothing_placed() else None


class IndivisibleError(ValueError):
    __module__ = "jax._src.sharding"


def check_sharding(what, sharding, shape, placed=True):
    """ValueError where `sharding` cannot be that of an array of `shape`, as `device_put` and `with_sharding_constraint` say it. Only an
    array that is `placed` has to be cut evenly: within a compiled function the compiler pads."""
    if what.startswith("device_put") and isinstance(sharding, NamedSharding) and sharding.mesh.are_all_axes_explicit:
        _check_explicit(sharding, shape)
    try:
        sharding.check_compatible_aval(shape)
    except ValueError as error:
        raise ValueError(f"One of {what} is incompatible with its sharding annotation {sharding}: {error}") from None
    if placed:
        check_cuts(sharding, shape)


def check_cuts(sharding, shape):
    """Refuses a sharding that does not cut an array of `shape` evenly."""
    sizes = sharding._sizes(len(shape))
    for i, (n, parts) in enumerate(zip(shape, sizes)):
        if n % parts:
            raise IndivisibleError(f"Sharding {sharding} implies that array axis {i} is partitioned {parts} times, but the dimension size is {n} "
                                   f"(full shape: {shape}, per-dimension tiling factors: {sizes} should evenly divide the shape)")


def _check_explicit(sharding, shape):
    """Over explicit axes the sharding is part of an array's type, and types are checked first."""
    if any([axis is not None for axis in sharding.spec.partitions[len(shape):]]):
        raise AssertionError((len(shape), sharding.spec))
    sizes = sharding._sizes(len(shape)) if len(sharding.spec) <= len(shape) else []
    for i, (n, parts) in enumerate(zip(shape, sizes)):
        if n % parts:
            raise ValueError(f"Sharding spec {sharding.spec.partitions[i]} implies that array axis {i} is partitioned {parts} times, but does not evenly "
                             f"divide the dimension size {n}. Got shape: {shape} and sharding {sharding}")


def resolve_spec(name, sharding):
    """A NamedSharding over the mesh in context for a bare PartitionSpec; anything else unchanged."""
    if not isinstance(sharding, P):
        return sharding
    mesh = context_mesh()
    if mesh.empty:
        raise ValueError(f"Please set a mesh via `jax.set_mesh` if a PartitionSpec is passed to {name}")
    return NamedSharding(mesh, sharding)


def with_sharding_constraint(x, shardings):
    from ._arguments import flatten_axes
    leaves, treedef = core.tree_flatten(x)
    found = []
    for leaf, sharding in zip(leaves, flatten_axes("with_sharding_constraint shardings", treedef, shardings)):
        if sharding is None:
            raise ValueError("One of with_sharding_constraint arguments got sharding None which is not allowed. Please only pass "
                             "`jax.sharding.Sharding` instances.")
        if sharding is not None and (
                core.is_array(sharding) or not isinstance(sharding, (P, Sharding)) and not hasattr(sharding, "sharding")):
            raise TypeError(f"shardings leaf specifications are expected to be PartitionSpec instances or None, but got {sharding}")
        if isinstance(sharding, P):
            mesh = context_mesh()
            if mesh.empty:
                raise RuntimeError(
                    "with_sharding_constraint requires a non-empty mesh in context if you are passing `PartitionSpec`s to shardings. You can "
                    "define a context mesh via `jax.set_mesh(mesh)`. Alternatively, provide `Sharding`s to shardings and then the mesh context "
                    "manager is not required.")
            sharding = NamedSharding(mesh, sharding)
        check_sharding("with_sharding_constraint arguments", sharding, core.shape(leaf), placed=not core.is_tracer(leaf))
        found.append(lying(core.sharding_constraint(leaf, sharding), sharding))
    return treedef.unflatten(found)


def reshard(xs, out_shardings):
    from ._arguments import flatten_axes
    leaves, treedef = core.tree_flatten(xs)
    targets = flatten_axes("reshard out_shardings", treedef, out_shardings)
    for target in targets:
        if core.is_array(target):
            hash(target)
        if target is None:
            raise ValueError("Reshard should only be used with out_shardings which are non-None and have a non-empty mesh. Got sharding None.")
        if not isinstance(target, (P, Sharding)):
            raise TypeError("`out_sharding` argument of reshard only supports instances of `NamedSharding` or `PartitionSpec`. Got x of "
                            f"type: {type(target)}")
    return treedef.unflatten([lying(core.reshard(x, resolve_spec("reshard", s)), s) for x, s in zip(leaves, targets)])


def auto_axes(f=None, /, *, axes=None, out_sharding=None):
    return _passing_on(f)


def explicit_axes(f=None, /, *, axes=None, in_sharding=None):
    return _passing_on(f)


def _passing_on(f):
    """With one device the kind of a mesh axis changes no value: the function as it is, without the sharding arguments."""
    def wrap(f):
        def wrapped(*args, out_sharding=None, in_sharding=None, **kwargs):
            return f(*args, **kwargs)
        return wrapped
    return wrap if f is None else wrap(f)


class Shard:
    def __init__(self, device, sharding, global_shape, data=None):
        self.device, self._sharding, self._shape, self._data = device, sharding, global_shape, data

    @classmethod
    def _of(cls, device, index, replica_id, whole):
        """The part of an array that is there."""
        made = cls(device, None, None)
        made.index, made.replica_id, made._whole = index, replica_id, whole
        return made

    def __getattr__(self, name):
        if name == "index":
            return self._sharding.devices_indices_map(self._shape)[self.device]
        raise AttributeError(f"'Shard' object has no attribute '{name}'")

    @property
    def data(self):
        if self._data is None:
            part = core.another(self._whole) if all([s == slice(None) for s in self.index]) else core.another(self._whole[self.index])
            self._data = core.note_sharding(part, SingleDeviceSharding(self.device))
        return self._data

    def __repr__(self):
        return f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, data={self.data})"


def shards_of(x):
    """The parts of an eager array by device; None where it is not known where it lies."""
    sharding = sharding_of(x)
    if sharding is None:
        return None
    copies, found = {}, []
    for device, index in sharding.devices_indices_map(core.shape(x)).items():
        where = tuple([(s.start, s.stop) for s in index])
        copies[where] = copies.get(where, -1) + 1
        found.append(Shard._of(device, index, copies[where], x))
    return found


def make_array_from_callback(shape, sharding, data_callback, dtype=None):
    indices = list(sharding.devices_indices_map(shape).items())
    if len(indices) == 1 or all([index == (slice(None),) * len(shape) for _, index in indices]):
        data = data_callback((slice(None),) * len(shape))
        return lying(core.device_put([core.asarray(core.numpy_array(data, dtype))], [sharding], False, None)[0], sharding)
    parts = [(core.asarray(core.numpy_array(data_callback(index), dtype)), device) for device, index in indices]
    return _of_parts(tuple(shape), sharding, parts)


def _of_parts(shape, sharding, parts):
    """The array that parts make, each with the device that it lies on."""
    import jax.numpy as jnp
    expected = sharding.shard_shape(shape)
    whole = jnp.zeros(shape, parts[0][0].dtype)
    for part, _ in parts:
        if tuple(core.shape(part)) != expected:
            raise ValueError(f"Expected shard shape {expected} doesn't match the single device array shape {tuple(core.shape(part))}. "
                             f"Shape of Array is {core.typeof(whole).str_short()} with sharding {sharding}")
    by_device = {device: part for part, device in parts}
    for device, index in sharding.devices_indices_map(shape).items():
        whole = whole.at[index].set(by_device[device])
    return lying(core.device_put([whole], [sharding], False, None)[0], sharding)


def make_array_from_process_local_data(sharding, local_data, global_shape=None):
    if sharding is None:
        raise ValueError("pytree structure error: different types at key path\n    broadcast_prefix prefix_tree")
    return core.tree_map(lambda x: lying(core.device_put([x], [sharding], False, None)[0], sharding), local_data)


def make_array_from_single_device_arrays(shape, sharding, arrays, *, dtype=None):
    if not isinstance(sharding, Sharding):
        raise TypeError("__init__(): incompatible function arguments.")
    for array in arrays:
        if not core.is_array(array):
            raise TypeError(f"Unsupported type for elements in `arrays`: {type(array)}")
    if len(arrays) != sharding.num_devices:
        raise ValueError(f"Expected {sharding.num_devices} per-device arrays (this is how many devices are addressable by the sharding), "
                         f"but got {len(arrays)}")
    if len(arrays) == 1:
        return lying(core.device_put([arrays[0]], [sharding], False, None)[0], sharding)
    devices = [sharding_of(array) for array in arrays]
    devices = [list(lies.device_set)[0] if lies is not None and len(lies.device_set) == 1 else None for lies in devices]
    known = len(set(devices)) == len(devices) and None not in devices
    order = devices if known else list(sharding.devices_indices_map(shape))
    return _of_parts(tuple(shape), sharding, list(zip(arrays, order)))
