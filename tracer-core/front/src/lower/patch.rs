//! Writes the real places of names over the numbers that stood for them while lowering.

use crate::module::{Body, Code, Expr, Module, Pattern, Place, Stmt, Symbol, Target};

pub(super) fn patch(module: &mut Module, codes: &mut [Code], places: &[Place]) {
    let patch = Patch { places };
    for expr in &mut module.exprs {
        if let Expr::Name(place, _) | Expr::Walrus(place, _, _) = expr {
            patch.place(place);
        }
    }
    for stmt in &mut module.stmts {
        patch.stmt(stmt);
    }
    for code in codes {
        if let Body::Comprehension(comprehension) = &mut code.body {
            for clause in &mut comprehension.clauses {
                patch.target(&mut clause.target);
            }
        }
    }
}

struct Patch<'a> {
    places: &'a [Place],
}

impl Patch<'_> {
    fn place(&self, place: &mut Place) {
        if let Place::Local(entry) = *place {
            *place = self.places[entry as usize];
        }
    }

    fn bound(&self, bound: &mut Option<(Place, Symbol)>) {
        if let Some((place, _)) = bound {
            self.place(place);
        }
    }

    pub(super) fn stmt(&self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Assign(targets, _) | Stmt::Delete(targets) => {
                targets.iter_mut().for_each(|target| self.target(target))
            }
            Stmt::AugAssign { target, .. } | Stmt::AnnAssign { target, .. } | Stmt::For { target, .. } => {
                self.target(target);
            }
            Stmt::With { items, .. } => {
                items.iter_mut().filter_map(|item| item.target.as_mut()).for_each(|target| self.target(target));
            }
            Stmt::Try { handlers, .. } => handlers.iter_mut().for_each(|handler| self.bound(&mut handler.name)),
            Stmt::Import(names) | Stmt::ImportFrom { names, .. } => {
                names.iter_mut().for_each(|alias| self.place(&mut alias.place));
            }
            Stmt::FunctionDef(def) => self.place(&mut def.place),
            Stmt::ClassDef(def) => self.place(&mut def.place),
            Stmt::Match(_, cases) => cases.iter_mut().for_each(|case| self.pattern(&mut case.pattern)),
            Stmt::Expr(_)
            | Stmt::While { .. }
            | Stmt::If { .. }
            | Stmt::Raise(..)
            | Stmt::Return(_)
            | Stmt::Assert(..)
            | Stmt::ImportStar { .. }
            | Stmt::Pass
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Error => {}
        }
    }

    pub(super) fn target(&self, target: &mut Target) {
        match target {
            Target::Name(place, ..) => self.place(place),
            Target::Tuple(items, _) => items.iter_mut().for_each(|item| self.target(item)),
            Target::Starred(item, _) => self.target(item),
            Target::Attribute(..) | Target::Subscript(..) | Target::Error(_) => {}
        }
    }

    pub(super) fn pattern(&self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Value(_) | Pattern::Singleton(_) => {}
            Pattern::Capture(bound) | Pattern::Star(bound) => self.bound(bound),
            Pattern::Sequence(items) | Pattern::Or(items) => items.iter_mut().for_each(|item| self.pattern(item)),
            Pattern::Mapping { items, rest } => {
                items.iter_mut().for_each(|(_, item)| self.pattern(item));
                self.bound(rest);
            }
            Pattern::Class { positional, keyword, .. } => {
                positional.iter_mut().for_each(|item| self.pattern(item));
                keyword.iter_mut().for_each(|(_, item)| self.pattern(item));
            }
            Pattern::As(item, (place, _)) => {
                self.pattern(item);
                self.place(place);
            }
        }
    }
}
