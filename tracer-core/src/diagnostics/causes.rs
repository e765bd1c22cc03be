//! The place to mend of an exception that the framework raises elsewhere: a carry that leaves the body of a loop with another
//! type is an error of the call of `scan`, and is mended where the body returns.
//!
//! Each is told as a hint beside the error, with the error's rule.

use super::parts::returning;
use super::reading::{
    Call, call, call_at, calls, function, function_of, returned, statements, traced, unwrapped, within,
};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::{Analysis, Problem};
use crate::interp::Event;
use crate::module::{Code, CodeKind, Expr, ExprId, Module, Part, Stmt, Symbol};
use crate::python::Subject;
use crate::text::Span;

/// The hint that belongs to an error, where the place to mend is known and is another one.
pub fn of(analysis: &Analysis, problem: &Problem, error: &Diagnostic) -> Option<Diagnostic> {
    if problem.by_program {
        return None;
    }
    let module = &analysis.files[error.at.file].module;
    let here = |(span, message): (Span, &str)| (Range { file: error.at.file, span }, message.to_owned());
    let (at, message) = match error.rule {
        "carry-type" | "scan-body" | "loop-condition" | "branch-type" => {
            let call = call_at(module, error.at.span)?;
            let (argument, message) = judged(&call, error.rule)?;
            let (file, value) = returned_by(analysis, error.at.file, argument)?;
            let value = carry_of(&analysis.files[file].module, &call, error.rule, value);
            (Range { file, span: analysis.files[file].module.span(value) }, message.to_owned())
        }
        "not-an-array" if problem.message.contains("returned a value of type") => {
            let code = named(module, problem.message.strip_prefix("function ")?)?;
            here((module.span(returned(module, code)?), "this is what the compiled function returns"))
        }
        "not-an-array" if problem.message.contains("at path self") => {
            let code = named(module, after(&problem.message, "<function ")?)?;
            let first = code.params.names.first()?;
            here((first.span, "the compiled function takes this like its other arguments: its class is no pytree"))
        }
        "reverse-loop" => here((
            the_only_loop(analysis, error.at.file)?,
            "this loop has no reverse-mode derivative: nothing says beforehand how often it runs",
        )),
        "axis-name" => mapped(analysis, problem)?,
        "donated" => (forked(analysis, problem)?, "this hands on an array whose buffer is gone".to_owned()),
        "leaked-tracer" => {
            let (span, name) = captured_by_rule(module, error.at.span)?;
            here((
                span,
                &format!("this rule needs `{name}` of the function around it, which is traced: make it an argument"),
            ))
        }
        _ if problem.message.starts_with("Expected a function, got a generator function") => {
            let text = after(&problem.message, "<function ").or_else(|| after(&problem.message, "<bound method "))?;
            let code = named(module, text)?;
            here((first_yield(module, code)?, "this makes the function a generator"))
        }
        _ if problem.message.contains("checkify.check which was not functionalized") => here((
            the_only_call(module, "check")?,
            "this check becomes an effect that only `checkify.checkify` takes out of the function",
        )),
        _ if problem.class.starts_with("flax.errors.") => {
            // The user's own call of the module, which is where the library was told what it may do.
            let is_apply = |(file, span, _): &&(usize, Span, _)| {
                let mut inside = calls(&analysis.files[*file].module).filter(|call| within(call.span, *span));
                inside.any(|call| matches!(call.name, "apply" | "init" | "init_with_output"))
            };
            let (file, span, _) = problem.frames.iter().find(is_apply).or(problem.frames.last())?;
            (Range { file: *file, span: *span }, "this call of the module does not allow it".to_owned())
        }
        _ => return None,
    };
    hint(analysis, error, at, message)
}

/// The hint that tells where the first value of a carry was made that leaves the loop with another type.
pub fn made(analysis: &Analysis, problem: &Problem, error: &Diagnostic) -> Option<Diagnostic> {
    let Subject::Carry(parts) = problem.subject.as_ref()? else { return None };
    let module = &analysis.files[error.at.file].module;
    let call = call_at(module, error.at.span)?;
    let (first, path) = super::parts::first_carry(&call, &parts.first()?.path)?;
    let (file, expr) = super::parts::part(analysis, error.at.file, first, path)?;
    let at = Range { file, span: analysis.files[file].module.span(expr) };
    let part = parts.first()?;
    let code = |at: Range| around(&analysis.files[at.file].module, at.span).map(|code| code.span);
    // In the same function it is seen anyway.
    if (at.file, code(at)) == (error.at.file, code(error.at)) {
        return None;
    }
    hint(analysis, error, at, format!("the carry starts with this as {}, and becomes {}", part.before, part.behind))
}

/// A hint at another line than the error.
fn hint(analysis: &Analysis, error: &Diagnostic, at: Range, message: String) -> Option<Diagnostic> {
    if at.file == error.at.file && is_same_line(&analysis.files[at.file].text, at.span, error.at.span) {
        return None;
    }
    let first = error.message.lines().next().unwrap_or_default();
    Some(Diagnostic {
        at,
        rule: error.rule,
        severity: Severity::Hint,
        message,
        help: error.help.clone(),
        related: vec![Related { at: error.at, message: first.to_owned() }],
        fixes: Vec::new(),
    })
}

/// Where an array is handed on whose buffer is gone: where the way to the error and the way to the call that has taken the buffer
/// part.
fn forked(analysis: &Analysis, problem: &Problem) -> Option<Range> {
    let Subject::Deleted(calls) = problem.subject.as_ref()? else { return None };
    let mut ways = problem.frames.iter().rev().zip(calls.iter());
    let apart = ways.find(|((file, span, _), call)| {
        (*file, *span) != (analysis.file_index(call.file).unwrap_or(usize::MAX), call.span)
    });
    let ((file, span, _), _) = apart?;
    Some(Range { file: *file, span: *span })
}

fn is_same_line(text: &str, a: Span, b: Span) -> bool {
    let (start, end) = (a.start.min(b.start) as usize, a.start.max(b.start) as usize);
    text.get(start..end).is_some_and(|between| !between.contains('\n'))
}

fn after<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    text.split_once(mark).map(|(_, rest)| rest)
}

/// The function whose qualified name a text begins with.
fn named<'m>(module: &'m Module, text: &str) -> Option<&'m Code> {
    let name = text.split([' ', '>', '(']).next()?;
    function(module, name.rsplit('.').next()?)
}

/// The function among the arguments of a loop or choice that the error is about, and what is to be said of what it returns.
fn judged(call: &Call<'_>, rule: &str) -> Option<(ExprId, &'static str)> {
    const LEAVES: &str = "the carry leaves the body here, with another type than it came in with";
    Some(match (call.name, rule) {
        ("scan", "scan-body") => (call.argument_or(0, "f")?, "the body returns this, and no pair"),
        ("scan", _) => (call.argument_or(0, "f")?, LEAVES),
        ("fori_loop", _) => (call.argument_or(2, "body_fun")?, LEAVES),
        ("while_loop", "loop-condition") => (call.argument_or(0, "cond_fun")?, "the condition is this"),
        ("while_loop", _) => (call.argument_or(1, "body_fun")?, LEAVES),
        ("cond", _) => (call.argument_or(2, "false_fun")?, "the second branch returns this"),
        _ => return None,
    })
}

/// What a function of the program returns, be it of the file or of one that it imports.
fn returned_by(analysis: &Analysis, file: usize, function: ExprId) -> Option<(usize, ExprId)> {
    let module = &*analysis.files[file].module;
    if let Some(code) = function_of(module, function) {
        return Some((file, returned(module, code)?));
    }
    match module.expr(unwrapped(module, function, 4)) {
        Expr::Name(_, name) => returning(analysis, file, module, name.as_str()),
        _ => None,
    }
}

/// Of `return carry, y`, the carry.
fn carry_of(module: &Module, call: &Call<'_>, rule: &str, value: ExprId) -> ExprId {
    match (call.name, rule, module.expr(value)) {
        ("scan", "carry-type", Expr::Tuple(items)) => items.first().copied().unwrap_or(value),
        _ => value,
    }
}

/// The call on the way to an error that maps an axis, which has another name or none.
fn mapped(analysis: &Analysis, problem: &Problem) -> Option<(Range, String)> {
    problem.frames.iter().find_map(|(file, span, _)| {
        let module = &*analysis.files[*file].module;
        let called = module.exprs.iter().zip(&module.expr_spans).find_map(|(expr, own)| match expr {
            Expr::Call(function, _) if own == span => Some(*function),
            _ => None,
        })?;
        let map = call(module, unwrapped(module, called, 4))
            .filter(|call| matches!(call.name, "vmap" | "pmap" | "filter_vmap" | "filter_pmap"))?;
        let said = match map.argument_or(usize::MAX, "axis_name") {
            Some(name) => {
                let at = module.span(name);
                let text = analysis.files[*file].text.get(at.start as usize..at.end as usize)?;
                format!("the axis that is mapped here is called {text}")
            }
            None => "the axis that is mapped here has no name".to_owned(),
        };
        Some((Range { file: *file, span: map.span }, said))
    })
}

/// The loop of a file whose number of rounds depends on traced numbers, in a function whose derivative was taken, if there is
/// one alone.
fn the_only_loop(analysis: &Analysis, file: usize) -> Option<Span> {
    let facts = &analysis.files[file];
    let is_derived = |span: Span| {
        analysis.events.iter().any(|event| match event {
            Event::Differentiated { site } => site.file == facts.id && within(span, site.span),
            _ => false,
        })
    };
    let depends = |call: &Call<'_>| match call.name {
        "while_loop" => true,
        "fori_loop" => [(0, "lower"), (1, "upper")]
            .into_iter()
            .any(|(at, name)| call.argument_or(at, name).is_some_and(|bound| traced(facts, bound).is_some())),
        _ => false,
    };
    let mut loops = calls(&facts.module).filter(|call| depends(call) && is_derived(call.span));
    loops.next().filter(|_| loops.next().is_none()).map(|call| call.span)
}

/// The call of this name that is a module's function, if there is one alone.
fn the_only_call(module: &Module, name: &str) -> Option<Span> {
    let mut all = calls(module).filter(|call| call.name == name && call.receiver.is_some());
    all.next().filter(|_| all.next().is_none()).map(|call| call.span)
}

/// The innermost function around a place.
fn around(module: &Module, place: Span) -> Option<&Code> {
    let around = module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(place, code.span));
    around.min_by_key(|code| code.span.end - code.span.start)
}

/// Where a derivative rule reads what the function of the rule has captured, and what the error is about.
fn captured_by_rule(module: &Module, error: Span) -> Option<(Span, Symbol)> {
    let code = around(module, error)?;
    let reads = |place: Span| {
        let names = module.exprs.iter().zip(&module.expr_spans).filter(move |(_, span)| within(**span, place));
        names.filter_map(|(expr, span)| match expr {
            Expr::Name(_, name) => Some((*span, *name)),
            _ => None,
        })
    };
    let is_captured = |code: &Code, name: Symbol| code.frees.iter().any(|(free, _)| *free == name);
    let names: Vec<Symbol> = reads(error).map(|(_, name)| name).filter(|name| is_captured(code, *name)).collect();
    let rules = calls(module).find(|call| {
        let of = call.receiver.and_then(|receiver| function_of(module, receiver));
        matches!(call.name, "defvjp" | "defjvp") && of.is_some_and(|of| of.span == code.span)
    })?;
    let rules = (0..rules.args.len()).rev().filter_map(|at| function_of(module, rules.argument(at)?));
    rules
        .filter(|rule| names.iter().any(|name| is_captured(rule, *name)))
        .find_map(|rule| reads(rule.span).find(|(_, name)| names.contains(name)))
}

fn first_yield(module: &Module, code: &Code) -> Option<Span> {
    statements(module, code).into_iter().find_map(|id| {
        let mut waiting: Vec<ExprId> = Vec::new();
        let mut parts = |part: Part<'_>| {
            if let Part::Expr(inner) = part {
                waiting.push(inner);
            }
        };
        match module.stmt(id) {
            Stmt::Expr(_) | Stmt::Assign(..) | Stmt::AugAssign { .. } | Stmt::Return(_) => {
                module.stmt(id).parts(&mut parts)
            }
            _ => {}
        }
        let found = waiting.into_iter().find(|id| matches!(module.expr(*id), Expr::Yield(_) | Expr::YieldFrom(_)))?;
        Some(module.span(found))
    })
}
