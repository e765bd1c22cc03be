//! Regular expressions.

use std::cell::RefCell;
use std::rc::Rc;

use fancy_regex::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

use super::Members;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Class, Object, Value};

struct Pattern(Rc<Regex>);

/// Patterns that are kept for later runs on the thread: building one takes a thousand times what a search does.
const MOST_KEPT: usize = 64;

thread_local! {
    static KEPT: RefCell<FxHashMap<(String, i64), Rc<Regex>>> = RefCell::default();
}

impl Object for Pattern {
    fn type_name(&self) -> String {
        "Pattern".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Adds the functions.
pub(super) fn members(members: &mut Members) {
    // regex_compile(pattern, flags)
    members.function("regex_compile", |it, args| {
        let [pattern, flags] = args.exactly("regex_compile")?;
        let flags = it.index(&flags)?;
        let text = pattern.as_str().ok_or_else(|| Halt::unknown("an unknown pattern"))?.replace("\\Z", "\\z");
        let key = (text, flags);
        if let Some(regex) = KEPT.with_borrow(|kept| kept.get(&key).cloned()) {
            return Ok(Value::Object(Rc::new(Pattern(regex))));
        }
        let built = RegexBuilder::new(&key.0)
            .case_insensitive(flags & 2 != 0)
            .multi_line(flags & 8 != 0)
            .dot_matches_new_line(flags & 16 != 0)
            .ignore_whitespace(flags & 64 != 0)
            .delegate_size_limit(1 << 20)
            .backtrack_limit(100_000)
            .build();
        match built {
            Ok(regex) => {
                let regex = Rc::new(regex);
                KEPT.with_borrow_mut(|kept| {
                    if kept.len() == MOST_KEPT {
                        kept.clear();
                    }
                    kept.insert(key, regex.clone());
                });
                Ok(Value::Object(Rc::new(Pattern(regex))))
            }
            Err(_) => Err(Halt::unknown("a regular expression that is not modelled")),
        }
    });
    // regex_names(pattern): names of groups, None for those without one; the whole match first.
    members.function("regex_names", |_, args| {
        let [pattern] = args.exactly("regex_names")?;
        with(&pattern, |regex| {
            Ok(Value::list(regex.capture_names().map(|n| n.map_or(Value::None, Value::str)).collect()))
        })
    });
    // regex_find(pattern, text, start): spans of the groups of the first match, in characters; None where there is none.
    members.function("regex_find", |it, args| {
        let [pattern, text, start] = args.exactly("regex_find")?;
        let text = text.as_str().ok_or_else(|| Halt::unknown("an unknown text"))?;
        let start = it.index(&start)?.max(0) as usize;
        let from = match text.char_indices().nth(start) {
            Some((at, _)) => at,
            None if text.chars().count() == start => text.len(),
            None => return Ok(Value::None),
        };
        with(&pattern, |regex| {
            let found = match regex.captures_from_pos(text, from) {
                Ok(Some(found)) => found,
                Ok(None) => return Ok(Value::None),
                Err(_) => return Err(Halt::unknown("a search that takes too long")),
            };
            let chars = |byte: usize| Value::size(text[..byte].chars().count());
            Ok(Value::list(
                found
                    .iter()
                    .map(|group| match group {
                        Some(group) => Value::tuple([chars(group.start()), chars(group.end())]),
                        None => Value::tuple([Value::Int(-1), Value::Int(-1)]),
                    })
                    .collect(),
            ))
        })
    });
}

fn with(pattern: &Value, body: impl FnOnce(&Regex) -> Step<Value>) -> Step<Value> {
    match pattern {
        Value::Object(object) => match object.downcast::<Pattern>() {
            Some(Pattern(regex)) => body(regex),
            None => Err(Halt::type_error("a pattern is needed")),
        },
        _ => Err(Halt::unknown("an unknown pattern")),
    }
}
