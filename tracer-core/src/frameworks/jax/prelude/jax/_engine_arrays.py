"""Engine services about arrays, dtypes, shapes and random keys that are more easily written in Python over the native ones.

`_jitlens.core` looks here for what it does not have itself.
"""
import math

from _jitlens import core, prims as p

BOOL = core.named_dtype("bool")
INT32 = core.named_dtype("int32")
UINT32 = core.named_dtype("uint32")
FLOAT32 = core.named_dtype("float32")


# ------------------------------------------------------------------------------------------------------ scalar types

class _ScalarMeta:
    __module__ = "jax._src.numpy.scalar_types"
    """`jnp.float32` and its siblings."""

    def __init__(self, name, dtype):
        self.__name__ = name
        self._name = name
        self.dtype = dtype

    @property
    def __class__(self):
        return type

    def __call__(self, x):
        from .numpy import asarray
        return asarray(x, dtype=self.dtype)

    def __eq__(self, other):
        return self is other or self.dtype == (other.dtype if isinstance(other, _ScalarMeta) else other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.dtype.type)

    def __repr__(self):
        return f"<class 'jax.numpy.{self._name}'>"

    def __instancecheck__(self, x):
        return core.numpy_scalar_is(x, self.dtype)


_scalar_types = {}


def scalar_type(name):
    found = _scalar_types.get(name)
    if found is None:
        found = _scalar_types[name] = _ScalarMeta(name, core.named_dtype(name))
    return found


def scalar_type_of(dtype):
    return core.numpy_scalar_class(dtype)


def scalar_type_class(name):
    return core.numpy_scalar_class(core.named_dtype(name))


def numpy_dtype(name):
    return core.named_dtype(name)


def numpy_dtype_of(x):
    return core.numpy_natural_dtype(x)


def canonicalize_any_dtype(dtype, allow_extended):
    return core.canonical_dtype(dtype)


def itemsize_bits(dtype):
    return core.dtype_bits(dtype)


# name: bits, eps, max, smallest normal, smallest subnormal, nmant, nexp, resolution
_FLOATS = {
    "float16": (16, 2.0 ** -10, 65504.0, 2.0 ** -14, 2.0 ** -24, 10, 5, 1e-3),
    "bfloat16": (16, 2.0 ** -7, 3.3895313892515355e38, 2.0 ** -126, 2.0 ** -133, 7, 8, 1e-2),
    "float32": (32, 2.0 ** -23, 3.4028234663852886e38, 2.0 ** -126, 2.0 ** -149, 23, 8, 1e-6),
    "float64": (64, 2.0 ** -52, 1.7976931348623157e308, 2.0 ** -1022, 5e-324, 52, 11, 1e-15),
}


def _narrow_float(name):
    """The row of a float of fewer than 16 bits; None for others."""
    found = core.narrow_format(name)
    if found is None:
        return None
    nexp, nmant, least, _, largest, signed = found
    subnormal = 2.0 ** (least - nmant)
    return core.dtype_bits(name), 2.0 ** -nmant, largest, 2.0 ** least, subnormal, nmant, nexp, 1.0 if nmant == 1 else 0.1


def _no_number(x):
    """The letter and the name of NumPy's type for what stands for no number; None for others."""
    if x is object:
        return "O", "object_"
    if x is str or isinstance(x, str) and not core.names_dtype(x):
        return "U", "str_"
    return ("V", "void") if isinstance(x, dict) else None


def _type_asked(x):
    """The type that a name or class names, however wide arrays are here; that of a value otherwise."""
    if core.is_dtype(x):
        return x
    return core.numpy_dtype_from(x) if isinstance(x, (type, str, _ScalarMeta)) else core.dtype(x)


# Those that there are, by the names of their dtypes: NumPy makes each once, too.
_float_infos = {}


class finfo:
    """`jnp.finfo`."""

    def __new__(cls, dtype):
        known = _float_infos.get(dtype.name) if core.is_dtype(dtype) else None
        if known is not None:
            return known
        if type(dtype) in (int, float, bool, complex):
            raise TypeError(f"Cannot interpret '{dtype}' as a data type")
        other = _no_number(dtype)
        if other:
            raise ValueError(f"data type <class 'numpy.{other[1]}'> not inexact")
        if dtype is None:
            dtype = core.named_dtype("float64")     # as NumPy reads None
        dtype = _type_asked(dtype)
        name = {"complex64": "float32", "complex128": "float64"}.get(dtype.name, dtype.name)
        if name in _float_infos:
            return _float_infos[name]
        row = _FLOATS[name] if name in _FLOATS else _narrow_float(name)
        if row is None:
            if core.is_key_dtype(dtype):
                raise TypeError(f"Cannot interpret '{dtype}' as a data type")
            raise ValueError(f"data type {dtype.type} not inexact")
        self = _float_infos[name] = object.__new__(cls)
        self.dtype = core.named_dtype(name)
        self.bits, eps, largest, tiny, subnormal, self.nmant, self.nexp, resolution = row
        number = lambda x: core.numpy_scalar(x, self.dtype)
        self.eps = number(eps)
        self.max = number(largest)
        narrow = core.narrow_format(name)
        self.min = number(-largest if narrow is None or narrow[5] else tiny)
        self.tiny = self.smallest_normal = number(tiny)
        self.smallest_subnormal = number(subnormal)
        self.resolution = number(resolution)
        self.epsneg = number(max(eps / 2, subnormal))
        self.minexp = {"float16": -14, "float64": -1022}.get(name, -126)
        self.maxexp = {"float16": 16, "float64": 1024}.get(name, 128)
        self.precision = {"float16": 3, "float32": 6, "float64": 15}.get(name, 2)
        if narrow is not None:
            self.minexp, self.maxexp, self.precision = narrow[2], narrow[3], int(self.nmant != 1)
        self.machep, self.negep = -self.nmant, int(math.log2(float(self.epsneg)))
        return self

    def __repr__(self):
        # NumPy rounds its own narrowest float.
        largest, least = ("6.55040e+04", "-6.55040e+04") if self.dtype.name == "float16" else (str(self.max), str(self.min))
        return f"finfo(resolution={str(self.resolution)}, min={least}, max={largest}, dtype={self.dtype})"

    def __str__(self):
        line = "-" * 63
        least = "-max" if self.min == -self.max else str(self.min)
        return f"""Machine parameters for {self.dtype}
{line}
precision = {self.precision}   resolution = {str(self.resolution)}
machep = {self.machep}   eps =        {str(self.eps)}
negep =  {self.negep}   epsneg =     {str(self.epsneg)}
minexp = {self.minexp}   tiny =       {str(self.tiny)}
maxexp = {self.maxexp}   max =        {str(self.max)}
nexp =   {self.nexp}   min =        {least}
smallest_normal = {str(self.smallest_normal)}   smallest_subnormal = {str(self.smallest_subnormal)}
{line}
"""


class iinfo:
    """`jnp.iinfo`."""

    def __init__(self, int_type):
        if int_type is None:
            raise ValueError("Invalid integer data type 'f'.")
        other = ("O", "") if isinstance(int_type, (list, tuple)) else _no_number(int_type)
        if other:
            raise ValueError(f"Invalid integer data type {other[0]!r}.")
        # A number of Python's is one of 64 bits.
        dtype = core.named_dtype("int64") if type(int_type) is int else _type_asked(int_type)
        if core.dtype_kind(dtype) != "int":
            raise ValueError(f"Invalid integer data type {dtype.kind!r}.")
        self.dtype = dtype
        self.bits = core.dtype_bits(dtype)
        self.kind = "u" if dtype.name[0] == "u" else "i"
        self.min = 0 if self.kind == "u" else -(1 << (self.bits - 1))
        self.max = (1 << self.bits) - 1 if self.kind == "u" else (1 << (self.bits - 1)) - 1

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def spacing_of_eps(dtype):
    return float(finfo(dtype).eps) ** 2


def precision(value):
    if value is None:
        value = core.config_read("jax_default_matmul_precision")
    return None if value is None else core.named_precision(value)


def scatter_mode_name(mode):
    return None if mode is None else core.named_scatter_mode(mode)


# -------------------------------------------------------------------------------------------------- NumPy's values

def numpy_int64(value):
    return core.numpy_scalar(value, core.named_dtype("int64"))


def numpy_ints(values):
    return core.numpy_array(values, core.named_dtype("int64"))


def numpy_shape(x):
    shape = []
    while isinstance(x, (list, tuple)):
        shape.append(len(x))
        if not x:
            break
        x = x[0]
    return tuple(shape)


def numpy_regular_shape(x):
    return core.numpy_array(x).shape


def numpy_delete(xs, index):
    xs = list(xs)
    if type(index) is not int:
        import numpy
        return numpy_ints([int(n) for n in numpy.delete(numpy.array(xs, "int64"), index)])
    if not -len(xs) <= index < len(xs):
        raise IndexError(f"index {index} is out of bounds for axis 0 with size {len(xs)}")
    del xs[index]
    return numpy_ints(xs)


def from_python(x, dtype):
    return core.numpy_array(x, dtype)


def flatten_lists(x):
    leaves = []
    _flatten(x, leaves)
    return leaves, any(core.is_array(leaf) for leaf in leaves)


def _flatten(x, leaves):
    if isinstance(x, (list, tuple)):
        for item in x:
            _flatten(item, leaves)
    elif x is None:
        raise ValueError("None is not a valid value for jnp.array")
    else:
        leaves.append(core.arraylike_value(x))


def known_max(x):
    """The largest of some integers, as JAX finds it: within a graph that is staged it is a tracer."""
    from .numpy import max as largest
    return largest(x)


def float0_like(x):
    return core.full_of(core.float0, core.shape(x))


def short_type_name(x):
    return core.aval(x).str_short(True)


# ------------------------------------------------------------------------------------------------------------ shapes

def product(xs):
    out = 1
    for x in xs:
        out *= x
    return out


def dimension(x):
    return core.concrete_index(x)


def constant_int(k):
    return core.concrete_dim(k)


def is_python_int(x):
    return core.is_static_integer(x) or isinstance(x, bool)


def split_at(x, sizes, axis):
    return p.split(core.asarray(x), sizes=tuple(sizes), axis=axis)


def eye(dtype, shape):
    rows = p.iota(dtype=INT32, shape=tuple(shape), dimension=0, sharding=None)
    columns = p.iota(dtype=INT32, shape=tuple(shape), dimension=1, sharding=None)
    return core.convert(p.eq(p.add(rows, core.constant(0, INT32)), columns), dtype)


def lax_tril(x, k=0):
    """The lower triangle, by equations of the graph that is being staged."""
    from .lax import broadcast_in_dim, broadcasted_iota, full_like, select
    shape = x.shape[-2:]
    rows = broadcasted_iota(INT32, shape, 0) + core.numpy_array(k, INT32)
    mask = p.ge(rows, broadcasted_iota(INT32, shape, 1))
    if x.ndim > 2:
        mask = broadcast_in_dim(mask, x.shape, (x.ndim - 2, x.ndim - 1))
    return select(mask, x, full_like(x, 0))


def named_axis_size(name):
    return core.axis_frame_size(name)


def reduce_named(name, x, axes):
    from . import lax
    if name not in ("sum", "max", "min"):
        raise NotImplementedError(f"Named reductions not implemented for jnp.{name}()")
    try:
        return getattr(lax, "p" + name)(x, axes)
    except NameError:
        return p.psum(x, axes=axes, axis_index_groups=None)     # which says whose axis it is


# ------------------------------------------------------------------------------------------------------- random keys

class PRNGImpl:
    """How keys draw their bits."""

    def __init__(self, name, tag, key_shape):
        self.name = name
        self.tag = tag
        self.key_shape = key_shape

    def __repr__(self):
        return self.tag

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, PRNGImpl) and self.name == other.name


_IMPLS = {name: PRNGImpl(name, tag, shape) for name, tag, shape in
          (("threefry2x32", "fry", (2,)), ("rbg", "rbg", (4,)), ("unsafe_rbg", "urbg", (4,)))}


def prng_impl(spec):
    if spec is None:
        spec = core.config_read("jax_default_prng_impl") or "threefry2x32"
    if isinstance(spec, PRNGImpl):
        return spec
    if isinstance(spec, str):
        if spec in _IMPLS:
            return _IMPLS[spec]
        names = ", ".join([f'"{name}"' for name in ("philox2x32", "philox4x32", "threefry2x32", "rbg", "unsafe_rbg", "threefry4x32")])
        raise ValueError(f'unrecognized PRNG implementation "{spec}". Did you mean one of: {names}?')
    if core.is_dtype(spec):
        return key_impl_of(spec)
    raise TypeError(f"unrecognized type {type(spec)} for specifying PRNG implementation.")


def prng_spec(dtype):
    return key_impl_of(dtype).name


def key_dtype(impl):
    return core.named_dtype(f"key<{impl.tag}>")


def key_impl_of(dtype):
    for impl in _IMPLS.values():
        if dtype.name == f"key<{impl.tag}>":
            return impl
    raise TypeError(f"{dtype} is not the dtype of typed keys")


def seed_array(seed):
    if isinstance(seed, int) and not isinstance(seed, bool) and not core.is_unknown_scalar(seed):
        low = seed & ((1 << 64) - 1)
        if low >= 1 << 63:
            low -= 1 << 64
        if not core.x64_enabled():
            low &= (1 << 32) - 1
            if low >= 1 << 31:
                low -= 1 << 32
        return core.constant(low, core.default_int())
    return core.asarray(seed)


_ONE_BITS = {"float16": (0x3C00, "uint16"), "bfloat16": (0x3F80, "uint16"), "float32": (0x3F800000, "uint32"),
             "float64": (0x3FF0000000000000, "uint64")}


def one_bits(dtype):
    narrow = core.narrow_one_bits(dtype)
    bits, name = _ONE_BITS[dtype.name] if narrow is None else (narrow, f"uint{core.dtype_bits(dtype)}")
    return core.constant(bits, core.named_dtype(name))


def next_above(x, dtype):
    """The neighbour of `x` in the direction of zero."""
    magnitude = abs(x)
    step = float(finfo(dtype).eps) / 2 * magnitude
    return core.numpy_scalar((magnitude - step) * (1 if x > 0 else -1), dtype)


# ----------------------------------------------------------------------------------------------------------- classes

class ShapeDtypeStruct:
    """`jax.ShapeDtypeStruct`."""

    _unmodelled = ("format", "like", "manual_axis_type")

    def __init__(self, shape, dtype, *, sharding=None, weak_type=False, vma=None, manual_axis_type=None, is_ref=False):
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        self.shape = tuple(shape)
        self.dtype = dtype if core.is_dtype(dtype) else core.numpy_dtype_from(dtype)
        self.sharding = sharding
        self.weak_type = weak_type
        self.vma = vma
        self.is_ref = is_ref

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return product(self.shape)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def update(self, **fields):
        known = {"shape": self.shape, "dtype": self.dtype, "sharding": self.sharding, "weak_type": self.weak_type}
        known.update(fields)
        return ShapeDtypeStruct(known.pop("shape"), known.pop("dtype"), **known)

    def __repr__(self):
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{weak})"

    __str__ = __repr__

    def __eq__(self, other):
        return isinstance(other, ShapeDtypeStruct) and (self.shape, self.dtype, self.weak_type) == (
            other.shape, other.dtype, other.weak_type)

    def __hash__(self):
        return hash((self.shape, self.dtype, self.weak_type))


DTypeLike = object


# -------------------------------------------------------------------------------------------------------- exceptions

def _error(name, base, module="jax.errors"):
    return type(name, base if isinstance(base, tuple) else (base,), {"__module__": module})


JaxprTypeError = _error("JaxprTypeError", TypeError, "jax._src.core")
InconclusiveDimensionOperation = _error("InconclusiveDimensionOperation", Exception, "jax._src.core")
TypePromotionError = _error("TypePromotionError", ValueError, "jax.dtypes")


class extended:
    """The kind of dtypes that NumPy does not know."""

    __module__ = "jax.dtypes"


class prng_key(extended):
    """The kind of the dtypes of keys."""

    __module__ = "jax.dtypes"


def warn(message, category, stacklevel=3):
    import warnings
    warnings.warn(message, category)


def import_module(name, package=None):
    import importlib
    return importlib.import_module(name, package)


def unmodelled(name):
    return core.unknown(f"`{name}` has no model yet")
