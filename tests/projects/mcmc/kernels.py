"""Transition kernels. Each is (init, step) over a log-density on an arbitrary pytree."""
import typing as tp

import jax
import jax.numpy as jnp
from jax import lax, random

LogDensity = tp.Callable[[tp.Any], jax.Array]


class State(tp.NamedTuple):
    position: tp.Any
    logp: jax.Array
    grad: tp.Any


class Info(tp.NamedTuple):
    accept_prob: jax.Array
    accepted: jax.Array


class Kernel(tp.NamedTuple):
    init: tp.Callable
    step: tp.Callable


def tree_random_normal(key, tree):
    leaves, treedef = jax.tree.flatten(tree)
    keys = random.split(key, len(leaves))
    return jax.tree.unflatten(treedef, [random.normal(k, l.shape, l.dtype) for k, l in zip(keys, leaves)])


def tree_dot(a, b):
    return sum(jax.tree.leaves(jax.tree.map(lambda x, y: jnp.vdot(x, y), a, b)))


def accept_or_reject(key, old: State, new: State, log_ratio):
    log_ratio = jnp.where(jnp.isnan(log_ratio), -jnp.inf, log_ratio)
    prob = jnp.minimum(1.0, jnp.exp(log_ratio))
    accepted = random.uniform(key) < prob
    state = lax.cond(accepted, lambda: new, lambda: old)
    return state, Info(prob, accepted)


def init_state(logdensity: LogDensity, position) -> State:
    logp, grad = jax.value_and_grad(logdensity)(position)
    return State(position, logp, grad)


def mala(logdensity: LogDensity) -> Kernel:
    """Metropolis-adjusted Langevin."""

    def log_proposal(x_to, x_from, grad_from, eps):
        diff = jax.tree.map(lambda a, b, g: a - b - eps * g, x_to, x_from, grad_from)
        return -tree_dot(diff, diff) / (4 * eps)

    def step(key, state: State, eps):
        key_noise, key_accept = random.split(key)
        noise = tree_random_normal(key_noise, state.position)
        proposal = jax.tree.map(
            lambda x, g, n: x + eps * g + jnp.sqrt(2 * eps) * n, state.position, state.grad, noise
        )
        new = init_state(logdensity, proposal)
        log_ratio = (
            new.logp
            - state.logp
            + log_proposal(state.position, proposal, new.grad, eps)
            - log_proposal(proposal, state.position, state.grad, eps)
        )
        return accept_or_reject(key_accept, state, new, log_ratio)

    return Kernel(lambda x: init_state(logdensity, x), step)


def hmc(logdensity: LogDensity, num_leapfrog: int = 10, jitter: float = 0.1) -> Kernel:
    grad_fn = jax.value_and_grad(logdensity)

    def leapfrog(state: State, momentum, eps):
        half = lambda p, g: p + 0.5 * eps * g
        momentum = jax.tree.map(half, momentum, state.grad)

        def body(_, carry):
            q, p, _, _ = carry
            q = jax.tree.map(lambda q, p: q + eps * p, q, p)
            logp, grad = grad_fn(q)
            p = jax.tree.map(lambda p, g: p + eps * g, p, grad)
            return q, p, logp, grad

        q, p, logp, grad = lax.fori_loop(0, num_leapfrog, body, (state.position, momentum, state.logp, state.grad))
        # the last kick was a full one: take back half of it
        p = jax.tree.map(lambda p, g: p - 0.5 * eps * g, p, grad)
        return State(q, logp, grad), p

    def step(key, state: State, eps):
        key_mom, key_eps, key_accept = random.split(key, 3)
        momentum = tree_random_normal(key_mom, state.position)
        eps = eps * random.uniform(key_eps, minval=1 - jitter, maxval=1 + jitter)
        new, new_momentum = leapfrog(state, momentum, eps)
        log_ratio = new.logp - state.logp - 0.5 * (tree_dot(new_momentum, new_momentum) - tree_dot(momentum, momentum))
        return accept_or_reject(key_accept, state, new, log_ratio)

    return Kernel(lambda x: init_state(logdensity, x), step)


def slice_sampler(logdensity: tp.Callable[[jax.Array], jax.Array], max_doublings: int = 8) -> Kernel:
    """Univariate slice sampling along a random direction of a flat vector."""

    def step(key, state: State, width):
        key_dir, key_level, key_place, key_shrink = random.split(key, 4)
        x = state.position
        direction = random.normal(key_dir, x.shape)
        direction = direction / jnp.linalg.norm(direction)
        level = state.logp + jnp.log(random.uniform(key_level, minval=1e-12))
        along = lambda t: logdensity(x + t * direction)

        u = random.uniform(key_place)
        lo, hi = -u * width, (1.0 - u) * width
        expand = lambda sign: lambda carry: (carry[0] + 1, carry[1] + sign * width)
        above = lambda carry: (along(carry[1]) > level) & (carry[0] < max_doublings)
        _, lo = lax.while_loop(above, expand(-1.0), (0, lo))
        _, hi = lax.while_loop(above, expand(1.0), (0, hi))

        def shrink(carry):
            key, lo, hi, t, _ = carry
            key, sub = random.split(key)
            t = random.uniform(sub, minval=lo, maxval=hi)
            inside = along(t) > level
            lo = jnp.where(inside | (t > 0), lo, t)
            hi = jnp.where(inside | (t <= 0), hi, t)
            return key, lo, hi, t, inside

        init = (key_shrink, lo, hi, jnp.zeros_like(lo), jnp.asarray(False))
        _, _, _, t, _ = lax.while_loop(lambda c: ~c[-1], shrink, init)
        new = init_state(logdensity, x + t * direction)
        return new, Info(jnp.ones(()), jnp.asarray(True))

    return Kernel(lambda x: init_state(logdensity, x), step)
