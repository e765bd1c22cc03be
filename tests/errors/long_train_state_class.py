import dataclasses
import jax
import jax.numpy as jnp
import optax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class TrainState:
    params: dict
    opt_state: tuple
    step: int


def forward(params, x):
    return x @ params["w"] + params["b"]


def loss_fn(params, batch):
    x, y = batch
    return optax.l2_loss(forward(params, x), y).mean()


optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))


@jax.jit
def train_step(state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, batch)
    updates, opt_state = optimizer.update(grads, state.opt_state, state.params)
    params = optax.apply_updates(state.params, updates)
    return TrainState(params, opt_state, state.step + 1), loss


def evaluate(state, batch):
    loss, _ = loss_fn(state.params, batch)
    return float(loss)


params = {"w": jnp.ones((3, 1)), "b": jnp.zeros(1)}
state = TrainState(params, optimizer.init(params), 0)
batch = (jnp.ones((16, 3)), jnp.ones((16, 1)))
for i in range(5):
    state, loss = train_step(state, batch)
print(evaluate(state, batch))
