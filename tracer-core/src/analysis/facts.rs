//! The facts of a run as plain data.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::graphs;
use super::loader::LoadedFile;
use super::run::Analysis;
use crate::array::Aval;
use crate::interp::{Event, Interp, Seen};
use crate::module::{CodeId, CodeKind, Expr, Module};
use crate::python::halt::Stopped;
use crate::python::{FileId, Site, Subject};
use crate::text::Span;
use crate::trace::marks;

/// One distinct thing that an expression was.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shown {
    /// An array of the tracer.
    Array {
        /// Its abstract value.
        aval: Aval,
        /// Whether it was a tracer.
        tracer: bool,
    },
    /// Something of a framework, as it prints itself.
    Other(String),
    /// Not known, and why.
    Unknown(String),
}

impl Shown {
    /// As `jitlens values` prints it: `f32~[3]!`; `?` for what is not known.
    pub fn row(&self) -> String {
        match self {
            Shown::Array { aval, tracer } => {
                let mut row = String::with_capacity(24);
                row.push_str(aval.dtype.short());
                row.push_str(if aval.weak { "~[" } else { "[" });
                for (i, size) in aval.shape.iter().enumerate() {
                    if i > 0 {
                        row.push(',');
                    }
                    match size.known() {
                        Some(size) => row.push_str(itoa::Buffer::new().format(size)),
                        None => row.push_str(&size.to_string()),
                    }
                }
                row.push_str(if *tracer { "]!" } else { "]" });
                row
            }
            Shown::Other(text) => text.clone(),
            Shown::Unknown(_) => "?".into(),
        }
    }
    /// Why it is not known, where it is not.
    pub fn why(&self) -> Option<&str> {
        if let Shown::Unknown(why) = self { Some(why) } else { None }
    }
}

/// What an expression or parameter was.
#[derive(Clone, Debug)]
pub struct ExprFact {
    /// Its range.
    pub span: Span,
    /// Whether `jitlens values` has a row for this kind of expression.
    pub is_row: bool,
    /// Everything that it was.
    pub seen: Vec<Shown>,
}

/// A function of the user.
#[derive(Clone, Debug)]
pub struct FunctionFact {
    /// The name in its `def` line.
    pub name: String,
    /// The range of the name.
    pub name_span: Span,
    /// The range of the definition.
    pub span: Span,
    /// How often its body ran while tracing; `None` where a widened loop hides the number, or a call that is not known.
    pub traced: Option<u32>,
}

/// A user's file with what was found out.
#[derive(Clone, Debug)]
pub struct FileFacts {
    /// Its number in the run: what places of events name it by.
    pub id: FileId,
    /// Where it is.
    pub path: PathBuf,
    /// The text that was analyzed.
    pub text: Arc<str>,
    /// Its lowered text.
    pub module: Arc<Module>,
    /// Expressions and parameters, by start of range.
    pub exprs: Vec<ExprFact>,
    /// Functions, in the order of the file.
    pub functions: Vec<FunctionFact>,
}

/// An exception that would have ended the program.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The class.
    pub class: String,
    /// The whole message.
    pub message: String,
    /// The user's frames, innermost first: file (an index into [`Analysis::files`]), range, function.
    pub frames: Vec<(usize, Span, String)>,
    /// Whether the program raised it itself: its message is its own.
    pub by_program: bool,
    /// A hint.
    pub help: Option<String>,
    /// Related places.
    pub related: Vec<(usize, Span, String)>,
    /// What it is about.
    pub subject: Option<Subject>,
}

/// Collects the facts of a finished run.
pub fn collect(it: &Rc<Interp>, files: &[LoadedFile], stopped: Option<Stopped>) -> Analysis {
    let mut index = FxHashMap::default();
    let mut all = Vec::new();
    let [uncounted, beside] = it.recorder.all_lost().map(|lost| super::lost_runs::uncounted(lost, files));
    let before_end = it.recorder.lost_before_end().map(|lost| super::lost_runs::uncounted(&lost, files));
    for (i, file) in files.iter().enumerate().filter(|(_, f)| f.user) {
        let id = FileId(i as u32);
        index.insert(id, all.len());
        let is_counted = |code| {
            !uncounted.contains(&(id, code)) && (it.recorder.really_ran(id, code) || !beside.contains(&(id, code)))
        };
        // What runs behind an exception that ends the program does not count any more, where it is not known.
        let counted = |code| {
            let run = it.recorder.runs(id, code).unwrap_or_default();
            if !run.1 && is_counted(code) {
                return Some(run.0);
            }
            before_end.as_ref().filter(|uncounted| !uncounted.contains(&(id, code)))?;
            it.recorder.runs_before_end(id, code).filter(|run| !run.1).map(|run| run.0)
        };
        all.push(file_facts(it, id, file, counted));
    }
    note_choices(it, files);
    let place = |site: &Site| index.get(&site.file).map(|f| (*f, site.span));
    let problems = it
        .reported
        .borrow()
        .iter()
        .map(|r| Problem {
            class: r.class.clone(),
            message: r.message.clone(),
            frames: r.frames.iter().filter_map(|(s, n)| place(s).map(|(f, span)| (f, span, n.to_string()))).collect(),
            by_program: r.by_program,
            help: r.help.as_ref().map(|h| h.to_string()),
            subject: r.subject.as_deref().cloned(),
            related: r.related.iter().filter_map(|(s, t)| place(s).map(|(f, span)| (f, span, t.to_string()))).collect(),
        })
        .collect();
    let indexed = |id| index.get(&id).copied();
    let calls = graphs::Files::calls(&indexed, &it.graphs.calls.take());
    let files = graphs::Files { index: &indexed, module: &|file: usize| all[file].module.clone(), calls };
    let notes = it.graphs.notes.take();
    let traces = notes.iter().filter_map(|note| graphs::trace_fact(note, &files)).collect();
    let seen = it.watch.seen.take();
    let mut watched: Vec<_> =
        seen.into_iter().filter_map(|((id, span), seen)| Some((*index.get(&id)?, span, seen))).collect();
    watched.sort_by_key(|(file, span, _)| (*file, span.start, span.end));
    let place = |site: Site| Some((*index.get(&site.file)?, site.span));
    let printed = it.printing.take();
    let printed = printed.into_iter().map(|(site, piece)| (site.and_then(place), piece)).collect();
    Analysis {
        files: all,
        printed,
        summed_up: false,
        used_up: None,
        problems,
        traces,
        watched,
        events: it.events.take(),
        evaluated: Vec::new(),
        nonfinite: None,
        reproducer: None,
        calls: Vec::new(),
        stopped,
    }
}

/// Notes where choices are written whose derivatives were taken.
fn note_choices(it: &Rc<Interp>, files: &[LoadedFile]) {
    let mut choices: Vec<_> = it.engine.take_choices().into_iter().filter_map(marks::source).collect();
    choices.sort_by_key(|(file, expr)| (file.0, expr.0));
    for (file, expr) in choices {
        let Some(span) = files.get(file.0 as usize).and_then(|loaded| loaded.module.expr_spans.get(expr.index()))
        else {
            continue;
        };
        it.events.note(Event::DifferentiatedChoice { site: Site { file, span: *span } });
    }
}

fn file_facts(it: &Rc<Interp>, id: FileId, file: &LoadedFile, counted: impl Fn(CodeId) -> Option<u32>) -> FileFacts {
    let module = &file.module;
    let mut exprs: Vec<ExprFact> = it
        .recorder
        .exprs(id)
        .into_iter()
        .map(|(expr, seen)| ExprFact {
            span: module.span(expr),
            is_row: is_value_row(module.expr(expr)),
            seen: seen.iter().map(shown).collect(),
        })
        .collect();
    exprs.extend(it.recorder.params(id).into_iter().map(|(span, seen)| ExprFact {
        span,
        is_row: true,
        seen: seen.iter().map(shown).collect(),
    }));
    exprs.sort_by_key(|e| (e.span.start, e.span.end));
    let functions = module
        .codes
        .iter()
        .enumerate()
        .filter(|(_, code)| code.kind == CodeKind::Function)
        .map(|(i, code)| {
            let code_id = CodeId(i as u32);
            FunctionFact {
                name: code.name.to_string(),
                name_span: code.name_span,
                span: code.span,
                traced: counted(code_id),
            }
        })
        .collect();
    FileFacts { id, path: file.path.clone(), text: file.text.clone(), module: module.clone(), exprs, functions }
}

fn shown(seen: &Seen) -> Shown {
    match seen {
        Seen::Array { aval, tracer } => Shown::Array { aval: aval.0.clone(), tracer: *tracer },
        Seen::Shown(text) => Shown::Other(text.to_string()),
        Seen::Unknown(why) => Shown::Unknown(why.to_string()),
    }
}

/// Whether `jitlens values` has a row for an expression of this kind.
pub fn is_value_row(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Name(..)
            | Expr::Attribute(..)
            | Expr::Call(..)
            | Expr::Subscript(..)
            | Expr::Binary(..)
            | Expr::Unary(..)
            | Expr::Compare(..)
            | Expr::IfExp { .. }
            | Expr::And(..)
            | Expr::Or(..)
    )
}

/// What kind of expression it is, in words.
pub fn expr_kind(expr: &Expr) -> &'static str {
    match expr {
        Expr::Name(..) => "name",
        Expr::Call(..) => "call",
        Expr::Attribute(..) => "attribute",
        Expr::Subscript(..) => "subscript",
        _ => "expression",
    }
}
