"""Render a scene of signed distance functions, then recover the scene by gradient descent."""
from functools import partial
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, jit, lax, vmap

import sdf
from sdf import norm, normalize

Scene = dict
ASCII = " .:-=+*#%@"


class Camera(NamedTuple):
    eye: jax.Array
    target: jax.Array
    fov: float = 1.0


class Hit(NamedTuple):
    t: jax.Array
    position: jax.Array
    steps: jax.Array
    escaped: jax.Array


def default_scene() -> Scene:
    return {
        "ball": {"center": jnp.array([-0.7, 0.0, 0.0]), "radius": jnp.array(0.6)},
        "cube": {"center": jnp.array([0.8, -0.1, 0.2]), "half": jnp.array([0.4, 0.4, 0.4]), "angle": jnp.array(0.6)},
        "ring": {"center": jnp.array([0.0, 0.35, -0.5]), "major": jnp.array(0.45), "minor": jnp.array(0.12)},
        "ground": jnp.array(-0.6),
    }


def scene_distance(scene: Scene, p):
    ball, cube, ring = scene["ball"], scene["cube"], scene["ring"]
    d_ball = sdf.sphere(p, **ball)
    local = sdf.rotate_y(p - cube["center"], cube["angle"])
    d_cube = sdf.box(local, jnp.zeros(3), cube["half"])
    d_ring = sdf.torus(p, ring["center"], ring["major"], ring["minor"])
    dents = sdf.sphere(sdf.repeat_xz(p, 0.5), jnp.array([0.0, -0.6, 0.0]), 0.1)
    ground = sdf.subtract(sdf.plane(p, scene["ground"]), dents)
    return sdf.union(sdf.smooth_union(d_ball, d_ring), d_cube, ground)


def camera_rays(camera: Camera, width: int, height: int):
    """Unit directions of shape (height, width, 3)."""
    forward = normalize(camera.target - camera.eye)
    right = normalize(jnp.cross(forward, jnp.array([0.0, 1.0, 0.0])))
    up = jnp.cross(right, forward)
    aspect = width / height
    xs = jnp.linspace(-1, 1, width) * camera.fov * 0.5 * aspect
    ys = jnp.linspace(1, -1, height) * camera.fov * 0.5
    u, v = jnp.meshgrid(xs, ys)
    dirs = forward + u[..., None] * right + v[..., None] * up
    return normalize(dirs)


def march(distance: Callable, origin, direction, t_max=8.0, tol=1e-3, max_steps=80) -> Hit:
    """Sphere tracing; stops on contact, on escape or after max_steps."""

    def cond(carry):
        i, t, d = carry
        return (i < max_steps) & (t < t_max) & (d > tol)

    def body(carry):
        i, t, _ = carry
        d = distance(origin + t * direction)
        return i + 1, t + d, d

    steps, t, _ = lax.while_loop(cond, body, (0, jnp.float32(0.0), jnp.float32(1.0)))
    return Hit(t, origin + t * direction, steps, t >= t_max)


def soft_shadow(distance, origin, light, k=8.0, num=24):
    def body(i, carry):
        shade, t = carry
        h = distance(origin + t * light)
        return jnp.minimum(shade, k * h / t), t + jnp.clip(h, 0.02, 0.3)

    shade, _ = lax.fori_loop(0, num, body, (jnp.float32(1.0), jnp.float32(0.05)))
    return jnp.clip(shade, 0.0, 1.0)


def ambient_occlusion(distance, p, n):
    hs = jnp.linspace(0.02, 0.25, 5)
    ds = vmap(lambda h: distance(p + h * n))(hs)
    falloff = 0.6 ** jnp.arange(5)
    return jnp.clip(1.0 - 2.5 * jnp.sum((hs - ds) * falloff), 0.0, 1.0)


def shade_ray(scene: Scene, light, origin, direction):
    """Grey level seen along one ray."""
    distance = partial(scene_distance, scene)
    hit = march(distance, origin, direction)

    def surface(p):
        n = normalize(grad(distance)(p))
        diffuse = jnp.maximum(n @ light, 0.0)
        half = normalize(light - direction)
        specular = jnp.power(jnp.maximum(jnp.dot(n, half), 0.0), 24.0)
        shadow = soft_shadow(distance, p + 0.01 * n, light)
        ao = ambient_occlusion(distance, p, n)
        return 0.15 * ao + shadow * (0.7 * diffuse + 0.3 * specular)

    def sky(p):
        return 0.05 + 0.1 * jnp.clip(direction[1], 0.0, 1.0)

    return lax.cond(hit.escaped, sky, surface, hit.position), hit


@partial(jit, static_argnums=(2, 3), static_argnames=("supersample",))
def render(scene: Scene, camera: Camera, width: int, height: int, light, supersample: int = 1):
    rays = camera_rays(camera, width * supersample, height * supersample)
    pixel = partial(shade_ray, scene, light, camera.eye)
    image, hits = vmap(vmap(pixel))(rays)
    blocks = image.reshape(height, supersample, width, supersample)
    return blocks.mean(axis=(1, 3)), hits


def depth_soft(scene: Scene, camera: Camera, rays, num_steps=24):
    """A differentiable depth: a fixed number of marching steps, unrolled by a scan."""
    distance = partial(scene_distance, scene)

    def one(direction):
        def step(t, _):
            t = t + distance(camera.eye + t * direction)
            return jnp.minimum(t, 8.0), None

        t, _ = lax.scan(step, jnp.float32(0.0), None, length=num_steps)
        return t

    return vmap(one)(rays.reshape(-1, 3))


def fit_scene(scene: Scene, target_depth, camera, rays, steps=100, lr=0.03):
    """Adjust only where the ball is, so that the depth map matches the target."""

    def loss(ball):
        d = depth_soft({**scene, "ball": ball}, camera, rays)
        diff = d - target_depth
        return jnp.mean(jnp.where(jnp.abs(diff) < 1.0, diff**2, jnp.abs(diff)))

    def update(carry, i):
        ball, velocity = carry
        value, g = jax.value_and_grad(loss)(ball)
        g = jax.tree.map(lambda x: jnp.nan_to_num(x), g)
        g["radius"] = jnp.zeros_like(g["radius"])
        velocity = jax.tree.map(lambda v, g: 0.8 * v + g, velocity, g)
        ball = jax.tree.map(lambda b, v: b - lr * v, ball, velocity)
        return (ball, velocity), value

    start = {**scene["ball"], "center": scene["ball"]["center"] + jnp.array([0.2, 0.15, -0.1])}
    run = jit(lambda ball: lax.scan(update, (ball, jax.tree.map(jnp.zeros_like, ball)), jnp.arange(steps)))
    (ball, _), losses = run(start)
    return start, ball, losses


def to_ascii(image: np.ndarray) -> str:
    levels = np.clip(image / max(image.max(), 1e-6), 0, 1) ** 0.6
    idx = (levels * (len(ASCII) - 1)).round().astype(int)
    return "\n".join("".join(ASCII[i] for i in row) for row in idx)


def main():
    scene = default_scene()
    camera = Camera(eye=jnp.array([0.0, 0.8, -3.2]), target=jnp.zeros(3))
    light = normalize(jnp.array([0.6, 0.9, -0.5]))

    image, hits = render(scene, camera, 56, 24, light)
    print(to_ascii(np.asarray(image)))
    print(f"steps per ray: mean {hits.steps.mean():.1f}, max {hits.steps.max()}; "
          f"{(~hits.escaped).mean():.0%} of the rays hit something")
    smooth, _ = render(scene, camera, 14, 6, light, supersample=2)
    print("supersampled", smooth.shape, f"range {smooth.min():.3f} to {smooth.max():.3f}")

    # orbit: the same scene from four sides in one batch of cameras
    angles = jnp.arange(4) * (jnp.pi / 2)
    eyes = vmap(lambda a: sdf.rotate_y(camera.eye, a))(angles)
    views = vmap(lambda eye: render(scene, camera._replace(eye=eye), 12, 8, light)[0])(eyes)
    print("brightness by side:", *(f"{b:.3f}" for b in views.mean(axis=(1, 2))))

    rays = camera_rays(camera, 12, 8)
    target = depth_soft(scene, camera, rays)
    start, found, losses = fit_scene(scene, target, camera, rays)
    err = lambda ball: float(norm(ball["center"] - scene["ball"]["center"]))
    print(f"inverse rendering: loss {losses[0]:.4f} -> {losses[-1]:.5f}, "
          f"center error {err(start):.3f} -> {err(found):.3f}")


if __name__ == "__main__":
    main()
