from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax

from .modules import MLP, Standardizer


class TrainState(NamedTuple):
    step: jax.Array
    model: MLP
    opt_state: optax.OptState
    stats: Standardizer
    ema: MLP
    rng: jax.Array


class Metrics(NamedTuple):
    loss: jax.Array
    accuracy: jax.Array
    grad_norm: jax.Array

    @classmethod
    def zeros(cls) -> Metrics:
        return cls(*(jnp.zeros(()) for _ in cls._fields))

    def merge(self, other: Metrics) -> Metrics:
        return jax.tree.map(jnp.add, self, other)

    def average(self, count: int) -> dict[str, float]:
        return {k: float(v) / count for k, v in self._asdict().items()}


def create_train_state(rng, model: MLP, tx: optax.GradientTransformation, num_numeric: int) -> TrainState:
    return TrainState(
        step=jnp.int32(0),
        model=model,
        opt_state=tx.init(model),
        stats=Standardizer.zeros(num_numeric),
        ema=jax.tree.map(jnp.copy, model),  # its own buffers, since the state is donated
        rng=rng,
    )


def compute_loss(model, stats, batch, key=None):
    logits = model(stats(batch["numeric"]), batch["categorical"], key)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"])
    weights = batch.get("weight", jnp.ones_like(losses))
    loss = jnp.sum(losses * weights) / jnp.sum(weights)
    accuracy = (jnp.argmax(logits, -1) == batch["label"]).astype(jnp.float32)
    return loss, jnp.average(accuracy, weights=weights)


@partial(jax.jit, static_argnames="tx", donate_argnames="state")
def train_step(state: TrainState, batch, *, tx):
    rng, dropout_rng = jax.random.split(state.rng)
    stats = state.stats.update(batch["numeric"])
    (loss, accuracy), grads = jax.value_and_grad(compute_loss, has_aux=True)(
        state.model, stats, batch, dropout_rng
    )
    updates, opt_state = tx.update(grads, state.opt_state, state.model)
    model = optax.apply_updates(state.model, updates)
    state = state._replace(
        step=state.step + 1,
        model=model,
        opt_state=opt_state,
        stats=stats,
        ema=optax.incremental_update(model, state.ema, step_size=0.05),
        rng=rng,
    )
    return state, Metrics(loss, accuracy, optax.tree.norm(grads))


@jax.jit
def eval_step(model: MLP, stats: Standardizer, batch) -> Metrics:
    loss, accuracy = compute_loss(model, stats, batch)
    return Metrics(loss, accuracy, jnp.zeros(()))
