"""`custom_root` and `custom_linear_solve`: solvers differentiated through what they solve."""
import functools

from _jitlens import core

from .._autodiff import linear_transpose, linearize
from .._custom_jvp import custom_jvp


def _one_argument(tree):
    """The argument tree of a call with one argument of this structure."""
    return core.treedef_tuple([core.treedef_tuple([tree]), core.tree_structure({})])


def _check_tree(name, expected_name, tree, expected, has_aux=False):
    if has_aux:
        parts = tree.children()
        if len(parts) != 2:
            raise ValueError(f"{name}() produced a pytree with structure {tree}, but a pytree tuple with auxiliary output was expected "
                             "because has_aux was set to True.")
        tree = parts[0]
    if tree != expected:
        raise TypeError(f"{name}() output pytree structure must match {expected_name}, got {tree} and {expected}.")


# ------------------------------------------------------------------------------------------------------- custom_root

def custom_root(f, initial_guess, solve, tangent_solve, has_aux=False):
    if core.only_numbers():
        f(initial_guess)
        return solve(f, initial_guess)
    guess, tree = core.tree_flatten(initial_guess)
    avals = [core.typeof(x) for x in guess]
    in_tree = _one_argument(tree)

    f_jaxpr, f_consts, out_tree, _ = core.trace_to_jaxpr(f, in_tree, avals, "custom_root")
    _check_tree("f", "initial_guess", out_tree, tree)
    solve_jaxpr, solve_consts, solution_tree, _ = core.trace_to_jaxpr(functools.partial(solve, f), in_tree, avals,
                                                                      "custom_root solve", solve)
    _check_tree("solve", "initial_guess", solution_tree, tree, has_aux)

    def linearize_and_solve(x, b):
        return tangent_solve(linearize(f, x)[1], b)

    pair_tree = core.treedef_tuple([core.treedef_tuple([tree, tree]), core.tree_structure({})])
    tangent_jaxpr, tangent_consts, out_tree, _ = core.trace_to_jaxpr(linearize_and_solve, pair_tree, avals + avals,
                                                                     "custom_root tangent_solve", tangent_solve)
    _check_tree("tangent_solve", "x", out_tree, tree)
    counts = (len(f_consts), len(solve_consts), len(tangent_consts))
    outs = _custom_root(counts, (f_jaxpr, solve_jaxpr, tangent_jaxpr), *f_consts, *solve_consts, *tangent_consts, *guess)
    # Numbers of Python's that come through a graph know their types.
    return solution_tree.unflatten([x if core.is_array(x) else core.stop_gradient(x) for x in outs])


def _parts(counts, args):
    found, start = [], 0
    for n in counts:
        found.append(list(args[start:start + n]))
        start += n
    return (*found, list(args[start:]))


@functools.partial(custom_jvp, nondiff_argnums=(0, 1))
def _custom_root(counts, jaxprs, *args):
    _, solve_consts, _, guess = _parts(counts, args)
    return core.eval_jaxpr(jaxprs[1], *solve_consts, *guess)


@_custom_root.defjvp
def _root_jvp(counts, jaxprs, primals, tangents):
    f_jaxpr, _, tangent_jaxpr = jaxprs
    f_consts, _, tangent_consts, _ = _parts(counts, primals)
    f_dots = _parts(counts, tangents)[0]
    outs = _custom_root(counts, jaxprs, *primals)
    size = len(f_jaxpr.out_avals)
    solution, aux = list(outs[:size]), list(outs[size:])
    _, _, rhs = core.jvp_call(lambda *consts: core.eval_jaxpr(f_jaxpr, *consts, *solution),
                              core.tree_structure((0,) * len(f_consts)), f_consts, f_dots)
    dots = [-x for x in core.eval_jaxpr(tangent_jaxpr, *tangent_consts, *solution, *rhs)]
    return solution + aux, dots + [core.zeros_like(x) for x in aux]


# ----------------------------------------------------------------------------------------------- custom_linear_solve

def custom_linear_solve(matvec, b, solve, transpose_solve=None, symmetric=False, has_aux=False):
    if transpose_solve is None and symmetric:
        transpose_solve = solve
    if core.only_numbers():
        matvec(b)
        return solve(matvec, b)
    leaves, tree = core.tree_flatten(b)
    avals = [core.typeof(x) for x in leaves]
    in_tree = _one_argument(tree)
    shapes = [core.shape(x) for x in leaves]

    def staged(fun, name, api, user, aux=False):
        def checked(x):
            y = fun(x)
            _check_shapes(name, core.tree_leaves(y[0] if aux else y), shapes)
            return y
        jaxpr, consts, out_tree, _ = core.trace_to_jaxpr(checked, in_tree, avals, api, user)
        _check_tree(name, "b", out_tree, tree, aux)
        return jaxpr, consts, out_tree

    matvec_jaxpr, matvec_consts, _ = staged(matvec, "matvec", "custom_linear_solve", matvec)
    solve_jaxpr, solve_consts, out_tree = staged(functools.partial(solve, matvec), "solve", "custom_linear_solve solve", solve,
                                                 has_aux)
    vecmat_jaxpr = transpose_jaxpr = None
    vecmat_consts = transpose_consts = []
    if transpose_solve is not None:
        if symmetric:
            vecmat, vecmat_jaxpr, vecmat_consts = matvec, matvec_jaxpr, matvec_consts
        else:
            transposed = linear_transpose(matvec, b)
            vecmat = lambda x: transposed(x)[0]
            vecmat_jaxpr, vecmat_consts, _, _ = core.trace_to_jaxpr(vecmat, in_tree, avals, "custom_linear_solve transpose_solve",
                                                                    transpose_solve)
        transpose_jaxpr, transpose_consts, out_tree = staged(
            functools.partial(transpose_solve, vecmat), "transpose_solve", "custom_linear_solve transpose_solve", transpose_solve,
            has_aux)
    outs = core.bind_linear_solve(
        [*matvec_consts, *vecmat_consts, *solve_consts, *transpose_consts, *leaves],
        (len(matvec_consts), len(vecmat_consts), len(solve_consts), len(transpose_consts)),
        (matvec_jaxpr, vecmat_jaxpr, solve_jaxpr, transpose_jaxpr))
    return out_tree.unflatten(outs)


def _check_shapes(name, ys, expected):
    shapes = [core.shape(y) for y in ys]
    if shapes != expected:
        raise ValueError(f"{name}() output shapes must match b, got {shapes} and {expected}")
