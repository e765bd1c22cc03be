//! Errors of rules that JAX does not have either.

use crate::python::Halt;

fn missing(message: String) -> Halt {
    Halt::raise("NotImplementedError", message)
}

/// There is no differentiation rule.
pub fn jvp(name: &str) -> Halt {
    missing(format!("Differentiation rule for '{name}' not implemented"))
}

/// There is no transposition rule, or none that is known of.
pub fn transpose(name: &str) -> Halt {
    match name {
        "argmax" | "argmin" | "cummax" | "cummin" | "cumprod" | "cumlogsumexp" | "clamp" | "integer_pow"
        | "reduce_max" | "reduce_min" | "reduce_prod" | "round" | "sort" | "top_k" => {
            missing(format!("Transpose rule (for reverse-mode differentiation) for '{name}' not implemented"))
        }
        _ => Halt::unknown(format!("no transpose rule of `{name}` yet")),
    }
}

/// There is no batching rule.
pub fn batch(name: &str) -> Halt {
    missing(format!("Batching rule for '{name}' not implemented"))
}
