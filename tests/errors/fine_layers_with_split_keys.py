import jax
import jax.numpy as jnp

def params(key, layers):
    out = []
    for m, n in layers:
        key, sub = jax.random.split(key)
        out.append((jax.random.normal(sub, (m, n)), jnp.zeros((n,))))
    return out

def forward(ps, x):
    for w, b in ps[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = ps[-1]
    return x @ w + b

print(forward(params(jax.random.key(0), [(3, 4), (4, 2)]), jnp.ones((5, 3))))
