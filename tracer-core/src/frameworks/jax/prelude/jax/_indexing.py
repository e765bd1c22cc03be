"""Indexing of jax arrays: `x[...]`, `x.at[...].get()` and the scatters behind `x.at[...]`.

An index is parsed into entries `(kind, index, axes)`. Reading tries a static slice (ints and slices), then a dynamic slice
(scalars among them that are traced or out of bounds), then a gather. Kinds: `none`, `ellipsis`, `slice`, `integer` (static),
`boolean`, `array` (integers; 0-d when traced scalar).
"""
import operator

from _jitlens import core, prims as p

from .numpy import _low


def index(x, item):
    """`x[item]`."""
    return take(x, item)


# ---------------------------------------------------------------------------------------------------------- parsing

def _kind(item):
    if item is None:
        return "none"
    if item is Ellipsis:
        return "ellipsis"
    if isinstance(item, slice):
        return "slice"
    if core.is_static_integer(item):
        return "integer"
    if isinstance(item, bool):
        return "boolean"
    if isinstance(item, str):
        raise TypeError(f"JAX does not support string indexing; got idx={item!r}")
    if isinstance(item, (list, tuple)):
        return _sequence_kind(item)
    if isinstance(item, range):
        raise TypeError("Error interpreting argument to <function asarray at 0x7f0000000000> as an abstract array. The problematic value "
                        f"is of type {type(item)} and was passed to the function at path a.")
    if core.is_arraylike(item):
        dtype = core.dtype(item)
        if dtype == bool:
            return "boolean"
        if core.is_array(item) or core.is_numpy_array(item):
            if _low.is_kind(dtype, "integer"):
                return "array"
            raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {item.dtype}")
        raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {core.numpy_dtype_of(item)}")
    if core.holds_no_numbers(item):
        raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {item.dtype}")
    raise IndexError("only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or boolean arrays are valid "
                     f"indices. Got {item}")


def _sequence_kind(item):
    if not item:
        return "array"
    from .numpy._creation import asarray
    dtype = asarray(item).dtype
    if dtype == bool:
        return "boolean"
    if _low.is_kind(dtype, "integer"):
        return "array"
    raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {dtype}")


def _no_list(item):
    """A bare list is not an index."""
    nested = any(isinstance(i, (list, tuple, slice)) or i is Ellipsis or i is None
                 or (core.is_array(i) or core.is_numpy_array(i)) and core.ndim(i) != 0 for i in item if not core.is_unknown_scalar(i))
    shown = "arr[tuple(seq)]" if nested else "arr[array(seq)]"
    raise TypeError("Using a non-tuple sequence for multidimensional indexing is not allowed; "
                    f"use `{shown}` instead of `arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more information.")


def parse(item, shape):
    """The entries of an index, each with the axes of the array that it consumes."""
    if not isinstance(item, tuple):
        if isinstance(item, (list, range)):
            _no_list(item)
        item = (item,)
    kinds, consumed, ellipsis = [], [], None
    if any([core.is_unknown_scalar(one) for one in item]):
        item = tuple([core.asarray(one) if core.is_unknown_scalar(one) else one for one in item])
    for position, one in enumerate(item):
        kind = _kind(one)
        kinds.append(kind)
        if kind == "boolean":
            consumed.append(core.ndim(one))
        elif kind == "none":
            consumed.append(0)
        elif kind == "ellipsis":
            if ellipsis is not None:
                raise IndexError("an index can only have a single ellipsis ('...')")
            ellipsis = position
            consumed.append(0)
        else:
            consumed.append(1)
    total = sum(consumed)
    if total > len(shape):
        raise IndexError(f"Too many indices: array is {len(shape)}-dimensional, but {total} were indexed")
    if ellipsis is not None:
        consumed[ellipsis] = len(shape) - total
    entries, axis = [], 0
    for one, kind, count in zip(item, kinds, consumed):
        entries.append((kind, one, tuple(range(axis, axis + count))))
        axis += count
    return entries


def _expanded(entries, rank):
    """With a full slice for every axis that an ellipsis or nothing stands for."""
    found, used = [], 0
    for kind, one, axes in entries:
        used += len(axes)
        if kind == "ellipsis":
            found.extend(("slice", slice(None), (axis,)) for axis in axes)
        else:
            found.append((kind, one, axes))
    found.extend(("slice", slice(None), (axis,)) for axis in range(used, rank))
    return found


def _is_static_bound(bound):
    return bound is None or core.is_arraylike(bound) and core.is_concrete(bound)


def _check_slices(entries):
    for position, (kind, one, _) in enumerate(entries):
        if kind == "slice" and not (_is_static_bound(one.start) and _is_static_bound(one.stop) and _is_static_bound(one.step)):
            raise IndexError(f"Slice entries must be static integers. Got {one} at position {position}")


def _mode(mode):
    """A user's `mode=` as the primitives know it."""
    if mode is None or mode in ("fill", "drop", "fill_or_drop"):
        return "fill_or_drop"
    if mode in ("clip", "promise_in_bounds", "one_hot"):
        return mode
    known = core.scatter_mode_name(mode)
    if known is None:
        raise ValueError(f'Unknown gather mode "{mode}"')
    return known


# ---------------------------------------------------------------------------------------------------------- reading

def take(x, item, mode=None, fill_value=None, indices_are_sorted=False, unique_indices=False, normalize=True):
    shape = x.shape
    entries = parse(item, shape)
    slice_mode = "promise_in_bounds" if mode is None else _mode(mode)
    if slice_mode == "promise_in_bounds" or slice_mode == "clip":
        kinds = {entry[0] for entry in entries}
        if "boolean" not in kinds and all(_slices_are_static(entry) for entry in entries):
            if "array" not in kinds:
                result = _static_slice(x, entries, normalize, slice_mode == "promise_in_bounds")
                if result is not None:
                    return result
            result = _dynamic_slice(x, entries, normalize)
            if result is not None:
                return result
    return _gather(x, _without_masks(entries, shape), mode, fill_value, indices_are_sorted, unique_indices, normalize)


def _slices_are_static(entry):
    kind, one, _ = entry
    return kind != "slice" or _is_static_bound(one.start) and _is_static_bound(one.stop) and _is_static_bound(one.step)


def _slice_indices(one, size):
    """`slice.indices`, or None where Python refuses the bounds."""
    if core.is_symbolic_dim(size):
        return _symbolic_indices(one, size)
    try:
        return one.indices(size)
    except TypeError:
        return None


def _is_same(a, b):
    """Whether two sizes are written alike: whether symbols are equal may depend on what they stand for."""
    if core.is_symbolic_dim(a) or core.is_symbolic_dim(b):
        return repr(a) == repr(b)
    return a == b


def _is_within(low, high):
    """Whether `low <= high` for all that their symbols stand for."""
    try:
        return core.surely(low <= high)
    except core.InconclusiveDimensionOperation:
        return False


def _symbolic_indices(one, size):
    """The same along an axis whose size is a symbol, with bounds that lie within it for every size that the symbol stands for."""
    if one.step is not None and one.step == -1 and one.start is None and one.stop is None:
        return size - 1, -1, -1
    step = 1 if one.step is None else operator.index(one.step)
    if step < 1:
        return core.unknown("a slice from the end of an axis whose size is symbolic")

    def bound(at, default):
        if at is None:
            return default
        at = at if core.is_symbolic_dim(at) else operator.index(at)
        if not core.is_symbolic_dim(at) and at < 0:
            at = core.max_dim(0, size + at)
        if not _is_within(0, at):
            return core.unknown("whether a slice lies within an axis whose size is symbolic")
        return core.min_dim(size, at)

    start, stop = bound(one.start, 0), bound(one.stop, size)
    return start, start + core.max_dim(0, stop - start), step


def _static_slice(x, entries, normalize, checked):
    """By `slice`, `rev`, `squeeze`; None where a static slice is not possible."""
    shape = x.shape
    starts, limits, strides, reverse, drop, new = [], [], [], [], [], []
    for kind, one, axes in _expanded(entries, len(shape)):
        if kind == "none":
            new.append(len(starts) - len(drop) + len(new))
            continue
        axis = axes[0]
        size = shape[axis]
        if kind == "integer":
            start = operator.index(one)
            if normalize and start < 0:
                start += size
            inside = _is_within(0, start) and _is_within(start + 1, size)
            if size == 0 or checked and not inside:
                if size and not core.is_symbolic_dim(size):
                    core.note_out_of_bounds(operator.index(one), size, False)
                return None
            if not inside:
                start = min(max(start, 0), size - 1)
            starts.append(start)
            limits.append(start + 1)
            strides.append(1)
            drop.append(axis)
            continue
        bounds = _slice_indices(one, size)
        if bounds is None:
            return None
        start, stop, step = bounds
        if step < 0:
            first = stop + 1 if step == -1 else min(size, stop + 1 + abs(start - stop - 1) % -step)
            starts.append(first)
            limits.append(start + 1 if _is_within(first, start + 1) else first)
            strides.append(-step)
            reverse.append(axis)
        else:
            starts.append(start)
            limits.append(stop if _is_within(start, stop) else start)
            strides.append(step)
    plain = all(step == 1 for step in strides)
    if not plain or any([not _is_same(start, 0) for start in starts]) or not all(map(_is_same, limits, shape)):
        x = p.slice(x, start_indices=tuple(starts), limit_indices=tuple(limits), strides=None if plain else tuple(strides))
    return _finish(x, reverse, drop, new)


def _finish(x, reverse, drop, new):
    if reverse:
        x = p.rev(x, dimensions=tuple(reverse))
    if drop:
        x = _low.squeeze(x, drop)
    if new:
        x = _low.expand_dims(x, new)
    return x


def _dynamic_slice(x, entries, normalize):
    """By `dynamic_slice`; None where an index is more than scalars and unit slices."""
    shape = x.shape
    starts, sizes, reverse, drop, new = [], [], [], [], []
    trivial = True
    for kind, one, _ in entries:
        if kind == "array" and (isinstance(one, (list, tuple)) or core.shape(one) != ()):
            return None
        if kind == "slice" and one.step is not None and one.step not in (-1, 1):
            return None
    for kind, one, axes in _expanded(entries, len(shape)):
        if kind == "none":
            new.append(len(starts) - len(drop) + len(new))
            continue
        axis = axes[0]
        size = shape[axis]
        if kind != "slice":
            trivial = False
            if size == 0:
                return None
            starts.append(core.asarray(one))
            sizes.append(1)
            drop.append(axis)
            continue
        bounds = _slice_indices(one, size)
        if bounds is None:
            return None
        if one != slice(None):
            trivial = False
        start, stop, step = bounds
        if step < 0:
            first = stop + 1
            starts.append(first)
            sizes.append(max(0, start + 1 - first))
            reverse.append(axis)
        else:
            starts.append(start)
            sizes.append(max(0, stop - start))
    if not trivial:
        if len(starts) > 1:
            index_dtype = core.canonical_dtype("int32")
            starts = [core.convert(start, index_dtype) for start in starts]
        x = dynamic_slice(x, starts, tuple(sizes), normalize)
    return _finish(x, reverse, drop, new)


def normalized_starts(starts, shape, allow_negative=True):
    """Start indices with negative ones counted from the end, as `lax.dynamic_slice` does."""
    found = []
    for start, size in zip(starts, shape):
        if core.is_static_integer(start):
            if start < 0:
                if not allow_negative:
                    raise ValueError(f"Index {start} is out of bounds for dimension {size} if allow_negative_indices=False")
                start += size
            start = core.convert(start, core.dtype(start))
        elif allow_negative and core.dtype(start).kind != "u":
            size = core.constant(size, start.dtype)
            start = p.select_n(p.lt(start, core.constant(0, start.dtype)), start, p.add(start, size))
        found.append(start)
    return found


def dynamic_slice(x, starts, sizes, allow_negative=True):
    return p.dynamic_slice(x, *normalized_starts(starts, x.shape, allow_negative), slice_sizes=sizes)


def _without_masks(entries, shape):
    """Boolean masks that are known as the integer arrays they select; traced ones are an error."""
    found = []
    for position, (kind, one, axes) in enumerate(entries):
        if kind != "boolean":
            found.append((kind, one, axes))
            continue
        if not core.is_concrete(one):
            raise core.NonConcreteBooleanIndexError(core.aval(one).str_short(True))
        assert isinstance(one, (bool, list)) or core.is_array(one) or core.is_numpy_array(one)
        mask_shape = core.shape(one)
        if mask_shape == ():
            found.append((kind, core.concrete_bool(one), axes))
            continue
        expected = [shape[axis] for axis in axes]
        if not all(size in (0, wanted) for size, wanted in zip(mask_shape, expected)):
            raise IndexError(f"boolean index did not match shape of indexed array in index {position}: "
                             f"got {mask_shape}, expected {expected}")
        found.extend(("array", places, (axis,)) for places, axis in zip(core.known_nonzero(one), axes))
    return found


def gather(x, starts, dimension_numbers, slice_sizes, mode="promise_in_bounds", fill_value=None, unique_indices=False,
           indices_are_sorted=False):
    """`p.gather` with the fill value that its mode needs."""
    if mode == "fill_or_drop":
        if fill_value is None:
            fill_value = _fill_value(x.dtype)
    else:
        fill_value = None
    return p.gather(x, starts, dimension_numbers=dimension_numbers, slice_sizes=tuple(slice_sizes),
                    indices_are_sorted=bool(indices_are_sorted), unique_indices=bool(unique_indices), mode=mode,
                    fill_value=fill_value)


def _fill_value(dtype):
    if _low.is_kind(dtype, "inexact"):
        return float("nan")
    if dtype == bool:
        return True
    if _low.is_kind(dtype, "signed"):
        return core.iinfo(dtype).min
    if _low.is_kind(dtype, "unsigned"):
        return core.iinfo(dtype).max
    if core.is_key_dtype(dtype):
        return core.iinfo("uint32").max
    raise ValueError(f"Unsupported dtype for gather fill_value {dtype}")


def _gather(x, entries, mode, fill_value, indices_are_sorted, unique_indices, normalize):
    plan = _Plan(entries, x.shape, normalize)
    if fill_value is not None:
        core.concrete(fill_value, "fill_value argument to indexed get()")
        if core.ndim(fill_value) != 0:
            raise ValueError("fill_value argument to indexed get() must be a scalar")
        if core.is_numpy_array(fill_value):
            fill_value = fill_value.item()
    if plan.bool_dims:
        x = _low.expand_dims(x, plan.bool_dims)
    if 0 in plan.shape:
        return core.full_like(x, 0, shape=tuple(plan.shape))
    if 0 not in plan.indices.shape:
        x = gather(x, plan.indices, core.gather_dimension_numbers(*plan.dims), plan.sizes,
                   "promise_in_bounds" if mode is None else _mode(mode), fill_value,
                   unique_indices or plan.sorted_and_unique, indices_are_sorted or plan.sorted_and_unique)
    if plan.reverse:
        x = p.rev(x, dimensions=tuple(plan.reverse))
    return _low.expand_dims(x, plan.new) if plan.new else x


class _Plan:
    """What `gather` and the scatters need for an index: `indices`, `dims` (offset, collapsed, start map), slice `sizes`, the
    `shape` of what is selected, and what to do after: `reverse`, `new` axes, `bool_dims`."""

    def __init__(self, entries, shape, normalize):
        _check_slices(entries)
        entries = [(kind, _as_array(one), axes) if isinstance(one, (list, tuple)) else (kind, one, axes)
                   for kind, one, axes in entries]
        advanced = [i for i, entry in enumerate(entries) if entry[0] in ("array", "integer")]
        contiguous = all(b - a == 1 for a, b in zip(advanced, advanced[1:]))
        entries = _expanded(entries, len(shape))
        self.bool_dims = [i for i, entry in enumerate(entries) if entry[0] == "boolean"]
        if self.bool_dims:
            entries, shape = _scalar_masks(entries, shape)
        if normalize:
            entries = [_from_the_end(entry, shape) for entry in entries]
        self._build(entries, shape, contiguous)

    def _build(self, entries, shape, contiguous):
        places, arrays, array_axes = [], [], []
        if any(kind == "array" and core.ndim(one) > 0 for kind, one, _ in entries):
            axes_only = [entry for entry in entries if entry[0] != "none"]
            positions = [i for i, entry in enumerate(entries) if entry[0] != "none"]
            for axis, (kind, one, _) in enumerate(axes_only):
                if kind in ("array", "integer"):
                    places.append(positions[axis])
                    arrays.append(core.asarray(one))
                    array_axes.append(axis)
        index_dtype = core.canonical_dtype("int32")
        parts, parts_shape = [], []      # (indices of one axis, its first dimension among the batch dimensions)
        offset, collapsed, start_map = [], [], []
        self.shape, self.sizes, self.new, self.reverse = [], [], [], []
        axis = out = out_without_new = 0
        for position, (kind, one, _) in enumerate(entries):
            if arrays and position == (places[0] if contiguous else 0):
                joined = _low.broadcast_arrays(*arrays)
                batch = joined[0].shape
                parts.extend((core.convert(a, index_dtype), len(parts_shape)) for a in joined)
                parts_shape.extend(batch)
                start_map.extend(array_axes)
                collapsed.extend(array_axes)
                self.shape.extend(batch)
                out += len(batch)
                out_without_new += len(batch)
            if position in places:
                axis += 1
                self.sizes.append(1)
            elif kind in ("integer", "array"):
                if shape[axis] == 0:
                    raise IndexError(f"index is out of bounds for axis {axis} with size 0")
                parts.append((core.convert(one, index_dtype), len(parts_shape)))
                collapsed.append(axis)
                self.sizes.append(1)
                start_map.append(axis)
                axis += 1
            elif kind == "none":
                self.shape.append(1)
                self.new.append(out)
                out += 1
            else:
                start, step, count = _slice_extent(one, shape[axis])
                self.shape.append(count)
                if step == 1:
                    if count != shape[axis]:
                        parts.append((core.convert(start, index_dtype), len(parts_shape)))
                        start_map.append(axis)
                    self.sizes.append(count)
                    offset.append(out_without_new)
                else:
                    steps = p.mul(core.constant(step, index_dtype), _low.iota(index_dtype, count))
                    steps = p.add(core.constant(start, index_dtype), steps)
                    if step < 0:
                        self.reverse.append(out_without_new)
                        steps = p.rev(steps, dimensions=(0,))
                    self.sizes.append(1)
                    parts.append((steps, len(parts_shape)))
                    start_map.append(axis)
                    parts_shape.append(count)
                    collapsed.append(axis)
                out_without_new += 1
                out += 1
                axis += 1
        self.indices = _joined(parts, parts_shape, index_dtype)
        self.dims = (tuple(offset), tuple(sorted(collapsed)), tuple(start_map))
        self.sorted_and_unique = not arrays


def _as_array(sequence):
    from .numpy._creation import asarray
    return asarray(sequence)


def _scalar_masks(entries, shape):
    """Scalar booleans as an index into an axis of size one that is put in for each."""
    shape, found, axis = list(shape), [], 0
    for position, (kind, one, axes) in enumerate(entries):
        if kind == "boolean":
            shape.insert(position, 1)
            found.append(("array", core.numpy_ints(tuple(range(int(one)))), (axis,)))
            axis += 1
        else:
            found.append((kind, one, tuple(range(axis, axis + len(axes)))))
            axis += len(axes)
    return found, tuple(shape)


def _from_the_end(entry, shape):
    kind, one, axes = entry
    if kind == "integer":
        return (kind, one + shape[axes[0]], axes) if one < 0 else entry
    if kind == "array" and core.dtype(one).kind != "u":
        below = one < 0
        size = core.scalar_like(one, shape[axes[0]])
        one = core.asarray(one)
        return kind, p.select_n(core.asarray(below), one, p.add(one, size)), axes
    return entry


def _slice_extent(one, size):
    """(first element, step, count) of a slice; a slice that counts down starts at its lowest element's far end."""
    for bound in (one.start, one.stop, one.step):
        if isinstance(bound, str):
            raise TypeError("'>=' not supported between instances of 'str' and 'int'")
        if bound is not None:
            operator.index(bound)
    start, stop, step = one.indices(size)
    count = max(0, (stop - start + step - (1 if step > 0 else -1)) // step)
    return start, step, count


def _joined(parts, shape, dtype):
    if not parts:
        return core.constant([], dtype)
    if len(parts) == 1:
        only = parts[0][0]
        return _low.expand_dims(only, (only.ndim,))
    shape = tuple(shape) + (1,)
    columns = [p.broadcast_in_dim(part, shape=shape, broadcast_dimensions=tuple(range(first, first + part.ndim)))
               for part, first in parts]
    return p.concatenate(*columns, dimension=len(shape) - 1)


# ---------------------------------------------------------------------------------------------------------- writing

def at_update(x, item, y, primitive, mode=None, indices_are_sorted=False, unique_indices=False, normalize=True, apply=None):
    """`x.at[item].<operation>(y)` by one of the scatter primitives, or with `apply` a function of the selected elements."""
    x = core.asarray(x)
    dtype, weak = x.dtype, core.weak_type(x)
    y = _update_value(y, dtype)
    entries = _without_masks(parse(item, x.shape), x.shape)
    if not core.safe_to_cast(y, x):
        core.warn("scatter inputs have incompatible types: cannot safely cast value "
                  f"from dtype={y.dtype} to dtype={dtype} with "
                  "jax_numpy_dtype_promotion=standard. "
                  "In future JAX releases this will result in an error.", FutureWarning)
    plan = _Plan(entries, x.shape, normalize)
    if mode is None and apply is None and normalize:
        _note_dropped(entries, x.shape)
    if 0 in plan.shape:
        return x
    x, y = core.promote_dtypes(x, y)
    y = _low.broadcast_to(y, tuple(plan.shape))
    y = _low.squeeze(y, plan.new)
    if plan.reverse:
        y = p.rev(y, dimensions=tuple(plan.reverse))
    if plan.bool_dims:
        x = _low.expand_dims(x, plan.bool_dims)
    params = {"dimension_numbers": core.scatter_dimension_numbers(*plan.dims),
              "indices_are_sorted": plan.sorted_and_unique or indices_are_sorted,
              "unique_indices": plan.sorted_and_unique or unique_indices, "mode": _mode(mode)}
    if apply is None:
        out = getattr(p, primitive)(x, plan.indices, y, **params)
    else:
        from .lax import scatter_apply
        numbers, promises = params.pop("dimension_numbers"), {**params, "mode": mode}
        out = scatter_apply(x, plan.indices, apply, numbers, update_shape=y.shape, **promises)
    if plan.bool_dims:
        out = _low.squeeze(out, plan.bool_dims)
    return core.convert(out, dtype, weak)


def _note_dropped(entries, shape):
    """Notes a constant index behind the end: the update is left out."""
    for kind, one, axes in entries:
        if kind == "integer" and not -shape[axes[0]] <= one < shape[axes[0]]:
            core.note_out_of_bounds(operator.index(one), shape[axes[0]], True)


def _update_value(y, dtype):
    from .numpy._creation import asarray
    if isinstance(y, int) and _low.is_kind(dtype, "integer"):
        info = core.iinfo(dtype)
        if info.min <= y <= info.max:
            return asarray(y, dtype=dtype)
    return asarray(y)


class _IndexUpdateHelper:
    """`x.at`."""
    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def __getitem__(self, index):
        return _IndexUpdateRef(self.array, index)

    def __repr__(self):
        return f"_IndexUpdateHelper({self.array!r})"


class _IndexUpdateRef:
    """`x.at[index]`."""
    __slots__ = ("array", "index")

    def __init__(self, array, index):
        self.array = array
        self.index = index

    def __repr__(self):
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    def get(self, *, indices_are_sorted=False, unique_indices=False, mode=None, fill_value=None, out_sharding=None,
            wrap_negative_indices=True):
        return core.again(take, self.array, self.index, mode, fill_value, indices_are_sorted, unique_indices, wrap_negative_indices)

    def set(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        return core.again(at_update, self.array, self.index, values, "scatter", mode, indices_are_sorted, unique_indices,
                          wrap_negative_indices)

    def add(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        return core.again(at_update, self.array, self.index, values, "scatter_add", mode, indices_are_sorted, unique_indices,
                          wrap_negative_indices)

    def subtract(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
                 wrap_negative_indices=True):
        return core.again(at_update, self.array, self.index, values, "scatter_sub", mode, indices_are_sorted, unique_indices,
                          wrap_negative_indices)

    def multiply(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
                 wrap_negative_indices=True):
        return core.again(at_update, self.array, self.index, values, "scatter_mul", mode, indices_are_sorted, unique_indices,
                          wrap_negative_indices)

    mul = multiply

    def divide(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
               wrap_negative_indices=True):
        from .numpy._ufuncs import apply
        factors = self._ones_times(values, indices_are_sorted, unique_indices, mode, wrap_negative_indices)
        return apply("true_divide", self.array, factors)

    def power(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
              wrap_negative_indices=True):
        from .numpy._elementwise import power
        return power(self.array, self._ones_times(values, indices_are_sorted, unique_indices, mode, wrap_negative_indices))

    def _ones_times(self, values, indices_are_sorted, unique_indices, mode, normalize):
        ones = core.full_like(self.array, 1)
        return core.again(at_update, ones, self.index, values, "scatter_mul", mode, indices_are_sorted, unique_indices, normalize)

    def min(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        return core.again(at_update, self.array, self.index, values, "scatter_min", mode, indices_are_sorted, unique_indices,
                          wrap_negative_indices)

    def max(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        return core.again(at_update, self.array, self.index, values, "scatter_max", mode, indices_are_sorted, unique_indices,
                          wrap_negative_indices)

    def apply(self, func, *, indices_are_sorted=False, unique_indices=False, mode=None, wrap_negative_indices=True):
        zero = core.full_like(self.array, 0, shape=())
        return at_update(self.array, self.index, zero, None, mode, indices_are_sorted, unique_indices, wrap_negative_indices,
                         apply=func)


At = _IndexUpdateHelper
