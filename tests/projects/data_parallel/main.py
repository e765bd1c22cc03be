"""Data and model parallel training on a mesh of (virtual) devices."""
import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import collectives
from model import SHARDING_RULES, Batch, init_params, loss_fn

LEARNING_RATE = 1e-2
GLOBAL_BATCH = 64
NUM_STEPS = 40
SEQ_LEN = 12
VOCAB = 24


def create_mesh(model_parallel: int = 2) -> Mesh:
    n = jax.device_count()
    model_parallel = math.gcd(n, model_parallel)
    return jax.make_mesh((n // model_parallel, model_parallel), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def param_shardings(mesh: Mesh, params):
    """Match the path of every parameter against SHARDING_RULES."""

    def rule(path, leaf):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        for suffix, spec in SHARDING_RULES:
            if name.endswith(suffix) and len(spec) <= leaf.ndim:
                return NamedSharding(mesh, spec)
        return NamedSharding(mesh, P())

    return jax.tree.map_with_path(rule, params)


def optimizer_shardings(mesh, tx, params, shardings):
    """Moments are sharded like the parameters, counters are replicated."""
    abstract = jax.eval_shape(tx.init, params)
    return optax.tree.map_params(
        tx,
        lambda _, s: s,
        abstract,
        shardings,
        transform_non_params=lambda _: NamedSharding(mesh, P()),
    )


def batches(seed: int):
    """Sequences with a fixed random permutation as transition: learnable exactly."""
    rng = np.random.default_rng(seed)
    successor = rng.permutation(VOCAB)
    while True:
        tokens = np.empty((GLOBAL_BATCH, SEQ_LEN + 1), np.int32)
        tokens[:, 0] = rng.integers(0, VOCAB, GLOBAL_BATCH)
        for t in range(SEQ_LEN):
            noise = rng.random(GLOBAL_BATCH) < 0.02
            tokens[:, t + 1] = np.where(noise, rng.integers(0, VOCAB, GLOBAL_BATCH), successor[tokens[:, t]])
        lengths = rng.integers(SEQ_LEN // 2, SEQ_LEN + 1, GLOBAL_BATCH)
        mask = np.arange(SEQ_LEN)[None, :] < lengths[:, None]
        yield Batch(tokens[:, :-1], tokens[:, 1:], mask.astype(np.float32))


def make_train_step(mesh, tx, p_shardings, o_shardings):
    data_sharding = NamedSharding(mesh, P("data"))
    replicated = NamedSharding(mesh, P())

    @functools.partial(
        jax.jit,
        in_shardings=(p_shardings, o_shardings, Batch(*[data_sharding] * 3)),
        out_shardings=(p_shardings, o_shardings, replicated),
        donate_argnums=(0, 1),
    )
    def train_step(params, opt_state, batch):
        (loss, aux), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, batch, mesh)
        updates, opt_state = tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        return params, opt_state, {"loss": loss, **aux, "grad_norm": optax.tree.norm(grads)}

    return train_step


def main():
    if jax.process_index() == 0:
        print(f"{jax.device_count()} {jax.devices()[0].platform} devices, "
              f"{jax.local_device_count()} local, {jax.process_count()} process")
    mesh = create_mesh()
    print("mesh:", dict(mesh.shape))

    key = jax.random.key(0)
    abstract = jax.eval_shape(functools.partial(init_params, vocab=VOCAB), key)
    shardings = param_shardings(mesh, abstract)
    params = jax.jit(init_params, static_argnames="vocab", out_shardings=shardings)(key, vocab=VOCAB)
    for path, p in jax.tree.leaves_with_path(params):
        local = p.addressable_shards[0].data.shape
        print(f"  {jax.tree_util.keystr(path, simple=True, separator='/'):<16}{p.shape!s:<12}{p.sharding.spec!s:<34}"
              f"per device {local}")

    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(LEARNING_RATE))
    o_shardings = optimizer_shardings(mesh, tx, params, shardings)
    opt_state = jax.jit(tx.init, out_shardings=o_shardings)(params)
    train_step = make_train_step(mesh, tx, shardings, o_shardings)

    data = NamedSharding(mesh, P("data"))
    for step, batch in zip(range(1, NUM_STEPS + 1), batches(0)):
        batch = jax.device_put(batch, data)
        params, opt_state, metrics = train_step(params, opt_state, batch)
        if step % 10 == 0:
            print(f"step {step:3d} " + " ".join(f"{k} {float(v):.3f}" for k, v in metrics.items()))

    # the same batch, all by hand
    grad_fn = collectives.data_parallel_grads(mesh, lambda p, b: loss_fn(p, b, None)[0])
    replicated = jax.device_put(params, NamedSharding(mesh, P()))
    loss, grads = grad_fn(replicated, batch)
    print(f"manual data parallel: loss {loss:.3f}, norm {optax.tree.norm(grads):.3f}")

    x = jax.random.normal(key, (16, 8))
    w = jax.random.normal(jax.random.fold_in(key, 1), (8, 12))
    np.testing.assert_allclose(collectives.tensor_parallel_matmul(mesh, x, w), x @ w, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(collectives.ring_all_reduce(mesh, x), x.reshape(4, 4, 8).sum(0), rtol=1e-4, atol=1e-4)
    stats = collectives.global_moments(mesh, x)
    print(f"global moments: mean {stats['mean']:.4f} std {stats['std']:.4f} max {stats['max']:.4f}")
    np.testing.assert_allclose(stats["std"], x.std(), rtol=1e-4)

    normed = jax.vmap(collectives.sync_batch_norm, axis_name="replica")(x.reshape(4, 4, 8))
    print("synchronised batch norm:", normed.shape, f"mean {jnp.abs(normed.mean((0, 1))).max():.1e}")


if __name__ == "__main__":
    main()
