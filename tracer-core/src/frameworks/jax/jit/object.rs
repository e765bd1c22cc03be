//! Compiled functions as Python sees them.

use std::any::Any;
use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::arguments::{
    ask_for_names, check_statics, is_type_alone, leaf_names, put_together, take_apart, type_leaves,
};
use super::compiled;
use super::donation::{anything_deleted, delete_donated, needed};
use super::traces::traced;
use super::{Call, Gone, Leaf, Options, Out, Place, Traced, Traces};
use crate::array::Aval;
use crate::frameworks::jax::core::conversion::{class_text, to_array};
use crate::frameworks::jax::core::introspection::{self};
use crate::frameworks::jax::core::refs;
use crate::frameworks::jax::core::tree::{self, Asks};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Attrs, Class, Method, NativeFn, Object, Site, Value};
use crate::trace::{Array, Atom, Val, Vals};
use crate::transforms::dce;
use crate::transforms::jit::Jit;

/// So many leaves of arguments and results are as much work as an operation on arrays.
const LEAVES_OF_WORK: u64 = 2;

/// A compiled function.
pub struct JitObject {
    /// The function inside.
    pub fun: Value,
    options: Options,
    attrs: RefCell<Attrs>,
    /// Traces that it has called, since all were forgotten for the last time.
    calls: RefCell<(u64, FxHashSet<(usize, Vec<bool>)>)>,
    /// `in_shardings` and `out_shardings`, if any were given.
    shardings: Option<[Value; 2]>,
    /// Where the user's code made it.
    made: Option<Site>,
}

impl JitObject {
    /// What `jit` was told.
    pub fn options(&self) -> &Options {
        &self.options
    }
    /// A compiled function.
    pub fn new(fun: Value, options: Options) -> JitObject {
        JitObject { fun, options, attrs: RefCell::default(), calls: RefCell::default(), shardings: None, made: None }
    }
    /// Whether the user's code made it.
    pub fn is_made_here(&self) -> bool {
        self.made.is_some()
    }
    /// Made where the user's code stands.
    #[must_use]
    pub(super) fn made_here(mut self, it: &Interp) -> JitObject {
        self.made = it.user_stack.borrow().last().map(|(site, _)| *site);
        self
    }
    /// With `in_shardings` and `out_shardings`.
    #[must_use]
    pub(super) fn lying(mut self, shardings: [Value; 2]) -> JitObject {
        self.shardings = shardings.iter().any(|given| !given.is_none()).then_some(shardings);
        self
    }
    /// What `in_shardings` says has to fit the arguments.
    fn check_arguments(&self, it: &Rc<Interp>, call: &Call) -> Step<()> {
        let Some([given, _]) = self.shardings.as_ref().filter(|[given, _]| !given.is_none()) else { return Ok(()) };
        let places = call.statics.iter().map(|s| s.place).chain(call.dynamic.iter().map(|(place, _)| *place));
        if places.into_iter().any(|place| matches!(place, Place::Name(_))) {
            return Err(Halt::value_error("pjit does not support kwargs when in_shardings is specified."));
        }
        let ranks = crate::frameworks::jax::prelude_member(it, "jax._partition", "ranks_of_arguments")?;
        let ranks = match it.call_with(&ranks, [given.clone(), tree::def_value(call.def.clone())]) {
            Ok(ranks) => it.to_vec(&ranks)?,
            Err(Halt::Unknown(_)) => return Ok(()),
            // What is not known may be a container.
            Err(Halt::Raise(_)) if call.types.iter().any(|leaf| matches!(leaf, Leaf::Unknown(_))) => return Ok(()),
            Err(other) => return Err(other),
        };
        for (at, (entry, leaf)) in ranks.iter().zip(&call.types).enumerate() {
            let (Value::Tuple(parts), Some(aval)) = (entry, leaf.aval()) else { continue };
            let [least @ Value::Int(wanted), sharding] = &parts[..] else { continue };
            if (aval.rank() as i64) < *wanted {
                let names = leaf_names(it, &self.fun, call)?;
                let path = names.get(at).map_or("", |name| name);
                let check = crate::frameworks::jax::prelude_member(it, "jax._partition", "check_rank")?;
                let of = [Value::str("arguments"), Value::str(path), least.clone(), sharding.clone()];
                it.call_with(&check, of.into_iter().chain([Value::size(aval.rank())]))?;
            }
        }
        Ok(())
    }
    /// The results, noted to lie where the shardings say.
    fn placed(&self, it: &Rc<Interp>, traced: &Traced, found: Vals) -> Step<Vals> {
        let Some([given, wanted]) = &self.shardings else { return Ok(found) };
        let place = crate::frameworks::jax::prelude_member(it, "jax._partition", "results_of_jit")?;
        let def = tree::def_value(traced.out_def.clone());
        let results = Value::list(found.into_iter().map(Value::Array).collect());
        let placed = match it.call_with(&place, [given.clone(), wanted.clone(), def, results]) {
            Err(Halt::Raise(_)) if traced.outs.iter().any(|out| matches!(out, Out::Unknown(_))) => {
                return Err(Halt::unknown("where the results of a compiled function lie"));
            }
            placed => placed?,
        };
        it.to_vec(&placed)?
            .into_iter()
            .map(|value| match value {
                Value::Array(array) => Ok(array),
                _ => Err(Halt::unknown("where the results of a compiled function lie")),
            })
            .collect()
    }

    /// Traces that it has called and that are still there.
    fn called(&self, it: &Rc<Interp>) -> RefMut<'_, FxHashSet<(usize, Vec<bool>)>> {
        let cleared = it.extension::<Traces>().cleared.get();
        RefMut::map(self.calls.borrow_mut(), |(at, calls)| {
            if std::mem::replace(at, cleared) != cleared {
                calls.clear();
            }
            calls
        })
    }

    /// Calls the function on numbers, on arrays of JAX as a compiled one would be.
    fn call_on_arrays(&self, it: &Rc<Interp>, args: Args) -> Step<Value> {
        let call = take_apart(it, &self.options, args, Asks::ONCE)?;
        check_statics(it, &call)?;
        let to_array = |leaf: &Value| Ok(to_array(it, leaf)?.map_or_else(|| leaf.clone(), Value::Array));
        let leaves = call.leaves.iter().map(to_array).collect::<Step<Vec<Value>>>()?;
        let args = put_together(it, &call, leaves)?;
        it.call(&self.fun, args)
    }

    fn apply(&self, it: &Rc<Interp>, args: Args) -> Step<Value> {
        let has_statics = !self.options.static_nums.is_empty() || !self.options.static_names.is_empty();
        if has_statics && it.engine.is_traced() {
            return it.extension::<tree::Registry>().vaguely(|| self.apply_counted(it, args));
        }
        self.apply_counted(it, args)
    }

    fn apply_counted(&self, it: &Rc<Interp>, args: Args) -> Step<Value> {
        if it.engine.config().disable_jit {
            return match it.engine.config().only_numbers {
                true => self.call_on_arrays(it, args),
                false => it.call(&self.fun, args),
            };
        }
        if let Value::Unknown(unknown) = &self.fun {
            return Err(Halt::Unknown(unknown.why.clone()));
        }
        let again = (it.engine.config().debug_nans || it.engine.is_traced()).then(|| args.clone());
        // To look for a trace that is there, and before that for a way past Python.
        let mut call = take_apart(it, &self.options, args, Asks { plain: 2, keyed: 0 })?;
        call.made = self.made;
        type_leaves(it, &self.fun, &mut call, false)?;
        check_statics(it, &call)?;
        self.check_arguments(it, &call)?;
        let buffers = it.extension::<Gone>();
        let gone = match anything_deleted(it) {
            true => call.leaves.iter().position(|l| matches!(l, Value::Array(array) if buffers.is_deleted(array))),
            false => None,
        };
        if call.types.iter().any(|t| matches!(t, Leaf::Ref(_))) {
            let what = format!("{} for jit", introspection::source(it, &self.fun)?);
            refs::check_aliases(it, &call.leaves, &leaf_names(it, &self.fun, &call)?, &what)?;
        }
        if it.engine.is_top_level() {
            it.engine.take_refused();
        }
        let (traced, id) = traced(it, &self.fun, &call)?;
        let missed = it.extension::<Traces>().missed.get();
        if missed
            && it.engine.is_traced()
            && let Some(args) = &again
        {
            ask_for_names(it, &call, args)?;
        }
        if it.engine.is_top_level()
            && let Some((refused, mark)) = it.engine.take_refused()
            && dce::live(&traced.graph).jaxpr.is_marked(mark)
        {
            return Err(refused);
        }
        for (at, used) in &traced.keys {
            if let Some(Value::Array(key)) = call.leaves.get(*at) {
                it.note_key_given(key, used);
            }
        }
        if it.engine.is_top_level() {
            compiled::note(it, &self.fun, &call, &traced, self.donated(&call))?;
        }
        let kinds: Vec<bool> = call.leaves.iter().map(|l| matches!(l, Value::Array(_))).collect();
        let called = (id, kinds);
        let compiled = it.engine.is_top_level() && self.called(it).contains(&called);
        if let Some(at) = gone
            && let Value::Array(array) = &call.leaves[at]
        {
            // What was compiled before is run at once: its runtime finds out.
            return Err(match compiled {
                true => Halt::value_error(format!(
                    "INVALID_ARGUMENT: Invalid buffer passed to Execute() as argument {at} to replica 0: INVALID_ARGUMENT: \
                     Buffer has been deleted or donated."
                )),
                false => buffers.deleted(array),
            });
        }
        if it.engine.is_top_level() {
            self.called(it).insert(called.clone());
        }
        let mut inputs: Vec<Val> = Vec::with_capacity(traced.consts.len() + call.leaves.len());
        inputs.extend(traced.consts.iter().cloned());
        for reference in &traced.refs.captured {
            inputs.push(refs::read(it, reference)?);
        }
        for (at, (leaf, of)) in call.leaves.iter().zip(&call.types).enumerate() {
            match of {
                Leaf::Array(aval) => inputs.push(match to_array(it, leaf)? {
                    Some(array) => array,
                    None if is_type_alone(leaf) => {
                        self.check_type_alone(it, &call, at, &traced, inputs.len())?;
                        Array::opaque(aval.clone(), "a type without numbers")
                    }
                    None => return Err(Halt::unknown("an argument that is no array")),
                }),
                Leaf::Ref(_) => inputs.push(refs::read(it, leaf)?),
                Leaf::Unknown(_) => {}
            }
        }
        if it.graphs.wanted.get() {
            it.graphs.note_inputs(&traced.graph, &inputs);
        }
        let mut primitive = Jit::new(introspection::name(it, &self.fun)?, traced.graph.clone(), self.options.inline);
        let donates = !(self.options.donate_nums.is_empty() && self.options.donate_names.is_empty());
        if donates {
            let flags = self.donated(&call);
            for (flag, donated) in
                primitive.donated.iter_mut().skip(traced.consts.len() + traced.refs.captured.len()).zip(&flags)
            {
                *flag = *donated;
            }
        }
        let donated = primitive.donated.clone();
        // Arguments and results are taken apart and put together leaf by leaf.
        let leaves = call.leaves.len() + traced.outs.len();
        it.note_dispatched();
        it.array_work.set(it.array_work.get() + 1 + leaves as u64 / LEAVES_OF_WORK);
        let found = it.engine.bind(Rc::new(primitive), &inputs)?;
        // What the trace has seen of meshes is more than its equations tell.
        for (result, layout) in found.iter().skip(traced.refs.written()).zip(&traced.layouts) {
            if !layout.is_plain() && !inputs.iter().any(|input| Rc::ptr_eq(input, result)) {
                it.engine.places.lay(result, layout.clone());
            }
        }
        let found = self.placed(it, &traced, found)?;
        if let Some(args) = again
            && it.engine.config().debug_nans
            && it.engine.is_top_level()
            && it.engine.has_nan(&found)
        {
            // Without being compiled, it shows where the first one comes from.
            it.call(&self.fun, args)?;
        }
        if donates && it.engine.is_top_level() && !it.engine.config().debug_nans {
            let kept = match self.options.keep_unused {
                true => vec![true; inputs.len()],
                false => needed(&traced.graph.jaxpr),
            };
            let all = inputs.iter().zip(donated.iter().copied()).zip(kept);
            let (handed, donated): (Vec<&Val>, Vec<bool>) =
                all.filter(|(_, kept)| *kept).map(|(input, _)| input).unzip();
            if let Err(halt) = delete_donated(it, &handed, &donated, &traced.out_avals(), compiled) {
                // The next call is the first one again.
                self.called(it).remove(&called);
                return Err(halt);
            }
        }
        let mut found = found.into_iter();
        let given: Vec<&Value> =
            call.leaves.iter().zip(&call.types).filter(|(_, t)| matches!(t, Leaf::Ref(_))).map(|(l, _)| l).collect();
        let written = traced.refs.captured[traced.refs.only_read..].iter();
        for reference in written.chain(traced.refs.arguments.iter().map(|i| given[*i])) {
            if let Some(value) = found.next() {
                refs::write(it, reference, value)?;
            }
        }
        if let Some(Out::Unknown(value)) =
            traced.outs.iter().find(|out| matches!(out, Out::Unknown(v) if is_type_alone(v)))
        {
            let class = it.type_name(value);
            return Err(Halt::type_error(format!(
                "A {class} does not have a value and cannot be used as a constant in a JAX function."
            )));
        }
        let outs = traced.outs.iter().map(|out| match out {
            Out::Array => found.next().map_or(Value::None, Value::Array),
            Out::Maybe => {
                let found = found.next().map_or(Value::None, Value::Array);
                Value::or_none(found, "`None` or not, as the function says")
            }
            Out::Unknown(value) => value.clone(),
        });
        if traced.out_def.is_leaf() {
            return Ok(outs.into_iter().next().unwrap_or(Value::None));
        }
        let outs = outs.collect::<Vec<_>>();
        // Behind a trace results are made once more, for the names of their parts.
        let times = 1 + u32::from(missed);
        let made = tree::unflatten_asking(it, &traced.out_def, outs, times)?;
        if missed && it.engine.is_traced() && tree::asks_classes(&traced.out_def) {
            tree::ask_again(it, &made, Asks { plain: 0, keyed: 1 })?;
        }
        Ok(made)
    }

    /// An argument is a type without numbers: compiled code runs if it does not use it.
    #[cold]
    fn check_type_alone(&self, it: &Rc<Interp>, call: &Call, leaf: usize, traced: &Traced, input: usize) -> Step<()> {
        if !it.engine.is_top_level() {
            return Err(Halt::type_error(
                "A ShapeDtypeStruct does not have a value and cannot be used as a constant in a JAX function.",
            ));
        }
        let jaxpr = &traced.graph.jaxpr;
        let is_it = |atom: &Atom| matches!(atom, Atom::Var(var) if jaxpr.invars.get(input) == Some(var));
        if !jaxpr.outvars.iter().chain(jaxpr.eqns.iter().flat_map(|eqn| &eqn.inputs)).any(is_it) {
            return Ok(());
        }
        let class = class_text(it, &call.leaves[leaf]);
        let name = leaf_names(it, &self.fun, call)?.get(leaf).map_or_else(String::new, |name| name.to_string());
        let aval = &jaxpr.vars[jaxpr.invars[input].0 as usize];
        let shape = Aval { weak: false, ..aval.clone() }.long();
        Err(Halt::type_error(format!("Argument '{name}' of shape {shape} of type {class} is not a valid JAX type.")))
    }

    /// Which array leaves are donated.
    fn donated(&self, call: &Call) -> Vec<bool> {
        let mut flags = Vec::with_capacity(call.types.len());
        let mut types = call.types.iter();
        for (place, def) in &call.dynamic {
            let donate = match place {
                // Numbers count all arguments, static ones too.
                Place::Position(i) => self.options.donate_nums.contains(&(*i as i64)),
                Place::Name(name) => self.options.donate_names.contains(name),
            };
            for of in types.by_ref().take(def.num_leaves()) {
                if of.aval().is_some() {
                    flags.push(donate);
                }
            }
        }
        flags
    }

    /// The trace for these arguments, which may be mere types.
    ///
    /// # Errors
    /// As a call.
    pub fn trace(&self, it: &Rc<Interp>, args: Args) -> Step<(Rc<Traced>, Call)> {
        if it.engine.is_traced() {
            return it.extension::<tree::Registry>().vaguely(|| self.trace_counted(it, args));
        }
        self.trace_counted(it, args)
    }

    fn trace_counted(&self, it: &Rc<Interp>, args: Args) -> Step<(Rc<Traced>, Call)> {
        let mut call = take_apart(it, &self.options, args, Asks::ONCE)?;
        type_leaves(it, &self.fun, &mut call, true)?;
        check_statics(it, &call)?;
        self.check_arguments(it, &call)?;
        let (traced, _) = traced(it, &self.fun, &call)?;
        if it.graphs.wanted.get() && traced.consts.is_empty() {
            let arrays = call.leaves.iter().map(|leaf| to_array(it, leaf)).collect::<Step<Option<Vec<Val>>>>()?;
            arrays.iter().for_each(|arrays| it.graphs.note_inputs(&traced.graph, arrays));
        }
        Ok((traced, call))
    }

    /// The trace as what the prelude builds `Traced` from: the graph, results' types and structure, arguments' types and
    /// structure, names of the arguments, donated flags.
    pub(super) fn trace_value(&self, it: &Rc<Interp>, args: Args) -> Step<Value> {
        let (traced, call) = self.trace(it, args)?;
        let out_avals = out_types(it, &traced)?;
        let in_avals = call.types.iter().map(|t| leaf_value(it, t)).collect::<Step<Vec<_>>>()?;
        let names = leaf_names(it, &self.fun, &call)?.iter().cloned().map(Value::Str).collect();
        let donated = self.donated(&call).into_iter().map(Value::Bool).collect();
        Ok(Value::tuple([
            crate::frameworks::jax::core::graph::value(traced.graph.clone(), traced.consts.clone()),
            Value::list(out_avals),
            tree::def_value(traced.out_def.clone()),
            Value::list(in_avals),
            tree::def_value(call.def.clone()),
            Value::list(names),
            Value::list(donated),
            Value::Str(introspection::name(it, &self.fun)?),
        ]))
    }
}

fn leaf_value(it: &Rc<Interp>, leaf: &Leaf) -> Step<Value> {
    match leaf {
        Leaf::Array(aval) | Leaf::Ref(aval) => crate::frameworks::jax::core::types::aval_value(it, aval),
        Leaf::Unknown(_) => Ok(Value::unknown("the type of an unknown argument")),
    }
}

fn out_types(it: &Rc<Interp>, traced: &Traced) -> Step<Vec<Value>> {
    let mut avals = traced.out_avals().into_iter();
    let one = |out: &Out| match out {
        Out::Array | Out::Maybe => {
            avals.next().map_or(Ok(Value::None), |a| crate::frameworks::jax::core::types::aval_value(it, &a))
        }
        Out::Unknown(value) => Ok(value.clone()),
    };
    traced.outs.iter().map(one).collect()
}

impl Object for JitObject {
    fn type_name(&self) -> String {
        "PjitFunction".into()
    }
    fn qualified_type_name(&self) -> String {
        "jaxlib._jax.PjitFunction".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.named_class(sym!("jaxlib.PjitFunction")).unwrap_or_else(|_| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn holds(&self) -> Vec<Value> {
        vec![self.fun.clone()]
    }
    fn callable(&self) -> bool {
        true
    }
    fn call(self: Rc<Self>, it: &Rc<Interp>, args: Args) -> Step<Value> {
        self.apply(it, args)
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        if let Some(value) = self.attrs.borrow().get(&name) {
            return Ok(Some(value.clone()));
        }
        let method = |name: &'static str, body: fn(&Rc<Interp>, &Rc<JitObject>, Args) -> Step<Value>| {
            let this = self.clone();
            Ok(Some(NativeFn::value(name, move |it, args| body(it, &this, args))))
        };
        let stages = |it: &Rc<Interp>, this: &Rc<JitObject>, args: Args, member: &str| {
            let parts = this.trace_value(it, args)?;
            let make = crate::frameworks::jax::prelude_member(it, "jax._engine_stages", member)?;
            it.call_with(&make, [Value::Object(this.clone()), parts])
        };
        match name.as_str() {
            "__wrapped__" | "_fun" => Ok(Some(self.fun.clone())),
            "__get__" => method("__get__", |_, this, args| {
                let this = Value::Object(this.clone());
                Ok(match args.positional.into_iter().next() {
                    None | Some(Value::None) => this,
                    Some(receiver) => Value::Method(Rc::new(Method { receiver, function: this })),
                })
            }),
            "__call__" => Ok(Some(Value::Object(self))),
            "_cache_size" => method("_cache_size", |it, this, _| Ok(Value::size(this.called(it).len()))),
            "clear_cache" | "_clear_cache" => method("clear_cache", |it, this, _| {
                this.called(it).clear();
                it.extension::<Traces>().forget(it, &this.fun)?;
                Ok(Value::None)
            }),
            "trace" => Ok(Some(NativeFn::value("trace", move |it, args| stages(it, &self, args, "Traced")))),
            "lower" => Ok(Some(NativeFn::value("lower", move |it, args| stages(it, &self, args, "lowered")))),
            "eval_shape" => {
                Ok(Some(NativeFn::value("eval_shape", move |it, args| stages(it, &self, args, "out_info"))))
            }
            "__name__" | "__qualname__" if it.find_attr(&self.fun, sym!("__name__"))?.is_none() => {
                Ok(Some(Value::Str(introspection::name(it, &self.fun)?)))
            }
            "__name__" | "__qualname__" | "__module__" | "__doc__" | "__annotations__" => it.find_attr(&self.fun, name),
            _ => match &self.fun {
                Value::Function(function) => Ok(function.attrs.get().and_then(|a| a.read().get(&name).cloned())),
                _ => Ok(None),
            },
        }
    }
    fn setattr(&self, _: &Rc<Interp>, name: Symbol, value: Value) -> Step<bool> {
        self.attrs.borrow_mut().insert(name, value);
        Ok(true)
    }
    fn repr(self: Rc<Self>, it: &Rc<Interp>, _: bool) -> Step<Option<String>> {
        let inner = it.repr(&self.fun)?;
        match inner.as_str() {
            Some(text) => Ok(Some(format!("<PjitFunction of {text}>"))),
            None => Err(Halt::unknown("the text of a compiled function")),
        }
    }
}
