//! What fits into a copy of a small function ([`super::inline`]): which operations, and where they call functions.

use super::handlers::mistaken;
use super::op::{Instruction, NONE, Op, Reg};
use crate::module::ExprId;

/// Functions with more operations or registers have a frame of their own.
const MOST_STEPS: usize = 48;
const MOST_REGISTERS: usize = 24;

/// A place where a function is called.
#[derive(Copy, Clone, Debug)]
pub(super) struct Place {
    /// What stands there is kept by this number.
    pub site: u16,
    /// The expression that the call is marked with.
    pub mark: Option<ExprId>,
    /// The expression at which who calls stands then.
    pub stand: Option<ExprId>,
}

/// Moves the registers of an operation; `None` for one that a copy does not run.
pub(super) fn moved(op: &Op, by: Reg) -> Option<Op> {
    let r = |reg: Reg| if reg == NONE { NONE } else { reg + by };
    Some(match *op {
        Op::Spend(cost) => Op::Spend(cost),
        Op::Cell { dst, cell, expr } => Op::Cell { dst: r(dst), cell, expr },
        Op::Global { dst, slot, expr } => Op::Global { dst: r(dst), slot, expr },
        Op::Constant { dst, index } => Op::Constant { dst: r(dst), index },
        Op::Copy { dst, src, expr } => Op::Copy { dst: r(dst), src: r(src), expr },
        Op::Look { src, expr } => Op::Look { src: r(src), expr },
        Op::Take { dst, src } => Op::Take { dst: r(dst), src: r(src) },
        Op::Binary { op, dst, left, right, site, expr } => {
            Op::Binary { op, dst: r(dst), left: r(left), right: r(right), site, expr }
        }
        Op::BinaryInt { op, dst, left, right, site, expr } => {
            Op::BinaryInt { op, dst: r(dst), left: r(left), right, site, expr }
        }
        Op::Unary { op, dst, value, expr } => Op::Unary { op, dst: r(dst), value: r(value), expr },
        Op::Compare { op, dst, left, right, site, expr } => {
            Op::Compare { op, dst: r(dst), left: r(left), right: r(right), site, expr }
        }
        Op::Branch { op, left, right, site, expr, otherwise } => {
            Op::Branch { op, left: r(left), right: r(right), site, expr, otherwise }
        }
        Op::BranchInt { op, left, right, expr, otherwise } => {
            Op::BranchInt { op, left: r(left), right, expr, otherwise }
        }
        Op::Quick { op, when, skip, left, right, aim } => {
            Op::Quick { op, when, skip, left: r(left), right: r(right), aim }
        }
        Op::QuickInt { op, when, skip, left, right, aim } => Op::QuickInt { op, when, skip, left: r(left), right, aim },
        Op::QuickNone { when, skip, value, aim } => Op::QuickNone { when, skip, value: r(value), aim },
        Op::QuickTruth { when, skip, value, aim } => Op::QuickTruth { when, skip, value: r(value), aim },
        Op::QuickItem { skip, dst, object, first, second } => {
            Op::QuickItem { skip, dst: r(dst), object: r(object), first: r(first), second: r(second) }
        }
        Op::QuickMethod { builtin, skip, dst, object, first, constant } => {
            Op::QuickMethod { builtin, skip, dst: r(dst), object: r(object), first: r(first), constant }
        }
        Op::Chain { op, number, last, dst, left, right, expr } => {
            Op::Chain { op, number, last, dst: r(dst), left: r(left), right: r(right), expr }
        }
        Op::Test { value, expr, otherwise } => Op::Test { value: r(value), expr, otherwise },
        Op::Jump(to) => Op::Jump(to),
        Op::Choose { is_and, value, at, expr, end } => Op::Choose { is_and, value: r(value), at, expr, end },
        Op::Unpack { value, slots } => Op::Unpack { value: r(value), slots },
        Op::CallNamed { dst, base, count, method, names, expr } => {
            Op::CallNamed { dst: r(dst), base: r(base), count, method, names, expr }
        }
        Op::Seen { value, expr } => Op::Seen { value: r(value), expr },
        Op::Attribute { dst, object, named, site, expr } => {
            Op::Attribute { dst: r(dst), object: r(object), named, site, expr }
        }
        Op::Subscript { dst, object, index, site, expr } => {
            Op::Subscript { dst: r(dst), object: r(object), index: r(index), site, expr }
        }
        Op::SubscriptInt { dst, object, index, site, expr } => {
            Op::SubscriptInt { dst: r(dst), object: r(object), index, site, expr }
        }
        Op::Method { builtin, base, object, site, expr } => {
            Op::Method { builtin, base: r(base), object: r(object), site, expr }
        }
        Op::SuperMethod { base, site, expr } => Op::SuperMethod { base: r(base), site, expr },
        Op::Unread { base, dst, expr, end } => Op::Unread { base: r(base), dst: r(dst), expr, end },
        Op::Call { builtin, dst, base, count, method, site, expr } => {
            Op::Call { builtin, dst: r(dst), base: r(base), count, method, site, expr }
        }
        Op::Tuple { dst, base, count } => Op::Tuple { dst: r(dst), base: r(base), count },
        Op::List { dst, base, count } => Op::List { dst: r(dst), base: r(base), count },
        Op::Dict { dst, base, count, expr } => Op::Dict { dst: r(dst), base: r(base), count, expr },
        Op::Set { dst, base, count, expr } => Op::Set { dst: r(dst), base: r(base), count, expr },
        Op::Store { object, index, value, named, site, number } => {
            Op::Store { object: r(object), index: r(index), value: r(value), named, site, number }
        }
        Op::Load { dst, object, index, named } => Op::Load { dst: r(dst), object: r(object), index: r(index), named },
        Op::LoadName { dst, held } => Op::LoadName { dst: r(dst), held },
        Op::AssignName { value, held } => Op::AssignName { value: r(value), held },
        Op::Augment { op, dst, value } => Op::Augment { op, dst: r(dst), value: r(value) },
        Op::AugmentInt { op, dst, value } => Op::AugmentInt { op, dst: r(dst), value },
        Op::Return { value, expr, whole } => Op::Return { value: r(value), expr, whole },
        Op::End => Op::End,
        _ => return None,
    })
}

/// Whether a form is small enough for copies, and begins with what they run.
pub fn is_small(steps: &[Instruction], registers: usize, loops: usize) -> bool {
    /// So many operations at its beginning have to be of use.
    const FIRST: usize = 3;
    loops == 0
        && steps.len() <= MOST_STEPS
        && registers <= MOST_REGISTERS
        && steps.iter().take(FIRST).all(|step| moved(&step.op, 0).is_some())
}

/// The place of an operation that calls a function.
pub(super) fn place_of(op: &Op) -> Place {
    match *op {
        Op::Call { site, expr, .. }
        | Op::Attribute { site, expr, .. }
        | Op::Subscript { site, expr, .. }
        | Op::SubscriptInt { site, expr, .. } => Place { site, mark: Some(expr), stand: Some(expr) },
        Op::Binary { site, expr, .. }
        | Op::BinaryInt { site, expr, .. }
        | Op::Compare { site, expr, .. }
        | Op::Branch { site, expr, .. } => Place { site, mark: Some(expr), stand: None },
        Op::Store { site, .. } | Op::Enter { site, .. } | Op::LeaveWith { site } => {
            Place { site, mark: None, stand: None }
        }
        ref op => mistaken(op),
    }
}

/// Whether an operation may fail inside of a copy.
pub(super) fn calls_functions(op: &Op) -> bool {
    matches!(
        op,
        Op::Call { .. }
            | Op::CallNamed { .. }
            | Op::Attribute { .. }
            | Op::Subscript { .. }
            | Op::SubscriptInt { .. }
            | Op::Binary { .. }
            | Op::BinaryInt { .. }
            | Op::Compare { .. }
            | Op::Branch { .. }
            | Op::Store { .. }
            | Op::Enter { .. }
            | Op::LeaveWith { .. }
    )
}
