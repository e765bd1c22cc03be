//! Statements: what they cost, loops, and how they end.

use super::handlers::{attempt, fields, inside, mistaken};
use super::op::{At, Flat, NONE, Op, RETURN, Reg, STOP};
use super::run::Loops;
use crate::interp::function::{Flow, Run, is_lost};
use crate::interp::generator::{Generator, Given};
use crate::interp::loops::{NextItem, Rounds};
use crate::python::Value;
use crate::python::halt::Step;
use crate::python::iterator::Put;

pub(super) fn spend<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    match *op {
        Op::Spend(cost) if run.it.spends(cost) => at + 1,
        _ => spend_more(run, flat, op, at),
    }
}

#[inline(never)]
fn spend_more<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    let Op::Spend(cost) = *op else { return at };
    attempt!(run, at, run.it.spend_several(cost));
    at + 1
}

pub(super) fn walk<'a>(run: &mut Run<'a>, flat: &'a Flat, _: &'a Op, at: At) -> At {
    let id = flat.pieces[flat.owners[at as usize] as usize].id;
    match attempt!(run, at, run.statement(id)) {
        Flow::Next => at + 1,
        flow => run.leaves(flat, at, flow),
    }
}

pub(super) fn jump<'a>(_: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    match *op {
        Op::Jump(to) => to,
        _ => at,
    }
}

pub(super) fn start_for<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, StartFor { rounds, iterable });
    let value = run.taken_from(iterable);
    let parts = run.parts(flat.pieces[flat.owners[at as usize] as usize].id);
    match attempt!(run, at, run.start_for(parts, value)) {
        Ok(started) => {
            run.put_rounds(rounds, Box::new(started));
            at + 1
        }
        Err(flow) => run.leaves(flat, at, flow),
    }
}

// Handlers whose quick part calls nothing need no registers saved: what is behind a quick part stands in a function of its own, which is
// jumped to.
pub(super) fn next_item<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextItem { rounds, dst, cost, .. });
    if let Some(running) = rounds_of(&mut run.loops, rounds)
        && run.lost.is_none()
        && running.is_next_number_plain(run.it, run.user)
        && run.it.spends(cost)
        && let Some(number) = running.take_number(&run.frame)
    {
        return run.done_int(at, dst, number);
    }
    next_item_listed(run, flat, op, at)
}

#[inline(never)]
fn next_item_listed<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextItem { rounds, dst, cost, .. });
    if let Some(running) = rounds_of(&mut run.loops, rounds)
        && !is_lost(&run.lost)
        && running.is_next_item_plain(run.it, run.user)
        && run.it.spends(cost)
    {
        let Value::Iter(iter) = &running.iterator else { return next_item_other(run, flat, op, at) };
        let slot = &mut run.frame.locals[dst as usize];
        if iter.put_light(slot) {
            running.begin_round(&run.frame);
            return at + 1;
        }
        return match iter.put_next(slot) {
            Put::Done => {
                running.begin_round(&run.frame);
                at + 1
            }
            Put::Generator(generator) => next_of_generator(run, flat, op, at, generator),
            Put::Driven => next_driven(run, flat, op, at),
            Put::Over | Put::Away => next_item_other(run, flat, op, at),
        };
    }
    next_item_any(run, flat, op, at)
}

pub(super) fn next_parts<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextParts { rounds, slots, cost, .. });
    if let Some(running) = rounds_of(&mut run.loops, rounds)
        && !is_lost(&run.lost)
        && running.is_next_item_plain(run.it, run.user)
        && let Some(slots) = flat.slots.get(slots as usize)
        && running.take_parts(slots.len(), |i, item| {
            if let Some(slot) = slots.get(i).and_then(|slot| run.frame.locals.get_mut(*slot as usize)) {
                slot.copy_from(item);
            }
        })
    {
        running.begin_round(&run.frame);
        // Behind the operation that is done with it.
        match run.it.spends(cost) {
            true => return at + 2,
            false => return spend_parts(run, flat, op, at),
        }
    }
    next_item_any(run, flat, op, at)
}

#[cold]
#[inline(never)]
fn spend_parts<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextParts { cost, .. });
    attempt!(run, at, run.it.spend_several(cost));
    at + 2
}

#[inline(never)]
fn next_item_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (rounds, dst, cost, over) = next_fields(op);
    attempt!(run, at, run.it.spend_several(cost));
    let Some(running) = rounds_of(&mut run.loops, rounds) else { return no_rounds(run) };
    if !is_lost(&run.lost) {
        if running.has_numbers() {
            if let Some(number) = running.next_number() {
                let Some(number) = number else {
                    let (rounds, work) = running.done();
                    let parts = run.parts(flat.pieces[flat.owners[at as usize] as usize].id);
                    run.range_over(rounds, work, parts.head);
                    return over;
                };
                running.begin_in(run.it, run.user, &run.frame);
                return run.done_int(at, dst, number);
            }
        } else {
            running.before_item(run.it, run.user, &run.frame);
            let slot = &mut run.frame.locals[dst as usize];
            if let Some(bound) = running.take_at_hand(|item| slot.copy_from(item)) {
                if bound.is_none() {
                    let (rounds, work) = running.done();
                    let parts = run.parts(flat.pieces[flat.owners[at as usize] as usize].id);
                    run.counted_over(parts, rounds, work);
                    return over;
                }
                running.begin_round(&run.frame);
                return at + 1;
            }
            if let Some(generator) = running.take_generator() {
                return next_of_generator(run, flat, op, at, generator);
            }
        }
    }
    next_item_other(run, flat, op, at)
}

#[inline(never)]
fn next_of_generator<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At, generator: Box<Generator>) -> At {
    let (rounds, dst, _, over) = next_fields(op);
    let Some(mut running) = run.take_rounds(rounds) else { return over };
    let next = running.resumed(run.it, generator, &mut run.frame.locals[dst as usize]);
    if let Given::Item = next {
        running.begin_with(run.user, run.reg(dst), &run.frame);
        run.put_rounds(rounds, running);
        return at + 1;
    }
    let next = next.step().map(|_| None);
    let next = run.item_or_end(run.parts(flat.pieces[flat.owners[at as usize] as usize].id), &mut running, next);
    arrives(run, flat, op, at, running, next)
}

/// The next item of an iterator that a function of ours drives.
#[inline(never)]
fn next_driven<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (rounds, dst, ..) = next_fields(op);
    let Some(mut running) = run.take_rounds(rounds) else { return no_rounds(run) };
    let next = match running.next_driven(run.it) {
        Ok(Some(item)) => {
            running.begin_with(run.user, &item, &run.frame);
            run.put_rounds(rounds, running);
            return run.done(at, dst, item);
        }
        next => next,
    };
    let next = run.item_or_end(run.parts(flat.pieces[flat.owners[at as usize] as usize].id), &mut running, next);
    arrives(run, flat, op, at, running, next)
}

/// What comes of a loop that has asked for its next item, or has ended.
fn arrives<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &Op, at: At, running: Box<Rounds>, next: Step<NextItem>) -> At {
    let (rounds, dst, _, over) = next_fields(op);
    run.put_rounds(rounds, running);
    match attempt!(run, at, next) {
        NextItem::Item(item) => run.done(at, dst, item),
        NextItem::Over => over,
        NextItem::Left(flow) => run.leaves(flat, at, flow),
    }
}

#[inline(never)]
fn next_item_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (rounds, ..) = next_fields(op);
    let parts = run.parts(flat.pieces[flat.owners[at as usize] as usize].id);
    let Some(mut running) = run.take_rounds(rounds) else { return no_rounds(run) };
    let next = run.next_item(parts, &mut running);
    running.begin_if(&next, run);
    arrives(run, flat, op, at, running, next)
}

pub(super) fn start_while<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, StartWhile { rounds });
    let parts = run.parts(flat.pieces[flat.owners[at as usize] as usize].id);
    run.put_rounds(rounds, Box::new(Rounds::of_while(run, parts)));
    at + 1
}

pub(super) fn in_round<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, InRound { rounds, cost });
    match rounds_of(&mut run.loops, rounds) {
        Some(running) if running.is_calm(run.it) && run.it.spends(cost) => {
            running.begin_round(&run.frame);
            at + 1
        }
        _ => in_round_watched(run, flat, op, at),
    }
}

#[inline(never)]
fn in_round_watched<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, InRound { rounds, cost });
    attempt!(run, at, run.it.spend_several(cost));
    if let Some(running) = rounds_of(&mut run.loops, rounds) {
        running.begin_in(run.it, run.user, &run.frame);
    }
    at + 1
}

pub(super) fn end_round<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, EndRound { rounds, head });
    if let Some(running) = rounds_of(&mut run.loops, rounds)
        && run.frame.doubts.is_none()
        && run.lost.is_none()
        && (!run.user || running.passes(run.it, run.yields))
    {
        return head;
    }
    end_round_other(run, flat, op, at)
}

#[inline(never)]
fn end_round_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, EndRound { rounds, head });
    let Some(running) = rounds_of(&mut run.loops, rounds) else { return no_rounds(run) };
    let may_be_over = run.user && running.may_be_over(run.it, run.yields);
    match may_be_over || run.frame.doubts.is_some() || is_lost(&run.lost) {
        false => head,
        true => ends_perhaps(run, flat, op, at, may_be_over),
    }
}

#[inline(never)]
fn ends_perhaps<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At, may_be_over: bool) -> At {
    fields!(op, EndRound { rounds, head });
    let Some(running) = rounds_of(&mut run.loops, rounds) else { return no_rounds(run) };
    let is_open = running.is_open_in(&run.frame);
    if running.may_have_returned(&run.frame) {
        run.round_at = Some(run.branches);
    }
    match is_open || run.user && (may_be_over && running.is_over(run.it) || is_lost(&run.lost)) {
        false => head,
        true => round_ended(run, flat, op, at, is_open),
    }
}

#[inline(never)]
fn round_ended<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At, is_open: bool) -> At {
    fields!(op, EndRound { rounds, head });
    let parts = run.parts(flat.pieces[flat.owners[at as usize] as usize].id);
    let Some(mut running) = run.take_rounds(rounds) else { return no_rounds(run) };
    let left = match is_open {
        true => run.leave_open(parts, &running).map(Some),
        // A generator that cannot say any more what it gives.
        false if run.is_lost() => Ok(Some(Flow::Next)),
        false => run.widen(parts, &mut running),
    };
    run.put_rounds(rounds, running);
    run.make_room(flat);
    match attempt!(run, at, left) {
        Some(flow) => run.leaves(flat, at, flow),
        None => head,
    }
}

pub(super) fn breaks<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    match *op {
        Op::Break(to) if run.frame.open_loops() == 0 => to,
        _ => run.leaves(flat, at, Flow::Break),
    }
}

pub(super) fn continues<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    match *op {
        Op::Continue(to) if run.frame.open_loops() == 0 => to,
        _ => run.leaves(flat, at, Flow::Continue),
    }
}

pub(super) fn returns<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Return { value, expr, whole });
    let value = match value {
        NONE => Value::None,
        value => match run.reg(value) {
            Value::Int(number) if run.frame.doubts.is_none() => return run.returns(Value::Int(*number)),
            shown if run.needs_door(shown) => {
                inside!(run, flat, at);
                let value = attempt!(run, at, run.operand(value, expr));
                if whole != expr && run.user {
                    run.saw(whole, &value);
                }
                value
            }
            value => value.clone(),
        },
    };
    if run.frame.open_loops() != 0 {
        return run.leaves(flat, at, Flow::Return(value));
    }
    run.returns(value)
}

pub(super) fn end<'a>(_: &mut Run<'a>, _: &'a Flat, _: &'a Op, _: At) -> At {
    // Where nothing else is said it ended as it should.
    STOP
}

/// A loop that is not running: its form is left.
#[cold]
#[inline(never)]
fn no_rounds(run: &mut Run<'_>) -> At {
    run.ends(Flow::Next)
}

/// The rounds, register, cost and end of an operation that takes the next item of a loop.
#[inline(always)]
fn next_fields(op: &Op) -> (u16, Reg, u32, At) {
    match *op {
        Op::NextItem { rounds, dst, cost, over } | Op::NextParts { rounds, dst, cost, over, .. } => {
            (rounds, dst, cost, over)
        }
        _ => mistaken(op),
    }
}

/// The rounds of a loop.
#[inline(always)]
fn rounds_of(loops: &mut Loops, at: u16) -> Option<&mut Box<Rounds>> {
    loops.as_mut()?.get_mut(at as usize)?.as_mut()
}

impl Run<'_> {
    /// The body returns a value.
    #[inline(always)]
    fn returns(&mut self, value: Value) -> At {
        // What was returned before has been taken.
        std::mem::forget(std::mem::replace(&mut self.result, value));
        RETURN
    }

    /// The body ends.
    #[inline(never)]
    pub(super) fn ends(&mut self, flow: Flow) -> At {
        self.it.ended.set(Some(Ok(flow)));
        STOP
    }
}
