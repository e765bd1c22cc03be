//! Modules that a program will import, made ready on a second thread while the program runs on the first.
//!
//! The second thread starts from the text of the script and follows names: what the program's own files import, what the
//! top level of a library's module reads, what the functions read that somebody names. A guess that is wrong costs time of
//! an idle processor and nothing else: the first thread asks for the lowered form of a text, and lowers it itself where the
//! second has not begun to.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::loader::{Disk, Located, ProjectLoader, Vfs, imports};
use super::role::Role;
use super::run::Entry;
use crate::frameworks;
use crate::interp::Loader;
use crate::module::{
    Alias, Body, CodeId, CodeKind, Expr, ExprId, MODULE_CODE, Module, Part, Place, Stmt, Symbol, Target,
};

/// A text with its lowered form, made once by whoever comes first.
type Slot = Arc<OnceLock<(Arc<str>, Arc<Module>)>>;

/// Lowered files, the user's and those of libraries, once a second thread has been started.
static FILES: Mutex<Option<HashMap<(PathBuf, bool), Slot>>> = Mutex::new(None);

/// Files that are kept at most.
const MOST_FILES: usize = 4096;
/// Names that are followed at most.
const MOST_NAMES: usize = 20_000;
/// Native stack of the second thread: syntax is walked by recursion.
const STACK: usize = 256 << 20;

/// Starts to make ready what a script imports.
pub fn begin(entry: &Entry) {
    FILES.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
    let entry = entry.clone();
    let thread = std::thread::Builder::new().name("ahead".into()).stack_size(STACK);
    // Where no thread can be had, the first one does it all.
    let _ = thread.spawn(move || Ahead::new(&entry).follow(&entry.script));
}

/// A text, lowered; that of a library without the bodies of its functions.
pub fn lowered(path: &Path, text: &Arc<str>, user: bool) -> Arc<Module> {
    let lower = || Arc::new(super::loader::lower(text, user));
    let Some(slot) = slot(path, user) else { return lower() };
    let (kept, module) = slot.get_or_init(|| (text.clone(), lower()));
    match *kept == *text {
        true => module.clone(),
        false => lower(),
    }
}

fn slot(path: &Path, user: bool) -> Option<Slot> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let files = files.as_mut()?;
    let key = (path.to_owned(), user);
    if let Some(slot) = files.get(&key) {
        return Some(slot.clone());
    }
    (files.len() < MOST_FILES).then(|| files.entry(key).or_default().clone())
}

/// A name of a module, or the module alone.
type Wanted = (String, Option<Symbol>);

/// What is known of a module.
struct Known {
    name: String,
    is_package: bool,
    /// Whether it is the program's own.
    user: bool,
    module: Arc<Module>,
    /// What its imports bind: a module, or a member of it.
    imports: HashMap<Symbol, Wanted>,
    /// Its functions and classes.
    definitions: HashMap<Symbol, CodeId>,
    /// Other names of what it imports, and of attributes of that: they wait as the imports do.
    aliases: HashMap<Symbol, (Symbol, Option<Symbol>)>,
}

/// What stands under a name.
#[derive(Clone)]
enum There {
    Module(Rc<Known>),
    /// A folder without `__init__.py`, which has modules in it.
    Folder,
    Nothing,
}

struct Ahead {
    loader: Rc<ProjectLoader>,
    modules: HashMap<String, There>,
    done: HashSet<Wanted>,
    /// What to look at, the next one last.
    waiting: Vec<Wanted>,
}

impl Ahead {
    fn new(entry: &Entry) -> Ahead {
        let role = Role::of(&Disk, entry);
        let mut roots = vec![role.root(&entry.script)];
        roots.extend(entry.roots.iter().cloned());
        let loader = ProjectLoader::new(Rc::new(Disk), roots, entry.environment.clone(), role.fallback(&Disk, entry));
        Ahead { loader: Rc::new(loader), modules: HashMap::new(), done: HashSet::new(), waiting: Vec::new() }
    }

    fn follow(mut self, script: &Path) {
        let Some(text) = Disk.read(script) else { return };
        let wanted = imports(&text, "");
        // The first thread lowers the script meanwhile, and then asks for the other files of the program.
        self.lower_own(wanted.clone());
        // Whether imports of a library may wait is asked before anything in it is: its files are read for that.
        for name in wanted.iter().filter(|name| !frameworks::has_prelude(name)) {
            self.loader.may_wait(name);
        }
        for name in wanted.iter().filter(|name| frameworks::has_prelude(name)) {
            self.waiting.push((name.clone(), None));
        }
        self.run();
        let main = Known::new("__main__".into(), false, lowered(script, &text, true), true);
        self.want_all(&main);
        self.run();
        jitlens_kernels::matmul::look_at_machine();
    }

    /// Lowers the program's own modules of these names, and those that they import.
    fn lower_own(&mut self, mut names: Vec<String>) {
        let mut seen = HashSet::new();
        names.reverse();
        while let Some(name) = names.pop() {
            let package = name.split('.').next().unwrap_or(&name);
            if !self.loader.is_own(package) || !seen.insert(name.clone()) {
                continue;
            }
            let There::Module(known) = self.module(&name) else { continue };
            for (module, member) in known.imports.values() {
                names.push(module.clone());
                names.extend(member.map(|member| format!("{module}.{member}")));
            }
        }
    }

    fn run(&mut self) {
        while let Some((name, member)) = self.waiting.pop() {
            if self.done.len() > MOST_NAMES || !self.done.insert((name.clone(), member)) {
                continue;
            }
            match (self.module(&name), member) {
                (There::Module(known), Some(member)) => self.want(&known, member, None),
                (There::Folder, Some(member)) => self.waiting.push((format!("{name}.{member}"), None)),
                _ => {}
            }
        }
    }

    /// A module by its name, lowered.
    fn module(&mut self, name: &str) -> There {
        if let Some(there) = self.modules.get(name) {
            return there.clone();
        }
        self.modules.insert(name.to_owned(), There::Nothing);
        let there = self.find(name);
        self.modules.insert(name.to_owned(), there.clone());
        if let There::Module(known) = &there {
            match known.user {
                true => self.want_all(known),
                false => self.want_code(known, MODULE_CODE),
            }
        }
        there
    }

    fn find(&mut self, name: &str) -> There {
        // Packages come before what is in them.
        if let Some((parent, _)) = name.rsplit_once('.')
            && let There::Nothing = self.module(parent)
        {
            return There::Nothing;
        }
        let known = match self.loader.locate(name) {
            // Development builds read the preludes from the source tree each time.
            Some(Located::Prelude) if cfg!(debug_assertions) => None,
            Some(Located::Prelude) => frameworks::prelude(name)
                .map(|prelude| Known::new(name.into(), prelude.is_package, prelude.module, false)),
            Some(Located::File { path, text, is_package, user }) => {
                Some(Known::new(name.into(), is_package, lowered(&path, &text, user), user))
            }
            Some(Located::Folder) => return There::Folder,
            Some(Located::Native) | None => None,
        };
        known.map_or(There::Nothing, |known| There::Module(Rc::new(known)))
    }

    /// Wants everything that a program's own module reads.
    fn want_all(&mut self, known: &Known) {
        let imported: Vec<Wanted> = known.imports.values().cloned().collect();
        for (name, member) in imported {
            self.waiting.push((name, member));
        }
        for code in 0..known.module.codes.len() {
            self.want_code(known, CodeId(code as u32));
        }
    }

    /// Wants what a code reads that runs; the body of a module defines functions without running them.
    fn want_code(&mut self, known: &Known, code: CodeId) {
        let (names, imports) = (Vec::new(), Vec::new());
        let mut reads = Reads { known, module: &known.module, names, imports, whole: code != MODULE_CODE };
        reads.part(Part::Code(code));
        let Reads { names, imports, .. } = reads;
        // The last one is looked at first.
        for (name, member) in names.into_iter().rev() {
            self.want(known, name, member);
        }
        self.waiting.extend(imports.into_iter().rev());
    }

    /// Wants a global of a module, and an attribute of that.
    fn want(&mut self, known: &Known, name: Symbol, attribute: Option<Symbol>) {
        match known.imports.get(&name) {
            Some((module, None)) => self.waiting.push((module.clone(), attribute)),
            Some((module, Some(member))) => {
                if attribute.is_some() {
                    self.waiting.push((format!("{module}.{member}"), attribute));
                }
                self.waiting.push((module.clone(), Some(*member)));
            }
            None => match known.definitions.get(&name) {
                // Once is enough for each.
                Some(code) if self.done.insert((format!("{}:", known.name), Some(name))) => {
                    self.want_code(known, *code);
                }
                Some(_) => {}
                None if known.aliases.contains_key(&name) => {
                    let (source, of) = known.aliases[&name];
                    // Once is enough for each.
                    if self.done.insert((format!("{}:", known.name), Some(name))) {
                        self.want(known, source, of.or(attribute));
                    }
                }
                None if known.is_package => self.waiting.push((format!("{}.{name}", known.name), attribute)),
                None => {}
            },
        }
    }
}

impl Known {
    fn new(name: String, is_package: bool, module: Arc<Module>, user: bool) -> Known {
        let mut known = Known {
            name,
            is_package,
            user,
            module: module.clone(),
            imports: HashMap::new(),
            definitions: HashMap::new(),
            aliases: HashMap::new(),
        };
        for stmt in &module.stmts {
            match stmt {
                Stmt::FunctionDef(def) => drop(known.definitions.insert(def.name, def.code)),
                Stmt::ClassDef(def) => drop(known.definitions.insert(def.name, def.code)),
                Stmt::Assign(targets, value) => {
                    if let Some((name, source, attribute)) = known.alias(targets, *value) {
                        known.aliases.insert(name, (source, attribute));
                    }
                }
                stmt => {
                    for (alias, wanted) in known.imported(stmt) {
                        known.imports.insert(alias.asname.unwrap_or(alias.name), wanted);
                    }
                }
            }
        }
        known
    }

    /// The name, and what it is another name of, where a statement binds one so.
    fn alias(&self, targets: &[Target], value: ExprId) -> Option<(Symbol, Symbol, Option<Symbol>)> {
        let [Target::Name(Place::Global(_), name, _)] = targets else { return None };
        let (source, attribute) = match self.module.expr(value) {
            Expr::Name(_, source) => (source, None),
            Expr::Attribute(object, attribute) => match self.module.expr(*object) {
                Expr::Name(_, source) => (source, Some(*attribute)),
                _ => return None,
            },
            _ => return None,
        };
        self.imports.contains_key(source).then_some((*name, *source, attribute))
    }

    /// What an import statement binds.
    fn imported<'s>(&self, stmt: &'s Stmt) -> Vec<(&'s Alias, Wanted)> {
        match stmt {
            Stmt::Import(names) => names.iter().map(|alias| (alias, (alias.name.to_string(), None))).collect(),
            Stmt::ImportFrom { module, level, names } => {
                let from = self.absolute(module, *level);
                names.iter().map(|alias| (alias, (from.clone(), Some(alias.name)))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn absolute(&self, module: &str, level: u32) -> String {
        if level == 0 {
            return module.to_owned();
        }
        let mut parts: Vec<&str> = self.name.split('.').collect();
        let up = level as usize - usize::from(self.is_package);
        parts.truncate(parts.len().saturating_sub(up));
        parts.extend(module.split('.').filter(|part| !part.is_empty()));
        parts.join(".")
    }
}

/// What a code reads.
struct Reads<'k> {
    known: &'k Known,
    /// The module, or a body of it that comes later.
    module: &'k Module,
    names: Vec<(Symbol, Option<Symbol>)>,
    imports: Vec<Wanted>,
    /// Whether the functions in it are called, too.
    whole: bool,
}

impl Reads<'_> {
    fn part(&mut self, part: Part<'_>) {
        let module = self.module;
        match part {
            Part::Expr(expr) => match module.expr(expr) {
                Expr::Name(_, name) => self.names.push((*name, None)),
                Expr::Attribute(value, attribute) => match module.expr(*value) {
                    Expr::Name(_, name) => self.names.push((*name, Some(*attribute))),
                    _ => self.part(Part::Expr(*value)),
                },
                expr => expr.parts(&mut |part| self.part(part)),
            },
            Part::Stmt(stmt) => match module.stmt(stmt) {
                Stmt::ImportStar { module, level } => {
                    self.imports.push((self.known.absolute(module, *level), None));
                }
                Stmt::Import(names) => {
                    let dotted = names.iter().filter(|alias| self.whole || alias.asname.is_none());
                    self.imports.extend(
                        dotted.filter(|a| self.whole || a.name.contains('.')).map(|a| (a.name.to_string(), None)),
                    );
                }
                stmt @ Stmt::ImportFrom { .. } if self.whole => {
                    self.imports.extend(self.known.imported(stmt).into_iter().map(|(_, wanted)| wanted));
                }
                Stmt::ImportFrom { .. } => {}
                Stmt::Assign(targets, value) if !self.whole && self.known.alias(targets, *value).is_some() => {}
                stmt => stmt.parts(&mut |part| self.part(part)),
            },
            Part::Code(code) => {
                let code = module.code(code);
                match code.body {
                    _ if !self.whole && matches!(code.kind, CodeKind::Function | CodeKind::Lambda) => {}
                    Body::Later(at) => {
                        let body = module.later_body(at);
                        let around = std::mem::replace(&mut self.module, &body.module);
                        self.part(Part::Code(body.code));
                        self.module = around;
                    }
                    _ => code.parts(&mut |part| self.part(part)),
                }
            }
            Part::Target(target) => target.parts(&mut |part| self.part(part)),
            Part::Pattern(pattern) => pattern.parts(&mut |part| self.part(part)),
            Part::Bound(..) => {}
        }
    }
}
