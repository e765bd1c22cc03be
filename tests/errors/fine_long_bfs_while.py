import jax
import jax.numpy as jnp


def neighbors(adjacency, frontier):
    return (adjacency.astype(jnp.int32) @ frontier.astype(jnp.int32)) > 0


def distances(adjacency, start):
    n = adjacency.shape[0]
    reached = jnp.zeros(n, bool).at[start].set(True)

    def cond(state):
        frontier, _, _ = state
        return frontier.any()

    def body(state):
        frontier, reached, distance = state
        new = neighbors(adjacency, frontier) & ~reached
        step = jnp.where(new, distance.max() + 1, distance)
        return new, reached | new, step.astype(jnp.float32)

    start_distance = jnp.where(reached, 0, -1)
    return jax.lax.while_loop(cond, body, (reached, reached, start_distance))


graph = jnp.eye(6, k=1) + jnp.eye(6, k=-1)
distances(graph > 0, 0)
