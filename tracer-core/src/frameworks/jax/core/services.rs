//! Types, settings and the state of tracing, as the transformations of the prelude ask for them.

use std::rc::Rc;

use super::Members;
use super::conversion::{aval_of, class_text, convert, to_array};
use super::types::{aval_in, aval_value};
use crate::array::{Aval, DType};
use crate::frameworks::numpy::array::NdArray;
use crate::frameworks::numpy::from_python::holds_no_numbers;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{CarryKey, CarryPart, Dict, DictItems, Key, Subject, Value};
use crate::trace::{Array, Config, RankPromotion, Val};

/// An array-like as an array.
///
/// # Errors
/// `TypeError` as JAX words it for anything else.
pub fn array_of(it: &Rc<Interp>, value: &Value) -> Step<Val> {
    match to_array(it, value)? {
        Some(array) => Ok(array),
        None if super::refs::is_ref(it, value) => Err(Halt::unknown("a mutable array where an array is expected")),
        None => Err(not_a_type(it, value, "")),
    }
}

fn not_a_type(it: &Rc<Interp>, value: &Value, end: &str) -> Halt {
    if end.is_empty() && holds_no_numbers(value) {
        return super::refused::no_type(it, value);
    }
    let text = it.while_catching(|| it.str_of(value)).ok().and_then(|t| t.as_str().map(str::to_owned));
    let text = text.unwrap_or_else(|| super::introspection::shown(it, value));
    // Where types are asked for, all but strings have theirs in quotes.
    let quote = if end.is_empty() && !matches!(value, Value::Str(_)) { "'" } else { "" };
    let class = class_text(it, value);
    Halt::type_error(format!("Argument '{text}' of type {quote}{class}{quote} is not a valid JAX type{end}"))
}

/// A zero of a type; float0 ones are NumPy arrays.
///
/// # Errors
/// Unknown for symbolic sizes.
pub fn zero_value(it: &Rc<Interp>, aval: &Aval) -> Step<Value> {
    if aval.dtype == DType::Float0 {
        return Ok(NdArray::value(Array::opaque(Aval { weak: false, ..aval.clone() }, "a float0 has no numbers")));
    }
    Ok(Value::Array(crate::transforms::zeros(&it.engine, aval)?))
}

fn typeof_value(it: &Rc<Interp>, value: &Value) -> Step<Aval> {
    match (value, aval_in(value)) {
        (Value::Array(array), _) => Ok(array.aval.clone()),
        (_, Some(aval)) => Ok(aval),
        _ if super::refs::is_ref(it, value) => aval_of(it, value),
        _ => Ok(array_of(it, value)?.aval.clone()),
    }
}

fn pair(it: &Rc<Interp>, args: crate::python::Args, name: &str) -> Step<(Aval, Aval)> {
    let [a, b] = args.exactly(name)?;
    Ok((aval_of(it, &a)?, aval_of(it, &b)?))
}

fn difference(a: &Aval, b: &Aval) -> String {
    let mut found = Vec::new();
    if a.dtype != b.dtype {
        found.push("the dtypes do not match");
    }
    if a.shape != b.shape {
        found.push("the shapes do not match");
    }
    match found.as_slice() {
        [] => String::new(),
        [one] => format!(", so {one}"),
        [start @ .., last] => format!(", so {}, and {last}", start.join(", ")),
    }
}

/// Tells the engine the value of a setting.
fn set_option(it: &Rc<Interp>, name: &str, value: &Value) -> Step<()> {
    let mut config: Config = (*it.engine.config()).clone();
    let flag = || it.truth(value);
    let text = || -> Option<Rc<str>> {
        match value {
            Value::None => None,
            Value::Str(text) => Some(text.clone()),
            other => Some(super::introspection::shown(it, other).into()),
        }
    };
    match name {
        "jax_enable_x64" => config.enable_x64 = flag()?,
        "jax_disable_jit" => config.disable_jit = flag()?,
        "jax_debug_nans" => config.debug_nans = flag()?,
        "jax_check_tracer_leaks" => config.check_tracer_leaks = flag()?,
        "jax_debug_key_reuse" => config.debug_key_reuse = flag()?,
        "jax_numpy_dtype_promotion" => config.strict_promotion = value.as_str() == Some("strict"),
        "jax_numpy_rank_promotion" => {
            config.rank_promotion = match value.as_str() {
                Some("warn") => RankPromotion::Warn,
                Some("raise") => RankPromotion::Raise,
                _ => RankPromotion::Allow,
            };
        }
        "jax_default_matmul_precision" => config.matmul_precision = text(),
        "jax_default_device" => config.default_device = text(),
        "jax_default_prng_impl" => config.prng_impl = text(),
        _ => {
            config.others.insert(name.into(), text().unwrap_or_else(|| "None".into()));
        }
    }
    it.engine.set_config(config);
    Ok(())
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `attempt(f)`: What `f()` gives, in a tuple; the reason, a text, where that is not known.
    members.function("attempt", |it, args| {
        let [f] = args.exactly("attempt")?;
        match it.call_with(&f, std::iter::empty()) {
            Ok(Value::Unknown(unknown)) => Ok(Value::str(&unknown.why.0)),
            Ok(value) => Ok(Value::tuple([value])),
            Err(Halt::Unknown(why)) => Ok(Value::str(&why.0)),
            Err(halt) => Err(halt),
        }
    });
    // `only_numbers()`: Whether the run is one for the numbers that functions are given, in which what would stage them calls them first.
    members.function("only_numbers", |it, args| {
        let [] = args.exactly("only_numbers")?;
        Ok(Value::Bool(it.engine.config().only_numbers))
    });
    // `is_recorded()`: Whether the run is one that a reproducer is made of, in which bodies that no rule calls are run as well.
    members.function("is_recorded", |it, args| {
        let [] = args.exactly("is_recorded")?;
        Ok(Value::Bool(it.repro.on.get()))
    });
    // `binds_own(name)`: Notes that a primitive of the program's own is bound; whether, for a reproducer, the function is called in its stead
    // that it is compiled from.
    members.function("binds_own", |it, args| {
        let [name] = args.exactly("binds_own")?;
        Ok(Value::Bool(it.repro.binds_own(name.as_str().unwrap_or_default())))
    });
    // `told_apart(leaves)`: The same values in a list; while a reproducer is recorded, an array that stands there more than once is another object
    // each time, so that a body tells its parameters apart.
    members.function("told_apart", |it, args| {
        let [leaves] = args.exactly("told_apart")?;
        let mut leaves = it.to_vec(&leaves)?;
        if it.repro.on.get() {
            let mut seen: Vec<crate::trace::Val> = Vec::new();
            for leaf in &mut leaves {
                let Value::Array(array) = leaf else { continue };
                match seen.iter().any(|other| Rc::ptr_eq(other, array)) {
                    true => *leaf = Value::Array(Rc::new((**array).clone())),
                    false => seen.push(array.clone()),
                }
            }
        }
        Ok(Value::list(leaves))
    });
    // `may_run(f)`: The function may be traced another number of times than it is here: how often is not told of it, nor of what it calls.
    members.function("may_run", |it, args| {
        let [f] = args.exactly("may_run")?;
        it.lose_runs_of(&f);
        Ok(Value::None)
    });
    // `beside(f)`: What `f()` gives, where the framework itself runs nothing of the program: nothing is told of it, and what its expressions
    // are is shown where nothing else has shown it.
    members.function("beside", |it, args| {
        let [f] = args.exactly("beside")?;
        let before = it.recorder.is_beside.replace(true);
        let result = it.events.unheard(|| it.call_with(&f, std::iter::empty()));
        it.recorder.is_beside.set(before);
        result
    });
    // `typeof(x)`: The aval of an array-like; TypeError `Argument '{x}' of type <class '…'> is not a valid JAX type`
    // otherwise.
    members.function("typeof", |it, args| {
        let [x] = args.bind("typeof", ["x"], 1)?;
        aval_value(it, &typeof_value(it, &x)?)
    });
    // `abstractify(x)`: `typeof`, which also takes anything with `shape` and `dtype` (`ShapeDtypeStruct`); TypeError as
    // JAX's otherwise.
    members.function("abstractify", |it, args| {
        let [x] = args.exactly("abstractify")?;
        aval_value(it, &aval_of(it, &x)?)
    });
    // `is_jaxtype(x)`: Whether `typeof` would give an aval.
    members.function("is_jaxtype", |it, args| {
        let [x] = args.exactly("is_jaxtype")?;
        Ok(Value::Bool(to_array(it, &x)?.is_some()))
    });
    // `check_arg(x)`: TypeError `Argument '…' of type … is not a valid JAX type.` unless `x` is array-like.
    members.function("check_arg", |it, args| {
        let [x] = args.exactly("check_arg")?;
        match to_array(it, &x)? {
            Some(_) => Ok(Value::None),
            None if super::refs::is_ref(it, &x) => Err(Halt::unknown("a mutable array where an array is expected")),
            None => Err(not_a_type(it, &x, ".")),
        }
    });
    // `typematch(a, b)`: Equal avals but for weak types.
    members.function("typematch", |it, args| {
        let (a, b) = pair(it, args, "typematch")?;
        Ok(Value::Bool(a.dtype == b.dtype && a.shape == b.shape))
    });
    // `typecompat(expected, a)`: Whether a value of aval `a` can stand where `expected` is wanted (weak types do not
    // matter).
    members.function("typecompat", |it, args| {
        let (a, b) = pair(it, args, "typecompat")?;
        Ok(Value::Bool(a.dtype == b.dtype && a.shape == b.shape))
    });
    // `mismatch_note(a, b)`: How two avals differ, as the tail of a message: `, so the dtypes do not match`, `, so the
    // shapes do not match`, …
    members.function("mismatch_note", |it, args| {
        let (a, b) = pair(it, args, "mismatch_note")?;
        Ok(Value::from(difference(&a, &b)))
    });
    // `raise_of_carry(message, differing)`: A TypeError that keeps which parts of a carry differ: (path, aval before, aval
    // behind).
    members.function("raise_of_carry", |it, args| {
        let [message, differing] = args.exactly("raise_of_carry")?;
        let mut rows = Vec::new();
        for row in it.to_vec(&differing)? {
            let [path, before, behind] = &it.to_vec(&row)?[..] else { continue };
            let keys = it.to_vec(path)?.into_iter().map(|key| match key {
                Value::Int(at) => usize::try_from(at).map_or(CarryKey::Other, CarryKey::Index),
                Value::Str(name) => CarryKey::Name(name.to_string()),
                _ => CarryKey::Other,
            });
            let (before, behind) = (aval_of(it, before)?, aval_of(it, behind)?);
            rows.push(CarryPart { path: keys.collect(), before, behind });
        }
        Err(Halt::type_error(message.as_str().unwrap_or_default()).about(Subject::Carry(rows)))
    });
    // `mapped_aval(length, a)`: `a` without its leading axis; `length` is its size.
    members.function("mapped_aval", |it, args| {
        let [_, a] = args.exactly("mapped_aval")?;
        let mut aval = aval_of(it, &a)?;
        if !aval.shape.is_empty() {
            aval.shape.remove(0);
        }
        aval_value(it, &aval)
    });
    // `zeros_of(a)`: A zero array of an aval (of tangents too: NumPy float0 zeros where the dtype is float0).
    members.function("zeros_of", |it, args| {
        let [a] = args.exactly("zeros_of")?;
        zero_value(it, &aval_of(it, &a)?)
    });
    // `canonicalize(x)`: Arrays and tracers unchanged, NumPy and Python values in their canonical dtype, keeping weak
    // types.
    members.function("canonicalize", |it, args| {
        let [x] = args.exactly("canonicalize")?;
        match &x {
            Value::Array(_) | Value::Unknown(_) => Ok(x),
            other => Ok(to_array(it, other)?.map_or(x, Value::Array)),
        }
    });
    // `put(x)`: A NumPy array as an array on the device; everything else unchanged.
    members.function("put", |it, args| {
        let [x] = args.exactly("put")?;
        match &x {
            Value::Object(object) if object.downcast::<NdArray>().is_some() => Ok(Value::Array(array_of(it, &x)?)),
            _ => Ok(x),
        }
    });
    // `device_get(x)`: A NumPy array for a known array, a tracer or anything else unchanged.
    members.function("device_get", |_, args| {
        let [x] = args.exactly("device_get")?;
        match &x {
            Value::Array(array) if !array.is_tracer() => Ok(NdArray::value(array.clone())),
            _ => Ok(x),
        }
    });
    members.function("device_put_one", |it, args| {
        let [x] = args.exactly("device_put_one")?;
        let array = array_of(it, &x)?;
        // A scalar that was put is an array like any other: graphs bind it to a name.
        Ok(Value::Array(match array.tensor() {
            Some(tensor) if array.is_literal() => Array::known(tensor.clone(), array.aval.weak),
            // The key that was put may be used once more.
            _ if array.dtype().is_key() => array.another(),
            // So may NumPy's array: what was put is a copy.
            _ if !matches!(x, Value::Array(_)) => array.another(),
            _ => array,
        }))
    });
    members.function("strong", |it, args| {
        let [x] = args.exactly("strong")?;
        let array = array_of(it, &x)?;
        Ok(Value::Array(convert(it, &array, array.aval.dtype, false)?))
    });
    members.function("set_option", |it, args| {
        let [name, value] = args.exactly("set_option")?;
        set_option(it, name.as_str().unwrap_or_default(), &value)?;
        Ok(Value::None)
    });
    // `note_linearized()`: A function is linearized.
    members.function("note_linearized", |it, _| {
        it.engine.linearized.set(it.engine.linearized.get() + 1);
        Ok(Value::None)
    });
    // `linearized()`: How many functions have been linearized so far, those in remembered traces counted at each use.
    members.function("linearized", |it, _| Ok(Value::Int(it.engine.linearized.get() as i64)));
    // `trace_state_clean()`: Whether no transformation is running.
    members.function("trace_state_clean", |it, _| Ok(Value::Bool(it.engine.is_top_level())));
    members.function("enter_eval", |it, _| {
        let before = TraceObject(it.engine.trace(), it.engine.is_traced());
        // The guard would set the trace back at once; `leave_eval` does that.
        std::mem::forget(it.engine.enter(it.engine.eval_trace()));
        Ok(Value::Object(Rc::new(before)))
    });
    // evaluate(flag): whether the program wants numbers while tracing; whether it did.
    members.function("evaluate", |it, args| {
        let [wanted] = args.exactly("evaluate")?;
        Ok(Value::Bool(it.engine.evaluates.replace(matches!(wanted, Value::Bool(true)))))
    });
    // fold(trace): only what needs a tracer is done in this trace from now on, or in none of its own; what it was.
    members.function("fold", |it, args| {
        let [trace] = args.exactly("fold")?;
        let trace = match &trace {
            Value::Object(object) => object.downcast::<TraceObject>(),
            _ => None,
        };
        // The framework stays in its trace.
        it.engine.set_traced(trace.is_some_and(|trace| trace.1));
        let trace = trace.map(|trace| trace.0.clone());
        let before = it.engine.folds.borrow().clone();
        // Outside of all traces, or within another folding, it stays as it is.
        if trace.as_ref().is_none_or(|trace| !Rc::ptr_eq(trace, &it.engine.eval_trace())) {
            *it.engine.folds.borrow_mut() = trace;
        }
        Ok(before.map_or(Value::None, |before| Value::Object(Rc::new(TraceObject(before, true)))))
    });
    members
        .function("is_staging", |it, _| Ok(Value::Bool(matches!(&*it.engine.trace(), crate::trace::Trace::Jaxpr(_)))));
    members.function("current_trace", |it, _| {
        Ok(Value::Object(Rc::new(TraceObject(it.engine.trace(), it.engine.is_traced()))))
    });
    members.function("leave_eval", |it, args| {
        let [before] = args.exactly("leave_eval")?;
        if let Value::Object(object) = &before
            && let Some(before) = object.downcast::<TraceObject>()
        {
            std::mem::forget(it.engine.enter(before.0.clone()));
            it.engine.set_traced(before.1);
        }
        Ok(Value::None)
    });
    members.function("unknown", |_, args| {
        let [why] = args.exactly("unknown")?;
        Err(Halt::unknown(why.as_str().unwrap_or("not modelled")))
    });
    // is_caught(): whether somebody waits for an exception.
    members.function("is_caught", |it, _| Ok(Value::Bool(it.catching.get() > 0)));
    // foreign_call(): whether a function of a package that is not there was called for what it does alone.
    members.function("foreign_call", |it, _| Ok(Value::Bool(it.foreign_call.get())));
    // `unmodelled(name)`: A value about which nothing is known, because `name` has no model: using it gives unknown
    // values and no errors.
    members.function("unmodelled", |_, args| {
        let [name] = args.exactly("unmodelled")?;
        Ok(Value::unknown(format!("`{}` is not modelled", name.as_str().unwrap_or("it"))))
    });
    // `import_module(name, package)`: `importlib.import_module`: the (relative) module, loaded when it is not yet.
    members.function("import_module", |it, args| {
        let [name, package] = args.bind("import_module", ["name", "package"], 1)?;
        let name = name.as_str().unwrap_or_default();
        let below = name.trim_start_matches('.');
        let dots = name.len() - below.len();
        if dots == 0 {
            return it.import(Symbol::from(name));
        }
        let mut base = package.as_str().unwrap_or_default();
        for _ in 1..dots {
            base = base.rsplit_once('.').map_or("", |(parent, _)| parent);
        }
        it.import(Symbol::from(format!("{base}.{below}").as_str()))
    });
    // again(function, *args): a call that another one with arguments of the same types answers.
    members.function("again", |it, mut args| match args.positional.is_empty() {
        true => Err(Halt::type_error("`again` takes a function")),
        false => {
            let function = args.positional.remove(0);
            crate::frameworks::jax::recipes::call(it, &function, args)
        }
    });
    // `by_word(words)`: Of a dict of texts: the key of each word in them.
    members.function("by_word", |_, args| {
        let [texts] = args.exactly("by_word")?;
        let Value::Dict(texts) = &texts else { return Err(Halt::unknown("`by_word` takes a dict")) };
        let texts = texts.read();
        // A word of such a table has some ten letters.
        let size: usize = texts.values().map(|text| text.as_str().unwrap_or_default().len() / 10).sum();
        let mut found = DictItems::with_capacity_and_hasher(size, Default::default());
        for (key, text) in texts.iter() {
            let words = text.as_str().unwrap_or_default().split_whitespace();
            found.extend(words.map(|word| (Key::str(word), key.value.clone())));
        }
        Ok(Value::Dict(Dict::new(found)))
    });
    // `array_type()`: The class `jax.Array`.
    members.function("array_type", |it, _| it.named_class(sym!("jax.Array")).map(Value::Class));
    members.function("index", |it, args| {
        let [x] = args.exactly("index")?;
        it.index(&x).map(Value::Int)
    });
}

/// A trace that somebody holds, and whether what ran in it was traced.
struct TraceObject(crate::trace::TraceRef, bool);

impl crate::python::Object for TraceObject {
    fn type_name(&self) -> String {
        "Trace".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<crate::python::Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
