"""Checks inside of traced functions: `checkify` and what it collects.

What a check found is kept in mutable arrays of the checkified function, so that it comes out of whatever staged the check.
"""
from _jitlens import core, prims as p

from ._engine_refs import Ref, reachable, read

_contexts = []
_numbers = [0]


class Checks:
    """What one run of a checkified function has found so far."""

    def __init__(self, kinds):
        self.kinds = kinds
        self.born, self.trace = core.traces()[0][1], core.current_trace()
        self.messages, self.payloads = [], []
        self.failed = self._ref(core.constant(False, core.dtype(False)))
        self.code = self._ref(core.constant(0, core.INT32))
        self.noted = False

    def _ref(self, value):
        return Ref(value, self.born, self.trace, _joined)

    def note(self, kind, failed, describe, payload=()):
        """That something has failed where `failed` holds, `describe(payload)` then says what."""
        if kind not in self.kinds:
            return
        self.noted = True
        number = len(self.messages)
        values = [core.strong(core.stop_gradient(core.asarray(x))) for x in payload]
        failed, *values = _unbatched(self.born, core.asarray(failed), values)
        before = read(self.failed)
        first = p.and_(failed, p.not_(before))
        refs = [self._ref(core.zeros_of(core.typeof(x))) for x in values]
        self.messages.append((describe, len(self.payloads), len(refs)))
        self.payloads.extend(refs)
        _put(self.failed, p.or_(before, failed))
        _put(self.code, p.select_n(first, read(self.code), core.constant(number, core.INT32)))
        for ref, value in zip(refs, values):
            whole = p.broadcast_in_dim(first, shape=core.shape(value), broadcast_dimensions=())
            _put(ref, p.select_n(whole, read(ref), value))

    def details(self):
        return [read(self.code)] + [read(ref) for ref in self.payloads]


def _shown(x):
    """A value as messages print it."""
    return core.known_scalar(x) if core.ndim(x) == 0 else core.numpy_array(x)


def _put(ref, value):
    from ._engine_refs import write
    write(ref, value)


def _is_mapped(born):
    """Whether something is mapped over between here and the trace of this number, or the graph that is being staged."""
    kinds = []
    for kind, trace in core.traces():
        if trace == born or kind == "jaxpr":
            break
        kinds.append(kind)
    return "batch" in kinds


def _unbatched(born, failed, values):
    """One example for all that are mapped over: the first that failed. Nothing is checked while it is picked."""
    if not _is_mapped(born):
        return [failed, *values]
    _contexts.append(None)
    try:
        return list(_first_failed()(failed, *values))
    finally:
        _contexts.pop()


def _joined(ref, value):
    """What a loop that was mapped over as a whole wrote: whether any failed; of which example the rest is is not known."""
    if not _is_mapped(ref._born) or not core.is_tracer(value):
        return value
    if ref.dtype.kind == "b":
        return _first_failed()(value)[0]
    from .custom_batching import custom_vmap
    some = custom_vmap(lambda x: x)
    some.def_vmap(lambda axis_size, batched, x: (core.forgotten(x[0]) if batched[0] else x, False))
    return some(value)


_made = []


def _first_failed():
    if not _made:
        from .custom_batching import custom_vmap
        first = custom_vmap(lambda failed, *values: (failed, *values))

        @first.def_vmap
        def rule(axis_size, batched, failed, *values):
            if not batched[0]:
                failed = p.broadcast_in_dim(failed, shape=(axis_size,), broadcast_dimensions=())
            at = p.argmax(failed, axes=(0,), index_dtype=core.INT32)
            picked = [x[at] if has else x for x, has in zip(values, batched[1:])]
            return first(p.reduce_or(failed, axes=(0,)), *picked), (False,) * (1 + len(values))

        _made.append(first)
    return _made[0]


def _current():
    return _contexts[-1] if _contexts else None


def bind_check(pred, fmt, leaves, in_tree, debug):
    """A check in a traced function: noted by the checkified function around it; without one, it cannot be compiled."""
    checks = _current()
    if checks is not None:
        def describe(payload):
            args, kwargs = in_tree.unflatten([_shown(x) for x in payload])
            return fmt.format(*args, **kwargs) + " (`check` failed)"
        checks.note("FailedCheckError", p.not_(core.asarray(pred)), describe, leaves)
    elif not debug:
        core.bind_unchecked([pred], f"{fmt} (`check` failed)")


def checkify_call(f, in_tree, leaves, errors):
    """`(failed, details, describe, out_tree, outs)`: runs `f` with the checks of these kinds collected. `failed` is a bool array, or
    None where there are no checks; `describe(details)` is the message of the first failed one, where the numbers are known."""
    args, kwargs = in_tree.unflatten(leaves)
    found = {}

    def body():
        _numbers[0] += 1
        checks = found["checks"] = Checks(errors)
        _contexts.append(checks)
        core.set_option("checkify", _numbers[0])
        watching = bool(errors - {"FailedCheckError"})
        if watching:
            core.watch_primitives(_watch)
        try:
            outs, found["tree"] = core.tree_flatten(f(*args, **kwargs))
            found["count"] = len(outs)
            for x in outs:
                core.check_arg(x)
        finally:
            _contexts.pop()
            core.set_option("checkify", _numbers[0] if _contexts else None)
            core.watch_primitives(_watch if _contexts and _contexts[-1].kinds - {"FailedCheckError"} else None)
        return [*outs, read(checks.failed), *checks.details()]

    empty = core.treedef_tuple([core.tree_structure(()), core.tree_structure({})])
    jaxpr, consts, _, _ = core.trace_to_jaxpr(body, empty, [], "checkify", f)
    outs = core.eval_jaxpr(jaxpr, *consts)
    count, checks = found["count"], found["checks"]
    if not checks.noted:
        return None, [], None, found["tree"], outs[:count]
    return outs[count], outs[count + 1:], _Description(checks.messages), found["tree"], outs[:count]


class _Description:
    """What the checks of one run say: a code and all payloads to a message."""

    def __init__(self, messages):
        self.messages = messages

    def __call__(self, details):
        describe, start, count = self.messages[int(details[0])]
        return describe(details[1 + start:1 + start + count])


# --------------------------------------------------------------------------------------------------- automatic checks

# Primitives whose results are looked through for NaNs.
NAN = frozenset("""acos acosh add asin asinh atan2 atan atanh bessel_i0e bessel_i1e cbrt conv_general_dilated cos cosh cumlogsumexp cummax
    cummin cumprod cumsum digamma dot_general erf erf_inv exp2 expm1 exp fft igamma igammac lgamma log1p log logistic mul pad pow
    psum random_gamma_grad reduce reduce_prod reduce_sum reduce_window rem rng_uniform rsqrt sin sinh sqrt sub tan tanh top_k
    div custom_linear_solve""".split())


def _watch(name, inputs, outputs, bounds):
    """Called for every primitive that is bound in a checkified function. `bounds` are axes of its first operand that it cuts windows out
    of, and the last place where one fits."""
    checks = _current()
    if checks is None or not reachable(checks.failed):
        return
    core.watch_primitives(None)
    try:
        if name == "div":
            zero = p.eq(inputs[1], core.scalar_like(inputs[1], 0))
            checks.note("DivisionByZeroError", _any(zero), lambda payload: "division by zero")
        if name in NAN:
            for out in outputs:
                if core.dtype(out).kind in "fc":
                    checks.note("NaNError", _any(p.ne(out, out)), lambda payload: f"nan generated by primitive: {name}.")
        for component, (axis, last) in enumerate(bounds):
            if name == "dynamic_slice" or name == "dynamic_update_slice":
                index = inputs[len(inputs) - len(bounds) + component]
            else:
                index = inputs[1][..., component]
            _check_bounds(checks, inputs[0].shape, index, axis, last)
    finally:
        core.watch_primitives(_watch)


def _check_bounds(checks, shape, index, axis, last):
    zero, end = core.scalar_like(index, 0), core.scalar_like(index, last)
    if index.ndim:
        zero, end = [p.broadcast_in_dim(x, shape=index.shape, broadcast_dimensions=()) for x in (zero, end)]
    outside = p.or_(p.lt(index, zero), p.gt(index, end))
    flat, out = (index.reshape(-1), outside.reshape(-1)) if index.ndim else (index.reshape(1), outside.reshape(1))
    value = flat[p.argmax(out, axes=(0,), index_dtype=core.INT32)]
    checks.note("OOBError", _any(outside), lambda payload: f"out-of-bounds indexing for array of shape {shape}: index {_shown(payload[0])} is out of "
                f"bounds for axis {axis} with size {shape[axis]}. ", [value])


def _any(x):
    return p.reduce_or(x, axes=tuple(range(x.ndim))) if x.ndim else x
