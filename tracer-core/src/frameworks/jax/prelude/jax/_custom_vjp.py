"""`custom_vjp`: a function with a reverse-mode rule of the user's; `custom_gradient` and `closure_convert`."""
import functools

from _jitlens import core

from ._custom_jvp import _ignoring, nondiff_positions, positional, show_primal, tree_of_types


class CustomVJPPrimal:
    """An argument of a `fwd` rule defined with `symbolic_zeros=True`."""

    def __init__(self, value, perturbed):
        self.value, self.perturbed = value, perturbed

    def __repr__(self):
        return f"CustomVJPPrimal(value={self.value!r}, perturbed={self.perturbed!r})"


class custom_vjp:
    __module__ = "jax._src.custom_derivatives"

    def __init__(self, fun, nondiff_argnums=(), nondiff_argnames=()):
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.nondiff_argnums = nondiff_positions(fun, nondiff_argnums, nondiff_argnames)
        self.fwd = self.bwd = None
        self.symbolic_zeros = self.optimize_remat = False
        # Whether its forward rule runs the function.
        self.runs_fun = False

    def __getattr__(self, name):
        if name.startswith("def"):
            return getattr(self.fun, name)
        raise AttributeError

    def defvjp(self, fwd, bwd, symbolic_zeros=False, optimize_remat=False):
        self.fwd, self.bwd = fwd, bwd
        self.symbolic_zeros, self.optimize_remat = symbolic_zeros, optimize_remat
        if symbolic_zeros and optimize_remat:
            raise NotImplementedError("remat optimization for custom_vjp does not support symbolic zeros")

    def __call__(self, *args, **kwargs):
        name = core.function_name(self.fun)
        if not self.fwd or not self.bwd:
            raise AttributeError(f"No VJP defined for custom_vjp function {name} using defvjp.")
        args = positional("custom_vjp", name, self.fun, args, kwargs)
        fun, fwd, bwd = self.fun, self.fwd, self.bwd
        if self.nondiff_argnums:
            for i in self.nondiff_argnums:
                _reject_tracers(args[i])
            fun, fwd, bwd, args = _without_static(fun, fwd, bwd, self.nondiff_argnums, args)
        if _ignoring:
            return fun(*args)
        if core.only_numbers():
            fun(*args)
        leaves, in_tree = core.tree_flatten(args)
        call = _Call(name, core.function_name(self.fwd), fun, fwd, bwd, in_tree, leaves, self.symbolic_zeros)
        call.runs_fun = self.runs_fun
        outs = core.custom_vjp_call(call.primal, call.forward, call.backward, leaves, out_trees=call.out_trees, name=name,
                                    fwd_name=call.fwd_name, bwd_name=core.function_name(self.bwd),
                                    symbolic_zeros=self.symbolic_zeros)
        return call.out_tree.unflatten(outs)


class _Call:
    """One call: the flat forms of function and rules, and what is learned when they run."""

    def __init__(self, name, fwd_name, fun, fwd, bwd, in_tree, leaves, symbolic_zeros):
        self.name, self.fwd_name = name, fwd_name
        self.fun, self.fwd, self.bwd = fun, fwd, bwd
        self.in_tree, self.symbolic_zeros = in_tree, symbolic_zeros
        self.in_avals = [core.typeof(x) for x in leaves]
        self.out_tree = self.out_avals = self.res_tree = self.forwarded = None

    def out_trees(self):
        return self.out_tree, self.res_tree, self.forwarded

    def primal(self, *leaves):
        outs, self.out_tree = core.tree_flatten(self.fun(*self.in_tree.unflatten(core.told_apart(leaves))))
        self.out_avals = [core.typeof(x) for x in outs]
        return outs

    def forward(self, *pairs):
        leaves = core.told_apart(pairs[::2])
        if self.symbolic_zeros:
            leaves = [CustomVJPPrimal(x, perturbed) for x, perturbed in zip(leaves, pairs[1::2])]
        if self.out_tree is None and not self.runs_fun and core.is_recorded():
            show_primal(self.fun, self.in_tree.unflatten(core.told_apart(pairs[::2])))
        pair = self.fwd(*self.in_tree.unflatten(leaves))
        rule = f"Custom VJP fwd rule {self.fwd_name} for function {self.name} must produce a pair (list or tuple of length two) where "
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError(f"{rule}the first element represents the primal output (equal to those of the custom_vjp-decorated function "
                            f"{self.name}) and the second element represents residuals (i.e. values stored from the forward pass for "
                            f"use on the backward pass), but instead of a pair the fwd rule {self.fwd_name} produced {pair}.")
        outs, out_tree = core.tree_flatten(pair[0])
        residuals, self.res_tree = core.tree_flatten(pair[1])
        if self.out_tree is not None:
            self._check_primal(rule, out_tree, [core.typeof(x) for x in outs])
        self.out_tree = out_tree
        index = {id(x): i for i, x in enumerate(leaves)}
        self.forwarded = [index.get(id(r)) for r in residuals]
        return [r for r in residuals if id(r) not in index] + outs

    def _check_primal(self, rule, out_tree, avals):
        start = (f"{rule}the first element represents the primal output (equal to the output of the custom_vjp-decorated function "
                 f"{self.name}) and the second element represents residuals (i.e. values stored from the forward pass for use on the "
                 "backward pass), but instead the fwd rule output's first element had ")
        if out_tree != self.out_tree:
            raise TypeError(f"{start}container/pytree structure:\n    {tree_of_types(out_tree, avals)}\nwhile the custom_vjp-decorated "
                            f"function {self.name} had output container/pytree structure:\n"
                            f"    {tree_of_types(self.out_tree, self.out_avals)}.")
        if not all([core.typematch(a, b) for a, b in zip(avals, self.out_avals)]):
            raise TypeError(f"{start}shapes/dtypes of:\n    {tree_of_types(out_tree, avals)}\nwhile the custom_vjp-decorated function "
                            f"{self.name} had output shapes/dtypes of:\n    {tree_of_types(self.out_tree, self.out_avals)}")

    def backward(self, *leaves):
        count, leaves = self.res_tree.num_leaves, core.told_apart(leaves)
        cts = self.bwd(self.res_tree.unflatten(leaves[:count]), self.out_tree.unflatten(leaves[count:]))
        if isinstance(cts, list) and len(cts) == len(self.in_tree.children()):
            cts = tuple(cts)
        found = []
        for path, aval, ct in zip(self._paths(), self.in_avals, self._spread(cts)):
            found.append(_checked_cotangent(path, aval, ct))
        return found

    def _paths(self):
        dummy = self.in_tree.unflatten([0] * self.in_tree.num_leaves)
        return [path for path, _ in core.tree_flatten_with_path(dummy)[0]]

    def _spread(self, cts):
        """The cotangents, one for each argument leaf; a None stands for zeros of a whole subtree."""
        dummy = self.in_tree.unflatten([0] * self.in_tree.num_leaves)
        found = []
        try:
            if not isinstance(cts, tuple):
                raise ValueError
            leaves, treedef = core.tree_flatten(cts, lambda x: x is None)
            for ct, subtree in zip(leaves, treedef.flatten_up_to(dummy)):
                found.extend([ct] * core.tree_structure(subtree).num_leaves)
        except ValueError:
            raise TypeError("Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple "
                            "of the primal function, and in particular must produce a tuple of length equal to the number of arguments "
                            f"to the primal function, but got bwd output structure {core.tree_structure(cts)} for primal input "
                            f"structure {self.in_tree}.") from None
        return found


def _checked_cotangent(path, aval, ct):
    expected = aval.to_ct_aval()
    where = "".join([str(k) for k in path])
    if ct is None or expected.dtype == core.float0:
        return core.Zero(expected)
    if type(ct) is core.SymbolicZero:
        if not core.typecompat(expected, ct.aval):
            raise ValueError("Custom VJP bwd rule produced a SymbolicZero with a shape/dtype that does not match the corresponding input "
                             f"tangent shape/dtype: at output{where} the SymbolicZero had shape/dtype {ct.aval.str_short()} while the "
                             f"corresponding input had shape/dtype {aval.str_short()}. Consider just returning a None here instead of a "
                             "SymbolicZero object.")
        return core.Zero(ct.aval)
    given = core.typeof(ct)
    if not core.typecompat(expected, given) and not _other_precision(expected, given):
        raise ValueError("Custom VJP bwd rule must produce an output with the same type as the args tuple of the primal function, but at "
                         f"output{where} the bwd rule produced an output of type {given.str_short()} corresponding to an input of type "
                         f"{aval.str_short()}{core.mismatch_note(aval, given)}")
    return ct


def _other_precision(expected, given):
    return (expected.shape == given.shape
            and (core.dtype_kind(given.dtype) == "extended" or core.dtype_kind(expected.dtype) in ("float", "complex")))


def _reject_tracers(x):
    for leaf in core.tree_leaves(x):
        if core.is_tracer(leaf):
            raise core.UnexpectedTracerError(
                "Found a JAX Tracer object passed as an argument to a custom_vjp function in a position indicated by nondiff_argnums as "
                "non-differentiable. Tracers cannot be passed as non-differentiable arguments to custom_vjp functions; instead, "
                "nondiff_argnums should only be used for arguments that can't be or contain JAX tracers, e.g. function-valued arguments. "
                "In particular, array-valued arguments should typically not be indicated as nondiff_argnums.")


def _without_static(fun, fwd, bwd, static, args):
    values = [args[i] for i in static]
    dynamic = [i for i in range(len(args)) if i not in static]

    def filled(f):
        def of_dynamic(*xs):
            full = list(args)
            for i, x in zip(dynamic, xs):
                full[i] = x
            return f(*full)
        return of_dynamic

    return filled(fun), filled(fwd), lambda *xs: bwd(*values, *xs), tuple([args[i] for i in dynamic])


# --------------------------------------------------------------------------------- custom_gradient, closure_convert

class _Residuals:
    """A staged backward function: its constants are leaves."""

    def __init__(self, jaxpr, in_tree, out_tree, consts):
        self.jaxpr, self.in_tree, self.out_tree, self.consts = jaxpr, in_tree, out_tree, consts


core.register_pytree_node(_Residuals, lambda r: (r.consts, (r.jaxpr, r.in_tree, r.out_tree)),
                          lambda metadata, consts: _Residuals(*metadata, consts))


def custom_gradient(fun):
    @custom_vjp
    def wrapped_fun(*args, **kwargs):
        ans, _ = fun(*args, **kwargs)
        return ans

    def fwd(*args, **kwargs):
        ans, rule = fun(*args, **kwargs)
        leaves, out_tree = core.tree_flatten(((ans,), {}))
        avals = [core.typeof(x).to_ct_aval() for x in leaves]
        jaxpr, consts, in_tree, _ = core.trace_to_jaxpr(rule, out_tree, avals, "custom_gradient fwd")
        return ans, _Residuals(jaxpr, in_tree, core.tree_structure((ans,)), consts)

    def bwd(res, cts):
        leaves, ct_tree = core.tree_flatten((cts,))
        if ct_tree != res.out_tree:
            raise TypeError(f"{res.out_tree}\n!=\n{ct_tree}")
        found = res.in_tree.unflatten(core.eval_jaxpr(res.jaxpr, *res.consts, *leaves))
        return (found,) if res.in_tree.num_nodes == 1 else found

    wrapped_fun.defvjp(fwd, bwd)
    wrapped_fun.runs_fun = True
    return wrapped_fun


def closure_convert(fun, *example_args):
    if core.only_numbers():
        fun(*example_args)
    leaves, in_tree = core.tree_flatten((example_args, {}))
    jaxpr, consts, out_tree, _ = core.trace_to_jaxpr(fun, in_tree, [core.typeof(x) for x in leaves], "closure_convert")
    hoisted = [core.maybe_perturbed(c) for c in consts]
    count = sum(hoisted)

    def converted_fun(*args):
        given = iter(args[len(args) - count:])
        xs, tree = core.tree_flatten((tuple(args[:len(args) - count]), {}))
        if tree != in_tree:
            raise TypeError("The inputs to the closure produced by closure_convert must have the same Pytree structure as the example "
                            f"arguments passed when closure_convert was called. Expected {in_tree.children()[0]}, but got "
                            f"{tree.children()[0]}")
        values = [next(given) if h else c for h, c in zip(hoisted, consts)]
        return out_tree.unflatten(core.eval_jaxpr(jaxpr, *values, *xs))

    return converted_fun, [c for h, c in zip(hoisted, consts) if h]
