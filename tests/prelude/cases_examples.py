"""jax.example_libraries: stax and optimizers."""
import jax
import jax.numpy as jnp
import numpy as np
from check import array, prelude
from jax.example_libraries import optimizers, stax
from pairs import expressions

KEY = jax.random.PRNGKey(0)
SHAPES = dict(d=(2, 3), x=(2, 6, 5, 3), s=(2, 5, 3))
LAYERS = r"""
d S.Dense(4)
d S.Dense(4, W_init=S.randn(0.1), b_init=S.zeros)
x S.Conv(4, (3, 3))
x S.Conv(4, (3, 3), (2, 2), padding='SAME')
x S.GeneralConv(('NHWC', 'OIHW', 'NCHW'), 4, (3, 2), padding=[(0, 1), (2, 0)])
x S.GeneralConv(('NHWC', 'HWIO', 'NHWC'), 4, (3, 3), padding='q')
d S.Conv(4, (3, 3))
x S.ConvTranspose(2, (3, 3))
x S.ConvTranspose(2, (3, 3), (2, 2), padding='SAME')
s S.Conv1DTranspose(2, (3,))
x S.BatchNorm()
x S.BatchNorm((0, 3), center=False)
x S.BatchNorm(0, scale=False)
x S.BatchNorm(center=False, scale=False, epsilon=1e-3)
x S.MaxPool((2, 2))
x S.MaxPool((2, 2), padding='SAME', strides=(2, 2))
x S.MaxPool((2, 2), spec='NCHW')
x S.SumPool((3, 3))
x S.AvgPool((2, 2), strides=(2, 2))
x S.AvgPool((2, 2), padding='SAME')
x S.AvgPool((2, 2), padding='SAME', spec='NCHW')
x S.Flatten
d S.Tanh
d S.Relu
d S.Exp
d S.LogSoftmax
d S.Softmax
d S.Softplus
d S.Sigmoid
d S.Elu
d S.LeakyRelu
d S.Selu
d S.Gelu
d S.Identity
d S.elementwise(jnp.clip, min=0.0)
d S.FanOut(2)
d S.Dropout(0.8)
d S.Dropout(0.8, mode='test')
d S.serial(S.Dense(5), S.Relu, S.Dropout(0.7), S.Dense(2), S.LogSoftmax)
d S.serial(S.FanOut(2), S.parallel(S.Dense(3), S.serial(S.Dense(3), S.Tanh)), S.FanInSum)
d S.serial(S.FanOut(3), S.parallel(S.Dense(3), S.Identity, S.Dropout(0.5)), S.FanInConcat())
d S.serial(S.FanOut(2), S.parallel(S.Dense(3), S.Identity), S.FanInConcat(0))
d S.shape_dependent(lambda s: S.Dense(s[-1] * 2))
x S.serial(S.Conv(8, (3, 3)), S.BatchNorm(), S.Relu, S.MaxPool((2, 2)), S.Flatten, S.Dense(10))
"""

PARAMS = {"a": array("float32", 2, 3), "b": array("float32")}
TEXTS = r"""
O.exponential_decay(0.1, 10, 0.9)(i)
O.inverse_time_decay(0.1, 10, 0.9)(i)
O.inverse_time_decay(0.1, 10, 0.9, True)(i)
O.polynomial_decay(0.1, 10, 0.9)(i)
O.polynomial_decay(0.1, 10, 0.9, 2.0)(i)
O.piecewise_constant([1, 2], [0.1, 0.2, 0.3])(i)
O.piecewise_constant([1], [1])
O.piecewise_constant(1, [1])
O.constant(0.1)(i)
O.make_schedule(0.2)(i)
O.make_schedule(np.ones(2))
O.l2_norm({'a': x, 'b': i})
O.clip_grads({'a': x, 'b': x}, 1.0)
O.pack_optimizer_state(3)
O.sgd(0.1).update_fn(0, {'a': 1.0}, O.sgd(0.1).init_fn({'a': x, 'b': x}))
O.adam(0.1).update_fn(0, {'a': 1.0, 'b': {'c': 1}}, O.adam(0.1).init_fn({'a': x, 'b': x}))
O.pack_optimizer_state(O.unpack_optimizer_state(O.adam(0.1).init_fn({'a': x, 'b': x}))).packed_state
O.unpack_optimizer_state(O.adam(0.1).init_fn({'a': x}))['a'].subtree
str(jax.tree.structure(O.momentum(0.1, 0.9).init_fn({'a': x, 'b': x})))
O.optimizer(lambda: (lambda x: x, lambda i, g, x: (x, x), lambda x: x))().update_fn(0, x, O.optimizer(lambda: (lambda x: x, lambda i, g, x: (x, x), lambda x: x))().init_fn(x))
"""
OPTIMIZERS = """O.sgd(0.1);O.momentum(0.1, 0.9);O.nesterov(0.1, 0.9);O.adagrad(0.1);O.adagrad(0.1, 0.5);O.rmsprop(0.1);O.rmsprop_momentum(0.1)
O.adam(0.1);O.adam(0.1, 0.8, 0.9, 1e-4);O.adamax(0.1);O.sm3(0.1);O.sgd(O.exponential_decay(0.1, 10, 0.9));O.adam(O.piecewise_constant([5], [0.1, 0.01]))"""


def cases(C):
    ours, mine = prelude("example_libraries.stax"), prelude("example_libraries.optimizers")
    for line in LAYERS.strip().splitlines():
        letter, text = line.split(" ", 1)
        if not C.wants(text):
            continue
        shape = SHAPES[letter]
        a, b = [eval(text, {"S": module, "jnp": jnp}) for module in (ours, stax)]
        C.call(text + "[0]", lambda key: a[0](key, shape), lambda key: b[0](key, shape), KEY)
        try:
            params = b[0](KEY, shape)[1]
        except Exception:
            continue
        x = array("float32", *shape)
        C.call(text + "[1]", lambda p, x, rng: a[1](p, x, rng=rng), lambda p, x, rng: b[1](p, x, rng=rng), params, x, KEY)
        C.call(text + "[1] without rng", lambda p, x: a[1](p, x), lambda p, x: b[1](p, x), params, x)
    expressions(C, "O", mine, optimizers, dict(x=array("float32", 3), i=jnp.int32(4)), TEXTS.splitlines())
    for text in OPTIMIZERS.replace("\n", ";").split(";"):
        if not C.wants(text):
            continue
        a, b = [eval(text, {"O": module}) for module in (mine, optimizers)]
        C.call(text + ".init_fn", lambda p: tuple(a.init_fn(p))[:1], lambda p: tuple(b.init_fn(p))[:1], PARAMS)

        def steps(opt):
            def run(params, i):
                state = opt.init_fn(params)
                return opt.params_fn(opt.update_fn(i + 1, params, opt.update_fn(i, params, state)))
            return run
        C.call(text + " steps", steps(a), steps(b), PARAMS, jnp.int32(3))
