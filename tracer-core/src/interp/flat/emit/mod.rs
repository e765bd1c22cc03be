//! From the tree to operations.

mod calls;
mod conditions;
mod constants;
mod expressions;
mod loops;
mod statements;
mod targets;
mod tries;

use std::rc::Rc;

use crate::interp::flat::copied::is_small;
use crate::interp::flat::handlers::handler;
use crate::interp::flat::inline::{CallSite, Root};
use crate::interp::flat::methods::MethodSite;
use crate::interp::flat::op::{At, Flat, Fork, Instruction, NONE, NOWHERE, Op, Piece, Reg, Within};
use crate::module::{Body, Code, Collect, Comprehension, Expr, Module, Part, Place, Stmt, StmtId, Target};
use conditions::Jumps;
use loops::Around;

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
        if let Some(Op::Unpack { slots, .. }) = emitter.ops.last() {
            emitter.ops[next as usize] = Op::NextElementParts { dst, slots: *slots, cost: 0, over: 0 };
        }
    }
    let skips: Vec<Jumps> =
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
    for skip in &skips {
        emitter.land_all(skip);
    }
    emitter.emit(Op::Jump(head));
    emitter.land(next);
    if let Op::NextElement { cost, .. } | Op::NextElementParts { cost, .. } = &mut emitter.ops[next as usize] {
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
    /// Places so far where functions may be called.
    sites: u16,
    /// Places so far where methods are looked up.
    methods: u16,
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
            methods: 0,
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
                methods: Box::default(),
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
            methods: (0..self.methods).map(|_| MethodSite::default()).collect(),
            sites: (0..self.sites).map(|_| CallSite::default()).collect(),
            ..self.flat
        })
    }

    /// The number of the next place where a function may be called.
    fn site(&mut self) -> u16 {
        let site = self.sites;
        self.sites = self.sites.saturating_add(1);
        site
    }

    /// The number of the next place where a method is looked up.
    fn method_site(&mut self) -> u16 {
        let site = self.methods;
        self.methods = self.methods.saturating_add(1);
        site
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
            | Op::Quick { aim: to, .. }
            | Op::QuickInt { aim: to, .. }
            | Op::QuickNone { aim: to, .. }
            | Op::QuickTruth { aim: to, .. }
            | Op::Test { otherwise: to, .. }
            | Op::Choose { end: to, .. }
            | Op::Unread { end: to, .. }
            | Op::Elements { end: to, .. }
            | Op::Catches { otherwise: to, .. }
            | Op::NextElement { over: to, .. }
            | Op::NextElementParts { over: to, .. }
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

    /// What is walked: a generator that yields there has to rest in the middle of it.
    fn hides(&mut self, part: Part<'_>) {
        self.hides_yield |= self.generator && yields_in(self.module, part);
    }
}
