"""`jax.example_libraries.stax`: layers as pairs `(init_fun, apply_fun)`.

`init_fun(rng, input_shape)` gives `(output_shape, params)`; `apply_fun(params, inputs, rng=…)` gives the outputs.
"""
from functools import partial

from .. import lax, random
from .. import numpy as jnp
from ..nn import elu, gelu, leaky_relu, log_softmax, relu, selu, sigmoid, softmax, softplus, standardize
from ..nn.initializers import glorot_normal, normal, ones, zeros

glorot, randn, logsoftmax = glorot_normal, normal, log_softmax


# ------------------------------------------------------------------------------------------------ layers with weights

def Dense(out_dim, W_init=glorot_normal(), b_init=normal()):
    def init_fun(rng, input_shape):
        output_shape = input_shape[:-1] + (out_dim,)
        k1, k2 = random.split(rng)
        return output_shape, (W_init(k1, (input_shape[-1], out_dim)), b_init(k2, (out_dim,)))

    def apply_fun(params, inputs, **kwargs):
        W, b = params
        return jnp.dot(inputs, W) + b
    return init_fun, apply_fun


def _filter_shapes(dimension_numbers, filter_shape, in_channels, out_channels):
    """The shapes of a convolution's weights and of its bias."""
    _, rhs_spec, out_spec = dimension_numbers
    sizes = iter(filter_shape)
    weights = [out_channels if c == "O" else in_channels if c == "I" else next(sizes) for c in rhs_spec]
    bias = tuple(out_channels if c == "C" else 1 for c in out_spec)
    return weights, bias


def _channels(dimension_numbers, input_shape):
    return input_shape[dimension_numbers[0].index("C")]


def GeneralConv(dimension_numbers, out_chan, filter_shape, strides=None, padding="VALID", W_init=None, b_init=normal(1e-6)):
    rhs_spec = dimension_numbers[1]
    strides = strides or (1,) * len(filter_shape)
    W_init = W_init or glorot_normal(rhs_spec.index("I"), rhs_spec.index("O"))

    def init_fun(rng, input_shape):
        weights, bias = _filter_shapes(dimension_numbers, filter_shape, _channels(dimension_numbers, input_shape), out_chan)
        output_shape = lax.conv_general_shape_tuple(input_shape, weights, strides, padding, dimension_numbers)
        k1, k2 = random.split(rng)
        return output_shape, (W_init(k1, weights), b_init(k2, bias))

    def apply_fun(params, inputs, **kwargs):
        W, b = params
        ones_ = (1,) * len(filter_shape)
        return lax.conv_general_dilated(inputs, W, strides, padding, ones_, ones_, dimension_numbers=dimension_numbers) + b
    return init_fun, apply_fun


def GeneralConvTranspose(dimension_numbers, out_chan, filter_shape, strides=None, padding="VALID", W_init=None, b_init=normal(1e-6)):
    rhs_spec = dimension_numbers[1]
    strides = strides or (1,) * len(filter_shape)
    W_init = W_init or glorot_normal(rhs_spec.index("I"), rhs_spec.index("O"))

    def init_fun(rng, input_shape):
        weights, bias = _filter_shapes(dimension_numbers, filter_shape, _channels(dimension_numbers, input_shape), out_chan)
        output_shape = lax.conv_transpose_shape_tuple(input_shape, weights, strides, padding, dimension_numbers)
        k1, k2 = random.split(rng)
        return output_shape, (W_init(k1, weights), b_init(k2, bias))

    def apply_fun(params, inputs, **kwargs):
        W, b = params
        return lax.conv_transpose(inputs, W, strides, padding, dimension_numbers=dimension_numbers) + b
    return init_fun, apply_fun


Conv = partial(GeneralConv, ("NHWC", "HWIO", "NHWC"))
ConvTranspose = partial(GeneralConvTranspose, ("NHWC", "HWIO", "NHWC"))
Conv1DTranspose = partial(GeneralConvTranspose, ("NHC", "HIO", "NHC"))


def BatchNorm(axis=(0, 1, 2), epsilon=1e-5, center=True, scale=True, beta_init=zeros, gamma_init=ones):
    axis = (axis,) if jnp.isscalar(axis) else axis

    def init_fun(rng, input_shape):
        shape = tuple(d for i, d in enumerate(input_shape) if i not in axis)
        k1, k2 = random.split(rng)
        return input_shape, (beta_init(k1, shape) if center else (), gamma_init(k2, shape) if scale else ())

    def apply_fun(params, x, **kwargs):
        beta, gamma = params
        index = tuple(None if i in axis else slice(None) for i in range(jnp.ndim(x)))
        z = standardize(x, axis, epsilon=epsilon)
        if scale:
            z = gamma[index] * z
        if center:
            z = z + beta[index]
        return z
    return init_fun, apply_fun


# -------------------------------------------------------------------------------------------- layers without weights

def elementwise(fun, **fun_kwargs):
    return lambda rng, input_shape: (input_shape, ()), lambda params, inputs, **kwargs: fun(inputs, **fun_kwargs)


Tanh = elementwise(jnp.tanh)
Relu = elementwise(relu)
Exp = elementwise(jnp.exp)
LogSoftmax = elementwise(log_softmax, axis=-1)
Softmax = elementwise(softmax, axis=-1)
Softplus = elementwise(softplus)
Sigmoid = elementwise(sigmoid)
Elu = elementwise(elu)
LeakyRelu = elementwise(leaky_relu)
Selu = elementwise(selu)
Gelu = elementwise(gelu)


def _pooling(reducer, start, rescale=None):
    def make(window_shape, strides=None, padding="VALID", spec=None):
        window_strides = strides or (1,) * len(window_shape)
        across = sorted((0, len(window_shape) + 1) if spec is None else (spec.index("N"), spec.index("C")))
        dims, steps = list(window_shape), list(window_strides)
        for i in across:
            dims.insert(i, 1)
            steps.insert(i, 1)
        dims, steps, once = tuple(dims), tuple(steps), (1,) * len(dims)

        def init_fun(rng, input_shape):
            pads = lax.padtype_to_pads(input_shape, dims, steps, padding)
            return lax.reduce_window_shape_tuple(input_shape, dims, steps, pads, once, once), ()

        def apply_fun(params, inputs, **kwargs):
            out = lax.reduce_window(inputs, start, reducer, dims, steps, padding)
            return rescale(out, inputs, window_shape, window_strides, padding, across) if rescale else out
        return init_fun, apply_fun
    return make


def _average(sums, inputs, window_shape, strides, padding, across):
    spatial = tuple(d for i, d in enumerate(inputs.shape) if i not in across)
    counts = lax.reduce_window(jnp.ones(spatial, inputs.dtype), 0.0, lax.add, tuple(window_shape), tuple(strides), padding)
    for i in across:
        counts = jnp.expand_dims(counts, i)
    return sums / counts


MaxPool = _pooling(lax.max, -jnp.inf)
SumPool = _pooling(lax.add, 0.0)
AvgPool = _pooling(lax.add, 0.0, _average)


def _flatten():
    def init_fun(rng, input_shape):
        size = 1
        for d in input_shape[1:]:
            size *= d
        return (input_shape[0], size), ()

    def apply_fun(params, inputs, **kwargs):
        return jnp.reshape(inputs, (inputs.shape[0], -1))
    return init_fun, apply_fun


Flatten = _flatten()
Identity = (lambda rng, input_shape: (input_shape, ())), (lambda params, inputs, **kwargs: inputs)
FanInSum = (lambda rng, input_shape: (input_shape[0], ())), (lambda params, inputs, **kwargs: sum(inputs))


def FanOut(num):
    return lambda rng, input_shape: ([input_shape] * num, ()), lambda params, inputs, **kwargs: [inputs] * num


def FanInConcat(axis=-1):
    def init_fun(rng, input_shape):
        at = axis % len(input_shape[0])
        return input_shape[0][:at] + (sum(shape[at] for shape in input_shape),) + input_shape[0][at + 1:], ()

    def apply_fun(params, inputs, **kwargs):
        return jnp.concatenate(inputs, axis)
    return init_fun, apply_fun


def Dropout(rate, mode="train"):
    def init_fun(rng, input_shape):
        return input_shape, ()

    def apply_fun(params, inputs, **kwargs):
        rng = kwargs.get("rng")
        if rng is None:
            raise ValueError("Dropout layer requires apply_fun to be called with a PRNG key argument. That is, instead of "
                             "`apply_fun(params, inputs)`, call it like `apply_fun(params, inputs, rng)` where `rng` is a PRNG key "
                             "(e.g. from `jax.random.key`).")
        if mode != "train":
            return inputs
        keep = random.bernoulli(rng, rate, inputs.shape)
        return jnp.where(keep, inputs / rate, 0)
    return init_fun, apply_fun


# ------------------------------------------------------------------------------------------------------- combinators

def _rngs(kwargs, count):
    rng = kwargs.pop("rng", None)
    return (None,) * count if rng is None else random.split(rng, count)


def serial(*layers):
    init_funs, apply_funs = zip(*layers)

    def init_fun(rng, input_shape):
        params = []
        for init in init_funs:
            rng, layer_rng = random.split(rng)
            input_shape, param = init(layer_rng, input_shape)
            params.append(param)
        return input_shape, params

    def apply_fun(params, inputs, **kwargs):
        for apply, param, rng in zip(apply_funs, params, _rngs(kwargs, len(layers))):
            inputs = apply(param, inputs, rng=rng, **kwargs)
        return inputs
    return init_fun, apply_fun


def parallel(*layers):
    init_funs, apply_funs = zip(*layers)

    def init_fun(rng, input_shape):
        rngs = random.split(rng, len(layers))
        return zip(*[init(rng, shape) for init, rng, shape in zip(init_funs, rngs, input_shape)])

    def apply_fun(params, inputs, **kwargs):
        rngs = _rngs(kwargs, len(layers))
        return [apply(p, x, rng=r, **kwargs) for apply, p, x, r in zip(apply_funs, params, inputs, rngs)]
    return init_fun, apply_fun


def shape_dependent(make_layer):
    def init_fun(rng, input_shape):
        return make_layer(input_shape)[0](rng, input_shape)

    def apply_fun(params, inputs, **kwargs):
        return make_layer(inputs.shape)[1](params, inputs, **kwargs)
    return init_fun, apply_fun
