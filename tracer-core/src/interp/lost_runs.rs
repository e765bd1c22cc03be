//! Functions that may have run where nobody saw it: a call of the user's that came to nothing known may have run, and traced, whatever
//! can be reached from it. How often those were traced is not told.
//!
//! What can be reached from values is looked at when the call is lost; what the texts of those functions name is followed when the
//! facts are collected.

use std::cell::{Cell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Interp;
use super::function::Run;
use super::import::missing_module;
use super::recorder::Seen;
use crate::module::{CodeId, Expr, ExprId, Part, StmtId, Symbol};
use crate::python::{FileId, Function, Value, Why};

/// Values in values are looked at so deep, and so many of one call; where there are more, anything may have run.
const DEPTH: usize = 24;
const MOST_VALUES: usize = 2_000;
/// So often are the values around one expression looked at.
const MOST_LOOKS: u32 = 64;

/// Where functions that may have run begin: codes, and names of which nothing else is known.
#[derive(Clone, Debug, Default)]
pub struct LostRuns {
    codes: RefCell<FxHashSet<(FileId, CodeId)>>,
    names: RefCell<FxHashSet<Symbol>>,
    looks: RefCell<FxHashMap<(FileId, ExprId), u32>>,
    all: Cell<bool>,
}

impl LostRuns {
    /// The codes.
    pub fn codes(&self) -> Vec<(FileId, CodeId)> {
        self.codes.borrow().iter().copied().collect()
    }
    /// Whether any function of the program's may have run.
    pub fn is_all(&self) -> bool {
        self.all.get()
    }
    /// The names: any function or class of the program's that is called so.
    pub fn names(&self) -> Vec<Symbol> {
        self.names.borrow().iter().copied().collect()
    }
    fn looks_at(&self, file: FileId, expr: ExprId) -> bool {
        let mut looks = self.looks.borrow_mut();
        let count = looks.entry((file, expr)).or_default();
        *count += 1;
        *count <= MOST_LOOKS
    }
    fn name(&self, name: Symbol) {
        if self.names.borrow_mut().insert(name) && super::debugging() {
            eprintln!("any `{name}` may have run");
        }
    }
    /// Says where a call was lost: for those who write preludes.
    fn tell(&self, at: crate::text::Span) {
        eprintln!("a call at bytes {}..{} may have run anything that it reaches", at.start, at.end);
    }
}

impl Interp {
    /// What can be reached from this value may have run any number of times.
    #[cold]
    pub fn lose_runs_of(&self, value: &Value) {
        if super::debugging() {
            eprintln!("what can be reached from a {} may have run", self.type_name(value));
        }
        let mut reach = Reach { lost: self.recorder.lost(), seen: FxHashSet::default() };
        reach.value(value, DEPTH);
    }
}

/// A walk through what a value holds.
struct Reach<'a> {
    lost: &'a LostRuns,
    /// What has been looked at, by identity: it is all held by the value.
    seen: FxHashSet<usize>,
}

impl Reach<'_> {
    fn value(&mut self, value: &Value, depth: usize) {
        if is_plain(value) || self.lost.all.get() || !self.seen.insert(value.identity()) {
            return;
        }
        if depth == 0 || self.seen.len() > MOST_VALUES {
            if super::debugging() {
                eprintln!("anything may have run");
            }
            return self.lost.all.set(true);
        }
        match value {
            Value::Function(function) => self.function(function, depth - 1),
            Value::Method(method) => self.all([&method.function, &method.receiver], depth),
            Value::Class(class) => {
                let mro = class.mro.borrow();
                mro.iter().filter(|class| !class.is_builtin()).for_each(|class| self.lost.name(class.name));
            }
            Value::Instance(instance) => {
                self.value(&Value::Class(instance.class()), depth);
                let held = callable(instance.attrs().values());
                self.all(instance.payload().into_iter().chain(&held), depth);
            }
            Value::Tuple(items) => self.all(items.iter(), depth),
            Value::List(list) => {
                let held = callable(list.read().iter());
                self.all(&held, depth);
            }
            Value::Dict(dict) => {
                let held = callable(dict.read().values());
                self.all(&held, depth);
            }
            Value::Object(object) => self.all(&object.holds(), depth),
            Value::Unknown(unknown) => self.all(&unknown.or_none, depth),
            _ => {}
        }
    }

    fn all<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>, depth: usize) {
        values.into_iter().for_each(|value| self.value(value, depth - 1));
    }

    fn function(&mut self, function: &Function, depth: usize) {
        if function.unit.user {
            self.lost.codes.borrow_mut().insert((function.unit.file, function.code));
        }
        for cell in &function.captured {
            let held = cell.read().clone();
            self.value(&held, depth);
        }
        function.defaults.iter().for_each(|value| self.value(value, depth));
    }
}

/// Those values by way of which something may be called. (Lists of a million numbers are not copied.)
fn callable<'v>(values: impl Iterator<Item = &'v Value>) -> Vec<Value> {
    values.filter(|value| !is_plain(value)).cloned().collect()
}

/// Whether nothing can be called by way of a value.
fn is_plain(value: &Value) -> bool {
    value.is_plain()
        || matches!(value, Value::Str(_) | Value::Bytes(_) | Value::Array(_) | Value::Module(_) | Value::Native(_))
}

impl Run<'_> {
    /// A call of the user's is not known: what it may have run is noted.
    #[cold]
    pub(super) fn lose_runs(&mut self, expr: ExprId) {
        let Expr::Call(callee, _) = self.module.expr(expr) else { return };
        if !self.it.recorder.lost().looks_at(self.file, expr) {
            return;
        }
        if let Some(package) = self.package_of(*callee) {
            // What it is given it may call.
            if !self.it.loader.only_reads(package.split('.').next().unwrap_or(&package)) {
                self.lose_given(expr);
            }
            return;
        }
        if super::debugging() {
            self.it.recorder.lost().tell(self.module.span(expr));
        }
        self.lose_part(Part::Expr(expr));
    }

    /// The package that is not there of which a callee is something.
    fn package_of(&self, mut callee: ExprId) -> Option<String> {
        loop {
            let seen = match self.it.recorder.last_seen(self.file, callee) {
                Some(Seen::Unknown(why)) => Some(Why(why)),
                _ => None,
            };
            let held = match self.quiet(callee) {
                Some(Value::Unknown(unknown)) => Some(unknown.why.clone()),
                _ => None,
            };
            if let Some(package) = seen.iter().chain(&held).find_map(|why| missing_module(&why.0)) {
                return Some(package.to_owned());
            }
            callee = match self.module.expr(callee) {
                Expr::Attribute(inner, _) | Expr::Call(inner, _) | Expr::Subscript(inner, _) => *inner,
                _ => return None,
            };
        }
    }

    /// A statement is not known to its end.
    #[cold]
    pub(super) fn lose_runs_in(&mut self, statement: StmtId) {
        self.lose_part(Part::Stmt(statement));
    }

    /// The functions among the arguments of a call.
    fn lose_given(&mut self, call: ExprId) {
        let mut given = Vec::new();
        self.module.expr(call).parts(&mut |part| {
            if let Part::Expr(id) = part {
                given.push(id);
            }
        });
        for arg in given.into_iter().skip(1) {
            if let Some(value @ (Value::Function(_) | Value::Method(_) | Value::Object(_))) = self.quiet(arg) {
                self.it.lose_runs_of(&value);
            }
        }
    }

    fn lose_part(&mut self, part: Part) {
        match part {
            Part::Expr(id) => {
                if self.was_data(id) {
                    return;
                }
                match self.module.expr(id) {
                    Expr::Name(_, name) => match self.quiet(id) {
                        Some(Value::Unknown(unknown)) if unknown.or_none.is_none() => {
                            let is_of_a_package = missing_module(&unknown.why.0).is_some();
                            if !is_of_a_package {
                                self.it.recorder.lost().name(*name);
                            }
                        }
                        Some(value) => self.it.lose_runs_of(&value),
                        None => {}
                    },
                    Expr::Attribute(object, name) => match self.quiet(id) {
                        Some(value) if !value.is_unknown() => {
                            self.it.lose_runs_of(&value);
                            self.lose_part(Part::Expr(*object));
                        }
                        _ => {
                            // Methods of objects that are known are reached from those.
                            if !matches!(self.quiet(*object), Some(object) if !object.is_unknown()) {
                                self.it.recorder.lost().name(*name);
                            }
                            self.lose_part(Part::Expr(*object));
                        }
                    },
                    expr => {
                        let mut parts = Vec::new();
                        expr.parts(&mut |part| parts.push(Known::of(part)));
                        parts.into_iter().flatten().for_each(|part| self.lose_known(part));
                    }
                }
            }
            Part::Stmt(id) => {
                let mut parts = Vec::new();
                self.module.stmt(id).parts(&mut |part| parts.push(Known::of(part)));
                parts.into_iter().flatten().for_each(|part| self.lose_known(part));
            }
            Part::Code(code) => {
                self.it.recorder.lost().codes.borrow_mut().insert((self.file, code));
            }
            _ => {}
        }
    }

    fn lose_known(&mut self, part: Known) {
        match part {
            Known::Expr(id) => self.lose_part(Part::Expr(id)),
            Known::Stmt(id) => self.lose_part(Part::Stmt(id)),
            Known::Code(id) => self.lose_part(Part::Code(id)),
        }
    }

    /// Whether an expression was seen to be an array: nothing in it is called any more.
    fn was_data(&self, expr: ExprId) -> bool {
        self.it.recorder.last_seen(self.file, expr).is_some_and(|seen| !matches!(seen, Seen::Unknown(_)))
    }

    /// The value of a name, or of what modules and objects hold by names, without running anything.
    fn quiet(&self, id: ExprId) -> Option<Value> {
        match self.module.expr(id) {
            Expr::Name(place, name) => self.it.while_catching(|| self.load(*place, *name)).ok(),
            Expr::Attribute(object, name) => match self.quiet(*object)? {
                Value::Module(module) => module.get(*name),
                Value::Instance(instance) => instance.get(*name),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A part that needs nothing of the text.
enum Known {
    Expr(ExprId),
    Stmt(StmtId),
    Code(CodeId),
}

impl Known {
    fn of(part: Part<'_>) -> Option<Known> {
        match part {
            Part::Expr(id) => Some(Known::Expr(id)),
            Part::Stmt(id) => Some(Known::Stmt(id)),
            Part::Code(id) => Some(Known::Code(id)),
            _ => None,
        }
    }
}
