"""The public names of NumPy 2.4, by module: what is here and not modelled is unknown; what is not here is no attribute."""

from _jitlens import core

# Texts of words: most are never asked about.
NAMES = {}

NAMES["numpy"] = """
    False_ ScalarType True_ abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis
    apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort
    argwhere around array array2string array_equal array_equiv array_repr array_split array_str asanyarray asarray
    asarray_chkfinite ascontiguousarray asfortranarray asin asinh asmatrix astype atan atan2 atanh atleast_1d atleast_2d
    atleast_3d average bartlett base_repr binary_repr bincount bitwise_and bitwise_count bitwise_invert
    bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman block bmat bool bool_ broadcast
    broadcast_arrays broadcast_shapes broadcast_to busday_count busday_offset busdaycalendar byte bytes_ c_ can_cast
    cbrt cdouble ceil char character choose clip clongdouble column_stack common_type complex128 complex256 complex64
    complexfloating compress concat concatenate conj conjugate convolve copy copysign copyto core corrcoef correlate cos
    cosh count_nonzero cov cross csingle ctypeslib cumprod cumsum cumulative_prod cumulative_sum datetime64
    datetime_as_string datetime_data deg2rad degrees delete diag diag_indices diag_indices_from diagflat diagonal diff
    digitize divide divmod dot double dsplit dstack dtype dtypes e ediff1d einsum einsum_path emath empty empty_like
    equal errstate euler_gamma exceptions exp exp2 expand_dims expm1 extract eye f2py fabs fft fill_diagonal finfo fix
    flatiter flatnonzero flexible flip fliplr flipud float128 float16 float32 float64 float_power floating floor
    floor_divide fmax fmin fmod format_float_positional format_float_scientific frexp from_dlpack frombuffer fromfile
    fromfunction fromiter frompyfunc fromregex fromstring full full_like gcd generic genfromtxt geomspace get_include
    get_printoptions getbufsize geterr geterrcall gradient greater greater_equal half hamming hanning heaviside
    histogram histogram2d histogram_bin_edges histogramdd hsplit hstack hypot i0 identity iinfo imag index_exp indices
    inexact inf info inner insert int16 int32 int64 int8 int_ intc integer interp intersect1d intp invert is_busday
    isclose iscomplex iscomplexobj isdtype isfinite isfortran isin isinf isnan isnat isneginf isposinf isreal isrealobj
    isscalar issubdtype iterable ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort lib linalg linspace
    little_endian load loadtxt log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
    logspace long longdouble longlong ma mask_indices matmul matrix matrix_transpose matvec max maximum may_share_memory
    mean median memmap meshgrid mgrid min min_scalar_type minimum mintypecode mod modf moveaxis multiply nan nan_to_num
    nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd
    nansum nanvar ndarray ndenumerate ndim ndindex nditer negative nested_iters newaxis nextafter nonzero not_equal
    number object_ ogrid ones ones_like outer packbits pad partition percentile permute_dims pi piecewise place poly
    poly1d polyadd polyder polydiv polyfit polyint polymul polynomial polysub polyval positive pow power printoptions
    prod promote_types ptp put put_along_axis putmask quantile r_ rad2deg radians random ravel ravel_multi_index real
    real_if_close rec recarray reciprocal record remainder repeat require reshape resize result_type right_shift rint
    roll rollaxis roots rot90 round row_stack s_ save savetxt savez savez_compressed sctypeDict searchsorted select
    set_printoptions setbufsize setdiff1d seterr seterrcall setxor1d shape shares_memory short show_config show_runtime
    sign signbit signedinteger sin sinc single sinh size sort sort_complex spacing split sqrt square squeeze stack std
    str_ strings subtract sum swapaxes take take_along_axis tan tanh tensordot test testing tile timedelta64 trace
    transpose trapezoid tri tril tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from
    true_divide trunc typecodes typename typing ubyte ufunc uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong
    union1d unique unique_all unique_counts unique_inverse unique_values unpackbits unravel_index unsignedinteger
    unstack unwrap ushort vander var vdot vecdot vecmat vectorize void vsplit vstack where zeros zeros_like
"""

# Whether it is a name of NumPy itself is asked often.
NUMPY = core.by_word({"numpy": NAMES["numpy"]})

NAMES["numpy.linalg"] = """
    LinAlgError cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
    matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve
    test trace vecdot vector_norm
"""

NAMES["numpy.fft"] = """
    fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn
    test
"""

NAMES["numpy.random"] = """
    BitGenerator Generator MT19937 PCG64 PCG64DXSM Philox RandomState SFC64 SeedSequence beta binomial bit_generator
    bytes chisquare choice default_rng dirichlet exponential f gamma geometric get_bit_generator get_state gumbel
    hypergeometric laplace logistic lognormal logseries mtrand multinomial multivariate_normal negative_binomial
    noncentral_chisquare noncentral_f normal pareto permutation poisson power rand randint randn random random_integers
    random_sample ranf rayleigh sample seed set_bit_generator set_state shuffle standard_cauchy standard_exponential
    standard_gamma standard_normal standard_t test triangular uniform vonmises wald weibull zipf
"""

NAMES["numpy.ma"] = """
    MAError MaskError MaskType MaskedArray abs absolute add all allclose allequal alltrue amax amin angle anom anomalies
    any append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax
    argmin argsort around array asanyarray asarray atleast_1d atleast_2d atleast_3d average bitwise_and bitwise_or
    bitwise_xor bool_ ceil choose clip clump_masked clump_unmasked column_stack common_fill_value compress compress_cols
    compress_nd compress_rowcols compress_rows compressed concatenate conjugate convolve copy core corrcoef correlate
    cos cosh count count_masked cov cumprod cumsum default_fill_value diag diagflat diagonal diff divide dot dstack
    ediff1d empty empty_like equal exp expand_dims extras fabs filled fix_invalid flatnotmasked_contiguous
    flatnotmasked_edges flatten_mask flatten_structured_array floor floor_divide fmod frombuffer fromflex fromfunction
    getdata getmask getmaskarray greater greater_equal harden_mask hsplit hstack hypot identity ids in1d indices inner
    innerproduct intersect1d isMA isMaskedArray is_mask is_masked isarray isin left_shift less less_equal log log10 log2
    logical_and logical_not logical_or logical_xor make_mask make_mask_descr make_mask_none mask_cols mask_or
    mask_rowcols mask_rows masked masked_all masked_all_like masked_array masked_equal masked_greater
    masked_greater_equal masked_inside masked_invalid masked_less masked_less_equal masked_not_equal masked_object
    masked_outside masked_print_option masked_singleton masked_values masked_where max maximum maximum_fill_value mean
    median min minimum minimum_fill_value mod mr_ multiply mvoid ndenumerate ndim negative nomask nonzero not_equal
    notmasked_contiguous notmasked_edges ones ones_like outer outerproduct polyfit power prod product ptp put putmask
    ravel remainder repeat reshape resize right_shift round round_ row_stack set_fill_value setdiff1d setxor1d shape sin
    sinh size soften_mask sometrue sort sqrt squeeze stack std subtract sum swapaxes take tan tanh test trace transpose
    true_divide union1d unique vander var vstack where zeros zeros_like
"""

NAMES["numpy.lib"] = """
    Arrayterator NumpyVersion add_docstring add_newdoc array_utils format introspect mixins npyio scimath stride_tricks
    test tracemalloc_domain
"""

NAMES["numpy.lib.stride_tricks"] = """
    as_strided sliding_window_view
"""

NAMES["numpy.polynomial"] = """
    Chebyshev Hermite HermiteE Laguerre Legendre Polynomial chebyshev hermite hermite_e laguerre legendre polynomial
    polyutils set_default_printstyle test
"""

NAMES["numpy.testing"] = """
    BLAS_SUPPORTS_FPE HAS_LAPACK64 HAS_REFCOUNT IS_64BIT IS_EDITABLE IS_INSTALLED IS_MUSL IS_PYPY IS_PYSTON IS_WASM
    IgnoreException KnownFailureException NOGIL_BUILD NUMPY_ROOT SkipTest TestCase assert_ assert_allclose
    assert_almost_equal assert_approx_equal assert_array_almost_equal assert_array_almost_equal_nulp
    assert_array_compare assert_array_equal assert_array_less assert_array_max_ulp assert_equal assert_no_gc_cycles
    assert_no_warnings assert_raises assert_raises_regex assert_string_equal assert_warns break_cycles build_err_msg
    check_support_sve clear_and_catch_warnings decorate_methods extbuild jiffies measure memusage overrides
    print_assert_equal run_threaded rundocs runstring suppress_warnings tempdir temppath test verbose
"""

NAMES["numpy.typing"] = """
    ArrayLike DTypeLike NBitBase NDArray
"""

NAMES["numpy.exceptions"] = """
    AxisError ComplexWarning DTypePromotionError ModuleDeprecationWarning RankWarning TooHardError
    VisibleDeprecationWarning
"""

NAMES["numpy.strings"] = """
    add capitalize center count decode encode endswith equal expandtabs find greater greater_equal index isalnum isalpha
    isdecimal isdigit islower isnumeric isspace istitle isupper less less_equal ljust lower lstrip mod multiply
    not_equal partition replace rfind rindex rjust rpartition rstrip slice startswith str_len strip swapcase title
    translate upper zfill
"""

NAMES["numpy.char"] = """
    add array asarray capitalize center chararray compare_chararrays count decode encode endswith equal expandtabs find
    greater greater_equal index isalnum isalpha isdecimal isdigit islower isnumeric isspace istitle isupper join less
    less_equal ljust lower lstrip mod multiply not_equal partition replace rfind rindex rjust rpartition rsplit rstrip
    split splitlines startswith str_len strip swapcase title translate upper zfill
"""

NAMES["numpy.dtypes"] = """
    BoolDType ByteDType BytesDType CLongDoubleDType Complex128DType Complex64DType DateTime64DType Float16DType
    Float32DType Float64DType Int16DType Int32DType Int64DType Int8DType IntDType LongDType LongDoubleDType
    LongLongDType ObjectDType ShortDType StrDType StringDType TimeDelta64DType UByteDType UInt16DType UInt32DType
    UInt64DType UInt8DType UIntDType ULongDType ULongLongDType UShortDType VoidDType
"""

NAMES["numpy.ctypeslib"] = """
    as_array as_ctypes as_ctypes_type c_intp ctypes load_library ndpointer
"""

NAMES["numpy.rec"] = """
    array find_duplicate format_parser fromarrays fromfile fromrecords fromstring recarray record
"""

NAMES["numpy.f2py"] = """
    VisibleDeprecationWarning auxfuncs capi_maps cb_rules cfuncs common_rules crackfortran diagnose f2py2e f90mod_rules
    func2subr get_include main os rules run_main subprocess symbolic sys test use_rules warnings
"""

NAMES["numpy.matrixlib"] = """
    asmatrix bmat defmatrix matrix test
"""

NAMES["numpy.emath"] = """
    arccos arcsin arctanh log log10 log2 logn power sqrt
"""

NAMES["ndarray"] = """
    T __abs__ __add__ __and__ __array__ __array_finalize__ __array_function__ __array_interface__ __array_namespace__
    __array_priority__ __array_struct__ __array_ufunc__ __array_wrap__ __bool__ __class_getitem__ __complex__
    __contains__ __copy__ __deepcopy__ __delitem__ __divmod__ __dlpack__ __dlpack_device__ __float__ __floordiv__
    __getitem__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ __index__ __int__ __invert__
    __ior__ __ipow__ __irshift__ __isub__ __iter__ __itruediv__ __ixor__ __len__ __lshift__ __matmul__ __mod__ __mul__
    __neg__ __or__ __pos__ __pow__ __radd__ __rand__ __rdivmod__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__
    __ror__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __setitem__ __setstate__ __sub__ __truediv__
    __xor__ all any argmax argmin argpartition argsort astype base byteswap choose clip compress conj conjugate copy
    ctypes cumprod cumsum data device diagonal dot dtype dump dumps fill flags flat flatten getfield imag item itemsize
    mT max mean min nbytes ndim nonzero partition prod put ravel real repeat reshape resize round searchsorted setfield
    setflags shape size sort squeeze std strides sum swapaxes take to_device tobytes tofile tolist trace transpose var
    view
"""

NAMES["generic"] = """
    T __abs__ __add__ __and__ __array__ __array_interface__ __array_namespace__ __array_priority__ __array_struct__
    __array_wrap__ __bool__ __ceil__ __class_getitem__ __copy__ __deepcopy__ __divmod__ __float__ __floor__ __floordiv__
    __getformat__ __getitem__ __getnewargs__ __int__ __invert__ __lshift__ __mod__ __mul__ __neg__ __or__ __pos__
    __pow__ __radd__ __rand__ __rdivmod__ __rfloordiv__ __rlshift__ __rmod__ __rmul__ __ror__ __round__ __rpow__
    __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __setstate__ __sub__ __truediv__ __trunc__ __xor__ all any
    argmax argmin argsort as_integer_ratio astype base byteswap choose clip compress conj conjugate copy cumprod cumsum
    data device diagonal dtype dump dumps fill flags flat flatten fromhex getfield hex imag is_integer item itemsize max
    mean min nbytes ndim nonzero prod put ravel real repeat reshape resize round searchsorted setfield setflags shape
    size sort squeeze std strides sum swapaxes take to_device tobytes tofile tolist trace transpose var view
"""

# What NumPy 2 took away, and what to write instead.
REMOVED = """
Inf np.inf
Infinity np.inf
NINF -np.inf
NZERO -0.0
NaN np.nan
PINF np.inf
PZERO 0.0
alltrue np.all
cast np.asarray(arr, dtype=dtype)
cfloat np.complex128
clongfloat np.clongdouble
complex_ np.complex128
fastCopyAndTranspose arr.T.copy()
float_ np.float64
infty np.inf
issctype issubclass(rep, np.generic)
issubsctype np.issubdtype
longcomplex np.clongdouble
longfloat np.longdouble
mat np.asmatrix
nbytes np.dtype(<dtype>).itemsize
obj2sctype np.dtype(obj).type
recfromtxt np.genfromtxt
round_ np.round
safe_eval ast.literal_eval
sctype2char np.dtype(obj).char
singlecomplex np.complex64
sometrue np.any
source inspect.getsource
string_ np.bytes_
unicode_ np.str_
"""

# Taken away with nothing that takes its place.
GONE = "DataSource add_docstring add_newdoc add_newdoc_ufunc asfarray byte_bounds compare_chararrays deprecate deprecate_with_doc find_common_type format_parser get_array_wrap geterrobj issubclass_ lookfor maximum_sctype recfromcsv sctypes set_numeric_ops set_string_function seterrobj tracemalloc_domain who"

# Names of Python's own types that NumPy once had.
BUILTINS = "int float complex object str"


def of(module):
    """The names of a module."""
    return NAMES.get(module, "").split()


def missing(module, name):
    """What `module.name` is where no model has it: unknown if NumPy has it, an AttributeError if not."""
    if name in of(module):
        return core.unmodelled(f"{module}.{name}")
    if module == "numpy":
        removed = dict(line.split(" ", 1) for line in REMOVED.strip().splitlines())
        if name in removed:
            raise AttributeError(f"`np.{name}` was removed in the NumPy 2.0 release. Use `{removed[name]}` instead.")
        if name in GONE.split():
            raise AttributeError(f"`np.{name}` was removed in the NumPy 2.0 release.")
        if name in BUILTINS.split():
            raise AttributeError(f"module 'numpy' has no attribute '{name}'.\n`np.{name}` was a deprecated alias for the builtin "
                                 f"`{name}`.")
    raise AttributeError(f"module '{module}' has no attribute '{name}'")
