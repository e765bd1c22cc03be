//! Modules that a program will import, made ready on a second thread while the program runs on the first.
//!
//! The second thread starts from the text of the script and follows names: what the program's own files import, what the
//! top level of a library's module reads, what the functions read that somebody names. A guess that is wrong costs time of
//! an idle processor and nothing else: the first thread asks for the lowered form of a text, and lowers it itself where the
//! second has not begun to.

mod tables;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::loader::{Disk, Located, ProjectLoader, Vfs, imports};
use super::role::Role;
use super::run::Entry;
use crate::frameworks;
use crate::interp::Loader;
use crate::module::{
    Alias, BinaryOp, CodeId, CodeKind, Expr, ExprId, MODULE_CODE, Module, Part, Place, Stmt, Symbol, Target,
};

/// A text with its lowered form, made once by whoever comes first.
type Slot = Arc<OnceLock<(Arc<str>, Arc<Module>)>>;

/// Lowered files, the user's and those of libraries, once a second thread has been started.
static FILES: Mutex<Option<HashMap<(PathBuf, bool), Slot>>> = Mutex::new(None);

/// Files that are kept at most.
const MOST_FILES: usize = 4096;
/// Names that are followed at most.
const MOST_NAMES: usize = 20_000;
/// Where methods and operators of arrays are.
const ARRAY: &str = "jax._array";
/// Where functions are that arrays have as methods, and what NumPy has not of its own.
const NUMPY: &str = "jax.numpy";
/// What the preludes ask us for.
const SERVICES: &str = "_jitlens.core";
/// Native stack of the second thread: syntax is walked by recursion.
const STACK: usize = 256 << 20;

/// Starts to make ready what a script imports.
pub fn begin(entry: &Entry) {
    frameworks::know_names();
    FILES.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
    let entry = entry.clone();
    let thread = std::thread::Builder::new().name("ahead".into()).stack_size(STACK);
    // Where no thread can be had, the first one does it all.
    let _ = thread.spawn(move || {
        stand_back();
        Ahead::new(&entry).follow(&entry.script);
    });
}

/// Leaves the processor to the first thread where there is but one for both.
fn stand_back() {
    #[cfg(unix)]
    let _ = rustix::process::nice(15);
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
type Wanted = (Symbol, Option<Symbol>);

/// What is known of a module.
struct Known {
    name: Symbol,
    is_package: bool,
    /// Whether it is the program's own.
    user: bool,
    module: Arc<Module>,
    /// What its imports bind: a module, or a member of it.
    imports: FxHashMap<Symbol, Wanted>,
    /// Its functions and classes.
    definitions: FxHashMap<Symbol, CodeId>,
    /// The files, beside it, of names that it gets when they are asked for.
    homes: FxHashMap<Symbol, Symbol>,
    /// Files of the same package that it imports, of a package.
    beside: Vec<Symbol>,
    /// Other names of what it imports, and of attributes of that: they wait as the imports do.
    aliases: FxHashMap<Symbol, (Symbol, Option<Symbol>)>,
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
    modules: FxHashMap<Symbol, There>,
    done: FxHashSet<Wanted>,
    /// What was looked into: a module and a name of its own.
    seen: FxHashSet<(Symbol, Symbol)>,
    /// What to look at, the next one last.
    waiting: Vec<Wanted>,
}

impl Ahead {
    fn new(entry: &Entry) -> Ahead {
        let role = Role::of(&Disk, entry);
        let mut roots = vec![role.root(&entry.script)];
        roots.extend(entry.roots.iter().cloned());
        let loader = ProjectLoader::new(Rc::new(Disk), roots, entry.environment.clone(), role.fallback(&Disk, entry));
        Ahead {
            loader: Rc::new(loader),
            modules: FxHashMap::default(),
            done: FxHashSet::default(),
            seen: FxHashSet::default(),
            waiting: Vec::new(),
        }
    }

    fn follow(mut self, script: &Path) {
        let Some(text) = Disk.read(script) else { return };
        let wanted: Vec<Symbol> = imports(&text, "").iter().map(Symbol::from).collect();
        // The first thread lowers the script meanwhile, and then asks for the other files of the program.
        self.lower_own(wanted.clone());
        let (preludes, libraries): (Vec<Symbol>, Vec<Symbol>) =
            wanted.into_iter().partition(|name| frameworks::has_prelude(name));
        // Whether imports of a library may wait is asked before anything in it is: its files are read for that.
        for name in libraries {
            self.loader.may_wait(&name);
        }
        let main = Known::new(sym!("__main__"), false, lowered(script, &text, true), true);
        // What is pushed last is looked at first.
        self.waiting.splice(0..0, preludes.into_iter().map(|name| (name, None)));
        self.want_all(&main);
        self.run();
        jitlens_kernels::matmul::look_at_machine();
    }

    /// Lowers the program's own modules of these names, and those that they import.
    fn lower_own(&mut self, mut names: Vec<Symbol>) {
        let mut seen = FxHashSet::default();
        names.reverse();
        while let Some(name) = names.pop() {
            let package = name.split('.').next().unwrap_or_default();
            if !self.loader.is_own(package) || !seen.insert(name) {
                continue;
            }
            let There::Module(known) = self.module(name) else { continue };
            for (module, member) in known.imports.values() {
                names.push(*module);
                names.extend(member.map(|member| inside(*module, member)));
            }
        }
    }

    fn run(&mut self) {
        while let Some((name, member)) = self.waiting.pop() {
            if self.done.len() > MOST_NAMES || !self.done.insert((name, member)) {
                continue;
            }
            match (self.module(name), member) {
                (There::Module(known), Some(member)) => self.want(&known, member, None),
                (There::Nothing, Some(member)) if name == *SERVICES => self.want_service(member),
                (There::Folder, Some(member)) => self.waiting.push((inside(name, member), None)),
                _ => {}
            }
        }
    }

    /// A module by its name, lowered.
    fn module(&mut self, name: Symbol) -> There {
        if let Some(there) = self.modules.get(&name) {
            return there.clone();
        }
        self.modules.insert(name, There::Nothing);
        let there = self.find(&name);
        self.modules.insert(name, there.clone());
        if name == *NUMPY {
            self.waiting.push((Symbol::from(ARRAY), Some(sym!("binary"))));
        }
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
            && let There::Nothing = self.module(Symbol::from(parent))
        {
            return There::Nothing;
        }
        let known = match self.loader.locate(name) {
            // Development builds read the preludes from the source tree each time.
            Some(Located::Prelude) if cfg!(debug_assertions) => None,
            Some(Located::Prelude) => frameworks::prelude(name)
                .map(|prelude| Known::new(Symbol::from(name), prelude.is_package, prelude.module, false)),
            Some(Located::File { path, text, is_package, user }) => {
                Some(Known::new(Symbol::from(name), is_package, lowered(&path, &text, user), user))
            }
            Some(Located::Folder) => return There::Folder,
            Some(Located::Native) | None => None,
        };
        known.map_or(There::Nothing, |known| There::Module(Rc::new(known)))
    }

    /// Wants everything that a program's own module reads.
    fn want_all(&mut self, known: &Known) {
        self.waiting.extend(known.imports.values().copied());
        for code in (0..known.module.codes.len()).rev() {
            self.want_code(known, CodeId(code as u32));
        }
    }

    /// Wants what a code reads that runs; the body of a module defines functions without running them.
    fn want_code(&mut self, known: &Known, code: CodeId) {
        let (names, imports) = (Vec::new(), Vec::new());
        let whole = code != MODULE_CODE;
        let mut reads = Reads { known, module: &known.module, names, methods: Vec::new(), imports, whole };
        reads.part(Part::Code(code));
        let Reads { names, methods, imports, .. } = reads;
        methods.into_iter().for_each(|name| self.want_method(name));
        // The last one is looked at first.
        for (name, member) in names.into_iter().rev() {
            self.want(known, name, member);
        }
        self.waiting.extend(imports.into_iter().rev());
    }

    /// The module that holds a name which a package gets when it is asked for.
    fn home(&mut self, known: &Known, name: Symbol) -> Option<Symbol> {
        if let Some(file) = known.homes.get(&name) {
            return Some(inside(known.package(), *file));
        }
        if !known.is_package || known.user {
            return None;
        }
        // The table may stand in a file beside it.
        for beside in &known.beside {
            if let There::Module(beside) = self.module(*beside)
                && let Some(file) = beside.homes.get(&name)
            {
                return Some(inside(known.name, *file));
            }
        }
        let is_left_to_jax = known.name == "numpy" && !frameworks::has_prelude(&inside(known.name, name));
        is_left_to_jax.then(|| Symbol::from(NUMPY))
    }

    /// Wants a service of the preludes that is written in Python.
    fn want_service(&mut self, name: Symbol) {
        for module in frameworks::jax::core::IN_PYTHON {
            if let There::Module(known) = self.module(Symbol::from(module))
                && known.definitions.contains_key(&name)
            {
                self.waiting.push((Symbol::from(module), Some(name)));
            }
        }
    }

    /// Wants what an attribute of something may be: a method of an array.
    fn want_method(&mut self, name: Symbol) {
        let Some(There::Module(array)) = self.modules.get(&Symbol::from(ARRAY)).cloned() else { return };
        let own = Symbol::from(format!("_{name}").as_str());
        if array.definitions.contains_key(&own) {
            self.waiting.push((array.name, Some(own)));
        }
        if let There::Module(numpy) = self.module(Symbol::from(NUMPY))
            && let Some(home) = self.home(&numpy, name)
        {
            self.waiting.push((home, Some(name)));
        }
    }

    /// Wants a global of a module, and an attribute of that.
    fn want(&mut self, known: &Known, name: Symbol, attribute: Option<Symbol>) {
        match known.imports.get(&name) {
            Some((module, None)) => self.waiting.push((*module, attribute)),
            Some((module, Some(member))) => {
                if attribute.is_some() {
                    self.waiting.push((inside(*module, *member), attribute));
                }
                self.waiting.push((*module, Some(*member)));
            }
            None => match known.definitions.get(&name) {
                // Once is enough for each.
                Some(code) if self.seen.insert((known.name, name)) => {
                    self.want_code(known, *code);
                }
                Some(_) => {}
                None if known.aliases.contains_key(&name) => {
                    let (source, of) = known.aliases[&name];
                    // Once is enough for each.
                    if self.seen.insert((known.name, name)) {
                        self.want(known, source, of.or(attribute));
                    }
                }
                None => match self.home(known, name) {
                    Some(home) => self.waiting.push((home, Some(name))),
                    None if known.is_package => self.waiting.push((inside(known.name, name), attribute)),
                    None => attribute.into_iter().for_each(|name| self.want_method(name)),
                },
            },
        }
    }
}

impl Known {
    fn new(name: Symbol, is_package: bool, module: Arc<Module>, user: bool) -> Known {
        let mut known = Known {
            name,
            is_package,
            user,
            module: module.clone(),
            imports: FxHashMap::default(),
            definitions: FxHashMap::default(),
            homes: match user {
                true => FxHashMap::default(),
                false => tables::homes(&module),
            },
            beside: Vec::new(),
            aliases: FxHashMap::default(),
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
        if is_package && !user {
            let beside = known.imports.values().filter(|(module, _)| *module == name);
            known.beside = beside.filter_map(|(module, member)| Some(inside(*module, (*member)?))).collect();
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
            Stmt::Import(names) => names.iter().map(|alias| (alias, (alias.name, None))).collect(),
            Stmt::ImportFrom { module, level, names } => {
                let from = self.absolute(module, *level);
                names.iter().map(|alias| (alias, (from, Some(alias.name)))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The package of what is in it: itself, or the one around it.
    fn package(&self) -> Symbol {
        match self.is_package {
            true => self.name,
            false => Symbol::from(self.name.rsplit_once('.').map_or("", |(package, _)| package)),
        }
    }

    fn absolute(&self, module: &str, level: u32) -> Symbol {
        if level == 0 {
            return Symbol::from(module);
        }
        let mut parts: Vec<&str> = self.name.split('.').collect();
        let up = level as usize - usize::from(self.is_package);
        parts.truncate(parts.len().saturating_sub(up));
        parts.extend(module.split('.').filter(|part| !part.is_empty()));
        Symbol::from(parts.join("."))
    }
}

/// The dotted name of a module in a package.
fn inside(package: Symbol, name: Symbol) -> Symbol {
    Symbol::from(format!("{package}.{name}"))
}

/// What a code reads.
struct Reads<'k> {
    known: &'k Known,
    /// The module, or a body of it that comes later.
    module: &'k Module,
    names: Vec<(Symbol, Option<Symbol>)>,
    /// Attributes of what has no name, and what operators come to.
    methods: Vec<Symbol>,
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
                    _ => {
                        self.methods.push(*attribute);
                        self.part(Part::Expr(*value));
                    }
                },
                Expr::Binary(BinaryOp::MatMul, left, right) => {
                    self.methods.push(sym!("matmul"));
                    self.part(Part::Expr(*left));
                    self.part(Part::Expr(*right));
                }
                expr => expr.parts(&mut |part| self.part(part)),
            },
            Part::Stmt(stmt) => match module.stmt(stmt) {
                Stmt::ImportStar { module, level } => {
                    self.imports.push((self.known.absolute(module, *level), None));
                }
                Stmt::Import(names) => {
                    let dotted = names.iter().filter(|alias| self.whole || alias.asname.is_none());
                    self.imports.extend(dotted.filter(|a| self.whole || a.name.contains('.')).map(|a| (a.name, None)));
                }
                stmt @ Stmt::ImportFrom { .. } if self.whole => {
                    self.imports.extend(self.known.imported(stmt).into_iter().map(|(_, wanted)| wanted));
                }
                Stmt::ImportFrom { .. } => {}
                Stmt::Assign(targets, value) if !self.whole && self.known.alias(targets, *value).is_some() => {}
                stmt => stmt.parts(&mut |part| self.part(part)),
            },
            Part::Code(code) => {
                let head = module.head(code);
                match head.later {
                    _ if !self.whole && matches!(head.kind, CodeKind::Function | CodeKind::Lambda) => {}
                    Some(at) => {
                        let body = module.later_body(at);
                        let around = std::mem::replace(&mut self.module, &body.module);
                        self.part(Part::Code(body.code));
                        self.module = around;
                    }
                    None => module.code(code).parts(&mut |part| self.part(part)),
                }
            }
            Part::Target(target) => target.parts(&mut |part| self.part(part)),
            Part::Pattern(pattern) => pattern.parts(&mut |part| self.part(part)),
            Part::Bound(..) => {}
        }
    }
}
