//! Texts of expressions, and how strongly their parts hold together.

use crate::module::BinaryOp;
use crate::repro::tree::Arg;

/// How strongly the parts of an expression hold together.
pub const POSTFIX: u8 = 12;
pub const UNARY: u8 = 10;

/// The text of an expression.
#[derive(Clone, Debug)]
pub struct Ex {
    pub text: String,
    pub strength: u8,
}

impl Ex {
    /// One that needs no parentheses.
    pub fn atom(text: impl Into<String>) -> Ex {
        Ex { text: text.into(), strength: POSTFIX }
    }
    /// In parentheses where it holds less than what is around it.
    pub fn within(&self, around: u8) -> String {
        match self.strength < around {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
    /// A tuple without its parentheses, as `return` has it.
    pub fn bare(&self, arg: &Arg) -> String {
        match arg {
            Arg::Tuple(items) if items.len() > 1 && self.text.starts_with('(') => {
                self.text[1..self.text.len() - 1].to_owned()
            }
            _ => self.text.clone(),
        }
    }
    /// A function without a name.
    pub fn lambda(text: String) -> Ex {
        Ex { text, strength: 0 }
    }
}

/// How an operator is written, and how strongly it holds.
pub fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Add => ("+", 7),
        BinaryOp::Sub => ("-", 7),
        BinaryOp::Mul => ("*", 8),
        BinaryOp::MatMul => ("@", 8),
        BinaryOp::Div => ("/", 8),
        BinaryOp::FloorDiv => ("//", 8),
        BinaryOp::Mod => ("%", 8),
        BinaryOp::Pow => ("**", 11),
        BinaryOp::LShift => ("<<", 6),
        BinaryOp::RShift => (">>", 6),
        BinaryOp::BitAnd => ("&", 5),
        BinaryOp::BitXor => ("^", 4),
        BinaryOp::BitOr => ("|", 3),
    }
}
