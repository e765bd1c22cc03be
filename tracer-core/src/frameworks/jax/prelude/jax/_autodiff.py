"""Differentiation: `jvp`, `vjp`, `grad`, `linearize`, `linear_transpose`. Jacobians are in `_jacobian`."""
import functools

from _jitlens import core

from . import _partly
from ._arguments import index_or_tuple, split_arguments
from ._engine_errors import InvalidInputException
from .tree_util import Partial


# -------------------------------------------------------------------------------------------------------------- grad

def grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=()):
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to grad is deprecated")
    value_and_grad_f = value_and_grad(fun, argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)

    if has_aux:
        @wraps(fun)
        def grad_f(*args, **kwargs):
            (_, aux), g = value_and_grad_f(*args, **kwargs)
            return g, aux
    else:
        @wraps(fun)
        def grad_f(*args, **kwargs):
            return value_and_grad_f(*args, **kwargs)[1]
    grad_f._is_derivative = True
    return grad_f


def value_and_grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=()):
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to grad is deprecated")
    core.check_callable(fun)
    argnums = index_or_tuple(core.concrete(argnums))
    last = argnums if isinstance(argnums, int) else max(argnums)
    # The fourth derivative of a cubic is zero, and meant so.
    is_derivative = getattr(fun, "_is_derivative", False)

    @wraps(fun)
    def value_and_grad_f(*args, **kwargs):
        if last >= len(args):
            raise TypeError(f"differentiating with respect to argnums={argnums!r} requires at least {last + 1} positional "
                            f"arguments to be passed by the caller, but got only {len(args)} positional arguments.")
        f, dynamic = split_arguments(fun, argnums, args, kwargs)
        part = None
        if _partly.lacks(core.tree_leaves(dynamic, None, 0)):
            part, whole = _partly.Part(dynamic), f
            f, dynamic = lambda *known: whole(*part.whole(known)), tuple(part.known)
        for leaf in core.tree_leaves(dynamic, None, 1):
            check_reverse_input("grad", holomorphic, allow_int, leaf)
        lost = core.losses()
        out, pullback, *aux = vjp(f, *dynamic, has_aux=has_aux)
        _check_scalar(out)
        for leaf in core.tree_leaves(out, None, 0):
            check_reverse_output("grad", holomorphic, leaf)
        # Behind something that is not known it need not be zero.
        is_sure = core.losses() == lost and not allow_int and not is_derivative
        if is_sure and all(pullback._meta[2]) and core.tree_leaves(dynamic, None, 0):
            core.note_zero_gradient()
        g = pullback(core.full_like(out, 1, shape=()))
        g = g if part is None else part.whole(g)
        return ((out, *aux) if has_aux else out), (g[0] if isinstance(argnums, int) else g)

    value_and_grad_f._is_derivative = True
    return value_and_grad_f


def wraps(fun):
    """Gives a wrapper the name and the signature of `fun`."""
    return functools.wraps(fun) if hasattr(fun, "__name__") else functools.partial(_named_after, fun)


def _named_after(fun, wrapper):
    """A partial has the name of what it calls; objects without one are unnamed."""
    functools.update_wrapper(wrapper, fun)
    while isinstance(fun, functools.partial):
        fun = fun.func
    wrapper.__name__ = wrapper.__qualname__ = getattr(fun, "__name__", "<unnamed function>")
    return wrapper


def _check_scalar(x):
    try:
        aval = core.typeof(x)
    except TypeError as error:
        raise TypeError(f"Gradient only defined for scalar-output functions. Output was {x}.") from error
    if aval.shape != ():
        raise TypeError(f"Gradient only defined for scalar-output functions. Output had shape: {aval.shape}.")


def check_reverse_input(name, holomorphic, allow_int, x):
    core.check_arg(x)
    dtype = core.typeof(x).dtype
    kind = core.dtype_kind(dtype)
    if holomorphic and kind != "complex":
        raise TypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype.name}.")
    if kind in ("extended", "int", "bool"):
        if not allow_int:
            raise TypeError(f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but "
                            f"got {dtype.name}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int "
                            "to True.")
    elif kind not in ("float", "complex"):
        raise TypeError(f"{name} requires numerical-valued inputs (input dtype that is a sub-dtype of np.bool_ or np.number), but "
                        f"got {dtype.name}.")


def check_reverse_output(name, holomorphic, x):
    dtype = core.typeof(x).dtype
    kind = core.dtype_kind(dtype)
    if kind == "extended":
        raise TypeError(f"{name} with output element type {dtype.name}")
    if holomorphic:
        if kind != "complex":
            raise TypeError(f"{name} with holomorphic=True requires outputs with complex dtype, but got {dtype.name}.")
    elif kind != "float":
        start = f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got {dtype.name}. "
        if kind == "complex":
            raise TypeError(start + "For holomorphic differentiation, pass holomorphic=True. For differentiation of "
                            "non-holomorphic functions involving complex outputs, use jax.vjp directly.")
        raise TypeError(start + "For differentiation of functions with integer outputs, use jax.vjp directly.")


# --------------------------------------------------------------------------------------------------------------- vjp

class VJP:
    """What `vjp` returns: a function of the cotangents that is a pytree of its residuals.

    Residuals that are arguments of the function are kept in the arguments' own tree, the others in `opaque_residuals`;
    `_meta` is (linear jaxpr, for each residual its index and whether it is an argument, output zeros, output avals)."""

    _unmodelled = ("fun", "with_refs")

    def __init__(self, meta, in_tree, out_tree, args_res, opaque_residuals):
        self._meta = meta
        self.in_tree = in_tree
        self.out_tree = out_tree
        self.args_res = args_res
        self.opaque_residuals = opaque_residuals

    @property
    def jaxpr(self):
        return self._meta[0]

    def __call__(self, out_ct, *extra_args):
        linear, places, out_zero, out_avals = self._meta
        if extra_args:
            name = core.linear_source(linear).split(" ")[0]
            raise TypeError(_TOO_MANY_COTANGENTS.format(name, len(extra_args) + 1))
        cts, ct_tree = core.tree_flatten(out_ct, None, 1)
        if ct_tree != self.out_tree:
            raise ValueError(_wrong_cotangent_tree(linear, self.out_tree, ct_tree))
        for ct, aval in zip(cts, out_avals):
            _check_cotangent(core.typeof(ct), aval)
        args_res = core.tree_leaves(self.args_res, lambda x: isinstance(x, _NotNeeded))
        residuals = [args_res[i] if is_argument else self.opaque_residuals[i] for i, is_argument in places]
        cts = [ct for ct, zero in zip(cts, out_zero) if not zero]
        return core.tree_unflatten(self.in_tree, core.backward_pass(linear, residuals, cts), 1)


class _NotNeeded:
    pass


core.register_pytree_node(_NotNeeded, lambda x: ((), None), lambda metadata, children: _NOT_NEEDED)
_NOT_NEEDED = _NotNeeded()
core.register_pytree_node(VJP, lambda f: ((f.args_res, f.opaque_residuals), (f._meta, f.in_tree, f.out_tree)),
                          lambda metadata, children: VJP(*metadata, *children))


def vjp(fun, *primals, has_aux=False, reduce_axes=()):
    core.note_linearized()
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to vjp is deprecated")
    core.check_callable(fun)
    leaves, in_tree = core.tree_flatten(primals, None, 1)
    given, leaves = leaves, [core.canonicalize(x) for x in leaves]
    for x in leaves:
        try:
            core.check_arg(x)
        except TypeError as error:
            raise InvalidInputException(str(error)) from None
    out_tree, outs, out_zero, linear, residuals, *aux = core.linearize_call(fun, in_tree, leaves, has_aux, True)
    places, opaque, used = [], [], set()
    index = {id(x): i for i, x in enumerate(leaves)}
    for r in residuals:
        i = index.get(id(r))
        if i is None:
            places.append((len(opaque), False))
            opaque.append(r)
        else:
            places.append((i, True))
            used.add(id(r))
    args_res = in_tree_of_tuples(in_tree, [x if id(x) in used else _NOT_NEEDED for x in leaves])
    meta = (linear, places, out_zero, [core.typeof(x) for x in outs])
    # What comes back untouched is what was given, in a type of JAX's.
    outs = [x if id(x) not in index or core.is_array(given[index[id(x)]]) else core.stop_gradient(given[index[id(x)]]) for x in outs]
    return (core.tree_unflatten(out_tree, outs, 1), VJP(meta, in_tree, out_tree, list(args_res), opaque), *aux)


def in_tree_of_tuples(treedef, leaves):
    """The leaves in the shape of `treedef`, every container made a tuple (users' containers may reject placeholders)."""
    if treedef.num_nodes == 1 and treedef.num_leaves == 1:
        return leaves[0]
    parts, start = [], 0
    for child in treedef.children():
        parts.append(in_tree_of_tuples(child, leaves[start:start + child.num_leaves]))
        start += child.num_leaves
    return tuple(parts)


def _check_cotangent(aval, out_aval):
    expected = out_aval.to_ct_aval()
    if core.typecompat(aval, expected) or aval.shape == expected.shape and expected.dtype == core.float0:
        return
    raise ValueError("unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got "
                     f"{aval.str_short()}, but expected {expected.str_short()} because the corresponding output of the "
                     f"differentiated function had JAX type {out_aval.str_short()}")


def _wrong_cotangent_tree(linear, out_tree, ct_tree):
    from . import _tree_errors
    rows = [f"  * out{''.join([str(k) for k in path])} was a {was} in the original output, but a {now} here, so {why}."
            for path, was, now, why in _tree_errors.treedef_differences(out_tree, ct_tree)]
    return ("unexpected tree structure.\n\nThe argument to a VJP function returned by `jax.vjp` must match the pytree\n"
            f"structure of the differentiated function {core.linear_source(linear)}.\n\nBut the tree structures differ:\n"
            + "\n".join(rows))


_TOO_MANY_COTANGENTS = """
The function returned by `jax.vjp` applied to {} was called with {} arguments,
but functions returned by `jax.vjp` must be called with a single argument
corresponding to the single value returned by the function being differentiated
(even if that returned value is a tuple or other container).

For example, if we have:

  def f(x):
    return (x, x)
  _, f_vjp = jax.vjp(f, 1.0)

the function `f` returns a single tuple as output, and so we call `f_vjp` with a
single tuple as its argument:

  x_bar, = f_vjp((2.0, 2.0))

If we instead call `f_vjp(2.0, 2.0)`, with the values 'splatted out' as
arguments rather than in a tuple, this error can arise.
"""


# ------------------------------------------------------------------------------------------------- jvp and linearize

def jvp(fun, primals, tangents, has_aux=False):
    core.check_callable(fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError("primal and tangent arguments to jax.jvp must be tuples or lists; found "
                        f"{type(primals).__name__} and {type(tangents).__name__}.")
    return jvp_unchecked(fun, primals, tangents, has_aux)


def jvp_unchecked(fun, primals, tangents, has_aux=False):
    ps, tree = core.tree_flatten(primals)
    ts, tangent_tree = core.tree_flatten(tangents)
    if tree != tangent_tree:
        raise TypeError("primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure "
                        f"{tree} whereas tangents have tree structure {tangent_tree}.")
    for p, t in zip(ps, ts):
        primal, tangent = core.typeof(p), core.typeof(t)
        expected = core.tangent_dtype(primal.dtype)
        if expected != tangent.dtype:
            raise TypeError("primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool "
                            f"primal dtype the tangent dtype must be float0.Got primal dtype {primal.dtype} and so expected "
                            f"tangent dtype {expected}, but got tangent dtype {tangent.dtype} instead.")
        if primal.shape != tangent.shape:
            raise ValueError("jvp called with different primal and tangent shapes;"
                             f"Got primal shape {primal.shape} and tangent shape as {tangent.shape}")
    out_tree, outs, dots, *aux = core.vaguely(core.jvp_call, fun, tree, ps, ts, has_aux)
    return (core.tree_unflatten(out_tree, outs), core.tree_unflatten(out_tree, dots), *aux)


def linearize(fun, *primals, has_aux=False):
    core.note_linearized()
    core.check_callable(fun)
    leaves, in_tree = core.tree_flatten(primals, None, 1)
    out_tree, outs, out_zero, linear, residuals, *aux = core.linearize_call(fun, in_tree, leaves, has_aux)
    apply = functools.partial(_apply_linear, linear, in_tree, [core.typeof(x) for x in leaves], out_tree,
                              [core.typeof(x) for x in outs], out_zero)
    return (core.tree_unflatten(out_tree, outs, 1), Partial(apply, residuals), *aux)


def _apply_linear(linear, in_tree, in_avals, out_tree, out_avals, out_zero, residuals, *tangents):
    leaves, tree = core.tree_flatten(tangents, None, 1)
    if tree != in_tree:
        raise TypeError(f"expected {in_tree}, got {tree}")
    for primal, leaf in zip(in_avals, leaves):
        expected, tangent = primal.to_tangent_aval(), core.typeof(leaf)
        if not core.typecompat(expected, tangent):
            raise ValueError("linearized function called on tangent values inconsistent with the original primal values:\n"
                             f"Got tangent aval {tangent} for primal aval {primal} but expected {expected}.")
    found = iter(core.eval_linear(linear, residuals, leaves))
    outs = [core.zeros_of(aval.to_tangent_aval()) if zero else next(found) for aval, zero in zip(out_avals, out_zero)]
    return core.tree_unflatten(out_tree, outs, 1)


def linear_transpose(fun, *primals, reduce_axes=()):
    if reduce_axes:
        raise NotImplementedError("reduce_axes argument to transpose is deprecated")
    leaves, in_tree = core.tree_flatten(primals)
    in_avals = [core.abstractify(x) for x in leaves]
    jaxpr, consts, out_tree, out_avals = core.vaguely(core.stage_linear, fun, in_tree, in_avals)
    ins, outs = [a.dtype for a in in_avals], [a.dtype for a in out_avals]
    kinds = {core.dtype_kind(d) for d in ins + outs}
    if not (kinds <= {"float", "complex"} or kinds <= {"int"}):
        raise TypeError("linear_transpose only supports [float or complex] -> [float or complex], and integer -> integer functions, "
                        f"but got {ins} -> {outs}.")

    def transposed_fun(consts, out_cotangent):
        cts, ct_tree = core.tree_flatten(out_cotangent)
        if ct_tree != out_tree:
            raise TypeError(f"cotangent tree does not match function output, expected {out_tree} but got {ct_tree}")
        if not all([core.typecompat(a, core.typeof(ct)) for a, ct in zip(out_avals, cts)]):
            raise TypeError(f"cotangent type does not match function output, expected {tuple(out_avals)} but got {cts}")
        return core.tree_unflatten(in_tree, core.transpose_linear(jaxpr, consts, in_avals, cts))

    return Partial(transposed_fun, consts)


def fwd_and_bwd(fun, argnums, has_aux=False, jitted=True):
    core.check_callable(fun)
    argnums = index_or_tuple(argnums)

    def fwd(*args, **kwargs):
        f, dynamic = split_arguments(fun, argnums, args, {})
        return vjp(f, *dynamic, has_aux=has_aux)

    def bwd(f_vjp, outgrad):
        g = f_vjp(outgrad)
        return g[0] if isinstance(argnums, int) else g

    return (core.jit(fwd), core.jit(bwd)) if jitted else (fwd, bwd)
