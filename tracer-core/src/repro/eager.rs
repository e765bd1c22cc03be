//! Numbers that functions are given inside of compiled ones: only a run that compiles nothing knows them. What a reproducer of a function
//! lacks is said by the way that leads to it; a run without compilation is asked for what stands at the end of these ways.

use std::rc::Rc;

use super::literal;
use super::tree::{Access, Arg, Key, Op, Source, State};
use crate::array::{Number, Tensor};
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::Step;
use crate::trace::Config;

/// The way to a value that a function sees: the body around it, and what gives it there. Without compilation others may stand around it (a
/// solver that loops in Python): a body is told by its function, and by how many of that are nearer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    within: String,
    nearer: usize,
    from: From,
    path: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum From {
    Param(usize),
    /// A statement, by its place in its body and by what it does.
    Statement(usize, String),
}

/// A number at the end of a way.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The way.
    pub way: Way,
    /// What stands there.
    pub tensor: Tensor,
}

/// Has a run compile nothing from here on. Where the setting is not there, nothing more is told than before.
pub(super) fn compile_nothing(it: &Rc<Interp>) {
    let update = |settings: Value| {
        it.call_method(&settings, "update", [Value::str("jax_disable_jit"), Value::Bool(true)]).map(drop)
    };
    let _: Step<()> = prelude_member(it, "jax", "config").and_then(update);
    it.engine.set_config(Config { only_numbers: true, ..(*it.engine.config()).clone() });
}

fn step(key: &Key) -> String {
    match key {
        Key::Index(i) => i.to_string(),
        Key::Of(Arg::Plain(Value::Str(key))) => literal::text(key),
        Key::Of(Arg::Plain(Value::Int(key))) => format!("={key}"),
        Key::Of(_) => "?".into(),
        Key::Field(name) => format!(".{name}"),
    }
}

fn at<'a>(arg: &'a Arg, path: &[String]) -> Option<&'a Arg> {
    let (arg, first, rest) = match (arg, path.split_first()) {
        (Arg::Tree(_, tree), _) => return at(tree, path),
        (arg, None) => return Some(arg),
        (arg, Some((first, rest))) => (arg, first, rest),
    };
    match arg {
        Arg::Tuple(items) | Arg::List(items) => at(items.get(first.parse::<usize>().ok()?)?, rest),
        Arg::Dict(items) => at(&items.iter().find(|(key, _)| step(&Key::Of(key.clone())) == *first)?.1, rest),
        Arg::Fields(fields) => at(&fields.iter().find(|(name, _)| step(&Key::Field(*name)) == *first)?.1, rest),
        _ => None,
    }
}

fn what(op: &Op) -> String {
    match op {
        Op::Call(Value::Function(function)) => function.name().to_string(),
        Op::Call(Value::Native(native)) => native.name.to_string(),
        Op::Call(_) => "call".into(),
        Op::Bind(primitive, _) => primitive.name().to_owned(),
        op => format!("{op:?}"),
    }
}

/// The statements of a body that are the same whether primitives are recorded or not.
fn calls(state: &State, def: usize) -> impl Iterator<Item = usize> {
    state.defs[def].statements.iter().copied().filter(|id| !matches!(state.statements[*id].op, Op::Bind(..)))
}

/// The call that gives what a primitive does which stands for it, and the way to that in what it gives.
fn call_of(state: &State, bind: usize, value: &Value) -> Option<(usize, Vec<Key>)> {
    let (call, _) = state.expanded.iter().find(|(_, expanded)| expanded.binds.contains(&bind))?;
    let (_, result) = state.statements[*call].result.as_ref()?;
    let mut found = None;
    result.leaves(&mut Vec::new(), &mut |leaf, path| {
        if leaf.is(value) {
            found.get_or_insert_with(|| path.to_vec());
        }
    });
    Some((*call, found?))
}

/// What the function of a body is called.
fn called(state: &State, def: usize) -> String {
    state.defs[def].function.as_ref().map(|function| function.code().qualname.to_string()).unwrap_or_default()
}

/// The way that leads from a body to a value that it sees.
pub(super) fn way_to(state: &State, def: usize, value: &Value) -> Option<Way> {
    let id = value.identity();
    let around = state.around(def);
    around.iter().enumerate().find_map(|(up, def)| {
        let within = called(state, *def);
        let nearer = around[..up].iter().filter(|def| called(state, **def) == within).count();
        let Access { from, path } = state.defs[*def].bound.get(&id)?;
        let from = match *from {
            Source::Param(i) => From::Param(i),
            Source::Statement(id) => {
                let (call, path) = call_of(state, id, value).unwrap_or((id, path.clone()));
                let place = calls(state, *def).position(|statement| statement == call)?;
                let from = From::Statement(place, what(&state.statements[call].op));
                return Some(Way { within, nearer, from, path: path.iter().map(step).collect() });
            }
        };
        Some(Way { within, nearer, from, path: path.iter().map(step).collect() })
    })
}

/// What stands at the end of a way.
pub(super) fn end_of<'a>(state: &'a State, def: usize, way: &Way) -> Option<&'a Arg> {
    let around = state.around(def);
    let id = around.iter().filter(|def| called(state, **def) == way.within).nth(way.nearer)?;
    let def = &state.defs[*id];
    let from = match &way.from {
        From::Param(i) => &def.params.get(*i)?.given,
        From::Statement(place, does) => {
            let statement = &state.statements[calls(state, *id).nth(*place)?];
            if what(&statement.op) != *does {
                return None;
            }
            &statement.result.as_ref()?.1
        }
    };
    at(from, &way.path)
}

/// The numbers of a value.
pub(super) fn tensor_of(it: &Interp, value: &Value) -> Option<Tensor> {
    Some(match value {
        Value::Array(array) => it.engine.force(&array.concrete().filter(|_| !array.is_tracer())?).ok()?,
        Value::Int(value) => Tensor::scalar(*value),
        Value::Float(value) => Tensor::scalar(*value),
        Value::Bool(value) => Tensor::scalar(*value),
        // What compiles makes arrays of JAX of those of NumPy.
        value @ Value::Object(_) => it.engine.force(&it.hooks.borrow().as_ref()?.held(value)?).ok()?,
        _ => return None,
    })
}

/// Numbers as those of an array of some type; `None` where they are not of its sizes.
pub(super) fn as_type(tensor: &Tensor, aval: &crate::array::Aval) -> Option<Tensor> {
    let sizes: Option<Vec<usize>> = aval.shape.iter().map(|size| size.known()).collect();
    let sizes = sizes?;
    if tensor.dtype == aval.dtype && tensor.shape[..] == sizes[..] {
        return Some(tensor.clone());
    }
    // Without 64 bits JAX has short numbers of the same kind.
    if tensor.shape[..] == sizes[..] && tensor.dtype.kind() == aval.dtype.kind() && !tensor.dtype.is_key() {
        return Some(tensor.convert(aval.dtype));
    }
    let number: Number = tensor.number(0).filter(|_| sizes.is_empty() && tensor.len() == 1 && !aval.dtype.is_key())?;
    Some(Tensor::scalar_of(aval.dtype, number))
}
