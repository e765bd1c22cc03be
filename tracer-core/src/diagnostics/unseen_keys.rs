//! `key-reuse` in functions that nothing calls, or with keys that are not known: told by the text alone.
//!
//! One name that two functions of `jax.random` are given in a row, or one of them at each round of a loop, without being bound in between.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::reading::{Call, call, fact};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::frameworks::jax::recipes::uses_key_up;
use crate::module::{Body, CodeKind, Expr, ExprId, Module, Part, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

/// Whether a function of `jax.random` uses its key up, and is not meant to give the same order again.
fn is_told(function: &str) -> bool {
    uses_key_up(function) && !matches!(function, "permutation" | "shuffle")
}

/// So many are told of one function.
const MOST: usize = 100;

/// The rule, beside what a run has found.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let random = Random::of(&facts.module);
        if random.is_nowhere() {
            continue;
        }
        for code in facts.module.codes.iter().filter(|code| code.kind == CodeKind::Function) {
            let Body::Block(body) = &code.body else { continue };
            let mut reader = Reader { facts, random: &random, file, found: Vec::new() };
            reader.block(body, &mut IndexMap::new());
            found.append(&mut reader.found);
        }
    }
    found
}

/// How a file names `jax.random` and its functions.
struct Random {
    jax: Vec<Symbol>,
    modules: Vec<Symbol>,
    functions: Vec<Symbol>,
}

impl Random {
    fn of(module: &Module) -> Random {
        let mut random = Random { jax: Vec::new(), modules: Vec::new(), functions: Vec::new() };
        for stmt in &module.stmts {
            match stmt {
                Stmt::Import(aliases) => {
                    for alias in aliases {
                        match (alias.name.as_str(), alias.asname) {
                            ("jax" | "jax.random" | "jax.numpy", None) => random.jax.push(Symbol::from("jax")),
                            ("jax", Some(name)) => random.jax.push(name),
                            ("jax.random", Some(name)) => random.modules.push(name),
                            _ => {}
                        }
                    }
                }
                Stmt::ImportFrom { module: from, names, .. } => {
                    for alias in names {
                        let own = alias.asname.unwrap_or(alias.name);
                        match (from.as_str(), alias.name.as_str()) {
                            ("jax", "random") => random.modules.push(own),
                            ("jax.random", name) if is_told(name) => random.functions.push(own),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        random
    }

    fn is_nowhere(&self) -> bool {
        self.jax.is_empty() && self.modules.is_empty() && self.functions.is_empty()
    }

    /// The name that a call of a function of `jax.random` uses up as a key, and where it stands.
    fn key(&self, module: &Module, call: &Call<'_>) -> Option<(Symbol, ExprId)> {
        let is_own = match call.receiver {
            None => self.functions.iter().any(|name| name.as_str() == call.name),
            Some(of) => {
                is_told(call.name)
                    && match module.expr(of) {
                        Expr::Name(_, name) => self.modules.contains(name),
                        Expr::Attribute(jax, name) if name.as_str() == "random" => {
                            matches!(module.expr(*jax), Expr::Name(_, name) if self.jax.contains(name))
                        }
                        _ => false,
                    }
            }
        };
        let key = call.argument_or(0, "key").filter(|_| is_own)?;
        match module.expr(key) {
            Expr::Name(_, name) => Some((*name, key)),
            _ => None,
        }
    }
}

/// The keys that were used up where the text has come to, and where.
type Used = IndexMap<Symbol, Use>;

/// A call that uses a key up.
#[derive(Copy, Clone)]
struct Use {
    at: Span,
    /// The array that `choice` chooses from.
    chosen: Option<ExprId>,
}

struct Reader<'a> {
    facts: &'a FileFacts,
    random: &'a Random,
    file: usize,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Reads statements one after the other; whether what stands behind them may be reached.
    fn block(&mut self, body: &[StmtId], used: &mut Used) -> bool {
        let facts = self.facts;
        for id in body {
            let module = &*facts.module;
            match module.stmt(*id) {
                Stmt::If { test, body, orelse } => {
                    self.expr(*test, used);
                    let mut other = used.clone();
                    let (then, otherwise) = (self.block(body, used), self.block(orelse, &mut other));
                    match (then, otherwise) {
                        (false, false) => return false,
                        (false, true) => *used = other,
                        (true, false) => {}
                        // What one of them has bound anew is another key.
                        (true, true) => used.retain(|name, _| other.contains_key(name)),
                    }
                }
                Stmt::For { target, iter, body, orelse, .. } => {
                    self.expr(*iter, used);
                    self.round(body, Some(target), used);
                    self.block(orelse, used);
                }
                Stmt::While { test, body, orelse } => {
                    self.expr(*test, used);
                    self.round(body, None, used);
                    self.block(orelse, used);
                }
                Stmt::With { body, .. } => {
                    if !self.block(body, used) {
                        return false;
                    }
                }
                Stmt::Return(_) | Stmt::Raise(..) | Stmt::Break | Stmt::Continue => {
                    self.parts(*id, used);
                    return false;
                }
                // Whether its parts run is not certain; functions in it are read by themselves.
                Stmt::Try { .. } | Stmt::Match { .. } | Stmt::FunctionDef(..) | Stmt::ClassDef(..) => {
                    let mut bound = FxHashSet::default();
                    bound_within(module, *id, &mut bound);
                    used.retain(|name, _| !bound.contains(name));
                }
                _ => self.parts(*id, used),
            }
        }
        true
    }

    /// The body of a loop: a key that it uses up and does not bind is the same at each round.
    fn round(&mut self, body: &[StmtId], target: Option<&Target>, used: &mut Used) {
        let module = &*self.facts.module;
        let mut bound = FxHashSet::default();
        body.iter().for_each(|id| bound_within(module, *id, &mut bound));
        if let Some(target) = target {
            names(target, &mut bound);
        }
        used.retain(|name, _| !bound.contains(name));
        let mut inner = used.clone();
        let goes_on = self.block(body, &mut inner);
        for (name, of) in inner {
            if used.contains_key(&name) || bound.contains(&name) {
                continue;
            }
            // A loop that is left in its first round has no second one.
            if goes_on && !self.leaves(body) {
                self.tell(of.at, of.at);
            }
            used.insert(name, of);
        }
    }

    fn leaves(&self, body: &[StmtId]) -> bool {
        body.iter().any(|id| {
            let module = &*self.facts.module;
            matches!(module.stmt(*id), Stmt::Break | Stmt::Return(_) | Stmt::Raise(..)) || {
                let mut inner = Vec::new();
                module.stmt(*id).parts(&mut |part| {
                    if let Part::Stmt(id) = part {
                        inner.push(id);
                    }
                });
                self.leaves(&inner)
            }
        })
    }

    /// A simple statement: what it computes, and then what it binds.
    fn parts(&mut self, id: StmtId, used: &mut Used) {
        let module = &*self.facts.module;
        let mut values = Vec::new();
        let mut bound = FxHashSet::default();
        module.stmt(id).parts(&mut |part| match part {
            Part::Expr(value) => values.push(value),
            Part::Target(target) => names(target, &mut bound),
            _ => {}
        });
        values.into_iter().for_each(|value| self.expr(value, used));
        used.retain(|name, _| !bound.contains(name));
    }

    /// The calls in an expression, but for those in functions and comprehensions in it, and those that may be left out.
    fn expr(&mut self, id: ExprId, used: &mut Used) {
        let facts = self.facts;
        let module = &*facts.module;
        match module.expr(id) {
            Expr::Lambda(..) | Expr::Comprehension(..) | Expr::And(..) | Expr::Or(..) | Expr::IfExp { .. } => return,
            _ => {}
        }
        let mut inner = Vec::new();
        module.expr(id).parts(&mut |part| {
            if let Part::Expr(part) = part {
                inner.push(part);
            }
        });
        inner.into_iter().for_each(|part| self.expr(part, used));
        if let Some(call) = call(module, id)
            && let Some((name, key)) = self.random.key(module, &call)
            && is_unseen(facts, key)
        {
            let chosen = call.argument_or(1, "a").filter(|_| call.name == "choice");
            match used.get(&name) {
                // `x` and `y` that belong together.
                Some(Use { chosen: Some(before), .. })
                    if chosen.is_some_and(|now| text(facts, now) != text(facts, *before)) => {}
                Some(before) => self.tell(call.span, before.at),
                None => drop(used.insert(name, Use { at: call.span, chosen })),
            }
        }
    }

    fn tell(&mut self, at: Span, before: Span) {
        let here = |span| Range { file: self.file, span };
        if self.found.len() >= MOST || self.found.iter().any(|found| found.at == here(at)) {
            return;
        }
        let (message, related) = match at == before {
            true => ("this random key is used at each round: the numbers are the same each time", None),
            false => (
                "this random key has been used before: what it gives depends on what it gave then",
                Some(Related { at: here(before), message: "it was used here".into() }),
            ),
        };
        self.found.push(Diagnostic {
            at: here(at),
            rule: "key-reuse",
            severity: Severity::Warning,
            message: message.into(),
            help: Some("split the key, and use each part once: `key, subkey = jax.random.split(key)`".into()),
            related: related.into_iter().collect(),
            fixes: Vec::new(),
        });
    }
}

/// Whether no run has seen what the expression is.
fn is_unseen(facts: &FileFacts, expr: ExprId) -> bool {
    fact(facts, facts.module.span(expr))
        .is_none_or(|fact| fact.seen.iter().all(|seen| matches!(seen, Shown::Unknown(_))))
}

fn text(facts: &FileFacts, expr: ExprId) -> Option<&str> {
    let span = facts.module.span(expr);
    facts.text.get(span.start as usize..span.end as usize)
}

/// The names that a statement binds, and those in it.
fn bound_within(module: &Module, id: StmtId, bound: &mut FxHashSet<Symbol>) {
    let mut inner = Vec::new();
    module.stmt(id).parts(&mut |part| match part {
        Part::Stmt(id) => inner.push(id),
        Part::Target(target) => names(target, bound),
        _ => {}
    });
    inner.into_iter().for_each(|id| bound_within(module, id, bound));
}

fn names(target: &Target, bound: &mut FxHashSet<Symbol>) {
    match target {
        Target::Name(_, name, _) => drop(bound.insert(*name)),
        Target::Tuple(items, _) => items.iter().for_each(|item| names(item, bound)),
        Target::Starred(item, _) => names(item, bound),
        _ => {}
    }
}
