"""Optimizer construction."""
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax


def make_schedule(peak: float, warmup: int, total: int) -> optax.Schedule:
    return optax.join_schedules(
        [optax.linear_schedule(0.0, peak, warmup), optax.cosine_decay_schedule(peak, total - warmup, alpha=0.05)],
        boundaries=[warmup],
    )


def decay_mask(params):
    """Weight decay for matrices only."""
    return jax.tree.map(lambda p: p.ndim > 1, params)


def label_by_path(params):
    """'embed' for embedding tables, 'main' for everything else."""

    def label(path, _):
        names = [getattr(k, "name", None) for k in path]
        return "embed" if "embeddings" in names else "main"

    return jax.tree.map_with_path(label, params)


class LookaheadState(NamedTuple):
    slow: Any
    count: jax.Array


def lookahead(sync_period: int = 5, slow_step: float = 0.5) -> optax.GradientTransformation:
    """Every sync_period steps the parameters are pulled back towards their slow copy."""

    def init_fn(params):
        return LookaheadState(slow=jax.tree.map(jnp.copy, params), count=jnp.zeros([], jnp.int32))

    def update_fn(updates, state, params=None):
        if params is None:
            raise ValueError("lookahead needs the parameters")
        count = optax.safe_increment(state.count)
        sync = count % sync_period == 0

        def merge(u, p, s):
            slow = s + slow_step * (p + u - s)
            return jnp.where(sync, slow - p, u), jnp.where(sync, slow, s)

        pairs = jax.tree.map(merge, updates, params, state.slow)
        new_updates, slow = jax.tree.transpose(jax.tree.structure(updates), jax.tree.structure((0, 0)), pairs)
        return new_updates, LookaheadState(slow, count)

    return optax.GradientTransformation(init_fn, update_fn)


def make_optimizer(name: str, schedule: optax.Schedule, weight_decay: float = 1e-2, accumulate: int = 1):
    if name == "adamw":
        tx = optax.chain(
            optax.clip_by_global_norm(1.0),
            optax.adamw(schedule, weight_decay=weight_decay, mask=decay_mask),
        )
    elif name == "split":
        tx = optax.chain(
            optax.clip_by_global_norm(1.0),
            optax.multi_transform(
                {"embed": optax.sgd(schedule, momentum=0.9), "main": optax.adam(schedule)}, label_by_path
            ),
        )
    elif name == "manual":
        tx = optax.chain(
            optax.clip(1.0),
            optax.scale_by_adam(b2=0.99),
            optax.add_decayed_weights(weight_decay, mask=decay_mask),
            optax.scale_by_schedule(schedule),
            optax.scale(-1.0),
            lookahead(),
        )
    else:
        raise ValueError(f"unknown optimizer {name!r}")
    if accumulate > 1:
        tx = optax.MultiSteps(tx, every_k_schedule=accumulate)
    return tx
