"""`scipy.special`: numbers where JAX has the function too, on NumPy's arrays; shapes and types of the others."""

import numpy as np
from _jitlens import core

from ._arrays import floating, functions, numbers, opaque, opaque_array, plain, refuse_tracers
from ._orthogonal import FAMILIES, evaluated, polynomials, quadrature

_others = functions("scipy.special", """
    ai_zeros bei_zeros beip_zeros ber_zeros berp_zeros bi_zeros errstate euler
    factorialk geterr jn_zeros jnjnp_zeros jnp_zeros jnyn_zeros
    kei_zeros keip_zeros kelvin_zeros ker_zeros kerp_zeros lmbda lqmn lqn
    mathieu_even_coef mathieu_odd_coef obl_cv_seq pbdn_seq pbdv_seq pbvv_seq pro_cv_seq riccati_jn riccati_yn
    seterr test y0_zeros y1_zeros y1p_zeros yn_zeros ynp_zeros
    """)

# Elementwise functions: how many arguments and results, whether they take complex numbers (and give them always).
_UFUNCS = {}


def _ufuncs(arguments, results, complex, names):
    for name in names.split():
        _UFUNCS[name] = arguments, results, complex


_ufuncs(1, 1, "no", """
    exprel gammaln zetac sindg cosdg tandg cotdg i0 i0e i1 i1e k0 k0e k1 k1e y0 y1 j0 j1 gammasgn cbrt cosm1 ellipe ellipk ellipkm1 exp2
    exp10 entr erfcinv erfinv kolmogi kolmogorov ndtri ndtri_exp round bei beip ber berp it2struve0 itmodstruve0 itstruve0 kei keip ker
    kerp expit log_expit logit
    """)
_ufuncs(1, 1, "yes", "erf erfc erfcx erfi dawsn ndtr log_ndtr expm1 log1p gamma loggamma psi rgamma digamma spence wrightomega exp1 expi")
_ufuncs(1, 1, "always", "wofz")
_ufuncs(1, 2, "no", "it2i0k0 it2j0y0 iti0k0 itj0y0")
_ufuncs(1, 2, "yes", "shichi sici fresnel")
_ufuncs(1, 2, "always", "modfresnelm modfresnelp")
_ufuncs(1, 4, "no", "itairy")
_ufuncs(1, 4, "yes", "airy airye")
_ufuncs(1, 4, "always", "kelvin")
_ufuncs(2, 1, "no", """
    agm boxcox boxcox1p chdtr chdtrc chdtri chdtriv huber inv_boxcox inv_boxcox1p kl_div owens_t pdtr pdtrc pdtrik poch powm1 pseudo_huber
    rel_entr stdtr stdtridf stdtrit tklmbda binom mathieu_a mathieu_b struve modstruve beta betaln gammainc gammaincinv gammaincc
    gammainccinv ellipeinc ellipkinc expn kn pdtri smirnov smirnovi yn eval_hermite eval_hermitenorm
    """)
_ufuncs(2, 1, "yes", """
    eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_legendre
    jn iv ive jv jve kv kve yv yve xlogy xlog1py elliprc hyp0f1
    """)
_ufuncs(2, 1, "always", "hankel1 hankel1e hankel2 hankel2e")
_ufuncs(2, 2, "no", "pbdv pbvv pbwa")
_ufuncs(2, 4, "no", "ellipj")
_ufuncs(3, 1, "no", """
    bdtrik bdtrin betainc betaincc betainccinv betaincinv btdtria btdtrib chndtr chndtridf chndtrinc chndtrix fdtr fdtrc fdtri fdtridfd
    gdtr gdtrc gdtria gdtrib gdtrix hyperu lpmv nbdtrik nbdtrin nctdtr nctdtridf nctdtrinc nctdtrit nrdtrimn nrdtrisd obl_cv pro_cv
    log_wright_bessel wright_bessel besselpoly radian voigt_profile bdtr bdtrc bdtri nbdtr nbdtrc nbdtri
    """)
_ufuncs(3, 1, "yes", "elliprd elliprf elliprg eval_gegenbauer eval_genlaguerre hyp1f1")
_ufuncs(3, 2, "no", "mathieu_cem mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem")
_ufuncs(4, 1, "no", "ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc")
_ufuncs(4, 1, "yes", "elliprj eval_jacobi eval_sh_jacobi hyp2f1")

# Only of doubles.
_DOUBLE = frozenset(("eval_hermite", "eval_hermitenorm"))

# Whose first loop is of doubles, or of an integer and doubles.
_DOUBLE_FIRST = frozenset("""
    struve modstruve beta betaln gammainc gammaincinv gammaincc gammainccinv ellipeinc ellipkinc xlogy xlog1py ellipj log_wright_bessel
    wright_bessel besselpoly radian voigt_profile hyp2f1 wofz
    """.split())
_INTEGER_FIRST = frozenset("""
    expn kn pdtri smirnov smirnovi yn eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_laguerre eval_legendre eval_sh_chebyt
    eval_sh_chebyu eval_sh_legendre nbdtr nbdtrc nbdtri eval_gegenbauer eval_genlaguerre eval_jacobi eval_sh_jacobi
    """.split())
_complex = complex


def _type(arguments, complex, first="f"):
    """The type of which the results of a ufunc are; unknown where that takes its loops to say.

    A loop of just the types of the arguments is taken; else the first one that they fit, of single precision, double, or of an integer
    and doubles.
    """
    typed = [a.dtype.name for a in arguments if hasattr(a, "dtype")]
    if not all([plain(name) for name in typed]):
        return core.unknown("which precision SciPy computes in")
    names = typed + ["complex64" for a in arguments if type(a) is _complex]
    of_complex = any([name.startswith("complex") for name in names])
    if of_complex and complex == "no":
        return core.unknown("not of complex numbers")
    narrow = bool(typed) and all([name in ("float32", "complex64") for name in names])
    if narrow and first != "f" and not (first == "l" and of_complex) and (len(names) < len(arguments) or len(set(names)) > 1 or complex == "always" and not of_complex):
        if first == "l" and type(arguments[0]) is not int:
            return core.unknown("which precision SciPy computes in")
        narrow = False
    if of_complex or complex == "always":
        return "complex64" if narrow else "complex128"
    return "float32" if narrow else "float64"


def _operands(args):
    """Arguments as ufuncs see them: Python's numbers take on the type of others."""
    refuse_tracers(args, {})
    made = []
    for a in args:
        if core.is_unknown(a):
            return core.unknown("of an unknown number")
        made.append(a if isinstance(a, (int, float, complex)) and not hasattr(a, "dtype") else numbers(a))
    return made


def _ufunc(name):
    count, results, complex = _UFUNCS[name]
    first = "d" if name in _DOUBLE_FIRST else "l" if name in _INTEGER_FIRST else "f"

    def function(*args, **kwargs):
        refuse_tracers(args, kwargs)
        if kwargs or len(args) != count:
            return core.unknown(f"`scipy.special.{name}` with these arguments")
        operands = _operands(args)
        dtype = "float64" if name in _DOUBLE else _type(operands, complex, first)
        shape = np.broadcast_shapes(*[np.shape(a) for a in operands])
        if results == 1:
            if name.startswith("eval_") and dtype == "float64":
                made = evaluated(name, operands[0], operands[1:-1], numbers(operands[-1]).astype(dtype))
                if made is not None and made.shape == shape:
                    return made[()]
            known = _of_jax(name)
            if known is not None and dtype.startswith("float"):
                made = core.numpy_call(known, name, args, {})
                if getattr(made, "shape", None) == shape and made.dtype.name == dtype:
                    return made
            return opaque(shape, dtype)
        return tuple([opaque(shape, dtype) for _ in range(results)])
    function.__name__ = name
    function.nin, function.nout = count, results
    return function


def _of_jax(name):
    import jax.scipy.special as special
    found = getattr(special, name, None)
    return found if callable(found) else None


def __getattr__(name):
    if name not in _UFUNCS:
        return _others(name)
    found = globals()[name] = _ufunc(name)
    return found


def _elementwise(*args, dtype=None, array=False):
    operands = _operands(args)
    shape = np.broadcast_shapes(*[np.shape(a) for a in operands])
    return (opaque_array if array else opaque)(shape, _type(operands, "yes") if dtype is None else dtype)


def zeta(x, q=None, out=None):
    return _elementwise(x, *(() if q is None else (q,))) if out is None else core.unknown("`out` of `zeta`")


def sinc(x):
    return np.sinc(x)


def softplus(x, **kwargs):
    return core.unknown("options of `softplus`") if kwargs else _elementwise(x)


def polygamma(n, x):
    return _elementwise(n, x, dtype="float64", array=True)


def multigammaln(a, d):
    return _elementwise(a, dtype="float64")


def diric(x, n):
    x, n = numbers(x), numbers(n)
    dtype = floating(x.dtype)
    return opaque_array(np.broadcast_shapes(x.shape, n.shape), dtype if dtype.name == "float64" else core.unknown("of small numbers"))


def lambertw(z, k=0, tol=1e-8):
    return _elementwise(z, k, dtype="complex128")


def factorial(n, exact=False, extend="zero"):
    return _factorial(n, exact, extend)


def factorial2(n, exact=False, extend="zero"):
    return _factorial(n, exact, extend)


def _factorial(n, exact, extend):
    refuse_tracers((n,), {})
    if extend != "zero":
        return core.unknown("complex factorials")
    if isinstance(n, (int, float)) and not hasattr(n, "dtype"):
        if exact:
            return core.unknown("an exact factorial")
        return opaque((), "float64")
    n = numbers(n)
    if exact or n.dtype.name not in ("int64", "int32", "float64"):
        return core.unknown("a factorial of these numbers")
    return opaque_array(n.shape, "float64") if n.ndim else core.unknown("a factorial of an array without axes")


def comb(N, k, *, exact=False, repetition=False):
    refuse_tracers((N, k), {})
    if exact:
        if type(N) is int and type(k) is int:
            import math
            if repetition:
                return comb(N + k - 1, k, exact=True) if N or k else 1
            return math.comb(N, k) if 0 <= k <= N else 0
        return core.unknown("exact binomial coefficients")
    return _elementwise(N, k, dtype="float64")


def perm(N, k, exact=False):
    refuse_tracers((N, k), {})
    if exact:
        if type(N) is int and type(k) is int:
            import math
            return math.perm(N, k) if 0 <= k <= N else 0
        return core.unknown("exact numbers of permutations")
    return _elementwise(N, k, dtype="float64")


def _derived(names):
    def make(name):
        def function(v, z, n=1):
            operands = _operands((v, z))
            dtype = _type([a for a in operands if hasattr(a, "dtype")], "always" if name[0] == "h" else "yes")
            return opaque(np.broadcast_shapes(np.shape(v), np.shape(z)), dtype if dtype in ("float64", "complex128") else core.unknown("of small numbers"))
        function.__name__ = name
        return function
    for name in names.split():
        globals()[name] = make(name)


_derived("jvp yvp kvp ivp h1vp h2vp")


def _spherical(name):
    def function(n, z, derivative=False):
        z = numbers(z)
        dtype = z.dtype if z.dtype.kind == "c" else "float64"
        return opaque(np.broadcast_shapes(np.shape(n), z.shape), dtype if plain(z.dtype.name) else core.unknown("of small numbers"))
    function.__name__ = name
    return function


spherical_jn, spherical_yn, spherical_in, spherical_kn = [_spherical("spherical_" + name) for name in ("jn", "yn", "in", "kn")]


def sph_harm_y(n, m, theta, phi, *, diff_n=0):
    if diff_n:
        return core.unknown("derivatives of spherical harmonics")
    operands = _operands((n, m, theta, phi))
    dtype = core.unknown("which precision SciPy computes in") if _type(operands[2:], "always", "d") != "complex128" else "complex128"
    return opaque_array(np.broadcast_shapes(*[np.shape(a) for a in operands]), dtype)


def _reduced(a, axis, keepdims):
    return np.sum(np.zeros(a.shape, bool), axis=axis, keepdims=keepdims).shape


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    a = np.atleast_1d(numbers(a))
    shape = a.shape
    dtype = floating(a.dtype)
    if b is not None:
        b = b if isinstance(b, (int, float)) and not hasattr(b, "dtype") else numbers(b)
        shape = np.broadcast_shapes(shape, np.shape(b))
        if hasattr(b, "dtype") and floating(b.dtype) != dtype:
            dtype = floating(np.result_type(a.dtype, b.dtype))
    made = opaque(_reduced(np.zeros(shape, bool), axis, keepdims), dtype)
    if return_sign:
        return opaque(made.shape, core.unknown("of complex numbers") if dtype.kind == "c" else dtype), opaque(made.shape, dtype)
    known = _of_jax("logsumexp")
    if b is None and dtype.kind == "f" and dtype.name != "float16":
        found = core.numpy_call(known, "logsumexp", (a.astype(dtype), axis), {"keepdims": keepdims})
        if getattr(found, "shape", None) == made.shape and found.dtype == dtype:
            return found
    return made


def softmax(x, axis=None):
    x = numbers(x)
    return opaque(x.shape, floating(x.dtype))


def log_softmax(x, axis=None):
    x = numbers(x)
    return opaque(x.shape, floating(x.dtype))


for _name, (_short, _, _) in FAMILIES.items():
    globals()[_name] = polynomials(_name)
    globals()["roots_" + _name] = globals()[_short + "_roots"] = quadrature(_name)
