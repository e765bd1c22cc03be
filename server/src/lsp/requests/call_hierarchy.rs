//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`: who calls whom as the program
//! was traced, functions of the program and of the framework. The program is run for each answer, on the texts as they are.

use std::path::PathBuf;

use ropey::Rope;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Range, SymbolKind,
    TextDocumentPositionParams, Uri,
};
use tracer_core::analysis::{Analysis, Wanted};
use tracer_core::module::CodeKind;
use tracer_core::notebook::is_notebook;
use tracer_core::repro::{Call, Party, Request, Target};
use tracer_core::text::Span;

use crate::lsp::{State, aside, convert};

/// What an item keeps for the questions that follow: the program that is run, and who it is.
#[derive(Debug, Deserialize, Serialize)]
struct Kept {
    program: Uri,
    who: Who,
}

/// A party by what stays the same from one run to the next.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
enum Who {
    Module(PathBuf),
    Function(PathBuf, String),
    Framework(PathBuf, u32, u32),
}

/// A run of a program with its calls.
struct Recorded {
    program: Uri,
    analysis: Analysis,
    /// Where the cells are in its text, if it is a notebook.
    cells: Vec<(Uri, Span)>,
    utf8: bool,
}

/// The function, or the call of the framework, at a position; nothing where the program does not come by.
pub fn prepare(state: &State, params: &TextDocumentPositionParams) -> Option<Vec<CallHierarchyItem>> {
    let uri = &params.text_document.uri;
    let (program, path, at) = {
        let documents = state.documents();
        let document = documents.get(uri)?;
        let program = documents.views(uri).first().map_or(uri, |view| &view.finished.script).clone();
        let at = convert::offset(&document.text, params.position, state.abilities().utf8) + documents.start(uri);
        (program, document.path.clone(), at)
    };
    let recorded = recorded(state, &program)?;
    let analysis = &recorded.analysis;
    let file = analysis.files.iter().position(|facts| facts.path == path)?;
    let touches = |span: Span| span.start <= at && at <= span.end;
    let codes = analysis.files[file].module.codes.iter().filter(|code| code.kind == CodeKind::Function);
    let named = codes.clone().find(|code| touches(code.name_span)).map(|code| Party::Function(file, code.name_span));
    let called = || {
        let here = analysis.calls.iter().filter(|call| call.at.0 == file && touches(call.at.1));
        here.min_by_key(|call| call.at.1.end - call.at.1.start).map(|call| call.callee.clone())
    };
    let around = || {
        let around = codes.clone().filter(|code| touches(code.span));
        around.min_by_key(|code| code.span.end - code.span.start).map(|code| Party::Function(file, code.name_span))
    };
    let party = named.or_else(called).or_else(around)?;
    let is_there = |call: &Call| call.caller == party || call.callee == party;
    analysis.calls.iter().any(is_there).then(|| recorded.item(&party).into_iter().collect())
}

/// Who calls a party, and where.
pub fn incoming(state: &State, item: &CallHierarchyItem) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (recorded, party) = found(state, item)?;
    let rows = recorded.grouped(|call| (call.callee == party).then_some(&call.caller));
    Some(rows.into_iter().map(|(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges }).collect())
}

/// Whom a party calls, and where.
pub fn outgoing(state: &State, item: &CallHierarchyItem) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (recorded, party) = found(state, item)?;
    let rows = recorded.grouped(|call| (call.caller == party).then_some(&call.callee));
    Some(rows.into_iter().map(|(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges }).collect())
}

/// The run of an item's program, and who the item is in it.
fn found(state: &State, item: &CallHierarchyItem) -> Option<(Recorded, Party)> {
    let kept: Kept = serde_json::from_value(item.data.clone()?).ok()?;
    let recorded = recorded(state, &kept.program)?;
    let party = {
        let mut all = recorded.analysis.calls.iter().flat_map(|call| [&call.caller, &call.callee]);
        all.find(|party| recorded.who(party).as_ref() == Some(&kept.who))?.clone()
    };
    Some((recorded, party))
}

/// Runs a program and records who calls whom.
fn recorded(state: &State, program: &Uri) -> Option<Recorded> {
    let (_, cells) = state.documents().seen(program);
    let (script, mut runs) = aside::runs(state, program).ok()?;
    // No error ends it, no function is looked out for.
    let request = Request { hierarchy: true, target: Target::Function(String::new()), ..Request::default() };
    let analysis = runs.analyze_for(&script, Wanted { reproducer: Some(request), ..Wanted::default() }).ok()?;
    Some(Recorded { program: program.clone(), analysis, cells, utf8: state.abilities().utf8 })
}

impl Recorded {
    fn who(&self, party: &Party) -> Option<Who> {
        let path = |file: usize| self.analysis.files[file].path.to_path_buf();
        Some(match party {
            Party::Module(file) => Who::Module(path(*file)),
            Party::Function(file, span) => Who::Function(path(*file), self.code(*file, *span)?.0),
            Party::Framework(_, file, span) => Who::Framework(path(*file), span.start, span.end),
        })
    }

    /// The `__qualname__` and the range of the function whose name is there.
    fn code(&self, file: usize, name: Span) -> Option<(String, Span)> {
        let code = self.analysis.files[file].module.codes.iter().find(|code| code.name_span == name)?;
        Some((code.qualname.to_string(), code.span))
    }

    /// The document and the range of a place: of a notebook the cell.
    fn located(&self, file: usize, span: Span) -> Option<(Uri, Range)> {
        let facts = &self.analysis.files[file];
        if !is_notebook(&facts.path) {
            let range = convert::range(&Rope::from_str(&facts.text), span, self.utf8);
            return Some((Uri::from_file_path(&facts.path)?, range));
        }
        let (uri, cell) = self.cells.iter().find(|(_, cell)| cell.start <= span.start && span.start <= cell.end)?;
        let text = facts.text.get(cell.start as usize..cell.end as usize)?;
        let span = Span { start: span.start - cell.start, end: span.end.min(cell.end) - cell.start };
        Some((uri.clone(), convert::range(&Rope::from_str(text), span, self.utf8)))
    }

    fn item(&self, party: &Party) -> Option<CallHierarchyItem> {
        let (file, name, kind, span, selected) = match party {
            Party::Module(file) => {
                let name = self.analysis.files[*file].path.file_name()?.to_string_lossy().into_owned();
                let start = if is_notebook(&self.analysis.files[*file].path) { self.cells.first()?.1.start } else { 0 };
                let end = self.analysis.files[*file].text.len() as u32;
                (*file, name, SymbolKind::MODULE, Span { start, end }, Span { start, end: start })
            }
            Party::Function(file, name_span) => {
                let (name, span) = self.code(*file, *name_span)?;
                (*file, name, SymbolKind::FUNCTION, span, *name_span)
            }
            // A function of the framework stands where it is called: its own text is nowhere to be shown.
            Party::Framework(name, file, span) => (*file, name.clone(), SymbolKind::OPERATOR, *span, *span),
        };
        let kept = Kept { program: self.program.clone(), who: self.who(party)? };
        Some(CallHierarchyItem {
            name,
            kind,
            tags: None,
            detail: Some(self.analysis.files[file].path.file_name()?.to_string_lossy().into_owned()),
            range: self.located(file, span)?.1,
            selection_range: self.located(file, selected)?.1,
            uri: self.located(file, selected)?.0,
            data: serde_json::to_value(kept).ok(),
        })
    }

    /// The parties that are chosen, each once, with the places of their calls.
    fn grouped<'a>(&'a self, chosen: impl Fn(&'a Call) -> Option<&'a Party>) -> Vec<(CallHierarchyItem, Vec<Range>)> {
        let mut rows: Vec<(&Party, Vec<Range>)> = Vec::new();
        for call in &self.analysis.calls {
            let Some(party) = chosen(call) else { continue };
            let Some((_, range)) = self.located(call.at.0, call.at.1) else { continue };
            match rows.iter_mut().find(|(known, _)| *known == party) {
                Some((_, ranges)) if !ranges.contains(&range) => ranges.push(range),
                Some(_) => {}
                None => rows.push((party, vec![range])),
            }
        }
        rows.into_iter().filter_map(|(party, ranges)| Some((self.item(party)?, ranges))).collect()
    }
}
