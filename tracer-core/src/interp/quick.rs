//! Arithmetic on plain numbers without the door: expressions of variables, constants and items that are numbers.
//!
//! Nothing here has an effect or can fail: where an operand is not a plain number, or an operation would raise, the answer
//! is `None` and the expression is evaluated from its start by [`Run::eval`].

use super::function::Run;
use super::number::{fitting, float_divmod};
use crate::module::{BinaryOp, CompareOp, Const, Expr, ExprId, Place, UnaryOp};
use crate::python::Value;

/// A plain number.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Scalar {
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `float`
    Float(f64),
}

/// A plain number in two registers: its kind and its bits. An enum with a float in it is handed on through memory, whose
/// parts are written and read at different widths: that takes longer than the arithmetic.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Plain {
    kind: Kind,
    bits: u64,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Kind {
    Bool,
    Int,
    Float,
}

/// Operators may nest so deep: what is not plain is found out at each level again.
const DEPTH: u32 = 6;

impl Plain {
    /// A `bool`.
    #[inline(always)]
    pub fn bool(value: bool) -> Plain {
        Plain { kind: Kind::Bool, bits: u64::from(value) }
    }
    /// An `int`.
    #[inline(always)]
    pub fn int(value: i64) -> Plain {
        Plain { kind: Kind::Int, bits: value as u64 }
    }
    /// A `float`.
    #[inline(always)]
    pub fn float(value: f64) -> Plain {
        Plain { kind: Kind::Float, bits: value.to_bits() }
    }
    /// The number in a value.
    #[inline(always)]
    pub fn of(value: &Value) -> Option<Plain> {
        match value {
            Value::Int(value) => Some(Plain::int(*value)),
            Value::Float(value) => Some(Plain::float(*value)),
            Value::Bool(value) => Some(Plain::bool(*value)),
            _ => None,
        }
    }
    /// What it is.
    #[inline(always)]
    pub fn scalar(self) -> Scalar {
        match self.kind {
            Kind::Bool => Scalar::Bool(self.bits != 0),
            Kind::Int => Scalar::Int(self.bits as i64),
            Kind::Float => Scalar::Float(f64::from_bits(self.bits)),
        }
    }
    /// A `bool` as the `int` that it counts as; other numbers as they are.
    #[inline(always)]
    fn counted(self) -> Plain {
        match self.kind {
            Kind::Bool => Plain { kind: Kind::Int, bits: self.bits },
            Kind::Int | Kind::Float => self,
        }
    }
    /// `bool(value)`
    #[inline(always)]
    pub fn truth(self) -> bool {
        match self.kind {
            Kind::Float => f64::from_bits(self.bits) != 0.0,
            Kind::Bool | Kind::Int => self.bits != 0,
        }
    }
}

impl From<Plain> for Value {
    #[inline(always)]
    fn from(plain: Plain) -> Value {
        match plain.scalar() {
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => Value::Int(value),
            Scalar::Float(value) => Value::Float(value),
        }
    }
}

impl Run<'_> {
    /// The value of an expression on plain numbers.
    #[inline]
    pub fn quick(&self, expr: ExprId) -> Option<Plain> {
        if self.user && (self.it.watch.on.get() || self.it.effects.keeps_reads()) {
            return None;
        }
        self.number(expr, DEPTH)
    }

    fn number(&self, expr: ExprId, depth: u32) -> Option<Plain> {
        match self.module.expr(expr) {
            Expr::Name(Place::Local(slot), _) => Plain::of(&self.frame.locals[*slot as usize]),
            Expr::Constant(Const::Int(value)) => Some(Plain::int(*value)),
            Expr::Constant(Const::Float(value)) => Some(Plain::float(*value)),
            Expr::Constant(Const::Bool(value)) => Some(Plain::bool(*value)),
            Expr::Name(Place::Cell(index), _) => Plain::of(&self.cell(*index).read()),
            Expr::Name(Place::Global(slot), _) => self.home.slots.read().get(*slot as usize).and_then(Plain::of),
            _ if depth == 0 => None,
            Expr::Binary(op, left, right) => {
                let left = self.number(*left, depth - 1)?;
                arithmetic(*op, left, self.number(*right, depth - 1)?)
            }
            Expr::Compare(left, rest) => {
                let [(op, right)] = &rest[..] else { return None };
                let left = self.number(*left, depth - 1)?;
                comparison(*op, left, self.number(*right, depth - 1)?).map(Plain::bool)
            }
            Expr::Subscript(value, index) => {
                let Expr::Name(Place::Local(slot), _) = self.module.expr(*value) else { return None };
                match &self.frame.locals[*slot as usize] {
                    Value::List(list) => {
                        let Scalar::Int(at) = self.number(*index, depth - 1)?.scalar() else { return None };
                        let contents = list.contents();
                        match contents.vague {
                            None => Plain::of(item(&contents.items, at)?),
                            Some(_) => None,
                        }
                    }
                    Value::Tuple(items) => {
                        let Scalar::Int(at) = self.number(*index, depth - 1)?.scalar() else { return None };
                        Plain::of(item(items, at)?)
                    }
                    _ => None,
                }
            }
            Expr::Attribute(value, name) => {
                let Expr::Name(Place::Local(slot), _) = self.module.expr(*value) else { return None };
                let Value::Instance(instance) = &self.frame.locals[*slot as usize] else { return None };
                self.it.own_number(instance, *name)
            }
            Expr::Unary(op, value) => {
                let value = self.number(*value, depth - 1)?;
                match (op, value.scalar()) {
                    (UnaryOp::Not, _) => Some(Plain::bool(!value.truth())),
                    (UnaryOp::Neg, Scalar::Int(value)) => value.checked_neg().map(Plain::int),
                    (UnaryOp::Neg, Scalar::Float(value)) => Some(Plain::float(-value)),
                    (UnaryOp::Invert, Scalar::Int(value)) => Some(Plain::int(!value)),
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

/// A truth, an integer or a float that stands somewhere.
pub enum Number {
    /// A truth.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Number {
    /// What a value is, if it is one.
    #[inline(always)]
    pub fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Int(number) => Some(Number::Int(*number)),
            Value::Float(number) => Some(Number::Float(*number)),
            Value::Bool(truth) => Some(Number::Bool(*truth)),
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
pub fn arithmetic(op: BinaryOp, x: Plain, y: Plain) -> Option<Plain> {
    if let (Kind::Bool, Kind::Bool, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) = (x.kind, y.kind, op) {
        return None;
    }
    let (x, y) = match (x.counted().scalar(), y.counted().scalar()) {
        (Scalar::Int(x), Scalar::Int(y)) => {
            return match (op, fitting(op, x, y)) {
                (_, Some(value)) => Some(Plain::int(value)),
                (BinaryOp::Div, _) if y != 0 && x.unsigned_abs() < 1 << 53 && y.unsigned_abs() < 1 << 53 => {
                    Some(Plain::float(x as f64 / y as f64))
                }
                _ => None,
            };
        }
        (Scalar::Float(x), Scalar::Float(y)) => (x, y),
        (Scalar::Float(x), Scalar::Int(y)) => (x, y as f64),
        (Scalar::Int(x), Scalar::Float(y)) => (x as f64, y),
        _ => return None,
    };
    Some(Plain::float(match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div if y != 0.0 => x / y,
        BinaryOp::FloorDiv if y != 0.0 => float_divmod(x, y).0,
        BinaryOp::Mod if y != 0.0 => float_divmod(x, y).1,
        BinaryOp::Pow if x > 0.0 => Some(x.powf(y)).filter(|power| power.is_finite())?,
        _ => return None,
    }))
}

/// `x op y`
#[inline]
pub fn comparison(op: CompareOp, x: Plain, y: Plain) -> Option<bool> {
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
    match (x.counted().scalar(), y.counted().scalar()) {
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
        let (int, float) = (Plain::int, Plain::float);
        assert_eq!(arithmetic(BinaryOp::Add, int(i64::MAX), int(1)), None);
        assert_eq!(arithmetic(BinaryOp::FloorDiv, int(7), int(0)), None);
        assert_eq!(arithmetic(BinaryOp::Div, float(1.0), int(0)), None);
        assert_eq!(arithmetic(BinaryOp::Div, int(7), int(2)), Some(float(3.5)));
        assert_eq!(arithmetic(BinaryOp::Mod, int(-7), int(3)), Some(int(2)));
        assert_eq!(comparison(CompareOp::Lt, int(i64::MAX), float(9.3e18)), None);
        assert_eq!(comparison(CompareOp::NotEq, float(f64::NAN), float(f64::NAN)), Some(true));
    }

    #[test]
    fn truths_count_as_numbers_but_stay_truths_between_bits() {
        let (yes, int) = (Plain::bool(true), Plain::int);
        assert_eq!(arithmetic(BinaryOp::Add, yes, yes), Some(int(2)));
        assert_eq!(arithmetic(BinaryOp::Mul, Plain::float(0.5), yes), Some(Plain::float(0.5)));
        assert_eq!(arithmetic(BinaryOp::BitAnd, yes, int(3)), Some(int(1)));
        assert_eq!(arithmetic(BinaryOp::BitAnd, yes, yes), None);
        assert_eq!(comparison(CompareOp::Lt, Plain::bool(false), int(1)), Some(true));
        assert_eq!(comparison(CompareOp::Eq, yes, Plain::float(1.0)), Some(true));
    }
}
