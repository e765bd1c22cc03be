//! The kinds of exceptions that tracing raises, and what to do about each: one row per kind.

/// A kind of exception.
#[derive(Copy, Clone, Debug)]
pub struct Kind {
    /// The rule's name.
    pub rule: &'static str,
    /// The class, without its module; empty for any.
    pub class: &'static str,
    /// What the message contains; empty for anything.
    pub part: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// The first kind that an exception is of.
pub fn of(class: &str, message: &str) -> Option<&'static Kind> {
    let class = class.rsplit('.').next().unwrap_or(class);
    KINDS.iter().find(|k| (k.class.is_empty() || k.class == class) && message.contains(k.part))
}

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
    "traced-shape", "TypeError", "Shapes must be 1D sequences" =>
        "shapes are Python integers: take them from `x.shape`, or mark the argument that gives the size static";
    "traced-shape", "IndexError", "static integers" =>
        "slice with a fixed length: `jax.lax.dynamic_slice_in_dim(x, start, length)`";
    "leaked-tracer", "UnexpectedTracerError", "" =>
        "return the value from the traced function (`has_aux=True` under `grad`) instead of storing it";
    "leaked-tracer", "", "Leaked trace" =>
        "return the value from the traced function instead of storing it";
    "traced-hash", "TypeError", "unhashable type: 'DynamicJaxprTracer'" =>
        "a traced value cannot be a key: use an array in place of the dict, or mark the argument static";
    "traced-format", "TypeError", "DynamicJaxprTracer" =>
        "print values of a trace with `jax.debug.print(\"{x}\", x=x)`";

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
    "ragged", "ValueError", "setting an array element with a sequence" =>
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
    "not-an-array", "TypeError", "requires ndarray or scalar arguments" => "convert it first: `jnp.asarray(x)`";
    "donated", "RuntimeError", "Array has been deleted" => "a donated argument is gone after the call: bind the result to its name, or do not donate";
    "recursion", "RecursionError", "Recursively calling" => "a compiled function cannot call itself for the same types: recur on a Python number, or use `lax.while_loop`";
    "pytree", "", "pytree" => "both sides need the same containers, keys and lengths";
    "pytree", "ValueError", "PyTreeDef" => "give as many leaves as the structure has";
    "axis-name", "NameError", "unbound axis name" => "name the axis where it is mapped: `jax.vmap(f, axis_name=…)`";

    // Dtypes and random numbers.
    "dtype", "", "requires arguments to have the same dtypes" => "`jax.lax` does not promote: convert with `.astype`, or use the function of `jax.numpy`";
    "dtype", "", "does not accept dtype" => "convert with `.astype` to a dtype that the function takes";
    "dtype", "OverflowError", "" => "the number does not fit the dtype: choose a wider one, or enable `jax_enable_x64`";
    "random-key", "", "PRNG key" => "make a key with `jax.random.key(seed)`, and pass one key";
    "key-reuse", "KeyReuseError", "" => "split the key (`key, sub = jax.random.split(key)`) and use each part once";
    "removed-name", "ImportError", "from 'jax" => "the name is not in this version of JAX: see its changelog";
    "removed-name", "AttributeError", "module 'jax" => "the name is not in this version of JAX: see its changelog";

    // What other kinds speak of, too.
    "axis", "ValueError", "axis" => "count axes from 0, or from the end with negative numbers; `x.ndim` says how many there are";
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
        assert_eq!(rule("ZeroDivisionError", "division by zero"), None);
    }

    #[test]
    fn no_row_stands_behind_one_that_takes_all_of_its_exceptions() {
        for (i, kind) in KINDS.iter().enumerate() {
            let hidden = KINDS[..i].iter().find(|before| {
                (before.class.is_empty() || before.class == kind.class) && kind.part.contains(before.part)
            });
            assert!(hidden.is_none(), "{:?} is never reached because of {:?}", kind.part, hidden.map(|h| h.part));
        }
    }
}
