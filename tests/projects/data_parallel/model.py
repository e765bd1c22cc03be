from typing import NamedTuple, Optional

import jax
import jax.numpy as jnp
import optax
from jax.lax import with_sharding_constraint
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

DIM = 32
HIDDEN = 64

# suffix of the parameter's path -> how it is laid out
SHARDING_RULES = [
    ("embed", P(None, "model")),
    ("up/kernel", P(None, "model")),
    ("up/bias", P("model")),
    ("down/kernel", P("model", None)),
    ("head/kernel", P(None, "model")),
]


class Batch(NamedTuple):
    inputs: jax.Array  # (B, T) int32
    targets: jax.Array  # (B, T) int32
    mask: jax.Array  # (B, T) float32


def init_params(key, vocab: int):
    k0, k1, k2, k3 = jax.random.split(key, 4)
    init = jax.nn.initializers.variance_scaling(1.0, "fan_in", "normal")
    return {
        "embed": jax.nn.initializers.normal(0.1)(k0, (vocab, DIM)),
        "up": {"kernel": init(k1, (DIM, HIDDEN)), "bias": jnp.zeros((HIDDEN,))},
        "down": {"kernel": init(k2, (HIDDEN, DIM)), "bias": jnp.zeros((DIM,))},
        "head": {"kernel": init(k3, (DIM, vocab))},
    }


def constrain(x, mesh: Optional[Mesh], *spec):
    if mesh is None:
        return x
    return with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))


def apply(params, tokens, mesh=None):
    x = params["embed"].at[tokens].get(mode="clip")
    x = constrain(x, mesh, "data", None, None)
    with jax.named_scope("mlp"):
        h = jax.nn.relu(jnp.dot(x, params["up"]["kernel"]) + params["up"]["bias"])
        h = constrain(h, mesh, "data", None, "model")
        x = x + jnp.dot(h, params["down"]["kernel"]) + params["down"]["bias"]
    # causal mean over the past, as a cheap mixing layer
    steps = jnp.arange(1, x.shape[1] + 1)[None, :, None]
    x = x + 0.1 * jnp.cumsum(x, axis=1) / steps
    with jax.named_scope("head"):
        logits = jnp.einsum("btd,dv->btv", x, params["head"]["kernel"], preferred_element_type=jnp.float32)
    return constrain(logits, mesh, "data", None, "model")


def loss_fn(params, batch: Batch, mesh=None):
    logits = apply(params, batch.inputs, mesh)
    losses = optax.softmax_cross_entropy(logits, jax.nn.one_hot(batch.targets, logits.shape[-1]))
    denom = jnp.maximum(batch.mask.sum(), 1.0)
    accuracy = ((logits.argmax(-1) == batch.targets) * batch.mask).sum() / denom
    return (losses * batch.mask).sum() / denom, {"accuracy": accuracy}
