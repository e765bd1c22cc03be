//! Arrays as text, as NumPy and JAX print them.

/// A string as Python's `repr` prints it, for text without quotes and escapes.
pub fn quote(text: &str) -> String {
    format!("'{text}'")
}
