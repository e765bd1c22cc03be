//! Imports.

use super::{Lowerer, literal};
use crate::module::{Alias, CodeKind, Stmt, Symbol};
use crate::syntax::{Field, Kind, NodeId};

impl<'a> Lowerer<'a> {
    fn dotted_symbol(&self, node: NodeId) -> Symbol {
        let text = self.node_text(node);
        if text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.') {
            return Symbol::from(text);
        }
        let names: Vec<String> = self.tree.named(node).map(|name| literal::nfkc(self.node_text(name))).collect();
        Symbol::from(&names.join("."))
    }

    pub(super) fn import_alias(&mut self, node: NodeId) -> Alias {
        let span = self.span(node);
        let (dotted, asname) = self.alias_parts(node);
        let name = self.dotted_symbol(dotted);
        let (place, asname) = match asname {
            Some(asname) => {
                let (place, symbol) = self.bind(asname);
                (place, Some(symbol))
            }
            None => {
                let first = name.as_str().split('.').next().unwrap_or("");
                let symbol = self.symbol(first);
                (self.bind_name(symbol), None)
            }
        };
        Alias { name, asname, place, span }
    }

    fn alias_in_from(&mut self, node: NodeId) -> Alias {
        let span = self.span(node);
        let (dotted, asname) = self.alias_parts(node);
        let name = self.dotted_symbol(dotted);
        if name.as_str().contains('.') {
            self.note(self.span(dotted), "invalid syntax");
        }
        let (place, asname) = match asname {
            Some(asname) => {
                let (place, symbol) = self.bind(asname);
                (place, Some(symbol))
            }
            None => {
                let symbol = self.symbol(name.as_str());
                (self.bind_name(symbol), None)
            }
        };
        Alias { name, asname, place, span }
    }

    fn alias_parts(&self, node: NodeId) -> (NodeId, Option<NodeId>) {
        if self.kind(node) == Kind::AliasedImport {
            (self.child(node, Field::Name).unwrap_or(node), self.child(node, Field::Alias))
        } else {
            (node, None)
        }
    }

    pub(super) fn import_from(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        self.note_trailing_comma(node);
        let mut level = 0;
        let mut module = Symbol::from("");
        if let Some(source) = self.child(node, Field::ModuleName) {
            let dotted = if self.kind(source) == Kind::RelativeImport {
                if let Some(prefix) = tree.child_of_kind(source, Kind::ImportPrefix) {
                    level = self.node_text(prefix).bytes().filter(|b| *b == b'.').count() as u32;
                }
                tree.child_of_kind(source, Kind::DottedName)
            } else {
                Some(source)
            };
            if let Some(dotted) = dotted {
                module = self.dotted_symbol(dotted);
            }
        }
        if tree.child_of_kind(node, Kind::WildcardImport).is_some() {
            if self.scopes.kind(self.scope) != CodeKind::Module {
                self.note(self.span(node), "import * only allowed at module level");
            }
            return Stmt::ImportStar { module, level };
        }
        let names = tree
            .children_in(node, Field::Name)
            .filter(|name| !self.is_missing(*name))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|name| self.alias_in_from(name))
            .collect();
        Stmt::ImportFrom { module, level, names }
    }

    pub(super) fn future_import(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        let names: Box<[Alias]> = tree
            .children_in(node, Field::Name)
            .filter(|name| !self.is_missing(*name))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|name| self.alias_in_from(name))
            .collect();
        for alias in &names {
            match alias.name.as_str() {
                "annotations" => self.module.future_annotations = true,
                "nested_scopes" | "generators" | "division" | "absolute_import" | "with_statement"
                | "print_function" | "unicode_literals" | "barry_as_FLUFL" | "generator_stop" => {}
                "braces" => self.note(alias.span, "not a chance"),
                name => self.note(alias.span, format!("future feature {name} is not defined")),
            }
        }
        if !self.future_allowed {
            let message = "from __future__ imports must occur at the beginning of the file";
            self.note(self.span(node), message);
        }
        Stmt::ImportFrom { module: Symbol::from("__future__"), level: 0, names }
    }
}
