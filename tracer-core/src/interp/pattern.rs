//! `match` statements.

use super::function::{Flow, Run};
use crate::module::{Case, ExprId, Pattern, Place, Symbol};
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Dict, Value};

/// Whether a pattern matches; the reason where that is not known.
type Matched = Result<bool, Why>;

/// The names that a pattern binds once all of it has matched.
type Captures = Vec<(Place, Value)>;

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
                return it.items_equal(subject, &value).map_err(|halt| match halt {
                    Halt::Raise(mut exception) => {
                        self.place(&mut exception, self.module.span(*expr));
                        Halt::Raise(exception)
                    }
                    halt => halt,
                });
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
                let class = self.eval(*class)?;
                return self.matches_class(&class, positional, keyword, subject, captures);
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
        let mut matched = Ok(true);
        for (key, pattern) in items {
            let key = self.eval(*key)?;
            let key = it.key(&key)?;
            let Some(value) = left.shift_remove(&key) else { return Ok(Ok(false)) };
            matched = both(matched, self.matches(pattern, &value, captures)?);
            if matched == Ok(false) {
                return Ok(matched);
            }
        }
        if let Some((place, _)) = rest {
            captures.push((*place, Value::Dict(Dict::new(left))));
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
        let is_builtin = matches!(class, Value::Class(c) if c.is_builtin());
        let mut matched = match it.is_instance(subject, class)? {
            Ok(false) => return Ok(Ok(false)),
            matched => matched,
        };
        if is_builtin && positional.len() == 1 {
            return Ok(both(matched, self.matches(&positional[0], subject, captures)?));
        }
        if let Err(why) = matched {
            return self.matches_unknown(parts(), why, captures);
        }
        let mut names: Vec<Symbol> = Vec::new();
        if !positional.is_empty() {
            let given = it.getattr(class, sym!("__match_args__"))?;
            for name in it.to_vec(&given)? {
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
