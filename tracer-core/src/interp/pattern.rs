//! `match` statements.

use super::function::{Flow, Run};
use crate::module::{Case, ExprId, Pattern, Place, Symbol};
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Dict, Value};

/// Whether a pattern matches; the reason where that is not known.
type Matched = Result<bool, Why>;

/// The names that a pattern binds once all of it has matched.
type Captures = Vec<(Place, Value)>;

/// The types whose one positional pattern is matched by the whole subject.
const MATCHED_WHOLE: [&str; 11] =
    ["bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"];

/// Both parts match; where one does not, the other says nothing.
fn both(a: Matched, b: Matched) -> Matched {
    match (a, b) {
        (Ok(false), _) | (_, Ok(false)) => Ok(false),
        (Err(why), _) | (_, Err(why)) => Err(why),
        (Ok(true), Ok(true)) => Ok(true),
    }
}

impl Run<'_> {
    /// `match subject: cases`
    pub fn match_statement(&mut self, subject: ExprId, cases: &[Case]) -> Step<Flow> {
        let subject = self.eval(subject)?;
        self.match_cases(&subject, cases)
    }

    fn match_cases(&mut self, subject: &Value, cases: &[Case]) -> Step<Flow> {
        let Some((case, rest)) = cases.split_first() else { return Ok(Flow::Next) };
        let mut captures = Captures::new();
        match self.matches(&case.pattern, subject, &mut captures)? {
            Ok(true) => self.matched_case(subject, case, rest, captures),
            Ok(false) => self.match_cases(subject, rest),
            Err(why) if self.user => self.either(
                &why,
                |run| run.matched_case(subject, case, rest, captures),
                |run| run.match_cases(subject, rest),
            ),
            Err(why) => Err(Halt::Unknown(why)),
        }
    }

    /// A case whose pattern matches: binds its names, and asks its guard.
    fn matched_case(&mut self, subject: &Value, case: &Case, rest: &[Case], captures: Captures) -> Step<Flow> {
        for (place, value) in captures {
            self.store(place, value);
        }
        let Some(guard) = case.guard else { return self.block(&case.body) };
        let value = self.eval(guard)?;
        match self.it.truth_or_unknown(&value)? {
            Ok(true) => self.block(&case.body),
            Ok(false) => self.match_cases(subject, rest),
            Err(why) if self.user => {
                self.either(&why, |run| run.block(&case.body), |run| run.match_cases(subject, rest))
            }
            Err(why) => Err(Halt::Unknown(why)),
        }
    }

    fn matches(&mut self, pattern: &Pattern, subject: &Value, captures: &mut Captures) -> Step<Matched> {
        let it = self.it;
        Ok(match pattern {
            Pattern::Value(expr) => {
                let value = self.eval(*expr)?;
                return self.placed(it.items_equal(subject, &value), self.module.span(*expr));
            }
            Pattern::Singleton(constant) => match subject {
                Value::Unknown(unknown) => Err(unknown.why.clone()),
                subject => Ok(subject.is(&super::expr::constant_value(constant))),
            },
            Pattern::Capture(None) | Pattern::Star(None) => Ok(true),
            Pattern::Capture(Some((place, _))) | Pattern::Star(Some((place, _))) => {
                captures.push((*place, subject.clone()));
                Ok(true)
            }
            Pattern::As(inner, (place, _)) => {
                let matched = self.matches(inner, subject, captures)?;
                captures.push((*place, subject.clone()));
                matched
            }
            Pattern::Or(patterns) => {
                let start = captures.len();
                for pattern in patterns {
                    match self.matches(pattern, subject, captures)? {
                        Ok(false) => captures.truncate(start),
                        Ok(true) => return Ok(Ok(true)),
                        // Another one may have bound its names.
                        Err(why) => {
                            for (_, value) in &mut captures[start..] {
                                *value = Value::unknown(why.0.clone());
                            }
                            return Ok(Err(why));
                        }
                    }
                }
                Ok(false)
            }
            Pattern::Sequence(patterns) => return self.matches_sequence(patterns, subject, captures),
            Pattern::Mapping { items, rest } => return self.matches_mapping(items, rest.as_ref(), subject, captures),
            Pattern::Class { class, positional, keyword } => {
                let named = self.eval(*class)?;
                let matched = self.matches_class(&named, positional, keyword, subject, captures);
                return self.placed(matched, self.module.span(*class));
            }
        })
    }

    /// Patterns of the parts of something of which it is not known that it has them.
    fn matches_unknown<'p>(
        &mut self,
        patterns: impl IntoIterator<Item = &'p Pattern>,
        why: Why,
        captures: &mut Captures,
    ) -> Step<Matched> {
        let part = Value::unknown(why.0.clone());
        let mut matched = Err(why);
        for pattern in patterns {
            matched = both(matched, self.matches(pattern, &part, captures)?);
        }
        Ok(matched)
    }

    fn matches_mapping(
        &mut self,
        items: &[(ExprId, Pattern)],
        rest: Option<&(Place, Symbol)>,
        subject: &Value,
        captures: &mut Captures,
    ) -> Step<Matched> {
        let it = self.it;
        let unknown = match subject.base() {
            Value::Unknown(unknown) => Some(unknown.why.clone()),
            Value::Dict(dict) => dict.why_vague(),
            Value::Instance(_) => match self.is_abstract(subject, "Mapping")? {
                Ok(true) => return self.matches_other_mapping(items, rest, subject, captures),
                Ok(false) => return Ok(Ok(false)),
                Err(why) => Some(why),
            },
            _ => return Ok(Ok(false)),
        };
        if let Some(why) = unknown {
            for (key, _) in items {
                self.eval(*key)?;
            }
            if let Some((place, _)) = rest {
                captures.push((*place, Value::unknown(why.0.clone())));
            }
            return self.matches_unknown(items.iter().map(|(_, pattern)| pattern), why, captures);
        }
        let Value::Dict(dict) = subject.base() else { return Ok(Ok(false)) };
        let mut left = dict.read().clone();
        let matched = self.matches_items(items, captures, |key| Ok(left.shift_remove(&it.key(&key)?)))?;
        if let Some((place, _)) = rest {
            captures.push((*place, Value::Dict(Dict::new(left))));
        }
        Ok(matched)
    }

    /// The items of a mapping, which are taken by their keys.
    fn matches_items(
        &mut self,
        items: &[(ExprId, Pattern)],
        captures: &mut Captures,
        mut take: impl FnMut(Value) -> Step<Option<Value>>,
    ) -> Step<Matched> {
        let mut matched = Ok(true);
        for (key, pattern) in items {
            let key = self.eval(*key)?;
            let Some(value) = take(key)? else { return Ok(Ok(false)) };
            matched = both(matched, self.matches(pattern, &value, captures)?);
            if matched == Ok(false) {
                break;
            }
        }
        Ok(matched)
    }

    /// Whether an instance is one of an abstract class of `collections.abc`, by its bases or by registration.
    fn is_abstract(&mut self, subject: &Value, name: &'static str) -> Step<Matched> {
        let it = self.it;
        let module = it.import(Symbol::from("collections.abc"))?;
        let class = it.getattr(&module, Symbol::from(name))?;
        it.is_instance(subject, &class)
    }

    /// A mapping that is no `dict` is asked for its keys, and copied for what is left.
    fn matches_other_mapping(
        &mut self,
        items: &[(ExprId, Pattern)],
        rest: Option<&(Place, Symbol)>,
        subject: &Value,
        captures: &mut Captures,
    ) -> Step<Matched> {
        let it = self.it;
        let get = it.getattr(subject, sym!("get"))?;
        let missing = Value::list(Vec::new());
        let mut keys = Vec::new();
        let matched = self.matches_items(items, captures, |key| {
            let value = it.call_with(&get, [key.clone(), missing.clone()])?;
            keys.push(it.key(&key)?);
            Ok((!value.is(&missing)).then_some(value))
        })?;
        if matched == Ok(false) {
            return Ok(matched);
        }
        if let Some((place, _)) = rest {
            let left = it.call_with(&Value::Class(it.types.dict.clone()), [subject.clone()])?;
            if let Value::Dict(left) = &left {
                keys.iter().for_each(|key| drop(left.write().shift_remove(key)));
            }
            captures.push((*place, left));
        }
        Ok(matched)
    }

    fn matches_class(
        &mut self,
        class: &Value,
        positional: &[Pattern],
        keyword: &[(Symbol, Pattern)],
        subject: &Value,
        captures: &mut Captures,
    ) -> Step<Matched> {
        let it = self.it;
        let parts = || positional.iter().chain(keyword.iter().map(|(_, pattern)| pattern));
        if let Value::Unknown(unknown) = class {
            return self.matches_unknown(parts(), unknown.why.clone(), captures);
        }
        let is_matched_whole =
            matches!(class, Value::Class(c) if c.is_builtin() && MATCHED_WHOLE.contains(&c.name.as_str()));
        let mut matched = match it.is_instance(subject, class)? {
            Ok(false) => return Ok(Ok(false)),
            matched => matched,
        };
        if is_matched_whole && positional.len() == 1 {
            return Ok(both(matched, self.matches(&positional[0], subject, captures)?));
        }
        if let Err(why) = matched {
            return self.matches_unknown(parts(), why, captures);
        }
        let mut names: Vec<Symbol> = Vec::new();
        if !positional.is_empty() {
            let given = match it.find_attr(class, sym!("__match_args__"))? {
                Some(given) => it.to_vec(&given)?,
                None => Vec::new(),
            };
            if given.len() < positional.len() {
                let (most, have) = (if is_matched_whole { 1 } else { given.len() }, positional.len());
                let Value::Class(named) = class else { return Ok(Ok(false)) };
                let name = named.name;
                let s = if most == 1 { "" } else { "s" };
                return Err(Halt::type_error(format!(
                    "{name}() accepts {most} positional sub-pattern{s} ({have} given)"
                )));
            }
            for name in given {
                let Some(name) = name.as_str() else { return Ok(Ok(false)) };
                names.push(Symbol::from(name));
            }
        }
        let named = positional.iter().zip(names).map(|(pattern, name)| (name, pattern));
        for (name, pattern) in named.chain(keyword.iter().map(|(name, pattern)| (*name, pattern))) {
            let part = match it.find_attr(subject, name) {
                Ok(Some(value)) => self.matches(pattern, &value, captures)?,
                Ok(None) => Ok(false),
                Err(Halt::Unknown(why)) => self.matches_unknown([pattern], why, captures)?,
                Err(halt) => return Err(halt),
            };
            matched = both(matched, part);
            if matched == Ok(false) {
                break;
            }
        }
        Ok(matched)
    }

    fn matches_sequence(&mut self, patterns: &[Pattern], subject: &Value, captures: &mut Captures) -> Step<Matched> {
        let items = match subject.base() {
            Value::Unknown(unknown) => return self.matches_unknown(patterns, unknown.why.clone(), captures),
            Value::Tuple(items) => items.to_vec(),
            Value::List(list) => match list.why_vague() {
                Some(why) => return self.matches_unknown(patterns, why, captures),
                None => list.read().clone(),
            },
            Value::Range(_) => self.it.to_vec(subject)?,
            Value::Instance(_) => match self.is_abstract(subject, "Sequence")? {
                Ok(true) => self.it.to_vec(subject)?,
                Ok(false) => return Ok(Ok(false)),
                Err(why) => return self.matches_unknown(patterns, why, captures),
            },
            _ => return Ok(Ok(false)),
        };
        let star = patterns.iter().position(|p| matches!(p, Pattern::Star(_)));
        let fits = match star {
            None => items.len() == patterns.len(),
            Some(_) => items.len() + 1 >= patterns.len(),
        };
        if !fits {
            return Ok(Ok(false));
        }
        let mut at = 0;
        let mut matched = Ok(true);
        for (i, pattern) in patterns.iter().enumerate() {
            let value = if Some(i) == star {
                let count = items.len() + 1 - patterns.len();
                at += count;
                Value::list(items[at - count..at].to_vec())
            } else {
                at += 1;
                items[at - 1].clone()
            };
            matched = both(matched, self.matches(pattern, &value, captures)?);
            if matched == Ok(false) {
                break;
            }
        }
        Ok(matched)
    }
}
