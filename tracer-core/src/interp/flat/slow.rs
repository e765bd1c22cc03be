//! What operations do with values that are not plain: the same methods that walk the tree.

use super::op::{At, Flat, NONE, NOWHERE, Op, Reg};
use crate::interp::function::{Flow, Run};
use crate::interp::loops::LoopParts;
use crate::module::{BinaryOp, Body, CompareOp, Expr, ExprId, Stmt, StmtId, Symbol, Target, UnaryOp};
use crate::python::Value;
use crate::python::halt::{Halt, Step, Why};

impl<'a> Run<'a> {
    /// The parts of a loop statement.
    pub(super) fn parts(&self, id: StmtId) -> LoopParts<'a> {
        LoopParts::of(self.module.stmt(id)).expect("the emitter makes loops of loops")
    }

    /// Whether operators on these two bind no primitive and run no code of the program.
    fn is_quiet(value: &Value) -> bool {
        matches!(
            value,
            Value::Int(_)
                | Value::Float(_)
                | Value::Bool(_)
                | Value::None
                | Value::Str(_)
                | Value::Bytes(_)
                | Value::BigInt(_)
                | Value::Complex(_)
                | Value::Range(_)
        )
    }

    /// What comes of an expression, as the door hands it on.
    #[inline]
    pub(super) fn finish(&mut self, expr: ExprId, result: Step<Value>) -> Step<Value> {
        match result {
            Ok(value) => {
                if self.user {
                    self.saw(expr, &value);
                }
                Ok(value)
            }
            Err(halt) => self.halted(expr, halt),
        }
    }

    pub(super) fn flat_binary(&mut self, op: BinaryOp, left: Reg, right: Reg, expr: ExprId) -> Step<Value> {
        let locals = &self.frame.locals;
        let (x, y) = (&locals[left as usize], &locals[right as usize]);
        if Self::is_quiet(x) && Self::is_quiet(y) {
            let result = self.it.binary(op, x, y);
            return self.finish(expr, result);
        }
        let Expr::Binary(_, left_expr, right_expr) = self.module.expr(expr) else { return self.eval(expr) };
        let left = self.operand(left, *left_expr)?;
        let right = self.operand(right, *right_expr)?;
        let result = self.marked(expr, |run| run.it.binary(op, &left, &right));
        self.finish(expr, result)
    }

    pub(super) fn flat_binary_int(&mut self, op: BinaryOp, left: Reg, right: i64, expr: ExprId) -> Step<Value> {
        let Expr::Binary(_, left_expr, _) = self.module.expr(expr) else { return self.eval(expr) };
        let left = self.operand(left, *left_expr)?;
        let result = self.marked(expr, |run| run.it.binary(op, &left, &Value::Int(right)));
        self.finish(expr, result)
    }

    pub(super) fn flat_unary(&mut self, op: UnaryOp, value: Reg, expr: ExprId) -> Step<Value> {
        let Expr::Unary(_, value_expr) = self.module.expr(expr) else { return self.eval(expr) };
        let value = self.operand(value, *value_expr)?;
        let result = self.marked(expr, |run| run.unary_expr(op, &value));
        self.finish(expr, result)
    }

    /// The right operand is a number or in a register.
    pub(super) fn flat_compare(
        &mut self,
        op: CompareOp,
        left: Reg,
        right: Result<i64, Reg>,
        expr: ExprId,
    ) -> Step<Value> {
        let Expr::Compare(left_expr, rest) = self.module.expr(expr) else { return self.eval(expr) };
        if let Err(right) = right {
            let locals = &self.frame.locals;
            let (x, y) = (&locals[left as usize], &locals[right as usize]);
            let among = matches!(op, CompareOp::In | CompareOp::NotIn)
                && matches!(y, Value::Dict(_) | Value::Set(_) | Value::FrozenSet(_));
            if Self::is_quiet(x) && (Self::is_quiet(y) || among) {
                let result = self.it.compare(op, x, y);
                return self.finish(expr, result);
            }
        }
        let left = self.operand(left, *left_expr)?;
        let right = match right {
            Ok(number) => Value::Int(number),
            Err(right) => self.operand(right, rest[0].1)?,
        };
        let result = self.marked(expr, |run| run.it.compare(op, &left, &right));
        self.finish(expr, result)
    }

    /// The truth of a condition, or why it is not known.
    pub(super) fn flat_truth(&mut self, flat: &Flat, at: At, value: &Value) -> Step<Result<bool, Why>> {
        match self.it.truth_or_unknown(value) {
            Err(halt) => match flat.forks.get(&at) {
                // The conditional expression is the innermost place of the failure.
                Some(super::op::Fork::Expression(expr, ..)) => match self.halted(*expr, halt)? {
                    Value::Unknown(unknown) => Ok(Err(unknown.why.clone())),
                    value => self.it.truth_or_unknown(&value),
                },
                _ => Err(halt),
            },
            truth => truth,
        }
    }

    /// Both sides of a conditional expression.
    pub(super) fn flat_either(&mut self, expr: ExprId, why: Why) -> Step<Value> {
        let Expr::IfExp { test, body, orelse } = self.module.expr(expr) else { return self.eval(expr) };
        let result = self.either_expression(why, *test, *body, *orelse);
        self.finish(expr, result)
    }

    /// Both ways of a statement.
    pub(super) fn fork_statement(&mut self, id: StmtId, why: Why) -> Step<Flow> {
        match self.module.stmt(id) {
            Stmt::If { test, body, orelse } => self.either_block(why, *test, body, orelse),
            _ => self.while_unknown(self.parts(id), why),
        }
    }

    /// Whether `and` or `or` goes on behind an operand; where not, its value is in the register.
    pub(super) fn flat_choose(&mut self, is_and: bool, reg: Reg, at: usize, expr: ExprId) -> Step<bool> {
        let (Expr::And(values) | Expr::Or(values)) = self.module.expr(expr) else { return Ok(false) };
        let value = std::mem::replace(&mut self.frame.locals[reg as usize], Value::Unbound);
        let result = match self.it.truth_or_unknown(&value) {
            Ok(Ok(truth)) => {
                self.frame.locals[reg as usize] = value;
                return Ok(truth == is_and);
            }
            Ok(Err(why)) => self.and_or_unknown(value, values[at], &values[at + 1..], is_and, why),
            Err(halt) => Err(halt),
        };
        let value = match result {
            Ok(value) => value,
            Err(halt) => self.halted(expr, halt)?,
        };
        self.frame.locals[reg as usize] = value;
        Ok(false)
    }

    /// The name of an attribute expression.
    #[inline]
    pub(super) fn attribute_name(&self, expr: ExprId) -> Symbol {
        match self.module.expr(expr) {
            Expr::Attribute(_, name) => *name,
            _ => unreachable!("the emitter makes attributes of attributes"),
        }
    }

    pub(super) fn flat_attribute(&mut self, object: Reg, expr: ExprId) -> Step<Value> {
        let Expr::Attribute(object_expr, name) = self.module.expr(expr) else { return self.eval(expr) };
        let value = self.operand(object, *object_expr)?;
        let result = self.attribute_of(expr, &value, *name);
        if self.keeps_reads()
            && let Ok(read) = &result
        {
            self.reads_attribute(expr, &value, *name, read);
        }
        self.finish(expr, result)
    }

    /// The index is a number or in a register.
    pub(super) fn flat_subscript(&mut self, object: Reg, index: Result<i64, Reg>, expr: ExprId) -> Step<Value> {
        let Expr::Subscript(object_expr, index_expr) = self.module.expr(expr) else { return self.eval(expr) };
        if let (Value::Dict(_), Err(index)) = (&self.frame.locals[object as usize], index)
            && Self::is_quiet(&self.frame.locals[index as usize])
        {
            let locals = &self.frame.locals;
            let result = self.it.getitem(&locals[object as usize], &locals[index as usize]);
            return self.finish(expr, result);
        }
        let object = self.operand(object, *object_expr)?;
        let index = match index {
            Ok(number) => Value::Int(number),
            Err(index) => self.operand(index, *index_expr)?,
        };
        self.stand_at(expr);
        let result = self.marked(expr, |run| run.it.getitem(&object, &index));
        self.finish(expr, result)
    }

    /// What a method call calls, and its receiver ([`Value::Unbound`] where there is none).
    pub(super) fn flat_method(&mut self, object: Reg, expr: ExprId) -> Step<(Value, Value)> {
        let Expr::Attribute(object_expr, name) = self.module.expr(expr) else {
            return Ok((self.eval(expr)?, Value::Unbound));
        };
        let found = match &self.frame.locals[object as usize] {
            Value::Unbound | Value::Unknown(_) | Value::Array(_) | Value::Object(_) => None,
            value => Some(self.it.load_method(value, *name)),
        };
        let (value, found) = match found {
            Some(Ok((callee, receiver))) => {
                if self.user && receiver.is_none() {
                    self.saw_callee(expr, &callee, false);
                }
                return Ok((callee, receiver.unwrap_or(Value::Unbound)));
            }
            Some(found) => (self.operand(object, *object_expr)?, found),
            None => {
                let value = self.operand(object, *object_expr)?;
                let found = self.it.load_method(&value, *name);
                (value, found)
            }
        };
        match found {
            Ok((callee, receiver)) => {
                if self.user {
                    self.saw_callee(expr, &callee, receiver.is_some());
                }
                Ok((callee, receiver.unwrap_or(Value::Unbound)))
            }
            Err(halt) => Ok((self.attribute_failed(expr, &value, *name, halt)?, Value::Unbound)),
        }
    }

    /// A call whose parts are in registers: see [`super::op::Op::Call`].
    #[inline]
    pub(super) fn flat_call(&mut self, base: usize, count: usize, method: bool, expr: ExprId) -> Step<Value> {
        let callee = std::mem::replace(&mut self.frame.locals[base], Value::Unbound);
        let first = match method && self.frame.locals[base + 1].is_unbound() {
            true => base + 2,
            false => base + 1,
        };
        let end = base + 1 + usize::from(method) + count;
        let result = self.call_registers(expr, callee, first..end, method && first == base + 1);
        self.finish(expr, result)
    }

    /// The statement that owns an operation.
    fn owner(&self, flat: &Flat, at: At) -> Option<&'a Stmt> {
        Some(self.module.stmt(flat.pieces.get(flat.owners[at as usize] as usize)?.id))
    }

    /// The target of the statement that owns an operation, or of a comprehension's last clause.
    fn target(&self, flat: &Flat, at: At) -> Option<&'a Target> {
        let owner = flat.owners[at as usize];
        if owner == NOWHERE {
            return match &self.code.body {
                Body::Comprehension(comprehension) => comprehension.clauses.last().map(|clause| &clause.target),
                _ => None,
            };
        }
        match self.module.stmt(flat.pieces[owner as usize].id) {
            Stmt::Assign(targets, _) => match (flat.steps[at as usize].op, &targets[..]) {
                (Op::Store { number, .. }, [Target::Tuple(parts, _)]) => parts.get(usize::from(number)),
                (Op::Store { number, .. }, targets) => targets.get(usize::from(number)),
                (_, targets) => targets.first(),
            },
            Stmt::AugAssign { target, .. } | Stmt::AnnAssign { target, .. } | Stmt::For { target, .. } => Some(target),
            _ => None,
        }
    }

    pub(super) fn flat_assign(&mut self, flat: &Flat, at: At, value: Value, part: Option<usize>) -> Step<()> {
        if let (Some(Stmt::With { items, .. }), Some(part)) = (self.owner(flat, at), part) {
            return match items.get(part).and_then(|item| item.target.as_ref()) {
                Some(target) => self.assign(target, value),
                None => Ok(()),
            };
        }
        let target = match (self.target(flat, at), part) {
            (Some(Target::Tuple(targets, _)), Some(part)) => targets.get(part),
            (target, _) => target,
        };
        match target {
            Some(target) => self.assign(target, value),
            None => Ok(()),
        }
    }

    /// Binds one of several targets of the statement that owns an operation.
    pub(super) fn flat_assign_to(&mut self, flat: &Flat, at: At, number: usize, value: Value) -> Step<()> {
        match self.target_of(flat, at, number) {
            Some(target) => self.assign(target, value),
            None => Ok(()),
        }
    }

    /// This one of the targets of the assignment that owns an operation.
    pub(super) fn target_of(&self, flat: &Flat, at: At, number: usize) -> Option<&'a Target> {
        match self.owner(flat, at) {
            Some(Stmt::Assign(targets, _)) => targets.get(number),
            _ => None,
        }
    }

    /// Reads the variable that the statement that owns an operation changes in place.
    pub(super) fn flat_load_name(&mut self, flat: &Flat, at: At) -> Step<Value> {
        match self.target(flat, at) {
            Some(Target::Name(place, name, span)) => {
                let value = self.load(*place, *name);
                self.placed(value, *span)
            }
            _ => Ok(Value::Unbound),
        }
    }

    pub(super) fn flat_store(&mut self, flat: &Flat, at: At, object: Reg, index: Reg, value: Reg) -> Step<()> {
        let Some(target) = self.target(flat, at) else { return Ok(()) };
        let statement = self.module.stmt(flat.pieces[flat.owners[at as usize] as usize].id);
        // The value of several targets stays where it is.
        let several = matches!(statement, Stmt::Assign(targets, _) if targets.len() > 1);
        let source = match statement {
            Stmt::Assign(_, value) | Stmt::AnnAssign { value: Some(value), .. } => Some(*value),
            _ => None,
        };
        let new = match (self.is_local(value), source) {
            // A variable that is read here for the first time.
            (true, Some(source)) if self.needs_door(&self.frame.locals[value as usize]) => self.eval(source)?,
            (true, _) => self.frame.locals[value as usize].clone(),
            (false, _) if several => self.frame.locals[value as usize].clone(),
            (false, _) => std::mem::replace(&mut self.frame.locals[value as usize], Value::Unbound),
        };
        match target {
            Target::Attribute(object_expr, name, span) => {
                if self.watches_writes() {
                    self.writes_attribute(&self.frame.locals[object as usize], *name, *span);
                }
                let result = match &self.frame.locals[object as usize] {
                    held if self.needs_door(held) => {
                        let held = self.operand(object, *object_expr)?;
                        self.it.setattr(&held, *name, new)
                    }
                    held => self.it.setattr(held, *name, new),
                };
                self.placed(result, *span)
            }
            Target::Subscript(object_expr, index_expr, span) => {
                let locals = &self.frame.locals;
                let (held, key) = (&locals[object as usize], &locals[index as usize]);
                if self.watches_writes() {
                    self.writes_item(held, key, *span);
                }
                let result = match self.needs_door(held) || self.needs_door(key) {
                    true => {
                        let held = self.operand(object, *object_expr)?;
                        let key = self.operand(index, *index_expr)?;
                        self.it.setitem(&held, &key, new)
                    }
                    false => self.it.setitem(held, key, new),
                };
                self.placed(result, *span)
            }
            target => self.assign(target, new),
        }
    }

    /// A property's function that sets the attribute of a statement has failed.
    pub(super) fn flat_not_stored(&mut self, flat: &Flat, at: At, halt: Halt) -> Halt {
        match self.target(flat, at) {
            Some(Target::Attribute(.., span) | Target::Subscript(.., span)) => {
                self.placed(Err::<(), _>(halt), *span).err().unwrap_or(Halt::unknown("what a setter does"))
            }
            _ => halt,
        }
    }

    pub(super) fn flat_load(&mut self, flat: &Flat, at: At, object: Reg, index: Reg) -> Step<Value> {
        let (object_expr, name, index_expr, span) = match self.target(flat, at) {
            Some(Target::Attribute(object, name, span)) => (*object, Some(*name), None, *span),
            Some(Target::Subscript(object, index, span)) => (*object, None, Some(*index), *span),
            _ => return Ok(Value::Unbound),
        };
        // What is stored into afterwards stays in its registers.
        if self.needs_door(&self.frame.locals[object as usize]) && self.is_local(object) {
            self.eval(object_expr)?;
        }
        if let Some(index_expr) = index_expr
            && index != NONE
            && self.needs_door(&self.frame.locals[index as usize])
            && self.is_local(index)
        {
            self.eval(index_expr)?;
        }
        let held = &self.frame.locals[object as usize];
        let result = match name {
            Some(name) => self.it.getattr(held, name),
            None => self.it.getitem(held, &self.frame.locals[index as usize]),
        };
        self.placed(result, span)
    }

    pub(super) fn is_local(&self, reg: Reg) -> bool {
        (reg as usize) < self.code.locals.len()
    }

    pub(super) fn flat_augment(&mut self, flat: &Flat, at: At, op: BinaryOp, dst: Reg, value: Reg) -> Step<Value> {
        let Stmt::AugAssign { target, value: value_expr, .. } =
            self.module.stmt(flat.pieces[flat.owners[at as usize] as usize].id)
        else {
            return Ok(Value::Unbound);
        };
        self.bound(target, dst)?;
        let value = self.operand(value, *value_expr)?;
        let old = self.frame.locals[dst as usize].clone();
        self.it.in_place(op, &old, &value)
    }

    pub(super) fn flat_augment_by(&mut self, flat: &Flat, at: At, op: BinaryOp, dst: Reg, value: Value) -> Step<Value> {
        if let Some(target) = self.target(flat, at) {
            self.bound(target, dst)?;
        }
        let old = self.frame.locals[dst as usize].clone();
        self.it.in_place(op, &old, &value)
    }

    /// A variable that is changed in place has to be there.
    fn bound(&mut self, target: &Target, dst: Reg) -> Step<()> {
        if let (Target::Name(place, name, span), Value::Unbound) = (target, &self.frame.locals[dst as usize]) {
            let missing = self.load(*place, *name);
            self.placed(missing, *span)?;
        }
        Ok(())
    }
}
