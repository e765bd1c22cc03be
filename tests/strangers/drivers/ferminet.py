import functools

import jax
import jax.numpy as jnp

from ferminet import envelopes, hamiltonian, networks

atoms = jnp.array([[0.0, 0.0, -0.7], [0.0, 0.0, 0.7]])
charges = jnp.array([1.0, 1.0])
nspins = (1, 1)
network = networks.make_fermi_net(
    nspins, charges, ndim=3, determinants=2, envelope=envelopes.make_isotropic_envelope(),
    feature_layer=networks.make_ferminet_features(2, nspins, ndim=3), bias_orbitals=False, full_det=True,
    hidden_dims=((16, 4), (16, 4)))
key = jax.random.PRNGKey(0)
params = network.init(key)
positions = jax.random.normal(key, (5, 6))
spins = jnp.tile(jnp.array([1.0, -1.0]), (5, 1))
data = networks.FermiNetData(positions=positions, spins=spins, atoms=jnp.tile(atoms, (5, 1, 1)), charges=jnp.tile(charges, (5, 1)))

log_network = lambda *args, **keywords: network.apply(*args, **keywords)[1]
batch_network = jax.vmap(log_network, in_axes=(None, 0, 0, 0, 0))
print(jax.jit(batch_network)(params, data.positions, data.spins, data.atoms, data.charges))

energy = hamiltonian.local_energy(f=network.apply, charges=charges, nspins=nspins, use_scan=False)
axes = networks.FermiNetData(positions=0, spins=0, atoms=0, charges=0)
batch_energy = jax.vmap(lambda params, key, data: energy(params, key, data)[0], in_axes=(None, None, axes))
print(jax.jit(batch_energy)(params, key, data))


@functools.partial(jax.jit, static_argnums=3)
def walk(params, data, key, steps):
    def move(carry, key):
        x, log_psi = carry
        first, second = jax.random.split(key)
        new = x + 0.1 * jax.random.normal(first, x.shape)
        log_new = batch_network(params, new, data.spins, data.atoms, data.charges)
        accept = 2 * (log_new - log_psi) > jnp.log(jax.random.uniform(second, log_psi.shape))
        return (jnp.where(accept[:, None], new, x), jnp.where(accept, log_new, log_psi)), accept.mean()

    start = data.positions, batch_network(params, data.positions, data.spins, data.atoms, data.charges)
    return jax.lax.scan(move, start, jax.random.split(key, steps))


(moved, _), rates = walk(params, data, key, 4)
grads = jax.grad(lambda params: jnp.mean(batch_network(params, moved, data.spins, data.atoms, data.charges)))(params)
print(rates, sum(jnp.vdot(g, g) for g in jax.tree.leaves(grads)))
