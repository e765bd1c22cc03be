"""Batches of graphs as flat arrays, padded to fixed sizes so that jit compiles once."""
from typing import Iterator, List, NamedTuple, Sequence

import jax
import jax.numpy as jnp
import numpy as np


class GraphsTuple(NamedTuple):
    nodes: jax.Array  # (N, F)
    edges: jax.Array  # (E, K)
    senders: jax.Array  # (E,)
    receivers: jax.Array  # (E,)
    n_node: jax.Array  # (G,)
    n_edge: jax.Array  # (G,)
    targets: jax.Array  # (G,)

    @property
    def num_graphs(self) -> int:
        return self.n_node.shape[0]

    def node_graph_ids(self) -> jax.Array:
        return jnp.repeat(jnp.arange(self.num_graphs), self.n_node, axis=0, total_repeat_length=self.nodes.shape[0])

    def graph_mask(self) -> jax.Array:
        """The last graph is the padding."""
        return jnp.arange(self.num_graphs) < self.num_graphs - 1

    def node_mask(self) -> jax.Array:
        return jnp.arange(self.nodes.shape[0]) < self.n_node[:-1].sum()


def random_graph(rng: np.random.Generator) -> GraphsTuple:
    """A geometric graph; the target is its number of triangles, on a log scale."""
    n = int(rng.integers(5, 12))
    points = rng.uniform(size=(n, 2))
    dist = np.linalg.norm(points[:, None] - points[None], axis=-1)
    adjacency = (dist < 0.45) & ~np.eye(n, dtype=bool)
    senders, receivers = np.nonzero(adjacency)
    a = adjacency.astype(float)
    triangles = np.trace(a @ a @ a) / 6
    degree = adjacency.sum(axis=1, keepdims=True)
    return GraphsTuple(
        nodes=np.concatenate([np.ones((n, 1)), degree / 4], axis=1).astype(np.float32),
        edges=dist[senders, receivers][:, None].astype(np.float32),
        senders=senders.astype(np.int32),
        receivers=receivers.astype(np.int32),
        n_node=np.array([n], np.int32),
        n_edge=np.array([len(senders)], np.int32),
        targets=np.array([np.log1p(triangles)], np.float32),
    )


def batch_graphs(graphs: Sequence[GraphsTuple]) -> GraphsTuple:
    offsets = np.cumsum([0] + [g.nodes.shape[0] for g in graphs[:-1]])
    stacked = jax.tree.map(lambda *xs: np.concatenate(xs, axis=0), *graphs)
    return stacked._replace(
        senders=np.concatenate([g.senders + o for g, o in zip(graphs, offsets)]),
        receivers=np.concatenate([g.receivers + o for g, o in zip(graphs, offsets)]),
    )


def pad_graphs(g: GraphsTuple, num_nodes: int, num_edges: int) -> GraphsTuple:
    """One more graph holds all of the padding nodes and edges."""
    extra_nodes, extra_edges = num_nodes - g.nodes.shape[0], num_edges - g.senders.shape[0]
    if extra_nodes < 1 or extra_edges < 0:
        raise ValueError(f"budget too small by {1 - extra_nodes} nodes, {-extra_edges} edges")
    first_pad = g.nodes.shape[0]
    return GraphsTuple(
        nodes=np.pad(g.nodes, ((0, extra_nodes), (0, 0))),
        edges=np.pad(g.edges, [(0, extra_edges), (0, 0)]),
        senders=np.pad(g.senders, (0, extra_edges), constant_values=first_pad),
        receivers=np.pad(g.receivers, (0, extra_edges), constant_values=first_pad),
        n_node=np.append(g.n_node, extra_nodes).astype(np.int32),
        n_edge=np.append(g.n_edge, extra_edges).astype(np.int32),
        targets=np.append(g.targets, np.float32(0)),
    )


def dataloader(graphs: List[GraphsTuple], batch_size: int, rng: np.random.Generator) -> Iterator[GraphsTuple]:
    budget = (12 * batch_size + 1, 12 * 8 * batch_size)
    while True:
        order = rng.permutation(len(graphs))
        for i in range(0, len(order) - batch_size + 1, batch_size):
            yield pad_graphs(batch_graphs([graphs[j] for j in order[i:i + batch_size]]), *budget)
