"""`jax.example_libraries.optimizers`: optimizers as triples `(init_fn, update_fn, params_fn)`."""
from functools import wraps

from _jitlens import core

from .. import numpy as jnp

Optimizer = core.named_tuple("Optimizer", "init_fn update_fn params_fn")
OptimizerState = core.named_tuple("OptimizerState", "packed_state tree_def subtree_defs", __name__)
core.register_pytree_node(OptimizerState, lambda s: ((s.packed_state,), (s.tree_def, s.subtree_defs)),
                          lambda aux, children: OptimizerState(children[0], *aux))


class JoinPoint:
    """A leaf that holds the state of one parameter."""

    def __init__(self, subtree):
        self.subtree = subtree

    def __iter__(self):
        yield self.subtree


def _packed(states):
    flat = [core.tree_flatten(state) for state in states]
    return tuple(leaves for leaves, _ in flat), tuple(tree for _, tree in flat)


def optimizer(opt_maker):
    @wraps(opt_maker)
    def tree_opt_maker(*args, **kwargs):
        init, update, get_params = opt_maker(*args, **kwargs)

        @wraps(init)
        def tree_init(x0_tree):
            leaves, tree = core.tree_flatten(x0_tree)
            states, subtrees = _packed([init(x0) for x0 in leaves])
            return OptimizerState(states, tree, subtrees)

        @wraps(update)
        def tree_update(i, grad_tree, opt_state):
            states, tree, subtrees = opt_state
            grads, grad_def = core.tree_flatten(grad_tree)
            if grad_def != tree:
                raise TypeError("optimizer update function was passed a gradient tree that did not match the parameter tree structure "
                                f"with which it was initialized: parameter tree {tree} and grad tree {grad_def}.")
            new = [update(i, g, core.tree_unflatten(t, s)) for g, t, s in zip(grads, subtrees, states)]
            new_states, new_subtrees = _packed(new)
            for old, now in zip(subtrees, new_subtrees):
                if old != now:
                    raise TypeError("optimizer update function produced an output structure that did not match its input structure: "
                                    f"input {old} and output {now}.")
            return OptimizerState(new_states, tree, subtrees)

        @wraps(get_params)
        def tree_get_params(opt_state):
            states, tree, subtrees = opt_state
            return core.tree_unflatten(tree, [get_params(core.tree_unflatten(t, s)) for t, s in zip(subtrees, states)])

        return Optimizer(tree_init, tree_update, tree_get_params)
    return tree_opt_maker


def unpack_optimizer_state(opt_state):
    states, tree, subtrees = opt_state
    return core.tree_unflatten(tree, [JoinPoint(core.tree_unflatten(t, s)) for t, s in zip(subtrees, states)])


def pack_optimizer_state(marked_pytree):
    points, tree = core.tree_flatten(marked_pytree)
    assert all(isinstance(point, JoinPoint) for point in points)
    states, subtrees = _packed([point.subtree for point in points])
    return OptimizerState(states, tree, subtrees)


# ------------------------------------------------------------------------------------------------------- optimizers

@optimizer
def sgd(step_size):
    step_size = make_schedule(step_size)

    def init(x0):
        return x0

    def update(i, g, x):
        return x - step_size(i) * g

    def get_params(x):
        return x
    return init, update, get_params


def _first(state):
    return state[0]


def _zeros(count):
    """The start of a state of a parameter and `count` arrays like it."""
    def init(x0):
        return (x0, *[jnp.zeros_like(x0) for _ in range(count)])
    return init


@optimizer
def momentum(step_size, mass):
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, velocity = state
        velocity = mass * velocity + g
        return x - step_size(i) * velocity, velocity
    return _zeros(1), update, _first


@optimizer
def nesterov(step_size, mass):
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, velocity = state
        velocity = mass * velocity + g
        return x - step_size(i) * (mass * velocity + g), velocity
    return _zeros(1), update, _first


@optimizer
def adagrad(step_size, momentum=0.9):
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, g_sq, m = state
        g_sq = g_sq + jnp.square(g)
        inverse = jnp.where(g_sq > 0, 1.0 / jnp.sqrt(g_sq), 0.0)
        m = (1.0 - momentum) * (g * inverse) + momentum * m
        return x - step_size(i) * m, g_sq, m
    return _zeros(2), update, _first


@optimizer
def rmsprop(step_size, gamma=0.9, eps=1e-8):
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, mean_sq = state
        mean_sq = mean_sq * gamma + jnp.square(g) * (1.0 - gamma)
        return x - step_size(i) * g / jnp.sqrt(mean_sq + eps), mean_sq
    return _zeros(1), update, _first


@optimizer
def rmsprop_momentum(step_size, gamma=0.9, eps=1e-8, momentum=0.9):
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, mean_sq, m = state
        mean_sq = mean_sq * gamma + jnp.square(g) * (1.0 - gamma)
        m = momentum * m + step_size(i) * g / jnp.sqrt(mean_sq + eps)
        return x - m, mean_sq, m
    return _zeros(2), update, _first


@optimizer
def adam(step_size, b1=0.9, b2=0.999, eps=1e-8):
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, m, v = state
        m = (1 - b1) * g + b1 * m
        v = (1 - b2) * jnp.square(g) + b2 * v
        m_unbiased = m / (1 - jnp.asarray(b1, m.dtype) ** (i + 1))
        v_unbiased = v / (1 - jnp.asarray(b2, m.dtype) ** (i + 1))
        return x - step_size(i) * m_unbiased / (jnp.sqrt(v_unbiased) + eps), m, v
    return _zeros(2), update, _first


@optimizer
def adamax(step_size, b1=0.9, b2=0.999, eps=1e-8):
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, m, u = state
        m = (1 - b1) * g + b1 * m
        u = jnp.maximum(b2 * u, jnp.abs(g))
        return x - (step_size(i) / (1 - jnp.asarray(b1, m.dtype) ** (i + 1))) * m / (u + eps), m, u
    return _zeros(2), update, _first


@optimizer
def sm3(step_size, momentum=0.9):
    step_size = make_schedule(step_size)

    def along(v, i, ndim):
        return v[tuple(slice(None) if j == i else None for j in range(ndim))]

    def init(x0):
        shape = x0.shape
        x0 = jnp.atleast_1d(x0)
        covers = [jnp.zeros(d, dtype=x0.dtype) for d in x0.shape]
        return x0, jnp.zeros_like(x0), covers, shape

    def update(i, g, state):
        x, m, covers, shape = state
        covers = [along(v, j, x.ndim) for j, v in enumerate(covers)]
        least = covers[0]
        for v in covers[1:]:
            least = jnp.minimum(least, v)
        total = least + jnp.square(g)
        inverse = jnp.where(total > 0, 1.0 / jnp.sqrt(total), 0)
        m = (1.0 - momentum) * (g * inverse) + momentum * m
        x = x - step_size(i) * m
        return x, m, [total.max([k for k in range(x.ndim) if k != j]) for j in range(x.ndim)], shape

    def get_params(state):
        return state[0].reshape(state[3])
    return init, update, get_params


# -------------------------------------------------------------------------------------------------------- schedules

def constant(step_size):
    def schedule(i):
        return step_size
    return schedule


def exponential_decay(step_size, decay_steps, decay_rate):
    def schedule(i):
        return step_size * decay_rate ** (i / decay_steps)
    return schedule


def inverse_time_decay(step_size, decay_steps, decay_rate, staircase=False):
    if staircase:
        def schedule(i):
            return step_size / (1 + decay_rate * jnp.floor(i / decay_steps))
    else:
        def schedule(i):
            return step_size / (1 + decay_rate * i / decay_steps)
    return schedule


def polynomial_decay(step_size, decay_steps, final_step_size, power=1.0):
    def schedule(step_num):
        step_num = jnp.minimum(step_num, decay_steps)
        return (1 - step_num / decay_steps) ** power * (step_size - final_step_size) + final_step_size
    return schedule


def piecewise_constant(boundaries, values):
    boundaries, values = jnp.array(boundaries), jnp.array(values)
    if not boundaries.ndim == values.ndim == 1:
        raise ValueError("boundaries and values must be sequences")
    if boundaries.shape[0] != values.shape[0] - 1:
        raise ValueError("boundaries length must be one shorter than values length")

    def schedule(i):
        return values[jnp.sum(i > boundaries)]
    return schedule


def make_schedule(scalar_or_schedule):
    if callable(scalar_or_schedule):
        return scalar_or_schedule
    if jnp.ndim(scalar_or_schedule) == 0:
        return constant(scalar_or_schedule)
    raise TypeError(type(scalar_or_schedule))


# --------------------------------------------------------------------------------------------------------- gradients

def l2_norm(tree):
    return jnp.sqrt(sum(jnp.vdot(x, x) for x in core.tree_leaves(tree)))


def clip_grads(grad_tree, max_norm):
    norm = l2_norm(grad_tree)
    return core.tree_map(lambda g: jnp.where(norm < max_norm, g, g * (max_norm / norm)), grad_tree)
