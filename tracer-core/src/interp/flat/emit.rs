//! From the tree to operations.

use std::rc::Rc;

use super::builtin::Builtin;
use super::handlers::handler;
use super::inline::{CallSite, Root, is_small};
use super::op::{At, Caught, Flat, Fork, Instruction, NONE, NOWHERE, Op, Piece, Reg, Shape, Within};
use crate::interp::expr::constant_value;
use crate::module::{
    Arg, Body, Code, Collect, CompareOp, Comprehension, Const, Expr, ExprId, Handler, Module, Part, Place, Stmt,
    StmtId, Symbol, Target, WithItem,
};
use crate::python::Value;

/// So many registers at most: longer bodies are walked.
const MOST_REGISTERS: usize = 1 << 12;

/// The flat form of a function's or lambda's body; `None` where it has none.
pub fn body(module: &Module, code: &Code, user: bool, binds: bool) -> Option<Flat> {
    let mut emitter = Emitter::new(module, code, user, binds);
    match &code.body {
        Body::Block(statements) => emitter.block(statements, None, Within::Body)?,
        Body::Expr(value) => {
            emitter.owner = NOWHERE;
            let value = Some(*value);
            emitter.emit(Op::Spend(1));
            emitter.returns(value);
        }
        Body::Comprehension(_) | Body::Later(_) => return None,
    }
    emitter.finish(None)
}

/// The flat form of a block of a statement that is walked.
pub fn block(module: &Module, code: &Code, statements: &[StmtId], user: bool, binds: bool) -> Option<Flat> {
    let mut emitter = Emitter::new(module, code, user, binds);
    emitter.block(statements, None, Within::Body)?;
    emitter.finish(None)
}

/// The flat form of the last clause of a comprehension: it is entered before its next item.
pub fn elements(module: &Module, code: &Code, comprehension: &Comprehension, user: bool, binds: bool) -> Option<Flat> {
    let mut emitter = Emitter::new(module, code, user, binds);
    emitter.owner = NOWHERE;
    let clause = comprehension.clauses.last()?;
    let (head, dst, target) = match &clause.target {
        Target::Name(Place::Local(slot), ..) => (emitter.at(), *slot as Reg, None),
        target => (emitter.at(), emitter.temporaries(1), Some(target)),
    };
    let next = emitter.emit(Op::NextElement { dst, cost: 0, over: 0 });
    if let Some(target) = target {
        emitter.bind(target, dst);
    }
    let skips: Vec<At> =
        clause.conditions.iter().map(|condition| emitter.condition(*condition, Fork::Element)).collect();
    let (key, expr) = match comprehension.collect {
        Collect::List(value) | Collect::Set(value) | Collect::Generator(value) => (NONE, value),
        Collect::Dict(name, value) => {
            let key = emitter.temporaries(1);
            Emitter::into(&mut emitter, name, key);
            (key, value)
        }
    };
    let value = emitter.operand(expr);
    emitter.emit(Op::Collect { value, key, expr });
    for skip in skips {
        emitter.land(skip);
    }
    emitter.emit(Op::Jump(head));
    emitter.land(next);
    if let Op::NextElement { cost, .. } = &mut emitter.ops[next as usize] {
        *cost = emitter.cost + 1;
    }
    emitter.finish(None)
}

/// The flat form of a loop whose rounds have begun: it is entered before its next round.
pub fn rounds(module: &Module, code: &Code, id: StmtId, user: bool, binds: bool) -> Option<Flat> {
    let mut emitter = Emitter::new(module, code, user, binds);
    emitter.piece(id, None, Within::Body);
    match module.stmt(id) {
        Stmt::For { target, body, orelse, .. } => emitter.for_rounds(0, 0, target, body, orelse)?,
        Stmt::While { test, body, orelse } => emitter.while_rounds(0, 0, *test, body, orelse)?,
        _ => return None,
    }
    emitter.pieces[0].after = emitter.at();
    emitter.finish(Some(0))
}

/// A loop around what is being translated: jumps out of it that have no aim yet.
struct Around {
    piece: u16,
    /// Guarded parts around it.
    guards: u32,
    breaks: Vec<At>,
    continues: Vec<At>,
}

/// Where the parts of what a target takes go, if all of them go into local slots.
fn shape_of(target: &Target) -> Option<Shape> {
    match target {
        Target::Name(Place::Local(slot), ..) => Some(Shape::Whole(*slot as Reg)),
        Target::Tuple(targets, _) => Some(Shape::Parts(targets.iter().map(shape_of).collect::<Option<_>>()?)),
        _ => None,
    }
}

/// Whether something yields in the scope that it is in.
fn yields_in(module: &Module, part: Part<'_>) -> bool {
    let mut found = false;
    let mut inside = |part: Part<'_>| found = found || yields_in(module, part);
    match part {
        Part::Expr(id) => match module.expr(id) {
            Expr::Yield(_) | Expr::YieldFrom(_) => return true,
            expr => expr.parts(&mut inside),
        },
        Part::Stmt(id) => module.stmt(id).parts(&mut inside),
        Part::Target(target) => target.parts(&mut inside),
        Part::Pattern(pattern) => pattern.parts(&mut inside),
        Part::Code(_) | Part::Bound(..) => {}
    }
    found
}

struct Emitter<'m> {
    module: &'m Module,
    user: bool,
    /// Whether it is a generator's body, and yields where no operation of its own stands for it.
    generator: bool,
    hides_yield: bool,
    /// Whether expressions may bind local variables: then variables are read where they stand.
    binds: bool,
    locals: usize,
    next: usize,
    most: usize,
    /// Fuel of the statement under way.
    cost: u32,
    /// The operation that spends for the statements before, where the next one is sure to follow them.
    straight: Option<At>,
    /// The statement under way.
    owner: u16,
    /// Guarded parts of `try` statements around it.
    guards: u32,
    /// Calls so far.
    sites: u16,
    ops: Vec<Op>,
    owners: Vec<u16>,
    around: Vec<Around>,
    pieces: Vec<Piece>,
    flat: Flat,
}

impl<'m> Emitter<'m> {
    fn new(module: &'m Module, code: &Code, user: bool, binds: bool) -> Emitter<'m> {
        let locals = code.locals.len();
        Emitter {
            module,
            user,
            generator: code.is_generator,
            hides_yield: false,
            binds,
            locals,
            next: locals,
            most: locals,
            cost: 0,
            straight: None,
            owner: 0,
            guards: 0,
            sites: 0,
            ops: Vec::new(),
            owners: Vec::new(),
            around: Vec::new(),
            pieces: Vec::new(),
            flat: Flat {
                steps: Box::default(),
                owners: Box::default(),
                pieces: Vec::new(),
                outer: None,
                forks: Default::default(),
                constants: Vec::new(),
                names: Vec::new(),
                slots: Vec::new(),
                shapes: Vec::new(),
                keywords: Vec::new(),
                registers: 0,
                root: Rc::default(),
                locals,
                loops: 0,
                sites: Box::default(),
                small: false,
                rests: false,
                window: None,
            },
        }
    }

    fn finish(mut self, outer: Option<u16>) -> Option<Flat> {
        self.emit(Op::End);
        let small = self.most < MOST_REGISTERS && self.pieces.len() < usize::from(u16::MAX);
        let steps: Box<[_]> = self.ops.into_iter().map(|op| Instruction { run: handler(&op), op }).collect();
        small.then(|| Flat {
            small: is_small(&steps, self.most, self.flat.loops),
            rests: !self.hides_yield,
            steps,
            owners: self.owners.into(),
            pieces: self.pieces,
            outer,
            registers: self.most,
            root: Rc::new(Root::of(self.most)),
            locals: self.locals,
            sites: (0..self.sites).map(|_| CallSite::default()).collect(),
            ..self.flat
        })
    }

    fn at(&self) -> At {
        self.ops.len() as At
    }

    fn emit(&mut self, op: Op) -> At {
        self.ops.push(op);
        self.owners.push(self.owner);
        self.at() - 1
    }

    /// Gives a jump its aim: here.
    fn land(&mut self, jump: At) {
        let here = self.at();
        match &mut self.ops[jump as usize] {
            Op::Jump(to)
            | Op::Break(to)
            | Op::Continue(to)
            | Op::Branch { otherwise: to, .. }
            | Op::BranchInt { otherwise: to, .. }
            | Op::Test { otherwise: to, .. }
            | Op::Choose { end: to, .. }
            | Op::Unread { end: to, .. }
            | Op::Catches { otherwise: to, .. }
            | Op::NextElement { over: to, .. }
            | Op::NextItem { over: to, .. }
            | Op::NextParts { over: to, .. } => *to = here,
            op => unreachable!("{op:?} is no jump"),
        }
        if let Some(Fork::Expression(_, _, end)) = self.flat.forks.get_mut(&jump)
            && *end == jump
        {
            *end = here;
        }
    }

    /// Temporaries next to each other.
    fn temporaries(&mut self, count: usize) -> Reg {
        let first = self.next;
        self.next += count;
        self.most = self.most.max(self.next);
        first.min(usize::from(NONE) - 1) as Reg
    }

    fn piece(&mut self, id: StmtId, parent: Option<u16>, within: Within) -> u16 {
        self.pieces.push(Piece { id, parent, looping: None, within, caught: None, part: false, after: 0 });
        (self.pieces.len() - 1) as u16
    }

    fn block(&mut self, statements: &[StmtId], parent: Option<u16>, within: Within) -> Option<()> {
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
                        self.hides(Part::Target(target));
                        self.emit(Op::AssignTo { value: held, number });
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
                Target::Name(..) => {
                    let dst = self.temporaries(1);
                    self.emit(Op::LoadName { dst });
                    match self.small(*value) {
                        Some(value) => self.emit(Op::AugmentInt { op: *op, dst, value }),
                        None => {
                            let value = self.operand(*value);
                            self.emit(Op::Augment { op: *op, dst, value })
                        }
                    };
                    self.emit(Op::Assign { value: dst });
                }
                _ => self.walks(id),
            },
            Stmt::If { test, body, orelse } => {
                let otherwise = self.condition(*test, Fork::Statement);
                self.next = self.locals;
                self.straight = None;
                self.block(body, Some(piece), Within::Body)?;
                if orelse.is_empty() {
                    self.land(otherwise);
                } else {
                    let end = self.emit(Op::Jump(0));
                    self.land(otherwise);
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

    /// A `try` without a final part, or what that is behind.
    fn guarded(&mut self, piece: u16, body: &[StmtId], handlers: &[Handler], orelse: &[StmtId]) -> Option<()> {
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
    fn final_part(
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
    fn managed(&mut self, piece: u16, items: &[WithItem], number: u16, body: &[StmtId]) -> Option<()> {
        let Some(item) = items.get(usize::from(number)) else { return self.block(body, Some(piece), Within::Body) };
        let manager = self.operand(item.context);
        let value = self.temporaries(1);
        self.emit(Op::Enter { dst: value, manager, expr: item.context });
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
        self.emit(Op::LeaveWith);
        Some(())
    }

    fn returns(&mut self, value: Option<ExprId>) {
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
            self.land(otherwise);
            self.into(*orelse, dst);
            let end = self.emit(Op::Return { value: dst, expr: *orelse, whole: expr });
            self.flat.forks.insert(otherwise, Fork::Expression(expr, dst, end));
            return;
        }
        let value = self.operand(expr);
        self.emit(Op::Return { value, expr, whole: expr });
    }

    fn for_rounds(
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

    fn while_rounds(
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
        self.land(otherwise);
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

    /// `target = value`
    fn assign(&mut self, target: &Target, value: ExprId) {
        let module = self.module;
        match (target, module.expr(value)) {
            (Target::Name(Place::Local(slot), ..), _) => self.into(value, *slot as Reg),
            (Target::Tuple(targets, _), Expr::Tuple(items))
                if targets.len() == items.len()
                    && !targets.iter().any(|target| matches!(target, Target::Starred(..)))
                    && !self.starred(items) =>
            {
                let base = self.temporaries(items.len());
                // The last value may go where it belongs: the others have been read.
                let own = match targets.split_last() {
                    Some((Target::Name(Place::Local(slot), ..), others)) => Some(*slot as Reg).filter(|slot| {
                        !others
                            .iter()
                            .any(|other| !matches!(other, Target::Name(Place::Local(s), ..) if *s as Reg != *slot))
                    }),
                    _ => None,
                };
                for (i, item) in items.iter().enumerate() {
                    self.into(*item, own.filter(|_| i + 1 == items.len()).unwrap_or(base + i as Reg));
                }
                let targets = if own.is_some() { &targets[..targets.len() - 1] } else { &targets[..] };
                for (i, target) in targets.iter().enumerate() {
                    let value = base + i as Reg;
                    match target {
                        Target::Name(Place::Local(slot), ..) => self.emit(Op::Take { dst: *slot as Reg, src: value }),
                        target => {
                            self.hides(Part::Target(target));
                            self.emit(Op::AssignPart { value, part: i as u16 })
                        }
                    };
                }
            }
            (Target::Attribute(object, name, _), _) => self.store(*object, None, Some(*name), value),
            (Target::Subscript(object, index, _), _) => self.store(*object, Some(*index), None, value),
            _ => {
                let temporary = self.temporaries(1);
                self.into(value, temporary);
                self.bind(target, temporary);
            }
        }
    }

    /// Binds the target of the statement under way to a temporary.
    fn bind(&mut self, target: &Target, value: Reg) {
        if let Target::Tuple(targets, _) = target {
            let slots: Option<Box<[Reg]>> = targets
                .iter()
                .map(|target| match target {
                    Target::Name(Place::Local(slot), ..) => Some(*slot as Reg),
                    _ => None,
                })
                .collect();
            if let Some(slots) = slots {
                self.flat.slots.push(slots);
                let slots = (self.flat.slots.len() - 1) as u16;
                self.emit(Op::Unpack { value, slots });
                return;
            }
        }
        if let Some(shape @ Shape::Parts(_)) = shape_of(target) {
            self.flat.shapes.push(shape);
            let shape = (self.flat.shapes.len() - 1) as u16;
            self.emit(Op::UnpackShape { value, shape });
            return;
        }
        self.hides(Part::Target(target));
        self.emit(Op::Assign { value });
    }

    fn store(&mut self, object: ExprId, index: Option<ExprId>, name: Option<Symbol>, value: ExprId) {
        let value = match index {
            Some(index) => self.operand_before(value, &[object, index]),
            None => self.operand_before(value, &[object]),
        };
        let (object, index) = self.place(object, index);
        let named = name.map_or(NONE, |name| self.named(name));
        self.emit(Op::Store { object, index, value, named });
    }

    /// The number of the name of an attribute: each place has one of its own.
    fn named(&mut self, name: Symbol) -> u16 {
        let number = self.flat.names.len().min(usize::from(NONE)) as u16;
        if number != NONE {
            self.flat.names.push((name, Default::default()));
        }
        number
    }

    /// The registers of an object and an index.
    fn place(&mut self, object: ExprId, index: Option<ExprId>) -> (Reg, Reg) {
        match index {
            Some(index) => (self.operand_before(object, &[index]), self.operand(index)),
            None => (self.operand(object), NONE),
        }
    }

    fn augment(
        &mut self,
        op: crate::module::BinaryOp,
        object: ExprId,
        index: Option<ExprId>,
        name: Option<Symbol>,
        value: ExprId,
    ) {
        // Where one may read the attribute one may not yet set it.
        let read = name.map_or(NONE, |name| self.named(name));
        let named = name.map_or(NONE, |name| self.named(name));
        let (object, index) = self.place(object, index);
        let dst = self.temporaries(1);
        self.emit(Op::Load { dst, object, index, named: read });
        match self.small(value) {
            Some(value) => self.emit(Op::AugmentInt { op, dst, value }),
            None => {
                let value = self.operand(value);
                self.emit(Op::Augment { op, dst, value })
            }
        };
        self.emit(Op::Store { object, index, value: dst, named });
    }

    fn starred(&self, items: &[ExprId]) -> bool {
        items.iter().any(|item| matches!(self.module.expr(*item), Expr::Starred(_)))
    }

    /// An integer that fits into an operation.
    fn small(&self, expr: ExprId) -> Option<i16> {
        match self.module.expr(expr) {
            Expr::Constant(Const::Int(value)) => i16::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The register of a value: a local variable's own, or a temporary.
    fn operand(&mut self, expr: ExprId) -> Reg {
        if let Expr::Name(Place::Local(slot), _) = self.module.expr(expr)
            && !self.binds
        {
            return *slot as Reg;
        }
        let temporary = self.temporaries(1);
        self.into(expr, temporary);
        temporary
    }

    /// The register of an operand that others are evaluated behind: it is read before they are.
    fn operand_before(&mut self, expr: ExprId, others: &[ExprId]) -> Reg {
        let plain =
            |expr: &ExprId| matches!(self.module.expr(*expr), Expr::Name(Place::Local(_), _) | Expr::Constant(_));
        let last = others.iter().all(plain);
        let register = self.operand(expr);
        if usize::from(register) < self.locals && !last {
            self.emit(Op::Look { src: register, expr });
        }
        register
    }

    /// A condition: the jump that is taken where it does not hold.
    fn condition(&mut self, test: ExprId, fork: Fork) -> At {
        self.cost += 1;
        let jump = match self.module.expr(test) {
            Expr::Compare(left, rest) if rest.len() == 1 => {
                let (op, right) = rest[0];
                let left = self.operand_before(*left, &[right]);
                match self.small(right) {
                    Some(right) if !matches!(op, CompareOp::In | CompareOp::NotIn) => {
                        self.emit(Op::BranchInt { op, left, right, expr: test, otherwise: 0 })
                    }
                    _ => {
                        let right = self.operand(right);
                        self.emit(Op::Branch { op, left, right, expr: test, otherwise: 0 })
                    }
                }
            }
            _ => {
                let value = self.operand(test);
                self.emit(Op::Test { value, expr: test, otherwise: 0 })
            }
        };
        self.flat.forks.insert(jump, fork);
        jump
    }

    /// Evaluates an expression into a register. Nothing is written there before its value is complete, but by `and`, `or`.
    fn into(&mut self, expr: ExprId, dst: Reg) {
        let module = self.module;
        let node = module.expr(expr);
        if !matches!(node, Expr::Name(..) | Expr::Constant(_)) {
            self.cost += 1;
        }
        match node {
            Expr::Name(Place::Local(slot), _) => drop(self.emit(Op::Copy { dst, src: *slot as Reg, expr })),
            Expr::Name(Place::Cell(cell), _) if *cell < u32::from(u16::MAX) => {
                self.emit(Op::Cell { dst, cell: *cell as u16, expr });
            }
            Expr::Name(Place::Global(slot), _) => drop(self.emit(Op::Global { dst, slot: *slot, expr })),
            Expr::Constant(constant) if self.flat.constants.len() < usize::from(u16::MAX) => {
                self.constant(dst, constant_value(constant));
            }
            Expr::Binary(op, left, right) => {
                let left = self.operand_before(*left, &[*right]);
                match self.small(*right) {
                    Some(right) => self.emit(Op::BinaryInt { op: *op, dst, left, right, expr }),
                    None => {
                        let right = self.operand(*right);
                        self.emit(Op::Binary { op: *op, dst, left, right, expr })
                    }
                };
            }
            Expr::Unary(op, value) => {
                let value = self.operand(*value);
                self.emit(Op::Unary { op: *op, dst, value, expr });
            }
            Expr::Compare(left, rest) if rest.len() == 1 => {
                let left = self.operand_before(*left, &[rest[0].1]);
                let right = self.operand(rest[0].1);
                self.emit(Op::Compare { op: rest[0].0, dst, left, right, expr });
            }
            Expr::Attribute(object, name) => {
                let object = self.operand(*object);
                let named = self.named(*name);
                self.emit(Op::Attribute { dst, object, named, expr });
            }
            Expr::Subscript(object, index) if let Expr::Slice(lower, upper, None) = module.expr(*index) => {
                let bounds: Vec<ExprId> = lower.iter().chain(upper).copied().collect();
                let object = self.operand_before(*object, &bounds);
                let base = self.temporaries(2);
                self.bounds([lower, upper], base);
                self.emit(Op::Slice { dst, object, base, expr });
            }
            Expr::Slice(lower, upper, None) => {
                let base = self.temporaries(2);
                self.bounds([lower, upper], base);
                self.emit(Op::MakeSlice { dst, base });
            }
            Expr::Dict(items)
                if items.len() < 128
                    && items
                        .iter()
                        .all(|(key, _)| key.is_some_and(|key| matches!(module.expr(key), Expr::Constant(_)))) =>
            {
                let base = self.temporaries(2 * items.len());
                for ((key, value), register) in items.iter().zip((base..).step_by(2)) {
                    if let Some(key) = key {
                        self.into(*key, register);
                    }
                    self.into(*value, register + 1);
                }
                self.emit(Op::Dict { dst, base, count: items.len() as u16 });
            }
            Expr::Subscript(object, index) => {
                let object = self.operand_before(*object, &[*index]);
                match self.small(*index) {
                    Some(index) => self.emit(Op::SubscriptInt { dst, object, index, expr }),
                    None => {
                        let index = self.operand(*index);
                        self.emit(Op::Subscript { dst, object, index, expr })
                    }
                };
            }
            Expr::Call(callee, args) => self.call(expr, *callee, args, dst),
            Expr::Yield(value) => {
                let value = match value {
                    Some(value) => self.operand(*value),
                    None => {
                        let nothing = self.temporaries(1);
                        self.constant(nothing, Value::None);
                        nothing
                    }
                };
                self.emit(Op::Yield { dst, value, expr });
            }
            Expr::YieldFrom(value) => {
                let value = self.operand(*value);
                let iterator = self.temporaries(1);
                self.emit(Op::Delegate { dst, iterator, value, expr });
            }
            Expr::Tuple(items) if !self.starred(items) && items.len() < 256 => {
                let base = self.items(items);
                self.emit(Op::Tuple { dst, base, count: items.len() as u16 });
            }
            Expr::List(items) if !self.starred(items) && items.len() < 256 => {
                let base = self.items(items);
                self.emit(Op::List { dst, base, count: items.len() as u16 });
            }
            Expr::IfExp { test, body, orelse } => {
                let otherwise = self.condition(*test, Fork::Expression(expr, dst, 0));
                self.into(*body, dst);
                let end = self.emit(Op::Jump(0));
                self.land(otherwise);
                self.into(*orelse, dst);
                self.land(end);
                let after = self.at();
                self.flat.forks.insert(otherwise, Fork::Expression(expr, dst, after));
                self.seen(dst, expr);
            }
            Expr::And(values) => self.and_or(expr, values, true, dst),
            Expr::Or(values) => self.and_or(expr, values, false, dst),
            _ => self.walked(expr, dst),
        }
    }

    /// The bounds of a slice, into registers next to each other.
    fn bounds(&mut self, bounds: [&Option<ExprId>; 2], base: Reg) {
        for (bound, register) in bounds.into_iter().zip(base..) {
            match bound {
                Some(bound) => self.into(*bound, register),
                None => self.constant(register, Value::None),
            }
        }
    }

    fn constant(&mut self, dst: Reg, value: Value) {
        self.flat.constants.push(value);
        let index = (self.flat.constants.len() - 1) as u16;
        self.emit(Op::Constant { dst, index });
    }

    /// An expression that has no operation of its own.
    fn walked(&mut self, expr: ExprId, dst: Reg) {
        self.hides(Part::Expr(expr));
        self.emit(Op::Eval { dst, expr });
    }

    /// A statement under way that has no operation of its own.
    fn walks(&mut self, id: StmtId) {
        self.hides(Part::Stmt(id));
        self.emit(Op::Walk);
    }

    /// What is walked: a generator that yields there has to rest in the middle of it.
    fn hides(&mut self, part: Part<'_>) {
        self.hides_yield |= self.generator && yields_in(self.module, part);
    }

    fn items(&mut self, items: &[ExprId]) -> Reg {
        let base = self.temporaries(items.len());
        for (i, item) in items.iter().enumerate() {
            self.into(*item, base + i as Reg);
        }
        base
    }

    fn and_or(&mut self, expr: ExprId, values: &[ExprId], is_and: bool, dst: Reg) {
        // A variable that is bound here may be read by later operands.
        let own = match usize::from(dst) < self.locals {
            true => self.temporaries(1),
            false => dst,
        };
        let mut jumps = Vec::new();
        for (i, value) in values.iter().enumerate() {
            self.into(*value, own);
            if i + 1 < values.len() {
                jumps.push(self.emit(Op::Choose { is_and, value: own, at: i as u16, expr, end: 0 }));
            }
        }
        for jump in jumps {
            self.land(jump);
        }
        self.seen(own, expr);
        if own != dst {
            self.emit(Op::Take { dst, src: own });
        }
    }

    fn seen(&mut self, value: Reg, expr: ExprId) {
        if self.user {
            self.emit(Op::Seen { value, expr });
        }
    }

    fn call(&mut self, expr: ExprId, callee: ExprId, args: &[Arg], dst: Reg) {
        let module = self.module;
        let mut names: Vec<Symbol> = Vec::new();
        let positional: Option<Vec<ExprId>> = args
            .iter()
            .map(|arg| match arg {
                Arg::Positional(value) if names.is_empty() => Some(*value),
                Arg::Keyword(name, value) if !names.contains(name) => {
                    names.push(*name);
                    Some(*value)
                }
                _ => None,
            })
            .collect();
        let is_name = |expr: ExprId| matches!(module.expr(expr), Expr::Name(..));
        let function = module.expr(callee);
        // These look at the frame around them, or do not read what they are given.
        let special = match function {
            Expr::Name(_, name) => {
                matches!(name.as_str(), "super" | "exec" | "eval" | "locals" | "globals" | "vars" | "dir" | "print")
            }
            _ => false,
        };
        let Some(args) = positional.filter(|args| !special && args.len() < 64) else {
            self.walked(expr, dst);
            return;
        };
        let generator = matches!(&args[..], [only] if names.is_empty() && self.is_generator(*only));
        let texts = args.iter().any(|arg| match module.expr(*arg) {
            Expr::FString(_) => true,
            Expr::Call(callee, args) => args.len() == 1 && is_name(*callee),
            _ => false,
        });
        let plain = match function {
            Expr::Attribute(object, _) => is_name(*object),
            _ => is_name(callee),
        };
        if generator || texts && !plain {
            self.walked(expr, dst);
            return;
        }
        let method = matches!(function, Expr::Attribute(..));
        let base = self.temporaries(1 + method as usize + args.len());
        let builtin = match function {
            Expr::Attribute(_, name) if names.is_empty() => Builtin::of(*name, args.len()),
            _ => None,
        };
        match function {
            Expr::Attribute(object, _) if self.is_super(*object) => {
                self.emit(Op::SuperMethod { base, expr: callee });
            }
            Expr::Attribute(object, _) => {
                let object = self.operand(*object);
                self.emit(Op::Method { builtin, base, object, expr: callee });
            }
            _ => self.into(callee, base),
        }
        let unread = texts.then(|| {
            self.hides(Part::Expr(expr));
            self.emit(Op::Unread { base, dst, expr, end: 0 })
        });
        let first = base + 1 + method as Reg;
        for (i, arg) in args.iter().enumerate() {
            self.into(*arg, first + i as Reg);
        }
        let site = self.sites;
        if !names.is_empty() {
            let count = (args.len() - names.len()) as u8;
            self.flat.keywords.push(names.into());
            let names = (self.flat.keywords.len() - 1) as u16;
            self.emit(Op::CallNamed { dst, base, count, method, names, expr });
            unread.into_iter().for_each(|jump| self.land(jump));
            return;
        }
        self.sites = self.sites.saturating_add(1);
        self.emit(Op::Call { builtin, dst, base, count: args.len() as u8, method, site, expr });
        if let Some(jump) = unread {
            self.land(jump);
        }
    }

    /// Whether it is `super()`.
    fn is_super(&self, expr: ExprId) -> bool {
        match self.module.expr(expr) {
            Expr::Call(callee, args) => {
                args.is_empty() && matches!(self.module.expr(*callee), Expr::Name(_, name) if name.as_str() == "super")
            }
            _ => false,
        }
    }

    fn is_generator(&self, expr: ExprId) -> bool {
        match self.module.expr(expr) {
            Expr::Comprehension(code, _) => self.module.code(*code).kind == crate::module::CodeKind::GeneratorExp,
            _ => false,
        }
    }
}
