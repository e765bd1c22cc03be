"""Records what NumPy draws: `python3 record.py > draws.json`. Each case is a seed and a list of calls in order."""
import json

import numpy as np

NEW = [
    ("random", dict(size=5)), ("normal", dict(size=300)), ("standard_normal", dict(size=3000, dtype="float32")),
    ("standard_exponential", dict(size=2000)), ("standard_exponential", dict(size=2000, dtype="float32")),
    ("random", dict(size=3, dtype="float32")), ("random", dict(size=2)),
    ("standard_gamma", dict(shape=0.3, size=20)), ("standard_gamma", dict(shape=4.5, size=50)), ("standard_gamma", dict(shape=1.0, size=5)),
    ("beta", dict(a=0.5, b=0.7, size=20)), ("beta", dict(a=2.0, b=0.7, size=20)),
    ("laplace", dict(loc=1.0, scale=2.0, size=20)), ("logistic", dict(loc=1.0, scale=2.0, size=20)),
    ("gumbel", dict(loc=1.0, scale=2.0, size=20)), ("power", dict(a=3.0, size=20)), ("pareto", dict(a=3.0, size=20)),
    ("weibull", dict(a=3.0, size=20)), ("rayleigh", dict(scale=2.0, size=20)), ("standard_cauchy", dict(size=20)),
    ("standard_t", dict(df=4.0, size=20)), ("poisson", dict(lam=3.5, size=50)), ("poisson", dict(lam=33.5, size=200)),
    ("binomial", dict(n=20, p=0.3, size=50)), ("binomial", dict(n=20, p=0.8, size=50)),
    ("integers", dict(low=0, high=10, size=20)), ("integers", dict(low=-5, high=2**40, size=20)),
    ("integers", dict(low=-5, high=90, size=9, dtype="int8")), ("integers", dict(low=0, high=255, size=9, dtype="uint8", endpoint=True)),
    ("integers", dict(low=3, high=900, size=9, dtype="int16")), ("integers", dict(low=3, high=900, size=9, dtype="int32")),
    ("integers", dict(low=0, high=2**32, size=9)), ("integers", dict(low=0, high=2, size=40, dtype="bool")),
    ("permutation", dict(x=20)), ("sample", dict(population=100, n=20)), ("sample", dict(population=20000, n=500)),
    ("weighted", dict(p=[0.1, 0.2, 0.3, 0.4], n=20, replace=True)), ("weighted", dict(p=[0.1, 0.2, 0.3, 0.4], n=4, replace=False)),
    ("random", dict(size=2)),
]
LEGACY = [
    ("random_sample", dict(size=5)), ("standard_normal", dict(size=7)), ("randint", dict(low=0, high=10, size=20)),
    ("randint", dict(low=-5, high=2**40, size=20)), ("randint", dict(low=0, high=200, size=9, dtype="uint8")),
    ("standard_normal", dict(size=4)), ("standard_exponential", dict(size=5)), ("standard_gamma", dict(shape=0.3, size=20)),
    ("standard_gamma", dict(shape=4.5, size=50)), ("beta", dict(a=0.5, b=0.7, size=20)), ("poisson", dict(lam=33.5, size=20)),
    ("binomial", dict(n=20, p=0.3, size=50)), ("permutation", dict(x=20)), ("laplace", dict(loc=1.0, scale=2.0, size=20)),
    ("pareto", dict(a=3.0, size=20)), ("power", dict(a=3.0, size=20)), ("rayleigh", dict(scale=2.0, size=20)),
    ("weighted", dict(p=[0.1, 0.2, 0.3, 0.4], n=20, replace=True)), ("weighted", dict(p=[0.1, 0.2, 0.3, 0.4], n=4, replace=False)),
    ("random_sample", dict(size=2)),
]


def call(generator, name, options):
    options = dict(options)
    if name == "sample":
        return generator.choice(options["population"], options["n"], replace=False)
    if name == "weighted":
        return generator.choice(len(options["p"]), options["n"], p=options["p"], replace=options["replace"])
    if "dtype" in options:
        options["dtype"] = np.dtype(options["dtype"])
    return getattr(generator, name)(**options)


def cases():
    for seed in (0, 42, 2**70 + 5, [1, 2, 3]):
        yield "new", seed, [], np.random.default_rng(seed), NEW
    yield "new", 7, [1, 0], np.random.default_rng(np.random.SeedSequence(7).spawn(2)[1].spawn(1)[0]), NEW
    for seed in (0, 42, [1, 2, 3]):
        yield "legacy", seed, [], np.random.RandomState(seed), LEGACY
    yield "twister", 5, [], np.random.Generator(np.random.MT19937(5)), NEW


rows = []
for kind, seed, path, generator, calls in cases():
    draws = []
    for name, options in calls:
        numbers = np.asarray(call(generator, name, options)).ravel()
        draws.append({"name": name, "options": options, "numbers": [float(x) if numbers.dtype.kind == "f" else int(x) for x in numbers[-12:]]})
    text = [str(s) for s in seed] if isinstance(seed, list) else str(seed)
    rows.append({"kind": kind, "seed": text, "path": path, "draws": draws})
print(json.dumps(rows, indent=None, separators=(",", ":")).replace('{"kind"', '\n{"kind"'))
