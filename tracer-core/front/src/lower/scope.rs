//! Scopes: which name lives where, by Python's rules.
//!
//! While statements are lowered every mention of a name becomes an entry of its scope, and the [`Place`] written into
//! the module is only the entry's number. When the file is through, [`Scopes::finish`] decides for every entry where it
//! lives and [`super::patch`] writes the real places.

use rustc_hash::FxHashMap;

use crate::module::{Code, CodeId, CodeKind, Globals, Note, Place, Symbol};
use crate::text::Span;

/// How a name is mentioned.
pub(crate) mod flag {
    pub(crate) const USED: u8 = 1;
    pub(crate) const BOUND: u8 = 2;
    pub(crate) const PARAM: u8 = 4;
    pub(crate) const GLOBAL: u8 = 8;
    pub(crate) const NONLOCAL: u8 = 16;
    pub(crate) const ANNOTATED: u8 = 32;
    /// A use that Python adds on its own: `__class__` where `super` is named.
    pub(crate) const IMPLICIT: u8 = 64;
}
use flag::*;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Lives {
    Local,
    /// A variable of this scope that an inner one captures.
    Cell,
    Free,
    Global,
}

struct Entry {
    name: Symbol,
    flags: u8,
    lives: Lives,
}

struct Scope {
    kind: CodeKind,
    parent: Option<u32>,
    entries: Vec<u32>,
    frees: Vec<Symbol>,
    class_cell: bool,
}

/// Every scope of a file; scopes have the numbers of their codes.
#[derive(Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    entries: Vec<Entry>,
    by_name: FxHashMap<(u32, Symbol), u32>,
}

impl Scopes {
    pub(super) fn open(&mut self, kind: CodeKind, parent: Option<CodeId>) -> CodeId {
        let id = CodeId(self.scopes.len() as u32);
        let parent = parent.map(|parent| parent.0);
        self.scopes.push(Scope { kind, parent, entries: Vec::new(), frees: Vec::new(), class_cell: false });
        id
    }

    pub(super) fn kind(&self, scope: CodeId) -> CodeKind {
        self.scopes[scope.index()].kind
    }

    pub(super) fn parent(&self, scope: CodeId) -> Option<CodeId> {
        self.scopes[scope.index()].parent.map(CodeId)
    }

    /// Mentions a name; the place is a number for [`super::patch`].
    #[inline]
    pub(super) fn mention(&mut self, scope: CodeId, name: Symbol, flags: u8) -> Place {
        let entry = *self.by_name.entry((scope.0, name)).or_insert_with(|| {
            let entry = self.entries.len() as u32;
            self.entries.push(Entry { name, flags: 0, lives: Lives::Global });
            self.scopes[scope.index()].entries.push(entry);
            entry
        });
        self.entries[entry as usize].flags |= flags;
        Place::Local(entry)
    }

    /// How a name has been mentioned so far.
    pub(super) fn flags(&self, scope: CodeId, name: Symbol) -> u8 {
        self.by_name.get(&(scope.0, name)).map_or(0, |entry| self.entries[*entry as usize].flags)
    }

    /// Decides where every name lives, fills the slots of the codes, and returns the place of every entry.
    pub(super) fn finish(
        mut self,
        codes: &mut [Code],
        notes: &mut Vec<Note>,
        nonlocals: &[(CodeId, Symbol, Span)],
        globals: &mut Globals,
    ) -> Vec<Place> {
        // Parents come before their children.
        for scope in 0..self.scopes.len() as u32 {
            for i in 0..self.scopes[scope as usize].entries.len() {
                let entry = self.scopes[scope as usize].entries[i];
                self.resolve(scope, entry);
            }
        }
        for (scope, name, span) in nonlocals {
            let entry = self.by_name.get(&(scope.0, *name));
            let entry = entry.map(|entry| &self.entries[*entry as usize]);
            if entry.is_some_and(|entry| entry.lives == Lives::Global && entry.flags & GLOBAL == 0) {
                let message = format!("no binding for nonlocal '{name}' found");
                let span = *span;
                notes.push(Note { span, message });
            }
        }
        let mut places = vec![Place::Local(0); self.entries.len()];
        let mut cell_index: FxHashMap<(u32, Symbol), u32> = FxHashMap::default();
        for (number, scope) in self.scopes.iter().enumerate() {
            let number = number as u32;
            let code = &mut codes[number as usize];
            if scope.class_cell {
                code.class_cell = Some(0);
                code.cells.push(class_symbol());
                cell_index.insert((number, class_symbol()), 0);
            }
            let is_class = scope.kind == CodeKind::Class;
            if !is_class && scope.kind != CodeKind::Module {
                code.locals = code.params.names.iter().map(|param| param.name).collect();
            }
            for entry in &scope.entries {
                let Entry { name, flags, lives, .. } = self.entries[*entry as usize];
                match lives {
                    Lives::Cell => {
                        let cell = code.cells.len() as u32;
                        code.cells.push(name);
                        cell_index.insert((number, name), cell);
                        places[*entry as usize] = Place::Cell(cell);
                        if flags & PARAM != 0 {
                            let slot = code.locals.iter().position(|local| *local == name);
                            code.cell_params.extend(slot.map(|slot| (slot as u32, cell)));
                        }
                    }
                    Lives::Local if flags & PARAM != 0 => {
                        let slot = code.locals.iter().position(|local| *local == name).unwrap_or(0);
                        places[*entry as usize] = Place::Local(slot as u32);
                    }
                    Lives::Local if !is_class => {
                        places[*entry as usize] = Place::Local(code.locals.len() as u32);
                        code.locals.push(name);
                    }
                    Lives::Global if flags == IMPLICIT => {}
                    Lives::Local | Lives::Global => {
                        let slot = globals.slot(name);
                        places[*entry as usize] = if is_class && flags & GLOBAL == 0 {
                            Place::ClassOrGlobal(name, slot)
                        } else {
                            Place::Global(slot)
                        };
                    }
                    Lives::Free => {}
                }
            }
            let own = code.cells.len() as u32;
            for (position, name) in scope.frees.iter().enumerate() {
                let outer = scope.parent.and_then(|parent| cell_index.get(&(parent, *name)).copied()).unwrap_or(0);
                code.frees.push((*name, outer));
                let cell = own + position as u32;
                // A class body that captures `__class__` of an outer class for its methods has its own as well.
                cell_index.entry((number, *name)).or_insert(cell);
                let Some(entry) = self.by_name.get(&(number, *name)) else {
                    continue;
                };
                if self.entries[*entry as usize].lives == Lives::Free {
                    let flags = self.entries[*entry as usize].flags;
                    places[*entry as usize] = if is_class && flags & NONLOCAL == 0 {
                        Place::ClassOrCell(*name, cell)
                    } else {
                        Place::Cell(cell)
                    };
                }
            }
        }
        places
    }

    fn resolve(&mut self, scope: u32, entry: u32) {
        let Entry { name, flags, .. } = self.entries[entry as usize];
        let kind = self.scopes[scope as usize].kind;
        let lives = if kind == CodeKind::Module || flags & GLOBAL != 0 {
            Lives::Global
        } else if flags & NONLOCAL == 0 && flags & (BOUND | PARAM) != 0 {
            Lives::Local
        } else {
            match self.owner(scope, name) {
                Some(owner) => {
                    self.capture(scope, owner, name);
                    Lives::Free
                }
                None => Lives::Global,
            }
        };
        self.entries[entry as usize].lives = lives;
    }

    /// The enclosing scope whose variable `name` is, seen from inside `scope`.
    fn owner(&self, scope: u32, name: Symbol) -> Option<u32> {
        let mut at = self.scopes[scope as usize].parent;
        while let Some(outer) = at {
            let Scope { kind, parent, .. } = self.scopes[outer as usize];
            match kind {
                CodeKind::Module => return None,
                CodeKind::Class => {
                    if name == class_symbol() {
                        return Some(outer);
                    }
                }
                _ => {
                    if let Some(entry) = self.by_name.get(&(outer, name)) {
                        match self.entries[*entry as usize].lives {
                            Lives::Local | Lives::Cell => return Some(outer),
                            Lives::Global => return None,
                            Lives::Free => {}
                        }
                    }
                }
            }
            at = parent;
        }
        None
    }

    pub(super) fn capture(&mut self, scope: u32, owner: u32, name: Symbol) {
        if self.scopes[owner as usize].kind == CodeKind::Class {
            self.scopes[owner as usize].class_cell = true;
        } else if let Some(entry) = self.by_name.get(&(owner, name)) {
            self.entries[*entry as usize].lives = Lives::Cell;
        }
        let mut at = scope;
        while at != owner {
            let Scope { parent, frees, .. } = &mut self.scopes[at as usize];
            if frees.contains(&name) {
                break;
            }
            frees.push(name);
            let Some(parent) = *parent else { break };
            at = parent;
        }
    }
}

/// `__class__`, the cell that `super()` reads.
pub(super) fn class_symbol() -> Symbol {
    Symbol::from("__class__")
}
