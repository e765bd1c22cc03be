//! Running operations one after the other, and what happens where they fail.

use super::op::{At, Flat, Fork, NOWHERE, Piece, RETURN, Reg, STOP, SWITCH, Within};
use crate::interp::function::{Flow, Run};
use crate::interp::loops::Rounds;
use crate::module::ExprId;
use crate::python::Value;
use crate::python::halt::{Halt, Step, Why};

/// The loops of a flat body, those that run.
pub type Loops = Option<Box<[Option<Box<Rounds>>]>>;

/// How a flat body ended: its flow, or the position of the operation that failed.
pub type Ended = Result<Flow, (At, Halt)>;

/// What is behind a condition that is not known.
pub(super) enum Way {
    /// Operations go on there.
    On(At),
    /// The body ends.
    Out(Flow),
}

impl<'a> Run<'a> {
    /// Runs operations from the first one on; `rounds` are those of the loop that is entered, if one is.
    #[inline]
    pub(in crate::interp) fn run_flat(&mut self, flat: &'a Flat, rounds: Option<Rounds>) -> Step<Flow> {
        self.make_room(flat);
        if flat.loops == 0 {
            return self.run_operations(flat);
        }
        let mut loops = Vec::with_capacity(flat.loops);
        loops.push(rounds.map(Box::new));
        loops.resize_with(flat.loops, || None);
        let around = self.loops.replace(loops.into());
        let result = self.run_operations(flat);
        self.loops = around;
        result
    }

    #[inline]
    fn run_operations(&mut self, flat: &'a Flat) -> Step<Flow> {
        self.run_from(flat, 0)
    }

    /// Runs operations from this one on, or goes on behind them.
    pub(super) fn run_from(&mut self, flat: &'a Flat, mut at: At) -> Step<Flow> {
        loop {
            // A position behind the operations runs none.
            at = self.run_steps(flat, at);
            if at == RETURN {
                return Ok(Flow::Return(self.take_result()));
            }
            match self.it.ended.take() {
                Some(Ok(flow)) => return Ok(flow),
                Some(Err((failed, halt))) => match self.recover_flat(flat, failed, halt)? {
                    Way::On(next) => at = next,
                    Way::Out(flow) => return Ok(flow),
                },
                None => return Ok(Flow::Next),
            }
        }
    }

    /// Runs operations until there is no position of a next one, those of copies of functions included.
    #[inline(always)]
    pub(super) fn run_steps(&mut self, mut flat: &'a Flat, mut at: At) -> At {
        loop {
            while let Some(step) = flat.steps.get(at as usize) {
                at = (step.run)(self, flat, &step.op, at);
            }
            (flat, at) = match (at, &flat.window) {
                (SWITCH, _) => self.aim(),
                (end, Some(window)) => self.leave_copy(window, end),
                (end, None) => return end,
            };
        }
    }

    /// What the body returned.
    #[inline(always)]
    pub(super) fn take_result(&mut self) -> Value {
        // What was written in two parts is not read as one: that would wait for memory.
        match self.result {
            Value::Int(number) => Value::Int(number),
            Value::Float(number) => Value::Float(number),
            _ => std::mem::replace(&mut self.result, Value::Unbound),
        }
    }

    /// Makes room for the registers of a flat form.
    #[inline(always)]
    pub(super) fn make_room(&mut self, flat: &Flat) {
        self.frame.reach = self.frame.reach.max(flat.registers);
        if self.frame.locals.len() < flat.registers {
            self.frame.locals.resize(flat.registers, Value::Unbound);
        }
    }

    /// The operation failed.
    #[cold]
    #[inline(never)]
    pub(super) fn fails(&mut self, at: At, halt: Halt) -> At {
        self.it.ended.set(Some(Err((at, halt))));
        STOP
    }

    /// The statement that owns the operation ended so.
    #[inline(never)]
    pub(super) fn leaves(&mut self, flat: &'a Flat, at: At, flow: Flow) -> At {
        match self.leave(flat, flat.owners[at as usize], flow) {
            Ok(Way::On(next)) => next,
            Ok(Way::Out(flow)) => self.ends(flow),
            Err((piece, halt)) => {
                // The failure belongs to that statement: any operation of its own stands for it.
                let own = flat.owners.iter().position(|owner| *owner == piece).unwrap_or(0);
                self.fails(own as At, halt)
            }
        }
    }

    /// What the tree would do with a failure: each statement around it may go on behind itself.
    #[cold]
    pub(super) fn recover_flat(&mut self, flat: &'a Flat, failed: At, mut halt: Halt) -> Step<Way> {
        let mut piece = flat.owners[failed as usize];
        if piece == NOWHERE {
            return Err(halt);
        }
        loop {
            if flat.outer == Some(piece) {
                return Err(halt);
            }
            let Piece { id, parent, within, part, .. } = flat.pieces[piece as usize];
            match if part { Err(halt) } else { self.recover(id, halt) } {
                Ok(flow) => match self.leave(flat, piece, flow) {
                    Ok(way) => return Ok(way),
                    Err((outer, again)) => (piece, halt) = (outer, again),
                },
                Err(again) => {
                    let Some(parent) = parent else { return Err(again) };
                    piece = parent;
                    match self.ends_part(flat, within, parent, Err(again)) {
                        Ok(at) => return Ok(Way::On(at)),
                        Err(Err(again)) => halt = again,
                        Err(Ok(_)) => unreachable!("a failure stays one"),
                    }
                }
            }
        }
    }

    /// Where a statement that ended so is left for; a failure comes with the statement that it ends.
    fn leave(&mut self, flat: &'a Flat, mut piece: u16, mut flow: Flow) -> Result<Way, (u16, Halt)> {
        loop {
            let it = &flat.pieces[piece as usize];
            if let Flow::Next = flow {
                return Ok(Way::On(it.after));
            }
            let Some(outer) = it.parent else { return Ok(Way::Out(flow)) };
            flow = match self.ends_part(flat, it.within, outer, Ok(flow)) {
                Ok(at) => return Ok(Way::On(at)),
                Err(outcome) => outcome.map_err(|halt| (outer, halt))?,
            };
            let around = &flat.pieces[outer as usize];
            if let Some((at, end)) = around.looping
                && it.within != Within::Else
                && let Some(rounds) = self.take_rounds(at)
            {
                let left = match rounds.is_open(self) {
                    true => self.leave_open(self.parts(around.id), &rounds).map_err(|halt| (outer, halt)),
                    false => match flow {
                        Flow::Break => Ok(Flow::Next),
                        Flow::Continue | Flow::Next => {
                            self.put_rounds(at, rounds);
                            return Ok(Way::On(end));
                        }
                        Flow::Return(value) => Ok(Flow::Return(value)),
                    },
                };
                self.put_rounds(at, rounds);
                flow = left?;
            }
            piece = outer;
        }
    }

    /// Takes the rounds of a loop out, to be put back.
    pub(super) fn take_rounds(&mut self, at: u16) -> Option<Box<Rounds>> {
        self.loops.as_mut()?.get_mut(at as usize)?.take()
    }

    /// Puts the rounds of a loop in.
    pub(super) fn put_rounds(&mut self, at: u16, rounds: Box<Rounds>) {
        if let Some(slot) = self.loops.as_mut().and_then(|loops| loops.get_mut(at as usize)) {
            *slot = Some(rounds);
        }
    }

    /// Where a condition that is not known leads: on to operations, or out of the statement.
    pub(super) fn fork(&mut self, flat: &'a Flat, at: At, why: Why) -> Step<Result<At, Flow>> {
        match flat.forks.get(&at) {
            Some(Fork::Expression(expr, dst, end)) => {
                let value = self.flat_either(*expr, why)?;
                Value::put(&mut self.frame.locals[*dst as usize], value);
                Ok(Ok(*end))
            }
            Some(Fork::Element) => Err(Halt::Unknown(why)),
            _ => {
                let id = flat.pieces[flat.owners[at as usize] as usize].id;
                self.fork_statement(id, why).map(Err)
            }
        }
    }

    /// The value of an operand: a variable is read through the door, a temporary is moved out.
    pub(super) fn operand(&mut self, reg: Reg, expr: ExprId) -> Step<Value> {
        match (reg as usize) < self.code.locals.len() {
            true => self.eval(expr),
            false => Ok(self.taken_from(reg)),
        }
    }
}
