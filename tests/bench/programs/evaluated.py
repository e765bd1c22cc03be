"""Functions whose numbers are computed: single operations, and small models with their gradients."""
import jax
import jax.numpy as jnp


def of(shape, seed=0):
    return jax.random.normal(jax.random.key(seed), shape)


MILLION = of((1000, 1000))
WIDE = of((4096, 512))


@jax.jit
def product_256(a, b):
    return a @ b


@jax.jit
def product_1024(a, b):
    return a @ b


@jax.jit
def product_batched(a, b):
    return jnp.einsum("bij,bjk->bik", a, b)


@jax.jit
def add(a, b):
    return a + b


@jax.jit
def exp(a):
    return jnp.exp(a)


@jax.jit
def chain(a, b):
    y = a * b + a
    y = jnp.maximum(y, 0.1) - b
    y = y * y + 0.5
    return y / (1.0 + a * a) - b * 0.25


@jax.jit
def gelu(a):
    return jax.nn.gelu(a)


@jax.jit
def softmax(a):
    return jax.nn.softmax(a, axis=-1)


@jax.jit
def layer_norm(x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


@jax.jit
def sum_all(a):
    return a.sum()


@jax.jit
def sum_rows(a):
    return a.sum(axis=0)


@jax.jit
def sum_columns(a):
    return a.sum(axis=1)


@jax.jit
def sort(a):
    return jnp.sort(a.reshape(-1))


@jax.jit
def cumsum(a):
    return jnp.cumsum(a.reshape(-1))


@jax.jit
def transpose(a):
    return a.T + 0.0


@jax.jit
def normals(key):
    return jax.random.normal(key, (1000, 1000))


@jax.jit
def gather(table, places):
    return table[places]


@jax.jit
def scatter(table, places, rows):
    return table.at[places].add(rows)


@jax.jit
def convolution(x, w):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@jax.jit
def scan(x):
    def step(carry, _):
        carry = carry * 0.999 + 0.001
        return carry, carry[0]
    return jax.lax.scan(step, x, None, length=10_000)


@jax.jit
def tiny(x):
    for _ in range(500):
        x = x * 0.999
        x = x + 0.001
    return x


def dense(params, x):
    return x @ params["w"] + params["b"]


def layer(n, m, seed):
    return {"w": of((n, m), seed) * n**-0.5, "b": jnp.zeros(m)}


def mlp_loss(params, x, y):
    for p in params[:-1]:
        x = jax.nn.relu(dense(p, x))
    logits = dense(params[-1], x)
    return -(jax.nn.log_softmax(logits) * y).sum(-1).mean()


@jax.jit
def mlp(params, x, y):
    return jax.value_and_grad(mlp_loss)(params, x, y)


def cnn_loss(params, x, y):
    for w in params["convs"]:
        x = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x)
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    logits = dense(params["out"], x.reshape(x.shape[0], -1))
    return -(jax.nn.log_softmax(logits) * y).sum(-1).mean()


@jax.jit
def cnn(params, x, y):
    return jax.value_and_grad(cnn_loss)(params, x, y)


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def block(p, x):
    b, t, d = x.shape
    q, k, v = jnp.split(dense(p["qkv"], norm(x)), 3, -1)
    heads = lambda z: z.reshape(b, t, 4, d // 4).transpose(0, 2, 1, 3)
    scores = heads(q) @ heads(k).transpose(0, 1, 3, 2) / (d // 4) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((t, t), bool)), scores, -1e9)
    out = (jax.nn.softmax(scores) @ heads(v)).transpose(0, 2, 1, 3).reshape(b, t, d)
    x = x + dense(p["proj"], out)
    return x + dense(p["down"], jax.nn.gelu(dense(p["up"], norm(x))))


def transformer_loss(params, tokens):
    x = params["embed"][tokens[:, :-1]]
    for p in params["blocks"]:
        x = block(p, x)
    logits = norm(x) @ params["embed"].T
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1).mean()


@jax.jit
def transformer(params, tokens):
    return jax.value_and_grad(transformer_loss)(params, tokens)


@jax.jit
def transformer_forward(params, tokens):
    return transformer_loss(params, tokens)


D = 128
BLOCKS = [{"qkv": layer(D, 3 * D, i), "proj": layer(D, D, i), "up": layer(D, 4 * D, i), "down": layer(4 * D, D, i)} for i in range(4)]
GPT = {"embed": of((256, D)) * 0.02, "blocks": BLOCKS}
TOKENS = jax.random.randint(jax.random.key(1), (4, 65), 0, 256)
LABELS = jax.nn.one_hot(jnp.arange(128) % 10, 10)
PLACES = jax.random.randint(jax.random.key(2), (4096,), 0, 4096)

CASES = {
    "product_256": (product_256, of((256, 256)), of((256, 256), 1)),
    "product_1024": (product_1024, of((1024, 1024)), of((1024, 1024), 1)),
    "product_batched": (product_batched, of((32, 64, 64)), of((32, 64, 64), 1)),
    "add": (add, MILLION, MILLION),
    "exp": (exp, MILLION),
    "chain": (chain, MILLION, MILLION),
    "gelu": (gelu, MILLION),
    "softmax": (softmax, WIDE),
    "layer_norm": (layer_norm, WIDE),
    "sum_all": (sum_all, MILLION),
    "sum_rows": (sum_rows, MILLION),
    "sum_columns": (sum_columns, MILLION),
    "sort": (sort, MILLION),
    "cumsum": (cumsum, MILLION),
    "transpose": (transpose, MILLION),
    "normals": (normals, jax.random.key(0)),
    "gather": (gather, WIDE, PLACES),
    "scatter": (scatter, WIDE, PLACES, WIDE),
    "convolution": (convolution, of((8, 56, 56, 64)), of((3, 3, 64, 64))),
    "scan": (scan, of((64,))),
    "tiny": (tiny, of((3,))),
    "mlp": (mlp, [layer(784, 256, 0), layer(256, 256, 1), layer(256, 10, 2)], of((128, 784)), LABELS),
    "cnn": (cnn, {"convs": [of((3, 3, 1, 16)) * 0.3, of((3, 3, 16, 32)) * 0.1], "out": layer(7 * 7 * 32, 10, 0)},
            of((128, 28, 28, 1)), LABELS),
    "transformer_forward": (transformer_forward, GPT, TOKENS),
    "transformer": (transformer, GPT, TOKENS),
}

for function, *arguments in CASES.values():
    function(*arguments)
