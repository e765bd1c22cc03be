"""What to call public names with: values by the names of parameters, and whole calls where names do not tell."""

ARRAYS = ("F34 F3 S0 I3 F44 B3 C3 I34 N34 H34 F244 2 1.5 W0 D3 E0 B34 C44 I0 L3 U3 T3 True 1j [1.,2.,3.] E03 G3 Z3 M0 J0 W3 V0 (1,2) "
          "None 'no'").split()
SQUARE = "F44 C44 F244 N44 H44 D33 F34 F3 S0 I34 jnp.eye(3,dtype=int) E03 jnp.zeros((0,0)) [[1.,0.],[0.,2.]] None".split()
FLOATS = "F3 S0 F34 1.5 2 P3 W0 D3 I3 H3 M0 W3 True C3".split()
NUMBERS = "2 3 1.5 0 -1 I0 S0 True F3".split()
AXES = "0 -1 1 (0,1) None 5 (0,0) 1.5 I0".split()
SHAPES = "(2,3) () 3 (0,) (3,) (2,-1) [2,2] (4,3) None 1.5 F3".split()
DTYPES = ("jnp.float32 int 'bfloat16' bool jnp.complex64 np.float64 jnp.int8 jnp.float8_e4m3fn jnp.int4 float jnp.uint32 np.dtype('int16') None "
          "'no' F3").split()
KEYS = "KEY KEY0 jax.random.key(1,impl='rbg') KEYS F3 0 None".split()
TREES = "TREE F3 [F3,{'k':I3}] (1,(2,[3])) None {} {'b':1,'a':(2,None)} 'leaf'".split()
FUNCTIONS = ["lambda *xs: xs[0]", "jnp.sin", "lambda x: x * 2", "lambda x: jnp.sum(x ** 2)", "lambda x, y: x + y", "operator.add"]
FLAGS = "True False".split()
COUNTS = "2 3 0 1 -1 1.5 J0 I0 None".split()
INDICES = "I3 0 [0,1] I34 -1 L3 7 jnp.array([[0],[1]]) F3 B3".split()
PAIRS = "(F3,F3) [F34,F34] (F3,I3) [F34,C44] F34 (F3,1.) [N34,N34] (D3,I3) (F34,F3) () [F3] F3".split()


def rows(*pairs):
    return {name: values for names, values in pairs for name in names.split()}


PARAMETERS = rows(
    ("axis dimension axis1 axis2 source destination dim in_axis out_axis batch_axis start_dim", AXES),
    ("axes dimensions", ["0", "1", "(0,1)", "(1,0)", "None", "-1", "2", "((0,),(1,))", "([0],[0])", "(0,0)", "5"]),
    ("shape newshape new_sizes sizes operand_shape sample_shape dims", SHAPES),
    ("broadcast_dimensions", ["()", "(0,)", "(0,1)", "(1,)"]),
    ("dtype new_dtype preferred_element_type index_dtype dtype1 dtype2 from_ to type1 type2 t", DTYPES),
    ("key rng", KEYS), ("keys", KEYS + PAIRS), ("seed", COUNTS),
    ("tree pytree prefix_tree", TREES), ("is_leaf", ["None", "lambda x: x is None", "lambda x: isinstance(x, tuple)"]),
    ("f fun func function callback", FUNCTIONS),
    ("keepdims endpoint equal_nan hermitian density assume_unique increasing reverse lower overwrite_a overwrite_b check_finite descending stable "
     "return_index return_inverse return_counts full_matrices compute_uv right left invert exclusive weak_type retstep sparse copy "
     "unique_indices indices_are_sorted cov bias rowvar calc_q permute_l compute_expm antialias replace promote_integers "
     "holomorphic has_aux return_sign exact repetition is_causal", FLAGS),
    ("n k N M num size total_repeat_length offset ddof deg nlags order m_max num_segments num_classes length minlength d decimals repeats shift "
     "order_by start_index slice_size correction num_samples count l mx my int_pow", COUNTS),
    ("indices idx i index segment_ids scatter_indices start_indices dimension_index", INDICES),
    ("tup arrays arys operands arrs seq xs choices choicelist", PAIRS),
    ("start stop step", ["0", "5", "2.", "I0", "S0", "F3", "-1", "None", "1j"]),
    ("out out_sharding device subok casting signature like sharding backend", ["None"]),
    ("order", ["None", "'C'", "'F'", "0", "1", "'K'"]), ("kind", ["None", "'stable'", "'quicksort'"]),
    ("mode", ["None", "'clip'", "'wrap'", "'fill'", "'full'", "'same'", "'valid'", "'constant'", "'edge'", "'reflect'", "'no'"]),
    ("method", ["None", "'linear'", "'nearest'", "'cubic'", "'lower'", "'auto'", "'scan'", "'no'"]),
    ("norm", ["None", "'ortho'", "'forward'", "'no'"]), ("s", ["None", "(2,)", "(3,4)", "(2,2)", "3"]),
    ("precision", ["None", "'high'", "lax.Precision.HIGHEST", "'no'"]), ("accuracy", ["None"]),
    ("where", ["None", "B34", "True", "B3", "F3"]), ("initial", ["0.", "1", "None", "S0", "I0", "1j"]),
    ("fill_value constant_values padding_value", ["0", "2.5", "F3", "True", "S0", "None", "1j", "jnp.nan"]),
    ("q", ["0.5", "P3", "S0", "[0.1,0.9]", "2", "D3"]), ("rcond rtol atol tol", ["1e-3", "None", "S0"]),
    ("ord", ["None", "1", "2", "jnp.inf", "'fro'", "'nuc'", "0", "-1", "3.5"]),
    ("pad_width", ["1", "(1,2)", "((0,1),(2,0))", "[(1,1),(0,0)]", "-1", "F3"]), ("padding_config", ["[(0,1,0),(1,1,1)]", "[(1,1,0)]", "()"]),
    ("bins", ["3", "10", "F3", "jnp.array([0.,1.,2.])", "'auto'"]), ("range", ["None", "(0,1)", "(0.,5.)"]),
    ("weights", ["None", "F3", "P3", "F4", "I3"]), ("indices_or_sections", ["2", "[1,2]", "3", "4", "1", "(1,)", "I3"]),
    ("condlist", ["[B3,B3]", "[B34]", "[T3,~T3]", "[]"]), ("condition", ["B3", "B34", "T3", "True", "F3", "C3", "[True,False,True]"]),
    ("subscripts", ["'ij,jk->ik'", "'ij->ji'", "'i,i'", "'ii'", "'...i->...'"]), ("reps", ["2", "(1,2)", "(2,1,3)", "()", "F3"]),
    ("dimension_numbers", ["(((1,),(1,)),((),()))", "(((1,),(0,)),((),()))", "None"]),
    ("axis_name", ["'i'"]), ("p df nu lam scale loc alpha beta concentration minval maxval mean sigma rate a_min a_max kappa c "
                             "theta phi dfnum dfden logits", FLOATS),
    ("A E B C T Z", SQUARE),
    ("a_max min max", ["None", "2", "S0", "F3", "0.5"]), ("dummy", ["None"]),
)

# Where arrays of two dimensions are the usual thing, by module.
OF_MATRICES = {"jax.numpy.linalg", "jax.scipy.linalg", "jax.lax.linalg", "numpy.linalg", "jax.scipy.sparse.linalg"}

# Whole calls; `@` is the function. They are asked besides those that signatures give.
CALLS = {
    "jax.jit": ["@(jnp.sin)(F3)", "@(lambda x, n: x * n, static_argnums=1)(F3, 2)", "@(lambda x, n: x * n, static_argnames='n')(F3, n=2)",
                "@(jnp.sum)(2)", "@(lambda: 1)()", "@(lambda x: x)(W0)", "@(lambda x: x)('no')", "@(lambda t: t)(TREE)", "@(3)"],
    "jax.vmap": ["@(jnp.sin)(F34)", "@(jnp.dot, in_axes=(0, None))(F34, F4)", "@(jnp.sum, in_axes=1)(F34)", "@(jnp.sin, out_axes=1)(F34)",
                 "@(jnp.sin)(S0)", "@(jnp.add)(F34, F3)", "@(jnp.add)(F34, F244)", "@(lambda x: lax.psum(x, 'i'), axis_name='i')(F3)"],
    "jax.grad": ["@(jnp.sum)(F34)", "@(lambda x: x ** 2)(2.)", "@(lambda x: x ** 2)(2)", "@(jnp.sin)(F3)", "@(lambda x, y: jnp.sum(x * y), argnums=(0, 1))(F3, F3)",
                 "@(lambda x: (jnp.sum(x), x), has_aux=True)(F3)", "@(lambda x: jnp.sum(x['a']))(TREE)", "@(lambda x: jnp.sum(x * x), holomorphic=True)(C3)",
                 "@(jnp.sum)(I3)", "@(jnp.sum, allow_int=True)(I3)", "@(jnp.sum)(H34)", "@(jnp.sum)(N34)", "@(jnp.sum)(D3)"],
    "jax.value_and_grad": ["@(jnp.sum)(F34)", "@(lambda x: (jnp.sum(x), x), has_aux=True)(F3)", "@(jnp.sin)(F3)", "@(lambda x: x ** 2)(2.)"],
    "jax.jacfwd": ["@(jnp.sin)(F3)", "@(lambda x: (x, x[0]))(F3)", "@(jnp.sin)(I3)", "@(jnp.sin)(2.)"],
    "jax.jacrev": ["@(jnp.sin)(F3)", "@(lambda x: (x, x[0]))(F3)", "@(jnp.sin)(I3)", "@(jnp.sin)(2.)"],
    "jax.jacobian": ["@(jnp.sin)(F34)"], "jax.hessian": ["@(jnp.sum)(F3)", "@(jnp.sin)(2.)", "@(jnp.sin)(F3)"],
    "jax.jvp": ["@(jnp.sin, (F3,), (F3,))", "@(jnp.sin, (2.,), (1.,))", "@(jnp.sin, (F3,), (I3,))", "@(jnp.sin, (F3,), (F4,))", "@(jnp.sin, F3, F3)",
                "@(lambda x: (x, 1), (F3,), (F3,), has_aux=True)"],
    "jax.vjp": ["@(jnp.sin, F3)[0]", "@(jnp.sin, F3)[1](F3)", "@(jnp.sin, F3)[1](F4)", "@(jnp.sin, F3)[1](I3)", "@(lambda x: (x, 1), F3, has_aux=True)[2]"],
    "jax.linearize": ["@(jnp.sin, F3)[0]", "@(jnp.sin, F3)[1](F3)", "@(lambda x: (x, 2., F4), F3)[0]", "@(lambda x: (x, 2., F4), F3)[1](F3)", "@(jnp.sin, 2.)[1](1.)"],
    "jax.linear_transpose": ["@(lambda x: 2 * x, F3)(F3)", "@(jnp.sin, F3)(F3)", "@(lambda x: x.T, F34)(F43)"],
    "jax.eval_shape": ["@(jnp.sin, F3)", "@(jnp.sin, 2.)", "@(lambda: 1)", "@(lambda t: t, TREE)", "@(jnp.dot, F3, F4)"],
    "jax.make_jaxpr": ["@(jnp.sin)(F3).out_avals[0].shape", "@(jnp.sin)(F3).eqns[0].primitive.name", "str(@(lambda x: x + 1)(F3))"],
    "jax.checkpoint": ["@(jnp.sin)(F3)", "jax.grad(lambda x: jnp.sum(@(jnp.sin)(x)))(F3)"], "jax.remat": ["@(jnp.sin)(F3)"],
    "jax.typeof": ["str(@(F3))", "str(@(W0))", "str(@(2))", "@(F3).shape", "@(F3).weak_type", "str(@(KEY))", "repr(@(F34))", "@('no')"],
    "jax.closure_convert": ["@(lambda x: x * F3, F3)[1]", "jax.jit(lambda v: @(lambda x: x * v, F3)[0](F3))(F3)"],
    "jax.custom_jvp": ["@(jnp.sin)(F3)"], "jax.custom_vjp": ["@(jnp.sin)(F3)"], "jax.custom_gradient": ["@(lambda x: (x * 2, lambda g: g))(F3)"],
    "jax.pure_callback": ["@(np.sin, jax.ShapeDtypeStruct((3,), jnp.float32), F3)", "@(np.sin, F3, F3)"],
    "jax.named_call": ["@(jnp.sin)(F3)"], "jax.named_scope": [],
    "jax.device_put": ["@(F3)", "@(2)", "@(1.5)", "@(N34)", "@(D3)", "@(TREE)", "@('no')", "@(F3, jax.devices()[0])", "@(None)"],
    "jax.device_get": ["@(F3)", "@(TREE)", "@(2)"],
    "jax.block_until_ready": ["@(F3)", "@(TREE)", "@(2)"],
    "jax.ShapeDtypeStruct": ["@((3,), jnp.float32)", "@((3,), 'int8').dtype", "@((3, 4), float).ndim", "@((3, 4), float).size"],
    "jax.tree_util.Partial": ["@(jnp.add, F3)(F3)"],
    "jax.tree.map": ["@(lambda x: x * 2, {'a': F3, 'b': (F34, 2)})", "@(lambda x, y: x + y, [F3, 1], [F3, 2])", "@(lambda x, y: x, [F3], [F3, 2])",
                     "@(lambda x: x, TREE, is_leaf=lambda x: x is None)", "@(lambda x, y: x, {'a': 1}, {'b': 1})"],
    "jax.tree.reduce": ["@(lambda a, b: a + b, [1, 2, 3])", "@(lambda a, b: a + b, [F3, 1.])", "@(lambda a, b: a + b, [1, 2], 10)"],
    "jax.tree.transpose": ["@(jax.tree.structure([0, 0]), jax.tree.structure({'a': 0}), [{'a': F3}, {'a': I3}])"],
    "jax.tree.unflatten": ["@(jax.tree.structure(TREE), [1, 2, 3])", "@(jax.tree.structure(TREE), [1])"],
    "jax.tree.map_with_path": ["@(lambda p, x: jax.tree_util.keystr(p), {'a': F3, 'b': (F34, 2)})"],
    "lax.scan": ["@(lambda c, x: (c + x, c), S0, F3)", "@(lambda c, x: (c, x), S0, F34)", "@(lambda c, x: (c + 1, x), 0, F3)", "@(lambda c, x: (c + 1, x), 0., I3)",
                 "@(lambda c, x: (c, c), S0, None, length=4)", "@(lambda c, x: (c + x, c), 0, F3)", "@(lambda c, x: (c, x), S0, (F3, F34))",
                 "@(lambda c, x: (c, x), S0, (F3, F4))", "@(lambda c, x: c, S0, F3)", "@(lambda c, x: (c, x), S0, F3, reverse=True, unroll=2)",
                 "@(lambda c, x: (c, x), S0, E0)", "@(lambda c, x: (c, x), S0, 2)", "@(lambda c, x: (c * x, (x, 2)), W0, F3)", "@(lambda c, x: (c, x), S0, F3, length=2)"],
    "lax.cond": ["@(True, lambda x: x, lambda x: x + 1, F3)", "@(B3[0], lambda: 1, lambda: 2)", "@(B3[0], lambda: 1, lambda: 2.)", "@(1, lambda x: x, lambda x: -x, S0)",
                 "@(B3, lambda: 1, lambda: 2)", "@(B3[0], lambda x: (x, 1), lambda x: x, F3)", "@(B3[0], lambda x: x, lambda x: x.astype(int), F3)", "@(1.5, lambda: 1, lambda: 2)"],
    "lax.switch": ["@(1, [jnp.sin, jnp.cos], F3)", "@(I0, [lambda x: x, lambda x: x + 1], 2.)", "@(0, [], F3)", "@(1.5, [jnp.sin, jnp.cos], F3)", "@(I3, [jnp.sin, jnp.cos], F3)"],
    "lax.while_loop": ["@(lambda c: c < 3, lambda c: c + 1, 0)", "@(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, F3))", "@(lambda c: c < 3, lambda c: c + 1., 0)",
                       "@(lambda c: F3, lambda c: c, 0)", "@(lambda c: c < 3, lambda c: (c, c), 0)", "@(lambda c: c, lambda c: c, 0)", "@(lambda c: c < 3, lambda c: c + 1, I0)"],
    "lax.fori_loop": ["@(0, 3, lambda i, c: c + i, 0)", "@(0, 3, lambda i, c: c + i, S0)", "@(0, I0, lambda i, c: c * 2, F3)", "@(0, 3, lambda i, c: c + 1.5, 0)",
                      "@(0, 3, lambda i, c: (c, c), 0)", "@(0., 3, lambda i, c: c, 0)", "@(0, 3, lambda i, c: i, 0)", "@(0, 3, lambda i, c: c + i, 1.5, unroll=True)"],
    "lax.map": ["@(jnp.sin, F34)", "@(lambda x: x[0] + x[1], (F3, F3))", "@(jnp.sin, F34, batch_size=2)", "@(jnp.sin, S0)", "@(lambda x: 1, F3)"],
    "lax.associative_scan": ["@(jnp.add, F3)", "@(jnp.add, F34, axis=1)", "@(jnp.add, F34, reverse=True)", "@(lambda a, b: (a[0] + b[0], a[1]), (F3, I3))", "@(jnp.add, S0)"],
    "lax.custom_root": ["@(lambda x: x ** 2 - S0, S0, lambda f, x: x, lambda g, y: y / g(1.))"],
    "lax.custom_linear_solve": ["@(lambda x: F44 @ x, F4, lambda mv, b: b)", "@(lambda x: F44 @ x, F4, lambda mv, b: b, symmetric=True)"],
    "lax.platform_dependent": ["@(F3, default=jnp.sin)", "@(F3, cpu=jnp.sin, default=jnp.cos)", "@(F3, cpu=jnp.sin)", "@(F3, tpu=jnp.sin)"],
    "lax.reduce": ["@(F34, 0., lax.add, (0,))", "@(F34, 0., jnp.add, (1,))", "@(I34, 0, lax.max, (0, 1))", "@((F3, I3), (0., 0), lambda a, b: (a[0] + b[0], a[1]), (0,))", "@(F34, 0, lax.add, (0,))"],
    "lax.reduce_window": ["@(F34, 0., lax.add, (2, 2), (1, 1), 'VALID')", "@(F34, -jnp.inf, lax.max, (2, 2), (2, 2), 'SAME')", "@(F34, 0., lax.add, (2,), (1,), 'VALID')"],
    "lax.conv_general_dilated": ["@(IMG, KER, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))", "@(IMG, KER, (2, 2), 'VALID', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))",
                                 "@(IMG, KER, (1, 1), 'SAME')", "@(jnp.ones((1, 2, 8)), jnp.ones((3, 2, 3)), (1,), [(1, 1)])", "@(IMG, KER, (1,), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))",
                                 "@(IMG, KER.astype(int), (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))"],
    "lax.conv": ["@(jnp.ones((1, 2, 8, 8)), jnp.ones((3, 2, 3, 3)), (1, 1), 'SAME')", "@(jnp.ones((1, 2, 8, 8)), jnp.ones((3, 4, 3, 3)), (1, 1), 'SAME')"],
    "lax.conv_with_general_padding": ["@(jnp.ones((1, 2, 8, 8)), jnp.ones((3, 2, 3, 3)), (1, 1), [(1, 1), (0, 0)], None, None)"],
    "lax.conv_transpose": ["@(IMG, KER, (2, 2), 'SAME')", "@(IMG, KER, (2, 2), 'VALID')", "@(IMG, jnp.ones((3, 3, 2, 3)), (1, 1), 'SAME', transpose_kernel=True)"],
    "lax.conv_general_dilated_patches": ["@(jnp.ones((1, 2, 8, 8)), (3, 3), (1, 1), 'SAME')"],
    "lax.dot_general": ["@(F34, F34, (((1,), (1,)), ((), ())))", "@(F244, F244, (((2,), (1,)), ((0,), (0,))))", "@(F34, F34, (((1,), (0,)), ((), ())))",
                        "@(F34, H34, (((1,), (1,)), ((), ())))", "@(I34, F34, (((1,), (1,)), ((), ())))", "@(H34, H34, (((1,), (1,)), ((), ())), preferred_element_type=jnp.float32)"],
    "lax.gather": ["@(F34, jnp.array([[0], [1]]), lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 4))"],
    "lax.scatter": ["@(F34, jnp.array([[0]]), F34[:1], lax.ScatterDimensionNumbers((1,), (0,), (0,)))"],
    "lax.scatter_add": ["@(F34, jnp.array([[0]]), F34[:1], lax.ScatterDimensionNumbers((1,), (0,), (0,)))"],
    "lax.scatter_max": ["@(F34, jnp.array([[0]]), F34[:1], lax.ScatterDimensionNumbers((1,), (0,), (0,)))"],
    "lax.dynamic_slice": ["@(F34, (0, 1), (2, 2))", "@(F34, (0,), (2, 2))", "@(F34, (0, 1), (2,))", "@(F34, I3[:2], (2, 2))", "@(F34, (0, 1), (4, 4))", "@(F34, (0., 1), (2, 2))"],
    "lax.dynamic_update_slice": ["@(F34, F3[None], (0, 1))", "@(F34, F3, (0, 1))", "@(F34, I3[None], (0, 1))", "@(F3, 2., (0,))", "@(F34, F44, (0, 0))"],
    "lax.slice": ["@(F34, (0, 0), (2, 2))", "@(F34, (0, 0), (3, 4), (1, 2))", "@(F34, (0,), (2,))", "@(F34, (2, 0), (1, 2))"],
    "lax.pad": ["@(F34, 0., [(0, 1, 0), (1, 1, 1)])", "@(F34, 0, [(0, 1, 0), (1, 1, 1)])", "@(F3, S0, [(1, 1, 0)])", "@(F34, 0., [(1, 1, 0)])", "@(F3, 0., [(-1, -1, 0)])", "@(F3, 0., [(-5, 0, 0)])"],
    "lax.broadcast_in_dim": ["@(F3, (2, 3), (1,))", "@(S0, (2, 3), ())", "@(F3, (3, 2), (1,))", "@(2., (3,), ())"],
    "lax.select": ["@(B3, F3, F3)", "@(B3, F3, I3)", "@(B3[0], F3, F3)", "@(True, 1., 2.)", "@(B34, F3, F3)"], "lax.select_n": ["@(B3, F3, F3)", "@(I3, F3, F3, F3)", "@(I0, F3, F3)", "@(F3, F3, F3)"],
    "lax.sort": ["@((F3, I3), num_keys=2)", "@((F3, I3))", "@((F3, I34))"], "lax.sort_key_val": ["@(F3, I3)", "@(F34, I34, dimension=0)", "@(F3, I34)"],
    "lax.top_k": ["@(F34, 2)", "@(I3, 2)", "@(F3, 4)", "@(S0, 1)", "@(F34, 2, axis=0)"], "lax.stop_gradient": ["@(TREE)", "@(2)", "@(1.5)", "@(D3)", "@(True)", "jax.grad(lambda x: jnp.sum(@(x)))(F3)"],
    "lax.psum": ["@(F3, 'i')", "vmap(lambda x: @(x, 'i'), F34)", "jax.vmap(lambda x: @(x, 'i'), axis_name='i')(F34)", "jax.vmap(lambda x: @(1, 'i'), axis_name='i')(F34)"],
    "lax.pmean": ["@(F3, 'i')", "jax.vmap(lambda x: @(x, 'i'), axis_name='i')(F34)", "jax.vmap(lambda x: @(x, 'i'), axis_name='i')(I34)"],
    "lax.pmax": ["jax.vmap(lambda x: @(x, 'i'), axis_name='i')(F34)"], "lax.pmin": ["jax.vmap(lambda x: @(x, 'i'), axis_name='i')(F34)"],
    "lax.axis_index": ["@('i')", "jax.vmap(lambda x: @('i'), axis_name='i')(F34)"], "lax.axis_size": ["@('i')", "jax.vmap(lambda x: @('i'), axis_name='i')(F34)"],
    "lax.all_gather": ["jax.vmap(lambda x: @(x, 'i'), axis_name='i')(F34)", "jax.vmap(lambda x: @(x, 'i', tiled=True), axis_name='i')(F34)"],
    "lax.ppermute": ["jax.vmap(lambda x: @(x, 'i', [(0, 1), (1, 2), (2, 0)]), axis_name='i')(F34)"], "lax.pshuffle": ["jax.vmap(lambda x: @(x, 'i', [1, 2, 0]), axis_name='i')(F34)"],
    "lax.all_to_all": ["jax.vmap(lambda x: @(x, 'i', 0, 0), axis_name='i')(F44)"], "lax.psum_scatter": ["jax.vmap(lambda x: @(x, 'i'), axis_name='i')(F44)"],
    "lax.pcast": ["@(F3, 'i', to='varying')", "jax.vmap(lambda x: @(x, 'i', to='varying'), axis_name='i')(F34)"],
    "lax.rng_bit_generator": ["@(jnp.zeros(4, jnp.uint32), (3,))", "@(KEY, (3,))"], "lax.iota": ["@(int, 3)", "@(jnp.float32, 3)", "@('bfloat16', 0)", "@(int, -1)", "@(bool, 2)"],
    "lax.broadcasted_iota": ["@(int, (2, 3), 1)", "@(jnp.float32, (2, 3), 0)", "@(int, (2, 3), 2)"],
    "lax.with_sharding_constraint": ["@(F3, jax.sharding.SingleDeviceSharding(jax.devices()[0]))", "@(F3, jax.sharding.PartitionSpec('x'))", "@(F3, 'x')"],
    "jax.nn.dot_product_attention": ["@(jnp.ones((2, 4, 3, 8)), jnp.ones((2, 5, 3, 8)), jnp.ones((2, 5, 3, 8)))", "@(jnp.ones((4, 3, 8)), jnp.ones((5, 3, 8)), jnp.ones((5, 3, 8)))",
                                     "@(jnp.ones((2, 4, 3, 8)), jnp.ones((2, 4, 3, 8)), jnp.ones((2, 4, 3, 8)), is_causal=True)", "@(jnp.ones((2, 4, 3, 8)), jnp.ones((2, 5, 2, 8)), jnp.ones((2, 5, 3, 8)))"],
    "jax.nn.one_hot": ["@(I3, 4)", "@(I34, 4, axis=0)", "@(1, 3)", "@(F3, 3)", "@(I3, 4, dtype=int)"],
    "jnp.einsum": ["@('ij,jk->ik', F34, F44)", "@('i,i', F3, F3)", "@('ii', F44)", "@('ij->j', I34)", "@('ij,jk->ik', F34, F34)", "@('bij,bjk->bik', F244, F244)", "@('...i,i->...', F34, F4)",
                   "@('ij,j->i', F34, I3)", "@(F34, [0, 1], [1, 0])", "@('ij,jk->ik', H34, F44)", "@('ij,jk->ik', F34, F44, preferred_element_type=jnp.bfloat16)", "@('ij', F3)", "@('ij,jk->il', F34, F44)"],
    "jnp.einsum_path": ["@('ij,jk->ik', F34, F44)[0]", "@('ij,jk,kl->il', F34, F44, F44)[0]"],
    "jnp.vectorize": ["@(jnp.dot, signature='(n),(n)->()')(F34, F34)", "@(lambda x, y: x + y)(F34, F4)", "@(jnp.sin, signature='(n)->(m)')(F34)", "@(jnp.dot, signature='(n),(n)->()')(F34, F3)"],
    "jnp.apply_along_axis": ["@(jnp.sum, 0, F34)", "@(lambda x: x[:2], 1, F34)", "@(jnp.sum, 3, F34)"], "jnp.apply_over_axes": ["@(jnp.sum, F34, [0, 1])"],
    "jnp.piecewise": ["@(F3, [F3 > 1], [jnp.sin, jnp.cos])", "@(F3, [F3 > 1, F3 < 0], [1., 2.])"], "jnp.fromfunction": ["@(lambda i, j: i + j, (2, 3))", "@(lambda i: i, (3,), dtype=int)"],
    "jnp.select": ["@([B3, B3], [F3, I3])", "@([B3], [F3], 2)", "@([B3], [F3, F3])", "@([F3], [F3])", "@([B3, ~B3], [1, 2.])"], "jnp.interp": ["@(F3, F3, F3)", "@(1.5, D3, D3)", "@(F34, F4, F4)", "@(F3, F3, F4)", "@(I3, I3, I3)", "@(F3, F3, C3)", "@(F3, F3, F3, period=2)"],
    "jnp.ix_": ["@(I3, L3)", "@([0, 1], [1])", "@(F34)"], "jnp.mgrid": ["@[0:3, 0:2]", "@[0:3:4j]", "@[0:3]", "@[0.:1.:0.5]"], "jnp.ogrid": ["@[0:3, 0:2]"], "jnp.r_": ["@[F3, 1, I3]", "@[0:3]", "@[0:1:5j]", "@['0,2', F3, F3]"], "jnp.c_": ["@[F3, I3]", "@[F34, F3]"],
    "jnp.s_": ["F34[@[0]]"], "jnp.index_exp": ["F34[@[0, 1]]"], "jnp.array": ["@([1, 2.])", "@([F3, F3])", "@([[1], [2, 3]])", "@([1j, True])", "@([])", "@([F3, I3])", "@([S0, 1])", "@((1, 2), dtype='int4')", "@(F3, ndmin=2)", "@({})", "@(object())", "@([N34, N34])", "@(range(3))", "@([np.float64(1)])", "@(2 ** 40)", "@([2 ** 33])"],
    "jnp.array_repr": ["@(F3)", "@(I3)", "@(F34)", "@(B3)", "@(W0)"], "jnp.array_str": ["@(F3)", "@(I34)"], "jnp.finfo": ["@(jnp.float32).bits", "@('bfloat16').dtype", "@(int)", "@(F3).bits"], "jnp.iinfo": ["@(jnp.int32).max", "@('int4').min", "@(float)", "@(I3).bits"],
    "jnp.frompyfunc": ["@(operator.add, 2, 1)(F3, F3)", "@(operator.add, 2, 1, identity=0).reduce(F3)"], "jnp.histogramdd": ["@(F43)", "@(F43, bins=3)"], "jnp.nonzero": ["@(F3)", "@(I34)", "@(F3, size=2)", "jit(lambda v: @(v), F3)", "jit(lambda v: @(v, size=2), F3)"],
    "jax.random.choice": ["@(KEY, 5)", "@(KEY, F3, (2,))", "@(KEY, F3, (2,), replace=False)", "@(KEY, 5, (3,), p=P3)", "@(KEY, F34, (2,), axis=1)", "@(KEY, 3, (5,), replace=False)", "@(KEY, F3, (2,), p=P3)"],
    "jax.random.key_impl": ["str(@(KEY))"], "jax.random.clone": [], "jax.random.multivariate_normal": ["@(KEY, F4, F44)", "@(KEY, F4, F44, (2,))", "@(KEY, F4, F44, method='svd')", "@(KEY, F3, F44)"],
    "jax.random.ball": ["@(KEY, 3)", "@(KEY, 3, shape=(2,))"], "jax.random.orthogonal": ["@(KEY, 3)", "@(KEY, 3, (2,))", "@(KEY, 3, m=2)"], "jax.random.binomial": ["@(KEY, 5, 0.5)", "@(KEY, 5., F3, (3,))"], "jax.random.multinomial": ["@(KEY, 5, P3)", "@(KEY, 5., P3, shape=(2, 3))"],
    "jax.random.triangular": ["@(KEY, 0., 0.5, 1.)", "@(KEY, 0., F3, 9., (3,))"], "jax.random.uniform": ["@(KEY, (2,), minval=0, maxval=1)", "@(KEY, (-2,))", "@(KEY, (2,), int)", "@(KEY, (2,), minval=F3)"],
    "jax.random.randint": ["@(KEY, (2,), 0, 5)", "@(KEY, (), 0., 5.)", "@(KEY, (3,), 0, I3)", "@(KEY, (2,), 0, 5, jnp.uint8)", "@(KEY, (-1,), 0, 5)", "@(KEY, (2,), 0, 5, float)"],
    "jax.image.resize": ["@(IMG, (1, 4, 4, 3), 'linear')", "@(IMG, (1, 16, 16, 3), 'nearest')", "@(IMG, (1, 4, 4, 3), 'cubic', antialias=False)", "@(IMG, (4, 4), 'linear')", "@(I34, (6, 8), 'bilinear')", "@(IMG, (1, 4, 4, 3), 'no')"],
    "jax.image.scale_and_translate": ["@(F34, (6, 8), (0, 1), jnp.array([2., 2.]), jnp.zeros(2), 'linear')"],
    "jax.ops.segment_sum": ["@(F3, I3)", "@(F3, I3, 4)", "@(F34, I3, num_segments=2)", "@(I3, I3, 3)", "@(F34, I34, 3)", "jit(lambda v: @(v, I3), F3)"],
    "jax.scipy.integrate.trapezoid": ["@(F3)", "@(F34, F4)", "@(F34, dx=0.5, axis=0)", "@(I3)"], "jax.scipy.interpolate.RegularGridInterpolator": ["@((F3, F4), F34)(jnp.ones((5, 2)))", "@((jnp.arange(3.),), F3)(jnp.ones((5, 1)))", "@((jnp.arange(3.),), F3, method='nearest')(jnp.ones((5, 1)))"],
    "jax.scipy.cluster.vq.vq": ["@(F43, F43[:2])", "@(F34, F43)", "@(F3, F3)"], "jax.scipy.ndimage.map_coordinates": ["@(F34, [F3, F3], 1)", "@(F34, [F3, F3], 0)", "@(I34, [F3, F3], 1)", "@(F34, [F3], 1)", "@(F34, [F3, F3], 2)", "@(F34, jnp.ones((2, 5)), 1, mode='wrap')"],
    "jax.scipy.optimize.minimize": ["@(lambda x: jnp.sum(x ** 2), F3, method='BFGS').x", "@(lambda x: jnp.sum(x ** 2), F3, method='BFGS').success"], "jax.scipy.sparse.linalg.cg": ["@(F44, F4)", "@(lambda x: F44 @ x, F4)", "@(F44, F3)", "@(F44, F4, x0=F4, maxiter=3)"],
    "jax.scipy.sparse.linalg.gmres": ["@(F44, F4)", "@(lambda x: F44 @ x, F4)", "@(F44, F4, restart=2, solve_method='incremental')"], "jax.scipy.sparse.linalg.bicgstab": ["@(F44, F4)", "@(lambda x: F44 @ x, F4)"],
    "jax.scipy.spatial.transform.Rotation": ["@.from_quat(F4).as_matrix()", "@.from_euler('x', 0.5).as_quat()", "@.from_rotvec(F3).as_rotvec()", "@.identity().as_matrix()", "@.from_matrix(D33).as_euler('xyz')", "@.random(KEY).as_quat()"],
    "jax.scipy.spatial.transform.Slerp": ["@.init(F3, jax.scipy.spatial.transform.Rotation.from_quat(jnp.eye(4)[:3]))(0.5).as_quat()"],
    "jax.scipy.stats.gaussian_kde": ["@(F3)(F3)", "@(F34).evaluate(F34[:, :2])", "@(F3).d", "@(F3).n", "@(F3).neff"], "jax.scipy.stats.mode": [], "jax.scipy.stats.rankdata": [],
    "jax.scipy.stats.multivariate_normal.pdf": ["@(F4, F4, F44)", "@(F34, F4, F44)", "@(F3, 0., 1.)"], "jax.scipy.stats.multivariate_normal.logpdf": ["@(F4, F4, F44)", "@(F34, F4, F44)"], "jax.scipy.stats.multinomial.pmf": ["@(I3, 3, P3)"], "jax.scipy.stats.multinomial.logpmf": ["@(I3, 3, P3)"], "jax.scipy.stats.dirichlet.pdf": ["@(P3, F3)"], "jax.scipy.stats.dirichlet.logpdf": ["@(P3, F3)"],
    "jax.scipy.linalg.cho_solve": ["@((F44, True), F4)", "@((F44, False), F44)", "@((F44, True), F3)"], "jax.scipy.linalg.lu_solve": ["@((F44, jnp.arange(4)), F4)", "@(jax.scipy.linalg.lu_factor(F44), F44)"], "jax.scipy.linalg.funm": ["@(F44, jnp.sin)", "@(F44, jnp.sin, disp=False)"], "jax.scipy.linalg.block_diag": ["@(F3, F34)", "@()", "@(2., F44, I34)"],
    "jax.scipy.linalg.eigh_tridiagonal": ["@(F4, F3, eigvals_only=True)", "@(F4, F3)", "@(F4, F3, eigvals_only=True, select='i', select_range=(0, 1))"], "jax.scipy.linalg.toeplitz": ["@(F3)", "@(F3, F4)", "@(F34)"], "jax.scipy.linalg.rsf2csf": ["@(F44, F44)"], "jax.scipy.linalg.solve_triangular": ["@(F44, F4)", "@(F44, F44, lower=True, trans=1)", "@(F44, F3)", "@(C44, F4)"],
    "jax.scipy.linalg.qr_multiply": ["@(F44, F44)", "@(F44, F4)", "@(F43, F34, mode='left')"], "jax.scipy.linalg.solve_sylvester": ["@(F44, F44, F44)"], "jax.scipy.linalg.expm_frechet": ["@(F44, F44)", "@(F44, F44, compute_expm=False)"], "jax.scipy.special.sph_harm_y": ["@(jnp.array([1]), jnp.array([1]), jnp.array([.5]), jnp.array([.5]), n_max=2)"], "jax.scipy.special.lpmn_values": ["@(2, 2, F3, True)"], "jax.scipy.special.lpmn": ["@(2, 2, F3)"], "jax.scipy.special.bernoulli": ["@(3)", "@(0)"], "jax.scipy.special.bessel_jn": ["@(F3, v=2)", "@(F3, v=2, n_iter=10)"], "jax.scipy.special.polygamma": ["@(1, F3)", "@(I3, F3)", "@(1., 2.)"], "jax.scipy.special.multigammaln": ["@(F3, 2)"],
    "jax.scipy.signal.convolve": ["@(F3, F4)", "@(F34, F44, mode='same')", "@(F3, F34)", "@(I3, I3)", "@(F3, F4, method='fft')"], "jax.scipy.signal.convolve2d": ["@(F34, F44)", "@(F34, F34, mode='valid')", "@(F3, F3)"], "jax.scipy.signal.stft": ["@(jnp.ones(64), nperseg=16)", "@(jnp.ones((2, 64)), nperseg=16, noverlap=4)"], "jax.scipy.signal.istft": ["@(jnp.ones((9, 17), complex), nperseg=16)"], "jax.scipy.signal.welch": ["@(jnp.ones(64), nperseg=16)", "@(jnp.ones(64), nperseg=16, scaling='spectrum', average='median')"], "jax.scipy.signal.csd": ["@(jnp.ones(64), jnp.ones(64), nperseg=16)", "@(jnp.ones(64), None, nperseg=16)"], "jax.scipy.signal.detrend": ["@(F34)", "@(F34, type='constant')", "@(F34, bp=[2])"], "jax.scipy.signal.fftconvolve": ["@(F3, F4)", "@(F34, F34, mode='same')", "@(C3, F3)"],
    "lax.linalg.householder_product": ["@(F43, F3)"], "lax.linalg.ormqr": ["@(F43, F3, F43)"], "lax.linalg.triangular_solve": ["@(F44, F44)", "@(F44, F34)", "@(F44, F44, left_side=True, lower=True)", "@(F44, F4)"], "lax.linalg.tridiagonal_solve": ["@(F4, F4, F4, F44)"], "lax.linalg.cholesky_update": ["@(F44, F4)"], "lax.linalg.lu_pivots_to_permutation": ["@(I3, 3)", "@(I3, 5)"], "lax.linalg.qdwh": ["@(F44)", "@(F44, is_hermitian=True)"], "lax.linalg.symmetric_product": ["@(F34, F44[:3, :3])"], "lax.linalg.tridiagonal": ["@(F44)", "@(F44, lower=False)"], "lax.linalg.svd": ["@(F34)", "@(F34, full_matrices=False)", "@(F34, compute_uv=False)"], "lax.linalg.eigh": ["@(F44)", "@(F44, lower=False)", "@(H44)", "@(F34)"], "lax.linalg.eig": ["@(F44)", "@(F44, compute_left_eigenvectors=False)"], "lax.linalg.schur": ["@(F44)"], "lax.linalg.hessenberg": ["@(F44)"], "lax.linalg.lu": ["@(F44)", "@(F34)"], "lax.linalg.qr": ["@(F43)", "@(F43, full_matrices=False)", "@(F43, pivoting=True)"], "lax.linalg.cholesky": ["@(F44)", "@(F34)", "@(H44)", "@(I34)"],
    "np.einsum": ["@('ij,jk->ik', N34, N44)", "@('i,i', D3, D3)", "@('ij->j', N34)", "@('ij,jk', N34, N34)"], "np.random.default_rng": ["@(0).normal(size=3)", "@(0).integers(5)", "@(0).integers(0, 5, (2,))", "@(0).choice(5, 2)", "@(0).permutation(4)", "@(0).uniform()", "@(0).standard_normal((2,), dtype=np.float32)"],
    "np.random.rand": ["@(2, 3)", "@()"], "np.random.randn": ["@(2)", "@()"], "np.random.randint": ["@(5)", "@(0, 5, (2,))"], "np.random.normal": ["@(size=3)", "@(0, 1)"], "np.random.uniform": ["@(0, 1, (2,))"], "np.random.permutation": ["@(4)", "@(D3)"], "np.random.choice": ["@(5)", "@(D3, 2)"], "np.random.seed": ["@(0)"], "np.random.RandomState": ["@(0).rand(2)", "@(0).randn()"],
    "np.vectorize": ["@(lambda x: x * 2)(D3)", "@(lambda x, y: x + y)(D3, 1)"], "np.apply_along_axis": ["@(np.sum, 0, N34)"], "np.fromiter": ["@((i for i in range(3)), float)"], "np.frombuffer": ["@(b'12345678', np.uint8)"], "np.ix_": ["@([0, 1], [1])"], "np.mgrid": ["@[0:3, 0:2]", "@[0:3:4j]"], "np.r_": ["@[D3, 1]", "@[0:3]"], "np.c_": ["@[D3, L3]"], "np.s_": ["N34[@[0]]"], "np.piecewise": ["@(D3, [D3 > 1], [1., 2.])"], "np.interp": ["@(1.5, D3, D3)", "@(D3, D3, D3)", "@(N34, D3, D3)"], "np.array": ["@([1, 2.])", "@([D3, D3])", "@([1j, True])", "@([[1], [2, 3]])", "@([])", "@(F3)", "@([S0, 1])", "@((1, 2), dtype='int8')", "@(D3, ndmin=2)", "@('no')", "@([F3, F3])"], "np.ndindex": ["list(@(2, 2))"], "np.ndenumerate": ["list(@(L3))"],
}

# Names of modules that are left out: they write files, change settings of the process, print, or end what later calls use.
LEFT_OUT = set("""
np.save np.savez np.savez_compressed np.savetxt np.info np.show_config np.show_runtime np.test np.set_printoptions np.seterr np.seterrcall np.setbufsize
np.get_include np.memmap np.fromregex np.genfromtxt np.loadtxt np.load np.fromfile np.copyto np.put np.place np.putmask np.getbufsize np.printoptions
np.empty np.empty_like jnp.save jnp.savez jnp.load jnp.fromfile jax.clear_caches jax.live_arrays jax.print_environment_info jax.make_array_from_callback
jax.set_mesh jax.effects_barrier jax.make_mesh jax.pmap jax.devices jax.local_devices jax.shard_map jax.smap jax.default_backend jax.jax_cuda12_plugin
jnp.set_printoptions jnp.printoptions jnp.get_printoptions np.get_printoptions jnp.from_dlpack np.from_dlpack jax.free_ref jax.freeze jax.new_ref jax.empty_ref
jax.fwd_and_bwd jax.debug_key_reuse jax.copy_to_host_async jax.tree_util.register_pytree_node jax.tree_util.register_pytree_with_keys
jax.tree_util.register_dataclass jax.tree_util.register_static jax.tree_util.register_pytree_node_class jax.tree_util.register_pytree_with_keys_class
jax.tree.register_pytree_node np.datetime_as_string np.datetime_data np.busday_count np.busday_offset np.is_busday np.busdaycalendar np.nested_iters
np.bmat np.asmatrix np.matrix np.recarray np.record np.lookfor jnp.fromstring np.fromstring lax.infeed lax.outfeed lax.create_token
lax.dce_sink lax.optimization_barrier jax.random.random_gamma_p
""".split())
METHODS_LEFT_OUT = set("""delete unsafe_buffer_pointer on_device_size_in_bytes setflags resize tofile dump dumps tobytes ctypes data getfield setfield
byteswap is_deleted addressable_data addressable_shards global_shards traceback platform copy_to_host_async is_fully_addressable device_buffer
device_buffers getbuffer fill itemset partition put sort newbyteorder aval layout format""".split())

# Edge values for the functions that programs call most: kinds of arrays, scalars, lists, axes that are negative or out of range, shapes, names.
EDGES = set("""
jax.random.split jnp.array jnp.zeros jnp.sum jnp.mean jnp.concatenate jnp.arange np.array jnp.where jnp.ones jnp.sqrt jax.random.normal jnp.exp
jnp.asarray jax.random.uniform jnp.reshape jnp.stack jnp.expand_dims jnp.abs jnp.linspace np.zeros jnp.clip jnp.square np.arange np.asarray
jnp.zeros_like jnp.sin jnp.log jnp.argmax jnp.maximum jnp.linalg.norm jnp.max jnp.cos jnp.eye np.sqrt jnp.dot np.mean np.concatenate jnp.minimum
jax.nn.one_hot jnp.split jnp.broadcast_to np.stack jnp.squeeze jax.nn.softmax jnp.ones_like jax.nn.relu jnp.pad jax.random.randint jnp.transpose
jnp.full np.linspace jax.random.fold_in jnp.logical_and jnp.repeat np.prod jnp.tile np.ones lax.dynamic_slice jnp.roll jnp.swapaxes
jnp.take_along_axis lax.select jnp.diag jax.nn.log_softmax jax.nn.sigmoid np.log jnp.min jnp.matmul np.max jnp.take jnp.logical_or np.sum
jnp.meshgrid jnp.log10 jnp.linalg.inv jnp.cumsum jax.random.permutation jnp.tanh np.exp jax.random.choice jnp.any np.reshape jnp.argsort np.sin
jax.random.categorical np.min jnp.all jnp.tril lax.top_k jax.random.bernoulli np.where jax.nn.softplus jnp.isnan np.cumsum np.expand_dims
np.ceil np.argmax lax.dynamic_update_slice np.cos jnp.logical_not jnp.hstack jnp.moveaxis jnp.std jnp.vstack np.abs lax.rsqrt jnp.append
""".split())
EDGE_ARRAYS = ("E03 E0 S0 W0 V0 B34 B3 I3.astype(jnp.int8) U3 G3 H34 C3 M0 J0 np.bool_(True) np.complex64(1j) np.float64(2) 2 2.5 1j False [1,2,3] "
               "[[1.,2.],[3.,4.]] [F3,F3] (1,2.5) [] [True,False] L3 T3 Z3 D33 N34 np.zeros((0,3)) None 'no'").split()
EDGE_SHAPES = "0 () (0,) (2,0) [2] np.int64(2) (np.int64(2),3) True -1 (2,-1) 1.5 None I0 (I0,2) L3 range(3) '3'".split()
EDGE_AXES = "-1 -2 -3 5 None (0,) (0,1) (-1,0) () np.int64(1) I0 True 1.0".split()
