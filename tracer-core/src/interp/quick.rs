//! Arithmetic on plain numbers without the door: expressions of variables, constants and items that are numbers.
//!
//! Nothing here has an effect or can fail: where an operand is not a plain number, or an operation would raise, the answer
//! is `None` and the expression is evaluated from its start by [`Run::eval`].

use super::function::Run;
use super::number::fitting;
use crate::module::{BinaryOp, CompareOp, Const, Expr, ExprId, Place, UnaryOp};
use crate::python::Value;

/// A number, as it stands in a register.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(u64)]
pub enum Scalar {
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `float`
    Float(f64),
}

/// Operators may nest so deep: what is not plain is found out at each level again.
const DEPTH: u32 = 6;

impl Scalar {
    /// The number in a value.
    #[inline(always)]
    pub fn of(value: &Value) -> Option<Scalar> {
        match value {
            Value::Int(value) => Some(Scalar::Int(*value)),
            Value::Float(value) => Some(Scalar::Float(*value)),
            Value::Bool(value) => Some(Scalar::Bool(*value)),
            _ => None,
        }
    }

    /// `bool(value)`
    #[inline(always)]
    pub fn truth(self) -> bool {
        match self {
            Scalar::Bool(value) => value,
            Scalar::Int(value) => value != 0,
            Scalar::Float(value) => value != 0.0,
        }
    }
}

impl From<Scalar> for Value {
    #[inline(always)]
    fn from(scalar: Scalar) -> Value {
        match scalar {
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => Value::Int(value),
            Scalar::Float(value) => Value::Float(value),
        }
    }
}

impl Run<'_> {
    /// The value of an expression on plain numbers.
    #[inline]
    pub fn quick(&self, expr: ExprId) -> Option<Scalar> {
        if self.user && self.it.watch.on.get() {
            return None;
        }
        self.number(expr, DEPTH)
    }

    fn number(&self, expr: ExprId, depth: u32) -> Option<Scalar> {
        match self.module.expr(expr) {
            Expr::Name(Place::Local(slot), _) => Scalar::of(&self.frame.locals[*slot as usize]),
            Expr::Constant(Const::Int(value)) => Some(Scalar::Int(*value)),
            Expr::Constant(Const::Float(value)) => Some(Scalar::Float(*value)),
            Expr::Constant(Const::Bool(value)) => Some(Scalar::Bool(*value)),
            Expr::Name(Place::Cell(index), _) => Scalar::of(&self.cell(*index).read()),
            Expr::Name(Place::Global(slot), _) => Scalar::of(&self.home.slots.read()[*slot as usize]),
            _ if depth == 0 => None,
            Expr::Binary(op, left, right) => {
                let left = self.number(*left, depth - 1)?;
                arithmetic(*op, left, self.number(*right, depth - 1)?)
            }
            Expr::Compare(left, rest) => {
                let [(op, right)] = &rest[..] else { return None };
                let left = self.number(*left, depth - 1)?;
                comparison(*op, left, self.number(*right, depth - 1)?).map(Scalar::Bool)
            }
            Expr::Subscript(value, index) => {
                let Expr::Name(Place::Local(slot), _) = self.module.expr(*value) else { return None };
                match &self.frame.locals[*slot as usize] {
                    Value::List(list) => {
                        let Scalar::Int(at) = self.number(*index, depth - 1)? else { return None };
                        let contents = list.contents();
                        match contents.vague {
                            None => Scalar::of(item(&contents.items, at)?),
                            Some(_) => None,
                        }
                    }
                    Value::Tuple(items) => {
                        let Scalar::Int(at) = self.number(*index, depth - 1)? else { return None };
                        Scalar::of(item(items, at)?)
                    }
                    _ => None,
                }
            }
            Expr::Unary(op, value) => {
                let value = self.number(*value, depth - 1)?;
                match (op, value) {
                    (UnaryOp::Not, value) => Some(Scalar::Bool(!value.truth())),
                    (UnaryOp::Neg, Scalar::Int(value)) => value.checked_neg().map(Scalar::Int),
                    (UnaryOp::Neg, Scalar::Float(value)) => Some(Scalar::Float(-value)),
                    (UnaryOp::Invert, Scalar::Int(value)) => Some(Scalar::Int(!value)),
                    (UnaryOp::Pos, Scalar::Int(_) | Scalar::Float(_)) => Some(value),
                    _ => None,
                }
            }
            Expr::IfExp { test, body, orelse } => {
                let side = if self.number(*test, depth - 1)?.truth() { body } else { orelse };
                self.number(*side, depth - 1)
            }
            _ => None,
        }
    }
}

/// The item at a position, which may count from the end.
#[inline]
pub fn item(items: &[Value], at: i64) -> Option<&Value> {
    let at = if at < 0 { at + items.len() as i64 } else { at };
    usize::try_from(at).ok().and_then(|at| items.get(at))
}

/// `x op y`, where nothing is raised and integers fit.
#[inline]
pub fn arithmetic(op: BinaryOp, x: Scalar, y: Scalar) -> Option<Scalar> {
    let (x, y) = match (x, y) {
        (Scalar::Int(x), Scalar::Int(y)) => {
            return match (op, fitting(op, x, y)) {
                (_, Some(value)) => Some(Scalar::Int(value)),
                (BinaryOp::Div, _) if y != 0 && x.unsigned_abs() < 1 << 53 && y.unsigned_abs() < 1 << 53 => {
                    Some(Scalar::Float(x as f64 / y as f64))
                }
                _ => None,
            };
        }
        (Scalar::Float(x), Scalar::Float(y)) => (x, y),
        (Scalar::Float(x), Scalar::Int(y)) => (x, y as f64),
        (Scalar::Int(x), Scalar::Float(y)) => (x as f64, y),
        _ => return None,
    };
    Some(Scalar::Float(match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div if y != 0.0 => x / y,
        _ => return None,
    }))
}

/// `x op y`
#[inline]
pub fn comparison(op: CompareOp, x: Scalar, y: Scalar) -> Option<bool> {
    fn ordered<T: PartialOrd>(op: CompareOp, x: T, y: T) -> Option<bool> {
        Some(match op {
            CompareOp::Eq => x == y,
            CompareOp::NotEq => x != y,
            CompareOp::Lt => x < y,
            CompareOp::LtE => x <= y,
            CompareOp::Gt => x > y,
            CompareOp::GtE => x >= y,
            _ => return None,
        })
    }
    match (x, y) {
        (Scalar::Int(x), Scalar::Int(y)) => ordered(op, x, y),
        (Scalar::Float(x), Scalar::Float(y)) => ordered(op, x, y),
        // Integers that a float holds exactly.
        (Scalar::Int(x), Scalar::Float(y)) if x.unsigned_abs() < 1 << 53 => ordered(op, x as f64, y),
        (Scalar::Float(x), Scalar::Int(y)) if y.unsigned_abs() < 1 << 53 => ordered(op, x, y as f64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_raise_or_not_fit_is_left_to_others() {
        use Scalar::{Float, Int};
        assert_eq!(arithmetic(BinaryOp::Add, Int(i64::MAX), Int(1)), None);
        assert_eq!(arithmetic(BinaryOp::FloorDiv, Int(7), Int(0)), None);
        assert_eq!(arithmetic(BinaryOp::Div, Float(1.0), Int(0)), None);
        assert_eq!(arithmetic(BinaryOp::Div, Int(7), Int(2)), Some(Float(3.5)));
        assert_eq!(arithmetic(BinaryOp::Mod, Int(-7), Int(3)), Some(Int(2)));
        assert_eq!(comparison(CompareOp::Lt, Int(i64::MAX), Float(9.3e18)), None);
        assert_eq!(comparison(CompareOp::NotEq, Float(f64::NAN), Float(f64::NAN)), Some(true));
    }
}
