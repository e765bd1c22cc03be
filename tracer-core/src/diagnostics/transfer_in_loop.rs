//! `transfer-in-loop`: each round of a loop waits for a number of a compiled function before the next call is made.
//!
//! Told where the number is only kept (appended, added up, stored, left for what happens now and then): it may be asked for later.
//! A number that decides what comes next, or that each round shows, has to be there.

use rustc_hash::FxHashSet;

use super::reading::{arrays, call, calls, within};
use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::interp::Event;
use crate::module::{Expr, ExprId, Module, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

/// More numbers than this may be brought because the device has no room for them.
const MOST_NUMBERS: usize = 64;
/// Functions that read a clock: who measures has to wait.
const CLOCKS: [&str; 7] =
    ["time", "perf_counter", "monotonic", "process_time", "perf_counter_ns", "monotonic_ns", "time_ns"];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let compiled: FxHashSet<Span> = analysis
            .events
            .iter()
            .filter_map(|event| match event {
                Event::AnsweredOften { site } if site.file == facts.id => Some(site.span),
                _ => None,
            })
            .collect();
        if compiled.is_empty() {
            continue;
        }
        for (stmt, span) in facts.module.stmts.iter().zip(&facts.module.stmt_spans) {
            let body = match stmt {
                Stmt::For { body, .. } | Stmt::While { body, .. } => body,
                _ => continue,
            };
            if !compiled.iter().any(|call| within(*call, *span)) {
                continue;
            }
            let round = Round::new(facts, *span, body, &compiled);
            for (at, name) in round.transfers() {
                if found.iter().any(|other| other.at == (Range { file, span: at })) {
                    continue;
                }
                found.push(Diagnostic {
                    at: Range { file, span: at },
                    rule: "transfer-in-loop",
                    severity: Severity::Information,
                    message: format!(
                        "`{name}` waits at each round until the device is done: the next round starts only then"
                    ),
                    help: Some(
                        "keep the array, and ask for its numbers behind the loop or every so many rounds".into(),
                    ),
                    related: Vec::new(),
                    fixes: Vec::new(),
                });
            }
        }
    }
    found
}

/// What happens at each round of a loop.
struct Round<'a> {
    facts: &'a FileFacts,
    module: &'a Module,
    /// The statements that are reached at each round, without those of loops and branches in it.
    always: Vec<StmtId>,
    /// Those of branches.
    sometimes: Vec<StmtId>,
    whole: Span,
    compiled: &'a FxHashSet<Span>,
}

impl<'a> Round<'a> {
    fn new(facts: &'a FileFacts, whole: Span, body: &[StmtId], compiled: &'a FxHashSet<Span>) -> Round<'a> {
        let module = &*facts.module;
        let mut round = Round { facts, module, always: Vec::new(), sometimes: Vec::new(), whole, compiled };
        let mut waiting = body.to_vec();
        while let Some(id) = waiting.pop() {
            match module.stmt(id) {
                Stmt::With { body, .. } => waiting.extend_from_slice(body),
                Stmt::If { body, orelse, .. } => round.sometimes.extend(body.iter().chain(orelse)),
                _ => {}
            }
            round.always.push(id);
        }
        round
    }

    /// The calls that bring a number which is only kept, and their names.
    fn transfers(&self) -> Vec<(Span, &'a str)> {
        let mut all = Vec::new();
        if calls(self.module).any(|call| within(call.span, self.whole) && CLOCKS.contains(&call.name)) {
            return all;
        }
        let results = self.results();
        for id in &self.always {
            let kept = match self.module.stmt(*id) {
                // A wait for its own sake.
                Stmt::Expr(value) if call(self.module, *value).is_some_and(|call| call.name == "block_until_ready") => {
                    Some(*value)
                }
                Stmt::Expr(value) => self.appended(*value),
                Stmt::Assign(targets, value) if targets.iter().all(|target| self.is_kept(target)) => Some(*value),
                Stmt::AugAssign { target, value, .. } if self.is_kept(target) => Some(*value),
                _ => None,
            };
            if let Some(kept) = kept {
                self.brought(kept, &results, &mut all);
            }
        }
        all
    }

    /// The names that a compiled call of the round itself gives; calls of which there are few are not looked at.
    fn results(&self) -> FxHashSet<Symbol> {
        let mut names = FxHashSet::default();
        for id in &self.always {
            if let Stmt::Assign(targets, value) = self.module.stmt(*id)
                && self.is_compiled(*value)
            {
                targets.iter().for_each(|target| bound(target, &mut names));
            }
        }
        names
    }

    fn is_compiled(&self, value: ExprId) -> bool {
        self.compiled.contains(&self.module.span(value))
    }

    /// `x` of `list.append(x)`, where the round does not look at the list.
    fn appended(&self, value: ExprId) -> Option<ExprId> {
        let call = call(self.module, value).filter(|call| call.name == "append" && call.args.len() == 1)?;
        self.is_left_alone(self.named(call.receiver?)?).then(|| call.argument(0))?
    }

    /// Whether nothing that each round does depends on what is bound there.
    fn is_kept(&self, target: &Target) -> bool {
        match target {
            Target::Name(_, name, _) | Target::Attribute(_, name, _) => self.is_left_alone(*name),
            Target::Subscript(of, ..) => self.named(*of).is_some_and(|name| self.is_left_alone(name)),
            _ => false,
        }
    }

    /// The name of a variable or of an attribute.
    fn named(&self, expr: ExprId) -> Option<Symbol> {
        match self.module.expr(expr) {
            Expr::Name(_, name) | Expr::Attribute(_, name) => Some(*name),
            _ => None,
        }
    }

    /// Whether a name is read for nothing but to be kept, or in branches that happen now and then.
    fn is_left_alone(&self, name: Symbol) -> bool {
        let reads = (0..self.module.exprs.len()).map(|at| ExprId(at as u32)).filter(|id| {
            let span = self.module.span(*id);
            within(span, self.whole) && self.named(*id) == Some(name)
        });
        reads.into_iter().all(|id| {
            let span = self.module.span(id);
            let inside = |stmt: &StmtId| within(span, self.module.stmt_spans[stmt.index()]);
            self.sometimes.iter().any(inside) && !self.decides(id)
                || self.always.iter().filter(|stmt| inside(stmt)).any(|stmt| self.keeps(*stmt, id))
        })
    }

    /// Whether a name is read by what decides how the program goes on.
    fn decides(&self, read: ExprId) -> bool {
        let span = self.module.span(read);
        let mut stmts =
            self.module.stmts.iter().enumerate().filter(|(at, _)| within(span, self.module.stmt_spans[*at]));
        stmts.any(|(_, stmt)| match stmt {
            Stmt::If { test, .. } | Stmt::While { test, .. } | Stmt::Assert(test, ..) => {
                within(span, self.module.span(*test))
            }
            _ => false,
        })
    }

    /// `name.append(x)`, `name[i] = x`, `name += x`, `other.append(name)`
    fn keeps(&self, stmt: StmtId, read: ExprId) -> bool {
        match self.module.stmt(stmt) {
            Stmt::Expr(value) => call(self.module, *value).is_some_and(|call| {
                call.name == "append" && (call.receiver == Some(read) || call.argument(0) == Some(read))
            }),
            Stmt::Assign(targets, value) => {
                *value == read
                    || targets.iter().any(|target| matches!(target, Target::Subscript(of, ..) if *of == read))
            }
            Stmt::AugAssign { target, value, .. } => {
                *value == read || matches!(target, Target::Subscript(of, ..) if *of == read)
            }
            _ => false,
        }
    }

    /// The transfers that an expression is put together from.
    fn brought(&self, value: ExprId, results: &FxHashSet<Symbol>, all: &mut Vec<(Span, &'a str)>) {
        match self.module.expr(value) {
            Expr::Tuple(items) | Expr::List(items) => {
                items.iter().for_each(|item| self.brought(*item, results, all));
            }
            Expr::Dict(items) => items.iter().for_each(|(_, item)| self.brought(*item, results, all)),
            Expr::Binary(_, left, right) => [left, right].iter().for_each(|part| self.brought(**part, results, all)),
            Expr::Call(..) => {
                if let Some((name, array)) = self.transfer(value)
                    && self.is_result(array, results)
                    && arrays(self.facts, array).is_some_and(|avals| avals.iter().all(|aval| is_small(aval)))
                {
                    all.push((self.module.span(value), name));
                }
            }
            _ => {}
        }
    }

    /// A call that brings the numbers of an array, and the array.
    fn transfer(&self, value: ExprId) -> Option<(&'a str, ExprId)> {
        let call = call(self.module, value)?;
        let array = match (call.name, call.receiver) {
            ("item" | "tolist" | "block_until_ready", Some(receiver)) if call.args.is_empty() => receiver,
            ("float" | "int", None) | ("device_get" | "block_until_ready", _) => call.argument(0)?,
            ("asarray" | "array", Some(module)) if self.is_numpy(module) => call.argument(0)?,
            _ => return None,
        };
        // `float(np.asarray(loss))`
        self.transfer(array).map(|(_, inner)| (call.name, inner)).or(Some((call.name, array)))
    }

    fn is_numpy(&self, module: ExprId) -> bool {
        matches!(self.module.expr(module), Expr::Name(_, name) if super::reading::is_module(self.module, name.as_str(), "numpy"))
    }

    /// Whether an array is what a compiled call of this round gave, or a part of it.
    fn is_result(&self, array: ExprId, results: &FxHashSet<Symbol>) -> bool {
        match self.module.expr(array) {
            Expr::Name(_, name) => results.contains(name),
            Expr::Subscript(of, _) => self.is_result(*of, results),
            Expr::Attribute(of, name) => results.contains(name) || self.is_result(*of, results),
            Expr::Call(..) => self.is_compiled(array),
            _ => false,
        }
    }
}

fn is_small(aval: &crate::array::Aval) -> bool {
    aval.known_shape().is_some_and(|shape| shape.iter().product::<usize>() <= MOST_NUMBERS)
}

/// The names of variables and attributes that a target binds.
fn bound(target: &Target, names: &mut FxHashSet<Symbol>) {
    match target {
        Target::Name(_, name, _) | Target::Attribute(_, name, _) => drop(names.insert(*name)),
        Target::Tuple(items, _) => items.iter().for_each(|item| bound(item, names)),
        Target::Starred(item, _) => bound(item, names),
        _ => {}
    }
}
