//! Runs a program of the suite: its files lie in memory.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use regex::{Captures, Regex};
use tracer_core::analysis::{Analysis, Contents, Entry, FileFacts, Limits, Vfs, Wanted, analyze_for};
use tracer_core::lower;
use tracer_core::module::{Expr, ExprId, Module, Stmt};
use tracer_core::syntax::SyntaxTree;
use tracer_core::text::{LineIndex, Span};

use super::page::{Expectation, MAIN, Snippet, expectations};

/// The folder that a program's files seem to lie in.
fn root() -> PathBuf {
    PathBuf::from(if cfg!(windows) { r"C:\suite" } else { "/suite" })
}

/// A program's files, and trees of an earlier text that the main file is reparsed from.
struct Memory {
    files: BTreeMap<PathBuf, Arc<str>>,
    before: Option<Arc<str>>,
}

impl Vfs for Memory {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        self.files.get(path).cloned()
    }
    fn lowered(&self, path: &Path, text: &Arc<str>, _: bool) -> Arc<Module> {
        match &self.before {
            Some(before) if path.ends_with(MAIN) => {
                Arc::new(lower::lower(&SyntaxTree::parse(before).reparse(text), text))
            }
            _ => Arc::new(lower::lower_text(text)),
        }
    }
    fn data(&self, path: &Path) -> Option<Box<dyn Contents>> {
        let text = self.files.get(path)?;
        Some(Box::new(Cursor::new(text.as_bytes().to_vec())))
    }
    fn resolved(&self, path: &Path) -> Option<PathBuf> {
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(plain.pop()),
                part => plain.push(part),
            }
        }
        (self.files.contains_key(&plain) || self.is_dir(&plain)).then_some(plain)
    }
    fn is_dir(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file.starts_with(path) && file != path)
    }
}

/// An entry without data, `# trace: f(f32[8], static 3)`, as the comment that the analysis reads: of the same length, so that
/// ranges stay.
fn with_entries(source: &str) -> String {
    static ENTRY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^(\s*)# trace: \w+\((.*)\)[ \t]*$").expect("a pattern"));
    let new = |found: &Captures| {
        let width = found[0].len() - found[1].len();
        format!("{}{:width$}", &found[1], format!("# jitlens: {}", &found[2]))
    };
    ENTRY.replace_all(source, new).into_owned()
}

/// Runs a program.
pub fn run(files: &BTreeMap<String, String>, before: Option<&str>, wanted: Wanted) -> Analysis {
    let root = root();
    let script = root.join(MAIN);
    let files: BTreeMap<PathBuf, Arc<str>> =
        files.iter().map(|(name, source)| (root.join(name), with_entries(source).into())).collect();
    let before = before.map(Arc::from);
    let entry = Entry { script, roots: Vec::new(), fallback: Vec::new(), environment: Vec::new() };
    let cancel = Arc::new(AtomicBool::new(false));
    analyze_for(move || Rc::new(Memory { files, before }) as Rc<dyn Vfs>, entry, Limits::default(), wanted, cancel)
}

/// Runs a program with what its expectations ask for.
pub fn run_snippet(snippet: &Snippet) -> Analysis {
    let mut watched = Vec::new();
    for source in snippet.files.values() {
        let module = lower::lower_text(source);
        for e in expectations(source).iter().filter(|e| e.kind == "eval" || e.kind == "key") {
            watched.extend(subject(&module, source, e));
        }
    }
    run(&snippet.files, None, Wanted { graphs: true, watched, ..Wanted::default() })
}

/// A file of a finished run by its name in the page.
pub fn facts<'a>(analysis: &'a Analysis, name: &str) -> Option<(usize, &'a FileFacts)> {
    let path = root().join(name);
    analysis.files.iter().enumerate().find(|(_, f)| f.path == path)
}

/// The expression that an expectation speaks of: the one that carets mark, or the outermost of its line.
pub fn subject(module: &Module, source: &str, expectation: &Expectation) -> Option<Span> {
    let index = LineIndex::new(source);
    let line = expectation.line as u32;
    if let Some((start, end)) = expectation.carets {
        let before: usize = source.split_inclusive('\n').take(expectation.line - 1).map(str::len).sum();
        return Some(Span::new(before + start, before + end));
    }
    let line_of = |at: u32| index.utf8(at).line + 1;
    for (stmt, span) in module.stmts.iter().zip(&module.stmt_spans) {
        let (value, simple) = match stmt {
            Stmt::Expr(v) | Stmt::Assign(_, v) | Stmt::AugAssign { value: v, .. } => (Some(*v), true),
            Stmt::AnnAssign { value, .. } | Stmt::Return(value) => (*value, true),
            Stmt::Assert(v, _) => (Some(*v), true),
            Stmt::For { iter: v, .. } | Stmt::While { test: v, .. } | Stmt::If { test: v, .. } | Stmt::Match(v, _) => {
                (Some(*v), false)
            }
            _ => (None, true),
        };
        let Some(value) = value else { continue };
        let end = if simple { span.end } else { module.span(value).end };
        if line_of(end) == line {
            return Some(module.span(value));
        }
    }
    let within = module.expr_spans.iter().enumerate().filter(|(i, span)| {
        let plain = !matches!(module.expr(ExprId(*i as u32)), Expr::Constant(_) | Expr::Starred(_));
        plain && line_of(span.start) == line && line_of(span.end) == line
    });
    within.map(|(_, span)| *span).max_by_key(|span| (span.end - span.start, std::cmp::Reverse(span.start)))
}
