//! What is tried to make a program smaller, in the order in which it is tried: what takes most away comes first.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::text::edit;
use crate::analysis::{FileFacts, Shown};
use crate::array::{Aval, DType};
use crate::frameworks::dtypes::by_name;
use crate::module::{Arg, CodeId, Const, Expr, ExprId, MODULE_CODE, Module, Part, Stmt};
use crate::repro::literal;
use crate::text::{Edit, Span};

/// A program with what its expressions are.
pub struct Known<'a> {
    pub text: &'a str,
    pub module: &'a Module,
    /// The arrays that expressions and parameters are, where they are always the same.
    avals: FxHashMap<(u32, u32), (&'a Aval, bool)>,
    /// The arrays of NumPy that expressions are, as they are shown: `np:f32[3]`.
    numpys: FxHashMap<(u32, u32), &'a str>,
    /// Expressions that are called.
    callees: BTreeSet<ExprId>,
}

impl<'a> Known<'a> {
    /// Of a program that was run.
    pub fn new(facts: &'a FileFacts) -> Known<'a> {
        let (mut avals, mut numpys) = (FxHashMap::default(), FxHashMap::default());
        for fact in &facts.exprs {
            let span = (fact.span.start, fact.span.end);
            match &fact.seen[..] {
                [Shown::Array { aval, tracer }] => drop(avals.insert(span, (aval, *tracer))),
                [Shown::Other(text)] if text.starts_with("np:") => drop(numpys.insert(span, &**text)),
                _ => {}
            }
        }
        let module = &*facts.module;
        let callees = module.exprs.iter().filter_map(|expr| match expr {
            Expr::Call(callee, _) => Some(*callee),
            _ => None,
        });
        Known { text: &facts.text, module, avals, numpys, callees: callees.collect() }
    }
    /// The code of a function that is written as its name or as a `lambda`.
    pub fn function(&self, id: ExprId) -> Option<CodeId> {
        match self.module.expr(id) {
            Expr::Lambda(code, _) => Some(*code),
            Expr::Name(_, name) => self.module.stmts.iter().find_map(|statement| match statement {
                Stmt::FunctionDef(def) if def.name == *name => Some(def.code),
                _ => None,
            }),
            _ => None,
        }
    }
    pub fn aval(&self, span: Span) -> Option<(&'a Aval, bool)> {
        self.avals.get(&(span.start, span.end)).copied()
    }
    pub fn of(&self, id: ExprId) -> &'a str {
        self.part(self.module.span(id))
    }
    fn part(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &'a Expr)> {
        self.module.exprs.iter().enumerate().map(|(i, expr)| (ExprId(i as u32), expr))
    }
    /// So many nodes an expression has.
    fn size(&self, id: ExprId) -> usize {
        let mut size = 1;
        self.module.expr(id).parts(&mut |part| match part {
            Part::Expr(inner) => size += self.size(inner),
            _ => size += 1,
        });
        size
    }
    /// An expression as part of any other one.
    fn whole(&self, id: ExprId) -> String {
        match self.module.expr(id) {
            Expr::Name(..) | Expr::Attribute(..) | Expr::Subscript(..) | Expr::Call(..) | Expr::Constant(_) => {
                self.of(id).to_owned()
            }
            _ => format!("({})", self.of(id)),
        }
    }
}

/// An array of ones, or a key, that stands for any of its type.
pub fn stand_in(aval: &Aval) -> Option<String> {
    let shape = literal::known_sizes(aval);
    Some(match aval.dtype {
        DType::Float0 => return None,
        dtype if dtype.is_key() && shape.is_empty() => "jax.random.key(0)".into(),
        dtype if dtype.is_key() => format!("jax.random.split(jax.random.key(0), {})", literal::sizes(&shape)),
        DType::F32 if aval.weak && shape.is_empty() => "1.0".into(),
        DType::I32 if aval.weak && shape.is_empty() => "1".into(),
        DType::F32 => format!("jnp.ones({})", literal::sizes(&shape)),
        dtype => format!("jnp.ones({}, dtype=jnp.{})", literal::sizes(&shape), dtype.name()),
    })
}

/// What can be tried of a program, in the order in which it is tried.
pub type Candidates = dyn Fn(&Known) -> Vec<Vec<Edit>>;

/// All that can be tried of a program that fails.
pub fn candidates(known: &Known) -> Vec<Vec<Edit>> {
    let mut all = Vec::new();
    // Or each leaf of a tree that nothing reads would be tried by itself, and each number of a list.
    returned(known, &mut all);
    emptied(known, &mut all);
    unread(known, &mut all);
    written_out(known, |_| true, &mut all);
    unwrapped(known, &mut all);
    cut(known, &mut all);
    passed(known, &mut all);
    dropped(known, &mut all);
    hoisted(known, &mut all);
    types(known, &mut all);
    sizes(known, &|_| true, false, &mut all);
    all.sort_by_key(|edits| std::cmp::Reverse(magnitude(edits)));
    with_modules(all)
}

/// So many bytes are as good as none where it is asked what takes most away.
const LITTLE: usize = 64;

/// In what magnitude the bytes lie that a try takes away: of those in the same one each has its own order.
fn magnitude(edits: &[Edit]) -> u32 {
    let gone: usize = edits.iter().map(|edit| (edit.range.end - edit.range.start) as usize).sum();
    let come: usize = edits.iter().map(|edit| edit.text.len()).sum();
    (gone.saturating_sub(come) / LITTLE + 1).ilog2()
}

/// What functions give, which nothing may ask for: as a whole, all items of it, and each of them.
fn returned(known: &Known, all: &mut Vec<Vec<Edit>>) {
    for statement in &known.module.stmts {
        if let Stmt::Return(Some(value)) = statement {
            all.push(vec![edit(known.module.span(*value), "None")]);
            let mut found = Vec::new();
            items(known, *value, &mut found);
            found.retain(|id| id != value && !matches!(known.module.expr(*id), Expr::Constant(_)));
            let each = found.iter().map(|id| edit(known.module.span(*id), "None"));
            all.push(each.clone().collect());
            all.extend(each.map(|edit| vec![edit]));
        }
    }
    all.retain(|edits| !edits.is_empty());
}

/// What containers in an expression hold that are no containers.
fn items(known: &Known, id: ExprId, found: &mut Vec<ExprId>) {
    match known.module.expr(id) {
        Expr::Tuple(inner) | Expr::List(inner) => inner.iter().for_each(|id| items(known, *id, found)),
        Expr::Dict(inner) => inner.iter().for_each(|(_, id)| items(known, *id, found)),
        _ => found.push(id),
    }
}

/// Arguments that are parts of containers, and no arrays, which what is called may not read.
fn unread(known: &Known, all: &mut Vec<Vec<Edit>>) {
    for (_, expr) in known.exprs() {
        let Expr::Call(_, args) = expr else { continue };
        for arg in args.iter() {
            let (Arg::Positional(id) | Arg::Keyword(_, id)) = arg else { continue };
            let span = known.module.span(*id);
            if matches!(known.module.expr(*id), Expr::Subscript(..)) && known.aval(span).is_none() {
                all.push(vec![edit(span, "None")]);
            }
        }
    }
}

/// A container that takes more columns than this is looked at as a whole.
const LONG: u32 = 60;

/// Containers that nothing may read: what has no leaves stands for them. The longest first.
fn emptied(known: &Known, all: &mut Vec<Vec<Edit>>) {
    let containers = known.exprs().filter(|(_, expr)| matches!(expr, Expr::Dict(_) | Expr::Tuple(_) | Expr::List(_)));
    let mut found: Vec<Span> = containers.map(|(id, _)| known.module.span(id)).collect();
    found.retain(|span| span.end - span.start > LONG);
    found.sort_by_key(|span| std::cmp::Reverse(span.end - span.start));
    all.extend(found.into_iter().map(|span| vec![edit(span, "None")]));
}

/// Arrays of inexact numbers that are written out, each as ones.
pub fn literals(known: &Known) -> Vec<Vec<Edit>> {
    let mut all = Vec::new();
    written_out(known, |dtype| dtype.is_inexact(), &mut all);
    with_modules(all)
}

/// Arrays that are written out, of some types, each as ones.
fn written_out(known: &Known, is_meant: impl Fn(DType) -> bool, all: &mut Vec<Vec<Edit>>) {
    for (id, expr) in known.exprs() {
        let Expr::Call(callee, args) = expr else { continue };
        let [Arg::Positional(first), ..] = &args[..] else { continue };
        let numpy = match known.of(*callee) {
            "jnp.array" => false,
            "np.array" => true,
            _ => continue,
        };
        if !matches!(known.module.expr(*first), Expr::List(_)) {
            continue;
        }
        let span = known.module.span(id);
        let text = match (numpy, known.aval(span)) {
            (true, _) => known.numpys.get(&(span.start, span.end)).and_then(|shown| {
                let rest = known.part(Span { start: known.module.span(*first).end, end: span.end });
                numpys(shown, rest.trim_end_matches([')', ' ', '\n', ',']), &is_meant)
            }),
            (false, aval) => aval.filter(|(aval, _)| is_meant(aval.dtype)).and_then(|(aval, _)| stand_in(aval)),
        };
        all.extend(text.map(|text| vec![edit(span, text)]));
    }
}

/// An array of ones of NumPy's, for one that is shown like this and made with these arguments behind its items.
fn numpys(shown: &str, rest: &str, is_meant: impl Fn(DType) -> bool) -> Option<String> {
    let (short, sizes) = shown.strip_prefix("np:")?.strip_suffix(']')?.split_once('[')?;
    let dtype = DType::NUMERIC.iter().copied().find(|dtype| dtype.short() == short).filter(|dtype| is_meant(*dtype))?;
    let sizes: Option<Vec<usize>> = sizes.split(',').map(|size| size.parse().ok()).collect();
    let sizes = literal::sizes(&sizes?);
    Some(match rest.is_empty() && dtype != DType::F64 {
        true if dtype == DType::Bool => format!("np.ones({sizes}, dtype=bool)"),
        true => format!("np.ones({sizes}, dtype={})", literal::numpy_dtype(dtype)),
        false => format!("np.ones({sizes}{rest})"),
    })
}

/// Sizes of a program that is to do the same.
pub fn sizes_of_arrays(known: &Known) -> Vec<Vec<Edit>> {
    let mut others = BTreeSet::new();
    for (_, expr) in known.exprs() {
        match expr {
            // What is computed with is no size, and an axis neither.
            Expr::Binary(..) | Expr::Unary(..) | Expr::Compare(..) => expr.parts(&mut |part| {
                if let Part::Expr(inner) = part {
                    others.insert(inner);
                }
            }),
            Expr::Call(callee, args) => {
                others.extend(args.iter().filter_map(|arg| match arg {
                    Arg::Keyword(name, id) if name.contains("axis") || name.contains("axes") => Some(*id),
                    _ => None,
                }));
                // What becomes an array is a number of the program's.
                let name = known.of(*callee).rsplit('.').next().unwrap_or_default();
                let value = match name {
                    "array" | "asarray" => 0,
                    "full" | "full_like" => 1,
                    _ if by_name(name).is_some() => 0,
                    _ => continue,
                };
                if let Some(Arg::Positional(value)) = args.get(value) {
                    inside(known, *value, &mut others);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    sizes(known, &|id| !others.contains(&id), true, &mut all);
    all
}

/// An expression and all that it is made of.
fn inside(known: &Known, id: ExprId, found: &mut BTreeSet<ExprId>) {
    found.insert(id);
    known.module.expr(id).parts(&mut |part| {
        if let Part::Expr(inner) = part {
            inside(known, inner, found);
        }
    });
}

/// Names of modules that a stand-in may need stand at the top; what is not needed goes when the program is written.
fn with_modules(mut all: Vec<Vec<Edit>>) -> Vec<Vec<Edit>> {
    for edits in &mut all {
        let imports = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n";
        edits.push(edit(Span { start: 0, end: 0 }, imports));
    }
    all
}

/// Transformations whose function is called at once with what they were given.
fn unwrapped(known: &Known, all: &mut Vec<Vec<Edit>>) {
    for (id, expr) in known.exprs() {
        let Expr::Call(callee, args) = expr else { continue };
        let positional: Vec<ExprId> = args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Positional(id) => Some(*id),
                _ => None,
            })
            .collect();
        let given = |from: usize, item: &str| {
            let texts: Vec<String> = positional[from.min(positional.len())..]
                .iter()
                .map(|arg| if item.is_empty() { known.of(*arg).to_owned() } else { item_of(known, *arg, item) })
                .collect();
            texts.join(", ")
        };
        let mut put = |text: String| all.push(vec![edit(known.module.span(id), text)]);
        // `transformation(f)(x)`
        if let Expr::Call(name, inner) = known.module.expr(*callee)
            && let Some(Arg::Positional(function)) = inner.first()
        {
            let of = known.whole(*function);
            match known.of(*name).rsplit('.').next() {
                Some("vmap" | "pmap") => put(format!("{of}({})", given(0, "[0]"))),
                _ => put(format!("{of}({})", given(0, ""))),
            }
            continue;
        }
        let Some(name) = known.of(*callee).rsplit('.').next() else { continue };
        let of = |i: usize| positional.get(i).map(|id| known.whole(*id)).unwrap_or_default();
        let text = |i: usize| positional.get(i).map(|id| known.of(*id)).unwrap_or_default();
        let item = |i: usize| positional.get(i).map(|id| item_of(known, *id, "[0]")).unwrap_or("None".into());
        match (name, positional.len()) {
            ("scan", 2..) => put(format!("{}({}, {})", of(0), text(1), item(2))),
            ("map", 2) => put(format!("{}({})", of(0), item(1))),
            ("fori_loop", 4) => put(format!("{}({}, {})", of(2), text(0), text(3))),
            ("while_loop", 3) => {
                put(format!("{}({})", of(1), text(2)));
                put(format!("{}({})", of(0), text(2)));
            }
            ("cond", 3..) => {
                put(format!("{}({})", of(1), given(3, "")));
                put(format!("{}({})", of(2), given(3, "")));
            }
            ("switch", 2..) => {
                if let Expr::List(items) | Expr::Tuple(items) = known.module.expr(positional[1]) {
                    for branch in items {
                        put(format!("{}({})", known.whole(*branch), given(2, "")));
                    }
                }
            }
            ("vjp" | "linearize" | "eval_shape", 1..) => put(format!("{}({})", of(0), given(1, ""))),
            ("jvp", 3) => put(format!("{}(*{})", of(0), text(1))),
            ("tree_map" | "map", 2..) | ("associative_scan", 2) => put(format!("{}({})", of(0), given(1, ""))),
            _ => {}
        }
    }
}

/// An item of what a loop runs over: of each of its arrays.
fn item_of(known: &Known, id: ExprId, item: &str) -> String {
    let each = |items: &[ExprId]| items.iter().map(|id| item_of(known, *id, item)).collect::<Vec<_>>().join(", ");
    match known.module.expr(id) {
        Expr::Constant(_) => known.of(id).to_owned(),
        Expr::Tuple(items) if items.len() == 1 => format!("({},)", each(items)),
        Expr::Tuple(items) => format!("({})", each(items)),
        Expr::List(items) => format!("[{}]", each(items)),
        Expr::Dict(items) => {
            let texts: Vec<String> = items
                .iter()
                .filter_map(|(key, value)| Some(format!("{}: {}", known.of((*key)?), item_of(known, *value, item))))
                .collect();
            format!("{{{}}}", texts.join(", "))
        }
        _ => format!("{}{item}", known.whole(id)),
    }
}

/// Arrays that are computed: ones stand for them. The largest expressions first.
fn cut(known: &Known, all: &mut Vec<Vec<Edit>>) {
    let mut found: Vec<(usize, Edit)> = Vec::new();
    for (id, expr) in known.exprs() {
        if matches!(expr, Expr::Constant(_)) || known.callees.contains(&id) {
            continue;
        }
        let known_aval = known.aval(known.module.span(id));
        let aval = known_aval.filter(|(_, tracer)| !tracer || !matches!(expr, Expr::Name(..)));
        let Some(text) = aval.and_then(|(aval, _)| stand_in(aval)) else { continue };
        if text != known.of(id) {
            found.push((known.size(id), edit(known.module.span(id), text)));
        }
    }
    found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    all.extend(found.into_iter().map(|(_, edit)| vec![edit]));
}

/// A function that a transformation calls, in the last statement.
struct Called<'a> {
    /// The place behind `(` of its definition.
    params: u32,
    /// The spans of its parameters.
    names: Vec<Span>,
    /// Its arguments.
    args: &'a [Arg],
    /// The place behind `(` of the call.
    open: u32,
    body: Span,
}

fn called<'a>(known: &Known<'a>) -> Option<Called<'a>> {
    let crate::module::Body::Block(statements) = &known.module.code(MODULE_CODE).body else { return None };
    let Stmt::Expr(last) = known.module.stmt(*statements.last()?) else { return None };
    let Expr::Call(callee, args) = known.module.expr(*last) else { return None };
    let Expr::Call(_, inner) = known.module.expr(*callee) else { return None };
    let Some(Arg::Positional(function)) = inner.first() else { return None };
    let Expr::Name(_, name) = known.module.expr(*function) else { return None };
    let def = statements.iter().find_map(|statement| match known.module.stmt(*statement) {
        Stmt::FunctionDef(def) if def.name == *name => Some(def),
        _ => None,
    })?;
    let code = known.module.code(def.code);
    let names = code.params.names.iter().map(|param| param.span).collect();
    let open = known.module.span(*callee).end + 1;
    Some(Called { params: code.name_span.end + 1, names, args, open, body: code.span })
}

/// Tracers that are computed become parameters of the function that is called.
fn passed(known: &Known, all: &mut Vec<Vec<Edit>>) {
    let Some(called) = called(known) else { return };
    let taken = |name: &str| known.text.contains(name);
    let name = super::super::names::free_name("value", taken);
    let mut found: Vec<(usize, Vec<Edit>)> = Vec::new();
    for (id, expr) in known.exprs() {
        let span = known.module.span(id);
        let inside = called.body.start <= span.start && span.end <= called.body.end;
        if !inside || matches!(expr, Expr::Name(..) | Expr::Constant(_)) || known.callees.contains(&id) {
            continue;
        }
        let Some((aval, true)) = known.aval(span) else { continue };
        let Some(text) = stand_in(aval) else { continue };
        let separator = if called.names.is_empty() { "" } else { ", " };
        let behind = if called.args.is_empty() { "" } else { ", " };
        found.push((
            known.size(id),
            vec![
                edit(Span { start: called.params, end: called.params }, format!("{name}{separator}")),
                edit(span, name.as_str()),
                edit(Span { start: called.open, end: called.open }, format!("{text}{behind}")),
            ],
        ));
    }
    found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    all.extend(found.into_iter().map(|(_, edits)| edits));
}

/// Statements, arguments, parameters and items that may not be needed.
fn dropped(known: &Known, all: &mut Vec<Vec<Edit>>) {
    for (i, statement) in known.module.stmts.iter().enumerate() {
        let span = known.module.stmt_spans[i];
        match statement {
            Stmt::Expr(_) | Stmt::Assign(..) => all.push(vec![edit(span, "pass")]),
            Stmt::With { body, .. } => {
                // Its body stands in a block that always runs.
                if let Some(first) = body.first() {
                    let head = Span { start: span.start, end: known.module.stmt_spans[first.index()].start };
                    let rest = known.part(head);
                    let indent = rest.rfind('\n').map_or("", |at| &rest[at..]);
                    all.push(vec![edit(head, format!("if True:{indent}"))]);
                }
            }
            Stmt::FunctionDef(def) => {
                for id in def.defaults.positional.iter() {
                    let span = known.module.span(*id);
                    all.push(vec![edit(Span { start: span.start - 1, end: span.end }, "")]);
                }
            }
            _ => {}
        }
    }
    if let Some(called) = called(known) {
        for (at, name) in called.names.iter().enumerate() {
            let plain = called.args.iter().all(|arg| matches!(arg, Arg::Positional(_)));
            if plain && called.args.len() == called.names.len() {
                let Some(Arg::Positional(arg)) = called.args.get(at) else { continue };
                let with_comma = |span: Span| listed(known.text, span);
                all.push(vec![edit(with_comma(*name), ""), edit(with_comma(known.module.span(*arg)), "")]);
            }
        }
    }
    for (_, expr) in known.exprs() {
        match expr {
            Expr::Call(_, args) => {
                for arg in args.iter() {
                    let (Arg::Positional(id) | Arg::Keyword(_, id) | Arg::Star(id) | Arg::DoubleStar(id)) = arg;
                    let span = known.module.span(*id);
                    let start = match arg {
                        Arg::Keyword(name, _) => span.start - name.len() as u32 - 1,
                        Arg::Star(_) => span.start - 1,
                        Arg::DoubleStar(_) => span.start - 2,
                        Arg::Positional(_) => span.start,
                    };
                    all.push(vec![edit(listed(known.text, Span { start, end: span.end }), "")]);
                }
            }
            Expr::Dict(items) => {
                for (key, value) in items {
                    let Some(key) = key else { continue };
                    let span = Span { start: known.module.span(*key).start, end: known.module.span(*value).end };
                    all.push(vec![edit(listed(known.text, span), "")]);
                }
            }
            Expr::Tuple(items) | Expr::List(items) => {
                for item in items {
                    all.push(vec![edit(listed(known.text, known.module.span(*item)), "")]);
                }
            }
            _ => {}
        }
    }
}

/// A part of a list with the comma behind it, or before it.
pub fn listed(text: &str, span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let behind = &text[end..];
    let rest = behind.trim_start();
    if let Some(after) = rest.strip_prefix(',') {
        let after = after.trim_start_matches(' ');
        return Span { start: span.start, end: (text.len() - after.len()) as u32 };
    }
    let before = text[..start].trim_end();
    match before.strip_suffix(',') {
        Some(before) => Span { start: before.len() as u32, end: span.end },
        None => span,
    }
}

/// Expressions whose parts may do as well.
fn hoisted(known: &Known, all: &mut Vec<Vec<Edit>>) {
    for (id, expr) in known.exprs() {
        if known.callees.contains(&id) {
            continue;
        }
        let mut parts = Vec::new();
        match expr {
            Expr::Binary(_, left, right) => parts.extend([*left, *right]),
            Expr::Unary(_, value) | Expr::Subscript(value, _) => parts.push(*value),
            Expr::Call(callee, args) => {
                if let Expr::Attribute(value, _) = known.module.expr(*callee) {
                    parts.push(*value);
                }
                parts.extend(args.iter().filter_map(|arg| match arg {
                    Arg::Positional(id) => Some(*id),
                    _ => None,
                }));
            }
            Expr::Tuple(items) | Expr::List(items) => parts.extend(items.iter().copied()),
            _ => {}
        }
        // A container in the place of an array would be asked for other things.
        let is_array = known.aval(known.module.span(id)).is_some();
        let may = |part: &ExprId| !(is_module(known.of(*part)) || is_array && is_container(known, *part));
        for part in parts.into_iter().filter(may) {
            all.push(vec![edit(known.module.span(id), known.whole(part))]);
        }
    }
}

/// Whether an expression is no array, nor a number: a shape, a name, a container of arrays.
fn is_container(known: &Known, id: ExprId) -> bool {
    match known.module.expr(id) {
        Expr::Tuple(_) | Expr::List(_) | Expr::Dict(_) | Expr::Set(_) => true,
        Expr::Constant(value) => matches!(value, Const::Str(_) | Const::None | Const::Bytes(_)),
        _ => false,
    }
}

/// Whether this is how a module is written.
fn is_module(text: &str) -> bool {
    matches!(text, "jax" | "jnp" | "np" | "lax") || text.starts_with("jax.") && !text.contains('(')
}

/// Types become the usual one, alike wherever they stand.
fn types(known: &Known, all: &mut Vec<Vec<Edit>>) {
    let mut named: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
    for (id, expr) in known.exprs() {
        let Expr::Attribute(value, name) = expr else { continue };
        let is_type =
            matches!(known.of(*value), "jnp" | "np") && by_name(name).is_some_and(|dtype| dtype != DType::F32);
        if is_type {
            let text = format!("{}.float32", known.of(*value));
            named.entry(name.as_str()).or_default().push(edit(known.module.span(id), text));
        }
    }
    all.extend(named.into_values());
}

/// Sizes become small ones, alike wherever they stand; where they are to stay apart, none becomes another one, or 1.
fn sizes(known: &Known, is_size: &dyn Fn(ExprId) -> bool, apart: bool, all: &mut Vec<Vec<Edit>>) {
    let numbers: Vec<(i64, Span)> = known
        .exprs()
        .filter_map(|(id, expr)| match expr {
            Expr::Constant(Const::Int(value)) if *value > 1 && is_size(id) => Some((*value, known.module.span(id))),
            _ => None,
        })
        .collect();
    let values: BTreeSet<i64> = numbers.iter().map(|(value, _)| *value).collect();
    let mut to = |map: &dyn Fn(i64) -> i64| {
        let edits = numbers.iter().map(|(value, span)| (*value, map(*value), *span));
        let edits: Vec<Edit> = edits.filter(|(a, b, _)| a != b).map(|(_, b, span)| edit(span, b.to_string())).collect();
        let after: BTreeSet<i64> = values.iter().map(|value| map(*value)).collect();
        let may = !apart || after.len() == values.len() && !after.contains(&1);
        if may && !edits.is_empty() {
            all.push(edits);
        }
    };
    // All at once, in their order: most errors ask only which are equal.
    let rank = |value: i64| values.iter().position(|v| *v == value).unwrap_or(0) as i64 + 2;
    to(&rank);
    for factor in [64, 16, 8, 4, 2] {
        to(&|value| if value % factor == 0 { value / factor } else { value });
    }
    for value in values.iter().rev() {
        // Only these are looked at: a number may be as large as a seed is.
        let few: BTreeSet<i64> = [1, 2, 3, 4, value / 2].into_iter().filter(|small| small < value).collect();
        for small in few {
            to(&|v| if v == *value { small } else { v });
            // With what it is a factor of, as a reshape asks for it.
            to(&|v| if v % value == 0 { v / value * small } else { v });
        }
    }
}
