//! `while` on a traced condition as `jax.lax.while_loop`, where what goes from round to round keeps its type.

use super::types::{self, Types};
use super::{Found, condition};
use crate::analysis::Shown;
use crate::array::{Aval, DType};
use crate::diagnostics::Fix;
use crate::diagnostics::origins;
use crate::diagnostics::reading::{fact, within};
use crate::module::{Code, CodeKind, Expr, ExprId, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (jnp, module) = (found.jnp()?, found.module);
    // The types below are those of 32 bits.
    if !found.has_jax() || found.facts.text.contains("enable_x64") {
        return None;
    }
    let at = module
        .stmts
        .iter()
        .position(|stmt| matches!(stmt, Stmt::While { test, .. } if within(found.span(), module.span(*test))))?;
    let Stmt::While { test, body, orelse } = &module.stmts[at] else { return None };
    if !orelse.is_empty() {
        return None;
    }
    let span = module.stmt_spans[at];
    let code = scope(found, span)?;
    let steps = body.iter().map(|id| Step::of(found, *id)).collect::<Option<Vec<Step>>>()?;
    let mut bound: Vec<Symbol> = Vec::new();
    for name in steps.iter().flat_map(|step| &step.names) {
        if !bound.contains(name) {
            bound.push(*name);
        }
    }
    // What a round makes for itself alone is not carried.
    let carried: Vec<Symbol> = bound.into_iter().filter(|name| !is_own(found, *name, &steps, span)).collect();
    let start = carried
        .iter()
        .map(|name| Some((*name, at_start(found, code, *name, *test, span)?)))
        .collect::<Option<Types>>()?;
    let start = settled(found, start, &outer(found, code, *test, span), &steps)?;
    let condition = types::of(found, &start, *test).filter(|aval| aval.shape.is_empty())?;
    let mut test_text = condition::asked(found, jnp, *test)?;
    if condition.dtype != DType::Bool {
        test_text = format!("({test_text}) != 0");
    }
    let text = written(found, &carried, &test_text, body, &steps, span)?;
    found.replace("loop with `jax.lax.while_loop`".into(), span, text)
}

/// The function around a range.
fn scope<'a>(found: &Found<'a>, span: Span) -> Option<&'a Code> {
    let around = found.module.codes.iter().filter(|code| code.kind != CodeKind::Module && within(span, code.span));
    around.min_by_key(|code| code.span.end - code.span.start).filter(|code| code.kind == CodeKind::Function)
}

/// An assignment to names.
struct Step {
    names: Vec<Symbol>,
    /// One value for all names, or one for each.
    values: Vec<ExprId>,
    op: Option<crate::module::BinaryOp>,
    span: Span,
}

impl Step {
    fn of(found: &Found<'_>, id: StmtId) -> Option<Step> {
        let span = found.module.stmt_spans[id.index()];
        match found.module.stmt(id) {
            Stmt::Assign(targets, value) => match &targets[..] {
                [Target::Name(_, name, _)] => Some(Step { names: vec![*name], values: vec![*value], op: None, span }),
                [Target::Tuple(items, _)] => {
                    let Expr::Tuple(values) = found.module.expr(*value) else { return None };
                    let names = items.iter().map(|item| match item {
                        Target::Name(_, name, _) => Some(*name),
                        _ => None,
                    });
                    let names = names.collect::<Option<Vec<Symbol>>>()?;
                    (names.len() == values.len()).then(|| Step { names, values: values.to_vec(), op: None, span })
                }
                _ => None,
            },
            Stmt::AugAssign { target: Target::Name(_, name, _), op, value } => {
                Some(Step { names: vec![*name], values: vec![*value], op: Some(*op), span })
            }
            _ => None,
        }
    }

    fn run(&self, found: &Found<'_>, types: &mut Types) -> Option<()> {
        let mut made = Vec::new();
        for (name, value) in self.names.iter().zip(&self.values) {
            let mut aval = types::of(found, types, *value)?;
            if let Some(op) = self.op {
                let before = types.iter().find(|(own, _)| own == name)?;
                aval = types::binary(op, &before.1, &aval)?;
            }
            made.push((*name, aval));
        }
        for (name, aval) in made {
            types.retain(|(own, _)| *own != name);
            types.push((name, aval));
        }
        Some(())
    }
}

/// Where a name is read within a range.
fn reads<'a>(found: &'a Found<'_>, name: Symbol) -> impl Iterator<Item = Span> + 'a {
    let all = found.module.exprs.iter().zip(&found.module.expr_spans);
    all.filter(move |(expr, _)| matches!(expr, Expr::Name(_, own) if *own == name)).map(|(_, span)| *span)
}

/// Whether each round binds a name before it reads it, and nothing outside of the loop reads it.
fn is_own(found: &Found<'_>, name: Symbol, steps: &[Step], whole: Span) -> bool {
    let first = steps.iter().find(|step| step.names.contains(&name));
    let Some(first) = first.filter(|step| step.op.is_none()) else { return false };
    let Some(code) = scope(found, whole) else { return false };
    let mut inside = reads(found, name).filter(|span| within(*span, code.span));
    inside.all(|span| first.span.end <= span.start && within(span, whole))
}

/// The type that a name has where the loop begins.
fn at_start(found: &Found<'_>, code: &Code, name: Symbol, test: ExprId, whole: Span) -> Option<Aval> {
    // The condition has been asked once.
    let test = found.module.span(test);
    let asked = reads(found, name).filter(|span| within(*span, test)).find_map(|span| the_only(found, span));
    if asked.is_some() {
        return asked;
    }
    match origins::bound(found.module, name, whole) {
        Some((_, value)) => types::of(found, &Vec::new(), value?),
        None => None,
    }
    .or_else(|| {
        let is_bound = origins::bound(found.module, name, whole).is_some_and(|(_, value)| value.is_some());
        let param = code.params.names.iter().find(|param| param.name == name).filter(|_| !is_bound)?;
        the_only(found, param.span)
    })
}

fn the_only(found: &Found<'_>, span: Span) -> Option<Aval> {
    let mut seen = fact(found.facts, span)?.seen.iter().map(|seen| match seen {
        Shown::Array { aval, .. } => Some(aval),
        _ => None,
    });
    let first = seen.next()??;
    seen.all(|aval| aval == Some(first)).then(|| first.clone())
}

/// The types of what the loop reads and does not bind, as far as they are known.
fn outer(found: &Found<'_>, code: &Code, test: ExprId, whole: Span) -> Types {
    let mut types = Types::new();
    for (expr, span) in found.module.exprs.iter().zip(&found.module.expr_spans) {
        if let Expr::Name(_, name) = expr
            && within(*span, whole)
            && !types.iter().any(|(own, _)| own == name)
            && let Some(aval) = at_start(found, code, *name, test, whole)
        {
            types.push((*name, aval));
        }
    }
    types
}

/// The types that the loop carries: JAX widens weak ones at the start to what the body gives, and wants the same from then on.
fn settled(found: &Found<'_>, start: Types, outer: &Types, steps: &[Step]) -> Option<Types> {
    let round = |start: &Types| {
        let mut types = start.clone();
        types.extend(outer.iter().filter(|(name, _)| !start.iter().any(|(own, _)| own == name)).cloned());
        steps.iter().try_for_each(|step| step.run(found, &mut types))?;
        let after = |(name, _): &(Symbol, Aval)| types.iter().find(|(own, _)| own == name).cloned();
        start.iter().map(after).collect::<Option<Types>>()
    };
    let mut wide = start.clone();
    for ((_, own), (_, given)) in wide.iter_mut().zip(&round(&start)?) {
        if own.weak && own.dtype != given.dtype {
            own.dtype = types::promote((own.dtype, true), (given.dtype, given.weak))?.0;
            own.weak = given.weak;
        }
    }
    let again = round(&wide)?;
    let same = wide.iter().zip(&again).all(|((_, a), (_, b))| a.dtype == b.dtype && a.shape == b.shape);
    same.then_some(wide)
}

/// The loop's text.
fn written(
    found: &Found<'_>,
    carried: &[Symbol],
    test: &str,
    body: &[StmtId],
    steps: &[Step],
    whole: Span,
) -> Option<String> {
    let names: Vec<&str> = carried.iter().map(|name| name.as_str()).collect();
    if let ([name], [step]) = (&names[..], steps)
        && step.op.is_none()
    {
        let value = found.text(step.values[0]);
        return Some(format!("{name} = jax.lax.while_loop(lambda {name}: {test}, lambda {name}: {value}, {name})"));
    }
    let (_, indent) = found.line(whole)?;
    let inner = format!("{indent}    ");
    let (condition, function) = ("keep_going", "one_round");
    if found.facts.text.contains(condition) || found.facts.text.contains(function) || names.is_empty() {
        return None;
    }
    let (param, unpack, all) = match &names[..] {
        [name] => (*name, String::new(), (*name).to_owned()),
        names if names.contains(&"carry") => return None,
        names => ("carry", format!("{inner}{} = carry\n", names.join(", ")), names.join(", ")),
    };
    let packed = if names.len() == 1 { all.clone() } else { format!("({all})") };
    let mut text = format!("def {condition}({param}):\n{unpack}{inner}return {test}\n");
    text.push_str(&format!("{indent}def {function}({param}):\n{unpack}"));
    for id in body {
        text.push_str(&format!("{inner}{}\n", found.text_at(found.module.stmt_spans[id.index()])));
    }
    text.push_str(&format!(
        "{inner}return {all}\n{indent}{all} = jax.lax.while_loop({condition}, {function}, {packed})"
    ));
    Some(text)
}
