"""`linear_call`: a linear function with a transpose of its own, as a primitive whose rules are written in Python."""
from _jitlens import core

from .extend.core import Primitive
from .interpreters import ad, mlir

linear_call_p = Primitive("linear_call")
linear_call_p.multiple_results = True


def _anew(f):
    """A function that no cache knows: each call traces it."""
    return lambda *args: f(*args)


def linear_call(fun, fun_transpose, residual_args, linear_args):
    residuals = core.tree_leaves(residual_args)
    leaves, linear_tree = core.tree_flatten(linear_args)
    avals = [core.typeof(x) for x in (*residuals, *leaves)]
    _, in_tree = core.tree_flatten(((residual_args, linear_args), {}))
    callee, consts, out_tree, _ = core.trace_to_jaxpr(_anew(fun), in_tree, avals, "linear_call fun", fun)
    out_avals = list(callee.out_avals)
    traced = []

    def transpose_thunk():
        if not traced:
            _, tree = core.tree_flatten(((residual_args, out_tree.unflatten(out_avals)), {}))
            jaxpr, transpose_consts, found_tree, _ = core.trace_to_jaxpr(
                _anew(fun_transpose), tree, [*avals[:len(residuals)], *out_avals], "linear_call fun_transpose", fun_transpose)
            if found_tree != linear_tree:
                raise TypeError("transpose output pytree structure must match that of linear inputs, got output structure "
                                f"{found_tree} and input structure {linear_tree}.")
            traced.append((jaxpr, transpose_consts))
        return traced[0]

    out = linear_call_p.bind(*consts, *residuals, *leaves, callee=callee, transpose_thunk=transpose_thunk,
                             num_callee_consts=len(consts), num_res=len(residuals))
    return out_tree.unflatten(out)


@linear_call_p.def_impl
def _impl(*args, callee, transpose_thunk, num_callee_consts, num_res):
    return core.eval_jaxpr(callee, *args)


@linear_call_p.def_abstract_eval
def _types(*args, callee, transpose_thunk, num_callee_consts, num_res):
    return list(callee.out_avals)


def _jvp(primals, tangents, *, num_callee_consts, num_res, **params):
    count = num_callee_consts + num_res
    assert all(type(t) is ad.Zero for t in tangents[:count])
    params.update(num_callee_consts=num_callee_consts, num_res=num_res)
    dots = [ad.instantiate_zeros(t) for t in tangents[count:]]
    return linear_call_p.bind(*primals, **params), linear_call_p.bind(*primals[:count], *dots, **params)


def _transpose(cts, *args, callee, transpose_thunk, num_callee_consts, num_res):
    jaxpr, consts = transpose_thunk()
    fun_consts, residuals = args[:num_callee_consts], args[num_callee_consts:num_callee_consts + num_res]
    found = linear_call_p.bind(*consts, *residuals, *[ad.instantiate_zeros(ct) for ct in cts], callee=jaxpr,
                               transpose_thunk=lambda: (callee, list(fun_consts)), num_callee_consts=len(consts), num_res=num_res)
    return [None] * (num_callee_consts + num_res) + list(found)


ad.primitive_jvps[linear_call_p] = _jvp
ad.primitive_transposes[linear_call_p] = _transpose
mlir.register_lowering(linear_call_p, mlir.lower_fun(_impl, multiple_results=True))
