"""`pmap`: what is compiled is a map over the devices of a mesh of one axis."""
from _jitlens import core

from ._arguments import flatten_axes, index_or_tuple
from ._autodiff import wraps
from ._mesh import Mesh, name_of
from ._partition import NamedSharding, P, check_cuts, over
from ._shard_map import check_arguments
from ._vmap import check_axes
from .tree_util import tree_map


def pmap(fun, axis_name=None, *, in_axes=0, out_axes=0, static_broadcasted_argnums=(), devices=None, backend=None,
         axis_size=None, donate_argnums=()):
    if devices is not None and not devices:
        raise ValueError("'devices' argument to pmap must be non-empty, or None.")
    core.check_callable(fun)
    static = _as_tuple(static_broadcasted_argnums)
    donated = tuple([i - sum([1 for s in static if s < i]) for i in _as_tuple(donate_argnums)])
    check_axes("pmap in_axes", in_axes)
    check_axes("pmap out_axes", out_axes)
    name = "_internal_pmap_axis_name" if axis_name is None else axis_name

    @wraps(fun)
    def wrapped(*args, **kwargs):
        dynamic, dynamic_axes, fixed, places = args, in_axes, [], ()
        if static:
            if max(static) >= len(args):
                raise ValueError(f"pmapped function has static_broadcasted_argnums={static} but was called with only {len(args)} "
                                 f"positional argument{'s' if len(args) > 1 else ''}. All static broadcasted arguments must be "
                                 "passed positionally.")
            places = tuple([i for i in range(len(args)) if i in static])
            argnums = [i for i in range(len(args)) if i not in static]
            fixed, dynamic = [_hashable(fun, i, args[i]) for i in places], tuple([args[i] for i in argnums])
            if isinstance(in_axes, tuple):
                dynamic_axes = tuple([in_axes[i] for i in argnums])
        leaves, in_tree = core.tree_flatten((dynamic, kwargs))
        axes = _axes_of_arguments(dynamic_axes, dynamic, kwargs, in_tree)
        size = _mapped_size(leaves, axes)
        if axis_size is not None and axis_size != size:
            raise ValueError(f"Specified axis_size {axis_size} doesn't match received axis_size {size}.")
        mesh = Mesh((core.devices() if devices is None else list(devices))[:size], (name,))
        compiled = _compiled(fun, places, in_tree, tuple(axes), mesh, _OutAxes(out_axes))
        return core.vaguely(compiled, fixed, leaves, _leaves_of(in_tree, donated))

    def lower(*args, **kwargs):
        return core.full_jit(wrapped, static_argnums=static).lower(*args, **kwargs)

    wrapped.lower = lower
    return wrapped


def _as_tuple(argnums):
    found = index_or_tuple(argnums)
    return (found,) if isinstance(found, int) else found


def _hashable(fun, i, x):
    if not core.is_unknown(x):
        try:
            hash(x)
        except TypeError:
            raise ValueError("Non-hashable static arguments are not supported, as this can lead to unexpected cache-misses. Static argument "
                             f"(index {i}) of type {type(x)} for function {core.function_name(fun)} is non-hashable.") from None
    return x


def _leaves_of(in_tree, argnums):
    """The numbers of the leaves of these positional arguments."""
    found, at = [], 0
    for i, child in enumerate(in_tree.children()[0].children()):
        if i in argnums:
            found += range(at, at + child.num_leaves)
        at += child.num_leaves
    return found


# -------------------------------------------------------------------------------------------------- what is compiled

class _Compiled:
    """A function and how its arguments are mapped. All calls share its traces: those that others put somewhere, and those inside
    of a trace."""

    def __init__(self, fun, places, in_tree, in_axes, mesh, out_axes):
        self.mesh, self.in_axes = mesh, in_axes
        self.name, = mesh.axis_names
        self.out_axes = out_axes
        self.statics = tuple(range(len(places)))
        self.shardings = tuple([_sharding(mesh, axis) for axis in in_axes])
        self.made = {}
        of_leaves = out_axes.of

        # The arguments are called so in messages.
        def mapped_over_devices(*flat_args):
            fixed, leaves = flat_args[:len(places)], flat_args[len(places):]
            self.check_blocks(leaves)
            # Inside, all arrays are of one device.
            leaves = [x if core.is_unknown(x) or not core.is_tracer(x) else core.lay(x, ("", ())) for x in leaves]
            out_tree, outs = core.within_mesh(
                "inside of " + name_of(mesh), core.batch_call, _with_fixed(fun, places, fixed), in_tree, list(leaves), list(in_axes), mesh.size,
                self.name, lambda tree: [0 if axis is None else axis for axis in of_leaves(tree)], of_devices=True)
            return core.tree_unflatten(out_tree, [self.result(x, axis) for x, axis in zip(outs, of_leaves(out_tree))])

        mapped_over_devices.stands_for = fun
        self.body = mapped_over_devices

    def result(self, x, axis):
        if axis is None:
            x = x[0]
        return core.lay(x, over(_sharding(self.mesh, axis))) if core.is_array(x) else x

    def check_blocks(self, leaves):
        """Each device is given one element."""
        for x, axis in zip(leaves, self.in_axes):
            if axis is None:
                continue
            shape = list(core.shape(x))
            if shape[axis] != self.mesh.size:
                shape[axis] //= self.mesh.size
                raise ValueError("cannot select an axis to squeeze out which has size not equal to one, got "
                                 f"shape={tuple(shape)} and dimensions=({axis},)")

    def __call__(self, fixed, leaves, donated):
        eager = core.trace_state_clean()
        if eager:
            for x, axis, sharding in zip(leaves, self.in_axes, self.shardings):
                if axis is not None and core.ndim(x) >= len(sharding.spec):
                    check_cuts(sharding, core.shape(x))
        else:
            if not core.any_unknown(leaves):
                check_arguments(_fun, self.mesh, core.tree_structure(tuple(leaves)), [sharding.spec for sharding in self.shardings], leaves)
            core.placed_within_graphs()
        if self.mesh.size > 1:
            # What lies elsewhere is copied first.
            donated = [i for i in donated if core.is_array(leaves[i]) and core.noted_sharding(leaves[i]) == self.shardings[i]]
        which = eager, tuple(donated)
        if which not in self.made:
            self.made[which] = self.jitted(*which)
        return self.made[which](*fixed, *leaves)

    def jitted(self, eager, donated):
        options = {"static_argnums": self.statics, "donate_argnums": tuple([len(self.statics) + i for i in donated])}
        if eager:
            options["in_shardings"] = self.shardings
            options["out_shardings"] = tree_map(lambda axis: _sharding(self.mesh, axis), self.out_axes.axes, is_leaf=lambda x: x is None)
        return core.jit(self.body, **options)


_compiled = core.cached_by_function(_Compiled)


def _fun(*flat_args):
    """What messages call the function within a trace."""


def _with_fixed(fun, places, fixed):
    """`fun` as a function of its other arguments."""
    if not places:
        return fun

    def f(*dynamic, **kwargs):
        full = list(dynamic)
        for i, x in zip(places, fixed):
            full.insert(i, x)
        return fun(*full, **kwargs)

    return f


def _sharding(mesh, axis):
    return NamedSharding(mesh, P() if axis is None else P(*[None] * axis, *mesh.axis_names))


class _OutAxes:
    """The axes of the leaves of a result. Equal ones are one: what pmap stages is kept by function and axes."""

    def __init__(self, axes):
        self.axes = axes

    def of(self, tree):
        return flatten_axes("pmap out_axes", tree, self.axes)

    def __eq__(self, other):
        return type(other) is _OutAxes and self.axes == other.axes

    def __hash__(self):
        leaves, tree = core.tree_flatten(self.axes)
        return hash((tuple(leaves), tree))


# ------------------------------------------------------------------------------------------------------ mapped axes

def _axes_of_arguments(in_axes, args, kwargs, in_tree):
    try:
        return flatten_axes("pmap in_axes", in_tree, (in_axes, 0), kws=True)
    except ValueError:
        from . import _tree_errors
        message = _tree_errors.first_prefix_error("pmap in_axes", (in_axes, 0), (args, kwargs)).args[0]
        message += ("\n\nThe 'full pytree' here is the tuple of arguments passed positionally to the pmapped function, and the "
                    "value of `in_axes` must be a tree prefix of that tuple. But it was not a prefix.")
        if kwargs:
            message += ("\n\nWhen some arguments are passed by keyword to the pmapped function, they are not included in the "
                        "comparison to `in_axes`. Instead, each argument passed by keyword is mapped over its leading axis. See "
                        "the description of `in_axes` in the `pmap` docstring: "
                        "https://docs.jax.dev/en/latest/_autosummary/jax.pmap.html#jax.pmap")
        raise ValueError(message + "\n\nCheck that the value of the `in_axes` argument to `pmap` is a tree prefix of the tuple of "
                         "arguments passed positionally to the pmapped function.") from None


def _mapped_size(leaves, axes):
    for x, axis in zip(leaves, axes):
        if axis is not None and hasattr(x, "shape"):
            return int(x.shape[axis])
    raise ValueError("pmap requires at least one argument with a mapped axis.")
