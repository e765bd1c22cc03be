//! Functions, classes and type aliases.

use super::Lowerer;
use super::params::Written;
use crate::module::{Arg, Body, ClassDef, CodeKind, Const, Expr, ExprId, FunctionDef, Stmt, StmtId};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    pub(super) fn decorated(&mut self, node: NodeId, out: &mut Vec<StmtId>) {
        let tree = self.tree;
        let decorators: Box<[ExprId]> = tree
            .named(node)
            .filter(|child| tree.kind(*child) == Kind::Decorator)
            .map(|decorator| self.expr_or_error(tree.named(decorator).next(), decorator))
            .collect();
        match self.child(node, Field::Definition) {
            Some(definition) if self.kind(definition) == Kind::ClassDefinition => {
                self.class(definition, decorators, out);
            }
            Some(definition) => self.function(definition, decorators, out),
            None => {
                let error = self.push_stmt(Stmt::Error, self.span(node));
                out.push(error);
            }
        }
    }

    pub(super) fn function(&mut self, node: NodeId, decorators: Box<[ExprId]>, out: &mut Vec<StmtId>) {
        let span = self.span(node);
        let Some(name_node) = self.child(node, Field::Name) else {
            let error = self.push_stmt(Stmt::Error, span);
            out.push(error);
            return;
        };
        let (place, _) = self.bind(name_node);
        let name = self.plain_symbol(self.node_text(name_node));
        let opened = self.open_type_parameters(self.child(node, Field::TypeParameters), out);
        let Written { params, defaults } = self.parameters(self.child(node, Field::Parameters));
        let returns = self.child(node, Field::ReturnType).map(|returns| self.annotation(returns));
        let name_span = self.span(name_node);
        let code = self.open_code(CodeKind::Function, name.as_str(), span, name_span);
        self.code().is_async = self.has_token(node, Kind::KwAsync);
        self.enter_params(params);
        let (body, span) = match self.later(span.start) {
            Some((at, end)) => (Body::Later(at), Span { start: span.start, end }),
            None => {
                let loops = std::mem::take(&mut self.loops);
                let body = self.suite(node, Field::Body);
                self.loops = loops;
                let span = self.until(node, body.last());
                (Body::Block(body), span)
            }
        };
        self.code().span = span;
        self.close_body(body);
        self.close_type_parameters(opened);
        let def = FunctionDef { code, decorators, defaults, returns, place, name };
        let stmt = self.push_stmt(Stmt::FunctionDef(Box::new(def)), span);
        out.push(stmt);
    }

    /// The number of the function that begins here among those whose bodies come later, and where it ends.
    fn later(&mut self, start: u32) -> Option<(u32, u32)> {
        let at = self.later.binary_search_by_key(&start, |part| part.start).ok()?;
        let parent = self.scopes.parent(self.scope)?;
        let parent = &self.codes[parent.index()];
        self.later[at].outer = (parent.kind == CodeKind::Class).then_some(parent.qualname);
        Some((at as u32, self.later[at].end))
    }

    pub(super) fn class(&mut self, node: NodeId, decorators: Box<[ExprId]>, out: &mut Vec<StmtId>) {
        let span = self.span(node);
        let Some(name_node) = self.child(node, Field::Name) else {
            let error = self.push_stmt(Stmt::Error, span);
            out.push(error);
            return;
        };
        let (place, _) = self.bind(name_node);
        let text = self.node_text(name_node);
        let name = self.plain_symbol(text);
        let opened = self.open_type_parameters(self.child(node, Field::TypeParameters), out);
        let mut args: Box<[Arg]> = match self.child(node, Field::Superclasses) {
            Some(superclasses) => self.arguments(superclasses),
            None => Box::default(),
        };
        if opened > 0 {
            // `class C[T](B)` is `class C(B, Generic[T])`.
            let generic = self.of_typing("Generic", self.span(name_node), out);
            let parameters = self.type_parameters(opened, self.span(name_node));
            let base = self.push(Expr::Subscript(generic, parameters), self.span(name_node));
            let place = args.iter().take_while(|arg| matches!(arg, Arg::Positional(_) | Arg::Star(_))).count();
            let mut with = args.into_vec();
            with.insert(place, Arg::Positional(base));
            args = with.into();
        }
        let name_span = self.span(name_node);
        let code = self.open_code(CodeKind::Class, name.as_str(), span, name_span);
        let outer_class = self.class_name.replace(text);
        let loops = std::mem::take(&mut self.loops);
        let body = self.suite(node, Field::Body);
        self.loops = loops;
        self.class_name = outer_class;
        let span = self.until(node, body.last());
        self.code().span = span;
        self.close_body(Body::Block(body));
        self.close_type_parameters(opened);
        let def = ClassDef { code, decorators, args, place, name };
        let stmt = self.push_stmt(Stmt::ClassDef(Box::new(def)), span);
        out.push(stmt);
    }

    /// `type X = …`: an alias whose value a function gives when it is asked for.
    pub(super) fn type_alias(&mut self, node: NodeId, out: &mut Vec<StmtId>) -> Stmt {
        let tree = self.tree;
        let span = self.span(node);
        let right = self.child(node, Field::Right);
        let Some(left) = self.child(node, Field::Left).and_then(|left| tree.named(left).next()) else {
            return Stmt::Error;
        };
        let name = match self.kind(left) {
            Kind::Identifier => left,
            Kind::GenericType => tree.named(left).next().unwrap_or(left),
            _ => {
                self.note(span, "invalid syntax");
                return Stmt::Error;
            }
        };
        let parameters = tree.child_of_kind(left, Kind::TypeParameter);
        let opened = self.open_type_parameters(parameters, out);
        let class = self.of_typing("_LazyAlias", span, out);
        let shown = self.push(Expr::Constant(Const::Str(self.node_text(name).into())), self.span(name));
        let own = self.type_parameters(opened, span);
        let code = self.open_code(CodeKind::Lambda, "<alias>", span, self.span(name));
        self.enter_params(Default::default());
        let value = match right {
            Some(right) => self.annotation(right),
            None => self.error(span),
        };
        self.close_body(Body::Expr(value));
        self.close_type_parameters(opened);
        let value = self.push(Expr::Lambda(code, Box::default()), span);
        let given = [shown, value, own].map(Arg::Positional);
        let value = self.push(Expr::Call(class, Box::new(given)), span);
        let target = self.target(name);
        Stmt::Assign(Box::new([target]), value)
    }
}
