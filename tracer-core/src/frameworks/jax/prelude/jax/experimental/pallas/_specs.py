"""How a kernel's grid cuts arrays into blocks."""
import math

from _jitlens import core, prims as p


class _Fields:
    """A record of the arguments it is made with."""
    FIELDS, DEFAULTS = (), {}

    def __init__(self, *args, **kwargs):
        for name, value in zip(self.FIELDS, args):
            setattr(self, name, value)
        for name in self.FIELDS[len(args):]:
            setattr(self, name, kwargs.pop(name, self.DEFAULTS.get(name)))
        for name, value in kwargs.items():
            setattr(self, name, value)


class Blocked:
    """A dimension in blocks of one size."""

    def __init__(self, block_size):
        self.block_size = block_size

    def __repr__(self):
        return f"Blocked(block_size={self.block_size})"

    def __eq__(self, other):
        return type(other) is type(self) and repr(self) == repr(other)

    def __hash__(self):
        return hash(self.block_size)


class Element(Blocked):
    """A dimension whose index is that of an element."""

    def __init__(self, block_size, padding=(0, 0)):
        self.block_size, self.padding = block_size, padding

    def __repr__(self):
        return f"Element(block_size={self.block_size}, padding={self.padding})"


class Squeezed:
    """A dimension that a kernel does not see."""
    block_size = 1

    def __repr__(self):
        return "Squeezed()"


squeezed = Squeezed()


class BoundedSlice:
    def __init__(self, block_size):
        self.block_size = block_size


class _NoBlockSpec:
    def __repr__(self):
        return "NoBlockSpec"


no_block_spec = _NoBlockSpec()


class BlockSpec:
    def __init__(self, block_shape=None, index_map=None, pipeline_mode=None, *, memory_space=None):
        self.block_shape, self.index_map = block_shape, index_map
        self.pipeline_mode, self.memory_space = pipeline_mode, memory_space

    def replace(self, **changes):
        fields = {"block_shape": self.block_shape, "index_map": self.index_map, "pipeline_mode": self.pipeline_mode,
                  "memory_space": self.memory_space}
        return BlockSpec(**{**fields, **changes})


class GridSpec(_Fields):
    FIELDS = ("grid", "in_specs", "out_specs", "scratch_shapes")
    DEFAULTS = {"grid": (), "in_specs": no_block_spec, "out_specs": no_block_spec, "scratch_shapes": ()}
    num_scalar_prefetch = 0


class MemorySpace:
    """Where a reference lies; called with a shape and a type it is such a piece of memory."""

    def __init__(self, name, shown=None):
        self.name, self._shown = name, shown or name.lower()

    def __repr__(self):
        return self._shown

    def __call__(self, shape, dtype):
        return MemoryRef(core.ShapedArray(tuple(shape), core.numpy_dtype_from(dtype)), self)


class MemoryRef:
    def __init__(self, inner_aval, memory_space):
        self.inner_aval, self.memory_space = inner_aval, memory_space

    shape = property(lambda self: self.inner_aval.shape)
    dtype = property(lambda self: self.inner_aval.dtype)


ANY, HOST = MemorySpace("ANY"), MemorySpace("HOST")


class Mapping:
    """How one array is cut: the sizes of its blocks, and the graph that gives a block's place for a point of the grid."""

    def __init__(self, spec, aval, origin, grid, scalars):
        spec = BlockSpec() if spec is no_block_spec or spec is None else spec
        shape, given = aval.shape, spec.block_shape
        blocks = tuple([_entry(one) for one in (shape if given is None else given)])
        if len(blocks) != len(shape):
            raise ValueError(f"Block shape for {origin} (= {blocks}) must have the same number of dimensions as the array shape {shape}.")
        self.blocks, self.aval, self.space = blocks, aval, spec.memory_space
        self.has_map = spec.index_map is not None
        kept = tuple([one.block_size for one in blocks if not isinstance(one, Squeezed)])
        self.block_aval = core.ShapedArray(kept, aval.dtype, weak_type=aval.weak_type)
        self.sizes = [one.block_size for one in blocks]
        if self.has_map:
            self._graph, self._consts = _index_graph(spec.index_map, blocks, origin, grid, scalars)

    def __repr__(self):
        return f"BlockMapping(block_shape={self.blocks})"

    @property
    def is_whole(self):
        """Whether each block is the whole array."""
        return not self.has_map and self.sizes == list(self.aval.shape) and len(self.block_aval.shape) == len(self.sizes)

    def starts(self, ids, scalars):
        """Where the block of this point of the grid begins."""
        if not self.has_map:
            return [core.constant(0, core.INT32) for _ in self.sizes]
        found = core.eval_jaxpr(self._graph, *self._consts, *ids, *scalars)
        return [at if isinstance(one, Element) else p.mul(core.convert(at, core.INT32), core.constant(one.block_size, core.INT32)) for at, one in zip(found, self.blocks)]

    def padded(self, x, fill):
        """The array with whole blocks at its ends."""
        lows, highs = [], []
        for one, size in zip(self.blocks, core.shape(x)):
            if isinstance(one, Element):
                low, high = one.padding
            else:
                low, high = 0, -size % one.block_size if one.block_size else 0
            lows.append(low)
            highs.append(high)
        if not any(lows) and not any(highs):
            return x
        from ... import lax
        return lax.pad(x, fill, [(low, high, 0) for low, high in zip(lows, highs)])

    def trimmed(self, x):
        """The array without what `padded` has put around it."""
        if core.shape(x) == self.aval.shape:
            return x
        lows = [one.padding[0] if isinstance(one, Element) else 0 for one in self.blocks]
        from ... import lax
        return lax.slice(x, lows, [low + size for low, size in zip(lows, self.aval.shape)])

    def cut(self, x, starts):
        """The block that begins there, as the kernel sees it."""
        if self.is_whole:
            return x
        from ... import lax
        block = lax.dynamic_slice(x, starts, self.sizes)
        away = [i for i, one in enumerate(self.blocks) if isinstance(one, Squeezed)]
        return lax.squeeze(block, away) if away else block

    def put(self, x, block, starts):
        """The array with this block."""
        if self.is_whole:
            return block
        from ... import lax
        return lax.dynamic_update_slice(x, lax.reshape(block, tuple(self.sizes)), starts)


def _entry(one):
    if one is None:
        return squeezed
    if isinstance(one, (Blocked, Squeezed)):
        return one
    if isinstance(one, BoundedSlice):
        return core.unknown("blocks of no fixed size")
    return Blocked(int(one))


def _index_graph(index_map, blocks, origin, grid, scalars):
    """The graph of an index map: from a point of the grid (and what scalar references hold) to a number for each dimension."""
    from ..._engine_refs import Ref

    def places(*leaves):
        ids, rest = leaves[:len(grid)], leaves[len(grid):]
        return index_map(*ids, *[Ref(x, space="smem") for x in rest])

    where = core.function_source(index_map)
    avals = [core.ShapedArray((), core.INT32) for _ in grid] + scalars
    tree = core.tree_structure((tuple(avals), {}))
    graph, consts, _, out = core.trace_to_jaxpr(places, tree, avals, "pallas_call index_map", index_map)
    if len(out) != len(blocks):
        raise ValueError(f"Index map function {where} for {origin} must return {len(blocks)} values to match block_shape={blocks}. "
                         f"Currently returning {len(out)} values:")
    for i, aval in enumerate(out):
        if aval.shape or aval.dtype.kind not in "iu":
            weak = "~" if aval.weak_type else ""
            raise ValueError(f"Index map function {where} for {origin} must return integer scalars. Output[{i}] has type "
                             f"{weak}{aval.dtype.name}[{','.join([str(n) for n in aval.shape])}].")
    return graph, consts


def grid_of(grid):
    """The sizes of a grid; nothing where they are not fixed."""
    sizes = grid if isinstance(grid, (tuple, list)) else (grid,)
    fixed = []
    for size in sizes:
        if isinstance(size, tuple):
            size = size[-1]
        if core.is_tracer(size):
            return core.unknown("a grid whose sizes are not fixed")
        fixed.append(int(size))
    return tuple(fixed)


def rounds(grid):
    return math.prod(grid)
