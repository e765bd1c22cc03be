"""`scipy.special`: the functions that JAX has too, on NumPy's arrays."""

from _jitlens import core

from ._arrays import functions, refuse_tracers

_others = functions("scipy.special", """
    ai_zeros bei_zeros beip_zeros ber_zeros berp_zeros bi_zeros c_roots cg_roots chebyc chebys chebyt chebyu errstate euler
    factorialk genlaguerre geterr h_roots he_roots hermite hermitenorm j_roots jacobi jn_zeros jnjnp_zeros jnp_zeros jnyn_zeros
    js_roots kei_zeros keip_zeros kelvin_zeros ker_zeros kerp_zeros l_roots la_roots laguerre legendre lmbda lqmn lqn
    mathieu_even_coef mathieu_odd_coef obl_cv_seq p_roots pbdn_seq pbdv_seq pbvv_seq pro_cv_seq ps_roots riccati_jn riccati_yn
    roots_chebyc roots_chebys roots_chebyt roots_chebyu roots_gegenbauer roots_genlaguerre roots_hermite roots_hermitenorm
    roots_jacobi roots_laguerre roots_legendre roots_sh_chebyt roots_sh_chebyu roots_sh_jacobi roots_sh_legendre s_roots seterr
    sh_chebyt sh_chebyu sh_jacobi sh_legendre t_roots test ts_roots u_roots us_roots y0_zeros y1_zeros y1p_zeros yn_zeros ynp_zeros
    """)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    import jax.scipy.special as special
    inner = getattr(special, name, None)
    if inner is None or not callable(inner):
        return _others(name)

    def function(*args, **kwargs):
        refuse_tracers(args, kwargs)
        return core.numpy_call(inner, name, args, kwargs)
    function.__name__ = name
    globals()[name] = function
    return function
