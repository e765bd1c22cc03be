"""Jaxprs as Python objects: variables, literals, equations."""
from _jitlens import core


class Var:
    __module__ = "jax._src.core"
    _unmodelled = ("final_qdd", "initial_qdd", "pretty_print")

    def __init__(self, aval):
        self.aval = aval

    def __repr__(self):
        return f"Var(id={id(self)}):{self.aval.str_short()}"


class Literal:
    __module__ = "jax._src.core"

    def __init__(self, val, aval):
        self.val, self.aval = val, aval

    @property
    def hash(self):
        return hash(self.val)

    def __repr__(self):
        return f"Literal({self.val})"


class JaxprEqn:
    __module__ = "jax._src.core"

    def __init__(self, invars, outvars, primitive, params, applied):
        self.invars, self.outvars, self.primitive, self.params = invars, outvars, primitive, params
        self._applied = applied

    def __getattr__(self, name):
        if name in ("effects", "source_info", "ctx", "replace"):
            return core.unknown(f"`{name}` of an equation")
        raise AttributeError(f"'JaxprEqn' object has no attribute {name!r}")

    def __repr__(self):
        return core.applied_text(self._applied)


class Params(dict):
    """The parameters of an equation: those that its text shows. Of others nothing is known."""

    def __missing__(self, name):
        return core.unknown(f"the parameter `{name}` of an equation")


class Shown:
    """A parameter of which only the text is known."""

    def __init__(self, text):
        self.__dict__["_text"] = text

    def __getattr__(self, name):
        return core.unknown("a parameter of an equation")

    def __eq__(self, other):
        return True if other is self else core.unknown("a parameter of an equation")

    def __hash__(self):
        return hash(self._text)

    def __repr__(self):
        return self._text


class View:
    """What a jaxpr consists of."""

    def __init__(self, parts):
        avals, constvars, invars, eqns, outvars = parts
        variables = [Var(aval) for aval in avals]

        def atom(x):
            return variables[x] if isinstance(x, int) else _literal(x[0])

        self.constvars = [variables[x] for x in constvars]
        self.invars = [variables[x] for x in invars]
        self.outvars = [atom(x) for x in outvars]
        self.eqns = []
        for name, several, params, ins, outs, applied in eqns:
            own = core.applied_own(applied)
            if own is not None:
                self.eqns.append(JaxprEqn([atom(x) for x in ins], [variables[x] for x in outs], own[0], own[1], applied))
                continue
            params = Params([(key, Shown(value[0] if value else "...") if isinstance(value, list) else value) for key, value in params])
            params.applied = applied
            primitive = core.primitive(name)
            primitive.multiple_results = several
            primitive.remember(params, applied)
            self.eqns.append(JaxprEqn([atom(x) for x in ins], [variables[x] for x in outs], primitive, params, applied))


def _literal(x):
    import numpy as np
    aval = core.typeof(x)
    return Literal(_typed(x.item(), aval) if aval.weak_type else np.asarray(x), aval)


class TypedInt(int):
    """A number that knows its type."""
    __module__ = "jax._src.literals"
    shape, ndim, size = (), 0, 1


class TypedFloat(float):
    """A number that knows its type."""
    __module__ = "jax._src.literals"
    shape, ndim, size = (), 0, 1


def _typed(number, aval):
    kind = TypedFloat if isinstance(number, float) else TypedInt if type(number) is int else None
    if kind is None:
        return number
    typed = kind(number)
    typed.dtype = aval.dtype
    return typed


# ----------------------------------------------------------------------------------------------- what derivatives keep

def saved_residuals(f, args, kwargs):
    """`[(aval, where it comes from)]` of what the backward pass of `f` keeps."""
    from ._autodiff import linearize
    leaves, in_tree = core.tree_flatten((args, kwargs))

    def linear_part(*leaves):
        def flat(*leaves):
            positional, keywords = in_tree.unflatten(leaves)
            return f(*positional, **keywords)

        return linearize(flat, *leaves)[1]

    jaxpr = core.make_jaxpr(linear_part, (), leaves, {})[0].jaxpr
    kept = [x for x in jaxpr.outvars if isinstance(x, Var)]
    # The name of an argument, the line of an equation.
    source = core.unmodelled("where a saved residual comes from")
    found = [(x.aval, "from a literal") for x in jaxpr.outvars if isinstance(x, Literal)]
    found += [(v.aval, "from a constant") for v in jaxpr.constvars if v in kept]
    found += [(v.aval, source) for v in jaxpr.invars if v in kept]
    for eqn in jaxpr.eqns:
        found += [(v.aval, source) for v in eqn.outvars if v in kept]
    return found
