//! Errors of rules that JAX does not have either.

use crate::python::Halt;

fn missing(message: String) -> Halt {
    Halt::raise("NotImplementedError", message)
}

/// There is no differentiation rule.
pub fn jvp(name: &str) -> Halt {
    missing(format!("Differentiation rule for '{name}' not implemented"))
}

/// There is no batching rule.
pub fn batch(name: &str) -> Halt {
    missing(format!("Batching rule for '{name}' not implemented"))
}
