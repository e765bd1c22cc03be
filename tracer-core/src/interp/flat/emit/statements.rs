//! Statements.

use super::{Emitter, MOST_REGISTERS};
use crate::interp::flat::op::{Fork, Held, NONE, Op, Reg, Within};
use crate::module::{Expr, ExprId, Part, Place, Stmt, StmtId, Target};

impl Emitter<'_> {
    pub(super) fn block(&mut self, statements: &[StmtId], parent: Option<u16>, within: Within) -> Option<()> {
        let module = self.module;
        for statement in statements {
            if self.most >= MOST_REGISTERS || self.pieces.len() >= usize::from(u16::MAX) {
                return None;
            }
            let outer = self.owner;
            self.owner = self.piece(*statement, parent, within);
            let cost = std::mem::take(&mut self.cost);
            let spend = match self.straight.take() {
                Some(at) => at,
                None => self.emit(Op::Spend(0)),
            };
            self.statement(*statement)?;
            if let Op::Spend(all)
            | Op::NextItem { cost: all, .. }
            | Op::NextParts { cost: all, .. }
            | Op::InRound { cost: all, .. } = &mut self.ops[spend as usize]
            {
                *all += self.cost + 1;
            }
            let statement = module.stmt(*statement);
            let goes_on = matches!(statement, Stmt::Expr(_) | Stmt::Assign(..) | Stmt::AugAssign { .. } | Stmt::Pass);
            self.straight = goes_on.then_some(spend);
            self.cost = cost;
            let after = self.at();
            self.pieces[self.owner as usize].after = after;
            self.owner = outer;
            self.next = self.locals;
        }
        self.straight = None;
        Some(())
    }

    fn statement(&mut self, id: StmtId) -> Option<()> {
        let module = self.module;
        let piece = self.owner;
        match module.stmt(id) {
            Stmt::Expr(value) => match module.expr(*value) {
                Expr::Constant(_) => {}
                _ => {
                    let scratch = self.temporaries(1);
                    self.into(*value, scratch);
                }
            },
            Stmt::Assign(targets, value) => match &targets[..] {
                [target] => self.assign(target, *value),
                targets => {
                    let held = self.temporaries(1);
                    self.into(*value, held);
                    for (target, number) in targets.iter().zip(0..) {
                        match target {
                            // Nobody reads the temporary any more.
                            Target::Name(Place::Local(slot), ..) if usize::from(number) + 1 == targets.len() => {
                                self.emit(Op::Take { dst: *slot as Reg, src: held });
                            }
                            target => self.assign_also(target, held, number),
                        }
                    }
                }
            },
            Stmt::AnnAssign { target, value: Some(value), .. } => self.assign(target, *value),
            Stmt::AnnAssign { value: None, .. } => {}
            Stmt::AugAssign { target, op, value } => match target {
                Target::Name(Place::Local(slot), ..) => {
                    let dst = *slot as Reg;
                    match self.small(*value) {
                        Some(value) => self.emit(Op::AugmentInt { op: *op, dst, value }),
                        None => {
                            let value = self.operand(*value);
                            self.emit(Op::Augment { op: *op, dst, value })
                        }
                    };
                }
                Target::Attribute(object, name, _) => self.augment(*op, *object, None, Some(*name), *value),
                Target::Subscript(object, index, _) => self.augment(*op, *object, Some(*index), None, *value),
                Target::Name(place, ..) => {
                    let held = Held::of(*place);
                    let dst = self.temporaries(1);
                    self.emit(Op::LoadName { dst, held });
                    match self.small(*value) {
                        Some(value) => self.emit(Op::AugmentInt { op: *op, dst, value }),
                        None => {
                            let value = self.operand(*value);
                            self.emit(Op::Augment { op: *op, dst, value })
                        }
                    };
                    self.emit(Op::AssignName { value: dst, held });
                }
                _ => self.walks(id),
            },
            Stmt::If { test, body, orelse } => {
                let otherwise = self.condition(*test, Fork::Statement);
                self.next = self.locals;
                self.straight = None;
                self.block(body, Some(piece), Within::Body)?;
                if orelse.is_empty() {
                    self.land_all(&otherwise);
                } else {
                    let end = self.emit(Op::Jump(0));
                    self.land_all(&otherwise);
                    self.block(orelse, Some(piece), Within::Body)?;
                    self.land(end);
                }
            }
            Stmt::For { target, iter, body, orelse, .. } => {
                let iterable = self.temporaries(1);
                self.into(*iter, iterable);
                let rounds = self.flat.loops as u16;
                self.emit(Op::StartFor { rounds, iterable });
                self.for_rounds(piece, rounds, target, body, orelse)?;
            }
            Stmt::While { test, body, orelse } => {
                let rounds = self.flat.loops as u16;
                self.emit(Op::StartWhile { rounds });
                self.while_rounds(piece, rounds, *test, body, orelse)?;
            }
            Stmt::Try { body, handlers, orelse, finalbody, is_star: false } => match &finalbody[..] {
                [] => self.guarded(piece, body, handlers, orelse)?,
                _ => self.final_part(piece, (body, handlers, orelse), finalbody)?,
            },
            Stmt::With { items, body, .. } => self.managed(piece, items, 0, body)?,
            Stmt::Raise(Some(exception), None) if self.user => {
                let value = self.operand(*exception);
                self.emit(Op::Raise { value, expr: *exception });
            }
            // Ways out of a guarded part are gone step by step.
            Stmt::Return(value) if self.guards > 0 => {
                let expr = value.unwrap_or_default();
                let value = value.map_or(NONE, |value| self.operand(value));
                self.emit(Op::Leave { value, expr });
            }
            Stmt::Return(value) => self.returns(*value),
            Stmt::Break => match self.around.last().filter(|around| around.guards == self.guards) {
                Some(_) => {
                    let jump = self.emit(Op::Break(0));
                    self.around.last_mut()?.breaks.push(jump);
                }
                None => self.walks(id),
            },
            Stmt::Continue => match self.around.last().filter(|around| around.guards == self.guards) {
                Some(_) => {
                    let jump = self.emit(Op::Continue(0));
                    self.around.last_mut()?.continues.push(jump);
                }
                None => self.walks(id),
            },
            Stmt::Pass => {}
            _ => self.walks(id),
        }
        Some(())
    }

    pub(super) fn returns(&mut self, value: Option<ExprId>) {
        let Some(expr) = value else {
            self.emit(Op::Return { value: NONE, expr: ExprId::default(), whole: ExprId::default() });
            return;
        };
        if let Expr::IfExp { test, body, orelse } = self.module.expr(expr) {
            // Each side returns at once.
            self.cost += 1;
            let dst = self.temporaries(1);
            let otherwise = self.condition(*test, Fork::Expression(expr, dst, 0));
            let value = self.operand(*body);
            self.emit(Op::Return { value, expr: *body, whole: expr });
            self.land_all(&otherwise);
            self.into(*orelse, dst);
            let end = self.emit(Op::Return { value: dst, expr: *orelse, whole: expr });
            self.flat.forks.insert(otherwise.deciding, Fork::Expression(expr, dst, end));
            return;
        }
        let value = self.operand(expr);
        self.emit(Op::Return { value, expr, whole: expr });
    }

    /// A statement under way that has no operation of its own.
    fn walks(&mut self, id: StmtId) {
        self.hides(Part::Stmt(id));
        self.emit(Op::Walk);
    }
}
