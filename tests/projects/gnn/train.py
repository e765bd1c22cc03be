"""Count triangles with several kinds of message passing."""
import enum
import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import optax

from graphs import GraphsTuple, batch_graphs, dataloader, pad_graphs, random_graph
from layers import LAYERS, init_linear, linear, segment_mean


class Pool(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


@dataclass(frozen=True)
class Model:
    """Only hyperparameters: the parameters are passed around explicitly."""

    kind: str = "sum"
    dim: int = 24
    depth: int = 2
    pool: Pool = Pool.SUM

    def init(self, key, g: GraphsTuple):
        init_layer, _ = LAYERS[self.kind]
        k_in, k_out, *ks = jax.random.split(key, self.depth + 2)
        return {
            "encoder": init_linear(k_in, g.nodes.shape[-1], self.dim),
            "layers": [init_layer(k, self.dim, g.edges.shape[-1], 4) for k in ks],
            "decoder": init_linear(k_out, self.dim, 1),
        }

    def apply(self, params, g: GraphsTuple):
        _, layer = LAYERS[self.kind]
        h = linear(params["encoder"], g.nodes)
        for p in params["layers"]:
            h = jax.nn.relu(h + layer(p, g, h))
        h = h * g.node_mask()[:, None]
        ids = g.node_graph_ids()
        if self.pool is Pool.SUM:
            pooled = jax.ops.segment_sum(h, ids, g.num_graphs) / 10.0
        elif self.pool is Pool.MEAN:
            pooled = segment_mean(h, ids, g.num_graphs)
        else:
            raise ValueError(self.pool)
        return jnp.squeeze(linear(params["decoder"], pooled), -1)


def masked_mse(pred, g: GraphsTuple):
    mask = g.graph_mask()
    return jnp.sum(jnp.where(mask, (pred - g.targets) ** 2, 0.0)) / mask.sum()


@functools.partial(jax.jit, static_argnames=("model", "tx"))
def update(params, opt_state, g, *, model: Model, tx):
    loss, grads = jax.value_and_grad(lambda p: masked_mse(model.apply(p, g), g))(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def permute_nodes(g: GraphsTuple, rng: np.random.Generator) -> GraphsTuple:
    """Relabel the nodes of a single graph."""
    perm = rng.permutation(g.nodes.shape[0])
    inverse = np.argsort(perm)
    return g._replace(nodes=g.nodes[perm], senders=inverse[g.senders].astype(np.int32),
                      receivers=inverse[g.receivers].astype(np.int32))


def run(model: Model, train, test: GraphsTuple, steps=120, batch_size=16, seed=0):
    loader = dataloader(train, batch_size, np.random.default_rng(seed))
    params = model.init(jax.random.key(seed), next(loader))
    tx = optax.adamw(optax.warmup_cosine_decay_schedule(1e-4, 1e-2, 10, steps), weight_decay=1e-4)
    opt_state = tx.init(params)
    loss = jnp.inf
    for _, g in zip(range(steps), loader):
        params, opt_state, value = update(params, opt_state, g, model=model, tx=tx)
        loss = value if jnp.isinf(loss) else 0.9 * loss + 0.1 * value
    test_loss = masked_mse(jax.jit(model.apply)(params, test), test)
    return params, float(loss), float(test_loss)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    graphs = [random_graph(rng) for _ in range(200)]
    train, held_out = graphs[:160], graphs[160:]
    test = batch_graphs(held_out)
    test = pad_graphs(test, num_nodes=512, num_edges=4096)
    variance = float(np.var(test.targets[:-1]))
    print(f"{len(graphs)} graphs, test batch of {int(test.n_node[:-1].sum())} nodes and "
          f"{int(test.n_edge[:-1].sum())} edges, variance of the target {variance:.3f}")

    trained = {}
    for kind in LAYERS:
        model = Model(kind)
        trained[kind], train_loss, test_loss = run(model, train, test)
        count = sum(jnp.size(p) for p in jax.tree.leaves(trained[kind]))
        print(f"{kind:<10} {count:5d} parameters  train {train_loss:.4f}  test {test_loss:.4f}")
    _, _, mean_pool = run(Model("sum", pool=Pool.MEAN), train, test)
    print(f"mean pooling: test {mean_pool:.4f}")

    single = pad_graphs(held_out[0], 13, 96)
    shuffled = pad_graphs(permute_nodes(held_out[0], rng), 13, 96)
    for kind, params in trained.items():
        out = [Model(kind).apply(params, g)[0] for g in (single, shuffled)]
        assert jnp.allclose(*out, atol=1e-4), kind
    print("all models are invariant to the order of the nodes")
