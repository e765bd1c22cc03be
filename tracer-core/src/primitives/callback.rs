//! Calls of Python functions from compiled programs: `pure_callback`, `io_callback`, `debug_callback`, `debug_print`.
//! The functions are not called; what they give has the promised type and is not known.

use std::any::Any;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::{Avals, Dims, Operand, Param, Params, Primitive, Tangents, build, repr, rules};
use crate::array::{Aval, Dim, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{DebugInfo, Effects, Engine, Val, Vals};
use crate::transforms::scan::Scan;
use crate::transforms::trace_to_jaxpr;

/// Which of them, and what only it has.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `pure_callback`
    Pure {
        /// How it is batched.
        vmap_method: Option<Rc<str>>,
    },
    /// `io_callback`
    Io {
        /// Whether calls keep their order.
        ordered: bool,
    },
    /// `debug_callback`
    Debug {
        /// Whether calls keep their order.
        ordered: bool,
        /// Whether every device calls.
        partitioned: bool,
    },
    /// `debug_print`
    Print {
        /// Whether calls keep their order.
        ordered: bool,
        /// The parameters, as they print.
        params: Rc<[(&'static str, String)]>,
    },
}

/// A call of a Python function.
#[derive(Clone, Debug)]
pub struct Callback {
    /// Which primitive.
    pub kind: Kind,
    /// The function, as it prints.
    pub function: Rc<str>,
    /// The types of the results.
    pub results: Vec<Aval>,
    /// The function itself, for those who know what it is.
    pub object: Option<Rc<dyn Any>>,
}

impl Callback {
    /// `debug_print` and `debug_callback` from keyword parameters. What has results is made by the engine's services, which
    /// know the function.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let shown = |name: &str| params.get(name).map_or_else(|| "None".to_owned(), repr::value);
        let ordered = params.flag("ordered")?;
        let kind = match params.primitive {
            "debug_callback" => Kind::Debug { ordered, partitioned: params.flag("partitioned")? },
            "debug_print" => {
                const NAMES: [&str; 8] = [
                    "fmt",
                    "has_placeholders",
                    "in_tree",
                    "logging_record",
                    "np_printoptions",
                    "ordered",
                    "partitioned",
                    "static_args",
                ];
                Kind::Print { ordered, params: NAMES.map(|name| (name, shown(name))).into() }
            }
            name => return Err(Halt::unknown(format!("`{name}` without its function"))),
        };
        Ok(Rc::new(Callback { kind, function: shown("callback").into(), results: Vec::new(), object: None }))
    }

    fn error(message: &str) -> Halt {
        Halt::value_error(message)
    }

    fn with_results(&self, results: Vec<Aval>) -> Callback {
        Callback { results, ..self.clone() }
    }
}

impl Primitive for Callback {
    fn lasts(&self) -> bool {
        false
    }
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Pure { .. } => "pure_callback",
            Kind::Io { .. } => "io_callback",
            Kind::Debug { .. } => "debug_callback",
            Kind::Print { .. } => "debug_print",
        }
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let function = ("callback", Param::Text(self.function.to_string()));
        let avals = || repr::tuple(self.results.iter().map(|aval| format!("ShapedArray({})", aval.long())));
        let avals = || ("result_avals", Param::Text(avals()));
        let sharding = ("sharding", Param::Text("None".into()));
        match &self.kind {
            Kind::Pure { vmap_method } => {
                let method = Param::Text(repr::option(vmap_method.as_deref()));
                vec![function, avals(), sharding, ("vmap_method", method)]
            }
            Kind::Io { ordered } => {
                vec![function, ("ordered", Param::Text(repr::flag(*ordered).into())), avals(), sharding]
            }
            Kind::Debug { ordered, partitioned } => {
                let effect = if *ordered { "OrderedDebug" } else { "Debug" };
                let partitioned = Param::Text(repr::flag(*partitioned).into());
                vec![function, ("effect", Param::Text(effect.into())), ("partitioned", partitioned)]
            }
            Kind::Print { params, .. } => {
                params.iter().map(|(name, text)| (*name, Param::Text(text.clone()))).collect()
            }
        }
    }

    fn effects(&self) -> Effects {
        match self.kind {
            Kind::Pure { .. } => Effects::NONE,
            Kind::Io { ordered: false } | Kind::Debug { ordered: false, .. } | Kind::Print { ordered: false, .. } => {
                Effects::IO
            }
            _ => Effects::ORDERED_IO,
        }
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.results.iter().cloned().collect())
    }

    fn eval(&self, _: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        if self.results.is_empty() {
            return Ok(SmallVec::new());
        }
        Err(Halt::unknown("what a Python callback gives is not computed"))
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        match self.kind {
            Kind::Pure { .. } => Err(Self::error(
                "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking gradients.",
            )),
            Kind::Io { .. } => Err(Self::error("IO callbacks do not support JVP.")),
            _ => Ok((cx.bind(Rc::new(self.clone()), primals)?, Tangents::new())),
        }
    }

    fn transpose(&self, _: &Engine, _: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        match self.kind {
            Kind::Pure { .. } => Err(Self::error(
                "Pure callbacks do not support transpose. Please use `jax.custom_vjp` to use callbacks while taking \
                 gradients.",
            )),
            Kind::Io { .. } => Err(Self::error("IO callbacks do not support transpose.")),
            _ => Ok(inputs.iter().map(|_| None).collect()),
        }
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let size = rules::batch_size(inputs, dims)?;
        let method = match &self.kind {
            Kind::Pure { vmap_method } => vmap_method.as_deref(),
            Kind::Io { ordered: true } => return Err(Self::error("Cannot `vmap` ordered IO callback.")),
            Kind::Io { .. } => Some("sequential"),
            Kind::Debug { .. } | Kind::Print { .. } => return self.unrolled(cx, inputs, dims, size.get()?),
        };
        let out = match method {
            Some(name @ ("expand_dims" | "broadcast_all" | "legacy_vectorized")) => {
                let one = |(x, dim): (&Val, &Option<usize>)| match dim {
                    Some(dim) => rules::move_to_front(cx, x, *dim),
                    None if name == "legacy_vectorized" => Ok(x.clone()),
                    None => {
                        let size = if name == "broadcast_all" { size } else { Dim::from(1usize) };
                        build::broadcast(cx, x, &[size])
                    }
                };
                let inputs = inputs.iter().zip(dims).map(one).collect::<Step<Vec<_>>>()?;
                let grown = |aval: &Aval| {
                    let mut aval = aval.clone();
                    aval.shape.insert(0, size);
                    aval
                };
                cx.bind(Rc::new(self.with_results(self.results.iter().map(grown).collect())), &inputs)?
            }
            Some(name @ ("sequential" | "sequential_unrolled")) => {
                self.sequential(cx, inputs, dims, size.get()?, name == "sequential_unrolled")?
            }
            other => {
                let shown = other.map_or_else(|| "None".to_owned(), |name| format!("'{name}'"));
                return Err(Halt::raise(
                    "NotImplementedError",
                    format!(
                        "vmap is only supported for the {} primitive when vmap_method is one of 'sequential', \
                         'sequential_unrolled', 'expand_dims', 'broadcast_all', or 'legacy_vectorized'. Got \
                         vmap_method={shown}.",
                        self.name()
                    ),
                ));
            }
        };
        let count = out.len();
        Ok((out, Dims::from_elem(Some(0), count)))
    }
}

impl Callback {
    /// One call after the other, as a `scan`.
    fn sequential(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>], size: usize, unroll: bool) -> Step<Vals> {
        let mut consts = Vec::new();
        let mut scanned = Vec::new();
        for (x, dim) in inputs.iter().zip(dims) {
            match dim {
                Some(dim) => scanned.push(rules::move_to_front(cx, x, *dim)?),
                None => consts.push(x.clone()),
            }
        }
        let slice = |x: &Val| Aval { shape: x.aval.shape[1..].into(), ..x.aval.clone() };
        let avals: Vec<Aval> = consts.iter().map(|x| x.aval.clone()).chain(scanned.iter().map(slice)).collect();
        let body = |args: &[Val]| -> Step<Vec<Val>> {
            let (mut fixed, mut moving) = (args[..consts.len()].iter(), args[consts.len()..].iter());
            let pick = |dim: &Option<usize>| if dim.is_some() { moving.next() } else { fixed.next() };
            let merged: Vec<Val> = dims.iter().map(pick).map_while(|x| x.cloned()).collect();
            Ok(cx.bind(Rc::new(self.clone()), &merged)?.into_vec())
        };
        let jaxpr = trace_to_jaxpr(cx, &body, &avals, DebugInfo::default())?;
        let scan = Scan {
            jaxpr,
            length: size.into(),
            reverse: false,
            num_consts: consts.len(),
            num_carry: 0,
            unroll: if unroll { size as i64 } else { 1 },
        };
        consts.extend(scanned);
        cx.bind(Rc::new(scan), &consts)
    }

    /// A call for every element of the batch.
    fn unrolled(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>], size: usize) -> Step<(Vals, Dims)> {
        for i in 0..size {
            let one = |(x, dim): (&Val, &Option<usize>)| -> Step<Val> {
                let Some(dim) = *dim else { return Ok(x.clone()) };
                let mut starts: Shape = x.aval.shape.iter().map(|_| Dim::from(0usize)).collect();
                let mut limits = x.aval.shape.clone();
                starts[dim] = Dim::from(i);
                limits[dim] = Dim::from(i + 1);
                build::squeeze(cx, &build::slice(cx, x, &starts, &limits, None)?, &[dim])
            };
            let inputs = inputs.iter().zip(dims).map(one).collect::<Step<Vec<_>>>()?;
            cx.bind(Rc::new(self.clone()), &inputs)?;
        }
        Ok((smallvec![], Dims::new()))
    }
}
