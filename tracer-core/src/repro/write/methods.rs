//! Methods that run on numbers (callbacks): a class stands for what they are bound to, with the members that they read.

use std::rc::Rc;

use super::expression::Ex;
use super::verbatim::{is_callback, own_lines};
use super::{Line, Writer};
use crate::frameworks::is_framework;
use crate::module::{Expr, ExprId, Module, Stmt, Symbol, Target};
use crate::python::{Function, Instance, Method, Site, Value};
use crate::repro::names::free_name;
use crate::repro::tree::Op;
use crate::text::Span;

/// So many members a class has at most.
const MOST_MEMBERS: usize = 16;

/// So many items a list has that is a member.
const MOST_ITEMS: usize = 8;

/// What a class is written of.
#[derive(Default)]
struct Members {
    /// Names with the texts of their values.
    values: Vec<(Symbol, String)>,
    methods: Vec<(Symbol, Vec<(usize, String, Site)>)>,
    /// Constants that the methods need of what is around them.
    constants: Vec<(Symbol, String)>,
}

impl Writer<'_> {
    /// A method as a callback: its own text in a class of its own, where it writes nothing to its object and needs of it nothing but
    /// constants, arrays of NumPy, and other methods of which the same is true.
    pub fn verbatim_method(&mut self, method: &Method) -> Option<Ex> {
        let Op::Call(Value::Function(callee)) = &self.state.statements[*self.calls.last()?].op else { return None };
        let (Value::Instance(instance), Value::Function(function)) = (&method.receiver, &method.function) else {
            return None;
        };
        if !is_callback(callee) || is_framework(&instance.class_ref().module) {
            return None;
        }
        self.own_text(|w| w.class_of_method(instance, function))
    }

    fn class_of_method(&mut self, instance: &Rc<Instance>, function: &Rc<Function>) -> Option<Ex> {
        let mut members = Members::default();
        let mut wanted = vec![(function.name(), function.clone())];
        let mut seen: Vec<Symbol> = vec![function.name()];
        while let Some((name, function)) = wanted.pop() {
            let read = self.method(&name, &function, &mut members)?;
            for name in read {
                if seen.contains(&name) {
                    continue;
                }
                seen.push(name);
                if seen.len() > MOST_MEMBERS {
                    return None;
                }
                match (instance.get(name), instance.class().lookup(name)) {
                    (Some(value), _) => members.values.push((name, self.member(&value)?)),
                    (None, Some(Value::Function(inner))) if !inner.module.unit.ours => wanted.push((name, inner)),
                    (None, Some(value)) => members.values.push((name, self.member(&value)?)),
                    (None, None) => return None,
                }
            }
        }
        members.values.sort_by_key(|(name, _)| name.to_string());
        self.written_class(&instance.class().name, members)
            .map(|class| Ex::atom(format!("{class}().{}", function.name())))
    }

    /// Adds a method to a class, and tells which members it reads.
    fn method(&mut self, name: &Symbol, function: &Rc<Function>, members: &mut Members) -> Option<Vec<Symbol>> {
        let analysis = self.analysis;
        let file = analysis.files.get(analysis.file_index(function.unit.file)?)?;
        let code = function.code();
        let own = code.params.names.first()?.name;
        if !function.defaults.is_empty() || !function.kw_defaults.is_empty() || code.is_generator {
            return None;
        }
        let read = members_read(&function.unit.module, code.span, own)?;
        let text = file.text.get(code.span.start as usize..code.span.end as usize)?;
        let lines = own_lines(function, text)?;
        for constant in self.constants(function, code.span, &mut vec![Rc::as_ptr(function) as usize])? {
            if !members.constants.contains(&constant) {
                members.constants.push(constant);
            }
        }
        let before = file.text[..code.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let column = code.span.start as usize - before;
        let lines = lines.into_iter().enumerate().map(|(i, (indent, text, site))| {
            (indent.saturating_sub(if i == 0 { 0 } else { column }), text.to_owned(), site)
        });
        members.methods.push((*name, lines.collect()));
        Some(read)
    }

    /// The text of a member.
    fn member(&mut self, value: &Value) -> Option<String> {
        if let Value::List(items) = value {
            let items = items.read().to_vec();
            let texts: Option<Vec<String>> = items.iter().take(MOST_ITEMS + 1).map(|item| self.member(item)).collect();
            return texts.filter(|texts| texts.len() <= MOST_ITEMS).map(|texts| format!("[{}]", texts.join(", ")));
        }
        self.constant(sym!("self"), value, &mut Vec::new())?.map(|(_, text)| text)
    }

    /// Writes the class at the top, and gives its name.
    fn written_class(&mut self, name: &str, members: Members) -> Option<String> {
        let key = format!("class {name} {:?} {:?}", members.values, members.methods);
        if let Some(name) = self.scopes[0].functions.get(&key) {
            return Some(name.clone());
        }
        let is_free = |name: &str| free_name(name, |name| self.given.contains(name)) == name;
        if !members.constants.iter().all(|(name, _)| is_free(name)) {
            return None;
        }
        let name = free_name(name, |name| self.given.contains(name));
        self.give(name.clone());
        self.given.extend(members.constants.iter().map(|(name, _)| name.to_string()));
        self.scopes[0].functions.insert(key, name.clone());
        let slot = self.scopes[0].slots.entry(0).or_default();
        slot.extend(members.constants.iter().map(|(name, value)| Line::new(0, format!("{name} = {value}"), None)));
        slot.push(Line::new(0, format!("class {name}:"), None));
        slot.extend(members.values.iter().map(|(name, value)| Line::new(4, format!("{name} = {value}"), None)));
        for (_, lines) in members.methods {
            slot.extend(lines.into_iter().map(|(indent, text, site)| Line::new(indent + 4, text, Some(site))));
        }
        Some(name)
    }
}

/// The members that a function reads of its first parameter; `None` where it does something else with that, or writes to it.
fn members_read(module: &Module, function: Span, own: Symbol) -> Option<Vec<Symbol>> {
    let is_in = |span: Span| function.start <= span.start && span.end <= function.end;
    let is_own = |id: ExprId| matches!(module.expr(id), Expr::Name(_, name) if *name == own);
    let (mut read, mut asked) = (Vec::new(), 0);
    for (i, expr) in module.exprs.iter().enumerate() {
        if !is_in(module.span(ExprId(i as u32))) {
            continue;
        }
        if let Expr::Attribute(of, name) = expr
            && is_own(*of)
        {
            asked += 1;
            if !read.contains(name) {
                read.push(*name);
            }
        }
    }
    let named = (0..module.exprs.len()).map(|i| ExprId(i as u32));
    let named = named.filter(|id| is_own(*id) && is_in(module.span(*id))).count();
    let writes = |target: &Target| matches!(target, Target::Attribute(of, ..) if is_own(*of));
    let is_written = module.stmts.iter().zip(&module.stmt_spans).any(|(statement, span)| match statement {
        Stmt::Assign(targets, _) if is_in(*span) => targets.iter().any(writes),
        Stmt::AugAssign { target, .. } | Stmt::AnnAssign { target, .. } if is_in(*span) => writes(target),
        _ => false,
    });
    (named == asked && !is_written).then_some(read)
}
