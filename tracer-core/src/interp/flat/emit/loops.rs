//! Loops.

use super::Emitter;
use crate::interp::flat::op::{At, Fork, Op, Reg, Within};
use crate::module::{ExprId, Place, StmtId, Target};

/// A loop around what is being translated: jumps out of it that have no aim yet.
pub(super) struct Around {
    piece: u16,
    /// Guarded parts around it.
    pub guards: u32,
    pub breaks: Vec<At>,
    pub continues: Vec<At>,
}

impl Emitter<'_> {
    pub(super) fn for_rounds(
        &mut self,
        piece: u16,
        rounds: u16,
        target: &Target,
        body: &[StmtId],
        orelse: &[StmtId],
    ) -> Option<()> {
        self.flat.loops += 1;
        self.next = self.locals;
        let head = self.at();
        let next = match target {
            Target::Name(Place::Local(slot), ..) => {
                self.emit(Op::NextItem { rounds, dst: *slot as Reg, cost: 1, over: 0 })
            }
            target => {
                let value = self.temporaries(1);
                let next = self.emit(Op::NextItem { rounds, dst: value, cost: 1, over: 0 });
                self.bind(target, value);
                if let Some(Op::Unpack { slots, .. }) = self.ops.last() {
                    self.ops[next as usize] = Op::NextParts { rounds, dst: value, slots: *slots, cost: 1, over: 0 };
                }
                next
            }
        };
        self.straight = Some(next);
        self.rounds_of(piece, rounds, head, body)?;
        self.land(next);
        self.close(piece, orelse)
    }

    pub(super) fn while_rounds(
        &mut self,
        piece: u16,
        rounds: u16,
        test: ExprId,
        body: &[StmtId],
        orelse: &[StmtId],
    ) -> Option<()> {
        self.flat.loops += 1;
        self.next = self.locals;
        let head = self.at();
        let otherwise = self.condition(test, Fork::Statement);
        let begun = self.emit(Op::InRound { rounds, cost: 1 });
        self.straight = Some(begun);
        self.rounds_of(piece, rounds, head, body)?;
        self.land_all(&otherwise);
        self.close(piece, orelse)
    }

    /// The body of a loop and its end.
    fn rounds_of(&mut self, piece: u16, rounds: u16, head: At, body: &[StmtId]) -> Option<()> {
        self.around.push(Around { piece, guards: self.guards, breaks: Vec::new(), continues: Vec::new() });
        self.block(body, Some(piece), Within::Body)?;
        let around = self.around.pop()?;
        for jump in around.continues {
            self.land(jump);
        }
        self.pieces[piece as usize].looping = Some((rounds, self.at()));
        self.emit(Op::EndRound { rounds, head });
        // What breaks goes behind the `else`, whose place is not known yet.
        self.around.push(Around { breaks: around.breaks, continues: Vec::new(), ..around });
        Some(())
    }

    fn close(&mut self, piece: u16, orelse: &[StmtId]) -> Option<()> {
        let around = self.around.pop()?;
        debug_assert_eq!(around.piece, piece);
        self.block(orelse, Some(piece), Within::Else)?;
        for jump in around.breaks {
            self.land(jump);
        }
        Some(())
    }
}
