//! Which function runs an operation.
//!
//! Each operation is run by a small function of its own, chosen when the code is translated: what it does with plain values
//! stays in machine registers, and everything else is behind a call.

use super::numbers::{self, Add, And, Any, Div, Eq, Floor, Ge, Gt, Le, Lt, Mul, Ne, Rem, Sub};
use super::op::{At, Flat, NONE, Op};
use super::{calls, comprehensions, displays, elements, flow, items, methods, places, probes, rest, slices, tries};
use crate::interp::function::Run;
use crate::module::{BinaryOp, CompareOp};

/// Runs an operation that stands at a position; gives the position of the next one, or [`super::op::STOP`].
pub type Handler = for<'r, 'a> fn(&'r mut Run<'a>, &'a Flat, &'a Op, At) -> At;

/// The fields of the operation that a handler is for.
macro_rules! fields {
    ($op:expr, $variant:ident $fields:tt) => {
        let Op::$variant $fields = *$op else { $crate::interp::flat::handlers::mistaken($op) };
    };
}
pub(super) use fields;

/// What a step gives; where it fails, the operation does.
macro_rules! attempt {
    ($run:expr, $at:expr, $result:expr) => {
        match $result {
            Ok(value) => value,
            Err(halt) => return $run.fails($at, halt),
        }
    };
}
pub(super) use attempt;

/// What follows is not for a copy of a function's form: see [`super::inline`].
macro_rules! inside {
    ($run:expr, $flat:expr, $at:expr) => {
        if $flat.window.is_some() {
            return $run.bails($at);
        }
    };
}
pub(super) use inside;

/// A handler was given an operation of another kind.
#[cold]
#[inline(never)]
pub(super) fn mistaken(op: &Op) -> ! {
    unreachable!("{op:?} has another handler")
}

/// The handler of an operator, by the operators that have one of their own.
macro_rules! by_operator {
    ($op:expr, $handler:ident) => {
        match $op {
            BinaryOp::Add => numbers::$handler::<Add>,
            BinaryOp::Sub => numbers::$handler::<Sub>,
            BinaryOp::Mul => numbers::$handler::<Mul>,
            BinaryOp::Div => numbers::$handler::<Div>,
            BinaryOp::FloorDiv => numbers::$handler::<Floor>,
            BinaryOp::Mod => numbers::$handler::<Rem>,
            BinaryOp::BitAnd => numbers::$handler::<And>,
            _ => numbers::$handler::<Any>,
        }
    };
}

macro_rules! by_comparison {
    ($op:expr, $room:ident::$handler:ident, $other:expr) => {
        match $op {
            CompareOp::Lt => $room::$handler::<Lt>,
            CompareOp::LtE => $room::$handler::<Le>,
            CompareOp::Gt => $room::$handler::<Gt>,
            CompareOp::GtE => $room::$handler::<Ge>,
            CompareOp::Eq => $room::$handler::<Eq>,
            CompareOp::NotEq => $room::$handler::<Ne>,
            _ => $other,
        }
    };
}

/// The handler of an operation.
pub fn handler(op: &Op) -> Handler {
    match op {
        Op::Binary { op, .. } => by_operator!(op, binary),
        Op::BinaryInt { op, .. } => by_operator!(op, binary_int),
        Op::Augment { op, .. } => by_operator!(op, augment),
        Op::AugmentInt { op, .. } => by_operator!(op, augment_int),
        Op::Compare { op, .. } => by_comparison!(op, numbers::compare, numbers::compare_any),
        Op::Branch { op, .. } => by_comparison!(op, numbers::branch, numbers::branch_any),
        Op::BranchInt { op, .. } => by_comparison!(op, numbers::branch_int, numbers::branch_int_any),
        Op::Quick { op, .. } => by_comparison!(op, probes::quick, probes::quick_any),
        Op::QuickInt { op, .. } => by_comparison!(op, probes::quick_int, probes::quick_int_any),
        Op::QuickNone { .. } => probes::quick_none,
        Op::QuickTruth { .. } => probes::quick_truth,
        Op::QuickItem { .. } => probes::quick_item,
        Op::QuickMethod { .. } => probes::quick_method,
        Op::Chain { op, .. } => by_comparison!(op, probes::chain, probes::chain_any),
        Op::Unary { .. } => numbers::unary,
        Op::Test { .. } => numbers::test,
        Op::Choose { .. } => numbers::choose,
        Op::Copy { .. } => places::copy,
        Op::Look { .. } => places::look,
        Op::Cell { .. } => places::cell,
        Op::Global { .. } => places::global,
        Op::Constant { .. } => places::constant,
        Op::Take { .. } => places::take,
        Op::Eval { .. } => places::eval,
        Op::Seen { .. } => places::seen,
        Op::Attribute { .. } => places::attribute,
        Op::Subscript { .. } => items::subscript,
        Op::SubscriptInt { .. } => items::subscript_int,
        Op::Slice { .. } => slices::slice,
        Op::MakeSlice { .. } => slices::make,
        Op::Dict { .. } => displays::dict,
        Op::Set { .. } => displays::set,
        Op::AssignTo { .. } => places::assign_to,
        Op::LoadName { .. } => places::load_name,
        Op::AssignName { .. } => places::assign_name,
        Op::Tuple { .. } => displays::tuple,
        Op::List { .. } => displays::list,
        Op::Assign { .. } => places::assign,
        Op::AssignPart { .. } => places::assign_part,
        Op::Unpack { .. } => places::unpack,
        Op::UnpackShape { .. } => places::unpack_shape,
        Op::Store { index: NONE, .. } => items::store_attribute,
        Op::Store { .. } => items::store_item,
        Op::Load { .. } => items::load,
        Op::Method { builtin: Some(_), .. } => methods::builtin_method,
        Op::Method { .. } => methods::method,
        Op::SuperMethod { .. } => methods::super_method,
        Op::Unread { .. } => calls::unread,
        Op::Call { builtin: Some(_), .. } => calls::builtin_call,
        Op::Call { .. } => calls::call,
        Op::CallNamed { .. } => calls::call_named,
        Op::Comprehend { .. } => comprehensions::comprehend,
        Op::Elements { .. } => comprehensions::elements,
        Op::Yield { .. } => rest::yields,
        Op::Delegate { .. } => rest::delegates,
        Op::Spend(_) => flow::spend,
        Op::Walk => flow::walk,
        Op::Jump(_) => flow::jump,
        Op::StartFor { .. } => flow::start_for,
        Op::NextItem { .. } => flow::next_item,
        Op::NextParts { .. } => flow::next_parts,
        Op::StartWhile { .. } => flow::start_while,
        Op::InRound { .. } => flow::in_round,
        Op::EndRound { .. } => flow::end_round,
        Op::Break(_) => flow::breaks,
        Op::Continue(_) => flow::continues,
        Op::NextElement { .. } => elements::next_element,
        Op::NextElementParts { .. } => elements::next_element_parts,
        Op::Collect { .. } => elements::collect,
        Op::Guard => tries::guard,
        Op::Unguard => tries::unguard,
        Op::Catches { .. } => tries::catches,
        Op::Handled { .. } => tries::handled,
        Op::Uncaught => tries::uncaught,
        Op::Finally => tries::finally,
        Op::EndFinally => tries::end_finally,
        Op::Enter { .. } => tries::enter,
        Op::Within => tries::within,
        Op::EndWithin => tries::end_within,
        Op::LeaveWith { .. } => tries::leave_with,
        Op::Leave { .. } => tries::leave,
        Op::Raise { .. } => tries::raise,
        Op::Return { .. } => flow::returns,
        Op::End => flow::end,
    }
}
