//! What `jax.jit` is told.

use std::rc::Rc;

use super::JitObject;
use crate::frameworks::jax::core::introspection::{self, Takes, signature};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, NativeFn, Subject, Value};

/// What `jax.jit` was told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    pub(super) static_nums: Vec<i64>,
    pub(super) static_names: Vec<Symbol>,
    pub(super) donate_nums: Vec<i64>,
    pub(super) donate_names: Vec<Symbol>,
    /// Whether arguments that nothing needs are handed to what is compiled all the same.
    pub(super) keep_unused: bool,
    pub(super) inline: bool,
}

impl Options {
    /// Whether the argument at a place is static.
    pub fn is_static(&self, at: usize) -> bool {
        self.static_nums.iter().any(|number| usize::try_from(*number) == Ok(at))
    }
    /// Whether the argument of a name is static.
    pub fn is_static_by_name(&self, name: Symbol) -> bool {
        self.static_names.contains(&name)
    }
}

fn index_tuple(it: &Rc<Interp>, value: &Value) -> Step<Vec<i64>> {
    if let Some(one) = value.as_int() {
        return Ok(vec![one]);
    }
    match value {
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        Value::Str(text) if !text.is_empty() => {
            Err(Halt::type_error("'str' object cannot be interpreted as an integer"))
        }
        other => it.to_vec(other)?.iter().map(|v| it.index(v)).collect(),
    }
}

fn name_tuple(it: &Rc<Interp>, value: &Value) -> Step<Vec<Symbol>> {
    if let Value::Str(name) = value {
        return Ok(vec![Symbol::from(name)]);
    }
    if let Value::Unknown(unknown) = value {
        return Err(Halt::Unknown(unknown.why.clone()));
    }
    it.to_vec(value)?
        .iter()
        .map(|v| match v.as_str() {
            Some(name) => Ok(Symbol::from(name)),
            None => Err(Halt::type_error(format!("argument {} is not a string", introspection::shown(it, v)))),
        })
        .collect()
}

pub(super) fn tuple_text(items: &[i64]) -> String {
    match items {
        [one] => format!("({one},)"),
        _ => format!("({})", items.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

pub(super) fn set_text(names: &[Symbol]) -> String {
    format!("{{{}}}", names.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", "))
}

/// Completes numbers by names and names by numbers, and checks both against the function's parameters.
pub(super) fn resolve(
    it: &Rc<Interp>,
    params: Option<&[introspection::Param]>,
    what: &str,
    nums: Option<&Value>,
    names: Option<&Value>,
) -> Step<(Vec<i64>, Vec<Symbol>)> {
    let given_nums = nums.map(|v| index_tuple(it, v)).transpose()?;
    let given_names = names.map(|v| name_tuple(it, v)).transpose()?;
    let Some(params) = params else {
        return Ok((given_nums.unwrap_or_default(), given_names.unwrap_or_default()));
    };
    let (nums, names) = match (given_nums, given_names) {
        (None, None) => return Ok((Vec::new(), Vec::new())),
        (Some(nums), Some(names)) => (nums, names),
        (None, Some(names)) => {
            let at = |(i, p): (usize, &introspection::Param)| {
                (p.takes == Takes::Either && names.contains(&p.name)).then_some(i as i64)
            };
            (params.iter().enumerate().filter_map(at).collect(), names)
        }
        (Some(nums), None) => {
            let named = |(i, p): (usize, &introspection::Param)| {
                (p.takes == Takes::Either && nums.contains(&(i as i64))).then_some(p.name)
            };
            let names = params.iter().enumerate().filter_map(named).collect();
            (nums, names)
        }
    };
    let plain = params.iter().filter(|p| matches!(p.takes, Takes::Position | Takes::Either)).count() as i64;
    let takes_rest = params.iter().any(|p| p.takes == Takes::Rest);
    if !takes_rest && nums.iter().any(|n| *n >= plain || -*n > plain) {
        return Err(Halt::value_error(format!(
            "Jitted function has {what}_argnums={}, but only accepts {plain} positional arguments.",
            tuple_text(&nums)
        )));
    }
    let of = |test: &dyn Fn(&Symbol) -> bool| names.iter().copied().filter(|n| test(n)).collect::<Vec<_>>();
    let wrong = of(&|n| params.iter().any(|p| p.name == *n && matches!(p.takes, Takes::Position | Takes::Rest)));
    if !wrong.is_empty() {
        return Err(Halt::value_error(format!(
            "Jitted function has invalid argnames {} in {what}_argnames. These are positional-only",
            set_text(&wrong)
        )));
    }
    let takes_names = params.iter().any(|p| p.takes == Takes::Names);
    let wrong = of(&|n| !params.iter().any(|p| p.name == *n && matches!(p.takes, Takes::Either | Takes::Name)));
    if !takes_names && !wrong.is_empty() {
        return Err(Halt::value_error(format!(
            "Jitted function has invalid argnames {} in {what}_argnames. Function does not take these args.",
            set_text(&wrong)
        ))
        .about(Subject::NoParameters(wrong)));
    }
    Ok((nums, names))
}

/// The keyword arguments of `jax.jit` that have no effect on what is traced; `keep_unused` says what is donated.
const IGNORED: &[&str] =
    &["in_shardings", "out_shardings", "keep_unused", "device", "backend", "compiler_options", "abstracted_axes"];

pub(super) fn jit(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let fun = match args.positional.len() {
        0 => args.take_keyword("fun").or_else(|| args.take_keyword("fn")),
        1 => args.positional.pop(),
        n => return Err(Halt::type_error(format!("jit() takes from 0 to 1 positional arguments but {n} were given"))),
    };
    let mut shardings = [Value::None, Value::None];
    let mut keep_unused = false;
    for name in IGNORED {
        let given = args.take_keyword(name);
        if let ("keep_unused", Some(flag)) = (*name, &given) {
            keep_unused = it.truth(flag)?;
        }
        if let Some(at) = ["in_shardings", "out_shardings"].iter().position(|kept| kept == name) {
            shardings[at] = given.unwrap_or(Value::None);
        }
    }
    for (name, _) in &args.keyword {
        if !matches!(
            name.as_str(),
            "static_argnums" | "static_argnames" | "donate_argnums" | "donate_argnames" | "inline"
        ) {
            return Err(Halt::type_error(format!("jit() got an unexpected keyword argument '{name}'")));
        }
    }
    let Some(fun) = fun.filter(|f| !f.is_unbound()) else {
        let mut args = args.clone();
        for (name, value) in ["in_shardings", "out_shardings"].into_iter().zip(shardings) {
            args.keyword.push((name.into(), value));
        }
        args.keyword.push(("keep_unused".into(), Value::Bool(keep_unused)));
        return Ok(NativeFn::value("jit", move |it, given| {
            let [fun] = given.exactly("jit")?;
            let mut call = args.clone();
            call.positional.push(fun);
            jit(it, call)
        }));
    };
    if fun.is_none() {
        return Err(Halt::type_error("Expected a callable value, got None"));
    }
    introspection::check_callable(it, &fun)?;
    let given = |args: &mut Args, name: &str| args.take_keyword(name).filter(|v| !v.is_none());
    let static_nums = given(&mut args, "static_argnums");
    let static_names = given(&mut args, "static_argnames");
    let donate_nums = given(&mut args, "donate_argnums");
    let donate_names = given(&mut args, "donate_argnames");
    let inline = match given(&mut args, "inline") {
        Some(flag) => it.truth(&flag)?,
        None => false,
    };
    let mut options = Options { inline, keep_unused, ..Options::default() };
    if static_nums.is_some() || static_names.is_some() || donate_nums.is_some() || donate_names.is_some() {
        let params = signature(it, &fun)?;
        let empty = |v: &Value| matches!(v, Value::Tuple(items) if items.is_empty());
        let params = params.as_deref();
        (options.static_nums, options.static_names) = resolve(
            it,
            params,
            "static",
            static_nums.as_ref(),
            static_names.as_ref().filter(|v| !(static_nums.is_some() && empty(v))),
        )?;
        (options.donate_nums, options.donate_names) =
            resolve(it, params, "donate", donate_nums.as_ref(), donate_names.as_ref())?;
        let both: Vec<Symbol> =
            options.static_names.iter().copied().filter(|n| options.donate_names.contains(n)).collect();
        if !both.is_empty() {
            return Err(Halt::value_error(format!(
                "static_argnames and donate_argnames cannot intersect. Argument names {} appear in both static_argnames and \
                 donate_argnames",
                set_text(&both)
            )));
        }
        if let Some(both) = options.static_nums.iter().find(|n| options.donate_nums.contains(n)) {
            return Err(Halt::value_error(format!(
                "static_argnums and donate_argnums cannot intersect. Argument positions {{{both}}} appear in both static_argnums \
                 and donate_argnums"
            )));
        }
    }
    Ok(Value::Object(Rc::new(JitObject::new(fun, options).made_here(it).lying(shardings))))
}
