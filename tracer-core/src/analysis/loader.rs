//! Where modules come from: native ones, the project, the preludes, the user's environment.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::sync::Arc;

use crate::frameworks;
use crate::interp::{Found, Interp, Loader};
use crate::module::{Module, Symbol};
use crate::python::{FileId, Unit};

/// Files as the analysis sees them: on disk, with open documents over them. Only reading.
pub trait Vfs {
    /// The text of a file.
    fn read(&self, path: &Path) -> Option<Arc<str>>;
    /// The lowered text of a file, where it is kept.
    fn lowered(&self, path: &Path, text: &str) -> Arc<Module> {
        let _ = path;
        Arc::new(crate::lower::lower_text(text))
    }
    /// Whether a folder is there.
    fn is_dir(&self, path: &Path) -> bool;
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

/// The disk alone.
#[derive(Debug, Default)]
pub struct Disk;

/// Files longer than this are not read.
pub const MOST_BYTES: u64 = 10 << 20;

impl Vfs for Disk {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        let meta = std::fs::metadata(path).ok()?;
        if !meta.is_file() || meta.len() > MOST_BYTES {
            return None;
        }
        let bytes = std::fs::read(path).ok()?;
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        Some(text.into())
    }
    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }
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
    "requests",
    "rich",
    "safetensors",
    "scipy",
    "seaborn",
    "skimage",
    "sklearn",
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

/// Modules of the standard library that have no model.
const STANDARD: &str = "
    aifc antigravity asynchat asyncore audioop bdb cgi cgitb chunk cmd codeop colorsys compileall crypt dbm difflib
    distutils doctest encodings ensurepip faulthandler fcntl fileinput formatter ftplib genericpath gettext graphlib grp hmac idlelib imaplib
    imghdr imp ipaddress lib2to3 mailbox mailcap marshal mimetypes modulefinder msilib msvcrt netrc nis nntplib nt ntpath
    nturl2path opcode ossaudiodev parser pdb pickletools pipes pkgutil plistlib poplib posix posixpath pty pwd py_compile pyclbr
    pydoc pydoc_data pyexpat quopri rlcompleter runpy selectors shelve shlex site smtpd smtplib sndhdr socketserver spwd sre_compile
    sre_constants sre_parse string stringprep sunau symbol symtable sysconfig syslog tabnanny telnetlib termios test this token
    tkinter tomllib trace tty turtle turtledemo types uu venv wave webbrowser winreg winsound wsgiref xdrlib xmlrpc zipapp zipimport zoneinfo";

/// Files of ours are numbered from here.
const OURS: u32 = 1 << 30;

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
    interp: RefCell<Weak<Interp>>,
    /// Modules that were searched for in vain.
    missing: RefCell<std::collections::HashSet<String>>,
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
            interp: RefCell::default(),
            missing: RefCell::default(),
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
    }
    fn vfs(&self) -> Rc<dyn Vfs> {
        self.vfs.borrow().clone()
    }
    /// The modules of ours that were loaded, in order.
    pub fn ours(&self) -> Vec<Symbol> {
        self.ours.borrow().clone()
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
    /// Loads a file as a unit.
    pub fn unit(&self, path: &Path, user: bool) -> Option<Rc<Unit>> {
        let vfs = self.vfs();
        let text = vfs.read(path)?;
        let module = vfs.lowered(path, &text);
        Some(self.add(LoadedFile { path: path.to_owned(), text, module, user }))
    }
    fn add(&self, file: LoadedFile) -> Rc<Unit> {
        let mut files = self.files.borrow_mut();
        let unit = Unit::new(file.module.clone(), FileId(files.len() as u32), file.user);
        files.push(file);
        Rc::new(unit)
    }
    fn below(&self, root: &Path, relative: &Path, user: bool) -> Option<Found> {
        let base = root.join(relative);
        let package = base.join("__init__.py");
        if let Some(unit) = self.unit(&package, user) {
            return Some(Found::Source { unit, is_package: true });
        }
        self.unit(&base.with_extension("py"), user).map(|unit| Found::Source { unit, is_package: false })
    }
}

impl Loader for Rc<ProjectLoader> {
    fn find(&self, name: &str) -> Option<Found> {
        if self.missing.borrow().contains(name) {
            return None;
        }
        let found = self.search(name);
        if found.is_none() {
            self.missing.borrow_mut().insert(name.to_owned());
        }
        found
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
    fn place(&self, file: FileId, offset: u32) -> Option<(String, u32)> {
        let files = self.files.borrow();
        let file = files.get(file.0 as usize)?;
        let before = file.text.as_bytes().get(..offset as usize)?;
        let line = before.iter().filter(|b| **b == b'\n').count() as u32 + 1;
        Some((file.path.to_string_lossy().into_owned(), line))
    }
}

impl ProjectLoader {
    fn search(&self, name: &str) -> Option<Found> {
        if name == "_jitlens" || name.starts_with("_jitlens.") {
            let it = self.interp.borrow().upgrade()?;
            return frameworks::native_module(&it, name).map(Found::Native);
        }
        let relative: PathBuf = name.split('.').collect();
        for root in &self.roots {
            if let Some(found) = self.below(root, &relative, true) {
                return Some(found);
            }
        }
        if let Some(prelude) = frameworks::prelude(name) {
            let mut ours = self.ours.borrow_mut();
            let file = FileId(OURS + ours.len() as u32);
            ours.push(Symbol::from(name));
            let mut unit = Unit::new(prelude.module, file, false);
            unit.ours = true;
            let unit = Rc::new(unit);
            return Some(Found::Source { unit, is_package: prelude.is_package });
        }
        // What is modelled is not read: a library's own files do not fit onto our model of it.
        let package = name.split('.').next().unwrap_or(name);
        let read = frameworks::prelude(package).is_none() && !NOT_READ.contains(&package);
        for root in self.environment.iter().filter(|_| read) {
            if let Some(found) = self.below(root, &relative, false) {
                return Some(found);
            }
        }
        for root in &self.fallback {
            if let Some(found) = self.below(root, &relative, true) {
                return Some(found);
            }
        }
        let installed = self.environment.iter().filter(|_| read);
        let mut folders = self.roots.iter().chain(installed).chain(&self.fallback);
        let namespace = folders.any(|root| self.vfs().is_dir(&root.join(&relative)));
        namespace.then_some(Found::Namespace)
    }
}
