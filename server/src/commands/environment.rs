//! Where the libraries of a script are: found by reading folders, without asking an interpreter.

use std::path::{Path, PathBuf};

use super::program::{project_folders, project_root};

/// Files that name more folders are read as long as this, and so many of them.
const MOST_BYTES: u64 = 1 << 16;
const MOST_FILES: usize = 256;

/// The folders of libraries, and those of the user's project that come last: what an environment links to in the project itself is the user's.
pub fn folders(script: &Path, environment: Option<&Path>) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut libraries = match environment {
        Some(root) => site_packages(root),
        None => of_script(script),
    };
    let mut own = project_folders(script);
    let root = project_root(script);
    let installed = |folder: &Path| folder.iter().any(|part| part == "site-packages" || part == "dist-packages");
    let is_own = |folder: &Path| {
        let beside = root.as_ref().is_some_and(|root| folder.starts_with(root));
        !installed(folder) && (beside || script.starts_with(folder))
    };
    let is_within = |folder: &Path| libraries.iter().any(|known| folder.starts_with(known));
    let linked: Vec<PathBuf> = libraries.iter().flat_map(|folder| linked(folder)).filter(|at| !is_within(at)).collect();
    for folder in linked {
        let kind = if is_own(&folder) { &mut own } else { &mut libraries };
        if !kind.contains(&folder) {
            kind.push(folder);
        }
    }
    (libraries, own)
}

/// The `site-packages` folders of the user's environment: `VIRTUAL_ENV`, a `.venv` at or above the file, `CONDA_PREFIX`.
fn of_script(script: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    if let Some(active) = std::env::var_os("VIRTUAL_ENV") {
        roots.push(PathBuf::from(active));
    }
    for folder in script.ancestors().skip(1) {
        roots.push(folder.join(".venv"));
        roots.push(folder.join("venv"));
    }
    if let Some(conda) = std::env::var_os("CONDA_PREFIX") {
        roots.push(PathBuf::from(conda));
    }
    roots.into_iter().flat_map(|root| site_packages(&root)).collect()
}

/// The `site-packages` of an environment.
fn site_packages(root: &Path) -> Vec<PathBuf> {
    let windows = root.join("Lib").join("site-packages");
    if windows.is_dir() {
        return vec![windows];
    }
    let Ok(versions) = std::fs::read_dir(root.join("lib")) else { return Vec::new() };
    let mut found: Vec<PathBuf> =
        versions.flatten().map(|v| v.path().join("site-packages")).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

/// Folders that files in a `site-packages` add to the places of modules: lines of `.pth` files (layers of environments, installations that may be
/// edited), and where the finders that setuptools installs instead look for packages.
fn linked(site: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(site) else { return Vec::new() };
    let is_one =
        |name: &str| name.ends_with(".pth") || name.starts_with("__editable__") && name.ends_with("_finder.py");
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_one(name)).collect();
    names.sort();
    let mut found = Vec::new();
    for name in names.iter().take(MOST_FILES) {
        let file = site.join(name);
        if !std::fs::metadata(&file).is_ok_and(|file| file.len() <= MOST_BYTES) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        match name.ends_with(".pth") {
            true => found.extend(lines(&text).map(|line| site.join(line))),
            false => found.extend(mapped(&text)),
        }
    }
    found.retain(|folder| folder.is_dir());
    found
}

/// The lines of a `.pth` file that name a folder; others are code, or say nothing.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let is_code = |line: &str| line.starts_with("import ") || line.starts_with("import\t");
    text.lines().map(str::trim_end).filter(move |line| !line.is_empty() && !line.starts_with('#') && !is_code(line))
}

/// The folders around the packages that a finder maps to their places: `MAPPING = {'name': '/project/src/name'}`.
fn mapped(text: &str) -> Vec<PathBuf> {
    let Some(line) = text.lines().find(|line| line.starts_with("MAPPING")) else { return Vec::new() };
    let Some((_, dict)) = line.split_once('{') else { return Vec::new() };
    let texts: Vec<&str> = dict.split('\'').skip(1).step_by(2).collect();
    let pairs = texts.chunks_exact(2).map(|pair| (pair[0], Path::new(pair[1])));
    // A module is a file: the map has it without its suffix.
    let around =
        pairs.filter(|(name, at)| at.file_name().is_some_and(|last| last == *name)).filter_map(|(_, at)| at.parent());
    around.map(Path::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(at: &Path, text: &str) {
        std::fs::create_dir_all(at.parent().expect("a folder")).expect("a folder");
        std::fs::write(at, text).expect("a file");
    }

    #[test]
    fn links_of_an_environment_are_followed() {
        let top = tempfile::tempdir().expect("a folder");
        let top = top.path().canonicalize().expect("a path");
        let site = top.join("env/lib/python3.12/site-packages");
        let (layer, project, other) = (top.join("layer"), top.join("project"), top.join("other"));
        file(&project.join("pyproject.toml"), "");
        file(&project.join("scripts/train.py"), "");
        file(&project.join("libs/a/src/a/__init__.py"), "");
        file(&layer.join("flax/__init__.py"), "");
        file(&other.join("b/__init__.py"), "");
        file(&site.join("layer.pth"), &format!("# more\nimport os; print(1)\n{}\n../nothing\n\n", layer.display()));
        file(&site.join("__editable__.a-1.0.pth"), &project.join("libs/a/src").display().to_string());
        let map = format!("MAPPING: dict[str, str] = {{'b': '{}', 'c': '/x/y'}}\n", other.join("b").display());
        file(&site.join("__editable___b_1_0_finder.py"), &format!("import sys\n{map}NAMESPACES = {{}}\n"));
        let script = project.join("scripts/train.py");
        let (libraries, own) = folders(&script, Some(&top.join("env")));
        assert_eq!(libraries, [site, other, layer]);
        assert_eq!(own, [project.join("scripts"), project.clone(), project.join("src"), project.join("libs/a/src")]);
    }
}
