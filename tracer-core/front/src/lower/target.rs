//! What assignments, loops, `with` and `del` bind.

use super::Lowerer;
use super::scope::flag;
use crate::module::Target;
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    /// Lowers a target.
    pub(super) fn target(&mut self, node: NodeId) -> Target {
        let span = self.span(node);
        self.deeper(span, |this| this.target_inside(node)).unwrap_or(Target::Error(span))
    }

    fn target_inside(&mut self, node: NodeId) -> Target {
        let span = self.span(node);
        let tree = self.tree;
        match self.kind(node) {
            Kind::Identifier if self.is_missing(node) => Target::Error(span),
            Kind::Identifier => {
                let (place, symbol) = self.bind(node);
                Target::Name(place, symbol, span)
            }
            Kind::Attribute => {
                let object = self.child(node, Field::Object).map(|object| self.expr(object));
                let name = self.child(node, Field::Attribute);
                match (object, name) {
                    (Some(object), Some(name)) => Target::Attribute(object, self.symbol(self.node_text(name)), span),
                    _ => Target::Error(span),
                }
            }
            Kind::Subscript => {
                let Some(value) = self.child(node, Field::Value) else {
                    return Target::Error(span);
                };
                let value = self.expr(value);
                let index = self.index(node);
                Target::Subscript(value, index, span)
            }
            Kind::ParenthesizedExpression | Kind::AsPatternTarget => match tree.named(node).next() {
                Some(inner) => self.target(inner),
                None => Target::Error(span),
            },
            Kind::TuplePattern if !self.has_token(node, Kind::Comma) && tree.named(node).count() == 1 => {
                match tree.named(node).next() {
                    Some(inner) => self.target(inner),
                    None => Target::Error(span),
                }
            }
            Kind::Tuple
            | Kind::TuplePattern
            | Kind::List
            | Kind::ListPattern
            | Kind::PatternList
            | Kind::ExpressionList => self.tuple_target(tree.named(node), span),
            Kind::ListSplat | Kind::ListSplatPattern => match tree.named(node).next() {
                Some(inner) => Target::Starred(Box::new(self.target(inner)), span),
                None => Target::Error(span),
            },
            kind => {
                if let Some(what) = unassignable(kind, self.node_text(node)) {
                    self.note(span, format!("cannot {} {what}", self.verb));
                }
                // Lowered all the same, for the names and ranges in it.
                self.expr(node);
                Target::Error(span)
            }
        }
    }

    /// A name that an annotation mentions without declaring it.
    pub(super) fn unbound_target(&mut self, node: NodeId) -> Target {
        let tree = self.tree;
        match (self.kind(node), tree.named(node).next()) {
            (Kind::ParenthesizedExpression | Kind::TuplePattern, Some(inner)) => self.unbound_target(inner),
            (Kind::Identifier, _) => {
                let symbol = self.symbol(self.node_text(node));
                Target::Name(self.scopes.mention(self.scope, symbol, 0), symbol, self.span(node))
            }
            _ => self.target(node),
        }
    }

    pub(super) fn tuple_target(&mut self, items: impl Iterator<Item = NodeId>, span: Span) -> Target {
        let items: Box<[Target]> = items.map(|item| self.target(item)).collect();
        if items.iter().filter(|item| matches!(item, Target::Starred(..))).count() > 1 {
            self.note(span, "multiple starred expressions in assignment");
        }
        Target::Tuple(items, span)
    }

    /// Marks the name of an annotated assignment.
    pub(super) fn mark_annotated(&mut self, target: &Target) {
        if let Target::Name(_, symbol, _) = target {
            self.scopes.mention(self.scope, *symbol, flag::ANNOTATED);
        }
    }

    /// Marks the name of an augmented assignment, which is read too.
    pub(super) fn mark_read(&mut self, target: &Target) {
        if let Target::Name(_, symbol, _) = target {
            self.scopes.mention(self.scope, *symbol, flag::USED);
        }
    }
}

/// What Python calls an expression that is not a target.
fn unassignable(kind: Kind, text: &str) -> Option<&'static str> {
    Some(match kind {
        Kind::Call => "function call",
        Kind::True => "True",
        Kind::False => "False",
        Kind::None => "None",
        Kind::Ellipsis => "ellipsis",
        Kind::String | Kind::ConcatenatedString if text.contains(['f', 'F']) && text.contains('{') => {
            "f-string expression"
        }
        Kind::Integer | Kind::Float | Kind::String | Kind::ConcatenatedString => "literal",
        Kind::BinaryOperator | Kind::UnaryOperator | Kind::BooleanOperator | Kind::NotOperator => "expression",
        Kind::ComparisonOperator => "comparison",
        Kind::ConditionalExpression => "conditional expression",
        Kind::Lambda => "lambda",
        Kind::Yield => "yield expression",
        Kind::Await => "await expression",
        Kind::Set => "set display",
        Kind::Dictionary => "dict literal",
        Kind::ListComprehension => "list comprehension",
        Kind::SetComprehension => "set comprehension",
        Kind::DictionaryComprehension => "dict comprehension",
        Kind::GeneratorExpression => "generator expression",
        Kind::NamedExpression => "named expression",
        _ => return None,
    })
}
