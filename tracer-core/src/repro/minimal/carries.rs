//! Parts of what loops carry, and of what branches give, that go together: a part is left out of what a loop begins with, of what its functions
//! take apart, and of what they give.

use super::edits::{Known, listed, stand_in};
use super::text::edit;
use crate::module::{Arg, Body, Code, CodeId, Const, Expr, ExprId, Stmt, Target};
use crate::text::{Edit, Span};

/// What becomes of the parts of a tuple.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Change {
    /// One is left out.
    Without(usize),
    /// The only one stands for the tuple.
    Opened,
}

impl Change {
    /// The way to a part afterwards (`[2]['h']`); `None` where it is gone.
    pub fn way(self, way: &str) -> Option<String> {
        let Some((at, rest)) = way.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
            return Some(way.to_owned());
        };
        match (self, at.parse::<usize>()) {
            (_, Err(_)) => Some(way.to_owned()),
            (Change::Opened, Ok(_)) => Some(rest.to_owned()),
            (Change::Without(gone), Ok(at)) if at == gone => None,
            (Change::Without(gone), Ok(at)) => Some(format!("[{}]{rest}", at - usize::from(at > gone))),
        }
    }
}

/// What a function gives of the carry.
#[derive(Copy, Clone, PartialEq)]
enum Gives {
    Nothing,
    /// The carry.
    Whole,
    /// The carry beside something else.
    First,
}

/// A function that a loop calls: which of its parameters is the carry.
struct Part {
    code: CodeId,
    param: Option<usize>,
    gives: Gives,
}

/// All that can be tried, with what it does to ways into the carry.
pub fn carries(known: &Known) -> Vec<(Change, Vec<Edit>)> {
    let mut all = Vec::new();
    for (_, expr) in known.exprs() {
        let Expr::Call(callee, args) = expr else { continue };
        let name = known.of(*callee).rsplit('.').next().unwrap_or_default();
        let positional: Vec<ExprId> = args.iter().map_while(positional).collect();
        let Some((init, functions)) = parts(known, name, &positional) else { continue };
        let Some(count) = count(known, init, &functions) else { continue };
        let changes = match count {
            1 => vec![Change::Opened],
            count => (0..count).map(Change::Without).collect(),
        };
        for change in changes {
            let mut edits = Vec::new();
            let is_changed = init.is_none_or(|init| changed(known, init, count, change, &mut edits).is_some())
                && functions.iter().all(|part| in_function(known, part, count, change, &mut edits).is_some());
            if is_changed {
                all.push((change, edits));
            }
        }
    }
    all
}

fn positional(arg: &Arg) -> Option<ExprId> {
    match arg {
        Arg::Positional(id) => Some(*id),
        _ => None,
    }
}

/// What a loop begins with, and its functions; of branches only these.
fn parts(known: &Known, name: &str, args: &[ExprId]) -> Option<(Option<ExprId>, Vec<Part>)> {
    let part = |at: usize, param: Option<usize>, gives: Gives| {
        let code = known.function(*args.get(at)?)?;
        Some(Part { code, param, gives })
    };
    Some(match name {
        "scan" => (Some(*args.get(1)?), vec![part(0, Some(0), Gives::First)?]),
        "while_loop" => (Some(*args.get(2)?), vec![part(0, Some(0), Gives::Nothing)?, part(1, Some(0), Gives::Whole)?]),
        "fori_loop" => (Some(*args.get(3)?), vec![part(2, Some(1), Gives::Whole)?]),
        "cond" => (None, vec![part(1, None, Gives::Whole)?, part(2, None, Gives::Whole)?]),
        "switch" => {
            let (Expr::List(branches) | Expr::Tuple(branches)) = known.module.expr(*args.get(1)?) else { return None };
            let part = |id: &ExprId| Some(Part { code: known.function(*id)?, param: None, gives: Gives::Whole });
            (None, branches.iter().map(part).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// So many parts the carry has.
fn count(known: &Known, init: Option<ExprId>, functions: &[Part]) -> Option<usize> {
    let first = match init {
        Some(init) => init,
        None => *returned(known, known.module.code(functions.first()?.code)).first()?,
    };
    match known.module.expr(first) {
        Expr::Tuple(items) if !items.is_empty() => Some(items.len()),
        _ => None,
    }
}

/// What a function gives, wherever it does.
fn returned(known: &Known, code: &Code) -> Vec<ExprId> {
    if let Body::Expr(value) = &code.body {
        return vec![*value];
    }
    let own = |span: Span| is_in(span, code.span) && !nested(known, code).any(|inner| is_in(span, inner));
    let all = known.module.stmts.iter().zip(&known.module.stmt_spans).filter_map(|(statement, span)| match statement {
        Stmt::Return(Some(value)) if own(*span) => Some(*value),
        _ => None,
    });
    all.collect()
}

/// The functions inside of one.
fn nested<'a>(known: &Known<'a>, code: &'a Code) -> impl Iterator<Item = Span> + use<'a> {
    let codes = known.module.codes.iter().map(|inner| inner.span);
    codes.filter(move |span| *span != code.span && is_in(*span, code.span))
}

fn is_in(span: Span, around: Span) -> bool {
    around.start <= span.start && span.end <= around.end
}

/// A tuple of so many items, changed.
fn changed(known: &Known, id: ExprId, count: usize, change: Change, edits: &mut Vec<Edit>) -> Option<()> {
    let Expr::Tuple(items) = known.module.expr(id) else { return None };
    if items.len() != count {
        return None;
    }
    match change {
        Change::Opened => edits.push(edit(known.module.span(id), known.of(items[0]))),
        Change::Without(gone) => {
            let spans: Vec<Span> = items.iter().map(|item| known.module.span(*item)).collect();
            without(known, &spans, gone, edits);
        }
    }
    Some(())
}

/// A list of names or items without one of them: what is left alone is a tuple all the same.
fn without(known: &Known, spans: &[Span], gone: usize, edits: &mut Vec<Edit>) {
    let is_pair = spans.len() == 2;
    if is_pair && gone == 1 {
        // The comma stays.
        let start = spans[0].end;
        edits.push(edit(Span { start, end: listed(known.text, spans[1]).end.max(spans[1].end) }, ","));
        return;
    }
    edits.push(edit(listed(known.text, spans[gone]), ""));
    if is_pair && !known.text[spans[1].end as usize..].trim_start().starts_with(',') {
        edits.push(edit(Span { start: spans[1].end, end: spans[1].end }, ","));
    }
}

/// What a function does with the carry, changed; `None` where it hands all of it on.
fn in_function(known: &Known, part: &Part, count: usize, change: Change, edits: &mut Vec<Edit>) -> Option<()> {
    let code = known.module.code(part.code);
    let name = match part.param {
        Some(at) => Some(code.params.names.get(at)?.name),
        None => None,
    };
    let is_carry = |id: ExprId| matches!(known.module.expr(id), Expr::Name(_, read) if Some(*read) == name);
    let mut whole: Vec<ExprId> = Vec::new();
    for value in returned(known, code) {
        let given = match (part.gives, known.module.expr(value)) {
            (Gives::Nothing, _) => continue,
            (Gives::Whole, _) => value,
            (Gives::First, Expr::Tuple(items)) => *items.first()?,
            (Gives::First, _) => return None,
        };
        match is_carry(given) {
            true => whole.push(given),
            false => changed(known, given, count, change, edits)?,
        }
    }
    for (statement, span) in known.module.stmts.iter().zip(&known.module.stmt_spans) {
        let Stmt::Assign(targets, value) = statement else { continue };
        if !is_in(*span, code.span) || !is_carry(*value) {
            continue;
        }
        let [Target::Tuple(names, around)] = &targets[..] else { return None };
        let named = names.iter().map(|target| match target {
            Target::Name(_, name, span) => Some((*name, *span)),
            _ => None,
        });
        let named = named.collect::<Option<Vec<_>>>().filter(|named| named.len() == count)?;
        match change {
            Change::Opened => edits.push(edit(*around, named[0].0.as_str())),
            Change::Without(gone) => {
                let spans: Vec<Span> = named.iter().map(|(_, span)| *span).collect();
                without(known, &spans, gone, edits);
                stand_ins(known, code, |expr| matches!(expr, Expr::Name(_, read) if *read == named[gone].0), edits)?;
            }
        }
        whole.push(*value);
    }
    for (id, expr) in known.exprs().filter(|(id, _)| is_in(known.module.span(*id), code.span)) {
        let Expr::Subscript(value, index) = expr else { continue };
        if !is_carry(*value) {
            continue;
        }
        let Expr::Constant(Const::Int(at)) = known.module.expr(*index) else { return None };
        let at = usize::try_from(*at).ok()?;
        match change {
            Change::Opened => edits.push(edit(known.module.span(id), known.of(*value))),
            Change::Without(gone) if at > gone => {
                edits.push(edit(known.module.span(*index), (at - 1).to_string()));
            }
            Change::Without(gone) if at == gone => {
                let (aval, _) = known.aval(known.module.span(id))?;
                edits.push(edit(known.module.span(id), stand_in(aval)?));
            }
            Change::Without(_) => {}
        }
        whole.push(*value);
    }
    let mut others = known.exprs().filter(|(id, _)| is_in(known.module.span(*id), code.span) && is_carry(*id));
    others.all(|(id, _)| whole.contains(&id)).then_some(())
}

/// What is read in a function and is not there any longer: arrays of its type stand for it.
fn stand_ins(known: &Known, code: &Code, is_it: impl Fn(&Expr) -> bool, edits: &mut Vec<Edit>) -> Option<()> {
    for (id, expr) in known.exprs() {
        let span = known.module.span(id);
        if is_in(span, code.span) && is_it(expr) {
            let (aval, _) = known.aval(span)?;
            edits.push(edit(span, stand_in(aval)?));
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn ways_follow_what_becomes_of_a_tuple() {
        let way = |change: Change, way: &str| change.way(way);
        assert_eq!(way(Change::Without(1), "[2]['h']").as_deref(), Some("[1]['h']"));
        assert_eq!(way(Change::Without(1), "[0]").as_deref(), Some("[0]"));
        assert_eq!(way(Change::Without(1), "[1]"), None);
        assert_eq!(way(Change::Opened, "[0][1]").as_deref(), Some("[1]"));
        assert_eq!(way(Change::Without(0), "['a']").as_deref(), Some("['a']"));
    }
}
