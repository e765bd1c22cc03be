//! Names for what operations give that the program has no name for.

use super::Writer;
use crate::module::{BinaryOp, Symbol, UnaryOp};
use crate::python::{Function, Value};
use crate::repro::primitives::compiled;
use crate::repro::tree::{Access, Arg, Op, Source, is_map_of_trees};

/// Transformations whose functions give what the functions give that they are made of.
const ALIKE: [&str; 7] = ["jit", "vmap", "pmap", "checkpoint", "remat", "shard_map", "named_call"];

/// So many functions that are made of each other are looked through.
const MOST_MADE: usize = 4;

/// What nothing else is known of.
const ANY: &str = "v";

impl Writer<'_> {
    /// A name for what an operation gives, the first of whose arguments is this one: a function with rules of its own is called as
    /// what it is made of.
    pub fn hint(&self, op: &Op, first: Option<&Arg>) -> String {
        let hint = self.hint_within(op, first, 0).unwrap_or_else(|| ANY.to_owned());
        match hint.trim_start_matches('_') {
            "" => ANY.to_owned(),
            hint => hint.to_owned(),
        }
    }

    fn hint_within(&self, op: &Op, first: Option<&Arg>, depth: usize) -> Option<String> {
        let hint = match op {
            Op::Call(Value::Class(class)) if class.name.starts_with("custom_") => match first {
                Some(Arg::Callable(Value::Function(f))) if is_named(f) => f.name().to_string(),
                _ => class.name.to_string(),
            },
            Op::Call(Value::Class(class)) => last_word(class.name.as_str()),
            Op::Call(Value::Function(f)) if is_map_of_trees(f) => "tree".to_owned(),
            Op::Call(Value::Function(f)) if is_named(f) => f.name().to_string(),
            Op::Call(callee) => return self.hint_of_made(callee, depth),
            // A function that the body was given.
            Op::Apply => match first? {
                Arg::Callable(Value::Function(f)) if is_named(f) => f.name().to_string(),
                Arg::Callable(callee) | Arg::Leaf(callee) => return self.hint_of_made(callee, depth),
                _ => return None,
            },
            Op::Attribute(name) | Op::Method(name) => name.to_string(),
            Op::Bind(primitive, _) => match compiled(&**primitive) {
                Some((_, name)) => name.to_owned(),
                None => primitive.name().replace('-', "_"),
            },
            Op::Binary(op) => of_binary(*op).to_owned(),
            Op::Compare(_) | Op::Unary(UnaryOp::Invert) => "mask".to_owned(),
            Op::Unary(UnaryOp::Neg) => "negative".to_owned(),
            Op::Item | Op::Items => "item".to_owned(),
            _ => return None,
        };
        Some(hint)
    }

    /// The same of a call of something that is no function of a module: a ufunc, a method of an array, what a transformation has made.
    fn hint_of_made(&self, callee: &Value, depth: usize) -> Option<String> {
        if let Some(name) = self.state.methods.get(&callee.identity()) {
            return Some(name.to_string());
        }
        let made = self.state.holders(callee.identity()).find_map(|(_, access)| match access {
            Access { from: Source::Statement(made), .. } => Some(&self.state.statements[*made]),
            _ => None,
        });
        let Some(made) = made.filter(|_| depth < MOST_MADE) else { return own_name(callee) };
        let is_alike = matches!(&made.op, Op::Call(Value::Function(f)) if ALIKE.contains(&f.name().as_str()))
            || matches!(&made.op, Op::Call(Value::Native(f)) if f.name.ends_with("jit"));
        match made.args.first().filter(|_| is_alike) {
            Some(Arg::Callable(Value::Function(f))) if is_named(f) => Some(f.name().to_string()),
            Some(Arg::Callable(inner) | Arg::Leaf(inner)) => self.hint_of_made(inner, depth + 1),
            _ => self.hint_within(&made.op, made.args.first(), depth + 1),
        }
    }
}

/// The name by which a call knows a function that the body was given, where the function has another one: bodies that are given
/// several are the same text for each.
pub fn given_by_parameter<'t>(op: &Op, first: Option<&Arg>, call: &'t str) -> Option<&'t str> {
    let (Op::Apply, Some(Arg::Callable(Value::Function(f)))) = (op, first) else { return None };
    let (callee, _) = call.split_once('(')?;
    let is_name = !callee.is_empty() && callee.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && callee != f.name().as_str()).then_some(callee)
}

/// What an update is of (`x` of `x.at[i].set(y)`, `h` of `state["h"].at[i].add(y)`).
pub fn updated(text: &str) -> Option<&str> {
    let (of, _) = text.split_once(".at[")?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let of = of.trim_end_matches(']').trim_end_matches(|c: char| c.is_ascii_digit() || "[]\"".contains(c));
    let name = &of[of.rfind(|c| !is_word(c)).map_or(0, |at| at + 1)..];
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && !text[..of.len()].contains('(') && !text.contains("].get(")).then_some(name)
}

/// `__name__` of an object that is called.
fn own_name(callee: &Value) -> Option<String> {
    let Value::Instance(instance) = callee else { return None };
    match instance.get(sym!("__name__"))? {
        Value::Str(name) => Some(name.to_string()),
        _ => None,
    }
}

fn is_named(function: &Function) -> bool {
    let name: Symbol = function.name();
    !name.starts_with("__") && !name.starts_with('<')
}

/// `struct` of `ShapeDtypeStruct`.
fn last_word(class: &str) -> String {
    let begins = |at: usize| class[at..].starts_with(char::is_uppercase) && class[..at].ends_with(char::is_lowercase);
    let from = (1..class.len()).rev().find(|at| class.is_char_boundary(*at) && begins(*at)).unwrap_or(0);
    class[from..].to_lowercase()
}

fn of_binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "total",
        BinaryOp::Sub => "difference",
        BinaryOp::Mul | BinaryOp::MatMul => "product",
        BinaryOp::Div | BinaryOp::FloorDiv => "ratio",
        BinaryOp::Mod => "remainder",
        BinaryOp::Pow => "power",
        _ => ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::{last_word, updated};

    #[test]
    fn updates_are_called_as_what_they_are_of() {
        assert_eq!(updated("x.at[i, 0].set(y)"), Some("x"));
        assert_eq!(updated("state[\"h\"].at[i,].add(y.at[0])"), Some("h"));
        assert_eq!(updated("grads[0][1].at[i].mul(2)"), Some("grads"));
        assert_eq!(updated("self.x.at[0].set(0)"), Some("x"));
        assert_eq!(updated("x.at[0].get()"), None);
        assert_eq!(updated("f(x.at[0].get())"), None);
        assert_eq!(updated("f(x)"), None);
    }

    #[test]
    fn classes_give_their_last_words() {
        assert_eq!(last_word("ShapeDtypeStruct"), "struct");
        assert_eq!(last_word("Mesh"), "mesh");
        assert_eq!(last_word("ufunc"), "ufunc");
        assert_eq!(last_word("VMEM"), "vmem");
    }
}
