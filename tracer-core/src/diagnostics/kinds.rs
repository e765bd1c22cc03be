//! The kinds of exceptions that tracing raises, and what to do about each: one row per kind.

/// A kind of exception.
#[derive(Copy, Clone, Debug)]
pub struct Kind {
    /// The rule's name.
    pub rule: &'static str,
    /// The class, without its module; empty for any.
    pub class: &'static str,
    /// What the message contains; empty for anything. Behind `…` stands what comes later in it.
    pub part: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// The first kind that an exception is of.
pub fn of(class: &str, message: &str) -> Option<&'static Kind> {
    let class = class.rsplit('.').next().unwrap_or(class);
    KINDS.iter().find(|k| (k.class.is_empty() || k.class == class) && contains(message, k.part))
}

fn contains(message: &str, part: &str) -> bool {
    let mut rest = Some(message);
    part.split('…').all(|piece| {
        rest = rest.and_then(|text| text.split_once(piece)).map(|(_, behind)| behind);
        rest.is_some()
    })
}

/// The kind of an exception that only the function that was called tells.
pub fn of_call(function: &str, class: &str, message: &str) -> Option<&'static Kind> {
    BY_CALL
        .iter()
        .find(|(names, k)| names.contains(&function) && k.class == class && contains(message, k.part))
        .map(|(_, k)| k)
}

/// Functions that raise what any Python raises, and what it means of them.
const BY_CALL: &[(&[&str], Kind)] = &[
    (
        &["argmax", "argmin", "swapaxes", "moveaxis", "categorical", "array_split", "repeat", "nanargmax", "nanargmin"],
        Kind { rule: "axis", class: "IndexError", part: "out of", help: AXIS },
    ),
    (
        &[
            "sum",
            "mean",
            "max",
            "min",
            "prod",
            "std",
            "var",
            "any",
            "all",
            "cumsum",
            "cumprod",
            "argmax",
            "argmin",
            "softmax",
            "concatenate",
            "stack",
        ],
        Kind { rule: "axis", class: "TypeError", part: "'float' object", help: AXIS },
    ),
    (&["moveaxis"], Kind { rule: "axis", class: "ValueError", part: "Inconsistent number of elements", help: AXIS }),
];

const AXIS: &str = "count axes from 0, or from the end with negative numbers; `x.ndim` says how many there are";

macro_rules! kinds {
    ($($rule:literal, $class:literal, $part:literal => $help:literal;)*) => {
        /// All kinds; what stands first is tried first.
        pub const KINDS: &[Kind] = &[$(Kind { rule: $rule, class: $class, part: $part, help: $help }),*];
    };
}

kinds! {
    // Values that a trace does not have.
    "traced-bool", "TracerBoolConversionError", "" =>
        "choose with `jnp.where` or `jax.lax.cond`, loop with `jax.lax.while_loop`, or mark the argument static";
    "traced-index", "TracerIntegerConversionError", "" =>
        "index arrays, not Python lists, with a traced value (`jnp.asarray(items)[i]`), or mark the argument static";
    "traced-to-numpy", "TracerArrayConversionError", "" =>
        "use the function of `jax.numpy` of the same name: NumPy needs numbers, and a trace has none";
    "boolean-mask", "NonConcreteBooleanIndexError", "" =>
        "keep the shape: `jnp.where(mask, x, 0)`, or `jnp.nonzero(mask, size=n)` for at most `n` items";
    "traced-to-python", "ConcretizationTypeError", "size argument" =>
        "give `size=`, so that the shape does not depend on the numbers";
    "traced-to-python", "ConcretizationTypeError", "" =>
        "a number from an array is known only when the program runs: keep it an array, or mark the argument static";
    "traced-shape", "TypeError", "Shapes must be 1D sequences…Tracer" =>
        "shapes are Python integers: take them from `x.shape`, or mark the argument that gives the size static";
    "traced-shape", "IndexError", "static integers" =>
        "slice with a fixed length: `jax.lax.dynamic_slice_in_dim(x, start, length)`";
    "leaked-tracer", "UnexpectedTracerError", "" =>
        "return the value from the traced function (`has_aux=True` under `grad`) instead of storing it";
    "leaked-tracer", "", "Leaked trace" =>
        "return the value from the traced function instead of storing it";
    "traced-hash", "TypeError", "unhashable type: 'DynamicJaxprTracer'" =>
        "a traced value cannot be a key: use an array in place of the dict, or mark the argument static";
    "traced-format", "TypeError", "Tracer.__format__" =>
        "print values of a trace with `jax.debug.print(\"{x}\", x=x)`";
    "static-argument", "TypeError", "parameters to jaxpr equations must have __hash__" =>
        "this has to be a Python number: mark the argument static (`static_argnames`)";
    "traced-to-numpy", "TypeError", "SeedSequence expects int…Tracer" =>
        "draw random numbers with `jax.random`: a trace has no seed yet";
    "traced-format", "TypeError", "DynamicJaxprTracer" =>
        "print values of a trace with `jax.debug.print(\"{x}\", x=x)`";

    // What is said in words of shapes, too.
    "custom-rule", "", "Custom JVP" => "the rule takes `(primals, tangents)` and returns a pair of the result and its tangent, of the same types";
    "custom-rule", "", "Custom VJP" => "`fwd` returns the result and what `bwd` needs; `bwd` returns one cotangent for each argument, of its type";
    "custom-rule", "AttributeError", "No VJP defined" => "give the rule: `f.defvjp(fwd, bwd)`";
    "custom-rule", "AttributeError", "No JVP defined" => "give the rule: `@f.defjvp`";
    "convolution", "", "conv_general_dilated" =>
        "the kernel's input channels are the array's: look at `dimension_numbers`, and at the order of the kernel's axes";
    "convolution", "", "convolution requires" => "array and kernel need as many axes: one for batches, one for channels, and the others";
    "convolution", "", "reduce_window" => "the window has one size for each axis of the array, with 1 for batches and channels";
    "convolution", "ValueError", "convolve() only" => "`jnp.convolve` is for vectors: `jax.scipy.signal.convolve` takes more axes";
    "convolution", "RuntimeError", "Unrecognized padding type" => "padding is `\"SAME\"`, `\"VALID\"`, or a pair of numbers for each axis";
    "sharding", "ValueError", "sharding" => "each axis of the mesh divides the axis of the array that it splits, and is named once";
    "sharding", "ValueError", "mesh" => "name axes that the mesh has, and use as many devices as there are";
    "sharding", "ValueError", "shard_map" => "a spec has an entry for each axis of its argument, and names axes of the mesh";
    "sharding", "IndivisibleError", "" => "each axis of the mesh divides the axis of the array that it splits, and is named once";
    "mutable-array", "", "mutable array reference" => "read it with `ref[...]` where it is passed on; a reference stays in the function that it belongs to";
    "mutable-array", "", "array reference of type Ref" => "make the reference an argument of the transformed function, or return the value instead";
    "mutable-array", "TypeError", "'Ref'" => "read the array with `ref[...]`, and compute with that";
    "mutable-array", "AttributeError", "AbstractRef" => "read the array with `ref[...]`, which has the methods of arrays";
    "mutable-array", "ValueError", "for `swap`" => "what is written has the type and shape of what it replaces";
    "mutable-array", "ValueError", "Out of bound indexer" => "index within the axes of the reference";
    "failed-check", "JaxRuntimeError", "(`check` failed)" => "the numbers do not pass the check at this call";
    "failed-check", "JaxRuntimeError", "generated by primitive" => "the numbers at this call lead out of where the function is defined";
    "failed-check", "JaxRuntimeError", "out-of-bounds indexing" => "the index lies outside of the array at this call";
    "failed-check", "JaxRuntimeError", "division by zero" => "the divisor is zero at this call: keep it away with `jnp.where` or `jnp.maximum`";
    "failed-check", "FloatingPointError", "encountered in" => "the numbers at this call lead out of where the function is defined";
    "donated", "", "donated" => "a donated argument is gone after the call: bind the result to its name, or do not donate";
    "size", "TypeError", "Shapes must be 1D sequences" => "sizes are whole numbers: divide with `//`, convert with `int(…)`";
    "size", "TypeError", "must have every element be nonnegative" => "a size came out negative: look at what it is computed from";
    "size", "ValueError", "negative dimensions are not allowed" => "a size came out negative: look at what it is computed from";
    "matrix-shape", "ValueError", "inconsistent size for core dimension" => "solving `a @ x = b` needs as many rows of `b` as `a` has, and a square `a`";
    "matrix-shape", "ValueError", "must have shape [..., n, n]" => "this is for square matrices in the last two axes; `jnp.linalg.lstsq` or `pinv` takes others";
    "matrix-shape", "ValueError", "Leading dimensions of input arrays" => "both sides need as many rows";
    "split", "ValueError", "does not result in an equal division" => "the parts have to divide the axis: `jnp.array_split` allows a rest";
    "split", "ValueError", "Sum of sizes" => "the sizes of the parts have to add up to the axis";
    "pad", "", "pad_width" => "one pair `(before, after)` for each axis, or one for all";
    "pad", "", "padding_config" => "one triple `(before, after, between)` for each axis";
    "slice", "", "dynamic_update_slice update" => "what is written has as many axes as the array, none of them longer";
    "slice", "", "Length of slice indices" => "a start for each axis of the array";
    "reshape", "TypeError", "reshape new_sizes must" => "`jax.lax.reshape` computes no size: `jnp.reshape` takes -1";
    "axis", "TypeError", "transpose permutation" => "name each axis of the array once";
    "axis", "", "dimensions must all be less than operand ndim" => "count axes from 0: `x.ndim` says how many there are";
    "axis", "TypeError", "Number of tensordot axes" => "there are no more axes to sum over than the operands have";
    "dtype", "ValueError", "When changing to a larger dtype" => "the last axis has to hold whole elements of the new type";

    // Shapes.
    "shape-mismatch", "TypeError", "dot_general requires contracting dimensions" =>
        "the last axis on the left and the second-to-last on the right have to be equal: transpose or reshape one side";
    "shape-mismatch", "TypeError", "dot_general requires lhs batch dimensions" =>
        "leading (batch) axes have to be equal: broadcast or move axes before the product";
    "shape-mismatch", "", "matmul" =>
        "the last axis on the left and the second-to-last on the right have to be equal: transpose or reshape one side";
    "shape-mismatch", "", "for broadcasting" =>
        "axes are aligned from the last: each pair is equal or has a 1; add axes with `x[:, None]`";
    "shape-mismatch", "ValueError", "Cannot broadcast to shape with fewer dimensions" =>
        "the value has more axes than what it is written to: index or reduce it first";
    "shape-mismatch", "", "could not be broadcast" =>
        "axes are aligned from the last: each pair is equal or has a 1; add axes with `x[:, None]`";
    "shape-mismatch", "", "same number of dimensions" =>
        "give both sides the same rank with `x[None]` or `jnp.broadcast_to`";
    "reshape", "TypeError", "cannot reshape array" =>
        "a reshape keeps the number of elements; `-1` in place of one size lets JAX compute it";
    "reshape", "", "one unknown axis size" => "leave only one size to JAX: a shape holds at most one `-1`";
    "concatenate", "TypeError", "Cannot concatenate arrays" =>
        "all axes but the one that is joined have to be equal; `jnp.stack` makes a new axis";
    "concatenate", "ValueError", "All input arrays must have the same shape" =>
        "arrays that are stacked need one shape; `jnp.concatenate` joins along an axis that differs";
    "concatenate", "ValueError", "Zero-dimensional arrays cannot be concatenated" =>
        "`jnp.stack` puts numbers together; `jnp.concatenate` joins arrays along an axis that they have";
    "ragged", "ValueError", "setting an array element with a sequence…inhomogeneous" =>
        "rows need one length: pad them, or keep a list of arrays";
    "einsum", "ValueError", "Einstein sum subscript" => "write one letter per axis of each operand; `...` stands for the rest";
    "einsum", "", "insum" => "write one letter per axis of each operand, the same letter for axes of the same size";
    "einsum", "ValueError", "Size of label" => "axes with the same letter need the same size";
    "einsum", "ValueError", "utput character" => "each letter behind `->` stands in some operand, and only once";
    "slice", "", "slice slice_sizes" => "the slice is longer than the axis: its sizes have to fit into the shape";
    "slice", "", "slice limit_indices" => "`lax.slice` does not clip: keep its limits within the shape";
    "squeeze", "", "squeeze out which has size" => "only axes of size 1 can be squeezed; index or reduce the others";

    // Indexing and writing.
    "immutable-array", "TypeError", "do not support in-place" => "write `x = x.at[i].set(v)`, which gives a new array";
    "immutable-array", "AttributeError", "__delitem__" => "arrays are immutable: `jnp.delete` gives a new one";
    "index", "IndexError", "Too many indices" => "index at most as many axes as there are; `...` stands for the rest";
    "index", "TypeError", "Using a non-tuple sequence" => "index with `x[jnp.array([…])]` for items, with a tuple for several axes";
    "index", "TypeError", "ndexer must have integer" => "convert the index with `.astype(int)`";
    "index", "TypeError", "string indexing" => "arrays have no named columns: keep a dict of arrays";
    "index", "", "boolean index did not match" => "a mask has the shape of the axes that it indexes";
    "indexed-update", "TypeError", "_IndexUpdateRef" => "write `x = x.at[i].add(v)`: what `x.at[i]` is has no operators";
    "indexed-update", "AttributeError", "_IndexUpdateRef" => "`x.at[i]` offers get, set, add, subtract, multiply, divide, power, min, max and apply";
    "indexed-update", "TypeError", "_IndexUpdateHelper" => "write `x.at[i].set(v)`, with brackets";

    // Control flow.
    "carry-type", "TypeError", "carry input and carry output must have equal types" =>
        "the body has to return the carry as it got it: convert with `.astype` (mind weak types of Python numbers) or start with the right shape and dtype";
    "carry-type", "TypeError", "carry" => "the body has to return a carry of the structure that it got";
    "scan-body", "TypeError", "scan body output must be a pair" => "return `(carry, y)` from the body; `y` may be `None`";
    "scan-length", "ValueError", "scan got" => "all scanned arrays need one leading size; closed-over or carried values need none";
    "branch-type", "TypeError", "branch" => "all branches have to return the same structure, shapes and dtypes: convert in the branch that differs";
    "branch-type", "TypeError", "Pred must be a scalar" => "choose per element with `jnp.where`, or reduce the condition with `jnp.all` or `jnp.any`";
    "loop-condition", "TypeError", "cond_fun must return" => "the condition returns one boolean: reduce it with `jnp.all` or `jnp.any`";
    "reverse-loop", "ValueError", "Reverse-mode differentiation does not work" =>
        "use `lax.scan`, or a `fori_loop` whose bounds are Python integers";

    // Transformations.
    "grad-output", "TypeError", "Gradient only defined for scalar-output" =>
        "reduce the result with `.sum()` or `.mean()`; `jax.jacrev` differentiates arrays, `has_aux=True` takes further results";
    "grad-output", "TypeError", "grad requires real-valued outputs" => "return a real number: `.real`, `jnp.abs`, or `holomorphic=True`";
    "grad-input", "TypeError", "grad requires" => "differentiate by floating-point arguments: convert with `.astype(float)`, or choose others with `argnums`";
    "grad-input", "TypeError", "differentiating with respect to argnums" => "`argnums` counts the positional arguments of the call: pass them by position";
    "grad-aux", "TypeError", "aux" => "with `has_aux=True` the function returns a pair: `(value, aux)`";
    "random-key", "ValueError", "a single key" => "map over several keys with `jax.vmap`";
    "vmap-axes", "ValueError", "vmap got inconsistent sizes" => "mapped axes need one size: set `in_axes` (`None` for what is not mapped)";
    "vmap-axes", "ValueError", "vmap" => "`in_axes` gives an axis for each argument, `None` for what is not mapped";
    "vmap-axes", "TypeError", "vmap" => "`in_axes` is a number, `None` or a tuple with one entry per argument";
    "static-argument", "ValueError", "Non-hashable static arguments" => "static arguments need a hash: a tuple, a string, a frozen dataclass";
    "static-argument", "ValueError", "static_arg" => "`static_argnums` and `static_argnames` name parameters of the function";
    "not-an-array", "TypeError", "as an abstract array" => "pass arrays and numbers to a compiled function, or mark the argument static (`static_argnames`)";
    "not-an-array", "TypeError", "is not a valid JAX type" => "arguments and results of transformations are arrays, numbers, and containers of them";
    "not-an-array", "InvalidInputException", "is not a valid JAX type" => "arguments and results of transformations are arrays, numbers, and containers of them";
    "not-an-array", "TypeError", "is not a valid JAX array type" => "arrays hold numbers: keep texts and other objects in lists and dicts";
    "not-an-array", "ValueError", "is not a valid value for jnp.array" => "arrays hold numbers: leave out what is `None`";
    "not-callable", "TypeError", "Expected a callable value" => "transformations take the function itself: `jax.jit(f)(x)`, not `jax.jit(f(x))`";
    "not-callable", "TypeError", "arguments should be callable" => "branches are functions: `lambda x: …`";
    "not-callable", "TypeError", "object is not callable" => "something else has been bound to this name, or a function returned it in place of a function";
    "not-an-array", "TypeError", "unsupported operand type" => "both sides have to be arrays or numbers: index what holds them, or convert with `jnp.asarray(x)`";
    "not-an-array", "TypeError", "requires ndarray or scalar arguments" => "convert it first: `jnp.asarray(x)`";
    "donated", "RuntimeError", "Array has been deleted" => "a donated argument is gone after the call: bind the result to its name, or do not donate";
    "recursion", "RecursionError", "Recursively calling" => "a compiled function cannot call itself for the same types: recur on a Python number, or use `lax.while_loop`";
    "pytree", "", "pytree" => "both sides need the same containers, keys and lengths";
    "pytree", "ValueError", "PyTreeDef" => "give as many leaves as the structure has";
    "axis-name", "NameError", "unbound axis name" => "name the axis where it is mapped: `jax.vmap(f, axis_name=…)`";

    // Dtypes and random numbers.
    "dtype", "", "requires arguments to have the same dtypes" => "`jax.lax` does not promote: convert with `.astype`, or use the function of `jax.numpy`";
    "dtype", "", "does not accept dtype" => "convert with `.astype` to a dtype that the function takes";
    "dtype", "ValueError", "is not a valid dtype for" => "keys of random numbers are no numbers: `jax.random.key_data(key)` gives those in it";
    "dtype", "", "data type '…' not understood" => "name a type that there is: `jnp.float32`, `jnp.bfloat16`, `jnp.int32`, `bool`";
    "dtype", "TypeError", "as a data type" => "the second argument is the type: a shape of several sizes is one tuple";
    "dtype", "ValueError", "dtype argument to" => "ask for a type of this kind of numbers, and convert with `.astype`";
    "dtype", "TypeError", "only accepts integer dtypes" => "ask for whole numbers, and convert with `.astype`";
    "dtype", "", "must have a floating dtype" => "convert with `.astype(jnp.float32)`";
    "dtype", "", "must be an integer type" => "convert with `.astype(int)`";
    "dtype", "", "must have an integer type" => "convert with `.astype(int)`";
    "dtype", "", "that is a subdtype of" => "convert with `.astype` to a dtype that the function takes";
    "dtype", "", "must be boolean or integer type" => "make it a condition: `x > 0`";
    "dtype", "", "must be same dtype" => "`jax.lax` does not promote: convert with `.astype`, or use the function of `jax.numpy`";
    "dtype", "", "from …of size…to …of size" => "the last axis has to hold whole elements of the new type";
    "dtype", "", "not inexact" => "`jnp.finfo` is for floating-point types: `jnp.iinfo` for integers";
    "dtype", "OverflowError", "" => "the number does not fit the dtype: choose a wider one, or enable `jax_enable_x64`";
    "random-key", "", "PRNG key" => "make a key with `jax.random.key(seed)`, and pass one key";
    "key-reuse", "KeyReuseError", "" => "split the key (`key, sub = jax.random.split(key)`) and use each part once";
    "removed-name", "ImportError", "from 'jax'" => "the name is not in this version of JAX: see its changelog";
    "removed-name", "ImportError", "from 'jax." => "the name is not in this version of JAX: see its changelog";
    "removed-name", "AttributeError", "module 'jax'" => "the name is not in this version of JAX: see its changelog";
    "removed-name", "AttributeError", "module 'jax." => "the name is not in this version of JAX: see its changelog";

    // Plain Python.
    "array-attribute", "AttributeError", "'jaxlib._jax.ArrayImpl' object has no attribute" => "arrays have NumPy's methods; many functions are in `jax.numpy` alone";
    "array-attribute", "AttributeError", "Tracer has no attribute" => "arrays have NumPy's methods; numbers of a traced one are not known, and can be read outside only";
    "array-attribute", "AttributeError", "method is not available on traced array" => "call it on what the compiled function returns";
    "array-attribute", "AttributeError", "objects is not writable" => "arrays are immutable: `x.reshape(…)`, `x.astype(…)` give new ones";
    "arguments", "TypeError", "got an unexpected keyword argument" => "look at the function's parameters: hover shows them; `jax.numpy` says `axis` and `keepdims`";
    "arguments", "TypeError", "required positional argument" => "look at the function's parameters: hover shows them";
    "arguments", "TypeError", "positional argument" => "look at the function's parameters: hover shows them";
    "unpack", "ValueError", "values to unpack" => "as many names on the left as there are items: `x.shape` has one for each axis";
    "unpack", "TypeError", "iteration over a 0-d array" => "a single number has no items: look at the shape of what is gone through";
    "unpack", "TypeError", "len() of unsized object" => "a single number has no length: look at the shape";
    "unpack", "TypeError", "cannot unpack non-iterable" => "as many values have to be returned as are taken";

    // What other kinds speak of, too.
    "axis", "ValueError", "axis" => "count axes from 0, or from the end with negative numbers; `x.ndim` says how many there are";
    "axis", "ValueError", "at least two dimensions" => "the function is for matrices: look at the shape";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fitting_row_is_taken() {
        let rule = |class, message| of(class, message).map(|k| k.rule);
        assert_eq!(rule("jax.errors.TracerBoolConversionError", "Attempted boolean conversion"), Some("traced-bool"));
        assert_eq!(
            rule("TypeError", "add got incompatible shapes for broadcasting: (3,), (4,)."),
            Some("shape-mismatch")
        );
        assert_eq!(rule("ValueError", "vmap got inconsistent sizes for array axes to be mapped"), Some("vmap-axes"));
        assert_eq!(rule("ValueError", "axis 2 is out of bounds for array of dimension 2"), Some("axis"));
        assert_eq!(rule("TypeError", "can only concatenate str"), None);
        assert_eq!(rule("TypeError", "Shapes must be 1D sequences of integers, got (2.5,)."), Some("size"));
        assert_eq!(rule("TypeError", "Shapes must be 1D sequences, got (JitTracer(int32[]),)."), Some("traced-shape"));
        assert_eq!(of_call("swapaxes", "IndexError", "tuple index out of range").map(|k| k.rule), Some("axis"));
        assert!(of_call("pop", "IndexError", "tuple index out of range").is_none());
        assert_eq!(rule("ZeroDivisionError", "division by zero"), None);
        assert_eq!(rule("AttributeError", "module 'jax.numpy' has no attribute 'foo'"), Some("removed-name"));
        assert_eq!(
            rule("AttributeError", "module 'jaxquantum.circuits' has no attribute 'foo'"),
            None,
            "no module of JAX"
        );
    }

    #[test]
    fn no_row_stands_behind_one_that_takes_all_of_its_exceptions() {
        for (i, kind) in KINDS.iter().enumerate() {
            let hidden = KINDS[..i].iter().find(|before| {
                (before.class.is_empty() || before.class == kind.class) && contains(kind.part, before.part)
            });
            assert!(hidden.is_none(), "{:?} is never reached because of {:?}", kind.part, hidden.map(|h| h.part));
        }
    }
}
