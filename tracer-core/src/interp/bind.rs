//! Arguments of a call bound to parameters.

use std::rc::Rc;

use super::function::Run;
use crate::frameworks::python::signatures::{Given, refuses};
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Function, Value};

impl Run<'_> {
    /// Binds arguments to parameters.
    pub fn bind(&mut self, function: &Rc<Function>, args: Args) -> Step<()> {
        let code = self.code;
        let params = &code.params;
        let positional = params.positional as usize;
        let given = args.positional.len();
        let simple = given == positional
            && args.keyword.is_empty()
            && params.keyword_only == 0
            && params.var_positional.is_none()
            && params.var_keyword.is_none();
        if simple {
            for (slot, value) in self.frame.locals.iter_mut().zip(args.positional) {
                *slot = value;
            }
        } else {
            let user = self.user;
            let given = function.module.unit.standard.then(|| Given::of(&args));
            self.bind_general(function, args).map_err(|halt| match given {
                Some(given) if !refuses(function, &given) => {
                    Halt::unknown(format!("`{}` with these arguments is not modelled", function.qualname()))
                }
                _ => halt.certain_if(user),
            })?;
        }
        self.move_cell_params();
        Ok(())
    }

    fn bind_general(&mut self, function: &Rc<Function>, args: Args) -> Step<()> {
        let params = &self.code.params;
        let positional = params.positional as usize;
        let keyword_only = params.keyword_only as usize;
        let given = args.positional.len();
        let mut extra = Vec::new();
        for (i, value) in args.positional.into_iter().enumerate() {
            if i < positional {
                self.frame.locals[i] = value;
            } else {
                extra.push(value);
            }
        }
        let mut extra_keywords = crate::python::DictItems::default();
        let named = &params.names[..positional + keyword_only];
        let mut positional_by_name = Vec::new();
        for (name, value) in args.keyword {
            let at = named.iter().position(|p| p.name == name);
            match at {
                Some(at) if at >= params.positional_only as usize => {
                    if !self.frame.locals[at].is_unbound() {
                        return Err(Halt::type_error(format!(
                            "{}() got multiple values for argument '{name}'",
                            function.qualname()
                        )));
                    }
                    self.frame.locals[at] = value;
                }
                _ if params.var_keyword.is_some() => {
                    extra_keywords.insert(crate::python::Key::str(&name), value);
                }
                Some(_) => positional_by_name.push(name),
                None => {
                    return Err(Halt::type_error(format!(
                        "{}() got an unexpected keyword argument '{name}'",
                        function.qualname()
                    )));
                }
            }
        }
        if !positional_by_name.is_empty() {
            let names: Vec<&str> = positional_by_name.iter().map(|n| n.as_str()).collect();
            return Err(Halt::type_error(format!(
                "{}() got some positional-only arguments passed as keyword arguments: '{}'",
                function.qualname(),
                names.join(", ")
            )));
        }
        if !extra.is_empty() && params.var_positional.is_none() {
            return Err(self.too_many(function, given));
        }
        let first_default = positional - function.defaults.len().min(positional);
        let mut missing = Vec::new();
        for i in 0..positional {
            if self.frame.locals[i].is_unbound() {
                match i.checked_sub(first_default).and_then(|d| function.defaults.get(d)) {
                    Some(default) => self.frame.locals[i] = default.clone(),
                    None => missing.push(params.names[i].name),
                }
            }
        }
        if !missing.is_empty() {
            return Err(missing_arguments(function, "positional", &missing));
        }
        for i in 0..keyword_only {
            let slot = positional + i;
            if self.frame.locals[slot].is_unbound() {
                match function.kw_defaults.get(i) {
                    Some(default) if !default.is_unbound() => self.frame.locals[slot] = default.clone(),
                    _ => missing.push(params.names[slot].name),
                }
            }
        }
        if !missing.is_empty() {
            return Err(missing_arguments(function, "keyword-only", &missing));
        }
        let is_open = self.it.open_code.get() == Some(std::ptr::from_ref(self.code).addr());
        let more = || Value::unknown("an argument of a function that nothing calls");
        if let Some(slot) = params.var_positional {
            let is_open = is_open && extra.is_empty();
            self.frame.locals[slot as usize] = if is_open { more() } else { Value::tuple(extra) };
        }
        if let Some(slot) = params.var_keyword {
            let is_open = is_open && extra_keywords.is_empty();
            let given = || Value::Dict(crate::python::Dict::new(extra_keywords));
            self.frame.locals[slot as usize] = if is_open { more() } else { given() };
        }
        Ok(())
    }

    fn too_many(&self, function: &Rc<Function>, given: usize) -> Halt {
        let params = &self.code.params;
        let most = params.positional as usize;
        let least = most - function.defaults.len().min(most);
        let takes = if least < most { format!("from {least} to {most}") } else { most.to_string() };
        let arguments = if most == 1 && least == most { "argument" } else { "arguments" };
        let keyword_given =
            (0..params.keyword_only as usize).filter(|i| !self.frame.locals[most + i].is_unbound()).count();
        let given_text = if keyword_given > 0 {
            let s = if keyword_given == 1 { "" } else { "s" };
            format!(
                "{given} positional argument{} (and {keyword_given} keyword-only argument{s}) were given",
                if given == 1 { "" } else { "s" }
            )
        } else {
            format!("{given} {} given", if given == 1 { "was" } else { "were" })
        };
        Halt::type_error(format!("{}() takes {takes} positional {arguments} but {given_text}", function.qualname()))
    }
}

fn missing_arguments(function: &Rc<Function>, kind: &str, names: &[Symbol]) -> Halt {
    let quoted: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
    let list = match quoted.as_slice() {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
        [] => String::new(),
    };
    let s = if names.len() == 1 { "" } else { "s" };
    Halt::type_error(format!("{}() missing {} required {kind} argument{s}: {list}", function.qualname(), names.len()))
}
