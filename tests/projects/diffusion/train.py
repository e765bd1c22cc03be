"""Train a class-conditional diffusion model on a ring of Gaussians."""
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from absl import app, flags

from diffusion import NoiseSchedule, cosine_schedule, ddim_sample, ddpm_sample, init_unet1d, linear_schedule, unet1d

FLAGS = flags.FLAGS
flags.DEFINE_integer("steps", 400, "Number of training steps.")
flags.DEFINE_integer("batch_size", 256, "Batch size.")
flags.DEFINE_integer("diffusion_steps", 64, "Number of noise levels.")
flags.DEFINE_float("learning_rate", 3e-3, "Peak learning rate.")
flags.DEFINE_float("guidance", 1.5, "Strength of the classifier-free guidance.")
flags.DEFINE_enum("schedule", "cosine", ["cosine", "linear"], "Noise schedule.")

NUM_CLASSES = 5
DIM = 2


class TrainState(NamedTuple):
    step: jax.Array
    params: Any
    ema: Any
    opt_state: optax.OptState


def ring_centers():
    angle = 2 * np.pi * np.arange(NUM_CLASSES) / NUM_CLASSES
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1).astype(np.float32)


def sample_data(key, n):
    label_key, noise_key = jax.random.split(key)
    labels = jax.random.randint(label_key, (n,), 0, NUM_CLASSES)
    x = jnp.asarray(ring_centers())[labels] + 0.08 * jax.random.normal(noise_key, (n, DIM))
    return x, labels


def diffusion_loss(params, schedule: NoiseSchedule, key, x0, labels, drop_prob=0.15):
    t_key, noise_key, drop_key = jax.random.split(key, 3)
    n = x0.shape[0]
    # stratified times: one uniform offset shared by an even grid
    u = (jnp.arange(n) + jax.random.uniform(t_key)) / n
    t = jnp.floor(u * schedule.num_steps).astype(jnp.int32)
    noise = jax.random.normal(noise_key, x0.shape)
    labels = jnp.where(jax.random.bernoulli(drop_key, drop_prob, labels.shape), -1, labels)
    xt = schedule.diffuse(x0, t, noise)
    v = unet1d(params, xt, t, labels)
    per_example = jnp.mean((v - schedule.velocity(x0, t, noise)) ** 2, axis=-1)
    by_time = jax.ops.segment_sum(per_example, t // (schedule.num_steps // 4), num_segments=4) / (n / 4)
    return per_example.mean(), by_time


@partial(jax.jit, static_argnames=("tx", "batch_size", "inner"))
def train_many(state: TrainState, schedule, key, *, tx, batch_size, inner, ema_decay=0.99):
    """`inner` optimisation steps in one call."""

    def one(state: TrainState, key):
        data_key, loss_key = jax.random.split(key)
        x0, labels = sample_data(data_key, batch_size)
        (loss, by_time), grads = jax.value_and_grad(diffusion_loss, has_aux=True)(
            state.params, schedule, loss_key, x0, labels
        )
        updates, opt_state = tx.update(grads, state.opt_state, state.params)
        params = optax.apply_updates(state.params, updates)
        decay = jnp.minimum(ema_decay, (1 + state.step) / (10 + state.step))
        ema = optax.incremental_update(params, state.ema, 1 - decay)
        return TrainState(state.step + 1, params, ema, opt_state), (loss, by_time)

    return jax.lax.scan(one, state, jax.random.split(key, inner))


def guided_denoiser(params, labels, strength):
    def denoise(x, t):
        both_x, both_t = jnp.concatenate([x, x]), jnp.tile(t, 2)
        both_labels = jnp.concatenate([labels, jnp.full_like(labels, -1)])
        cond, uncond = jnp.split(unet1d(params, both_x, both_t, both_labels), 2)
        return uncond + strength * (cond - uncond)

    return denoise


@partial(jax.jit, static_argnums=(3,))
def class_samples(params, schedule, key, per_class, strength):
    labels = jnp.repeat(jnp.arange(NUM_CLASSES), per_class)
    denoiser = guided_denoiser(params, labels, strength)
    x, path = ddim_sample(denoiser, schedule, key, (labels.shape[0], DIM), num_steps=12, return_path=True)
    return x.reshape(NUM_CLASSES, per_class, DIM), path


def main(argv):
    del argv
    make_schedule = {"cosine": cosine_schedule, "linear": linear_schedule}[FLAGS.schedule]
    schedule = make_schedule(FLAGS.diffusion_steps)
    print(f"schedule {schedule.name}: final signal {schedule.alpha_bars[-1]:.2e}, "
          f"median log-SNR {jnp.median(jnp.log(schedule.snr())):.2f}")

    key = jax.random.key(0)
    init_key, train_key, sample_key = jax.random.split(key, 3)
    params = init_unet1d(init_key, DIM, num_classes=NUM_CLASSES)
    tx = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adam(optax.cosine_decay_schedule(FLAGS.learning_rate, FLAGS.steps)),
    )
    state = TrainState(jnp.zeros((), jnp.int32), params, params, tx.init(params))

    inner = 100
    for i in range(FLAGS.steps // inner):
        state, (losses, by_time) = train_many(
            state, schedule, jax.random.fold_in(train_key, i), tx=tx, batch_size=FLAGS.batch_size, inner=inner
        )
        print(f"step {int(state.step):4d}: loss {losses.mean():.4f}, by time "
              + " ".join(f"{v:.3f}" for v in by_time.mean(axis=0)))

    # unconditional ancestral samples
    denoiser = lambda x, t: unet1d(state.ema, x, t)
    x = jax.jit(lambda k: ddpm_sample(denoiser, schedule, k, (256, DIM), clip=1.5))(sample_key)
    dist = jnp.linalg.norm(x[:, None] - ring_centers()[None], axis=-1)
    counts = jnp.bincount(dist.argmin(axis=1), length=NUM_CLASSES)
    print("ddpm: mean distance to a mode", f"{dist.min(axis=1).mean():.3f}", "counts", counts)

    samples, path = class_samples(state.ema, schedule, sample_key, 32, FLAGS.guidance)
    err = jnp.linalg.norm(samples.mean(axis=1) - ring_centers(), axis=-1)
    print("ddim: distance of class means", np.round(np.asarray(err), 2), "path", path.shape)


if __name__ == "__main__":
    app.run(main)
