"""What a jitted function gives besides its results: its graph, its stages (`jax.stages`)."""
from _jitlens import core
from _jitlens.python import is_unknown


def _out_info(parts):
    return core.tree_unflatten(parts[2], [core.struct_of(a) for a in parts[1]])


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
        return f"ArgInfo(_aval={self._aval!r}, donated={self.donated})"


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
        if any(map(is_unknown, leaves)):
            # It may be a tree of any form; what comes back has that of the function's results.
            return self.out_tree.unflatten([core.unknown("what a compiled function makes of what is not known")] * len(self._parts[1]))
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
        inputs = [x for aval, x in zip(self._parts[3], leaves) if not is_unknown(aval)]
        results = iter(core.eval_jaxpr(self._parts[0], *inputs))
        return self.out_tree.unflatten([aval if is_unknown(aval) else next(results) for aval in self._parts[1]])

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
