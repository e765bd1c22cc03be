import jax
import jax.numpy as jnp
import ml_collections
import optax

from vit_jax import models_mixer, models_vit

transformer = dict(num_layers=2, mlp_dim=32, num_heads=2, dropout_rate=0.1, attention_dropout_rate=0.0)


class Patches:
    size = (4, 4)


vit = models_vit.VisionTransformer(num_classes=5, patches=Patches(), transformer=transformer, hidden_size=16)
mixer = models_mixer.MlpMixer(patches=Patches(), num_classes=5, num_blocks=2, hidden_dim=16, tokens_mlp_dim=8, channels_mlp_dim=32)
key = jax.random.PRNGKey(0)
images = jax.random.uniform(key, (4, 16, 16, 3))
labels = jnp.array([0, 1, 2, 3])

for model in (vit, mixer):
    params = model.init(key, images, train=False)["params"]
    tx = optax.sgd(0.1, momentum=0.9)
    state = tx.init(params)

    def loss_fn(params, key):
        logits = model.apply({"params": params}, images, train=True, rngs={"dropout": key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    @jax.jit
    def update(params, state, key):
        loss, grads = jax.value_and_grad(loss_fn)(params, key)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for step in range(2):
        params, state, loss = update(params, state, jax.random.fold_in(key, step))
    print(loss)
