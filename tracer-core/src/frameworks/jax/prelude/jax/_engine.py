"""Engine services of the transformations that are more easily written in Python over the native ones.

`_jitlens.core` looks here for what it does not have itself.
"""
import functools

from _jitlens import core, prims as p

from ._engine_errors import UnexpectedTracerError


# ------------------------------------------------------------------------------------------------------------ types

class ShapeDtypeStruct:
    __module__ = "jax"
    _unmodelled = ("format", "manual_axis_type")

    @classmethod
    def like(cls, x):
        aval = core.typeof(x)
        return cls(aval.shape, aval.dtype, weak_type=aval.weak_type)

    def __init__(self, shape, dtype, *, sharding=None, weak_type=False, vma=None, is_ref=False, manual_axis_type=None):
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        self.shape = tuple(shape)
        self.dtype = core.numpy_dtype_from(dtype)
        self.weak_type = weak_type
        self.sharding = sharding
        self.is_ref = is_ref

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        size = 1
        for d in self.shape:
            size *= d
        return size

    def __len__(self):
        try:
            return self.shape[0]
        except IndexError as e:
            raise TypeError("len() of unsized object") from e

    def update(self, **kwargs):
        fields = {"shape": self.shape, "dtype": self.dtype, "sharding": self.sharding, "weak_type": self.weak_type}
        fields.update(kwargs)
        return ShapeDtypeStruct(**fields)

    def __eq__(self, other):
        return (isinstance(other, ShapeDtypeStruct) and self.shape == other.shape and self.dtype == other.dtype
                and self.weak_type == other.weak_type and self.sharding == other.sharding)

    def __hash__(self):
        return hash((self.shape, self.dtype, self.weak_type))

    def __repr__(self):
        end = ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{end})"


def struct_of(aval):
    return ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)


class Zero:
    def __init__(self, aval):
        self.aval = aval

    def __repr__(self):
        return f"Zero({self.aval})"


class SymbolicZero:
    def __init__(self, aval):
        self.aval = aval

    @property
    def shape(self):
        return self.aval.shape

    @property
    def dtype(self):
        return self.aval.dtype

    @property
    def ndim(self):
        return self.aval.ndim

    def __repr__(self):
        return f"SymbolicZero({self.aval})"


def is_python_int(x):
    return core.is_static_integer(x)


def dimension(x):
    return core.concrete_dim(x)


def split_at(x, sizes, axis):
    if core.is_numpy_array(x):
        import numpy as np
        ends = []
        for size in sizes[:-1]:
            ends.append(size + (ends[-1] if ends else 0))
        return np.split(x, ends, axis)
    return p.split(x, sizes=tuple(sizes), axis=axis)


# -------------------------------------------------------------------------------------------------- differentiation

def sum_tangents(_, x, *xs):
    total = x
    for y in xs:
        if type(total) is Zero:
            total = y
        elif type(y) is not Zero:
            total = _sum_of_two(total, y)
    return total


def _sum_of_two(x, y):
    """Tangents are of one type: a graph takes no others, and sums at once are what `lax.add` makes of them."""
    a, b = core.typeof(x), core.typeof(y)
    if a.shape == b.shape and a.dtype == b.dtype:
        return p.add_any(x, y)
    if core.is_tracer(x) or core.is_tracer(y):
        raise AssertionError((a, b))
    return p.add(x, y)


def bind_linear_solve(args, const_lengths, jaxprs):
    return p.custom_linear_solve(*args, const_lengths=tuple(const_lengths), jaxprs=tuple(jaxprs))


class _Policy:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


SAVEABLE, RECOMPUTE = _Policy("Saveable"), _Policy("Recompute")


def offloadable(src, dst):
    return _Policy(f"Offloadable(src={src!r}, dst={dst!r})")


# --------------------------------------------------------------------------------------------------------- batching

def shard_map_call(f, in_tree, args, in_specs, mesh, axis_names, check_vma, out_specs):
    from ._shard_map import call_by_blocks
    return call_by_blocks(f, in_tree, args, in_specs, mesh, axis_names, check_vma, out_specs)


# ---------------------------------------------------------------------------------------------------- lax and others

class TypedInt(int):
    """What `stop_gradient` makes of an integer."""

    def __repr__(self):
        return f"TypedInt({int(self)}, dtype={core.default_int()})"

    dtype = property(lambda self: core.default_int())


class TypedFloat(float):
    """What `stop_gradient` makes of a float."""

    def __repr__(self):
        return f"TypedFloat({float(self)}, dtype={core.default_float()})"

    dtype = property(lambda self: core.default_float())


class TypedComplex(complex):
    """What `stop_gradient` makes of a complex number."""

    def __repr__(self):
        return f"TypedComplex({complex(self)}, dtype={self.dtype})"

    dtype = property(lambda self: core.to_complex_dtype(core.default_float()))


def stop_gradient(x):
    if isinstance(x, bool):
        return x
    if isinstance(x, (str, bytes)):
        raise TypeError(f"Argument {x!r} of type {type(x)} is not a valid JAX type")
    for plain, typed in (int, TypedInt), (float, TypedFloat), (complex, TypedComplex):
        if isinstance(x, plain) and not core.is_numpy_scalar(x):
            return x if isinstance(x, typed) else typed(x)
    if core.is_numpy_array(x) or core.is_numpy_scalar(x):
        return core.numpy_array(x, core.canonical_dtype(x.dtype))
    if core.is_key_dtype(core.dtype(x)):
        return x
    return p.stop_gradient(core.jvp_primal(x))


def constant_int(k):
    return int(k)


def product(xs):
    out = 1
    for x in xs:
        out *= x
    return out


class _Primitive:
    """A primitive by its name."""

    _unmodelled = ("abstract_eval", "bind_with_trace", "def_abstract_eval", "def_bind_with_trace", "def_effectful_abstract_eval",
                   "def_effectful_abstract_eval2", "def_impl", "impl", "is_effectful", "is_high", "ref_allocating", "ref_primitive",
                   "skip_canonicalization", "to_lojax")

    call_primitive = map_primitive = False

    def __init__(self, name):
        self.name = name
        self.multiple_results = False
        self._applied = {}

    def remember(self, params, applied):
        """That `bind` with these parameters, those of an equation, is to apply what the equation applies."""
        self._applied[_parameters(params)] = applied

    def get_bind_params(self, params):
        """What `bind` takes to do what an equation does: functions stand for the graphs of rules of one's own."""
        applied = getattr(params, "applied", None)
        if applied is None or not self.name.startswith("custom_"):
            return dict(params)
        return {"subfuns": _Subfuns(applied), "symbolic_zeros": params.get("symbolic_zeros", False)}

    def bind(self, *args, **params):
        if isinstance(params.get("subfuns"), _Subfuns):
            return core.bind_applied(params["subfuns"].applied, *args)
        applied = self._applied.get(_parameters(params)) if self._applied else None
        return getattr(p, self.name)(*args, **params) if applied is None else core.bind_applied(applied, *args)

    def __repr__(self):
        return self.name


class _Subfuns:
    """The functions of an equation, by what it applies."""

    def __init__(self, applied):
        self.applied = applied


def _parameters(params):
    return tuple(sorted(params.items(), key=lambda item: item[0]))


class RuleTable(dict):
    """Rules by primitive. Those of JAX's own are there and not known; setting them changes nothing."""

    def __missing__(self, primitive):
        if isinstance(primitive, _Primitive):
            return core.unknown(f"the rules of `{primitive}`")
        raise KeyError(primitive)

    def get(self, primitive, default=None):
        return self[primitive] if primitive in self else default

    def __contains__(self, primitive):
        return dict.__contains__(self, primitive) or isinstance(primitive, _Primitive) and core.unknown(f"the rules of `{primitive}`")


def rule_table(kind):
    return RuleTable()


_primitives = {}


def primitive(name):
    found = _primitives.get(name)
    if found is None:
        found = _primitives[name] = _Primitive(name)
    return found


any_primitive = primitive


def saved_residuals(f, args, kwargs):
    from . import _jaxprs
    return _jaxprs.saved_residuals(f, args, kwargs)


def check_debug_format(fmt, args, kwargs, skip):
    if skip:
        return "{" in fmt
    # Formats and conversions do not matter: only whether every field has a value, and every value a field.
    used = set()
    try:
        fmt.format(*[_Counted(used, i, arg) for i, arg in enumerate(args)], **{k: _Counted(used, k, arg) for k, arg in kwargs.items()})
    except IndexError:
        raise IndexError("tuple index out of range") from None
    unused_args = [arg for i, arg in enumerate(args) if i not in used]
    unused_kwargs = [k for k in kwargs if k not in used]
    if unused_args:
        raise ValueError(f"Unused positional arguments to `jax.debug.print`: {unused_args}")
    if unused_kwargs:
        raise ValueError(f"Unused keyword arguments to `jax.debug.print`: {unused_kwargs}. You may be passing an f-string (i.e, "
                         "`f\"{x}\"`) into `jax.debug.print` and instead should pass in a regular string.")
    return "{" in fmt


class _Counted:
    """A value that a format may ask for."""

    def __init__(self, used, name, value):
        self._of = (used, name, value)

    def _use(self):
        self._of[0].add(self._of[1])
        return self._of[2]

    def __format__(self, spec):
        self._use()
        return ""

    def __str__(self):
        self._use()
        return ""

    __repr__ = __str__

    def __getattr__(self, name):
        getattr(self._use(), name)
        return ""

    def __getitem__(self, index):
        self._use()[index]
        return ""


class Trace:
    __module__ = "jax._src.core"


class AbstractRef(core.AbstractValue):
    __module__ = "jax._src.state.types"

    def __init__(self, inner_aval):
        self.inner_aval = inner_aval

    @property
    def shape(self):
        return self.inner_aval.shape

    @property
    def dtype(self):
        return self.inner_aval.dtype

    def str_short(self, short_dtypes=False):
        return f"Ref{{{self.inner_aval.str_short(short_dtypes)}}}"

    def __repr__(self):
        return self.str_short()


def OrderedDict(pairs):
    import collections
    return collections.OrderedDict(pairs)


def named_tuple(name, fields, module=None):
    import collections
    return collections.namedtuple(name, fields, module=module)


def custom_jvp(*args, **kwargs):
    from ._custom_jvp import custom_jvp as found
    return found(*args, **kwargs)


def known_const_like(x, value):
    return core.scalar_like(x, value)


def sharding_constraint(x, sharding):
    return p.sharding_constraint(x, **_told(sharding)) if core.is_tracer(x) else x


def _told(sharding):
    """What the type of the result says of meshes, as parameters."""
    from ._partition import over
    found = over(sharding)
    return {} if found is None else {"mesh": found[0], "cut": tuple(found[1])}


def layout_constraint(x, layout):
    return p.layout_constraint(x) if core.is_tracer(x) else x


def reshard(x, sharding):
    return p.reshard(x, **_told(sharding)) if core.is_tracer(x) else x


def check_ordered(name, x):
    """Complex numbers have no largest one."""
    dtype = core.dtype(x)
    if core.dtype_kind(dtype) == "complex":
        raise TypeError(f"{'gt' if name == 'argmax' else 'lt'} does not accept dtype {dtype.name} at position 0. Accepted dtypes at position 0 are "
                        "subtypes of integer, floating, bool.")


def pcast(x, axis_names, to):
    if to not in ("varying", "reduced", "unreduced"):
        raise ValueError("Got unexpected `to` value. Allowed `to` values are: {'varying', 'reduced', 'unreduced'}")
    # Constants are tracers where a graph is staged.
    if not core.is_tracer(core.full((), 0)):
        name = {"varying": "pvary", "reduced": "preduced"}.get(to)
        if name is not None:
            raise ValueError(f"{name} should be called under jax.shard_map.")
    return p.pvary(x, axes=tuple(axis_names)) if core.is_tracer(x) and to == "varying" else x


class UndefinedPrimal:
    def __init__(self, aval):
        self.aval = aval


def bind_reduce_window(operands, inits, jaxpr, consts, window):
    return p.reduce_window(*operands, *inits, jaxpr=jaxpr, **window)


def bind_reduce(operands, inits, computation, jaxpr, consts, dimensions):
    if consts:
        return core.unknown("a reduction by a function that needs arrays of its surroundings")
    return p.reduce(*operands, *inits, computation=repr(computation), jaxpr=jaxpr, dimensions=tuple(dimensions))


def composite(decomposition, name, version, args, kwargs):
    if any([core.is_tracer(value) for value in kwargs.values()]):
        raise UnexpectedTracerError(_ATTRIBUTE.format(name))
    leaves, tree = core.tree_flatten(args)
    pair = core.treedef_tuple([tree, core.tree_structure({})])
    part = functools.partial(decomposition, **kwargs)
    jaxpr, consts, out_tree, _ = core.trace_to_jaxpr(part, pair, [core.typeof(x) for x in leaves], "composite", decomposition)
    if any([core.is_tracer(value) for value in consts]):
        raise UnexpectedTracerError(_CONSTANT.format(name))
    attributes = []
    for key, value in kwargs.items():
        parts, part_tree = core.tree_flatten(value)
        attributes.append((key, tuple(parts), part_tree))
    outs = p.composite(*consts, *leaves, attributes=repr(tuple(attributes)), jaxpr=jaxpr, name=name, version=version)
    return out_tree.unflatten(outs)


_EXPLICIT = ("This means that the decomposition function closes over a value that is involved in a JAX transformation. Any values that "
             "aren't explicitly known at compile time must be explicitly passed as arguments to the composite.")
_CONSTANT = "Found a JAX Tracer as a constant in the decomposition for the composite op '{}'. " + _EXPLICIT
_ATTRIBUTE = ("Found a JAX Tracer as an attribute in the decomposition for the composite op '{}'. " + _EXPLICIT
              + "\n\nNote: If you are passing jax arrays as attributes, use numpy arrays instead.")


def empty_object_array():
    from numpy import _objects
    return _objects.ObjectArray([None], ())
