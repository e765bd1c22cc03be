"""Which results of a `shard_map` body may differ from device to device, axis by axis of the mesh."""
from ._jaxprs import Literal

_NONE = frozenset()
# Results are alike along the axes.
_JOINING = frozenset(("psum", "pmax", "pmin"))
# Results differ along the axes, whatever is given.
_PARTING = frozenset(("all_gather", "all_to_all", "axis_index", "ppermute", "pbroadcast", "pvary", "reduce_scatter"))


class Refused(Exception):
    """JAX does not take the body: types that have to be equal differ in the axes along which they vary."""


def varying(jaxpr, ins, axes):
    """For every result the axes (a frozenset) along which it may differ, for inputs that differ along `ins`."""
    env = dict(zip(jaxpr.invars, ins))

    def read(atom):
        return _NONE if isinstance(atom, Literal) else env.get(atom, _NONE)

    for eqn in jaxpr.eqns:
        outs = _of_equation(eqn, [read(x) for x in eqn.invars], axes)
        for var, out in zip(eqn.outvars, outs):
            env[var] = out
    return [read(x) for x in jaxpr.outvars]


def _of_equation(eqn, ins, axes):
    name, params = eqn.primitive.name, eqn.params
    union = _NONE.union(*ins)
    if name in _JOINING:
        return [union - _axes(params["axes"])] * len(ins)
    if name == "all_gather_invariant":
        return [union - _axes(params["axis_name"])]
    if name in _PARTING:
        return [union | _axes(params["axes"] if name == "pvary" else params["axis_name"])] * len(eqn.outvars)
    if name == "scan":
        return _of_scan(params, ins, axes)
    if name == "while":
        return _of_while(params, ins, axes)
    if name == "cond":
        branches = [varying(branch.jaxpr, ins[1:], axes) for branch in params["branches"]]
        for outs in zip(*branches):
            if any([out != outs[0] for out in outs]):
                raise Refused
        return branches[0]
    inner = [params[key] for key in ("jaxpr", "call_jaxpr") if key in params]
    if len(inner) == 1 and len(inner[0].invars) == len(ins):
        return varying(inner[0].jaxpr if hasattr(inner[0], "jaxpr") else inner[0], ins, axes)
    return [union] * len(eqn.outvars)


def _axes(names):
    # A name alone is shown without quotes.
    return frozenset(names if isinstance(names, tuple) else (str(names),))


def _of_scan(params, ins, axes):
    consts, carried = params["num_consts"], params["num_carry"]
    outs = varying(params["jaxpr"].jaxpr, ins, axes)
    if outs[:carried] != ins[consts:consts + carried]:
        raise Refused
    return outs


def _of_while(params, ins, axes):
    in_cond, in_body = params["cond_nconsts"], params["body_nconsts"]
    carry = ins[in_cond + in_body:]
    if varying(params["body_jaxpr"].jaxpr, ins[in_cond:], axes) != carry:
        raise Refused
    return carry
