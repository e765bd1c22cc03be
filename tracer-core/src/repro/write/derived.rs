//! Numbers that a function computes in Python from one that it is given: where the framework is handed `-limit` or `2**bits`, only the number
//! is recorded. Which of these it is shows in several calls that are written alike with it.

use super::expression::{Ex, UNARY, binary};
use crate::module::BinaryOp;
use crate::python::Value;

/// A way to compute a number from one that is given.
pub struct Derived {
    number: fn(f64) -> f64,
    /// Whether a whole number gives one.
    is_whole: bool,
    written: fn(&str) -> Ex,
}

/// An operation on a name and a number.
fn operation(op: BinaryOp, left: &str, right: &str) -> Ex {
    let (sign, strength) = binary(op);
    let text = match op {
        BinaryOp::Pow => format!("{left}**{right}"),
        _ => format!("{left} {sign} {right}"),
    };
    Ex { text, strength }
}

/// The ways that are tried, one after the other.
pub const DERIVED: &[Derived] = &[
    Derived { number: |n| -n, is_whole: true, written: |n| Ex { text: format!("-{n}"), strength: UNARY } },
    Derived { number: |n| 1.0 - n, is_whole: true, written: |n| operation(BinaryOp::Sub, "1", n) },
    Derived { number: |n| n + 1.0, is_whole: true, written: |n| operation(BinaryOp::Add, n, "1") },
    Derived { number: |n| n - 1.0, is_whole: true, written: |n| operation(BinaryOp::Sub, n, "1") },
    Derived { number: |n| 2.0 * n, is_whole: true, written: |n| operation(BinaryOp::Mul, "2", n) },
    Derived { number: |n| n / 2.0, is_whole: false, written: |n| operation(BinaryOp::Div, n, "2") },
    Derived { number: |n| 1.0 / n, is_whole: false, written: |n| operation(BinaryOp::Div, "1", n) },
    Derived { number: |n| n * n, is_whole: true, written: |n| operation(BinaryOp::Pow, n, "2") },
    Derived { number: f64::exp2, is_whole: true, written: |n| operation(BinaryOp::Pow, "2", n) },
];

impl Derived {
    /// What it makes of a number, and how that is written where the number is a name.
    pub fn of(&self, number: &Value, name: &str) -> Option<(Value, Ex)> {
        let derived = match number {
            Value::Int(n) if self.is_whole => {
                let derived = (self.number)(*n as f64);
                let is_exact = derived.fract() == 0.0 && derived.abs() < 2f64.powi(53);
                Value::Int(is_exact.then_some(derived as i64)?)
            }
            Value::Int(n) => Value::Float((self.number)(*n as f64)),
            Value::Float(n) => Value::Float((self.number)(*n)),
            _ => return None,
        };
        Some((derived, (self.written)(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_types() {
        let texts = |number: Value| {
            let all = DERIVED.iter().filter_map(|way| way.of(&number, "n"));
            all.map(|(value, ex)| format!("{} {value:?}", ex.text)).collect::<Vec<_>>().join(", ")
        };
        let whole = texts(Value::Int(3));
        for part in ["-n -3,", "n + 1 4,", "n / 2 1.5,", "n**2 9,", "2**n 8"] {
            assert!(whole.contains(part), "{whole}");
        }
        assert!(texts(Value::Float(0.5)).contains("1 - n 0.5"));
        // A negative power of two is no whole number.
        assert!(!texts(Value::Int(-1)).contains("2**n"));
    }
}
