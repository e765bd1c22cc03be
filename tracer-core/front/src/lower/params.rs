//! Parameters of functions and lambdas.

use super::Lowerer;
use super::scope::flag;
use crate::module::{Defaults, ExprId, Param, Params, Symbol};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

/// Parameters as they are written, before their scope is opened.
#[derive(Default)]
pub(super) struct Written {
    pub(super) params: Params,
    pub(super) defaults: Defaults,
}

#[derive(Default)]
struct Collected {
    positional: Vec<Param>,
    positional_defaults: Vec<ExprId>,
    keyword_only: Vec<Param>,
    keyword_defaults: Vec<Option<ExprId>>,
    var_positional: Option<Param>,
    var_keyword: Option<Param>,
    positional_only: usize,
    /// Whether `*` or `*args` has been seen.
    after_star: bool,
}

impl<'a> Lowerer<'a> {
    /// Lowers parameters, evaluating their defaults and annotations in the current (enclosing) scope.
    pub(super) fn parameters(&mut self, node: Option<NodeId>) -> Written {
        let mut seen = Collected::default();
        let tree = self.tree;
        if let Some(node) = node {
            for child in tree.named(node) {
                self.parameter(child, &mut seen);
            }
        }
        let mut params = Params {
            positional_only: seen.positional_only as u32,
            positional: seen.positional.len() as u32,
            keyword_only: seen.keyword_only.len() as u32,
            names: seen.positional,
            ..Params::default()
        };
        params.names.append(&mut seen.keyword_only);
        if let Some(param) = seen.var_positional {
            params.var_positional = Some(params.names.len() as u32);
            params.names.push(param);
        }
        if let Some(param) = seen.var_keyword {
            params.var_keyword = Some(params.names.len() as u32);
            params.names.push(param);
        }
        let defaults =
            Defaults { positional: seen.positional_defaults.into(), keyword_only: seen.keyword_defaults.into() };
        Written { params, defaults }
    }

    /// Gives the current code its parameters.
    pub(super) fn enter_params(&mut self, params: Params) {
        for param in &params.names {
            if self.scopes.flags(self.scope, param.name) & flag::PARAM != 0 {
                let message = format!("duplicate argument '{}' in function definition", param.name);
                self.note(param.span, message);
            }
            self.scopes.mention(self.scope, param.name, flag::PARAM);
        }
        self.code().params = params;
    }

    fn parameter(&mut self, node: NodeId, seen: &mut Collected) {
        let tree = self.tree;
        match self.kind(node) {
            Kind::Identifier => self.plain_parameter(node, None, None, seen),
            Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                let annotation = self.child(node, Field::Type).map(|ty| self.annotation(ty));
                let default = self.child(node, Field::Value).map(|value| self.expr(value));
                if let Some(name) = self.child(node, Field::Name) {
                    self.plain_parameter(name, annotation, default, seen);
                }
            }
            Kind::TypedParameter => {
                let annotation = self.child(node, Field::Type).map(|ty| self.annotation(ty));
                let Some(inner) = tree.named(node).next() else {
                    return;
                };
                match self.kind(inner) {
                    Kind::Identifier => self.plain_parameter(inner, annotation, None, seen),
                    _ => self.star_parameter(inner, annotation, seen),
                }
            }
            Kind::ListSplatPattern | Kind::DictionarySplatPattern => self.star_parameter(node, None, seen),
            Kind::KeywordSeparator => seen.after_star = true,
            Kind::PositionalSeparator => seen.positional_only = seen.positional.len(),
            _ => self.note(self.span(node), "invalid syntax"),
        }
    }

    fn plain_parameter(
        &mut self,
        name: NodeId,
        annotation: Option<ExprId>,
        default: Option<ExprId>,
        seen: &mut Collected,
    ) {
        if self.kind(name) != Kind::Identifier {
            self.note(self.span(name), "Function parameters cannot be parenthesized");
            return;
        }
        if self.is_missing(name) {
            return;
        }
        let param = self.param(name, annotation);
        if seen.after_star {
            seen.keyword_only.push(param);
            seen.keyword_defaults.push(default);
            return;
        }
        if let Some(default) = default {
            seen.positional_defaults.push(default);
        } else if !seen.positional_defaults.is_empty() {
            self.note(param.span, "non-default argument follows default argument");
            let unknown = self.error(param.span);
            seen.positional_defaults.push(unknown);
        }
        seen.positional.push(param);
    }

    fn star_parameter(&mut self, node: NodeId, annotation: Option<ExprId>, seen: &mut Collected) {
        let Some(name) = self.tree.named(node).next() else {
            return;
        };
        let param = self.param(name, annotation);
        if self.kind(node) == Kind::DictionarySplatPattern {
            seen.var_keyword = Some(param);
        } else {
            seen.after_star = true;
            seen.var_positional = Some(param);
        }
    }

    fn param(&mut self, name: NodeId, annotation: Option<ExprId>) -> Param {
        Param { name: self.symbol(self.node_text(name)), span: self.span(name), annotation }
    }

    /// The parameter that a comprehension takes.
    pub(super) fn iterator_param(&mut self, span: Span) {
        let name = Symbol::from(".0");
        let params = Params {
            names: vec![Param { name, span, annotation: None }],
            positional_only: 1,
            positional: 1,
            ..Params::default()
        };
        self.enter_params(params);
    }
}
