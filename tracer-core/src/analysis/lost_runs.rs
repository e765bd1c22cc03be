//! Which functions may have run where nobody saw it: those that a lost call could reach, and all that their texts name.
//!
//! Names are enough here: what is named too much has a count less, and no count is wrong.

use rustc_hash::{FxHashMap, FxHashSet};

use super::loader::LoadedFile;
use crate::interp::LostRuns;
use crate::module::{Arg, CodeId, Expr, ExprId, Module, Part, Place, Stmt, StmtId, Symbol, Target};
use crate::python::FileId;

/// What a name of the program's files stands for.
#[derive(Copy, Clone)]
enum Meaning {
    /// A function or a class.
    Definition(StmtId),
    /// A variable or an attribute that has this value, or an argument of that name.
    Value(ExprId),
    /// Another name.
    Alias(Symbol),
}

/// The codes of functions whose counts are not known.
pub fn uncounted(lost: &LostRuns, files: &[LoadedFile]) -> FxHashSet<(FileId, CodeId)> {
    let mut reach = Reach::default();
    let (codes, names) = (lost.codes(), lost.names());
    if codes.is_empty() && names.is_empty() && !lost.is_all() {
        return reach.codes;
    }
    let users = files.iter().enumerate().filter(|(_, file)| file.user);
    let modules: FxHashMap<FileId, &Module> = users.map(|(i, file)| (FileId(i as u32), file.module.as_ref())).collect();
    let mut meanings = Meanings::default();
    for (file, module) in &modules {
        module.codes.iter().for_each(|code| code.parts(&mut |part| meanings.collect(*file, module, part)));
    }
    if lost.is_all() {
        let codes = |(file, module): (&FileId, &&Module)| {
            let file = *file;
            (0..module.codes.len()).map(move |code| (file, CodeId(code as u32)))
        };
        reach.codes.extend(modules.iter().flat_map(codes));
        return reach.codes;
    }
    for (file, code) in codes {
        if let Some(module) = modules.get(&file) {
            reach.walk(file, module, Part::Code(code));
        }
    }
    names.into_iter().for_each(|name| reach.name(name));
    while let Some(name) = reach.waiting.pop() {
        for (file, meaning) in meanings.0.get(&name).into_iter().flatten() {
            match meaning {
                Meaning::Definition(statement) => reach.walk(*file, modules[file], Part::Stmt(*statement)),
                Meaning::Value(value) => reach.walk(*file, modules[file], Part::Expr(*value)),
                Meaning::Alias(other) => reach.name(*other),
            }
        }
    }
    reach.codes
}

/// Names that are not variables of one function alone, and what they stand for.
#[derive(Default)]
struct Meanings(FxHashMap<Symbol, Vec<(FileId, Meaning)>>);

impl Meanings {
    fn note(&mut self, file: FileId, name: Symbol, meaning: Meaning) {
        self.0.entry(name).or_default().push((file, meaning));
    }

    fn collect(&mut self, file: FileId, module: &Module, part: Part<'_>) {
        match part {
            Part::Stmt(id) => {
                let statement = module.stmt(id);
                match statement {
                    Stmt::FunctionDef(def) => self.note(file, def.name, Meaning::Definition(id)),
                    Stmt::ClassDef(def) => self.note(file, def.name, Meaning::Definition(id)),
                    Stmt::Assign(targets, value) => {
                        targets.iter().for_each(|target| self.target(file, module, target, *value));
                    }
                    Stmt::AnnAssign { target, value: Some(value), .. } | Stmt::For { target, iter: value, .. } => {
                        self.target(file, module, target, *value);
                    }
                    Stmt::ImportFrom { names, .. } => names.iter().for_each(|alias| {
                        if let Some(other) = alias.asname {
                            self.note(file, other, Meaning::Alias(alias.name));
                        }
                    }),
                    _ => {}
                }
                statement.parts(&mut |part| self.collect(file, module, part));
            }
            Part::Expr(id) => {
                if let Expr::Call(_, args) = module.expr(id) {
                    for arg in args {
                        if let Arg::Keyword(name, value) = arg {
                            self.note(file, *name, Meaning::Value(*value));
                        }
                    }
                }
                module.expr(id).parts(&mut |part| self.collect(file, module, part));
            }
            // All codes of a module are gone through.
            _ => {}
        }
    }

    fn target(&mut self, file: FileId, module: &Module, target: &Target, value: ExprId) {
        match target {
            // Of one function alone: whoever follows the function meets the value.
            Target::Name(Place::Local(_), ..) | Target::Error(_) => {}
            Target::Name(_, name, _) | Target::Attribute(_, name, _) => self.note(file, *name, Meaning::Value(value)),
            Target::Subscript(object, ..) => {
                if let Expr::Name(_, name) | Expr::Attribute(_, name) = module.expr(*object) {
                    self.note(file, *name, Meaning::Value(value));
                }
            }
            Target::Tuple(items, _) => items.iter().for_each(|item| self.target(file, module, item, value)),
            Target::Starred(inner, _) => self.target(file, module, inner, value),
        }
    }
}

/// What was reached, and what is to be looked at.
#[derive(Default)]
struct Reach {
    codes: FxHashSet<(FileId, CodeId)>,
    named: FxHashSet<Symbol>,
    waiting: Vec<Symbol>,
}

impl Reach {
    fn name(&mut self, name: Symbol) {
        if self.named.insert(name) {
            self.waiting.push(name);
        }
    }

    fn walk(&mut self, file: FileId, module: &Module, part: Part<'_>) {
        match part {
            Part::Code(id) => {
                if self.codes.insert((file, id)) {
                    module.code(id).parts(&mut |part| self.walk(file, module, part));
                }
            }
            Part::Stmt(id) => module.stmt(id).parts(&mut |part| self.walk(file, module, part)),
            Part::Expr(id) => {
                match module.expr(id) {
                    Expr::Name(Place::Local(_), _) => {}
                    Expr::Name(_, name) | Expr::Attribute(_, name) => self.name(*name),
                    _ => {}
                }
                module.expr(id).parts(&mut |part| self.walk(file, module, part));
            }
            Part::Target(target) => target.parts(&mut |part| self.walk(file, module, part)),
            Part::Pattern(_) | Part::Bound(..) => {}
        }
    }
}
