//! What goes from round to round of a loop: names that its body binds, and the types that they keep.

use super::types::{self, Types};
use super::{Found, followed};
use crate::analysis::Shown;
use crate::array::{Aval, DType};
use crate::diagnostics::origins;
use crate::diagnostics::reading::{fact, within};
use crate::module::{BinaryOp, Code, CodeKind, Const, Expr, ExprId, Place, Stmt, StmtId, Symbol, Target, UnaryOp};
use crate::text::Span;

/// The body of a loop, as a function of what it carries.
pub(super) struct Rounds<'a> {
    /// The names that go from round to round.
    pub(super) carried: Vec<Symbol>,
    /// The types that they have at the start of each round.
    pub(super) types: Types,
    /// What a round does.
    pub(super) steps: Vec<Step>,
    /// The text of what stands for carried names before the loop that a round makes first.
    late: Vec<(Symbol, String)>,
    body: &'a [StmtId],
}

/// What stands before the body of a loop.
pub(super) struct Header<'a> {
    /// The whole loop.
    pub(super) whole: Span,
    /// Its condition, or what it goes through.
    pub(super) head: ExprId,
    /// What each round is given.
    pub(super) given: &'a [(Symbol, Aval)],
    /// Whether what is given is a number of Python's.
    pub(super) plain: bool,
    /// Whether the body has run.
    pub(super) ran: bool,
}

impl<'a> Rounds<'a> {
    /// Reads a body; none where its values may change type, or it does more than to assign to names.
    pub(super) fn of(found: &Found<'_>, header: &Header<'_>, body: &'a [StmtId]) -> Option<Rounds<'a>> {
        let (whole, head) = (header.whole, header.head);
        let code = scope(found, whole)?;
        let mut spans = body.iter().map(|id| found.module.stmt_spans[id.index()]);
        if !spans.all(|span| followed::only_computes(found, span, followed::DEEPEST)) {
            return None;
        }
        let steps = body.iter().map(|id| Step::of(found, *id)).collect::<Option<Vec<Step>>>()?;
        let mut bound: Vec<Symbol> = Vec::new();
        for name in steps.iter().flat_map(|step| &step.names) {
            if !bound.contains(name) {
                bound.push(*name);
            }
        }
        // What a round makes for itself alone is not carried.
        let carried: Vec<Symbol> = bound.into_iter().filter(|name| !is_own(found, *name, &steps, whole)).collect();
        let mut start = if header.ran { Types::of_what_ran() } else { Types::default() };
        let mut late = Vec::new();
        for name in &carried {
            let Some(aval) = at_start(found, code, *name, head, whole) else {
                is_made_first(found, code, *name, &steps, (whole, head)).then(|| late.push(*name))?;
                continue;
            };
            if is_number(found, *name, whole) { start.set_plain(*name, aval) } else { start.set(*name, aval) }
        }
        for (name, aval) in header.given {
            if header.plain { start.set_plain(*name, aval.clone()) } else { start.set(*name, aval.clone()) }
        }
        if !header.ran {
            outer(found, code, head, whole, &mut start);
        }
        if !late.is_empty() {
            let mut round = start.clone();
            steps.iter().try_for_each(|step| step.run(found, &mut round))?;
            for name in &late {
                start.set(*name, round.get(*name)?.clone());
            }
        }
        let late = late.into_iter().map(|name| Some((name, nothing(found, start.get(name)?)?)));
        let late = late.collect::<Option<Vec<(Symbol, String)>>>()?;
        let types = settled(found, start, &carried, &steps)?;
        if header.ran && !carried.iter().all(|name| is_kept(found, *name, types.get(*name), whole)) {
            return None;
        }
        Some(Rounds { carried, types, steps, late, body })
    }

    /// What is carried, as text: one name, or several with commas.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.carried.iter().map(|name| name.as_str()).collect()
    }

    /// What the first round is given, as text.
    pub(super) fn initial(&self) -> String {
        let text = |name: &Symbol| match self.late.iter().find(|(own, _)| own == name) {
            Some((_, text)) => text.clone(),
            None => name.to_string(),
        };
        match &self.carried[..] {
            [name] => text(name),
            names => format!("({})", names.iter().map(text).collect::<Vec<String>>().join(", ")),
        }
    }

    /// The one expression that a round gives its one carried name.
    pub(super) fn only(&self) -> Option<(Symbol, ExprId)> {
        match (&self.carried[..], &self.steps[..]) {
            ([name], [step]) if step.op.is_none() && step.names.len() == 1 => Some((*name, step.values[0])),
            _ => None,
        }
    }

    /// What the functions of the loop take, the line that takes it apart, and all names: `("carry", "x, y = carry\n", "x, y")`.
    pub(super) fn packed(&self, inner: &str) -> Option<(String, String, String)> {
        match &self.names()[..] {
            [] => None,
            [name] => Some(((*name).to_owned(), String::new(), (*name).to_owned())),
            names if names.contains(&"carry") => None,
            names => {
                let all = names.join(", ");
                Some(("carry".into(), format!("{inner}{all} = carry\n"), all))
            }
        }
    }

    /// The lines of the body.
    pub(super) fn lines(&self, found: &Found<'_>, inner: &str) -> String {
        found.lines(self.body, inner)
    }
}

/// The function around a range.
pub(super) fn scope<'a>(found: &Found<'a>, span: Span) -> Option<&'a Code> {
    let around = found.module.codes.iter().filter(|code| code.kind != CodeKind::Module && within(span, code.span));
    around.min_by_key(|code| code.span.end - code.span.start).filter(|code| code.kind == CodeKind::Function)
}

/// An assignment to names.
pub(super) struct Step {
    pub(super) names: Vec<Symbol>,
    /// One for each name.
    pub(super) values: Vec<ExprId>,
    pub(super) op: Option<BinaryOp>,
    /// Whether the one value is taken apart into its rows.
    unpacks: bool,
    pub(super) span: Span,
}

impl Step {
    pub(super) fn of(found: &Found<'_>, id: StmtId) -> Option<Step> {
        let span = found.module.stmt_spans[id.index()];
        let name_of = |target: &Target| match target {
            Target::Name(Place::Local(_) | Place::Cell(_), name, _) => Some(*name),
            _ => None,
        };
        let unpacks = false;
        match found.module.stmt(id) {
            Stmt::Assign(targets, value) => match &targets[..] {
                [target @ Target::Name(..)] => {
                    Some(Step { names: vec![name_of(target)?], values: vec![*value], op: None, unpacks, span })
                }
                [Target::Tuple(items, _)] => {
                    let names = items.iter().map(name_of).collect::<Option<Vec<Symbol>>>()?;
                    let (values, unpacks) = match found.module.expr(*value) {
                        Expr::Tuple(values) => (values.to_vec(), false),
                        _ => (vec![*value; names.len()], true),
                    };
                    (names.len() == values.len()).then_some(Step { names, values, op: None, unpacks, span })
                }
                _ => None,
            },
            Stmt::AugAssign { target, op, value } => {
                Some(Step { names: vec![name_of(target)?], values: vec![*value], op: Some(*op), unpacks, span })
            }
            _ => None,
        }
    }

    pub(super) fn run(&self, found: &Found<'_>, types: &mut Types) -> Option<()> {
        let mut made = Vec::new();
        for (name, value) in self.names.iter().zip(&self.values) {
            let mut aval = types::of(found, types, *value)?;
            if let Some(op) = self.op {
                aval = types::binary(op, types.get(*name)?, &aval)?;
            }
            if self.unpacks {
                if aval.shape.first()?.known() != Some(self.names.len()) {
                    return None;
                }
                aval.shape.remove(0);
            }
            made.push((*name, aval));
        }
        for (name, aval) in made {
            types.set(name, aval);
        }
        Some(())
    }
}

/// Where a name is read within a range.
pub(super) fn reads<'a>(found: &'a Found<'_>, name: Symbol) -> impl Iterator<Item = Span> + 'a {
    let all = found.module.exprs.iter().zip(&found.module.expr_spans);
    all.filter(move |(expr, _)| matches!(expr, Expr::Name(_, own) if *own == name)).map(|(_, span)| *span)
}

/// Whether the function reads a name behind a loop of its.
pub(super) fn is_read_behind(found: &Found<'_>, name: Symbol, whole: Span) -> bool {
    let own = scope(found, whole).map(|code| code.span);
    reads(found, name).any(|span| whole.end < span.start && own.is_none_or(|own| within(span, own)))
}

/// Whether each round binds a name before it reads it, and nothing outside of the loop reads it.
pub(super) fn is_own(found: &Found<'_>, name: Symbol, steps: &[Step], whole: Span) -> bool {
    let first = steps.iter().find(|step| step.names.contains(&name));
    let Some(first) = first.filter(|step| step.op.is_none()) else { return false };
    let Some(code) = scope(found, whole) else { return false };
    let mut inside = reads(found, name).filter(|span| within(*span, code.span));
    inside.all(|span| first.span.end <= span.start && within(span, whole))
}

/// Whether each round binds a name before it reads it, and nothing bound it before: it is read behind the loop.
fn is_made_first(found: &Found<'_>, code: &Code, name: Symbol, steps: &[Step], (whole, head): (Span, ExprId)) -> bool {
    let first = steps.iter().find(|step| step.names.contains(&name));
    let Some(first) = first.filter(|step| step.op.is_none()) else { return false };
    let is_param = code.params.names.iter().any(|param| param.name == name);
    let mut before = false;
    origins::bindings(found.module, code, name, &mut |span, _| before |= span.start < whole.start);
    let head = found.module.span(head);
    let mut inside = reads(found, name).filter(|span| within(*span, whole));
    !is_param && !before && inside.all(|span| first.span.end <= span.start && !within(span, head))
}

/// The text of a value of a type, of which nobody reads the number.
fn nothing(found: &Found<'_>, aval: &Aval) -> Option<String> {
    let shape = aval.shape.iter().map(|size| size.known().map(|size| size.to_string()));
    let shape = shape.collect::<Option<Vec<String>>>()?;
    let comma = if shape.len() == 1 { "," } else { "" };
    Some(match (aval.dtype, &shape[..]) {
        (DType::F32, []) if aval.weak => "0.0".into(),
        (DType::I32, []) if aval.weak => "0".into(),
        (DType::Bool, []) => "False".into(),
        (dtype, _) => {
            let jnp = found.jnp()?;
            let name = if dtype == DType::Bool { "bool_" } else { dtype.name() };
            format!("{jnp}.zeros(({}{comma}), {jnp}.{name})", shape.join(", "))
        }
    })
}

/// The type that a name has where the loop begins.
pub(super) fn at_start(found: &Found<'_>, code: &Code, name: Symbol, test: ExprId, whole: Span) -> Option<Aval> {
    // The condition has been asked once.
    let test = found.module.span(test);
    let asked = reads(found, name).filter(|span| within(*span, test)).find_map(|span| the_only(found, span));
    if asked.is_some() {
        return asked;
    }
    match origins::bound(found.module, name, whole) {
        Some((_, value)) => types::of(found, &Types::of_what_ran(), value?),
        None => None,
    }
    .or_else(|| {
        let is_bound = origins::bound(found.module, name, whole).is_some_and(|(_, value)| value.is_some());
        let param = code.params.names.iter().find(|param| param.name == name).filter(|_| !is_bound)?;
        the_only(found, param.span)
    })
}

pub(super) fn the_only(found: &Found<'_>, span: Span) -> Option<Aval> {
    let mut seen = fact(found.facts, span)?.seen.iter().map(|seen| match seen {
        Shown::Array { aval, .. } => Some(aval),
        _ => None,
    });
    let first = seen.next()??;
    seen.all(|aval| aval == Some(first)).then(|| first.clone())
}

/// Whether what the run saw of a name within a loop is of that type.
fn is_kept(found: &Found<'_>, name: Symbol, wanted: Option<&Aval>, whole: Span) -> bool {
    let inside = reads(found, name).filter(|span| within(*span, whole));
    let mut seen = inside.filter_map(|span| fact(found.facts, span)).flat_map(|fact| &fact.seen);
    seen.all(|seen| match (seen, wanted) {
        (Shown::Array { aval, .. }, Some(wanted)) => {
            aval.shape == wanted.shape && (aval.dtype == wanted.dtype || aval.weak)
        }
        (Shown::Unknown(_), _) => false,
        _ => true,
    })
}

/// Whether a name is a number of Python's before the loop.
fn is_number(found: &Found<'_>, name: Symbol, whole: Span) -> bool {
    let bound = origins::bound(found.module, name, whole).and_then(|(_, value)| value);
    bound.is_some_and(|value| match found.module.expr(value) {
        Expr::Constant(Const::Int(_) | Const::Float(_)) => true,
        Expr::Unary(UnaryOp::Neg, inner) => matches!(found.module.expr(*inner), Expr::Constant(_)),
        _ => fact(found.facts, found.module.span(value)).is_none(),
    })
}

/// The types of what the loop reads and does not bind, as far as they are known.
fn outer(found: &Found<'_>, code: &Code, head: ExprId, whole: Span, types: &mut Types) {
    for (expr, span) in found.module.exprs.iter().zip(&found.module.expr_spans) {
        if let Expr::Name(_, name) = expr
            && within(*span, whole)
            && types.get(*name).is_none()
            && let Some(aval) = at_start(found, code, *name, head, whole)
        {
            types.set(*name, aval);
        }
    }
}

/// The types that the loop carries: JAX widens weak ones at the start to what the body gives, and wants the same from then on.
fn settled(found: &Found<'_>, start: Types, carried: &[Symbol], steps: &[Step]) -> Option<Types> {
    let round = |start: &Types| {
        let mut types = start.clone();
        steps.iter().try_for_each(|step| step.run(found, &mut types))?;
        Some(types)
    };
    let (mut wide, after) = (start.clone(), round(&start)?);
    for name in carried {
        let (mut own, given) = (wide.get(*name)?.clone(), after.get(*name)?);
        if own.weak && own.dtype != given.dtype {
            own.dtype = types::promote((own.dtype, true), (given.dtype, given.weak))?.0;
            own.weak = given.weak;
        }
        wide.set(*name, own);
    }
    let again = round(&wide)?;
    let same = carried.iter().all(|name| match (wide.get(*name), again.get(*name)) {
        (Some(a), Some(b)) => a.dtype == b.dtype && a.shape == b.shape,
        _ => false,
    });
    same.then_some(wide)
}
