"""`jax.custom_derivatives`."""
from _jitlens import core

from ._custom_jvp import custom_jvp
from ._custom_vjp import CustomVJPPrimal, closure_convert, custom_gradient, custom_vjp
from ._linear_call import linear_call
from .tree_util import tree_map

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

SymbolicZero = core.SymbolicZero
custom_jvp_call_p = core.any_primitive("custom_jvp_call")
custom_vjp_call_p = core.any_primitive("custom_vjp_call")
remat_opt_p = core.any_primitive("remat_opt")


def zero_from_primal(val, symbolic_zeros=False):
    def zero(leaf):
        aval = core.typeof(leaf).to_tangent_aval()
        return SymbolicZero(aval) if symbolic_zeros else core.zeros_of(aval)

    return tree_map(zero, val)


def custom_vjp_primal_tree_values(tree):
    def value(leaf):
        if type(leaf) is not CustomVJPPrimal:
            raise TypeError(f"unexpected leaf type {type(leaf)}")
        return leaf.value
    return tree_map(value, tree)
