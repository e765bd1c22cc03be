//! `jitlens/graphs`, `jitlens/traceTree` and `jitlens/evaluate`: what the function at a position is traced to, and what it gives, as texts to be shown
//! and as plain data.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ropey::Rope;
use serde::Serialize;
use serde_json::Value;
use tower_lsp::ls_types::{Location, TextDocumentPositionParams, Uri};
use tracer_core::analysis::{Analysis, Evaluation, Progress, TraceFact, Wanted};
use tracer_core::module::CodeKind;
use tracer_core::text::Span;

use crate::lsp::documents::View;
use crate::lsp::{State, aside, convert, facts};
use crate::{evaluated, graphs, trace_tree};

/// The answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The function, as its `__qualname__` says.
    pub function: String,
    /// Its graphs, as JAX prints them; why there is none otherwise.
    pub text: String,
    /// Its traces, as `jitlens trace --format json` prints them, with files by their URIs.
    pub traces: Vec<Value>,
}

/// The function at a position, and the program whose run is asked for it.
pub struct Asked {
    /// The program.
    pub program: Uri,
    function: String,
}

/// The innermost function around a position of the present text: of the program that traced it last, of its own file if none did.
pub fn asked(state: &State, params: &TextDocumentPositionParams) -> Option<Asked> {
    let uri = &params.text_document.uri;
    let module = facts::module(state, uri)?;
    let documents = state.documents();
    let document = documents.get(uri)?;
    let at = convert::offset(&document.text, params.position, state.abilities().utf8);
    let around = module.codes.iter().filter(|code| code.kind == CodeKind::Function && code.span.touches(at));
    let function = around.min_by_key(|code| code.span.end - code.span.start)?.qualname.to_string();
    let views = documents.views(uri);
    let is_traced = |view: &&View<'_>| {
        let traced = view.facts.functions.iter().filter(|known| known.traced != Some(0));
        let mut names = traced.filter_map(|known| {
            view.facts.module.codes.iter().find(|code| code.name_span == known.name_span).map(|code| code.qualname)
        });
        names.any(|name| name.as_str() == function)
    };
    let program = views.iter().find(is_traced).or(views.first()).map_or(uri, |view| &view.finished.script);
    Some(Asked { program: program.clone(), function })
}

/// The innermost function around a range of the present text, and whether it is traced.
pub fn innermost(view: &View<'_>, asked: Span) -> Option<(String, bool)> {
    let around = view.facts.functions.iter().filter_map(|function| {
        let code = view.facts.module.codes.iter().find(|code| code.name_span == function.name_span)?;
        let now = view.around(code.span)?;
        let is_around = now.start <= asked.start && asked.end <= now.end;
        is_around.then(|| (now.end - now.start, code.qualname.to_string(), function.traced != Some(0)))
    });
    around.min_by_key(|(size, ..)| *size).map(|(_, name, traced)| (name, traced))
}

/// What the function's traces consist of.
#[derive(Debug, Serialize)]
pub struct Tree {
    /// The function, as its `__qualname__` says.
    pub function: String,
    /// The tree as text; why there is none otherwise.
    pub text: String,
    /// A row for each trace, with files by their URIs.
    pub rows: Vec<trace_tree::Row>,
}

/// What the function gives.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Numbers {
    /// The function, as its `__qualname__` says.
    pub function: String,
    /// Inputs and results of each of its traces; why there are none otherwise.
    pub text: String,
    /// Where finite numbers are made others first.
    pub first_nonfinite: Option<Location>,
    /// What makes them.
    #[serde(skip)]
    pub made_nonfinite: Option<String>,
    /// Whether there are numbers of each trace.
    #[serde(skip)]
    pub evaluated: bool,
}

/// Runs the program, evaluates the function, and answers. What it gave is kept for hovers and as a diagnostic.
pub fn numbers(state: &State, asked: &Asked, cancel: Arc<AtomicBool>, progress: Arc<Progress>) -> Numbers {
    let Asked { program, function } = asked;
    let utf8 = state.abilities().utf8;
    let seen = state.documents().seen(program);
    let made = aside::runs(state, program).and_then(|(script, mut runs)| {
        runs.cancel = cancel;
        let evaluation = Some(Evaluation { progress: Some(progress), values: true, ..Evaluation::default() });
        let wanted = Wanted { graphs: true, function: Some(function.clone()), evaluation, ..Wanted::default() };
        let analysis = evaluated::analyze(&mut runs, &script, &wanted)?;
        graphs::of(&analysis, Some(function))?;
        let texts: Vec<String> = analysis.evaluated.iter().map(|fact| evaluated::text(&analysis, fact)).collect();
        let first = analysis.evaluated.iter().find_map(|fact| {
            let (file, span) = fact.nonfinite.as_ref()?.at?;
            let facts = &analysis.files[file];
            if let Some((cell, span)) = state.documents().part(&facts.path, span).filter(|(d, _)| d.notebook.is_some())
            {
                return Some(Location { uri: cell.uri.clone(), range: convert::range(&cell.text, span, utf8) });
            }
            let range = convert::range(&Rope::from_str(&facts.text), span, utf8);
            Some(Location { uri: Uri::from_file_path(&facts.path)?, range })
        });
        let made = analysis.evaluated.iter().find_map(|fact| {
            let made_up = if fact.made_up { " (for inputs that are made up)" } else { "" };
            fact.nonfinite.as_ref().map(|found| format!("{}{made_up}", evaluated::made(found)))
        });
        let evaluated = !analysis.evaluated.is_empty() && analysis.evaluated.iter().all(|fact| fact.outputs.is_ok());
        let is_whole = analysis.stopped.is_none();
        if is_whole {
            state.numbers.put(program.clone(), function, seen, analysis);
        }
        Ok((texts.join("\n"), first, made, evaluated))
    });
    let (text, first_nonfinite, made_nonfinite, evaluated) = made.unwrap_or_else(|why| (why, None, None, false));
    Numbers { function: function.clone(), text, first_nonfinite, made_nonfinite, evaluated }
}

/// Runs the program, and answers with the function's graphs.
pub fn answer(state: &State, asked: &Asked) -> Answer {
    let made = traced(state, asked, |analysis, traces| {
        let rows =
            traces.iter().map(|trace| graphs::json(analysis, trace, &|path, cell| uri_of(state, path, cell))).collect();
        (graphs::text(analysis, traces, true), rows)
    });
    let (text, traces) = made.unwrap_or_else(|why| (why, Vec::new()));
    Answer { function: asked.function.clone(), text, traces }
}

/// Runs the program, and answers with the tree of the function's traces.
pub fn tree(state: &State, asked: &Asked) -> Tree {
    let made = traced(state, asked, |analysis, traces| {
        trace_tree::rows(analysis, traces, &|path, cell| uri_of(state, path, cell))
    });
    let (text, rows) = match made {
        Ok(rows) => (trace_tree::text(&rows), rows),
        Err(why) => (why, Vec::new()),
    };
    Tree { function: asked.function.clone(), text, rows }
}

/// Runs the program, and looks at the function's traces.
fn traced<T>(state: &State, asked: &Asked, look: impl FnOnce(&Analysis, &[&TraceFact]) -> T) -> Result<T, String> {
    let (script, mut runs) = aside::runs(state, &asked.program)?;
    let wanted = Wanted { graphs: true, function: Some(asked.function.clone()), ..Wanted::default() };
    let analysis = runs.analyze_for(&script, wanted)?;
    let traces = graphs::of(&analysis, Some(&asked.function))?;
    Ok(look(&analysis, &traces))
}

fn uri_of(state: &State, path: &Path, cell: Option<u32>) -> String {
    if let Some(uri) = cell.and_then(|number| state.documents().cell(path, number).cloned()) {
        return uri.to_string();
    }
    Uri::from_file_path(path).map(|uri| uri.to_string()).unwrap_or_default()
}
