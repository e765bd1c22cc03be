//! Where modules come from: native ones, the project, the preludes, the user's environment.

mod library;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::sync::{Arc, OnceLock};

use super::units;
use crate::frameworks;
use crate::interp::{Contents, Found, Interp, Loader};
use crate::lower::{lower_outline, lower_text};
use crate::module::{Module, Symbol};
use crate::notebook;
use crate::python::{FileId, Unit, Value};
pub use library::imports;

/// Files as the analysis sees them: on disk, with open documents over them. Only reading.
pub trait Vfs {
    /// The text of a file; of a notebook the program that its cells make.
    fn read(&self, path: &Path) -> Option<Arc<str>>;
    /// The lowered text of a file of the user's or of a library, where it is kept.
    fn lowered(&self, path: &Path, text: &Arc<str>, user: bool) -> Arc<Module> {
        super::ahead::lowered(path, text, user)
    }
    /// The text of a library's file, which seldom changes.
    fn read_library(&self, path: &Path) -> Option<Arc<str>> {
        self.read(path)
    }
    /// A file of data, if it is there.
    fn data(&self, path: &Path) -> Option<Box<dyn Contents>> {
        let meta = std::fs::metadata(path).ok()?;
        if meta.is_file() { Some(Box::new(File::open(path).ok()?)) } else { None }
    }
    /// The path without links and dots in it, where something is there.
    fn resolved(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }
    /// Whether a folder is there.
    fn is_dir(&self, path: &Path) -> bool;
    /// What stands in a folder, where that can be told at once: one question instead of two for each name.
    fn names(&self, _folder: &Path) -> Option<Names> {
        None
    }
    /// Is told of a module that, after [`Vfs::names`], is not in a folder.
    fn lacks(&self, _folder: &Path, _module: &str) {}
    /// Whether a folder holds a compiled module of this name (`name.cpython-311-x86_64-linux-gnu.so`, `name.pyd`).
    fn has_compiled(&self, folder: &Path, name: &str) -> bool {
        let Ok(entries) = std::fs::read_dir(folder) else { return false };
        entries.flatten().any(|entry| {
            let file = entry.file_name();
            let Some(rest) = file.to_str().and_then(|f| f.strip_prefix(name)) else { return false };
            rest.starts_with('.') && (rest.ends_with(".so") || rest.ends_with(".pyd"))
        })
    }
}

/// What stands in a folder.
pub type Names = HashSet<OsString>;

/// The disk alone.
#[derive(Debug, Default)]
pub struct Disk;

/// Folders with more in them are not listed.
const MOST_NAMES: usize = 2000;

/// Files longer than this are not read: what holds their syntax may take a hundred times as much.
pub const MOST_BYTES: u64 = crate::syntax::MAX_FILE_BYTES as u64;

impl Vfs for Disk {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        read(path, &std::fs::metadata(path).ok()?)
    }
    fn read_library(&self, path: &Path) -> Option<Arc<str>> {
        library::read(path)
    }
    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }
    fn names(&self, folder: &Path) -> Option<Names> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return (error.kind() == ErrorKind::NotFound).then(Names::new),
        };
        let names: Names =
            entries.take(MOST_NAMES).map(|entry| Ok(entry?.file_name())).collect::<Result<_, Error>>().ok()?;
        (names.len() < MOST_NAMES).then_some(names)
    }
}

fn read(path: &Path, meta: &Metadata) -> Option<Arc<str>> {
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return None;
    }
    let (text, _) = crate::text::decode(std::fs::read(path).ok()?);
    if notebook::is_notebook(path) {
        return Some(notebook::parse(&text).ok()?.into());
    }
    Some(text.into())
}

/// A user's file that a run has loaded.
#[derive(Clone)]
pub struct LoadedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
    /// Its lowered text.
    pub module: Arc<Module>,
    /// Whether it is the user's.
    pub user: bool,
}

/// Packages that are not read though they are installed: they draw, load, store or compute in ways that tracing does not
/// see, and reading them would cost more than all else.
const NOT_READ: &[&str] = &[
    "IPython",
    "PIL",
    "bokeh",
    "cv2",
    "datasets",
    "dm_control",
    "graphviz",
    "gym",
    "gymnasium",
    "h5py",
    "huggingface_hub",
    "imageio",
    "ipywidgets",
    "matplotlib",
    "mlflow",
    "msgpack",
    "mujoco",
    "networkx",
    "numba",
    "orbax",
    "pandas",
    "plotly",
    "polars",
    "pyarrow",
    "pygame",
    "pylab",
    "requests",
    "rich",
    "safetensors",
    "scipy",
    "seaborn",
    "skimage",
    "statsmodels",
    "sympy",
    "tensorboardX",
    "tensorboard",
    "tensorflow",
    "tensorflow_datasets",
    "tensorstore",
    "tokenizers",
    "torch",
    "torchvision",
    "transformers",
    "treescope",
    "wandb",
    "yaml",
];

/// Those of them that write into the arrays they are given: loops of the program that are compiled, pictures, states of engines.
const WRITERS: &[&str] = &["cv2", "mujoco", "numba", "pygame"];

/// Others whose functions leave what they are given as it is: they draw, log, load and store, build commands and configurations, or
/// compute as JAX does, on arrays that do not change.
const READERS: &str = "
    aim altair attrs beartype blackjax brax cartopy cattrs chex click clu coax colorama comet_ml corner deepdish diffrax distrax dm_pix
    e3nn_jax einops equinox evosax evox fedjax ffmpeg fire flax gin grain gymnax haiku hydra jax_md jaxlie jaxopt jaxtyping jmp jraph
    keras keras_core kfac_jax lineax loguru matplotlib_inline mctx mediapy ml_collections ml_dtypes mlxtend moviepy mplcyberpunk neptune netCDF4
    netket neural_tangents numpyro objax omegaconf optax optimistix oryx ott penzai prettytable psutil pydantic pyvista quax rlax sacred scienceplots
    simple_parsing soundfile tabulate tensorflow_probability termcolor timm tinygp tqdm trajax trimesh typer tyro umap xarray";

/// Modules that Python has loaded, or has in itself, before it looks into any folder: no file of the user's is found in their place.
const LOADED: &[&str] = &[
    "abc",
    "atexit",
    "builtins",
    "codecs",
    "errno",
    "faulthandler",
    "gc",
    "genericpath",
    "io",
    "itertools",
    "marshal",
    "ntpath",
    "os",
    "posix",
    "posixpath",
    "pwd",
    "site",
    "stat",
    "sys",
    "time",
    "zipimport",
];

/// Modules of the standard library that have no model.
const STANDARD: &str = "
    aifc antigravity asynchat asyncore audioop bdb cgi cgitb chunk cmd codeop colorsys compileall crypt dbm difflib
    distutils doctest encodings ensurepip faulthandler fcntl fileinput formatter ftplib genericpath gettext graphlib grp hmac idlelib imaplib
    imghdr imp ipaddress lib2to3 mailbox mailcap marshal mimetypes modulefinder msilib msvcrt netrc nis nntplib nt ntpath
    nturl2path opcode ossaudiodev parser pdb pickletools pipes pkgutil plistlib poplib posix posixpath pty pwd py_compile pyclbr
    pydoc pydoc_data pyexpat quopri rlcompleter runpy selectors shelve shlex site smtpd smtplib sndhdr socketserver spwd sre_compile
    sre_constants sre_parse string stringprep sunau symbol symtable sysconfig syslog tabnanny telnetlib termios test this token
    tkinter tomllib trace tty turtle turtledemo types uu venv wave webbrowser winreg winsound wsgiref xdrlib xmlrpc zipapp zipimport zoneinfo";

/// Where a module is.
pub(super) enum Located {
    /// It is of ours, without text.
    Native,
    /// Among the preludes.
    Prelude,
    /// In a file.
    File { path: PathBuf, text: Arc<str>, is_package: bool, user: bool },
    /// A folder without `__init__.py`.
    Folder,
}

/// Lowers a text. Of a library few functions are called: the bodies of most come later.
pub fn lower(text: &Arc<str>, user: bool) -> Module {
    match user {
        true if notebook::is_program(text) => notebook::isolate(text, lower_text(text)),
        true => lower_text(text),
        false => lower_outline(text),
    }
}

/// The loader of one run.
pub struct ProjectLoader {
    vfs: RefCell<Rc<dyn Vfs>>,
    /// Folders of the user's own modules, first found first.
    roots: Vec<PathBuf>,
    /// `site-packages` folders.
    environment: Vec<PathBuf>,
    /// Folders of the user's project that come last.
    fallback: Vec<PathBuf>,
    /// Files of the user's and of libraries.
    files: RefCell<Vec<LoadedFile>>,
    /// Modules of ours.
    ours: RefCell<Vec<Symbol>>,
    /// Modules of libraries that were read.
    libraries: RefCell<Vec<Symbol>>,
    interp: RefCell<Weak<Interp>>,
    /// Modules that were searched for in vain.
    missing: RefCell<HashSet<String>>,
    /// Whether packages are the user's own.
    own: RefCell<HashMap<String, bool>>,
    /// What stands in the user's folders, where they could be listed.
    names: RefCell<HashMap<PathBuf, Option<Names>>>,
    /// Whether running modules of libraries changes nothing but themselves.
    quiet: RefCell<HashMap<String, bool>>,
    /// Whether packages are read from where libraries are.
    read: RefCell<HashMap<String, bool>>,
    /// Where the lines of files end that places were asked of.
    lines: RefCell<HashMap<FileId, Vec<u32>>>,
}

impl ProjectLoader {
    /// A loader over these folders.
    pub fn new(
        vfs: Rc<dyn Vfs>,
        roots: Vec<PathBuf>,
        environment: Vec<PathBuf>,
        fallback: Vec<PathBuf>,
    ) -> ProjectLoader {
        ProjectLoader {
            vfs: RefCell::new(vfs),
            roots,
            environment,
            fallback,
            files: RefCell::default(),
            ours: RefCell::default(),
            libraries: RefCell::default(),
            interp: RefCell::default(),
            missing: RefCell::default(),
            own: RefCell::default(),
            names: RefCell::default(),
            quiet: RefCell::default(),
            read: RefCell::default(),
            lines: RefCell::default(),
        }
    }
    /// Tells it the interpreter that native modules are made for.
    pub fn attach(&self, it: &Rc<Interp>) {
        *self.interp.borrow_mut() = Rc::downgrade(it);
    }
    /// Looks at the files in another way from here on.
    pub fn look_at(&self, vfs: Rc<dyn Vfs>) {
        *self.vfs.borrow_mut() = vfs;
        self.missing.borrow_mut().clear();
        self.own.borrow_mut().clear();
        self.names.borrow_mut().clear();
        self.quiet.borrow_mut().clear();
        self.read.borrow_mut().clear();
    }
    fn vfs(&self) -> Rc<dyn Vfs> {
        self.vfs.borrow().clone()
    }
    /// The modules of ours that were loaded, in order.
    pub fn ours(&self) -> Vec<Symbol> {
        self.ours.borrow().clone()
    }
    /// Modules of libraries that have been read, in order.
    pub(super) fn libraries(&self) -> Vec<Symbol> {
        self.libraries.borrow().clone()
    }
    /// Whether the user has a module under one of these names of ours.
    pub fn shadows_any(&self, mut names: impl Iterator<Item = Symbol>) -> bool {
        // Few packages have all the modules, and the user has hardly ever one of them.
        let mut packages: HashMap<String, bool> = HashMap::new();
        names.any(|name| {
            let package = name.split('.').next().unwrap_or(&name);
            let own = *packages
                .entry(package.to_owned())
                .or_insert_with(|| self.roots.iter().any(|root| self.is_in(root, package)));
            own && self.is_shadowed(&name)
        })
    }
    /// Whether the user has a module under the name of one of ours.
    pub fn is_shadowed(&self, name: &str) -> bool {
        let relative: PathBuf = name.split('.').collect();
        let vfs = self.vfs();
        self.roots
            .iter()
            .map(|root| root.join(&relative))
            .any(|base| vfs.read(&base.join("__init__.py")).is_some() || vfs.read(&base.with_extension("py")).is_some())
    }
    /// The user's files and those of libraries that were loaded so far.
    pub fn files(&self) -> Vec<LoadedFile> {
        self.files.borrow().clone()
    }
    /// A file of the user's, and what it is lowered to.
    pub(super) fn text(&self, path: &Path) -> Option<(Arc<str>, Arc<Module>)> {
        let text = self.vfs().read(path)?;
        let module = self.lowered(path, &text);
        Some((text, module))
    }
    /// What a text of the user's is lowered to.
    pub(super) fn lowered(&self, path: &Path, text: &Arc<str>) -> Arc<Module> {
        self.vfs().lowered(path, text, true)
    }
    /// Loads a file as a unit.
    pub fn unit(&self, path: &Path, user: bool) -> Option<Rc<Unit>> {
        let vfs = self.vfs();
        let text = vfs.read(path)?;
        let module = vfs.lowered(path, &text, user);
        Some(self.add(LoadedFile { path: path.to_owned(), text, module, user }))
    }
    fn add(&self, file: LoadedFile) -> Rc<Unit> {
        let mut files = self.files.borrow_mut();
        let unit = Unit::new(file.module.clone(), FileId(files.len() as u32), file.user);
        files.push(file);
        Rc::new(unit)
    }
    fn below(&self, root: &Path, relative: &Path, user: bool) -> Option<Located> {
        let base = root.join(relative);
        let vfs = self.vfs();
        let found = |path: PathBuf, is_package| {
            let text = if user { vfs.read(&path)? } else { vfs.read_library(&path)? };
            Some(Located::File { path, text, is_package, user })
        };
        found(base.join("__init__.py"), true).or_else(|| found(base.with_extension("py"), false))
    }
}

impl Loader for Rc<ProjectLoader> {
    fn find(&self, name: &str) -> Option<Found> {
        if self.missing.borrow().contains(name) && self.added().is_empty() {
            return None;
        }
        let found = self.search(name);
        if found.is_none() {
            self.missing.borrow_mut().insert(name.to_owned());
        }
        found
    }
    fn has(&self, name: &str) -> bool {
        (!self.missing.borrow().contains(name) || !self.added().is_empty()) && self.locate(name).is_some()
    }
    fn models_of(&self, name: &str) -> Option<&'static str> {
        frameworks::models_of(name)
    }
    fn may_wait(&self, name: &str) -> bool {
        let package = name.split('.').next().unwrap_or(name);
        if package == "_jitlens" || self.is_own(package) {
            return false;
        }
        if frameworks::has_prelude(package) {
            return frameworks::has_prelude(name);
        }
        !NOT_READ.contains(&package) && self.environment.iter().any(|root| self.is_quiet(root, name))
    }
    fn lacks(&self, name: &str) -> bool {
        let relative = Path::new(name);
        let folders = || self.roots.iter().chain(&self.environment).chain(&self.fallback);
        !self.environment.is_empty()
            && !name.starts_with('_')
            && frameworks::prelude(name).is_none()
            && !STANDARD.split_whitespace().any(|n| n == name)
            && !folders().any(|root| self.vfs().is_dir(&root.join(relative)) || self.vfs().has_compiled(root, name))
            && !folders().any(|root| self.vfs().read(&root.join(relative).with_extension("py")).is_some())
    }
    fn version(&self, distribution: &str) -> Option<String> {
        let plain = |name: &str| name.to_lowercase().replace(['-', '.'], "_");
        let wanted = plain(distribution);
        self.environment.iter().find_map(|root| {
            let entries = std::fs::read_dir(root).ok()?;
            let is_it = |name: &str| {
                let stem = name.strip_suffix(".dist-info").and_then(|stem| stem.rsplit_once('-'));
                stem.is_some_and(|(name, _)| plain(name) == wanted)
            };
            let folder = entries.flatten().map(|e| e.file_name()).find(|name| name.to_str().is_some_and(is_it))?;
            let about = self.vfs().read(&root.join(folder).join("METADATA"))?;
            about.lines().find_map(|line| line.strip_prefix("Version:")).map(|version| version.trim().to_owned())
        })
    }
    fn installed(&self, name: &str) -> Option<String> {
        let relative: PathBuf = name.split('.').collect();
        self.environment.iter().find_map(|root| match self.below(root, &relative, false)? {
            Located::File { path, .. } => Some(path.to_string_lossy().into_owned()),
            _ => None,
        })
    }
    fn has_compiled(&self, name: &str) -> bool {
        let (package, member) = name.rsplit_once('.').unwrap_or(("", name));
        let relative = package.replace('.', "/");
        let folders = || self.roots.iter().chain(&self.environment).chain(&self.fallback);
        folders().any(|root| {
            let folder = root.join(&relative);
            self.vfs().has_compiled(&folder, member) || self.vfs().is_dir(&folder.join(member))
        })
    }
    fn resolved(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        let found = if path.is_absolute() { self.vfs().resolved(path)? } else { return None };
        found.into_os_string().into_string().ok()
    }
    fn data(&self, path: &str) -> Option<Box<dyn Contents>> {
        // Where the program will be started is not known: the file has to be the same from everywhere in the workspace.
        let folders = || self.roots.iter().chain(&self.fallback);
        let tops: Vec<PathBuf> = folders().filter_map(|folder| self.vfs().resolved(folder)).collect();
        let mut found: Vec<PathBuf> = folders().filter_map(|folder| self.vfs().resolved(&folder.join(path))).collect();
        found.sort();
        found.dedup();
        match &found[..] {
            // Links do not lead out of it.
            [file] if tops.iter().any(|top| file.starts_with(top)) => self.vfs().data(file),
            _ => None,
        }
    }
    fn only_reads(&self, package: &str) -> bool {
        // Loops ask for each call of what is not there.
        static READERS_ONLY: OnceLock<HashSet<&str>> = OnceLock::new();
        let only_read = NOT_READ.iter().copied().filter(|package| !WRITERS.contains(package));
        READERS_ONLY.get_or_init(|| only_read.chain(READERS.split_whitespace()).collect()).contains(package)
    }
    fn may_be_shadowed(&self) -> bool {
        self.added().is_unsure
    }
    fn is_beside(&self, name: &str) -> bool {
        let package = name.split('.').next().unwrap_or(name);
        !self.roots.iter().any(|root| self.is_in(root, package))
    }
    fn is_namesake(&self, name: &str) -> bool {
        let package = name.split('.').next().unwrap_or(name);
        let Some(it) = self.interp.borrow().upgrade() else { return false };
        let asks = it.user_stack.borrow().last().map(|(site, _)| site.file);
        let files = self.files.borrow();
        let Some(file) = asks.and_then(|file| files.get(file.0 as usize)) else { return false };
        let folders = || self.roots.iter().chain(&self.fallback);
        // A project's own package lies in the project's folder, or in its folder of sources.
        let is_projects = |root: &Path| {
            let is_top = !folders().any(|other| other != root && root.starts_with(other));
            let has = |name: &str| self.vfs().read(&root.join(name)).is_some();
            is_top || root.ends_with("src") || ["pyproject.toml", "setup.py", "setup.cfg"].into_iter().any(has)
        };
        let mut around = folders().filter(|root| file.path.starts_with(root.join(package))).peekable();
        around.peek().is_some() && around.all(|root| !is_projects(root))
    }
    fn is_sketched(&self, name: &str) -> bool {
        frameworks::SKETCHED.contains(&name.split('.').next().unwrap_or(name))
    }
    fn place(&self, file: FileId, offset: u32) -> Option<(String, u32)> {
        let files = self.files.borrow();
        let there = files.get(file.0 as usize).filter(|file| file.text.len() >= offset as usize)?;
        let mut lines = self.lines.borrow_mut();
        let ends =
            lines.entry(file).or_insert_with(|| there.text.match_indices('\n').map(|(at, _)| at as u32).collect());
        let line = ends.partition_point(|end| *end < offset) as u32 + 1;
        Some((there.path.to_string_lossy().into_owned(), line))
    }
}

impl ProjectLoader {
    /// Whether a package is the user's own.
    pub(super) fn is_own(&self, package: &str) -> bool {
        if let Some(own) = self.own.borrow().get(package) {
            return *own;
        }
        let own = self.roots.iter().chain(&self.fallback).any(|root| self.is_in(root, package));
        self.own.borrow_mut().insert(package.to_owned(), own);
        own
    }

    /// Whether a folder of the user's has a package or module of this name.
    fn is_in(&self, folder: &Path, package: &str) -> bool {
        if LOADED.contains(&package) {
            return false;
        }
        let vfs = self.vfs();
        let file = format!("{package}.py");
        let mut listed = self.names.borrow_mut();
        if !listed.contains_key(folder) {
            listed.insert(folder.to_owned(), vfs.names(folder));
        }
        if let Some(Some(names)) = listed.get(folder)
            && !names.contains(OsStr::new(package))
            && !names.contains(OsStr::new(&file))
        {
            vfs.lacks(folder, package);
            return false;
        }
        vfs.is_dir(&folder.join(package)) || vfs.read(&folder.join(&file)).is_some()
    }

    /// Whether a module of a library is there, and running it and what it imports changes nothing but themselves.
    fn is_quiet(&self, root: &Path, name: &str) -> bool {
        if let Some(known) = self.quiet.borrow().get(name) {
            return *known;
        }
        // What has been looked at, and whether it is a module that is no package: nothing is in such.
        let mut seen: HashMap<String, bool> = HashMap::new();
        let mut waiting = vec![name.to_owned()];
        let mut there = Vec::new();
        let mut quiet = true;
        while let (true, Some(next)) = (quiet, waiting.pop()) {
            let package = next.rsplit_once('.').map_or("", |(package, _)| package);
            if seen.contains_key(&next) || (next != name && seen.get(package).copied().unwrap_or(false)) {
                continue;
            }
            seen.insert(next.clone(), false);
            if let Some(known) = self.quiet.borrow().get(&next) {
                quiet &= *known;
                continue;
            }
            let Some((text, is_package)) = self.library_text(root, &next) else {
                // What is imported may be a member of a module, or not be installed.
                quiet &= next != name;
                continue;
            };
            let package = if is_package { &*next } else { package };
            let header = library::header(&text, package);
            quiet &= !header.loud;
            waiting.extend(header.imports.iter().filter(|import| self.is_read(import)).cloned());
            seen.insert(next.clone(), !is_package);
            there.push(next);
        }
        let mut known = self.quiet.borrow_mut();
        match quiet {
            true => known.extend(there.into_iter().map(|name| (name, true))),
            false => drop(known.insert(name.to_owned(), false)),
        }
        quiet
    }

    /// Whether a module is read from where libraries are.
    fn is_read(&self, name: &str) -> bool {
        let package = name.split('.').next().unwrap_or(name);
        if let Some(read) = self.read.borrow().get(package) {
            return *read;
        }
        let read = !frameworks::has_prelude(package) && !NOT_READ.contains(&package) && !self.is_own(package);
        self.read.borrow_mut().insert(package.to_owned(), read);
        read
    }

    /// Whether it is the very file that asks: a module of a package that bears a library's name imports the library.
    fn is_asking(&self, found: &Located) -> bool {
        let Located::File { path, .. } = found else { return false };
        let Some(it) = self.interp.borrow().upgrade() else { return false };
        let asks = it.user_stack.borrow().last().map(|(site, _)| site.file);
        let files = self.files.borrow();
        asks.and_then(|file| files.get(file.0 as usize)).is_some_and(|file| file.path == *path)
    }

    fn library_text(&self, root: &Path, name: &str) -> Option<(Arc<str>, bool)> {
        match self.below(root, &name.split('.').collect::<PathBuf>(), false)? {
            Located::File { text, is_package, .. } => Some((text, is_package)),
            _ => None,
        }
    }

    fn search(&self, name: &str) -> Option<Found> {
        match self.locate(name)? {
            Located::Native => {
                let it = self.interp.borrow().upgrade()?;
                frameworks::native_module(&it, name).map(Found::Native)
            }
            Located::Prelude => {
                let prelude = frameworks::prelude(name)?;
                let name = Symbol::from(name);
                self.ours.borrow_mut().push(name);
                let unit = units::of_ours(name, prelude.module);
                Some(Found::Source { unit, is_package: prelude.is_package })
            }
            Located::File { path, text, is_package, user } => {
                if !user {
                    self.libraries.borrow_mut().push(Symbol::from(name));
                }
                let module = self.vfs().lowered(&path, &text, user);
                let unit = self.add(LoadedFile { path, text, module, user });
                Some(Found::Source { unit, is_package })
            }
            Located::Folder => Some(Found::Namespace),
        }
    }

    /// Where the module of this name is.
    pub(super) fn locate(&self, name: &str) -> Option<Located> {
        if name == "_jitlens" || name.starts_with("_jitlens.") {
            return frameworks::has_native(name).then_some(Located::Native);
        }
        let relative: PathBuf = name.split('.').collect();
        let package = name.split('.').next().unwrap_or(name);
        let own = self.is_own(package);
        let added = self.added();
        for root in added.before.iter().filter(|_| !frameworks::has_prelude(package)) {
            if let Some(found) = self.below(root, &relative, self.is_users(root)) {
                return Some(found);
            }
        }
        for root in self.roots.iter().filter(|_| own) {
            if let Some(found) = self.below(root, &relative, true) {
                return Some(found);
            }
        }
        if frameworks::has_prelude(name) {
            return Some(Located::Prelude);
        }
        // What is modelled is not read: a library's own files do not fit onto our model of it.
        let read = !frameworks::has_prelude(package) && !NOT_READ.contains(&package);
        for root in self.environment.iter().filter(|_| read) {
            if let Some(found) = self.below(root, &relative, false) {
                return Some(found);
            }
        }
        for root in self.fallback.iter().filter(|_| own) {
            if let Some(found) = self.below(root, &relative, true).filter(|found| !self.is_asking(found)) {
                return Some(found);
            }
        }
        for root in &added.behind {
            if let Some(found) = self.below(root, &relative, self.is_users(root)) {
                return Some(found);
            }
        }
        let installed = self.environment.iter().filter(|_| read);
        let users = self.roots.iter().chain(&self.fallback).filter(|_| own);
        let mut folders = users.chain(installed).chain(&added.before).chain(&added.behind);
        folders.any(|root| self.vfs().is_dir(&root.join(&relative))).then_some(Located::Folder)
    }

    /// The folders that the program has put into `sys.path`; relative ones are below that of the script.
    fn added(&self) -> Added {
        let mut added = Added::default();
        let Some(it) = self.interp.borrow().upgrade() else { return added };
        let Some(Value::Module(sys)) = it.modules.borrow().get(&Symbol::from("sys")).cloned() else {
            return added;
        };
        let Some(Value::List(path)) = sys.get(Symbol::from("path")) else { return added };
        if path.why_vague().is_some() {
            return Added { is_unsure: true, ..added };
        }
        let base = self.roots.first().cloned().unwrap_or_default();
        let path = path.read();
        // The folder of the script, which nobody knows, stands first.
        let is_script = |folder: &Value| matches!(folder, Value::Unknown(unknown) if &*unknown.why.0 == SCRIPT);
        let script = path.iter().position(is_script).unwrap_or(0);
        for (at, folder) in path.iter().enumerate().filter(|(at, _)| *at != script) {
            let named = folder.as_str().map(Path::new);
            let there = named.filter(|folder| folder.is_absolute()).and_then(|folder| self.vfs().resolved(folder));
            match (named, there) {
                (_, Some(there)) if at < script => added.before.push(there),
                (Some(folder), _) => added.behind.push(base.join(folder)),
                _ => {}
            }
            // From where a relative one is meant is not known either.
            added.is_unsure |= at < script && added.before.len() <= at;
        }
        added
    }

    /// Whether what is in a folder is the user's.
    fn is_users(&self, folder: &Path) -> bool {
        !self.environment.iter().any(|environment| folder.starts_with(environment))
    }
}

/// Folders that the program has put into `sys.path`.
#[derive(Default)]
struct Added {
    /// Those that come before the program's own.
    before: Vec<PathBuf>,
    /// Those that come behind it.
    behind: Vec<PathBuf>,
    /// Whether there are more that come before it.
    is_unsure: bool,
}

impl Added {
    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.behind.is_empty()
    }
}

/// Why the first folder of `sys.path` is not known.
const SCRIPT: &str = "the folder of the script";
