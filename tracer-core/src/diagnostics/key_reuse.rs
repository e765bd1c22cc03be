//! `key-reuse`: a random key is used for a second time, and gives the same or dependent numbers.

use super::reading::{call_at, fact, within};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::interp::Event;
use crate::module::{Arg, Code, CodeKind, Expr, ExprId, Module, Stmt, Symbol, Target};
use crate::python::Site;
use crate::text::Span;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for event in &analysis.events {
        let Event::KeyReuse { first, first_function, site, function, calls, stack } = event else { continue };
        let by_program = is_called(analysis, site, *function) && is_called(analysis, first, *first_function);
        let is_made_alike = || function == first_function && are_made_alike(analysis, first, site);
        // A library that leaves numbers out by a key that is the same at each round of the program's own loop.
        let is_left_out_alike = || {
            function.as_str() == "bernoulli"
                && calls[0] == calls[1]
                && stack.iter().any(|at| repeated(analysis, at).is_some())
        };
        if !(by_program || is_made_alike() || is_left_out_alike()) {
            continue;
        }
        let [Some(mut before), Some(mut at)] = calls.map(|site| range(analysis, &site)) else { continue };
        let is_round = at == before;
        // Two functions that one call leads to, one after the other: what the call hands on is not split.
        if !is_round
            && body(analysis, at) != body(analysis, before)
            && let Some(outer) = stack.windows(2).find(|calls| range(analysis, &calls[0]) == Some(at))
            && let Some(outer) = range(analysis, &outer[1])
        {
            at = outer;
        }
        if function == first_function
            && matches!(function.as_str(), "permutation" | "choice")
            && are_kept_together(analysis, first, site)
        {
            continue;
        }
        let called = || stack.windows(2).find(|calls| range(analysis, &calls[1]) == Some(at));
        if !is_round
            && is_given_nothing(analysis, at)
            && let Some([inner, _]) = called()
            && let (Some(inner), Some(earlier)) = (range(analysis, inner), range(analysis, first))
        {
            // The key is the object's own: what draws with it is the place to mend.
            (before, at) = (earlier, inner);
        }
        if is_round && let Some(repeated) = stack.iter().find_map(|site| repeated(analysis, site)) {
            at = repeated;
        }
        if found.iter().any(|other| other.at == at) {
            continue;
        }
        let message = match is_round {
            true => "this random key is used at each round: the numbers are the same each time".to_owned(),
            false => "this random key has been used before: what it gives depends on what it gave then".to_owned(),
        };
        let related = Related { at: before, message: "it was used here".into() };
        found.push(Diagnostic {
            at,
            rule: "key-reuse",
            severity: Severity::Warning,
            message,
            help: Some("split the key, and use each part once: `key, subkey = jax.random.split(key)`".into()),
            related: (!is_round || at != before).then_some(related).into_iter().collect(),
            fixes: Vec::new(),
        });
    }
    found
}

/// Whether a call has no arguments: `self.noise()`.
fn is_given_nothing(analysis: &Analysis, at: Range) -> bool {
    call_at(&analysis.files[at.file].module, at.span).is_some_and(|call| call.args.is_empty())
}

/// The function that a place stands in, as the range of its text.
fn body(analysis: &Analysis, at: Range) -> (usize, Option<Span>) {
    let facts = &analysis.files[at.file];
    (at.file, innermost(&facts.module, &Site { file: facts.id, span: at.span }).map(|code| code.span))
}

fn range(analysis: &Analysis, site: &Site) -> Option<Range> {
    Some(Range { file: analysis.file_index(site.file)?, span: site.span })
}

/// The call, if it stands in a loop or a comprehension of the function that it stands in: it is what happens again and again.
fn repeated(analysis: &Analysis, site: &Site) -> Option<Range> {
    let at = range(analysis, site)?;
    let module = &analysis.files[at.file].module;
    let own = innermost(module, site);
    let is_comprehension =
        own.is_some_and(|code| matches!(code.kind, CodeKind::Comprehension | CodeKind::GeneratorExp));
    let in_loop = module.stmts.iter().zip(&module.stmt_spans).any(|(stmt, span)| {
        matches!(stmt, Stmt::For { .. } | Stmt::While { .. })
            && within(site.span, *span)
            && own.is_none_or(|code| within(*span, code.span))
    });
    (is_comprehension || in_loop).then_some(at)
}

/// Whether two calls (or the rounds of one) make objects of a library's class from one key: layers with the same numbers.
fn are_made_alike(analysis: &Analysis, first: &Site, site: &Site) -> bool {
    let made = |site: &Site| {
        let module = &*analysis.files[analysis.file_index(site.file)?].module;
        let call = call_at(module, site.span)?;
        let key = call.args.iter().find_map(|arg| match arg {
            Arg::Keyword(name, value) if name.as_str() == "key" => Some(*value),
            _ => None,
        })?;
        let is_class = call.name.starts_with(|c: char| c.is_uppercase());
        let is_own =
            module.stmts.iter().any(|stmt| matches!(stmt, Stmt::ClassDef(def) if def.name.as_str() == call.name));
        matches!(module.expr(key), Expr::Name(..) | Expr::Attribute(..) | Expr::Subscript(..))
            .then_some(call.name)
            .filter(|_| is_class && !is_own)
    };
    made(first).is_some_and(|name| made(site) == Some(name))
}

/// Whether two calls (or the rounds of one) put arrays that belong together into one order: `x` and `y`, or each array of a list.
fn are_kept_together(analysis: &Analysis, first: &Site, site: &Site) -> bool {
    let shuffled = |site: &Site| {
        let facts = &analysis.files[analysis.file_index(site.file)?];
        let call = call_at(&facts.module, site.span)?;
        let array = call.argument_or(1, "x").or_else(|| call.argument_or(1, "a"))?;
        // What is not known may be arrays; a number would stand for as many.
        let may_be_rows = |seen: &Shown| match seen {
            Shown::Array { aval, .. } => aval.rank() > 0,
            Shown::Unknown(_) => true,
            _ => false,
        };
        fact(facts, facts.module.span(array))?.seen.iter().all(may_be_rows).then_some((facts, array))
    };
    let (Some((facts, array)), Some((first_facts, first_array))) = (shuffled(site), shuffled(first)) else {
        return false;
    };
    let module = &*facts.module;
    if (first.file, first.span) != (site.file, site.span) {
        let text = |facts: &FileFacts, id| {
            let span = facts.module.span(id);
            facts.text.get(span.start as usize..span.end as usize).map(str::to_owned)
        };
        return text(facts, array) != text(first_facts, first_array);
    }
    let key = call_at(module, site.span).and_then(|call| call.argument_or(0, "key"));
    matches!(module.expr(array), Expr::Name(_, name) if is_item(module, site, *name) || is_given(module, site, *name, key))
}

/// The function, lambda or comprehension that a place stands in.
fn innermost<'m>(module: &'m Module, site: &Site) -> Option<&'m Code> {
    let around = module.codes.iter().filter(|code| code.kind != CodeKind::Module && within(site.span, code.span));
    around.min_by_key(|code| code.span.end - code.span.start)
}

/// Whether a name is bound anew at each round around a place: by the comprehension or the loop that it stands in, or as a
/// parameter of the lambda.
fn is_item(module: &Module, site: &Site, name: Symbol) -> bool {
    let own = innermost(module, site);
    if let Some(code) = own
        && matches!(code.kind, CodeKind::Comprehension | CodeKind::GeneratorExp | CodeKind::Lambda)
    {
        return code.locals.contains(&name);
    }
    let loops = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| match stmt {
        Stmt::For { target, .. } if within(site.span, *span) => Some((target, span.end - span.start)),
        _ => None,
    });
    loops.min_by_key(|(_, length)| *length).is_some_and(|(target, _)| match target {
        Target::Name(_, own, _) => *own == name,
        Target::Tuple(parts, _) => parts.iter().any(|part| matches!(part, Target::Name(_, own, _) if *own == name)),
        _ => false,
    })
}

/// Whether a name is a parameter of the function around a place, and the key is not that function's own: what calls it again has
/// another array each time, as `jax.tree.map` does.
fn is_given(module: &Module, site: &Site, name: Symbol, key: Option<ExprId>) -> bool {
    let is_own = |code: &Code| match key.map(|key| module.expr(key)) {
        Some(Expr::Name(_, key)) => {
            code.locals.contains(key) || code.params.names.iter().any(|param| param.name == *key)
        }
        _ => true,
    };
    innermost(module, site).is_some_and(|code| {
        code.kind == CodeKind::Function && code.params.names.iter().any(|param| param.name == name) && !is_own(code)
    })
}

/// Whether it is the user's own call of a function of that name: what a library does with a key is not told.
fn is_called(analysis: &Analysis, site: &Site, name: Symbol) -> bool {
    let Some(file) = analysis.file_index(site.file) else { return false };
    call_at(&analysis.files[file].module, site.span).is_some_and(|call| call.name == name.as_str())
}
