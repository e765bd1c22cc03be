"""`shard_map` and `smap`: the checks, and the body on one device's part of the arguments."""
import math

from _jitlens import core, prims as p

from ._autodiff import wraps
from ._manual_axes import Refused, varying
from ._mesh import AbstractMesh, AxisType, Mesh, get_abstract_mesh
from ._partition import NamedSharding, P, SingleDeviceSharding, name_of, names_of, no_axes_in_types, note, over, sharding_of
from .tree_util import broadcast_prefix, tree_map


class _Infer:
    def __repr__(self):
        return "Infer"


Infer = _Infer()


def shard_map(f=None, /, *, out_specs, in_specs=Infer, mesh=None, axis_names=frozenset(), check_vma=True):
    if f is None:
        return lambda g: _shard_map(g, mesh, in_specs, out_specs, axis_names, check_vma)
    return _shard_map(f, mesh, in_specs, out_specs, axis_names, check_vma)


def smap(f=None, /, *, in_axes=Infer, out_axes, axis_name):
    if f is None:
        return lambda g: smap(g, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)
    if isinstance(axis_name, (list, tuple)):
        raise TypeError(f"smap axis_name should be a `str` or a `Hashable`, but got {axis_name}")

    def spec(axis):
        return P() if axis is None else P(*[None] * axis, axis_name)

    in_specs = Infer if in_axes is Infer else tree_map(spec, in_axes, is_leaf=lambda x: x is None)
    return _shard_map(f, None, in_specs, tree_map(spec, out_axes, is_leaf=lambda x: x is None), {axis_name}, True)


def _shard_map(f, mesh, in_specs, out_specs, axis_names, check_vma):
    if not callable(f):
        raise TypeError(f"shard_map requires a callable for its first argument, but got {f} of type {type(f)}.")

    @wraps(f)
    def wrapped(*args):
        over, names = _check(mesh, axis_names, in_specs, out_specs)
        leaves, in_tree = core.tree_flatten(args)
        if in_specs is Infer:
            specs = [_inferred(x, over, names) for x in leaves]
            if None in specs:
                return core.unknown("the sharding of an array")
        else:
            specs = _spread("shard_map in_specs", in_specs, args, lambda x: x is None)
            check_arguments(f, over, in_tree, specs, leaves)
            _check_shardings(over, names, specs, leaves)
        out_tree, outs = core.vaguely(
            core.shard_map_call, f, core.treedef_tuple([in_tree, core.tree_structure({})]), leaves, specs, over, names, check_vma,
            _OutSpecs(out_specs))
        return core.tree_unflatten(out_tree, outs if isinstance(over, AbstractMesh) else _lying(outs, out_tree, out_specs, over))

    return wrapped


def _inferred(x, mesh, names):
    """The spec that the type of an argument tells; None where that is not known."""
    found = core.cut_along(x)
    if found is None or found[1] and found[0] != name_of(mesh):
        return None if mesh.size > 1 else P()
    entries = [tuple([name for name in entry.split(", ") if name in names]) for entry in found[1]]
    return P(*[None if not entry else entry[0] if len(entry) == 1 else entry for entry in entries])


def _lying(outs, out_tree, out_specs, mesh):
    """The results where they come to lie; under a transformation that is up to the graph around."""
    specs = _spread("shard_map out_specs", out_specs, out_tree.unflatten(outs))
    if not core.trace_state_clean():
        core.placed_within_graphs()
        return [core.lay(x, over(NamedSharding(mesh, spec))) if core.is_array(x) else x for x, spec in zip(outs, specs)]
    return [note(x, NamedSharding(mesh, spec)) if core.is_array(x) else x for x, spec in zip(outs, specs)]


# ---------------------------------------------------------------------------------------------------------- the call
# A device's part of an array is one of its blocks. The blocks lie along leading axes, one for each mesh axis, over which the function is
# mapped under the axis' name: collectives mean the same there. What comes back is joined block by block.

def call_by_blocks(f, in_tree, args, in_specs, mesh, axis_names, check_vma, out_specs):
    """`core.shard_map_call`."""
    axes = [(name, mesh.shape[name]) for name in mesh.axis_names if name in axis_names]
    placed = [i for i, spec in enumerate(in_specs) if spec is not None]
    given, specs = [args[i] for i in placed], [in_specs[i] for i in placed]
    found = {}

    def body(*positional, **keywords):
        out = f(*positional, **keywords)
        found["specs"], found["places"], found["tree"] = out_specs(out), out_specs.places(out), core.tree_structure(out)
        return core.tree_leaves(out)

    def of_placed(*blocks):
        leaves = list(args)
        for i, block in zip(placed, blocks):
            leaves[i] = block
        positional, keywords = in_tree.unflatten(leaves)
        return body(*positional, **keywords)

    before = core.linearized()
    avals = [_part(core.typeof(x), spec, axes) for x, spec in zip(given, specs)]
    whole_body, tree = (body, in_tree) if len(placed) == len(args) else (of_placed, core.tree_structure((tuple(avals), {})))
    jaxpr, consts, _, out_avals = core.with_axes(axes, check_vma, lambda: core.trace_to_jaxpr(whole_body, tree, avals, "shard_map", f))
    derived = core.linearized() != before
    try:
        over = varying(jaxpr.jaxpr, [frozenset(_used(spec)) for spec in [*[P() for _ in consts], *specs]], [name for name, _ in axes])
    except Refused:
        over = [frozenset()] * len(out_avals)
        if check_vma:
            return found["tree"], [core.unknown("types that differ in the axes along which they vary") for _ in out_avals]
    # The derivative by what all devices share is a sum over them, which the graph does not show.
    _check_results(f, mesh, check_vma and not derived, over, found["tree"], list(zip(found["specs"], found["places"])), out_avals)

    def mapped(over):
        if not over:
            return lambda *leaves: core.eval_jaxpr(jaxpr, *leaves)
        (name, size), *inner = over

        def call(*leaves):
            tree = core.tree_structure((tuple(leaves), {}))
            in_axes = [None] * len(consts) + [0] * len(given)
            return core.batch_call(mapped(inner), tree, list(leaves), in_axes, size, name, lambda out: [0] * out.num_leaves,
                                   of_devices=True)[1]

        return call

    def whole(*arrays):
        blocks = [_blocks(x, spec, axes) for spec, x in zip(specs, arrays[len(consts):])]
        outs = mapped(axes)(*arrays[:len(consts)], *blocks)
        return [_joined(x, spec, axes) for x, spec in zip(outs, found["specs"])]

    outs = core.jit(whole)(*consts, *given)
    replicated = any([len(_used(spec)) < len(axes) for spec in specs])
    if check_vma and replicated and core.linearized() != before:
        # That sum is missing here too: types are right, numbers not.
        outs = core.opaque_call("shard_map", [*consts, *given], [core.typeof(x) for x in outs])
    return found["tree"], outs


def _part(aval, spec, axes):
    """The type of the block that the spec gives to a device."""
    sizes, shape = dict(axes), list(aval.shape)
    for i, entry in enumerate(spec.partitions):
        for name in names_of(entry):
            shape[i] //= sizes[name]
    return core.ShapedArray(tuple(shape), aval.dtype, weak_type=aval.weak_type)


def _used(spec):
    return [name for entry in spec.partitions for name in names_of(entry)]


def _blocks(x, spec, axes):
    """`x` with one leading axis for each of `axes`, behind which lies the block that the spec gives to a device."""
    x = core.asarray(x)
    used = _used(spec)
    sizes = dict(axes)
    shape, where, rest = [], {}, []
    for n, entry in zip(core.shape(x), list(spec.partitions) + [None] * core.ndim(x)):
        for name in names_of(entry):
            where[name] = len(shape)
            shape.append(sizes[name])
            n //= sizes[name]
        rest.append(len(shape))
        shape.append(n)
    x = p.transpose(p.reshape(x, new_sizes=tuple(shape), dimensions=None, sharding=None),
                    permutation=tuple([where[name] for name, _ in axes if name in where] + rest))
    whole = [size for _, size in axes] + [shape[i] for i in rest]
    kept = [i for i, (name, _) in enumerate(axes) if name in used] + list(range(len(axes), len(whole)))
    return p.broadcast_in_dim(x, shape=tuple(whole), broadcast_dimensions=tuple(kept), sharding=None)


def _joined(x, spec, axes):
    """The array whose blocks lie along the leading axes of `x`; of what all devices have alike, that of the first."""
    used = _used(spec)
    for i in range(len(axes) - 1, -1, -1):
        if axes[i][0] not in used:
            x = p.squeeze(_first(x, i), dimensions=(i,))
    names = [name for name, _ in axes if name in used]
    block = core.shape(x)[len(names):]
    sizes = dict(axes)
    order, shape = [], []
    for i, (n, entry) in enumerate(zip(block, list(spec.partitions) + [None] * len(block))):
        for name in names_of(entry):
            order.append(names.index(name))
            n *= sizes[name]
        order.append(len(names) + i)
        shape.append(n)
    return p.reshape(p.transpose(x, permutation=tuple(order)), new_sizes=tuple(shape), dimensions=None, sharding=None)


def _first(x, axis):
    shape = core.shape(x)
    limits = tuple([1 if i == axis else n for i, n in enumerate(shape)])
    return p.slice(x, start_indices=(0,) * len(shape), limit_indices=limits, strides=None)


# --------------------------------------------------------------------------------------------------------- its results

class _OutSpecs:
    """The specs of results, leaf by leaf, and where they stand in what the program has written."""

    def __init__(self, specs):
        self._specs = specs

    def __call__(self, out):
        return _spread("shard_map out_specs", self._specs, out)

    def places(self, out):
        paths = [path for path, _ in core.tree_flatten_with_path(self._specs)[0]]
        return _spread("shard_map out_specs", core.tree_structure(self._specs).unflatten([_Place(path) for path in paths]), out)


class _Place:
    def __init__(self, path):
        self.path = path


def _check_results(f, mesh, check_vma, vary, out_tree, out_specs, avals):
    """The ranks of results, and whether they are the same on all devices where their specs say so."""
    specs = [spec for spec, _ in out_specs]
    eager, name = core.trace_state_clean(), core.function_name(f)
    paths = [path for path, _ in core.tree_flatten_with_path(out_tree.unflatten(avals))[0]]
    rows = []
    for path, (spec, where), aval, over in zip(paths, out_specs, avals, vary):
        if len(spec) > aval.ndim:
            shown = aval.str_short() + ("{V:" + ",".join(_ordered(mesh, over)) + "}" if over and not eager else "")
            rows.append(f"out_specs{_text(where.path)} is {spec} which has length {len(spec)}, but {name}(*args){_text(path)} has shape "
                        f"{shown}, which has rank {aval.ndim} (and {aval.ndim} < {len(spec)})")
    if rows:
        message = (f"shard_map applied to the function '{name}' was given an out_specs entry which is too long to be compatible with the "
                   f"corresponding output value from the function:\n\n{_rows(rows)}\n\nEntries in out_specs must be of length no greater than "
                   f"the number of axes in the corresponding output value.\n\nEither revise the spec to be shorter, or modify '{name}' so that "
                   "its outputs have sufficient rank.")
        if any([len(spec) > aval.ndim == 0 for spec, aval in zip(specs, avals)]):
            message += ("\n\nFor scalar values (rank 0), consider using an out_specs entry of `P()`, where `P = jax.sharding.PartitionSpec`. In "
                        "particular, for rank 0 outputs which are not constant over the mesh, add at least one (singleton) axis to them so that "
                        "they can be concatenated using out_specs.")
        raise ValueError(message)
    if not check_vma:
        return
    for (spec, where), over in zip(out_specs, vary):
        if over - frozenset(_used(spec)):
            rows.append(_varies(mesh, spec, "" if eager else _text(where.path), over))
    if rows:
        # Outside of traces JAX finds it when it puts the parts of one result together.
        name, rows = ("_rem_singleton", rows[:1]) if eager else (name, rows)
        raise ValueError(f"shard_map applied to the function '{name}' was given out_specs which require replication which can't be statically "
                         f"inferred given the mesh:\n\nThe mesh given has shape {tuple(mesh.axis_sizes)} with corresponding axis names "
                         f"{mesh.axis_names}.\n\n{_rows(rows)}\n\nCheck if these output values are meant to be replicated over those mesh axes. "
                         "If not, consider revising the corresponding out_specs entries. If so, consider disabling the check by passing the "
                         "check_vma=False argument to `jax.shard_map`.")


def _varies(mesh, spec, where, over):
    missing = [name for name in mesh.axis_names if name not in _used(spec)]
    start = f"out_specs{where} is {spec} which implies that the corresponding output value is "
    if len(missing) == 1:
        return f"{start}replicated across mesh axis '{missing[0]}', but could not infer replication over any axes"
    return (f"{start}only varying across mesh axes {{{','.join(_ordered(mesh, _used(spec)))}}} and not "
            f"{{{','.join(_ordered(mesh, [n for n in missing if n in over]))}}}, but it was inferred to be possibly varying over "
            f"{{{','.join(_ordered(mesh, over))}}}")


def _ordered(mesh, names):
    return [str(name) for name in mesh.axis_names if name in names]


def _spread(name, specs, tree, is_leaf=None):
    """The specs, a prefix of `tree`, one for each leaf."""
    leaves, treedef = core.tree_flatten(specs, is_leaf)
    try:
        subtrees = treedef.flatten_up_to(tree)
    except ValueError:
        from . import _tree_errors
        raise _tree_errors.first_prefix_error(name, specs, tree) from None
    return [spec for spec, subtree in zip(leaves, subtrees) for _ in range(core.tree_structure(subtree).num_leaves)]


def _check(mesh, axis_names, in_specs, out_specs):
    context = get_abstract_mesh()
    if mesh is None:
        mesh = context
        if mesh.empty:
            raise ValueError("The context mesh cannot be empty. Use `jax.set_mesh(mesh)` to enter into a mesh context")
    if not isinstance(mesh, (Mesh, AbstractMesh)):
        raise TypeError("shard_map requires a `jax.sharding.Mesh` or a `jax.sharding.AbstractMesh` instance for its second argument, but got "
                        f"{mesh} of type {type(mesh)}.")
    if not context.empty and mesh.abstract_mesh != context:
        raise ValueError(f"The context mesh {context} should match the mesh passed to shard_map {mesh}")
    if mesh.empty:
        raise ValueError(f"shard_map requires a non-empty mesh. Got {mesh}")
    if not isinstance(axis_names, (frozenset, set)):
        raise TypeError(f"`axis_names` argument of shard_map should be of type `frozenset` or `set`. Got type: {type(axis_names)}")
    every = frozenset(mesh.axis_names)
    names = frozenset(axis_names) or every
    if not names <= every:
        raise ValueError(f"jax.shard_map requires axis_names={names} to be a subset of mesh.axis_names={every}")
    kinds = dict(zip(mesh.axis_names, mesh.axis_types))
    if in_specs is Infer and not all([kinds[a] is AxisType.Explicit for a in names]):
        raise TypeError("shard_map in_specs argument must be a pytree of `jax.sharding.PartitionSpec` instances, but it was `None` when "
                        f"axis_names={names!r} are of type {', '.join([str(kinds[a]) for a in names])}")
    if in_specs is not Infer and in_specs is not None:
        _check_specs("in", in_specs, names)
    _check_specs("out", out_specs, names)
    return mesh, names


def _check_specs(prefix, specs, names):
    wrong, unknown = [], []
    for path, spec in core.tree_flatten_with_path(specs)[0]:
        where = "".join([str(k) for k in path])
        if not isinstance(spec, P):
            wrong.append(f"  {prefix}_specs{where} is {spec} of type {type(spec).__name__}, ")
            continue
        for entry in spec.partitions:
            unknown += [f"  {prefix}_specs{where} refers to {name!r}" for name in names_of(entry) if name not in names]
    end = f"\n\nCheck the {prefix}_specs values passed to shard_map."
    if wrong:
        raise TypeError(f"shard_map {prefix}_specs argument must be a pytree of `jax.sharding.PartitionSpec` instances, but:\n\n"
                        + "\n\n".join(wrong) + end)
    if unknown:
        raise ValueError(f"shard_map {prefix}_specs argument must refer to an axis marked as manual ({names}), but:\n\n"
                         + "\n\n".join(unknown) + end)


def check_arguments(f, mesh, in_tree, specs, leaves):
    name = core.function_name(f)
    avals = [None if s is None else core.abstractify(x) for s, x in zip(specs, leaves)]
    paths = [path for path, _ in core.tree_flatten_with_path(in_tree.unflatten(leaves))[0]]
    long = [(path, spec, aval) for path, spec, aval in zip(paths, specs, avals) if aval is not None and len(spec) > aval.ndim]
    if long:
        rows = [f"in_specs{_text(path) if len(specs) > 1 else ''} is {spec} which has length {len(spec)}, but the passed args{_text(path)}"
                f"{_bound_to(f, name, path)} has shape {aval.str_short()}, which has rank {aval.ndim} (and {aval.ndim} < {len(spec)})"
                for path, spec, aval in long]
        raise ValueError(f"shard_map applied to the function '{name}' was given an in_specs entry which is too long to be compatible with the "
                         f"corresponding input value from the function:\n\n{_rows(rows)}\n\nEntries in in_specs must be of length no greater "
                         f"than the number of axes in the corresponding input value.\n\nEither revise the spec to be shorter, or modify "
                         f"'{name}' so that its inputs have sufficient rank.")
    rows = []
    for path, spec, aval in zip(paths, specs, avals):
        if aval is None:
            continue
        for d, entry in enumerate(spec.partitions):
            axes = names_of(entry)
            size = math.prod([mesh.shape[n] for n in axes])
            if aval.shape[d] % size:
                axis = f"axes {axes}" if len(axes) > 1 else f"axis '{axes[0]}'"
                total = "total " if len(axes) > 1 else ""
                rows.append(f"the passed args{_text(path)} of shape {aval.str_short()}{_bound_to(f, name, path)} corresponds to in_specs"
                            f"{_text(path) if len(specs) > 1 else ''} of value {spec}, which maps array axis {d} (of size {aval.shape[d]}) to mesh "
                            f"{axis} (of {total}size {size}), but {size} does not evenly divide {aval.shape[d]}")
    if rows:
        raise ValueError(f"shard_map applied to the function '{name}' was given argument arrays with axis sizes that are not evenly divisible by "
                         f"the corresponding mesh axis sizes:\n\nThe mesh given has shape {tuple(mesh.axis_sizes)} with corresponding axis names "
                         f"{mesh.axis_names}.\n\n{_rows(rows)}\n\nArray arguments' axis sizes must be evenly divisible by the mesh axis or axes "
                         "indicated by the corresponding elements of the argument's in_specs entry. Consider checking that in_specs are correct, "
                         f"and if so consider changing the mesh axis sizes or else padding the input and adapting '{name}' appropriately.")


def _explicit(mesh, names):
    return all([kind is AxisType.Explicit for kind in mesh.axis_types]) and names == frozenset(mesh.axis_names)


def _check_shardings(mesh, names, specs, leaves):
    """Over explicit axes an array has to lie as its spec says: one that the program has not placed lies on one device."""
    if not _explicit(mesh, names):
        return
    for spec, x in zip(specs, leaves):
        if spec is not None and _used(spec) and (no_axes_in_types() or _on_one_device(x)):
            aval = core.abstractify(x)
            wanted = P(*spec.partitions, *[None] * (aval.ndim - len(spec)))
            raise ValueError(f"in_specs passed to shard_map: {wanted} does not match the specs of the input: {P(*[None] * aval.ndim)} for arg: "
                             f"{core.aval_name(x)}. `in_specs` is an optional argument so you can omit specifying it and shard_map will infer "
                             "the in_specs from the arguments. If you want to reshard your inputs, you can use `jax.reshard` on the arguments "
                             "and then pass those args to shard_map.")


def _on_one_device(x):
    return core.is_array(x) and not core.is_tracer(x) and isinstance(sharding_of(x), SingleDeviceSharding)


def _rows(rows):
    return rows[0] if len(rows) == 1 else "\n\n".join([f"* {row}" for row in rows])


def _text(path):
    return "".join([str(k) for k in path])


def _bound_to(f, name, path):
    names = core.parameter_names(f)
    if not names or path[0].idx >= len(names):
        return ""
    return f", where args{path[0]} is bound to {name}'s parameter '{names[path[0].idx]}',"
