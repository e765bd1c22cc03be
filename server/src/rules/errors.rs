//! Rules of exceptions: what each kind is, in a sentence. What to do about them stands in `tracer-core`'s table of kinds.

/// The rule of a text that Python cannot parse.
pub const SYNTAX: (&str, &str) = ("syntax", "Python cannot parse the text.");
/// The rule of exceptions of no kind.
pub const EXCEPTION: (&str, &str) =
    ("exception", "The program raises an exception of no kind that has a rule of its own.");

/// What the kinds are.
const SUMMARIES: &[(&str, &str)] = &[
    ("axis", "An axis is named that the array does not have."),
    ("axis-name", "A collective names an axis that nothing around it maps."),
    ("boolean-mask", "An array is indexed by a mask whose values the trace does not have."),
    ("branch-type", "The branches of a conditional differ in what they return, or its condition is no scalar."),
    ("carry-type", "The body of a loop returns a carry of another type than it got."),
    ("concatenate", "Arrays are joined whose other axes differ."),
    ("donated", "An array is used after it was donated to a call."),
    ("dtype", "An operation gets a dtype that it does not take."),
    ("einsum", "The subscripts of an `einsum` do not fit its operands."),
    ("grad-aux", "A function under `has_aux=True` does not return a pair."),
    ("grad-input", "What is differentiated by is no floating-point argument of the call."),
    ("grad-output", "What is differentiated does not return one real number."),
    ("immutable-array", "An array is assigned to in place."),
    ("index", "An array is indexed by something that cannot index it."),
    ("indexed-update", "`x.at` is used in a way that it does not offer."),
    ("key-reuse", "A random key is used for a second time."),
    ("leaked-tracer", "A traced value is used after the trace that it belongs to."),
    ("loop-condition", "The condition of a loop does not return one boolean."),
    ("not-an-array", "A transformation or an operation gets something that is no array."),
    ("pytree", "Containers differ where they have to be alike."),
    ("ragged", "An array is made of rows of different lengths."),
    ("random-key", "A random function gets something else than one key."),
    ("recursion", "A compiled function calls itself."),
    ("removed-name", "A name of JAX is used that this version does not have."),
    ("reshape", "A reshape changes the number of elements."),
    ("reverse-loop", "A loop without a known number of rounds is differentiated in reverse."),
    ("scan-body", "The body of a `scan` does not return a pair."),
    ("scan-length", "Scanned arrays differ in their leading size."),
    ("shape-mismatch", "The shapes of operands do not fit each other."),
    ("slice", "The limits of a slice lie outside of the array."),
    ("squeeze", "An axis is squeezed whose size is not 1."),
    ("static-argument", "A static argument cannot be hashed, or is none of the function's parameters."),
    ("traced-bool", "Python asks a traced value whether it is true."),
    ("traced-format", "A traced value is formatted as if it were a number."),
    ("traced-hash", "A traced value is used as a key."),
    ("traced-index", "A traced value is used where Python needs an integer."),
    ("traced-shape", "A shape depends on a traced value."),
    ("traced-to-numpy", "A traced value is given to a function of NumPy."),
    ("traced-to-python", "A traced value is made a number of Python."),
    ("vmap-axes", "The axes that `vmap` maps do not fit the arguments."),
];

/// What a kind of exception is.
pub fn summary(rule: &str) -> &'static str {
    SUMMARIES.iter().find(|(name, _)| *name == rule).map_or("Tracing raises an exception.", |(_, summary)| summary)
}
