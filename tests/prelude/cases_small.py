"""The small public modules: callbacks and debug, dtypes, errors, flatten_util, ops, image, references, custom_batching."""
import jax
import jax.experimental
import jax.flatten_util
import jax.numpy as jnp
import numpy as np
from check import array, prelude
from pairs import expressions, namespace

ARRAYS = dict(x=array("float32", 3), m=array("float32", 3, 4), i=jnp.array([0, 2, 1], jnp.int32), img=array("float32", 4, 6, 3), u=array("uint8", 4, 6), t=array("int32", 3))

TEXTS = r"""
J.debug.print('a {} {y}', x, y=x)
J.debug.print('a')
J.debug.print('a', ordered=True)
J.debug.print('a {}', 's')
J.debug.print('a {}', x, x)
J.debug.print('a {} {}', x)
J.debug.print('a {z}', x)
J.debug.print('a', z=x)
J.debug.print(x)
J.debug.callback(3, x)
J.pure_callback(np.sin, jax.ShapeDtypeStruct((3,), np.float32), x)
J.pure_callback(lambda a, b: (a, b), (x, x), x, b=x)
J.pure_callback(np.sin, x, x, vmap_method='q')
J.pure_callback(np.sin, 3, x)
J.pure_callback(np.sin, jax.ShapeDtypeStruct((3,), np.float64), x)
jax.grad(lambda a: J.pure_callback(np.sin, x, a).sum())(x)
jax.vmap(lambda a: J.pure_callback(np.sin, jax.ShapeDtypeStruct((), np.float32), a, vmap_method='expand_dims'))(x)
jax.vmap(lambda a: J.pure_callback(np.sin, jax.ShapeDtypeStruct((), np.float32), a))(x)
J.io_callback(np.sin, jax.ShapeDtypeStruct((3,), np.float32), x)
J.io_callback(np.sin, jax.ShapeDtypeStruct((3,), np.float32), x, ordered=True)
J.ravel_pytree({'a': x, 'b': m})[0]
J.ravel_pytree({'a': x, 'b': i})[0]
J.ravel_pytree({'a': x, 'b': 1.0})[0]
J.ravel_pytree(())[0]
J.ravel_pytree({'a': x, 'b': m})[1](jnp.arange(15.0))
J.ravel_pytree({'a': x, 'b': i})[1](jnp.arange(6.0))
J.ravel_pytree({'a': x, 'b': i})[1](jnp.arange(6))
J.ravel_pytree({'a': x, 'b': m})[1](jnp.arange(3.0))
J.ops.segment_sum(x, i)
J.ops.segment_sum(x, i, 4)
J.ops.segment_sum(m, i, num_segments=4, indices_are_sorted=True)
J.ops.segment_sum(x, np.array([0, 1, 1]))
J.ops.segment_sum(x, np.array([0, 1, 1]), bucket_size=2)
J.ops.segment_sum(x, i, -1)
J.ops.segment_sum(x, i, t[0])
J.ops.segment_prod(x, i, 3)
J.ops.segment_max(x, i, 3)
J.ops.segment_min(t, i, 3)
J.ops.segment_max(t, i, 3, mode='clip')
J.image.resize(img, (8, 12, 3), 'bilinear')
J.image.resize(img, (2, 3, 3), 'linear')
J.image.resize(img, (2, 3, 3), 'linear', antialias=False)
J.image.resize(img, (8, 6, 3), 'nearest')
J.image.resize(img, (8, 7, 3), 'lanczos3')
J.image.resize(img, (8, 7, 3), 'cubic')
J.image.resize(img, (8, 7, 3), 'cubic-pytorch')
J.image.resize(img, (3, 4, 3), 'cubic-pytorch', antialias=False)
J.image.resize(img, (3, 4, 3), 'area')
J.image.resize(u, (3, 4), 'linear')
J.image.resize(u, (3, 4), 'nearest')
J.image.resize(img, (8, 12), 'bilinear')
J.image.resize(img, (8, 12, 3), 'odd')
J.image.resize(img, (8, 12, 3), J.image.ResizeMethod.LINEAR)
J.image.scale_and_translate(img, (8, 7, 3), (0, 1), x[:2], x[1:], 'linear')
J.image.scale_and_translate(img, (8, 7, 3), (0, 1), x[:2], x[1:], 'nearest')
J.image.scale_and_translate(img, (8, 7), (0, 1), x[:2], x[1:], 'linear')
J.dtypes.canonicalize_dtype('float64').itemsize
J.dtypes.issubdtype(x.dtype, np.floating)
J.dtypes.result_type(x, 1, np.int8).itemsize
J.dtypes.itemsize_bits('int4')
J.custom_derivatives.zero_from_primal(x)
J.custom_derivatives.zero_from_primal(i).shape  # eager
jax.vmap(double(J))(x)
double(J)(x)
jax.vmap(double(J), in_axes=None, axis_size=3)(x)
jax.vmap(J.custom_batching.sequential_vmap(lambda a, b: a * b), in_axes=(0, None))(x, 2.0)
jax.vmap(bad(J))(x)
unruly(J)(x)
mutate(J)(x)
"""


def double(J):
    f = J.custom_batching.custom_vmap(lambda a: a * 2)
    f.def_vmap(lambda axis_size, in_batched, a: (a * 3, in_batched[0]))
    return f


def bad(J):
    f = J.custom_batching.custom_vmap(lambda a: a * 2)
    f.def_vmap(lambda axis_size, in_batched, a: ((a * 3,), in_batched[0]))
    return f


def unruly(J):
    return J.custom_batching.custom_vmap(lambda a: a * 2)


def mutate(J):
    def f(a):
        ref = J.ref.new_ref(a)
        ref[0] = 2.0
        J.ref.addupdate(ref, 1, 1.0)
        return ref[...]
    return f


def cases(C):
    modules = {n: prelude(n) for n in ("debug", "ops", "image", "dtypes", "custom_derivatives", "custom_batching", "ref", "errors", "stages", "typing", "core",
                                       "profiler", "distributed", "monitoring", "dlpack", "ad_checkpoint")}
    calls = prelude("_callbacks")
    ours = namespace(**modules, pure_callback=calls.pure_callback, io_callback=calls.io_callback, ravel_pytree=prelude("flatten_util").ravel_pytree)
    real = namespace(**{n: __import__("jax." + n, fromlist=["x"]) for n in modules}, pure_callback=jax.pure_callback,
                     io_callback=jax.experimental.io_callback, ravel_pytree=jax.flatten_util.ravel_pytree)
    globals_ = dict(double=double, bad=bad, unruly=unruly, mutate=mutate)
    expressions(C, "J", ours, real, ARRAYS, TEXTS.strip().split("\n"), scope=globals_, jaxpr=True)
    for n, module in modules.items():
        theirs = getattr(real, n)
        missing = [a for a in dir(theirs) if a[0] != "_" and not hasattr(module, a)]
        if missing:
            C.fail("names of " + n, (), {}, " ".join(missing))
