"""Seeded streams of `numpy.random`: every number is the one that NumPy 2.4 draws."""
import warnings

import numpy as np

warnings.simplefilter("ignore")
rng = np.random.default_rng(42)
assert rng.normal(size=(3, 4))[2].tolist() == [-0.016801157504288795, -0.85304392757358, 0.8793979748628286, 0.7777919354289483]
assert rng.integers(0, 10, size=5).tolist() == [7, 6, 4, 8, 5]
assert rng.integers(3) == (1)
assert rng.integers(5, size=(2, 2), dtype=np.int8).tolist() == [[1, 1], [1, 2]]
assert rng.integers([0, 5], [3, 50]).tolist() == [0, 9]
assert rng.random() == 0.06381725610417532
assert rng.random((2,), dtype=np.float32).tolist() == [0.5545847415924072, 0.8582912683486938]
assert rng.uniform(-1, 2, 3).tolist() == [0.8949931973661944, 1.2742632202561213, 0.06357790438960498]
assert rng.uniform(np.zeros(2), 5.0).tolist() == [4.853490121974517, 4.465605606610988]
assert rng.normal(np.array([1.0, 2.0]), 0.5).tolist() == [0.7858360889184464, 1.8239332247558853]
assert rng.normal(1.0, 2.0) == 2.0646183711066977
assert rng.exponential(2.0, 2).tolist() == [0.1541542941113095, 0.35926450874910754]
assert rng.gamma(2.0, 3.0, 2).tolist() == [6.86105144988877, 3.5853570435119098]
assert rng.beta(2.0, 3.0) == 0.14188158705895132
assert rng.poisson(4.0, 5).tolist() == [6, 5, 1, 6, 4]
assert rng.poisson([1.0, 50.0]).tolist() == [1, 51]
assert rng.binomial(10, 0.3, 4).tolist() == [1, 3, 2, 3]
assert rng.lognormal(0.0, 1.0, 2).tolist() == [0.27923925402306854, 0.32197312037980647]
assert rng.chisquare(3.0) == 0.8573778556688995
assert rng.laplace(size=2).tolist() == [-0.5324110629205078, 0.39131523558869685]
assert rng.dirichlet([1.0, 2.0, 3.0]).tolist() == [0.3435060569567739, 0.30302739193256434, 0.35346655111066183]
assert rng.choice(10) == 8
assert rng.choice(10, 3).tolist() == [3, 1, 3]
assert rng.choice(10, size=(2, 2), replace=False).tolist() == [[7, 0], [9, 8]]
assert rng.choice([1.5, 2.5, 3.5], 2, p=[0.2, 0.3, 0.5]).tolist() == [1.5, 3.5]
assert rng.choice(np.arange(6).reshape(3, 2), 2, axis=0).tolist() == [[4, 5], [0, 1]]
assert rng.choice(["a", "b", "c"]) == 'b'
assert rng.permutation(6).tolist() == [0, 3, 1, 5, 4, 2]
assert rng.permutation([5, 6, 7]).tolist() == [6, 5, 7]
assert rng.permutation(np.arange(6).reshape(3, 2)).tolist() == [[2, 3], [4, 5], [0, 1]]
assert rng.permuted(np.arange(6).reshape(2, 3), axis=1).tolist() == [[2, 0, 1], [4, 5, 3]]
assert rng.permuted(np.arange(6)).tolist() == [5, 0, 4, 3, 1, 2]
assert rng.standard_normal(2, dtype="float32").tolist() == [-0.7500479817390442, -1.3670663833618164]
assert rng.standard_exponential() == 2.046432325133137
assert rng.spawn(2)[1].integers(1000) == (74)
assert np.random.Generator(np.random.PCG64(7)).random() == 0.625095466604667
assert np.random.Generator(np.random.MT19937(7)).random() == 0.3063046070659432
assert np.random.default_rng([1, 2, 3]).random() == 0.6704722626516632
assert np.random.default_rng(np.random.SeedSequence(5)).random() == 0.8050029237453802
assert np.random.SeedSequence(5).spawn(2)[1].generate_state(2).tolist() == [3767054407, 1612269649]
assert np.random.SeedSequence(5).generate_state(1, np.uint64).tolist() == [12631478326263854183]
np.random.seed(7)
assert np.random.rand() == 0.07630828937395717
assert np.random.rand(2, 1).tolist() == [[0.7799187922401146], [0.4384092314408935]]
assert np.random.randn(3).tolist() == [0.09316606097975175, 3.200914709117712, -0.1569886595634109]
assert np.random.randint(5) == 4
assert np.random.randint(2, 50, size=4).tolist() == [9, 46, 2, 13]
assert np.random.randint(0, 200, 3, dtype=np.uint8).tolist() == [55, 160, 172]
assert np.random.uniform(1, 2, 2).tolist() == [1.2881455993079935, 1.9095935277196137]
assert np.random.normal(3.0, 0.1, size=2).tolist() == [2.9709868617070834, 2.975725092132745]
assert np.random.choice(5) == 0
assert np.random.choice(5, 3, replace=False).tolist() == [2, 4, 1]
assert np.random.choice([10, 20, 30], 2, p=[0.1, 0.2, 0.7]).tolist() == [30, 20]
assert np.random.permutation(4).tolist() == [1, 3, 0, 2]
assert np.random.random_sample(2).tolist() == [0.13316944575925016, 0.5234125806737658]
assert np.random.standard_normal() == -1.4532414124907906
assert np.random.exponential(2.0) == 2.775870285749012
assert np.random.gamma(2.0, 2.0) == 2.4303312764329905
assert np.random.poisson(20.0, 3).tolist() == [20, 20, 17]
assert np.random.binomial(5, 0.5) == 2
assert np.random.random_integers(6) == (4)
assert np.random.RandomState(3).rand() == 0.5507979025745755
assert np.random.RandomState([3, 4]).rand() == 0.3076372555964514
assert np.random.RandomState(np.random.MT19937(3)).rand() == 0.8948367822619527

items = list(range(5))
rng.shuffle(items)
assert items == [1, 4, 2, 0, 3]
table = np.arange(6).reshape(3, 2)
rng.shuffle(table)
np.random.shuffle(table)
assert table.tolist() == [[4, 5], [0, 1], [2, 3]]
state = np.random.get_state()
first = np.random.rand(3)
np.random.set_state(state)
assert (first == np.random.rand(3)).all()
saved = rng.bit_generator.state
first = rng.random(3)
rng.bit_generator.state = saved
assert (first == rng.random(3)).all()

large = np.random.default_rng(0).normal(size=(60000, 784))
assert large.shape == (60000, 784)
assert np.random.multivariate_normal(np.zeros(3), np.eye(3), 7).shape == (7, 3)
assert type(rng.random()) is float and type(rng.choice(3)) is int and type(np.random.randint(3)) is int
assert type(rng.integers(3)) is np.int64 and type(rng.integers(2, dtype=bool)) is bool
assert rng.integers(3, size=()).ndim == 0

for call, message in [
    (lambda: rng.integers(5, 3), "low >= high"),
    (lambda: rng.integers(0, 300, dtype=np.uint8), "high is out of bounds for uint8"),
    (lambda: rng.choice(3, 5, replace=False), "Cannot take a larger sample than population when replace is False"),
    (lambda: np.random.choice(3, 5, False), "Cannot take a larger sample than population when 'replace=False'"),
    (lambda: rng.choice(3, p=[0.1, 0.2]), "a and p must have same size"),
    (lambda: np.random.choice(2, p=[0.1, 0.2]), "probabilities do not sum to 1"),
    (lambda: rng.choice("x"), "a must be a sequence or an integer, not <class 'str'>"),
    (lambda: rng.choice(None), "a must be a sequence or an integer, not <class 'NoneType'>"),
    (lambda: np.random.choice("x", 3), "a must be 1-dimensional or an integer"),
    (lambda: np.random.choice([[1]], 3), "a must be 1-dimensional"),
    (lambda: rng.normal(0, -1), "scale < 0"),
    (lambda: np.random.seed(-1), "Seed must be between 0 and 2**32 - 1"),
    (lambda: np.random.default_rng(-1), "expected non-negative integer"),
]:
    try:
        call()
    except ValueError as error:
        assert str(error) == message
    else:
        assert False, message
