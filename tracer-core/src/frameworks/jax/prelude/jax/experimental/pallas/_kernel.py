"""What kernels call: their point of the grid, conditions, loops and memory of their own."""
from _jitlens import core

from ..._engine_refs import Ref, read

_points = []


class inside:
    """The body of a kernel at a point of its grid."""

    def __init__(self, grid, ids):
        self._entry = (grid, ids)

    def __enter__(self):
        _points.append(self._entry)

    def __exit__(self, *error):
        _points.pop()


def _axis(axis):
    if not _points:
        raise AssertionError
    grid, ids = _points[-1]
    if axis < 0 or axis >= len(grid):
        raise ValueError(f"Axis {axis} is out of bounds for grid {grid}")
    return grid[axis], ids[axis]


def program_id(axis):
    return _axis(axis)[1]


def num_programs(axis):
    return _axis(axis)[0]


def when(condition, /):
    def _wrapped(f):
        if isinstance(condition, bool):
            if condition:
                f()
            return
        from ... import lax
        lax.cond(condition, f, lambda: None)
    return _wrapped


def loop(lower, upper, *, init_carry=None, step=1, unroll=None):
    from ... import lax, numpy as jnp

    def decorator(body):
        def rounds(i, carry):
            at = lower + i * step
            if carry is None:
                body(at)
                return None
            return body(at, carry)

        if all([isinstance(one, int) for one in (lower, upper, step)]):
            count = max(-(-(upper - lower) // step), 0)
        else:
            count = lax.div(jnp.asarray(upper - lower + step - 1), jnp.asarray(step).astype(jnp.asarray(upper - lower).dtype))
        return lax.fori_loop(0, count, rounds, init_carry, unroll=unroll)
    return decorator


def _memory(types):
    from ._call import uninitialized
    from ._specs import MemoryRef
    leaves, tree = core.tree_flatten(types)
    refs = []
    for one in leaves:
        if not isinstance(one, MemoryRef):
            return core.unknown("memory of a kernel that holds no array")
        refs.append(Ref(uninitialized(one.inner_aval), space=str(one.memory_space)))
    return tree.unflatten(refs)


def run_scoped(f, *types, collective_axes=(), **kw_types):
    return f(*_memory(types), **_memory(kw_types))


def with_scoped(*types, collective_axes=(), **kw_types):
    return lambda f: lambda *args, **kwargs: f(*args, *_memory(types), **kwargs, **_memory(kw_types))


def run_state(f):
    def wrapped(init):
        leaves, tree = core.tree_flatten(init)

        def body(*arrays):
            refs = [Ref(x) for x in arrays]
            f(tree.unflatten(refs))
            return [read(ref) for ref in refs]

        avals = [core.typeof(x) for x in leaves]
        graph, consts, _, _ = core.trace_to_jaxpr(body, core.tree_structure((tuple(avals), {})), avals, "run_state", f)
        return tree.unflatten(core.eval_jaxpr(graph, *consts, *[core.asarray(x) for x in leaves]))
    return wrapped


def multiple_of(x, values):
    return x


def reciprocal(x, *, approx=False, full_range=True):
    from ... import numpy as jnp
    return jnp.reciprocal(x)


def broadcast_to(a, shape):
    from ... import numpy as jnp
    return jnp.broadcast_to(a, shape)


def empty(shape, dtype, *, out_sharding=None):
    from ._call import uninitialized
    return uninitialized(core.ShapedArray(tuple(shape), core.numpy_dtype_from(dtype)))


def empty_like(x):
    from ...tree_util import tree_map
    return tree_map(lambda one: empty(one.shape, one.dtype), x)


def debug_print(fmt, *args):
    from ... import debug
    debug.print(fmt if "{" in fmt else fmt + " {}" * len(args), *args)


def debug_check(condition, message):
    return None


def delay(nanos):
    return None


def load(ref, *, mask=None, other=None, **options):
    """`triton.load`, `tpu.load`."""
    from ... import numpy as jnp
    value = ref[...]
    if mask is None:
        return value
    return jnp.where(mask, value, jnp.zeros_like(value) if other is None else other)


def store(ref, val, *, mask=None, **options):
    """`triton.store`, `tpu.store`."""
    from ... import numpy as jnp
    ref[...] = val if mask is None else jnp.where(mask, val, ref[...])
