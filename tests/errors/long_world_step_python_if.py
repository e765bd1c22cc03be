import jax
import jax.numpy as jnp


class Ball:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity


jax.tree_util.register_pytree_node(
    Ball,
    lambda ball: ((ball.position, ball.velocity), None),
    lambda _, children: Ball(*children),
)


def bounce(ball):
    if ball.position[1] < 0:
        return Ball(ball.position, ball.velocity * jnp.array([1.0, -0.9]))
    return ball


def move(ball, dt):
    velocity = ball.velocity + dt * jnp.array([0.0, -9.8])
    position = ball.position + dt * velocity
    return bounce(Ball(position, velocity))


def simulate(ball, steps):
    def body(ball, _):
        ball = move(ball, 0.01)
        return ball, ball.position

    return jax.lax.scan(body, ball, None, length=steps)


ball = Ball(jnp.array([0.0, 10.0]), jnp.array([1.0, 0.0]))
print(move(ball, 0.01).position)
final, path = simulate(ball, 100)
