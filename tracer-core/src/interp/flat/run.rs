//! Running operations: what plain values do is done here.

use super::op::{At, Flat, Fork, NONE, NOWHERE, Op, Reg};
use crate::interp::function::{Flow, Run};
use crate::interp::loops::{NextItem, Rounds};
use crate::interp::number::fitting;
use crate::interp::quick::{Plain, arithmetic, comparison, item};
use crate::module::{BinaryOp, CompareOp, ExprId, UnaryOp};
use crate::python::halt::{Halt, Step, Why};
use crate::python::{List, Value};

/// The loops of a flat body, those that run.
pub type Loops = Vec<Option<Rounds>>;

/// A failure, and the position behind the operation that failed.
struct Failed(At, Halt);

/// What is behind a condition that is not known.
enum Way {
    /// Operations go on there.
    On(At),
    /// The body ends.
    Out(Flow),
}

impl<'a> Run<'a> {
    /// Runs operations from the first one on.
    #[inline]
    pub(in crate::interp) fn run_flat(&mut self, flat: &'a Flat, mut loops: Loops) -> Step<Flow> {
        if self.frame.locals.len() < flat.registers {
            self.frame.locals.resize(flat.registers, Value::Unbound);
        }
        if loops.len() < flat.loops {
            loops.resize_with(flat.loops, || None);
        }
        let mut at = 0;
        loop {
            match self.operations(flat, at, &mut loops) {
                Ok(flow) => return Ok(flow),
                Err(Failed(behind, halt)) => match self.recover_flat(flat, behind, halt, &mut loops)? {
                    Way::On(next) => at = next,
                    Way::Out(flow) => return Ok(flow),
                },
            }
        }
    }

    /// What the tree would do with a failure: each statement around it may go on behind itself.
    #[cold]
    fn recover_flat(&mut self, flat: &'a Flat, behind: At, mut halt: Halt, loops: &mut Loops) -> Step<Way> {
        let mut piece = flat.owners[behind as usize - 1];
        if piece == NOWHERE {
            return Err(halt);
        }
        loop {
            if flat.outer == Some(piece) {
                return Err(halt);
            }
            match self.recover(flat.pieces[piece as usize].id, halt) {
                Ok(flow) => match self.leave(flat, piece, flow, loops) {
                    Ok(way) => return Ok(way),
                    Err((outer, again)) => (piece, halt) = (outer, again),
                },
                Err(again) => {
                    halt = again;
                    match flat.pieces[piece as usize].parent {
                        Some(parent) => piece = parent,
                        None => return Err(halt),
                    }
                }
            }
        }
    }

    /// Where a statement that ended so is left for; a failure comes with the statement that it ends.
    fn leave(&mut self, flat: &'a Flat, mut piece: u16, mut flow: Flow, loops: &mut Loops) -> Result<Way, (u16, Halt)> {
        loop {
            let it = &flat.pieces[piece as usize];
            if let Flow::Next = flow {
                return Ok(Way::On(it.after));
            }
            let Some(outer) = it.parent else { return Ok(Way::Out(flow)) };
            let around = &flat.pieces[outer as usize];
            if let Some((rounds, end)) = around.looping
                && !it.in_else
                && let Some(rounds) = &loops[rounds as usize]
            {
                if rounds.is_open(self) {
                    flow = self.leave_open(self.parts(around.id), rounds).map_err(|halt| (outer, halt))?;
                } else {
                    match flow {
                        Flow::Break => flow = Flow::Next,
                        Flow::Continue | Flow::Next => return Ok(Way::On(end)),
                        Flow::Return(_) => {}
                    }
                }
            }
            piece = outer;
        }
    }

    /// Runs operations until the body ends.
    fn operations(&mut self, flat: &'a Flat, from: At, loops: &mut Loops) -> Result<Flow, Failed> {
        let it = self.it;
        let mut at = from as usize;
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(halt) => return Err(Failed(at as At, halt)),
                }
            };
        }
        macro_rules! reg {
            ($reg:expr) => {
                self.frame.locals[$reg as usize]
            };
        }
        macro_rules! put {
            ($reg:expr, $value:expr) => {{
                let value = $value;
                Value::put(&mut self.frame.locals[$reg as usize], value)
            }};
        }
        // Puts a plain value where it belongs and goes on: it never travels through memory.
        macro_rules! done {
            ($reg:expr, $value:expr) => {{
                let value = $value;
                Value::put(&mut self.frame.locals[$reg as usize], value);
                continue;
            }};
        }
        macro_rules! computed {
            ($dst:expr, $op:expr, $x:expr, $y:expr) => {
                match ($x, $y) {
                    (Value::Int(x), Value::Int(y)) => {
                        if let Some(number) = integers($op, *x, *y) {
                            done!($dst, Value::Int(number))
                        }
                    }
                    (Value::Float(x), Value::Float(y)) => {
                        if let Some(number) = floats($op, *x, *y) {
                            done!($dst, Value::Float(number))
                        }
                    }
                    _ => {}
                }
            };
        }
        macro_rules! computed_int {
            ($dst:expr, $op:expr, $x:expr, $y:expr) => {
                if let Value::Int(x) = $x
                    && let Some(number) = integers($op, *x, $y)
                {
                    done!($dst, Value::Int(number))
                }
            };
        }
        // The statement that owns the operation ended so.
        macro_rules! leave {
            ($flow:expr) => {{
                let flow = $flow;
                match self.leave(flat, flat.owners[at - 1], flow, loops) {
                    Ok(Way::On(next)) => at = next as usize,
                    Ok(Way::Out(flow)) => return Ok(flow),
                    Err((piece, halt)) => {
                        // The failure belongs to that statement: any operation of its own stands for it.
                        let own = flat.owners.iter().position(|owner| *owner == piece).unwrap_or(0);
                        return Err(Failed(own as At + 1, halt));
                    }
                }
            }};
        }
        macro_rules! fork {
            ($why:expr) => {
                match attempt!(self.fork(flat, at as At - 1, $why)) {
                    Ok(next) => at = next as usize,
                    Err(flow) => leave!(flow),
                }
            };
        }
        loop {
            let op = &flat.ops[at];
            at += 1;
            match *op {
                Op::Spend(cost) => attempt!(it.spend_several(cost)),
                Op::Copy { dst, src, expr } => {
                    let value = match &reg!(src) {
                        Value::Int(value) => done!(dst, Value::Int(*value)),
                        Value::Float(value) => done!(dst, Value::Float(*value)),
                        value if self.needs_door(value) => attempt!(self.eval(expr)),
                        value => value.clone(),
                    };
                    put!(dst, value);
                }
                Op::Look { src, expr } => {
                    if self.needs_door(&reg!(src)) {
                        attempt!(self.eval(expr));
                    }
                }
                Op::Cell { dst, cell, expr } => {
                    let known = {
                        let value = self.cell(u32::from(cell)).read();
                        (!self.needs_door(&value)).then(|| value.clone())
                    };
                    let value = match known {
                        Some(value) => value,
                        None => attempt!(self.eval(expr)),
                    };
                    put!(dst, value);
                }
                Op::Global { dst, slot, expr } => {
                    let known = {
                        let slots = self.home.slots.read();
                        slots.get(slot as usize).filter(|value| !self.needs_door(value)).cloned()
                    };
                    let value = match known {
                        Some(value) => value,
                        None => attempt!(self.eval(expr)),
                    };
                    put!(dst, value);
                }
                Op::Constant { dst, index } => match &flat.constants[index as usize] {
                    Value::Int(value) => done!(dst, Value::Int(*value)),
                    Value::Float(value) => done!(dst, Value::Float(*value)),
                    value => put!(dst, value.clone()),
                },
                Op::Take { dst, src } => {
                    let value = std::mem::replace(&mut reg!(src), Value::Unbound);
                    put!(dst, value);
                }
                Op::Eval { dst, expr } => put!(dst, attempt!(self.eval(expr))),
                Op::Walk => {
                    let id = flat.pieces[flat.owners[at - 1] as usize].id;
                    match attempt!(self.statement(id)) {
                        Flow::Next => {}
                        flow => leave!(flow),
                    }
                }
                Op::Binary { op, dst, left, right, expr } => {
                    let (x, y) = (&reg!(left), &reg!(right));
                    computed!(dst, op, x, y);
                    let value = match plain(op, x, y) {
                        Some(number) => number,
                        None => match (op, &reg!(left), &reg!(right)) {
                            (BinaryOp::Add, Value::Str(x), Value::Str(y)) => attempt!(it.concatenated(x, y)),
                            _ => attempt!(self.flat_binary(op, left, right, expr)),
                        },
                    };
                    put!(dst, value);
                }
                Op::BinaryInt { op, dst, left, right, expr } => {
                    let right = i64::from(right);
                    let x = &reg!(left);
                    computed_int!(dst, op, x, right);
                    let value = match plain(op, x, &Value::Int(right)) {
                        Some(number) => number,
                        None => attempt!(self.flat_binary_int(op, left, right, expr)),
                    };
                    put!(dst, value);
                }
                Op::Augment { op, dst, value } => {
                    let (x, y) = (&reg!(dst), &reg!(value));
                    computed!(dst, op, x, y);
                    let value = match plain(op, x, y) {
                        Some(number) => number,
                        None => attempt!(self.flat_augment(flat, at as At - 1, op, dst, value)),
                    };
                    put!(dst, value);
                }
                Op::AugmentInt { op, dst, value } => {
                    let right = i64::from(value);
                    let x = &reg!(dst);
                    computed_int!(dst, op, x, right);
                    let value = match plain(op, x, &Value::Int(right)) {
                        Some(number) => number,
                        None => attempt!(self.flat_augment_by(flat, at as At - 1, op, dst, Value::Int(right))),
                    };
                    put!(dst, value);
                }
                Op::Unary { op, dst, value, expr } => {
                    let known = match (op, &reg!(value)) {
                        (UnaryOp::Not, Value::Bool(value)) => Some(Value::Bool(!*value)),
                        (UnaryOp::Not, Value::None) => Some(Value::Bool(true)),
                        (UnaryOp::Neg, Value::Int(value)) => value.checked_neg().map(Value::Int),
                        (UnaryOp::Neg, Value::Float(value)) => Some(Value::Float(-value)),
                        _ => None,
                    };
                    let value = match known {
                        Some(value) => value,
                        None => attempt!(self.flat_unary(op, value, expr)),
                    };
                    put!(dst, value);
                }
                Op::Compare { op, dst, left, right, expr } => {
                    let value = match compared(op, &reg!(left), &reg!(right)) {
                        Some(truth) => done!(dst, Value::Bool(truth)),
                        None => attempt!(self.flat_compare(op, left, Err(right), expr)),
                    };
                    put!(dst, value);
                }
                Op::Branch { op, left, right, expr, otherwise } => {
                    let truth = match compared(op, &reg!(left), &reg!(right)) {
                        Some(truth) => Ok(truth),
                        None => {
                            let value = attempt!(self.flat_compare(op, left, Err(right), expr));
                            attempt!(self.flat_truth(flat, at as At - 1, &value))
                        }
                    };
                    match truth {
                        Ok(true) => {}
                        Ok(false) => at = otherwise as usize,
                        Err(why) => fork!(why),
                    }
                }
                Op::BranchInt { op, left, right, expr, otherwise } => {
                    let truth = match (&reg!(left), op) {
                        (Value::Int(x), CompareOp::Lt) => Ok(*x < i64::from(right)),
                        (Value::Int(x), CompareOp::Eq) => Ok(*x == i64::from(right)),
                        (value, _) => match compared(op, value, &Value::Int(i64::from(right))) {
                            Some(truth) => Ok(truth),
                            None => {
                                let right = Ok(i64::from(right));
                                let value = attempt!(self.flat_compare(op, left, right, expr));
                                attempt!(self.flat_truth(flat, at as At - 1, &value))
                            }
                        },
                    };
                    match truth {
                        Ok(true) => {}
                        Ok(false) => at = otherwise as usize,
                        Err(why) => fork!(why),
                    }
                }
                Op::Test { value, expr, otherwise } => {
                    let truth = match truth_of(&reg!(value)) {
                        Some(truth) => Ok(truth),
                        None => {
                            let value = attempt!(self.operand(value, expr));
                            attempt!(self.flat_truth(flat, at as At - 1, &value))
                        }
                    };
                    match truth {
                        Ok(true) => {}
                        Ok(false) => at = otherwise as usize,
                        Err(why) => fork!(why),
                    }
                }
                Op::Jump(to) => at = to as usize,
                Op::Choose { is_and, value, at: operand, expr, end } => {
                    let goes_on = match truth_of(&reg!(value)) {
                        Some(truth) => truth == is_and,
                        None => attempt!(self.flat_choose(is_and, value, operand as usize, expr)),
                    };
                    if !goes_on {
                        at = end as usize;
                    }
                }
                Op::Seen { value, expr } => {
                    if let Value::Array(_) | Value::Object(_) | Value::Unknown(_) = &reg!(value) {
                        let value = reg!(value).clone();
                        self.saw(expr, &value);
                    }
                }
                Op::Attribute { dst, object, expr } => {
                    let own = match &reg!(object) {
                        Value::Instance(instance) => {
                            it.own_attr(instance, self.attribute_name(expr)).filter(|own| !self.is_shown(own))
                        }
                        _ => None,
                    };
                    let value = match own {
                        Some(value) => value,
                        None => attempt!(self.flat_attribute(object, expr)),
                    };
                    put!(dst, value);
                }
                Op::Subscript { dst, object, index, expr } => {
                    let found = match (&reg!(object), &reg!(index)) {
                        (Value::List(list), Value::Int(at)) => {
                            let contents = list.contents();
                            match contents.vague {
                                None => item(&contents.items, *at).cloned(),
                                Some(_) => None,
                            }
                        }
                        (Value::Tuple(items), Value::Int(at)) => item(items, *at).cloned(),
                        _ => None,
                    };
                    let value = match found.filter(|found| !self.is_shown(found)) {
                        Some(value) => value,
                        None => attempt!(self.flat_subscript(object, Err(index), expr)),
                    };
                    put!(dst, value);
                }
                Op::SubscriptInt { dst, object, index, expr } => {
                    let found = match &reg!(object) {
                        Value::List(list) => {
                            let contents = list.contents();
                            match contents.vague {
                                None => item(&contents.items, i64::from(index)).cloned(),
                                Some(_) => None,
                            }
                        }
                        Value::Tuple(items) => item(items, i64::from(index)).cloned(),
                        _ => None,
                    };
                    let value = match found.filter(|found| !self.is_shown(found)) {
                        Some(value) => value,
                        None => attempt!(self.flat_subscript(object, Ok(i64::from(index)), expr)),
                    };
                    put!(dst, value);
                }
                Op::Method { base, object, expr } => {
                    let (callee, receiver) = attempt!(self.flat_method(object, expr));
                    put!(base, callee);
                    put!(base + 1, receiver);
                }
                Op::Unread { base, dst, expr, end } => {
                    if let Value::Unknown(_) = &reg!(base) {
                        put!(base, Value::Unbound);
                        put!(dst, attempt!(self.eval(expr)));
                        at = end as usize;
                    }
                }
                Op::Call { dst, base, count, method, expr } => {
                    let value = attempt!(self.flat_call(base as usize, count as usize, method, expr));
                    put!(dst, value);
                }
                Op::Tuple { dst, base, count } => {
                    let items = self.taken(base, count).collect();
                    put!(dst, Value::Tuple(items));
                }
                Op::List { dst, base, count } => {
                    let items = self.taken(base, count).collect();
                    put!(dst, Value::List(List::new(items)));
                }
                Op::Assign { value } => {
                    let value = std::mem::replace(&mut reg!(value), Value::Unbound);
                    attempt!(self.flat_assign(flat, at as At - 1, value, None));
                }
                Op::AssignPart { value, part } => {
                    let value = std::mem::replace(&mut reg!(value), Value::Unbound);
                    attempt!(self.flat_assign(flat, at as At - 1, value, Some(part as usize)));
                }
                Op::Unpack { value, slots } => {
                    let value = std::mem::replace(&mut reg!(value), Value::Unbound);
                    let slots = &flat.slots[slots as usize];
                    match &value {
                        Value::Tuple(items) if items.len() == slots.len() => {
                            for (slot, item) in slots.iter().zip(items.iter()) {
                                put!(*slot, item.clone());
                            }
                        }
                        _ => attempt!(self.flat_assign(flat, at as At - 1, value, None)),
                    }
                }
                Op::Store { object, index, value } => {
                    if !self.stored(object, index, value) {
                        attempt!(self.flat_store(flat, at as At - 1, object, index, value));
                    }
                }
                Op::Load { dst, object, index } => {
                    put!(dst, attempt!(self.flat_load(flat, at as At - 1, object, index)));
                }
                Op::StartFor { rounds, iterable } => {
                    let value = std::mem::replace(&mut reg!(iterable), Value::Unbound);
                    let parts = self.parts(flat.pieces[flat.owners[at - 1] as usize].id);
                    match attempt!(self.start_for(parts, value)) {
                        Ok(started) => loops[rounds as usize] = Some(started),
                        Err(flow) => leave!(flow),
                    }
                }
                Op::NextItem { rounds, dst, over } => {
                    attempt!(it.spend());
                    let Some(running) = &mut loops[rounds as usize] else { return Ok(Flow::Next) };
                    let at_hand = self.lost.is_none() && !running.is_sized();
                    if at_hand {
                        match running.next_number() {
                            Some(Some(number)) => {
                                running.begin(self);
                                done!(dst, Value::Int(number));
                            }
                            Some(None) => {
                                at = over as usize;
                                continue;
                            }
                            None => {}
                        }
                    }
                    let item = match at_hand.then(|| running.next_at_hand(self.user)).flatten() {
                        Some(Some(item)) => item,
                        Some(None) => {
                            at = over as usize;
                            continue;
                        }
                        None => {
                            let parts = self.parts(flat.pieces[flat.owners[at - 1] as usize].id);
                            match attempt!(self.next_item(parts, running)) {
                                NextItem::Item(item) => item,
                                NextItem::Over => {
                                    at = over as usize;
                                    continue;
                                }
                                NextItem::Left(flow) => {
                                    leave!(flow);
                                    continue;
                                }
                            }
                        }
                    };
                    running.begin(self);
                    put!(dst, item);
                }
                Op::StartWhile { rounds } => loops[rounds as usize] = Some(Rounds::new(self)),
                Op::NextRound { rounds } => {
                    attempt!(it.spend());
                    let Some(running) = &loops[rounds as usize] else { return Ok(Flow::Next) };
                    if self.lost.is_some() && self.is_left_lost(running) {
                        leave!(Flow::Next);
                    }
                }
                Op::InRound { rounds } => {
                    if let Some(running) = &mut loops[rounds as usize] {
                        running.begin(self);
                    }
                }
                Op::EndRound { rounds, head } => {
                    let Some(running) = &mut loops[rounds as usize] else { return Ok(Flow::Next) };
                    if running.is_open(self) {
                        let parts = self.parts(flat.pieces[flat.owners[at - 1] as usize].id);
                        let flow = attempt!(self.leave_open(parts, running));
                        leave!(flow);
                        continue;
                    }
                    if self.user && running.is_over(self) {
                        let parts = self.parts(flat.pieces[flat.owners[at - 1] as usize].id);
                        if let Some(flow) = attempt!(self.widen(parts, running)) {
                            leave!(flow);
                            continue;
                        }
                    }
                    at = head as usize;
                }
                Op::Break(to) => match self.open_loops.is_empty() {
                    true => at = to as usize,
                    false => leave!(Flow::Break),
                },
                Op::Continue(to) => match self.open_loops.is_empty() {
                    true => at = to as usize,
                    false => leave!(Flow::Continue),
                },
                Op::Return { value, expr } => {
                    let value = match value {
                        NONE => Value::None,
                        value if self.needs_door(&reg!(value)) => attempt!(self.operand(value, expr)),
                        value => reg!(value).clone(),
                    };
                    match self.open_loops.is_empty() {
                        true => return Ok(Flow::Return(value)),
                        false => leave!(Flow::Return(value)),
                    }
                }
                Op::End => return Ok(Flow::Next),
            }
        }
    }

    /// Sets an item of a list, where that is all there is to do.
    #[inline]
    fn stored(&self, object: Reg, index: Reg, value: Reg) -> bool {
        let locals = &self.frame.locals;
        let new = &locals[value as usize];
        if index != NONE
            && let (Value::List(list), Value::Int(at)) = (&locals[object as usize], &locals[index as usize])
            && !list.is_vague()
            && !self.needs_door(new)
        {
            let mut items = list.write();
            let at = if *at < 0 { *at + items.len() as i64 } else { *at };
            if let Some(slot) = usize::try_from(at).ok().and_then(|at| items.get_mut(at)) {
                let old = std::mem::replace(slot, new.clone());
                drop(items);
                drop(old);
                return true;
            }
        }
        false
    }

    /// Where a condition that is not known leads: on to operations, or out of the statement.
    fn fork(&mut self, flat: &'a Flat, at: At, why: Why) -> Step<Result<At, Flow>> {
        match flat.forks.get(&at) {
            Some(Fork::Expression(expr, dst, end)) => {
                let value = self.flat_either(*expr, why)?;
                Value::put(&mut self.frame.locals[*dst as usize], value);
                Ok(Ok(*end))
            }
            _ => {
                let id = flat.pieces[flat.owners[at as usize] as usize].id;
                self.fork_statement(id, why).map(Err)
            }
        }
    }

    /// Whether reading a variable with this value needs the door: it is not there, not known, or shown.
    #[inline(always)]
    fn needs_door(&self, value: &Value) -> bool {
        match value {
            Value::Unbound | Value::Unknown(_) => true,
            Value::Array(_) | Value::Object(_) => self.user,
            _ => false,
        }
    }

    /// Whether a result is recorded, or is not there.
    #[inline(always)]
    pub(super) fn is_shown(&self, value: &Value) -> bool {
        self.needs_door(value)
    }

    /// Moves temporaries out.
    fn taken(&mut self, base: Reg, count: u16) -> impl Iterator<Item = Value> {
        let base = base as usize;
        self.frame.locals[base..base + count as usize].iter_mut().map(|value| std::mem::replace(value, Value::Unbound))
    }

    /// The value of an operand: a variable is read through the door, a temporary is moved out.
    pub(super) fn operand(&mut self, reg: Reg, expr: ExprId) -> Step<Value> {
        match (reg as usize) < self.code.locals.len() {
            true => self.eval(expr),
            false => Ok(std::mem::replace(&mut self.frame.locals[reg as usize], Value::Unbound)),
        }
    }
}

/// The commonest operations on integers.
#[inline(always)]
fn integers(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        op => fitting(op, x, y),
    }
}

/// The commonest operations on floats.
#[inline(always)]
fn floats(op: BinaryOp, x: f64, y: f64) -> Option<f64> {
    match op {
        BinaryOp::Add => Some(x + y),
        BinaryOp::Sub => Some(x - y),
        BinaryOp::Mul => Some(x * y),
        BinaryOp::Div if y != 0.0 => Some(x / y),
        _ => None,
    }
}

/// An operation on plain numbers.
#[inline]
fn plain(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    arithmetic(op, Plain::of(left)?, Plain::of(right)?).map(Value::from)
}

/// A comparison of plain values.
#[inline(always)]
fn compared(op: CompareOp, left: &Value, right: &Value) -> Option<bool> {
    match (op, left, right) {
        (CompareOp::Is | CompareOp::IsNot, Value::Unknown(_) | Value::Unbound, _)
        | (CompareOp::Is | CompareOp::IsNot, _, Value::Unknown(_) | Value::Unbound) => None,
        (CompareOp::Is, Value::Array(_) | Value::Object(_), _)
        | (CompareOp::IsNot, Value::Array(_) | Value::Object(_), _) => None,
        (CompareOp::Is, left, right) => Some(left.is(right)),
        (CompareOp::IsNot, left, right) => Some(!left.is(right)),
        (CompareOp::In | CompareOp::NotIn, ..) => None,
        (CompareOp::Eq, Value::Str(x), Value::Str(y)) => Some(x == y),
        (CompareOp::NotEq, Value::Str(x), Value::Str(y)) => Some(x != y),
        (op, left, right) => comparison(op, Plain::of(left)?, Plain::of(right)?),
    }
}

/// The truth of a plain value.
#[inline(always)]
pub(in crate::interp) fn truth_of(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::None => Some(false),
        Value::Int(value) => Some(*value != 0),
        Value::Float(value) => Some(*value != 0.0),
        Value::Str(text) => Some(!text.is_empty()),
        Value::Tuple(items) => Some(!items.is_empty()),
        _ => None,
    }
}
