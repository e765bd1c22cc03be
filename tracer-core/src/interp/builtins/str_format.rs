//! `str.format` and `str.format_map`.

use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, Value};

/// Where fields come from.
struct Fields<'a> {
    it: &'a Rc<Interp>,
    args: &'a Args,
    /// The mapping of `format_map`.
    mapping: Option<&'a Value>,
    next: usize,
    automatic: Option<bool>,
    unknown: bool,
}

/// `text.format(*args)`; `format_map` where there is a mapping.
///
/// # Errors
/// `ValueError`, `IndexError`, `KeyError`, and what formatting raises.
pub fn str_format(it: &Rc<Interp>, text: &str, args: &Args, mapping: Option<&Value>) -> Step<Value> {
    let chars: Vec<char> = text.chars().collect();
    let mut fields = Fields { it, args, mapping, next: 0, automatic: None, unknown: false };
    let out = fields.expand(&chars, 2)?;
    if fields.unknown {
        return Ok(Value::unknown_of(Guess::Str, "the text of an unknown value"));
    }
    Ok(Value::from(out))
}

impl Fields<'_> {
    fn expand(&mut self, chars: &[char], depth: u32) -> Step<String> {
        if depth == 0 {
            return Err(Halt::value_error("Max string recursion exceeded"));
        }
        let mut out = String::new();
        let mut at = 0;
        while at < chars.len() {
            let c = chars[at];
            at += 1;
            match c {
                '{' if chars.get(at) == Some(&'{') => {
                    out.push('{');
                    at += 1;
                }
                '}' if chars.get(at) == Some(&'}') => {
                    out.push('}');
                    at += 1;
                }
                '}' => return Err(Halt::value_error("Single '}' encountered in format string")),
                '{' => {
                    if at >= chars.len() {
                        return Err(Halt::value_error("Single '{' encountered in format string"));
                    }
                    let start = at;
                    let mut open = 1;
                    let mut bracket = false;
                    while at < chars.len() {
                        match chars[at] {
                            '[' => bracket = true,
                            ']' => bracket = false,
                            '{' if !bracket => open += 1,
                            '}' if !bracket => open -= 1,
                            _ => {}
                        }
                        if open == 0 {
                            break;
                        }
                        at += 1;
                    }
                    if open != 0 {
                        return Err(Halt::value_error("expected '}' before end of string"));
                    }
                    let field = &chars[start..at];
                    at += 1;
                    out.push_str(&self.field(field, depth)?);
                }
                c => out.push(c),
            }
        }
        Ok(out)
    }

    fn field(&mut self, field: &[char], depth: u32) -> Step<String> {
        let mut bracket = false;
        let mut end = field.len();
        for (i, c) in field.iter().enumerate() {
            match c {
                '[' => bracket = true,
                ']' => bracket = false,
                ':' | '!' if !bracket => {
                    end = i;
                    break;
                }
                _ => {}
            }
        }
        let (name, mut rest) = field.split_at(end);
        let mut conversion = None;
        if rest.first() == Some(&'!') {
            conversion = Some(
                *rest
                    .get(1)
                    .ok_or_else(|| Halt::value_error("end of string while looking for conversion specifier"))?,
            );
            rest = &rest[2..];
            if !rest.is_empty() && rest[0] != ':' {
                return Err(Halt::value_error("expected ':' after conversion specifier"));
            }
        }
        let value = self.named(name)?;
        let spec = match rest.split_first() {
            Some((_, spec)) => self.expand(spec, depth - 1)?,
            None => String::new(),
        };
        if let Some(other) = conversion.filter(|c| !"rsa".contains(*c)) {
            return Err(Halt::value_error(format!("Unknown conversion specifier {other}")));
        }
        match self.it.format_value(&value, conversion, &Value::from(spec))? {
            Value::Str(text) => Ok(text.to_string()),
            _ => {
                self.unknown = true;
                Ok(String::new())
            }
        }
    }

    /// `name.attribute[index]`
    fn named(&mut self, name: &[char]) -> Step<Value> {
        let end = name.iter().position(|c| matches!(c, '.' | '[')).unwrap_or(name.len());
        let first: String = name[..end].iter().collect();
        let mut value = self.first(&first)?;
        let mut at = end;
        while at < name.len() {
            if name[at] == '.' {
                let end = name[at + 1..].iter().position(|c| matches!(c, '.' | '[')).map_or(name.len(), |i| at + 1 + i);
                let attribute: String = name[at + 1..end].iter().collect();
                if attribute.is_empty() {
                    return Err(Halt::value_error("Empty attribute in format string"));
                }
                value = self.it.getattr(&value, Symbol::from(attribute.as_str()))?;
                at = end;
            } else if name[at] == '[' {
                let close = name[at..]
                    .iter()
                    .position(|c| *c == ']')
                    .ok_or_else(|| Halt::value_error("Missing ']' in format string"))?;
                let index: String = name[at + 1..at + close].iter().collect();
                if index.is_empty() {
                    return Err(Halt::value_error("Empty attribute in format string"));
                }
                let index = index.parse::<i64>().map(Value::Int).unwrap_or_else(|_| Value::from(index));
                value = self.it.getitem(&value, &index)?;
                at += close + 1;
            } else {
                return Err(Halt::value_error("Only '.' or '[' may follow ']' in format field specifier"));
            }
        }
        Ok(value)
    }

    fn first(&mut self, name: &str) -> Step<Value> {
        let index = match name {
            "" => {
                self.numbering(true)?;
                self.next += 1;
                self.next - 1
            }
            name => match name.parse::<usize>() {
                Ok(index) => {
                    self.numbering(false)?;
                    index
                }
                Err(_) => {
                    if let Some(mapping) = self.mapping {
                        return self.it.getitem(mapping, &Value::str(name));
                    }
                    let found = self.args.keyword.iter().find(|(n, _)| n.as_str() == name);
                    return match found {
                        Some((_, value)) => Ok(value.clone()),
                        None => Err(Halt::raise("KeyError", crate::interp::format::str_repr(name))),
                    };
                }
            },
        };
        if self.mapping.is_some() {
            return Err(Halt::value_error("Format string contains positional fields"));
        }
        self.args.positional.get(index).cloned().ok_or_else(|| {
            Halt::raise("IndexError", format!("Replacement index {index} out of range for positional args tuple"))
        })
    }

    fn numbering(&mut self, automatic: bool) -> Step<()> {
        match self.automatic.replace(automatic) {
            Some(true) if !automatic => {
                Err(Halt::value_error("cannot switch from automatic field numbering to manual field specification"))
            }
            Some(false) if automatic => {
                Err(Halt::value_error("cannot switch from manual field specification to automatic field numbering"))
            }
            _ => Ok(()),
        }
    }
}
