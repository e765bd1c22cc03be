"""Data sets: those that come along have the sizes that they have, those that are made the sizes that are asked for."""

from _jitlens.python import is_unknown, unknown
from numpy.random._given import lose

from ._arrays import missing, opaque


class Bunch(dict):
    """A dictionary whose items are attributes as well."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def __dir__(self):
        return self.keys()


def _loaded(shape, target=None, kind="int64", return_X_y=False, as_frame=False, **more):
    """A data set that comes along: rows, and what each of them is."""
    if as_frame is not False or is_unknown(return_X_y):
        return unknown("", "a frame of a data set")
    data, target = opaque(shape), opaque(target or shape[:1], kind)
    if return_X_y:
        return data, target
    return Bunch(
        data=data, target=target, frame=None, target_names=unknown("", "names of a data set"), DESCR=unknown("str", "what is told of a data set"),
        feature_names=unknown("", "names of a data set"), filename=unknown("str", "where a data set lies"), **more
    )


def load_iris(*, return_X_y=False, as_frame=False):
    return _loaded((150, 4), return_X_y=return_X_y, as_frame=as_frame)


def load_wine(*, return_X_y=False, as_frame=False):
    return _loaded((178, 13), return_X_y=return_X_y, as_frame=as_frame)


def load_breast_cancer(*, return_X_y=False, as_frame=False):
    return _loaded((569, 30), return_X_y=return_X_y, as_frame=as_frame)


def load_diabetes(*, return_X_y=False, as_frame=False, scaled=True):
    return _loaded((442, 10), kind="float64", return_X_y=return_X_y, as_frame=as_frame)


def load_linnerud(*, return_X_y=False, as_frame=False):
    return _loaded((20, 3), (20, 3), "float64", return_X_y=return_X_y, as_frame=as_frame)


def load_digits(*, n_class=10, return_X_y=False, as_frame=False):
    if n_class != 10:
        return unknown("", "some digits of a data set")
    return _loaded((1797, 64), return_X_y=return_X_y, as_frame=as_frame, images=opaque((1797, 8, 8)))


def fetch_california_housing(*, data_home=None, download_if_missing=True, return_X_y=False, as_frame=False, n_retries=3, delay=1.0):
    return _loaded((20640, 8), kind="float64", return_X_y=return_X_y, as_frame=as_frame)


def _count(samples):
    """How many rows are asked for: at once, or for each part."""
    return samples if isinstance(samples, int) or is_unknown(samples) else sum(samples)


def _drawn(make):
    """A data set that a stream draws, which nobody follows."""

    def made(*args, random_state=None, **options):
        lose(random_state)
        return make(*args, random_state=random_state, **options)

    return made


@_drawn
def make_classification(n_samples=100, n_features=20, *, return_X_y=True, **options):
    made = opaque((n_samples, n_features)), opaque((n_samples,), "int64")
    return made if return_X_y is True else unknown("", "a data set with its parameters")


@_drawn
def make_regression(n_samples=100, n_features=100, *, n_informative=10, n_targets=1, coef=False, **options):
    if is_unknown(n_samples) or is_unknown(n_targets) or n_samples < 2 or is_unknown(coef):
        return unknown("", "the size of a data set")
    targets = () if n_targets == 1 else (n_targets,)
    made = opaque((n_samples, n_features)), opaque((n_samples, *targets))
    return (*made, opaque((n_features, *targets))) if coef else made


@_drawn
def make_blobs(n_samples=100, n_features=2, *, centers=None, return_centers=False, **options):
    if centers is None:
        count = 3 if isinstance(n_samples, int) else len(n_samples)
    elif isinstance(centers, int) or is_unknown(centers):
        count = centers
    else:
        count, n_features = len(centers), len(centers[0])
    samples = _count(n_samples)
    made = opaque((samples, n_features)), opaque((samples,), "int64")
    return (*made, opaque((count, n_features))) if return_centers else made


def _plane(n_samples):
    samples = _count(n_samples)
    return opaque((samples, 2)), opaque((samples,), "int64")


@_drawn
def make_moons(n_samples=100, *, shuffle=True, noise=None, random_state=None):
    return _plane(n_samples)


@_drawn
def make_circles(n_samples=100, *, shuffle=True, noise=None, random_state=None, factor=0.8):
    return _plane(n_samples)


@_drawn
def make_swiss_roll(n_samples=100, *, noise=0.0, random_state=None, hole=False):
    return opaque((n_samples, 3)), opaque((n_samples,))


@_drawn
def make_s_curve(n_samples=100, *, noise=0.0, random_state=None):
    return opaque((n_samples, 3)), opaque((n_samples,))


@_drawn
def make_friedman1(n_samples=100, n_features=10, *, noise=0.0, random_state=None):
    return opaque((n_samples, n_features)), opaque((n_samples,))


@_drawn
def make_friedman2(n_samples=100, *, noise=0.0, random_state=None):
    return opaque((n_samples, 4)), opaque((n_samples,))


make_friedman3 = make_friedman2


@_drawn
def make_gaussian_quantiles(*, mean=None, cov=1.0, n_samples=100, n_features=2, n_classes=3, shuffle=True, random_state=None):
    return opaque((n_samples, n_features)), opaque((n_samples,), "int64")


@_drawn
def make_low_rank_matrix(n_samples=100, n_features=100, *, effective_rank=10, tail_strength=0.5, random_state=None):
    return opaque((n_samples, n_features))


@_drawn
def make_spd_matrix(n_dim, *, random_state=None):
    return opaque((n_dim, n_dim))


def __getattr__(name):
    return missing("sklearn.datasets", name)
