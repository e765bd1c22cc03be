//! The type that an expression would have that has not run, or not as a fix has it: what stands behind the place where tracing
//! ended, and what a loop computes of its index.
//!
//! Names have the types that are given or that the run saw; of operators and functions, those are known whose type follows
//! from their operands' alone, and the program's own functions are followed where they only assign and return. Everything else is
//! not known, and no fix is made of it.

use super::rounds::Step;
use super::{Found, call_types, followed};
use crate::analysis::Shown;
use crate::array::promotion::{Promotion, Typed, lattice_result_type};
use crate::array::{Aval, DType, Dim, Shape};
use crate::diagnostics::origins;
use crate::diagnostics::reading::{Call, fact, within};
use crate::module::{BinaryOp, CompareOp, Const, Expr, ExprId, Symbol, UnaryOp};

/// Names with their types, and what the run may be asked of the expressions that read them.
#[derive(Clone, Default)]
pub(super) struct Types {
    names: Vec<(Symbol, Aval)>,
    /// Names that are numbers of Python's in the program as it is: of what reads them, the run saw something else.
    plain: Vec<Symbol>,
    /// Whether what is asked about has run whole.
    ran: bool,
    /// How many of the program's functions have been entered.
    depth: usize,
}

impl Types {
    /// None yet, of code that has run.
    pub(super) fn of_what_ran() -> Types {
        Types { ran: true, ..Types::default() }
    }
    pub(super) fn get(&self, name: Symbol) -> Option<&Aval> {
        self.names.iter().find(|(own, _)| *own == name).map(|(_, aval)| aval)
    }
    pub(super) fn set(&mut self, name: Symbol, aval: Aval) {
        self.names.retain(|(own, _)| *own != name);
        self.names.push((name, aval));
    }
    /// The name is a number of Python's, for which a traced one will stand.
    pub(super) fn set_plain(&mut self, name: Symbol, aval: Aval) {
        self.set(name, aval);
        self.plain.push(name);
    }
    /// Whether an expression reads what is a number of Python's.
    fn is_plain(&self, found: &Found<'_>, id: ExprId) -> bool {
        let span = found.module.span(id);
        let all = found.module.exprs.iter().zip(&found.module.expr_spans);
        !self.plain.is_empty()
            && all.filter(|(_, own)| within(**own, span)).any(|(expr, _)| match expr {
                Expr::Name(_, name) => self.plain.contains(name),
                _ => false,
            })
    }
    /// What the run saw of an expression, where that will hold.
    fn asked(&self, found: &Found<'_>, id: ExprId) -> Option<Aval> {
        (self.depth == 0 && !self.is_plain(found, id)).then(|| seen(found, id))?
    }
}

/// The type that an expression has where names have these types.
pub(super) fn of(found: &Found<'_>, types: &Types, id: ExprId) -> Option<Aval> {
    let of = |id: ExprId| of(found, types, id);
    match found.module.expr(id) {
        Expr::Constant(Const::Int(_)) => Some(Aval::scalar(DType::I32, true)),
        Expr::Constant(Const::Float(_)) => Some(Aval::scalar(DType::F32, true)),
        Expr::Constant(Const::Bool(_)) => Some(Aval::scalar(DType::Bool, false)),
        Expr::Name(_, name) => {
            types.get(*name).cloned().or_else(|| seen(found, id)).or_else(|| number(found, *name, id))
        }
        Expr::Unary(UnaryOp::Neg | UnaryOp::Pos, value) => of(*value).filter(|aval| aval.dtype != DType::Bool),
        Expr::Unary(UnaryOp::Not, value) => of(*value).map(|aval| Aval { weak: false, dtype: DType::Bool, ..aval }),
        Expr::And(parts) | Expr::Or(parts) => {
            let all = parts.iter().map(|part| of(*part)).collect::<Option<Vec<Aval>>>()?;
            all.iter().all(|aval| aval.dtype == DType::Bool).then(|| all[0].clone())
        }
        Expr::Binary(BinaryOp::MatMul, a, b) => product(&of(*a)?, &of(*b)?),
        Expr::Binary(op, a, b) => binary(*op, &of(*a)?, &of(*b)?),
        Expr::Compare(first, rest) => {
            let mut shape = of(*first)?.shape;
            for (op, other) in rest {
                if matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::In | CompareOp::NotIn) {
                    return None;
                }
                shape = broadcast(&shape, &of(*other)?.shape)?;
            }
            Some(Aval::with_shape(DType::Bool, shape))
        }
        Expr::Call(..) => {
            let known = call_types::called(found, types, id);
            known.or_else(|| types.asked(found, id).filter(|_| types.ran))
        }
        Expr::Subscript(base, index) => item(found, types, *base, *index).or_else(|| types.asked(found, id)),
        _ => types.asked(found, id),
    }
}

/// The type of a name that is bound to one number in the text.
fn number(found: &Found<'_>, name: Symbol, reader: ExprId) -> Option<Aval> {
    let reader = found.module.span(reader);
    let scope = origins::scope_of(found.module, name, reader)?;
    let mut values = Vec::new();
    origins::bindings(found.module, scope, name, &mut |_, value| values.push(value));
    let [Some(value)] = values[..] else { return None };
    match found.module.expr(value) {
        Expr::Constant(Const::Int(_) | Const::Float(_)) => of(found, &Types::default(), value),
        Expr::Name(..) => None,
        _ => seen(found, value),
    }
}

/// The type of `x[i]`, `x[i, :]` and `x.shape[0]`, where `x` is an array.
fn item(found: &Found<'_>, types: &Types, base: ExprId, index: ExprId) -> Option<Aval> {
    if let Expr::Attribute(array, name) = found.module.expr(base)
        && name.as_str() == "shape"
    {
        return of(found, types, *array).map(|_| Aval::scalar(DType::I32, true));
    }
    let array = of(found, types, base)?;
    let shape = rest(found, types, index, &array.shape)?;
    Some(Aval { shape, ..array })
}

/// The axes that an index of integers and whole slices leaves.
fn rest(found: &Found<'_>, types: &Types, index: ExprId, shape: &[Dim]) -> Option<Shape> {
    let items = match found.module.expr(index) {
        Expr::Tuple(items) => &**items,
        _ => &[index],
    };
    let mut left = Shape::new();
    for (at, item) in items.iter().enumerate() {
        let size = shape.get(at)?;
        match found.module.expr(*item) {
            Expr::Slice(None, None, None) => left.push(*size),
            Expr::Slice(lower, upper, None) => {
                let all = i64::try_from(size.known()?).ok()?;
                let bound = |bound: Option<ExprId>, default: i64| match bound {
                    Some(bound) => {
                        let at = call_types::whole(found, bound)?;
                        Some(if at < 0 { at + all } else { at }.clamp(0, all))
                    }
                    None => Some(default),
                };
                let rows = (bound(*upper, all)? - bound(*lower, 0)?).max(0);
                left.push(Dim::from(rows as usize));
            }
            _ => {
                of(found, types, *item).filter(|aval| aval.shape.is_empty() && aval.dtype == DType::I32)?;
            }
        }
    }
    left.extend(shape[items.len()..].iter().copied());
    Some(left)
}

/// The type of `x.at[i].set(v)`: that of `x`.
pub(super) fn updated(found: &Found<'_>, types: &Types, call: &Call<'_>) -> Option<Aval> {
    let Expr::Subscript(at, index) = found.module.expr(call.receiver?) else { return None };
    let Expr::Attribute(array, name) = found.module.expr(*at) else { return None };
    let writes = ["set", "add", "multiply", "divide", "min", "max"].contains(&call.name);
    if name.as_str() != "at" || !writes || call.args.len() != 1 {
        return None;
    }
    let array = of(found, types, *array)?;
    let left = rest(found, types, *index, &array.shape)?;
    let value = of(found, types, call.argument(0)?)?;
    (broadcast(&left, &value.shape)? == left).then_some(array)
}

/// The one type that an expression had whenever it ran, as an array.
fn seen(found: &Found<'_>, id: ExprId) -> Option<Aval> {
    let fact = fact(found.facts, found.module.span(id))?;
    let mut avals = fact.seen.iter().map(|seen| match seen {
        Shown::Array { aval, .. } => Some(aval),
        _ => None,
    });
    let first = avals.next()??;
    avals.all(|aval| aval == Some(first)).then(|| first.clone())
}

/// What a function of the program's returns that only assigns and returns.
pub(super) fn own(found: &Found<'_>, types: &Types, call: &Call<'_>) -> Option<Aval> {
    if types.depth == followed::DEEPEST || call.receiver.is_some() {
        return None;
    }
    let (code, body, value) = followed::function(found, call.name)?;
    let params = &code.params;
    if params.positional as usize != params.names.len() || params.names.len() != call.args.len() {
        return None;
    }
    let mut inner = Types { depth: types.depth + 1, ..Types::default() };
    for (at, param) in params.names.iter().enumerate() {
        inner.set(param.name, of(found, types, call.argument(at)?)?);
    }
    for id in body {
        Step::of(found, *id)?.run(found, &mut inner)?;
    }
    of(found, &inner, value)
}

/// The type of an operation on two values.
pub(super) fn binary(op: BinaryOp, a: &Aval, b: &Aval) -> Option<Aval> {
    let both = promoted(a, b)?;
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::FloorDiv | BinaryOp::Mod => {
            (both.dtype != DType::Bool).then_some(both)
        }
        BinaryOp::Div => Some(Aval { dtype: both.dtype.to_inexact(false), ..both }),
        BinaryOp::Pow if both.dtype.is_float() => Some(both),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => (!both.dtype.is_inexact()).then_some(both),
        _ => None,
    }
}

pub(super) fn product(a: &Aval, b: &Aval) -> Option<Aval> {
    let typed = promoted(&Aval { shape: Shape::new(), ..a.clone() }, &Aval { shape: Shape::new(), ..b.clone() })?;
    let (rows, inner) = match &a.shape[..] {
        [n] => (None, n),
        [m, n] => (Some(*m), n),
        _ => return None,
    };
    let (other, columns) = match &b.shape[..] {
        [n] => (n, None),
        [n, k] => (n, Some(*k)),
        _ => return None,
    };
    (inner == other).then(|| Aval { shape: rows.into_iter().chain(columns).collect(), ..typed })
}

pub(super) fn promoted(a: &Aval, b: &Aval) -> Option<Aval> {
    let (dtype, weak) = promote((a.dtype, a.weak), (b.dtype, b.weak))?;
    Some(Aval { dtype, weak, shape: broadcast(&a.shape, &b.shape)? })
}

/// The type that two are promoted to.
pub(super) fn promote(a: Typed, b: Typed) -> Option<Typed> {
    lattice_result_type(&[a, b], Promotion::default()).ok()
}

/// The shape that two are broadcast to.
pub(super) fn broadcast(a: &[Dim], b: &[Dim]) -> Option<Shape> {
    let rank = a.len().max(b.len());
    let size =
        |shape: &[Dim], at: usize| (at + shape.len()).checked_sub(rank).map_or(Dim::from(1usize), |at| shape[at]);
    let pair = |at| match (size(a, at), size(b, at)) {
        (x, y) if x == y => Some(x),
        (x, y) if x.known() == Some(1) => Some(y),
        (x, y) if y.known() == Some(1) => Some(x),
        _ => None,
    };
    (0..rank).map(pair).collect()
}
