"""`custom_jvp`: a function with a forward-mode rule of the user's."""
import functools

from _jitlens import core, prims as p

from ._src.util import safe_zip
from .tree_util import tree_map

# Whether functions run as if they had no rules: one item for each that asks for it.
_ignoring = []


class ignored_rules:
    """Within, functions with rules of their own run as if they had none."""

    def __enter__(self):
        _ignoring.append(True)

    def __exit__(self, *exception):
        _ignoring.pop()


def show_primal(fun, args):
    """Runs a function whose rules alone are asked for, where a reproducer needs its body; what it raises is no concern of the program's."""
    try:
        core.attempt(lambda: core.beside(lambda: fun(*args)))
    except Exception:
        pass


class custom_jvp:
    __module__ = "jax._src.custom_derivatives"

    def __init__(self, fun, nondiff_argnums=(), nondiff_argnames=()):
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.nondiff_argnums = nondiff_positions(fun, nondiff_argnums, nondiff_argnames)
        self.jvp = None
        self.symbolic_zeros = False

    def __getattr__(self, name):
        if name.startswith("def"):
            return getattr(self.fun, name)
        raise AttributeError

    def defjvp(self, jvp, symbolic_zeros=False):
        self.jvp = jvp
        self.symbolic_zeros = symbolic_zeros
        return jvp

    def defjvps(self, *jvps):
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals, tangents):
            out = self(*primals)
            zeros = tree_map(lambda x: core.Zero(core.typeof(x).to_tangent_aval()), out)
            parts = [rule(t, out, *primals) if rule else zeros for t, rule in safe_zip(tangents, jvps)]
            return out, tree_map(core.sum_tangents, out, *parts)

        self.defjvp(jvp)

    def __call__(self, *args, **kwargs):
        name = core.function_name(self.fun)
        if not self.jvp:
            raise AttributeError(f"No JVP defined for custom_jvp function {name} using defjvp.")
        args = positional("custom_jvp", name, self.fun, args, kwargs)
        fun, rule = self.fun, self.jvp
        if self.nondiff_argnums:
            static = self.nondiff_argnums
            args = tuple([tree_map(_stop_gradient, x) if i in static else x for i, x in enumerate(args)])
            fun, rule, args = _without_static(fun, rule, static, args)
        if _ignoring:
            return fun(*args)
        if core.only_numbers():
            fun(*args)
        leaves, in_tree = core.tree_flatten(args)
        call = _Call(name, core.function_name(self.jvp), fun, rule, in_tree)
        outs = core.custom_jvp_call(call.primal, call.jvp, leaves, name=name, jvp_name=call.jvp_name,
                                    symbolic_zeros=self.symbolic_zeros)
        return call.out_tree.unflatten(outs)


class _Call:
    """One call: the flat forms of function and rule, and what is learned when one of them runs."""

    def __init__(self, name, jvp_name, fun, rule, in_tree):
        self.name, self.jvp_name = name, jvp_name
        self.fun, self.rule, self.in_tree = fun, rule, in_tree
        self.out_tree = self.out_avals = None

    def primal(self, *leaves):
        outs, self.out_tree = core.tree_flatten(self.fun(*self.in_tree.unflatten(core.told_apart(leaves))))
        self.out_avals = [core.typeof(x) for x in outs]
        return outs

    def jvp(self, *leaves):
        half, leaves = len(leaves) // 2, core.told_apart(leaves)
        if self.out_tree is None and core.is_recorded():
            show_primal(self.fun, self.in_tree.unflatten(leaves[:half]))
        pair = self.rule(self.in_tree.unflatten(leaves[:half]), self.in_tree.unflatten(leaves[half:]))
        rule = f"Custom JVP rule {self.jvp_name} for function {self.name} must produce"
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError(f"{rule} a pair (list or tuple of length two) representing primal and tangent outputs, but got {pair}.")
        outs, out_tree = core.tree_flatten(pair[0])
        dots, dots_tree = core.tree_flatten(pair[1])
        if out_tree != dots_tree:
            raise TypeError(f"{rule} primal and tangent outputs with equal container (pytree) structures, but got {out_tree} and "
                            f"{dots_tree} respectively.")
        avals = [core.typeof(x) for x in outs]
        if self.out_avals is not None:
            self._check_primal(rule, out_tree, avals)
        _check_tangents(avals, dots)
        self.out_tree = out_tree
        return outs + dots

    def _check_primal(self, rule, out_tree, avals):
        start = (f"{rule} a pair (list or tuple of length two) where the first element represents the primal output (equal in value to "
                 f"the output of the custom_jvp-decorated function {self.name}, and in particular ")
        if out_tree != self.out_tree:
            raise TypeError(start + "of the same container/pytree structure), but instead the JVP rule output's first element had "
                            f"container/pytree structure:\n    {tree_of_types(out_tree, avals)}\nwhile the custom_jvp-decorated "
                            f"function {self.name} had output container/pytree structure:\n"
                            f"    {tree_of_types(self.out_tree, self.out_avals)}.")
        if not all([core.typematch(a, b) for a, b in zip(avals, self.out_avals)]):
            raise TypeError(start + "with leaves of the same shape/dtype), but instead the JVP rule output's first element had "
                            f"shapes/dtypes of:\n    {tree_of_types(out_tree, avals)}\nwhile the custom_jvp-decorated function "
                            f"{self.name} had output shapes/dtypes of:\n    {tree_of_types(self.out_tree, self.out_avals)}")


def _check_tangents(avals, dots):
    primals = [a.strip_weak_type() for a in avals]
    expected = [a.to_tangent_aval() for a in primals]
    given = [(t.aval if type(t) is core.SymbolicZero else core.typeof(t)).strip_weak_type() for t in dots]
    if all([core.typematch(a, b) for a, b in zip(expected, given)]):
        return
    start = "Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes"
    if len(primals) == 1:
        raise TypeError(f"{start}. Expected {expected[0].str_short()} (tangent type of {primals[0].str_short()}) but got "
                        f"{given[0].str_short()}.")
    rows = [f"  primal {p.str_short()} with tangent {t.str_short()}, expecting tangent {e}"
            for p, e, t in zip(primals, expected, given) if e != t]
    raise TypeError(f"{start}, but got:\n" + "\n".join(rows))


def _stop_gradient(x):
    return p.stop_gradient(x) if core.is_tracer(x) else x


# -------------------------------------------------------------------------------------------- shared with custom_vjp

def nondiff_positions(fun, argnums, argnames):
    found = set(argnums) if argnums else set()
    if argnames:
        found.update(core.positional_argnums(fun, (argnames,) if isinstance(argnames, str) else argnames))
    return tuple(sorted(found))


def positional(kind, name, fun, args, kwargs):
    """The arguments of a call, keywords and defaults put into their places."""
    try:
        return core.bind_arguments(fun, args, kwargs)
    except TypeError as error:
        raise TypeError(f"The input arguments to the {kind}-decorated function {name} could not be resolved to positional-only "
                        f"arguments. Binding failed with the error:\n{error}") from error


def _without_static(fun, rule, static, args):
    values = [args[i] for i in static]
    dynamic = [i for i in range(len(args)) if i not in static]

    def fun_of_dynamic(*xs):
        full = list(args)
        for i, x in zip(dynamic, xs):
            full[i] = x
        return fun(*full)

    def rule_of_dynamic(*xs):
        return rule(*values, *xs)

    return fun_of_dynamic, rule_of_dynamic, tuple([args[i] for i in dynamic])


def tree_of_types(treedef, avals):
    return str(treedef.unflatten([a.str_short() for a in avals])).replace("'", "")
