//! `try` and `with`.

use super::Emitter;
use crate::interp::flat::op::{Caught, NONE, Op, Reg, Within};
use crate::module::{Handler, Part, Place, StmtId, Target, WithItem};

impl Emitter<'_> {
    /// A `try` without a final part, or what that is behind.
    pub(super) fn guarded(
        &mut self,
        piece: u16,
        body: &[StmtId],
        handlers: &[Handler],
        orelse: &[StmtId],
    ) -> Option<()> {
        if handlers.is_empty() {
            return self.block(body, Some(piece), Within::Body);
        }
        self.guard(piece, body)?;
        self.block(orelse, Some(piece), Within::Body)?;
        let mut ends = vec![self.emit(Op::Jump(0))];
        self.pieces[piece as usize].caught = Some(Caught::Handlers(self.at()));
        for (handler, number) in handlers.iter().zip(0..) {
            let class = match handler.class {
                Some(expr) => {
                    let class = self.temporaries(1);
                    self.into(expr, class);
                    class
                }
                None => NONE,
            };
            let otherwise = self.emit(Op::Catches { class, handler: number, otherwise: 0 });
            self.guards += 1;
            self.block(&handler.body, Some(piece), Within::Handler(number))?;
            self.guards -= 1;
            self.emit(Op::Handled { handler: number });
            ends.push(self.emit(Op::Jump(0)));
            self.land(otherwise);
        }
        self.emit(Op::Uncaught);
        ends.into_iter().for_each(|end| self.land(end));
        Some(())
    }

    /// Statements whose failure the statement around them looks at.
    fn guard(&mut self, piece: u16, body: &[StmtId]) -> Option<()> {
        self.emit(Op::Guard);
        self.straight = None;
        self.guards += 1;
        self.block(body, Some(piece), Within::Guarded)?;
        self.guards -= 1;
        self.emit(Op::Unguard);
        Some(())
    }

    /// A `try` with a final part.
    pub(super) fn final_part(
        &mut self,
        piece: u16,
        (body, handlers, orelse): (&[StmtId], &[Handler], &[StmtId]),
        finalbody: &[StmtId],
    ) -> Option<()> {
        match handlers {
            [] => self.guard(piece, body)?,
            _ => {
                self.emit(Op::Guard);
                self.straight = None;
                self.guards += 1;
                let inner = self.piece(self.pieces[piece as usize].id, Some(piece), Within::Guarded);
                self.pieces[inner as usize].part = true;
                let owner = std::mem::replace(&mut self.owner, inner);
                self.guarded(inner, body, handlers, orelse)?;
                self.owner = owner;
                self.pieces[inner as usize].after = self.at();
                self.guards -= 1;
                self.emit(Op::Unguard);
            }
        }
        self.emit(Op::Finally);
        self.pieces[piece as usize].caught = Some(Caught::Final(self.at()));
        self.guards += 1;
        self.block(finalbody, Some(piece), Within::Final)?;
        self.guards -= 1;
        self.emit(Op::EndFinally);
        Some(())
    }

    /// A `with` from this one of its managers on.
    pub(super) fn managed(&mut self, piece: u16, items: &[WithItem], number: u16, body: &[StmtId]) -> Option<()> {
        let Some(item) = items.get(usize::from(number)) else { return self.block(body, Some(piece), Within::Body) };
        let manager = self.operand(item.context);
        let value = self.temporaries(1);
        let site = self.site();
        self.emit(Op::Enter { dst: value, manager, site, expr: item.context });
        match &item.target {
            Some(Target::Name(Place::Local(slot), ..)) => {
                self.emit(Op::Take { dst: *slot as Reg, src: value });
            }
            Some(target) => {
                self.hides(Part::Target(target));
                self.emit(Op::AssignPart { value, part: number });
            }
            None => {}
        }
        self.emit(Op::Within);
        self.straight = None;
        self.guards += 1;
        if usize::from(number) + 1 == items.len() {
            self.block(body, Some(piece), Within::Managed)?;
        } else {
            let inner = self.piece(self.pieces[piece as usize].id, Some(piece), Within::Managed);
            self.pieces[inner as usize].part = true;
            let owner = std::mem::replace(&mut self.owner, inner);
            self.managed(inner, items, number + 1, body)?;
            self.owner = owner;
            self.pieces[inner as usize].after = self.at();
        }
        self.guards -= 1;
        self.emit(Op::EndWithin);
        self.pieces[piece as usize].caught = Some(Caught::Final(self.at()));
        let site = self.site();
        self.emit(Op::LeaveWith { site });
        Some(())
    }
}
