//! `textDocument/codeAction`: the fixes that diagnostics have, all of them at once, comments that silence a rule, reproducers, and numbers.

use std::collections::HashMap;

use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic, DocumentChanges, Location,
    NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use tracer_core::diagnostics::{self, Fix, Range};
use tracer_core::module::{Const, Expr};
use tracer_core::text::Span;

use crate::fixes;
use crate::lsp::documents::{Documents, Finished, View};
use crate::lsp::requests::evaluate_actions;
use crate::lsp::requests::graphs::innermost;
use crate::lsp::requests::reproducer_actions::{self, EXTRACT, GO_TO};
use crate::lsp::{Abilities, State, convert};

const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.jitlens");

/// What kinds of actions there are.
pub const KINDS: [CodeActionKind; 5] = [CodeActionKind::QUICKFIX, FIX_ALL, EXTRACT, evaluate_actions::KIND, GO_TO];

/// A change of open documents: by document the bytes that are replaced, and by what.
type Changes = Vec<(Uri, Span, String)>;

/// The answer, from the last finished analyses. What an edit since has come near to is left out.
pub fn answer(state: &State, params: &CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
    let abilities = state.abilities();
    let uri = &params.text_document.uri;
    let mut documents = state.documents();
    let text = documents.get(uri)?.text.clone();
    let asked = convert::span(&text, params.range, abilities.utf8);
    // A kind stands for those below it.
    let wants = |kind: &CodeActionKind| {
        let below = |of: &CodeActionKind| {
            kind.as_str()
                .strip_prefix(of.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || of.as_str().is_empty())
        };
        params.context.only.as_ref().is_none_or(|only| only.iter().any(below))
    };
    let (mut first, mut silencing, mut reproducing, mut all) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut has_fix_here = false;
    for view in documents.views(uri) {
        for diagnostic in view.finished.diagnostics.iter().filter(|d| d.at.file == view.file) {
            let around = view.clip(lines(&view.facts.text, diagnostic.at.span));
            let Some(now) = view.now(around).and(view.now(diagnostic.at.span)) else {
                continue;
            };
            let range = convert::range(&text, now, abilities.utf8);
            let is_here = now.start <= asked.end && asked.start <= now.end;
            let meant = || -> Vec<Diagnostic> {
                let code = NumberOrString::String(diagnostic.rule.to_owned());
                let given = params.context.diagnostics.iter();
                given.filter(|d| d.range == range && d.code.as_ref() == Some(&code)).cloned().collect()
            };
            for (i, fix) in diagnostic.fixes.iter().enumerate() {
                let Some(changes) = changes(&documents, view.finished, fix) else { continue };
                if i == 0 && changes.iter().all(|(changed, ..)| changed == uri) {
                    all.push(changes.clone());
                }
                if is_here {
                    has_fix_here = true;
                    let preferred = (diagnostic.fixes.len() == 1).then_some(true);
                    push(&mut first, action(&documents, abilities, &fix.title, changes, meant(), preferred));
                }
            }
            if is_here
                && let Some(actions) =
                    reproducer_actions::of_diagnostic(&view, diagnostic, Location::new(uri.clone(), range), &meant())
            {
                actions.into_iter().for_each(|action| push(&mut reproducing, action));
            }
            if is_here && let Some((at, comment)) = silenced(&view, diagnostic) {
                let title = format!("ignore `{}` in this line", diagnostic.rule);
                if let Some(at) = view.now(at) {
                    let changes = vec![(uri.clone(), at, comment)];
                    push(&mut silencing, action(&documents, abilities, &title, changes, meant(), None));
                }
            }
        }
    }
    let mut actions =
        if wants(&CodeActionKind::QUICKFIX) { [first, silencing, reproducing].concat() } else { Vec::new() };
    // Unless it is asked for, it is offered where there is something to mend.
    if wants(&FIX_ALL) && (has_fix_here || params.context.only.is_some()) {
        let changes = together(uri, all);
        if !changes.is_empty() {
            let mut fix_all = action(&documents, abilities, "make all fixes of jitlens", changes, Vec::new(), None);
            fix_all.kind = Some(FIX_ALL);
            actions.push(fix_all);
        }
    }
    if wants(&EXTRACT) {
        let views = documents.views(uri);
        actions.extend(reproducer_actions::of_function(&views, asked));
        actions.extend(reproducer_actions::of_selection(&views, asked, Location::new(uri.clone(), params.range)));
    }
    if wants(&evaluate_actions::KIND) {
        let views = documents.views(uri);
        if views.iter().any(|view| innermost(view, asked).is_some_and(|(_, traced)| traced)) {
            actions.extend(evaluate_actions::actions(&Location::new(uri.clone(), params.range)));
        }
    }
    if wants(&GO_TO) {
        actions.extend(reproducer_actions::leading(state, &mut documents, uri, asked));
    }
    Some(actions.into_iter().map(CodeActionOrCommand::CodeAction).collect())
}

/// Adds an action unless another analysis has led to it already.
fn push(actions: &mut Vec<CodeAction>, action: CodeAction) {
    if !actions.iter().any(|other| other.title == action.title && other.edit == action.edit) {
        actions.push(action);
    }
}

/// The lines around a range, with the ends of the line before and of the last: an edit at an edge of them is one in them.
fn lines(text: &str, span: Span) -> Span {
    let (start, end) = ((span.start as usize).min(text.len()), (span.end as usize).min(text.len()));
    let start = text.as_bytes()[..start].iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    let end = text.as_bytes()[end..].iter().position(|byte| *byte == b'\n').map_or(text.len() + 1, |at| end + at + 1);
    Span { start: start as u32, end: end as u32 }
}

/// What a fix changes in open documents as they are now; `None` where it would change another file, or text that was edited since.
fn changes(documents: &Documents, finished: &Finished, fix: &Fix) -> Option<Changes> {
    let change = |(at, text): &(Range, String)| {
        let facts = finished.analysis.files.get(at.file)?;
        let (document, now) = documents.placed(finished, at.file, at.span)?;
        let view = View::new(document, finished)?;
        view.now(view.clip(lines(&facts.text, at.span)))?;
        Some((document.uri.clone(), now, fixes::with_line_ends_of(&facts.text, text)))
    };
    fix.edits.iter().map(change).collect()
}

/// The changes of one document that can be made at once.
fn together(uri: &Uri, mut all: Vec<Changes>) -> Changes {
    all.sort_by_key(|changes| changes.first().map(|(_, span, _)| (span.start, span.end)));
    all.dedup();
    let edit = |(_, span, text): (Uri, Span, String)| (Range { file: 0, span }, text);
    let all: Vec<Fix> = all
        .into_iter()
        .map(|changes| Fix { title: String::new(), edits: changes.into_iter().map(edit).collect() })
        .collect();
    let made = fixes::together(&all).into_iter();
    made.flat_map(|fix| fix.edits.iter().map(|(at, text)| (uri.clone(), at.span, text.clone()))).collect()
}

/// Where a comment that silences a diagnostic's rule goes in the analyzed text, and what is put there.
fn silenced(view: &View<'_>, diagnostic: &diagnostics::Diagnostic) -> Option<(Span, String)> {
    const IGNORE: &str = "# jitlens: ignore";
    let text = &*view.facts.text;
    let start = (diagnostic.at.span.start as usize).min(text.len());
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[from..].lines().next().unwrap_or_default();
    let at = |column: usize| Span { start: (from + column) as u32, end: (from + column) as u32 };
    if let Some(ignore) = line.find(IGNORE) {
        let list = ignore + IGNORE.len();
        let rules = line[list..].strip_prefix('[')?;
        let end = rules.find(']')?;
        let separator = if rules[..end].trim().is_empty() { "" } else { ", " };
        return Some((at(list + 1 + end), format!("{separator}{}", diagnostic.rule)));
    }
    let content = line.trim_end();
    let end = at(content.len());
    // Behind a backslash, in a text of several lines, and behind what says what a function takes there can be no comment.
    let is_inside = |span: &Span| span.start < end.start && end.start < span.end;
    let module = &view.facts.module;
    let crossing = module.exprs.iter().zip(&module.expr_spans).any(|(expr, span)| is_inside(span) && is_text(expr));
    if content.ends_with('\\') || content.contains("# jitlens:") || crossing || diagnostic.rule == "syntax" {
        return None;
    }
    Some((end, format!("  {IGNORE}[{}]", diagnostic.rule)))
}

fn is_text(expr: &Expr) -> bool {
    matches!(expr, Expr::Constant(Const::Str(_) | Const::Bytes(_)) | Expr::FString(_))
}

fn action(
    documents: &Documents,
    abilities: Abilities,
    title: &str,
    changes: Changes,
    diagnostics: Vec<Diagnostic>,
    preferred: Option<bool>,
) -> CodeAction {
    CodeAction {
        title: title.to_owned(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
        edit: Some(workspace_edit(documents, abilities, changes)),
        is_preferred: preferred,
        ..CodeAction::default()
    }
}

fn workspace_edit(documents: &Documents, abilities: Abilities, changes: Changes) -> WorkspaceEdit {
    let mut by_document: Vec<(Uri, Vec<TextEdit>)> = Vec::new();
    for (uri, span, new_text) in changes {
        let Some(document) = documents.get(&uri) else { continue };
        let edit = TextEdit { range: convert::range(&document.text, span, abilities.utf8), new_text };
        match by_document.iter_mut().find(|(other, _)| *other == uri) {
            Some((_, edits)) => edits.push(edit),
            None => by_document.push((uri, vec![edit])),
        }
    }
    if !abilities.versions_edits {
        return WorkspaceEdit {
            changes: Some(by_document.into_iter().collect::<HashMap<_, _>>()),
            ..WorkspaceEdit::default()
        };
    }
    let edits = by_document.into_iter().map(|(uri, edits)| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { version: documents.get(&uri).map(|d| d.version), uri },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(edits.collect())), ..WorkspaceEdit::default() }
}
