import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from lib.data import batching, create_dataset
from lib.dynamics import damped_harmonic_occiliator_fn, spiral_fn
from lib.net import MLP, NeuralODE
from lib.solver import EULER, PC, RK2, RK4, Solver

key = jax.random.PRNGKey(0)
start, spring = damped_harmonic_occiliator_fn()
for method in (EULER, RK2, RK4, PC):
    print(method.__name__, Solver(method, 0.1)(spring, start, 0.0, 1.0))

_, spiral = spiral_fn()
ys, ts = create_dataset(key, 4, 5, 0.0, 1.0, spiral, 0.01)
net = NeuralODE(MLP([3, 8, 2], key=key))
solver = Solver(RK2, 0.1)
optim = optax.adamax(1e-2)
state = optim.init(eqx.filter(net, eqx.is_array))


@jax.jit
def train_step(net, state, by, bt):
    guess, update = net.forward(by, bt, solver)
    update, state = optim.update(update, state)
    return jnp.mean((guess - by) ** 2), eqx.apply_updates(net, update), state


for _ in range(2):
    key, (by, bt) = batching(key, ys, ts, 3)
    loss, net, state = train_step(net, state, by, bt)
    print(loss)
