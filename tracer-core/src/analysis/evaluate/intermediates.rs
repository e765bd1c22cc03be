//! What graphs make on the way, with the names that the program gives it.

use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::analysis::loader::{LoadedFile, ProjectLoader};
use crate::array::Tensor;
use crate::interp::GraphNote;
use crate::module::{Module, Stmt, Target};
use crate::primitives::Primitive;
use crate::python::FileId;
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
    /// What expressions are assigned to, by file.
    assigned: RefCell<FxHashMap<FileId, FxHashMap<usize, Vec<String>>>>,
}

impl Names {
    pub(super) fn new(loader: &ProjectLoader, note: &GraphNote) -> Names {
        Names { function: note.function.to_string(), files: loader.files(), assigned: RefCell::default() }
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
        let mut variables: Vec<String> = Vec::new();
        let mut at = None;
        if let Some((id, expr, file)) = mark {
            at = file.module.expr_spans.get(expr.index()).map(|span| (file.path.clone(), file.text.clone(), *span));
            // Other equations of the same expression are on the way to its value.
            if engine.closes.get() {
                let mut assigned = self.assigned.borrow_mut();
                let names = assigned.entry(id).or_insert_with(|| assignments(&file.module)).get(&expr.index());
                variables = names.filter(|names| names.len() == outputs.len()).cloned().unwrap_or_default();
            }
        }
        let rounds = engine.rounds.borrow().clone();
        for (result, tensor) in outputs.iter().enumerate() {
            (tap.0)(&Intermediate {
                function: &self.function,
                variable: variables.get(result).map(String::as_str),
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

/// The names that values are assigned to, by their expressions.
fn assignments(module: &Module) -> FxHashMap<usize, Vec<String>> {
    let mut all = FxHashMap::default();
    for stmt in &module.stmts {
        let (target, value) = match stmt {
            Stmt::Assign(targets, value) => (targets.first(), Some(value)),
            Stmt::AnnAssign { target, value, .. } => (Some(target), value.as_ref()),
            _ => continue,
        };
        let names = match target {
            Some(Target::Tuple(parts, _)) => parts.iter().map(name).collect::<Option<Vec<_>>>(),
            Some(target) => name(target).map(|name| vec![name]),
            None => None,
        };
        if let (Some(names), Some(value)) = (names, value) {
            all.insert(value.index(), names);
        }
    }
    all
}

fn name(target: &Target) -> Option<String> {
    match target {
        Target::Name(_, name, _) => Some(name.to_string()),
        _ => None,
    }
}
