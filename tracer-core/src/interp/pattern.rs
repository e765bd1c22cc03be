//! `match` statements.

use super::function::{Flow, Run};
use crate::module::{Case, ExprId, Pattern, Symbol};
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Dict, Value};

/// Whether a pattern matches; the reason where that is not known.
type Matched = Result<bool, Why>;

impl Run<'_> {
    /// `match subject: cases`
    pub fn match_statement(&mut self, subject: ExprId, cases: &[Case]) -> Step<Flow> {
        let subject = self.eval(subject)?;
        self.match_cases(&subject, cases)
    }

    fn match_cases(&mut self, subject: &Value, cases: &[Case]) -> Step<Flow> {
        let Some((case, rest)) = cases.split_first() else { return Ok(Flow::Next) };
        let mut matched = self.matches(&case.pattern, subject)?;
        if let (Ok(true), Some(guard)) = (&matched, case.guard) {
            let value = self.eval(guard)?;
            matched = self.it.truth_or_unknown(&value)?;
        }
        match matched {
            Ok(true) => self.block(&case.body),
            Ok(false) => self.match_cases(subject, rest),
            Err(why) if self.user => {
                self.either(&why, |run| run.block(&case.body), |run| run.match_cases(subject, rest))
            }
            Err(why) => Err(Halt::Unknown(why)),
        }
    }

    fn matches(&mut self, pattern: &Pattern, subject: &Value) -> Step<Matched> {
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
                self.store(*place, subject.clone());
                Ok(true)
            }
            Pattern::As(inner, (place, _)) => {
                let matched = self.matches(inner, subject)?;
                if matched != Ok(false) {
                    self.store(*place, subject.clone());
                }
                matched
            }
            Pattern::Or(patterns) => {
                for pattern in patterns {
                    match self.matches(pattern, subject)? {
                        Ok(false) => {}
                        other => return Ok(other),
                    }
                }
                Ok(false)
            }
            Pattern::Sequence(patterns) => return self.matches_sequence(patterns, subject),
            Pattern::Mapping { items, rest } => {
                if let Value::Unknown(unknown) = subject {
                    return Ok(Err(unknown.why.clone()));
                }
                let Value::Dict(dict) = subject.base() else { return Ok(Ok(false)) };
                if let Some(why) = dict.why_vague() {
                    return Ok(Err(why));
                }
                let mut left = dict.read().clone();
                for (key, pattern) in items {
                    let key = self.eval(*key)?;
                    let key = it.key(&key)?;
                    let Some(value) = left.shift_remove(&key) else { return Ok(Ok(false)) };
                    match self.matches(pattern, &value)? {
                        Ok(true) => {}
                        other => return Ok(other),
                    }
                }
                if let Some((place, _)) = rest {
                    self.store(*place, Value::Dict(Dict::new(left)));
                }
                Ok(true)
            }
            Pattern::Class { class, positional, keyword } => {
                let class = self.eval(*class)?;
                if let Value::Unknown(unknown) = &class {
                    return Ok(Err(unknown.why.clone()));
                }
                match it.is_instance(subject, &class)? {
                    Ok(true) => {}
                    other => return Ok(other),
                }
                let builtin = matches!(&class, Value::Class(c) if c.is_builtin());
                if builtin && positional.len() == 1 {
                    return self.matches(&positional[0], subject);
                }
                if !positional.is_empty() {
                    let names = it.getattr(&class, sym!("__match_args__"))?;
                    let names = it.to_vec(&names)?;
                    for (pattern, name) in positional.iter().zip(names) {
                        let Some(name) = name.as_str() else { return Ok(Ok(false)) };
                        let Some(value) = it.find_attr(subject, Symbol::from(name))? else { return Ok(Ok(false)) };
                        match self.matches(pattern, &value)? {
                            Ok(true) => {}
                            other => return Ok(other),
                        }
                    }
                }
                for (name, pattern) in keyword {
                    let Some(value) = it.find_attr(subject, *name)? else { return Ok(Ok(false)) };
                    match self.matches(pattern, &value)? {
                        Ok(true) => {}
                        other => return Ok(other),
                    }
                }
                Ok(true)
            }
        })
    }

    fn matches_sequence(&mut self, patterns: &[Pattern], subject: &Value) -> Step<Matched> {
        let items = match subject.base() {
            Value::Unknown(unknown) => return Ok(Err(unknown.why.clone())),
            Value::Tuple(items) => items.to_vec(),
            Value::List(list) => match list.why_vague() {
                Some(why) => return Ok(Err(why)),
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
        for (i, pattern) in patterns.iter().enumerate() {
            let value = if Some(i) == star {
                let count = items.len() + 1 - patterns.len();
                at += count;
                Value::list(items[at - count..at].to_vec())
            } else {
                at += 1;
                items[at - 1].clone()
            };
            match self.matches(pattern, &value)? {
                Ok(true) => {}
                other => return Ok(other),
            }
        }
        Ok(Ok(true))
    }
}
