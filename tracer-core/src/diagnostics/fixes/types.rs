//! The type that an expression would have that has not run: what stands behind the place where tracing ended.
//!
//! Names have the types that are given or that the run saw; of operators and functions, those are known whose type follows
//! from their operands' alone. Everything else is not known, and no fix is made of it.

use super::Found;
use crate::analysis::Shown;
use crate::array::promotion::{Promotion, Typed, lattice_result_type};
use crate::array::{Aval, DType, Dim, Shape};
use crate::diagnostics::reading::{call, fact};
use crate::module::{BinaryOp, CompareOp, Const, Expr, ExprId, Symbol, UnaryOp};

/// Names with their types.
pub(super) type Types = Vec<(Symbol, Aval)>;

/// Functions of one array that give floating-point numbers.
const INEXACT: [&str; 18] = [
    "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan", "arcsin", "arccos", "exp", "expm1", "log", "log1p", "log2",
    "log10", "sqrt", "sigmoid", "cbrt",
];
/// Functions of one array that keep its type.
const SAME: [&str; 6] = ["abs", "absolute", "negative", "square", "ones_like", "zeros_like"];
/// Functions of two arrays that promote them.
const PROMOTE: [&str; 5] = ["maximum", "minimum", "add", "subtract", "multiply"];
/// What asks something of each element.
const ASK: [&str; 5] = ["isnan", "isfinite", "isinf", "logical_not", "logical_and"];

/// The type that an expression has where names have these types.
pub(super) fn of(found: &Found<'_>, types: &Types, id: ExprId) -> Option<Aval> {
    let of = |id: ExprId| of(found, types, id);
    match found.module.expr(id) {
        Expr::Constant(Const::Int(_)) => Some(Aval::scalar(DType::I32, true)),
        Expr::Constant(Const::Float(_)) => Some(Aval::scalar(DType::F32, true)),
        Expr::Constant(Const::Bool(_)) => Some(Aval::scalar(DType::Bool, false)),
        Expr::Name(_, name) => {
            let given = types.iter().find(|(own, _)| own == name).map(|(_, aval)| aval.clone());
            given.or_else(|| seen(found, id))
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
        Expr::Call(..) => called(found, types, id),
        _ => seen(found, id),
    }
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

fn called(found: &Found<'_>, types: &Types, id: ExprId) -> Option<Aval> {
    let call = call(found.module, id)?;
    let jnp = found.jnp()?;
    let of_jax = match call.receiver.map(|receiver| found.text(receiver)) {
        Some(receiver) => receiver == jnp || ["jnp.linalg", "jax.nn", "jax.numpy.linalg"].contains(&receiver),
        None => call.name == "abs",
    };
    if !of_jax {
        return None;
    }
    let args = (0..call.args.len()).map(|at| of(found, types, call.argument(at)?)).collect::<Option<Vec<Aval>>>()?;
    match (call.name, &args[..]) {
        (name, [x]) if INEXACT.contains(&name) => Some(Aval { dtype: x.dtype.to_inexact(false), ..x.clone() }),
        (name, [x]) if SAME.contains(&name) => {
            Some(x.clone()).filter(|x| !x.dtype.is_complex() && x.dtype != DType::Bool)
        }
        (name, args) if ASK.contains(&name) && !args.is_empty() => {
            let shape = args.iter().try_fold(Shape::new(), |shape, aval| broadcast(&shape, &aval.shape))?;
            Some(Aval::with_shape(DType::Bool, shape))
        }
        ("sum" | "max" | "min" | "prod", [x]) if x.dtype.is_float() || x.dtype == DType::I32 => {
            Some(Aval::scalar(x.dtype, x.weak))
        }
        ("mean" | "norm", [x]) if x.dtype.is_float() => Some(Aval::scalar(x.dtype, x.weak)),
        ("any" | "all", [_]) => Some(Aval::scalar(DType::Bool, false)),
        ("dot" | "matmul", [a, b]) => product(a, b),
        ("where", [test, a, b]) => {
            let chosen = promoted(a, b)?;
            Some(Aval { shape: broadcast(&test.shape, &chosen.shape)?, ..chosen })
        }
        (name, [a, b]) if PROMOTE.contains(&name) => promoted(a, b),
        _ => None,
    }
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

fn product(a: &Aval, b: &Aval) -> Option<Aval> {
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

fn promoted(a: &Aval, b: &Aval) -> Option<Aval> {
    let (dtype, weak) = promote((a.dtype, a.weak), (b.dtype, b.weak))?;
    Some(Aval { dtype, weak, shape: broadcast(&a.shape, &b.shape)? })
}

/// The type that two are promoted to.
pub(super) fn promote(a: Typed, b: Typed) -> Option<Typed> {
    lattice_result_type(&[a, b], Promotion::default()).ok()
}

/// The shape that two are broadcast to.
fn broadcast(a: &[Dim], b: &[Dim]) -> Option<Shape> {
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
