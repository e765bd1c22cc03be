"""`jax.export`: the types of an exported function are those of the function."""
import functools

from _jitlens import core

maximum_supported_calling_convention_version = 10
minimum_supported_calling_convention_version = 9
_UNMODELLED = frozenset("SymbolicScope deserialize symbolic_args_specs".split())


def symbolic_shape(shape_spec, *, constraints=(), scope=None, like=None):
    """The sizes that a text names: symbols, constants, and their sums and products."""
    if not isinstance(shape_spec, str):
        raise ValueError(f"symbolic_shape expects the shape specification as a string, got {shape_spec!r}")
    text = shape_spec.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    if constraints or like is not None or "..." in text or "(" in text:
        return core.unmodelled("jax.export.symbolic_shape")
    return tuple([_size(part) for part in text.split(",") if part.strip()])


def _size(text):
    total = 0
    for term in text.split("+"):
        product = 1
        for factor in term.split("*"):
            factor = factor.strip()
            if not factor.isidentifier() and not factor.isdigit():
                return core.unknown(f"the symbolic size `{text}`")
            product = product * (int(factor) if factor.isdigit() else core.symbolic_dim(factor))
        total = total + product
    return total


class DisabledSafetyCheck:
    def __init__(self, _impl):
        self._impl = _impl

    @classmethod
    def platform(cls):
        return cls("platform")

    @classmethod
    def custom_call(cls, target_name):
        return cls(f"custom_call:{target_name}")

    def is_custom_call(self):
        return self._impl.split(":", 1)[1] if self._impl.startswith("custom_call:") else None

    def __eq__(self, other):
        return isinstance(other, DisabledSafetyCheck) and self._impl == other._impl

    def __hash__(self):
        return hash(self._impl)


class Exported:
    def __init__(self, fun, args, kwargs, platforms):
        from ._staging import eval_shape
        self._fun = fun
        self.fun_name = core.function_name(fun)
        leaves, self.in_tree = core.tree_flatten((args, kwargs))
        self.in_avals = tuple([core.ShapedArray(x.shape, x.dtype) for x in [core.abstractify(leaf) for leaf in leaves]])
        outs, self.out_tree = core.tree_flatten(eval_shape(fun, *args, **kwargs))
        self.out_avals = tuple([core.ShapedArray(x.shape, x.dtype) for x in outs])
        self.platforms = ("cpu",) if platforms is None else tuple(platforms)
        self.nr_devices = 1
        self.disabled_safety_checks = self.ordered_effects = self.unordered_effects = ()
        self.calling_convention_version = maximum_supported_calling_convention_version
        self.in_shardings_hlo = (None,) * len(self.in_avals)
        self.out_shardings_hlo = (None,) * len(self.out_avals)
        self.module_kept_var_idx = tuple(range(len(self.in_avals)))
        self.mlir_module_serialized = core.unmodelled("jax.export.Exported.mlir_module_serialized")

    def call(self, *args, **kwargs):
        leaves, tree = core.tree_flatten((args, kwargs))
        if tree != self.in_tree:
            raise ValueError("The invocation args and kwargs must have the same pytree structure as when the function was exported")
        for (path, leaf), aval in zip(core.tree_flatten_with_path((args, kwargs))[0], self.in_avals):
            self._check(path, core.abstractify(leaf), aval)
        # JAX calls what it has compiled: the function is not traced again.
        if any([not isinstance(size, int) for aval in self.in_avals for size in aval.shape]):
            if not self._are_consistent([core.abstractify(leaf).shape for leaf in leaves]):
                return core.unmodelled("what was exported with symbolic sizes")
            inner = core.jit(functools.partial(self._fun.__wrapped__))
            return core.beside(lambda: inner(*args, **kwargs))
        return self._fun(*args, **kwargs)

    def _are_consistent(self, shapes):
        """Whether each symbol that stands alone stands for one size."""
        found = {}
        for shape, aval in zip(shapes, self.in_avals):
            for got, size in zip(shape, aval.shape):
                if not isinstance(size, int) and found.setdefault(str(size), got) != got:
                    return False
        return True

    def _check(self, path, got, wanted):
        where = "args" if path[0].idx == 0 else "kwargs"
        where += "".join([str(key) for key in path[1:]])
        if len(got.shape) != len(wanted.shape):
            raise ValueError(f"Rank mismatch for {where}: expected {wanted.shape} and called with {got.shape}")
        for i, (a, b) in enumerate(zip(wanted.shape, got.shape)):
            # A symbolic size stands for any.
            if isinstance(a, int) and a != b:
                raise ValueError(f"Shape mismatch for {where}.shape[{i}] (expected same constant): expected {wanted.shape} and called with "
                                 f"{got.shape}")
        if wanted.dtype != got.dtype:
            raise ValueError(f"Dtype mismatch for {where}: expected {wanted.dtype} and called with {got.dtype}")

    def has_vjp(self):
        return True

    def vjp(self):
        return core.unmodelled("jax.export.Exported.vjp")

    def mlir_module(self):
        return core.unmodelled("jax.export.Exported.mlir_module")

    def serialize(self, vjp_order=0):
        return core.unmodelled("jax.export.Exported.serialize")

    def in_shardings_jax(self, mesh):
        return (None,) * len(self.in_avals)

    def out_shardings_jax(self, mesh):
        return (None,) * len(self.out_avals)

    def __repr__(self):
        return f"Exported(fun_name={self.fun_name}, ...)"


def export(fun_jit, *, platforms=None, disabled_checks=(), _override_lowering_rules=None):
    if not core.is_jitted(fun_jit):
        raise ValueError(f"Function to be exported must be the result of `jit` but is: {fun_jit}")
    if platforms is not None and isinstance(platforms, str):
        raise TypeError(f"platforms must be a sequence of strings, but it is {platforms!r}")

    def do_export(*args, **kwargs):
        return Exported(fun_jit, args, kwargs, platforms)
    return do_export


def default_export_platform():
    return "cpu"


def is_symbolic_dim(p):
    return core.is_symbolic_dim(p)


def register_pytree_node_serialization(nodetype, *, serialized_name, serialize_auxdata, deserialize_auxdata, from_children=None):
    return nodetype


def register_namedtuple_serialization(nodetype, *, serialized_name):
    return nodetype


def __getattr__(name):
    if name in _UNMODELLED:
        return core.unmodelled("jax.export." + name)
    from . import _removed
    raise AttributeError(_removed.missing("jax.export", name))
