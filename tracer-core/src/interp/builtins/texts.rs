//! What methods of texts do with plain texts.

use std::cell::RefCell;
use std::rc::Rc;

use crate::interp::Interp;
use crate::python::Value;

thread_local! {
    /// Texts of one character each.
    static CHARACTERS: RefCell<Vec<Rc<str>>> = const { RefCell::new(Vec::new()) };
}

/// The text of one character: those of ASCII are made once.
pub fn character(c: char) -> Value {
    let Ok(at) = u8::try_from(c).map(usize::from) else { return Value::from(c.to_string()) };
    with_characters(|all| Value::Str(all[at].clone()))
}

/// The characters of a text.
pub fn characters(text: &str) -> Rc<[Value]> {
    match text.is_ascii() {
        true => with_characters(|all| text.bytes().map(|byte| Value::Str(all[usize::from(byte)].clone())).collect()),
        false => text.chars().map(character).collect(),
    }
}

fn with_characters<T>(take: impl FnOnce(&[Rc<str>]) -> T) -> T {
    CHARACTERS.with_borrow_mut(|all| {
        if all.is_empty() {
            all.extend((0..=u8::MAX).map(|byte| Rc::from(char::from(byte).to_string())));
        }
        take(all)
    })
}

/// `str(number)`
pub fn decimal(number: i64) -> Value {
    with_digits(number, |digits| Value::str(digits))
}

/// Writes a number behind a text.
pub fn decimal_into(out: &mut String, number: i64) {
    with_digits(number, |digits| out.push_str(digits));
}

fn with_digits<T>(number: i64, take: impl FnOnce(&str) -> T) -> T {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut left = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    take(std::str::from_utf8(&digits[at..]).unwrap_or_default())
}

/// What Python takes to be white space.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// The text without white space around it.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether there are characters and all are such.
pub fn all(text: &str, test: impl Fn(char) -> bool) -> Value {
    Value::Bool(!text.is_empty() && text.chars().all(test))
}

/// `text.upper()` of ASCII.
pub fn upper(text: &str) -> Option<Value> {
    text.is_ascii().then(|| Value::from(text.to_ascii_uppercase()))
}

/// `text.lower()` of ASCII.
pub fn lower(text: &str) -> Option<Value> {
    text.is_ascii().then(|| Value::from(text.to_ascii_lowercase()))
}

/// `between.join(items)`; `None` where an item is no text.
pub fn joined(it: &Rc<Interp>, between: &str, items: &[Value]) -> Option<Value> {
    let mut length = between.len() * items.len().saturating_sub(1);
    for item in items {
        let Value::Str(item) = item else { return None };
        length += item.len();
    }
    it.spend_text(length + between.len()).ok()?;
    let mut text = String::with_capacity(length);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push_str(between);
        }
        text.push_str(item.as_str()?);
    }
    Some(Value::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_written_as_rust_writes_them() {
        for number in [0, 7, -7, 10, 99_999, i64::MAX, i64::MIN] {
            assert_eq!(decimal(number).as_str(), Some(&*number.to_string()));
        }
    }
}
