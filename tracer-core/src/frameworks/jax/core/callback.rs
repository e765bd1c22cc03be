//! Primitives that the engine binds for the prelude: callbacks into Python, and moves between devices.

use std::fmt;
use std::rc::{Rc, Weak};

use smallvec::SmallVec;

use super::Members;
use super::conversion::aval_of;
use super::graph::{arrays, list};
use super::services::array_of;
use super::types::aval_value;
use crate::array::{Aval, Tensor};
use crate::interp::Interp;
use crate::primitives::{Avals, Dims, Operand, Param, Primitive, Tangents};
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Args, Value};
use crate::trace::{Array, Digest, Effects, Engine, Val, Vals};

/// What a callback is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// `pure_callback`
    Pure,
    /// `io_callback`
    Io,
    /// `debug_callback` and `debug_print`
    Debug(&'static str),
    /// A computation that is not Python's: a foreign call, a kernel.
    Opaque,
}

/// `jax.debug.print`, which prints and does nothing else.
const PRINT: Kind = Kind::Debug("debug_print");

/// A call of a Python function while the graph runs: what it computes is not known.
#[derive(Clone, Debug)]
struct Callback {
    kind: Kind,
    avals: Vec<Aval>,
    ordered: bool,
    shown: Vec<(&'static str, String)>,
    vmap_method: Option<Rc<str>>,
    host: Option<Host>,
    /// The axes that it is mapped over, outermost last: their sizes, and which arguments have them in front.
    loops: Vec<(usize, Vec<bool>)>,
}

/// The program's function behind a callback.
#[derive(Clone)]
struct Host {
    it: Weak<Interp>,
    /// Takes the arguments as a list, the axes that are mapped over and the types of the results; gives those.
    run: Value,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Host")
    }
}

impl Callback {
    /// Calls the program's function.
    fn call(&self, host: &Host, inputs: &[Val], compiled: bool) -> Step<Vals> {
        let it = host.it.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        it.engine.host_calls.set(it.engine.host_calls.get() + 1);
        let loops = self.loops.iter().map(|(size, has)| {
            let has = Value::list(has.iter().map(|b| Value::Bool(*b)).collect());
            Value::tuple([Value::size(*size), has])
        });
        let avals = self.avals.iter().map(|a| aval_value(&it, a)).collect::<Step<Vec<_>>>()?;
        let args = [list(inputs.iter().cloned()), Value::list(loops.collect()), Value::list(avals)];
        let raw = !compiled && matches!(self.kind, Kind::Debug(_));
        let result = match raw {
            true => it.call_with(&host.run, args),
            false => it.while_catching(|| it.call_with(&host.run, args)),
        };
        let found = match result {
            Ok(found) => it.to_vec(&found)?,
            Err(Halt::Raise(exception)) if !raw => {
                let (class, message) = it.describe_exception(&exception);
                return Err(Halt::raise(
                    "jax.errors.JaxRuntimeError",
                    format!(
                        "INTERNAL: CpuCallback error calling callback: Traceback (most recent call last):\n{class}: {message}"
                    ),
                ));
            }
            Err(halt) => return Err(halt),
        };
        let one = |(value, aval): (&Value, &Aval)| match value {
            Value::Unknown(unknown) => Ok(Array::opaque(aval.clone(), unknown.why.0.to_string())),
            value => array_of(&it, value),
        };
        found.iter().zip(&self.avals).map(one).collect()
    }
}

impl Primitive for Callback {
    fn lasts(&self) -> bool {
        false
    }
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Pure => "pure_callback",
            Kind::Io => "io_callback",
            Kind::Debug(name) => name,
            Kind::Opaque => "ffi_call",
        }
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        self.shown.iter().map(|(name, text)| (*name, Param::Text(text.clone()))).collect()
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.avals.iter().cloned().collect())
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        match &self.host {
            Some(host) if cx.on_host.get() => {
                let inputs: Vec<Val> = inputs.iter().map(|t| Array::known(t.clone(), false)).collect();
                self.call(host, &inputs, true)?.iter().map(|v| cx.force(v)).collect()
            }
            // What is only printed is left out.
            None if self.kind == PRINT => Ok(SmallVec::new()),
            _ if self.avals.is_empty() && cx.observed.get() => Ok(SmallVec::new()),
            _ => Err(Halt::unknown("what a callback computes is not known")),
        }
    }
    fn compute(&self, _: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        if let Some(host) = &self.host {
            match self.call(host, inputs, false) {
                Err(Halt::Unknown(_)) => {}
                done => return Some(done),
            }
        }
        let why = Why("what a callback computes is not known".into());
        Some(Ok(self.avals.iter().map(|a| Array::opaque(a.clone(), why.0.to_string())).collect()))
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        match self.kind {
            Kind::Pure => Err(Halt::value_error(
                "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking gradients.",
            )),
            Kind::Io => Err(Halt::value_error(
                "IO callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking gradients.",
            )),
            Kind::Opaque => Err(Halt::unknown("the derivative of a computation that is not known")),
            Kind::Debug(_) => {
                let results = cx.bind(Rc::new(self.clone()), primals)?;
                let none = Tangents::from_elem(None, results.len());
                Ok((results, none))
            }
        }
    }
    fn batch_in(
        &self,
        cx: &Engine,
        axis: &crate::trace::Axis,
        inputs: &[Val],
        dims: &[Option<usize>],
    ) -> Step<(Vals, Dims)> {
        // Devices call it each for itself.
        if self.kind == Kind::Pure && self.vmap_method.is_none() && !axis.of_devices {
            return Err(Halt::raise(
                "NotImplementedError",
                "vmap is only supported for the pure_callback primitive when vmap_method is one of 'sequential', \
                 'sequential_unrolled', 'expand_dims', 'broadcast_all', or 'legacy_vectorized'. Got vmap_method=None.",
            ));
        }
        if self.kind == Kind::Opaque {
            return Err(Halt::unknown("the batching of a computation that is not known"));
        }
        if self.kind == Kind::Io && self.ordered {
            return Err(Halt::value_error("Cannot `vmap` ordered IO callback."));
        }
        let avals = self.avals.iter().map(|a| crate::transforms::vmap::batched_aval(a, axis.size, Some(0))).collect();
        let mut loops = self.loops.clone();
        loops.push((axis.size.get()?, dims.iter().map(Option::is_some).collect()));
        let mut moved = Vec::with_capacity(inputs.len());
        for (value, dim) in inputs.iter().zip(dims) {
            moved.push(match (dim, &self.host) {
                (Some(from), Some(_)) => crate::transforms::moveaxis(cx, value, *from, 0)?,
                _ => value.clone(),
            });
        }
        let results = cx.bind(Rc::new(Callback { avals, loops, ..self.clone() }), &moved)?;
        let dims = Dims::from_elem(Some(0), results.len());
        Ok((results, dims))
    }
    fn effects(&self) -> Effects {
        let own = match (self.kind, self.ordered) {
            (Kind::Pure | Kind::Opaque, _) => Effects::NONE,
            (_, true) => Effects::ORDERED_IO,
            (_, false) => Effects::IO,
        };
        own.and(if self.host.is_some() { Effects::HOST } else { Effects::NONE })
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        // What is computed without the numbers that the function gives depends on there being one.
        to.text(format_args!("{} {:?} {:?} {}", self.name(), self.avals, self.loops, self.host.is_some()))
    }
    fn is_cheap(&self) -> bool {
        false
    }
}

/// A move of arrays between devices.
#[derive(Clone, Debug)]
struct DevicePut;

impl Primitive for DevicePut {
    fn lasts(&self) -> bool {
        false
    }
    fn digest(&self, _: &mut Digest) -> Option<()> {
        Some(())
    }
    fn name(&self) -> &'static str {
        "device_put"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("copy_semantics", Param::Text("(ArrayCopySemantics.REUSE_INPUT,)".into())),
            ("devices", Param::Text("(None,)".into())),
            ("srcs", Param::Text("(None,)".into())),
        ]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(inputs.iter().map(|a| (*a).clone()).collect())
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(inputs.iter().cloned().collect())
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let results = cx.bind(Rc::new(DevicePut), primals)?;
        let mut dots = Tangents::new();
        for tangent in tangents {
            dots.push(match tangent {
                Some(tangent) => cx.bind(Rc::new(DevicePut), std::slice::from_ref(tangent))?.into_iter().next(),
                None => None,
            });
        }
        Ok((results, dots))
    }
    fn transpose(&self, _: &Engine, cotangents: &[Option<Val>], _: &[Operand]) -> Step<Tangents> {
        Ok(cotangents.iter().cloned().collect())
    }
    fn batch_in(
        &self,
        cx: &Engine,
        _: &crate::trace::Axis,
        inputs: &[Val],
        dims: &[Option<usize>],
    ) -> Step<(Vals, Dims)> {
        Ok((cx.bind(Rc::new(DevicePut), inputs)?, dims.iter().copied().collect()))
    }
}

fn avals(it: &Rc<Interp>, value: &Value) -> Step<Vec<Aval>> {
    it.to_vec(value)?.iter().map(|a| aval_of(it, a)).collect()
}

fn bind(it: &Rc<Interp>, args: &Value, callback: Callback) -> Step<Value> {
    it.array_work.set(it.array_work.get() + 1);
    Ok(list(it.engine.bind(Rc::new(callback), &arrays(it, args)?)?))
}

fn debug(
    it: &Rc<Interp>,
    name: &'static str,
    inputs: &Value,
    ordered: &Value,
    shown: Vec<(&'static str, String)>,
    host: Option<Host>,
) -> Step<Value> {
    let ordered = it.truth(ordered)?;
    let callback = Callback {
        kind: Kind::Debug(name),
        avals: Vec::new(),
        ordered,
        shown,
        vmap_method: None,
        host,
        loops: Vec::new(),
    };
    bind(it, inputs, callback)?;
    Ok(Value::None)
}

/// The function behind a callback, called by a function of the prelude.
fn host(it: &Rc<Interp>, callback: &Value, tree: &Value, more: &Value) -> Step<Option<Host>> {
    if callback.is_unknown() {
        return Ok(None);
    }
    let make = crate::frameworks::jax::prelude_member(it, "jax._callbacks", "host")?;
    let run = it.call_with(&make, [callback.clone(), tree.clone(), more.clone()])?;
    Ok(Some(Host { it: Rc::downgrade(it), run }))
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `bind_pure_callback(args, callback, in_tree, avals, vmap_method)`: Binds `pure_callback`; results have the given
    // avals. The callback may be looked into, but what it computes is not known.
    members.function("bind_pure_callback", |it, args: Args| {
        let names = ["args", "callback", "in_tree", "avals", "vmap_method"];
        let [inputs, callback, tree, out, method] = args.bind("bind_pure_callback", names, 5)?;
        let vmap_method = method.as_str().map(Rc::from);
        let shown = vec![("vmap_method", method.as_str().unwrap_or("None").to_owned())];
        let callback = Callback {
            kind: Kind::Pure,
            avals: avals(it, &out)?,
            ordered: false,
            shown,
            vmap_method,
            host: host(it, &callback, &tree, &method)?,
            loops: Vec::new(),
        };
        bind(it, &inputs, callback)
    });
    // `bind_io_callback(args, callback, in_tree, avals, ordered)`: Binds `io_callback`.
    members.function("bind_io_callback", |it, args: Args| {
        let names = ["args", "callback", "in_tree", "avals", "ordered"];
        let [inputs, callback, tree, out, ordered] = args.bind("bind_io_callback", names, 5)?;
        let ordered = it.truth(&ordered)?;
        let shown = vec![("ordered", if ordered { "True" } else { "False" }.to_owned())];
        let callback = Callback {
            kind: Kind::Io,
            avals: avals(it, &out)?,
            ordered,
            shown,
            vmap_method: None,
            host: host(it, &callback, &tree, &Value::None)?,
            loops: Vec::new(),
        };
        bind(it, &inputs, callback)
    });
    // `bind_debug_callback(args, callback, in_tree, static, ordered, partitioned)`: Binds `debug_callback`: `static` has
    // the leaves that are no arrays, by index.
    members.function("bind_debug_callback", |it, args: Args| {
        let names = ["args", "callback", "in_tree", "static", "ordered", "partitioned"];
        let [inputs, callback, tree, fixed, ordered, _] = args.bind("bind_debug_callback", names, 6)?;
        let host = host(it, &callback, &tree, &fixed)?;
        debug(
            it,
            "debug_callback",
            &inputs,
            &ordered,
            vec![("effect", "Debug".into()), ("partitioned", "False".into())],
            host,
        )
    });
    // `bind_debug_print(args, fmt, in_tree, static, has_placeholders, ordered, partitioned)`: Binds `debug_print`.
    members.function("bind_debug_print", |it, args: Args| {
        let names = ["args", "fmt", "in_tree", "static", "has_placeholders", "ordered", "partitioned"];
        let [inputs, fmt, tree, fixed, has_placeholders, ordered, _] = args.bind("bind_debug_print", names, 6)?;
        let text = fmt.as_str().unwrap_or_default().to_owned();
        // Where nobody reads what is printed, it is not printed.
        let host = match it.printing.is_read() {
            true => {
                let printer = crate::frameworks::jax::prelude_member(it, "jax._callbacks", "printer")?;
                let printer = it.call_with(&printer, [fmt, has_placeholders])?;
                host(it, &printer, &tree, &fixed)?
            }
            false => None,
        };
        debug(it, "debug_print", &inputs, &ordered, vec![("fmt", text)], host)
    });
    // `opaque_call(name, args, avals)`: Arrays of the given avals that come from the flat arguments `args` by a
    // computation that is not known (a foreign call, a kernel): one equation `name`; nothing is known of the values, and
    // derivatives and batching are not looked into.
    members.function("opaque_call", |it, args: Args| {
        let [_name, inputs, out] = args.exactly("opaque_call")?;
        let callback = Callback {
            kind: Kind::Opaque,
            avals: avals(it, &out)?,
            ordered: false,
            shown: Vec::new(),
            vmap_method: None,
            host: None,
            loops: Vec::new(),
        };
        bind(it, &inputs, callback)
    });
    members.function("bind_device_put", |it, args: Args| {
        let [inputs] = args.exactly("bind_device_put")?;
        Ok(list(it.engine.bind(Rc::new(DevicePut), &arrays(it, &inputs)?)?))
    });
    members.function("jvp_primal", |_, args: Args| {
        let [x] = args.exactly("jvp_primal")?;
        let Value::Array(array) = &x else { return Ok(x) };
        let mut array = array.clone();
        while let crate::trace::Repr::Dual(_, primal, _) = &array.repr {
            array = primal.clone();
        }
        Ok(Value::Array(array))
    });
}
