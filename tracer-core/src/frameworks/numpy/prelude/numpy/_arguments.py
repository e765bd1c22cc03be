"""What NumPy makes of arguments that many functions take: one place for each kind, so that all of them refuse the same."""
from _jitlens import core

_BOOL = core.numpy_class("bool")


def order(order):
    """A layout: one letter, or nothing."""
    if order is None:
        return
    if not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")
    if len(order) != 1 or order not in "CFAKcfak":
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")


def rows_or_columns(order_):
    """A layout of what is made anew."""
    order(order_)
    if order_ is not None and order_ not in "CFcf":
        raise ValueError("only 'C' or 'F' order is permitted")


def one_axis(axis, ndim, prefix=""):
    """An axis where only one can be meant; None stays what it is. Numbers count as arrays of one element."""
    if axis is None:
        return None
    if isinstance(axis, (bool, _BOOL)):
        raise TypeError("an integer is required for the axis")
    axis, ndim = core.index(axis), ndim or 1
    if axis < -ndim or axis >= ndim:
        from numpy.exceptions import AxisError
        raise AxisError(axis, ndim, prefix)
    return axis


def is_text(dtype):
    """Whether a dtype is one of texts, however it is named."""
    return dtype is str or dtype is bytes or isinstance(dtype, str) and (dtype[:1] in ("S", "U") or dtype == "str")


def axes_of(axis, ndim, name="", repeated=False):
    """The axes where one or several can be meant, each from the front."""
    if not isinstance(axis, (tuple, list)):
        try:
            axis = [core.index(axis)]
        except TypeError:
            pass
    made = []
    for one in axis:
        one = int(core.index(one))
        if one < -ndim or one >= ndim:
            from numpy.exceptions import AxisError
            raise AxisError(one, ndim, name)
        made.append(one + ndim if one < 0 else one)
    if not repeated and len(set(made)) != len(made):
        raise ValueError(f"repeated axis in `{name}` argument" if name else "repeated axis")
    return tuple(made)


def a_kind(kind):
    """The algorithm of a sort."""
    if kind is not None and not isinstance(kind, str):
        raise TypeError(f"sort kind must be str, not {type(kind).__name__}")
    if kind is not None and kind[:1].lower() not in ("q", "h", "m", "s"):
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})")


def ordered(axis, ndim, kind, order, stable, places=False):
    """What a sort takes: its axis as a number. One that gives places takes none as well, and no truth for a number."""
    if axis is not None or not places:
        if places and isinstance(axis, (bool, _BOOL)):
            raise TypeError("an integer is required for the axis")
        axis = core.index(axis)
    a_kind(kind)
    stable = None if stable is None else bool(stable)
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None and stable is not None:
        raise ValueError("`kind` and keyword parameters can't be provided at the same time. Use only one of them.")
    if axis is not None and not -ndim <= axis < ndim:
        from numpy.exceptions import AxisError
        raise AxisError(axis, ndim)
    return axis


def reduced_axes(axis, ndim, counted=False):
    """The axes that a ufunc's reduction goes along. An array without axes has its first and its last one, but where elements are counted."""
    if axis is None or type(axis) is int and -ndim <= axis < ndim:
        return axis
    several = isinstance(axis, tuple)
    made = []
    for one in axis if several else (axis,):
        if isinstance(one, (bool, _BOOL)):
            raise TypeError("an integer is required for the axis")
        one = core.index(one)
        if not ndim and one in (0, -1) and not several and not counted:
            return ()
        if one < -ndim or one >= ndim:
            from numpy.exceptions import AxisError
            raise AxisError(one, ndim)
        if one % ndim in made:
            raise ValueError("duplicate value in 'axis'")
        made.append(one % ndim)
    return tuple(made) if several else made[0]


def flag(value):
    """A truth that C code reads as an integer."""
    if isinstance(value, (bool, int)):
        return bool(value)
    if isinstance(value, float):
        raise TypeError("integer argument expected, got float")
    if isinstance(value, _BOOL):
        raise TypeError("'numpy.bool' object cannot be interpreted as an integer")
    if getattr(value, "dtype", None) == bool:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    return bool(core.index(value))


def condition(where):
    """What `where=` says of each element: nothing but booleans."""
    made = core.numpy_array(False if where is None else where)
    if made.dtype.kind != "b":
        raise TypeError(f"Cannot cast array data from dtype('{made.dtype}') to dtype('bool') according to the rule 'safe'")
    return made


def _elements(where, shape):
    """The elements that a reduction leaves in."""
    made = condition(where)
    if made.ndim > len(shape):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    if made.ndim:
        from ._shapes import broadcast_shapes
        try:
            broadcast_shapes(made.shape, shape)
        except ValueError:
            tight = [str(s).replace(" ", "") for s in (shape, made.shape)]
            raise ValueError(f"operands could not be broadcast together with remapped shapes [original->remapped]: {tight[0]} {tight[1]} ") from None
    return made


# What reductions take behind their array, by place; what stands behind `*` is given by its name.
_TAKEN = {
    "max min amax amin": "axis out keepdims initial where",
    "nanmax nanmin": "axis out keepdims initial where",
    "all any": "axis out keepdims * where",
    "sum prod nansum nanprod": "axis dtype out keepdims initial where",
    "mean nanmean": "axis dtype out keepdims * where",
    "std var nanstd nanvar": "axis dtype out ddof keepdims * where mean correction",
}
REDUCTIONS = {name: taken.split() for names, taken in _TAKEN.items() for name in names.split()}
# Those that count elements before they add them.
_COUNTED = set("mean std var".split())
_WITHOUT_IDENTITY = {"max": "maximum", "min": "minimum", "amax": "maximum", "amin": "minimum", "nanmax": "fmax", "nanmin": "fmin"}


def of_reduction(name, a, args, kwargs):
    """The options of a reduction of `a`, by name, as it takes them: what it would refuse is raised here."""
    given, places = dict(kwargs), REDUCTIONS[name]
    for place, value in zip(places, args):
        if place == "*" or place in given:
            raise TypeError(f"{name}() got too many arguments, or one of them twice")
        given[place] = value
    # What takes care of what is not a number leaves arrays that cannot have it to the others.
    ndim, counted = core.ndim(a), name in _COUNTED or name in ("nanmean", "nanstd", "nanvar") and core.dtype(a).kind in "biu"
    if counted and "where" in given and given["where"] is None:
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
    if "keepdims" in given:
        given["keepdims"] = flag(given["keepdims"])
    masked = "where" in given and given["where"] is not True
    if masked and counted:
        # Elements are counted first: what is left in has to have the array's own shape.
        from ._shapes import broadcast_to
        made = core.numpy_array(given["where"])
        if made.ndim:
            broadcast_to(made, core.shape(a))
    elif masked:
        condition(given["where"])
    if given.get("axis") is not None:
        given["axis"] = reduced_axes(given["axis"], ndim, counted)
    if masked:
        given["where"] = _elements(given["where"], core.shape(a))
    else:
        given.pop("where", None)
    if given.get("initial") is None:
        adds = name in _WITHOUT_IDENTITY or "initial" in given
        if masked and adds:
            shown = _WITHOUT_IDENTITY.get(name, "multiply" if "prod" in name else "add")
            raise ValueError(f"reduction operation '{shown}' does not have an identity, so to use a where mask one has to specify 'initial'")
        given.pop("initial", None)
    else:
        given["initial"] = _start(given["initial"], a)
    if "correction" in given:
        if given.get("ddof", 0) != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        given["ddof"] = given.pop("correction")
    return given


def _start(initial, a):
    """Where a reduction starts: one number."""
    made = core.numpy_array(initial)
    if made.ndim:
        raise ValueError("setting an array element with a sequence.")
    if made.dtype.kind == "c" and a.dtype.kind in "fiub":
        raise TypeError(f"{'float' if a.dtype.kind == 'f' else 'int'}() argument must be a string or a real number, not 'complex'")
    return made.item() if core.is_array(initial) or core.is_numpy_array(initial) else initial
