"""Seeded streams of `random`: every number is the one that Python draws."""
import random

random.seed(0)
assert random.randint(1, 9) == 7
assert random.random() == 0.7579544029403025
assert random.uniform(-1, 2) == 0.261714742492535
assert random.choice([3, 1, 4, 1, 5]) == 4
assert random.choice("abcdef") == 'e'
assert random.choice(range(5, 50, 3)) == 26
assert random.randrange(10) == 6
assert random.randrange(3, 40, 4) == 19
assert random.randrange(10, -10, -3) == 1
assert random.getrandbits(5) == 11
assert random.getrandbits(32) == 2505606783
assert random.getrandbits(33) == 8124620664
assert random.getrandbits(100) == 327947050129017810380990962905
assert random.getrandbits(0) == 0
assert random.randbytes(5) == b'/a\xc6#\xc1'
assert random.choices([1, 2, 3], k=4) == [1, 3, 3, 2]
assert random.choices("abc", weights=[1, 2, 3], k=5) == ['c', 'c', 'a', 'a', 'a']
assert random.choices("abc", cum_weights=[1, 5, 6], k=3) == ['c', 'b', 'b']
assert random.sample(range(10), 4) == [5, 6, 9, 4]
assert random.sample(range(1000), 6) == [655, 934, 209, 989, 565, 488]
assert random.sample([5, 6, 7, 8], counts=[2, 1, 3, 1], k=3) == [7, 7, 6]
assert random.gauss(0.0, 1.0) == 2.069817423078425
assert random.gauss(2.0, 3.0) == 4.561970285892196
assert random.gauss() == 0.38229690830283153
assert random.normalvariate(0, 2) == 4.027215324727143
assert random.lognormvariate(0.5, 0.25) == 2.284703279043699
assert random.expovariate(2.0) == 0.4732423646029085
assert random.paretovariate(3.0) == 1.7983620094440735
assert random.weibullvariate(1.5, 2.0) == 0.9547919569236569
assert random.triangular(0, 10, 3) == 5.654830307654917
assert random.triangular() == 0.6150600996035356
random.seed("words")
assert random.random() == 0.08009067694433902
random.seed(b"bytes")
assert random.random() == 0.37075677971469856
random.seed(2**70 + 3)
assert random.random() == 0.16339507200642456
random.seed(-5)
assert random.random() == 0.6229016948897019
random.seed(True)
assert random.random() == 0.13436424411240122
assert random.randint(-5, 10**30) == 139740622202148299605049174746

order = list(range(10))
random.Random(7).shuffle(order)
assert order == [8, 3, 1, 4, 7, 0, 9, 6, 2, 5]
stream = random.Random(3)
before = stream.getstate()
first = [stream.random(), stream.gauss(0, 1), stream.random()]
stream.setstate(before)
assert first == [stream.random(), stream.gauss(0, 1), stream.random()]
assert random.Random(3).random() == first[0]


def walk(steps):
    at = 0
    for _ in range(steps):
        at += random.choice([-1, 1])
    return at


random.seed(11)
assert walk(300) == -22
assert [random.randint(0, 3) for _ in range(8)] == [3, 1, 0, 3, 2, 3, 2, 1]
try:
    random.seed([1])
    assert False
except TypeError as error:
    assert str(error).startswith("The only supported seed types are")
