"""`pallas_call`: the kernel becomes a graph of what its references hold, and the grid a loop around it."""
from _jitlens import core, prims as p

from ..._engine_refs import Ref, read
from ...tree_util import keystr
from . import _specs
from ._kernel import inside


def pallas_call(kernel, out_shape, *, grid_spec=None, grid=(), in_specs=_specs.no_block_spec, out_specs=_specs.no_block_spec,
                scratch_shapes=(), input_output_aliases={}, debug=False, interpret=False, name=None, compiler_params=None,
                cost_estimate=None, metadata=None):
    if grid_spec is None:
        grid_spec = _specs.GridSpec(grid, in_specs, out_specs, scratch_shapes)
    elif grid:
        raise ValueError(f"If `grid_spec` is specified, then `grid` must be `()`. It is {grid}")
    elif in_specs is not _specs.no_block_spec:
        raise ValueError(f"If `grid_spec` is specified, then `in_specs` must be `no_block_spec`. It is {in_specs}")
    elif out_specs is not _specs.no_block_spec:
        raise ValueError(f"If `grid_spec` is specified, then `out_specs` must be `no_block_spec`. It is {out_specs}")
    elif scratch_shapes:
        raise ValueError(f"If `grid_spec` is specified, then `scratch_shapes` must be `()`. It is {scratch_shapes}")
    if isinstance(out_shape, list):
        out_shape = tuple(out_shape)
    shapes, out_tree = core.tree_flatten(out_shape)
    results = [_type_of(shape) for shape in shapes]

    @core.jit(inline=True)
    def wrapped(*args):
        leaves, in_tree = core.tree_flatten(args)
        call = _Call(kernel, grid_spec, in_tree, out_tree, [core.typeof(x) for x in leaves], results, dict(input_output_aliases))
        made = core.attempt(lambda: call.staged())
        if isinstance(made, str):
            return out_tree.unflatten(core.opaque_call("pallas_call", leaves, results))
        [(body, whole, consts)] = made
        aliases = tuple(input_output_aliases.items())
        outs = p.pallas_call(*consts, *leaves, graph=whole, jaxpr=body, grid_mapping=call.text(), input_output_aliases=repr(aliases),
                             interpret=repr(interpret), name=str(name))
        return out_tree.unflatten(outs)

    return wrapped


def _type_of(shape):
    if isinstance(shape, _specs.MemoryRef):
        return shape.inner_aval
    return core.ShapedArray(tuple(shape.shape), core.numpy_dtype_from(shape.dtype))


def uninitialized(aval):
    """What memory holds that nothing was written to, as interpreted kernels see it: NaN, the least of signed integers, zero."""
    from ... import numpy as jnp
    dtype = aval.dtype
    if jnp.issubdtype(dtype, jnp.inexact):
        return jnp.full(aval.shape, float("nan"), dtype)
    if jnp.issubdtype(dtype, jnp.signedinteger):
        return jnp.full(aval.shape, int(jnp.iinfo(dtype).min), dtype)
    if jnp.issubdtype(dtype, jnp.unsignedinteger) or dtype == bool:
        return jnp.zeros(aval.shape, dtype)
    # Keys of random numbers.
    return core.forgotten(core.zeros_of(aval))


class _Call:
    """A kernel on arguments of certain types."""

    def __init__(self, kernel, spec, in_tree, out_tree, avals, results, aliases):
        self.kernel, self.spec, self.in_tree, self.out_tree = kernel, spec, in_tree, out_tree
        self.avals, self.results, self.aliases = avals, results, aliases
        self.grid = ()
        self.mappings = []

    def text(self):
        comma = "," if len(self.mappings) == 1 else ""
        inner = ", ".join([repr(one) for one in self.mappings])
        return f"GridMapping(grid={self.grid}, block_mappings=({inner}{comma}))"

    def staged(self):
        """The kernel's graph, and that of all rounds."""
        self.grid = _specs.grid_of(self.spec.grid)
        self._map()
        body, made, written = self._trace_kernel()
        tree = core.tree_structure((tuple(self.avals), {}))
        whole, consts, _, _ = core.trace_to_jaxpr(lambda *arrays: self._rounds(body, made, written, arrays), tree, self.avals, "pallas_call")
        return body, whole, consts

    def _map(self):
        count = self.spec.num_scalar_prefetch
        self.scalars, arrays = self.avals[:count], self.avals[count:]
        names = [f"args{key}" for key in _paths(self.in_tree)][count:]
        ins = self._specs("in_specs", "inputs", self.spec.in_specs, self.in_tree, count)
        outs = self._specs("out_specs", "outputs", self.spec.out_specs, self.out_tree, 0)
        out_names = [f"outputs{key}" for key in _paths(self.out_tree)]
        self.ins = [_specs.Mapping(spec, aval, at, self.grid, self.scalars) for spec, aval, at in zip(ins, arrays, names)]
        self.outs = [_specs.Mapping(spec, aval, at, self.grid, self.scalars) for spec, aval, at in zip(outs, self.results, out_names)]
        self.mappings = self.ins + self.outs
        given = self.spec.scratch_shapes
        memory, self.scratch_tree = core.tree_flatten(tuple(given) if isinstance(given, list) else given)
        # Semaphores are handed on as they are.
        self.memory, self.scratch = memory, [one for one in memory if isinstance(one, _specs.MemoryRef)]

    def _specs(self, name, what, specs, tree, skipped):
        """One spec for each leaf."""
        count = tree.num_leaves - skipped
        if specs is _specs.no_block_spec:
            return [specs] * count
        whole = tree.unflatten([0] * tree.num_leaves)
        if what == "outputs" and isinstance(whole, tuple) or what == "inputs":
            specs = tuple(specs) if isinstance(specs, (list, tuple)) else (specs,)
            whole = whole[skipped:]
        elif isinstance(specs, (list, tuple)) and len(specs) == 1:
            [specs] = specs
        leaves, found = core.tree_flatten(specs)
        wanted = core.tree_structure(whole)
        if found != wanted:
            from ..._tree_errors import treedef_differences
            errors = treedef_differences(found, wanted)
            lines = "\n".join([f"    * {f'at {keystr(path)}, ' if path else ''}`{name}` is a {a} but `{what}` is a {b}, so {why}"
                               for path, a, b, why in errors])
            raise ValueError(f"Pytree for `{name}` and `{what}` do not match. There are {len(errors)} mismatches, including:\n{lines}")
        return leaves

    def _trace_kernel(self):
        """The kernel's graph, from its point of the grid, scalars, blocks and scratch memory to what the written of them hold; the constants
        that it is made with; which are written."""
        kernel, dims, found = self.kernel, len(self.grid), {}
        spaces = ["smem"] * len(self.scalars) + [one.space or "default" for one in self.mappings] + [
            one.memory_space for one in self.scratch]
        avals = [core.ShapedArray((), core.INT32) for _ in self.grid]
        avals += self.scalars + [one.block_aval for one in self.mappings] + [one.inner_aval for one in self.scratch]
        where = core.function_source(kernel)

        def body(*leaves):
            refs = [Ref(x, space=str(space)) for x, space in zip(leaves[dims:], spaces)]
            count = len(self.avals)
            args = self.in_tree.unflatten(refs[:count])
            outs = self.out_tree.unflatten(refs[count:count + len(self.outs)])
            memory = iter(refs[count + len(self.outs):])
            rest = self.scratch_tree.unflatten([next(memory) if isinstance(one, _specs.MemoryRef) else one for one in self.memory])
            outs = outs if isinstance(outs, tuple) else (outs,)
            positional, named = (rest, {}) if isinstance(rest, (tuple, list)) else ((), rest)
            with inside(self.grid, leaves[:dims]):
                result = kernel(*args, *outs, *positional, **named)
            if result is not None:
                raise ValueError(f"The kernel function in the pallas_call {where} should return None. It returns a PyTree: "
                                 f"{core.tree_structure(result)}")
            found["written"] = [i for i, ref in enumerate(refs) if ref._written]
            return [read(refs[i]) for i in found["written"]]

        tree = core.tree_structure((tuple(avals), {}))
        graph, consts, _, _ = core.trace_to_jaxpr(body, tree, avals, "pallas_call", kernel)
        # Integers may be indices, which are made here and not by JAX.
        captured = [x for x in consts if core.is_tracer(x) or core.dtype(x).kind in "fcV"]
        if captured:
            kinds = ", ".join([core.typeof(x).str_short(True) for x in captured])
            raise ValueError(f"The kernel function in the pallas_call {where} captures constants [{kinds}]. You should pass them as inputs.")
        return graph, consts, found["written"]

    def _rounds(self, body, made, written, arrays):
        count = len(self.scalars)
        scalars, given = list(arrays[:count]), list(arrays[count:])
        state = [one.padded(x, _fill(one.aval)) for one, x in zip(self.ins, given)]
        sources = {out: at for at, out in self.aliases.items()}
        for i, one in enumerate(self.outs):
            x = arrays[sources[i]] if i in sources else uninitialized(one.aval)
            state.append(one.padded(x, _fill(one.aval)))
        scratch = [uninitialized(one.inner_aval) for one in self.scratch]
        first = len(self.mappings)

        def one_round(at, state):
            ids = _point(at, self.grid)
            state = list(state)
            starts = [one.starts(ids, scalars) for one in self.mappings]
            blocks = [one.cut(x, start) for one, x, start in zip(self.mappings, state, starts)]
            outs = core.eval_jaxpr(body, *made, *ids, *scalars, *blocks, *state[first:])
            for i, x in zip(written, outs):
                i -= count
                if i >= first:
                    state[i] = x
                elif i >= 0:
                    state[i] = self.mappings[i].put(state[i], x, starts[i])
            return tuple(state)

        state = tuple(state + scratch)
        if self.grid:
            from ... import lax
            state = lax.fori_loop(0, _specs.rounds(self.grid), one_round, state)
        else:
            state = one_round(None, state)
        return [one.trimmed(x) for one, x in zip(self.outs, state[len(self.ins):first])]


def _fill(aval):
    return uninitialized(core.ShapedArray((), aval.dtype))


def _point(at, grid):
    """The indices of a round: the last axis goes fastest."""
    from ... import lax
    ids, rest = [], at
    for i in range(len(grid) - 1, -1, -1):
        size = core.constant(max(grid[i], 1), core.INT32)
        ids.append(rest if i == 0 else lax.rem(rest, size))
        rest = rest if i == 0 else lax.div(rest, size)
    return ids[::-1]


def _paths(tree):
    found = core.tree_flatten_with_path(tree.unflatten([0] * tree.num_leaves))[0]
    return [keystr(path) for path, _ in found]
