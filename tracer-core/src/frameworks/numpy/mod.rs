//! NumPy: arrays and scalars whose numbers are computed on demand, by the same primitives as JAX's eager arrays.

pub mod array;
pub mod attributes;
pub mod call;
pub mod class;
pub mod files;
pub mod from_python;
pub mod index;
pub mod join;
pub mod methods;
pub mod printing;
pub mod random;
pub mod scalar;
pub mod view;

#[cfg(test)]
mod tests {
    use crate::frameworks::prelude;
    use crate::module::Stmt;

    /// What stands between two marks of a text, as words.
    fn words(text: &str, from: &str, to: &str) -> Vec<String> {
        let part = text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).unwrap().0;
        part.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
    }

    #[test]
    fn what_a_file_models_is_found_there() {
        let table = words(include_str!("prelude/numpy/__init__.py"), "_ROOMS = {", "\n}");
        let names = words(include_str!("prelude/numpy/_names.py"), "NAMES[\"numpy\"]", "NAMES[");
        let mut files = 0;
        for file in table.iter().filter(|word| word.starts_with('_')) {
            files += 1;
            for stmt in &prelude(&format!("numpy.{file}")).unwrap().module.stmts {
                let name = match stmt {
                    Stmt::FunctionDef(def) => def.name.to_string(),
                    Stmt::ClassDef(def) => def.name.to_string(),
                    _ => continue,
                };
                assert!(!names.contains(&name) || table.contains(&name), "`{name}` of `{file}` is not in the table");
            }
        }
        assert!(files > 5);
    }
}
