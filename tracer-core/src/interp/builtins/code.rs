//! `compile`, `exec` and `eval` of texts: what is generated at run time runs as a module over the given names.

use std::rc::Rc;
use std::sync::Arc;

use super::define_fn;
use crate::interp::Interp;
use crate::lower::lower_text;
use crate::module::{Module, Symbol};
use crate::python::halt::{FileId, Halt, Step};
use crate::python::{Class, Dict, DictItems, Key, ModuleObject, Object, Unit, Value};

/// What `compile` returns.
struct Text {
    text: Rc<str>,
    /// Whether it is one expression; statements have no value, whoever runs them.
    is_expression: bool,
}

impl Object for Text {
    fn type_name(&self) -> String {
        "code".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Texts have no file: no place of theirs is ever shown.
const NO_FILE: FileId = FileId(u32::MAX - 1);

/// Adds the functions.
pub fn install(it: &Rc<Interp>) {
    define_fn(it, "compile", |_, args| {
        let names = ["source", "filename", "mode", "flags", "dont_inherit", "optimize"];
        let [source, _, mode, ..] = args.bind("compile", names, 3)?;
        let text = source.as_str().ok_or_else(|| Halt::unknown("`compile` of what is no text"))?;
        let is_expression = match mode.as_str() {
            Some("eval") => true,
            Some("exec" | "single") => false,
            _ => return Err(Halt::unknown("`compile` of a kind of text that is not known")),
        };
        Ok(Value::Object(Rc::new(Text { text: text.into(), is_expression })))
    });
    define_fn(it, "exec", |it, args| {
        let [source, globals, locals] = args.bind("exec", ["source", "globals", "locals"], 1)?;
        let text = match text_of(&source, "exec") {
            Err(Halt::Unknown(why)) => {
                // It may bind any name in the dicts that it is given.
                for given in [&globals, &locals] {
                    if let Value::Dict(names) = given {
                        names.forget(why.clone());
                    }
                }
                return Err(Halt::Unknown(why));
            }
            text => text?,
        };
        run(it, &text, &globals, &locals, "exec")?;
        Ok(Value::None)
    });
    define_fn(it, "eval", |it, args| {
        let [source, globals, locals] = args.bind("eval", ["source", "globals", "locals"], 1)?;
        if let Value::Object(object) = &source
            && object.downcast::<Text>().is_some_and(|code| !code.is_expression)
        {
            run(it, &text_of(&source, "eval")?, &globals, &locals, "eval")?;
            return Ok(Value::None);
        }
        let text = format!("{RESULT} = (\n{}\n)", text_of(&source, "eval")?.trim());
        let module = run(it, &text, &globals, &locals, "eval")?;
        let result = module.get(sym!("__value__")).unwrap_or(Value::None);
        module.set(sym!("__value__"), Value::Unbound);
        Ok(result)
    });
}

const RESULT: &str = "__value__";

fn text_of(source: &Value, what: &str) -> Step<Rc<str>> {
    let text = match source {
        Value::Object(object) => object.downcast::<Text>().map(|code| code.text.clone()),
        source => source.as_str().map(Rc::from),
    };
    text.ok_or_else(|| Halt::unknown(format!("`{what}`")))
}

/// The dict behind a namespace, where one is given.
fn names_of(namespace: &Value, what: &str) -> Step<Option<Dict>> {
    match namespace {
        Value::Unbound | Value::None => Ok(None),
        Value::Dict(dict) if dict.why_vague().is_none() => Ok(Some(dict.clone())),
        Value::Instance(instance) => match instance.payload() {
            Some(payload @ Value::Dict(_)) => names_of(payload, what),
            _ => Err(Halt::unknown(format!("`{what}`"))),
        },
        _ => Err(Halt::unknown(format!("`{what}`"))),
    }
}

/// What a dict with `__missing__` answers for the names of a text and does not keep itself. It is asked for each name
/// before the globals and the builtins are.
fn made_for(it: &Rc<Interp>, asked: &Value, lowered: &Module, what: &str) -> Step<Option<Dict>> {
    let Value::Instance(instance) = asked else { return Ok(None) };
    if instance.class().lookup(sym!("__missing__")).is_none() {
        return Ok(None);
    }
    let Some(kept) = names_of(asked, what)? else { return Ok(None) };
    let mut made = DictItems::default();
    for name in lowered.globals.iter().filter(|name| name.as_str() != RESULT) {
        match it.while_catching(|| it.getitem(asked, &Value::str(name.as_str()))) {
            Ok(value) => {
                let key = Key::str(name.as_str());
                if kept.read().get(&key).is_none() {
                    made.insert(key, value);
                }
            }
            Err(Halt::Raise(_)) => {}
            Err(halt) => return Err(halt),
        }
    }
    Ok((!made.is_empty()).then(|| Dict::new(made)))
}

/// Runs a text with the names of the given dicts; what it binds goes into the innermost of them.
fn run(it: &Rc<Interp>, text: &str, globals: &Value, locals: &Value, what: &str) -> Step<Rc<ModuleObject>> {
    let lowered = lower_text(text);
    if !lowered.notes.is_empty() {
        return Err(Halt::unknown(format!("`{what}` of a text that is not understood")));
    }
    let asked = if matches!(locals, Value::Unbound | Value::None) { globals } else { locals };
    let made = made_for(it, asked, &lowered, what)?;
    let (globals, locals) = (names_of(globals, what)?, names_of(locals, what)?);
    if globals.is_none() && locals.is_none() {
        // The caller's names are not at hand: only texts without names of their own are known.
        let builtins = it.builtins.borrow();
        let own = |name: &Symbol| name.as_str() == RESULT || builtins.contains_key(name);
        if !lowered.globals.iter().all(own) {
            return Err(Halt::unknown(format!("`{what}` with the caller's names")));
        }
    }
    let unit = Rc::new(Unit::new(Arc::new(lowered), NO_FILE, false));
    let name = globals.as_ref().and_then(|g| g.read().get(&Key::str("__name__")).cloned());
    let name = name.as_ref().and_then(Value::as_str).unwrap_or("builtins");
    let module = ModuleObject::new(Symbol::from(name), unit, false);
    let mut dicts: Vec<Dict> = locals.into_iter().chain(globals).collect();
    if let Some(made) = made {
        dicts.insert(1, made);
    }
    if !dicts.is_empty() {
        let _ = module.names.set(dicts);
    }
    it.run_module(&module)?;
    Ok(module)
}
