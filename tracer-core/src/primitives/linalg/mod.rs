//! Decompositions and solvers of linear algebra: one file each; here what they share.

pub mod cholesky;
pub mod eig;
pub mod eigh;
pub mod lu;
mod matrices;
pub mod qr;
pub mod reductions;
pub mod svd;
pub mod triangular_solve;
pub mod tridiagonal_solve;

use std::any::Any;

use smallvec::SmallVec;

use super::{Dims, Primitive, rules};
use crate::array::tensor::{Element, Sizes};
use crate::array::{Aval, DType, Dim, Kind, Shape, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Eqn, Repr, Val, Var};
use crate::transforms::jit::Jit;

/// The types of the inputs: leading batch axes, which are those of the first input, then so many axes of each as `ranks`
/// says.
///
/// # Errors
/// `TypeError` for inputs with fewer axes, or not all with as many batch axes.
fn split(name: &str, ranks: &[usize], inputs: &[&Aval]) -> Step<(Shape, Vec<Shape>)> {
    for (i, (&rank, aval)) in ranks.iter().zip(inputs).enumerate() {
        if aval.rank() < rank {
            return Err(Halt::type_error(format!(
                "Input {i} to {name} must have rank at least {rank}, but got shape={}",
                aval.shape_tuple()
            )));
        }
    }
    let batch: Vec<usize> = ranks.iter().zip(inputs).map(|(rank, aval)| aval.rank() - rank).collect();
    if batch.iter().any(|&n| n != batch[0]) {
        return Err(Halt::type_error(format!(
            "All inputs to {name} must have the same number of batch dimensions, but got {} batch dimensions for the inputs.",
            super::repr::list(&batch)
        )));
    }
    let parts = batch.iter().zip(inputs).map(|(&n, aval)| aval.shape[n..].into()).collect();
    Ok((inputs[0].shape[..batch[0]].into(), parts))
}

/// The inputs are floating or complex numbers, all of one type.
///
/// # Errors
/// `TypeError` if not.
fn check_dtypes(name: &str, inputs: &[&Aval]) -> Step<()> {
    let accepted: Vec<_> = inputs.iter().map(|_| rules::INEXACT).collect();
    rules::check_positions(name, &accepted, inputs, false)?;
    rules::check_same_dtypes(name, inputs)
}

/// Primitives that a library of linear algebra computes: in single and double precision alone.
const BY_LIBRARY: &[&str] = &[
    "cholesky",
    "eig",
    "eigh",
    "geqp3",
    "geqrf",
    "hessenberg",
    "householder_product",
    "lu",
    "ormqr",
    "qr",
    "schur",
    "svd",
    "tridiagonal",
    "tridiagonal_solve",
];

/// Why the processor cannot run what can be traced.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoKernel {
    /// The library has no such type.
    Library(DType),
    /// The compiler has no rule for the function on such a type.
    Rule(&'static str, DType),
    /// A constant of a graph is a tracer whose trace has ended.
    Leaked,
    /// Numbers of a few bits beside others.
    FewBits,
    /// The position of an extreme of integers of two bits.
    TwoBits,
    /// A product of integers of two bits.
    Product(DType),
}

/// The processor has a kernel for a primitive, and for those in its graphs: types of less precision can be traced, not run.
///
/// # Errors
/// `NotImplementedError` or `JaxRuntimeError` if not.
pub fn check_kernel(primitive: &dyn Primitive, inputs: &[&Aval]) -> Step<()> {
    let runtime = "jax.errors.JaxRuntimeError";
    let Some(missing) = without_kernel(primitive, inputs) else { return Ok(()) };
    // It is traced before it is run.
    primitive.abstract_eval(inputs)?;
    match missing {
        NoKernel::Library(dtype) => {
            let (module, name) = (if dtype == DType::F16 { "numpy" } else { "ml_dtypes" }, dtype.name());
            let message = format!("(KeyError(<class '{module}.{name}'>), 'Unsupported dtype {name}.')");
            Err(Halt::raise("NotImplementedError", message))
        }
        NoKernel::Rule(name, dtype) => Err(Halt::raise(
            runtime,
            format!("UNKNOWN: failed to legalize operation 'chlo.{name}' that was explicitly marked illegal ({dtype})"),
        )),
        NoKernel::FewBits => Err(Halt::raise(
            runtime,
            "INVALID_ARGUMENT: during context [hlo verifier]: The XLA CPU/GPU backend does not support custom element sizes on \
             non-sub-byte types",
        )),
        NoKernel::Leaked => Err(Halt::type_error(
            "No constant handler for type: <class 'jax._src.interpreters.partial_eval.DynamicJaxprTracer'>",
        )),
        NoKernel::TwoBits => Err(Halt::raise(
            runtime,
            "INTERNAL: RET_CHECK failure (external/xla/xla/hlo/transforms/expanders/reduce_decomposer.cc:95) \
             reduce->inputs()[i]->shape().layout() == reduce->inputs()[0]->shape().layout() ",
        )),
        NoKernel::Product(dtype) => {
            let name = if dtype.kind() == Kind::Signed { "S2" } else { "U2" };
            Err(Halt::raise(runtime, format!("UNIMPLEMENTED: unsupported operand type {name} in op dot")))
        }
    }
}

/// What there is no kernel for.
fn without_kernel(primitive: &dyn Primitive, inputs: &[&Aval]) -> Option<NoKernel> {
    let narrow = |aval: &&Aval| aval.dtype.is_inexact() && aval.dtype.bits() < 32;
    let name = primitive.name();
    if name == "dot_general" {
        let outs = primitive.abstract_eval(inputs).ok()?;
        let out = outs.first().filter(|out| out.size() != Some(0))?;
        return product_of_few_bits(inputs, out.dtype, out.rank());
    }
    let few_bits = inputs.first().map_or(64, |aval| aval.dtype.bits());
    match name {
        "top_k" if few_bits < 8 => return Some(NoKernel::FewBits),
        "argmax" | "argmin" if few_bits == 2 => return Some(NoKernel::TwoBits),
        _ => {}
    }
    if let Some(aval) = inputs.first().filter(|aval| narrow(aval)) {
        if aval.dtype.narrow().is_some() && matches!(name, "erfc" | "bessel_i1e") {
            return Some(NoKernel::Rule(name, aval.dtype));
        }
        // A matrix without elements is factored without the library.
        let nothing = aval.shape.iter().rev().take(2).any(|size| size.known() == Some(0));
        if nothing && matches!(name, "geqrf" | "householder_product" | "qr" | "svd") {
            return None;
        }
        return BY_LIBRARY.contains(&name).then_some(NoKernel::Library(aval.dtype)).or_else(|| in_graphs(primitive));
    }
    in_graphs(primitive)
}

/// Whether a product has axes that are summed over and axes that are not: others are no matrix products to the compiler.
fn is_matrix_product(inputs: &[&Aval], rank: usize) -> bool {
    let ranks: Vec<usize> = inputs.iter().map(|aval| aval.rank()).collect();
    let all: usize = ranks.iter().sum();
    let is_inner = ranks.windows(2).all(|two| two[0] == two[1]) && ranks.first() == Some(&(rank + 1));
    rank > 0 && rank != all && !is_inner
}

/// A product has operands of a few bits where its result has, and only then, but for integers of floats.
fn product_of_few_bits(inputs: &[&Aval], out: DType, rank: usize) -> Option<NoKernel> {
    let [lhs, rhs] = [inputs.first()?.dtype, inputs.get(1)?.dtype];
    let few = |dtype: DType| dtype.bits() < 8;
    let refused = match (few(lhs), few(rhs), few(out)) {
        (false, _, true) => true,
        (true, true, false) => lhs.is_integer() || out.is_float(),
        (true, true, true) if lhs == out && lhs.bits() == 2 && is_matrix_product(inputs, rank) => {
            return Some(NoKernel::Product(lhs));
        }
        _ => false,
    };
    refused.then_some(NoKernel::FewBits)
}

fn in_graphs(primitive: &dyn Primitive) -> Option<NoKernel> {
    // The rule of a function with arguments that are not differentiated may hold on to such an argument of a compiled function.
    let leaked = |value: &Val| matches!(value.repr, Repr::Staged(..)) && value.scalar_behind().is_none();
    if (primitive as &dyn Any).downcast_ref::<Jit>().is_some_and(|jit| jit.jaxpr.consts.iter().any(leaked)) {
        return Some(NoKernel::Leaked);
    }
    primitive.graphs().iter().find_map(|graph| {
        graph.known.without_kernel(|| {
            // Places that nobody reads are not looked for.
            let is_read = |var: &Var| {
                let mut read = graph.eqns.iter().flat_map(|eqn| &eqn.inputs).chain(&graph.outvars);
                read.any(|atom| atom.var() == Some(*var))
            };
            let is_left_out = |eqn: &Eqn| eqn.primitive.name() == "top_k" && !eqn.outputs.get(1).is_some_and(is_read);
            graph.eqns.iter().filter(|eqn| !is_left_out(eqn)).find_map(|eqn| {
                let avals: Vec<&Aval> = eqn.inputs.iter().map(|atom| graph.atom_aval(atom)).collect();
                without_kernel(&*eqn.primitive, &avals)
            })
        })
    })
}

/// What is differentiated is a matrix: an example of a mapped function may have too few axes where all of them together have not.
///
/// # Errors
/// This one if it is none, which depends on what the rule of JAX does first.
fn has_two_axes(x: &Val, error: &str) -> Step<()> {
    if x.aval.rank() >= 2 {
        return Ok(());
    }
    Err(Halt::raise(
        error,
        match error {
            "ValueError" => "not enough values to unpack (expected at least 2, got 1)",
            "TypeError" => "transpose permutation isn't a permutation of operand dimensions",
            "IndexError" => "tuple index out of range",
            _ => "",
        },
    ))
}

/// A matrix with as many rows as columns.
///
/// # Errors
/// `ValueError` with this message about any other.
fn check_square(shape: &[Dim], message: impl FnOnce(String) -> String) -> Step<()> {
    if shape[0].same(shape[1])? { Ok(()) } else { Err(Halt::value_error(message(shape_tuple(shape)))) }
}

/// A result: these axes after those of the batch.
fn result(dtype: DType, batch: &Shape, axes: &[Dim], weak: bool) -> Aval {
    Aval { dtype, shape: batch.iter().chain(axes).copied().collect(), weak }
}

/// All inputs with the batch axis in front.
fn in_front(cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<Vec<Val>> {
    let size = rules::batch_size(inputs, dims)?;
    inputs.iter().zip(dims).map(|(x, d)| rules::at_front(cx, x, *d, size)).collect()
}

/// The batch axis of every result in front.
fn fronts(count: usize) -> Dims {
    Dims::from_elem(Some(0), count)
}

/// The elements of one item of a batch.
fn item<T>(values: &[T], i: usize, size: usize) -> &[T] {
    &values[i * size..(i + 1) * size]
}

/// A tensor of these elements under the dtype.
fn tensor<T: Element>(batch: &[usize], axes: &[usize], values: Vec<T>) -> Tensor {
    let shape: Sizes = batch.iter().chain(axes).copied().collect();
    Tensor::new(shape, values)
}

/// Sizes of a batch and of the last two axes.
fn sizes(tensor: &Tensor) -> (SmallVec<[usize; 4]>, usize, usize) {
    let (batch, last) = tensor.shape.split_at(tensor.shape.len() - 2);
    (batch.into(), last[0], last[1])
}

/// Runs a body with a type name bound to the Rust type of a floating or complex dtype of 32 bits or more.
macro_rules! scalar_type {
    ($dtype:expr, $T:ident => $body:expr) => {{
        use $crate::array::DType;
        match $dtype {
            DType::F32 => {
                type $T = f32;
                $body
            }
            DType::F64 => {
                type $T = f64;
                $body
            }
            DType::C64 => {
                type $T = num_complex::Complex<f32>;
                $body
            }
            DType::C128 => {
                type $T = num_complex::Complex<f64>;
                $body
            }
            other => Err($crate::python::Halt::unknown(format!("no linear algebra of {other}"))),
        }
    }};
}
use scalar_type;

/// The real type of a complex one.
fn real(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        other => other,
    }
}

/// NaN in both parts.
trait NotANumber {
    const NAN: Self;
}
impl NotANumber for f32 {
    const NAN: f32 = f32::NAN;
}
impl NotANumber for f64 {
    const NAN: f64 = f64::NAN;
}
impl NotANumber for num_complex::Complex<f32> {
    const NAN: Self = num_complex::Complex::new(f32::NAN, f32::NAN);
}
impl NotANumber for num_complex::Complex<f64> {
    const NAN: Self = num_complex::Complex::new(f64::NAN, f64::NAN);
}

/// Operations that a decomposition takes: so many times the sizes of the matrices and their longer side.
fn cubic(aval: &Aval, times: u64) -> u64 {
    let longest = aval.shape.iter().rev().take(2).filter_map(|n| n.known()).max().unwrap_or(0) as u64;
    times.saturating_mul(longest).saturating_mul(aval.size().unwrap_or(0) as u64)
}
