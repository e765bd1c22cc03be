"""Explicit collectives with shard_map."""
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def data_parallel_grads(mesh, loss_fn):
    """Loss and gradients averaged over the data axis, parameters replicated."""

    @jax.jit
    @partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("data")), out_specs=(P(), P()), check_vma=False)
    def grad_fn(params, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        grads = jax.tree.map(partial(lax.pmean, axis_name="data"), grads)
        return lax.pmean(loss, axis_name="data"), grads

    return grad_fn


def tensor_parallel_matmul(mesh, x, w):
    """x (n, k) sharded by rows and columns, w (k, m) sharded along k."""

    def kernel(x_block, w_block):
        partial_sum = x_block @ w_block
        return lax.psum(partial_sum, "model")

    f = jax.shard_map(kernel, mesh=mesh, in_specs=(P("data", "model"), P("model", None)), out_specs=P("data", None))
    return f(x, w)


def ring_all_reduce(mesh, x):
    """Sum of the row blocks of x, by passing a block around the ring of data devices."""
    n = mesh.shape["data"]

    @partial(jax.shard_map, mesh=mesh, in_specs=P("data"), out_specs=P(), check_vma=False)
    def run(block):
        perm = [(i, (i + 1) % n) for i in range(n)]

        def body(_, carry):
            total, moving = carry
            moving = lax.ppermute(moving, "data", perm)
            return total + moving, moving

        total, _ = lax.fori_loop(0, n - 1, body, (block, block))
        return total

    return jax.jit(run)(x)


def global_moments(mesh, x):
    @partial(jax.shard_map, mesh=mesh, in_specs=P("data", None), out_specs=P())
    def run(block):
        count = lax.psum(block.size, "data")
        mean = lax.psum(block.sum(), "data") / count
        var = lax.psum(jnp.sum((block - mean) ** 2), "data") / count
        return {"mean": mean, "std": jnp.sqrt(var), "max": lax.pmax(block.max(), "data")}

    return run(x)


def sync_batch_norm(x, axis_name="replica", eps=1e-5):
    """Normalises with the statistics of all replicas; meant to run under vmap or shard_map."""
    mean = lax.pmean(x.mean(axis=0), axis_name)
    mean_sq = lax.pmean(jnp.square(x).mean(axis=0), axis_name)
    return (x - mean) * lax.rsqrt(mean_sq - mean**2 + eps)
