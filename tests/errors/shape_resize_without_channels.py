import jax
import jax.numpy as jnp

def upscale(img):
    h, w, c = img.shape
    return jax.image.resize(img, (h * 2, w * 2), "bilinear")

upscale(jnp.ones((4, 4, 3)))
