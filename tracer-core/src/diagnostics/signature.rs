//! `signature`: what a comment `# jitlens:` says of a function cannot be read, or an annotation of its result is not what it returns.

use super::reading::{arrays, call, fact, statements};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::annotations::{Sizes, contradiction};
use crate::analysis::{Analysis, FileFacts, Shown, signature};
use crate::array::Aval;
use crate::module::{Arg, Code, CodeId, CodeKind, Expr, ExprId, FunctionDef, Module, Stmt};

/// Decorators that leave arguments and results as the function has them.
const KEEP: [&str; 14] = [
    "jit",
    "filter_jit",
    "checkpoint",
    "remat",
    "filter_checkpoint",
    "jaxtyped",
    "beartype",
    "typechecked",
    "typechecker",
    "staticmethod",
    "classmethod",
    "property",
    "override",
    "cache",
];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        for stmt in &module.stmts {
            let Stmt::FunctionDef(def) = stmt else { continue };
            let code = module.code(def.code);
            if is_top_level(module, def.code) {
                found.extend(unread(file, facts, code));
            }
            found.extend(returns(file, facts, def));
        }
    }
    found
}

/// What cannot be read of the comment of a function.
fn unread(file: usize, facts: &FileFacts, code: &Code) -> Vec<Diagnostic> {
    let wrong = signature::unread(&facts.text, code).into_iter();
    let told = wrong.map(|(span, message)| Diagnostic {
        at: Range { file, span },
        rule: "signature",
        severity: Severity::Warning,
        message,
        help: Some("`# jitlens: x: f32[b,2*k], mode: \"fast\"` says a type or a literal for each parameter".into()),
        related: Vec::new(),
        fixes: Vec::new(),
    });
    told.collect()
}

/// The results that are certainly not what the function is annotated to return.
fn returns(file: usize, facts: &FileFacts, def: &FunctionDef) -> Vec<Diagnostic> {
    let module = &*facts.module;
    let code = module.code(def.code);
    let Some(annotation) = def.returns else { return Vec::new() };
    if code.is_generator || code.is_async || !def.decorators.iter().all(|decorator| keeps(module, *decorator)) {
        return Vec::new();
    }
    let mut sizes = Sizes::default();
    for param in &code.params.names {
        let Some(annotation) = param.annotation else { continue };
        // Who does not hold to what the arguments are annotated as means something else by it.
        if !sizes.bind(module, annotation, only_array(facts, param.span)) {
            return Vec::new();
        }
    }
    let values = statements(module, code).into_iter().filter_map(|id| match module.stmt(id) {
        Stmt::Return(value) => *value,
        _ => None,
    });
    let told = values.filter_map(|value| {
        let seen = arrays(facts, value)?;
        let whys =
            seen.iter().map(|seen| contradiction(module, annotation, seen, &sizes)).collect::<Option<Vec<_>>>()?;
        let span = module.span(annotation);
        let written = facts.text.get(span.start as usize..span.end as usize)?;
        Some(Diagnostic {
            at: Range { file, span: module.span(value) },
            rule: "signature",
            severity: Severity::Warning,
            message: format!(
                "`{}` returns {}, and says that it returns `{written}`: {}",
                code.name,
                seen.first()?,
                whys.first()?
            ),
            help: Some("change the annotation, or what is returned".into()),
            related: vec![Related {
                at: Range { file, span: module.span(annotation) },
                message: "what is said of it".into(),
            }],
            fixes: Vec::new(),
        })
    });
    told.collect()
}

/// The array that a parameter was, if it was one alone.
fn only_array(facts: &FileFacts, span: crate::text::Span) -> Option<&Aval> {
    match &fact(facts, span)?.seen[..] {
        [Shown::Array { aval, .. }] => Some(aval),
        _ => None,
    }
}

/// Whether a decorator leaves arguments and results as the function has them.
fn keeps(module: &Module, decorator: ExprId) -> bool {
    let name = |id: ExprId| match module.expr(id) {
        Expr::Name(_, name) | Expr::Attribute(_, name) => Some(name.as_str()),
        _ => None,
    };
    let of_call = || {
        let call = call(module, decorator)?;
        match (call.name, call.args.first()) {
            ("partial", Some(Arg::Positional(function))) => name(*function),
            _ => Some(call.name),
        }
    };
    name(decorator).or_else(of_call).is_some_and(|name| KEEP.contains(&name))
}

/// Whether a function stands in no class and in no function.
fn is_top_level(module: &Module, id: CodeId) -> bool {
    let code = module.code(id);
    code.kind == CodeKind::Function && code.qualname == code.name
}
