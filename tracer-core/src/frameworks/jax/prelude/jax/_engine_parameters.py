"""Parameters of primitives that are named tuples or members of enumerations.

`_jitlens.core` looks here for them; most programs need none.
"""
from collections import namedtuple

from _jitlens import core

GatherDimensionNumbers = namedtuple(
    "GatherDimensionNumbers",
    "offset_dims collapsed_slice_dims start_index_map operand_batching_dims start_indices_batching_dims", defaults=((), ()),
    module="jax._src.lax.slicing")
ScatterDimensionNumbers = namedtuple(
    "ScatterDimensionNumbers",
    "update_window_dims inserted_window_dims scatter_dims_to_operand_dims operand_batching_dims scatter_indices_batching_dims",
    defaults=((), ()), module="jax._src.lax.slicing")
ConvDimensionNumbers = namedtuple("ConvDimensionNumbers", "lhs_spec rhs_spec out_spec", module="jax._src.lax.convolution")
conv_dimension_numbers = ConvDimensionNumbers
DotAlgorithm = namedtuple("DotAlgorithm", """lhs_precision_type rhs_precision_type accumulation_type lhs_component_count rhs_component_count
    num_primitive_operations allow_imprecise_accumulation""", defaults=(1, 1, 1, False),
    module="jax._src.lax.lax")


class Tolerance:
    """`lax.Tolerance`: how exact a function has to be."""

    def __init__(self, atol=0.0, rtol=0.0, ulps=0):
        if atol < 0.0 or rtol < 0.0 or ulps < 0.0:
            raise ValueError("Tolerances must be non-negative.")
        if atol == rtol == ulps == 0:
            raise ValueError("At least one of atol, rtol, or ulps must be set.")
        self.atol, self.rtol, self.ulps = atol, rtol, ulps


class RaggedDotDimensionNumbers:
    """`lax.RaggedDotDimensionNumbers`: all of it as tuples."""

    __module__ = "jax._src.lax.lax"
    _fields = ("dot_dimension_numbers", "lhs_ragged_dimensions", "rhs_group_dimensions")

    def __init__(self, dot_dimension_numbers, lhs_ragged_dimensions, rhs_group_dimensions):
        self.dot_dimension_numbers = tuple([tuple([tuple(axes) for axes in pair]) for pair in dot_dimension_numbers])
        self.lhs_ragged_dimensions = tuple(lhs_ragged_dimensions)
        self.rhs_group_dimensions = tuple(rhs_group_dimensions)

    def _all(self):
        return (self.dot_dimension_numbers, self.lhs_ragged_dimensions, self.rhs_group_dimensions)

    def __eq__(self, other):
        return isinstance(other, RaggedDotDimensionNumbers) and self._all() == other._all()

    def __hash__(self):
        return hash(self._all())

    def __repr__(self):
        return "RaggedDotDimensionNumbers(" + ", ".join([f"{name}={value!r}" for name, value in zip(self._fields, self._all())]) + ")"


def gather_dimension_numbers(offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims=(),
                             start_indices_batching_dims=()):
    return GatherDimensionNumbers(offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims,
                                  start_indices_batching_dims)


def scatter_dimension_numbers(update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, operand_batching_dims=(),
                              scatter_indices_batching_dims=()):
    return ScatterDimensionNumbers(update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims,
                                   operand_batching_dims, scatter_indices_batching_dims)


class _Member:
    """A member of an enumeration of ours."""

    _short = ("Precision", "DotAlgorithmPreset", "RandomAlgorithm")         # what is written as its name alone
    _plain = ("Precision", "DotAlgorithmPreset", "MemorySpace")             # what `repr` shows without its value

    def __init__(self, owner, name, value):
        self._owner = owner
        self.name = name
        self.value = value

    def __repr__(self):
        whole = f"{self._owner}.{self.name}"
        return whole if self._owner in self._plain else f"<{whole}: {self.value!r}>"

    def __str__(self):
        return self.name if self._owner in self._short else f"{self._owner}.{self.name}"

    def __hash__(self):
        return hash((self._owner, self.name))

    def __eq__(self, other):
        return self is other or isinstance(other, _Member) and (self._owner, self.name) == (other._owner, other.name)


class _Number(_Member, int):
    """A member that is its value as well."""

    def __new__(cls, owner, name, value):
        return int.__new__(cls, value)

    def __str__(self):
        return self.name if self._owner in self._short else str(self.value)

    def __hash__(self):
        return self.value

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, _Member) else other)


_ENUMERATIONS = "jax._src.lax.lax"


class _Enumeration(type):
    """The type of enumerations: their members are listed by name. Values are counted from a number, or given."""

    def __new__(meta, name, members, values=0, kind=_Member):
        return type.__new__(meta, name, (), {"__module__": _ENUMERATIONS})

    def __init__(cls, name, members, values=0, kind=_Member):
        cls._members = {}
        members = members.split()
        values = range(values, values + len(members)) if isinstance(values, int) else values.split()
        for value, member in zip(values, members):
            made = type(name, (kind,), {"__module__": _ENUMERATIONS})(name, member, value)
            cls._members[member] = made
            setattr(cls, member, made)

    def __or__(cls, other):
        return cls

    __ror__ = __or__

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if names is not None:
            return core.unknown("an enumeration that is made of another one")
        if isinstance(value, _Member) and value._owner == cls.__name__:
            return value
        try:
            hash(value)
        except TypeError:
            # What has no hash is held against each of them.
            for member in cls._members.values():
                if member.value == value:
                    return member
            found = cls._missing(value)
        else:
            known = {member.value: member for member in cls._members.values()}
            found = known[value] if value in known else cls._missing(value)
        if found is None:
            raise ValueError(f"{value!r} is not a valid {cls.__name__}")
        return found

    def _missing(cls, value):
        return None

    def __getitem__(cls, name):
        return cls._members[name]

    def __iter__(cls):
        return iter(cls._members.values())

    def __len__(cls):
        return len(cls._members)

    def __instancecheck__(cls, x):
        return isinstance(x, _Member) and x._owner == cls.__name__

    def __repr__(cls):
        return f"<enum {cls.__name__!r}>"


class _Precision(_Enumeration):
    def _missing(cls, value):
        hash(value)
        return cls._members.get("DEFAULT" if value is None else _PRECISIONS.get(value))


Precision = _Precision("Precision", "DEFAULT HIGH HIGHEST")


class _GatherScatterMode(_Enumeration):
    def from_any(cls, mode):
        if isinstance(mode, _Member) and mode._owner == cls.__name__:
            return mode
        name = {None: "FILL_OR_DROP", "fill": "FILL_OR_DROP", "drop": "FILL_OR_DROP", "clip": "CLIP", "one_hot": "ONE_HOT",
                "promise_in_bounds": "PROMISE_IN_BOUNDS"}.get(mode)
        if name is None:
            raise ValueError(f'Unknown gather mode "{mode}"')
        return cls._members[name]


GatherScatterMode = _GatherScatterMode("GatherScatterMode", "CLIP FILL_OR_DROP PROMISE_IN_BOUNDS ONE_HOT", 1)
RoundingMethod = _Enumeration("RoundingMethod", "AWAY_FROM_ZERO TO_NEAREST_EVEN", kind=_Number)
FftType = _Enumeration("FftType", "FFT IFFT RFFT IRFFT", kind=_Number)
RandomAlgorithm = _Enumeration("RandomAlgorithm", "RNG_DEFAULT RNG_THREE_FRY RNG_PHILOX", kind=_Number)
AccuracyMode = _Enumeration("AccuracyMode", "HIGHEST DEFAULT", 1)
DotAlgorithmPreset = _Enumeration("DotAlgorithmPreset", """DEFAULT ANY_F8_ANY_F8_F32 ANY_F8_ANY_F8_F32_FAST_ACCUM ANY_F8_ANY_F8_ANY
    ANY_F8_ANY_F8_ANY_FAST_ACCUM F16_F16_F16 F16_F16_F32 BF16_BF16_BF16 BF16_BF16_F32 BF16_BF16_F32_X3 BF16_BF16_F32_X6
    BF16_BF16_F32_X9 TF32_TF32_F32 TF32_TF32_F32_X3 F32_F32_F32 F64_F64_F64""", 1)
EigImplementation = _Enumeration("EigImplementation", "CUSOLVER MAGMA LAPACK", "cusolver magma lapack")
EighImplementation = _Enumeration("EighImplementation", "QR JACOBI QDWH", "qr jacobi qdwh")
SvdAlgorithm = _Enumeration("SvdAlgorithm", "DEFAULT QR JACOBI POLAR DIVIDE_AND_CONQUER",
                            "default QR Jacobi polar divide_and_conquer")
MemorySpace = _Enumeration("MemorySpace", "Device Host Any", 1)

_PRECISIONS = {"default": "DEFAULT", "fastest": "DEFAULT", "bfloat16": "DEFAULT", "high": "HIGH", "bfloat16_3x": "HIGH",
               "tensorfloat32": "HIGH", "highest": "HIGHEST", "float32": "HIGHEST"}


# Algorithms that XLA does not have on CPU.
_NOT_ON_CPU = frozenset("""ANY_F8_ANY_F8_ANY ANY_F8_ANY_F8_ANY_FAST_ACCUM ANY_F8_ANY_F8_F32 ANY_F8_ANY_F8_F32_FAST_ACCUM BF16_BF16_BF16
    BF16_BF16_F32_X9 F16_F16_F32 TF32_TF32_F32 TF32_TF32_F32_X3""".split())


def _algorithm(name):
    """The parameter for an algorithm; whether there is one is asked where a product is compiled."""
    if name in _NOT_ON_CPU and core.trace_state_clean():
        raise ValueError(f"The precision '{name}' is not supported by dot_general on CPU")
    return name


def named_precision(value):
    """The parameter for a precision that is no `None`."""
    if isinstance(value, str):
        if value in DotAlgorithmPreset._members and value != "DEFAULT":
            return _algorithm(value)
        name = _PRECISIONS.get(value.lower())
        if name is None:
            _refuse(value)
        member = Precision[name]
        return (member, member)
    if isinstance(value, _Member):
        if value._owner == "DotAlgorithmPreset":
            return _algorithm(value.name)
        if value._owner != "Precision":
            core.unmodelled(f"jax.lax.{value!r} as a precision")
        return (value, value)
    if isinstance(value, DotAlgorithm):
        core.unmodelled("jax.lax.DotAlgorithm as a precision")
    if isinstance(value, (tuple, list)) and len(value) == 2:
        if all(isinstance(each, str) for each in value):
            return tuple([named_precision(each)[0] if each.lower() in _PRECISIONS else _refuse(each) for each in value])
        if all(isinstance(each, _Member) and each._owner == "Precision" for each in value):
            return tuple(value)
    _refuse(value)


def _refuse(value):
    raise ValueError(f"""Precision argument must be one of:
None, a name in {list(_PRECISIONS)}, a lax.Precision, a pair of such names or of such values, or what stands for an algorithm; got {value}.""")


def named_scatter_mode(mode):
    """The name of a mode that is no `None`; `None` for what is no mode."""
    return mode.name.lower() if isinstance(mode, _Member) and mode._owner == "GatherScatterMode" else None
