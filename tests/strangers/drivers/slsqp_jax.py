"""A quadratic function under an equality and an inequality, minimized by sequential quadratic programming."""
import jax
import jax.numpy as jnp
import optimistix as optx
from slsqp_jax import SLSQP, SLSQPConfig, ToleranceConfig


def objective(x, scale):
    return scale * jnp.sum(x**2), None


def equality(x, scale):
    return jnp.array([x[0] + x[1] - 1.0])


def inequality(x, scale):
    return jnp.array([0.2 - x[0]])


solver = SLSQP(
    eq_constraint_fn=equality,
    n_eq_constraints=1,
    ineq_constraint_fn=inequality,
    n_ineq_constraints=1,
    config=SLSQPConfig(tolerance=ToleranceConfig(rtol=1e-6)),
)
start = jnp.array([0.5, 0.5])
solution = optx.minimise(objective, solver, start, jnp.array(1.0), has_aux=True, max_steps=20, throw=False)
found = solution.value
value, gradient = jax.value_and_grad(lambda x: objective(x, 1.0)[0])(found)
