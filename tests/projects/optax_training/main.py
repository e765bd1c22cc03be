"""Compare three optimizers on a synthetic tabular classification problem."""
import argparse
import logging
import math

import jax
import jax.numpy as jnp
import numpy as np

from trainer import MLP, Metrics, create_train_state, eval_step, make_optimizer, make_schedule, train_step

log = logging.getLogger(__name__)

CARDINALITIES = (5, 7)
NUM_NUMERIC = 6
NUM_CLASSES = 3


def make_table(n: int, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    numeric = rng.normal(loc=[0, 1, -1, 5, 0, 2], scale=[1, 2, 1, 3, 1, 1], size=(n, NUM_NUMERIC))
    categorical = np.stack([rng.integers(0, c, size=n) for c in CARDINALITIES], axis=1)
    effect = np.linspace(-1.5, 1.5, CARDINALITIES[0])[categorical[:, 0]]
    score = numeric[:, 0] + 0.5 * (numeric[:, 1] - 1) + effect + np.sin(categorical[:, 1])
    label = np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
    return {
        "numeric": numeric.astype(np.float32),
        "categorical": categorical.astype(np.int32),
        "label": label.astype(np.int32),
    }


def epochs(table: dict, batch_size: int, num_epochs: int, seed: int = 0):
    """Yields (epoch, batch). The last batch of each epoch is padded, with zero weights."""
    n = len(table["label"])
    num_batches = math.ceil(n / batch_size)
    rng = np.random.default_rng(seed)
    for epoch in range(num_epochs):
        order = rng.permutation(n)
        padded = np.pad(order, (0, num_batches * batch_size - n), mode="wrap")
        weight = (np.arange(len(padded)) < n).astype(np.float32)
        for rows, w in zip(np.split(padded, num_batches), np.split(weight, num_batches)):
            yield epoch, {**{k: v[rows] for k, v in table.items()}, "weight": w}


def describe(model: MLP) -> str:
    flat, _ = jax.tree.flatten_with_path(model)
    biggest = sorted(flat, key=lambda kv: -kv[1].size)[:2]
    return ", ".join(f"{jax.tree_util.keystr(path)} {leaf.shape}" for path, leaf in biggest)


def train_one(name: str, args, train: dict, test: dict) -> dict:
    steps_per_epoch = math.ceil(len(train["label"]) / args.batch_size)
    schedule = make_schedule(args.lr, warmup=steps_per_epoch, total=args.epochs * steps_per_epoch)
    tx = make_optimizer(name, schedule, accumulate=2 if name == "manual" else 1)

    init_key, state_key = jax.random.split(jax.random.key(args.seed))
    model = MLP(init_key, CARDINALITIES, NUM_NUMERIC, args.width, depth=2, num_outputs=NUM_CLASSES)
    state = create_train_state(state_key, model, tx, NUM_NUMERIC)
    if name == "adamw":
        log.info("largest leaves: %s", describe(model))
        n_state = sum(x.size for x in jax.tree.leaves(state.opt_state))
        log.info("optimizer state holds %d numbers", n_state)

    totals, current, count = Metrics.zeros(), 0, 0
    for epoch, batch in epochs(train, args.batch_size, args.epochs):
        if epoch != current:
            log.debug("%s epoch %d: %s", name, current, totals.average(count))
            totals, current, count = Metrics.zeros(), epoch, 0
        state, metrics = train_step(state, batch, tx=tx)
        totals, count = totals.merge(metrics), count + 1

    last = totals.average(count)
    held_out = eval_step(state.ema, state.stats, test)
    log.info("%-7s train loss %.3f acc %.3f | test loss %.3f acc %.3f | final lr %.2e", name, last["loss"],
             last["accuracy"], held_out.loss, held_out.accuracy, schedule(int(state.step)))
    return {"state": state, "test_acc": float(held_out.accuracy)}


def permutation_importance(state, test: dict, key) -> jnp.ndarray:
    """Drop in accuracy when each numeric column is shuffled."""
    base = eval_step(state.model, state.stats, test).accuracy

    def shuffled(column, key):
        x = jnp.asarray(test["numeric"])
        permuted = jax.random.permutation(key, x[:, column])
        numeric = x.at[:, column].set(permuted)
        return base - eval_step(state.model, state.stats, {**test, "numeric": numeric}).accuracy

    return jax.vmap(shuffled)(jnp.arange(NUM_NUMERIC), jax.random.split(key, NUM_NUMERIC))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--optimizers", nargs="+", default=["adamw", "split", "manual"])
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    log.setLevel(logging.DEBUG if args.verbose else logging.INFO)

    train, test = make_table(500, seed=1), make_table(200, seed=2)
    results = {name: train_one(name, args, train, test) for name in args.optimizers}
    best = max(results, key=lambda name: results[name]["test_acc"])
    importance = permutation_importance(results[best]["state"], test, jax.random.key(9))
    ranking = np.argsort(-np.asarray(importance))
    print("best:", best, "- columns by importance:", ranking.tolist())


if __name__ == "__main__":
    main()
