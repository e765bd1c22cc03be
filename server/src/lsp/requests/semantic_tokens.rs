//! `textDocument/semanticTokens/full` and `range`: names whose values were arrays, and which of them were traced.

use tower_lsp::ls_types::{
    Position, Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend, Uri,
};
use tracer_core::analysis::Shown;
use tracer_core::module::Expr;
use tracer_core::text::Span;

use crate::lsp::{State, convert, facts};

/// What the numbers of tokens mean.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![SemanticTokenType::VARIABLE, SemanticTokenType::PARAMETER],
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::new("array"),
            SemanticTokenModifier::new("traced"),
        ],
    }
}

const VARIABLE: u32 = 0;
const PARAMETER: u32 = 1;
const DECLARATION: u32 = 1;
const ARRAY: u32 = 2;
const TRACED: u32 = 4;

/// The names of a document, or of a part of it, from the last finished analyses.
pub fn answer(state: &State, uri: &Uri, part: Option<Range>) -> Option<SemanticTokens> {
    let utf8 = state.abilities().utf8;
    let module = facts::module(state, uri)?;
    let documents = state.documents();
    let text = &documents.get(uri)?.text;
    let wanted = part.map(|part| convert::span(text, part, utf8));
    let is_wanted = |span: Span| wanted.is_none_or(|wanted| span.end >= wanted.start && span.start <= wanted.end);

    let reads = module.exprs.iter().zip(&module.expr_spans).filter(|(expr, _)| matches!(expr, Expr::Name(..)));
    let mut names: Vec<(Span, Span, u32, u32)> = reads.map(|(_, span)| (*span, *span, VARIABLE, 0)).collect();
    for bound in facts::bindings(&module) {
        let kind = if bound.name == bound.source { PARAMETER } else { VARIABLE };
        names.push((bound.name, bound.source, kind, DECLARATION));
    }
    names.retain(|(name, ..)| name.start < name.end && is_wanted(*name));
    names.sort_by_key(|(name, _, _, modifiers)| (name.start, name.end, *modifiers));
    names.dedup_by_key(|(name, ..)| name.start);

    let mut tokens = Tokens::default();
    for (name, source, kind, modifiers) in names {
        let seen = facts::seen(&documents, uri, source);
        let arrays = seen.iter().filter_map(|shown| match shown {
            Shown::Array { tracer, .. } => Some(if *tracer { ARRAY | TRACED } else { ARRAY }),
            Shown::Other(text) if text.starts_with("np:") => Some(ARRAY),
            Shown::Other(_) | Shown::Unknown(_) => None,
        });
        // In one call it may be traced and in another one not.
        if let Some(known) = arrays.reduce(|all, one| all | one) {
            tokens.push(convert::range(text, name, utf8), kind, modifiers | known);
        }
    }
    Some(SemanticTokens { result_id: None, data: tokens.data })
}

/// Tokens, each counted from the one before.
#[derive(Default)]
struct Tokens {
    data: Vec<SemanticToken>,
    last: Position,
}

impl Tokens {
    /// A name, which is in one line.
    fn push(&mut self, range: Range, token_type: u32, token_modifiers_bitset: u32) {
        let Range { start, end } = range;
        let delta_line = start.line - self.last.line;
        let delta_start = if delta_line == 0 { start.character - self.last.character } else { start.character };
        let length = end.character.saturating_sub(start.character);
        self.data.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset });
        self.last = start;
    }
}
