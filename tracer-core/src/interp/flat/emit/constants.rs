//! What a program spells out: numbers below zero and tuples of constants are made once.

use super::Emitter;
use crate::interp::expr::constant_value;
use crate::interp::flat::op::Reg;
use crate::module::{CompareOp, Const, Expr, ExprId, UnaryOp};
use crate::python::key::Asked;
use crate::python::{Set, SetItems, Value};

/// Tuples of more items are made where they stand.
const MOST_ITEMS: usize = 64;

impl Emitter<'_> {
    /// The value of an expression that is the same object each time; `None` where evaluating it makes one, or does something.
    pub(super) fn folded(&self, expr: ExprId) -> Option<Value> {
        match self.module.expr(expr) {
            Expr::Constant(constant) => Some(constant_value(constant)),
            Expr::Unary(UnaryOp::Neg, value) => match self.module.expr(*value) {
                Expr::Constant(Const::Int(number)) => number.checked_neg().map(Value::Int),
                Expr::Constant(Const::Float(number)) => Some(Value::Float(-number)),
                _ => None,
            },
            Expr::Tuple(items) if items.len() <= MOST_ITEMS => {
                let items: Option<Vec<Value>> = items.iter().map(|item| self.folded(*item)).collect();
                items.map(Value::tuple)
            }
            _ => None,
        }
    }

    /// The register of the right side of a comparison.
    pub(super) fn right_operand(&mut self, op: CompareOp, expr: ExprId) -> Reg {
        match self.looked_through(op, expr) {
            Some(value) => {
                self.cost += 1;
                let register = self.temporaries(1);
                self.constant(register, value);
                register
            }
            None => self.operand(expr),
        }
    }

    /// As [`Emitter::folded`], of what `in` looks through: nobody else sees a list or set that stands there.
    fn looked_through(&self, op: CompareOp, expr: ExprId) -> Option<Value> {
        if !matches!(op, CompareOp::In | CompareOp::NotIn) {
            return None;
        }
        match self.module.expr(expr) {
            Expr::List(items) if items.len() <= MOST_ITEMS => {
                let items: Option<Vec<Value>> = items.iter().map(|item| self.folded(*item)).collect();
                items.map(Value::tuple)
            }
            Expr::Set(items) if items.len() <= MOST_ITEMS => {
                let mut keys = SetItems::default();
                for item in items {
                    keys.insert(Asked::of(&self.folded(*item)?)?.key());
                }
                Some(Value::FrozenSet(Set::new(keys)))
            }
            _ => None,
        }
    }
}
