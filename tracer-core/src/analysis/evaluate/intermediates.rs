//! What graphs make on the way, with the names that the program gives it.

use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::analysis::loader::{LoadedFile, ProjectLoader};
use crate::array::Tensor;
use crate::interp::{GraphNote, Interp};
use crate::module::{Expr, ExprId, Module, Stmt, Symbol, Target};
use crate::primitives::Primitive;
use crate::python::{FileId, Site};
use crate::text::Span;
use crate::trace::{Engine, marks};

/// An array that is made on the way.
#[derive(Debug)]
pub struct Intermediate<'a> {
    /// The traced function.
    pub function: &'a str,
    /// The variable that the user's program binds to it.
    pub variable: Option<&'a str>,
    /// The primitive that makes it; none where it is a result of the function.
    pub primitive: Option<&'a str>,
    /// Which of its results it is, or of the function's.
    pub result: usize,
    /// The user's expression that wrote it: the file, its text, the range.
    pub at: Option<(PathBuf, Arc<str>, Span)>,
    /// The rounds of the loops around it, outermost first, counted from 0.
    pub rounds: &'a [usize],
    /// The numbers.
    pub tensor: &'a Tensor,
}

/// Is told of arrays, in the order in which they are made.
#[derive(Clone)]
pub struct Tap(pub Arc<dyn Fn(&Intermediate) + Send + Sync>);

impl fmt::Debug for Tap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tap")
    }
}

/// What finds names of arrays.
pub(super) struct Names {
    function: String,
    files: Vec<LoadedFile>,
    /// The calls that led to equations, by the numbers in their marks.
    calls: Vec<Box<[(Site, Symbol)]>>,
    /// What becomes of expressions, by file.
    uses: RefCell<FxHashMap<FileId, Rc<Uses>>>,
}

/// The names of the parts of a value; none for a part that has none.
type Parts = Vec<Option<String>>;

/// What becomes of the values of a file's expressions.
struct Uses {
    /// What they are assigned to.
    assigned: FxHashMap<usize, Parts>,
    /// Those that are what a function returns, and which item of that they are.
    returned: FxHashMap<usize, Option<usize>>,
    /// Expressions of both kinds by their ranges.
    places: FxHashMap<(usize, usize), usize>,
}

impl Names {
    pub(super) fn new(it: &Interp, loader: &ProjectLoader, note: &GraphNote) -> Names {
        let calls = it.graphs.calls.borrow().iter().cloned().collect();
        Names { function: note.function.to_string(), files: loader.files(), calls, uses: RefCell::default() }
    }

    fn uses(&self, id: FileId) -> Option<Rc<Uses>> {
        let file = self.files.get(id.0 as usize).filter(|file| file.user)?;
        Some(self.uses.borrow_mut().entry(id).or_insert_with(|| Rc::new(Uses::of(&file.module))).clone())
    }

    /// The names of so many results of an expression: what it is assigned to, or what the call is assigned to that returns them.
    fn names(&self, (mut id, expr): (FileId, ExprId), calls: Option<usize>, count: usize) -> Option<Parts> {
        let stack = calls.and_then(|number| self.calls.get(number)).map_or(&[][..], |stack| stack);
        let (mut expr, mut item) = (expr.index(), None);
        for depth in 0..=stack.len() {
            let uses = self.uses(id)?;
            if let Some(parts) = uses.assigned.get(&expr) {
                return match item {
                    Some(item) => Some(vec![parts.get::<usize>(item).filter(|_| parts.len() > 1)?.clone()]),
                    None => (parts.len() == count).then(|| parts.clone()),
                };
            }
            // What is returned as one of several keeps its place on the way.
            match (uses.returned.get(&expr)?, item) {
                (None, _) => {}
                (place, None) if count == 1 => item = *place,
                _ => return None,
            }
            let (site, _) = stack.len().checked_sub(depth + 2).and_then(|at| stack.get(at))?;
            id = site.file;
            expr = *self.uses(id)?.places.get(&(site.span.start as usize, site.span.end as usize))?;
        }
        None
    }

    /// Tells of the results of a primitive that was just run.
    pub(super) fn tell(&self, tap: &Tap, engine: &Engine, primitive: &dyn Primitive, outputs: &[Tensor]) {
        // What a compiled function gives was told of where it was made.
        if primitive.name() == "jit" {
            return;
        }
        let mark = marks::source(engine.source());
        let mark =
            mark.and_then(|(id, expr)| Some((id, expr, self.files.get(id.0 as usize).filter(|file| file.user)?)));
        let mut variables = Parts::new();
        let mut at = None;
        if let Some((id, expr, file)) = mark {
            at = file.module.expr_spans.get(expr.index()).map(|span| (file.path.clone(), file.text.clone(), *span));
            // Other equations of the same expression are on the way to its value.
            if engine.closes.get() {
                let calls = marks::calls(engine.source());
                variables = self.names((id, expr), calls, outputs.len()).unwrap_or_default();
            }
        }
        let rounds = engine.rounds.borrow().clone();
        for (result, tensor) in outputs.iter().enumerate() {
            (tap.0)(&Intermediate {
                function: &self.function,
                variable: variables.get(result).and_then(Option::as_deref),
                primitive: Some(primitive.name()),
                result,
                at: at.clone(),
                rounds: &rounds,
                tensor,
            });
        }
    }
}

/// Tells of the results of a function.
pub(super) fn tell_results(tap: &Tap, function: &str, results: &[Tensor]) {
    for (result, tensor) in results.iter().enumerate() {
        (tap.0)(&Intermediate { function, variable: None, primitive: None, result, at: None, rounds: &[], tensor });
    }
}

impl Uses {
    fn of(module: &Module) -> Uses {
        let mut uses =
            Uses { assigned: FxHashMap::default(), returned: FxHashMap::default(), places: FxHashMap::default() };
        for stmt in &module.stmts {
            match stmt {
                Stmt::Assign(targets, value) => {
                    targets.iter().for_each(|target| uses.assign(module, target, *value));
                }
                Stmt::AnnAssign { target, value: Some(value), .. } => uses.assign(module, target, *value),
                Stmt::Return(Some(value)) => {
                    uses.returned.insert(value.index(), None);
                    if let Expr::Tuple(items) = &module.exprs[value.index()] {
                        let items = items.iter().enumerate();
                        uses.returned.extend(items.map(|(place, item)| (item.index(), Some(place))));
                    }
                }
                _ => {}
            }
        }
        let place = |expr: &usize| module.expr_spans.get(*expr).map(|span| (span.start as usize, span.end as usize));
        let known = uses.assigned.keys().chain(uses.returned.keys());
        uses.places = known.filter_map(|expr| Some((place(expr)?, *expr))).collect();
        uses
    }

    /// Notes that a value is assigned to a target: item by item, where both are written so.
    fn assign(&mut self, module: &Module, target: &Target, value: ExprId) {
        let parts = match target {
            Target::Tuple(targets, _) => match &module.exprs[value.index()] {
                Expr::Tuple(items) if items.len() == targets.len() => {
                    return targets.iter().zip(items).for_each(|(target, item)| self.assign(module, target, *item));
                }
                _ if targets.iter().any(|target| matches!(target, Target::Starred(..))) => return,
                _ => targets.iter().map(name).collect(),
            },
            target => vec![name(target)],
        };
        if parts.iter().any(Option::is_some) {
            self.assigned.entry(value.index()).or_insert(parts);
        }
    }
}

fn name(target: &Target) -> Option<String> {
    match target {
        Target::Name(_, name, _) => Some(name.to_string()),
        _ => None,
    }
}
