//! Expressions and conditions.

use super::Emitter;
use crate::interp::flat::op::{Fork, Op, Reg};
use crate::module::{Const, Expr, ExprId, Part, Place};
use crate::python::Value;

impl Emitter<'_> {
    pub(super) fn starred(&self, items: &[ExprId]) -> bool {
        items.iter().any(|item| matches!(self.module.expr(*item), Expr::Starred(_)))
    }

    /// An integer that fits into an operation.
    pub(super) fn small(&self, expr: ExprId) -> Option<i16> {
        match self.module.expr(expr) {
            Expr::Constant(Const::Int(value)) => i16::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The register of a value: a local variable's own, or a temporary.
    pub(super) fn operand(&mut self, expr: ExprId) -> Reg {
        if let Expr::Name(Place::Local(slot), _) = self.module.expr(expr)
            && !self.binds
        {
            return *slot as Reg;
        }
        let temporary = self.temporaries(1);
        self.into(expr, temporary);
        temporary
    }

    /// The register of an operand that others are evaluated behind: it is read before they are.
    pub(super) fn operand_before(&mut self, expr: ExprId, others: &[ExprId]) -> Reg {
        let plain =
            |expr: &ExprId| matches!(self.module.expr(*expr), Expr::Name(Place::Local(_), _) | Expr::Constant(_));
        let last = others.iter().all(plain);
        let register = self.operand(expr);
        if usize::from(register) < self.locals && !last {
            self.emit(Op::Look { src: register, expr });
        }
        register
    }

    /// Evaluates an expression into a register. Nothing is written there before its value is complete, but by `and`, `or`.
    pub(super) fn into(&mut self, expr: ExprId, dst: Reg) {
        let module = self.module;
        let node = module.expr(expr);
        if !matches!(node, Expr::Name(..) | Expr::Constant(_)) {
            self.cost += 1;
        }
        match node {
            Expr::Name(Place::Local(slot), _) => drop(self.emit(Op::Copy { dst, src: *slot as Reg, expr })),
            Expr::Name(Place::Cell(cell), _) if *cell < u32::from(u16::MAX) => {
                self.emit(Op::Cell { dst, cell: *cell as u16, expr });
            }
            Expr::Name(Place::Global(slot), _) => drop(self.emit(Op::Global { dst, slot: *slot, expr })),
            _ if let Some(value) = Some(&self.flat.constants)
                .filter(|made| made.len() < usize::from(u16::MAX))
                .and_then(|_| self.folded(expr)) =>
            {
                self.constant(dst, value);
            }
            Expr::Binary(op, left, right) => {
                let left = self.operand_before(*left, &[*right]);
                match self.small(*right) {
                    Some(right) => {
                        let site = self.site();
                        self.emit(Op::BinaryInt { op: *op, dst, left, right, site, expr })
                    }
                    None => {
                        let right = self.operand(*right);
                        let site = self.site();
                        self.emit(Op::Binary { op: *op, dst, left, right, site, expr })
                    }
                };
            }
            Expr::Unary(op, value) => {
                let value = self.operand(*value);
                self.emit(Op::Unary { op: *op, dst, value, expr });
            }
            Expr::Compare(left, rest) if rest.len() == 1 => {
                let left = self.operand_before(*left, &[rest[0].1]);
                let right = self.right_operand(rest[0].0, rest[0].1);
                let site = self.site();
                self.emit(Op::Compare { op: rest[0].0, dst, left, right, site, expr });
            }
            Expr::Compare(left, rest) if rest.len() < usize::from(u8::MAX) => self.chain(expr, *left, rest, dst),
            Expr::Attribute(object, name) => {
                let object = self.operand(*object);
                let named = self.named(*name);
                let site = self.site();
                self.emit(Op::Attribute { dst, object, named, site, expr });
            }
            Expr::Subscript(object, index) if let Expr::Slice(lower, upper, None) = module.expr(*index) => {
                let bounds: Vec<ExprId> = lower.iter().chain(upper).copied().collect();
                let object = self.operand_before(*object, &bounds);
                let base = self.temporaries(2);
                self.bounds(&[lower, upper], base);
                self.emit(Op::Slice { dst, object, base, expr });
            }
            Expr::Slice(lower, upper, step) => {
                let base = self.temporaries(3);
                self.bounds(&[lower, upper, step], base);
                self.emit(Op::MakeSlice { dst, base });
            }
            Expr::Dict(items) if items.len() < 128 && items.iter().all(|(key, _)| key.is_some()) => {
                let base = self.temporaries(2 * items.len());
                for ((key, value), register) in items.iter().zip((base..).step_by(2)) {
                    if let Some(key) = key {
                        self.into(*key, register);
                    }
                    self.into(*value, register + 1);
                }
                self.emit(Op::Dict { dst, base, count: items.len() as u16, expr });
            }
            Expr::Set(items) if !self.starred(items) && items.len() < 256 => {
                let base = self.items(items);
                self.emit(Op::Set { dst, base, count: items.len() as u16, expr });
            }
            Expr::Subscript(object, index) if self.is_item_of_item(*object, *index) => {
                self.item_of_item(expr, *object, *index, dst);
            }
            Expr::Subscript(object, index) => {
                let object = self.operand_before(*object, &[*index]);
                match self.small(*index) {
                    Some(index) => {
                        let site = self.site();
                        self.emit(Op::SubscriptInt { dst, object, index, site, expr })
                    }
                    None => {
                        let index = self.operand(*index);
                        let site = self.site();
                        self.emit(Op::Subscript { dst, object, index, site, expr })
                    }
                };
            }
            Expr::Call(callee, args) => self.call(expr, *callee, args, dst),
            Expr::Comprehension(_, first) => {
                let iterable = self.operand(*first);
                self.emit(Op::Comprehend { dst, iterable, expr });
            }
            Expr::Yield(value) => {
                let value = match value {
                    Some(value) => self.operand(*value),
                    None => {
                        let nothing = self.temporaries(1);
                        self.constant(nothing, Value::None);
                        nothing
                    }
                };
                self.emit(Op::Yield { dst, value, expr });
            }
            Expr::YieldFrom(value) => {
                let value = self.operand(*value);
                let iterator = self.temporaries(1);
                self.emit(Op::Delegate { dst, iterator, value, expr });
            }
            Expr::Tuple(items) if !self.starred(items) && items.len() < 256 => {
                let base = self.items(items);
                self.emit(Op::Tuple { dst, base, count: items.len() as u16 });
            }
            Expr::List(items) if !self.starred(items) && items.len() < 256 => {
                let base = self.items(items);
                self.emit(Op::List { dst, base, count: items.len() as u16 });
            }
            Expr::IfExp { test, body, orelse } => {
                let otherwise = self.condition(*test, Fork::Expression(expr, dst, 0));
                self.into(*body, dst);
                let end = self.emit(Op::Jump(0));
                self.land_all(&otherwise);
                self.into(*orelse, dst);
                self.land(end);
                let after = self.at();
                self.flat.forks.insert(otherwise.deciding, Fork::Expression(expr, dst, after));
                self.seen(dst, expr);
            }
            Expr::And(values) => self.and_or(expr, values, true, dst),
            Expr::Or(values) => self.and_or(expr, values, false, dst),
            _ => self.walked(expr, dst),
        }
    }

    /// The bounds of a slice, into registers next to each other.
    fn bounds(&mut self, bounds: &[&Option<ExprId>], base: Reg) {
        for (bound, register) in bounds.iter().zip(base..) {
            match bound {
                Some(bound) => self.into(*bound, register),
                None => self.constant(register, Value::None),
            }
        }
    }

    /// Whether it is `object[first][second]` whose second index is at hand.
    fn is_item_of_item(&self, object: ExprId, second: ExprId) -> bool {
        let is_at_hand = match self.module.expr(second) {
            Expr::Name(Place::Local(_), _) => !self.binds,
            Expr::Constant(Const::Int(_)) => true,
            _ => false,
        };
        is_at_hand
            && matches!(self.module.expr(object), Expr::Subscript(_, first)
                if !matches!(self.module.expr(*first), Expr::Slice(..) | Expr::Tuple(_)))
    }

    fn item_of_item(&mut self, expr: ExprId, row: ExprId, second: ExprId, dst: Reg) {
        let Expr::Subscript(object, first) = *self.module.expr(row) else { return self.walked(expr, dst) };
        self.cost += 1;
        let object = self.operand_before(object, &[first]);
        let first = self.operand_before(first, &[second]);
        let second = self.operand(second);
        self.emit(Op::QuickItem { skip: 3, dst, object, first, second });
        let held = self.temporaries(1);
        let site = self.site();
        self.emit(Op::Subscript { dst: held, object, index: first, site, expr: row });
        let site = self.site();
        self.emit(Op::Subscript { dst, object: held, index: second, site, expr });
    }

    pub(super) fn constant(&mut self, dst: Reg, value: Value) {
        self.flat.constants.push(value);
        let index = (self.flat.constants.len() - 1) as u16;
        self.emit(Op::Constant { dst, index });
    }

    /// An expression that has no operation of its own.
    pub(super) fn walked(&mut self, expr: ExprId, dst: Reg) {
        self.hides(Part::Expr(expr));
        self.emit(Op::Eval { dst, expr });
    }

    fn items(&mut self, items: &[ExprId]) -> Reg {
        let base = self.temporaries(items.len());
        for (i, item) in items.iter().enumerate() {
            self.into(*item, base + i as Reg);
        }
        base
    }

    fn and_or(&mut self, expr: ExprId, values: &[ExprId], is_and: bool, dst: Reg) {
        // A variable that is bound here may be read by later operands.
        let own = match usize::from(dst) < self.locals {
            true => self.temporaries(1),
            false => dst,
        };
        let mut jumps = Vec::new();
        for (i, value) in values.iter().enumerate() {
            self.into(*value, own);
            if i + 1 < values.len() {
                jumps.push(self.emit(Op::Choose { is_and, value: own, at: i as u16, expr, end: 0 }));
            }
        }
        for jump in jumps {
            self.land(jump);
        }
        self.seen(own, expr);
        if own != dst {
            self.emit(Op::Take { dst, src: own });
        }
    }

    pub(super) fn seen(&mut self, value: Reg, expr: ExprId) {
        if self.user {
            self.emit(Op::Seen { value, expr });
        }
    }
}
