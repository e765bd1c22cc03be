"""Mutable arrays.

A reference holds an array. Under a trace that stages a graph it is stood in for by a reference of that graph: what the outer
one holds when the graph is applied is an input of it, and what was written meanwhile is a result, which the outer one holds
afterwards. So no primitive changes anything.
"""
from _jitlens import core

from ._engine import AbstractRef
from ._engine_errors import UnexpectedTracerError
from ._slices import Slice


class Ref:
    __module__ = "jax"
    _unmodelled = ("committed", "format", "unsafe_buffer_pointer")

    def __init__(self, value, born=None, trace=None, join=None, space=None):
        self._value, self._written, self._space = value, False, space
        # What makes one value of those of all examples that are mapped over, where that is allowed.
        self._join = join
        self._aval = core.typeof(value)
        self._weak = core.weak_type(value)
        self._born = core.traces()[0][1] if born is None else born
        self._trace = core.current_trace() if trace is None else trace

    # What it is.

    shape = property(lambda self: self._aval.shape)
    dtype = property(lambda self: self._aval.dtype)
    ndim = property(lambda self: self._aval.ndim)
    size = property(lambda self: self._aval.size)
    weak_type = property(lambda self: self._weak)
    aval = property(lambda self: AbstractRef(self._aval))
    sharding = property(lambda self: self._value.sharding)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self):
        return bool(self._value) if core.is_tracer(self._value) else len(self) > 0

    def __iter__(self):
        if core.is_tracer(self._value):
            raise TypeError(f"Value of type {type(self._value)} is not iterable.")
        i = 0
        while True:
            yield self[i]
            i += 1

    @property
    def at(self):
        if not core.is_tracer(self._value):
            raise NotImplementedError
        return _ViewIndexer(self)

    def __getattr__(self, name):
        if name in ("T", "reshape") and core.is_tracer(self._value):
            return core.unmodelled("a view of a mutable array")
        if name in Ref._unmodelled:
            return core.unmodelled(f"`{name}` of a mutable array")
        raise AttributeError(f"'{'AbstractRef' if core.is_tracer(self._value) else 'Ref'}' object has no attribute '{name}'")

    def __repr__(self):
        if core.is_tracer(self._value):
            return f"JitTracer({type_text(self)})"
        return repr(self._value).replace("Array", "Ref", 1)

    # What it holds.

    def __getitem__(self, index):
        return _selected(read(self), _parsed(self, index))

    def __setitem__(self, index, value):
        swap_ref(self, index, value)

    def addupdate(self, x, idx=()):
        addupdate_ref(self, idx, x)


def _arithmetic(name):
    def operator(self, *others):
        if core.is_tracer(self._value):
            raise AttributeError(f"'AbstractRef' object has no attribute '_{name}'")
        if not others:
            sign = {"neg": "-", "pos": "+", "invert": "~"}.get(name)
            raise TypeError(f"bad operand type for unary {sign}: 'Ref'" if sign else f"bad operand type for {name}(): 'Ref'")
        return NotImplemented
    return operator


for _name in """add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul and or xor lt le gt ge
                neg pos invert abs""".split():
    setattr(Ref, f"__{_name}__", _arithmetic(_name))
core.register_ref_class(Ref)


class _ViewIndexer:
    def __init__(self, ref):
        self._ref = ref

    def __getitem__(self, index):
        return RefView(self._ref, _parsed(self._ref, index))


class RefView:
    """A part of a reference under a trace (`ref.at[…]`)."""
    __module__ = "jax"

    def __init__(self, ref, index):
        self._ref, self._index = ref, index
        self._aval = core.typeof(read(self))
        self._space = ref._space

    shape = property(lambda self: self._aval.shape)
    dtype = property(lambda self: self._aval.dtype)
    ndim = property(lambda self: self._aval.ndim)
    size = property(lambda self: self._aval.size)
    at = property(lambda self: _ViewIndexer(self))

    def __getattr__(self, name):
        return core.unmodelled(f"`{name}` of a part of a mutable array")

    def __getitem__(self, index):
        return _selected(read(self), _parsed(self, index))

    def __setitem__(self, index, value):
        swap_ref(self, index, value)


def type_text(ref):
    space = f"<{ref._space}>" if ref._space else ""
    return f"Ref{space}{{{ref._aval.str_short()}}}"


def new_ref(init_val, *, memory_space=None, kind=None):
    if isinstance(init_val, Ref):
        raise AssertionError
    if not core.is_jaxtype(init_val):
        raise TypeError("Error interpreting argument to new_ref as a JAX value. The problematic value is of type "
                        f"{type(init_val)} and was passed to new_ref at position 0.")
    return Ref(core.asarray(init_val))


def empty_ref(ty, memory_space=None):
    if core.trace_state_clean():
        raise NotImplementedError("Evaluation rule for 'empty_ref' not implemented")
    return Ref(core.forgotten(core.zeros_of(ty)))


def freeze_ref(ref):
    return read(ref) if isinstance(ref, Ref) else ref


def free_ref(ref):
    return ()


# ------------------------------------------------------------------------------------------------- reading and writing

def read(ref):
    """What a reference holds, under the current trace."""
    if isinstance(ref, RefView):
        return _selected(read(ref._ref), ref._index)
    return _cell(ref)._value


def write(ref, value):
    """Makes a reference hold this array, under the current trace."""
    if isinstance(ref, RefView):
        swap_ref(ref._ref, ref._index, value)
        return
    if ref._join is not None:
        value = ref._join(ref, value)
    cell = _cell(ref, value)
    cell._value = core.convert(value, cell.dtype, cell._weak)
    cell._written = True
    if cell._weak and not core.trace_state_clean():
        _weak_writes[0] += 1


def _cell(ref, value=None):
    """The reference that stands for another one under the current trace; `value` is what will be written to it."""
    traces = core.traces()
    if not any([trace == ref._born for _, trace in traces]):
        raise UnexpectedTracerError("Encountered an unexpected tracer. A function transformed by JAX had a side effect, allowing for a "
                                    f"reference to an intermediate value with type {type_text(ref)} wrapped in a DynamicJaxprTracer "
                                    "to escape the scope of the transformation.")
    for kind, trace in traces:
        if trace == ref._born:
            return ref
        if kind == "jaxpr":
            frame = _frames.get(trace)
            if frame is None:
                core.unknown("a mutable array of an outer function is not modelled here")
            return frame.inner(ref)
        if value is not None and kind == "batch" and ref._join is None:
            raise Exception("performing a set/swap operation with vmapped value on an unbatched array reference of type "
                            f"{type_text(ref)}. Move the array reference to be an argument to the vmapped function?")
        if value is not None and kind == "derivative" and core.trace_of(value) == trace:
            raise Exception("performing a set/swap operation with a differentiated value on a non-differentiated array reference of "
                            f"type {type_text(ref)}. Move the array reference to be an argument of the differentiated function?")


def reachable(ref):
    """Whether a reference can be written to here: every graph around knows of references."""
    for kind, trace in core.traces():
        if trace == ref._born:
            return True
        if kind == "jaxpr":
            return trace in _frames
    return False


def _parsed(ref, index):
    """An index with its mistakes found: one entry for each axis."""
    shape = ref.shape
    index = index if isinstance(index, tuple) else (index,)
    index = tuple([one for one in index if one is not None])
    dots = [i for i, one in enumerate(index) if one is Ellipsis]
    if len(dots) > 1:
        raise ValueError("Only one ellipsis is supported.")
    fill = (slice(None),) * (len(shape) - len(index) + len(dots))
    if dots:
        index = index[:dots[0]] + fill + index[dots[0] + 1:]
    else:
        index = index + fill
    if len(index) > len(shape):
        raise ValueError(f"`indices` must not be longer than `shape`: indices={index}, shape={shape}")
    return tuple([_entry(one, size) for one, size in zip(index, shape)])


def _entry(one, size):
    if isinstance(one, slice):
        for bound in (one.start, one.stop):
            if bound is not None and core.is_tracer(bound):
                bool(bound < 0)
        if one.step is not None and one.step < 1:
            raise ValueError(f"slice must have a step >= 1 (found: {one.step})")
        return one
    if isinstance(one, Slice):
        return one
    if isinstance(one, list):
        raise ValueError("too many values to unpack (expected 1)")
    if isinstance(one, bool):
        return int(one)
    if not core.is_jaxtype(one):
        core.check_arg(one)
    if core.dtype(one) == bool and core.ndim(one):
        raise core.NonConcreteBooleanIndexError(core.typeof(one))
    if core.ndim(one) == 0:
        if core.dtype(one).kind not in "iu":
            one = core.convert(one, core.INT32)
        if not core.is_tracer(one) and not core.is_unknown_scalar(one):
            at = int(one)
            if at >= size and not core.is_staging():
                raise ValueError(f"Out of bound indexer: idx={at}, dim={size}.")
            # What is compiled takes the last one.
            return min(max(at, -size), size - 1)
    return one


def _selected(value, index):
    from ._indexing import take
    value, index = _cut(value, index)
    return take(value, index, "clip")


def _cut(value, index):
    """With dynamic slices done, and what is left to select of each."""
    starts = [one.start if isinstance(one, Slice) else None for one in index]
    if all([start is None for start in starts]):
        return value, index
    from ._indexing import dynamic_slice
    sizes = [one.size if isinstance(one, Slice) else size for one, size in zip(index, value.shape)]
    value = dynamic_slice(value, [0 if start is None else start for start in starts], sizes)
    return value, tuple([slice(None) if isinstance(one, Slice) else one for one in index])


def swap_ref(ref, idx, value):
    index, old, value = _checked(ref, idx, value, "swap")
    from ._indexing import at_update
    held = read(ref)
    if all([isinstance(one, slice) and one == slice(None) for one in index]):
        write(ref, value)
        return old
    part, rest = _cut(held, index)
    part = at_update(part, rest, value, "scatter")
    if part.shape != held.shape:
        from .lax._slicing import dynamic_update_slice
        part = dynamic_update_slice(held, part, [one.start if isinstance(one, Slice) else 0 for one in index])
    write(ref, part)
    return old


def addupdate_ref(ref, idx, x):
    index, old, x = _checked(ref, idx, x, "addupdate")
    swap_ref(ref, idx, old + x)


def _checked(ref, idx, value, what):
    """The index, what it selects, and what is to be put there."""
    if not isinstance(ref, (Ref, RefView)):
        raise ValueError(f"Can only call `ref_{what}` on a `Ref`: {ref}.")
    if not core.is_jaxtype(value):
        raise TypeError(f"Argument '{value}' of type '{type(value)}' is not a valid JAX type")
    index = _parsed(ref, () if idx is None else idx)
    old = _selected(read(ref), index)
    if isinstance(value, float) or isinstance(value, int) and not isinstance(value, bool):
        value = core.asarray(value)
    if core.shape(value) != old.shape:
        raise ValueError(f"Invalid shape for `{what}`. Ref shape: {ref.shape}. Expected shape: {old.shape}. "
                         f"Value shape: {core.shape(value)}. Transforms: {_transforms(index, ref.shape)}. ")
    if core.dtype(value) != ref.dtype:
        raise ValueError(f"Invalid dtype for `{what}`. Ref dtype: {ref.dtype}. Value dtype: {core.dtype(value)}. ")
    return index, old, core.asarray(value)


def _transforms(index, shape):
    """How an index is called in messages."""
    if all([isinstance(one, slice) and one == slice(None) for one in index]):
        return "()"
    parts, arrays = [], ()
    for one, size in zip(index, shape):
        if isinstance(one, slice):
            start, stop, step = one.indices(size)
            parts.append(f"Slice(start={start}, size={max(-(-(stop - start) // step), 0)}, stride={step})")
        elif isinstance(one, Slice):
            parts.append(repr(one))
        else:
            weak = ", weak_type=True" if core.weak_type(one) else ""
            parts.append(f"ShapedArray({core.typeof(one).str_short()}{weak})")
            arrays = core.shape(one) or arrays
    text = ", ".join(parts) + ("," if len(parts) == 1 else "")
    return f"(NDIndexer(indices=({text}), shape={shape}, int_indexer_shape={arrays}, validate=False),)"


def get_ref(ref, idx=None):
    if not isinstance(ref, (Ref, RefView)):
        raise ValueError(f"Can only call `ref_get` on a `Ref`: {ref}.")
    return ref[... if idx is None else idx]


# -------------------------------------------------------------------------------------------------------------- frames

_frames = {}
_weak_writes = [0]


def weak_writes():
    """How often something was written to a reference of a weak type while a graph was staged: what compiled functions read from
    it afterwards is strong, although it was weak while they were traced."""
    return _weak_writes[0]


class Frame:
    """The references of one graph that is being staged."""

    def __init__(self, trace):
        self.trace, self.holder = trace, core.current_trace()
        self.outer, self.cells, self.arguments = [], [], []

    def inner(self, ref):
        for outer, cell in zip(self.outer, self.cells):
            if outer is ref:
                return cell
        if any([given is ref for given, _ in self.arguments]):
            raise ValueError("when tracing a function, a mutable array reference was both closed over and passed as an argument")
        cell = Ref(core.late_argument(ref._value), self.trace, self.holder, space=ref._space)
        self.outer.append(ref)
        self.cells.append(cell)
        return cell

    def argument(self, ref, tracer):
        cell = Ref(tracer, self.trace, self.holder)
        self.arguments.append((ref, cell))
        return cell

    def close(self):
        """In which order captured references go (those that were written last), how many were only read, the references, which
        arguments were written, and what the written ones hold."""
        _frames.pop(self.trace, None)
        order = sorted(range(len(self.cells)), key=lambda i: self.cells[i]._written)
        written = [self.cells[i] for i in order if self.cells[i]._written]
        args = [i for i, (_, cell) in enumerate(self.arguments) if cell._written]
        values = [cell._value for cell in written] + [self.arguments[i][1]._value for i in args]
        return order, len(order) - len(written), [self.outer[i] for i in order], args, values


def open_frame():
    trace = core.traces()[0][1]
    frame = _frames[trace] = Frame(trace)
    return frame


def check_aliases(leaves, names, what):
    """`leaves` are the arguments of `what`: no reference may occur twice."""
    refs = [(leaf, name) for leaf, name in zip(leaves, names) if isinstance(leaf, Ref)]
    for i, (ref, name) in enumerate(refs):
        for other, second in refs[:i]:
            if other is ref:
                raise ValueError("only one reference to a mutable array may be passed as an argument to a function, but when tracing "
                                 f"{what} the mutable array reference of type {type_text(ref)} appeared at both {second} and {name}.")

