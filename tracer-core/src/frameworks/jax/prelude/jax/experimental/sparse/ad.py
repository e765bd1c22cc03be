"""`jax.experimental.sparse.ad`: derivatives by the elements that sparse arrays store."""
import jax

from _jitlens import core

from ... import tree_util
from ..._arguments import index_or_tuple
from ..._autodiff import wraps
from ._base import JAXSparse


def _is_sparse(x):
    return isinstance(x, JAXSparse)


def _flat(fun, argnums, args):
    """The function over buffers, the numbers of those to differentiate by, the buffers, and what makes gradients of theirs."""
    argnums = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    assert all([0 <= argnum < len(args) for argnum in argnums])
    leaves, tree = tree_util.tree_flatten(args, is_leaf=_is_sparse)
    chosen, buffers, numbers, at = [], [], [], 0
    for i, arg in enumerate(args):
        for leaf in tree_util.tree_leaves(arg, is_leaf=_is_sparse):
            own = tree_util.tree_leaves(leaf)
            if i in argnums:
                chosen.append(at)
                # Of a sparse array that are its elements, not their places.
                numbers += range(len(buffers), len(buffers) + (1 if _is_sparse(leaf) else len(own)))
            buffers += own
            at += 1
    inner = tree_util.tree_structure(leaves)

    def fun_flat(*buffers, **kwargs):
        return fun(*tree_util.tree_unflatten(tree, tree_util.tree_unflatten(inner, buffers)), **kwargs)

    def gradient(leaf, found):
        own, own_tree = tree_util.tree_flatten(leaf)

        def rebuild(x):
            return tree_util.tree_unflatten(own_tree, [x, *own[1:]])
        for _ in range(found.ndim - core.ndim(own[0])):
            rebuild = jax.vmap(rebuild)
        return rebuild(found)

    def gradients(found):
        grads = [None] * len(leaves)
        for i, x in zip(chosen, found):
            grads[i] = gradient(leaves[i], x)
        grads = tree_util.tree_unflatten(tree, grads)
        grads = tuple([x for x in grads if tree_util.tree_leaves(x)])
        return grads[0] if len(grads) == 1 else grads

    return fun_flat, tuple(numbers), buffers, gradients


def value_and_grad(fun, argnums=0, has_aux=False, **kwargs):
    jax.value_and_grad(fun, argnums=argnums, has_aux=has_aux, **kwargs)
    argnums = index_or_tuple(argnums)

    @wraps(fun)
    def value_and_grad_fun(*args, **kwargs):
        flat, numbers, buffers, gradients = _flat(fun, argnums, args)
        value, found = jax.value_and_grad(flat, argnums=numbers, has_aux=has_aux, **kwargs)(*buffers)
        return value, gradients(found)
    return value_and_grad_fun


def _derivative(of):
    """The derivative by stored elements from that by arrays."""
    def derivative(fun, argnums=0, has_aux=False, **kwargs):
        of()(fun, argnums=argnums, **kwargs)
        argnums = index_or_tuple(argnums)

        @wraps(fun)
        def derivative_fun(*args, **kwargs):
            flat, numbers, buffers, gradients = _flat(fun, argnums, args)
            found = of()(flat, argnums=numbers, has_aux=has_aux, **kwargs)(*buffers)
            return (gradients(found[0]), found[1]) if has_aux else gradients(found)
        return derivative_fun
    return derivative


grad = _derivative(lambda: jax.grad)
jacfwd = _derivative(lambda: jax.jacfwd)
jacrev = _derivative(lambda: jax.jacrev)
jacobian = jacrev
