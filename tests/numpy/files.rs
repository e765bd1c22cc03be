//! Files of data that a program loads: known where they lie in its workspace, and nowhere else.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Evaluation, Limits, Vfs, Wanted, analyze_for};
use tracer_core::array::{Tensor, npy};

/// What the functions of a program are given, as types and first numbers; nothing where that is made up.
fn given(folder: &Path, program: &str) -> Vec<String> {
    let script = folder.join("main.py");
    std::fs::write(&script, program).unwrap();
    let entry = Entry { script, roots: Vec::new(), environment: Vec::new(), fallback: Vec::new() };
    let wanted = Wanted { graphs: true, evaluation: Some(Evaluation::default()), ..Wanted::default() };
    let cancel = Arc::new(AtomicBool::new(false));
    let analysis = analyze_for(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), wanted, cancel);
    let known = analysis.evaluated.iter().filter(|fact| !fact.made_up);
    known.flat_map(|fact| &fact.inputs).map(|(_, x)| format!("{} {}", x.aval, x.first.join(" "))).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("work")).unwrap();
    folder
}

const HEAD: &str = "import jax, numpy as np, jax.numpy as jnp, pathlib\n@jax.jit\ndef f(*xs): return xs\n";

#[test]
fn what_lies_in_the_workspace_is_known() {
    let folder = folder("files_inside").join("work");
    let tensor = Tensor::new(&[2, 3][..], vec![1.5f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
    npy::write(&tensor, std::fs::File::create(folder.join("x.npy")).unwrap()).unwrap();
    std::fs::write(folder.join("t.csv"), "a,b\n1,2\n3,4.5\n").unwrap();
    let load = |expression: &str| given(&folder, &format!("{HEAD}f({expression})\n"));
    assert_eq!(load("np.load('x.npy')"), ["f32[2,3] 1.5 2 3 4 5 6"]);
    assert_eq!(load("jnp.load(pathlib.Path('x.npy'))"), ["f32[2,3] 1.5 2 3 4 5 6"]);
    assert_eq!(load("np.loadtxt('t.csv', delimiter=',', skiprows=1)"), ["f32[2,2] 1 2 3 4.5"]);
    assert_eq!(load("np.genfromtxt('t.csv', delimiter=',')[1:]"), ["f32[2,2] 1 2 3 4.5"]);
    assert_eq!(load("np.loadtxt('t.csv', delimiter=',', skiprows=1, usecols=1)"), ["f32[2] 2 4.5"]);
    assert!(load("np.load('absent.npy')").is_empty() && load("np.load('t.csv')").is_empty());
    // What the program writes itself is not what lies there now.
    assert!(given(&folder, &format!("{HEAD}np.save('x.npy', np.ones(3))\nf(np.load('x.npy'))\n")).is_empty());
}

#[test]
fn small_texts_of_the_workspace_are_read() {
    let folder = folder("files_texts").join("work");
    std::fs::write(folder.join("settings.json"), "{\"sizes\": [2, 3], \"name\": \"mlp\", \"rate\": 1e-3}\n").unwrap();
    std::fs::write(folder.join("names.txt"), "ada\r\ngrace\r\nmary").unwrap();
    std::fs::write(folder.join("long.txt"), "x".repeat(100_000)).unwrap();
    let load = |expression: &str| given(&folder, &format!("import json\n{HEAD}f(jnp.zeros({expression}))\n"));
    let zeros = |shape: &str, count: usize| vec![format!("f32[{shape}] {}", vec!["0"; count].join(" "))];
    assert_eq!(load("json.load(open('settings.json'))['sizes']"), zeros("2,3", 6));
    assert_eq!(load("json.loads(pathlib.Path('settings.json').read_text())['sizes'][0]"), zeros("2", 2));
    assert_eq!(load("[len(line) for line in open('names.txt')]"), zeros("4,6,4", 6));
    assert_eq!(load("len(open('names.txt', encoding='utf-8').read().split())"), zeros("3", 3));
    assert_eq!(load("len(open('names.txt').readlines()[1])"), zeros("6", 6));
    let with = format!(
        "{HEAD}with pathlib.Path('names.txt').open() as names:\n    first = names.readline()\nf(jnp.zeros(len(first)))\n"
    );
    assert_eq!(given(&folder, &with), zeros("4", 4));
    for unknown in
        ["len(open('names.txt', 'rb').read())", "len(open('long.txt').read())", "len(open('absent.txt').read())"]
    {
        assert!(load(unknown).is_empty(), "{unknown}");
    }
    let written = format!("{HEAD}open('names.txt', 'w').write('eve')\nf(jnp.zeros(len(open('names.txt').read())))\n");
    assert!(given(&folder, &written).is_empty());
}

#[test]
fn what_lies_outside_is_not_read() {
    let folder = folder("files_outside");
    let tensor = Tensor::new(&[2][..], vec![1.5f32, 2.0]);
    npy::write(&tensor, std::fs::File::create(folder.join("x.npy")).unwrap()).unwrap();
    let outside = folder.join("x.npy");
    let program = format!("{HEAD}f(np.load({:?}))\nf(np.load('../x.npy'))\n", outside.display().to_string());
    assert!(given(&folder.join("work"), &program).is_empty());
}
