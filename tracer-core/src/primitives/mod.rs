//! Primitives: typed parameters, shape rule, numbers, and the rules of differentiation and batching, side by side.

use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::array::{Aval, Tensor};
use crate::python::{Halt, Step, Value};
use crate::trace::{Axis, Digest, Effects, Engine, Jaxpr, TraceRef, Val, Vals};

mod arithmetic;
mod batch_windows;
mod bilinear;
mod broadcast;
pub mod build;
pub mod callback;
pub mod collective;
mod concatenate;
pub(crate) mod conv_general_dilated;
mod convert;
mod cumulative;
mod dim_as_value;
mod dot_general;
pub mod elementwise;
mod fft;
pub mod gather;
mod identity;
pub mod indexing;
mod iota;
pub mod like;
pub mod linalg;
mod missing;
mod pad;
mod params;
mod permute;
mod places;
mod platform_index;
mod power;
mod precision;
mod product;
mod ragged_dot_general;
pub mod random;
mod random_gamma;
mod reduce;
mod reduce_generic;
mod reduce_window;
mod reduce_window_generic;
mod reducer;
pub mod repr;
mod reshape;
mod rng;
pub mod rules;
pub mod scatter;
pub mod select;
mod select_window;
pub(crate) mod short;
mod slice;
mod sort;
mod top_k;
mod window;

pub use broadcast::{BroadcastInDim, Tile};
pub use concatenate::{Concatenate, Split, Stack, Unstack};
pub use convert::{BitcastConvertType, Conj, ConvertElementType, ReducePrecision};
pub use cumulative::Cumulative;
pub use dim_as_value::DimAsValue;
pub use dot_general::{DotDims, DotGeneral};
pub use gather::Gather;
pub use identity::{Identity, OptimizationBarrier};
pub use iota::{Empty, Iota};
pub use pad::Pad;
pub use params::{Axes, ParamValue, Params};
pub use permute::{Rev, Transpose};
pub use power::{IntegerPow, Round};
pub use reduce::{ArgExtreme, Reduce, ReduceSum};
pub use reshape::{Reshape, Squeeze};
pub use scatter::{Combine, Scatter};
pub use select::{Clamp, SelectN};
pub use slice::{DynamicSlice, DynamicUpdateSlice, Slice};

/// Makes a primitive from its keyword parameters.
pub type Make = fn(&Params) -> Step<Rc<dyn Primitive>>;

/// Declares [`ALL`] from lines `maker => "name" "name" …;`.
macro_rules! primitives {
    ($($make:path => $($name:literal)+;)*) => {
        /// Every primitive: its name, as JAX has it, and what makes it.
        pub const ALL: &[(&str, Make)] = &[$($(($name, $make)),+),*];
    };
}

primitives! {
    crate::transforms::composite::make => "composite";
    crate::transforms::cond::make => "cond";
    crate::transforms::empty::make => "empty2";
    crate::transforms::jit::make => "jit";
    crate::transforms::linear_solve::make => "custom_linear_solve";
    crate::transforms::pallas_call::make => "pallas_call";
    crate::transforms::remat::make => "remat2";
    crate::transforms::scan::make => "scan";
    crate::transforms::while_loop::make => "while";
    conv_general_dilated::make => "conv_general_dilated";
    dot_general::make => "dot_general";
    gather::make => "gather";
    scatter::make =>
        "scatter" "scatter-add" "scatter-sub" "scatter-mul" "scatter-min" "scatter-max" "scatter_add" "scatter_sub"
        "scatter_mul" "scatter_min" "scatter_max";
    DimAsValue::make => "dim_as_value";
    callback::Callback::make => "debug_callback" "debug_print";
    collective::exchange::AllToAll::make => "all_to_all";
    collective::exchange::Permute::make => "ppermute" "pbroadcast";
    collective::gather::GatherAcross::make => "all_gather" "all_gather_invariant" "reduce_scatter";
    collective::reduce::AxisIndex::make => "axis_index";
    collective::reduce::ReduceAcross::make => "psum" "pmax" "pmin";
    fft::Fft::make => "fft";
    platform_index::PlatformIndex::make => "platform_index";
    ragged_dot_general::RaggedDotGeneral::make => "ragged_dot_general";
    random_gamma::RandomGamma::make => "random_gamma";
    random_gamma::SampleSlope::make => "random_gamma_grad";
    rng::RngBitGenerator::make => "rng_bit_generator";
    rng::RngUniform::make => "rng_uniform";
    linalg::cholesky::Cholesky::make => "cholesky";
    linalg::eig::Eig::make => "eig";
    linalg::eigh::Eigh::make => "eigh";
    linalg::lu::Lu::make => "lu";
    linalg::lu::PivotsToPermutation::make => "lu_pivots_to_permutation";
    linalg::qr::Geqrf::make => "geqrf";
    linalg::qr::HouseholderProduct::make => "householder_product";
    linalg::qr::Qr::make => "qr";
    linalg::reductions::Reduction::make =>
        "cholesky_update" "geqp3" "hessenberg" "ormqr" "schur" "symmetric_product" "tridiagonal";
    linalg::svd::Svd::make => "svd";
    linalg::triangular_solve::TriangularSolve::make => "triangular_solve";
    linalg::tridiagonal_solve::TridiagonalSolve::make => "tridiagonal_solve";
    reduce_window::ReduceWindow::make => "reduce_window_sum" "reduce_window_max" "reduce_window_min";
    reduce_generic::ReduceBy::make => "reduce";
    reduce_window_generic::ReduceWindowBy::make => "reduce_window";
    select_window::SelectWindow::make => "select_and_gather_add" "select_and_scatter_add";
    sort::make => "sort";
    top_k::make => "top_k";
    top_k::make_approx => "approx_top_k";
    elementwise::make =>
        "abs" "acos" "acosh" "add" "add_any" "and" "asin" "asinh" "atan" "atan2" "atanh" "bessel_i0e" "bessel_i1e" "cbrt" "ceil"
        "clz" "complex" "cos" "cosh" "digamma" "div" "eq" "eq_to" "erf" "erf_inv" "erfc" "exp" "exp2" "expm1" "floor" "ge" "gt"
        "igamma" "igamma_grad_a" "igammac" "imag" "is_finite" "le" "le_to" "lgamma" "log" "log1p" "logistic" "lt" "lt_to" "max"
        "min" "mul" "mulhi" "ne" "neg" "nextafter" "not" "or" "polygamma" "population_count" "pow" "real"
        "regularized_incomplete_beta" "rem" "rsqrt" "shift_left" "shift_right_arithmetic" "shift_right_logical" "sign" "sin"
        "sinh" "sqrt" "square" "sub" "tan" "tanh" "xor" "zeta";
    BroadcastInDim::make => "broadcast_in_dim";
    Tile::make => "tile";
    Concatenate::make => "concatenate";
    Split::make => "split";
    Stack::make => "stack";
    Unstack::make => "unstack";
    BitcastConvertType::make => "bitcast_convert_type";
    Conj::make => "conj";
    ConvertElementType::make => "convert_element_type";
    ReducePrecision::make => "reduce_precision";
    Cumulative::make => "cumsum" "cumprod" "cummax" "cummin" "cumlogsumexp";
    Identity::make => "copy" "copy_p" "name" "stop_gradient" "pvary" "reshard" "sharding_constraint" "stage" "layout_constraint";
    OptimizationBarrier::make => "optimization_barrier";
    Empty::make => "empty";
    Iota::make => "iota";
    Pad::make => "pad";
    Rev::make => "rev";
    Transpose::make => "transpose";
    IntegerPow::make => "integer_pow";
    Round::make => "round";
    ArgExtreme::make => "argmax" "argmin";
    Reduce::make => "reduce_prod" "reduce_max" "reduce_min" "reduce_and" "reduce_or" "reduce_xor";
    ReduceSum::make => "reduce_sum";
    random::Random::make =>
        "random_bits" "random_clone" "random_fold_in" "random_seed" "random_split" "random_unwrap" "random_wrap";
    random::Iota2x32::make => "iota_2x32_shape";
    random::Threefry2x32::make => "threefry2x32";
    Reshape::make => "reshape";
    Squeeze::make => "squeeze";
    Clamp::make => "clamp";
    SelectN::make => "select_n";
    DynamicSlice::make => "dynamic_slice";
    DynamicUpdateSlice::make => "dynamic_update_slice";
    Slice::make => "slice";
}

/// The maker of the primitive of this name, and the name.
pub fn find(name: &str) -> Option<(&'static str, Make)> {
    static BY_NAME: LazyLock<FxHashMap<&str, (&str, Make)>> =
        LazyLock::new(|| ALL.iter().map(|row| (row.0, *row)).collect());
    BY_NAME.get(name).copied()
}

/// The primitive of this name with these keyword parameters.
///
/// # Errors
/// Unknown for a primitive that is not modelled, or for parameters that do not fit.
pub fn from_params(name: &str, values: impl IntoIterator<Item = (Rc<str>, ParamValue)>) -> Step<Rc<dyn Primitive>> {
    let (primitive, make) =
        find(name).ok_or_else(|| Halt::unknown(format!("the primitive `{name}` is not modelled yet")))?;
    make(&Params { primitive, values: values.into_iter().collect() })
}

/// Abstract results.
pub type Avals = SmallVec<[Aval; 1]>;

/// A primitive on a stretch of the elements: see [`Primitive::by_element`].
pub type ByElement = Arc<dyn Fn(&[Tensor]) -> Option<Tensor> + Send + Sync>;

/// What [`Primitive::by_element`] gives for a primitive whose evaluation is the same on any stretch.
pub(super) fn on_stretches(primitive: impl Primitive + Send + Sync) -> Option<ByElement> {
    Some(Arc::new(move |inputs| primitive.eval(inputs).ok()?.pop()))
}

/// Tangents or cotangents; `None` is a symbolic zero.
pub type Tangents = SmallVec<[Option<Val>; 2]>;

/// Batch axes; `None` is not batched.
pub type Dims = SmallVec<[Option<usize>; 2]>;

/// An input of a linear equation that is transposed.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A value that is known: a coefficient.
    Known(Val),
    /// A value that is linear: its cotangent is asked for.
    Linear(Aval),
}

impl Operand {
    /// The abstract value.
    pub fn aval(&self) -> &Aval {
        match self {
            Operand::Known(value) => &value.aval,
            Operand::Linear(aval) => aval,
        }
    }
    /// Whether its cotangent is asked for.
    pub fn is_linear(&self) -> bool {
        matches!(self, Operand::Linear(_))
    }
}

/// A parameter of an equation, as jaxprs print it.
#[derive(Clone, Debug)]
pub enum Param {
    /// Printed as it stands.
    Text(String),
    /// A graph, printed indented.
    Graph(Rc<Jaxpr>),
    /// Graphs in parentheses.
    Graphs(Vec<Rc<Jaxpr>>),
}

/// A primitive without its dead results.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// What is left of it; nothing, if all is dead.
    pub primitive: Option<Rc<dyn Primitive>>,
    /// Which inputs that needs.
    pub inputs: SmallVec<[bool; 4]>,
    /// Which results that gives.
    pub outputs: SmallVec<[bool; 4]>,
}

/// An operation of a graph, with its parameters.
///
/// The default of a missing rule is *unknown*, never a guess.
pub trait Primitive: Debug + Any {
    /// The name, as JAX has it.
    fn name(&self) -> &'static str;

    /// Whether Python gets a list of results even when there is one.
    fn multiple_results(&self) -> bool {
        false
    }

    /// The parameters in alphabetical order, as `jax.make_jaxpr` prints them.
    fn params(&self) -> Vec<(&'static str, Param)> {
        Vec::new()
    }

    /// The types of the results, including weak types.
    ///
    /// # Errors
    /// The exception that the framework raises for such inputs.
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals>;

    /// [`Primitive::abstract_eval`] for primitives that need the engine (collectives: the named axes).
    ///
    /// # Errors
    /// As [`Primitive::abstract_eval`].
    fn abstract_eval_in(&self, cx: &Engine, inputs: &[&Aval]) -> Step<Avals> {
        let _ = cx;
        self.abstract_eval(inputs)
    }

    /// The numbers of the results. Inputs have passed [`Primitive::abstract_eval`].
    ///
    /// # Errors
    /// Unknown where there is no evaluation.
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let _ = inputs;
        Err(Halt::unknown(format!("no evaluation of `{}` yet", self.name())))
    }

    /// Results and their tangents. At least one tangent is not zero. Everything that depends on tangents has to be
    /// built by linear primitives: the same rule serves forward mode and, through [`Primitive::transpose`], reverse mode.
    ///
    /// # Errors
    /// Unknown where there is no rule.
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let _ = (cx, primals, tangents);
        Err(Halt::unknown(format!("no differentiation rule of `{}` yet", self.name())))
    }

    /// The cotangents of the linear inputs (`None`: zero, and for every known input).
    /// At least one of `cotangents` is not zero.
    ///
    /// # Errors
    /// Unknown where there is no rule.
    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let _ = (cx, cotangents, inputs);
        Err(missing::transpose(self.name()))
    }

    /// The primitive applied to inputs of which some have a batch axis, and the batch axes of the results.
    ///
    /// # Errors
    /// Unknown where there is no rule.
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let _ = (cx, inputs, dims);
        Err(Halt::unknown(format!("no batching rule of `{}` yet", self.name())))
    }

    /// The numbers of the results, for primitives that need the engine (those with inner graphs).
    ///
    /// # Errors
    /// As [`Primitive::eval`].
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let _ = cx;
        self.eval(inputs)
    }

    /// The numbers of a stretch of the elements, in row-major order, for the same stretch of the inputs (or scalars), where each
    /// element of the result depends on those in its place alone.
    fn by_element(&self) -> Option<ByElement> {
        None
    }

    /// What an application outside of all transformations does instead of waiting for its numbers to be asked for.
    fn compute(&self, cx: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        let _ = (cx, inputs);
        None
    }

    /// Which results depend on unknown inputs.
    fn depends(&self, unknown: &[bool], results: usize) -> SmallVec<[bool; 4]> {
        SmallVec::from_elem(unknown.contains(&true), results)
    }

    /// [`Primitive::batch`] for primitives that need to know the axis (those with inner graphs, collectives).
    ///
    /// # Errors
    /// As [`Primitive::batch`].
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let _ = axis;
        self.batch(cx, inputs, dims)
    }

    /// Whether it has to be batched although no input is (collectives over a named axis, graphs with such inside).
    fn batches_always(&self) -> bool {
        false
    }

    /// Whether all that it gives under `vmap` are tracers, mapped or not.
    fn gives_tracers(&self) -> bool {
        false
    }

    /// Results and tangents for reverse mode, where [`Primitive::jvp`] would not do: the linear part is bound on the tape.
    /// The current trace computes. A tangent that is not on the tape counts as zero.
    fn linearize(
        &self,
        cx: &Engine,
        tape: &TraceRef,
        primals: &[Val],
        tangents: &[Option<Val>],
    ) -> Option<Step<(Vals, Tangents)>> {
        let _ = (cx, tape, primals, tangents);
        None
    }

    /// Splits it into what depends on the tape and what does not, where a rule of differentiation applies it to both kinds.
    /// The current trace computes.
    fn partial_eval(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Option<Step<Vals>> {
        let _ = (cx, tape, inputs, unknown);
        None
    }

    /// What staging does instead of appending an equation.
    fn stage(&self, cx: &Engine, trace: &TraceRef, inputs: &[Val]) -> Option<Step<Vals>> {
        let _ = (cx, trace, inputs);
        None
    }

    /// The input that staging passes on as the only result, instead of appending an equation.
    fn forwards(&self, inputs: &[&Aval], outputs: &[Aval]) -> Option<usize> {
        let _ = (inputs, outputs);
        None
    }

    /// Whether [`Primitive::fold`] may have something to say.
    fn folds(&self) -> bool {
        false
    }

    /// The results for inputs that are constants of a graph, instead of an equation.
    fn fold(&self, constants: &[Option<Val>]) -> Option<Vals> {
        let _ = constants;
        None
    }

    /// What is left when only some results are used; none: all or nothing.
    fn prune(&self, used: &[bool]) -> Option<Pruned> {
        let _ = used;
        None
    }

    /// What it does beside giving results.
    fn effects(&self) -> Effects {
        Effects::NONE
    }

    /// Whether it means the same in another run: it holds nothing that belongs to one, beside the graphs inside.
    fn lasts(&self) -> bool {
        true
    }

    /// Writes what its results depend on beside its inputs; `None` where not all of it can be written.
    fn digest(&self, to: &mut Digest) -> Option<()> {
        // Graphs differ in what they do not print.
        if !self.lasts() || !self.graphs().is_empty() {
            return None;
        }
        to.text(format_args!("{self:?}"))
    }

    /// Whether its rules call functions of the program.
    fn calls_rules(&self) -> bool {
        self.own().is_some()
    }

    /// The program's own primitive and its parameters, where it is one.
    fn own(&self) -> Option<(Value, Value)> {
        None
    }

    /// The same as NumPy computes it, where that differs.
    fn in_numpy(&self) -> Option<Rc<dyn Primitive>> {
        None
    }
    /// The graphs inside, in the order of the parameters.
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::new()
    }

    /// The name that a shared inner graph gets: the parameter `name`.
    fn label(&self) -> Option<String> {
        None
    }

    /// Whether inner variables are named as the outer ones that are passed.
    fn names_like_call(&self) -> bool {
        false
    }

    /// Whether an eager application to small arrays is computed at once.
    fn is_cheap(&self) -> bool {
        true
    }

    /// Whether it reads no more of its first input than it gives: that may be large where the result is small.
    fn reads_part(&self) -> bool {
        false
    }

    /// Estimated scalar operations.
    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let _ = inputs;
        outputs.iter().filter_map(Aval::size).map(|n| n as u64).sum()
    }
}
