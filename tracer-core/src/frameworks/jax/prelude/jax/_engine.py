"""Engine services of the transformations that are more easily written in Python over the native ones.

`_jitlens.core` looks here for what it does not have itself.
"""
import functools

from _jitlens import core, prims as p
from _jitlens.python import is_unknown


# ------------------------------------------------------------------------------------------------------- exceptions

class JAXTypeError(TypeError):
    __module__ = "jax.errors"


class JAXIndexError(IndexError):
    __module__ = "jax.errors"


class ConcretizationTypeError(JAXTypeError):
    __module__ = "jax.errors"

    def __init__(self, tracer, context=""):
        if isinstance(tracer, str):
            super().__init__(tracer)
        else:
            super().__init__("Abstract tracer value encountered where concrete value is expected: "
                             f"traced array with shape {core.type_name(tracer)}\n{context}")


class TracerBoolConversionError(ConcretizationTypeError):
    __module__ = "jax.errors"


class TracerArrayConversionError(JAXTypeError):
    __module__ = "jax.errors"


class TracerIntegerConversionError(JAXTypeError):
    __module__ = "jax.errors"


class NonConcreteBooleanIndexError(JAXIndexError):
    __module__ = "jax.errors"

    def __init__(self, tracer):
        super().__init__(f"Array boolean indices must be concrete; got {tracer}\n")


class UnexpectedTracerError(JAXTypeError):
    __module__ = "jax.errors"


class KeyReuseError(RuntimeError):
    __module__ = "jax.errors"


class JaxRuntimeError(RuntimeError):
    __module__ = "jax.errors"


class JaxprTypeError(TypeError):
    __module__ = "jax.errors"


class TypePromotionError(ValueError):
    __module__ = "jax.errors"


class InconclusiveDimensionOperation(Exception):
    __module__ = "jax.errors"


# -------------------------------------------------------------------------------------------------------- key paths

class SequenceKey:
    __match_args__ = ("idx",)

    def __init__(self, idx):
        if isinstance(idx, (float, str, list, tuple, dict)) or idx is None or hasattr(idx, "dtype") and idx.ndim:
            raise TypeError("__init__(): incompatible function arguments. The following argument types are supported: 1. __init__(self, idx: int)")
        self.idx = idx

    def __eq__(self, other):
        return isinstance(other, SequenceKey) and self.idx == other.idx

    def __hash__(self):
        return hash(self.idx)

    def __str__(self):
        return f"[{self.idx!r}]"

    def __repr__(self):
        return f"SequenceKey(idx={self.idx!r})"


class DictKey:
    __match_args__ = ("key",)

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return isinstance(other, DictKey) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __str__(self):
        return f"[{self.key!r}]"

    def __repr__(self):
        return f"DictKey(key={self.key!r})"


class GetAttrKey:
    __match_args__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, GetAttrKey) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return f".{self.name}"

    def __repr__(self):
        return f"GetAttrKey(name={self.name!r})"


class FlattenedIndexKey:
    __match_args__ = ("key",)

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return isinstance(other, FlattenedIndexKey) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __str__(self):
        return f"[<flat index {self.key}>]"

    def __repr__(self):
        return f"FlattenedIndexKey(key={self.key!r})"


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


# ---------------------------------------------------------------------------------------------------------- staging

def _out_info(parts):
    return parts[2].unflatten([struct_of(a) for a in parts[1]])


def out_info(f, parts):
    """What `f.eval_shape(…)` gives."""
    return _out_info(parts)


def make_jaxpr(f, static_argnums, args, kwargs, axis_env=()):
    axes = [(name, size) for name, size in axis_env]
    parts = core.with_axes(axes, False, lambda: core.trace_parts(f, static_argnums or None, args, kwargs))
    return parts[0], _out_info(parts)


def jit_out_info(f, args, kwargs):
    return _out_info(core.trace_parts(f, None, args, kwargs)) if core.is_jitted(f) else None


class ArgInfo:
    __module__ = "jax.stages"

    def __init__(self, _aval, donated):
        self._aval, self.donated = _aval, donated

    @property
    def shape(self):
        return self._aval.shape

    @property
    def dtype(self):
        return self._aval.dtype

    def __repr__(self):
        return f"ArgInfo(_aval={self._aval}, donated={self.donated})"


class _Stage:
    def __init__(self, fun, parts):
        self._fun, self._parts = fun, parts

    @property
    def in_tree(self):
        return self._parts[4]

    @property
    def out_tree(self):
        return self._parts[2]

    @property
    def in_avals(self):
        return self.in_tree.unflatten(self._parts[3])

    @property
    def out_avals(self):
        return self.out_tree.unflatten(self._parts[1])

    @property
    def out_info(self):
        return _out_info(self._parts)

    @property
    def args_info(self):
        return self.in_tree.unflatten([ArgInfo(a, d) for a, d in zip(self._parts[3], self._parts[6])])

    @property
    def donate_argnums(self):
        return tuple([i for i, d in enumerate(self._parts[6]) if d])


class Traced(_Stage):
    __module__ = "jax.stages"
    _unmodelled = ("lojax",)

    @property
    def jaxpr(self):
        return self._parts[0]

    @property
    def fun_name(self):
        return self._parts[7]

    def lower(self, *, lowering_platforms=None, _private_parameters=None):
        return Lowered(self._fun, self._parts)


class Lowered(_Stage):
    __module__ = "jax.stages"

    def compile(self, compiler_options=None, *, device_assignment=None):
        return Compiled(self._fun, self._parts)

    def as_text(self, dialect=None, *, debug_info=False):
        return core.unknown("the text of a lowered function")

    def compiler_ir(self, dialect=None):
        return core.unknown("the compiler's form of a function")

    def cost_analysis(self):
        return core.unknown("the cost of a lowered function")


def lowered(fun, parts):
    if core.has_checks(parts[0]):
        raise ValueError("Cannot abstractly evaluate a checkify.check which was not functionalized. This probably means you tried to stage "
                         "(jit/scan/pmap/...) a `check` without functionalizing it through `checkify.checkify`.")
    return Lowered(fun, parts)


class Compiled(_Stage):
    __module__ = "jax.stages"
    _unmodelled = ("input_formats", "input_shardings", "output_formats", "output_shardings", "runtime_executable")

    def __call__(self, *args, **kwargs):
        leaves, tree = core.tree_flatten((args, kwargs))
        for x in leaves:
            if core.is_tracer(x):
                raise TypeError("Cannot apply JAX transformations to a function lowered and compiled for a particular signature. Detected "
                                f"argument of Tracer type {type(x)}.")
            if not core.is_jaxtype(x):
                core.typeof(x)
        if tree != self.in_tree:
            from ._tree_errors import treedef_differences
            raise TypeError("Function compiled with input pytree does not match the input pytree it was called with. "
                            f"There are {len(list(treedef_differences(self.in_tree, tree)))} mismatches, including:")
        rows = [f"Argument '{name}' compiled with {aval.str_short()} and called with {core.typeof(x).str_short()}"
                for name, aval, x in zip(self._parts[5], self._parts[3], leaves) if not core.typecompat(aval, core.typeof(x))]
        if rows:
            count = "mismatch is" if len(rows) == 1 else "mismatches are"
            raise TypeError("Argument types differ from the types for which this computation was compiled. Perhaps you are calling "
                            "the compiled executable with a different enable_x64 mode than when it was AOT compiled? The "
                            "mismatches are:\n" + "\n".join(rows))
        return self.out_tree.unflatten(core.eval_jaxpr(self._parts[0], *leaves))

    call = __call__

    def as_text(self):
        return core.unknown("the text of a compiled function")

    def cost_analysis(self):
        return core.unknown("the cost of a compiled function")

    def memory_analysis(self):
        return core.unknown("the memory of a compiled function")


class Wrapped:
    __module__ = "jax.stages"


_STAGES = {"Wrapped": Wrapped, "Traced": Traced, "Lowered": Lowered, "Compiled": Compiled, "ArgInfo": ArgInfo}


def stage_class(name):
    return _STAGES[name]


# -------------------------------------------------------------------------------------------------- differentiation

def sum_tangents(_, x, *xs):
    total = x
    for y in xs:
        if type(total) is Zero:
            total = y
        elif type(y) is not Zero:
            total = p.add_any(total, y)
    return total


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

def pmap_call(f, in_tree, args, in_axes, size, axis_name, out_axes):
    available = len(devices())
    if size > available:
        raise ValueError(f"compiling computation that requires {size} logical devices, but only {available} XLA devices are available "
                         f"(num_replicas={size})")
    call, found = _pmapped(f, in_tree, tuple(in_axes), size, axis_name, out_axes)
    outs = call(*args)
    return found["out"], outs


def _pmapped_new(f, in_tree, in_axes, size, axis_name, out_axes):
    found = {}

    def flat(*leaves):
        found["out"], outs = core.batch_call(f, in_tree, list(leaves), list(in_axes), size, axis_name, out_axes, of_devices=True)
        return outs

    return core.jit(flat), found


_pmapped = core.cached_by_function(_pmapped_new)


def shard_map_call(f, in_tree, args, in_specs, mesh, axis_names, check_vma, out_specs):
    from ._shard_map import call_by_blocks
    return call_by_blocks(f, in_tree, args, in_specs, mesh, axis_names, check_vma, out_specs)


# ---------------------------------------------------------------------------------------------------------- context

def _options():
    from . import _options as options
    return options


_global = {}
_overrides = {}


def config_read(name):
    stack = _overrides.get(name)
    if stack:
        return stack[-1]
    if name in _global:
        return _global[name]
    try:
        return _options().DEFAULTS[name]
    except KeyError:
        raise AttributeError(f"Unrecognized config option: {name}") from None


def _check_option(name, value):
    options = _options()
    if name in options.CHOICES:
        allowed = options.CHOICES[name]
        optional = options.DEFAULTS[name] is None
        if value not in allowed and not (optional and value is None):
            start = "None or in" if optional else "in"
            raise ValueError(f"new enum value must be {start} {allowed}, got {value} of type {type(value)}.")


def _tell(name):
    if name in _options().TRACED:
        core.set_option(name, config_read(name))


def config_update(name, value):
    if name not in _options().DEFAULTS:
        raise AttributeError(f"Unrecognized config option: {name}")
    _check_option(name, value)
    _global[name] = value
    _tell(name)


def config_values():
    values = dict(_options().DEFAULTS)
    values.update(_global)
    return values


class _Decorating:
    """A context manager that also decorates functions."""

    def __call__(self, f):
        import functools

        @functools.wraps(f)
        def inner(*args, **kwargs):
            with self:
                return f(*args, **kwargs)
        return inner


class _OptionContext(_Decorating):
    def __init__(self, name, value):
        self.name, self.new_value = name, value

    def __enter__(self):
        _overrides.setdefault(self.name, []).append(self.new_value)
        _tell(self.name)

    def __exit__(self, *error):
        _overrides[self.name].pop()
        _tell(self.name)


def config_context(name, *value):
    if not value:
        default = _options().DEFAULTS.get(name)
        if not isinstance(default, bool):
            raise TypeError(f"Context manager for {name} config option requires an argument representing the new value for the "
                            "config option.")
        value = (True,)
    _check_option(name, value[0])
    return _OptionContext(name, value[0])


class _NamedScope(_Decorating):
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self.name

    def __exit__(self, *error):
        pass


def named_scope(name):
    return _NamedScope(name)


class _EvalContext(_Decorating):
    def __enter__(self):
        self.before = core.enter_eval()

    def __exit__(self, *error):
        core.leave_eval(self.before)


def eval_context():
    return _EvalContext()


class _Folding(_Decorating):
    def __enter__(self):
        self.trace = core.enter_eval() if core.is_staging() else None
        self.before = core.fold(True)

    def __exit__(self, *error):
        core.fold(self.before)
        if self.trace is not None:
            core.leave_eval(self.trace)


def folding():
    return _Folding()


# ---------------------------------------------------------------------------------------------------------- devices

class _Client:
    platform = "cpu"
    platform_version = "cpu"

    def devices(self):
        return devices()

    local_devices = devices

    def device_count(self):
        return len(devices())

    local_device_count = device_count


class Device:
    __module__ = "jaxlib._jax"
    _unmodelled = ("addressable_memories", "default_memory", "get_stream_for_external_ready_events", "live_buffers", "memory",
                   "poison_execution")
    platform = device_kind = "cpu"
    process_index = host_id = task_id = 0
    client = _Client()

    def __init__(self, id=0):
        self.id = self.local_hardware_id = id

    def __repr__(self):
        return f"CpuDevice(id={self.id})"

    def __str__(self):
        return f"cpu:{self.id}"

    def memory_stats(self):
        return None


_devices = []


def _device_count():
    """How many devices the program has asked for: by the option, else by a flag that it has put into its environment."""
    count = config_read("jax_num_cpu_devices")
    if count > 0:
        return count
    import os
    import re
    flags = os.environ.get("XLA_FLAGS", "")
    found = re.findall(r"--xla_force_host_platform_device_count=(\d+)", flags) if isinstance(flags, str) else []
    if not found and core.foreign_call():
        # It may have set the flag.
        return core.unknown("how many devices there are after a call of a module that is not found")
    return int(found[-1]) if found else 1


# What another machine may have: an error is the truth only for a program that asks whether there is one.
_ELSEWHERE = ("gpu", "cuda", "rocm", "tpu", "metal")


def devices(backend=None):
    if backend is not None and backend != "cpu":
        if isinstance(backend, str) and backend.lower() in _ELSEWHERE and not core.is_caught():
            return core.unknown(f"devices of another platform ({backend}) than the CPU")
        raise RuntimeError(f"Unknown backend: '{backend}' requested, but no platforms that are instances of {backend} are present. "
                           "Platforms present are: cpu")
    if not _devices:
        # From now on the number stands, as when a backend has been started.
        count = _device_count()
        if is_unknown(count):
            return count
        _devices.extend([Device(i) for i in range(count)])
    return list(_devices)


def is_placement(x):
    return isinstance(x, Device) or hasattr(x, "device_set") or hasattr(x, "memory_kind")


def device_put(xs, targets, donate, may_alias):
    if core.trace_state_clean() and not any([core.is_tracer(x) for x in xs]):
        return [core.device_put_one(x) for x in xs]
    return core.bind_device_put([core.asarray(x) for x in xs]) if xs else []


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
        return [], params

    def bind(self, *args, **params):
        applied = self._applied.get(_parameters(params)) if self._applied else None
        return getattr(p, self.name)(*args, **params) if applied is None else core.bind_applied(applied, *args)

    def __repr__(self):
        return self.name


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
    if not core.is_tracer(x) and core.trace_state_clean():
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
