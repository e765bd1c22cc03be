"""`jax.custom_batching`: a function with a batching rule of the user's."""
import functools

from _jitlens import core

from ._custom_jvp import positional
from .tree_util import tree_map

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


class custom_vmap:
    def __init__(self, fun):
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.vmap_rule = None

    def __getattr__(self, name):
        if name.startswith("def"):
            return getattr(self.fun, name)
        raise AttributeError

    def def_vmap(self, vmap_rule):
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args, **kwargs):
        name = core.function_name(self.fun)
        args = positional("custom_vmap", name, self.fun, args, kwargs)
        if not self.vmap_rule:
            raise AttributeError(f"No batching rule defined for custom_vmap function {name} using def_vmap.")
        leaves, in_tree = core.tree_flatten((args, {}))
        avals = [core.typeof(x) for x in leaves]
        # Staged anew for every call.
        jaxpr, consts, out_tree, _ = core.trace_to_jaxpr(lambda *xs: self.fun(*xs), in_tree, avals, "custom_vmap fun", self.fun)
        rule = _Rule(self.vmap_rule, out_tree)
        outs = core.bind_custom_vmap([*consts, *leaves], jaxpr, rule, len(consts), in_tree.children()[0], out_tree)
        return out_tree.unflatten(outs)


class _Rule:
    """The user's rule as the engine calls it: `rule(axis_size, batched, args)` gives flat outputs and whether each is batched."""

    def __init__(self, rule, out_tree):
        functools.update_wrapper(self, rule)
        self.rule, self.out_tree = rule, out_tree

    def __call__(self, axis_size, in_batched, args):
        if core.is_recorded():
            leaves, in_tree = core.tree_flatten(args)
            args = in_tree.unflatten(core.told_apart(leaves))
        out, out_batched = self.rule(axis_size, list(in_batched), *args)
        outs, tree = core.tree_flatten(out)
        batched, batched_tree = core.tree_flatten(out_batched)
        name = getattr(self.rule, "__name__", "<unnamed rule>")
        if tree != batched_tree:
            raise ValueError(f"structure of output value and output batching specification returned by custom vmap rule ({name}) do not match.\n"
                             f"Output values: {tree}\nBatching spec: {batched_tree}")
        if tree != self.out_tree:
            raise ValueError(f"structure of output returned by custom vmap rule ({name}) does not match that of original custom-vmapped "
                             f"function.\nOriginal output: {self.out_tree}\nRule output: {tree}")
        return outs, batched


def sequential_vmap(f):
    from .lax._loops import map
    f = custom_vmap(f)

    @f.def_vmap
    def rule(axis_size, in_batched, *args):
        args = list(args)
        mapped = tree_map(lambda batched, x: x if batched else None, in_batched, args)
        fixed = tree_map(lambda batched, x: None if batched else x, in_batched, args)

        def one(xs):
            return f(*tree_map(lambda batched, x, y: x if batched else y, in_batched, xs, fixed))

        out = map(one, mapped)
        return out, tree_map(lambda _: True, out)

    return f
