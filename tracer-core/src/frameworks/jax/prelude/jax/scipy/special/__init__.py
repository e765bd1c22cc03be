"""`jax.scipy.special`. Functions live in files by family and are loaded when first asked for."""
from _jitlens import core

_HOMES = {
    "_gamma": """beta betainc betaln comb digamma factorial gamma gammainc gammaincc gammaln gammasgn loggamma multigammaln poch polygamma
        zeta""",
    "_entropy": "boxcox boxcox1p entr kl_div rel_entr xlog1py xlogy",
    "_exponential": "exp1 expi expn",
    "_integrals": "fresnel owens_t sici spence",
    "_faddeeva": "dawsn erfcx wofz",
    "_functions": "bernoulli bessel_jn hyp1f1 hyp2f1 sph_harm_y",
    "_error": "erf erfc erfinv expit i0 i0e i1 i1e log_ndtr logit ndtr ndtri",
}
_HOME_OF = core.by_word(_HOMES)


def softmax(x, /, *, axis=None):
    from ...nn import softmax
    return softmax(x, axis=axis)


def log_softmax(x, /, *, axis=None):
    from ...nn import log_softmax
    return log_softmax(x, axis=axis)


def __getattr__(name):
    if name in _HOME_OF:
        found = getattr(core.import_module("." + _HOME_OF[name], __name__), name)
    elif name == "logsumexp":
        from ...nn import logsumexp as found
    else:
        from ... import _removed
        raise AttributeError(_removed.missing("jax.scipy.special", name))
    globals()[name] = found
    return found


def __dir__():
    return sorted([*_HOME_OF, "log_softmax", "logsumexp", "softmax"])
