//! Comparisons that are chained, and what conditions lead to.

use smallvec::{SmallVec, smallvec};

use super::Emitter;
use crate::interp::flat::op::{At, Fork, Op, Reg};
use crate::module::{CompareOp, Const, Expr, ExprId, Place, UnaryOp};

/// The jumps of a condition that are taken where it does not hold.
pub(super) struct Jumps {
    /// The operation that decides where no shorter way does: what is not known is asked for here.
    pub deciding: At,
    all: SmallVec<[At; 4]>,
}

/// A shorter way through an operand that has no aim yet.
struct Probe {
    at: At,
    /// Whether it leads to what is done where the condition holds.
    to_body: bool,
}

impl Emitter<'_> {
    /// Gives all jumps of a condition their aim: here.
    pub(super) fn land_all(&mut self, jumps: &Jumps) {
        for jump in &jumps.all {
            self.land(*jump);
        }
    }

    /// A condition: the jumps that are taken where it does not hold.
    pub(super) fn condition(&mut self, test: ExprId, fork: Fork) -> Jumps {
        let module = self.module;
        self.cost += 1;
        let mut jumps = match module.expr(test) {
            Expr::Compare(left, rest) if let [(op, right)] = rest[..] => self.comparison(test, *left, op, right),
            Expr::And(values) => self.operands(test, values, true),
            Expr::Or(values) => self.operands(test, values, false),
            Expr::Unary(UnaryOp::Not, inner) => {
                self.cost += 1;
                let value = self.operand(*inner);
                let probe = self.emit(Op::QuickTruth { when: true, skip: 0, value, aim: 0 });
                let not = self.temporaries(1);
                self.emit(Op::Unary { op: UnaryOp::Not, dst: not, value, expr: test });
                let deciding = self.emit(Op::Test { value: not, expr: test, otherwise: 0 });
                self.skips(probe);
                Jumps { deciding, all: smallvec![probe, deciding] }
            }
            _ => {
                let value = self.operand(test);
                let deciding = self.emit(Op::Test { value, expr: test, otherwise: 0 });
                Jumps { deciding, all: smallvec![deciding] }
            }
        };
        jumps.all.dedup();
        self.flat.forks.insert(jumps.deciding, fork);
        jumps
    }

    /// `left op right` as a condition.
    fn comparison(&mut self, test: ExprId, left: ExprId, op: CompareOp, right: ExprId) -> Jumps {
        let left = self.operand_before(left, &[right]);
        match self.small(right) {
            Some(right) if !matches!(op, CompareOp::In | CompareOp::NotIn) => {
                let deciding = self.emit(Op::BranchInt { op, left, right, expr: test, otherwise: 0 });
                Jumps { deciding, all: smallvec![deciding] }
            }
            _ => {
                let probe = self
                    .is_none(op, right)
                    .map(|is| self.emit(Op::QuickNone { when: !is, skip: 0, value: left, aim: 0 }));
                let right = self.right_operand(op, right);
                let site = self.site();
                let deciding = self.emit(Op::Branch { op, left, right, site, expr: test, otherwise: 0 });
                if let Some(probe) = probe {
                    self.skips(probe);
                }
                Jumps { deciding, all: probe.into_iter().chain([deciding]).collect() }
            }
        }
    }

    /// Whether a comparison asks whether its left side is `None`, or whether it is not.
    fn is_none(&self, op: CompareOp, right: ExprId) -> Option<bool> {
        match (op, self.module.expr(right)) {
            (CompareOp::Is, Expr::Constant(Const::None)) => Some(true),
            (CompareOp::IsNot, Expr::Constant(Const::None)) => Some(false),
            _ => None,
        }
    }

    /// A condition of operands of `and` or `or`: each has a shorter way where it is plain, which leads on at once.
    fn operands(&mut self, test: ExprId, values: &[ExprId], is_and: bool) -> Jumps {
        self.cost += 1;
        let own = self.temporaries(1);
        let mut probes: Vec<Probe> = Vec::new();
        let mut choices = Vec::new();
        let count = values.len();
        for (i, value) in values.iter().enumerate() {
            let is_last = i + 1 == count;
            // The last operand decides both ways.
            let when = !is_and && !is_last;
            let probe = self.probed(*value, own, when);
            if !is_last {
                choices.push(self.emit(Op::Choose { is_and, value: own, at: i as u16, expr: test, end: 0 }));
                if let Some(probe) = probe {
                    self.skips(probe);
                }
            }
            probes.extend(probe.map(|at| Probe { at, to_body: when }));
            if is_last {
                for choice in std::mem::take(&mut choices) {
                    self.land(choice);
                }
                self.seen(own, test);
                let deciding = self.emit(Op::Test { value: own, expr: test, otherwise: 0 });
                if let Some(probe) = probe {
                    self.skips(probe);
                }
                let mut all: SmallVec<[At; 4]> = smallvec![deciding];
                for Probe { at, to_body } in probes {
                    match to_body {
                        true => self.land(at),
                        false => all.push(at),
                    }
                }
                return Jumps { deciding, all };
            }
        }
        unreachable!("`and` and `or` have operands")
    }

    /// An operand of `and` or `or` into a register, behind a shorter way if it has one: that leads elsewhere where the operand
    /// is `when`.
    fn probed(&mut self, value: ExprId, own: Reg, when: bool) -> Option<At> {
        let module = self.module;
        match module.expr(value) {
            Expr::Compare(left, rest) if let [(op, right)] = rest[..] => {
                self.cost += 1;
                let left = self.operand_before(*left, &[right]);
                let short = match self.small(right) {
                    Some(right) if !matches!(op, CompareOp::In | CompareOp::NotIn) => {
                        Some(Op::QuickInt { op, when, skip: 0, left, right, aim: 0 })
                    }
                    _ => self.is_none(op, right).map(|is| {
                        let when = when == is;
                        Op::QuickNone { when, skip: 0, value: left, aim: 0 }
                    }),
                };
                let probe = short.map(|op| self.emit(op));
                let right = self.right_operand(op, right);
                let probe = probe.unwrap_or_else(|| self.emit(Op::Quick { op, when, skip: 0, left, right, aim: 0 }));
                let site = self.site();
                self.emit(Op::Compare { op, dst: own, left, right, site, expr: value });
                Some(probe)
            }
            Expr::Name(Place::Local(slot), _) if !self.binds => {
                let probe = self.emit(Op::QuickTruth { when, skip: 0, value: *slot as Reg, aim: 0 });
                self.into(value, own);
                Some(probe)
            }
            Expr::Unary(UnaryOp::Not, inner) => {
                self.cost += 1;
                let held = self.operand(*inner);
                let probe = self.emit(Op::QuickTruth { when: !when, skip: 0, value: held, aim: 0 });
                self.emit(Op::Unary { op: UnaryOp::Not, dst: own, value: held, expr: value });
                Some(probe)
            }
            _ => {
                self.into(value, own);
                None
            }
        }
    }

    /// Where a probe knows, and its aim is not meant, it leads here.
    pub(super) fn skips(&mut self, probe: At) {
        // What is too far is done step by step.
        let far = u8::try_from(self.at() - probe).unwrap_or(1);
        match &mut self.ops[probe as usize] {
            Op::Quick { skip, .. }
            | Op::QuickInt { skip, .. }
            | Op::QuickNone { skip, .. }
            | Op::QuickTruth { skip, .. }
            | Op::QuickMethod { skip, .. } => *skip = far,
            op => unreachable!("{op:?} is no probe"),
        }
    }

    /// A chained comparison.
    pub(super) fn chain(&mut self, expr: ExprId, left: ExprId, rest: &[(CompareOp, ExprId)], dst: Reg) {
        // A variable that is bound here may be read by later operands.
        let own = match usize::from(dst) < self.locals {
            true => self.temporaries(1),
            false => dst,
        };
        let rights: Vec<ExprId> = rest.iter().map(|(_, right)| *right).collect();
        let mut left = self.operand_before(left, &rights);
        let mut ends = Vec::new();
        for (i, (op, right)) in rest.iter().enumerate() {
            let last = i + 1 == rest.len();
            let right = self.operand_before(*right, &rights[i + 1..]);
            let number = i as u8;
            self.emit(Op::Chain { op: *op, number, last, dst: own, left, right, expr });
            if !last {
                ends.push(self.emit(Op::Jump(0)));
            }
            left = right;
        }
        for end in ends {
            self.land(end);
        }
        if own != dst {
            self.emit(Op::Take { dst, src: own });
        }
    }
}
