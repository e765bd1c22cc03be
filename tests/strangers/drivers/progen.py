import haiku as hk
import jax
import optax

from progen_transformer import ProGen
from progen_transformer.utils import get_loss_fn

model = ProGen(num_tokens=32, dim=16, seq_len=16, window_size=8, depth=3, heads=2, dim_head=8, global_mlp_depth=1)
rng = hk.PRNGSequence(0)
tokens = jax.random.randint(next(rng), (2, 17), 1, 32)
params = model.init(next(rng), tokens[0, :-1])
loss_fn = get_loss_fn(model)
tx = optax.chain(optax.clip_by_global_norm(0.5), optax.adamw(1e-3))
state = tx.init(params)
for _ in range(2):
    loss, grads = loss_fn(params, next(rng), tokens)
    updates, state = tx.update(grads, state, params)
    params = optax.apply_updates(params, updates)
    print(loss)
print(jax.jit(model.apply)(params, next(rng), tokens[0, :-1]).shape)
